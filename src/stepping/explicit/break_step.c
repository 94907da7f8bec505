#include "stepping/explicit/break_step.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/bonded/bond_loads.h"
#include "models/bonded/storage/bond_breaking.h"
#include "models/bonded/storage/bonds.h"
#include "stepping/explicit/damping_work.h"
#include "stepping/explicit/verlet_energy_offset.h"

#include <math.h>
#include <stdlib.h>

static sherd_status note_breaking(sherd_system *system, int64_t bond, sherd_error *error)
{
    size_t at = system->breaking_count;
    if (!sherd_grow((void **)&system->breaking, &system->breaking_capacity, at + 1,
                    sizeof *system->breaking))
        return sherd_fail_memory(error, "broken bonds");
    system->breaking[at] =
        (sherd_broken_bond){bond, sherd_bond_analyse(&system->bonds, &system->elements, bond)};
    ++system->breaking_count;
    return SHERD_OK;
}

// Bonds that break by the stress of an element (element_criterion.h).
static sherd_status analyse_overstressed(sherd_system *system, sherd_error *error)
{
    sherd_element_criterion *c = &system->blocks.criterion;
    sherd_element_criterion_evaluate(c, &system->bonds, &system->elements, &system->adjacency,
                                     &system->parallel, c->least_strength);
    sherd_status status = SHERD_OK;
    int32_t cursor = 0;
    int64_t bond;
    while (status == SHERD_OK &&
           sherd_element_criterion_next_over(c, &system->bonds, &system->elements, &cursor, &bond))
        status = note_breaking(system, bond, error);
    return status;
}

// Loads of the broken bonds, with the velocities that their damping was computed from.
static sherd_status analyse_broken(sherd_system *system, sherd_error *error)
{
    system->breaking_count = 0;
    for (int b = 0; b < system->blocks.count; ++b) {
        const sherd_bond_block *block = &system->blocks.blocks[b];
        sherd_broken_cursor cursor = {0};
        int64_t bond;
        while (block->newly_broken_count > 0 &&
               sherd_bond_block_next_broken(&system->blocks, block, &cursor, &bond)) {
            sherd_status status = note_breaking(system, bond, error);
            if (status != SHERD_OK) return status;
        }
    }
    return analyse_overstressed(system, error);
}

static sherd_status log_broken(sherd_system *system, double time, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < system->breaking_count && status == SHERD_OK; ++k) {
        const sherd_broken_bond *b = &system->breaking[k];
        sherd_broken broken =
            sherd_broken_of(&system->bonds, &system->elements, b->bond, &b->last, time);
        status = sherd_break_log_add(&system->breaks, &broken, error);
    }
    return status;
}

// ---------------------------------------------------------------- removal of bonds

// The ends of broken bonds, each once; they have had their second half kick.
static sherd_status list_changed(sherd_system *system, sherd_error *error)
{
    const sherd_bonds *bonds = &system->bonds;
    size_t max_count = 2 * system->breaking_count, count = 0;
    if (!sherd_grow((void **)&system->changed, &system->changed_capacity, max_count,
                    sizeof *system->changed))
        return sherd_fail_memory(error, "broken bonds");
    sherd_changed_kick *c = system->changed;
    for (size_t k = 0; k < system->breaking_count; ++k) {
        int64_t bond = system->breaking[k].bond;
        c[2 * k] = (sherd_changed_kick){.element = bonds->i[bond]};
        c[2 * k + 1] = (sherd_changed_kick){.element = bonds->j[bond]};
    }
    qsort(c, max_count, sizeof *c, sherd_changed_kick_order);
    for (size_t k = 0; k < max_count; ++k)
        if (count == 0 || c[k].element != c[count - 1].element) c[count++] = c[k];
    for (size_t k = 0; k < count; ++k) {
        sherd_system_synchronize_element(system, c[k].element);
        c[k].before = sherd_element_half_kick(system, c[k].element);
    }
    system->changed_count = count;
    return SHERD_OK;
}

static double kick_energy_of_changed(const sherd_system *system)
{
    double sum = 0.0;
    for (size_t k = 0; k < system->changed_count; ++k)
        sum += sherd_element_kick_energy(system, system->changed[k].element);
    return sum;
}

// Subtracts a broken bond's load from F and T.
static void withdraw_load(sherd_elements *e, sherd_element_index i, sherd_element_index j,
                          const sherd_bond_analysis *a)
{
    sherd_element_add_load(e, i, a->force_j, vec3_scale(-1.0, a->torque_i));
    sherd_element_add_load(e, j, vec3_scale(-1.0, a->force_j), vec3_scale(-1.0, a->torque_j));
}

static void withdraw(sherd_system *system, const sherd_broken_bond *broken)
{
    sherd_bonds *bonds = &system->bonds;
    sherd_element_index i = bonds->i[broken->bond], j = bonds->j[broken->bond];
    system->accounts.dissipated_fracture += broken->last.energy;
    withdraw_load(&system->elements, i, j, &broken->last);
    bonds->broken[broken->bond] = 1;
    ++bonds->broken_count;
    if (system->contacts != NULL) sherd_contacts_bonds_broke(system->contacts, &i, &j, 1);
}

// The dissipation by these bonds' last loads is computed before any load changes, that of their
// neighbours' damping afterwards.
static sherd_status withdraw_all(sherd_system *system, sherd_error *error)
{
    sherd_status status = list_changed(system, error);
    if (status != SHERD_OK) return status;
    for (size_t k = 0; k < system->breaking_count; ++k)
        sherd_system_account_last_damping(system, system->breaking[k].bond);
    double offset = kick_energy_of_changed(system);
    for (size_t k = 0; k < system->breaking_count; ++k)
        withdraw(system, &system->breaking[k]);
    system->accounts.integration += kick_energy_of_changed(system) - offset;
    sherd_system_account_changed_kicks(system);
    return SHERD_OK;
}

