#include "contact/explicit/body_patch.h"

#include "math/quat.h"

#include <math.h>
#include <string.h>

enum { SIX = 6 };

static bool moves(const sherd_obstacle *o)
{
    return o->kind == SHERD_OBSTACLE_FREE;
}

static sherd_vec3 in_principal_axes(const sherd_rigid_body *body, sherd_vec3 world)
{
    return quat_rotate_inverse(body->rotation, world);
}

// Rotations in principal axes, translations in world axes: eigenvalues are the same. Lower
// triangle, without the masses.
static void add_response(double A[SIX][SIX], const sherd_rigid_body *body, sherd_vec3 arm,
                         sherd_vec3 n)
{
    sherd_vec3 lever = in_principal_axes(body, vec3_cross(arm, n));
    double j[SIX] = {n.x, n.y, n.z, lever.x, lever.y, lever.z};
    for (int p = 0; p < SIX; ++p)
        for (int q = 0; q <= p; ++q)
            A[p][q] += j[p] * j[q];
}

void sherd_body_patch_add(sherd_body_patch *patch, const sherd_obstacle *body,
                          const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n, double overlap)
{
    sherd_vec3 force = vec3_scale(overlap, n), arm = vec3_sub(x, body->body.centre);
    ++patch->count;
    patch->squares += overlap * overlap;
    patch->power -= vec3_dot(
        force, vec3_sub(sherd_obstacle_velocity(body, x), sherd_obstacle_velocity(other, x)));
    patch->force = vec3_add(patch->force, force);
    patch->torque = vec3_add(patch->torque, vec3_cross(arm, force));
    add_response(patch->response[0], &body->body, arm, n);
    if (!moves(other)) return;
    sherd_vec3 back = vec3_sub(x, other->body.centre);
    patch->back_torque = vec3_sub(patch->back_torque, vec3_cross(back, force));
    add_response(patch->response[1], &other->body, back, n);
}

static void add_matrix(double A[SIX][SIX], const double B[SIX][SIX])
{
    for (int p = 0; p < SIX; ++p)
        for (int q = 0; q < SIX; ++q)
            A[p][q] += B[p][q];
}

void sherd_body_patch_join(sherd_body_patch *patch, const sherd_body_patch *from_other)
{
    patch->count += from_other->count;
    patch->squares += from_other->squares;
    patch->force = vec3_sub(patch->force, from_other->force);
    patch->torque = vec3_add(patch->torque, from_other->back_torque);
    patch->back_torque = vec3_add(patch->back_torque, from_other->torque);
    patch->power += from_other->power;
    add_matrix(patch->response[0], from_other->response[1]);
    add_matrix(patch->response[1], from_other->response[0]);
}

static sherd_vec3 turning(const sherd_rigid_body *body, sherd_vec3 torque)
{
    sherd_vec3 local = in_principal_axes(body, torque), I = body->properties.inertia;
    return quat_rotate(body->rotation, vec3(local.x / I.x, local.y / I.y, local.z / I.z));
}

void sherd_body_patch_push(sherd_body_patch *patch, const sherd_obstacle *body,
                           const sherd_obstacle *other)
{
    patch->moving[0] = vec3_scale(1.0 / body->body.properties.mass, patch->force);
    patch->turning[0] = turning(&body->body, patch->torque);
    patch->moving[1] = patch->turning[1] = vec3(0.0, 0.0, 0.0);
    if (!moves(other)) return;
    patch->moving[1] = vec3_scale(-1.0 / other->body.properties.mass, patch->force);
    patch->turning[1] = turning(&other->body, patch->back_torque);
}

double sherd_body_patch_acceleration(const sherd_body_patch *patch, const sherd_obstacle *body,
                                     const sherd_obstacle *other, sherd_vec3 x, sherd_vec3 n)
{
    sherd_vec3 a =
        vec3_add(patch->moving[0], vec3_cross(patch->turning[0], vec3_sub(x, body->body.centre)));
    if (moves(other))
        a = vec3_sub(a, vec3_add(patch->moving[1],
                                 vec3_cross(patch->turning[1], vec3_sub(x, other->body.centre))));
    return vec3_dot(n, a);
}

// W.M^-1 W [m^2/kg]
static double response_to_itself(const sherd_rigid_body *body, sherd_vec3 force, sherd_vec3 torque)
{
    return vec3_dot(force, force) / body->properties.mass + vec3_dot(torque, turning(body, torque));
}

static void square(double A[SIX][SIX])
{
    double B[SIX][SIX];
    for (int p = 0; p < SIX; ++p)
        for (int q = 0; q < SIX; ++q) {
            B[p][q] = 0.0;
            for (int s = 0; s < SIX; ++s)
                B[p][q] += A[p][s] * A[s][q];
        }
    memcpy(A, B, sizeof B);
}

// tr(A^8)^(1/8), an upper bound: 1.15 times the value if three eigenvalues are equal.
static double largest_eigenvalue(const double A[SIX][SIX], const sherd_rigid_body *body)
{
    sherd_vec3 I = body->properties.inertia;
    double m = 1.0 / sqrt(body->properties.mass), B[SIX][SIX], trace = 0.0, sum = 0.0;
    double weight[SIX] = {m, m, m, 1.0 / sqrt(I.x), 1.0 / sqrt(I.y), 1.0 / sqrt(I.z)};
    for (int p = 0; p < SIX; ++p)
        trace += weight[p] * weight[p] * A[p][p];
    if (!(trace > 0.0)) return 0.0;
    for (int p = 0; p < SIX; ++p)
        for (int q = 0; q < SIX; ++q)
            B[p][q] = weight[p] * weight[q] * (q <= p ? A[p][q] : A[q][p]) / trace;
    square(B);
    square(B);
    for (int p = 0; p < SIX; ++p)
        for (int q = 0; q < SIX; ++q)
            sum += B[p][q] * B[p][q];
    return trace * pow(sum, 0.125);
}

double sherd_body_patch_response(const sherd_body_patch *patch, const sherd_obstacle *body,
                                 const sherd_obstacle *other)
{
    double sum = response_to_itself(&body->body, patch->force, patch->torque);
    if (!moves(other)) return sum;
    return sum +
           response_to_itself(&other->body, vec3_scale(-1.0, patch->force), patch->back_torque);
}

sherd_body_grip sherd_body_patch_grip(const sherd_body_patch *patch, const sherd_obstacle *body,
                                      const sherd_obstacle *other)
{
    double whole = sherd_body_patch_response(patch, body, other),
           max_eigenvalue = largest_eigenvalue(patch->response[0], &body->body);
    if (moves(other)) max_eigenvalue += largest_eigenvalue(patch->response[1], &other->body);
    double tangent = patch->square_accelerations / whole, mobility = whole / patch->squares;
    return (sherd_body_grip){.mobility = mobility,
                             .speed = patch->power / whole,
                             .stiffness_ratio = fmin(mobility / tangent, 1.0),
                             .max_eigenvalue = max_eigenvalue};
}
