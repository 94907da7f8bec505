#include "stepping/grid/grid_drivers.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"
#include "stepping/regions/regions.h"

#include <math.h>

sherd_status sherd_grid_drivers_make(sherd_grid_drivers *d, const sherd_system *s,
                                     sherd_error *error)
{
    *d = (sherd_grid_drivers){0};
    if (s->drivers.count == 0) return SHERD_OK;
    size_t n = (size_t)s->elements.count, driven = 0;
    for (int k = 0; k < s->drivers.count; ++k)
        driven += (size_t)s->drivers.drivers[k].count;
    d->index_of = sherd_alloc(n, sizeof *d->index_of);
    d->points = sherd_alloc(driven, sizeof *d->points);
    d->holds = sherd_alloc((size_t)s->drivers.count, sizeof *d->holds);
    d->held_at = sherd_alloc(driven, sizeof *d->held_at);
    d->held_velocity = sherd_alloc(driven, sizeof *d->held_velocity);
    d->held_lag = sherd_alloc(driven, sizeof *d->held_lag);
    bool ok = d->index_of != NULL && d->points != NULL && d->holds != NULL && d->held_at != NULL &&
              d->held_velocity != NULL && d->held_lag != NULL;
    for (int axis = 0; axis < 3; ++axis)
        ok = (d->acceleration[axis] = sherd_alloc(n, sizeof(double))) != NULL && ok;
    return ok ? SHERD_OK : sherd_fail_memory(error, "drivers of material points");
}

void sherd_grid_drivers_free(sherd_grid_drivers *d)
{
    sherd_free(d->index_of), sherd_free(d->points), sherd_free(d->holds);
    sherd_free(d->held_at), sherd_free(d->held_velocity), sherd_free(d->held_lag);
    for (int axis = 0; axis < 3; ++axis)
        sherd_free(d->acceleration[axis]);
    *d = (sherd_grid_drivers){0};
}

static sherd_vec3 velocity_at(const sherd_mpm_points *p, size_t at)
{
    return vec3(p->v[0][at], p->v[1][at], p->v[2][at]);
}

static void set_velocity(sherd_mpm_points *p, size_t at, sherd_vec3 v)
{
    p->v[0][at] = v.x, p->v[1][at] = v.y, p->v[2][at] = v.z;
}

static sherd_vec3 position_at(const sherd_mpm_points *p, size_t at)
{
    return vec3(p->x[0][at], p->x[1][at], p->x[2][at]);
}

// `free`, but `held` along the held axes.
static sherd_vec3 choose(uint8_t bits, sherd_vec3 held, sherd_vec3 free)
{
    return vec3(bits & SHERD_HELD_X ? held.x : free.x, bits & SHERD_HELD_Y ? held.y : free.y,
                bits & SHERD_HELD_Z ? held.z : free.z);
}

// Regions are of points or of elements; the drivers of elements are those of the part
// (grid_part.h).
static bool has_points(const sherd_system *s, const sherd_driver *driver)
{
    return driver->count > 0 && s->points->piece[driver->element[0]] < s->points->piece_count;
}

// A driven point.
typedef struct driven {
    const sherd_driver *driver;
    sherd_element_index element;
    sherd_driven_point *point;
    size_t at; // index in the columns
} driven;

// Sets a point's velocity and books the driver's work.
static void give_velocity(sherd_system *s, const driven *d, sherd_vec3 v)
{
    sherd_mpm_points *p = &s->points->m.points;
    double mass = sherd_element_mass(&s->elements, d->element);
    sherd_vec3 was = velocity_at(p, d->at);
    double given = 0.5 * mass * (vec3_dot(v, v) - vec3_dot(was, was));
    s->accounts.driver_work += given, s->points->m.accounts.given += given;
    d->point->given = vec3_add_scaled(d->point->given, mass, vec3_sub(v, was));
    set_velocity(p, d->at, v);
}

static void begin_point(sherd_grid_drivers *g, sherd_system *s, const driven *d, double dt)
{
    const sherd_mpm_points *p = &s->points->m.points;
    d->point->before = velocity_at(p, d->at), d->point->given = vec3(0.0, 0.0, 0.0);
    sherd_element_index k = d->element;
    if (d->driver->drive == SHERD_DRIVE_FORCE) {
        sherd_vec3 a = vec3(g->acceleration[0][k], g->acceleration[1][k], g->acceleration[2][k]);
        give_velocity(s, d, vec3_add_scaled(d->point->before, dt, a));
    }
    if (d->driver->drive != SHERD_DRIVE_MOTION) return;
    sherd_vec3 displacement = vec3_sub(sherd_element_position(&s->elements, k), d->point->start);
    d->point->held = vec3_scale(1.0 / dt, displacement);
    sherd_vec3 v = choose(d->driver->held, d->point->held, d->point->before);
    g->moved = fmax(g->moved, dt * vec3_length(v));
    give_velocity(s, d, v);
}

