// Elements are checked in runs of consecutive ones that are near each other and have similar
// velocities. Only runs whose boxes can meet fast are checked element by element, so that the cost
// depends on the number of fast contacts.
#include "stepping/explicit/closing_limit.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bodies/driver_motion.h"
#include "contact/time_to_contact.h"
#include "math/vec3.h"
#include "stepping/regions/component_boxes.h"

#include <math.h>

enum { LONGEST_RUN = 64, RUNS_A_CHUNK = 16 };
enum { SLOW = -1 }; // group of boxes

// A run's elements are within this many radii of its first one, and their velocities differ from
// its velocity by at most half of what a step resolves.
static const double WIDEST_RUN = 8.0, RUN_FRACTION = 0.5;

// Fraction of the normal bound if a body passes through another, whose contact force then reverses
// at once.
static const double PASSING_FRACTION = 0.25;

// Paths bend slightly within the time examined (contact/time_to_contact.c).
static const double NEAR_MISS = 0.1; // [radii]

typedef struct run {
    sherd_element_index begin, end;
    sherd_bounds bounds;
    sherd_vec3 velocity; // mean [m/s]
    double spread;       // deviation of velocities from that [m/s]
    double turning;      // the fastest spin [rad/s]
    double smallest;     // radius [m]
} run;

typedef struct closing_search {
    const sherd_system *system;
    sherd_step_limit *limit;
    double dt; // requested step length [s]
    int steps; // to examine in advance
    // possible change of velocities of elements in that time, NULL: none; owned [m/s]
    double *uncertainty;
    run *runs;
    size_t run_count, run_capacity;
    sherd_vec3 drift;  // mean velocity of runs [m/s]
    sherd_boxes boxes; // the `root` of a box is the index of its run
} closing_search;

// Examined time span [s].
static double window_of(const closing_search *l)
{
    return l->steps * l->limit->dt;
}

static double fall_of(const closing_search *l)
{
    return 0.5 * window_of(l) * vec3_length(l->system->gravity);
}

static double uncertainty_of(const closing_search *l, sherd_element_index k)
{
    return l->uncertainty != NULL ? l->uncertainty[k] : 0.0;
}

// True if this closing speed would shorten the step.
static bool matters(const closing_search *l, double speed, double size)
{
    return speed * l->limit->dt > SHERD_CLOSING_FRACTION * size;
}

// True if it shortens the step. A contact after the end of the steps found so far has no effect.
static bool take(closing_search *l, const sherd_closing *c)
{
    sherd_step_limit *limit = l->limit;
    // fast, even if something else shortens the step
    bool fast = c->speed * l->dt > SHERD_CLOSING_FRACTION * c->size;
    if (fast) limit->depth = fmax(limit->depth, c->depth / c->size);
    double fraction = SHERD_CLOSING_FRACTION * (c->passes ? PASSING_FRACTION : 1.0);
    limit->rebound_dt = fmin(limit->rebound_dt, fraction * c->size / c->rebound + c->time);
    double dt = fmax(fraction * c->size / c->speed, c->time / l->steps);
    if (!(dt < limit->dt)) return false;
    limit->dt = dt;
    limit->speed = c->speed;
    limit->size = c->size;
    return true;
}

// ---------------------------------------------------------------- runs

static bool joins(const closing_search *l, const run *r, sherd_element_index k)
{
    const sherd_elements *e = &l->system->elements;
    double radius = sherd_element_radius(e, r->begin);
    double speed =
        RUN_FRACTION * SHERD_CLOSING_FRACTION * fmin(radius, sherd_element_radius(e, k)) / l->dt;
    return k - r->begin < LONGEST_RUN &&
           vec3_distance(sherd_element_position(e, k), sherd_element_position(e, r->begin)) <
               WIDEST_RUN * radius &&
           vec3_distance(sherd_element_velocity(e, k), sherd_element_velocity(e, r->begin)) <
               0.5 * speed;
}

