// A closed triangle mesh as a shape.
//
// The nearest triangle is found with a bounding box tree; the sign comes from the pseudonormal of the
// feature (face, edge or vertex) that holds the nearest point: the sum of the adjacent faces'
// normals, weighted at a vertex by the faces' angles there. For a closed mesh that does not cut
// itself that sign is right everywhere (Baerentzen and Aanaes 2005, "Signed distance computation
// using the angle weighted pseudonormal").
#include "geometry/shape_kind.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh_access.h"
#include "geometry/mesh_edges.h"

// A triangle as queries want it, in the tree's order.
typedef struct query_triangle {
    sherd_vec3 a, ab, ac; // corner and edges from it [m]
    int32_t index;        // in the mesh
} query_triangle;

typedef struct mesh_shape {
    sherd_shape base;
    sherd_mesh *mesh;          // owned copy
    sherd_bvh bvh;             // over the triangles
    query_triangle *triangles; // in bvh.order         (triangle_count)
    sherd_mesh_edges edges;
    sherd_vec3 *face_normal;   // unit                 (triangle_count)
    sherd_vec3 *vertex_normal; // not normalised       (vertex_count)
    double volume;             // [m^3]
} mesh_shape;

static const mesh_shape *as_mesh(const sherd_shape *shape)
{
    return (const mesh_shape *)shape;
}

// The part of a triangle that a nearest point lies on.
typedef enum feature {
    FEATURE_VERTEX_A,
    FEATURE_VERTEX_B,
    FEATURE_VERTEX_C,
    FEATURE_EDGE_AB,
    FEATURE_EDGE_BC,
    FEATURE_EDGE_CA,
    FEATURE_FACE
} feature;

// Nearest surface point found so far, as p + from.
typedef struct nearest {
    double squared;  // distance squared [m^2]
    sherd_vec3 from; // from the nearest point to the query point [m]
    int32_t triangle;
    feature feature;
} nearest;

// Nearest point of a triangle to p: the Voronoi region of p, then its projection (Ericson 2004,
// "Real-Time Collision Detection", 5.1.5). A triangle without area falls into an edge's region.
static nearest nearest_on_triangle(const query_triangle *t, sherd_vec3 p)
{
    sherd_vec3 ap = vec3_sub(p, t->a), ab = t->ab, ac = t->ac;
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    double v = 0.0, w = 0.0; // the point is a + v ab + w ac
    feature region = FEATURE_FACE;
    sherd_vec3 bp = vec3_sub(ap, ab), cp = vec3_sub(ap, ac);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0) {
        region = FEATURE_VERTEX_A;
    } else if (d3 >= 0.0 && d4 <= d3) {
        region = FEATURE_VERTEX_B, v = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        region = FEATURE_VERTEX_C, w = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        region = FEATURE_EDGE_AB, v = d1 / (d1 - d3);
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        region = FEATURE_EDGE_CA, w = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        region = FEATURE_EDGE_BC, w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1.0 - w;
    } else {
        v = vb / (va + vb + vc), w = vc / (va + vb + vc);
    }
    sherd_vec3 from = vec3_add_scaled(vec3_add_scaled(ap, -v, ab), -w, ac);
    return (nearest){vec3_dot(from, from), from, t->index, region};
}

// Squared distances from p to a node's four boxes. Comparisons instead of fmax become vector
// instructions. Unused children are infinitely far.
static void box_distances(const sherd_bvh_node *node, const double p[3],
                          double squared[SHERD_BVH_WIDTH])
{
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k)
        squared[k] = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            double below = node->low[axis][k] - p[axis], above = p[axis] - node->high[axis][k];
            double gap = below > above ? below : above;
            gap = gap > 0.0 ? gap : 0.0;
            squared[k] += gap * gap;
        }
    }
}

typedef struct pending {
    double squared;
    int32_t node;
} pending;

// Puts a child node on the stack, above the farther ones of the same parent.
static void push_sorted(pending *stack, int floor, int *depth, pending child)
{
    int k = (*depth)++;
    for (; k > floor && stack[k - 1].squared < child.squared; --k)
        stack[k] = stack[k - 1];
    stack[k] = child;
}