static void end_point(sherd_system *s, const driven *d)
{
    sherd_mpm_points *p = &s->points->m.points;
    if (d->driver->drive != SHERD_DRIVE_MOTION) return;
    give_velocity(s, d, choose(d->driver->held, d->point->held, velocity_at(p, d->at)));
}

// ---------------------------------------------------------------- all drivers

static void find_indices(sherd_grid_drivers *g, const sherd_system *s)
{
    const sherd_mpm_points *p = &s->points->m.points;
    for (size_t at = 0; at < p->count; ++at)
        if (p->number[at] != SHERD_MPM_FILLER) g->index_of[p->number[at]] = at;
}

static driven driven_of(const sherd_grid_drivers *g, const sherd_driver *driver, size_t first,
                        sherd_element_index k)
{
    sherd_element_index element = driver->element[k];
    return (driven){driver, element, &g->points[first + (size_t)k], g->index_of[element]};
}

static void find_accelerations(sherd_grid_drivers *g, const sherd_system *s, double dt)
{
    for (int n = 0; n < s->drivers.count; ++n)
        for (sherd_element_index k = 0; k < s->drivers.drivers[n].count; ++k)
            for (int axis = 0; axis < 3; ++axis)
                g->acceleration[axis][s->drivers.drivers[n].element[k]] = 0.0;
    sherd_driver_means means = {.time = sherd_system_time(s), .dt = dt, .weight = 1.0};
    sherd_drivers_accelerate(&s->drivers, &means, g->acceleration);
}

// Velocity gradient of a rotation over a step with straight paths: (R - 1) / dt, R the rotation, so
// that 1 + dt G = R and there is no strain. R - 1 = 2 u x (u x .) + 2 w u x . from the quaternion
// (u, w), without cancellation.
static void find_gradient(const sherd_driver *driver, double from, double to,
                          sherd_mpm_driver *hold)
{
    if (driver->held != SHERD_HELD_ALL) return; // others do not rotate
    sherd_quat before = sherd_motion_pose(&driver->motion, from).rotation,
               after = sherd_motion_pose(&driver->motion, to).rotation,
               q = quat_multiply(after, quat_conjugate(before));
    sherd_vec3 u = vec3(q.x, q.y, q.z);
    if (vec3_length(u) == 0.0) return;
    hold->turns = true;
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 cross = vec3_cross(u, vec3(k == 0, k == 1, k == 2));
        sherd_vec3 column =
            vec3_scale(2.0 / (to - from), vec3_add_scaled(vec3_cross(u, cross), q.w, cross));
        hold->gradient[0][k] = column.x, hold->gradient[1][k] = column.y;
        hold->gradient[2][k] = column.z;
    }
}

// Prescribed nodes of one driver.
static sherd_mpm_driver *list_held(sherd_grid_drivers *g, const sherd_system *s,
                                   const sherd_driver *driver, size_t first)
{
    for (sherd_element_index k = 0; k < driver->count; ++k) {
        driven d = driven_of(g, driver, first, k);
        g->held_at[first + (size_t)k] = d.at;
        g->held_velocity[first + (size_t)k] = d.point->held;
        g->held_lag[first + (size_t)k] =
            vec3_sub(position_at(&s->points->m.points, d.at), d.point->start);
    }
    uint8_t bits = driver->held;
    sherd_mpm_driver *hold = &g->holds[g->hold_count++];
    *hold = (sherd_mpm_driver){.count = (size_t)driver->count,
                               .at = g->held_at + first,
                               .velocity = g->held_velocity + first,
                               .lag = g->held_lag + first,
                               .axes = {(bits & SHERD_HELD_X) != 0, (bits & SHERD_HELD_Y) != 0,
                                        (bits & SHERD_HELD_Z) != 0}};
    return hold;
}

// Prescribed positions of driven points at a time.
static void find_starts(sherd_grid_drivers *g, sherd_system *s, double time)
{
    size_t first = 0;
    sherd_drivers_place(&s->drivers, &s->elements.points, time);
    for (int n = 0; n < s->drivers.count; ++n) {
        const sherd_driver *driver = &s->drivers.drivers[n];
        for (sherd_element_index k = 0; k < driver->count; ++k)
            g->points[first + (size_t)k].start =
                sherd_element_position(&s->elements, driver->element[k]);
        first += (size_t)driver->count;
    }
}

