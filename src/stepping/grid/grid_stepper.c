// Explicit steps of the grid, for worlds with material points. Each is as long as waves and points
// allow, shortened so that a whole number of them leads to the goal. Elements far from points are
// regions, which a switching method steps separately (regions/regions.h).
#include "base/error.h"
#include "contact/contact_part.h"
#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/grid/grid_part.h"
#include "stepping/grid/grid_step.h"
#include "stepping/regions/region_span.h"
#include "stepping/regions/regions.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"

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
static const double LONGEST_WAY = 0.2;

// Gravity and walls may have accelerated points since the last step: c + |v| grows by a small
// fraction in one.
static double choose_dt(const sherd_system *s, const sherd_method_settings *settings, double until,
                        bool *last)
{
    double longest = settings->safety * sherd_mpm_longest_dt(&s->points->m),
           left = until - sherd_system_time(s), speed = sherd_grid_coupling_speed(s);
    if (speed > 0.0) longest = fmin(longest, LONGEST_WAY * s->points->m.def.spacing / speed);
    if (settings->given_dt > 0.0) longest = settings->given_dt;
    double steps = ceil(left / longest * (1.0 - 1e-12));
    *last = !(steps > 1.0);
    if (!isfinite(steps)) return longest;
    return left / fmax(steps, 1.0);
}

typedef struct advancing {
    sherd_system *system;
    const sherd_method_settings *settings;
    sherd_grid_step step;
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
    sherd_status status = sherd_system_step_grid(a->system, &a->step, a->settings, *dt,
                                                 last ? until : time + *dt, error);
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
    int64_t before = s->step;
    sherd_status status = sherd_grid_step_make(&a.step, s, error);
    while (status == SHERD_OK && goal->until > sherd_system_time(s) &&
           s->step - before < goal->most_steps) {
        status = divide_if_due(&a, error);
        if (status != SHERD_OK) break;
        bool divided = s->regions != NULL && s->regions->count > 1;
        status = divided ? sherd_regions_advance(s, settings, goal, &near, error)
                         : advance_all_near(&a, goal, error);
    }
    sherd_grid_step_free(&a.step);
    sherd_point_bodies_move_on(s->points);
    if (s->drivers.count > 0 || s->points->coupled_count > 0) // both refer to points by index
        sherd_point_bodies_update_elements(s->points, &s->elements);
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
