#include "stepping/implicit/objective.h"

#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/inertia.h"

#include <math.h>

enum { CHUNK = 2048, DOT_CHUNK = 4096 };

// ---------------------------------------------------------------- inertia and gradient

typedef struct gradient_pass {
    const sherd_objective *objective;
    double *gradient;
} gradient_pass;

static void store_gradient(const gradient_pass *pass, size_t k, sherd_vec3 force, sherd_vec3 torque,
                           uint8_t held)
{
    size_t stride = pass->objective->stride;
    double *g = pass->gradient + k;
    g[0] = held & SHERD_HELD_X ? 0.0 : force.x;
    g[stride] = held & SHERD_HELD_Y ? 0.0 : force.y;
    g[2 * stride] = held & SHERD_HELD_Z ? 0.0 : force.z;
    g[3 * stride] = held & SHERD_HELD_TURN ? 0.0 : torque.x;
    g[4 * stride] = held & SHERD_HELD_TURN ? 0.0 : torque.y;
    g[5 * stride] = held & SHERD_HELD_TURN ? 0.0 : torque.z;
}

static double element_inertia(const gradient_pass *pass, size_t k)
{
    const sherd_elements *e = pass->objective->elements;
    sherd_element_index i = (sherd_element_index)k;
    sherd_inertia_potential inertia = sherd_inertia_of(pass->objective->target, e, i);
    store_gradient(pass, k, vec3_sub(inertia.force, sherd_element_force(e, i)),
                   vec3_sub(inertia.torque, sherd_element_torque(e, i)), e->held[k]);
    return inertia.energy;
}

static double inertia_range(void *context, size_t begin, size_t end)
{
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += element_inertia(context, k);
    return sum;
}

// The vector conjugate to a change of the rotation vector phi, where a is conjugate to a small rotation dtheta
// with a: d phi = (1 - phi x / 2 + k phi x phi x) dtheta, k = (1 - h cot h) / |phi|^2, h = |phi| / 2.
static sherd_vec3 pulled_back(sherd_vec3 phi, sherd_vec3 a)
{
    double angle2 = vec3_dot(phi, phi), half = 0.5 * sqrt(angle2);
    double k = angle2 < 1e-4 ? 1.0 / 12.0 + angle2 / 720.0 : (1.0 - half / tan(half)) / angle2;
    sherd_vec3 across = vec3_cross(phi, a);
    return vec3_add_scaled(vec3_add_scaled(a, 0.5, across), k, vec3_cross(phi, across));
}

// c m / 2 |p - p^|^2 + c / 2 phi.I phi, phi = log(q conj(q^)), I at q^.
static double body_inertia(const gradient_pass *pass, int b)
{
    const sherd_objective *o = pass->objective;
    const sherd_body_target *t = &o->bodies[b];
    const sherd_rigid_body *body = sherd_contact_trial_body(o->trial, b);
    double c = o->target->gamma * o->target->gamma;
    sherd_vec3 displacement = vec3_sub(body->centre, t->centre), force, torque;
    sherd_vec3 turned =
        quat_to_rotation_vector(quat_multiply(body->rotation, quat_conjugate(t->rotation)));
    sherd_vec3 weighed = sherd_node_inertia_times(&t->inertia, turned);
    sherd_contact_trial_body_load(o->trial, b, &force, &torque);
    store_gradient(pass, (size_t)o->elements->count + (size_t)b,
                   vec3_sub(vec3_scale(c * t->inertia.mass, displacement), force),
                   vec3_sub(vec3_scale(c, pulled_back(turned, weighed)), torque), 0);
    return 0.5 * c *
           (t->inertia.mass * vec3_dot(displacement, displacement) + vec3_dot(turned, weighed));
}

// ---------------------------------------------------------------- evaluation

sherd_status sherd_objective_evaluate(const sherd_objective *objective, bool springs,
                                      double *gradient, sherd_objective_value *value,
                                      sherd_error *error)
{
    const sherd_objective *o = objective;
    *value = (sherd_objective_value){0};
    if (o->grains != NULL && o->grains->count > 0) {
        sherd_status status =
            sherd_grains_minimise(o->grains, o->target, o->trial, o->elements, error);
        if (status != SHERD_OK) return status;
    }
    sherd_scheme_velocities(o->target, o->elements, &o->parallel);
    value->bonds = sherd_bonds_evaluate(o->bonds, o->blocks, o->elements, &o->parallel);
    if (o->trial != NULL) {
        sherd_status status = sherd_contact_trial_evaluate(o->trial, &o->elements->points, springs,
                                                           &value->contact, error);
        if (status != SHERD_OK) return status;
    }
    gradient_pass pass = {o, gradient};
    double inertia =
        sherd_parallel_sum(&o->parallel, (size_t)o->elements->count, CHUNK, inertia_range, &pass);
    for (int b = 0; b < o->body_count; ++b)
        inertia += body_inertia(&pass, b);
    // Damping forces are the gradient of P / (2 gamma), P = C v.v, where strain rates are small.
    value->energy = inertia + value->bonds.energy +
                    0.5 * value->bonds.damping_power / o->target->gamma + value->contact.energy;
    return SHERD_OK;
}

// ---------------------------------------------------------------- vectors

typedef struct dot_pass {
    const double *a, *b;
} dot_pass;

// Eight partial sums: a single one would wait for each addition.
static double dot_range(void *context, size_t begin, size_t end)
{
    enum { WIDTH = 8 };
    const dot_pass *pass = context;
    double sums[WIDTH] = {0.0};
    size_t k = begin;
    for (; k + WIDTH <= end; k += WIDTH)
        for (size_t s = 0; s < WIDTH; ++s)
            sums[s] += pass->a[k + s] * pass->b[k + s];
    for (; k < end; ++k)
        sums[0] += pass->a[k] * pass->b[k];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

double sherd_objective_dot(const sherd_objective *objective, const double *a, const double *b)
{
    dot_pass pass = {a, b};
    return sherd_parallel_sum(&objective->parallel, SHERD_NODE_FREEDOMS * objective->stride,
                              DOT_CHUNK, dot_range, &pass);
}

// ---------------------------------------------------------------- motion along geodesics

typedef struct move_pass {
    const sherd_objective *objective;
    const double *step;
    double fraction;
} move_pass;

static sherd_vec3 part(const move_pass *pass, size_t k, size_t column)
{
    size_t stride = pass->objective->stride;
    const double *x = pass->step + column * stride + k;
    return vec3(pass->fraction * x[0], pass->fraction * x[stride], pass->fraction * x[2 * stride]);
}

static sherd_quat turned(sherd_quat q, sherd_vec3 by)
{
    return quat_normalize(quat_multiply(quat_from_rotation_vector(by), q));
}

static void move_range(void *context, size_t begin, size_t end)
{
    const move_pass *pass = context;
    sherd_elements *e = pass->objective->elements;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_element_set_pose(e, k, vec3_add(sherd_element_position(e, i), part(pass, k, 0)),
                               turned(sherd_element_orientation(e, i), part(pass, k, 3)));
    }
}

void sherd_objective_move(const sherd_objective *objective, const double *step, double fraction)
{
    move_pass pass = {objective, step, fraction};
    size_t n = (size_t)objective->elements->count;
    sherd_parallel_for(&objective->parallel, n, CHUNK, move_range, &pass);
    for (int b = 0; b < objective->body_count; ++b) {
        sherd_rigid_body *body = sherd_contact_trial_body(objective->trial, b);
        body->centre = vec3_add(body->centre, part(&pass, n + (size_t)b, 0));
        body->rotation = turned(body->rotation, part(&pass, n + (size_t)b, 3));
    }
}
