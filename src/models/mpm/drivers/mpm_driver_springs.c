#include "models/mpm/drivers/mpm_driver_springs.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

// beta. Stiffness of a bar of 7 cells between two clamps, with points half a cell apart: over all
// positions in the grid it varies by 0.4, 1.1, 1.8 % with beta = 20, 30, 40, and it is 0.943,
// 0.957, 0.966 of the exact value. With nodes of at least 2 % driven mass moved rigidly instead, it
// varies by 13 % and is 1.11.
static const double BETA = 30.0;
// Conjugate gradients. The condition number is about 1 + k_p / m_p, below 12 in steps of usual
// length.
enum { MAX_TURNS = 60 };
static const double LEFT = 1e-5; // tolerance, fraction of the initial residual's norm

double sherd_mpm_driver_stiffness(double share)
{
    return BETA * share * share;
}

int32_t sherd_mpm_driver_springs_add_node(sherd_mpm_driver_springs *e, double mass)
{
    SHERD_ASSERT(mass > 0.0, "nodes of the edge have mass");
    size_t needed = e->node_count + 1;
    if (!sherd_grow((void **)&e->nodes, &e->node_room, needed, sizeof *e->nodes)) {
        e->failed = true;
        return -1;
    }
    e->nodes[e->node_count] = (sherd_mpm_spring_node){.mass = mass};
    return (int32_t)e->node_count++;
}

sherd_mpm_spring_point *sherd_mpm_driver_springs_add_point(sherd_mpm_driver_springs *e)
{
    size_t needed = e->point_count + 1;
    if (!sherd_grow((void **)&e->points, &e->point_room, needed, sizeof *e->points)) {
        e->failed = true;
        return NULL;
    }
    e->points[e->point_count] =
        (sherd_mpm_spring_point){.begin = e->share_count, .end = e->share_count};
    return &e->points[e->point_count++];
}

void sherd_mpm_driver_springs_add_weight(sherd_mpm_driver_springs *e, int32_t node, double weight)
{
    SHERD_ASSERT(node >= 0 && (size_t)node < e->node_count, "springs pull nodes of the edge");
    SHERD_ASSERT(weight >= 0.0 && weight <= 1.0 + 1e-12, "weights are shares");
    size_t needed = e->share_count + 1;
    if (!sherd_grow((void **)&e->shares, &e->share_room, needed, sizeof *e->shares)) {
        e->failed = true;
        return;
    }
    e->shares[e->share_count++] = (sherd_mpm_spring_weight){node, weight};
    e->points[e->point_count - 1].end = e->share_count;
}

// ---------------------------------------------------------------- solving

typedef struct solver {
    const sherd_mpm_driver_springs *edge;
    int axis;
    double *x, *r, *z, *p, *q; // (nodes)
    double *diagonal;          // (nodes)
} solver;

// q = (M + sum k N N^T) p
static void multiply(const solver *s, const double *p, double *q)
{
    const sherd_mpm_driver_springs *e = s->edge;
    for (size_t k = 0; k < e->node_count; ++k)
        q[k] = e->nodes[k].mass * p[k];
    for (size_t n = 0; n < e->point_count; ++n) {
        const sherd_mpm_spring_point *point = &e->points[n];
        double at = 0.0;
        if (!point->axes[s->axis]) continue;
        for (size_t k = point->begin; k < point->end; ++k)
            at += e->shares[k].weight * p[e->shares[k].node];
        at *= point->stiffness;
        for (size_t k = point->begin; k < point->end; ++k)
            q[e->shares[k].node] += at * e->shares[k].weight;
    }
    for (size_t k = 0; k < e->node_count; ++k)
        if (!e->nodes[k].loose[s->axis]) q[k] = 0.0;
}

// Sets the right-hand side sum k N (u_p - sum N_i v_i*), as residual of x = 0, and the diagonal.
static void begin(const solver *s)
{
    const sherd_mpm_driver_springs *e = s->edge;
    for (size_t k = 0; k < e->node_count; ++k) {
        s->x[k] = s->r[k] = 0.0;
        s->diagonal[k] = e->nodes[k].mass;
    }
    for (size_t n = 0; n < e->point_count; ++n) {
        const sherd_mpm_spring_point *point = &e->points[n];
        if (!point->axes[s->axis]) continue;
        for (size_t k = point->begin; k < point->end; ++k) {
            const sherd_mpm_spring_weight *share = &e->shares[k];
            s->r[share->node] += point->stiffness * share->weight * point->apart[s->axis];
            s->diagonal[share->node] += point->stiffness * share->weight * share->weight;
        }
    }
    for (size_t k = 0; k < e->node_count; ++k)
        if (!e->nodes[k].loose[s->axis]) s->r[k] = 0.0;
}

static double product(const solver *s, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < s->edge->node_count; ++k)
        sum += a[k] * b[k];
    return sum;
}

// Jacobi preconditioner: z = r / diagonal. Returns r.z.
static double precondition(const solver *s)
{
    for (size_t k = 0; k < s->edge->node_count; ++k)
        s->z[k] = s->r[k] / s->diagonal[k];
    return product(s, s->r, s->z);
}

static void solve_axis(const solver *s)
{
    size_t count = s->edge->node_count;
    begin(s);
    double rz = precondition(s), first = rz;
    memcpy(s->p, s->z, count * sizeof *s->p);
    for (int turn = 0; turn < MAX_TURNS && rz > LEFT * LEFT * first; ++turn) {
        multiply(s, s->p, s->q);
        double step = rz / product(s, s->p, s->q);
        for (size_t k = 0; k < count; ++k)
            s->x[k] += step * s->p[k], s->r[k] -= step * s->q[k];
        double next = precondition(s), keep = next / rz;
        for (size_t k = 0; k < count; ++k)
            s->p[k] = s->z[k] + keep * s->p[k];
        rz = next;
    }
}

static void move_points(sherd_mpm_driver_springs *e)
{
    for (size_t n = 0; n < e->point_count; ++n)
        for (size_t k = e->points[n].begin; k < e->points[n].end; ++k)
            for (int i = 0; i < 3; ++i)
                e->points[n].apart[i] -=
                    e->shares[k].weight * e->nodes[e->shares[k].node].change[i];
}

bool sherd_mpm_driver_springs_solve(sherd_mpm_driver_springs *e)
{
    enum { VECTORS = 6 };
    if (e->failed) return false;
    if (e->node_count == 0 || e->point_count == 0) return true;
    double *room = sherd_alloc(VECTORS * e->node_count, sizeof *room);
    if (room == NULL) return false;
    solver s = {.edge = e};
    double **vectors[VECTORS] = {&s.x, &s.r, &s.z, &s.p, &s.q, &s.diagonal};
    for (size_t k = 0; k < VECTORS; ++k)
        *vectors[k] = room + k * e->node_count;
    for (s.axis = 0; s.axis < 3; ++s.axis) {
        solve_axis(&s);
        for (size_t k = 0; k < e->node_count; ++k)
            e->nodes[k].change[s.axis] = s.x[k];
    }
    sherd_free(room);
    move_points(e);
    return true;
}

void sherd_mpm_driver_springs_free(sherd_mpm_driver_springs *e)
{
    sherd_free(e->nodes), sherd_free(e->shares), sherd_free(e->points);
    *e = (sherd_mpm_driver_springs){0};
}
