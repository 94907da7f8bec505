#include "stepping/implicit/scheme.h"

#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"

enum { CHUNK = 2048, COLUMNS = 14 };

// BDF2 with steps dt after `before`, ratio r = dt / before:
//   y' dt = (1 + 2 r) / (1 + r) y_{n+1} - (1 + r) y_n + r^2 / (1 + r) y_{n-1}
sherd_scheme_weights sherd_scheme_weigh(sherd_scheme_kind kind, double dt, double before)
{
    switch (kind) {
    case SHERD_SCHEME_KIND_BDF2: {
        double r = dt / before, lead = (1.0 + 2.0 * r) / (1.0 + r);
        return (sherd_scheme_weights){lead / dt, (1.0 + r) / lead, -r * r / ((1.0 + r) * lead)};
    }
    case SHERD_SCHEME_KIND_MIDPOINT:
        return (sherd_scheme_weights){2.0 / dt, 1.0, 0.0};
    default:
        return (sherd_scheme_weights){1.0 / dt, 1.0, 0.0};
    }
}

double sherd_scheme_external_extra(sherd_scheme_kind kind, double dt, double before)
{
    return kind == SHERD_SCHEME_KIND_BDF2 ? dt / (before + dt) : 0.0;
}

bool sherd_scheme_target_init(sherd_scheme_target *target, sherd_element_index count)
{
    size_t n = (size_t)count;
    *target = (sherd_scheme_target){.memory = sherd_alloc(n * COLUMNS, sizeof(double))};
    if (target->memory == NULL) return false;
    double *at = target->memory;
    for (int c = 0; c < 3; ++c, at += 2 * n)
        target->free_p[c] = at, target->from_p[c] = at + n;
    for (int c = 0; c < 4; ++c, at += 2 * n)
        target->free_q[c] = at, target->from_q[c] = at + n;
    return true;
}

void sherd_scheme_target_free(sherd_scheme_target *target)
{
    sherd_free(target->memory);
    *target = (sherd_scheme_target){0};
}

size_t sherd_scheme_target_bytes(sherd_element_index count)
{
    return (size_t)count * COLUMNS * sizeof(double);
}

// ---------------------------------------------------------------- targets

typedef struct target_job {
    sherd_scheme_target *target;
    sherd_scheme_weights weights;
    const sherd_node_state *now, *old;
    sherd_vec3 gravity;
    double *const *external;
} target_job;

static void put3(double *const to[3], size_t k, sherd_vec3 a)
{
    to[0][k] = a.x, to[1][k] = a.y, to[2][k] = a.z;
}

static void put4(double *const to[4], size_t k, sherd_quat q)
{
    to[0][k] = q.x, to[1][k] = q.y, to[2][k] = q.z, to[3][k] = q.w;
}

static sherd_vec3 acceleration_of(const target_job *a, size_t k)
{
    if (a->external == NULL) return a->gravity;
    return vec3_add(a->gravity, vec3(a->external[0][k], a->external[1][k], a->external[2][k]));
}

static void set_target_of(const target_job *a, size_t k)
{
    const sherd_node_state *now = a->now, *old = a->old;
    double gamma = a->weights.gamma, weight = a->weights.now, before = a->weights.old;
    sherd_vec3 p = sherd_node_position(now, k), v = sherd_node_velocity(now, k),
               w = sherd_node_spin(now, k);
    sherd_quat q = sherd_node_orientation(now, k);
    if (before != 0.0) {
        sherd_quat q_old = sherd_node_orientation(old, k);
        sherd_vec3 turned = quat_to_rotation_vector(quat_multiply(q_old, quat_conjugate(q)));
        // As a difference from state n: no digits are lost far from the origin.
        p = vec3_add_scaled(p, before, vec3_sub(sherd_node_position(old, k), p));
        q = quat_multiply(quat_from_rotation_vector(vec3_scale(before, turned)), q);
        v = vec3_add_scaled(vec3_scale(weight, v), before, sherd_node_velocity(old, k));
        w = vec3_add_scaled(vec3_scale(weight, w), before, sherd_node_spin(old, k));
    }
    put3(a->target->from_p, k, p);
    put4(a->target->from_q, k, q);
    sherd_vec3 reach = vec3_add_scaled(v, 1.0 / gamma, acceleration_of(a, k));
    put3(a->target->free_p, k, vec3_add_scaled(p, 1.0 / gamma, reach));
    put4(a->target->free_q, k,
         quat_normalize(quat_multiply(quat_from_rotation_vector(vec3_scale(1.0 / gamma, w)), q)));
}

static void set_target_range(void *context, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; ++k)
        set_target_of(context, k);
}

void sherd_scheme_set_target(sherd_scheme_target *target, const sherd_scheme_weights *weights,
                             const sherd_node_state *now, const sherd_node_state *old,
                             sherd_vec3 gravity, double *const external[3],
                             const sherd_parallel *parallel)
{
    target_job a = {target, *weights, now, old, gravity, external};
    target->gamma = weights->gamma;
    sherd_parallel_for(parallel, (size_t)now->count, CHUNK, set_target_range, &a);
}

// ---------------------------------------------------------------- velocities

typedef struct velocities {
    const sherd_scheme_target *target;
    sherd_elements *elements;
} velocities;

static void set_velocities(void *context, size_t begin, size_t end)
{
    const velocities *in = context;
    const sherd_scheme_target *t = in->target;
    sherd_elements *e = in->elements;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 from = vec3(t->from_p[0][k], t->from_p[1][k], t->from_p[2][k]);
        sherd_quat from_q = {t->from_q[0][k], t->from_q[1][k], t->from_q[2][k], t->from_q[3][k]};
        sherd_vec3 turned = quat_to_rotation_vector(
            quat_multiply(sherd_element_orientation(e, i), quat_conjugate(from_q)));
        sherd_vec3 moved = vec3_sub(sherd_element_position(e, i), from);
        sherd_element_set_velocity(e, k, vec3_scale(t->gamma, moved), vec3_scale(t->gamma, turned));
    }
}

void sherd_scheme_velocities(const sherd_scheme_target *target, sherd_elements *elements,
                             const sherd_parallel *parallel)
{
    velocities in = {target, elements};
    sherd_parallel_for(parallel, (size_t)elements->count, CHUNK, set_velocities, &in);
}
