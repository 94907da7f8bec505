// Predicts the first impact of each body and the number of pieces, from measurements on similar
// bodies.
#include <sherd/scene.h>

#include "material/strength.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene_impact.h"
#include "scene/scene_query.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_BODIES = 64, MAX_SAMPLES = 192, DIRECTIONS = 26, MAX_STEPS = 4000 };

// Slower impacts cause stresses that no strength is sensitive to.
static const double MIN_RATIO = 0.1;
static const double LONGEST = 1.0 / 64.0, INSTANT = 1e-7; // steps of the search, of the duration
static const double TOUCH = 0.05, RESTS = 0.5;            // gaps [radii]
static const double MIN_TRAVEL = 0.1;                     // in a step [radii]

// ---------------------------------------------------------------- motions

static sherd_vec3 between(sherd_vec3 a, sherd_vec3 b, double fraction)
{
    return vec3_add(vec3_scale(1.0 - fraction, a), vec3_scale(fraction, b));
}

// As bodies/motion.c has it.
static sherd_motion_key key_at(const sherd_motion *m, double t)
{
    sherd_motion_key at = {.time = t};
    int n = m->key_count, k = 0;
    while (k < n && m->keys[k].time <= t)
        ++k;
    if (n > 0) at = m->keys[k > 0 ? k - 1 : 0];
    if (k > 0 && k < n) {
        const sherd_motion_key *a = &m->keys[k - 1], *b = &m->keys[k];
        double fraction = (t - a->time) / (b->time - a->time);
        at.translation = between(a->translation, b->translation, fraction);
        at.rotation = between(a->rotation, b->rotation, fraction);
    }
    at.translation = vec3_add_scaled(at.translation, t, m->velocity);
    at.rotation = vec3_add_scaled(at.rotation, t, m->angular_velocity);
    return at;
}

// Motion of an object: a parabola, or a prescribed motion.
typedef struct mover {
    sherd_pose start;
    sherd_vec3 velocity, acceleration;
    const sherd_motion *motion; // NULL: none
} mover;

static sherd_pose pose_of(const mover *m, double t)
{
    sherd_pose pose = m->start;
    if (m->motion != NULL) {
        sherd_motion_key key = key_at(m->motion, t);
        sherd_quat rotation = quat_from_rotation_vector(key.rotation);
        sherd_vec3 arm = quat_rotate(rotation, vec3_sub(pose.position, m->motion->pivot));
        pose.position = vec3_add(vec3_add(arm, m->motion->pivot), key.translation);
        pose.rotation = quat_normalize(quat_multiply(rotation, pose.rotation));
        return pose;
    }
    pose.position = vec3_add_scaled(pose.position, t, m->velocity);
    pose.position = vec3_add_scaled(pose.position, 0.5 * t * t, m->acceleration);
    return pose;
}

// ---------------------------------------------------------------- bodies and their targets

// Sample elements of a body: the outermost ones in all directions, and some of all.
typedef struct cloud {
    const sherd_shape *shape; // the body's; NULL: none
    int count;
    sherd_vec3 centre[MAX_SAMPLES]; // in the body's frame [m]
    double radius[MAX_SAMPLES];
    sherd_vec3 middle; // centre of a bounding ball
    double reach;
    double element; // mean radius [m]
} cloud;

