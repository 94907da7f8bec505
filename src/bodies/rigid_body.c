#include "bodies/rigid_body.h"

#include "base/assertion.h"
#include "base/error.h"
#include "math/quat.h"
#include "math/symmetric_eigen.h"

#include <stddef.h>
#include <string.h>

// Sum over the tetrahedra (origin, a, b, c) of volume, volume * centroid and of the integral of
// x x^T, which is V/20 (s s^T + a a^T + b b^T + c c^T) with s = a + b + c.
typedef struct volume_integrals {
    double volume;
    double first[3];
    double second[3][3];
} volume_integrals;

static void add_tetrahedron(volume_integrals *sum, const double *a, const double *b,
                            const double *c)
{
    sherd_vec3 va = vec3(a[0], a[1], a[2]), vb = vec3(b[0], b[1], b[2]),
               vc = vec3(c[0], c[1], c[2]);
    double volume = vec3_dot(va, vec3_cross(vb, vc)) / 6.0;
    sum->volume += volume;
    for (int p = 0; p < 3; ++p) {
        double s_p = a[p] + b[p] + c[p];
        sum->first[p] += 0.25 * volume * s_p;
        for (int q = 0; q < 3; ++q)
            sum->second[p][q] +=
                volume / 20.0 *
                (s_p * (a[q] + b[q] + c[q]) + a[p] * a[q] + b[p] * b[q] + c[p] * c[q]);
    }
}

static volume_integrals integrate(const sherd_mesh *mesh, sherd_vec3 origin)
{
    volume_integrals sum = {0};
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            const double *v = &mesh->vertices[3 * mesh->triangles[3 * t + k]];
            corner[k][0] = v[0] - origin.x;
            corner[k][1] = v[1] - origin.y;
            corner[k][2] = v[2] - origin.z;
        }
        add_tetrahedron(&sum, corner[0], corner[1], corner[2]);
    }
    return sum;
}

// The unit quaternion of a proper rotation matrix (rows R[r]), by its largest component.
static sherd_quat quat_of_matrix(double R[3][3])
{
    double trace = R[0][0] + R[1][1] + R[2][2];
    sherd_quat q;
    if (trace > 0.0)
        q = quat(R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1], 1.0 + trace);
    else if (R[0][0] >= R[1][1] && R[0][0] >= R[2][2])
        q = quat(1.0 + R[0][0] - R[1][1] - R[2][2], R[0][1] + R[1][0], R[0][2] + R[2][0],
                 R[2][1] - R[1][2]);
    else if (R[1][1] >= R[2][2])
        q = quat(R[0][1] + R[1][0], 1.0 - R[0][0] + R[1][1] - R[2][2], R[1][2] + R[2][1],
                 R[0][2] - R[2][0]);
    else
        q = quat(R[0][2] + R[2][0], R[1][2] + R[2][1], 1.0 - R[0][0] - R[1][1] + R[2][2],
                 R[1][0] - R[0][1]);
    return quat_normalize(q);
}

void sherd_mass_properties_set_inertia(sherd_mass_properties *out, double tensor[3][3])
{
    double A[3][3], V[3][3], moments[3];
    memcpy(A, tensor, sizeof A);
    sherd_symmetric_eigen(3, &A[0][0], moments, &V[0][0]);
    out->inertia = vec3(moments[0], moments[1], moments[2]);
    out->axes = quat_of_matrix(V); // Jacobi rotations are proper: so is V
}

sherd_status sherd_mass_properties_of(sherd_mass_properties *out, const sherd_mesh *surface,
                                      double mass, sherd_error *error)
{
    // Computed twice: integrals about a point near the body lose no digits if it is far from the
    // origin.
    sherd_bounds bounds = sherd_mesh_bounds(surface);
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(bounds.low, bounds.high));
    volume_integrals sum = integrate(surface, middle);
    if (!(sum.volume > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "obstacle.shape", NULL,
                          "a free body needs a volume, got %g m^3", sum.volume);
    sherd_vec3 offset =
        vec3_scale(1.0 / sum.volume, vec3(sum.first[0], sum.first[1], sum.first[2]));
    out->mass = mass;
    out->centre = vec3_add(middle, offset);
    volume_integrals about = integrate(surface, out->centre);
    double density = mass / about.volume, A[3][3];
    double trace = about.second[0][0] + about.second[1][1] + about.second[2][2];
    for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
            A[p][q] = density * ((p == q ? trace : 0.0) - about.second[p][q]);
    sherd_mass_properties_set_inertia(out, A);
    return SHERD_OK;
}

