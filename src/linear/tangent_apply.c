// Products with a tangent: a pass over all blocks of bonds, then one that finishes every block's part.
#define SHERD_LANES 1
#define SHERD_SINGLE 1
#include "linear/tangent_state.h"
#include "math/lane.h"

#include <string.h>

enum { FREEDOMS = SHERD_NODE_FREEDOMS };

static const sherd_tangent_share PRODUCT[TANGENT_PRODUCT_SUMS] = {
    {0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1},
};

typedef struct application {
    sherd_tangent *tangent;
    sherd_tangent_pass pass;
    sherd_tangent_function *kernel;
    sherd_tangent_product *product; // NULL for the diagonal
} application;

static void run_kernel(void *context, size_t begin, size_t end)
{
    const application *a = context;
    for (size_t b = begin; b < end; ++b)
        a->kernel(&a->pass, &a->tangent->blocks[b], &a->tangent->scratch[sherd_parallel_worker()]);
}

// ---------------------------------------------------------------- parts of the result

// Elements of a halo from number `begin` on that follow each other, up to `end`.
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

// Adds what other blocks left for block b, in the order of blocks.
static void receive(const sherd_tangent *t, size_t b, const sherd_tangent_share *shares, int count,
                    float *y)
{
    const sherd_bond_block *block = &t->bond_blocks->blocks[b];
    for (int64_t k = block->incoming_begin; k < block->incoming_end; ++k) {
        const sherd_incoming *part = &t->bond_blocks->incoming[k];
        const sherd_bond_block *from = &t->bond_blocks->blocks[part->block];
        const sherd_tangent_block *loads = &t->blocks[part->block];
        for (int32_t h = part->begin, end; h < part->end; h = end) {
            end = run_end(from, h, part->end);
            for (int n = 0; n < count; ++n)
                add_run(y + shares[n].column * t->stride + from->halo[h],
                        loads->halo_load + shares[n].sum * loads->halo_column + h,
                        (float)shares[n].sign, end - h);
        }
    }
}

// The last part includes bodies and the places beyond them.
static size_t part_end(const sherd_tangent *t, size_t part)
{
    return part + 1 < t->block_count ? (size_t)t->bond_blocks->blocks[part].end : t->stride;
}

static void clear_beyond(const sherd_tangent *t, float *columns, size_t count)
{
    for (size_t c = 0; c < count; ++c)
        memset(columns + c * t->stride + t->nodes, 0, (t->stride - t->nodes) * sizeof *columns);
}

static void finish_product(void *context, size_t begin, size_t end)
{
    const application *a = context;
    const sherd_tangent *t = a->tangent;
    float *y = a->pass.y;
    unsigned mode = lane_flush_tiny();
    for (size_t part = begin; part < end; ++part) {
        size_t first = part * sherd_tangent_part_length(t), last = part_end(t, part);
        if (part < t->block_count) receive(t, part, PRODUCT, TANGENT_PRODUCT_SUMS, y);
        sherd_spring_set_pull(&t->springs, y, t->stride, first, last);
        sherd_tangent_hold(t, y, first, last);
        if (last == t->stride) clear_beyond(t, y, FREEDOMS);
        if (a->product->then != NULL) a->product->then(a->product->context, first, last);
    }
    lane_restore_mode(mode);
}

static void finish_diagonal(void *context, size_t begin, size_t end)
{
    const application *a = context;
    const sherd_tangent *t = a->tangent;
    float *blocks = a->pass.y;
    for (size_t part = begin; part < end; ++part) {
        size_t first = part * sherd_tangent_part_length(t), last = part_end(t, part);
        if (part < t->block_count)
            receive(t, part, SHERD_TANGENT_DIAGONAL, TANGENT_DIAGONAL_SHARES, blocks);
        sherd_spring_set_diagonal(&t->springs, blocks, t->stride, first, last);
        sherd_tangent_hold_blocks(t, blocks, first, last);
        if (last == t->stride) clear_beyond(t, blocks, SHERD_NODE_BLOCK);
    }
}

// ---------------------------------------------------------------- bodies

static void turn_bodies(const sherd_tangent *t, const sherd_tangent_pass *pass)
{
    for (size_t c = 0; c < FREEDOMS; ++c)
        for (size_t k = c * t->stride + t->elements; k < c * t->stride + t->nodes; ++k)
            pass->turned[k] = pass->z[k] + pass->beta * pass->x[k];
}

// Returns x . y.
static double multiply_bodies(const sherd_tangent *t, const float *x, float *y)
{
    double energy = 0.0;
    for (size_t b = 0; b < t->body_count; ++b) {
        double in[FREEDOMS], out[FREEDOMS];
        size_t node = t->elements + b;
        for (size_t c = 0; c < FREEDOMS; ++c)
            in[c] = (double)x[c * t->stride + node];
        for (size_t c = 0; c < 3; ++c) {
            const double *m = t->bodies[b].moment[c];
            out[c] = t->bodies[b].mass * in[c];
            out[3 + c] = m[0] * in[3] + m[1] * in[4] + m[2] * in[5];
        }
        for (size_t c = 0; c < FREEDOMS; ++c) {
            y[c * t->stride + node] = (float)out[c];
            energy += in[c] * out[c];
        }
    }
    return energy;
}

static void find_body_blocks(const sherd_tangent *t, float *blocks)
{
    for (size_t b = 0; b < t->body_count; ++b)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at) {
                double entry = r == c ? t->bodies[b].mass : 0.0;
                if (r >= 3) entry = c >= 3 ? t->bodies[b].moment[r - 3][c - 3] : 0.0;
                blocks[(size_t)at * t->stride + t->elements + b] = (float)entry;
            }
}

// ---------------------------------------------------------------- all of it

void sherd_tangent_multiply(sherd_tangent *t, sherd_tangent_product *product)
{
    application a = {.tangent = t,
                     .kernel = t->product,
                     .product = product,
                     .pass = {.classes = t->classes,
                              .mass = t->mass,
                              .moment = t->moment,
                              .damping = t->damping,
                              .tension = t->tension,
                              .stride = t->stride,
                              .x = product->x,
                              .z = product->z,
                              .beta = product->beta,
                              .turned = product->z != NULL ? product->turned : NULL,
                              .y = product->y,
                              .with_energy = product->with_energy}};
    const float *x = a.pass.turned != NULL ? a.pass.turned : a.pass.x;
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
    if (a.pass.turned != NULL) {
        turn_bodies(t, &a.pass);
        clear_beyond(t, product->turned, FREEDOMS);
    }
    product->energy = multiply_bodies(t, x, product->y) +
                      sherd_spring_set_stretch(&t->springs, x, t->stride, &t->parallel);
    for (size_t b = 0; b < t->block_count; ++b)
        product->energy += t->blocks[b].energy;
    sherd_parallel_for(&t->parallel, sherd_tangent_part_count(t), 1, finish_product, &a);
}

void sherd_tangent_apply(sherd_tangent *tangent, const float *x, float *y)
{
    sherd_tangent_product product = {.x = x, .y = y};
    sherd_tangent_multiply(tangent, &product);
}

void sherd_tangent_diagonal(sherd_tangent *t, float *blocks)
{
    application a = {.tangent = t,
                     .kernel = t->diagonal,
                     .pass = {.classes = t->classes,
                              .mass = t->mass,
                              .moment = t->moment,
                              .damping = t->damping,
                              .tension = t->tension,
                              .stride = t->stride,
                              .y = blocks}};
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
    find_body_blocks(t, blocks);
    sherd_parallel_for(&t->parallel, sherd_tangent_part_count(t), 1, finish_diagonal, &a);
}
