#include "output/pictures/camera_auto.h"

#include "output/pictures/body_path_prediction.h"

#include "math/bounds.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <stdlib.h>

// In units of the bodies' largest extent: distance over which bodies are followed; distance within
// which obstacles are shown, beside and above bodies; size up to which such an obstacle is shown
// whole (a tank or a press). Larger obstacles (a table) are shown as far as the first distance.
static const double FOLLOWED = 1.0, NEAR = 0.75, WHOLE = 2.0, HIGHEST_FALL = 3.0;
// A body of at least LARGE times the largest extent counts by itself and is followed over COURSE
// times its own extent; farther away it would be too small in the picture.
static const double LARGE = 0.5, COURSE = 8.0;

static bool is_empty(sherd_bounds b)
{
    return !(b.low.x <= b.high.x && b.low.y <= b.high.y && b.low.z <= b.high.z);
}

static void include(sherd_bounds *b, sherd_bounds other)
{
    if (!is_empty(other)) bounds_join(b, &other);
}

static sherd_bounds common_part(sherd_bounds a, sherd_bounds b)
{
    return (sherd_bounds){
        {fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y), fmax(a.low.z, b.low.z)},
        {fmin(a.high.x, b.high.x), fmin(a.high.y, b.high.y), fmin(a.high.z, b.high.z)}};
}

static sherd_bounds grown(sherd_bounds b, double by)
{
    const sherd_vec3 d = {by, by, by};
    return (sherd_bounds){vec3_sub(b.low, d), vec3_add(b.high, d)};
}

static sherd_bounds moved(sherd_bounds b, sherd_vec3 by)
{
    return (sherd_bounds){vec3_add(b.low, by), vec3_add(b.high, by)};
}

static sherd_bounds ball(sherd_vec3 p, double r)
{
    return (sherd_bounds){{p.x - r, p.y - r, p.z - r}, {p.x + r, p.y + r, p.z + r}};
}

static double largest_extent(sherd_bounds b)
{
    return fmax(b.high.x - b.low.x, fmax(b.high.y - b.low.y, b.high.z - b.low.z));
}

// Height of the highest upward-facing plane, or -INFINITY.
static double floor_height(const sherd_scene *scene)
{
    double height = -INFINITY;
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_obstacle_def *def = &scene->obstacles[k].def;
        double up = 1.0 - 2.0 * (def->pose.rotation.x * def->pose.rotation.x +
                                 def->pose.rotation.y * def->pose.rotation.y);
        if (def->is_plane && up > 0.9) height = fmax(height, def->pose.position.z);
    }
    return height;
}

// Bounds swept by a prescribed translation; rotations are ignored.
static sherd_bounds swept(sherd_bounds start, const sherd_motion *motion, double duration)
{
    sherd_bounds all = start;
    for (int k = 0; k < motion->key_count; ++k) {
        double time = fmin(motion->keys[k].time, duration);
        sherd_vec3 by = vec3_add_scaled(motion->keys[k].translation, time, motion->velocity);
        include(&all, moved(start, by));
    }
    sherd_vec3 last = {0.0, 0.0, 0.0};
    if (motion->key_count > 0) last = motion->keys[motion->key_count - 1].translation;
    include(&all, moved(start, vec3_add_scaled(last, duration, motion->velocity)));
    return all;
}

// ---------------------------------------------------------------- bodies

static sherd_vec3 at_most(sherd_vec3 way, double length)
{
    double own = vec3_length(way);
    return own > length ? vec3_scale(length / own, way) : way;
}

static double largest_body(const sherd_run_model *model, const sherd_run_frame *f)
{
    double largest = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        if (model->bodies[b].count > 0)
            largest = fmax(largest, largest_extent(sherd_camera_all_of(model, f, b)));
    return largest;
}

static void include_courses(sherd_bounds *all, const sherd_scene *scene,
                            const sherd_run_model *model, const sherd_run_frame *first)
{
    double largest = largest_body(model, first);
    for (int b = 0; b < model->body_count; ++b) {
        double own = largest_extent(sherd_camera_all_of(model, first, b));
        if (own >= LARGE * largest && isfinite(own))
            include(all, sherd_predict_body_path(scene, model, first, b, COURSE * own));
    }
}

