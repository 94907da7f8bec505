#include "stepping/explicit/time_step.h"

#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "linear/eigenvalue.h"
#include "math/point_bins.h"
#include "math/vec3.h"
#include "stepping/system.h"
#include "stepping/system_state.h"

// The Ritz value is within 1 % of the largest eigenvalue when its residual is; the safety factor
// covers more than further iterations would gain.
static const double EIGENVALUE_TOLERANCE = 0.01;
enum { EIGENVALUE_ITERATIONS = 80 };

// The possible gain of the limit, from differences of relaxation times, above which these are
// considered. If it is less, up to 3 % in bodies with scattered bonds, at most half of it was
// gained, mostly a fifth.
static const double WORTHWHILE_GAIN = 1.05;
// Allowed distance of the limit from the best possible one. It is inexact only if the fastest mode
// changes at smaller steps.
static const double LIMIT_TOLERANCE = 1.15;
// Relative to undamped limits, where damping is considered first: up to a damping ratio of 0.4 the
// limit is within this.
static const double FIRST_GUESS = 1.5;
// Added to an estimate of the limit, for noise in eigenvalues.
static const double OVERSHOOT = 1.02;
enum { LIMIT_ITERATIONS = 5 };

static double limit_of(double lambda, double damping_ratio)
{
    return 2.0 / sqrt(lambda) * (sqrt(1.0 + damping_ratio * damping_ratio) - damping_ratio);
}

// L(s) = lambda_max(K + 2 s C).
static sherd_status eigenvalue_at(const sherd_model_part *part, const sherd_parallel *parallel,
                                  double s, sherd_eigenvalue *eigenvalue, sherd_error *error)
{
    sherd_prepared_operator stiffness;
    size_t freedoms = 6 * (size_t)part->model->points(part->state)->count;
    sherd_status status = part->model->prepare_stiffness(part->state, 2.0 * s, &stiffness, error);
    if (status != SHERD_OK) return status;
    status =
        sherd_largest_eigenvalue(stiffness.apply, stiffness.context, freedoms, EIGENVALUE_TOLERANCE,
                                 EIGENVALUE_ITERATIONS, parallel, eigenvalue, error);
    if (stiffness.release != NULL) stiffness.release(stiffness.context);
    return status;
}

// Where the line through two points of L meets 4 s^2.
static double meeting_point(double s_a, double L_a, double s_b, double L_b)
{
    double slope = fmax(0.0, (L_b - L_a) / (s_b - s_a)), start = fmax(0.0, L_b - slope * s_b);
    return (slope + sqrt(slope * slope + 16.0 * start)) / 8.0;
}

// Raises `limit`, which is stable, to the largest step 1/s with L(s) <= 4 s^2, from L(0). All x.(K
// + 2 s C) x are linear in s, >= 0 at s = 0 and non-decreasing, so L is convex and L(s)/s does not
// increase. So the line through two points of L is above L between them and below L beyond; L(s')
// <= s'/s L(s) for s' > s; and the limit is at least at L(s)/(4 s) for a stable s.
static sherd_status damped_limit(const sherd_model_part *part, const sherd_parallel *parallel,
                                 const sherd_eigenvalue *undamped, double *limit,
                                 sherd_error *error)
{
    double below = 0.0, L_below = undamped->bound, lower_bound = 0.5 * sqrt(undamped->estimate);
    double s = fmin(FIRST_GUESS * 0.5 * sqrt(undamped->bound), 1.0 / *limit);
    for (int k = 0; k < LIMIT_ITERATIONS; ++k) {
        sherd_eigenvalue L;
        sherd_status status = eigenvalue_at(part, parallel, s, &L, error);
        if (status != SHERD_OK) return status;
        bool stable = L.bound <= 4.0 * s * s;
        double meeting = meeting_point(below, L_below, s, L.bound);
        *limit = fmax(*limit, stable ? 1.0 / meeting : 4.0 * s / L.bound);
        lower_bound = fmax(lower_bound, stable ? L.estimate / (4.0 * s) : s);
        if (stable && meeting <= LIMIT_TOLERANCE * lower_bound) break;
        if (!stable) below = s, L_below = L.bound;
        s = OVERSHOOT * meeting;
    }
    return SHERD_OK;
}

