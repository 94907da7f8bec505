#include "linear/system_check.h"

#include "base/error.h"

#include <math.h>

static bool is_fine(const sherd_node_inertia *body)
{
    bool fine = isfinite(body->mass) && body->mass > 0.0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double rounding = 1e-6 * (fabs(body->moment[r][r]) + fabs(body->moment[c][c]));
            fine = fine && isfinite(body->moment[r][c]) &&
                   fabs(body->moment[r][c] - body->moment[c][r]) <= rounding;
        }
    return fine;
}

static sherd_status check_bodies(const sherd_linear_system *system, sherd_error *error)
{
    for (int b = 0; b < system->body_count; ++b)
        if (!is_fine(&system->bodies[b]))
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.bodies", NULL,
                              "body %d: its mass of %g kg or its moment of inertia are not finite, "
                              "positive and symmetric",
                              b, system->bodies[b].mass);
    return SHERD_OK;
}

sherd_status sherd_linear_system_check(const sherd_linear_system *system, sherd_error *error)
{
    bool factors = isfinite(system->inertia) && system->inertia >= 0.0 &&
                   isfinite(system->damping) && system->damping >= 0.0;
    if (!factors)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system", NULL,
                          "inertia and damping must be finite and >= 0, got %g and %g",
                          system->inertia, system->damping);
    return check_bodies(system, error);
}
