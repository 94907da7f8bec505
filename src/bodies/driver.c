#include "bodies/driver.h"
#include "bodies/driver_surface.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- creation

static bool inside_region(const sherd_region *region, const sherd_points *e, sherd_element_index k)
{
    if (region->shape == NULL) return true;
    sherd_vec3 local = pose_apply_inverse(region->pose, sherd_point_position(e, k));
    return sherd_shape_distance(region->shape, local) <= 0.0;
}

static sherd_status collect_region(sherd_driver *driver, const sherd_driver_def *def,
                                   const sherd_points *e, sherd_element_index first,
                                   sherd_element_index count, sherd_error *error)
{
    const char *name = def->name != NULL ? def->name : "driver";
    for (sherd_element_index k = first; k < first + count; ++k)
        driver->count += inside_region(&def->region, e, k);
    if (driver->count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          "move or enlarge the region so that it covers element centres",
                          "the region holds no element");
    driver->element = sherd_alloc((size_t)driver->count, sizeof *driver->element);
    driver->start = sherd_alloc((size_t)driver->count, sizeof *driver->start);
    if (driver->element == NULL || driver->start == NULL) return sherd_fail_memory(error, name);
    sherd_element_index at = 0;
    for (sherd_element_index k = first; k < first + count; ++k) {
        if (!inside_region(&def->region, e, k)) continue;
        sherd_vec3 p = sherd_point_position(e, k);
        driver->element[at] = k;
        driver->start[at++] = (sherd_pose){p, sherd_point_orientation(e, k)};
        driver->mass += sherd_point_mass(e, k);
        driver->start_center = vec3_add_scaled(driver->start_center, 1.0 / driver->count, p);
    }
    return SHERD_OK;
}

static uint8_t held_bits(const sherd_driver_def *def)
{
    if (def->drive != SHERD_DRIVE_MOTION) return 0;
    uint8_t bits = SHERD_HELD_ALL;
    if (def->free_axes[0]) bits &= (uint8_t)~SHERD_HELD_X;
    if (def->free_axes[1]) bits &= (uint8_t)~SHERD_HELD_Y;
    if (def->free_axes[2]) bits &= (uint8_t)~SHERD_HELD_Z;
    // A region on rollers rotates freely: prescribed rotations would clamp it.
    return bits == SHERD_HELD_ALL ? bits : (uint8_t)(bits & ~SHERD_HELD_TURN);
}

static sherd_status copy_force(sherd_driver *driver, const sherd_driver_def *def,
                               sherd_error *error)
{
    size_t bytes = (size_t)def->force_key_count * sizeof(double);
    driver->force = def->force;
    driver->force_key_count = def->force_key_count;
    if (bytes == 0) return SHERD_OK;
    driver->force_times = sherd_alloc(bytes, 1);
    driver->force_factors = sherd_alloc(bytes, 1);
    if (driver->force_times == NULL || driver->force_factors == NULL)
        return sherd_fail_memory(error, "driver");
    memcpy(driver->force_times, def->force_times, bytes);
    memcpy(driver->force_factors, def->force_factors, bytes);
    return SHERD_OK;
}

static sherd_status hold_elements(const sherd_driver *driver, const char *name, sherd_points *e,
                                  sherd_error *error)
{
    for (sherd_element_index k = 0; k < driver->count; ++k)
        if ((e->held[driver->element[k]] & driver->held & SHERD_HELD_MOVES) != 0)
            return sherd_fail(error, SHERD_ERROR_INPUT, name, "make the regions disjoint",
                              "element %d is already moved by another driver", driver->element[k]);
    for (sherd_element_index k = 0; k < driver->count; ++k)
        e->held[driver->element[k]] |= driver->held;
    return SHERD_OK;
}

static void driver_free(sherd_driver *driver)
{
    sherd_motion_free(&driver->motion);
    sherd_free(driver->force_times);
    sherd_free(driver->force_factors);
    sherd_free(driver->element);
    sherd_free(driver->start);
    sherd_free(driver->before);
    sherd_driver_surface_free(driver);
}

