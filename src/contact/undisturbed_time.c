#include "contact/undisturbed_time.h"

#include "bodies/motion_eval.h"
#include "contact/contact_system.h"
#include "math/vec3.h"

#include <math.h>

static const double FRACTION_OF_GAP = 0.5; // far above rounding and the errors of gaps
// Comparing more pairs of sleepers would take longer than the saved steps.
static const double MAX_PAIRS = 1e5;

typedef struct time_search {
    const sherd_undisturbed *query;
    double safe; // result so far [s]
} time_search;

// ---------------------------------------------------------------- bounds of motion

// Upper bound of the path within t of a point at distance `arm` from the pivot.
static double obstacle_path(const sherd_obstacle *o, double time, double t, double arm)
{
    if (o->kind != SHERD_OBSTACLE_DRIVEN) return 0.0;
    sherd_motion_range range = sherd_motion_range_of(&o->motion, time, t);
    double straight = vec3_distance(sherd_motion_pose(&o->motion, time).position,
                                    sherd_motion_pose(&o->motion, time + t).position);
    return straight + t * (range.off_mean + range.turning * arm);
}

static sherd_vec3 pivot_of(const sherd_obstacle *o, double time)
{
    return vec3_add(o->motion.pivot, sherd_motion_pose(&o->motion, time).position);
}

static double flight_path(const time_search *a, const sherd_sleeper *s, double t)
{
    double g = vec3_length(a->query->gravity);
    return s->is_at_rest ? 0.0 : t * (vec3_length(s->motion.velocity) + 0.5 * t * g);
}

// ---------------------------------------------------------------- times

static bool is_over(const time_search *a)
{
    return a->safe < a->query->min_span;
}

// Farthest corner of a box from a point [m].
static double farthest_of(const sherd_bounds *box, sherd_vec3 from)
{
    sherd_vec3 arm = vec3_max(vec3_sub(from, box->low), vec3_sub(box->high, from));
    return vec3_length(arm);
}

// Elements at their positions at the last search. They have moved since by less than the gap.
static void keep_from_driven(time_search *a, const sherd_contacts *c, const sherd_obstacle *o)
{
    double time = a->query->time, gap = o->contacts.count > 0 ? 0.0 : o->min_slack - o->moved;
    double arm = farthest_of(&c->search_bounds, pivot_of(o, time)) + fmax(gap, 0.0);
    while (!is_over(a) && obstacle_path(o, time, a->safe, arm) > FRACTION_OF_GAP * fmax(gap, 0.0))
        a->safe *= 0.5;
}

static bool flight_meets(const time_search *a, const sherd_sleeper *s, const sherd_obstacle *o,
                         double gap)
{
    double arm = 0.0;
    if (o->kind == SHERD_OBSTACLE_DRIVEN)
        arm = vec3_distance(s->motion.centre, pivot_of(o, a->query->time)) + s->radius;
    double displacement =
        flight_path(a, s, a->safe) + obstacle_path(o, a->query->time, a->safe, arm);
    return displacement > FRACTION_OF_GAP * gap;
}

static void keep_from_obstacle(time_search *a, const sherd_sleeper *s, const sherd_obstacle *o)
{
    double gap = sherd_obstacle_distance(o, s->motion.centre) - s->radius;
    while (!is_over(a) && flight_meets(a, s, o, gap))
        a->safe *= 0.5;
}

static void keep_from_sleeper(time_search *a, const sherd_sleeper *s, const sherd_sleeper *t)
{
    double gap = vec3_distance(s->motion.centre, t->motion.centre) - s->radius - t->radius;
    while (!is_over(a) &&
           flight_path(a, s, a->safe) + flight_path(a, t, a->safe) > FRACTION_OF_GAP * gap)
        a->safe *= 0.5;
}

static void keep_in_flight(time_search *a, const sherd_contacts *c, const sherd_sleeper *s)
{
    const sherd_sleepers *sleepers = c->sleepers;
    for (int o = 0; o < c->obstacle_count && !is_over(a); ++o)
        keep_from_obstacle(a, s, &c->obstacles[o]);
    for (int32_t t = 0; t < sleepers->count && !is_over(a); ++t)
        if (&sleepers->list[t] != s) keep_from_sleeper(a, s, &sleepers->list[t]);
}

static double time_of(const time_search *a)
{
    return is_over(a) ? 0.0 : a->safe;
}

bool sherd_contacts_are_fixed(const sherd_contacts *contacts)
{
    for (int o = 0; o < contacts->obstacle_count; ++o)
        if (contacts->obstacles[o].kind != SHERD_OBSTACLE_FIXED) return false;
    return true;
}

bool sherd_contacts_have_free_bodies(const sherd_contacts *contacts)
{
    for (int o = 0; o < contacts->obstacle_count; ++o)
        if (contacts->obstacles[o].kind == SHERD_OBSTACLE_FREE) return true;
    return false;
}

double sherd_contacts_at_rest_for(const sherd_contacts *contacts, const sherd_undisturbed *query)
{
    time_search a = {query, query->max_span};
    for (int o = 0; o < contacts->obstacle_count && !is_over(&a); ++o) {
        const sherd_obstacle *at = &contacts->obstacles[o];
        if (at->kind == SHERD_OBSTACLE_FREE) return 0.0;
        if (at->kind == SHERD_OBSTACLE_DRIVEN) keep_from_driven(&a, contacts, at);
    }
    return time_of(&a);
}

double sherd_contacts_asleep_for(const sherd_contacts *contacts, const sherd_undisturbed *query)
{
    const sherd_sleepers *sleepers = contacts->sleepers;
    int32_t flying = 0;
    for (int32_t s = 0; s < sleepers->count; ++s)
        flying += !sleepers->list[s].is_at_rest;
    if ((double)flying * sleepers->count > MAX_PAIRS) return 0.0;
    time_search a = {query, sherd_contacts_at_rest_for(contacts, query)};
    for (int32_t s = 0; s < sleepers->count && !is_over(&a); ++s)
        if (!sleepers->list[s].is_at_rest) keep_in_flight(&a, contacts, &sleepers->list[s]);
    return time_of(&a);
}

// ---------------------------------------------------------------- advancing

void sherd_contacts_pass(sherd_contacts *contacts, double time, double dt)
{
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        sherd_obstacle *at = &contacts->obstacles[o];
        at->mean_force = at->force, at->mean_torque = at->torque; // means of a body at rest
        at->swing = (sherd_load_swing){0};
        if (at->kind != SHERD_OBSTACLE_DRIVEN) continue;
        double arm = farthest_of(&contacts->search_bounds, pivot_of(at, time - dt));
        at->moved += obstacle_path(at, time - dt, dt, arm);
    }
    sherd_contacts_move_obstacles(contacts, time, dt, vec3(0.0, 0.0, 0.0));
}
