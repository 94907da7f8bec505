#include "stepping/control/step_control.h"

#include "base/error.h"
#include "contact/obstacle_course.h"
#include "math/vec3.h"
#include "stepping/control/first_flight.h"
#include "stepping/control/ringing.h"
#include "stepping/control/tunnelling_bound.h"
#include "stepping/explicit/closing.h"
#include "stepping/explicit/substeps.h"
#include "stepping/explicit/swing.h"
#include "stepping/implicit/implicit_step.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system.h"

#include <math.h>

// docs/physics.md 3, measured on small bodies: an impact that can break something, the cascade that is still
// quasi-static, and how long things go on breaking. Four bonds and one more solve: with 20 and four, a beam
// that snaps at once in explicit steps cracked slowly (docs/fracture-statistics.md).
static const double DANGEROUS_IMPACT = 0.25;  // rho c v_n over the least strength
static const double CALM_AFTER_BREAK = 300.0; // [T]
static const double CALM_RATIO = 0.8;   // of stress to strength: below it explicit steps may end
static const double LOOK_AGAIN = 100.0; // for that [T]
static const double MOST_ASLEEP = 0.5;  // of the elements; with more asleep, explicit steps go on
static const double SOUGHT_LATELY = 300.0; // regions: no need to look again [T]
enum { CASCADE_RESOLVES = 1, CASCADE_BREAKS = 4 };

// What iterations cost, in explicit steps of the same body (docs/performance.md).
static const double NEWTON_COST = 6.0, LINEAR_COST = 4.0;
static const double COARSE_COST = 0.5; // of working once on as many clusters as there are elements
static const double MOST_LOSS = 400.0; // of one step, beyond what it saves
// Of a step: iterations (sherd_newton_spent), and one more for so many explicit steps that it replaces. Where something
// broke, those that take longer mostly fail.
static const double BUDGET = 4.0, STEPS_AN_ITERATION = 10.0, STEPS_AFTER_BREAKS = 16.0;
// An implicit step that fails may cost this share of the explicit spell after it. Spells double; while nothing
// has broken, what disturbs is soon over, and the first is short.
static const double FAILURE_SHARE = 1.0, FAILURE_SHARE_AFTER_BREAKS = 0.05;
static const double FIRST_STEP = 20.0, SHORTEST_STEP = 10.0; // [explicit steps]
// While explicit steps are made it is looked, so often, how long an implicit step would be allowed to be. It is taken when
// that is this many times what it costs, at least so much: what touches and rings after something broke takes four
// Newton iterations where smooth motions take two. A few that pay say that it was looked well.
static const double LOOK_EVERY = 32.0; // [explicit steps]
static const double WORTH_ENTERING = 1.2;
static const double LEAST_COST = 25.0, COST_AFTER_BREAKS = 45.0; // [explicit steps]
static const double LONGEST_ENTRY = 128.0;                       // [explicit steps]
enum { PAID_ENOUGH = 8, RING_UNLOOKED = 4 };
// Errors of steps add up to about four times what each may err by.
static const double SHARE_OF_A_STEP = 0.25;
static const double BRITTLE_SHARE =
    0.5;                              // bending stresses more at the same speed, and speeds are rms
static const double BEND_WAY = 3.0;   // [radii]
static const double BEND_SPEED = 5.0; // of what breaks something by itself, times the accuracy
static const double MOST_OF_THE_WAY = 0.9; // to what will be hit
static const double WORTH_CHANGING = 1.15;
static const double LONGEST_SPELL = 4000.0;  // [explicit steps]
static const double LONGEST_RINGING = 400.0; // without a look whether something still rings [T]
// What integration may take of a vibration's energy in a radian: 2 % in ten periods. Modes of higher frequency that
// share in it make radians up to 1.7 times shorter; 5 % is what docs/method.md promises.
static const double RING_LOSS = 0.02 / (20.0 * M_PI);
// Turn of what tumbles in a step: by 0.01 radian a flip about the middle axis of inertia comes when it should, to some
// degrees, by 0.1 half a turn too soon.
static const double TUMBLING_TURN = 0.01; // [rad]
// What turns by less than this in a step is judged as if by this [rad].
static const double LEAST_CURVED = 0.01;

