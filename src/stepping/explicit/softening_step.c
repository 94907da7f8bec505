#include "stepping/explicit/softening_step.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "models/bonded/bond_loads.h"
#include "models/bonded/storage/bonds.h"

#include <math.h>

// Initial opening of a bond that has just reached its strength; 0: it breaks at its strength.
static double first_opening(const sherd_system *s, int64_t bond, double critical)
{
    if (!(critical > 0.0)) return 0.0;
    double asked = sherd_bond_analyse(&s->bonds, &s->elements, bond).asked_opening;
    return fmin(fmax(asked, 1.0), critical);
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
    sherd_bond_constants rest = sherd_bond_constants_of(&s->bonds, &s->elements, bond);
    double gone = 1.0 - sherd_bond_integrity(&s->bonds, &rest, bond);
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
