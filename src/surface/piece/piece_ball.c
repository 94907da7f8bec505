#include "surface/piece/piece_ball.h"

#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "surface/piece/skin_piece.h"

// Icosahedron, counter-clockwise from outside.
static bool make_ball(piece *out, sherd_vec3 center, double radius, const texture_scale *texture)
{
    static const double G = 0.85065080835204, S = 0.525731112119134; // unit vectors (0, S, G)
    static const double corner[12][3] = {{-S, G, 0}, {S, G, 0}, {-S, -G, 0}, {S, -G, 0},
                                         {0, -S, G}, {0, S, G}, {0, -S, -G}, {0, S, -G},
                                         {G, 0, -S}, {G, 0, S}, {-G, 0, -S}, {-G, 0, S}};
    static const int8_t face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    if (!sherd_piece_make_mesh(out, 12, 20)) return false;
    for (int32_t v = 0; v < 12; ++v) {
        sherd_vec3 n = vec3(corner[v][0], corner[v][1], corner[v][2]);
        mesh_set_vertex(out->mesh, v, vec3_add_scaled(center, radius, n));
        double *normal = out->mesh->normals + 3 * (size_t)v;
        normal[0] = n.x, normal[1] = n.y, normal[2] = n.z;
    }
    for (int32_t t = 0; t < 20; ++t) {
        mesh_set_triangle(out->mesh, t, face[t][0], face[t][1], face[t][2]);
        out->mesh->face_kind[t] = SHERD_FACE_INNER;
    }
    return sherd_texture_piece(out->mesh, texture);
}

bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset)
{
    const skin_source source = {p, out->fragment, out->element_count, first, offset};
    const sherd_parallel serial = {1};
    for (int32_t k = 0; k < p->elements.count; ++k)
        if (p->elements.source[k] == first)
            return make_ball(out, p->elements.point[k], p->radius[first], texture) &&
                   sherd_skin_piece(out, &source, &serial);
    return false;
}