typedef struct pacing {
    sherd_system *system;
    const sherd_method_settings *settings;
    sherd_step_control *control;
    double until;
    sherd_after_step *after;
    void *context;
    sherd_error *error;
} pacing;

static double left(const pacing *p)
{
    return p->until - sherd_system_time(p->system);
}

static bool something_broke(const pacing *p)
{
    return isfinite(p->control->last_break);
}

// `dt` or a little less, so that whole steps reach the time `stop`.
static double fitting(const pacing *p, double dt, double stop)
{
    double way = stop - sherd_system_time(p->system), steps = ceil(way / dt * (1.0 - 1e-9));
    return way / fmax(steps, 1.0);
}

// Where an implicit step is to end, at the latest: a load that comes and goes within one would never have been.
static double next_stop(const pacing *p)
{
    const sherd_system *s = p->system;
    double after = sherd_system_time(s) + 1e-3 * p->settings->explicit_dt; // rounding of times
    double stop = fmin(p->until, sherd_drivers_next_key(&s->drivers, after));
    return s->contacts != NULL ? fmin(stop, sherd_contacts_next_key(s->contacts, after)) : stop;
}

static void set_clock(sherd_system *s, double time)
{
    s->start_time = time;
    s->start_step = s->step;
}

// ---------------------------------------------------------------- explicit

static void use_explicit_dt(pacing *p)
{
    sherd_system *s = p->system;
    double dt = fitting(p, p->settings->explicit_dt, p->until);
    if (fabs(dt - s->dt) <= 1e-10 * dt) return; // rounding of times
    sherd_system_settle(s);
    sherd_sleep_renew(s);
    set_clock(s, sherd_system_time(s));
    sherd_system_change_step(s, dt);
}

static void look_away(pacing *p)
{
    p->control->last_look = -INFINITY;
    if (p->system->implicit != NULL) sherd_implicit_look_away(p->system->implicit);
}

static sherd_status explicit_step(pacing *p)
{
    sherd_system *s = p->system;
    int64_t broken = s->bonds.broken_count;
    use_explicit_dt(p);
    sherd_status status = sherd_system_step_split(s, p->after, p->context, p->error);
    if (status != SHERD_OK) return status;
    ++p->control->counts.explicit_steps;
    p->control->last_dt = s->dt;
    if (s->bonds.broken_count > broken) {
        p->control->last_break = sherd_system_time(s);
        look_away(p);
    }
    return SHERD_OK;
}

static sherd_status go_implicit(pacing *p, double dt)
{
    p->control->implicit_now = 1;
    p->control->losses = p->control->paid = 0;
    p->control->next_dt = dt;
    p->control->last_look = -INFINITY;
    if (p->control->begun) ++p->control->counts.switches;
    return sherd_system_enter_implicit(p->system, p->control->next_dt, p->error);
}

// For so long at least.
static void go_explicit(pacing *p, double spell)
{
    sherd_step_control *control = p->control;
    control->implicit_now = 0;
    control->explicit_until = sherd_system_time(p->system) + spell;
    look_away(p);
    ++control->counts.switches;
    sherd_system_leave_implicit(p->system);
}

// Implicit steps cost more than they were thought to: each time for longer.
static void back_off(pacing *p, double cost)
{
    sherd_step_control *control = p->control;
    double step = p->settings->explicit_dt;
    double share = something_broke(p) ? FAILURE_SHARE_AFTER_BREAKS : FAILURE_SHARE;
    if (control->paid >= PAID_ENOUGH) {
        control->backoff = 0.0;
    } else {
        control->backoff = fmax(2.0 * control->backoff, step * cost / share);
        control->backoff = fmin(control->backoff, LONGEST_SPELL * step);
    }
    go_explicit(p, control->backoff);
}

// Whether it will be calm so much later, if nothing happens.
static bool calm_in(const pacing *p, double later)
{
    double time = sherd_system_time(p->system) + later, limit = p->system->stable_dt;
    return time >= p->control->explicit_until &&
           time >= p->control->last_break + CALM_AFTER_BREAK * limit;
}

