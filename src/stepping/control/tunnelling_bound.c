#include "stepping/control/tunnelling_bound.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bodies/driver_motion.h"
#include "contact/obstacle_motion.h"
#include "contact/time_to_contact.h"
#include "math/vec3.h"
#include "stepping/control/self_contact_bound.h"
#include "stepping/implicit/implicit.h"
#include "stepping/regions/component_boxes.h"

#include <math.h>
#include <string.h>

enum {
    MAX_CLUSTER = 64, // elements of one part: consecutive ones of a component
    // Limit of pairs with overlapping boxes, per part. If there are more, the examined time is
    // halved.
    MAX_PAIRS = 32,
    CLUSTERS_A_CHUNK = 8,
};

// Elements with (almost) equal velocities, or an obstacle.
typedef struct mover {
    sherd_vec3 velocity;     // [m/s]
    double spread;           // deviation of velocities from that [m/s]
    sherd_vec3 acceleration; // acceleration by prescribed loads that no contact balances [m/s^2]
    double size;             // radius of its smallest element, of an obstacle its own [m]
    bool obstacle;
    sherd_element_index begin, end; // elements
} mover;

// Loads on a component, summed at its root: by contacts (loads of bonds cancel), and by gravity and
// drivers.
typedef struct component_load {
    sherd_vec3 contact, prescribed; // [N]
    double mass;
    uint8_t held;
} component_load;

// Kept from step to step.
struct sherd_tunnelling_scratch {
    sherd_element_index *root;     // of components (elements)
    int64_t broken;                // bonds when these were found; -1: not yet
    sherd_element_course *courses; // (elements)
    sherd_obstacle_course *obstacles;
    mover *movers;
    component_load *loads; // by root (elements)
    size_t root_capacity, course_capacity, obstacle_capacity, mover_capacity, load_capacity;
    sherd_boxes boxes; // the `root` of a box is the index of its mover
    sherd_folding_scratch folding;
};

typedef struct tunnelling_search {
    const sherd_system *system;
    double dt; // of the step [s]
    sherd_tunnelling_scratch *scratch;
    size_t mover_count;
    sherd_vec3 drift; // velocity of the frame of all reaches [m/s]
    double safe_time; // result so far [s]
    size_t pairs;
} tunnelling_search;

static sherd_status add(tunnelling_search *m, const mover *what, sherd_bounds bounds, int32_t group,
                        sherd_error *error)
{
    sherd_tunnelling_scratch *scratch = m->scratch;
    if (!sherd_grow((void **)&scratch->movers, &scratch->mover_capacity, m->mover_count + 1,
                    sizeof *scratch->movers))
        return sherd_fail_memory(error, "the search for tunnelling");
    scratch->movers[m->mover_count] = *what;
    sherd_box box = {
        .bounds = bounds, .group = group, .root = (sherd_element_index)m->mover_count++};
    return sherd_boxes_add(&scratch->boxes, &box, error);
}

// ---------------------------------------------------------------- unbalanced accelerations

// Contacts support a body at rest; a body without support accelerates. Contact forces above the
// prescribed ones, as in an impact, are not extrapolated: the impact is over before a step is.
static sherd_vec3 unsupported_force(sherd_vec3 prescribed, sherd_vec3 contact)
{
    sherd_vec3 sum = vec3_add(prescribed, contact);
    double limit = vec3_length(prescribed), length = vec3_length(sum);
    return length > limit ? vec3_scale(limit / length, sum) : sum;
}

// Mean accelerations by drivers over the step in three arrays; false: no driver applies forces.
static bool accelerations(const sherd_system *s, double dt, double *by_drivers[3])
{
    bool push = false;
    for (int d = 0; d < s->drivers.count; ++d)
        push |= s->drivers.drivers[d].drive == SHERD_DRIVE_FORCE;
    double *memory =
        push && s->implicit != NULL ? sherd_implicit_external_scratch(s->implicit) : NULL;
    if (memory == NULL) return false;
    size_t n = (size_t)s->elements.count;
    memset(memory, 0, 3 * n * sizeof *memory);
    for (size_t c = 0; c < 3; ++c)
        by_drivers[c] = memory + c * n;
    const sherd_driver_means means = {sherd_system_time(s), dt, dt, 1.0, 0.0};
    sherd_drivers_accelerate(&s->drivers, &means, by_drivers);
    return true;
}