static sherd_status driver_init(sherd_driver *driver, const sherd_driver_def *def,
                                sherd_points *points, sherd_element_index first,
                                sherd_element_index count, sherd_error *error)
{
    const char *name = def->name != NULL ? def->name : "driver";
    *driver = (sherd_driver){
        .drive = def->drive, .held = held_bits(def), .range = sherd_load_range_empty()};
    sherd_status status = sherd_motion_copy(&driver->motion, &def->motion, error);
    if (status == SHERD_OK) status = copy_force(driver, def, error);
    if (status == SHERD_OK) status = collect_region(driver, def, points, first, count, error);
    SHERD_ASSERT(status != SHERD_OK ||
                     sherd_strictly_ascending(driver->element, (size_t)driver->count),
                 "elements of a driver ascend");
    if (status == SHERD_OK) status = hold_elements(driver, name, points, error);
    return status == SHERD_OK ? sherd_driver_surface_init(driver, def, error) : status;
}

sherd_status sherd_drivers_add(sherd_drivers *drivers, const sherd_driver_def *def,
                               sherd_points *points, sherd_element_index first,
                               sherd_element_index count, sherd_error *error)
{
    SHERD_ASSERT(first >= 0 && count >= 0 && first <= points->count - count,
                 "a driver's elements exist");
    sherd_status status = sherd_driver_def_check(def, error);
    if (status != SHERD_OK) return status;
    if (!sherd_grow((void **)&drivers->drivers, &drivers->capacity, (size_t)drivers->count + 1,
                    sizeof *drivers->drivers))
        return sherd_fail_memory(error, "drivers");
    sherd_driver *driver = &drivers->drivers[drivers->count];
    status = driver_init(driver, def, points, first, count, error);
    if (status != SHERD_OK) {
        driver_free(driver);
        return status;
    }
    ++drivers->count;
    return SHERD_OK;
}

void sherd_drivers_free(sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d)
        driver_free(&drivers->drivers[d]);
    sherd_free(drivers->drivers);
    *drivers = (sherd_drivers){0};
}

// ---------------------------------------------------------------- prescribed motion

// Keeps the components that `held` prescribes and sets the others to zero.
static sherd_vec3 held_part(uint8_t held, sherd_vec3 v)
{
    return vec3(held & SHERD_HELD_X ? v.x : 0.0, held & SHERD_HELD_Y ? v.y : 0.0,
                held & SHERD_HELD_Z ? v.z : 0.0);
}

static double held_kinetic(uint8_t held, const sherd_points *e, sherd_element_index k)
{
    sherd_vec3 v = held_part(held, sherd_point_velocity(e, k)), w = sherd_point_spin(e, k);
    double spin = held & SHERD_HELD_TURN ? sherd_point_inertia(e, k) * vec3_dot(w, w) : 0.0;
    return 0.5 * (sherd_point_mass(e, k) * vec3_dot(v, v) + spin);
}

// Half the work that the driver does against the element's present loads in a displacement dx and
// rotation dtheta.
static double half_work(uint8_t held, const sherd_points *e, sherd_element_index k, sherd_vec3 dx,
                        sherd_vec3 dtheta, sherd_vec3 gravity)
{
    sherd_vec3 load = vec3_add_scaled(sherd_point_force(e, k), sherd_point_mass(e, k), gravity);
    double work = -0.5 * vec3_dot(load, dx);
    return held & SHERD_HELD_TURN ? work - 0.5 * vec3_dot(sherd_point_torque(e, k), dtheta) : work;
}

// Pose of a fully held element by the region's motion.
static sherd_pose pose_held(const sherd_driver *driver, sherd_pose moved, sherd_element_index at)
{
    if (sherd_motion_is_rest(&driver->motion)) return driver->start[at]; // exact
    if (driver->held == SHERD_HELD_ALL)
        return sherd_motion_apply_pose(&driver->motion, moved, driver->start[at]);
    return (sherd_pose){vec3_add(driver->start[at].position, moved.position),
                        driver->start[at].rotation};
}

