// Finds bodies that overlap each other or obstacles initially.
#include <sherd/scene.h>

#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene_overlap.h"

#include <math.h>
#include <stdlib.h>

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

// ---------------------------------------------------------------- boxes

// Around a body's spheres and its shape, or around an obstacle's shape, in the world.
typedef struct box {
    sherd_vec3 low, high;
    double begin, end; // along the axis that is swept
    int body;
} box;

static const box EMPTY = {
    {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0, 0.0, 0};

static void include(box *b, sherd_vec3 p, double radius)
{
    sherd_vec3 r = {radius, radius, radius};
    b->low = vec3_min(b->low, vec3_sub(p, r)), b->high = vec3_max(b->high, vec3_add(p, r));
}

static void include_shape(box *b, const sherd_shape *shape, sherd_pose pose)
{
    if (shape == NULL) return;
    sherd_bounds of = sherd_shape_bounds(shape);
    for (int corner = 0; corner < 8; ++corner)
        include(b,
                pose_apply(pose, (sherd_vec3){corner & 1 ? of.high.x : of.low.x,
                                              corner & 2 ? of.high.y : of.low.y,
                                              corner & 4 ? of.high.z : of.low.z}),
                0.0);
}

static box box_of_body(const sherd_scene *scene, const sherd_scene_build *build, int body)
{
    const sherd_scene_body *of = &scene->bodies[body];
    const sherd_packing *p = build->packings[body];
    box b = EMPTY;
    b.body = body;
    for (sherd_element_index k = 0; k < p->count; ++k)
        include(&b, pose_apply(of->pose, (sherd_vec3){p->x[k], p->y[k], p->z[k]}), p->radius[k]);
    include_shape(&b, of->shape, of->pose);
    return b;
}

// False only if no sphere of one can lie half a radius deep in the other: rounding is far less.
static bool may_overlap(const box *a, const box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// ---------------------------------------------------------------- pairs

typedef struct pair {
    int body, other;
} pair;

typedef struct pairs {
    pair *list; // sorted
    size_t count, capacity;
} pairs;

static int by_begin(const void *a, const void *b)
{
    double x = ((const box *)a)->begin, y = ((const box *)b)->begin;
    return (x > y) - (x < y);
}

static double along(sherd_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The axis along which boxes are shortest compared to the room that all of them take.
static int axis_to_sweep(const box *boxes, size_t count)
{
    box all = EMPTY;
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < count; ++k) {
        all.low = vec3_min(all.low, boxes[k].low), all.high = vec3_max(all.high, boxes[k].high);
        sum = vec3_add(sum, vec3_sub(boxes[k].high, boxes[k].low));
    }
    sherd_vec3 range = vec3_sub(all.high, all.low);
    int best = 0;
    for (int axis = 1; axis < 3; ++axis)
        if (along(sum, axis) * along(range, best) < along(sum, best) * along(range, axis))
            best = axis;
    return best;
}

static int by_bodies(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return p->body != q->body ? (p->body > q->body) - (p->body < q->body)
                              : (p->other > q->other) - (p->other < q->other);
}

static bool add_pair(pairs *to, int a, int b)
{
    if (!sherd_grow((void **)&to->list, &to->capacity, to->count + 1, sizeof *to->list))
        return false;
    to->list[to->count++] = a < b ? (pair){a, b} : (pair){b, a};
    return true;
}

// Bodies whose boxes overlap, by sweeping along an axis. Sorts the boxes.
static bool find_pairs(box *boxes, size_t count, pairs *to)
{
    int axis = axis_to_sweep(boxes, count);
    for (size_t k = 0; k < count; ++k)
        boxes[k].begin = along(boxes[k].low, axis), boxes[k].end = along(boxes[k].high, axis);
    if (count > 0) qsort(boxes, count, sizeof *boxes, by_begin);
    for (size_t a = 0; a < count; ++a)
        for (size_t b = a + 1; b < count && boxes[b].begin <= boxes[a].end; ++b)
            if (may_overlap(&boxes[a], &boxes[b]) && !add_pair(to, boxes[a].body, boxes[b].body))
                return false;
    if (to->count > 0) qsort(to->list, to->count, sizeof *to->list, by_bodies);
    return true;
}

// ---------------------------------------------------------------- all

typedef struct search {
    const sherd_scene *scene;
    const sherd_scene_build *build;
    box *bodies, *sorted, *obstacles; // by index; bodies again, sorted; by index
    pairs near;
    sherd_scene_overlap *list;
    int max_count, count;
} search;

static void keep(search *s, sherd_scene_overlap found)
{
    if (found.elements == 0) return;
    if (s->count < s->max_count) s->list[s->count] = found;
    ++s->count;
}

static bool make_boxes(search *s)
{
    size_t n = (size_t)s->scene->body_count, m = (size_t)s->scene->obstacle_count;
    s->bodies = sherd_alloc(n, sizeof *s->bodies);
    s->sorted = sherd_alloc(n, sizeof *s->sorted);
    s->obstacles = sherd_alloc(m, sizeof *s->obstacles);
    if (s->bodies == NULL || s->sorted == NULL || s->obstacles == NULL) return false;
    for (size_t k = 0; k < n; ++k)
        s->sorted[k] = s->bodies[k] = box_of_body(s->scene, s->build, (int)k);
    for (size_t k = 0; k < m; ++k) {
        const sherd_obstacle_def *def = &s->scene->obstacles[k].def;
        s->obstacles[k] = EMPTY;
        include_shape(&s->obstacles[k], def->shape, def->pose);
    }
    return find_pairs(s->sorted, n, &s->near);
}

// Of each body first with those that follow it, then with obstacles.
static void find_all(search *s)
{
    size_t next = 0;
    for (int body = 0; body < s->scene->body_count; ++body) {
        for (; next < s->near.count && s->near.list[next].body == body; ++next)
            keep(s, of_bodies(s->scene, s->build, body, s->near.list[next].other));
        for (int k = 0; k < s->scene->obstacle_count; ++k)
            if (s->scene->obstacles[k].def.is_plane ||
                may_overlap(&s->bodies[body], &s->obstacles[k]))
                keep(s, with_obstacle(s->scene, s->build, body, k));
    }
}

int sherd_scene_overlaps(const sherd_scene *scene, const sherd_scene_build *build,
                         sherd_scene_overlap *list, int max_count)
{
    search s = {.scene = scene, .build = build, .list = list, .max_count = max_count};
    if (make_boxes(&s)) find_all(&s);
    free(s.near.list);
    sherd_free(s.bodies), sherd_free(s.sorted), sherd_free(s.obstacles);
    return s.count;
}