static void sum_loads(const tunnelling_search *m)
{
    const sherd_system *s = m->system;
    const sherd_elements *e = &s->elements;
    component_load *loads = m->scratch->loads;
    double *by_drivers[3];
    bool push = accelerations(s, m->dt, by_drivers);
    memset(loads, 0, (size_t)e->count * sizeof *loads);
    for (sherd_element_index k = 0; k < e->count; ++k) {
        component_load *to = &loads[m->scratch->root[k]];
        double mass = sherd_element_mass(e, k);
        sherd_vec3 a = s->gravity;
        if (push) a = vec3_add(a, vec3(by_drivers[0][k], by_drivers[1][k], by_drivers[2][k]));
        to->contact = vec3_add(to->contact, sherd_element_force(e, k));
        to->prescribed = vec3_add_scaled(to->prescribed, mass, a);
        to->mass += mass;
        to->held |= e->held[k];
    }
}

// Along axes that a driver holds it moves with the driver.
static sherd_vec3 acceleration_of(const component_load *load)
{
    sherd_vec3 acceleration = unsupported_force(vec3_scale(1.0 / load->mass, load->prescribed),
                                                vec3_scale(1.0 / load->mass, load->contact));
    if (load->held & SHERD_HELD_X) acceleration.x = 0.0;
    if (load->held & SHERD_HELD_Y) acceleration.y = 0.0;
    if (load->held & SHERD_HELD_Z) acceleration.z = 0.0;
    return acceleration;
}

// ---------------------------------------------------------------- movers

// Motion and bounds of its elements.
static void measure_cluster(const tunnelling_search *m, mover *all, sherd_bounds *bounds)
{
    const sherd_elements *e = &m->system->elements;
    for (sherd_element_index k = all->begin; k < all->end; ++k) {
        double r = sherd_element_radius(e, k);
        sherd_vec3 p = sherd_element_position(e, k), reach = vec3(r, r, r);
        bounds->low = vec3_min(bounds->low, vec3_sub(p, reach));
        bounds->high = vec3_max(bounds->high, vec3_add(p, reach));
        all->velocity = vec3_add_scaled(all->velocity, 1.0 / (all->end - all->begin),
                                        m->scratch->courses[k].velocity);
        all->size = fmin(all->size, r);
    }
    for (sherd_element_index k = all->begin; k < all->end; ++k)
        all->spread =
            fmax(all->spread, vec3_distance(m->scratch->courses[k].velocity, all->velocity) +
                                  m->scratch->courses[k].spread);
}

// Part 0 is the loads of all components, which are summed in order; the others are clusters.
static void measure_parts(void *context, size_t begin, size_t end)
{
    const tunnelling_search *m = context;
    if (begin == 0) sum_loads(m);
    for (size_t part = begin > 0 ? begin : 1; part < end; ++part) {
        size_t first = (part - 1) * CLUSTERS_A_CHUNK, last = first + CLUSTERS_A_CHUNK;
        for (size_t k = first; k < last && k < m->mover_count; ++k)
            measure_cluster(m, &m->scratch->movers[k], &m->scratch->boxes.list[k].bounds);
    }
}

static sherd_status add_cluster(tunnelling_search *m, sherd_element_index begin,
                                sherd_element_index end, sherd_error *error)
{
    const sherd_bounds none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const mover all = {.size = INFINITY, .begin = begin, .end = end};
    return add(m, &all, none, m->scratch->root[begin], error);
}

// Consecutive elements of one component.
static sherd_status add_all_elements(tunnelling_search *m, sherd_error *error)
{
    const sherd_system *s = m->system;
    const sherd_element_index *root = m->scratch->root;
    sherd_element_index count = s->elements.count, begin = 0;
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 1; k <= count && status == SHERD_OK; ++k) {
        if (k < count && root[k] == root[begin] && k - begin < MAX_CLUSTER) continue;
        status = add_cluster(m, begin, k, error);
        begin = k;
    }
    if (status != SHERD_OK) return status;
    size_t parts = 1 + (m->mover_count + CLUSTERS_A_CHUNK - 1) / CLUSTERS_A_CHUNK;
    sherd_parallel_for(&s->parallel, parts, 1, measure_parts, m);
    for (size_t k = 0; k < m->mover_count; ++k) {
        mover *all = &m->scratch->movers[k];
        all->acceleration = acceleration_of(&m->scratch->loads[root[all->begin]]);
    }
    return SHERD_OK;
}

