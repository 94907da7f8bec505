#include "contact/body_contact.h"

#include "math/quat.h"

// Share of m / dt^2 that one point's spring may have, so that a body resting on a hundred points
// is still far from its stability limit of 4 m / dt^2.
static const double STIFFEST_POINT = 1e-3;
static const double DAMPING_RATIO = 0.2; // where neither side states a restitution
static const double FRICTION = 0.3;      // where neither side states a coefficient

static double combine(double a, double b, double otherwise)
{
    if (isnan(a) && isnan(b)) return otherwise;
    if (isnan(a)) return b;
    return isnan(b) ? a : sqrt(a * b);
}

typedef struct point_law {
    double stiffness, damping_ratio, friction;
} point_law;

static point_law law_of(const sherd_obstacle *body, const sherd_obstacle *other, double modulus,
                        double dt)
{
    double restitution = combine(body->restitution, other->restitution, NAN);
    double k = modulus * body->surface_spacing;
    if (dt > 0.0) k = fmin(k, STIFFEST_POINT * body->body.properties.mass / (dt * dt));
    return (point_law){
        k, isnan(restitution) ? DAMPING_RATIO : sherd_contact_damping_ratio(restitution),
        combine(body->friction, other->friction, FRICTION)};
}

static void touch_point(sherd_obstacle *body, sherd_obstacle *other, const point_law *law,
                        sherd_vec3 point, double depth, double dt, sherd_contact_sums *sums)
{
    sherd_vec3 n = sherd_obstacle_normal(other, point);
    sherd_vec3 v =
        vec3_sub(sherd_obstacle_velocity(body, point), sherd_obstacle_velocity(other, point));
    double inverse =
        sherd_obstacle_mobility(body, point, n) + sherd_obstacle_mobility(other, point, n);
    double mass = 1.0 / inverse, approach = -vec3_dot(v, n);
    double spring = law->stiffness * depth;
    double normal =
        fmax(0.0, spring + 2.0 * law->damping_ratio * sqrt(law->stiffness * mass) * approach);
    sherd_vec3 v_t = vec3_add_scaled(v, approach, n);
    double slip = vec3_length(v_t);
    // Viscous up to the Coulomb limit: critical for the point's own spring and mass.
    double friction = fmin(law->friction * normal, sqrt(law->stiffness * mass) * slip);
    sherd_vec3 force = vec3_scale(normal, n);
    if (slip > 0.0) force = vec3_add_scaled(force, -friction / slip, v_t);
    sherd_obstacle_add_load(body, point, force);
    sherd_obstacle_add_load(other, point, vec3_scale(-1.0, force));
    sums->stored += 0.5 * spring * depth;
    sums->damped += dt * (normal - spring) * approach;
    sums->slid += dt * friction * slip;
    ++sums->touching;
}

sherd_contact_sums sherd_body_contact(sherd_obstacle *body, sherd_obstacle *other, double modulus,
                                      double dt)
{
    sherd_contact_sums sums = {0};
    if (sherd_obstacle_distance(other, body->pose.position) > body->radius) return sums;
    point_law law = law_of(body, other, modulus, dt);
    for (int32_t k = 0; k < body->point_count; ++k) {
        const double *local = body->points + 3 * (size_t)k;
        sherd_vec3 point = pose_apply(body->pose, vec3(local[0], local[1], local[2]));
        double depth = -sherd_obstacle_distance(other, point);
        if (depth > 0.0) touch_point(body, other, &law, point, depth, dt, &sums);
    }
    return sums;
}
