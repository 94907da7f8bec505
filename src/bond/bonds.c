#include "bond/bonds.h"

#include "bond/bond_kernel.h"

#include <string.h>

static sherd_bond_block_function *best_kernel(const char **name)
{
#if defined(SHERD_X86_KERNELS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        *name = "avx512";
        return sherd_bond_block_avx512;
    }
    if (__builtin_cpu_supports("avx2")) {
        *name = "avx2";
        return sherd_bond_block_avx2;
    }
#endif
    *name = "baseline";
    return sherd_bond_block_baseline;
}

const char *sherd_bonds_kernel_name(void)
{
    const char *name;
    best_kernel(&name);
    return name;
}

typedef struct bond_pass {
    const sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    sherd_elements *elements;
    sherd_bond_block_function *kernel;
} bond_pass;

static void pack_state(const sherd_elements *e, sherd_element_index k, double *to)
{
    to[0] = e->px[k], to[1] = e->py[k], to[2] = e->pz[k];
    to[3] = e->qx[k], to[4] = e->qy[k], to[5] = e->qz[k], to[6] = e->qw[k];
    to[7] = e->vx[k], to[8] = e->vy[k], to[9] = e->vz[k];
    to[10] = e->wx[k], to[11] = e->wy[k], to[12] = e->wz[k];
}

static void pack_blocks(void *context, size_t begin, size_t end)
{
    const bond_pass *pass = context;
    for (size_t b = begin; b < end; ++b) {
        const sherd_bond_block *block = &pass->blocks->blocks[b];
        for (sherd_element_index k = block->begin; k < block->end; ++k)
            pack_state(pass->elements, k, pass->blocks->state + SHERD_PACKED_STATE * (size_t)k);
    }
}

static void unpack_load(sherd_elements *e, sherd_element_index k, const double *from)
{
    e->fx[k] = from[0], e->fy[k] = from[1], e->fz[k] = from[2];
    e->tx[k] = from[3], e->ty[k] = from[4], e->tz[k] = from[5];
}

static void run_blocks(void *context, size_t begin, size_t end)
{
    const bond_pass *pass = context;
    sherd_bond_blocks *all = pass->blocks;
    for (size_t b = begin; b < end; ++b) {
        sherd_bond_block *block = &all->blocks[b];
        size_t own = (size_t)(block->end - block->begin);
        memset(all->load + SHERD_PACKED_LOAD * (size_t)block->begin, 0,
               own * SHERD_PACKED_LOAD * sizeof(double));
        pass->kernel(pass->bonds, block, all->state, all->load);
        for (sherd_element_index k = block->begin; k < block->end; ++k)
            unpack_load(pass->elements, k, all->load + SHERD_PACKED_LOAD * (size_t)k);
    }
}

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_kernel kernel)
{
    const char *name;
    bond_pass pass = {bonds, blocks, elements,
                      kernel == SHERD_BOND_KERNEL_SCALAR ? sherd_bond_block_scalar
                                                         : best_kernel(&name)};
    sherd_parallel_for(parallel, (size_t)blocks->count, 1, pack_blocks, &pass);
    sherd_parallel_for(parallel, (size_t)blocks->count, 1, run_blocks, &pass);
}
