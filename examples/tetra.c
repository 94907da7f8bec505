// Lesson 6: tetrahedral meshes. A heap of balls is filled with tetrahedra, by the library or by the
// gmsh program, or a mesh is read from a file of Gmsh's. We print the quality of the tetrahedra and
// write the boundary, for a look at it in any viewer.
//
//     cc tetra.c $(pkg-config --cflags --libs sherd) -o tetra
//     ./tetra boundary.stl             filled by the library
//     ./tetra boundary.stl gmsh        filled by gmsh, which must be installed
//     ./tetra boundary.stl part.msh    from a file, in metres
#include <sherd/tetra.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double EDGE = 2.5e-3; // wanted length of edges [m]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

// Four balls that overlap, as one shape.
static sherd_shape *make_heap(void)
{
    const sherd_vec3 centers[] = {
        {-6e-3, -4e-3, 0.0}, {6e-3, -4e-3, 0.0}, {0.0, 6e-3, 0.0}, {0.0, 0.0, 9e-3}};
    sherd_error error;
    sherd_shape *balls[4];
    for (int k = 0; k < 4; ++k) {
        sherd_pose pose = {centers[k], SHERD_QUAT_IDENTITY};
        sherd_shape *ball = sherd_shape_sphere(8e-3, &error);
        if (ball != NULL) ball = sherd_shape_placed(ball, pose, &error);
        if (ball == NULL) stop(&error);
        balls[k] = ball;
    }
    sherd_shape *heap = sherd_shape_union_of(balls, 4, &error); // owns the balls from here on
    if (heap == NULL) stop(&error);
    return heap;
}

static sherd_tetra_mesh *fill(const sherd_shape *shape)
{
    sherd_tetra_lattice_def def = sherd_tetra_lattice_def_default();
    def.size = EDGE;
    sherd_error error;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_fill(shape, &def, &error);
    if (mesh == NULL) stop(&error);
    return mesh;
}

// gmsh fills a closed surface of triangles instead of a shape.
static sherd_tetra_mesh *fill_by_gmsh(const sherd_shape *shape)
{
    sherd_error error;
    sherd_mesh *surface = sherd_shape_surface(shape, EDGE, &error);
    if (surface == NULL) stop(&error);
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_gmsh(surface, EDGE, 60.0, &error);
    sherd_mesh_destroy(surface);
    if (mesh == NULL) stop(&error);
    return mesh;
}

static sherd_tetra_mesh *read(const char *path)
{
    sherd_error error;
    sherd_tetra_report report;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(path, 1.0, &report, &error);
    if (mesh == NULL) stop(&error);
    if (report.flat > 0) printf("%d flat tetrahedra left out\n", (int)report.flat);
    return mesh;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: tetra BOUNDARY.stl [gmsh | FILE.msh]\n");
        return 2;
    }
    sherd_shape *heap = make_heap();
    sherd_tetra_mesh *mesh = argc == 2                      ? fill(heap)
                             : strcmp(argv[2], "gmsh") == 0 ? fill_by_gmsh(heap)
                                                            : read(argv[2]);
    sherd_tetra_quality q = sherd_tetra_mesh_quality(mesh);
    const double degrees = 180.0 / 3.14159265358979323846;
    printf("%d tetrahedra, volume %.4f cm^3, edges %.2f to %.2f mm\n", (int)mesh->tetra_count,
           1e6 * sherd_tetra_mesh_volume(mesh), 1e3 * q.edge_min, 1e3 * q.edge_max);
    printf("dihedral angles %.1f to %.1f degrees, worst quality %.2f, %d slivers\n",
           degrees * q.angle_min, degrees * q.angle_max, q.quality_min, (int)q.slivers);

    sherd_error error;
    sherd_mesh *boundary = sherd_tetra_mesh_boundary(mesh, &error);
    if (boundary == NULL) stop(&error);
    if (sherd_mesh_write_stl(boundary, argv[1], &error) != SHERD_OK) stop(&error);
    sherd_mesh_destroy(boundary);
    sherd_tetra_mesh_destroy(mesh);
    sherd_shape_destroy(heap);
    return 0;
}