static void visit_triangles(const mesh_shape *shape, int32_t first, int32_t count, sherd_vec3 p,
                            nearest *best)
{
    for (int32_t k = first; k < first + count; ++k) {
        nearest candidate = nearest_on_triangle(&shape->triangles[k], p);
        if (candidate.squared < best->squared) *best = candidate;
    }
}

static nearest find_nearest(const mesh_shape *shape, sherd_vec3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    nearest best = {.squared = INFINITY};
    pending stack[SHERD_BVH_STACK_SIZE];
    stack[0] = (pending){0.0, 0};
    int depth = 1;
    while (depth > 0) {
        pending top = stack[--depth];
        if (top.squared >= best.squared) continue;
        const sherd_bvh_node *node = &shape->bvh.nodes[top.node];
        double squared[SHERD_BVH_WIDTH];
        box_distances(node, at, squared);
        int floor = depth;
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!(squared[k] < best.squared)) continue;
            if (node->count[k] > 0)
                visit_triangles(shape, node->first[k], node->count[k], p, &best);
            else
                push_sorted(stack, floor, &depth, (pending){squared[k], node->first[k]});
        }
    }
    return best;
}

// Outward direction at the nearest point's feature, not normalised.
static sherd_vec3 pseudonormal(const mesh_shape *shape, const nearest *at)
{
    sherd_vec3 face = shape->face_normal[at->triangle];
    if (at->feature == FEATURE_FACE) return face;
    const int32_t *corners = shape->mesh->triangles + 3 * (size_t)at->triangle;
    if (at->feature <= FEATURE_VERTEX_C)
        return shape->vertex_normal[corners[at->feature - FEATURE_VERTEX_A]];
    int edge = (int)at->feature - (int)FEATURE_EDGE_AB;
    int32_t twin = shape->edges.twin[3 * (size_t)at->triangle + (size_t)edge];
    return vec3_add(face, shape->face_normal[twin / 3]);
}

static double mesh_distance(const sherd_shape *base, sherd_vec3 p, sherd_vec3 *normal)
{
    const mesh_shape *shape = as_mesh(base);
    nearest best = find_nearest(shape, p);
    sherd_vec3 outward = pseudonormal(shape, &best);
    double sign = vec3_dot(best.from, outward) < 0.0 ? -1.0 : 1.0;
    double distance = sqrt(best.squared);
    if (normal != NULL) {
        // On the surface `from` is all rounding; the feature's own normal is the limit there.
        double rounding = 1e-12 * (fabs(p.x) + fabs(p.y) + fabs(p.z));
        *normal =
            distance > rounding ? vec3_scale(sign / distance, best.from) : vec3_normalize(outward);
    }
    return sign * distance;
}

static double mesh_support(const sherd_shape *shape, sherd_vec3 d)
{
    const sherd_mesh *mesh = as_mesh(shape)->mesh;
    double best = -INFINITY;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        best = fmax(best, vec3_dot(d, mesh_vertex(mesh, v)));
    return best;
}

static double mesh_volume(const sherd_shape *shape)
{
    return as_mesh(shape)->volume;
}

static void mesh_release(sherd_shape *base)
{
    mesh_shape *shape = (mesh_shape *)base;
    sherd_mesh_destroy(shape->mesh);
    sherd_bvh_release(&shape->bvh);
    sherd_mesh_edges_release(&shape->edges);
    sherd_free(shape->triangles);
    sherd_free(shape->face_normal);
    sherd_free(shape->vertex_normal);
}

// The mesh as it is, whatever its edges' lengths: it is the user's own surface.
static sherd_mesh *mesh_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    (void)edge_length;
    return sherd_mesh_copy(as_mesh(shape)->mesh, error);
}

static const sherd_shape_kind MESH = {.name = "mesh",
                                      .distance = mesh_distance,
                                      .support = mesh_support,
                                      .volume = mesh_volume,
                                      .surface = mesh_surface,
                                      .release = mesh_release};