static double move_element(const sherd_driver *driver, sherd_pose moved, sherd_points *e,
                           sherd_element_index at, double dt, sherd_vec3 gravity)
{
    sherd_element_index k = driver->element[at];
    uint8_t held = driver->held;
    sherd_pose pose = pose_held(driver, moved, at);
    sherd_vec3 dx = held_part(held, vec3_sub(pose.position, sherd_point_position(e, k)));
    sherd_quat q = sherd_point_orientation(e, k);
    sherd_vec3 dtheta = {0};
    double work = -held_kinetic(held, e, k);
    if (held & SHERD_HELD_TURN)
        dtheta = quat_to_rotation_vector(quat_multiply(pose.rotation, quat_conjugate(q)));
    work += half_work(held, e, k, dx, dtheta, gravity);

    if (held & SHERD_HELD_X) e->px[k] = pose.position.x, e->vx[k] = dx.x / dt;
    if (held & SHERD_HELD_Y) e->py[k] = pose.position.y, e->vy[k] = dx.y / dt;
    if (held & SHERD_HELD_Z) e->pz[k] = pose.position.z, e->vz[k] = dx.z / dt;
    if (held & SHERD_HELD_TURN) {
        e->qx[k] = pose.rotation.x, e->qy[k] = pose.rotation.y;
        e->qz[k] = pose.rotation.z, e->qw[k] = pose.rotation.w;
        e->wx[k] = dtheta.x / dt, e->wy[k] = dtheta.y / dt, e->wz[k] = dtheta.z / dt;
    }
    return work;
}

// Components that differ, of the held ones.
static uint8_t unlike(uint8_t held, sherd_vec3 a, sherd_vec3 b)
{
    unsigned bits = (a.x != b.x ? SHERD_HELD_X : 0u) | (a.y != b.y ? SHERD_HELD_Y : 0u) |
                    (a.z != b.z ? SHERD_HELD_Z : 0u);
    return (uint8_t)(bits & held);
}

static bool element_rests(const sherd_driver *driver, const sherd_points *e, sherd_element_index at)
{
    sherd_element_index k = driver->element[at];
    const sherd_vec3 none = {0};
    sherd_pose start = driver->start[at];
    if (unlike(driver->held, sherd_point_velocity(e, k), none) != 0 ||
        unlike(driver->held, sherd_point_position(e, k), start.position) != 0)
        return false;
    if (!(driver->held & SHERD_HELD_TURN)) return true;
    sherd_quat q = sherd_point_orientation(e, k);
    return unlike(SHERD_HELD_ALL, sherd_point_spin(e, k), none) == 0 && q.x == start.rotation.x &&
           q.y == start.rotation.y && q.z == start.rotation.z && q.w == start.rotation.w;
}

bool sherd_drivers_rest(const sherd_drivers *drivers, const sherd_points *points)
{
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        if (driver->drive != SHERD_DRIVE_MOTION) continue;
        if (!sherd_motion_is_rest(&driver->motion)) return false;
        for (sherd_element_index at = 0; at < driver->count; ++at)
            if (!element_rests(driver, points, at)) return false;
    }
    return true;
}

double sherd_drivers_move(sherd_drivers *drivers, sherd_points *points, double time, double dt,
                          sherd_vec3 gravity)
{
    SHERD_ASSERT(dt >= 0.0 && isfinite(time), "time advances");
    double work = 0.0;
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        if (driver->drive != SHERD_DRIVE_MOTION) continue;
        sherd_pose moved = sherd_motion_pose(&driver->motion, time);
        for (sherd_element_index at = 0; at < driver->count; ++at)
            work += move_element(driver, moved, points, at, dt, gravity);
    }
    return work;
}

void sherd_drivers_note_moves(const sherd_drivers *drivers, const sherd_points *points,
                              sherd_vec3 frame, double dt, size_t length, double *farthest)
{
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        for (sherd_element_index at = 0; at < driver->count && driver->held != 0; ++at) {
            sherd_element_index k = driver->element[at];
            double far = dt * vec3_distance(sherd_point_velocity(points, k), frame);
            double *most = &farthest[(size_t)k / length];
            if (!(far <= *most)) *most = far;
        }
    }
}

