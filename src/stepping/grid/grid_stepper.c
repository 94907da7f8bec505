// Explicit steps of the grid, for worlds with material points. Each is as long as waves and points
// allow, shortened so that a whole number of them leads to the goal. Elements far from points are
// regions, which a switching method steps separately (regions/regions.h).
#include "base/error.h"
#include "contact/contact_part.h"
#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/grid/grid_drivers.h"
#include "stepping/grid/grid_glue.h"
#include "stepping/grid/grid_part.h"
#include "stepping/grid/grid_walls.h"
#include "stepping/regions/region_span.h"
#include "stepping/regions/regions.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"
#include "stepping/system.h"

#include <math.h>

static sherd_status limit_of_points(sherd_system *s, double *time_step, sherd_error *error)
{
    sherd_mpm *m = &s->points->m;
    if (m->accounts.fastest > 0.0) {
        *time_step = sherd_mpm_longest_dt(m);
        return SHERD_OK;
    }
    sherd_status status = sherd_mpm_stable_dt(m, time_step, error);
    m->sorted = false; // walls were not known
    return status;
}

// Also finds that of elements.
static sherd_status stable_dt(const sherd_system *system, double *time_step, sherd_error *error)
{
    sherd_system *s = (sherd_system *)(uintptr_t)system;
    sherd_status status = limit_of_points(s, time_step, error);
    if (status != SHERD_OK) return status;
    if (s->step == 0) s->stable_dt = *time_step;
    return sherd_grid_part_make(s, error);
}

static sherd_status prepare(sherd_system *s, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    double limit, time = sherd_system_time(s);
    sherd_status status = stable_dt(s, &limit, error);
    if (status != SHERD_OK) return status;
    settings->explicit_dt = settings->safety * s->element_dt;
    settings->fixed_dt = settings->given_limits * s->element_dt;
    return until >= time ? SHERD_OK : sherd_fail_past(time, until, error);
}

// largest displacement of an element or free body in a step [h]
static const double MAX_DISPLACEMENT = 0.2;

// Gravity and walls may have accelerated points since the last step: c + |v| grows by a small
// fraction in one.
static double choose_dt(const sherd_system *s, const sherd_method_settings *settings, double until,
                        bool *last)
{
    double longest = settings->safety * sherd_mpm_longest_dt(&s->points->m),
           remaining = until - sherd_system_time(s), speed = sherd_grid_coupling_speed(s);
    if (speed > 0.0) longest = fmin(longest, MAX_DISPLACEMENT * s->points->m.def.spacing / speed);
    if (settings->given_dt > 0.0) longest = settings->given_dt;
    double steps = ceil(remaining / longest * (1.0 - 1e-12));
    *last = !(steps > 1.0);
    if (!isfinite(steps)) return longest;
    return remaining / fmax(steps, 1.0);
}

// Steps of worlds with material points.

typedef struct grid_step {
    sherd_grid_walls walls;
    sherd_grid_drivers drivers;
} grid_step;

// Before the first of a series of steps, during which nothing is added. Must be freed in any case.
static sherd_status grid_step_make(grid_step *step, sherd_system *s, sherd_error *error)
{
    *step = (grid_step){0};
    sherd_status status = sherd_grid_walls_make(&step->walls, s, error);
    if (status == SHERD_OK) status = sherd_grid_part_make(s, error);
    if (status == SHERD_OK) status = sherd_grid_coupling_make(s, error);
    return status == SHERD_OK ? sherd_grid_drivers_make(&step->drivers, s, error) : status;
}

static void grid_step_free(grid_step *step)
{
    sherd_grid_walls_free(&step->walls);
    sherd_grid_drivers_free(&step->drivers);
}

// For the coupled bodies.
typedef struct coupling_step {
    sherd_system *system;
    const sherd_method_settings *settings;
    double dt, time;
} coupling_step;

// Acceleration of coupled elements by everything but points and gravity: the mean by bonds and
// contacts over about thirty steps of the grid. Contact with points is solved at the velocities
// that include it. Otherwise a block would sink into its support in each step, by the effect of its
// weight on its lowest elements. A mean is used because the acceleration in the last step alone
// oscillates if elements are stiff. Stored by element of the system, in checkpoints, too
// (models/mpm/mpm.h: trend).

static const double FRACTION = 1.0 / 30.0; // weight of a step in the mean