static sherd_status add_courses(tunnelling_search *m, const sherd_obstacle_course *courses,
                                int count, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int o = 0; o < count && status == SHERD_OK; ++o) {
        const sherd_obstacle_course *at = &courses[o];
        sherd_vec3 reach = vec3(at->radius, at->radius, at->radius);
        sherd_bounds bounds = {vec3_sub(at->centre, reach), vec3_add(at->centre, reach)};
        mover all = {
            .velocity = at->velocity, .spread = at->spread, .size = at->radius, .obstacle = true};
        if (at->free) all.acceleration = unsupported_force(m->system->gravity, at->pushed);
        status = add(m, &all, bounds, m->system->elements.count + o, error);
    }
    return status;
}

static sherd_status add_obstacles(tunnelling_search *m, sherd_error *error)
{
    const sherd_system *s = m->system;
    size_t limit = (size_t)sherd_contacts_obstacle_count(s->contacts);
    sherd_tunnelling_scratch *scratch = m->scratch;
    if (!sherd_grow((void **)&scratch->obstacles, &scratch->obstacle_capacity, limit,
                    sizeof *scratch->obstacles))
        return sherd_fail_memory(error, "the search for tunnelling");
    int count =
        sherd_contacts_courses(s->contacts, sherd_system_time(s), m->dt, scratch->obstacles);
    return add_courses(m, scratch->obstacles, count, error);
}

// ---------------------------------------------------------------- time of contact

// Narrows [from, to] to the times with a + b t <= 0.
static void keep_below(double a, double b, double *from, double *to)
{
    if (b > 0.0)
        *to = fmin(*to, -a / b);
    else if (b < 0.0)
        *from = fmax(*from, -a / b);
    else if (a > 0.0)
        *to = -INFINITY;
}

static void keep_overlap(double low_a, double high_a, double low_b, double high_b, double speed,
                         double spread, double *from, double *to)
{
    keep_below(low_b - high_a, speed - spread, from, to);
    keep_below(low_a - high_b, -speed - spread, from, to);
}

// Upper bound of the time at which two that may overlap from time `from` on overlap by `size`:
// speed (t - from) + pull (t^2 - from^2)/2 = size.
static double time_to_overlap(double size, double speed, double acceleration, double from)
{
    double distance = size + speed * from + 0.5 * acceleration * from * from;
    double root = sqrt(speed * speed + 2.0 * acceleration * distance);
    return speed + root > 0.0 ? 2.0 * distance / (speed + root) : INFINITY;
}

static bool check_pair(void *context, const sherd_box *a, const sherd_box *b)
{
    tunnelling_search *m = context;
    const mover *x = &m->scratch->movers[a->root], *y = &m->scratch->movers[b->root];
    if (x->obstacle && y->obstacle) return false; // tested by their points
    const sherd_bounds *p = &a->bounds, *q = &b->bounds;
    sherd_vec3 w = vec3_sub(y->velocity, x->velocity);
    double slack = x->spread + y->spread, speed = vec3_length(w) + slack;
    double acceleration = vec3_distance(x->acceleration, y->acceleration);
    // One of two may be held while the other falls.
    slack += 0.5 * m->safe_time * fmax(vec3_length(m->system->gravity), acceleration);
    double from = 0.0, to = m->safe_time;
    keep_overlap(p->low.x, p->high.x, q->low.x, q->high.x, w.x, slack, &from, &to);
    keep_overlap(p->low.y, p->high.y, q->low.y, q->high.y, w.y, slack, &from, &to);
    keep_overlap(p->low.z, p->high.z, q->low.z, q->high.z, w.z, slack, &from, &to);
    if (from <= to)
        m->safe_time = fmin(m->safe_time, time_to_overlap(fmin(x->size, y->size), speed,
                                                          acceleration, fmax(from, 0.0)));
    return ++m->pairs > MAX_PAIRS * m->mover_count;
}

static void set_reaches(tunnelling_search *m)
{
    double weight = vec3_length(m->system->gravity);
    for (size_t k = 0; k < m->scratch->boxes.count; ++k) {
        const mover *at = &m->scratch->movers[m->scratch->boxes.list[k].root];
        double fall = 0.5 * m->safe_time * fmax(weight, vec3_length(at->acceleration));
        double speed = vec3_distance(at->velocity, m->drift) + at->spread + fall;
        m->scratch->boxes.list[k].reach = m->safe_time * speed;
    }
}

static void find_drift(tunnelling_search *m)
{
    m->drift = (sherd_vec3){0};
    for (size_t k = 0; k < m->mover_count; ++k)
        m->drift =
            vec3_add_scaled(m->drift, 1.0 / (double)m->mover_count, m->scratch->movers[k].velocity);
}