sherd_vec3 sherd_driver_center(const sherd_driver *driver, const sherd_points *e)
{
    sherd_vec3 center = {0};
    for (sherd_element_index at = 0; at < driver->count; ++at)
        center = vec3_add_scaled(center, 1.0 / driver->count,
                                 sherd_point_position(e, driver->element[at]));
    return center;
}

static void add_load(sherd_load *sum, sherd_vec3 arm, sherd_vec3 force, sherd_vec3 torque)
{
    sum->force = vec3_add(sum->force, force);
    sum->torque = vec3_add(sum->torque, vec3_add(torque, vec3_cross(arm, force)));
}

// Sleeping elements have no loads. Only regions of probes may be at rest (resting_contact.h), where
// the force that holds an element balances its weight.
static sherd_load find_reaction(const sherd_driver *driver, const sherd_points *e,
                                sherd_vec3 gravity)
{
    sherd_vec3 center = sherd_driver_center(driver, e);
    sherd_load sum = {0};
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_element_index k = driver->element[at];
        sherd_vec3 force = sherd_point_force(e, k), torque = sherd_point_torque(e, k);
        if (e->asleep[k]) {
            force = vec3_scale(-sherd_point_mass(e, k), gravity);
            torque = vec3(0.0, 0.0, 0.0);
        }
        add_load(&sum, vec3_sub(sherd_point_position(e, k), center), force, torque);
    }
    return sum;
}

// The same for the state at the start of a step.
static sherd_load find_reaction_before(const sherd_driver *driver)
{
    sherd_vec3 center = {0};
    sherd_load sum = {0};
    for (sherd_element_index at = 0; at < driver->count; ++at)
        center = vec3_add_scaled(center, 1.0 / driver->count, driver->before[at].pose.position);
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        const sherd_driven_start *b = &driver->before[at];
        add_load(&sum, vec3_sub(b->pose.position, center), b->force, b->torque);
    }
    return sum;
}

void sherd_driver_note(sherd_driver *driver, double weight)
{
    if (!(weight > 0.0)) return;
    sherd_load added = sherd_load_add_scaled(driver->sum, -1.0, driver->noted);
    sherd_load mean = sherd_load_add_scaled((sherd_load){0}, 1.0 / weight, added);
    sherd_load_range_add(&driver->range, mean, &driver->swing);
    driver->noted = driver->sum;
    driver->swing = (sherd_load_swing){0};
}

void sherd_drivers_restored(sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d) {
        drivers->drivers[d].noted = drivers->drivers[d].sum;
        drivers->drivers[d].swing = (sherd_load_swing){0};
    }
}

double sherd_drivers_settle(sherd_drivers *drivers, const sherd_points *points, double dt,
                            double weight, sherd_vec3 gravity)
{
    double work = 0.0;
    for (int d = 0; d < drivers->count; ++d) {
        sherd_driver *driver = &drivers->drivers[d];
        sherd_load load = driver->surface != NULL ? sherd_driver_surface_load(driver, points)
                                                  : find_reaction(driver, points, gravity);
        driver->sum = sherd_load_add_scaled(driver->sum, weight, load);
        sherd_driver_note(driver, weight);
        if (driver->drive != SHERD_DRIVE_MOTION) continue;
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index k = driver->element[at];
            sherd_vec3 dx =
                held_part(driver->held, vec3_scale(dt, sherd_point_velocity(points, k)));
            sherd_vec3 dtheta = vec3_scale(dt, sherd_point_spin(points, k));
            work += half_work(driver->held, points, k, dx, dtheta, gravity) +
                    held_kinetic(driver->held, points, k);
        }
    }
    drivers->probe_steps += weight;
    return work;
}

double sherd_driver_factor(const sherd_driver *driver, double time)
{
    int n = driver->force_key_count;
    if (n == 0) return 1.0;
    const double *t = driver->force_times, *f = driver->force_factors;
    if (time <= t[0]) return f[0];
    for (int k = 1; k < n; ++k)
        if (time < t[k])
            return f[k - 1] + (f[k] - f[k - 1]) * (time - t[k - 1]) / (t[k] - t[k - 1]);
    return f[n - 1];
}

