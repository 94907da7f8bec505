#include "stepping/control/step_length.h"
#include "stepping/driven_surfaces.h"

#include "base/assertion.h"
#include "contact/obstacle_motion.h"
#include "math/vec3.h"
#include "stepping/control/tunnelling_bound.h"

// ---------------------------------------------------------------- limits by the error in time

// The factor on dt for an error, relative to the allowed one, that is proportional to a power of
// dt.
static double allowed_factor(double allowed, double error, double order)
{
    return ALLOWED_SAFETY * pow(allowed / fmax(error, 1e-6 * allowed), 1.0 / order);
}

// Losses of a resolved vibration add up. A vibration that steps damp out loses its amplitude bend /
// turn^2 once.
static double allowed_bend(const sherd_step_limits *limits, const sherd_time_error *t, double dt)
{
    double fraction =
        limits->accuracy * fmin(fmax(t->theta * t->theta, BEND_FRACTION), LOST_FRACTION);
    return fmin(fraction * fmin(t->displacement, limits->bend_displacement),
                limits->bend_speed * dt);
}

// The budget for the sum of all errors grows with the path; a step may use a fraction of the
// remainder.
static double allowed_of_budget(const sherd_step_limits *limits, const sherd_time_error *t,
                                double dt)
{
    if (!(t->bend <= limits->bend_speed * dt)) return 0.0;
    return ERROR_BUDGET_FRACTION * (ERROR_BUDGET * limits->accuracy * t->displacement - t->spent);
}

// The fraction of a vibration that a step damps out: all of it if steps are long against its
// period. Resolved vibrations lose a fraction theta^2 of their speed per radian.
static double unfollowed(const sherd_time_error *t)
{
    return isfinite(t->bend) ? fmin(t->theta * t->theta, 1.0) : 1.0;
}

// Step factor from one of three ratios: the error (proportional to dt^3 for BDF2, dt^2 for Euler)
// over the step's own move, proportional to dt; the second difference, dt^2, over the path so far;
// or the error over the remaining budget, at least dt^3.
static double factor_by_displacements(const sherd_step_limits *limits, const sherd_time_error *time,
                                      sherd_scheme_kind scheme, double noise, double dt)
{
    if (!(limits->error > 0.0)) return 1.0;
    double min_move = fmax(limits->move_floor, limits->speed_floor * dt * unfollowed(time));
    double allowed = limits->error * fmax(time->move, min_move) + noise;
    double order = scheme == SHERD_SCHEME_KIND_BDF2 ? 2.0 : 1.0;
    double factor = allowed_factor(allowed, time->error, order);
    factor = fmax(factor, allowed_factor(allowed_bend(limits, time, dt), time->bend, 2.0));
    double budget = allowed_of_budget(limits, time, dt);
    return budget > 0.0 ? fmax(factor, allowed_factor(budget, time->error, 3.0)) : factor;
}

// The power that a step takes from vibrations is proportional to dt^3 for BDF2, to dt for Euler.
double sherd_step_loss_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                              sherd_scheme_kind scheme)
{
    if (isinf(limits->loss)) return INFINITY;
    return allowed_factor(limits->loss, time->loss, scheme == SHERD_SCHEME_KIND_BDF2 ? 3.0 : 1.0);
}

// The force by which an Euler step retards motion on contacts is proportional to its length.
double sherd_step_drag_factor(double drag)
{
    return drag > 0.0 ? ALLOWED_SAFETY / drag : INFINITY;
}

double sherd_step_allowed_factor(const sherd_step_limits *limits, const sherd_time_error *time,
                                 sherd_scheme_kind scheme, double noise, double dt)
{
    return fmin(factor_by_displacements(limits, time, scheme, noise, dt),
                sherd_step_loss_factor(limits, time, scheme));
}

