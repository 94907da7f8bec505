// Union, difference and placement: shapes made from shapes.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/contact_points_combine.h"
#include "geometry/shape/grid_volume.h"
#include "geometry/shape/shape_contact_points.h"
#include "geometry/shape/shape_display_mesh.h"
#include "geometry/shape/shape_range.h"
#include "geometry/tessellate/surface_build.h"
#include "math/bounds.h"
#include "math/quat.h"

#include <string.h>

typedef struct pair_shape {
    sherd_shape base;
    sherd_shape *a, *b; // owned
} pair_shape;

static const pair_shape *as_pair(const sherd_shape *shape)
{
    return (const pair_shape *)shape;
}

static bool pair_same(const sherd_shape *a, const sherd_shape *b)
{
    const pair_shape *p = as_pair(a), *q = as_pair(b);
    return sherd_shape_same_solid(p->a, q->a) && sherd_shape_same_solid(p->b, q->b);
}

static void pair_release(sherd_shape *shape)
{
    sherd_shape_destroy(((pair_shape *)shape)->a);
    sherd_shape_destroy(((pair_shape *)shape)->b);
}

static sherd_shape *pair_create(const sherd_shape_kind *kind, sherd_shape *a, sherd_shape *b,
                                bool cut, sherd_error *error)
{
    pair_shape *shape = NULL;
    if (a != NULL && b != NULL)
        shape = sherd_shape_allocate(sizeof *shape, kind, error);
    else
        sherd_fail(error, SHERD_ERROR_INPUT, kind->name, NULL, "an operand is missing");
    if (shape == NULL) {
        sherd_shape_destroy(a);
        sherd_shape_destroy(b);
        return NULL;
    }
    shape->a = a;
    shape->b = b;
    for (int side = 0; side < 2; ++side)
        shape->base.blind[side] = a->blind[side] || b->blind[cut ? 1 - side : side];
    shape->base.concave = !shape->base.blind[0];
    shape->base.bounded = cut || a->bounded || b->bounded;
    return sherd_shape_finish(&shape->base);
}

// Computes the distance to a pair from that to its first shape; `normal` (may be NULL) is the first
// shape's on input, the pair's on output.
typedef double join_distance(const sherd_shape *shape, sherd_vec3 p, double distance,
                             sherd_vec3 *normal);

static double pair_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal,
                            join_distance *join)
{
    const sherd_shape *a = as_pair(shape)->a;
    return join(shape, p, a->kind->distance(a, p, normal), normal);
}

// A point far from both surfaces is far from the pair's, which consists of parts of them. A point
// near the first surface is near the pair's if it is near the second, too, or outside the second
// and far from it.
static double pair_distance_between(const sherd_shape *shape, sherd_vec3 p,
                                    sherd_distance_range range, sherd_vec3 *normal,
                                    join_distance *join)
{
    const sherd_shape *a = as_pair(shape)->a, *b = as_pair(shape)->b;
    double distance = sherd_shape_distance_or_far(a, p, range, normal);
    bool near = fabs(distance) < range.low, far = distance == INFINITY;
    if (!near && !far) return join(shape, p, distance, normal);
    double limit = near ? range.low : range.high;
    if (bounds_squared_gap(b->bounds, p) > limit * limit) return distance;
    sherd_distance_range sides = {limit, limit};
    bool near_b = fabs(sherd_shape_distance_or_far(b, p, sides, NULL)) < limit;
    return near == near_b ? distance : shape->kind->distance(shape, p, normal);
}

static double join_union(const sherd_shape *shape, sherd_vec3 p, double distance,
                         sherd_vec3 *normal)
{
    const sherd_shape *b = as_pair(shape)->b;
    double gap = bounds_squared_gap(b->bounds, p);
    // Outside b's bounds b is at least that gap away.
    if (gap > 0.0 && (distance <= 0.0 || gap >= distance * distance)) return distance;
    sherd_vec3 normal_b = {0.0, 0.0, 0.0};
    double distance_b = b->kind->distance(b, p, normal != NULL ? &normal_b : NULL);
    if (distance_b >= distance) return distance;
    if (normal != NULL) *normal = normal_b;
    return distance_b;
}

static double union_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    return pair_distance(shape, p, normal, join_union);
}

static double union_distance_between(const sherd_shape *shape, sherd_vec3 p,
                                     sherd_distance_range range, sherd_vec3 *normal)
{
    return pair_distance_between(shape, p, range, normal, join_union);
}

