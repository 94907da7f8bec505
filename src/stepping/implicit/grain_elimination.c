#include "stepping/implicit/grain_elimination.h"

#include "linear/linear_system.h"
#include "math/quat.h"
#include "stepping/implicit/inertia.h"

#include <math.h>
#include <string.h>

enum { FREEDOMS = SHERD_NODE_FREEDOMS, MAX_STEPS = 40, MAX_TRIES = 16, MAX_SWEEPS = 4 };

// ---------------------------------------------------------------- selection of grains

static double slope_of(const double *gradient, const double *step, size_t stride, size_t k)
{
    double sum = 0.0;
    for (size_t a = 0; a < FREEDOMS; ++a)
        sum += gradient[a * stride + k] * step[a * stride + k];
    return sum;
}

static bool is_eliminated(const sherd_grain_elimination *grains, sherd_element_index k)
{
    for (int l = 0; l < grains->count; ++l)
        if (grains->element[l] == k) return true;
    return false;
}

static void insert(sherd_grain_elimination *grains, sherd_element_index k)
{
    int at = grains->count++;
    for (; at > 0 && grains->element[at - 1] > k; --at)
        grains->element[at] = grains->element[at - 1];
    grains->element[at] = k;
}

bool sherd_grains_are_few(const sherd_contact_trial *trial, const sherd_elements *elements)
{
    sherd_element_index grains = 0;
    for (sherd_element_index k = 0; k < elements->count; ++k)
        grains += elements->held[k] == 0 && sherd_contact_trial_is_grain(trial, k);
    return grains <= elements->count / 2;
}

bool sherd_grains_eliminate(sherd_grain_elimination *grains, const sherd_contact_trial *trial,
                            const sherd_elements *elements, const double *gradient,
                            const double *step, size_t stride, double slope)
{
    static const double FRACTION = 0.05;
    int before = grains->count;
    for (sherd_element_index k = 0; k < elements->count && grains->count < SHERD_MAX_GRAINS; ++k) {
        // The sum is negative.
        if (slope_of(gradient, step, stride, (size_t)k) > FRACTION * slope) continue;
        if (elements->held[k] != 0 || is_eliminated(grains, k)) continue;
        if (sherd_contact_trial_is_grain(trial, k)) insert(grains, k);
    }
    return grains->count > before;
}

void sherd_grains_clear_step(const sherd_grain_elimination *grains, double *step, size_t stride)
{
    for (int l = 0; l < grains->count; ++l)
        for (size_t a = 0; a < FREEDOMS; ++a)
            step[a * stride + (size_t)grains->element[l]] = 0.0;
}

// ---------------------------------------------------------------- minimisation of one element

typedef struct single {
    const sherd_grain_elimination *grains;
    const sherd_scheme_target *target;
    sherd_contact_trial *trial;
    sherd_elements *elements;
    sherd_error *error;
    int which;
    bool any_moved; // a grain has moved in this sweep

    // At its present pose.
    double energy, gradient[FREEDOMS], matrix[FREEDOMS][FREEDOMS], inertia[FREEDOMS];
} single;

static sherd_status evaluate(single *s)
{
    sherd_element_index k = s->grains->element[s->which];
    sherd_contact_single contact;
    sherd_status status = sherd_contact_trial_single(
        s->trial, &s->elements->points, s->grains->element, s->which, &contact, s->error);
    if (status != SHERD_OK) return status;
    sherd_inertia_potential inertia = sherd_inertia_of(s->target, s->elements, k);
    sherd_vec3 force = vec3_sub(inertia.force, contact.force),
               torque = vec3_sub(inertia.torque, contact.torque);
    s->energy = inertia.energy + contact.energy;
    memcpy(s->gradient, (double[FREEDOMS]){force.x, force.y, force.z, torque.x, torque.y, torque.z},
           sizeof s->gradient);
    memcpy(s->matrix, contact.stiffness, sizeof s->matrix);
    double c = s->target->gamma * s->target->gamma;
    for (int a = 0; a < FREEDOMS; ++a) {
        s->inertia[a] = c * (a < 3 ? sherd_element_mass(s->elements, k)
                                   : sherd_element_inertia(s->elements, k));
        s->matrix[a][a] += s->inertia[a];
    }
    return SHERD_OK;
}

// Cholesky factors of A + shift * inertia in its lower triangle; false: not positive definite.
static bool factor(const single *s, double shift, double m[FREEDOMS][FREEDOMS])
{
    memcpy(m, s->matrix, sizeof s->matrix);
    for (int r = 0; r < FREEDOMS; ++r) {
        m[r][r] += shift * s->inertia[r];
        for (int c = 0; c <= r; ++c) {
            double remainder = m[r][c];
            for (int k = 0; k < c; ++k)
                remainder -= m[r][k] * m[c][k];
            if (r == c && !(remainder > 1e-6 * m[r][r])) return false;
            m[r][c] = c < r ? remainder / m[c][c] : sqrt(remainder);
        }
    }
    return true;
}

