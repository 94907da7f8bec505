#include "stepping/implicit/numerical_damping.h"

#include "math/inertia.h"

#include <math.h>

// Fragments count individually only above this fraction of all elements: splinters do not limit
// steps.
static const double LARGE = 0.02;

// Sums of a fragment relative to its first element: of motion at the start of the step, of motion
// and loads at its end.
typedef struct fragment_sums {
    double mass, members;
    sherd_vec3 moment, momentum, spin;                            // at the start
    sherd_vec3 end_moment, end_momentum, end_spin, force, torque; // at the end
    double turning[6]; // m (r^2 - r r) + I: xx yy zz xy xz yz
} fragment_sums;

static sherd_vec3 force_on(const sherd_projected_step *step, const sherd_elements *e,
                           sherd_element_index k)
{
    sherd_vec3 a = step->gravity;
    if (step->external != NULL)
        a = vec3_add(a, vec3(step->external[0][k], step->external[1][k], step->external[2][k]));
    return vec3_add_scaled(sherd_element_force(e, k), sherd_element_mass(e, k), a);
}

static void add_member(const sherd_projected_step *step, const sherd_elements *e,
                       sherd_element_index first, sherd_element_index k, fragment_sums *sum)
{
    double mass = sherd_element_mass(e, k), moment = sherd_element_own_inertia(e, k);
    sherd_vec3 r = vec3_sub(sherd_node_position(step->now, (size_t)k),
                            sherd_node_position(step->now, (size_t)first));
    sherd_vec3 mv = vec3_scale(mass, sherd_node_velocity(step->now, (size_t)k));
    sherd_vec3 arm = vec3_sub(sherd_element_position(e, k), sherd_element_position(e, first)),
               mw = vec3_scale(mass, sherd_element_velocity(e, k)), f = force_on(step, e, k);
    sum->mass += mass, sum->members += 1.0;
    sum->moment = vec3_add_scaled(sum->moment, mass, r);
    sum->momentum = vec3_add(sum->momentum, mv);
    sum->spin = vec3_add(sum->spin, vec3_cross(r, mv));
    sum->spin = vec3_add_scaled(sum->spin, moment, sherd_node_spin(step->now, (size_t)k));
    sum->end_moment = vec3_add_scaled(sum->end_moment, mass, arm);
    sum->end_momentum = vec3_add(sum->end_momentum, mw);
    sum->end_spin = vec3_add(sum->end_spin, vec3_cross(arm, mw));
    sum->end_spin = vec3_add_scaled(sum->end_spin, moment, sherd_element_spin(e, k));
    sum->force = vec3_add(sum->force, f);
    sum->torque =
        vec3_add(sum->torque, vec3_add(vec3_cross(arm, f), sherd_element_own_torque(e, k)));
    inertia_add(sum->turning, mass, moment, r);
}

static double energy_of(const fragment_sums *sum, sherd_vec3 momentum, sherd_vec3 spin)
{
    return 0.5 * (vec3_dot(momentum, momentum) / sum->mass +
                  vec3_dot(spin, inertia_solve(sum->turning, spin)));
}

static sherd_vec3 about(sherd_vec3 spin, sherd_vec3 moment, sherd_vec3 momentum, double mass)
{
    return vec3_sub(spin, vec3_scale(1.0 / mass, vec3_cross(moment, momentum)));
}

// Relative to the centres; with the loads' impulses over the time h.
static void about_centres(fragment_sums *sum, double h)
{
    inertia_add(sum->turning, -sum->mass, 0.0, vec3_scale(1.0 / sum->mass, sum->moment));
    sum->spin = about(sum->spin, sum->moment, sum->momentum, sum->mass);
    sum->end_spin = about(sum->end_spin, sum->end_moment, sum->end_momentum, sum->mass);
    sum->torque = about(sum->torque, sum->end_moment, sum->force, sum->mass);
    sum->force = vec3_scale(h, sum->force), sum->torque = vec3_scale(h, sum->torque);
}

// Of one fragment, in one unit.
typedef struct measured {
    double has, may;
} measured;

typedef measured measure_fragment(const fragment_sums *sum, double h,
                                  const sherd_rigid_drag_limits *limits);

static double speed_of(double energy, const fragment_sums *sum)
{
    return sqrt(2.0 * energy / sum->mass);
}

// R and its allowed value [J].
static measured measure_drag(const fragment_sums *sum, double h,
                             const sherd_rigid_drag_limits *limits)
{
    double before = energy_of(sum, sum->momentum, sum->spin),
           after = energy_of(sum, vec3_add(sum->momentum, sum->force),
                             vec3_add(sum->spin, sum->torque));
    double energy = fmax(before, after), speed = speed_of(energy, sum);
    if (!(speed > limits->slow) || energy < limits->bent) return (measured){0.0, 0.0};
    return (measured){energy_of(sum, sum->force, sum->torque),
                      limits->drag * sum->mass * speed * h};
}

// As momentum [N s].
static measured measure_jump(const fragment_sums *sum, double h,
                             const sherd_rigid_drag_limits *limits)
{
    double speed = speed_of(energy_of(sum, sum->end_momentum, sum->end_spin), sum);
    if (!(speed > limits->slow)) return (measured){0.0, 0.0};
    sherd_vec3 push = vec3_sub(vec3_sub(sum->end_momentum, sum->momentum), sum->force),
               twist = vec3_sub(vec3_sub(sum->end_spin, sum->spin), sum->torque);
    return (measured){sqrt(2.0 * sum->mass * energy_of(sum, push, twist)),
                      limits->drag * sum->mass * h};
}

static double drag_ratio(const sherd_momentum_projection *projection,
                         const sherd_elements *elements, const sherd_projected_step *step, double h,
                         const sherd_rigid_drag_limits *limits, measure_fragment *measure)
{
    measured all = {0.0, 0.0};
    double worst = 0.0;
    for (int32_t s = 0; s < projection->segment_count;) {
        int32_t fragment = projection->segments[s].fragment;
        sherd_element_index first = projection->member[projection->segments[s].begin];
        fragment_sums sum = {0};
        for (; s < projection->segment_count && projection->segments[s].fragment == fragment; ++s)
            for (sherd_element_index m = projection->segments[s].begin;
                 m < projection->segments[s].end; ++m)
                add_member(step, elements, first, projection->member[m], &sum);
        about_centres(&sum, h);
        measured one = measure(&sum, h, limits);
        all.has += one.has, all.may += one.may;
        if (one.may > 0.0 && sum.members >= LARGE * elements->count)
            worst = fmax(worst, one.has / one.may);
    }
    return all.may > 0.0 ? fmax(worst, all.has / all.may) : 0.0;
}

double sherd_rigid_drag(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double dt,
                        const sherd_rigid_drag_limits *limits)
{
    return drag_ratio(projection, elements, step, dt, limits, measure_drag);
}

double sherd_rigid_jump(const sherd_momentum_projection *projection, const sherd_elements *elements,
                        const sherd_projected_step *step, double h,
                        const sherd_rigid_drag_limits *limits)
{
    return drag_ratio(projection, elements, step, h, limits, measure_jump);
}