double sherd_step_bodies_factor(const sherd_step_limits *limits, const sherd_time_error *bodies,
                                sherd_scheme_kind scheme, double noise, double dt)
{
    if (!(bodies->error > 0.0)) return INFINITY;
    return factor_by_displacements(limits, bodies, scheme, noise, dt);
}

// ---------------------------------------------------------------- allowed errors

sherd_scheme_kind sherd_step_scheme(const sherd_method_settings *settings)
{
    switch (settings->scheme) {
    case SHERD_SCHEME_EULER:
        return SHERD_SCHEME_KIND_EULER;
    case SHERD_SCHEME_MIDPOINT:
        return SHERD_SCHEME_KIND_MIDPOINT;
    case SHERD_SCHEME_LEFT_POINT:
        return SHERD_SCHEME_KIND_LEFT_POINT;
    case SHERD_SCHEME_LINEAR_EULER:
        return SHERD_SCHEME_KIND_LINEAR_EULER;
    case SHERD_SCHEME_BDF2:
        return SHERD_SCHEME_KIND_BDF2;
    default:
        return settings->fixed_dt > 0.0 ? SHERD_SCHEME_KIND_EULER : SHERD_SCHEME_KIND_BDF2;
    }
}

double sherd_visible_acceleration(sherd_vec3 gravity, double radius)
{
    return fmax(vec3_length(gravity), REBOUND_RADII * REBOUND_RADII * radius);
}

double sherd_visible_rebound(const sherd_control_pass *p)
{
    double radius = sherd_implicit_radius(p->system->implicit);
    return sqrt(sherd_visible_acceleration(p->system->gravity, radius) * radius);
}

// Without gravity nothing swings, rolls or rocks for long.
static double allowed_drag(const sherd_control_pass *p)
{
    double weight = vec3_length(p->system->gravity);
    bool judged = p->settings->may_switch && p->settings->fixed_dt == 0.0 && weight > 0.0;
    return judged ? DRAG_FRACTION * weight : INFINITY;
}

// Number of bonds that may break in the cascade of one step.
static int64_t cascade_breaks(const sherd_method_settings *settings)
{
    double fraction = fmin(CASCADE_FRACTION * settings->section_bonds, 1e9);
    return (int64_t)fmax(floor(fraction + 0.5), CASCADE_FEWEST);
}

// A yielding bond flows until it fails. It must not fail at the start of a long step, so none
// breaks in one.
static int64_t max_breaks(const sherd_control_pass *p)
{
    return p->system->bonds.history != NULL ? 0 : cascade_breaks(p->settings);
}

sherd_step_limits sherd_step_limits_of(const sherd_control_pass *p, double dt)
{
    const sherd_method_settings *s = p->settings;
    bool free_to_change = s->may_switch;
    double radius = sherd_implicit_radius(p->system->implicit);
    return (sherd_step_limits){
        .barrier = s->barrier,
        .shortest = free_to_change ? SHORTEST_STEP * s->explicit_dt : SHORTEST_RETRY * dt,
        .error = s->fixed_dt > 0.0 ? 0.0 : FRACTION_OF_A_STEP * s->accuracy,
        .move_floor = MOVE_FLOOR * radius,
        // These do not add up: a vibration that steps do not resolve is lost only once.
        .speed_floor =
            free_to_change ? BRITTLE_FRACTION * s->brittle_speed / FRACTION_OF_A_STEP : 0.0,
        .accuracy = s->accuracy,
        .bend_displacement = BEND_DISPLACEMENT * radius,
        .bend_speed =
            s->brittle_speed > 0.0 ? BEND_SPEED * s->accuracy * s->brittle_speed : INFINITY,
        .loss = p->control->ring_power > 0.0 ? RING_LOSS * p->control->ring_power : INFINITY,
        .drag = allowed_drag(p),
        .visible_speed = sherd_visible_rebound(p),
        .impact = free_to_change ? DANGEROUS_IMPACT * s->weakest_strength : INFINITY,
        .rebound = free_to_change ? sherd_visible_rebound(p) : INFINITY,
        .fracture = s->paper_fracture ? SHERD_FRACTURE_END_OF_STEP : SHERD_FRACTURE_CASCADE,
        .max_resolves = free_to_change ? CASCADE_RESOLVES : 1000,
        .max_breaks = free_to_change ? max_breaks(p) : INT64_MAX,
        .max_opening_rounds = free_to_change ? OPENING_ROUNDS : MAX_OPENING_ROUNDS,
        .openings_agree = free_to_change,
    };
}