static bool build_tree(mesh_shape *shape)
{
    const sherd_mesh *mesh = shape->mesh;
    size_t count = (size_t)mesh->triangle_count;
    sherd_bounds *boxes = sherd_alloc(count, sizeof *boxes);
    shape->triangles = sherd_alloc(count, sizeof *shape->triangles);
    bool built = boxes != NULL && shape->triangles != NULL;
    for (int32_t t = 0; built && t < mesh->triangle_count; ++t)
        boxes[t] = mesh_triangle_bounds(mesh, t);
    built = built && sherd_bvh_init(&shape->bvh, boxes, mesh->triangle_count);
    for (size_t k = 0; built && k < count; ++k) {
        int32_t t = shape->bvh.order[k];
        sherd_vec3 a = mesh_corner(mesh, t, 0);
        shape->triangles[k] = (query_triangle){a, vec3_sub(mesh_corner(mesh, t, 1), a),
                                               vec3_sub(mesh_corner(mesh, t, 2), a), t};
    }
    sherd_free(boxes);
    return built;
}

static bool build_normals(mesh_shape *shape)
{
    const sherd_mesh *mesh = shape->mesh;
    shape->face_normal = sherd_alloc((size_t)mesh->triangle_count, sizeof *shape->face_normal);
    shape->vertex_normal = sherd_alloc((size_t)mesh->vertex_count, sizeof *shape->vertex_normal);
    if (shape->face_normal == NULL || shape->vertex_normal == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 normal = vec3_normalize(mesh_area_vector(mesh, t));
        shape->face_normal[t] = normal;
        for (int k = 0; k < 3; ++k) {
            sherd_vec3 *sum = &shape->vertex_normal[mesh->triangles[3 * (size_t)t + (size_t)k]];
            *sum = vec3_add_scaled(*sum, mesh_corner_angle(mesh, t, k), normal);
        }
    }
    return true;
}

static sherd_status check_closed(const mesh_shape *shape, sherd_error *error)
{
    const sherd_mesh_edges *edges = &shape->edges;
    int64_t faults = edges->boundary_edges + edges->non_manifold_edges + edges->misoriented_edges;
    if (shape->mesh->triangle_count > 0 && faults == 0) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_shape_mesh", "call sherd_mesh_repair first",
                      "the mesh is not a closed, oriented surface: %d triangles, %lld open edges, "
                      "%lld shared by three or more triangles, %lld between opposed triangles",
                      (int)shape->mesh->triangle_count, (long long)edges->boundary_edges,
                      (long long)edges->non_manifold_edges, (long long)edges->misoriented_edges);
}

static sherd_status mesh_init(mesh_shape *shape, const sherd_mesh *mesh, sherd_error *error)
{
    sherd_status status = sherd_mesh_check_arrays(mesh, "sherd_shape_mesh", error);
    if (status != SHERD_OK) return status;
    shape->mesh = sherd_mesh_copy(mesh, error);
    if (shape->mesh == NULL) return SHERD_ERROR_MEMORY;
    if (!sherd_mesh_edges_init(&shape->edges, shape->mesh))
        return sherd_fail_memory(error, "a mesh's edges");
    status = check_closed(shape, error);
    if (status != SHERD_OK) return status;
    shape->volume = sherd_mesh_volume(shape->mesh);
    if (!(shape->volume > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_shape_mesh",
                          "call sherd_mesh_repair first; it turns inside-out meshes",
                          "the mesh must enclose a positive volume, got %g m^3", shape->volume);
    if (!build_tree(shape) || !build_normals(shape))
        return sherd_fail_memory(error, "a mesh's search tree");
    return SHERD_OK;
}

sherd_shape *sherd_shape_mesh(const sherd_mesh *mesh, sherd_error *error)
{
    mesh_shape *shape = sherd_shape_allocate(sizeof *shape, &MESH, error);
    if (shape == NULL) return NULL;
    if (mesh_init(shape, mesh, error) != SHERD_OK) {
        sherd_shape_destroy(&shape->base);
        return NULL;
    }
    return sherd_shape_finish(&shape->base);
}
