#include "output/pictures/body_path_prediction.h"

#include "math/bounds.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <stdlib.h>

enum { DIRECTIONS = 26, MOST_STEPS = 2000, MOST_BODIES = 32, SAMPLES = 4096 };

// Largest displacement in a step, relative to the body's extent.
static const double STRIDE = 0.05;
// A body rolls if its section is at least as round as an octagon (cos 22.5 deg, with an allowance
// of an element's radius for balls of few elements).
static const double ROUND = 0.9;

sherd_bounds sherd_camera_all_of(const sherd_run_model *model, const sherd_run_frame *frame,
                                 int body)
{
    const sherd_body_info *info = &model->bodies[body];
    sherd_bounds b = bounds_empty();
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k) {
        sherd_vec3 p = vec3(frame->x[k], frame->y[k], frame->z[k]);
        double r = model->radius[k];
        sherd_bounds ball = {vec3_sub(p, vec3(r, r, r)), vec3_add(p, vec3(r, r, r))};
        bounds_join(&b, &ball);
    }
    return b;
}

static double largest_extent(sherd_bounds b)
{
    return fmax(b.high.x - b.low.x, fmax(b.high.y - b.low.y, b.high.z - b.low.z));
}

static bool overlap(sherd_bounds a, sherd_bounds b)
{
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// ---------------------------------------------------------------- a body as one stiff piece

// A body's outermost elements in all directions, and its motion. It does not rotate; only the
// surface speed of a rolling ball is tracked.
typedef struct piece {
    int body;
    sherd_bounds bounds; // at the start
    double extent;
    sherd_vec3 outermost[DIRECTIONS];
    double radius[DIRECTIONS];
    sherd_vec3 way, velocity, surface; // displacement; velocity of the surface by rotation [m/s]
    bool touches;
} piece;

static double reach_along(const sherd_run_model *model, const sherd_run_frame *f, int body,
                          sherd_vec3 direction, sherd_element_index *outermost)
{
    const sherd_body_info *info = &model->bodies[body];
    double most = -INFINITY;
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k) {
        double along =
            vec3_dot(vec3(f->x[k], f->y[k], f->z[k]), vec3_normalize(direction)) + model->radius[k];
        if (along > most) most = along, *outermost = k;
    }
    return most;
}

static piece make_piece(const sherd_scene *scene, const sherd_run_model *model,
                        const sherd_run_frame *f, int body)
{
    piece p = {.body = body,
               .bounds = sherd_camera_all_of(model, f, body),
               .velocity = scene->bodies[body].velocity};
    p.extent = largest_extent(p.bounds);
    for (int d = 0; d < DIRECTIONS; ++d) {
        int n = d < DIRECTIONS / 2 ? d : d + 1; // skip the middle one of 27 cells
        sherd_element_index k = model->bodies[body].first;
        reach_along(model, f, body, vec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1), &k);
        p.outermost[d] = vec3(f->x[k], f->y[k], f->z[k]);
        p.radius[d] = model->radius[k];
    }
    return p;
}

// True if the section in the plane of velocity and normal is nearly round.
static bool rolls(const sherd_run_model *model, const sherd_run_frame *f, const piece *p,
                  sherd_vec3 normal)
{
    sherd_vec3 along = vec3_add_scaled(p->velocity, -vec3_dot(p->velocity, normal), normal);
    if (!(vec3_length(along) > 0.0)) return false;
    along = vec3_normalize(along);
    double least = INFINITY, most = 0.0;
    for (int d = 0; d < 8; ++d) { // half of the 16 directions: widths
        double angle = 0.39269908169872414 * (d < 4 ? d : d + 0.5);
        sherd_vec3 direction =
            vec3_add(vec3_scale(cos(angle), along), vec3_scale(sin(angle), normal));
        sherd_element_index k = 0;
        double width = reach_along(model, f, p->body, direction, &k) +
                       reach_along(model, f, p->body, vec3_scale(-1.0, direction), &k);
        least = fmin(least, width), most = fmax(most, width);
    }
    return least + p->radius[0] > ROUND * most;
}

// ---------------------------------------------------------------- obstacles

