#include "bond/bonds.h"

#include "bond/bond_kernel.h"

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

static void run_blocks(void *context, size_t begin, size_t end)
{
    const bond_pass *pass = context;
    for (size_t b = begin; b < end; ++b)
        pass->kernel(pass->bonds, &pass->blocks->blocks[b], pass->elements);
}

void sherd_bonds_apply(const sherd_bonds *bonds, sherd_bond_blocks *blocks,
                       sherd_elements *elements, const sherd_parallel *parallel,
                       sherd_bond_kernel kernel)
{
    const char *name;
    bond_pass pass = {bonds, blocks, elements,
                      kernel == SHERD_BOND_KERNEL_SCALAR ? sherd_bond_block_scalar
                                                         : best_kernel(&name)};
    sherd_parallel_for(parallel, (size_t)blocks->count, 1, run_blocks, &pass);
}
