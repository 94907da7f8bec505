// A closed triangle mesh as a shape.
//
// A bounding volume hierarchy finds the nearest triangle; the sign comes from the pseudonormal of
// the feature (face, edge or vertex) that contains the nearest point: the sum of the adjacent
// faces' normals, weighted at a vertex by the faces' angles there. For a closed mesh without
// self-intersections that sign is right everywhere (Baerentzen and Aanaes 2005, "Signed distance
// computation using the angle weighted pseudonormal").
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/shape/shape_contact_points.h"

#include <string.h>

typedef struct mesh_shape {
    sherd_shape base;
    sherd_mesh *mesh; // owned copy
    sherd_mesh_tree tree;
    sherd_mesh_edges edges;
    sherd_vec3 *face_normal;   // unit                 (triangle_count)
    sherd_vec3 *vertex_normal; // not normalised       (vertex_count)
    double volume;             // [m^3]
} mesh_shape;

static const mesh_shape *as_mesh(const sherd_shape *shape)
{
    return (const mesh_shape *)shape;
}

// Outward direction at the nearest point's feature, not normalised.
static sherd_vec3 pseudonormal(const mesh_shape *shape, const sherd_nearest_point *at)
{
    sherd_vec3 face = shape->face_normal[at->triangle];
    if (at->feature == SHERD_FEATURE_FACE) return face;
    const int32_t *corners = shape->mesh->triangles + 3 * (size_t)at->triangle;
    if (at->feature <= SHERD_FEATURE_VERTEX_C)
        return shape->vertex_normal[corners[at->feature - SHERD_FEATURE_VERTEX_A]];
    int edge = (int)at->feature - (int)SHERD_FEATURE_EDGE_AB;
    int32_t twin = shape->edges.twin[3 * (size_t)at->triangle + (size_t)edge];
    return vec3_add(face, shape->face_normal[twin / 3]);
}

// Signed distance of a point from the nearest one on the mesh.
static double distance_from(const mesh_shape *shape, sherd_vec3 p, const sherd_nearest_point *best,
                            sherd_vec3 *normal)
{
    sherd_vec3 outward = pseudonormal(shape, best);
    double sign = vec3_dot(best->from, outward) < 0.0 ? -1.0 : 1.0;
    double distance = sqrt(best->squared);
    if (normal != NULL) {
        // On the surface `from` is dominated by rounding; the feature's own normal is the limit
        // there.
        double rounding = 1e-12 * (fabs(p.x) + fabs(p.y) + fabs(p.z));
        *normal =
            distance > rounding ? vec3_scale(sign / distance, best->from) : vec3_normalize(outward);
    }
    return sign * distance;
}

static double mesh_distance(const sherd_shape *base, sherd_vec3 p, sherd_vec3 *normal)
{
    const mesh_shape *shape = as_mesh(base);
    sherd_nearest_point best = sherd_mesh_tree_nearest(&shape->tree, p);
    return distance_from(shape, p, &best, normal);
}

// Deep inside a ball all triangles are about equally near, and the nearest one is found only by
// testing each.
static double mesh_distance_between(const sherd_shape *base, sherd_vec3 p,
                                    sherd_distance_range range, sherd_vec3 *normal)
{
    const mesh_shape *shape = as_mesh(base);
    sherd_nearest_point best =
        sherd_mesh_tree_nearest_between(&shape->tree, p, range.low, range.high);
    return best.triangle < 0 ? INFINITY : distance_from(shape, p, &best, normal);
}

// ---------------------------------------------------------------- contact points of a ball

// Cosine of directions along a surface, up to rounding.
static const double STRAIGHT = 1e-9;

// Returns whether some edge at corner `corner` of the triangle leads nearer to the query point.
static bool nearer_from_vertex(const mesh_shape *shape, const sherd_nearest_point *at, int corner)
{
    const sherd_mesh *mesh = shape->mesh;
    int32_t first = 3 * at->triangle + corner, half_edge = first;
    sherd_vec3 vertex = mesh_vertex(mesh, mesh_edge_from(mesh, first));
    do {
        sherd_vec3 edge_vector = vec3_sub(mesh_vertex(mesh, mesh_edge_to(mesh, half_edge)), vertex);
        if (vec3_dot(at->from, edge_vector) >
            STRAIGHT * sqrt(at->squared) * vec3_length(edge_vector))
            return true;
        int32_t before = half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
        half_edge = shape->edges.twin[before];
    } while (half_edge != first);
    return false;
}

// Whether the triangle across the edge comes nearer.
static bool nearer_across(const mesh_shape *shape, const sherd_nearest_point *at, int edge)
{
    const sherd_mesh *mesh = shape->mesh;
    int32_t twin = shape->edges.twin[3 * (size_t)at->triangle + (size_t)edge];
    sherd_vec3 along = vec3_sub(mesh_vertex(mesh, mesh_edge_to(mesh, twin)),
                                mesh_vertex(mesh, mesh_edge_from(mesh, twin)));
    sherd_vec3 inward = vec3_cross(shape->face_normal[twin / 3], along);
    return vec3_dot(at->from, inward) > STRAIGHT * sqrt(at->squared) * vec3_length(inward);
}

typedef struct near_search {
    const mesh_shape *shape;
    double sign; // 1 from outside, -1 from inside
    sherd_near_list *list;
} near_search;

