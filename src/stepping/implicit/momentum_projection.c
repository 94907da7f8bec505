#include "stepping/implicit/momentum_projection.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/inertia.h"
#include "models/bonded/storage/adjacency.h"

#include <string.h>

enum { SEGMENT = 2048 };

void sherd_momentum_projection_free(sherd_momentum_projection *projection)
{
    sherd_free(projection->member);
    sherd_free(projection->segments);
    sherd_free(projection->sums);
    *projection = (sherd_momentum_projection){0};
}

// ---------------------------------------------------------------- fragments

// Sizes at roots; 0 for held fragments.
static void measure(sherd_element_index *size, const sherd_element_index *root,
                    const sherd_elements *elements)
{
    for (sherd_element_index k = 0; k < elements->count; ++k)
        ++size[root[k]];
    for (sherd_element_index k = 0; k < elements->count; ++k)
        if (sherd_point_is_held(&elements->points, k)) size[root[k]] = 0;
}

// Sorts members by fragment, cut into segments. `at` turns from sizes into indices.
static void list_members(sherd_momentum_projection *projection, const sherd_element_index *root,
                         sherd_element_index *at)
{
    sherd_element_index offset = 0;
    projection->fragment_count = projection->segment_count = 0;
    for (sherd_element_index k = 0; k < projection->count; ++k) {
        sherd_element_index size = at[k];
        at[k] = offset;
        if (root[k] != k || size < 2) {
            at[k] = size == 1 ? -2 : -1;
            continue;
        }
        int32_t first = projection->segment_count;
        for (sherd_element_index m = 0; m < size; m += SEGMENT)
            projection->segments[projection->segment_count++] = (sherd_momentum_segment){
                offset + m, offset + (m + SEGMENT < size ? m + SEGMENT : size),
                projection->fragment_count, first};
        ++projection->fragment_count;
        offset += size;
    }
    projection->single_begin = projection->single_end = offset;
    for (sherd_element_index k = 0; k < projection->count; ++k) {
        if (at[root[k]] >= 0) projection->member[at[root[k]]++] = k;
        if (at[k] == -2) projection->member[projection->single_end++] = k;
    }
}

enum { SUMS = 22 };

sherd_status sherd_momentum_projection_update(sherd_momentum_projection *projection,
                                              const sherd_elements *elements,
                                              const sherd_bonds *bonds, uint64_t topology,
                                              sherd_error *error)
{
    if (projection->made && projection->topology == topology) return SHERD_OK;
    size_t n = (size_t)elements->count;
    sherd_element_index *root = sherd_alloc(n, sizeof *root), *at = sherd_alloc(n, sizeof *at);
    if (!projection->made) {
        size_t max_segments = n / 2 + n / SEGMENT + 1; // fragments have at least two elements
        projection->count = elements->count;
        projection->member = sherd_alloc(n, sizeof *projection->member);
        projection->segments = sherd_alloc(max_segments, sizeof *projection->segments);
        projection->sums = sherd_alloc(max_segments * SUMS, sizeof *projection->sums);
    }
    bool done = root != NULL && at != NULL && projection->member != NULL &&
                projection->segments != NULL && projection->sums != NULL;
    if (done) {
        sherd_find_components(bonds, elements->count, root);
        measure(at, root, elements);
        list_members(projection, root, at);
        projection->made = true;
        projection->topology = topology;
    }
    sherd_free(root);
    sherd_free(at);
    return done ? SHERD_OK : sherd_fail_memory(error, "fragments");
}

// ---------------------------------------------------------------- sums over fragments

// Over the members of a segment, relative to the fragment's first element in the new state.
typedef struct momentum_sums {
    double mass;
    sherd_vec3 moment, momentum, spin, torque, force; // m r, m v, r x m v + I w, r x F + T, F
    double turning[6];                                // m (r^2 - r r) + I: xx yy zz xy xz yz
} momentum_sums;
_Static_assert(sizeof(momentum_sums) <= SUMS * sizeof(double), "room");

typedef struct projection_pass {
    const sherd_momentum_projection *projection;
    sherd_elements *elements;
    const sherd_projected_step *step;
} projection_pass;

// The first element of a segment's fragment.
static sherd_element_index first_of(const projection_pass *pass, const sherd_momentum_segment *s)
{
    return pass->projection->member[pass->projection->segments[s->first].begin];
}