double sherd_drivers_push(sherd_drivers *drivers, sherd_points *points, double time, double dt)
{
    double work = 0.0;
    for (int d = 0; d < drivers->count; ++d) {
        sherd_driver *driver = &drivers->drivers[d];
        if (driver->surface != NULL) work += sherd_driver_surface_push(driver, points, time, dt);
        if (driver->drive != SHERD_DRIVE_FORCE) continue;
        double now = sherd_driver_factor(driver, time),
               before = sherd_driver_factor(driver, time - dt);
        sherd_vec3 per_mass = vec3_scale(now / driver->mass, driver->force);
        sherd_vec3 kicked = vec3_scale(0.5 * (before + now) / driver->mass, driver->force);
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index k = driver->element[at];
            double mass = sherd_point_mass(points, k);
            sherd_point_add_load(points, k, vec3_scale(mass, per_mass), vec3(0.0, 0.0, 0.0));
            work += dt * vec3_dot(vec3_scale(mass, kicked), sherd_point_velocity(points, k));
        }
    }
    return work;
}

// ---------------------------------------------------------------- implicit steps

double sherd_drivers_next_key(const sherd_drivers *drivers, double time)
{
    double next = INFINITY;
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        next = fmin(next, sherd_motion_next_key(&driver->motion, time));
        for (int k = 0; k < driver->force_key_count; ++k)
            if (driver->force_times[k] > time) next = fmin(next, driver->force_times[k]);
        if (driver->surface != NULL) next = fmin(next, time + driver->surface->lasts);
    }
    return next;
}

sherd_status sherd_drivers_note_start(sherd_drivers *drivers, const sherd_points *points,
                                      sherd_error *error)
{
    for (int d = 0; d < drivers->count; ++d) {
        sherd_driver *driver = &drivers->drivers[d];
        if (driver->before == NULL)
            driver->before = sherd_alloc((size_t)driver->count, sizeof *driver->before);
        if (driver->before == NULL) return sherd_fail_memory(error, "driver");
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index k = driver->element[at];
            driver->before[at] = (sherd_driven_start){
                {sherd_point_position(points, k), sherd_point_orientation(points, k)},
                sherd_point_velocity(points, k),
                sherd_point_spin(points, k),
                sherd_point_force(points, k),
                sherd_point_torque(points, k)};
        }
    }
    return SHERD_OK;
}

void sherd_drivers_place(const sherd_drivers *drivers, sherd_points *points, double time)
{
    sherd_points *e = points;
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        if (driver->drive != SHERD_DRIVE_MOTION) continue;
        sherd_pose moved = sherd_motion_pose(&driver->motion, time);
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index k = driver->element[at];
            sherd_pose pose = pose_held(driver, moved, at);
            if (driver->held & SHERD_HELD_X) e->px[k] = pose.position.x;
            if (driver->held & SHERD_HELD_Y) e->py[k] = pose.position.y;
            if (driver->held & SHERD_HELD_Z) e->pz[k] = pose.position.z;
            if (!(driver->held & SHERD_HELD_TURN)) continue;
            e->qx[k] = pose.rotation.x, e->qy[k] = pose.rotation.y;
            e->qz[k] = pose.rotation.z, e->qw[k] = pose.rotation.w;
        }
    }
}

// Linear between keys: there the midpoint value is the mean.
double sherd_driver_mean_factor(const sherd_driver *driver, double from, double to)
{
    if (driver->force_key_count == 0 || !(to > from)) return sherd_driver_factor(driver, to);
    double sum = 0.0, at = from;
    for (int k = 0; k <= driver->force_key_count && at < to; ++k) {
        double key = k < driver->force_key_count ? driver->force_times[k] : to;
        double next = fmin(fmax(key, at), to);
        sum += (next - at) * sherd_driver_factor(driver, 0.5 * (at + next));
        at = next;
    }
    return sum / (to - from);
}