static sherd_vec3 position_of(const sherd_packing *p, sherd_element_index k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

static void add_sample(cloud *c, const sherd_packing *p, sherd_element_index k)
{
    if (c->count == MAX_SAMPLES) return;
    c->centre[c->count] = position_of(p, k);
    c->radius[c->count++] = p->radius[k];
}

static void add_outermost(cloud *c, const sherd_packing *p, sherd_vec3 direction)
{
    sherd_element_index farthest = 0;
    for (sherd_element_index k = 1; k < p->count; ++k)
        if (vec3_dot(position_of(p, k), direction) > vec3_dot(position_of(p, farthest), direction))
            farthest = k;
    add_sample(c, p, farthest);
}

static void make_cloud(cloud *c, const sherd_shape *shape, const sherd_packing *p)
{
    *c = (cloud){.shape = shape};
    for (int d = 0; d <= DIRECTIONS; ++d)
        if (d != DIRECTIONS / 2) // the middle one of 27 is zero
            add_outermost(c, p, vec3(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1));
    int stride = p->count / (MAX_SAMPLES - DIRECTIONS) + 1;
    for (sherd_element_index k = 0; k < p->count; k += stride)
        add_sample(c, p, k);
    sherd_vec3 low = c->centre[0], high = low;
    for (sherd_element_index k = 0; k < p->count; ++k) {
        low = vec3(fmin(low.x, p->x[k]), fmin(low.y, p->y[k]), fmin(low.z, p->z[k]));
        high = vec3(fmax(high.x, p->x[k]), fmax(high.y, p->y[k]), fmax(high.z, p->z[k]));
        c->element += p->radius[k] / p->count;
    }
    c->middle = vec3_scale(0.5, vec3_add(low, high));
    c->reach = 0.5 * vec3_distance(low, high) + 2.0 * c->element;
}

// An obstacle, or another body.
typedef struct target {
    const sherd_shape *shape; // NULL: the half-space below the xy plane of its frame
    sherd_vec3 middle;
    double reach;                     // radius of a bounding ball; INFINITY
    sherd_vec3 outermost[DIRECTIONS]; // on its surface, in directions from its centre
    mover moves;
} target;

// Finds the first point of a surface from outside towards the centre, along `direction`, which
// points outwards.
static sherd_vec3 surface_point(const target *t, sherd_vec3 direction)
{
    enum { MAX_RAY_STEPS = 48 };
    double along = t->reach;
    for (int k = 0; k < MAX_RAY_STEPS && along > 0.0; ++k) {
        double gap = sherd_shape_distance(t->shape, vec3_add_scaled(t->middle, along, direction));
        if (gap < 1e-4 * t->reach) break;
        along -= gap;
    }
    return vec3_add_scaled(t->middle, fmax(along, 0.0), direction);
}

static void bound(target *t)
{
    t->reach = INFINITY;
    if (t->shape == NULL) return;
    sherd_bounds b = sherd_shape_bounds(t->shape);
    t->middle = vec3_scale(0.5, vec3_add(b.low, b.high));
    t->reach = 0.5 * vec3_distance(b.low, b.high);
    for (int d = 0; d < DIRECTIONS; ++d) {
        int n = d < DIRECTIONS / 2 ? d : d + 1; // the middle one of 27 is none
        t->outermost[d] =
            surface_point(t, vec3_normalize(vec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1)));
    }
}

// Returns the smallest distance of the target's surface from the body's: at the target's outermost
// points, and at the point that faces the body. If a ball hits a pane, the sampled elements may all
// be far from the point of impact.
static double gap_of_surface(const cloud *c, sherd_pose own, const target *t, sherd_pose other)
{
    sherd_vec3 middle = pose_apply_inverse(own, pose_apply(other, t->middle));
    double h = 1e-3 * c->element, at = sherd_shape_distance(c->shape, middle);
    sherd_vec3 away = {sherd_shape_distance(c->shape, vec3_add(middle, vec3(h, 0.0, 0.0))) - at,
                       sherd_shape_distance(c->shape, vec3_add(middle, vec3(0.0, h, 0.0))) - at,
                       sherd_shape_distance(c->shape, vec3_add(middle, vec3(0.0, 0.0, h))) - at};
    double nearest = INFINITY;
    for (int d = 0; d <= DIRECTIONS; ++d) {
        sherd_vec3 p = t->outermost[d % DIRECTIONS];
        if (d == DIRECTIONS) {
            if (!(vec3_length(away) > 0.0)) break;
            sherd_vec3 facing = quat_rotate(own.rotation, vec3_scale(-1.0, vec3_normalize(away)));
            p = surface_point(t, quat_rotate_inverse(other.rotation, facing));
        }
        sherd_vec3 x = pose_apply_inverse(own, pose_apply(other, p));
        nearest = fmin(nearest, sherd_shape_distance(c->shape, x));
    }
    return nearest;
}

