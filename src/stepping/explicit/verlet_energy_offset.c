#include "stepping/explicit/verlet_energy_offset.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "stepping/fem/fem_step.h"
#include "stepping/regions/time_regions.h"

enum { CHUNK = 4096 };

// Held elements get no kick, and sleeping ones have no loads.
sherd_half_kick sherd_element_half_kick(const sherd_system *system, sherd_element_index k)
{
    const sherd_elements *e = &system->elements;
    if (e->asleep[k]) return (sherd_half_kick){0};
    double half = 0.5 * system->dt;
    sherd_vec3 fall = vec3_scale(half, system->gravity);
    sherd_half_kick kick = {
        vec3_add_scaled(fall, half / sherd_element_mass(e, k), sherd_element_force(e, k)),
        vec3_scale(half / sherd_element_inertia(e, k), sherd_element_torque(e, k))};
    uint8_t held = e->held[k];
    if (held & SHERD_HELD_X) kick.v.x = 0.0;
    if (held & SHERD_HELD_Y) kick.v.y = 0.0;
    if (held & SHERD_HELD_Z) kick.v.z = 0.0;
    if (held & SHERD_HELD_TURN) kick.w = vec3(0.0, 0.0, 0.0);
    return kick;
}

double sherd_element_kick_energy(const sherd_system *system, sherd_element_index k)
{
    const sherd_elements *e = &system->elements;
    sherd_half_kick kick = sherd_element_half_kick(system, k);
    return 0.5 * (sherd_element_mass(e, k) * vec3_dot(kick.v, kick.v) +
                  sherd_element_inertia(e, k) * vec3_dot(kick.w, kick.w));
}

static double sum_kick_energies(void *context, size_t begin, size_t end)
{
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += sherd_element_kick_energy(context, (sherd_element_index)k);
    return sum;
}

static double kick_energy(const sherd_system *s)
{
    double sum = s->fem != NULL ? sherd_system_fem_kick_energy(s)
                                : sherd_parallel_sum(&s->parallel, (size_t)s->elements.count, CHUNK,
                                                     sum_kick_energies, (void *)s);
    return s->contacts != NULL ? sum + sherd_contacts_kick_energy(s->contacts, s->dt, s->gravity)
                               : sum;
}

double sherd_verlet_energy_offset(const sherd_system *system)
{
    if (system->regions == NULL)
        return system->accounts.verlet_steps
                   ? kick_energy(system) - system->accounts.verlet_offset_start
                   : 0.0;
    double sum = 0.0;
    for (int r = 0; r < system->regions->count; ++r)
        sum += sherd_verlet_energy_offset(&system->regions->list[r].system);
    return sum;
}

void sherd_verlet_energy_begin(sherd_system *system)
{
    system->accounts.verlet_offset_start = kick_energy(system);
    system->accounts.verlet_steps = 1;
}

void sherd_verlet_energy_end(sherd_system *system)
{
    system->accounts.integration -= sherd_verlet_energy_offset(system);
    system->accounts.verlet_steps = 0;
}

// With the same loads the offset goes with the square of the step.
void sherd_system_change_step(sherd_system *system, double dt)
{
    sherd_accounts *a = &system->accounts;
    SHERD_ASSERT(!a->verlet_steps || (dt > 0.0 && system->dt > 0.0),
                 "explicit steps have a positive length");
    double ratio = dt / system->dt;
    if (a->verlet_steps) {
        double now = kick_energy(system);
        a->integration -= now - a->verlet_offset_start;
        a->verlet_offset_start = ratio * ratio * now;
    }
    system->dt = dt;
}