sherd_status sherd_system_break_bonds(sherd_system *system, double time, sherd_error *error)
{
    system->changed_count = 0;
    sherd_status status = analyse_broken(system, error);
    if (status == SHERD_OK) status = log_broken(system, time, error);
    if (status == SHERD_OK && system->breaking_count > 0) status = withdraw_all(system, error);
    if (status != SHERD_OK) return status;
    // Those that break by the stress of an element are not in the blocks' lists.
    bool by_elements = system->breaking_count > 0 && system->blocks.criterion.bond_count > 0;
    for (int b = 0; b < system->blocks.count; ++b) {
        sherd_bond_block *block = &system->blocks.blocks[b];
        if (by_elements) sherd_bond_block_mark_broken(&system->blocks, block, &system->bonds);
        if (block->newly_broken_count > 0)
            sherd_bond_block_strike(&system->blocks, block, &system->bonds, &system->elements,
                                    &system->adjacency);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- softening

// Initial opening of a bond that has just reached its strength; 0: it breaks at its strength.
static double first_opening(const sherd_system *s, int64_t bond, double critical)
{
    if (!(critical > 0.0)) return 0.0;
    double required = sherd_bond_analyse(&s->bonds, &s->elements, bond).required_opening;
    return fmin(fmax(required, 1.0), critical);
}

static sherd_bond_motion motion_of(const sherd_system *s, int64_t bond)
{
    const sherd_elements *e = &s->elements;
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    return (sherd_bond_motion){vec3_sub(sherd_element_velocity(e, j), sherd_element_velocity(e, i)),
                               sherd_element_spin(e, i), sherd_element_spin(e, j)};
}

// Power of a bond's loads [W].
static double power_of(const sherd_bond_analysis *a, const sherd_bond_motion *m)
{
    return vec3_dot(a->force_j, m->v_ij) + vec3_dot(a->torque_i, m->w_i) +
           vec3_dot(a->torque_j, m->w_j);
}

// The load summed by the blocks' kernels was that of the undamaged bond.
static void change_load(sherd_system *s, int64_t bond, const sherd_bond_analysis *whole)
{
    sherd_bond_analysis now = sherd_bond_analyse(&s->bonds, &s->elements, bond);
    sherd_vec3 force = vec3_sub(now.force_j, whole->force_j);
    sherd_element_add_load(&s->elements, s->bonds.i[bond], vec3_scale(-1.0, force),
                           vec3_sub(now.torque_i, whole->torque_i));
    sherd_element_add_load(&s->elements, s->bonds.j[bond], force,
                           vec3_sub(now.torque_j, whole->torque_j));
}

// Opens a bond that was intact. Its loss, and the error of integration, are those of all opening
// bonds (models/bonded/kernels/bond_soften.h).
static void open_bond(sherd_system *s, sherd_bond_block *block, int64_t bond, double opening,
                      double dt)
{
    sherd_bond_motion m = motion_of(s, bond);
    sherd_bond_resistance c = sherd_bond_resistance_of(&s->bonds, &s->elements, bond);
    sherd_bond_analysis whole = sherd_bond_analyse(&s->bonds, &s->elements, bond),
                        before = sherd_bond_analyse_static(&s->bonds, &s->elements, bond);
    s->bonds.opening[bond] = (float)opening;
    sherd_bond_analysis after = sherd_bond_analyse_static(&s->bonds, &s->elements, bond);
    sherd_bond_constants constants = sherd_bond_constants_of(&s->bonds, &s->elements, bond);
    double gone = 1.0 - sherd_bond_integrity(&s->bonds, &constants, bond);
    double damping = gone * sherd_bond_damping_power(&c, &m);
    block->softening_lost +=
        before.energy - after.energy + 0.5 * dt * (power_of(&before, &m) - power_of(&after, &m));
    block->softening_missed += 0.25 * dt * damping;
    block->damping_power -= damping;
    change_load(s, bond, &whole);
}

static void begin_in_block(sherd_system *s, sherd_bond_block *block, double dt)
{
    sherd_broken_cursor cursor = {0};
    int64_t bond;
    bool some = false;
    while (sherd_bond_block_next_broken(&s->blocks, block, &cursor, &bond)) {
        if (s->bonds.opening[bond] > 0.0F) continue; // it has softened and fails
        double critical = sherd_bond_constants_of(&s->bonds, &s->elements, bond).critical_opening;
        double opening = first_opening(s, bond, critical);
        if (opening == 0.0) continue;
        s->blocks.critical[bond] = (float)critical;
        open_bond(s, block, bond, opening, dt);
        some = true;
    }
    if (some) sherd_bond_block_begin_softening(&s->blocks, block, &s->bonds);
}

static void book(sherd_accounts *accounts, sherd_bond_block *block)
{
    accounts->dissipated_softening += block->softening_lost;
    accounts->integration += block->softening_missed;
    block->softening_lost = block->softening_missed = 0.0;
}

void sherd_system_soften(sherd_system *system, double dt)
{
    SHERD_ASSERT(dt > 0.0, "time advances");
    if (system->bonds.opening == NULL) return;
    for (int b = 0; b < system->blocks.count; ++b) {
        sherd_bond_block *block = &system->blocks.blocks[b];
        if (block->newly_broken_count > 0) begin_in_block(system, block, dt);
        book(&system->accounts, block);
    }
}