// Returns the smallest distance of the body from the target at a time, by the body's elements and
// the target's surface; a lower bound if their bounding balls are far from each other.
static double gap_at(const cloud *c, const mover *body, const target *t, double time)
{
    sherd_pose own = pose_of(body, time), other = pose_of(&t->moves, time);
    sherd_vec3 middle = pose_apply(own, c->middle);
    double far = t->shape != NULL
                     ? vec3_distance(middle, pose_apply(other, t->middle)) - t->reach - c->reach
                     : pose_apply_inverse(other, middle).z - c->reach;
    if (far > 2.0 * c->element) return far;
    double nearest = INFINITY;
    for (int k = 0; k < c->count; ++k) {
        sherd_vec3 x = pose_apply_inverse(other, pose_apply(own, c->centre[k]));
        double distance = t->shape != NULL ? sherd_shape_distance(t->shape, x) : x.z;
        nearest = fmin(nearest, distance - c->radius[k]);
    }
    if (t->shape != NULL && c->shape != NULL)
        nearest = fmin(nearest, gap_of_surface(c, own, t, other));
    return nearest;
}

static double speed_at(const cloud *c, const mover *body, const target *t, double time, double step)
{
    sherd_vec3 a = vec3_sub(pose_apply(pose_of(body, time), c->middle),
                            pose_apply(pose_of(body, time + step), c->middle));
    sherd_vec3 b = vec3_sub(pose_apply(pose_of(&t->moves, time), t->middle),
                            pose_apply(pose_of(&t->moves, time + step), t->middle));
    return vec3_distance(a, b) / step;
}

// Time to cover a distance at the given speed and acceleration; INFINITY: never.
static double time_for(double path, double speed, double acceleration)
{
    if (!(acceleration > 0.0)) return speed > 0.0 ? path / speed : INFINITY;
    return (sqrt(speed * speed + 2.0 * acceleration * path) - speed) / acceleration;
}

// Finds time and speed of the first contact. Returns false if there is none within the duration, or
// nearly none.
static bool meet(const cloud *c, const mover *body, const target *t, double duration, double *time,
                 double *speed)
{
    double acceleration = vec3_distance(body->acceleration, t->moves.acceleration), at = 0.0;
    for (int k = 0; k < MAX_STEPS && at <= duration; ++k) {
        double gap = gap_at(c, body, t, at), fast = speed_at(c, body, t, at, INSTANT * duration);
        if (gap <= TOUCH * c->element) {
            double back = fmin(time_for(0.2 * c->element, fast, acceleration), duration);
            double from = fmax(at - back, 0.0);
            *time = at;
            *speed = (gap_at(c, body, t, from) - gap_at(c, body, t, from + back)) / back;
            return *speed > 0.0;
        }
        double ahead = time_for(fmax(0.8 * gap, MIN_TRAVEL * c->element), fast, acceleration);
        at += fmin(ahead, LONGEST * duration);
    }
    return false;
}

// ---------------------------------------------------------------- a body

static bool breaks(const sherd_scene *scene, const sherd_scene_body *body)
{
    const sherd_material_def *m = &scene->materials[body->material].def;
    return !body->loose && !sherd_scene_is_of_points(body) &&
           sherd_breakage_describe(m->breakage)->breaks && isfinite(m->tensile_strength) &&
           m->density > 0.0;
}

static bool is_held(const sherd_scene *scene, int body)
{
    for (int k = 0; k < scene->driver_count; ++k) {
        const sherd_scene_driver *d = &scene->drivers[k];
        if (d->def.drive == SHERD_DRIVE_MOTION && (d->body < 0 || d->body == body)) return true;
    }
    return false;
}

static target target_of_obstacle(const sherd_scene *scene, int obstacle)
{
    const sherd_obstacle_def *o = &scene->obstacles[obstacle].def;
    target t = {.shape = o->is_plane ? NULL : o->shape, .moves.start = o->pose};
    if (o->kind == SHERD_OBSTACLE_DRIVEN) t.moves.motion = &o->motion;
    if (o->kind == SHERD_OBSTACLE_FREE)
        t.moves.velocity = o->velocity, t.moves.acceleration = scene->world.gravity;
    bound(&t);
    return t;
}

static mover mover_of(const sherd_scene *scene, int body, bool falls)
{
    const sherd_scene_body *b = &scene->bodies[body];
    if (is_held(scene, body)) return (mover){.start = b->pose};
    return (mover){b->pose, b->velocity, falls ? scene->world.gravity : vec3(0.0, 0.0, 0.0), NULL};
}

