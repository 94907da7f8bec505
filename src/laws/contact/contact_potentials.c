#define SHERD_LANES 1
#include "laws/contact/potential_lanes.h"

#include "laws/contact/contact_barrier.h"

contact_spring sherd_contact_spring_of(sherd_contact_potential_kind kind, double stiffness,
                                       double modulus, double radius)
{
    return (contact_spring){.kind = kind, .scale = contact_scale(kind, stiffness, modulus, radius)};
}

contact_potential_value sherd_contact_spring_evaluate(const contact_spring *spring, double s)
{
    sherd_contact_potential_kind kind = spring->kind;
    double scale = spring->scale, width = spring->width;
    contact_potential_value value = {0.0, 0.0, 0.0};
    if (spring->walled)
        contact_add_barrier(2.0 * scale, width, spring->limit, s, &value);
    else
        value = (contact_potential_value){contact_mean_force(kind, scale, width, s) * s,
                                          contact_force(kind, scale, width, s),
                                          contact_tangent(kind, scale, width, s)};
    return value;
}

// The s at which the spring's force equals the dashpot's: Newton's method converges from one side,
// as the tangent does not decrease with s.
static double equilibrium(const contact_spring *spring, double dashpot, double start)
{
    double s = start;
    for (int k = 0; k < 60 && s > 0.0; ++k) {
        contact_potential_value value = sherd_contact_spring_evaluate(spring, s);
        double next = s - (value.force + dashpot * (s - start)) / (value.tangent + dashpot);
        if (!(next < s)) break;
        s = next > 0.0 ? next : 0.0;
    }
    return s;
}

// A linear spring and a dashpot are equivalent to one spring with a shifted origin: 1/2 K max(0, s
// - s*)^2, K = k + c/dt, s* = c/dt s_n / K.
static contact_potential_value damped_linear(double k, double dashpot, double start, double s)
{
    double sum = k + dashpot, beyond = s - dashpot * start / sum;
    if (!(s > 0.0 && beyond > 0.0)) return (contact_potential_value){0.0, 0.0, 0.0};
    return (contact_potential_value){0.5 * sum * beyond * beyond, sum * beyond, sum};
}

contact_potential_value sherd_contact_damped_evaluate(const contact_spring *spring, double dashpot,
                                                      double start, double s)
{
    if (spring->kind == SHERD_CONTACT_LINEAR)
        return damped_linear(spring->scale, dashpot, start, s);
    if (!(s > 0.0)) return (contact_potential_value){0.0, 0.0, 0.0};
    contact_potential_value value = sherd_contact_spring_evaluate(spring, s);
    if (!isfinite(value.energy)) return value; // beyond the barrier
    value.force += dashpot * (s - start);
    if (!(value.force > 0.0)) return (contact_potential_value){0.0, 0.0, 0.0};
    double depth = equilibrium(spring, dashpot, start);
    value.energy -= sherd_contact_spring_evaluate(spring, depth).energy;
    value.energy += 0.5 * dashpot * (s - depth) * (s + depth - 2.0 * start);
    value.tangent += dashpot;
    return value;
}

double sherd_contact_spring_rebound2(const contact_spring *spring, double s)
{
    if (spring->walled) return 2.0 * sherd_contact_spring_evaluate(spring, s).energy;
    return contact_gained(spring->kind, spring->scale, spring->width, 0.0, s);
}

#define MEAN_DEPTH(NAME, name, ...)                                                                \
    case SHERD_CONTACT_##NAME:                                                                     \
        return name##_mean_depth(spring->scale, spring->width, force);

double sherd_contact_spring_mean_depth(const contact_spring *spring, double force)
{
    switch (spring->kind) {
        SHERD_CONTACT_POTENTIALS(MEAN_DEPTH)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return 0.0;
}
