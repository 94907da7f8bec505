#include "linear/jacobi.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/block_jacobi.h"
#include "linear/pcg.h"

typedef struct jacobi {
    sherd_linear_matrix matrix;
    sherd_pcg pcg;
    float *inverse; // of the diagonal blocks (21 x stride)
    size_t stride;
    sherd_parallel parallel;
} jacobi;

static void destroy(void *self)
{
    jacobi *j = self;
    sherd_linear_matrix_free(&j->matrix);
    sherd_pcg_free(&j->pcg);
    sherd_free(j->inverse);
    sherd_free(j);
}

static void *create(sherd_error *error)
{
    jacobi *j = sherd_alloc(1, sizeof *j);
    if (j == NULL) sherd_fail_memory(error, "linear solver");
    return j;
}

static sherd_status make_room(jacobi *j, size_t stride, sherd_error *error)
{
    if (j->inverse == NULL || j->stride != stride) {
        sherd_free(j->inverse);
        j->stride = stride;
        j->inverse = sherd_alloc(SHERD_NODE_BLOCK * stride, sizeof *j->inverse);
        if (j->inverse == NULL) return sherd_fail_memory(error, "diagonal blocks");
    }
    return sherd_pcg_resize(&j->pcg, SHERD_NODE_FREEDOMS * stride, error);
}

static sherd_status prepare(void *self, const sherd_linear_system *system, sherd_error *error)
{
    jacobi *j = self;
    size_t nodes = sherd_node_count(system), stride = sherd_node_stride(nodes);
    j->parallel = system->parallel;
    sherd_status status = sherd_linear_matrix_prepare(&j->matrix, system, error);
    if (status == SHERD_OK) status = make_room(j, stride, error);
    if (status != SHERD_OK) return status;
    sherd_linear_matrix_diagonal(&j->matrix, j->inverse);
    return sherd_block_jacobi_invert(j->inverse, nodes, stride, &j->parallel, error);
}

static void precondition(void *context, const float *r, float *z, size_t begin, size_t end)
{
    const jacobi *j = context;
    sherd_block_jacobi_apply_range(j->inverse, j->stride, r, z, begin, end);
}

static sherd_status solve(void *self, const double *b, double *x, const sherd_linear_goal *goal,
                          sherd_linear_report *report, sherd_error *error)
{
    jacobi *j = self;
    return sherd_pcg_solve_by_node(&j->pcg, &j->matrix, precondition, j, b, x, goal, report, error);
}

static size_t bytes(const void *self)
{
    const jacobi *j = self;
    return sherd_linear_matrix_bytes(&j->matrix) + sherd_pcg_bytes(&j->pcg) +
           SHERD_NODE_BLOCK * j->stride * sizeof *j->inverse;
}

const sherd_linear_backend sherd_linear_jacobi = {
    .name = "jacobi",
    .create = create,
    .prepare = prepare,
    .solve = solve,
    .bytes = bytes,
    .destroy = destroy,
};