// Before the steps of the part within one of the grid, and after them; coupled bodies have received
// the impulses of nodes.
static void grid_trend_begin(sherd_system *s)
{
    const sherd_grid_coupling *g = s->coupling;
    const sherd_elements *e = &sherd_grid_part(s)->elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        g->gained[k] = vec3_scale(-1.0, sherd_element_velocity(e, k));
    for (size_t n = 0; n < g->count; ++n) {
        const sherd_grid_coupled_body *coupled = &g->list[n];
        if (coupled->cloud >= 0) continue;
        sherd_element_index k = coupled->element;
        sherd_vec3 impulse = sherd_coupled_without_held(e->held[k], coupled->impulse);
        g->gained[k] = vec3_add_scaled(g->gained[k], -1.0 / sherd_element_mass(e, k), impulse);
    }
}

static void note(double *mean, double now)
{
    *mean += FRACTION * (now - *mean);
}

// Nodes include gravity; the mean of elements that drivers hold against it compensates that.
static void grid_trend_end(sherd_system *s, double dt)
{
    const sherd_grid_coupling *g = s->coupling;
    const sherd_elements *e = &sherd_grid_part(s)->elements;
    double *const *trend = s->points->m.trend;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 gained = vec3_add(g->gained[k], sherd_element_velocity(e, k)),
                   now = vec3_sub(vec3_scale(1.0 / dt, gained), s->gravity);
        sherd_element_index member = sherd_grid_part_members(s)[k];
        note(&trend[0][member], now.x), note(&trend[1][member], now.y);
        note(&trend[2][member], now.z);
    }
}

// Elements and free bodies, within a step of the points.
static sherd_status move_coupling(void *context, sherd_error *error)
{
    const coupling_step *step = context;
    sherd_system *s = step->system;
    int64_t steps = sherd_grid_part_begin(s, step->settings, step->dt, step->time);
    double fraction = 1.0 / (double)steps; // of impulses
    sherd_grid_coupling_gather(s);
    grid_trend_begin(s);
    sherd_grid_coupling_kick(s, 0.5 * fraction, false, 0.0);
    for (int64_t k = 0; k < steps; ++k) {
        sherd_status status = sherd_grid_part_step(s, step->settings, error);
        if (status != SHERD_OK) return status;
        bool last = k + 1 == steps;
        sherd_grid_coupling_kick(s, last ? 0.5 * fraction : fraction, !last,
                                 (double)(k + 1) * fraction * step->dt);
    }
    grid_trend_end(s, step->dt);
    return SHERD_OK;
}

static void end_coupling(sherd_system *s, double dt, double time, double points_displacement)
{
    double displacement = sherd_grid_part_end(s, dt, time);
    sherd_grid_coupling_done(s);
    sherd_grid_coupling_load(s, dt);
    if (displacement > points_displacement)
        s->points->m.moved += displacement - points_displacement;
    s->path += displacement;
}

// One step over dt, to `time`: obstacles move; points are transferred to the grid, interact there
// with obstacles, elements, free bodies and each other, and are transferred back. Then elements and
// free bodies take their own steps, with half of the contact impulse before and half after.
// Driven obstacles have the velocities of the step that they make with the points: both are at
// `time` at its end.
static sherd_status system_step_grid(sherd_system *s, grid_step *step,
                                     const sherd_method_settings *settings, double dt, double time,
                                     sherd_error *error)
{
    sherd_mpm *m = &s->points->m;
    sherd_grid_walls *walls = &step->walls;
    m->walls = (sherd_mpm_walls){walls->count, walls->list, walls->reaction, 0.0};
    coupling_step coupling = {s, settings, dt, time};
    sherd_status status = SHERD_OK;
    if (s->coupling != NULL)
        status = sherd_grid_coupling_begin(s, dt, move_coupling, &coupling, error);
    if (status == SHERD_OK)
        status = sherd_point_bodies_sort(s->points, error); // drivers refer to points by index
    if (status != SHERD_OK) return status;
    sherd_grid_drivers_begin(&step->drivers, s, dt, time);
    m->walls.moved = sherd_grid_walls_move(s, time, dt) + step->drivers.moved;
    m->drivers = step->drivers.holds, m->driver_count = step->drivers.hold_count;
    double moved = m->moved, began = m->time;
    size_t broken = m->glue.broken;
    status = sherd_mpm_step(m, dt, error);
    m->walls = (sherd_mpm_walls){0};
    m->drivers = NULL, m->driver_count = 0;
    if (status != SHERD_OK) return status;
    s->path += sqrt(3.0) * dt * m->accounts.speed; // `speed` is that of one component
    sherd_grid_drivers_end(&step->drivers, s, dt);
    if (m->glue.broken > broken) status = sherd_grid_glue_log(s, began, time, error);
    if (status != SHERD_OK) return status;
    if (s->coupling != NULL) end_coupling(s, dt, time, m->moved - moved);
    sherd_grid_walls_load(s, walls, dt);
    sherd_grid_drivers_note(s, dt);
    s->start_time = time, s->start_step = ++s->step;
    s->dt = dt;
    return SHERD_OK;
}

