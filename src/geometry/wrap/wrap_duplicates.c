#include "geometry/wrap/wrap_duplicates.h"

#include "base/parallel.h"
#include "geometry/mesh/mesh_access.h"

// Normals with a larger cosine count as equal.
static const double EQUAL_COSINE = 0.999;

typedef struct search {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
    const wrap_ranks *ranks;
    double reach;
    sherd_mesh_work *work;
    uint8_t *doubled;
} search;

typedef struct cover {
    const search *s;
    sherd_vec3 normal;
    int32_t rank; // of the triangle being tested
    int64_t visits;
    bool found;
} cover;

static int32_t rank_of(const search *s, int32_t t)
{
    return s->ranks->rank[s->ranks->component[t]];
}

static void look(void *context, const sherd_nearest_point *at)
{
    cover *c = context;
    ++c->visits;
    if (c->found || rank_of(c->s, at->triangle) >= c->rank) return;
    sherd_vec3 normal = vec3_normalize(mesh_area_vector(c->s->mesh, at->triangle));
    c->found = vec3_dot(normal, c->normal) > EQUAL_COSINE;
}

// Its centroid, and points near its corners.
static bool is_covered(const search *s, int32_t t)
{
    static const double weight[4][3] = {
        {0.34, 0.31, 0.35}, {0.9, 0.04, 0.06}, {0.05, 0.91, 0.04}, {0.06, 0.05, 0.89}};
    cover c = {s, vec3_normalize(mesh_area_vector(s->mesh, t)), rank_of(s, t), 0, true};
    for (int k = 0; k < 4 && c.found; ++k) {
        sherd_vec3 x = vec3_scale(weight[k][0], mesh_corner(s->mesh, t, 0));
        x = vec3_add_scaled(x, weight[k][1], mesh_corner(s->mesh, t, 1));
        x = vec3_add_scaled(x, weight[k][2], mesh_corner(s->mesh, t, 2));
        c.found = false;
        sherd_mesh_tree_near(s->tree, x, s->reach, look, &c);
    }
    mesh_work_spend(s->work, 8 * c.visits);
    return c.found;
}

static void find(void *context, size_t begin, size_t end)
{
    const search *s = context;
    for (size_t t = begin; t < end && mesh_work_remains(s->work); ++t) {
        int32_t rank = rank_of(s, (int32_t)t);
        if (rank > 0 && rank >= s->ranks->first) s->doubled[t] |= is_covered(s, (int32_t)t);
    }
}

void sherd_wrap_find_duplicates(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                                const wrap_ranks *ranks, sherd_mesh_work *work, uint8_t *doubled)
{
    sherd_bounds b = sherd_mesh_bounds(mesh);
    search s = {mesh, tree, ranks, WRAP_COINCIDENT * vec3_distance(b.low, b.high), work, doubled};
    const sherd_parallel parallel = {0};
    sherd_parallel_for(&parallel, (size_t)mesh->triangle_count, 256, find, &s);
}
