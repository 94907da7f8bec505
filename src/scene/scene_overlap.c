// Finds bodies that overlap each other or obstacles initially.
#include <sherd/scene.h>

#include "math/quat.h"
#include "scene/scene_overlap.h"

// Bodies in contact may overlap slightly: packings end within some per cent of a radius of the
// surface.
static const double MAX_TOUCH = 0.5; // of an element's radius

// A solid that may contain elements.
typedef struct solid {
    const sherd_shape *shape; // NULL: the half-space below the pose's xy plane, or no shape at all
    bool is_plane;
    sherd_pose pose;
} solid;

static solid solid_of_body(const sherd_scene *scene, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    return (solid){b->shape, false, b->pose};
}

static solid solid_of_obstacle(const sherd_scene *scene, int obstacle)
{
    const sherd_obstacle_def *def = &scene->obstacles[obstacle].def;
    return (solid){def->shape, def->is_plane, def->pose};
}

// Returns the depth of a sphere in the solid; at most 0 if it is outside.
static double depth_in(const solid *s, const sherd_bounds *bounds, sherd_vec3 p, double radius)
{
    sherd_vec3 q = pose_apply_inverse(s->pose, p);
    if (s->is_plane) return radius - q.z;
    bool near = q.x > bounds->low.x - radius && q.x < bounds->high.x + radius &&
                q.y > bounds->low.y - radius && q.y < bounds->high.y + radius &&
                q.z > bounds->low.z - radius && q.z < bounds->high.z + radius;
    return near ? radius - sherd_shape_distance(s->shape, q) : 0.0;
}

// Material points extend beyond their body's shape; inside the shape, they touch what the shape
// touches.
static double radius_in(const sherd_scene_body *body, const sherd_packing *packing,
                        sherd_element_index k)
{
    if (!sherd_scene_is_of_points(body) || body->shape == NULL) return packing->radius[k];
    sherd_vec3 reference = {packing->x[k], packing->y[k], packing->z[k]};
    return fmin(packing->radius[k], fmax(-sherd_shape_distance(body->shape, reference), 0.0));
}

// Counts elements of a body that lie in the solid and adds them to `found`.
static void look(const sherd_scene_body *body, const sherd_packing *packing, const solid *s,
                 sherd_scene_overlap *found)
{
    if (s->shape == NULL && !s->is_plane) return;
    sherd_bounds bounds = s->shape != NULL ? sherd_shape_bounds(s->shape) : (sherd_bounds){0};
    for (sherd_element_index k = 0; k < packing->count; ++k) {
        sherd_vec3 reference = {packing->x[k], packing->y[k], packing->z[k]};
        double depth = depth_in(s, &bounds, pose_apply(body->pose, reference), packing->radius[k]);
        if (depth > MAX_TOUCH * packing->radius[k])
            depth += radius_in(body, packing, k) - packing->radius[k];
        if (depth <= MAX_TOUCH * packing->radius[k]) continue;
        ++found->elements;
        found->depth = fmax(found->depth, depth);
    }
}

// Tests the elements of either body in the other's shape: a large body may have none in a small
// one.
static sherd_scene_overlap of_bodies(const sherd_scene *scene, const sherd_scene_build *build,
                                     int a, int b)
{
    sherd_scene_overlap found = {.body = a, .other = b};
    solid in_a = solid_of_body(scene, a), in_b = solid_of_body(scene, b);
    look(&scene->bodies[a], build->packings[a], &in_b, &found);
    look(&scene->bodies[b], build->packings[b], &in_a, &found);
    return found;
}

static sherd_scene_overlap with_obstacle(const sherd_scene *scene, const sherd_scene_build *build,
                                         int body, int obstacle)
{
    sherd_scene_overlap found = {.body = body, .other = obstacle, .other_is_obstacle = true};
    solid in_obstacle = solid_of_obstacle(scene, obstacle);
    look(&scene->bodies[body], build->packings[body], &in_obstacle, &found);
    return found;
}

static void keep(sherd_scene_overlap found, sherd_scene_overlap *list, int max_count, int *count)
{
    if (found.elements == 0) return;
    if (*count < max_count) list[*count] = found;
    ++*count;
}

int sherd_scene_overlaps(const sherd_scene *scene, const sherd_scene_build *build,
                         sherd_scene_overlap *list, int max_count)
{
    int count = 0;
    for (int a = 0; a < scene->body_count; ++a) {
        for (int b = a + 1; b < scene->body_count; ++b)
            keep(of_bodies(scene, build, a, b), list, max_count, &count);
        for (int k = 0; k < scene->obstacle_count; ++k)
            keep(with_obstacle(scene, build, a, k), list, max_count, &count);
    }
    return count;
}