void sherd_drivers_accelerate(const sherd_drivers *drivers, const sherd_driver_means *means,
                              double *const acceleration[3])
{
    for (int d = 0; d < drivers->count; ++d) {
        const sherd_driver *driver = &drivers->drivers[d];
        if (driver->drive != SHERD_DRIVE_FORCE) continue;
        double mean = sherd_driver_mean_factor(driver, means->time, means->time + means->dt),
               before = sherd_driver_mean_factor(driver, means->time - means->before, means->time);
        double factor = means->weight * mean + means->extra * (mean - before);
        sherd_vec3 a = vec3_scale(factor / driver->mass, driver->force);
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            sherd_element_index k = driver->element[at];
            acceleration[0][k] += a.x, acceleration[1][k] += a.y, acceleration[2][k] += a.z;
        }
    }
}

void sherd_drivers_accelerate_surfaces(const sherd_drivers *drivers, const sherd_points *points,
                                       const sherd_driver_means *means,
                                       double *const acceleration[3])
{
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].surface != NULL)
            sherd_driver_surface_accelerate(&drivers->drivers[d], points, means, acceleration);
}

void sherd_drivers_sample_surfaces(sherd_drivers *drivers, const sherd_points *points, double time)
{
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].surface != NULL)
            sherd_driver_surface_sample(&drivers->drivers[d], points, time);
}

static double held_energy(uint8_t held, const sherd_points *e, sherd_element_index k,
                          sherd_vec3 velocity, sherd_vec3 spin)
{
    sherd_vec3 v = held_part(held, velocity);
    double turning = held & SHERD_HELD_TURN ? vec3_dot(spin, spin) : 0.0;
    return 0.5 * (sherd_point_mass(e, k) * vec3_dot(v, v) + sherd_point_inertia(e, k) * turning);
}

// Work of a held element's driver: against the mean load, and on the kinetic energy.
static double work_of_held(const sherd_driver *driver, const sherd_points *e,
                           sherd_element_index at, sherd_vec3 gravity)
{
    sherd_element_index k = driver->element[at];
    const sherd_driven_start *b = &driver->before[at];
    uint8_t held = driver->held;
    sherd_vec3 dx = held_part(held, vec3_sub(sherd_point_position(e, k), b->pose.position));
    sherd_vec3 force = vec3_scale(0.5, vec3_add(b->force, sherd_point_force(e, k)));
    force = vec3_add_scaled(force, sherd_point_mass(e, k), gravity);
    double work = -vec3_dot(force, dx);
    work += held_energy(held, e, k, sherd_point_velocity(e, k), sherd_point_spin(e, k)) -
            held_energy(held, e, k, b->velocity, b->spin);
    if (!(held & SHERD_HELD_TURN)) return work;
    sherd_quat turned =
        quat_multiply(sherd_point_orientation(e, k), quat_conjugate(b->pose.rotation));
    sherd_vec3 torque = vec3_scale(0.5, vec3_add(b->torque, sherd_point_torque(e, k)));
    return work - vec3_dot(torque, quat_to_rotation_vector(turned));
}

// Mean force times path, plus the effect of the change of force if the velocity changes, both
// linear in time:
//   integral F . v dt = (F_0 + F_1) / 2 . dx + dt / 12 (F_1 - F_0) . (v_1 - v_0)
static double work_of_push(const sherd_driver *driver, const sherd_points *e,
                           sherd_element_index at, double time, double dt)
{
    sherd_element_index k = driver->element[at];
    const sherd_driven_start *b = &driver->before[at];
    sherd_vec3 dx = vec3_sub(sherd_point_position(e, k), b->pose.position);
    sherd_vec3 dv = vec3_sub(sherd_point_velocity(e, k), b->velocity);
    double change = sherd_driver_factor(driver, time) - sherd_driver_factor(driver, time - dt);
    sherd_vec3 way = vec3_scale(sherd_driver_mean_factor(driver, time - dt, time), dx);
    way = vec3_add_scaled(way, dt / 12.0 * change, dv);
    return sherd_point_mass(e, k) / driver->mass * vec3_dot(driver->force, way);
}