static double count_strained(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    double count = 0.0;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = (int64_t)k;
        if (s->bonds.broken[bond]) continue;
        count += sherd_bond_analyse(&s->bonds, &s->elements, bond).stress_ratio > CALM_RATIO;
    }
    return count;
}

static bool all_asleep(const pacing *p)
{
    return sherd_sleep_count(p->system) == p->system->elements.count;
}

static void stay_explicit(const pacing *p)
{
    p->control->explicit_until = sherd_system_time(p->system) + LOOK_AGAIN * p->system->stable_dt;
}

// Sleepers cost explicit steps next to nothing, but would all have to wake for implicit ones: they are to be in a
// region of their own. If those that are awake are too near or too few for that, the majority decides.
static bool sleepers_object(const pacing *p)
{
    const sherd_system *s = p->system;
    sherd_element_index asleep = sherd_sleep_count(s);
    if (asleep == 0) return false;
    double time = sherd_system_time(s);
    if (p->settings->regions && time > p->control->sought_at + SOUGHT_LATELY * s->stable_dt) {
        p->control->divide_at = time;
        stay_explicit(p);
        return true;
    }
    if ((double)asleep <= MOST_ASLEEP * s->elements.count) return false;
    stay_explicit(p);
    return true;
}

// Where a crack waits to run on, its next jump should be met by explicit steps.
static bool strained(pacing *p)
{
    sherd_system *s = p->system;
    sherd_system_settle(s);
    sherd_sleep_place(s);
    if (sherd_parallel_sum(&s->parallel, (size_t)s->bonds.count, SHERD_SYSTEM_CHUNK, count_strained,
                           s) == 0.0)
        return false;
    stay_explicit(p);
    return true;
}

// ---------------------------------------------------------------- implicit

static sherd_scheme_kind scheme_of(const sherd_method_settings *settings)
{
    switch (settings->scheme) {
    case SHERD_SCHEME_EULER:
        return SHERD_SCHEME_KIND_EULER;
    case SHERD_SCHEME_MIDPOINT:
        return SHERD_SCHEME_KIND_MIDPOINT;
    case SHERD_SCHEME_LEFT_POINT:
        return SHERD_SCHEME_KIND_LEFT_POINT;
    case SHERD_SCHEME_BDF2:
        return SHERD_SCHEME_KIND_BDF2;
    default:
        return settings->fixed_dt > 0.0 ? SHERD_SCHEME_KIND_EULER : SHERD_SCHEME_KIND_BDF2;
    }
}

// What rebounds more slowly rises by less than half a radius, or takes more than a tenth of a second for a radius [m/s].
static double seen_rebound(const pacing *p)
{
    double radius = sherd_implicit_radius(p->system->implicit);
    return fmax(sqrt(vec3_length(p->system->gravity) * radius), 10.0 * radius);
}

static sherd_implicit_limits limits_of(const pacing *p, double dt)
{
    const sherd_method_settings *s = p->settings;
    bool free_to_change = s->method == SHERD_METHOD_AUTO;
    return (sherd_implicit_limits){
        .barrier = s->barrier,
        .shortest = free_to_change ? SHORTEST_STEP * s->explicit_dt : 1e-4 * dt,
        .error = s->fixed_dt > 0.0 ? 0.0 : SHARE_OF_A_STEP * s->accuracy,
        .rest_move = 1e-4 * sherd_implicit_radius(p->system->implicit),
        // These don't add up: a vibration that is not followed can be lost once.
        .rest_speed = free_to_change ? BRITTLE_SHARE * s->brittle_speed / SHARE_OF_A_STEP : 0.0,
        .accuracy = s->accuracy,
        .bend_way = BEND_WAY * sherd_implicit_radius(p->system->implicit),
        .bend_speed =
            s->brittle_speed > 0.0 ? BEND_SPEED * s->accuracy * s->brittle_speed : INFINITY,
        .loss = p->control->ring_power > 0.0 ? RING_LOSS * p->control->ring_power : INFINITY,
        .impact = free_to_change ? DANGEROUS_IMPACT * s->weakest_strength : INFINITY,
        .rebound = free_to_change ? seen_rebound(p) : INFINITY,
        .fracture = s->paper_fracture ? SHERD_FRACTURE_END_OF_STEP : SHERD_FRACTURE_CASCADE,
        .most_resolves = free_to_change ? CASCADE_RESOLVES : 1000,
        .most_breaks = free_to_change ? CASCADE_BREAKS : INT64_MAX,
    };
}

