#include "geometry/wrap/wrap_small_parts.h"

#include "base/forest.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_weld.h"

#include <math.h>

// Six times the volume that each component bounds, at its root vertex [m^3].
static void measure_pieces(const sherd_mesh *mesh, int32_t *root, double *volume6)
{
    sherd_vec3 origin = mesh_vertex(mesh, 0);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), origin);
        sherd_vec3 b = vec3_sub(mesh_corner(mesh, t, 1), origin);
        sherd_vec3 c = vec3_sub(mesh_corner(mesh, t, 2), origin);
        volume6[sherd_find_root(root, mesh->triangles[3 * (size_t)t])] +=
            vec3_dot(a, vec3_cross(b, c));
    }
}

static void drop_pieces(sherd_mesh *mesh, int32_t *root, const double *volume6, double min_volume,
                        wrap_pieces *pieces)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (sherd_find_root(root, v) != v) continue;
        bool keep = fabs(volume6[v]) >= 6.0 * min_volume;
        pieces->kept += keep;
        pieces->dropped += !keep;
    }
    if (pieces->dropped == 0) return;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        int32_t piece = sherd_find_root(root, mesh->triangles[3 * (size_t)t]);
        if (fabs(volume6[piece]) >= 6.0 * min_volume) mesh_move_triangle(mesh, kept++, t);
    }
    mesh->triangle_count = kept;
}

bool sherd_wrap_drop_small_parts(sherd_mesh *mesh, double min_volume, wrap_pieces *pieces)
{
    size_t n = (size_t)mesh->vertex_count;
    int32_t *root = sherd_alloc(n, sizeof *root);
    double *volume6 = sherd_alloc(n, sizeof *volume6);
    bool good = root != NULL && volume6 != NULL;
    *pieces = (wrap_pieces){0, 0};
    for (size_t v = 0; good && v < n; ++v)
        root[v] = (int32_t)v;
    for (size_t k = 0; good && k < 3 * (size_t)mesh->triangle_count; k += 3) {
        sherd_join_roots(root, mesh->triangles[k], mesh->triangles[k + 1]);
        sherd_join_roots(root, mesh->triangles[k], mesh->triangles[k + 2]);
    }
    if (good && n > 0) {
        measure_pieces(mesh, root, volume6);
        drop_pieces(mesh, root, volume6, min_volume, pieces);
        good = pieces->dropped == 0 || sherd_mesh_drop_unused(mesh) >= 0;
    }
    sherd_free(root);
    sherd_free(volume6);
    return good;
}
