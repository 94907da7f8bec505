#include "stepping/control/free_flight.h"

#include "math/vec3.h"

// Ratio of strain energy to kinetic energy below which bonds are undeformed up to rounding.
static const double UNSTRAINED = 1e-9;

static double kinetic_range(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_element_velocity(e, k);
        sum += 0.5 * sherd_element_mass(e, k) * vec3_dot(v, v);
    }
    return sum;
}

sherd_status sherd_system_flies(sherd_system *system, bool *flies, sherd_error *error)
{
    *flies = false;
    if (system->drivers.count > 0) return SHERD_OK;
    sherd_status status = sherd_system_update_forces(system, error);
    if (status != SHERD_OK) return status;
    if (system->contacts != NULL && !sherd_contacts_nothing_near(system->contacts)) return SHERD_OK;
    sherd_elements *e = &system->elements;
    double kinetic = sherd_parallel_sum(&system->parallel, (size_t)e->count, SHERD_SYSTEM_CHUNK,
                                        kinetic_range, e);
    double elastic = sherd_bonds_energy(&system->bonds, e, &system->parallel);
    *flies = elastic < UNSTRAINED * kinetic;
    return SHERD_OK;
}