sherd_pose sherd_rigid_body_pose(const sherd_rigid_body *body)
{
    sherd_quat rotation =
        quat_normalize(quat_multiply(body->rotation, quat_conjugate(body->properties.axes)));
    sherd_vec3 arm = quat_rotate(rotation, body->properties.centre);
    return (sherd_pose){vec3_sub(body->centre, arm), rotation};
}

static sherd_vec3 divide_by_inertia(const sherd_rigid_body *body, sherd_vec3 world)
{
    sherd_vec3 local = quat_rotate_inverse(body->rotation, world);
    sherd_vec3 I = body->properties.inertia;
    return quat_rotate(body->rotation, vec3(local.x / I.x, local.y / I.y, local.z / I.z));
}

sherd_vec3 sherd_rigid_body_spin(const sherd_rigid_body *body)
{
    return divide_by_inertia(body, body->angular_momentum);
}

double sherd_rigid_body_kinetic_energy(const sherd_rigid_body *body)
{
    return 0.5 * body->properties.mass * vec3_dot(body->velocity, body->velocity) +
           0.5 * vec3_dot(body->angular_momentum, sherd_rigid_body_spin(body));
}

void sherd_rigid_body_place(sherd_rigid_body *body, sherd_pose pose, sherd_vec3 velocity,
                            sherd_vec3 angular_velocity)
{
    SHERD_ASSERT(quat_is_unit(pose.rotation), "rotations are unit quaternions");
    body->centre = body->start = pose_apply(pose, body->properties.centre);
    body->rotation = quat_multiply(pose.rotation, body->properties.axes);
    body->velocity = velocity;
    sherd_vec3 w = quat_rotate_inverse(body->rotation, angular_velocity);
    sherd_vec3 I = body->properties.inertia;
    body->angular_momentum = quat_rotate(body->rotation, vec3(I.x * w.x, I.y * w.y, I.z * w.z));
}

void sherd_rigid_body_kick(sherd_rigid_body *body, sherd_vec3 force, sherd_vec3 torque, double dt)
{
    SHERD_ASSERT(body->properties.mass > 0.0 && isfinite(dt), "a free body has mass");
    body->velocity = vec3_add_scaled(body->velocity, dt / body->properties.mass, force);
    body->angular_momentum = vec3_add_scaled(body->angular_momentum, dt, torque);
}

// Rotates the body about its principal axis `axis` by that axis's part of the energy, over dt.
static void turn_about(sherd_rigid_body *body, sherd_vec3 axis, double inertia, double dt)
{
    sherd_vec3 local = quat_rotate_inverse(body->rotation, body->angular_momentum);
    double angle = dt * vec3_dot(local, axis) / inertia;
    body->rotation =
        quat_multiply(body->rotation, quat_from_rotation_vector(vec3_scale(angle, axis)));
}

static void turn_freely(sherd_rigid_body *body, double dt)
{
    const sherd_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    sherd_vec3 I = body->properties.inertia;
    turn_about(body, x, I.x, 0.5 * dt);
    turn_about(body, y, I.y, 0.5 * dt);
    turn_about(body, z, I.z, dt);
    turn_about(body, y, I.y, 0.5 * dt);
    turn_about(body, x, I.x, 0.5 * dt);
    body->rotation = quat_normalize(body->rotation);
}

void sherd_rigid_body_drift(sherd_rigid_body *body, double dt)
{
    SHERD_ASSERT(!(dt < 0.0) && quat_is_unit_or_nan(body->rotation),
                 "rotations are unit quaternions");
    // A substep of 1e-3 rad has an error of about 1e-7 in the energy, without drift.
    enum { MOST = 1000 };
    const double largest = 1e-3;
    body->centre = vec3_add_scaled(body->centre, dt, body->velocity);
    double angle = dt * vec3_length(sherd_rigid_body_spin(body)) / largest;
    int substeps = angle < MOST ? 1 + (int)angle : MOST;
    for (int k = 0; k < substeps; ++k)
        turn_freely(body, dt / substeps);
}

double sherd_rigid_body_mobility(const sherd_rigid_body *body, sherd_vec3 x, sherd_vec3 n)
{
    SHERD_ASSERT(body->properties.mass > 0.0, "a free body has mass");
    sherd_vec3 lever = vec3_cross(vec3_sub(x, body->centre), n);
    return 1.0 / body->properties.mass + vec3_dot(lever, divide_by_inertia(body, lever));
}