static void add_reactions(sherd_driver *driver, const sherd_points *points, double before,
                          double after, sherd_vec3 gravity)
{
    double weight = before + after, half = 0.5 * weight;
    bool moves = driver->drive == SHERD_DRIVE_MOTION;
    sherd_load start, end;
    if (driver->surface != NULL) {
        start = end = sherd_driver_surface_load(driver, points);
    } else {
        start = find_reaction_before(driver);
        end = find_reaction(driver, points, gravity);
    }
    sherd_load sum = sherd_load_add_scaled((sherd_load){0}, moves ? half : before, start);
    sum = sherd_load_add_scaled(sum, moves ? half : after, end);
    driver->sum = sherd_load_add_scaled(driver->sum, 1.0, sum);
    if (!(weight > 0.0)) return;
    sherd_load mean = sherd_load_add_scaled((sherd_load){0}, 1.0 / weight, sum);
    driver->swing = sherd_load_swing_of_ends(start, end, mean);
    sherd_driver_note(driver, weight);
}

double sherd_drivers_finish(sherd_drivers *drivers, const sherd_points *points, double time,
                            double dt, double before, double after, sherd_vec3 gravity)
{
    double work = 0.0;
    for (int d = 0; d < drivers->count; ++d) {
        sherd_driver *driver = &drivers->drivers[d];
        if (driver->surface != NULL) work += sherd_driver_surface_finish(driver, points, time, dt);
        add_reactions(driver, points, before, after, gravity);
        for (sherd_element_index at = 0; at < driver->count; ++at) {
            if (driver->drive == SHERD_DRIVE_MOTION)
                work += work_of_held(driver, points, at, gravity);
            if (driver->drive == SHERD_DRIVE_FORCE)
                work += work_of_push(driver, points, at, time, dt);
        }
    }
    drivers->probe_steps += before + after;
    return work;
}

// ---------------------------------------------------------------- queries

// Mean displacement and rotation of the region's elements since the start.
static sherd_quat mean_turn(const sherd_driver *driver, const sherd_points *e)
{
    sherd_quat sum = {0};
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_quat q = quat_multiply(sherd_point_orientation(e, driver->element[at]),
                                     quat_conjugate(driver->start[at].rotation));
        double sign = q.w < 0.0 ? -1.0 : 1.0; // both signs are the same rotation
        sum.x += sign * q.x, sum.y += sign * q.y, sum.z += sign * q.z, sum.w += sign * q.w;
    }
    bool none = sum.x == 0.0 && sum.y == 0.0 && sum.z == 0.0 && sum.w == 0.0;
    return none ? (sherd_quat){0.0, 0.0, 0.0, 1.0} : quat_normalize(sum);
}

sherd_probe_reading sherd_driver_reading(const sherd_drivers *drivers, int driver,
                                         const sherd_points *points, double time)
{
    const sherd_driver *d = &drivers->drivers[driver];
    double share = drivers->probe_steps > 0.0 ? 1.0 / drivers->probe_steps : 0.0;
    sherd_probe_reading reading = {
        .force = vec3_scale(share, d->sum.force),
        .torque = vec3_scale(share, d->sum.torque),
        .displacement = vec3_sub(sherd_driver_center(d, points), d->start_center),
    };
    sherd_load_range_read(&d->range, &reading);
    bool turned_by_motion = d->drive == SHERD_DRIVE_MOTION && d->held == SHERD_HELD_ALL;
    reading.rotation = quat_to_rotation_vector(
        turned_by_motion ? sherd_motion_pose(&d->motion, time).rotation : mean_turn(d, points));
    return reading;
}

void sherd_drivers_reset_probes(sherd_drivers *drivers)
{
    for (int d = 0; d < drivers->count; ++d) {
        sherd_driver *driver = &drivers->drivers[d];
        driver->sum = driver->noted = (sherd_load){0};
        driver->range = sherd_load_range_empty();
        driver->swing = (sherd_load_swing){0};
    }
    drivers->probe_steps = 0.0;
}