static sherd_bounds bodies_bounds(const sherd_scene *scene, const sherd_run_model *model,
                                  const sherd_run_frame *first)
{
    sherd_bounds all = bounds_empty(), on_their_way = bounds_empty();
    for (int b = 0; b < model->body_count; ++b)
        include(&all, sherd_camera_all_of(model, first, b));
    double size = largest_extent(all), floor = floor_height(scene);
    for (int b = 0; b < model->body_count; ++b) {
        sherd_vec3 way = vec3_scale(scene->duration, scene->bodies[b].velocity);
        include(&on_their_way,
                moved(sherd_camera_all_of(model, first, b), at_most(way, FOLLOWED * size)));
    }
    bool falls = isfinite(floor) && all.low.z > floor && all.low.z - floor < HIGHEST_FALL * size;
    if (isfinite(floor) && all.low.z >= floor) // bodies stop at the floor
        on_their_way.low.z = fmax(on_their_way.low.z, floor);
    include(&all, on_their_way);
    if (falls) all.low.z = floor;
    return all;
}

// ---------------------------------------------------------------- drivers

static bool is_held(const sherd_region *region, sherd_vec3 p)
{
    return region->shape == NULL ||
           sherd_shape_distance(region->shape, pose_apply_inverse(region->pose, p)) <= 0.0;
}

static sherd_bounds held_bounds(const sherd_scene_driver *driver, const sherd_run_model *model,
                                const sherd_run_frame *f)
{
    const sherd_body_info every = {.count = model->element_count};
    const sherd_body_info *of = driver->body < 0 ? &every : &model->bodies[driver->body];
    sherd_bounds b = bounds_empty();
    for (sherd_element_index k = of->first; k < of->first + of->count; ++k) {
        sherd_vec3 p = vec3(f->x[k], f->y[k], f->z[k]);
        if (is_held(&driver->def.region, p)) include(&b, ball(p, model->radius[k]));
    }
    return b;
}

static void include_driven(sherd_bounds *all, const sherd_scene *scene,
                           const sherd_run_model *model, const sherd_run_frame *first)
{
    double far = FOLLOWED * largest_extent(*all);
    const sherd_bounds followed = grown(*all, far);
    for (int d = 0; d < scene->driver_count; ++d) {
        const sherd_scene_driver *driver = &scene->drivers[d];
        if (driver->def.drive != SHERD_DRIVE_MOTION) continue;
        sherd_bounds start = held_bounds(driver, model, first);
        if (is_empty(start)) continue;
        include(all, common_part(swept(start, &driver->def.motion, scene->duration), followed));
    }
}

// ---------------------------------------------------------------- obstacles

static sherd_bounds obstacle_bounds(const sherd_mesh *mesh, sherd_pose pose)
{
    sherd_bounds b = bounds_empty();
    for (size_t v = 0; v < (size_t)mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v;
        bounds_add(&b, pose_apply(pose, vec3(p[0], p[1], p[2])));
    }
    return b;
}

static double low_end(double own, double near, double whole)
{
    return own >= whole ? own : fmax(own, near);
}

static double high_end(double own, double near, double whole)
{
    return own <= whole ? own : fmin(own, near);
}

// The visible part of an obstacle with bounds `course`; empty if it is not near.
static sherd_bounds visible_part(sherd_bounds course, sherd_bounds near, sherd_bounds whole)
{
    if (is_empty(common_part(course, near))) return bounds_empty();
    return (sherd_bounds){{low_end(course.low.x, near.low.x, whole.low.x),
                           low_end(course.low.y, near.low.y, whole.low.y),
                           low_end(course.low.z, near.low.z, whole.low.z)},
                          {high_end(course.high.x, near.high.x, whole.high.x),
                           high_end(course.high.y, near.high.y, whole.high.y),
                           high_end(course.high.z, near.high.z, whole.high.z)}};
}