// Of loads and external accelerations.
static sherd_vec3 force_on(const projection_pass *pass, sherd_element_index k)
{
    const sherd_projected_step *step = pass->step;
    sherd_vec3 a = step->gravity;
    if (step->external != NULL)
        a = vec3_add(a, vec3(step->external[0][k], step->external[1][k], step->external[2][k]));
    return vec3_add_scaled(sherd_element_force(pass->elements, k),
                           sherd_element_mass(pass->elements, k), a);
}

// Relative to the fragment's first element.
static sherd_vec3 load_arm(const projection_pass *pass, sherd_element_index k,
                           sherd_element_index first, sherd_vec3 arm)
{
    if (!pass->step->loads_of_now) return arm;
    return vec3_sub(sherd_node_position(pass->step->now, (size_t)k),
                    sherd_node_position(pass->step->now, (size_t)first));
}

static void add_member(const projection_pass *pass, sherd_element_index k,
                       sherd_element_index first, momentum_sums *sum)
{
    const sherd_elements *e = pass->elements;
    double mass = sherd_element_mass(e, k), moment = sherd_element_own_inertia(e, k);
    sherd_vec3 r = vec3_sub(sherd_element_position(e, k), sherd_element_position(e, first));
    sherd_vec3 mv = vec3_scale(mass, sherd_element_velocity(e, k)), f = force_on(pass, k);
    sherd_vec3 arm = load_arm(pass, k, first, r);
    sum->mass += mass;
    sum->moment = vec3_add_scaled(sum->moment, mass, r);
    sum->momentum = vec3_add(sum->momentum, mv);
    sum->force = vec3_add(sum->force, f);
    sum->spin = vec3_add(sum->spin, vec3_cross(r, mv));
    sum->spin = vec3_add_scaled(sum->spin, moment, sherd_element_spin(e, k));
    sum->torque =
        vec3_add(sum->torque, vec3_add(vec3_cross(arm, f), sherd_element_own_torque(e, k)));
    inertia_add(sum->turning, mass, moment, r);
}

static void sum_segments(void *context, size_t begin, size_t end)
{
    const projection_pass *pass = context;
    for (size_t s = begin; s < end; ++s) {
        const sherd_momentum_segment *segment = &pass->projection->segments[s];
        momentum_sums sum = {0};
        for (sherd_element_index m = segment->begin; m < segment->end; ++m)
            add_member(pass, pass->projection->member[m], first_of(pass, segment), &sum);
        memcpy(pass->projection->sums + SUMS * s, &sum, sizeof sum);
    }
}

// Angular momentum of a previous state about its centre, times its weight.
typedef struct earlier_sums {
    double mass;
    sherd_vec3 moment, momentum, spin;
} earlier_sums;

static earlier_sums sum_earlier(const projection_pass *pass, const sherd_node_state *state,
                                const sherd_momentum_segment *segment)
{
    const sherd_elements *e = pass->elements;
    sherd_vec3 from = sherd_node_position(state, (size_t)first_of(pass, segment));
    earlier_sums sum = {0};
    for (sherd_element_index m = segment->begin; m < segment->end; ++m) {
        size_t k = (size_t)pass->projection->member[m];
        double mass = sherd_element_mass(e, (sherd_element_index)k);
        sherd_vec3 r = vec3_sub(sherd_node_position(state, k), from);
        sherd_vec3 mv = vec3_scale(mass, sherd_node_velocity(state, k));
        sum.mass += mass;
        sum.moment = vec3_add_scaled(sum.moment, mass, r);
        sum.momentum = vec3_add(sum.momentum, mv);
        sum.spin = vec3_add(sum.spin, vec3_cross(r, mv));
        sum.spin = vec3_add_scaled(sum.spin, sherd_element_own_inertia(e, (sherd_element_index)k),
                                   sherd_node_spin(state, k));
    }
    return sum;
}

// ---------------------------------------------------------------- correction

static sherd_vec3 about_centre(sherd_vec3 spin, sherd_vec3 moment, sherd_vec3 momentum, double mass)
{
    return vec3_sub(spin, vec3_scale(1.0 / mass, vec3_cross(moment, momentum)));
}

static earlier_sums earlier(const projection_pass *pass, const sherd_node_state *state,
                            int32_t first, int32_t end)
{
    earlier_sums sum = {0};
    for (int32_t s = first; s < end; ++s) {
        earlier_sums part = sum_earlier(pass, state, &pass->projection->segments[s]);
        sum.mass += part.mass;
        sum.moment = vec3_add(sum.moment, part.moment);
        sum.momentum = vec3_add(sum.momentum, part.momentum);
        sum.spin = vec3_add(sum.spin, part.spin);
    }
    sum.spin = about_centre(sum.spin, sum.moment, sum.momentum, sum.mass);
    return sum;
}