static sherd_vec3 shift_at(const sherd_obstacle_def *def, double t)
{
    const sherd_motion *m = &def->motion;
    if (def->kind != SHERD_OBSTACLE_DRIVEN) return vec3(0.0, 0.0, 0.0);
    int k = 0;
    while (k < m->key_count && m->keys[k].time <= t)
        ++k;
    sherd_vec3 at = vec3(0.0, 0.0, 0.0);
    if (k > 0) at = m->keys[k - 1].translation;
    if (k == 0 && m->key_count > 0) at = m->keys[0].translation;
    if (k > 0 && k < m->key_count) {
        const sherd_motion_key *a = &m->keys[k - 1], *b = &m->keys[k];
        at = vec3_add_scaled(at, (t - a->time) / (b->time - a->time),
                             vec3_sub(b->translation, a->translation));
    }
    return vec3_add_scaled(at, t, m->velocity);
}

static double distance_to(const sherd_obstacle_def *def, sherd_pose pose, sherd_vec3 x)
{
    sherd_vec3 own = pose_apply_inverse(pose, x);
    return def->is_plane ? own.z : sherd_shape_distance(def->shape, own);
}

static sherd_vec3 normal_at(const sherd_obstacle_def *def, sherd_pose pose, sherd_vec3 x, double h)
{
    if (def->is_plane) return quat_rotate(pose.rotation, vec3(0.0, 0.0, 1.0));
    sherd_vec3 n = {
        distance_to(def, pose, vec3(x.x + h, x.y, x.z)) -
            distance_to(def, pose, vec3(x.x - h, x.y, x.z)),
        distance_to(def, pose, vec3(x.x, x.y + h, x.z)) -
            distance_to(def, pose, vec3(x.x, x.y - h, x.z)),
        distance_to(def, pose, vec3(x.x, x.y, x.z + h)) -
            distance_to(def, pose, vec3(x.x, x.y, x.z - h)),
    };
    return vec3_length(n) > 0.0 ? vec3_normalize(n) : vec3(0.0, 0.0, 1.0);
}

static bool is_far(const piece *p, const sherd_obstacle_def *def, sherd_pose pose)
{
    if (def->is_plane) return false;
    sherd_bounds b = sherd_shape_bounds(def->shape);
    sherd_vec3 middle = pose_apply(pose, vec3_scale(0.5, vec3_add(b.low, b.high)));
    sherd_vec3 own = vec3_add(p->way, vec3_scale(0.5, vec3_add(p->bounds.low, p->bounds.high)));
    double distance = vec3_distance(own, middle);
    return distance >
           0.5 * (vec3_distance(b.low, b.high) + vec3_distance(p->bounds.low, p->bounds.high));
}

typedef struct touch {
    double depth; // < 0: no contact
    sherd_vec3 normal;
} touch;

static touch deepest(const piece *p, const sherd_obstacle_def *def, sherd_pose pose)
{
    touch t = {.depth = -INFINITY};
    int at = 0;
    for (int d = 0; d < DIRECTIONS; ++d) {
        double depth = p->radius[d] - distance_to(def, pose, vec3_add(p->outermost[d], p->way));
        if (depth > t.depth) t.depth = depth, at = d;
    }
    if (t.depth >= 0.0)
        t.normal = normal_at(def, pose, vec3_add(p->outermost[at], p->way), 1e-3 * p->radius[at]);
    return t;
}

// ---------------------------------------------------------------- contact

typedef struct course {
    const sherd_scene *scene;
    const sherd_run_model *model;
    const sherd_run_frame *first;
    double step;
    bool rolls, known; // known: it has slid on something
} course;

static const sherd_material_def *material_of(const sherd_scene *scene, int body)
{
    return scene->materials != NULL ? &scene->materials[scene->bodies[body].material].def : NULL;
}

// False if the body probably breaks in the impact, which leaves little rebound.
static bool stays_whole(const course *c, int body, double speed)
{
    const sherd_material_def *m = material_of(c->scene, body);
    if (m == NULL || sherd_scene_is_of_points(&c->scene->bodies[body])) return true;
    if (!sherd_breakage_describe(m->breakage)->breaks) return true;
    return sqrt(m->density * m->youngs_modulus) * speed <
           fmin(m->tensile_strength, m->shear_strength);
}

