#include "surface/methods/cut/small_crack.h"

#include "base/forest.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

// Joins the vertices connected by crack triangles.
static void join_slits(const sherd_mesh *mesh, const uint8_t *slit, int32_t *root)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        root[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *c = mesh->triangles + 3 * (size_t)t;
        for (int k = 1; slit[t] && k < 3; ++k)
            sherd_join_roots(root, c[0], c[k]);
    }
}

// The bounding box of each component, by its root: the lowest of its vertices, so that it comes
// first.
static void find_boxes(const sherd_mesh *mesh, int32_t *root, sherd_bounds *box)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 x = mesh_vertex(mesh, v);
        sherd_bounds *b = &box[root[v] = sherd_find_root(root, v)];
        if (root[v] == v) *b = (sherd_bounds){x, x};
        b->low = vec3_min(b->low, x);
        b->high = vec3_max(b->high, x);
    }
}

bool sherd_small_cracks_mark(const sherd_mesh *mesh, const uint8_t *slit, double min_length,
                             uint8_t *excluded)
{
    int32_t *root = sherd_alloc((size_t)mesh->vertex_count, sizeof *root);
    sherd_bounds *box = sherd_alloc((size_t)mesh->vertex_count, sizeof *box);
    bool ok = root != NULL && box != NULL;
    if (ok) {
        join_slits(mesh, slit, root);
        find_boxes(mesh, root, box);
    }
    for (int32_t t = 0; ok && t < mesh->triangle_count; ++t) {
        if (!slit[t]) continue;
        const sherd_bounds *b = &box[root[mesh->triangles[3 * (size_t)t]]];
        if (vec3_distance(b->low, b->high) < min_length) excluded[t] = 1;
    }
    sherd_free(root);
    sherd_free(box);
    return ok;
}
