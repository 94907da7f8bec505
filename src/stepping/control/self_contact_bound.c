#include "stepping/control/self_contact_bound.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum {
    LONGEST_RUN = 8, // consecutive elements of a component that are tested together
    // Limit of pairs with overlapping boxes, per run. If there are more, the examined time is
    // halved.
    MAX_PAIRS = 64,
};

// The mean motion of a component, at its first element.
typedef struct sherd_mean_motion {
    sherd_vec3 position, velocity, spin; // [m], [m/s], [rad/s]
    double count, fastest;               // relative to the mean motion [m/s]
} mean_motion;

typedef struct folding {
    const sherd_system *system;
    const sherd_element_index *root;
    const sherd_element_course *courses;
    sherd_folding_scratch *scratch;
    double safe_time;
    size_t pairs;
} folding;

// ---------------------------------------------------------------- motion relative to the mean

static void add_to_means(folding *f)
{
    const sherd_elements *e = &f->system->elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        mean_motion *mean = &f->scratch->means[f->root[k]];
        mean->position = vec3_add(mean->position, sherd_element_position(e, k));
        mean->velocity = vec3_add(mean->velocity, f->courses[k].velocity);
        mean->spin = vec3_add(mean->spin, sherd_element_spin(e, k));
        mean->count += 1.0;
    }
    for (sherd_element_index k = 0; k < e->count; ++k) {
        mean_motion *mean = &f->scratch->means[k];
        if (f->root[k] != k) continue;
        mean->position = vec3_scale(1.0 / mean->count, mean->position);
        mean->velocity = vec3_scale(1.0 / mean->count, mean->velocity);
        mean->spin = vec3_scale(1.0 / mean->count, mean->spin);
    }
}

static sherd_vec3 velocity_beyond(const folding *f, sherd_element_index k)
{
    const mean_motion *mean = &f->scratch->means[f->root[k]];
    sherd_vec3 arm = vec3_sub(sherd_element_position(&f->system->elements, k), mean->position);
    sherd_vec3 own = vec3_sub(f->courses[k].velocity, mean->velocity);
    return vec3_sub(own, vec3_cross(mean->spin, arm));
}

static void find_means(folding *f)
{
    add_to_means(f);
    for (sherd_element_index k = 0; k < f->system->elements.count; ++k) {
        double *fastest = &f->scratch->means[f->root[k]].fastest;
        *fastest = fmax(*fastest, vec3_length(velocity_beyond(f, k)));
    }
}

// True if elements of k's component may close by more than a radius.
static bool folds(const folding *f, sherd_element_index k)
{
    return 2.0 * f->scratch->means[f->root[k]].fastest * f->safe_time > f->system->smallest;
}

// True if elements move fast enough relative to their mean for any component to fold.
static bool some_fold(const folding *f)
{
    sherd_element_index count = f->system->elements.count;
    sherd_vec3 mean = {0};
    double fastest = 0.0;
    for (sherd_element_index k = 0; k < count; ++k)
        mean = vec3_add_scaled(mean, 1.0 / count, f->courses[k].velocity);
    for (sherd_element_index k = 0; k < count; ++k)
        fastest = fmax(fastest, vec3_distance(f->courses[k].velocity, mean));
    return 2.0 * fastest * f->safe_time > f->system->smallest;
}

// ---------------------------------------------------------------- runs of elements

static sherd_status add_run(folding *f, sherd_element_index begin, sherd_element_index end,
                            sherd_error *error)
{
    const sherd_elements *e = &f->system->elements;
    sherd_element_index number = (sherd_element_index)f->scratch->boxes.count;
    sherd_box box = {.bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
                     .group = number,
                     .root = number};
    for (sherd_element_index k = begin; k < end; ++k) {
        double r = sherd_element_radius(e, k);
        sherd_vec3 p = sherd_element_position(e, k), reach = vec3(r, r, r);
        box.bounds.low = vec3_min(box.bounds.low, vec3_sub(p, reach));
        box.bounds.high = vec3_max(box.bounds.high, vec3_add(p, reach));
        box.speed = fmax(box.speed, vec3_length(velocity_beyond(f, k)));
    }
    f->scratch->begins[number] = begin;
    f->scratch->end[number] = end;
    return sherd_boxes_add(&f->scratch->boxes, &box, error);
}

static sherd_status add_runs(folding *f, sherd_error *error)
{
    sherd_element_index count = f->system->elements.count, begin = 0;
    sherd_status status = SHERD_OK;
    for (sherd_element_index k = 1; k <= count && status == SHERD_OK; ++k) {
        if (k < count && f->root[k] == f->root[begin] && k - begin < LONGEST_RUN) continue;
        if (folds(f, begin)) status = add_run(f, begin, k, error);
        begin = k;
    }
    return status;
}

// ---------------------------------------------------------------- time of contact