// ---------------------------------------------------------------- what rings and what tumbles

static bool heeds_ringing(const pacing *p)
{
    return p->settings->method == SHERD_METHOD_AUTO && p->settings->fixed_dt == 0.0;
}

static sherd_status find_ringing(const pacing *p)
{
    sherd_step_control *control = p->control;
    sherd_ringing_found found;
    sherd_status status = sherd_system_find_ringing(p->system, &found, p->error);
    if (status != SHERD_OK) return status;
    control->ring_power = found.power;
    control->ring_stress = found.stress;
    control->tumbling = found.tumbling;
    control->ring_unlooked = 0;
    return SHERD_OK;
}

// ---------------------------------------------------------------- steps of chosen length

static double cost_of(const sherd_implicit_result *result)
{
    return NEWTON_COST * (1 + result->newton) + LINEAR_COST * result->linear +
           COARSE_COST * result->coarse;
}

double sherd_step_control_work(const sherd_solver_counts *counts)
{
    return (double)counts->explicit_steps + NEWTON_COST * (double)counts->newton_iterations +
           LINEAR_COST * (double)counts->linear_iterations;
}

static sherd_status fail_step(const pacing *p, const sherd_implicit_result *result)
{
    return sherd_fail(p->error, SHERD_ERROR_UNSTABLE, "implicit step",
                      "use method auto, or a smaller time_step or larger accuracy",
                      "did not succeed at time %g s, down to a step of %g s",
                      sherd_system_time(p->system), result->dt);
}

// To danger. So far a step should go: it may be nearer than it seems. 0: it is so near that explicit steps cost less.
static double way_to_danger(const pacing *p)
{
    double most = MOST_OF_THE_WAY * (p->control->danger_by - sherd_system_time(p->system));
    double steps = fmax(SHORTEST_STEP, p->control->cost);
    return most > steps * p->settings->explicit_dt ? most : 0.0;
}

// Something stands in the way of an implicit step. Up to an impact or to where something breaks, shorter steps
// still help: it is approached (before_danger).
static sherd_status turn_back(pacing *p, const sherd_implicit_result *result)
{
    ++p->control->counts.rejected_steps;
    if (p->settings->method != SHERD_METHOD_AUTO) return fail_step(p, result);
    if (result->end == SHERD_IMPLICIT_TOO_SHORT)
        back_off(p, cost_of(result));
    else
        p->control->danger_by = sherd_system_time(p->system) + result->danger_in;
    return SHERD_OK;
}

// Steps of one length are what a two-step scheme is best at: longer only when it is worth it.
static double settled_dt(const sherd_implicit_result *result)
{
    bool alike = result->next > result->dt && result->next < WORTH_CHANGING * result->dt;
    return alike ? result->dt : result->next;
}

// A look costs about two explicit steps. What swings by less than half of what counts takes more than a step or
// two to count, unless something happens to it, which shortens steps.
static bool may_ring_now(const pacing *p, const sherd_implicit_result *result)
{
    const sherd_step_control *control = p->control;
    if (!heeds_ringing(p)) return false;
    return control->ring_stress > 0.5 * SHERD_RINGING_STRESS ||
           control->ring_unlooked >= RING_UNLOOKED || result->dt < 0.7 * control->ring_dt ||
           result->rejected > 0;
}

// So long a step may be at most, from what errors one of length dt has: what rings is not to be lost, and where
// something tumbles, places would be right for less long than its axis wanders.
static double longest_step(const pacing *p, const sherd_time_error *time, sherd_scheme_kind scheme,
                           double dt)
{
    const sherd_step_control *control = p->control;
    sherd_implicit_limits limits = limits_of(p, dt);
    double longest = dt * sherd_implicit_loss_factor(&limits, time, scheme);
    return control->tumbling > 0.0 ? fmin(longest, TUMBLING_TURN / control->tumbling) : longest;
}

