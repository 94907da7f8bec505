// Energies, momenta, probes and the state's fingerprint.
#include "base/error.h"
#include "base/hash.h"
#include "math/quat.h"
#include "stepping/explicit/swing.h"
#include "world/world.h"

#include <float.h>

enum { CHUNK = 4096 };

// ---------------------------------------------------------------- energy

static double sum_kinetic(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        sum += 0.5 * (sherd_element_mass(e, k) * vec3_dot(v, v) +
                      sherd_element_inertia(e, k) * vec3_dot(w, w));
    }
    return sum;
}

// -m g . p, whose zero is arbitrary: sherd_world_stores takes the difference to the start.
static double sum_gravity(void *context, size_t begin, size_t end)
{
    const sherd_world *world = context;
    const sherd_elements *e = &world->system.elements;
    double sum = 0.0;
    for (size_t at = begin; at < end; ++at) {
        sherd_element_index k = (sherd_element_index)at;
        sum -= sherd_element_mass(e, k) *
               vec3_dot(world->system.gravity, sherd_element_position(e, k));
    }
    return sum;
}

static sherd_contact_energy contact_energy(const sherd_world *world)
{
    if (world->system.contacts == NULL) return (sherd_contact_energy){0};
    return sherd_contacts_energy(world->system.contacts, world->system.gravity);
}

static double absolute_gravity(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    return sherd_parallel_sum(&s->parallel, (size_t)s->elements.count, CHUNK, sum_gravity,
                              (void *)world);
}

void sherd_world_note_gravity(sherd_world *world)
{
    world->start_gravity = absolute_gravity(world);
}

static double relative_gravity(const sherd_world *world)
{
    return world->prepared ? absolute_gravity(world) - world->start_gravity : 0.0;
}

sherd_energy sherd_world_stores(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    sherd_contact_energy contact = contact_energy(world);
    size_t n = (size_t)s->elements.count;
    return (sherd_energy){
        .kinetic = sherd_parallel_sum(&s->parallel, n, CHUNK, sum_kinetic, (void *)&s->elements) +
                   contact.rigid_kinetic,
        .elastic = sherd_bonds_energy(&s->bonds, &s->elements, &s->parallel),
        .gravity = relative_gravity(world) + contact.rigid_gravity,
        .contact = contact.stored,
        .work = s->accounts.driver_work + contact.work,
        .dissipated_bonds = s->accounts.dissipated_bonds,
        .dissipated_fracture = s->accounts.dissipated_fracture,
        .dissipated_contact = contact.dissipated_damping,
        .dissipated_friction = contact.dissipated_friction,
        .dissipated_integration = s->accounts.integration,
        .dissipated_onset = contact.onset,
    };
}

double sherd_world_total(const sherd_energy *e)
{
    return e->kinetic + e->elastic + e->gravity + e->contact + e->dissipated_bonds +
           e->dissipated_fracture + e->dissipated_contact + e->dissipated_friction +
           e->dissipated_integration + e->dissipated_onset - e->work;
}

double sherd_energy_largest(const sherd_energy *e)
{
    double stores = fmax(fmax(e->kinetic, e->elastic), e->contact);
    double spent = e->dissipated_bonds + e->dissipated_fracture + e->dissipated_contact +
                   e->dissipated_friction;
    return fmax(fmax(stores, spent), fmax(fabs(e->work), fabs(e->gravity)));
}

static const double MANY_STEPS = 1e4; // roundings of so many add up

// Rounding moves a body at rest near the origin by strains of about 1e-14, and one far from it by a
// last digit of its places: 300 m away by 6e-14 m, which is a strain of 6e-11 in a bond of 1 mm.
static double noise_strain(const sherd_system *s, int64_t bond, double l0)
{
    const double least = 1e-10;
    sherd_vec3 place = sherd_element_position(&s->elements, s->bonds.i[bond]);
    return fmax(least, MANY_STEPS * DBL_EPSILON * vec3_length(place) / l0);
}

static double sum_noise(void *context, size_t begin, size_t end)
{
    const sherd_system *s = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_rest rest = sherd_bond_stiffness_of(&s->bonds, &s->elements, (int64_t)k);
        double strain = noise_strain(s, (int64_t)k, rest.l0);
        sum += 0.5 * rest.E * strain * strain * M_PI * rest.r0 * rest.r0 * rest.l0;
    }
    return sum;
}

