#include "stepping/control/tunnelling_bound.h"

#include "base/error.h"
#include "base/memory.h"
#include "bodies/driver_course.h"
#include "contact/approach.h"
#include "contact/obstacle_course.h"
#include "math/vec3.h"
#include "stepping/control/folding.h"
#include "stepping/regions/boxes.h"

#include <math.h>

enum {
    MOST_TOGETHER = 64, // elements of one part: consecutive ones of a component
    // Pairs whose boxes overlap, for every part: with more, half the time is looked at.
    MOST_PAIRS = 32,
};

// What moves together, or nearly so.
typedef struct mover {
    sherd_vec3 velocity; // [m/s]
    double spread;       // of velocities from that [m/s]
    double size;         // radius of its smallest element, of an obstacle its own [m]
    bool obstacle;
} mover;

typedef struct meeting {
    const sherd_system *system;
    sherd_element_index *root;     // of components (n)
    sherd_element_course *courses; // of elements (n)
    sherd_boxes boxes;             // a box's root is the number of its mover
    mover *movers;
    size_t mover_count, mover_capacity;
    sherd_vec3 drift; // that reaches are seen from [m/s]
    double unseen;    // so far [s]
    size_t pairs;
} meeting;

static sherd_status add(meeting *m, const mover *what, sherd_bounds bounds, int32_t group,
                        sherd_error *error)
{
    if (!sherd_grow((void **)&m->movers, &m->mover_capacity, m->mover_count + 1, sizeof *m->movers))
        return sherd_fail_memory(error, "meetings");
    m->movers[m->mover_count] = *what;
    sherd_box box = {
        .bounds = bounds, .group = group, .root = (sherd_element_index)m->mover_count++};
    return sherd_boxes_add(&m->boxes, &box, error);
}

// Elements [begin, end) of one component.
static sherd_status add_elements(meeting *m, sherd_element_index begin, sherd_element_index end,
                                 sherd_error *error)
{
    const sherd_elements *e = &m->system->elements;
    sherd_bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    mover all = {.size = INFINITY};
    for (sherd_element_index k = begin; k < end; ++k) {
        double r = sherd_element_radius(e, k);
        sherd_vec3 p = sherd_element_position(e, k), reach = vec3(r, r, r);
        bounds.low = vec3_min(bounds.low, vec3_sub(p, reach));
        bounds.high = vec3_max(bounds.high, vec3_add(p, reach));
        all.velocity = vec3_add_scaled(all.velocity, 1.0 / (end - begin), m->courses[k].velocity);
        all.size = fmin(all.size, r);
    }
    for (sherd_element_index k = begin; k < end; ++k)
        all.spread = fmax(all.spread, vec3_distance(m->courses[k].velocity, all.velocity) +
                                          m->courses[k].spread);
    return add(m, &all, bounds, m->root[begin], error);
}

static sherd_status add_all_elements(meeting *m, sherd_error *error)
{
    sherd_element_index count = m->system->elements.count, begin = 0;
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 1; k <= count && status == SHERD_OK; ++k) {
        if (k < count && m->root[k] == m->root[begin] && k - begin < MOST_TOGETHER) continue;
        status = add_elements(m, begin, k, error);
        begin = k;
    }
    return status;
}

static sherd_status add_courses(meeting *m, const sherd_obstacle_course *courses, int count,
                                sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int o = 0; o < count && status == SHERD_OK; ++o) {
        const sherd_obstacle_course *at = &courses[o];
        sherd_vec3 reach = vec3(at->radius, at->radius, at->radius);
        sherd_bounds bounds = {vec3_sub(at->centre, reach), vec3_add(at->centre, reach)};
        mover all = {at->velocity, at->spread, at->radius, true};
        status = add(m, &all, bounds, m->system->elements.count + o, error);
    }
    return status;
}

static sherd_status add_obstacles(meeting *m, double dt, sherd_error *error)
{
    const sherd_system *s = m->system;
    size_t most = (size_t)sherd_contacts_obstacle_count(s->contacts);
    sherd_obstacle_course *courses = sherd_alloc(most, sizeof *courses);
    if (courses == NULL) return sherd_fail_memory(error, "meetings");
    int count = sherd_contacts_courses(s->contacts, sherd_system_time(s), dt, courses);
    sherd_status status = add_courses(m, courses, count, error);
    sherd_free(courses);
    return status;
}

