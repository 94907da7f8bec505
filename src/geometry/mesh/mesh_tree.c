#include "geometry/mesh/mesh_tree.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <math.h>
#include <stdint.h>

// Four doubles at once, one per child of a node: vector instructions independent of
// auto-vectorisation. Macros and pointers are used because not every processor has registers in
// which functions could return such vectors.
_Static_assert(SHERD_BVH_WIDTH == 4, "a node's children fill one of these");

typedef double four __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t four_mask __attribute__((vector_size(4 * sizeof(int64_t))));

// The same at unaligned addresses.
typedef double four_at
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

#define FOUR_LOAD(from) (*(const four_at *)(from))

// a > b ? a : b, of variables
#define FOUR_MAX(a, b) ((four)(((four_mask)(a) & ((a) > (b))) | ((four_mask)(b) & ~((a) > (b)))))

// A triangle in the layout of queries, in the tree's order.
typedef struct sherd_query_triangle {
    sherd_vec3 a, ab, ac; // corner and edges from it [m]
    int32_t index;        // in the mesh
} query_triangle;

static bool build_boxes(sherd_bvh *tree, const sherd_mesh *mesh)
{
    *tree = (sherd_bvh){0};
    size_t count = (size_t)mesh->triangle_count;
    sherd_bounds *boxes = sherd_alloc(count, sizeof *boxes);
    sherd_vec3 *middles = sherd_alloc(count, sizeof *middles);
    bool built = boxes != NULL && middles != NULL;
    for (int32_t t = 0; built && t < mesh->triangle_count; ++t) {
        sherd_vec3 sum = vec3_add(mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1));
        middles[t] = vec3_scale(1.0 / 3.0, vec3_add(sum, mesh_corner(mesh, t, 2)));
        boxes[t] = mesh_triangle_bounds(mesh, t);
    }
    built = built && sherd_bvh_init_with_centroids(tree, boxes, middles, mesh->triangle_count);
    sherd_free(boxes);
    sherd_free(middles);
    return built;
}

// ---------------------------------------------------------------- slabs

// Slabs that bound the triangles of a tree's nodes along their mean normal: for a patch of surface
// that faces a point they bound the distance much more tightly than its box.
// For each child of a node: low <= d . x <= high for its triangles' points x; infinite for children
// without a mean normal. Widened by rounding.
typedef struct sherd_mesh_slab {
    double x[SHERD_BVH_WIDTH], y[SHERD_BVH_WIDTH], z[SHERD_BVH_WIDTH]; // d, a unit vector
    double low[SHERD_BVH_WIDTH], high[SHERD_BVH_WIDTH];                // [m]
} sherd_mesh_slab;

// Raises squared distances from p to a node's boxes to those to its slabs [m^2]. `slack`
// compensates for rounding: mesh_slab_slack.
static inline void mesh_slab_distances(const sherd_mesh_slab *slab, const double p[3], double slack,
                                       four *squared)
{
    const four zero = {0.0, 0.0, 0.0, 0.0}, before = *squared;
    four along = FOUR_LOAD(slab->x) * p[0] + FOUR_LOAD(slab->y) * p[1] + FOUR_LOAD(slab->z) * p[2];
    four below = FOUR_LOAD(slab->low) - along, above = along - FOUR_LOAD(slab->high);
    four gap = FOUR_MAX(below, above) - slack;
    gap = FOUR_MAX(gap, zero);
    gap *= gap;
    *squared = FOUR_MAX(gap, before);
}

// Clears a node's children whose triangles lie on one side of their slab's bounds and the given
// triangle on the other.
static inline void mesh_slab_separate(const sherd_mesh_slab *slab, const sherd_vec3 corner[3],
                                      double slack, bool meets[SHERD_BVH_WIDTH])
{
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; ++c) {
            double along =
                slab->x[k] * corner[c].x + slab->y[k] * corner[c].y + slab->z[k] * corner[c].z;
            low = along < low ? along : low;
            high = along > high ? along : high;
        }
        meets[k] = meets[k] && low - slack <= slab->high[k] && high + slack >= slab->low[k];
    }
}

// About a hundred times the rounding of a projection.
static inline double mesh_slab_slack(double x, double y, double z)
{
    return 1e-13 * ((x < 0.0 ? -x : x) + (y < 0.0 ? -y : y) + (z < 0.0 ? -z : z));
}

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

// Builds a slab set for every node of a tree over the mesh's triangles; free the result. NULL when
// out of memory.
static sherd_mesh_slab *mesh_slabs_create(const sherd_bvh *bvh, const sherd_mesh *mesh)
{
    slab_builder b = {bvh, mesh, sherd_alloc((size_t)bvh->node_count, sizeof *b.slabs)};
    if (b.slabs != NULL) fill_slabs(&b, 0);
    return b.slabs;
}