void sherd_grid_drivers_begin(sherd_grid_drivers *g, sherd_system *s, double dt, double time)
{
    size_t first = 0;
    g->moved = 0.0, g->hold_count = 0;
    if (s->drivers.count == 0) return;
    find_indices(g, s);
    find_accelerations(g, s, dt);
    find_starts(g, s, time - dt);
    sherd_drivers_place(&s->drivers, &s->elements.points, time);
    for (int n = 0; n < s->drivers.count; ++n) {
        const sherd_driver *driver = &s->drivers.drivers[n];
        bool points = has_points(s, driver);
        for (sherd_element_index k = 0; k < driver->count && points; ++k) {
            driven d = driven_of(g, driver, first, k);
            begin_point(g, s, &d, dt);
        }
        if (driver->drive == SHERD_DRIVE_MOTION && points)
            find_gradient(driver, time - dt, time, list_held(g, s, driver, first));
        first += (size_t)driver->count;
    }
}

static sherd_vec3 centre_of(const sherd_grid_drivers *g, const sherd_system *s,
                            const sherd_driver *driver)
{
    sherd_vec3 centre = {0};
    for (sherd_element_index k = 0; k < driver->count; ++k)
        centre =
            vec3_add_scaled(centre, 1.0 / driver->count,
                            position_at(&s->points->m.points, g->index_of[driver->element[k]]));
    return centre;
}

// Force of everything else on a driven point: its change of momentum minus that by driver and
// gravity.
static void add_reaction(const sherd_grid_drivers *g, sherd_system *s, sherd_driver *driver,
                         const sherd_mpm_driver *hold, size_t first, double dt)
{
    const sherd_mpm_points *p = &s->points->m.points;
    sherd_vec3 centre = centre_of(g, s, driver);
    if (hold != NULL) { // impulse by nodes
        driver->sum.force = vec3_sub(driver->sum.force, hold->impulse);
        sherd_vec3 moment = vec3_sub(hold->moment, vec3_cross(centre, hold->impulse));
        driver->sum.torque = vec3_sub(driver->sum.torque, moment);
        s->accounts.driver_work += hold->work;
    }
    for (sherd_element_index k = 0; k < driver->count; ++k) {
        driven d = driven_of(g, driver, first, k);
        double mass = sherd_element_mass(&s->elements, d.element);
        sherd_vec3 gained = vec3_scale(mass, vec3_sub(velocity_at(p, d.at), d.point->before));
        sherd_vec3 other_force = vec3_sub(gained, d.point->given); // per step: force times dt
        other_force = vec3_add_scaled(other_force, -mass * dt, s->gravity);
        driver->sum.force = vec3_add(driver->sum.force, other_force);
        driver->sum.torque = vec3_add(
            driver->sum.torque, vec3_cross(vec3_sub(position_at(p, d.at), centre), other_force));
    }
}

void sherd_grid_drivers_end(sherd_grid_drivers *g, sherd_system *s, double dt)
{
    size_t first = 0;
    int hold = 0;
    if (s->drivers.count == 0) return;
    for (int n = 0; n < s->drivers.count; ++n) {
        sherd_driver *driver = &s->drivers.drivers[n];
        bool points = has_points(s, driver), moves = driver->drive == SHERD_DRIVE_MOTION;
        for (sherd_element_index k = 0; k < driver->count && points; ++k) {
            driven d = driven_of(g, driver, first, k);
            end_point(s, &d);
        }
        if (points) add_reaction(g, s, driver, moves ? &g->holds[hold++] : NULL, first, dt);
        first += (size_t)driver->count;
    }
    s->drivers.probe_steps += dt;
}

// Drivers of other regions have their loads at the end of the span.
static bool is_alone(const sherd_system *s, int driver)
{
    for (int r = 1; s->regions != NULL && r < s->regions->count; ++r) {
        const sherd_drivers *part = &s->regions->list[r].system.drivers;
        for (int d = 0; d < part->count; ++d)
            if (part->drivers[d].whole == driver) return true;
    }
    return false;
}

void sherd_grid_drivers_note(sherd_system *s, double dt)
{
    for (int d = 0; d < s->drivers.count; ++d)
        if (!is_alone(s, d)) sherd_driver_note(&s->drivers.drivers[d], dt);
}
