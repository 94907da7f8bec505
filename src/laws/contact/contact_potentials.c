#define SHERD_LANES 1
#include "laws/contact/potential_lanes.h"

#include "laws/contact/contact_barrier.h"

contact_spring sherd_contact_spring_of(sherd_contact_potential_kind kind, double stiffness,
                                       double modulus, double radius)
{
    return (contact_spring){.kind = kind, .scale = contact_scale(kind, stiffness, modulus, radius)};
}

contact_push sherd_contact_spring_push(const contact_spring *spring, double s)
{
    sherd_contact_potential_kind kind = spring->kind;
    double scale = spring->scale, width = spring->width;
    contact_push push = {0.0, 0.0, 0.0};
    if (spring->walled)
        contact_add_barrier(2.0 * scale, width, s, &push);
    else
        push = (contact_push){contact_mean_force(kind, scale, width, s) * s,
                              contact_force(kind, scale, width, s),
                              contact_tangent(kind, scale, width, s)};
    return push;
}

// The s at which the spring's force equals the dashpot's: Newton's method converges from one side,
// as the tangent does not decrease with s.
static double equilibrium(const contact_spring *spring, double dashpot, double start)
{
    double s = start;
    for (int k = 0; k < 60 && s > 0.0; ++k) {
        contact_push push = sherd_contact_spring_push(spring, s);
        double next = s - (push.force + dashpot * (s - start)) / (push.tangent + dashpot);
        if (!(next < s)) break;
        s = next > 0.0 ? next : 0.0;
    }
    return s;
}

// A linear spring and a dashpot are equivalent to one spring with a shifted origin: 1/2 K max(0, s
// - s*)^2, K = k + c/dt, s* = c/dt s_n / K.
static contact_push damped_linear(double k, double dashpot, double start, double s)
{
    double sum = k + dashpot, beyond = s - dashpot * start / sum;
    if (!(s > 0.0 && beyond > 0.0)) return (contact_push){0.0, 0.0, 0.0};
    return (contact_push){0.5 * sum * beyond * beyond, sum * beyond, sum};
}

contact_push sherd_contact_damped_push(const contact_spring *spring, double dashpot, double start,
                                       double s)
{
    if (spring->kind == SHERD_CONTACT_LINEAR)
        return damped_linear(spring->scale, dashpot, start, s);
    if (!(s > 0.0)) return (contact_push){0.0, 0.0, 0.0};
    contact_push push = sherd_contact_spring_push(spring, s);
    if (!isfinite(push.energy)) return push; // beyond the barrier
    push.force += dashpot * (s - start);
    if (!(push.force > 0.0)) return (contact_push){0.0, 0.0, 0.0};
    double depth = equilibrium(spring, dashpot, start);
    push.energy -= sherd_contact_spring_push(spring, depth).energy;
    push.energy += 0.5 * dashpot * (s - depth) * (s + depth - 2.0 * start);
    push.tangent += dashpot;
    return push;
}

double sherd_contact_spring_rebound2(const contact_spring *spring, double s)
{
    if (spring->walled) return 2.0 * sherd_contact_spring_push(spring, s).energy;
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