static void add_if_nearest(void *context, const sherd_nearest_point *at)
{
    const near_search *search = context;
    const mesh_shape *shape = search->shape;
    double distance = sqrt(at->squared);
    if (!(search->sign * vec3_dot(at->from, pseudonormal(shape, at)) > 0.0)) return;
    if (at->feature <= SHERD_FEATURE_VERTEX_C) {
        if (nearer_from_vertex(shape, at, (int)at->feature - (int)SHERD_FEATURE_VERTEX_A)) return;
    } else if (at->feature != SHERD_FEATURE_FACE) {
        if (nearer_across(shape, at, (int)at->feature - (int)SHERD_FEATURE_EDGE_AB)) return;
    }
    sherd_near_add(search->list,
                   (sherd_near_point){distance, vec3_scale(1.0 / distance, at->from)});
}

// A triangle's nearest point is a local minimum if neither the triangles that share its edge nor
// those around its corner come nearer: on each the distance has one minimum.
static void mesh_near(const sherd_shape *base, const sherd_near_view *view, sherd_near_list *list)
{
    near_search search = {as_mesh(base), view->side == SHERD_SIDE_INSIDE ? -1.0 : 1.0, list};
    sherd_mesh_tree_near(&search.shape->tree, view->point, view->reach, add_if_nearest, &search);
}

typedef struct smooth_search {
    const mesh_shape *shape;
    double behind;     // points farther behind a face than this are hidden from it [m]
    sherd_vec3 normal; // of the first face
    bool some, smooth;
} smooth_search;

static void compare_normals(void *context, const sherd_nearest_point *at)
{
    smooth_search *search = context;
    sherd_vec3 normal = search->shape->face_normal[at->triangle];
    if (vec3_dot(at->from, normal) < -search->behind) return;
    if (!search->some) search->normal = normal;
    search->some = true;
    // A triangle without area has no normal, and no contact point of its own.
    bool turned = vec3_dot(normal, search->normal) < SHERD_NEAR_HALF_COSINE;
    if (turned && vec3_dot(normal, normal) > 0.0) search->smooth = false;
}

static bool mesh_is_smooth(const sherd_shape *base, sherd_vec3 p, double reach, double around)
{
    smooth_search search = {.shape = as_mesh(base), .behind = around, .smooth = true};
    sherd_mesh_tree_near(&search.shape->tree, p, reach + around, compare_normals, &search);
    return search.smooth;
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
    sherd_mesh_tree_release(&shape->tree);
    sherd_mesh_edges_release(&shape->edges);
    sherd_free(shape->face_normal);
    sherd_free(shape->vertex_normal);
}

// Returns the mesh unchanged, whatever edge length is requested: it is the user's own surface.
static sherd_mesh *mesh_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    (void)edge_length;
    return sherd_mesh_copy(as_mesh(shape)->mesh, error);
}

static bool mesh_own_texture(const sherd_shape *shape)
{
    return as_mesh(shape)->mesh->uv != NULL;
}

static bool mesh_is_painted(const sherd_shape *shape)
{
    const sherd_mesh *mesh = as_mesh(shape)->mesh;
    return mesh->color != NULL || mesh->group != NULL;
}

static bool mesh_same(const sherd_shape *a, const sherd_shape *b)
{
    const sherd_mesh *p = as_mesh(a)->mesh, *q = as_mesh(b)->mesh;
    return p->vertex_count == q->vertex_count && p->triangle_count == q->triangle_count &&
           memcmp(p->vertices, q->vertices, 3 * (size_t)p->vertex_count * sizeof *p->vertices) ==
               0 &&
           memcmp(p->triangles, q->triangles,
                  3 * (size_t)p->triangle_count * sizeof *p->triangles) == 0;
}

static const sherd_shape_kind MESH = {.name = "mesh",
                                      .distance = mesh_distance,
                                      .distance_between = mesh_distance_between,
                                      .near = mesh_near,
                                      .is_smooth = mesh_is_smooth,
                                      .support = mesh_support,
                                      .volume = mesh_volume,
                                      .surface = mesh_surface,
                                      .own_texture = mesh_own_texture,
                                      .is_painted = mesh_is_painted,
                                      .same = mesh_same,
                                      .release = mesh_release};

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

// Whether the triangle across a half-edge rises above the plane of its own.
static bool rises_across(const mesh_shape *shape, int32_t half_edge)
{
    static const double FLAT = 1e-6;
    const sherd_mesh *mesh = shape->mesh;
    int32_t twin = shape->edges.twin[half_edge], triangle = twin / 3;
    sherd_vec3 apex = mesh_corner(mesh, triangle, (twin % 3 + 2) % 3);
    sherd_vec3 edge_vector = vec3_sub(apex, mesh_vertex(mesh, mesh_edge_from(mesh, half_edge)));
    return vec3_dot(shape->face_normal[half_edge / 3], edge_vector) >
           FLAT * vec3_length(edge_vector);
}

// A closed connected surface without concave edges is convex. Returns false when out of memory.
static bool find_concave(mesh_shape *shape)
{
    int32_t count = shape->mesh->triangle_count;
    int32_t *root = sherd_alloc((size_t)count, sizeof *root);
    if (root == NULL) return false;
    for (int32_t t = 0; t < count; ++t)
        root[t] = t;
    for (int32_t h = 0; h < 3 * count; ++h) {
        sherd_join_roots(root, h / 3, shape->edges.twin[h] / 3);
        shape->base.concave |= rises_across(shape, h);
    }
    for (int32_t t = 0; t < count; ++t)
        shape->base.concave |= sherd_find_root(root, t) != 0;
    sherd_free(root);
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
    if (!sherd_mesh_tree_init(&shape->tree, shape->mesh) || !build_normals(shape) ||
        !find_concave(shape))
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