// Components change where bonds break.
static void find_roots(const sherd_system *s, sherd_tunnelling_scratch *scratch)
{
    if (scratch->broken != s->bonds.broken_count)
        sherd_find_components(&s->bonds, s->elements.count, scratch->root);
    scratch->broken = s->bonds.broken_count;
}

static sherd_status find_safe_time(tunnelling_search *m, sherd_error *error)
{
    const sherd_system *s = m->system;
    sherd_tunnelling_scratch *scratch = m->scratch;
    double dt = m->dt;
    find_roots(s, scratch);
    sherd_drivers_courses(&s->drivers, &s->elements.points, sherd_system_time(s), dt,
                          scratch->courses);
    sherd_status status = add_all_elements(m, error);
    if (status == SHERD_OK) status = add_obstacles(m, error);
    if (status != SHERD_OK) return status;
    find_drift(m);
    double fall = 0.5 * dt * vec3_length(s->gravity);
    m->safe_time = sherd_contacts_bodies_safe_time(s->contacts, sherd_system_time(s), dt, fall);
    do {
        m->pairs = 0;
        set_reaches(m);
        if (!sherd_boxes_sweep(&m->scratch->boxes, &s->parallel, check_pair, m)) break;
        m->safe_time *= 0.5;
    } while (m->safe_time > s->stable_dt);
    return sherd_system_unfolded_time(s, scratch->root, scratch->courses, &scratch->folding,
                                      &m->safe_time, error);
}

// ---------------------------------------------------------------- memory

void sherd_tunnelling_scratch_forget(sherd_tunnelling_scratch *scratch)
{
    if (scratch != NULL) scratch->broken = -1;
}

void sherd_tunnelling_scratch_destroy(sherd_tunnelling_scratch *scratch)
{
    if (scratch == NULL) return;
    sherd_free(scratch->root);
    sherd_free(scratch->courses);
    sherd_free(scratch->obstacles);
    sherd_free(scratch->movers);
    sherd_free(scratch->loads);
    sherd_boxes_free(&scratch->boxes);
    sherd_folding_scratch_free(&scratch->folding);
    sherd_free(scratch);
}

size_t sherd_tunnelling_scratch_bytes(const sherd_tunnelling_scratch *scratch)
{
    if (scratch == NULL) return 0;
    return sizeof *scratch + scratch->root_capacity * sizeof *scratch->root +
           scratch->course_capacity * sizeof *scratch->courses +
           scratch->obstacle_capacity * sizeof *scratch->obstacles +
           scratch->mover_capacity * sizeof *scratch->movers +
           scratch->load_capacity * sizeof *scratch->loads + sherd_boxes_bytes(&scratch->boxes) +
           sherd_folding_scratch_bytes(&scratch->folding);
}

// NULL: out of memory.
static sherd_tunnelling_scratch *make_room(sherd_system *system)
{
    size_t n = (size_t)system->elements.count;
    if (system->tunnelling == NULL) {
        system->tunnelling = sherd_alloc(1, sizeof *system->tunnelling);
        sherd_tunnelling_scratch_forget(system->tunnelling);
    }
    sherd_tunnelling_scratch *scratch = system->tunnelling;
    if (scratch == NULL ||
        !sherd_grow((void **)&scratch->root, &scratch->root_capacity, n, sizeof *scratch->root) ||
        !sherd_grow((void **)&scratch->courses, &scratch->course_capacity, n,
                    sizeof *scratch->courses) ||
        !sherd_grow((void **)&scratch->loads, &scratch->load_capacity, n, sizeof *scratch->loads))
        return NULL;
    scratch->boxes.count = 0;
    return scratch;
}

// ---------------------------------------------------------------- bound

sherd_status sherd_system_tunnelling_bound(sherd_system *system, double dt, double *safe_time,
                                           sherd_error *error)
{
    SHERD_ASSERT(dt > 0.0, "time advances");
    *safe_time = dt;
    if (system->contacts == NULL || system->elements.count == 0) return SHERD_OK;
    tunnelling_search m = {.system = system, .dt = dt, .scratch = make_room(system)};
    if (m.scratch == NULL) return sherd_fail_memory(error, "the search for tunnelling");
    sherd_status status = find_safe_time(&m, error);
    if (status == SHERD_OK) *safe_time = m.safe_time;
    return status;
}
