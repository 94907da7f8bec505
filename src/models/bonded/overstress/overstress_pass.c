#include "models/bonded/overstress/overstress_pass.h"

#include "base/assertion.h"
#include "laws/breakage/overstress.h"

bool sherd_bond_takes_time(const sherd_bonds *bonds, int64_t bond)
{
    return bonds->damage != NULL && sherd_bond_material(bonds, bond)->rate_time > 0.0;
}

typedef struct job {
    sherd_bond_blocks *blocks;
    sherd_bonds *bonds;
    const sherd_elements *elements;
    double dt;
} job;

// Damage is the sum of the increments of all steps, each computed with the overstress at the end of
// its step. Subtracting half of the last increment gives the trapezoidal rule, which decides about
// breakage: it needs no overstress from before the step.
static bool survives(const job *j, int64_t bond)
{
    const sherd_material_def *m = sherd_bond_material(j->bonds, bond);
    double ratio = sherd_bond_analyse(j->bonds, j->elements, bond).stress_ratio;
    double more = bond_overstress(ratio, m->rate_exponent) * j->dt / m->rate_time;
    j->bonds->damage[bond] += more;
    return j->bonds->damage[bond] - 0.5 * more < 1.0;
}

static void advance_blocks(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t b = begin; b < end; ++b) {
        sherd_bond_block *block = &j->blocks->blocks[b];
        sherd_broken_cursor cursor = {0};
        int64_t bond;
        while (block->newly_broken_count > 0 &&
               sherd_bond_block_next_broken(j->blocks, block, &cursor, &bond))
            if (sherd_bond_takes_time(j->bonds, bond) && survives(j, bond))
                sherd_bond_block_spare(block, &cursor);
    }
}

void sherd_overstress_advance(sherd_bond_blocks *blocks, sherd_bonds *bonds,
                              const sherd_elements *elements, const sherd_parallel *parallel,
                              double dt)
{
    SHERD_ASSERT(dt >= 0.0, "time advances");
    if (bonds->damage == NULL) return;
    job j = {blocks, bonds, elements, dt};
    sherd_parallel_for(parallel, (size_t)blocks->count, 1, advance_blocks, &j);
}
