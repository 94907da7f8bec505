// Products with a linear system's matrix: a pass of the model over all points, then one that
// completes every part.
#define SHERD_LANES 1
#define SHERD_SINGLE 1
#include "base/assertion.h"
#include "linear/linear_matrix.h"
#include "math/lane.h"

#include <string.h>

enum { FREEDOMS = SHERD_NODE_FREEDOMS };

// ---------------------------------------------------------------- parts of the result

typedef struct application {
    const sherd_linear_matrix *matrix;
    float *y;                      // or the diagonal blocks
    sherd_linear_product *product; // NULL for the diagonal
} application;

// The last part includes bodies and the padding behind them.
static size_t part_end(const sherd_linear_matrix *m, size_t part)
{
    return part + 1 < m->parts.count ? (part + 1) * m->parts.length : m->stride;
}

static void clear_beyond(const sherd_linear_matrix *m, float *columns, size_t count)
{
    for (size_t c = 0; c < count; ++c)
        memset(columns + c * m->stride + m->nodes, 0, (m->stride - m->nodes) * sizeof *columns);
}

static void finish_product(void *context, size_t begin, size_t end)
{
    const application *a = context;
    const sherd_linear_matrix *m = a->matrix;
    unsigned mode = lane_flush_tiny();
    for (size_t part = begin; part < end; ++part) {
        size_t first = part * m->parts.length, last = part_end(m, part);
        if (m->model->finish_product != NULL) m->model->finish_product(m->state, part, a->y);
        sherd_spring_set_pull(&m->springs, a->y, m->stride, first, last);
        sherd_linear_matrix_hold(m, a->y, first, last);
        if (last == m->stride) clear_beyond(m, a->y, FREEDOMS);
        if (a->product->then != NULL) a->product->then(a->product->context, first, last);
    }
    lane_restore_mode(mode);
}

static void finish_diagonal(void *context, size_t begin, size_t end)
{
    const application *a = context;
    const sherd_linear_matrix *m = a->matrix;
    for (size_t part = begin; part < end; ++part) {
        size_t first = part * m->parts.length, last = part_end(m, part);
        if (m->model->finish_diagonal != NULL) m->model->finish_diagonal(m->state, part, a->y);
        sherd_spring_set_diagonal(&m->springs, a->y, m->stride, first, last);
        sherd_linear_matrix_hold_blocks(m, a->y, first, last);
        if (last == m->stride) clear_beyond(m, a->y, SHERD_NODE_BLOCK);
    }
}

// ---------------------------------------------------------------- bodies

static void rotate_bodies(const sherd_linear_matrix *m, const sherd_linear_pass *pass)
{
    for (size_t c = 0; c < FREEDOMS; ++c)
        for (size_t k = c * m->stride + m->points; k < c * m->stride + m->nodes; ++k)
            pass->turned[k] = pass->z[k] + pass->beta * pass->x[k];
}

// Returns x . y.
static double multiply_bodies(const sherd_linear_matrix *m, const float *x, float *y)
{
    double energy = 0.0;
    for (size_t b = 0; b < m->body_count; ++b) {
        double in[FREEDOMS], out[FREEDOMS];
        size_t node = m->points + b;
        for (size_t c = 0; c < FREEDOMS; ++c)
            in[c] = (double)x[c * m->stride + node];
        for (size_t c = 0; c < 3; ++c) {
            const double *moment = m->bodies[b].moment[c];
            out[c] = m->bodies[b].mass * in[c];
            out[3 + c] = moment[0] * in[3] + moment[1] * in[4] + moment[2] * in[5];
        }
        for (size_t c = 0; c < FREEDOMS; ++c) {
            y[c * m->stride + node] = (float)out[c];
            energy += in[c] * out[c];
        }
    }
    return energy;
}

static void find_body_blocks(const sherd_linear_matrix *m, float *blocks)
{
    for (size_t b = 0; b < m->body_count; ++b)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at) {
                double entry = r == c ? m->bodies[b].mass : 0.0;
                if (r >= 3) entry = c >= 3 ? m->bodies[b].moment[r - 3][c - 3] : 0.0;
                blocks[(size_t)at * m->stride + m->points + b] = (float)entry;
            }
}

// ---------------------------------------------------------------- product and diagonal

void sherd_linear_matrix_multiply(sherd_linear_matrix *m, sherd_linear_product *product)
{
    SHERD_ASSERT(product->x != product->y && product->z != product->y &&
                     product->turned != product->y,
                 "vectors of a product do not overlap");
    SHERD_ASSERT(product->z == NULL || product->turned != NULL, "storage for the new x is given");
    bool turns = product->z != NULL;
    const sherd_linear_pass pass = {.stride = m->stride,
                                    .x = product->x,
                                    .z = product->z,
                                    .beta = product->beta,
                                    .turned = turns ? product->turned : NULL,
                                    .y = product->y,
                                    .energy = product->with_energy ? m->energy : NULL};
    const float *x = turns ? pass.turned : pass.x;
    m->model->multiply(m->state, &pass);
    if (turns) {
        rotate_bodies(m, &pass);
        clear_beyond(m, pass.turned, FREEDOMS);
    }
    product->energy = multiply_bodies(m, x, product->y) +
                      sherd_spring_set_stretch(&m->springs, x, m->stride, &m->parallel);
    for (size_t part = 0; part < m->parts.count && product->with_energy; ++part)
        product->energy += m->energy[part];
    application a = {m, product->y, product};
    sherd_parallel_for(&m->parallel, m->parts.count, 1, finish_product, &a);
}

void sherd_linear_matrix_apply(sherd_linear_matrix *matrix, const float *x, float *y)
{
    sherd_linear_product product = {.x = x, .y = y};
    sherd_linear_matrix_multiply(matrix, &product);
}

void sherd_linear_matrix_diagonal(sherd_linear_matrix *m, float *blocks)
{
    m->model->diagonal(m->state, blocks);
    find_body_blocks(m, blocks);
    application a = {.matrix = m, .y = blocks};
    sherd_parallel_for(&m->parallel, m->parts.count, 1, finish_diagonal, &a);
}
