#include "linear/linear_matrix.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/lower_bound.h"

#include <math.h>
#include <string.h>

enum { FREEDOMS = SHERD_NODE_FREEDOMS };

// ---------------------------------------------------------------- creation

void sherd_linear_matrix_free(sherd_linear_matrix *m)
{
    sherd_free(m->energy);
    sherd_free(m->bodies);
    sherd_free(m->held);
    sherd_free(m->held_bits);
    sherd_spring_set_free(&m->springs);
    *m = (sherd_linear_matrix){0};
}

size_t sherd_linear_matrix_bytes(const sherd_linear_matrix *m)
{
    return sizeof *m + m->energy_capacity * sizeof *m->energy +
           m->body_capacity * sizeof *m->bodies + m->held_capacity * sizeof *m->held +
           m->held_bits_capacity * sizeof *m->held_bits + sherd_spring_set_bytes(&m->springs);
}

// ---------------------------------------------------------------- preparation

static void prepare_bodies(sherd_linear_matrix *m, const sherd_linear_system *system)
{
    for (size_t b = 0; b < m->body_count; ++b) {
        m->bodies[b].mass = system->inertia * system->bodies[b].mass;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m->bodies[b].moment[r][c] = system->inertia * system->bodies[b].moment[r][c];
    }
}

static sherd_status list_held(sherd_linear_matrix *m, const sherd_points *p, sherd_error *error)
{
    m->held_count = 0;
    for (sherd_element_index k = 0; k < p->count; ++k) {
        if (p->held[k] == 0) continue;
        size_t at = m->held_count++;
        bool ready = sherd_grow((void **)&m->held, &m->held_capacity, at + 1, sizeof *m->held) &&
                     sherd_grow((void **)&m->held_bits, &m->held_bits_capacity, at + 1,
                                sizeof *m->held_bits);
        if (!ready) return sherd_fail_memory(error, "held elements");
        m->held[at] = k;
        m->held_bits[at] = p->held[k];
    }
    return SHERD_OK;
}

static bool make_room(sherd_linear_matrix *m)
{
    return sherd_grow((void **)&m->energy, &m->energy_capacity, m->parts.count,
                      sizeof *m->energy) &&
           sherd_grow((void **)&m->bodies, &m->body_capacity, m->body_count, sizeof *m->bodies);
}

static bool is_valid_inertia(const sherd_node_inertia *body)
{
    bool fine = isfinite(body->mass) && body->mass > 0.0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double rounding = 1e-6 * (fabs(body->moment[r][r]) + fabs(body->moment[c][c]));
            fine = fine && isfinite(body->moment[r][c]) &&
                   fabs(body->moment[r][c] - body->moment[c][r]) <= rounding;
        }
    return fine;
}

static sherd_status check_bodies(const sherd_linear_system *system, sherd_error *error)
{
    for (int b = 0; b < system->body_count; ++b)
        if (!is_valid_inertia(&system->bodies[b]))
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.bodies", NULL,
                              "body %d: its mass of %g kg or its moment of inertia are not finite, "
                              "positive and symmetric",
                              b, system->bodies[b].mass);
    return SHERD_OK;
}

// Validation of linear systems. A model checks its own state when it is prepared; springs are
// checked when they are sorted (spring_set.h).
static sherd_status check_system(const sherd_linear_system *system, sherd_error *error)
{
    bool factors = isfinite(system->inertia) && system->inertia >= 0.0 &&
                   isfinite(system->damping) && system->damping >= 0.0;
    if (!factors)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system", NULL,
                          "inertia and damping must be finite and >= 0, got %g and %g",
                          system->inertia, system->damping);
    return check_bodies(system, error);
}

sherd_status sherd_linear_matrix_prepare(sherd_linear_matrix *m, const sherd_linear_system *system,
                                         sherd_error *error)
{
    sherd_status status = check_system(system, error);
    if (status == SHERD_OK) status = system->model->prepare(system->state, system, error);
    if (status != SHERD_OK) return status;
    m->model = system->model;
    m->state = system->state;
    m->parallel = system->parallel;
    m->parts = m->model->parts(m->state);
    m->points = (size_t)system->points->count;
    m->body_count = (size_t)system->body_count;
    m->nodes = sherd_node_count(system);
    m->stride = sherd_node_stride(m->nodes);
    if (!make_room(m)) return sherd_fail_memory(error, "linear system");
    status = list_held(m, system->points, error);
    if (status == SHERD_OK) status = sherd_spring_set_build(&m->springs, system, error);
    if (status == SHERD_OK) prepare_bodies(m, system);
    SHERD_ASSERT(status != SHERD_OK || sherd_strictly_ascending(m->held, m->held_count),
                 "held nodes are sorted");
    SHERD_ASSERT(status != SHERD_OK ||
                     (m->parts.length > 0 && m->parts.count * m->parts.length >= m->points),
                 "parts cover all points");
    return status;
}

// ---------------------------------------------------------------- held freedoms

static const uint8_t HELD_BIT[FREEDOMS] = {SHERD_HELD_X,    SHERD_HELD_Y,    SHERD_HELD_Z,
                                           SHERD_HELD_TURN, SHERD_HELD_TURN, SHERD_HELD_TURN};

// The first of the held points with an index of at least `node`.
static size_t first_held(const sherd_linear_matrix *m, size_t node)
{
    return sherd_lower_bound(m->held, m->held_count, (int32_t)node);
}

void sherd_linear_matrix_hold(const sherd_linear_matrix *m, float *x, size_t begin, size_t end)
{
    SHERD_ASSERT(begin <= end && end <= m->stride, "the node range is within the columns");
    for (size_t h = first_held(m, begin); h < m->held_count && (size_t)m->held[h] < end; ++h)
        for (size_t c = 0; c < FREEDOMS; ++c)
            if (m->held_bits[h] & HELD_BIT[c]) x[c * m->stride + (size_t)m->held[h]] = 0.0F;
}

void sherd_linear_matrix_hold_blocks(const sherd_linear_matrix *m, float *blocks, size_t begin,
                                     size_t end)
{
    for (size_t h = first_held(m, begin); h < m->held_count && (size_t)m->held[h] < end; ++h)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at)
                if (m->held_bits[h] & (HELD_BIT[r] | HELD_BIT[c]))
                    blocks[(size_t)at * m->stride + (size_t)m->held[h]] = r == c ? 1.0F : 0.0F;
}

void sherd_linear_matrix_clear_held(const sherd_linear_matrix *m, float *x)
{
    sherd_linear_matrix_hold(m, x, 0, m->nodes);
    for (size_t c = 0; c < FREEDOMS; ++c)
        memset(x + c * m->stride + m->nodes, 0, (m->stride - m->nodes) * sizeof *x);
}