sherd_bounds sherd_camera_auto_bounds(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_run_frame *first, sherd_mesh *const *obstacles)
{
    sherd_bounds all = bodies_bounds(scene, model, first);
    if (!is_empty(all)) include_driven(&all, scene, model, first);
    double size = largest_extent(all);
    if (is_empty(all) || !isfinite(size)) return all;
    include_courses(&all, scene, model, first);
    const sherd_bounds near = grown(all, NEAR * size), whole = grown(all, WHOLE * size);
    sherd_bounds met = all;
    for (int k = 0; k < scene->obstacle_count; ++k) {
        if (obstacles[k] == NULL) continue;
        sherd_bounds start = obstacle_bounds(obstacles[k], first->obstacles[k]);
        const sherd_obstacle_def *def = &scene->obstacles[k].def;
        bool is_driven = def->kind == SHERD_OBSTACLE_DRIVEN;
        sherd_bounds course = is_driven ? swept(start, &def->motion, scene->duration) : start;
        include(&met, visible_part(course, near, whole));
    }
    return met;
}

// ---------------------------------------------------------------- following

static double moved_into(double low, double high, double window_low, double window_high)
{
    if (high - low > window_high - window_low) return 0.5 * (low + high - window_low - window_high);
    return low < window_low ? low - window_low : high > window_high ? high - window_high : 0.0;
}

static double between(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// Clamps to the sides of `to`, so that the view does not jump when something leaves it.
static sherd_bounds clamped(sherd_bounds b, sherd_bounds to)
{
    return (sherd_bounds){
        {between(b.low.x, to.low.x, to.high.x), between(b.low.y, to.low.y, to.high.y),
         between(b.low.z, to.low.z, to.high.z)},
        {between(b.high.x, to.low.x, to.high.x), between(b.high.y, to.low.y, to.high.y),
         between(b.high.z, to.low.z, to.high.z)}};
}

// The body with the most elements, which the camera follows.
static int main_body(const sherd_run_model *model)
{
    int main = 0;
    for (int b = 1; b < model->body_count; ++b)
        if (model->bodies[b].count > model->bodies[main].count) main = b;
    return main;
}

sherd_bounds sherd_camera_auto_follow(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_camera_aim *aim, const sherd_run_frame *frame,
                                      double later)
{
    sherd_bounds view = aim->bounds;
    int main = main_body(model);
    if (is_empty(view) || model->body_count == 0) return view;
    for (int b = 0; b < model->body_count && b < aim->body_count; ++b) {
        double own = largest_extent(aim->starts[b]);
        if (!(own >= LARGE * aim->largest)) continue;
        sherd_bounds most = sherd_camera_most_of(scene, model, frame, b, later);
        include(&view, clamped(most, grown(aim->starts[b], COURSE * own)));
    }
    sherd_bounds most = sherd_camera_most_of(scene, model, frame, main, later);
    sherd_vec3 by = {moved_into(most.low.x, most.high.x, view.low.x, view.high.x),
                     moved_into(most.low.y, most.high.y, view.low.y, view.high.y),
                     moved_into(most.low.z, most.high.z, view.low.z, view.high.z)};
    return vec3_is_finite(by) ? moved(view, by) : view;
}

bool sherd_camera_aim_at(sherd_camera_aim *aim, const sherd_scene *scene,
                         const sherd_run_model *model, const sherd_run_frame *first,
                         sherd_mesh *const *obstacles)
{
    sherd_bounds *starts = malloc(((size_t)model->body_count + 1) * sizeof *starts);
    sherd_camera_aim_release(aim);
    if (starts == NULL) return false;
    for (int b = 0; b < model->body_count; ++b)
        starts[b] = sherd_camera_all_of(model, first, b);
    *aim = (sherd_camera_aim){.bounds = sherd_camera_auto_bounds(scene, model, first, obstacles),
                              .body_count = model->body_count,
                              .starts = starts,
                              .largest = largest_body(model, first)};
    return true;
}

void sherd_camera_aim_release(sherd_camera_aim *aim)
{
    free(aim->starts);
    *aim = (sherd_camera_aim){0};
}