typedef struct advancing {
    sherd_system *system;
    const sherd_method_settings *settings;
    grid_step step;
} advancing;

// Wall time of the steps of coupled elements so far [s].
static double time_of_elements(const sherd_system *s)
{
    return s->times.bonds + s->times.contact + s->times.search;
}

static sherd_status one_step(advancing *a, double until, double *dt, sherd_error *error)
{
    double time = sherd_system_time(a->system), since = sherd_clock_seconds(),
           before = time_of_elements(a->system);
    bool last;
    *dt = choose_dt(a->system, a->settings, until, &last);
    sherd_status status =
        system_step_grid(a->system, &a->step, a->settings, *dt, last ? until : time + *dt, error);
    double with_elements = sherd_clock_lap(&since);
    a->system->times.points += with_elements - (time_of_elements(a->system) - before);
    return status;
}

// Advances points and the first region in a span of regions.
static sherd_status advance_near(void *context, double end, double reach, double *too_far,
                                 sherd_error *error)
{
    advancing *a = context;
    sherd_system *s = a->system;
    double begin = sherd_system_time(s), dt;
    s->path = 0.0;
    sherd_grid_coupling_forget(s); // the span before may have been undone
    while (end > sherd_system_time(s)) {
        sherd_status status = one_step(a, end, &dt, error);
        if (status != SHERD_OK) return status;
        if (s->contacts != NULL) sherd_contacts_note_loads(s->contacts, dt);
        if (!(s->path > reach)) continue;
        *too_far = sherd_system_time(s) - begin;
        break;
    }
    return SHERD_OK;
}

static sherd_status advance_all_near(advancing *a, const sherd_advance_goal *goal,
                                     sherd_error *error)
{
    double dt;
    sherd_status status = one_step(a, goal->until, &dt, error);
    if (status == SHERD_OK && goal->after != NULL) goal->after(goal->context, dt);
    return status;
}

// Without regions: true if some elements should be in one.
static sherd_status divide_if_due(advancing *a, sherd_error *error)
{
    sherd_system *s = a->system;
    bool leave;
    if (!a->settings->regions || s->regions == NULL || s->regions->count > 1) return SHERD_OK;
    sherd_status status = sherd_regions_would_leave(s, &leave, error);
    if (status == SHERD_OK && leave) status = sherd_grid_part_show(s, error);
    return status == SHERD_OK && leave ? sherd_regions_divide(s, error) : status;
}

static sherd_status advance(sherd_system *s, const sherd_method_settings *settings,
                            const sherd_advance_goal *goal, sherd_error *error)
{
    advancing a = {.system = s, .settings = settings};
    const sherd_span_points near = {advance_near, &a};
    // Both refer to points by index, and to elements by place.
    bool places = s->drivers.count > 0 || s->points->coupled_count > 0,
         steps = goal->until > sherd_system_time(s) && goal->max_steps > 0;
    if (steps && !places) sherd_point_bodies_clear_elements(s->points, &s->elements);
    int64_t before = s->step;
    sherd_status status = grid_step_make(&a.step, s, error);
    while (status == SHERD_OK && goal->until > sherd_system_time(s) &&
           s->step - before < goal->max_steps) {
        status = divide_if_due(&a, error);
        if (status != SHERD_OK) break;
        bool divided = s->regions != NULL && s->regions->count > 1;
        status = divided ? sherd_regions_advance(s, settings, goal, &near, error)
                         : advance_all_near(&a, goal, error);
    }
    grid_step_free(&a.step);
    sherd_point_bodies_move_on(s->points);
    if (places) sherd_point_bodies_update_elements(s->points, &s->elements);
    return status == SHERD_OK ? sherd_grid_part_show(s, error) : status;
}

static double last_dt(const sherd_system *s)
{
    return s->dt;
}

static sherd_solver_counts counts(const sherd_system *s)
{
    sherd_solver_counts counts = s->control.counts;
    counts.explicit_steps = s->step - counts.implicit_steps; // including those of the grid
    return counts;
}

const sherd_stepper sherd_stepper_grid = {
    .explicit_steps = true,
    .prepare = prepare,
    .advance = advance,
    .stable_dt = stable_dt,
    .last_dt = last_dt,
    .counts = counts,
    .save = sherd_stepper_save,
    .restore = sherd_stepper_restore,
};