// Energies below that of rounding in every bond, and in heights far from where they are 0, are noise, and no scale
// to judge a balance by.
static double noise_energy(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    double heights = MANY_STEPS * DBL_EPSILON * fabs(world->start_gravity);
    return heights +
           sherd_parallel_sum(&s->parallel, (size_t)s->bonds.count, CHUNK, sum_noise, (void *)s);
}

double sherd_world_balance_scale(const sherd_world *world, const sherd_energy *energy)
{
    double scale = fmax(sherd_energy_largest(energy), fabs(world->start_energy));
    return fmax(scale, noise_energy(world));
}

sherd_energy sherd_world_balanced_stores(const sherd_world *world)
{
    sherd_energy energy = sherd_world_stores(world);
    double scale = sherd_world_balance_scale(world, &energy);
    double error =
        sherd_world_total(&energy) - sherd_system_swing(&world->system) - world->start_energy;
    if (world->system.step > 0 && scale > 0.0) energy.balance_error = error / scale;
    return energy;
}

sherd_energy sherd_world_energy(const sherd_world *world)
{
    sherd_energy energy = sherd_world_balanced_stores(world);
    energy.max_stress_ratio = sherd_world_largest_stress_ratio(world);
    return energy;
}

// ---------------------------------------------------------------- momentum

sherd_vec3 sherd_world_momentum(const sherd_world *world)
{
    const sherd_elements *e = &world->system.elements;
    sherd_vec3 sum = contact_energy(world).rigid_momentum;
    for (sherd_element_index k = 0; k < e->count; ++k)
        sum = vec3_add_scaled(sum, sherd_element_mass(e, k), sherd_element_velocity(e, k));
    return sum;
}

sherd_vec3 sherd_world_angular_momentum(const sherd_world *world)
{
    const sherd_elements *e = &world->system.elements;
    sherd_vec3 sum = contact_energy(world).rigid_angular_momentum;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 orbit = vec3_cross(sherd_element_position(e, k), sherd_element_velocity(e, k));
        sum = vec3_add_scaled(sum, sherd_element_mass(e, k), orbit);
        sum = vec3_add_scaled(sum, sherd_element_inertia(e, k), sherd_element_spin(e, k));
    }
    return sum;
}

// ---------------------------------------------------------------- probes

sherd_probe_reading sherd_world_probe_driver(const sherd_world *world, sherd_driver_id driver)
{
    if (driver.index1 == 0 || driver.index1 > world->system.drivers.count)
        return (sherd_probe_reading){0};
    return sherd_driver_reading(&world->system.drivers, driver.index1 - 1, &world->system.elements,
                                sherd_world_time(world));
}

sherd_probe_reading sherd_world_probe_obstacle(const sherd_world *world, sherd_obstacle_id obstacle)
{
    if (!world->prepared || obstacle.index1 == 0 || obstacle.index1 > world->obstacle_count)
        return (sherd_probe_reading){0};
    int k = obstacle.index1 - 1;
    double share = world->probe_steps > 0.0 ? 1.0 / world->probe_steps : 0.0;
    sherd_pose now = sherd_world_obstacle_pose(world, k), start = world->obstacle_start[k];
    return (sherd_probe_reading){
        .force = vec3_scale(share, world->obstacle_force_sum[k]),
        .torque = vec3_scale(share, world->obstacle_torque_sum[k]),
        .displacement = vec3_sub(now.position, start.position),
        .rotation = quat_to_rotation_vector(
            quat_multiply(now.rotation, quat_conjugate(quat_normalize(start.rotation)))),
    };
}

void sherd_world_reset_probes(sherd_world *world)
{
    sherd_drivers_reset_probes(&world->system.drivers);
    for (int k = 0; k < world->obstacle_count && world->prepared; ++k)
        world->obstacle_force_sum[k] = world->obstacle_torque_sum[k] = (sherd_vec3){0};
    world->probe_steps = 0.0;
}

// ---------------------------------------------------------------- fingerprint

uint64_t sherd_world_state_hash(const sherd_world *world)
{
    const sherd_elements *e = &world->system.elements;
    const double *columns[] = {e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw,
                               e->vx, e->vy, e->vz, e->wx, e->wy, e->wz};
    uint64_t hash = SHERD_HASH_START;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c)
        hash = sherd_hash_bytes(hash, columns[c], (size_t)e->count * sizeof(double));
    return sherd_hash_bytes(hash, world->system.bonds.broken, (size_t)world->system.bonds.count);
}
