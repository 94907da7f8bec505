// One pass over all bonds: copy a block's state, run the kernel, hand out the loads.
#include "bond/bonds.h"

#include "base/cpu.h"
#include "bond/bond_kernel.h"

#include <string.h>

static sherd_bond_block_function *pick_kernel(sherd_bond_kernel kernel)
{
    bool scalar = kernel == SHERD_BOND_KERNEL_SCALAR;
    switch (sherd_cpu_level()) {
#if defined(SHERD_CPU_X86)
    case SHERD_CPU_AVX512:
        return scalar ? sherd_bond_block_scalar_fma : sherd_bond_block_avx512;
    case SHERD_CPU_AVX2:
        return scalar ? sherd_bond_block_scalar_fma : sherd_bond_block_avx2;
#endif
    default:
        return scalar ? sherd_bond_block_scalar : sherd_bond_block_baseline;
    }
}

typedef struct bond_pass {
    const sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    sherd_elements *elements;
    sherd_bond_block_function *kernel;
} bond_pass;

static void copy_in(const double *from, const sherd_bond_block *block, double *to)
{
    size_t own = (size_t)(block->end - block->begin);
    memcpy(to, from + block->begin, own * sizeof *to);
    for (int32_t h = 0; h < block->halo_count; ++h)
        to[own + (size_t)h] = from[block->halo[h]];
}

static void copy_state(const sherd_elements *e, const sherd_bond_block *block,
                       const sherd_bond_scratch *scratch)
{
    const double *from[] = {e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw,
                            e->vx, e->vy, e->vz, e->wx, e->wy, e->wz};
    for (size_t c = 0; c < sizeof from / sizeof from[0]; ++c)
        copy_in(from[c], block, scratch->state[c]);
}

static void clear_load(const sherd_bond_block *block, const sherd_bond_scratch *scratch)
{
    size_t local = (size_t)(block->end - block->begin + block->halo_count);
    for (int c = 0; c < SHERD_HALO_LOAD; ++c)
        memset(scratch->load[c], 0, local * sizeof(double));
}

// The block's own loads are this pass's first; the halo's wait until all blocks are done.
static void copy_load(const bond_pass *pass, const sherd_bond_block *block,
                      const sherd_bond_scratch *scratch)
{
    sherd_elements *e = pass->elements;
    double *to[SHERD_HALO_LOAD] = {e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    size_t own = (size_t)(block->end - block->begin);
    for (int c = 0; c < SHERD_HALO_LOAD; ++c)
        memcpy(to[c] + block->begin, scratch->load[c], own * sizeof(double));
    double *halo = pass->blocks->halo_load + SHERD_HALO_LOAD * block->halo_at;
    for (int32_t h = 0; h < block->halo_count; ++h)
        for (int c = 0; c < SHERD_HALO_LOAD; ++c)
            halo[SHERD_HALO_LOAD * h + c] = scratch->load[c][own + (size_t)h];
}

static void run_blocks(void *context, size_t begin, size_t end)
{
    const bond_pass *pass = context;
    const sherd_bond_scratch *scratch = &pass->blocks->scratch[sherd_parallel_worker()];
    for (size_t b = begin; b < end; ++b) {
        sherd_bond_block *block = &pass->blocks->blocks[b];
        copy_state(pass->elements, block, scratch);
        clear_load(block, scratch);
        pass->kernel(pass->bonds, pass->blocks->classes, block, scratch);
        copy_load(pass, block, scratch);
    }
}

static void receive_loads(void *context, size_t begin, size_t end)
{
    const bond_pass *pass = context;
    const sherd_bond_blocks *blocks = pass->blocks;
    sherd_elements *e = pass->elements;
    for (size_t b = begin; b < end; ++b) {
        const sherd_bond_block *block = &blocks->blocks[b];
        for (int64_t k = block->incoming_begin; k < block->incoming_end; ++k) {
            sherd_element_index at = blocks->incoming[k].element;
            const double *load = blocks->halo_load + blocks->incoming[k].at;
            e->fx[at] += load[0], e->fy[at] += load[1], e->fz[at] += load[2];
            e->tx[at] += load[3], e->ty[at] += load[4], e->tz[at] += load[5];
        }
    }
}

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_kernel kernel)
{
    bond_pass pass = {bonds, blocks, elements, pick_kernel(kernel)};
    int threads = sherd_parallel_threads(parallel);
    sherd_parallel here = {threads < blocks->scratch_count ? threads : blocks->scratch_count};
    sherd_parallel_for(&here, (size_t)blocks->count, 1, run_blocks, &pass);
    sherd_parallel_for(&here, (size_t)blocks->count, 1, receive_loads, &pass);
}
