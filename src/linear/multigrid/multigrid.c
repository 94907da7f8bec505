#include "linear/multigrid/multigrid.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/multigrid/coarse_matrices.h"
#include "linear/multigrid/hierarchy.h"
#include "linear/pcg.h"

// Slices of 16 nodes.
enum { CHUNK = 32, LANES = SHERD_COARSE_LANES };

typedef struct multigrid {
    sherd_linear_matrix matrix;
    sherd_pcg pcg;
    sherd_hierarchy hierarchy;
    size_t nodes, stride, capacity;
    float *smoother; // packed, as of coarse levels (21 x stride); owned, with the vectors
    float *smoothed, *product;
} multigrid;

// ---------------------------------------------------------------- creation

static void destroy(void *self)
{
    multigrid *m = self;
    sherd_hierarchy_free(&m->hierarchy);
    sherd_linear_matrix_free(&m->matrix);
    sherd_pcg_free(&m->pcg);
    sherd_free(m->smoother);
    sherd_free(m);
}

static void *create(sherd_error *error)
{
    multigrid *m = sherd_alloc(1, sizeof *m);
    if (m == NULL) sherd_fail_memory(error, "linear solver");
    return m;
}

static size_t bytes(const void *self)
{
    const multigrid *m = self;
    size_t sum = sizeof *m + sherd_linear_matrix_bytes(&m->matrix) + sherd_pcg_bytes(&m->pcg);
    sum += (SHERD_SPRING_NUMBERS + 12) * m->stride * sizeof *m->smoother;
    return sum + sherd_hierarchy_bytes(&m->hierarchy);
}

// ---------------------------------------------------------------- matrices

static sherd_status make_room(multigrid *m, const sherd_linear_system *system, sherd_error *error)
{
    m->nodes = sherd_node_count(system);
    size_t stride = sherd_node_stride(m->nodes);
    if (m->smoother == NULL || stride != m->stride) {
        sherd_free(m->smoother);
        m->stride = stride;
        m->smoother = sherd_alloc((SHERD_SPRING_NUMBERS + 12) * stride, sizeof *m->smoother);
        if (m->smoother == NULL) return sherd_fail_memory(error, "multigrid");
        m->smoothed = m->smoother + SHERD_SPRING_NUMBERS * stride;
        m->product = m->smoothed + 6 * stride;
    }
    return sherd_pcg_resize(&m->pcg, 6 * stride, error);
}

typedef struct smoothing {
    multigrid *m;
    const sherd_linear_system *system;
} smoothing;

// Like sherd_coarse_level_smoother: D = G + sum of S is set, the part of inertia is not damped.
static void set_smoother(void *context, size_t begin, size_t end)
{
    const smoothing *s = context;
    const sherd_points *p = s->system->points;
    multigrid *m = s->m;
    const double damp = 1.0 / SHERD_COARSE_OMEGA;
    for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n)
        for (size_t k = begin * LANES; k < end * LANES; ++k)
            m->smoother[n * m->stride + k] *= (float)damp;
    for (size_t k = begin * LANES; k < end * LANES && k < (size_t)p->count; ++k) {
        double mass = s->system->inertia * sherd_point_mass(p, (sherd_element_index)k);
        double moment = s->system->inertia * sherd_point_inertia(p, (sherd_element_index)k);
        for (int c = 0; c < 6; ++c) {
            float *d = &m->smoother[(size_t)sherd_spring_entry(c, c) * m->stride + k];
            *d -= (float)((damp - 1.0) * (c < 3 ? mass : moment));
        }
    }
    m->hierarchy.levels.kernels->invert(m->smoother, m->stride, begin, end);
}

static sherd_status prepare(void *self, const sherd_linear_system *system, sherd_error *error)
{
    multigrid *m = self;
    sherd_status status = sherd_linear_matrix_prepare(&m->matrix, system, error);
    if (status == SHERD_OK) status = make_room(m, system, error);
    if (status == SHERD_OK) status = sherd_hierarchy_prepare(&m->hierarchy, system, error);
    if (status != SHERD_OK) return status;
    sherd_linear_matrix_diagonal(&m->matrix, m->smoother);
    smoothing s = {m, system};
    sherd_parallel_for(&system->parallel, m->stride / LANES, CHUNK, set_smoother, &s);
    return SHERD_OK;
}

// ---------------------------------------------------------------- a cycle

// z = from + D (b - t)
static void smooth(const multigrid *m, const float *b, const float *t, const float *from, float *z)
{
    const sherd_block_product product = {
        .stride = m->stride, .blocks = m->smoother, .b = b, .t = t, .z = from, .y = z};
    sherd_coarse_multiply_blocks(&m->hierarchy.levels, &product, m->stride / LANES, CHUNK);
}

static void precondition(void *context, const float *r, float *z)
{
    multigrid *m = context;
    smooth(m, r, NULL, NULL, m->smoothed);
    sherd_linear_matrix_apply(&m->matrix, m->smoothed, m->product);
    sherd_coarse_restrict(&m->hierarchy.levels, 0, r, m->product);
    sherd_coarse_solve(&m->hierarchy.levels);
    sherd_coarse_add_motion(&m->hierarchy.levels, 0, m->smoothed);
    sherd_linear_matrix_clear_held(&m->matrix, m->smoothed);
    sherd_linear_matrix_apply(&m->matrix, m->smoothed, m->product);
    smooth(m, r, m->product, m->smoothed, z);
}

static void precondition_by_node(void *context, const float *r, float *z)
{
    const multigrid *m = context;
    smooth(m, r, NULL, NULL, z);
}

// If rounding makes a cycle's result not positive, the smoother alone is used: its blocks are
// positive definite whatever the matrix. If that is too slow the step is abandoned, like any that
// does not converge.
static sherd_status solve(void *self, const double *b, double *x, const sherd_linear_goal *goal,
                          sherd_linear_report *report, sherd_error *error)
{
    multigrid *m = self;
    sherd_status status =
        sherd_pcg_solve(&m->pcg, &m->matrix, precondition, m, b, x, goal, report, error);
    if (status == SHERD_ERROR_UNSTABLE) {
        sherd_error_clear(error);
        status = sherd_pcg_solve(&m->pcg, &m->matrix, precondition_by_node, m, b, x, goal, report,
                                 error);
        report->by_node = true;
    }
    report->coarse = sherd_coarse_visits(&m->hierarchy.levels) / (double)m->nodes;
    return status;
}

static void save(const void *self, sherd_byte_buffer *out)
{
    sherd_hierarchy_save(&((const multigrid *)self)->hierarchy, out);
}

static sherd_status restore(void *self, sherd_record_reader *in, sherd_error *error)
{
    return sherd_hierarchy_restore(&((multigrid *)self)->hierarchy, in, error);
}

const sherd_linear_backend sherd_linear_multigrid = {
    .name = "multigrid",
    .create = create,
    .prepare = prepare,
    .solve = solve,
    .save = save,
    .restore = restore,
    .bytes = bytes,
    .destroy = destroy,
};