// Coulomb friction between the body's and the obstacle's surfaces: a ball starts to roll (its
// surface speed changes by 5/2 of the impulse), other bodies stop.
static void rub(course *c, piece *p, sherd_vec3 normal, sherd_vec3 obstacle, double impulse)
{
    if (!c->known && impulse > 0.0)
        c->rolls = rolls(c->model, c->first, p, normal), c->known = c->rolls;
    sherd_vec3 slip = vec3_sub(vec3_add(p->velocity, p->surface), obstacle);
    slip = vec3_add_scaled(slip, -vec3_dot(slip, normal), normal);
    double fast = vec3_length(slip);
    if (!(fast > 0.0)) return;
    double taken = fmin(impulse, c->rolls ? 2.0 / 7.0 * fast : fast);
    p->velocity = vec3_add_scaled(p->velocity, -taken / fast, slip);
    if (c->rolls) p->surface = vec3_add_scaled(p->surface, -2.5 * taken / fast, slip);
}

static void meet_obstacle(course *c, piece *p, int obstacle, double time)
{
    const sherd_obstacle_def *def = &c->scene->obstacles[obstacle].def;
    if (def->kind == SHERD_OBSTACLE_FREE || (!def->is_plane && def->shape == NULL)) return;
    sherd_pose pose = c->first->obstacles[obstacle];
    sherd_vec3 now = shift_at(def, time), later = shift_at(def, time + c->step);
    pose.position = vec3_add(pose.position, vec3_sub(now, shift_at(def, 0.0)));
    if (is_far(p, def, pose)) return;
    touch t = deepest(p, def, pose);
    if (t.depth < 0.0) return;
    sherd_vec3 own = vec3_scale(1.0 / c->step, vec3_sub(later, now));
    double approach = -vec3_dot(vec3_sub(p->velocity, own), t.normal);
    p->way = vec3_add_scaled(p->way, fmin(t.depth, STRIDE * p->extent), t.normal);
    p->touches = true;
    if (!(approach > 0.0)) return;
    const sherd_material_def *m = material_of(c->scene, p->body);
    double own_friction = m == NULL || isnan(m->friction) ? 0.3 : m->friction;
    double own_restitution = m == NULL ? 0.5 : m->restitution;
    double friction = sqrt(own_friction * (isnan(def->friction) ? own_friction : def->friction));
    double restitution =
        sqrt(own_restitution * (isnan(def->restitution) ? own_restitution : def->restitution));
    // An approach within the velocity that gravity adds in two steps is resting contact, not an
    // impact.
    bool rests = approach < 2.5 * c->step * vec3_length(c->scene->world.gravity);
    double back = rests || !stays_whole(c, p->body, approach) ? 0.0 : restitution;
    p->velocity = vec3_add_scaled(p->velocity, (1.0 + back) * approach, t.normal);
    rub(c, p, t.normal, own, friction * (1.0 + back) * approach);
}

static bool meets_body(const course *c, const piece *p, const sherd_bounds *starts, double time)
{
    sherd_bounds own = {vec3_add(p->bounds.low, p->way), vec3_add(p->bounds.high, p->way)};
    for (int b = 0; b < c->model->body_count; ++b) {
        sherd_vec3 by = vec3_scale(time, c->scene->bodies[b].velocity);
        sherd_bounds other = {vec3_add(starts[b].low, by), vec3_add(starts[b].high, by)};
        if (b != p->body && overlap(own, other)) return true;
    }
    return false;
}

static bool is_held(const sherd_scene *scene, int body)
{
    for (int k = 0; k < scene->driver_count; ++k) {
        const sherd_scene_driver *d = &scene->drivers[k];
        if (d->def.drive == SHERD_DRIVE_MOTION && (d->body < 0 || d->body == body)) return true;
    }
    return false;
}

// Step so that no body moves farther than STRIDE of its extent at its present or predicted speed.
static double step_for(const sherd_scene *scene, const piece *p, double reach)
{
    double g = vec3_length(scene->world.gravity), v = vec3_length(p->velocity);
    double fast = sqrt(v * v + 2.0 * g * (reach + p->extent)), duration = scene->duration;
    double step = fast > 0.0 ? STRIDE * p->extent / fast : duration;
    return fmin(fmax(step, duration / MOST_STEPS), duration / 16.0);
}

