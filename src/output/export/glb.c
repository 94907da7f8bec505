// Files of animations: the choice of the format, and the mesh of spheres.
#include "output/export/glb.h"

#include "base/assertion.h"
#include "output/export/glb_file.h"
#include "output/usd/usd_animation.h"

#include <math.h>
#include <string.h>

sherd_animation *sherd_animation_file_create(const sherd_animation_def *def, sherd_error *error)
{
    static const sherd_animation_writer *const WRITERS[] = {
        [SHERD_ANIMATION_GLB] = &sherd_glb_writer,
        [SHERD_ANIMATION_USDA] = &sherd_usda_writer,
        [SHERD_ANIMATION_USDC] = &sherd_usdc_writer};
    return sherd_animation_create(def, WRITERS[def->format], error);
}

int sherd_animation_add_unit_sphere(sherd_animation *animation, int material, sherd_error *error)
{
    double vertices[SHERD_ICOSPHERE_VERTICES][3];
    int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3];
    sherd_icosphere(vertices, triangles);
    sherd_animation_mesh mesh = {.name = "sphere",
                                 .vertex_count = SHERD_ICOSPHERE_VERTICES,
                                 .vertices = vertices[0],
                                 .normals = vertices[0],
                                 .triangle_count = SHERD_ICOSPHERE_TRIANGLES,
                                 .triangles = triangles[0],
                                 .outer_material = material,
                                 .inner_material = material};
    return sherd_animation_add_mesh(animation, &mesh, error);
}

enum { CORNERS = 12, FACES = 20 };

static void normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; ++c)
        v[c] /= length;
}

// Index of the midpoint of the edge a-b, which is created if new.
static int32_t midpoint(double vertices[][3], int32_t *count, int32_t a, int32_t b)
{
    double v[3];
    for (int c = 0; c < 3; ++c)
        v[c] = vertices[a][c] + vertices[b][c];
    normalize(v);
    for (int32_t k = CORNERS; k < *count; ++k)
        if (fabs(vertices[k][0] - v[0]) + fabs(vertices[k][1] - v[1]) +
                fabs(vertices[k][2] - v[2]) <
            1e-9)
            return k;
    memcpy(vertices[*count], v, sizeof v);
    return (*count)++;
}

void sherd_icosphere(double vertices[SHERD_ICOSPHERE_VERTICES][3],
                     int32_t triangles[SHERD_ICOSPHERE_TRIANGLES][3])
{
    const double p = 0.5 * (1.0 + sqrt(5.0)); // golden ratio
    const double corners[CORNERS][3] = {{-1, p, 0}, {1, p, 0}, {-1, -p, 0}, {1, -p, 0},
                                        {0, -1, p}, {0, 1, p}, {0, -1, -p}, {0, 1, -p},
                                        {p, 0, -1}, {p, 0, 1}, {-p, 0, -1}, {-p, 0, 1}};
    static const int32_t faces[FACES][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    int32_t count = CORNERS;
    for (int k = 0; k < CORNERS; ++k) {
        memcpy(vertices[k], corners[k], sizeof corners[k]);
        normalize(vertices[k]);
    }
    for (int f = 0; f < FACES; ++f) {
        int32_t a = faces[f][0], b = faces[f][1], c = faces[f][2];
        int32_t ab = midpoint(vertices, &count, a, b), bc = midpoint(vertices, &count, b, c);
        int32_t ca = midpoint(vertices, &count, c, a);
        const int32_t parts[4][3] = {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}};
        memcpy(triangles[4 * f], parts, sizeof parts);
    }
    SHERD_ASSERT(count == SHERD_ICOSPHERE_VERTICES,
                 "each edge of the icosahedron has one midpoint");
}