static void measure_run(const closing_search *l, run *r)
{
    const sherd_elements *e = &l->system->elements;
    r->bounds = (sherd_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    r->velocity = (sherd_vec3){0};
    r->smallest = INFINITY;
    r->spread = r->turning = 0.0;
    double fraction = 1.0 / (r->end - r->begin);
    for (sherd_element_index k = r->begin; k < r->end; ++k) {
        double radius = sherd_element_radius(e, k);
        sherd_vec3 p = sherd_element_position(e, k), reach = vec3(radius, radius, radius);
        r->bounds.low = vec3_min(r->bounds.low, vec3_sub(p, reach));
        r->bounds.high = vec3_max(r->bounds.high, vec3_add(p, reach));
        r->velocity = vec3_add_scaled(r->velocity, fraction, sherd_element_velocity(e, k));
        r->smallest = fmin(r->smallest, radius);
    }
    for (sherd_element_index k = r->begin; k < r->end; ++k) {
        double difference = vec3_distance(sherd_element_velocity(e, k), r->velocity),
               turning = vec3_length(sherd_element_spin(e, k));
        r->spread = fmax(r->spread, difference + uncertainty_of(l, k));
        r->turning = fmax(r->turning, turning);
    }
}

static void measure_runs(void *context, size_t begin, size_t end)
{
    const closing_search *l = context;
    for (size_t k = begin; k < end; ++k)
        measure_run(l, &l->runs[k]);
}

static sherd_status add_run(closing_search *l, const run *r, sherd_error *error)
{
    if (!sherd_grow((void **)&l->runs, &l->run_capacity, l->run_count + 1, sizeof *l->runs))
        return sherd_fail_memory(error, "fast contacts");
    l->runs[l->run_count++] = *r;
    return SHERD_OK;
}

static sherd_status find_runs(closing_search *l, sherd_error *error)
{
    sherd_element_index count = l->system->elements.count;
    sherd_status status = SHERD_OK;
    run r = {.begin = 0};
    for (sherd_element_index k = 1; k <= count && status == SHERD_OK; ++k) {
        if (k < count && joins(l, &r, k)) continue;
        r.end = k;
        status = add_run(l, &r, error);
        r = (run){.begin = k};
    }
    sherd_parallel_for(&l->system->parallel, l->run_count, RUNS_A_CHUNK, measure_runs, l);
    for (size_t k = 0; k < l->run_count; ++k)
        l->drift = vec3_add_scaled(l->drift, 1.0 / (double)l->run_count, l->runs[k].velocity);
    return status;
}

// Speed of its elements relative to the mean motion of all [m/s].
static double speed_of(const closing_search *l, const run *r)
{
    return vec3_distance(r->velocity, l->drift) + r->spread;
}

// ---------------------------------------------------------------- pairs of elements

static void check_pair(closing_search *l, sherd_element_index i, sherd_element_index j)
{
    const sherd_system *s = l->system;
    sherd_closing closing =
        sherd_contacts_pair_closing(s->contacts, &s->elements.points, i, j,
                                    uncertainty_of(l, i) + uncertainty_of(l, j), window_of(l));
    if (closing.time < INFINITY && take(l, &closing))
        l->limit->first = i, l->limit->second = j, l->limit->obstacle = -1;
}

// Narrows [from, to] to the times at which two intervals overlap that close with `speed` plus or
// minus `spread`.
static void keep_overlap(double low_a, double high_a, double low_b, double high_b, double speed,
                         double spread, double *from, double *to)
{
    double gap[2] = {low_b - high_a, low_a - high_b}, rate[2] = {speed - spread, -speed - spread};
    for (int side = 0; side < 2; ++side) {
        if (gap[side] <= 0.0 && rate[side] <= 0.0) continue;
        double zero = -gap[side] / rate[side];
        if (rate[side] > 0.0)
            *to = fmin(*to, zero);
        else if (rate[side] < 0.0)
            *from = fmax(*from, zero);
        else
            *to = -INFINITY;
    }
}

// True if boxes with relative velocity w overlap within the time examined.
static bool can_meet(const closing_search *l, sherd_bounds p, sherd_bounds q, sherd_vec3 w,
                     double slack)
{
    double from = 0.0, to = window_of(l);
    slack += fall_of(l); // one of two may be held while the other falls
    keep_overlap(p.low.x, p.high.x, q.low.x, q.high.x, w.x, slack, &from, &to);
    keep_overlap(p.low.y, p.high.y, q.low.y, q.high.y, w.y, slack, &from, &to);
    keep_overlap(p.low.z, p.high.z, q.low.z, q.high.z, w.z, slack, &from, &to);
    return from <= to;
}

// The elements of a run that can meet another run.
static int list_meeting_elements(const closing_search *l, const run *r, const run *other,
                                 sherd_element_index found[LONGEST_RUN])
{
    const sherd_elements *e = &l->system->elements;
    int count = 0;
    for (sherd_element_index k = r->begin; k < r->end; ++k) {
        double radius = (1.0 + NEAR_MISS) * sherd_element_radius(e, k);
        sherd_vec3 p = sherd_element_position(e, k), reach = vec3(radius, radius, radius);
        sherd_bounds box = {vec3_sub(p, reach), vec3_add(p, reach)};
        sherd_vec3 w = vec3_sub(other->velocity, sherd_element_velocity(e, k));
        if (can_meet(l, box, other->bounds, w, other->spread + uncertainty_of(l, k)))
            found[count++] = k;
    }
    return count;
}

static bool examine_runs(void *context, const sherd_box *a, const sherd_box *b)
{
    closing_search *l = context;
    const run *x = &l->runs[a->root], *y = &l->runs[b->root];
    sherd_vec3 w = vec3_sub(y->velocity, x->velocity);
    double slack = x->spread + y->spread;
    if (!matters(l, vec3_length(w) + slack, fmin(x->smallest, y->smallest)) ||
        !can_meet(l, x->bounds, y->bounds, w, slack))
        return false;
    sherd_element_index i[LONGEST_RUN], j[LONGEST_RUN];
    int own = list_meeting_elements(l, x, y, i), others = list_meeting_elements(l, y, x, j);
    for (int p = 0; p < own; ++p)
        for (int q = 0; q < others; ++q)
            check_pair(l, i[p], j[q]);
    return false;
}

// Boxes that contain the runs throughout, relative to the mean motion of all.
static sherd_status add_boxes(closing_search *l, sherd_error *error)
{
    l->boxes.count = 0;
    for (size_t k = 0; k < l->run_count; ++k) {
        const run *r = &l->runs[k];
        double speed = speed_of(l, r) + fall_of(l);
        sherd_box box = {.bounds = r->bounds,
                         .reach = window_of(l) * speed + NEAR_MISS * r->smallest,
                         .speed = speed,
                         .group = (int32_t)k,
                         .root = (sherd_element_index)k};
        sherd_status status = sherd_boxes_add(&l->boxes, &box, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

// Of two runs that close fast, one has at least half that speed relative to the mean.
static bool is_fast(const closing_search *l, const sherd_box *box)
{
    return matters(l, 2.0 * box->speed, l->system->smallest);
}

// If there are few fast runs, each is checked against every other run, without a sweep over all.
static bool check_few(closing_search *l)
{
    const size_t max_count = 32;
    size_t fast[32], count = 0;
    for (size_t k = 0; k < l->run_count; ++k) {
        if (!is_fast(l, &l->boxes.list[k])) continue;
        if (count == max_count) return false;
        fast[count++] = k;
    }
    for (size_t f = 0; f < count; ++f)
        for (size_t k = 0; k < l->run_count; ++k)
            if (k != fast[f]) examine_runs(l, &l->boxes.list[fast[f]], &l->boxes.list[k]);
    return true;
}

static sherd_bounds reach_of(const sherd_box *box)
{
    sherd_vec3 reach = vec3(box->reach, box->reach, box->reach);
    return (sherd_bounds){vec3_sub(box->bounds.low, reach), vec3_add(box->bounds.high, reach)};
}

static bool apart(sherd_bounds a, sherd_bounds b)
{
    return a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y ||
           a.low.z > b.high.z || b.low.z > a.high.z;
}

// Keeps fast runs, and slow ones near them, as one group: slow ones need not be compared with each
// other.
static void leave_fast_and_near(closing_search *l)
{
    sherd_bounds all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = 0; k < l->boxes.count; ++k) {
        sherd_bounds reach = reach_of(&l->boxes.list[k]);
        if (!is_fast(l, &l->boxes.list[k])) continue;
        all.low = vec3_min(all.low, reach.low);
        all.high = vec3_max(all.high, reach.high);
    }
    size_t left = 0;
    for (size_t k = 0; k < l->boxes.count; ++k) {
        sherd_box box = l->boxes.list[k];
        bool fast = is_fast(l, &box);
        if (!fast && apart(reach_of(&box), all)) continue;
        if (!fast) box.group = SLOW;
        l->boxes.list[left++] = box;
    }
    l->boxes.count = left;
}

static sherd_status check_elements(closing_search *l, sherd_error *error)
{
    sherd_status status = add_boxes(l, error);
    if (status != SHERD_OK || check_few(l)) return status;
    leave_fast_and_near(l);
    sherd_boxes_sweep(&l->boxes, &l->system->parallel, examine_runs, l);
    return status;
}

// ---------------------------------------------------------------- ends of bonds

// A bond whose ends move or rotate relative to each other by this fraction of their size in a step
// has changed by its end.
static void check_bond(closing_search *l, int64_t b)
{
    const sherd_system *s = l->system;
    const sherd_elements *e = &s->elements;
    if (s->bonds.broken[b]) return;
    sherd_element_index i = s->bonds.i[b], j = s->bonds.j[b];
    double size = fmin(sherd_element_radius(e, i), sherd_element_radius(e, j));
    double ends = vec3_distance(sherd_element_velocity(e, i), sherd_element_velocity(e, j)) +
                  uncertainty_of(l, i) + uncertainty_of(l, j);
    double rims = size * vec3_distance(sherd_element_spin(e, i), sherd_element_spin(e, j));
    double speed = fmax(ends, rims);
    if (!matters(l, speed, size)) return;
    sherd_closing closing = {.speed = speed, .rebound = speed, .size = size};
    if (take(l, &closing)) l->limit->first = i, l->limit->second = j, l->limit->obstacle = -1;
}

// One end of such a bond moves relative to the mean, or rotates, by at least half of that.
static void check_bonds(closing_search *l)
{
    const sherd_adjacency *a = &l->system->adjacency;
    for (size_t n = 0; n < l->run_count; ++n) {
        const run *r = &l->runs[n];
        if (!matters(l, 2.0 * speed_of(l, r), l->system->smallest) &&
            !matters(l, 2.0 * r->turning, 1.0))
            continue;
        for (uint32_t at = a->start[r->begin]; at < a->start[r->end]; ++at)
            check_bond(l, a->bond[at]);
    }
}

// ---------------------------------------------------------------- obstacles

static void check_run(closing_search *l, const run *r, int o, const sherd_obstacle_flight *flight)
{
    const sherd_elements *e = &l->system->elements;
    sherd_vec3 half = vec3_scale(0.5, vec3_sub(r->bounds.high, r->bounds.low)),
               centre = vec3_add(r->bounds.low, half);
    double size = vec3_length(half), fall = fall_of(l);
    double speed = sherd_flight_speed(flight, centre, size, r->velocity) + r->spread + fall;
    if (!matters(l, speed, r->smallest) ||
        sherd_flight_gap(flight, centre, size) > speed * window_of(l))
        return;
    for (sherd_element_index k = r->begin; k < r->end; ++k) {
        sherd_closing closing =
            sherd_flight_closing(flight, &e->points, k, fall + uncertainty_of(l, k), window_of(l));
        if (closing.time < INFINITY && take(l, &closing))
            l->limit->first = k, l->limit->second = -1, l->limit->obstacle = o;
    }
}

static void visit_touching(void *context, sherd_element_index first, sherd_element_index second,
                           int obstacle, const sherd_closing *closing)
{
    closing_search *l = context;
    if (!take(l, closing)) return;
    l->limit->first = first, l->limit->second = second, l->limit->obstacle = obstacle;
}

static void visit_bodies(void *context, int body, int other, const sherd_closing *closing)
{
    closing_search *l = context;
    if (!take(l, closing)) return;
    l->limit->first = l->limit->second = -1;
    l->limit->obstacle = body, l->limit->other = other;
}

static void check_obstacles(closing_search *l)
{
    const sherd_contacts *contacts = l->system->contacts;
    double time = sherd_system_time(l->system);
    for (int o = 0; o < sherd_contacts_obstacle_count(contacts); ++o) {
        sherd_obstacle_flight flight = sherd_contacts_flight(contacts, o, time, window_of(l));
        for (size_t k = 0; k < l->run_count; ++k)
            check_run(l, &l->runs[k], o, &flight);
    }
    sherd_contacts_visit_body_closings(contacts, time, window_of(l), visit_bodies, l);
}

// ---------------------------------------------------------------- step limit

// A free body much lighter than the elements that press on it oscillates faster than each of them
// does on an obstacle (omega dt = 0.6 where that limits steps, sherd_contacts_max_eigenvalue), and
// gains energy by the errors of contacts' first steps. If omega dt is more than twice as large,
// steps are split until it is 0.6; rotations may oscillate at up to sqrt(3) times that frequency.
static const double STEADY_PHASE = 0.6, UNSTEADY_PHASE = 1.2;

static double steady_step(const sherd_system *s, double dt, double speed)
{
    double lambda = sherd_contacts_body_eigenvalue(s->contacts, s->largest, 2.0 * dt * speed);
    if (!(lambda * dt * dt > UNSTEADY_PHASE * UNSTEADY_PHASE)) return INFINITY;
    return STEADY_PHASE / sqrt(lambda);
}

// Largest relative speed of elements and obstacles, from the speeds in the last step [m/s].
static double closing_speed(const sherd_system *system, double dt)
{
    const sherd_contacts *contacts = system->contacts;
    double time = sherd_system_time(system), obstacles = 0.0;
    for (int o = 0; o < sherd_contacts_obstacle_count(contacts); ++o)
        obstacles = fmax(obstacles, sherd_contacts_obstacle_speed(contacts, o, time, dt));
    double jump = sherd_drivers_jump_speed(&system->drivers, &system->elements.points, time, dt);
    double elements = system->elements.count > 1 ? 2.0 * fmax(system->farthest, jump) : 0.0;
    if (sherd_contacts_obstacle_count(contacts) > 0)
        elements = fmax(elements, fmax(system->fastest, jump));
    return elements + obstacles;
}

static sherd_status find_uncertainties(closing_search *l, sherd_error *error)
{
    const sherd_system *s = l->system;
    double time = sherd_system_time(s);
    bool begins = isinf(s->fastest); // bodies may have initial velocities
    if (!begins && !sherd_drivers_jump(&s->drivers, time - l->dt, l->dt + window_of(l)))
        return SHERD_OK;
    l->uncertainty = sherd_alloc((size_t)s->elements.count, sizeof *l->uncertainty);
    if (l->uncertainty == NULL) return sherd_fail_memory(error, "fast contacts");
    sherd_drivers_jumps(&s->drivers, &s->elements.points, time, window_of(l), l->uncertainty);
    return SHERD_OK;
}

sherd_status sherd_system_limit_step(const sherd_system *system, double dt, int steps,
                                     sherd_step_limit *limit, sherd_error *error)
{
    SHERD_ASSERT(dt > 0.0 && steps > 0, "time advances");
    *limit = (sherd_step_limit){
        .dt = dt, .rebound_dt = dt, .first = -1, .second = -1, .obstacle = -1, .other = -1};
    if (system->contacts == NULL) return SHERD_OK;
    closing_search l = {.system = system, .limit = limit, .dt = dt, .steps = steps};
    sherd_status status = find_uncertainties(&l, error);
    if (status == SHERD_OK) status = find_runs(&l, error);
    if (status == SHERD_OK) {
        check_bonds(&l);
        sherd_contacts_visit_touching(system->contacts, &system->elements.points, visit_touching,
                                      &l);
        check_obstacles(&l);
        status = check_elements(&l, error);
    }
    limit->dt = fmin(limit->dt, steady_step(system, dt, closing_speed(system, dt)));
    sherd_free(l.runs);
    sherd_free(l.uncertainty);
    sherd_boxes_free(&l.boxes);
    return status;
}

typedef struct passing {
    double depth;
} passing;

// An element that is pressed as deep but hardly moves does not pass through.
static void note_passing(passing *p, const sherd_closing *c)
{
    const double moves = 0.5; // of the speed at which it met the surface
    if (c->passes && c->time == 0.0 && c->speed > moves * c->rebound)
        p->depth = fmax(p->depth, c->depth / c->size);
}

static void note_element(void *context, sherd_element_index first, sherd_element_index second,
                         int obstacle, const sherd_closing *closing)
{
    (void)first, (void)second, (void)obstacle;
    note_passing(context, closing);
}

static void note_body(void *context, int body, int other, const sherd_closing *closing)
{
    (void)body, (void)other;
    note_passing(context, closing);
}

double sherd_system_passing_depth(const sherd_system *system)
{
    passing p = {0.0};
    if (system->contacts == NULL) return 0.0;
    sherd_contacts_visit_touching(system->contacts, &system->elements.points, note_element, &p);
    sherd_contacts_visit_body_closings(system->contacts, sherd_system_time(system), 0.0, note_body,
                                       &p);
    return fmax(p.depth, sherd_contacts_driven_depth(system->contacts, &system->elements.points));
}

double sherd_system_driven_depth(const sherd_system *system)
{
    if (system->contacts == NULL) return 0.0;
    return sherd_contacts_driven_depth(system->contacts, &system->elements.points);
}

bool sherd_system_may_be_fast(const sherd_system *system, double dt, double *speed)
{
    *speed = 0.0;
    if (system->contacts == NULL) return false;
    *speed = closing_speed(system, dt);
    return *speed * dt > SHERD_CLOSING_FRACTION * system->smallest ||
           dt > steady_step(system, dt, *speed) ||
           sherd_contacts_bodies_are_fast(system->contacts, sherd_system_time(system), dt,
                                          SHERD_CLOSING_FRACTION);
}