static double union_support(const sherd_shape *shape, sherd_vec3 d)
{
    const sherd_shape *a = as_pair(shape)->a, *b = as_pair(shape)->b;
    return fmax(a->kind->support(a, d), b->kind->support(b, d));
}

// a without b: max(a, -b).
static double join_difference(const sherd_shape *shape, sherd_vec3 p, double distance,
                              sherd_vec3 *normal)
{
    const sherd_shape *b = as_pair(shape)->b;
    double gap = bounds_squared_gap(b->bounds, p);
    if (gap > 0.0 && (distance >= 0.0 || gap >= distance * distance)) return distance;
    sherd_vec3 normal_b = {0.0, 0.0, 0.0};
    double distance_b = b->kind->distance(b, p, normal != NULL ? &normal_b : NULL);
    if (-distance_b <= distance) return distance;
    if (normal != NULL) *normal = vec3_scale(-1.0, normal_b);
    return -distance_b;
}

static double difference_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    return pair_distance(shape, p, normal, join_difference);
}

static double difference_distance_between(const sherd_shape *shape, sherd_vec3 p,
                                          sherd_distance_range range, sherd_vec3 *normal)
{
    return pair_distance_between(shape, p, range, normal, join_difference);
}

// The part that was cut away may have been the outermost: this is an upper bound.
static double difference_support(const sherd_shape *shape, sherd_vec3 d)
{
    const sherd_shape *a = as_pair(shape)->a;
    return a->kind->support(a, d);
}

static sherd_near_solid solid_of(const sherd_shape *shape, bool inside)
{
    return (sherd_near_solid){shape, inside ? SHERD_SIDE_INSIDE : SHERD_SIDE_OUTSIDE};
}

static void pair_near(sherd_near_solid a, sherd_near_solid b, bool meet,
                      const sherd_near_view *view, sherd_near_list *list)
{
    const sherd_near_solid both[] = {a, b};
    if (meet)
        sherd_near_meet(both, 2, view, list);
    else
        sherd_near_join(&a, &b, view, list);
}

static void union_near(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list)
{
    bool inside = view->side == SHERD_SIDE_INSIDE;
    pair_near(solid_of(as_pair(shape)->a, inside), solid_of(as_pair(shape)->b, inside), inside,
              view, list);
}

static void difference_near(const sherd_shape *shape, const sherd_near_view *view,
                            sherd_near_list *list)
{
    bool inside = view->side == SHERD_SIDE_INSIDE;
    pair_near(solid_of(as_pair(shape)->a, inside), solid_of(as_pair(shape)->b, !inside), !inside,
              view, list);
}

sherd_mesh *sherd_shape_faces(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    if (shape->kind->faces != NULL) return shape->kind->faces(shape, edge_length, error);
    return shape->kind->surface(shape, edge_length, error);
}

// Concatenates both meshes; the second is reversed if it is cut away.
static sherd_mesh *join_meshes(const sherd_mesh *a, const sherd_mesh *b, bool flip_b,
                               sherd_error *error)
{
    if ((int64_t)a->vertex_count + b->vertex_count > INT32_MAX / 3 ||
        (int64_t)a->triangle_count + b->triangle_count > INT32_MAX / 3) {
        sherd_fail_memory(error, "a surface mesh");
        return NULL;
    }
    sherd_mesh *all = sherd_mesh_create(a->vertex_count + b->vertex_count,
                                        a->triangle_count + b->triangle_count, error);
    if (all == NULL) return NULL;
    for (int32_t v = 0; v < all->vertex_count; ++v)
        mesh_set_vertex(
            all, v, v < a->vertex_count ? mesh_vertex(a, v) : mesh_vertex(b, v - a->vertex_count));
    for (int32_t t = 0; t < all->triangle_count; ++t) {
        bool second = t >= a->triangle_count;
        const int32_t *c = second ? b->triangles + 3 * (size_t)(t - a->triangle_count)
                                  : a->triangles + 3 * (size_t)t;
        int32_t offset = second ? a->vertex_count : 0;
        mesh_set_triangle(all, t, offset + c[0], offset + c[1], offset + c[2]);
        if (second && flip_b) mesh_flip_triangle(all, t);
    }
    return all;
}

static sherd_mesh *pair_faces(const sherd_shape *shape, bool flip_b, double edge_length,
                              sherd_error *error)
{
    sherd_mesh *a = sherd_shape_faces(as_pair(shape)->a, edge_length, error), *all = NULL;
    sherd_mesh *b = a != NULL ? sherd_shape_faces(as_pair(shape)->b, edge_length, error) : NULL;
    if (b != NULL) all = join_meshes(a, b, flip_b, error);
    sherd_mesh_destroy(a);
    sherd_mesh_destroy(b);
    return all;
}

