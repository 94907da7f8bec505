#include "models/bonded/storage/bond_pass.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "laws/breakage/overstress.h"
#include "models/bonded/kernels/bond_kernel.h"
#include "models/bonded/softening/softening_pass.h"

#include <math.h>
#include <string.h>

static sherd_bond_block_function *widest_kernel(sherd_precision precision)
{
    sherd_simd level = sherd_cpu_level();
    return precision == SHERD_PRECISION_MIXED ? SHERD_KERNEL_AT(level, sherd_bond_block_single)
                                              : SHERD_KERNEL_AT(level, sherd_bond_block);
}

sherd_bond_block_function *sherd_bond_wide_kernel(void)
{
    return SHERD_KERNEL_AT(sherd_cpu_level(), sherd_bond_block_wide);
}

typedef struct bond_pass {
    const sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    sherd_elements *elements;
    sherd_bond_block_function *kernel;
    sherd_bond_receive_function *receive;
    const sherd_point_advance *advance; // may be NULL
} bond_pass;

// No intact bond joins a sleeping element with one that is awake, and within a rigid body nothing
// changes: a sleeping block has no loads for other blocks.
static bool skip_block(const bond_pass *pass, sherd_bond_block *block)
{
    size_t count = (size_t)(block->end - block->begin);
    bool asleep = memchr(pass->elements->asleep + block->begin, 0, count) == NULL;
    if (asleep && !block->asleep) {
        memset(pass->blocks->halo_load + SHERD_HALO_LOAD * block->halo_at, 0,
               sherd_bond_halo_size(block) * SHERD_HALO_LOAD * sizeof(double));
        block->newly_broken_count = 0;
        block->damping_power = block->energy = block->stress_ratio = 0.0;
    }
    return block->asleep = asleep;
}

// Elements without bonds (loose grains, and elements whose last bond broke) get zero loads.
static bool clear_bondless(sherd_elements *e, sherd_bond_block *block)
{
    if (block->group_start[SHERD_BOND_KIND_COUNT] > 0 || block->slices.slot_count > 0 ||
        block->halo_count > 0)
        return false;
    block->newly_broken_count = 0;
    block->damping_power = block->energy = block->stress_ratio = 0.0;
    sherd_elements_clear_loads(e, block->begin, block->end);
    return true;
}

// ---------------------------------------------------------------- the pass
//
// Threads take blocks from the last to the first, and then their incoming loads in the same order. A
// block needs that elements of later blocks have advanced, whose turns have begun; every turn begins
// with the block's own advance, which waits for nothing. Incoming loads need earlier blocks, all of
// which some thread has taken by then. So threads wait for each other briefly and never deadlock.

static void await_halo(const bond_pass *pass, const sherd_bond_block *block)
{
    for (int32_t k = 0; k < block->halo_block_count; ++k)
        sherd_stages_await(&pass->blocks->stages, (size_t)block->halo_blocks[k],
                           SHERD_BOND_ADVANCED);
}

static void advance_block(const bond_pass *pass, size_t b)
{
    if (pass->advance == NULL) return;
    const sherd_bond_block *block = &pass->blocks->blocks[b];
    pass->advance->advance(pass->advance->context, (size_t)block->begin, (size_t)block->end);
    sherd_stages_reach(&pass->blocks->stages, b, SHERD_BOND_ADVANCED);
}

static void run_block(const bond_pass *pass, size_t b)
{
    sherd_bond_block *block = &pass->blocks->blocks[b];
    advance_block(pass, b);
    if (!skip_block(pass, block) && !clear_bondless(pass->elements, block)) {
        if (pass->advance != NULL) await_halo(pass, block);
        pass->kernel(pass->bonds, pass->blocks, block, pass->elements,
                     &pass->blocks->scratch[sherd_parallel_worker()]);
    }
    sherd_stages_reach(&pass->blocks->stages, b, SHERD_BOND_COMPUTED);
}

static void receive_loads(const bond_pass *pass, size_t b)
{
    const sherd_bond_blocks *blocks = pass->blocks;
    const sherd_bond_block *block = &blocks->blocks[b];
    sherd_stages_await(&blocks->stages, b, SHERD_BOND_COMPUTED);
    if (block->asleep) return;
    for (int64_t k = block->incoming_begin; k < block->incoming_end; ++k) {
        sherd_stages_await(&blocks->stages, (size_t)blocks->incoming[k].block, SHERD_BOND_COMPUTED);
        pass->receive(blocks, &blocks->incoming[k], pass->elements);
    }
}

static void run_turn(void *context, size_t item, int turn)
{
    const bond_pass *pass = context;
    size_t block = (size_t)pass->blocks->count - 1 - item;
    if (turn == 0)
        run_block(pass, block);
    else
        receive_loads(pass, block);
}

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_block_function *kernel, const sherd_point_advance *advance)
{
    if (blocks->count == 0) return; // there are no bonded elements
    SHERD_ASSERT(blocks->blocks[blocks->count - 1].end == elements->count,
                 "blocks hold all elements");
    SHERD_ASSERT(blocks->blocks[blocks->count - 1].bond_end == bonds->count,
                 "blocks hold all bonds");
    SHERD_ASSERT(blocks->scratch_count > 0, "threads have scratch");
    if (kernel == NULL) kernel = widest_kernel(blocks->precision);
    sherd_bond_receive_function *receive = SHERD_KERNEL_AT(sherd_cpu_level(), sherd_bond_receive);
    bond_pass pass = {bonds, blocks, elements, kernel, receive, advance};
    sherd_stages_begin(&blocks->stages);
    int threads = sherd_parallel_threads(parallel);
    sherd_parallel here = {threads < blocks->scratch_count ? threads : blocks->scratch_count};
    sherd_parallel_turns(&here, (size_t)blocks->count, 2, run_turn, &pass);
}

sherd_bond_potential sherd_bonds_evaluate(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                                          sherd_elements *elements, const sherd_parallel *parallel)
{
    SHERD_ASSERT(blocks->precision == SHERD_PRECISION_MIXED, "steps are in mixed precision");
    sherd_bonds_apply(bonds, blocks, elements, parallel, sherd_bond_wide_kernel(), NULL);
    sherd_bond_potential sum = {0};
    for (int b = 0; b < blocks->count; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        sum.energy += block->energy;
        sum.damping_power += block->damping_power;
        sum.stress_ratio = fmax(sum.stress_ratio, block->stress_ratio);
        sum.over += block->newly_broken_count;
    }
    if (blocks->softening.count == 0) return sum;
    sherd_softening_sum soft = sherd_softening_evaluate(blocks, bonds, elements, parallel);
    sum.energy += soft.energy;
    sum.damping_power += soft.damping_power;
    sum.stress_ratio = fmax(sum.stress_ratio, soft.stress_ratio);
    return sum;
}

// ---------------------------------------------------------------- damage by overstress

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
