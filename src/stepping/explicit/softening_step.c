#include "stepping/explicit/softening_step.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/bonded/softening/softening_pass.h"
#include "models/bonded/storage/bond_damping.h"

typedef struct begun_list {
    int64_t *bonds; // owned
    size_t count, capacity;
    double damping_power; // that the blocks' kernels have counted of them [W]
} begun_list;

static bool is_to_soften(const sherd_system *s, int64_t bond)
{
    return s->bonds.opening != NULL &&
           sherd_bond_rest_of(&s->bonds, &s->elements, bond).critical_opening > 0.0;
}

static double damping_power_of(const sherd_system *s, int64_t bond)
{
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    const sherd_elements *e = &s->elements;
    sherd_bond_resistance c = sherd_bond_resistance_of(&s->bonds, e, bond);
    sherd_bond_motion motion = {
        vec3_sub(sherd_element_velocity(e, j), sherd_element_velocity(e, i)),
        sherd_element_spin(e, i), sherd_element_spin(e, j)};
    return sherd_bond_damping_power(&c, &motion);
}

// Takes the load of a bond that is whole out of what the blocks' kernels added up.
static void take_over(sherd_system *s, int64_t bond, begun_list *begun)
{
    sherd_bond_analysis a = sherd_bond_analyse(&s->bonds, &s->elements, bond);
    sherd_element_add_load(&s->elements, s->bonds.i[bond], a.force_j, vec3_scale(-1.0, a.torque_i));
    sherd_element_add_load(&s->elements, s->bonds.j[bond], vec3_scale(-1.0, a.force_j),
                           vec3_scale(-1.0, a.torque_j));
    begun->damping_power += damping_power_of(s, bond);
    s->bonds.opening[bond] = 1.0F;
}

static sherd_status begin_in_block(sherd_system *s, sherd_bond_block *block, begun_list *begun,
                                   sherd_error *error)
{
    size_t before = begun->count;
    sherd_broken_cursor cursor = {0};
    int64_t bond;
    while (block->newly_broken_count > 0 &&
           sherd_bond_block_next_broken(&s->blocks, block, &cursor, &bond)) {
        if (!is_to_soften(s, bond)) continue;
        if (!sherd_grow((void **)&begun->bonds, &begun->capacity, begun->count + 1,
                        sizeof *begun->bonds))
            return sherd_fail_memory(error, "softening bonds");
        begun->bonds[begun->count++] = bond;
        take_over(s, bond, begun);
    }
    if (begun->count > before) sherd_bond_block_release(&s->blocks, block, &s->bonds);
    return SHERD_OK;
}

static sherd_status begin_softening(sherd_system *s, begun_list *begun, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int b = 0; b < s->blocks.count && status == SHERD_OK; ++b)
        status = begin_in_block(s, &s->blocks.blocks[b], begun, error);
    if (status != SHERD_OK || begun->count == 0) return status;
    return sherd_softening_list_add(&s->blocks.softening, &s->bonds, &s->elements, begun->bonds,
                                    begun->count)
               ? SHERD_OK
               : sherd_fail_memory(error, "softening bonds");
}

sherd_status sherd_system_soften(sherd_system *system, double dt, double *damping_power,
                                 sherd_error *error)
{
    *damping_power = 0.0;
    if (system->bonds.opening == NULL) return SHERD_OK;
    begun_list begun = {.bonds = NULL};
    sherd_status status = begin_softening(system, &begun, error);
    sherd_free(begun.bonds);
    if (status != SHERD_OK) return status;
    sherd_softening_sum sum = sherd_softening_advance(&system->blocks, &system->bonds,
                                                      &system->elements, &system->parallel, dt);
    system->accounts.dissipated_softening += sum.lost;
    system->accounts.integration += sum.missed;
    *damping_power = sum.damping_power - begun.damping_power;
    return SHERD_OK;
}

void sherd_system_add_softened_loads(sherd_system *system)
{
    if (system->bonds.opening == NULL) return;
    sherd_softening_evaluate(&system->blocks, &system->bonds, &system->elements, &system->parallel);
}