static sherd_status keep_ringing(const pacing *p, const sherd_implicit_result *result)
{
    sherd_step_control *control = p->control;
    sherd_status status = SHERD_OK;
    bool look = may_ring_now(p, result);
    control->ring_dt = result->dt;
    ++control->ring_unlooked;
    if (look) status = find_ringing(p);
    double longest = longest_step(p, &result->time, result->scheme, result->dt);
    control->next_dt = fmin(control->next_dt, longest);
    return status;
}

static void after_implicit(pacing *p, const sherd_implicit_result *result, double time)
{
    sherd_system *s = p->system;
    sherd_step_control *control = p->control;
    ++s->step;
    ++control->counts.implicit_steps;
    bool there = fabs(p->until - (time + result->dt)) < 1e-9 * result->dt;
    set_clock(s, there ? p->until : time + result->dt);
    if (result->breaks > 0) control->last_break = sherd_system_time(s);
    control->last_dt = result->dt;
    control->next_dt = fmax(settled_dt(result), p->settings->explicit_dt);
    p->after(p->context, result->dt / s->dt);
    if (p->settings->method != SHERD_METHOD_AUTO || p->settings->fixed_dt > 0.0) return;
    control->cost = cost_of(result);
    double loss = control->cost - result->dt / p->settings->explicit_dt;
    // Lengths that grow have not shown yet what they are worth. Those cut short by every stop have.
    bool grows = fmin(control->next_dt, control->interval) > 1.5 * result->dt;
    if (loss < 0.0) control->losses = 0, ++control->paid, control->ring_wait = 0.0;
    if (loss >= 0.0 && !grows) ++control->losses;
    if (control->losses >= 4 || loss > MOST_LOSS) back_off(p, control->cost);
}

// What flies and has calmed down should sleep: explicit steps carry it on, exactly. Only where nothing else is near
// is it worth a look.
static sherd_status fall_asleep_in_flight(pacing *p)
{
    sherd_system *s = p->system;
    double time = sherd_system_time(s);
    if (!s->sleep.enabled || s->drivers.count > 0 || p->settings->fixed_dt > 0.0 ||
        p->settings->method != SHERD_METHOD_AUTO || !p->control->implicit_now ||
        time < p->control->calm_look || sherd_implicit_touches(s->implicit))
        return SHERD_OK;
    p->control->calm_look = time + SHERD_SLEEP_INTERVAL * p->settings->explicit_dt;
    s->forces_valid = false;
    bool asleep = false;
    sherd_status status = sherd_system_update_forces(s, p->error);
    if (status == SHERD_OK && (s->contacts == NULL || sherd_contacts_nothing_near(s->contacts)))
        status = sherd_sleep_all(s, false, &asleep, p->error);
    if (status == SHERD_OK && asleep)
        go_explicit(p, 0.0);
    else
        sherd_system_end_swing(s); // implicit steps go on
    return status;
}

// Nothing but explicit steps keeps what rings, for longer every time.
static void leave_ringing(pacing *p)
{
    sherd_step_control *control = p->control;
    double limit = p->system->stable_dt, longest = LONGEST_RINGING * limit;
    control->ring_wait = fmin(fmax(2.0 * control->ring_wait, LOOK_AGAIN * limit), longest);
    control->ring_look = sherd_system_time(p->system) + control->ring_wait;
    look_away(p);
}