sherd_bounds sherd_predict_body_path(const sherd_scene *scene, const sherd_run_model *model,
                                     const sherd_run_frame *first, int body, double reach)
{
    sherd_bounds all = bounds_empty(), starts[MOST_BODIES];
    if (model->body_count > MOST_BODIES || model->bodies[body].count == 0 || is_held(scene, body))
        return all;
    for (int b = 0; b < model->body_count; ++b)
        starts[b] = sherd_camera_all_of(model, first, b);
    piece p = make_piece(scene, model, first, body);
    course c = {scene, model, first, .step = step_for(scene, &p, reach)};
    for (double t = 0.0; t < scene->duration && !meets_body(&c, &p, starts, t); t += c.step) {
        sherd_bounds now = {vec3_add(p.bounds.low, p.way), vec3_add(p.bounds.high, p.way)};
        if (!(vec3_length(p.way) <= reach)) break;
        bounds_join(&all, &now);
        sherd_vec3 before = p.velocity;
        p.velocity = vec3_add_scaled(p.velocity, c.step, scene->world.gravity);
        p.way = vec3_add_scaled(p.way, 0.5 * c.step, vec3_add(before, p.velocity));
        p.touches = false;
        for (int k = 0; k < scene->obstacle_count; ++k)
            meet_obstacle(&c, &p, k, t);
    }
    return all;
}

// ---------------------------------------------------------------- from a frame

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Flowing or granular bodies have no largest piece.
static bool is_loose(const sherd_scene *scene, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_material_def *m = material_of(scene, body);
    return b->loose || (m != NULL && sherd_scene_is_of_points(b) &&
                        (m->model == SHERD_SOLID_MODEL_FLUID ||
                         m->model == SHERD_SOLID_MODEL_SAND || m->model == SHERD_SOLID_MODEL_SNOW));
}

// Boyer-Moore majority vote: finds the fragment with more than half of the elements, if there is
// one.
static bool find_main_fragment(const sherd_run_model *model, const sherd_run_frame *f, int body,
                               sherd_fragment_id *main)
{
    const sherd_body_info *info = &model->bodies[body];
    sherd_element_index votes = 0, count = 0;
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k) {
        if (votes == 0) *main = f->element_fragment[k];
        votes += f->element_fragment[k] == *main ? 1 : -1;
    }
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k)
        count += f->element_fragment[k] == *main;
    return 2 * count > info->count;
}

static double coordinate(const sherd_run_frame *f, sherd_element_index k, int axis, double later)
{
    const double *x = axis == 0 ? f->x : axis == 1 ? f->y : f->z;
    const double *v = axis == 0 ? f->vx : axis == 1 ? f->vy : f->vz;
    return v != NULL ? x[k] + later * v[k] : x[k];
}

// The middle half of a sample of elements, widened to the full range of a uniform distribution.
static sherd_bounds middle_of(const sherd_run_model *model, const sherd_run_frame *f, int body,
                              double later)
{
    const double AT = 0.25;
    const sherd_body_info *info = &model->bodies[body];
    double low[3], high[3], list[SAMPLES];
    sherd_element_index stride = info->count / SAMPLES + 1;
    for (int axis = 0; axis < 3; ++axis) {
        int n = 0;
        for (sherd_element_index k = 0; k < info->count && n < SAMPLES; k += stride)
            list[n++] = coordinate(f, info->first + k, axis, later);
        qsort(list, (size_t)n, sizeof *list, by_size);
        double a = list[(int)(AT * (n - 1))], b = list[n - 1 - (int)(AT * (n - 1))];
        double more = AT / (1.0 - 2.0 * AT) * (b - a) + model->radius[info->first];
        low[axis] = a - more, high[axis] = b + more;
    }
    return (sherd_bounds){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

sherd_bounds sherd_camera_most_of(const sherd_scene *scene, const sherd_run_model *model,
                                  const sherd_run_frame *frame, int body, double later)
{
    const sherd_body_info *info = &model->bodies[body];
    sherd_fragment_id main = 0;
    if (info->count == 0) return bounds_empty();
    if (frame->element_fragment == NULL || is_loose(scene, body) ||
        !find_main_fragment(model, frame, body, &main))
        return middle_of(model, frame, body, later);
    sherd_bounds b = bounds_empty();
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k) {
        if (frame->element_fragment[k] != main) continue;
        double r = model->radius[k];
        sherd_vec3 p = {coordinate(frame, k, 0, later), coordinate(frame, k, 1, later),
                        coordinate(frame, k, 2, later)};
        sherd_bounds ball = {vec3_sub(p, vec3(r, r, r)), vec3_add(p, vec3(r, r, r))};
        bounds_join(&b, &ball);
    }
    return b;
}