static target target_of_body(const sherd_scene *scene, int body, bool falls)
{
    target t = {.shape = scene->bodies[body].shape, .moves = mover_of(scene, body, falls)};
    if (t.shape != NULL) bound(&t);
    return t;
}

static bool is_on_obstacle(const sherd_scene *scene, const cloud *c, int body)
{
    mover still = {.start = scene->bodies[body].pose};
    for (int k = 0; k < scene->obstacle_count; ++k) {
        target t = target_of_obstacle(scene, k);
        if (scene->obstacles[k].def.kind == SHERD_OBSTACLE_FIXED &&
            gap_at(c, &still, &t, 0.0) < RESTS * c->element)
            return true;
    }
    return false;
}

// On a target at rest or fixed, the impact has the body's full speed.
static bool is_on_body(const sherd_scene *scene, const cloud *c, int body, const bool *resting)
{
    mover still = {.start = scene->bodies[body].pose};
    for (int k = 0; k < scene->body_count; ++k) {
        target t = target_of_body(scene, k, false);
        if (k == body || !resting[k] || t.shape == NULL) continue;
        t.moves = (mover){.start = t.moves.start};
        if (vec3_distance(scene->bodies[k].velocity, scene->bodies[body].velocity) == 0.0 &&
            gap_at(c, &still, &t, 0.0) < RESTS * c->element)
            return true;
    }
    return false;
}

// Finds bodies that lie on obstacles, directly or on other bodies.
static void find_resting(const sherd_scene *scene, const sherd_scene_build *build, bool *resting)
{
    int count = scene->body_count < MAX_BODIES ? scene->body_count : MAX_BODIES;
    cloud *clouds = malloc((size_t)count * sizeof *clouds + 1);
    for (int k = 0; k < scene->body_count; ++k)
        resting[k] = false;
    if (clouds == NULL) return;
    for (int k = 0; k < count; ++k) {
        make_cloud(&clouds[k], scene->bodies[k].shape, build->packings[k]);
        resting[k] = is_held(scene, k) || is_on_obstacle(scene, &clouds[k], k);
    }
    bool more = scene->body_count <= MAX_BODIES;
    while (more) {
        more = false;
        for (int k = 0; k < count; ++k)
            if (!resting[k] && is_on_body(scene, &clouds[k], k, resting)) resting[k] = more = true;
    }
    free(clouds);
}

// rho c, by the mass of the moving body; 0: not known.
static double impedance_of(const sherd_scene *scene, int body)
{
    const sherd_material_def *m = &scene->materials[scene->bodies[body].material].def;
    double z = sqrt(scene->world.mass_scaling * m->density * m->youngs_modulus);
    return isfinite(z) ? z : 0.0;
}

// If both bodies yield, the speed is divided between them.
static double stress_of(const sherd_scene *scene, const sherd_scene_impact *i)
{
    double own = impedance_of(scene, i->body), other;
    if (i->other_is_obstacle) return own * i->speed;
    other = impedance_of(scene, i->other);
    return other > 0.0 ? own * other / (own + other) * i->speed : 0.0;
}

// A flight ends at the first object in its path, at any impact speed; objects that it only grazes
// or passes are not in its path.
static void keep_first(const sherd_scene *scene, sherd_scene_impact impact, double fast,
                       sherd_scene_impact *first)
{
    static const double GRAZING_RATIO = 0.1, BESIDE = 1e-3;
    impact.stress = stress_of(scene, &impact);
    double ratio = impact.stress / impact.strength;
    bool matters = ratio > MIN_RATIO || (impact.speed > GRAZING_RATIO * fast && ratio > BESIDE);
    if (matters && impact.time < first->time) *first = impact;
}

static void meet_target(const sherd_scene *scene, const cloud *c, const mover *moves,
                        const target *t, sherd_scene_impact impact, sherd_scene_impact *first)
{
    if (!meet(c, moves, t, scene->duration, &impact.time, &impact.speed)) return;
    double fast = speed_at(c, moves, t, impact.time, INSTANT * scene->duration);
    keep_first(scene, impact, fast, first);
}

// ---------------------------------------------------------------- affected elements

