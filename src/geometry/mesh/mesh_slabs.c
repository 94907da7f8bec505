#include "geometry/mesh/mesh_slabs.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

typedef struct span {
    int32_t begin, end; // in bvh.order
} span;

typedef struct slab_builder {
    const sherd_bvh *bvh;
    const sherd_mesh *mesh;
    sherd_mesh_slab *slabs;
} slab_builder;

static sherd_vec3 mean_normal(const slab_builder *b, span triangles)
{
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    for (int32_t k = triangles.begin; k < triangles.end; ++k)
        sum = vec3_add(sum, mesh_area_vector(b->mesh, b->bvh->order[k]));
    return vec3_normalize(sum);
}

static void set_slab(const slab_builder *b, sherd_mesh_slab *slab, int k, span triangles)
{
    sherd_vec3 d = mean_normal(b, triangles);
    double low = INFINITY, high = -INFINITY, slack = 0.0;
    for (int32_t n = triangles.begin; n < triangles.end; ++n)
        for (int c = 0; c < 3; ++c) {
            sherd_vec3 p = mesh_corner(b->mesh, b->bvh->order[n], c);
            double along = vec3_dot(d, p);
            double rounding = mesh_slab_slack(p.x, p.y, p.z);
            low = along < low ? along : low;
            high = along > high ? along : high;
            slack = rounding > slack ? rounding : slack;
        }
    bool useless = !(fabs(vec3_length(d) - 1.0) < 1e-14);
    slab->x[k] = useless ? 0.0 : d.x, slab->y[k] = useless ? 0.0 : d.y;
    slab->z[k] = useless ? 0.0 : d.z;
    slab->low[k] = useless ? -INFINITY : low - slack;
    slab->high[k] = useless ? INFINITY : high + slack;
}

// Fills the plates of a node and all below; returns its triangles. Depth: SHERD_BVH_STACK_SIZE.
static span fill_slabs(const slab_builder *b, int32_t index)
{
    const sherd_bvh_node *node = &b->bvh->nodes[index];
    span whole = {INT32_MAX, 0};
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        span part = {0, 0};
        bool used = node->low[0][k] <= node->high[0][k];
        if (used && node->count[k] > 0)
            part = (span){node->first[k], node->first[k] + node->count[k]};
        else if (used)
            part = fill_slabs(b, node->first[k]);
        set_slab(b, &b->slabs[index], k, part);
        if (!used) continue;
        whole.begin = part.begin < whole.begin ? part.begin : whole.begin;
        whole.end = part.end > whole.end ? part.end : whole.end;
    }
    return whole;
}

sherd_mesh_slab *sherd_mesh_slabs_create(const sherd_bvh *bvh, const sherd_mesh *mesh)
{
    slab_builder b = {bvh, mesh, sherd_alloc((size_t)bvh->node_count, sizeof *b.slabs)};
    if (b.slabs != NULL) fill_slabs(&b, 0);
    return b.slabs;
}
