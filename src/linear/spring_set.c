#include "linear/spring_set.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/lower_bound.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 1024, FREEDOMS = SHERD_NODE_FREEDOMS };

// ---------------------------------------------------------------- checking

static bool stiffness_finite(const double stiffness[6])
{
    for (int k = 0; k < 6; ++k)
        if (!isfinite(stiffness[k])) return false;
    return true;
}

static bool all_finite(const float *numbers, int count)
{
    for (int k = 0; k < count; ++k)
        if (!isfinite(numbers[k])) return false;
    return true;
}

static sherd_status check_spring(const sherd_contact_spring *s, int64_t number, size_t nodes,
                                 sherd_error *error)
{
    bool in_range = s->i >= 0 && (size_t)s->i < nodes && s->j >= -1 &&
                    (s->j < 0 || (size_t)s->j < nodes) && s->i != s->j;
    if (!in_range)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system.springs", NULL,
                          "spring %lld joins nodes %d and %d of %zu", (long long)number, (int)s->i,
                          (int)s->j, nodes);
    bool finite = stiffness_finite(s->stiffness) && all_finite(s->arm_i, 3) &&
                  (s->j < 0 || all_finite(s->arm_j, 3));
    if (!finite)
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.springs", NULL,
                          "spring %lld between nodes %d and %d has numbers that are not finite",
                          (long long)number, (int)s->i, (int)s->j);
    return SHERD_OK;
}

// ---------------------------------------------------------------- building

static bool make_room(sherd_spring_set *set, size_t count, size_t nodes)
{
    if (count > set->capacity || set->springs == NULL) {
        sherd_spring_set_free(set);
        set->springs = sherd_alloc(count, sizeof *set->springs);
        set->force = sherd_alloc(3 * count, sizeof *set->force);
        set->list = sherd_alloc(2 * count, sizeof *set->list);
        set->touched = sherd_alloc(2 * count, sizeof *set->touched);
        set->list_end = sherd_alloc(2 * count, sizeof *set->list_end);
        set->capacity = count;
    }
    if (nodes > set->node_capacity || set->per_node == NULL) {
        sherd_free(set->per_node);
        set->per_node = sherd_alloc(nodes, sizeof *set->per_node);
        set->node_capacity = nodes;
    }
    return set->springs != NULL && set->force != NULL && set->list != NULL &&
           set->touched != NULL && set->list_end != NULL && set->per_node != NULL;
}

// per_node becomes the start of each node's list, and while filling the index of its next entry.
static void sort_by_node(sherd_spring_set *set, size_t nodes)
{
    memset(set->per_node, 0, nodes * sizeof *set->per_node);
    for (size_t k = 0; k < set->count; ++k) {
        ++set->per_node[set->springs[k].i];
        if (set->springs[k].j >= 0) ++set->per_node[set->springs[k].j];
    }
    uint32_t at = 0;
    set->touched_count = 0;
    for (size_t n = 0; n < nodes; ++n) {
        uint32_t count = set->per_node[n];
        set->per_node[n] = at;
        if (count == 0) continue;
        at += count;
        set->touched[set->touched_count] = (int32_t)n;
        set->list_end[set->touched_count++] = at;
    }
    for (size_t k = 0; k < set->count; ++k) {
        const sherd_contact_spring *s = &set->springs[k];
        set->list[set->per_node[s->i]++] = (uint32_t)(2 * k);
        if (s->j >= 0) set->list[set->per_node[s->j]++] = (uint32_t)(2 * k + 1);
    }
}

__attribute__((unused)) static bool lists_ascend(const sherd_spring_set *set)
{
    for (size_t n = 0; n < set->touched_count; ++n)
        for (uint32_t at = n > 0 ? set->list_end[n - 1] : 0; at + 1 < set->list_end[n]; ++at)
            if (set->list[at] >= set->list[at + 1]) return false;
    return true;
}

sherd_status sherd_spring_set_build(sherd_spring_set *set, const sherd_linear_system *system,
                                    sherd_error *error)
{
    size_t nodes = sherd_node_count(system), count = (size_t)system->spring_count;
    set->count = set->touched_count = 0;
    if (count == 0) return SHERD_OK;
    if (count >= (size_t)1 << 30)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "sherd_linear_system.springs", NULL,
                          "%zu springs are more than 2^30", count);
    for (int64_t k = 0; k < system->spring_count; ++k) {
        sherd_status status = check_spring(&system->springs[k], k, nodes, error);
        if (status != SHERD_OK) return status;
    }
    if (!make_room(set, count, nodes)) return sherd_fail_memory(error, "contact springs");
    memcpy(set->springs, system->springs, count * sizeof *set->springs);
    set->count = count;
    sort_by_node(set, nodes);
    SHERD_ASSERT(sherd_strictly_ascending(set->touched, set->touched_count) &&
                     sherd_indices_below(set->touched, set->touched_count, (int64_t)nodes),
                 "nodes with springs ascend");
    SHERD_ASSERT(set->list_end[set->touched_count - 1] <= 2 * set->count,
                 "each end of a spring is listed once");
    SHERD_ASSERT(lists_ascend(set), "springs of a node are sorted");
    return SHERD_OK;
}

void sherd_spring_set_free(sherd_spring_set *set)
{
    sherd_free(set->springs);
    sherd_free(set->force);
    sherd_free(set->touched);
    sherd_free(set->list_end);
    sherd_free(set->list);
    sherd_free(set->per_node);
    *set = (sherd_spring_set){0};
}