static bool are_bonded(const sherd_system *s, sherd_element_index i, sherd_element_index j)
{
    const sherd_adjacency *a = &s->adjacency;
    for (uint32_t at = a->start[i]; at < a->start[i + 1]; ++at) {
        uint32_t bond = a->bond[at];
        if (!s->bonds.broken[bond] && (s->bonds.i[bond] == j || s->bonds.j[bond] == j)) return true;
    }
    return false;
}

static void examine_pair(folding *f, sherd_element_index i, sherd_element_index j)
{
    const sherd_elements *e = &f->system->elements;
    double ri = sherd_element_radius(e, i), rj = sherd_element_radius(e, j), near = ri + rj;
    sherd_vec3 w = vec3_sub(velocity_beyond(f, j), velocity_beyond(f, i)),
               d = vec3_sub(sherd_element_position(e, j), sherd_element_position(e, i));
    double speed = vec3_length(w), size = fmin(ri, rj);
    if (speed * f->safe_time <= size) return;
    // |d + w t| = near
    double b = vec3_dot(d, w), c = vec3_dot(d, d) - near * near, root = b * b - speed * speed * c;
    if (b >= 0.0 || (c > 0.0 && root < 0.0) || are_bonded(f->system, i, j)) return;
    double time = c > 0.0 ? c / (sqrt(root) - b) : 0.0;
    f->safe_time = fmin(f->safe_time, time + size / speed);
}

static bool examine_runs(void *context, const sherd_box *a, const sherd_box *b)
{
    folding *f = context;
    ++f->pairs;
    if (f->root[f->scratch->begins[a->root]] == f->root[f->scratch->begins[b->root]])
        for (sherd_element_index i = f->scratch->begins[a->root]; i < f->scratch->end[a->root]; ++i)
            for (sherd_element_index j = f->scratch->begins[b->root]; j < f->scratch->end[b->root];
                 ++j)
                examine_pair(f, i, j);
    return f->pairs > MAX_PAIRS * f->scratch->boxes.count;
}

static void examine_within(folding *f)
{
    for (size_t r = 0; r < f->scratch->boxes.count; ++r)
        for (sherd_element_index i = f->scratch->begins[r]; i < f->scratch->end[r]; ++i)
            for (sherd_element_index j = i + 1; j < f->scratch->end[r]; ++j)
                examine_pair(f, i, j);
}

static void examine_all(folding *f)
{
    examine_within(f);
    do {
        f->pairs = 0;
        for (size_t k = 0; k < f->scratch->boxes.count; ++k)
            f->scratch->boxes.list[k].reach = f->safe_time * f->scratch->boxes.list[k].speed;
        if (!sherd_boxes_sweep(&f->scratch->boxes, &f->system->parallel, examine_runs, f)) break;
        f->safe_time *= 0.5;
    } while (f->safe_time > f->system->stable_dt);
}

// ---------------------------------------------------------------- memory

void sherd_folding_scratch_free(sherd_folding_scratch *scratch)
{
    sherd_free(scratch->means);
    sherd_free(scratch->begins);
    sherd_free(scratch->end);
    sherd_boxes_free(&scratch->boxes);
    *scratch = (sherd_folding_scratch){0};
}

size_t sherd_folding_scratch_bytes(const sherd_folding_scratch *scratch)
{
    return scratch->mean_capacity * sizeof *scratch->means +
           (scratch->begin_capacity + scratch->end_capacity) * sizeof *scratch->begins +
           sherd_boxes_bytes(&scratch->boxes);
}

static bool make_room(sherd_folding_scratch *scratch, size_t n)
{
    scratch->boxes.count = 0;
    if (!sherd_grow((void **)&scratch->means, &scratch->mean_capacity, n, sizeof *scratch->means) ||
        !sherd_grow((void **)&scratch->begins, &scratch->begin_capacity, n,
                    sizeof *scratch->begins) ||
        !sherd_grow((void **)&scratch->end, &scratch->end_capacity, n, sizeof *scratch->end))
        return false;
    memset(scratch->means, 0, n * sizeof *scratch->means);
    return true;
}

// ---------------------------------------------------------------- bound

sherd_status sherd_system_unfolded_time(const sherd_system *system, const sherd_element_index *root,
                                        const sherd_element_course *courses,
                                        sherd_folding_scratch *scratch, double *safe_time,
                                        sherd_error *error)
{
    SHERD_ASSERT(*safe_time >= 0.0, "a bound on time is not negative");
    folding f = {system, root, courses, scratch, *safe_time, 0};
    if (!some_fold(&f)) return SHERD_OK;
    if (!make_room(scratch, (size_t)system->elements.count))
        return sherd_fail_memory(error, "the search for tunnelling");
    find_means(&f);
    sherd_status status = add_runs(&f, error);
    if (status != SHERD_OK) return status;
    examine_all(&f);
    *safe_time = f.safe_time;
    return SHERD_OK;
}
