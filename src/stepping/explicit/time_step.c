// How large an explicit step may be.    docs/physics.md 6
//
// T = 2 / sqrt(lambda_max) of the mass-scaled stiffness, rotations included. Velocity Verlet with
// damping taken from the half-step velocity is stable up to
//   dt = T (sqrt(1 + z^2) - z),   z = damping ratio of the fastest mode.
#include "base/error.h"
#include "linear/eigenvalue.h"
#include "linear/network.h"
#include "math/vec3.h"
#include "stepping/system.h"

// The Ritz value is within 1 % of the largest eigenvalue when its residual is; more iterations
// would buy less than the safety factor leaves.
static const double EIGENVALUE_TOLERANCE = 0.01;
enum { EIGENVALUE_ITERATIONS = 80 };

static void apply_network(const void *context, const double *x, double *y)
{
    sherd_network_apply_scaled(context, x, y);
}

static double limit_of(double lambda, double damping_ratio)
{
    return 2.0 / sqrt(lambda) * (sqrt(1.0 + damping_ratio * damping_ratio) - damping_ratio);
}

static double longest_relaxation(const sherd_bonds *bonds, const sherd_elements *elements)
{
    double beta = 0.0;
    for (int64_t k = 0; k < bonds->count; ++k)
        if (!bonds->broken[k]) beta = fmax(beta, sherd_bond_rest_of(bonds, elements, k).beta);
    return beta;
}

static sherd_status bond_limit(const sherd_system *system, double *limit, sherd_error *error)
{
    sherd_network network = {&system->elements, &system->bonds, &system->adjacency,
                             system->parallel};
    sherd_eigenvalue eigenvalue;
    sherd_status status = sherd_largest_eigenvalue(
        apply_network, &network, 6 * (size_t)system->elements.count, EIGENVALUE_TOLERANCE,
        EIGENVALUE_ITERATIONS, &system->parallel, &eigenvalue, error);
    if (status != SHERD_OK) return status;
    if (!(eigenvalue.bound > 0.0)) return SHERD_OK;
    // C = beta K: a mode of frequency w has damping ratio beta w / 2.
    double z = 0.5 * longest_relaxation(&system->bonds, &system->elements) * sqrt(eigenvalue.bound);
    *limit = limit_of(eigenvalue.bound, z);
    return SHERD_OK;
}

// Contacts, in x^2 = 2 k/m dt^2: a mode of eigenvalue lambda, of which dashpots take the share d in a
// step, is stable up to lambda dt^2 + 2 d = 4. Springs alone, in the densest pile: lambda = 16 k/m,
// 8 x^2 = 4. In a pile with six contacts each lambda = 9 k/m; against each other its grains move with
// d <= 3/4 (contact_respond.h: d <= 1, where six contacts are all opposed, 12 k/m), so that
// 4.5 x^2 + 1.5 = 4 leaves more: whatever the restitution, springs limit the step.
//
// Grains that stick can turn against each other like gears, with 10 k_t/m for every three contacts: with
// k_t = 2/7 k (contact_law.h) 11.4 k/m where there are twelve, and d <= 1/2, which leaves more than that.
// With k_t = k it was 20 k/m where there are six, and what is bonded besides has its bonds' share, too.
static double contact_limit(const sherd_contacts *contacts, const sherd_elements *elements)
{
    double lambda = sherd_contacts_max_eigenvalue(contacts, elements);
    return lambda > 0.0 ? limit_of(lambda, 0.0) : INFINITY;
}

sherd_status sherd_system_stable_time_step(const sherd_system *system, double *time_step,
                                           sherd_error *error)
{
    double limit = INFINITY;
    if (system->bonds.count > system->bonds.broken_count) {
        sherd_status status = bond_limit(system, &limit, error);
        if (status != SHERD_OK) return status;
    }
    if (system->contacts != NULL)
        limit = fmin(limit, contact_limit(system->contacts, &system->elements));
    if (!isfinite(limit) || !(limit > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step",
                          "set a time step: nothing in this world has a stiffness",
                          "no time step can be derived without bonds or contacts");
    *time_step = limit;
    return SHERD_OK;
}
