// Products with a tangent: a pass over all blocks of bonds, then one that adds loads between
// blocks.
#include "models/bonded/tangent/tangent_state.h"

static const sherd_tangent_column PRODUCT[TANGENT_PRODUCT_SUMS] = {
    {0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1},
};

typedef struct application {
    sherd_tangent *tangent;
    sherd_tangent_pass pass;
    sherd_tangent_function *kernel;
} application;

static void run_kernel(void *context, size_t begin, size_t end)
{
    const application *a = context;
    for (size_t b = begin; b < end; ++b)
        a->kernel(&a->pass, &a->tangent->blocks[b], &a->tangent->scratch[sherd_parallel_worker()]);
}

// ---------------------------------------------------------------- parts of the result

// The end of the run of consecutive halo elements that begins at `begin`; at most `end`.
static int32_t run_end(const sherd_bond_block *from, int32_t begin, int32_t end)
{
    int32_t h = begin + 1;
    while (h < end && from->halo[h] == from->halo[h - 1] + 1)
        ++h;
    return h;
}

static void add_run(float *restrict to, const float *restrict load, float sign, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
        to[k] += sign * load[k];
}

// Adds loads from other blocks to block b, in the order of blocks.
static void receive(const sherd_tangent *t, size_t b, const sherd_tangent_column *targets,
                    int count, float *y)
{
    const sherd_bond_block *block = &t->bond_blocks->blocks[b];
    for (int64_t k = block->incoming_begin; k < block->incoming_end; ++k) {
        const sherd_incoming *part = &t->bond_blocks->incoming[k];
        const sherd_bond_block *from = &t->bond_blocks->blocks[part->block];
        const sherd_tangent_block *loads = &t->blocks[part->block];
        for (int32_t h = part->begin, end; h < part->end; h = end) {
            end = run_end(from, h, part->end);
            for (int n = 0; n < count; ++n)
                add_run(y + targets[n].column * t->stride + from->halo[h],
                        loads->halo_load + targets[n].sum * loads->halo_column + h,
                        (float)targets[n].sign, end - h);
        }
    }
}

// Without blocks there is one part, which receives nothing.
void sherd_tangent_finish_product(const void *state, size_t part, float *y)
{
    const sherd_tangent *t = state;
    if (part < t->block_count) receive(t, part, PRODUCT, TANGENT_PRODUCT_SUMS, y);
}

void sherd_tangent_finish_diagonal(const void *state, size_t part, float *blocks)
{
    const sherd_tangent *t = state;
    if (part < t->block_count)
        receive(t, part, SHERD_TANGENT_DIAGONAL, TANGENT_DIAGONAL_COLUMNS, blocks);
}

// ---------------------------------------------------------------- all of it

static sherd_tangent_pass pass_of(const sherd_tangent *t)
{
    return (sherd_tangent_pass){.classes = t->classes,
                                .mass = t->mass,
                                .moment = t->moment,
                                .yielding = t->yielding,
                                .damping = t->damping,
                                .tension = t->tension,
                                .stride = t->stride};
}

void sherd_tangent_multiply(void *state, const sherd_linear_pass *pass)
{
    sherd_tangent *t = state;
    application a = {.tangent = t, .kernel = t->product, .pass = pass_of(t)};
    a.pass.x = pass->x;
    a.pass.z = pass->z;
    a.pass.beta = pass->beta;
    a.pass.turned = pass->turned;
    a.pass.y = pass->y;
    a.pass.with_energy = pass->energy != NULL;
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
    if (pass->energy == NULL) return;
    pass->energy[0] = 0.0; // there are no blocks
    for (size_t b = 0; b < t->block_count; ++b)
        pass->energy[b] = t->blocks[b].energy;
}

void sherd_tangent_diagonal(void *state, float *blocks)
{
    sherd_tangent *t = state;
    application a = {.tangent = t, .kernel = t->diagonal, .pass = pass_of(t)};
    a.pass.y = blocks;
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
}