// The smaller width of the striking object, across the impact direction: a ball's diameter, the
// thickness of a blade's edge.
static double width_across(const target *t, const mover *body, double time, double step)
{
    sherd_vec3 blow =
        vec3_sub(vec3_sub(pose_apply(pose_of(&t->moves, time), t->middle),
                          pose_apply(pose_of(&t->moves, time - step), t->middle)),
                 vec3_sub(pose_of(body, time).position, pose_of(body, time - step).position));
    sherd_vec3 own = quat_rotate_inverse(pose_of(&t->moves, time).rotation, blow);
    sherd_bounds b = sherd_shape_bounds(t->shape);
    sherd_vec3 e = vec3_sub(b.high, b.low);
    double x = fabs(own.x), y = fabs(own.y), z = fabs(own.z);
    if (x >= y && x >= z) return fmin(e.y, e.z);
    return y >= z ? fmin(e.x, e.z) : fmin(e.x, e.y);
}

// Counts the elements within that distance of the target's surface, at the first contact and, for
// prescribed motions, later.
static sherd_element_index count_struck(const sherd_scene *scene, const sherd_packing *p,
                                        const mover *body, const target *t, double time)
{
    enum { TIMES = 16 };
    if (t->shape == NULL) return p->count;
    double width = width_across(t, body, time, INSTANT * scene->duration);
    int times = t->moves.motion != NULL ? TIMES : 1;
    sherd_element_index struck = 0;
    for (sherd_element_index k = 0; k < p->count; ++k) {
        bool near = false;
        for (int n = 0; n < times && !near; ++n) {
            double at = time + (scene->duration - time) * n / TIMES;
            // The body is at the position of impact; it yields to a moving target.
            sherd_vec3 x = pose_apply_inverse(pose_of(&t->moves, at),
                                              pose_apply(pose_of(body, time), position_of(p, k)));
            near = sherd_shape_distance(t->shape, x) < width;
        }
        struck += near;
    }
    return struck > 0 ? struck : 1;
}

static bool find_first(const sherd_scene *scene, const sherd_scene_build *build, int body,
                       const bool *resting, sherd_scene_impact *first)
{
    cloud c;
    make_cloud(&c, scene->bodies[body].shape, build->packings[body]);
    mover moves = mover_of(scene, body, !resting[body]);
    const sherd_material_def *m = &scene->materials[scene->bodies[body].material].def;
    sherd_scene_impact impact = {.body = body,
                                 .strength = fmin(m->tensile_strength, m->shear_strength),
                                 .elements = build->packings[body]->count};
    const sherd_body_bonds *bonds = &build->body_bonds[body];
    if (bonds->cells > bonds->pieces && bonds->walls > 0.0)
        impact.cells = bonds->cells, impact.walls = bonds->walls;
    *first = (sherd_scene_impact){.time = INFINITY};
    for (int k = 0; k < scene->obstacle_count; ++k) {
        target t = target_of_obstacle(scene, k);
        impact.other = k, impact.other_is_obstacle = true;
        meet_target(scene, &c, &moves, &t, impact, first);
    }
    for (int k = 0; k < scene->body_count && scene->body_count <= MAX_BODIES; ++k) {
        target t = target_of_body(scene, k, !resting[k]);
        if (k == body || t.shape == NULL) continue;
        impact.other = k, impact.other_is_obstacle = false;
        meet_target(scene, &c, &moves, &t, impact, first);
    }
    double weakest = first->strength * (first->cells > 1.0 ? first->walls : 1.0);
    if (!isfinite(first->time) || !(first->stress > MIN_RATIO * weakest)) return false;
    target t = first->other_is_obstacle
                   ? target_of_obstacle(scene, first->other)
                   : target_of_body(scene, first->other, !resting[first->other]);
    first->struck = count_struck(scene, build->packings[body], &moves, &t, first->time);
    return true;
}

// ---------------------------------------------------------------- pieces