// Looks now and then at how long a step might be; 0: not worth it, or not yet known [s].
static sherd_status look(pacing *p, double *worth, sherd_error *error)
{
    sherd_step_control *control = p->control;
    double time = sherd_system_time(p->system), step = p->settings->explicit_dt;
    double h = time - control->last_look;
    *worth = 0.0;
    if (h < (1.0 - 1e-9) * LOOK_EVERY * step) return SHERD_OK;
    sherd_time_error judged;
    sherd_status status = sherd_system_watch(p->system, isfinite(h) ? h : 0.0, &judged, error);
    if (status != SHERD_OK) return status;
    bool known = isfinite(judged.bend);
    control->last_look = time;
    control->cost = fmax(0.9 * control->cost, something_broke(p) ? COST_AFTER_BREAKS : LEAST_COST);
    if (!known) return SHERD_OK;
    sherd_implicit_limits limits = limits_of(p, h);
    limits.loss = INFINITY;
    sherd_scheme_kind scheme = scheme_of(p->settings);
    double dt = h * sherd_implicit_allowed_factor(&limits, &judged, scheme, 0.0, h);
    double least = WORTH_ENTERING * control->cost * step;
    if (dt < least) return SHERD_OK;
    if (heeds_ringing(p)) status = find_ringing(p);
    dt = fmin(dt, longest_step(p, &judged, scheme, h));
    if (dt >= least)
        *worth = fmin(dt, LONGEST_ENTRY * step);
    else
        leave_ringing(p);
    return status;
}

// Iterations that a step may take.
static double budget_of(const pacing *p, double dt)
{
    double steps = dt / p->settings->explicit_dt;
    return BUDGET + steps / (something_broke(p) ? STEPS_AFTER_BREAKS : STEPS_AN_ITERATION);
}

// Something rings or tumbles, and steps short enough for it cost more than explicit ones. What tumbles so slowly that
// it allows longer steps is no reason: something else made this one short.
static bool explicit_keeps_ringing(const pacing *p, double dt)
{
    const sherd_step_control *control = p->control;
    double worth = fmax(SHORTEST_STEP, control->cost) * p->settings->explicit_dt;
    if (dt >= worth) return false;
    return control->ring_power > 0.0 || control->tumbling * worth > TUMBLING_TURN;
}

// Bodies that begin in undisturbed flight sleep, which is exact and costs next to nothing, or take large steps.
static sherd_status begin_flight(const pacing *p, double *dt)
{
    bool flies, asleep = false;
    sherd_status status = sherd_system_flies(p->system, &flies, p->error);
    if (status == SHERD_OK && flies) status = sherd_sleep_all(p->system, true, &asleep, p->error);
    if (status == SHERD_OK && flies && !asleep) status = find_ringing(p);
    if (!flies || asleep || explicit_keeps_ringing(p, *dt)) *dt = 0.0;
    return status;
}

// The length of an implicit step to begin with now, 0: explicit steps go on [s].
static sherd_status consider_implicit(pacing *p, double *dt)
{
    const sherd_method_settings *settings = p->settings;
    *dt = FIRST_STEP * settings->explicit_dt;
    if (settings->method == SHERD_METHOD_IMPLICIT) return SHERD_OK;
    if (!p->control->begun && !(settings->fixed_dt > 0.0)) {
        sherd_status status = begin_flight(p, dt);
        if (status != SHERD_OK || *dt > 0.0) return status;
    }
    if (all_asleep(p)) {
        *dt = 0.0;
        return SHERD_OK;
    }
    if (!(settings->fixed_dt > 0.0)) {
        double looks = (SHERD_TRAIL_LENGTH + 1) * LOOK_EVERY * settings->explicit_dt;
        *dt = 0.0;
        bool soon = sherd_system_time(p->system) + looks >= p->control->ring_look;
        sherd_status status = soon && calm_in(p, looks) ? look(p, dt, p->error) : SHERD_OK;
        if (status != SHERD_OK || *dt == 0.0) return status;
    }
    if (!calm_in(p, 0.0) || strained(p) || sleepers_object(p)) *dt = 0.0;
    return SHERD_OK;
}

// A step in which something would be hit hard or break is not worth trying again: most of the way there is. 0: it
// is too near for that.
static double before_danger(const pacing *p, double dt)
{
    bool ahead = p->control->danger_by >= sherd_system_time(p->system);
    return ahead ? fmin(dt, way_to_danger(p)) : dt;
}