sherd_status sherd_model_limit(const sherd_model_part *part, const sherd_parallel *parallel,
                               double *limit, sherd_error *error)
{
    if (!part->model->is_stiff(part->state)) return SHERD_OK;
    if (part->model->stable_dt != NULL) {
        *limit = fmin(*limit, part->model->stable_dt(part->state));
        return SHERD_OK;
    }
    sherd_eigenvalue undamped;
    sherd_status status = eigenvalue_at(part, parallel, 0.0, &undamped, error);
    if (status != SHERD_OK) return status;
    if (!(undamped.bound > 0.0)) return SHERD_OK;
    // With C = beta K a mode of frequency w has damping ratio beta w / 2. The limit is between those of the longest
    // and of the shortest beta for all.
    sherd_relaxation_range beta = part->model->relaxation(part->state);
    double omega = sqrt(undamped.bound),
           upper_bound = limit_of(undamped.bound, 0.5 * beta.shortest * omega),
           found = limit_of(undamped.bound, 0.5 * beta.longest * omega);
    if (upper_bound > WORTHWHILE_GAIN * found)
        status = damped_limit(part, parallel, &undamped, &found, error);
    *limit = fmin(*limit, found);
    return status;
}

// Contacts, in x^2 = 2 k/m dt^2: a mode of eigenvalue lambda, of which dashpots take the fraction d
// in a step, is stable up to lambda dt^2 + 2 d = 4. Springs alone, in the densest packing: lambda =
// 16 k/m, 8 x^2 = 4. With six contacts per grain lambda = 9 k/m; in relative motion d <= 3/4
// (contact_respond.h: d <= 1 if all six contacts are opposed, 12 k/m), and 4.5 x^2 + 1.5 = 4 is
// less strict: springs limit the step, whatever the restitution.
//
// Sticking grains can rotate against each other like gears, with 10 k_t/m for every three contacts:
// with k_t = 2/7 k (contact_law.h) 11.4 k/m for twelve contacts, and d <= 1/2, which is less strict
// than that. With k_t = k it would be 20 k/m for six contacts, and bonded elements add the
// stiffness of their bonds.
static double contact_limit(const sherd_contacts *contacts, const sherd_points *points)
{
    double lambda = sherd_contacts_max_eigenvalue(contacts, points);
    return lambda > 0.0 ? limit_of(lambda, 0.0) : INFINITY;
}

// Relative to the distance at which elements touch: the centre of the largest hole of a dense
// packing is at 0.71 of it from the nearest elements. Bodies whose surfaces overlap have fewer
// bonds there.
static const double DEEP = 0.75;

enum { CHUNK = 1024 };

typedef struct overlap_search {
    const sherd_elements *e;
    int32_t *component; // root of each element's component; owned
    sherd_point_bins bins;
    double largest; // radius [m]
} overlap_search;

static sherd_vec3 position_of(const void *context, int32_t k)
{
    return sherd_element_position(context, k);
}

// True if there is more than one component.
static bool join_components(overlap_search *s, const sherd_bonds *bonds)
{
    sherd_element_index n = s->e->count;
    for (sherd_element_index k = 0; k < n; ++k)
        s->component[k] = k;
    for (int64_t b = 0; b < bonds->count; ++b)
        sherd_join_roots(s->component, bonds->i[b], bonds->j[b]);
    bool several = false;
    for (sherd_element_index k = 0; k < n; ++k) {
        s->component[k] = sherd_find_root(s->component, k);
        several = several || s->component[k] != s->component[0];
    }
    return several;
}