// Measured on balls, boxes, plates and rods that fall on a plane (scripts/measure-impacts): pieces
// as a fraction of elements, by stress over strength, for calibrated bonds and those of lattices.
// Other bonds are weaker in combination than individually, by STRENGTH_FACTOR.
typedef struct knot {
    double ratio, fraction;
} knot;
static const knot KNOTS[] = {{0.75, 0.0017}, {1.5, 0.008}, {3.0, 0.06}, {6.0, 0.3}, {12.0, 0.63}};
enum { KNOT_COUNT = sizeof KNOTS / sizeof KNOTS[0] };
static const double STRENGTH_FACTOR = 1.5, TOUGH_SCALE = 2.0; // TOUGH_SCALE [radii]

static double logarithmic(double x, double x0, double y0, double x1, double y1)
{
    return y0 * pow(y1 / y0, log(x / x0) / log(x1 / x0));
}

static double fraction_at(const knot *knots, int count, double ratio)
{
    int k = 1;
    while (k < count - 1 && ratio > knots[k].ratio)
        ++k;
    const knot *a = &knots[k - 1], *b = &knots[k];
    return fmin(1.0, logarithmic(ratio, a->ratio, a->fraction, b->ratio, b->fraction));
}

// The same of walls, fractions of the cells between them, measured on dropped meshes of 40 to 60
// cells (docs/notebook/meshes.md).
static const knot WALL_KNOTS[] = {{1.0, 0.03}, {2.2, 0.2}, {4.8, 0.5}, {10.0, 0.85}, {20.0, 1.0}};

// Pieces of a body whose impact has that stress over its strength, of which weak walls have theirs.
static double pieces_at(const sherd_scene_impact *i, double ratio)
{
    double whole = fraction_at(KNOTS, KNOT_COUNT, ratio * i->weaker) * i->struck;
    if (!(i->cells > 1.0)) return fmax(1.0, whole);
    double parted = fraction_at(WALL_KNOTS, KNOT_COUNT, ratio / i->walls);
    return fmax(1.0, whole + parted * (i->cells - 1.0) * i->struck / i->elements);
}

// Returns the factor by which the body's bonds are weaker in combination than the material's
// strength; below 1: tougher. Reduced strengths (bonds that break with their fracture energy) count
// by their square root, as softening bonds break later. Softening over more than an element, l = E
// G / strength^2, increases toughness: glass by its reduced bonds and concrete (l of 130 radii)
// were measured.
static double weaker(const sherd_scene *scene, const sherd_scene_build *build, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_body_bonds *bonds = &build->body_bonds[body];
    const sherd_packing *p = build->packings[body];
    const sherd_material_def *m = sherd_scene_bonds_of(scene, build, b->material);
    if (2 * bonds->reduced > bonds->count) return STRENGTH_FACTOR / sqrt(bonds->least_reduction);
    double factor =
        p->layers > 0 || scene->materials[b->material].calibrate ? 1.0 : STRENGTH_FACTOR;
    double strength = m->tensile_strength, radius = p->lattice_radius;
    double length = m->youngs_modulus * sherd_material_fracture_energy(m) / (strength * strength);
    return length > TOUGH_SCALE * radius ? factor * cbrt(TOUGH_SCALE * radius / length) : factor;
}

double sherd_scene_impact_ratio(const sherd_scene_impact *impact, double pieces)
{
    enum { HALVINGS = 40 };
    double low = 1e-4, high = KNOTS[KNOT_COUNT - 1].ratio / impact->weaker;
    if (pieces > pieces_at(impact, high)) return INFINITY;
    for (int k = 0; k < HALVINGS; ++k) {
        double middle = sqrt(low * high);
        if (pieces_at(impact, middle) < pieces)
            low = middle;
        else
            high = middle;
    }
    return high;
}

int sherd_scene_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                        sherd_scene_impact *list, int farthest)
{
    int count = 0;
    bool *resting = malloc((size_t)scene->body_count + 1);
    if (resting == NULL) return 0;
    find_resting(scene, build, resting);
    for (int body = 0; body < scene->body_count && body < MAX_BODIES; ++body) {
        sherd_scene_impact first;
        if (!breaks(scene, &scene->bodies[body]) ||
            !find_first(scene, build, body, resting, &first))
            continue;
        first.weaker = weaker(scene, build, body);
        first.pieces = pieces_at(&first, first.stress / first.strength);
        if (count < farthest) list[count] = first;
        ++count;
    }
    free(resting);
    return count;
}