// ---------------------------------------------------------------- the tree

bool sherd_mesh_tree_init(sherd_mesh_tree *tree, const sherd_mesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    *tree = (sherd_mesh_tree){.triangles = sherd_alloc(count, sizeof *tree->triangles)};
    bool built = tree->triangles != NULL && build_boxes(&tree->bvh, mesh);
    if (built) tree->slabs = mesh_slabs_create(&tree->bvh, mesh);
    built = built && tree->slabs != NULL;
    for (size_t k = 0; built && k < count; ++k) {
        int32_t t = tree->bvh.order[k];
        sherd_vec3 a = mesh_corner(mesh, t, 0);
        tree->triangles[k] = (query_triangle){a, vec3_sub(mesh_corner(mesh, t, 1), a),
                                              vec3_sub(mesh_corner(mesh, t, 2), a), t};
    }
    return built;
}

void sherd_mesh_tree_release(sherd_mesh_tree *tree)
{
    sherd_bvh_release(&tree->bvh);
    sherd_free(tree->slabs);
    sherd_free(tree->triangles);
    *tree = (sherd_mesh_tree){0};
}

// Nearest point of a triangle to p: finds the Voronoi region of p, then projects (Ericson 2004,
// "Real-Time Collision Detection", 5.1.5). For a triangle without area, p is in an edge's region.
static sherd_nearest_point nearest_on_triangle(const query_triangle *t, sherd_vec3 p)
{
    sherd_vec3 ap = vec3_sub(p, t->a), ab = t->ab, ac = t->ac;
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    double v = 0.0, w = 0.0; // the point is a + v ab + w ac
    sherd_triangle_feature region = SHERD_FEATURE_FACE;
    sherd_vec3 bp = vec3_sub(ap, ab), cp = vec3_sub(ap, ac);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0) {
        region = SHERD_FEATURE_VERTEX_A;
    } else if (d3 >= 0.0 && d4 <= d3) {
        region = SHERD_FEATURE_VERTEX_B, v = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        region = SHERD_FEATURE_VERTEX_C, w = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        region = SHERD_FEATURE_EDGE_AB, v = d1 / (d1 - d3);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        region = SHERD_FEATURE_EDGE_CA, w = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        region = SHERD_FEATURE_EDGE_BC, w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1.0 - w;
    } else {
        v = vb / (va + vb + vc), w = vc / (va + vb + vc);
    }
    sherd_vec3 from = vec3_add_scaled(vec3_add_scaled(ap, -v, ab), -w, ac);
    return (sherd_nearest_point){vec3_dot(from, from), from, v, w, t->index, region, 0};
}

// Squared distances from p to a node's four boxes. Unused children are infinitely far.
static inline void box_distances(const sherd_bvh_node *node, const double p[3], four *squared)
{
    const four zero = {0.0, 0.0, 0.0, 0.0};
    four sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
        four below = FOUR_LOAD(node->low[axis]) - p[axis];
        four above = p[axis] - FOUR_LOAD(node->high[axis]);
        four gap = FOUR_MAX(below, above);
        gap = FOUR_MAX(gap, zero);
        sum += gap * gap;
    }
    *squared = sum;
}

typedef struct pending {
    double squared; // squared distance to box and slab [m^2]
    int32_t node;
} pending;

// Pushes a child node onto the stack, above the farther ones of the same parent.
static void push_sorted(pending *stack, int floor, int *depth, pending child)
{
    int k = (*depth)++;
    for (; k > floor && stack[k - 1].squared < child.squared; --k)
        stack[k] = stack[k - 1];
    stack[k] = child;
}

static void visit_triangles(const sherd_mesh_tree *tree, int32_t first, int32_t count, sherd_vec3 p,
                            sherd_nearest_point *best)
{
    for (int32_t k = first; k < first + count; ++k) {
        sherd_nearest_point candidate = nearest_on_triangle(&tree->triangles[k], p);
        if (candidate.squared < best->squared) *best = candidate;
    }
}

