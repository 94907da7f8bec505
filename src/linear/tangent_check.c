#include "linear/tangent_check.h"

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

static double count_lost(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double lost = 0.0;
    for (size_t k = begin; k < end; ++k)
        lost += isfinite(e->px[k] + e->py[k] + e->pz[k]) ? 0.0 : 1.0;
    return lost;
}

static sherd_status check_elements(const sherd_linear_system *system, sherd_error *error)
{
    const sherd_elements *e = system->elements;
    size_t count = (size_t)e->count, k = 0;
    double lost = sherd_parallel_sum(&system->parallel, count, 4096, count_lost, (void *)e);
    if (lost == 0.0) return SHERD_OK;
    while (isfinite(e->px[k] + e->py[k] + e->pz[k]))
        ++k;
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.elements", NULL,
                      "the position of element %d is (%g, %g, %g)",
                      sherd_element_number(e, (sherd_element_index)k), e->px[k], e->py[k],
                      e->pz[k]);
}

sherd_status sherd_tangent_check(const sherd_linear_system *system, sherd_error *error)
{
    bool factors = isfinite(system->inertia) && system->inertia >= 0.0 &&
                   isfinite(system->damping) && system->damping >= 0.0;
    if (!factors)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system", NULL,
                          "inertia and damping must be finite and >= 0, got %g and %g",
                          system->inertia, system->damping);
    if (system->blocks->precision != SHERD_PRECISION_MIXED)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system.blocks", NULL,
                          "must be arranged in mixed precision");
    sherd_status status = check_elements(system, error);
    return status == SHERD_OK ? check_bodies(system, error) : status;
}
