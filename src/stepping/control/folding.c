#include "stepping/control/folding.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "stepping/regions/boxes.h"

#include <math.h>

enum {
    LONGEST_RUN = 8, // consecutive elements of a component that are looked at together
    // Pairs whose boxes overlap, for every run: with more, half the time is looked at.
    MOST_PAIRS = 64,
};

// The mean motion of a component, at its first element.
typedef struct mean_motion {
    sherd_vec3 place, velocity, spin; // [m], [m/s], [rad/s]
    double count, fastest;            // beyond that motion [m/s]
} mean_motion;

typedef struct folding {
    const sherd_system *system;
    const sherd_element_index *root;
    const sherd_element_course *courses;
    mean_motion *means;                // (n)
    sherd_element_index *begins, *end; // of runs (n)
    sherd_boxes boxes;                 // a box's root is the number of its run
    double unseen;
    size_t pairs;
} folding;

// ---------------------------------------------------------------- beyond the mean motion

static void add_to_means(folding *f)
{
    const sherd_elements *e = &f->system->elements;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        mean_motion *mean = &f->means[f->root[k]];
        mean->place = vec3_add(mean->place, sherd_element_position(e, k));
        mean->velocity = vec3_add(mean->velocity, f->courses[k].velocity);
        mean->spin = vec3_add(mean->spin, sherd_element_spin(e, k));
        mean->count += 1.0;
    }
    for (sherd_element_index k = 0; k < e->count; ++k) {
        mean_motion *mean = &f->means[k];
        if (f->root[k] != k) continue;
        mean->place = vec3_scale(1.0 / mean->count, mean->place);
        mean->velocity = vec3_scale(1.0 / mean->count, mean->velocity);
        mean->spin = vec3_scale(1.0 / mean->count, mean->spin);
    }
}

static sherd_vec3 velocity_beyond(const folding *f, sherd_element_index k)
{
    const mean_motion *mean = &f->means[f->root[k]];
    sherd_vec3 arm = vec3_sub(sherd_element_position(&f->system->elements, k), mean->place);
    sherd_vec3 own = vec3_sub(f->courses[k].velocity, mean->velocity);
    return vec3_sub(own, vec3_cross(mean->spin, arm));
}

static void find_means(folding *f)
{
    add_to_means(f);
    for (sherd_element_index k = 0; k < f->system->elements.count; ++k) {
        double *fastest = &f->means[f->root[k]].fastest;
        *fastest = fmax(*fastest, vec3_length(velocity_beyond(f, k)));
    }
}

// Whether elements of k's component may close by more than a radius.
static bool folds(const folding *f, sherd_element_index k)
{
    return 2.0 * f->means[f->root[k]].fastest * f->unseen > f->system->smallest;
}

// Whether elements move against their mean by enough for any component to fold.
static bool some_fold(const folding *f)
{
    sherd_element_index count = f->system->elements.count;
    sherd_vec3 mean = {0};
    double fastest = 0.0;
    for (sherd_element_index k = 0; k < count; ++k)
        mean = vec3_add_scaled(mean, 1.0 / count, f->courses[k].velocity);
    for (sherd_element_index k = 0; k < count; ++k)
        fastest = fmax(fastest, vec3_distance(f->courses[k].velocity, mean));
    return 2.0 * fastest * f->unseen > f->system->smallest;
}

// ---------------------------------------------------------------- runs

static sherd_status add_run(folding *f, sherd_element_index begin, sherd_element_index end,
                            sherd_error *error)
{
    const sherd_elements *e = &f->system->elements;
    sherd_element_index number = (sherd_element_index)f->boxes.count;
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
    f->begins[number] = begin;
    f->end[number] = end;
    return sherd_boxes_add(&f->boxes, &box, error);
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

// ---------------------------------------------------------------- when two meet

static bool are_bonded(const sherd_system *s, sherd_element_index i, sherd_element_index j)
{
    const sherd_adjacency *a = &s->adjacency;
    for (uint32_t at = a->start[i]; at < a->start[i + 1]; ++at) {
        uint32_t bond = a->bond[at];
        if (!s->bonds.broken[bond] && (s->bonds.i[bond] == j || s->bonds.j[bond] == j)) return true;
    }
    return false;
}

static void look_at_pair(folding *f, sherd_element_index i, sherd_element_index j)
{
    const sherd_elements *e = &f->system->elements;
    double ri = sherd_element_radius(e, i), rj = sherd_element_radius(e, j), near = ri + rj;
    sherd_vec3 w = vec3_sub(velocity_beyond(f, j), velocity_beyond(f, i)),
               d = vec3_sub(sherd_element_position(e, j), sherd_element_position(e, i));
    double speed = vec3_length(w), size = fmin(ri, rj);
    if (speed * f->unseen <= size) return;
    // |d + w t| = near
    double b = vec3_dot(d, w), c = vec3_dot(d, d) - near * near, root = b * b - speed * speed * c;
    if (b >= 0.0 || (c > 0.0 && root < 0.0) || are_bonded(f->system, i, j)) return;
    double time = c > 0.0 ? c / (sqrt(root) - b) : 0.0;
    f->unseen = fmin(f->unseen, time + size / speed);
}

static bool look_at_runs(void *context, const sherd_box *a, const sherd_box *b)
{
    folding *f = context;
    ++f->pairs;
    if (f->root[f->begins[a->root]] == f->root[f->begins[b->root]])
        for (sherd_element_index i = f->begins[a->root]; i < f->end[a->root]; ++i)
            for (sherd_element_index j = f->begins[b->root]; j < f->end[b->root]; ++j)
                look_at_pair(f, i, j);
    return f->pairs > MOST_PAIRS * f->boxes.count;
}

static void look_within(folding *f)
{
    for (size_t r = 0; r < f->boxes.count; ++r)
        for (sherd_element_index i = f->begins[r]; i < f->end[r]; ++i)
            for (sherd_element_index j = i + 1; j < f->end[r]; ++j)
                look_at_pair(f, i, j);
}

static void look_at_all(folding *f)
{
    look_within(f);
    do {
        f->pairs = 0;
        for (size_t k = 0; k < f->boxes.count; ++k)
            f->boxes.list[k].reach = f->unseen * f->boxes.list[k].speed;
        if (!sherd_boxes_sweep(&f->boxes, look_at_runs, f)) break;
        f->unseen *= 0.5;
    } while (f->unseen > f->system->stable_dt);
}

sherd_status sherd_system_unfolded_time(const sherd_system *system, const sherd_element_index *root,
                                        const sherd_element_course *courses, double *unseen,
                                        sherd_error *error)
{
    folding f = {.system = system, .root = root, .courses = courses, .unseen = *unseen};
    if (!some_fold(&f)) return SHERD_OK;
    size_t n = (size_t)system->elements.count;
    f.means = sherd_alloc(n, sizeof *f.means);
    f.begins = sherd_alloc(n, sizeof *f.begins);
    f.end = sherd_alloc(n, sizeof *f.end);
    bool fits = f.means != NULL && f.begins != NULL && f.end != NULL;
    sherd_status status = fits ? SHERD_OK : sherd_fail_memory(error, "meetings");
    if (status == SHERD_OK) {
        find_means(&f);
        status = add_runs(&f, error);
    }
    if (status == SHERD_OK) look_at_all(&f);
    if (status == SHERD_OK) *unseen = f.unseen;
    sherd_free(f.means);
    sherd_free(f.begins);
    sherd_free(f.end);
    sherd_boxes_free(&f.boxes);
    return status;
}