// Returns the nearest point that is nearer than `best`, or the first one found with a squared
// distance below `enough`; else `best`.
SHERD_WIDE(static, sherd_nearest_point, search,
           (const sherd_mesh_tree *tree, sherd_vec3 p, double enough, sherd_nearest_point best),
           (tree, p, enough, best))
{
    const double at[3] = {p.x, p.y, p.z};
    const double slack = mesh_slab_slack(p.x, p.y, p.z);
    pending stack[SHERD_BVH_STACK_SIZE];
    stack[0] = (pending){0.0, 0};
    int depth = 1;
    int32_t visits = 0;
    while (depth > 0 && !(best.squared < enough)) {
        pending top = stack[--depth];
        if (top.squared >= best.squared) continue;
        ++visits;
        const sherd_bvh_node *node = &tree->bvh.nodes[top.node];
        four squared;
        box_distances(node, at, &squared);
        mesh_slab_distances(&tree->slabs[top.node], at, slack, &squared);
        int floor = depth;
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!(squared[k] < best.squared)) continue;
            visits += node->count[k];
            if (node->count[k] > 0)
                visit_triangles(tree, node->first[k], node->count[k], p, &best);
            else
                push_sorted(stack, floor, &depth, (pending){squared[k], node->first[k]});
        }
    }
    best.visits = visits;
    return best;
}

sherd_nearest_point sherd_mesh_tree_nearest(const sherd_mesh_tree *tree, sherd_vec3 p)
{
    return search(tree, p, 0.0, (sherd_nearest_point){.squared = INFINITY});
}

sherd_nearest_point sherd_mesh_tree_nearest_between(const sherd_mesh_tree *tree, sherd_vec3 p,
                                                    double low, double high)
{
    SHERD_ASSERT(low >= 0.0 && low <= high, "a range of distances ascends");
    const double rounding = 1e-15; // of squares, several times
    return search(tree, p, low * low * (1.0 - rounding),
                  (sherd_nearest_point){.squared = high * high * (1.0 + rounding), .triangle = -1});
}

void sherd_mesh_tree_near(const sherd_mesh_tree *tree, sherd_vec3 p, double reach,
                          sherd_near_visitor *visit, void *context)
{
    SHERD_ASSERT(reach >= 0.0, "a reach is a length");
    const double at[3] = {p.x, p.y, p.z}, max_squared = reach * reach;
    const double slack = mesh_slab_slack(p.x, p.y, p.z);
    int32_t stack[SHERD_BVH_STACK_SIZE] = {0};
    int depth = 1;
    while (depth > 0) {
        int32_t index = stack[--depth];
        const sherd_bvh_node *node = &tree->bvh.nodes[index];
        four squared;
        box_distances(node, at, &squared);
        mesh_slab_distances(&tree->slabs[index], at, slack, &squared);
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!(squared[k] < max_squared)) continue;
            if (node->count[k] == 0) stack[depth++] = node->first[k];
            for (int32_t i = 0; i < node->count[k]; ++i) {
                sherd_nearest_point point =
                    nearest_on_triangle(&tree->triangles[node->first[k] + i], p);
                if (point.squared < max_squared) visit(context, &point);
            }
        }
    }
}

// Children of a node that a triangle may intersect.
static void find_meeting(const sherd_mesh_tree *tree, int32_t index, const sherd_vec3 corner[3],
                         const sherd_bounds *box, double slack, bool meets[SHERD_BVH_WIDTH])
{
    const sherd_bvh_node *node = &tree->bvh.nodes[index];
    bool any = false;
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
        meets[k] = node->low[0][k] <= box->high.x && node->high[0][k] >= box->low.x &&
                   node->low[1][k] <= box->high.y && node->high[1][k] >= box->low.y &&
                   node->low[2][k] <= box->high.z && node->high[2][k] >= box->low.z;
        any |= meets[k];
    }
    if (any) mesh_slab_separate(&tree->slabs[index], corner, slack, meets);
}

bool sherd_mesh_tree_meets(const sherd_mesh_tree *tree, const sherd_vec3 corner[3],
                           sherd_bvh_visitor *visit, void *context)
{
    sherd_bounds box = bounds_empty();
    for (int c = 0; c < 3; ++c)
        bounds_add(&box, corner[c]);
    double far_x = fmax(fabs(box.low.x), fabs(box.high.x)),
           far_y = fmax(fabs(box.low.y), fabs(box.high.y)),
           far_z = fmax(fabs(box.low.z), fabs(box.high.z));
    const double slack = mesh_slab_slack(far_x, far_y, far_z);
    int32_t stack[SHERD_BVH_STACK_SIZE] = {0};
    int depth = 1;
    while (depth > 0) {
        int32_t index = stack[--depth];
        const sherd_bvh_node *node = &tree->bvh.nodes[index];
        bool meets[SHERD_BVH_WIDTH];
        find_meeting(tree, index, corner, &box, slack, meets);
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!meets[k]) continue;
            if (node->count[k] == 0) stack[depth++] = node->first[k];
            for (int32_t i = 0; i < node->count[k]; ++i)
                if (!visit(context, tree->bvh.order[node->first[k] + i])) return false;
        }
    }
    return true;
}