// A step in which things could pass each other unseen becomes so short that they can't; 0: explicit steps cost less.
static sherd_status before_meeting(pacing *p, double *dt)
{
    const sherd_method_settings *settings = p->settings;
    if (*dt == 0.0) return SHERD_OK;
    double unseen;
    sherd_status status = sherd_system_tunnelling_bound(p->system, *dt, &unseen, p->error);
    if (status != SHERD_OK || unseen >= *dt) return status;
    double worth = fmax(SHORTEST_STEP, p->control->cost) * settings->explicit_dt;
    *dt = settings->method == SHERD_METHOD_AUTO && unseen < worth ? 0.0 : unseen;
    return SHERD_OK;
}

// sherd_newton_settings.curved of a step: by how much something turns as a whole.
static double curved_share(const pacing *p, double dt)
{
    double turn = p->control->tumbling * dt;
    return turn > 0.0 ? fmin(fmax(turn, LEAST_CURVED), 1.0) : 1.0;
}

// What springs don't stop passes, however short steps are.
static void note_passing(sherd_system *s)
{
    s->split.deepest = fmax(s->split.deepest, sherd_system_passing_depth(s));
}

static sherd_status try_step(pacing *p, double dt, sherd_implicit_result *result)
{
    const sherd_method_settings *settings = p->settings;
    sherd_newton_settings newton = sherd_newton_settings_default();
    newton.tolerance = fmin(newton.tolerance, SHARE_OF_A_STEP * settings->accuracy);
    sherd_implicit_limits limits = limits_of(p, dt);
    // A third of the error in time that is allowed.
    newton.move_tolerance = limits.error / 3.0;
    newton.rest_move = limits.rest_move;
    newton.curved = curved_share(p, dt);
    if (settings->method == SHERD_METHOD_AUTO && settings->fixed_dt == 0.0)
        newton.budget = budget_of(p, dt);
    sherd_status status = sherd_system_step_implicit(p->system, dt, scheme_of(settings), &newton,
                                                     &limits, result, p->error);
    sherd_solver_counts *counts = &p->control->counts;
    counts->newton_iterations += result->newton;
    counts->linear_iterations += result->linear;
    counts->rejected_steps += result->rejected;
    if (status == SHERD_OK && result->end == SHERD_IMPLICIT_DONE) note_passing(p->system);
    return status;
}

static sherd_status one_implicit_step(pacing *p, double dt)
{
    double time = sherd_system_time(p->system);
    sherd_implicit_result result;
    sherd_status status = try_step(p, dt, &result);
    if (status != SHERD_OK) return status;
    if (result.end != SHERD_IMPLICIT_DONE) return turn_back(p, &result);
    after_implicit(p, &result, time);
    status = keep_ringing(p, &result);
    return status == SHERD_OK ? fall_asleep_in_flight(p) : status;
}

// ---------------------------------------------------------------- steps of a given length

// A given length is kept, in parts where things meet: frames and counts of steps are those of whole steps.
static const double SHORTEST_PART = 1e-4; // of a step

static sherd_status fail_too_fast(const pacing *p, double dt, double unseen)
{
    return sherd_fail(p->error, SHERD_ERROR_UNSTABLE, "implicit step",
                      "check speeds and units, use method auto, or give a smaller time_step",
                      "things would pass each other unseen at time %g s but in parts of %g s of a "
                      "time_step of %g s",
                      sherd_system_time(p->system), unseen, dt);
}

// To the time `until`, or as far as it goes.
static sherd_status make_part(pacing *p, double dt, double until)
{
    sherd_system *s = p->system;
    sherd_implicit_result result;
    double time = sherd_system_time(s);
    sherd_status status = try_step(p, dt, &result);
    if (status != SHERD_OK) return status;
    if (result.end != SHERD_IMPLICIT_DONE) return fail_step(p, &result);
    bool there = fabs(until - (time + result.dt)) < 1e-9 * result.dt;
    set_clock(s, there ? until : time + result.dt);
    if (result.breaks > 0) p->control->last_break = sherd_system_time(s);
    p->control->last_dt = result.dt;
    ++s->split.parts;
    p->after(p->context, result.dt / s->dt);
    return SHERD_OK;
}