// ---------------------------------------------------------------- end of a step

// `dt` or slightly less, so that a whole number of steps leads to the time `stop`.
double sherd_step_fitting(const sherd_control_pass *p, double dt, double stop)
{
    SHERD_ASSERT(dt > 0.0, "time advances");
    double displacement = stop - sherd_system_time(p->system),
           steps = ceil(displacement / dt * (1.0 - 1e-9));
    return displacement / fmax(steps, 1.0);
}

// Latest end of an implicit step: one step must not skip a load that comes and goes.
double sherd_step_next_stop(const sherd_control_pass *p)
{
    sherd_system *s = p->system;
    // Without memory the step fails, for the same reason.
    sherd_error ignored = {0};
    (void)sherd_system_sample_surfaces(s, &ignored);
    double after = sherd_system_time(s) + 1e-3 * p->settings->explicit_dt; // rounding of times
    double stop = fmin(p->until, sherd_drivers_next_key(&s->drivers, after));
    return s->contacts != NULL ? fmin(stop, sherd_contacts_next_key(s->contacts, after)) : stop;
}

// ---------------------------------------------------------------- next length

// BDF2 is best at constant step lengths: they grow only if that pays.
double sherd_step_settled_length(const sherd_implicit_result *result)
{
    bool alike = result->next > result->dt && result->next < WORTH_CHANGING * result->dt;
    return alike ? result->dt : result->next;
}

// The longest step by the errors of one of length dt. Vibrations must be kept; if something
// tumbles, steps resolve the motion of its axis.
double sherd_step_longest(const sherd_control_pass *p, const sherd_time_error *time,
                          sherd_scheme_kind scheme, double dt)
{
    const sherd_step_control *control = p->control;
    sherd_step_limits limits = sherd_step_limits_of(p, dt);
    double longest = dt * sherd_step_loss_factor(&limits, time, scheme);
    return control->tumbling > 0.0 ? fmin(longest, TUMBLING_ANGLE / control->tumbling) : longest;
}

// Length of a step towards an expected impact or break, less than the distance, which may be
// smaller than estimated. 0: so near that explicit steps cost less.
static double step_to_event(const sherd_control_pass *p)
{
    double longest = APPROACH_FRACTION * (p->control->danger_by - sherd_system_time(p->system));
    double steps = fmax(SHORTEST_STEP, p->control->cost);
    return longest > steps * p->settings->explicit_dt ? longest : 0.0;
}

// A step that runs into an impact or a break is not worth repeating, but one of most of the
// distance is. 0: it is too near for that.
double sherd_step_before_danger(const sherd_control_pass *p, double dt)
{
    bool ahead = p->control->danger_by >= sherd_system_time(p->system);
    return ahead ? fmin(dt, step_to_event(p)) : dt;
}

// Shortens a step in which bodies could pass through each other undetected; 0: explicit steps cost
// less.
sherd_status sherd_step_limit_tunnelling(sherd_control_pass *p, double *dt)
{
    const sherd_method_settings *settings = p->settings;
    if (*dt == 0.0) return SHERD_OK;
    double safe_time;
    sherd_status status = sherd_system_tunnelling_bound(p->system, *dt, &safe_time, p->error);
    if (status != SHERD_OK || safe_time >= *dt) return status;
    double worth = fmax(SHORTEST_STEP, p->control->cost) * settings->explicit_dt;
    *dt = settings->may_switch && safe_time < worth ? 0.0 : safe_time;
    return SHERD_OK;
}