static sherd_mesh *union_faces(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    return pair_faces(shape, false, edge_length, error);
}

static sherd_mesh *difference_faces(const sherd_shape *shape, double edge_length,
                                    sherd_error *error)
{
    return pair_faces(shape, true, edge_length, error);
}

static sherd_mesh *pair_display_mesh(const sherd_shape *shape, sherd_boolean_kind kind,
                                     sherd_display_mesh_build *build, sherd_error *error)
{
    sherd_mesh *a = sherd_display_mesh_part(as_pair(shape)->a, build, error);
    sherd_mesh *b = a != NULL ? sherd_display_mesh_part(as_pair(shape)->b, build, error) : NULL;
    return sherd_display_mesh_join(a, b, kind, error);
}

static sherd_mesh *union_display_mesh(const sherd_shape *shape, sherd_display_mesh_build *build,
                                      sherd_error *error)
{
    return pair_display_mesh(shape, SHERD_BOOLEAN_UNION, build, error);
}

static sherd_mesh *difference_display_mesh(const sherd_shape *shape,
                                           sherd_display_mesh_build *build, sherd_error *error)
{
    return pair_display_mesh(shape, SHERD_BOOLEAN_DIFFERENCE, build, error);
}

static const sherd_shape_kind UNION = {.name = "sherd_shape_union",
                                       .distance = union_distance,
                                       .distance_between = union_distance_between,
                                       .near = union_near,
                                       .support = union_support,
                                       .volume = sherd_grid_volume,
                                       .surface = sherd_surface_grid,
                                       .faces = union_faces,
                                       .display_mesh = union_display_mesh,
                                       .same = pair_same,
                                       .release = pair_release};
static const sherd_shape_kind DIFFERENCE = {.name = "sherd_shape_difference",
                                            .distance = difference_distance,
                                            .distance_between = difference_distance_between,
                                            .near = difference_near,
                                            .support = difference_support,
                                            .volume = sherd_grid_volume,
                                            .surface = sherd_surface_grid,
                                            .faces = difference_faces,
                                            .display_mesh = difference_display_mesh,
                                            .same = pair_same,
                                            .release = pair_release};

sherd_shape *sherd_shape_union(sherd_shape *a, sherd_shape *b, sherd_error *error)
{
    return pair_create(&UNION, a, b, false, error);
}

sherd_shape *sherd_shape_difference(sherd_shape *a, sherd_shape *b, sherd_error *error)
{
    return pair_create(&DIFFERENCE, a, b, true, error);
}

// ---- placement

typedef struct placed_shape {
    sherd_shape base;
    sherd_shape *inner; // owned, in its own frame
    sherd_pose pose;    // inner frame -> this shape's frame
} placed_shape;

static const placed_shape *as_placed(const sherd_shape *shape)
{
    return (const placed_shape *)shape;
}

_Static_assert(sizeof(sherd_pose) == 7 * sizeof(double), "poses are compared as bytes");

static bool placed_same(const sherd_shape *a, const sherd_shape *b)
{
    const placed_shape *p = as_placed(a), *q = as_placed(b);
    return memcmp(&p->pose, &q->pose, sizeof p->pose) == 0 &&
           sherd_shape_same_solid(p->inner, q->inner);
}

static void placed_release(sherd_shape *shape)
{
    sherd_shape_destroy(((placed_shape *)shape)->inner);
}

static double placed_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const placed_shape *placed = as_placed(shape);
    const sherd_shape *inner = placed->inner;
    double distance = inner->kind->distance(inner, pose_apply_inverse(placed->pose, p), normal);
    if (normal != NULL) *normal = quat_rotate(placed->pose.rotation, *normal);
    return distance;
}

static double placed_distance_between(const sherd_shape *shape, sherd_vec3 p,
                                      sherd_distance_range range, sherd_vec3 *normal)
{
    const placed_shape *placed = as_placed(shape);
    double distance = sherd_shape_distance_or_far(
        placed->inner, pose_apply_inverse(placed->pose, p), range, normal);
    if (normal != NULL && distance != INFINITY)
        *normal = quat_rotate(placed->pose.rotation, *normal);
    return distance;
}