static sherd_status step_in_parts(pacing *p, double dt, double unseen)
{
    sherd_system *s = p->system;
    double until = sherd_system_time(s) + dt;
    if (fabs(p->until - until) < 1e-9 * dt) until = p->until;
    int64_t parts = s->split.parts;
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && sherd_system_time(s) < until) {
        double part = fitting(p, unseen, until);
        if (unseen < SHORTEST_PART * dt && part < until - sherd_system_time(s))
            return fail_too_fast(p, dt, unseen);
        status = make_part(p, part, until);
        double rest = until - sherd_system_time(s);
        if (status == SHERD_OK && rest > 0.0)
            status = sherd_system_tunnelling_bound(s, rest, &unseen, p->error);
    }
    if (status != SHERD_OK) return status;
    ++s->step;
    set_clock(s, until);
    ++p->control->counts.implicit_steps;
    ++s->split.steps;
    parts = s->split.parts - parts;
    s->split.most = parts > s->split.most ? parts : s->split.most;
    return SHERD_OK;
}

static sherd_status fixed_step(pacing *p)
{
    double dt = fitting(p, p->settings->fixed_dt, next_stop(p)), unseen;
    sherd_status status = sherd_system_tunnelling_bound(p->system, dt, &unseen, p->error);
    if (status != SHERD_OK) return status;
    return unseen < dt ? step_in_parts(p, dt, unseen) : one_implicit_step(p, dt);
}

// ---------------------------------------------------------------- an implicit step

static sherd_status implicit_step(pacing *p)
{
    const sherd_method_settings *settings = p->settings;
    if (settings->fixed_dt > 0.0 && settings->method == SHERD_METHOD_IMPLICIT) return fixed_step(p);
    double dt =
        before_danger(p, settings->fixed_dt > 0.0 ? settings->fixed_dt : p->control->next_dt);
    // Courses are those of the step: it ends at the next stop, where they may change.
    if (dt > 0.0) dt = fitting(p, dt, next_stop(p));
    sherd_status status = before_meeting(p, &dt);
    if (status != SHERD_OK) return status;
    if (dt == 0.0 || explicit_keeps_ringing(p, dt)) {
        go_explicit(p, CALM_AFTER_BREAK * p->system->stable_dt);
        return SHERD_OK;
    }
    return one_implicit_step(p, fitting(p, dt, next_stop(p)));
}

// ---------------------------------------------------------------- all of it

static sherd_status one_step(pacing *p)
{
    sherd_step_control *control = p->control;
    if (!control->implicit_now && !p->settings->explicit_only) {
        double dt;
        sherd_status status = consider_implicit(p, &dt);
        if (status == SHERD_OK && dt > 0.0) status = go_implicit(p, dt);
        if (status != SHERD_OK) return status;
    }
    control->begun = 1;
    return control->implicit_now ? implicit_step(p) : explicit_step(p);
}

// Whether the time has come to look whether the world falls into regions: not while all of it goes implicitly.
static bool may_divide(const pacing *p)
{
    const sherd_step_control *control = p->control;
    return p->settings->regions && !p->system->is_part && control->begun &&
           !control->implicit_now && sherd_system_time(p->system) >= control->divide_at;
}

sherd_status sherd_system_advance_alone(sherd_system *system, const sherd_method_settings *settings,
                                        double until, int64_t most_steps, sherd_after_step *after,
                                        void *context, sherd_error *error)
{
    pacing p = {system, settings, &system->control, until, after, context, error};
    if (!system->control.begun)
        system->control.last_break = system->control.last_look = system->control.danger_by =
            -INFINITY;
    sherd_status status = SHERD_OK;
    if (until != system->control.stop) {
        system->control.interval = until - system->control.stop;
        system->control.stop = until;
    }
    int64_t before = system->step;
    while (status == SHERD_OK && left(&p) > 1e-9 * settings->explicit_dt && !may_divide(&p) &&
           !(system->is_part && system->path > system->path_limit) &&
           system->step - before < most_steps)
        status = one_step(&p);
    sherd_system_settle(system);
    sherd_sleep_place(system);
    return status;
}
