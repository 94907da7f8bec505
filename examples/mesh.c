// Lesson 5: from an artist's mesh to a body. A body needs a closed surface that does not cut itself.
// We read a mesh, try to repair a copy, and wrap a new surface around the original if the repair is
// refused. Without a file we make a faulty mesh ourselves: a bowl, which is an open sheet.
//
//     cc mesh.c $(pkg-config --cflags --libs sherd) -lm -o mesh
//     ./mesh solid.ply               the bowl
//     ./mesh solid.ply statue.obj    a file, in metres
#include <sherd/mesh.h>
#include <sherd/shape.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

// Half of a sphere of 40 mm radius, open at the top: rings of AROUND vertices, and the lowest point.
static sherd_mesh *make_bowl(void)
{
    enum { RINGS = 12, AROUND = 32, VERTICES = RINGS * AROUND + 1 };
    const double radius = 0.04, pi = 3.14159265358979323846; // [m]
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_create(VERTICES, (2 * RINGS - 1) * AROUND, &error);
    if (mesh == NULL) stop(&error);
    for (int ring = 0; ring < RINGS; ++ring) {
        for (int k = 0; k < AROUND; ++k) {
            double down = 0.5 * pi * ring / RINGS, turn = 2.0 * pi * k / AROUND;
            double *v = mesh->vertices + 3 * (ring * AROUND + k);
            v[0] = radius * cos(down) * cos(turn);
            v[1] = radius * cos(down) * sin(turn);
            v[2] = -radius * sin(down);
        }
    }
    mesh->vertices[3 * (VERTICES - 1) + 2] = -radius;
    int32_t *t = mesh->triangles; // counter-clockwise seen from outside
    for (int ring = 0; ring < RINGS; ++ring) {
        for (int k = 0; k < AROUND; ++k) {
            int32_t a = ring * AROUND + k, b = ring * AROUND + (k + 1) % AROUND;
            int32_t c = a + AROUND, d = b + AROUND;
            if (ring == RINGS - 1) {
                *t++ = a, *t++ = VERTICES - 1, *t++ = b;
            } else {
                *t++ = a, *t++ = c, *t++ = b;
                *t++ = b, *t++ = c, *t++ = d;
            }
        }
    }
    return mesh;
}

// Repairing changes the mesh, even when it is refused: hence the copy.
static sherd_mesh *make_solid(const sherd_mesh *mesh)
{
    sherd_error error;
    sherd_mesh *solid = sherd_mesh_copy(mesh, &error);
    if (solid == NULL) stop(&error);
    if (sherd_mesh_repair(solid, "mesh", NULL, &error) == SHERD_OK) return solid;
    printf("not repaired: %s\n", error.what);
    sherd_mesh_destroy(solid);

    // Triangles of a fortieth of the largest extent; the sheet is three of them thick.
    sherd_bounds b = sherd_mesh_bounds(mesh);
    double extent = fmax(b.high.x - b.low.x, fmax(b.high.y - b.low.y, b.high.z - b.low.z));
    sherd_wrap_def def = {.edge_length = extent / 40.0, .thickness = 3.0 * extent / 40.0};
    sherd_wrap_report report;
    solid = sherd_mesh_wrap(mesh, "mesh", &def, &report, &error);
    if (solid == NULL) stop(&error);
    printf("wrapped: %d piece, %.3f mm away at most\n", (int)report.pieces, 1e3 * report.farthest);
    return solid;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: mesh OUTPUT.ply [FILE]\n");
        return 2;
    }
    sherd_error error;
    sherd_mesh *mesh = argc == 3 ? sherd_mesh_read(argv[2], 1.0, &error) : make_bowl();
    if (mesh == NULL) stop(&error);
    sherd_mesh *solid = make_solid(mesh);
    sherd_shape *shape = sherd_shape_mesh(solid, &error); // for sherd_packing_create
    if (shape == NULL) stop(&error);
    printf("%d triangles, volume %.3f cm^3\n", (int)solid->triangle_count,
           1e6 * sherd_shape_volume(shape));
    if (sherd_mesh_write_ply(solid, argv[1], &error) != SHERD_OK) stop(&error);
    sherd_shape_destroy(shape);
    sherd_mesh_destroy(solid);
    sherd_mesh_destroy(mesh);
    return 0;
}