static void placed_near(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list)
{
    const placed_shape *placed = as_placed(shape);
    sherd_near_view in = {pose_apply_inverse(placed->pose, view->point), view->reach, view->side};
    sherd_near_list near = {.count = 0};
    sherd_near_collect(placed->inner, &in, &near);
    for (int k = 0; k < near.count; ++k) {
        near.points[k].normal = quat_rotate(placed->pose.rotation, near.points[k].normal);
        sherd_near_add(list, near.points[k]);
    }
}

static bool placed_is_smooth(const sherd_shape *shape, sherd_vec3 p, double reach, double around)
{
    const placed_shape *placed = as_placed(shape);
    return sherd_shape_is_smooth(placed->inner, pose_apply_inverse(placed->pose, p), reach, around);
}

static double placed_support(const sherd_shape *shape, sherd_vec3 d)
{
    const placed_shape *placed = as_placed(shape);
    const sherd_shape *inner = placed->inner;
    return inner->kind->support(inner, quat_rotate_inverse(placed->pose.rotation, d)) +
           vec3_dot(d, placed->pose.position);
}

static double placed_volume(const sherd_shape *shape)
{
    const sherd_shape *inner = as_placed(shape)->inner;
    return inner->kind->volume(inner);
}

// Transforms a mesh of the inner shape to the placement; NULL stays NULL.
static sherd_mesh *transform_mesh(const sherd_shape *shape, sherd_mesh *mesh)
{
    for (int32_t v = 0; mesh != NULL && v < mesh->vertex_count; ++v)
        mesh_set_vertex(mesh, v, pose_apply(as_placed(shape)->pose, mesh_vertex(mesh, v)));
    return mesh;
}

static sherd_mesh *placed_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    const sherd_shape *inner = as_placed(shape)->inner;
    return transform_mesh(shape, inner->kind->surface(inner, edge_length, error));
}

static sherd_mesh *placed_faces(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    return transform_mesh(shape, sherd_shape_faces(as_placed(shape)->inner, edge_length, error));
}

static sherd_mesh *placed_display_mesh(const sherd_shape *shape, sherd_display_mesh_build *build,
                                       sherd_error *error)
{
    return transform_mesh(shape, sherd_display_mesh_part(as_placed(shape)->inner, build, error));
}

static bool placed_is_painted(const sherd_shape *shape)
{
    return sherd_shape_is_painted(as_placed(shape)->inner);
}

static bool placed_own_texture(const sherd_shape *shape)
{
    return sherd_shape_has_own_texture(as_placed(shape)->inner);
}

static const sherd_shape_kind PLACED = {.name = "sherd_shape_placed",
                                        .distance = placed_distance,
                                        .distance_between = placed_distance_between,
                                        .near = placed_near,
                                        .is_smooth = placed_is_smooth,
                                        .support = placed_support,
                                        .volume = placed_volume,
                                        .surface = placed_surface,
                                        .faces = placed_faces,
                                        .display_mesh = placed_display_mesh,
                                        .own_texture = placed_own_texture,
                                        .is_painted = placed_is_painted,
                                        .same = placed_same,
                                        .release = placed_release};

static bool check_pose(sherd_pose pose, sherd_error *error)
{
    double squared = quat_dot(pose.rotation, pose.rotation);
    if (!vec3_is_finite(pose.position)) {
        sherd_fail(error, SHERD_ERROR_INPUT, PLACED.name, NULL,
                   "the position must be finite, got (%g, %g, %g)", pose.position.x,
                   pose.position.y, pose.position.z);
        return false;
    }
    if (!(fabs(squared - 1.0) < 1e-3)) {
        sherd_fail(error, SHERD_ERROR_INPUT, PLACED.name, "no rotation is SHERD_QUAT_IDENTITY",
                   "the rotation must be a unit quaternion, got length %g", sqrt(squared));
        return false;
    }
    return true;
}

sherd_shape *sherd_shape_placed(sherd_shape *shape, sherd_pose pose, sherd_error *error)
{
    placed_shape *placed = NULL;
    if (shape == NULL)
        sherd_fail(error, SHERD_ERROR_INPUT, PLACED.name, NULL, "the shape is missing");
    else if (check_pose(pose, error))
        placed = sherd_shape_allocate(sizeof *placed, &PLACED, error);
    if (placed == NULL) {
        sherd_shape_destroy(shape);
        return NULL;
    }
    placed->inner = shape;
    placed->base.concave = shape->concave;
    placed->base.blind[0] = shape->blind[0], placed->base.blind[1] = shape->blind[1];
    placed->base.bounded = shape->bounded;
    placed->pose = (sherd_pose){pose.position, quat_normalize(pose.rotation)};
    return sherd_shape_finish(&placed->base);
}