size_t sherd_spring_set_bytes(const sherd_spring_set *set)
{
    size_t each = sizeof *set->springs + 3 * sizeof *set->force +
                  2 * (sizeof *set->touched + sizeof *set->list_end + sizeof *set->list);
    return set->capacity * each + set->node_capacity * sizeof *set->per_node;
}

// ---------------------------------------------------------------- one spring

static void cross(const float a[3], const float b[3], float c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void cross_exactly(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void resist(const double k[6], const double u[3], double f[3])
{
    f[0] = k[0] * u[0] + k[3] * u[1] + k[4] * u[2];
    f[1] = k[3] * u[0] + k[1] * u[1] + k[5] * u[2];
    f[2] = k[4] * u[0] + k[5] * u[1] + k[2] * u[2];
}

// Motion of the contact point by a node's motion.
static void point_motion(const float *x, size_t stride, int32_t node, const float arm[3],
                         double u[3])
{
    double n[FREEDOMS];
    const double to[3] = {(double)arm[0], (double)arm[1], (double)arm[2]};
    for (size_t c = 0; c < FREEDOMS; ++c)
        n[c] = (double)x[c * stride + (size_t)node];
    cross_exactly(n + 3, to, u);
    for (int c = 0; c < 3; ++c)
        u[c] += n[c];
}

// ---------------------------------------------------------------- product

typedef struct stretching {
    const sherd_spring_set *set;
    const float *x;
    size_t stride;
} stretching;

static double stretch_some(void *context, size_t begin, size_t end)
{
    const stretching *p = context;
    double energy = 0.0;
    for (size_t k = begin; k < end; ++k) {
        const sherd_contact_spring *s = &p->set->springs[k];
        double u[3], u_j[3], f[3];
        point_motion(p->x, p->stride, s->i, s->arm_i, u);
        if (s->j >= 0) {
            point_motion(p->x, p->stride, s->j, s->arm_j, u_j);
            for (int c = 0; c < 3; ++c)
                u[c] -= u_j[c];
        }
        resist(s->stiffness, u, f);
        for (int c = 0; c < 3; ++c) {
            energy += u[c] * f[c];
            p->set->force[3 * k + (size_t)c] = (float)f[c];
        }
    }
    return energy;
}

double sherd_spring_set_stretch(const sherd_spring_set *set, const float *x, size_t stride,
                                const sherd_parallel *parallel)
{
    stretching p = {set, x, stride};
    return sherd_parallel_sum(parallel, set->count, CHUNK, stretch_some, &p);
}

// The first index in `touched` whose node is at least `node`.
static size_t index_of(const sherd_spring_set *set, size_t node)
{
    return sherd_lower_bound(set->touched, set->touched_count, (int32_t)node);
}

static uint32_t list_begin(const sherd_spring_set *set, size_t index)
{
    return index > 0 ? set->list_end[index - 1] : 0;
}

void sherd_spring_set_pull(const sherd_spring_set *set, float *y, size_t stride, size_t begin,
                           size_t end)
{
    size_t t = index_of(set, begin);
    for (; t < set->touched_count && (size_t)set->touched[t] < end; ++t) {
        float sum[FREEDOMS] = {0};
        for (uint32_t at = list_begin(set, t); at < set->list_end[t]; ++at) {
            const sherd_contact_spring *s = &set->springs[set->list[at] / 2];
            const float *f = set->force + 3 * (size_t)(set->list[at] / 2);
            bool is_j = set->list[at] % 2 == 1;
            float sign = is_j ? -1.0F : 1.0F, torque[3];
            cross(is_j ? s->arm_j : s->arm_i, f, torque);
            for (int c = 0; c < 3; ++c)
                sum[c] += sign * f[c], sum[3 + c] += sign * torque[c];
        }
        for (size_t c = 0; c < FREEDOMS; ++c)
            y[c * stride + (size_t)set->touched[t]] += sum[c];
    }
}

// ---------------------------------------------------------------- diagonal

static void add_block(const sherd_contact_spring *s, const float arm[3], float *block,
                      size_t stride)
{
    for (int column = 0; column < FREEDOMS; ++column) {
        double unit[FREEDOMS] = {0}, u[3], f[3], load[FREEDOMS];
        const double to[3] = {(double)arm[0], (double)arm[1], (double)arm[2]};
        unit[column] = 1.0;
        cross_exactly(unit + 3, to, u);
        for (int c = 0; c < 3; ++c)
            u[c] += unit[c];
        resist(s->stiffness, u, f);
        memcpy(load, f, sizeof f);
        cross_exactly(to, f, load + 3);
        for (int row = column; row < FREEDOMS; ++row)
            block[(size_t)(row * (row + 1) / 2 + column) * stride] += (float)load[row];
    }
}

void sherd_spring_set_diagonal(const sherd_spring_set *set, float *blocks, size_t stride,
                               size_t begin, size_t end)
{
    size_t t = index_of(set, begin);
    for (; t < set->touched_count && (size_t)set->touched[t] < end; ++t)
        for (uint32_t at = list_begin(set, t); at < set->list_end[t]; ++at) {
            const sherd_contact_spring *s = &set->springs[set->list[at] / 2];
            bool is_j = set->list[at] % 2 == 1;
            add_block(s, is_j ? s->arm_j : s->arm_i, blocks + set->touched[t], stride);
        }
}
