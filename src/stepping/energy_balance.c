#include "stepping/energy_balance.h"

#include "contact/contact_part.h"
#include "math/vec3.h"

static double kinetic_and_gravity(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    const sherd_elements *e = &s->elements;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        double mass = sherd_element_mass(e, k);
        sum += 0.5 * (mass * vec3_dot(v, v) + sherd_element_inertia(e, k) * vec3_dot(w, w)) -
               mass * vec3_dot(s->gravity, sherd_element_position(e, k));
    }
    return sum;
}

double sherd_system_closed_total(sherd_system *s, double elastic)
{
    const sherd_accounts *a = &s->accounts;
    double sum = sherd_parallel_sum(&s->parallel, (size_t)s->elements.count, SHERD_SYSTEM_CHUNK,
                                    kinetic_and_gravity, s);
    sum += elastic + a->dissipated_bonds + a->dissipated_fracture + a->dissipated_softening -
           a->driver_work;
    if (s->contacts == NULL) return sum;
    sherd_contact_energy c = sherd_contacts_energy(s->contacts, s->gravity);
    return sum + c.stored + c.dissipated_damping + c.dissipated_friction + c.onset +
           c.rigid_kinetic + c.rigid_gravity - c.work;
}
