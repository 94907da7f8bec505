// How large an explicit step may be.                                          PHYSICS.md 6
//
// T = 2 / sqrt(lambda_max) of the mass-scaled stiffness, rotations included. Velocity Verlet with
// damping taken from the half-step velocity is stable up to
//   dt = T (sqrt(1 + z^2) - z),   z = damping ratio of the fastest mode.
#include "base/error.h"
#include "dynamics/system.h"
#include "math/vec3.h"
#include "solver/eigenvalue.h"
#include "solver/network.h"

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

// Contacts: the densest pile has lambda = 16 k/m but damps little of it at once; a pile of grains
// with about 6 contacts each has 9 k/m and is damped fully. The smaller limit of the two.
static double contact_limit(double lambda, double restitution)
{
    double log_e = log(fmax(restitution, 1e-3));
    double zeta = -log_e / sqrt(M_PI * M_PI + log_e * log_e); // of one pair
    double pile = lambda * 9.0 / 16.0;
    // c = 2 zeta sqrt(k m / 2): in units of c/k, zeta of the mode is zeta sqrt(pile m / (2 k)).
    return fmin(limit_of(lambda, 0.0), limit_of(pile, zeta * sqrt(4.5)));
}

sherd_status sherd_system_stable_time_step(const sherd_system *system, double lowest_restitution,
                                           double *time_step, sherd_error *error)
{
    double limit = INFINITY;
    if (system->bonds.count > system->bonds.broken_count) {
        sherd_status status = bond_limit(system, &limit, error);
        if (status != SHERD_OK) return status;
    }
    if (system->contacts != NULL) {
        double lambda = sherd_contacts_max_eigenvalue(system->contacts, &system->elements);
        if (lambda > 0.0) limit = fmin(limit, contact_limit(lambda, lowest_restitution));
    }
    if (!isfinite(limit) || !(limit > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step",
                          "set a time step: nothing in this world has a stiffness",
                          "no time step can be derived without bonds or contacts");
    *time_step = limit;
    return SHERD_OK;
}