static momentum_sums add_up(const projection_pass *pass, int32_t first, int32_t end)
{
    momentum_sums sum = {0};
    for (int32_t s = first; s < end; ++s) {
        momentum_sums part;
        memcpy(&part, pass->projection->sums + SUMS * (size_t)s, sizeof part);
        sum.mass += part.mass;
        sum.moment = vec3_add(sum.moment, part.moment);
        sum.momentum = vec3_add(sum.momentum, part.momentum);
        sum.force = vec3_add(sum.force, part.force);
        sum.spin = vec3_add(sum.spin, part.spin);
        sum.torque = vec3_add(sum.torque, part.torque);
        for (int c = 0; c < 6; ++c)
            sum.turning[c] += part.turning[c];
    }
    return sum;
}

// The correcting rigid motion.
typedef struct missing_motion {
    sherd_vec3 centre; // relative to the fragment's first element [m]
    sherd_vec3 velocity, spin;
} missing_motion;

static missing_motion find_missing(const projection_pass *pass, int32_t first, int32_t end)
{
    const sherd_scheme_weights *w = pass->step->weights;
    momentum_sums sum = add_up(pass, first, end);
    earlier_sums now = earlier(pass, pass->step->now, first, end);
    sherd_vec3 momentum = vec3_scale(w->now, now.momentum), spin = vec3_scale(w->now, now.spin);
    if (w->old != 0.0) {
        earlier_sums old = earlier(pass, pass->step->old, first, end);
        momentum = vec3_add_scaled(momentum, w->old, old.momentum);
        spin = vec3_add_scaled(spin, w->old, old.spin);
    }
    sherd_vec3 centre = vec3_scale(1.0 / sum.mass, sum.moment);
    sherd_vec3 of_loads = centre;
    if (pass->step->loads_of_now) of_loads = vec3_scale(1.0 / now.mass, now.moment);
    sherd_vec3 torque = vec3_sub(sum.torque, vec3_cross(of_loads, sum.force));
    momentum = vec3_add_scaled(momentum, 1.0 / w->gamma, sum.force);
    spin = vec3_add_scaled(spin, 1.0 / w->gamma, torque);
    inertia_add(sum.turning, -sum.mass, 0.0, centre);
    sherd_vec3 has = about_centre(sum.spin, sum.moment, sum.momentum, sum.mass);
    return (missing_motion){centre, vec3_scale(1.0 / sum.mass, vec3_sub(momentum, sum.momentum)),
                            inertia_solve(sum.turning, vec3_sub(spin, has))};
}

// Positions follow velocities only by a negligible amount. If a contact is slightly open at the end
// of an iteration that was near enough to its minimum, its force is missing from the sum, and the
// correction would move the body, which the contact should have stopped, into the other one.
static sherd_vec3 bounded_shift(const projection_pass *pass, sherd_element_index k,
                                sherd_vec3 missing)
{
    static const double MAX_SHIFT = 1e-3; // [radii]
    sherd_vec3 shift = vec3_scale(1.0 / pass->step->weights->gamma, missing);
    double max_segments = MAX_SHIFT * sherd_element_radius(pass->elements, k),
           length = vec3_length(shift);
    return length > max_segments ? vec3_scale(max_segments / length, shift) : shift;
}

// The correction is a load over inertia. Contacts that resist with their stiffness reduce the
// displacement: in a long step inertia is 1e-9 of it, and a thousandth of a radius would store so
// much energy in the contact that the next explicit step lifts or throws the body.
static double inertia_fraction(const projection_pass *pass, int32_t first, int32_t end)
{
    const sherd_momentum_projection *projection = pass->projection;
    double pressed = 0.0, mass = 0.0, gamma = pass->step->weights->gamma;
    if (pass->step->pressed == NULL) return 1.0;
    for (sherd_element_index m = projection->segments[first].begin;
         m < projection->segments[end - 1].end; ++m) {
        sherd_element_index k = projection->member[m];
        mass += sherd_element_mass(pass->elements, k);
        pressed += pass->step->pressed->whole[k];
    }
    double inertia = gamma * gamma * mass;
    return inertia / (inertia + pressed);
}

