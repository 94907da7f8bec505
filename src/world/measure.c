// Energies, stresses, momenta, probes and the state's hash.
#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/bonded/bond_loads.h"
#include "models/mpm/mpm_diagnostics.h"
#include "models/rounding.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/system_state.h"
#include "world/energy.h"
#include "world/world.h"

#include <sherd/world.h>

// ---------------------------------------------------------------- energy

static sherd_contact_energy contact_energy(const sherd_world *world)
{
    if (world->system.contacts == NULL) return (sherd_contact_energy){0};
    return sherd_contacts_energy(world->system.contacts, world->system.gravity);
}

// Its zero is arbitrary: sherd_world_stores uses the difference from the start.
static double absolute_gravity(const sherd_world *world)
{
    const sherd_system *s = &world->system;
    sherd_system_models state;
    return sherd_models_gravity(sherd_system_models_of(&state, s), s->gravity, &s->parallel);
}

void sherd_world_note_gravity(sherd_world *world)
{
    world->start_gravity = absolute_gravity(world);
}

static double relative_gravity(const sherd_world *world)
{
    return world->prepared ? absolute_gravity(world) - world->start_gravity : 0.0;
}

// Includes the dissipation in the next step at points beyond their law's limits, and the energy of
// nodes lost in the last transfer to points.
static sherd_mpm_accounts point_accounts(const sherd_world *world)
{
    const sherd_point_bodies *bodies = world->system.points;
    if (bodies == NULL) return (sherd_mpm_accounts){0};
    sherd_mpm_accounts accounts = bodies->m.accounts;
    sherd_mpm_energy sum = sherd_mpm_sum(&bodies->m);
    accounts.plastic += sum.pending, accounts.softened -= sum.glue;
    if (bodies->m.moving) accounts.transfer += accounts.after + accounts.given - sum.kinetic;
    return accounts;
}

// The energy that steps conserve, from K + V.
static double energy_offset(const sherd_world *world)
{
    const sherd_point_bodies *points = world->system.points;
    double offset = points != NULL ? -points->m.accounts.offset : 0.0;
    return offset + sherd_verlet_energy_offset(&world->system);
}

static sherd_energy stores_with(const sherd_world *world, double elastic)
{
    const sherd_system *s = &world->system;
    sherd_contact_energy contact = contact_energy(world);
    sherd_system_models state;
    sherd_models models = sherd_system_models_of(&state, s);
    sherd_mpm_accounts points = point_accounts(world);
    return (sherd_energy){
        .kinetic = sherd_models_kinetic_energy(models, &s->parallel) + contact.rigid_kinetic,
        .elastic = elastic,
        .gravity = relative_gravity(world) + contact.rigid_gravity,
        .contact = contact.stored,
        .work = s->accounts.driver_work + contact.work + points.work,
        .dissipated_bonds = s->accounts.dissipated_bonds,
        .dissipated_fracture = s->accounts.dissipated_fracture + points.damaged,
        .dissipated_softening = s->accounts.dissipated_softening + points.softened,
        .dissipated_plastic =
            sherd_bonds_plastic_work(&s->bonds, &s->elements, &s->parallel) + points.plastic,
        .dissipated_contact = contact.dissipated_damping + points.contact,
        .dissipated_friction = contact.dissipated_friction + points.friction,
        .dissipated_integration = s->accounts.integration + points.transfer,
        .dissipated_onset = contact.onset,
    };
}

sherd_energy sherd_world_stores(const sherd_world *world)
{
    sherd_system_models state;
    return stores_with(world,
                       sherd_models_stored_energy(sherd_system_models_of(&state, &world->system)));
}

double sherd_world_total(const sherd_energy *e)
{
    return e->kinetic + e->elastic + e->gravity + e->contact + e->dissipated_bonds +
           e->dissipated_fracture + e->dissipated_contact + e->dissipated_friction +
           e->dissipated_integration + e->dissipated_onset + e->dissipated_softening +
           e->dissipated_plastic - e->work;
}

double sherd_energy_largest(const sherd_energy *e)
{
    double stores = fmax(fmax(e->kinetic, e->elastic), e->contact);
    double spent = e->dissipated_bonds + e->dissipated_fracture + e->dissipated_contact +
                   e->dissipated_friction + e->dissipated_softening + e->dissipated_plastic;
    return fmax(fmax(stores, spent), fmax(fabs(e->work), fabs(e->gravity)));
}

// Bonds whose reference shapes are stored in single precision have forces as if strained by
// rounding. If bodies that are rotated relative to each other are in common blocks, these change as
// they rotate, and a body at rest on something may store less. A length and three components of a
// direction are rounded, each by half a unit of this.
static double rest_shape_noise(const sherd_world *world)
{
    static const double STRAIN = 4.0 * 0.5 * FLT_EPSILON;
    const sherd_system *s = &world->system;
    double sum = 0.0;
    if (world->body_count < 2 || s->blocks.precision != SHERD_PRECISION_MIXED) return 0.0;
    for (int64_t k = 0; k < s->bonds.count; ++k) {
        sherd_bond_constants constants = sherd_bond_stiffness_of(&s->bonds, &s->elements, k);
        sum +=
            0.5 * constants.E * STRAIN * STRAIN * M_PI * constants.r0 * constants.r0 * constants.l0;
    }
    return sum;
}