static int count_touching(const overlap_search *s, sherd_element_index k)
{
    sherd_vec3 at = sherd_element_position(s->e, k);
    double radius = sherd_element_radius(s->e, k), smallest = INFINITY;
    int count = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&s->bins, at, radius + s->largest);
    while (sherd_point_bins_next(&s->bins, &rows, &begin, &end))
        for (int32_t p = begin; p < end; ++p) {
            sherd_element_index other = s->bins.source[p];
            if (s->component[other] == s->component[k]) continue;
            double touching = radius + sherd_element_radius(s->e, other),
                   ratio = vec3_distance(at, s->bins.point[p]) / touching;
            count += ratio < 1.0;
            smallest = fmin(smallest, ratio);
        }
    return smallest < DEEP ? count : 0;
}

static double touching_of(void *context, size_t begin, size_t end)
{
    double max_touching = 0.0;
    for (size_t k = begin; k < end; ++k)
        max_touching = fmax(max_touching, count_touching(context, (sherd_element_index)k));
    return max_touching;
}

// Detection of bodies that overlap initially.
//
// Where bodies only touch, bonds and contacts of an element together are at most the twelve
// neighbours of a dense packing. Inside another body an element has all of its bonds and contacts
// with the other's elements as well, and both together limit explicit steps.
//
// The largest number of elements of other components that touch an element which has the centre of
// one of them deep inside it; 0: there is none. Broken bonds count, too, because contacts replace
// them.
static sherd_status system_interpenetration(const sherd_system *system, int *max_touching,
                                            sherd_error *error)
{
    *max_touching = 0;
    overlap_search s = {.e = &system->elements};
    for (sherd_element_index k = 0; k < s.e->count; ++k)
        s.largest = fmax(s.largest, sherd_element_radius(s.e, k));
    s.component = sherd_alloc((size_t)s.e->count, sizeof *s.component);
    bool good = s.component != NULL;
    if (good && join_components(&s, &system->bonds)) {
        sherd_bin_size size = {2.0 * s.largest, 4.0, 2.0};
        good = sherd_point_bins_build(&s.bins, position_of, s.e, (int32_t)s.e->count, size);
        if (good)
            *max_touching = (int)sherd_parallel_max(&system->parallel, (size_t)s.e->count, CHUNK,
                                                    touching_of, &s);
        sherd_point_bins_release(&s.bins);
    }
    sherd_free(s.component);
    return good ? SHERD_OK : sherd_fail_memory(error, "time step");
}

// For elements inside another body, bonds and contacts add up: lambda of the sum of two stiffnesses
// is at most the sum of both; that of contacts is scaled from a dense packing's twelve contacts to
// their number.
static sherd_status limit_inside_bodies(const sherd_system *system, double contact, double *limit,
                                        sherd_error *error)
{
    int touching;
    sherd_status status = system_interpenetration(system, &touching, error);
    if (status != SHERD_OK || touching == 0) return status;
    double piles = fmax(1.0, touching / 12.0);
    *limit = 1.0 / sqrt(1.0 / (*limit * *limit) + piles / (contact * contact));
    return SHERD_OK;
}

sherd_status sherd_system_stable_time_step(const sherd_system *system, double *time_step,
                                           sherd_error *error)
{
    double limit = INFINITY;
    sherd_system_models state;
    sherd_models models = sherd_system_models_of(&state, system);
    for (int m = 0; m < models.count; ++m) {
        const sherd_model_part *part = &models.part[m];
        sherd_status status = sherd_model_limit(part, &system->parallel, &limit, error);
        if (status != SHERD_OK) return status;
        if (system->contacts == NULL) continue;
        double contact = contact_limit(system->contacts, &system->elements.points);
        // lambda of the sum of two stiffnesses is at most the sum of both.
        if (part->model->stable_dt != NULL)
            limit = 1.0 / sqrt(1.0 / (limit * limit) + 1.0 / (contact * contact));
        else if (m == 0)
            status = limit_inside_bodies(system, contact, &limit, error);
        if (status != SHERD_OK) return status;
        limit = fmin(limit, contact);
    }
    if (!isfinite(limit) || !(limit > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step",
                          "set a time step: nothing in this world has a stiffness",
                          "no time step can be derived without bonds or contacts");
    *time_step = limit;
    return SHERD_OK;
}