// ---------------------------------------------------------------- when two meet

// Narrows [from, to] to where a + b t <= 0.
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

static bool look_at(void *context, const sherd_box *a, const sherd_box *b)
{
    meeting *m = context;
    const mover *x = &m->movers[a->root], *y = &m->movers[b->root];
    if (x->obstacle && y->obstacle) return false; // find_unseen looks at points of theirs
    const sherd_bounds *p = &a->bounds, *q = &b->bounds;
    sherd_vec3 w = vec3_sub(y->velocity, x->velocity);
    double slack = x->spread + y->spread, speed = vec3_length(w) + slack;
    // One of two may be held while the other falls.
    slack += 0.5 * m->unseen * vec3_length(m->system->gravity);
    double from = 0.0, to = m->unseen;
    keep_overlap(p->low.x, p->high.x, q->low.x, q->high.x, w.x, slack, &from, &to);
    keep_overlap(p->low.y, p->high.y, q->low.y, q->high.y, w.y, slack, &from, &to);
    keep_overlap(p->low.z, p->high.z, q->low.z, q->high.z, w.z, slack, &from, &to);
    if (from <= to) m->unseen = fmin(m->unseen, from + fmin(x->size, y->size) / speed);
    return ++m->pairs > MOST_PAIRS * m->mover_count;
}

static void set_reaches(meeting *m)
{
    double fall = 0.5 * m->unseen * vec3_length(m->system->gravity);
    for (size_t k = 0; k < m->boxes.count; ++k) {
        const mover *at = &m->movers[m->boxes.list[k].root];
        double speed = vec3_distance(at->velocity, m->drift) + at->spread + fall;
        m->boxes.list[k].reach = m->unseen * speed;
    }
}

static void find_drift(meeting *m)
{
    m->drift = (sherd_vec3){0};
    for (size_t k = 0; k < m->mover_count; ++k)
        m->drift = vec3_add_scaled(m->drift, 1.0 / (double)m->mover_count, m->movers[k].velocity);
}

static sherd_status find_unseen(meeting *m, double dt, sherd_error *error)
{
    const sherd_system *s = m->system;
    sherd_find_components(&s->bonds, s->elements.count, m->root);
    sherd_drivers_courses(&s->drivers, &s->elements, sherd_system_time(s), dt, m->courses);
    sherd_status status = add_all_elements(m, error);
    if (status == SHERD_OK) status = add_obstacles(m, dt, error);
    if (status != SHERD_OK) return status;
    find_drift(m);
    double fall = 0.5 * dt * vec3_length(s->gravity);
    m->unseen = sherd_contacts_bodies_unseen(s->contacts, sherd_system_time(s), dt, fall);
    do {
        m->pairs = 0;
        set_reaches(m);
        if (!sherd_boxes_sweep(&m->boxes, look_at, m)) break;
        m->unseen *= 0.5;
    } while (m->unseen > s->stable_dt);
    return sherd_system_unfolded_time(s, m->root, m->courses, &m->unseen, error);
}

sherd_status sherd_system_tunnelling_bound(const sherd_system *system, double dt, double *unseen,
                                           sherd_error *error)
{
    *unseen = dt;
    if (system->contacts == NULL || system->elements.count == 0) return SHERD_OK;
    size_t n = (size_t)system->elements.count;
    meeting m = {.system = system,
                 .root = sherd_alloc(n, sizeof *m.root),
                 .courses = sherd_alloc(n, sizeof *m.courses)};
    bool fits = m.root != NULL && m.courses != NULL;
    sherd_status status = fits ? find_unseen(&m, dt, error) : sherd_fail_memory(error, "meetings");
    if (status == SHERD_OK) *unseen = m.unseen;
    sherd_free(m.root);
    sherd_free(m.courses);
    sherd_free(m.movers);
    sherd_boxes_free(&m.boxes);
    return status;
}