// Scale of relative balances [J]. Energies below the rounding level (`noise` in strains, and in heights
// far from zero) are none.
static double balance_scale(const sherd_world *world, const sherd_energy *energy, double noise)
{
    SHERD_ASSERT(energy->kinetic >= 0.0 || isnan(energy->kinetic),
                 "kinetic energy is not negative");
    double scale = fmax(sherd_energy_largest(energy), fabs(world->start_energy));
    double heights = sherd_rounding_of_steps() * fabs(world->start_gravity);
    return fmax(scale, heights + fmax(noise, rest_shape_noise(world)));
}

static sherd_energy measure(const sherd_world *world, float *stress_ratio, double *scale)
{
    sherd_system_models state;
    sherd_model_measures of =
        sherd_models_measure(sherd_system_models_of(&state, &world->system), stress_ratio);
    sherd_energy energy = stores_with(world, of.stored);
    *scale = balance_scale(world, &energy, of.noise);
    double error = sherd_world_total(&energy) - energy_offset(world) - world->start_energy;
    if (world->system.step > 0 && *scale > 0.0) energy.balance_error = error / *scale;
    energy.max_stress_ratio = of.stress_ratio;
    return energy;
}

sherd_energy sherd_world_energy(const sherd_world *world)
{
    double scale;
    return measure(world, NULL, &scale);
}

sherd_status sherd_world_measure(const sherd_world *world, sherd_energy *energy,
                                 float *stress_ratio, sherd_error *error)
{
    double scale;
    *energy = measure(world, stress_ratio, &scale);
    return sherd_world_check_energy(world, energy, scale, error);
}

sherd_status sherd_world_check(const sherd_world *world, sherd_error *error)
{
    sherd_energy energy;
    return sherd_world_measure(world, &energy, NULL, error);
}

// ---------------------------------------------------------------- stress

void sherd_world_stress_ratio(const sherd_world *world, float *stress_ratio)
{
    sherd_system_models state;
    sherd_models_measure(sherd_system_models_of(&state, &world->system), stress_ratio);
}

void sherd_world_stress(const sherd_world *world, sherd_stress *stress)
{
    sherd_system_models state;
    sherd_models_find_stresses(sherd_system_models_of(&state, &world->system), stress);
}

void sherd_world_bond_loads(const sherd_world *world, sherd_bond_load *loads)
{
    sherd_system_models state;
    sherd_system_models_of(&state, &world->system);
    sherd_bonded_find_loads(&state.bonded, loads);
}

// ---------------------------------------------------------------- momentum

sherd_vec3 sherd_world_momentum(const sherd_world *world)
{
    sherd_system_models state;
    return sherd_models_momentum(sherd_system_models_of(&state, &world->system),
                                 contact_energy(world).rigid_momentum);
}

sherd_vec3 sherd_world_angular_momentum(const sherd_world *world)
{
    const sherd_point_bodies *points = world->system.points;
    sherd_vec3 sum = contact_energy(world).rigid_angular_momentum;
    sherd_system_models state;
    if (points != NULL) sum = vec3_add(sum, sherd_mpm_gradients_spin(&points->m));
    return sherd_models_angular_momentum(sherd_system_models_of(&state, &world->system), sum);
}

// ---------------------------------------------------------------- probes

sherd_probe_reading sherd_world_probe_driver(const sherd_world *world, sherd_driver_id driver)
{
    if (driver.index1 == 0 || driver.index1 > world->system.drivers.count)
        return (sherd_probe_reading){0};
    // Orientations of points and of elements of central bonds are computed on request.
    sherd_element_view view = sherd_world_elements(world);
    sherd_points points = world->system.elements.points;
    points.qx = (double *)(uintptr_t)view.qx, points.qy = (double *)(uintptr_t)view.qy;
    points.qz = (double *)(uintptr_t)view.qz, points.qw = (double *)(uintptr_t)view.qw;
    return sherd_driver_reading(&world->system.drivers, driver.index1 - 1, &points,
                                sherd_world_time(world));
}

sherd_probe_reading sherd_world_probe_obstacle(const sherd_world *world, sherd_obstacle_id obstacle)
{
    if (!world->prepared || obstacle.index1 == 0 || obstacle.index1 > world->obstacle_count)
        return (sherd_probe_reading){0};
    int k = obstacle.index1 - 1;
    double per_step = world->probe_steps > 0.0 ? 1.0 / world->probe_steps : 0.0;
    sherd_pose now = sherd_world_obstacle_pose(world, k), start = world->obstacle_start[k];
    sherd_probe_reading reading = {
        .force = vec3_scale(per_step, world->obstacle_force_sum[k]),
        .torque = vec3_scale(per_step, world->obstacle_torque_sum[k]),
        .displacement = vec3_sub(now.position, start.position),
        .rotation = quat_to_rotation_vector(
            quat_multiply(now.rotation, quat_conjugate(quat_normalize(start.rotation)))),
    };
    sherd_load_range_read(&world->obstacle_range[k], &reading);
    return reading;
}

void sherd_world_reset_probes(sherd_world *world)
{
    sherd_drivers_reset_probes(&world->system.drivers);
    for (int k = 0; k < world->obstacle_count && world->prepared; ++k) {
        world->obstacle_force_sum[k] = world->obstacle_torque_sum[k] = (sherd_vec3){0};
        world->obstacle_range[k] = sherd_load_range_empty();
    }
    world->probe_steps = 0.0;
}

// ---------------------------------------------------------------- hash

uint64_t sherd_world_state_hash(const sherd_world *world)
{
    sherd_system_models state;
    uint64_t hash =
        sherd_models_hash(sherd_system_models_of(&state, &world->system), SHERD_HASH_START);
    const sherd_contacts *contacts = world->system.contacts;
    return contacts != NULL ? sherd_contacts_hash_bodies(contacts, hash) : hash;
}