// x = -(A + shift)^-1 g with the smallest tried shift that makes it positive definite.
static bool solve(const single *s, double x[FREEDOMS])
{
    double m[FREEDOMS][FREEDOMS], shift = 0.0;
    while (!factor(s, shift, m) && shift < 1e12)
        shift = shift > 0.0 ? 4.0 * shift : 0.25;
    for (int r = 0; r < FREEDOMS; ++r) {
        x[r] = -s->gradient[r];
        for (int k = 0; k < r; ++k)
            x[r] -= m[r][k] * x[k];
        x[r] /= m[r][r];
    }
    for (int r = FREEDOMS - 1; r >= 0; --r) {
        for (int k = r + 1; k < FREEDOMS; ++k)
            x[r] -= m[k][r] * x[k];
        x[r] /= m[r][r];
    }
    return isfinite(x[0]);
}

static double dot(const double a[FREEDOMS], const double b[FREEDOMS])
{
    double sum = 0.0;
    for (int k = 0; k < FREEDOMS; ++k)
        sum += a[k] * b[k];
    return sum;
}

// At most the element's radius and a radian: beyond that its neighbours change.
static double longest(const single *s, const double x[FREEDOMS])
{
    double r = sherd_element_radius(s->elements, s->grains->element[s->which]);
    double shift = vec3_length(vec3(x[0], x[1], x[2])),
           rotation = vec3_length(vec3(x[3], x[4], x[5]));
    double limit = INFINITY;
    if (shift > 0.0) limit = fmin(limit, r / shift);
    if (rotation > 0.0) limit = fmin(limit, 1.0 / rotation);
    return limit;
}

typedef struct pose_at {
    sherd_vec3 p;
    sherd_quat q;
} pose_at;

static void go(single *s, const pose_at *from, const double x[FREEDOMS], double fraction)
{
    sherd_vec3 shift = vec3(x[0], x[1], x[2]), rotation = vec3(x[3], x[4], x[5]);
    sherd_quat turned =
        quat_multiply(quat_from_rotation_vector(vec3_scale(fraction, rotation)), from->q);
    sherd_element_set_pose(s->elements, (size_t)s->grains->element[s->which],
                           vec3_add_scaled(from->p, fraction, shift), quat_normalize(turned));
}

// Bisection to a lower energy with at most half of the slope; there may be kinks anywhere.
static sherd_status search(single *s, const double x[FREEDOMS], double slope, bool *moved)
{
    sherd_element_index k = s->grains->element[s->which];
    pose_at from = {sherd_element_position(s->elements, k),
                    sherd_element_orientation(s->elements, k)};
    double start = s->energy, low = 0.0, high = longest(s, x), at = fmin(1.0, high);
    for (int tries = 0; tries < MAX_TRIES; ++tries) {
        go(s, &from, x, at);
        sherd_status status = evaluate(s);
        if (status != SHERD_OK) return status;
        double now = dot(s->gradient, x);
        bool lower = s->energy < start;
        if (lower && (fabs(now) <= 0.5 * fabs(slope) || at == high)) return SHERD_OK;
        if (lower && now < 0.0)
            low = at;
        else
            high = at;
        at = isfinite(high) ? 0.5 * (low + high) : 2.0 * low;
    }
    go(s, &from, x, low);
    *moved = low > 0.0;
    return evaluate(s);
}

static sherd_status minimise_one(single *s, double *remaining)
{
    sherd_status status = evaluate(s);
    double enough = s->grains->enough;
    bool moved = true;
    for (int step = 0; step < MAX_STEPS && status == SHERD_OK && moved; ++step) {
        double x[FREEDOMS];
        *remaining = INFINITY;
        if (!solve(s, x)) break;
        double slope = dot(s->gradient, x);
        *remaining = sqrt(fmax(0.0, -slope));
        if (*remaining <= enough) break;
        s->any_moved = true;
        status = search(s, x, slope, &moved);
    }
    return status;
}

static sherd_status sweep(single *s, double *remaining)
{
    s->any_moved = false;
    *remaining = 0.0;
    const sherd_grain_elimination *grains = s->grains;
    sherd_status status = sherd_contact_trial_gather(s->trial, &s->elements->points,
                                                     grains->element, grains->count, s->error);
    for (s->which = 0; s->which < grains->count && status == SHERD_OK; ++s->which) {
        double now = 0.0;
        status = minimise_one(s, &now);
        *remaining = fmax(*remaining, now);
    }
    return status;
}

sherd_status sherd_grains_minimise(sherd_grain_elimination *grains,
                                   const sherd_scheme_target *target, sherd_contact_trial *trial,
                                   sherd_elements *elements, sherd_error *error)
{
    single s = {.grains = grains,
                .target = target,
                .trial = trial,
                .elements = elements,
                .error = error,
                .any_moved = true};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < MAX_SWEEPS && s.any_moved && status == SHERD_OK; ++k)
        status = sweep(&s, &grains->remaining);
    return status;
}