// A single element moves only in directions that contacts leave free: by the trace of their
// stiffness a ball in a funnel was supported with 0.9 of its weight.
static sherd_vec3 inertia_fraction_of_single(const projection_pass *pass, sherd_element_index k,
                                             sherd_vec3 missing)
{
    if (pass->step->pressed == NULL) return missing;
    double gamma = pass->step->weights->gamma, resists[6];
    double inertia = gamma * gamma * sherd_element_mass(pass->elements, k);
    for (int c = 0; c < 6; ++c)
        resists[c] = pass->step->pressed->single[k][c] / inertia + (c < 3 ? 1.0 : 0.0);
    return inertia_solve(resists, missing);
}

static void move_fragment(const projection_pass *pass, int32_t first, int32_t end)
{
    const sherd_momentum_projection *projection = pass->projection;
    sherd_elements *e = pass->elements;
    missing_motion missing = find_missing(pass, first, end);
    sherd_element_index at = first_of(pass, &projection->segments[first]);
    double fraction = inertia_fraction(pass, first, end);
    sherd_vec3 centre = vec3_add(missing.centre, sherd_element_position(e, at)),
               shift = bounded_shift(pass, at, vec3_scale(fraction, missing.velocity));
    for (sherd_element_index m = projection->segments[first].begin;
         m < projection->segments[end - 1].end; ++m) {
        sherd_element_index k = projection->member[m];
        sherd_vec3 r = vec3_sub(sherd_element_position(e, k), centre);
        sherd_vec3 v = vec3_add(missing.velocity, vec3_cross(missing.spin, r));
        e->vx[k] += v.x, e->vy[k] += v.y, e->vz[k] += v.z;
        e->px[k] += shift.x, e->py[k] += shift.y, e->pz[k] += shift.z;
        if (sherd_element_is_spinless(e, k)) continue;
        e->wx[k] += missing.spin.x, e->wy[k] += missing.spin.y, e->wz[k] += missing.spin.z;
    }
}

// Fragments whose first segment is in the range.
static void move_range(void *context, size_t begin, size_t end)
{
    const projection_pass *pass = context;
    const sherd_momentum_projection *projection = pass->projection;
    for (size_t s = begin; s < end; ++s) {
        if (projection->segments[s].first != (int32_t)s) continue;
        int32_t last = (int32_t)s + 1;
        while (last < projection->segment_count &&
               projection->segments[last].fragment == projection->segments[s].fragment)
            ++last;
        move_fragment(pass, (int32_t)s, last);
    }
}

static void set_singles(void *context, size_t begin, size_t end)
{
    const projection_pass *pass = context;
    const sherd_projected_step *step = pass->step;
    const sherd_scheme_weights *w = step->weights;
    sherd_elements *e = pass->elements;
    for (size_t m = begin; m < end; ++m) {
        sherd_element_index at =
            pass->projection->member[(size_t)pass->projection->single_begin + m];
        size_t k = (size_t)at;
        sherd_vec3 v = vec3_scale(w->now, sherd_node_velocity(step->now, k)),
                   spin = vec3_scale(w->now, sherd_node_spin(step->now, k));
        if (w->old != 0.0) {
            v = vec3_add_scaled(v, w->old, sherd_node_velocity(step->old, k));
            spin = vec3_add_scaled(spin, w->old, sherd_node_spin(step->old, k));
        }
        double fraction = 1.0 / w->gamma;
        sherd_vec3 had = sherd_element_velocity(e, at);
        v = vec3_add_scaled(v, fraction / sherd_element_mass(e, at), force_on(pass, at));
        sherd_vec3 shift =
            bounded_shift(pass, at, inertia_fraction_of_single(pass, at, vec3_sub(v, had)));
        e->px[k] += shift.x, e->py[k] += shift.y, e->pz[k] += shift.z;
        spin = vec3_add_scaled(spin, fraction / sherd_element_inertia(e, at),
                               sherd_element_own_torque(e, at));
        sherd_element_set_velocity(e, k, v, spin);
    }
}

void sherd_momentum_project(const sherd_momentum_projection *projection, sherd_elements *elements,
                            const sherd_projected_step *step, const sherd_parallel *parallel)
{
    projection_pass pass = {projection, elements, step};
    size_t count = (size_t)projection->segment_count;
    sherd_parallel_for(parallel, count, 8, sum_segments, &pass);
    sherd_parallel_for(parallel, count, 8, move_range, &pass);
    sherd_parallel_for(parallel, (size_t)(projection->single_end - projection->single_begin),
                       SEGMENT, set_singles, &pass);
}
