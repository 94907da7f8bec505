// A model without bonds that fills the interface of linear solvers (linear/linear_operator.h): a lattice of points
// whose edges resist the difference of their ends' motions with any symmetric 6 x 6 stiffness, its matrix stored in
// blocks. A free body, springs of contacts and held freedoms are there as with bonds.
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "linear/linear_system.h"

#include <criterion/criterion.h>
#include <string.h>

enum { NX = 8, NY = 6, NZ = 5, POINTS = NX * NY * NZ, MAX_EDGES = 6 * POINTS, SPRINGS = 12 };

static const double SPACING = 0.01, STIFFNESS = 1e6, MASS = 1e-3, BETA = 2e-6;

typedef double matrix6[6][6];

typedef struct lattice {
    sherd_points points;
    double place[3][POINTS], radius[POINTS], mass[POINTS];
    uint8_t held[POINTS];
    int64_t edges;
    int32_t i[MAX_EDGES], j[MAX_EDGES];
    uint8_t broken[MAX_EDGES];
    uint32_t start[POINTS + 1], list[2 * MAX_EDGES];
    matrix6 spring[MAX_EDGES]; // of an edge at its middle, over displacement and rotation
    sherd_node_inertia body;
    sherd_contact_spring springs[SPRINGS];
    sherd_linear_system system;

    // Prepared.
    matrix6 diagonal[POINTS];
    matrix6 block[MAX_EDGES]; // of row i and column j
    size_t stride;
    const float *x; // what is being multiplied
} lattice;

static double uniform(uint64_t *counter)
{
    return 2.0 * sherd_random_uniform(5, 1, (*counter)++) - 1.0;
}

// ---------------------------------------------------------------- the lattice

static bool is_inside(int x, int y, int z)
{
    return x >= 0 && x < NX && y >= 0 && y < NY && z < NZ;
}

static int number(int x, int y, int z)
{
    return x + NX * (y + NY * z);
}

// S = D (0.2 + R R' / 6) D, with D that counts a rotation as a displacement at a spacing.
static void random_spring(uint64_t *counter, matrix6 s)
{
    matrix6 r;
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
            r[a][b] = uniform(counter);
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) {
            double sum = a == b ? 0.2 : 0.0;
            for (int k = 0; k < 6; ++k)
                sum += r[a][k] * r[b][k] / 6.0;
            s[a][b] = STIFFNESS * sum * (a < 3 ? 1.0 : SPACING) * (b < 3 ? 1.0 : SPACING);
        }
}

static void join(lattice *l, uint64_t *counter)
{
    const int step[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {-1, 0, 1}};
    for (int k = 0; k < POINTS; ++k) {
        int x = k % NX, y = k / NX % NY, z = k / NX / NY;
        for (int s = 0; s < 6; ++s) {
            if (!is_inside(x + step[s][0], y + step[s][1], z + step[s][2])) continue;
            l->i[l->edges] = k;
            l->j[l->edges] = number(x + step[s][0], y + step[s][1], z + step[s][2]);
            random_spring(counter, l->spring[l->edges++]);
        }
    }
}

static void list_edges(lattice *l)
{
    uint32_t next[POINTS];
    for (int64_t e = 0; e < l->edges; ++e)
        ++l->start[l->i[e] + 1], ++l->start[l->j[e] + 1];
    for (int k = 0; k < POINTS; ++k)
        l->start[k + 1] += l->start[k], next[k] = l->start[k];
    for (int64_t e = 0; e < l->edges; ++e) {
        l->list[next[l->i[e]]++] = (uint32_t)e;
        l->list[next[l->j[e]]++] = (uint32_t)e;
    }
}

// To the ground, to the body and between points.
static void add_contacts(lattice *l, uint64_t *counter)
{
    l->body = (sherd_node_inertia){.mass = 20.0 * MASS};
    for (int c = 0; c < 3; ++c)
        l->body.moment[c][c] = (8.0 + c) * MASS * SPACING * SPACING;
    for (int s = 0; s < SPRINGS; ++s) {
        sherd_contact_spring *to = &l->springs[s];
        to->i = s * (POINTS - 1) / SPRINGS;
        to->j = s % 3 == 0 ? -1 : s % 3 == 1 ? POINTS : POINTS - 1 - s;
        for (int c = 0; c < 3; ++c) {
            to->stiffness[c] = STIFFNESS;
            to->stiffness[3 + c] = 0.3 * STIFFNESS * uniform(counter);
            to->arm_i[c] = (float)(0.5 * SPACING * uniform(counter));
            to->arm_j[c] = (float)(0.5 * SPACING * uniform(counter));
        }
    }
}

static lattice *make(const sherd_linear_operator *model, double inertia)
{
    lattice *l = sherd_alloc(1, sizeof *l);
    cr_assert(l != NULL);
    uint64_t counter = 0;
    for (int k = 0; k < POINTS; ++k) {
        const int at[3] = {k % NX, k / NX % NY, k / NX / NY};
        for (int c = 0; c < 3; ++c)
            l->place[c][k] = SPACING * (at[c] + 0.1 * uniform(&counter));
        l->radius[k] = 0.5 * SPACING;
        l->mass[k] = MASS;
        if (k % 7 == 3) l->held[k] = (uint8_t)(1 + k / 7 % 15);
    }
    join(l, &counter);
    list_edges(l);
    add_contacts(l, &counter);
    l->points = (sherd_points){.count = POINTS,
                               .px = l->place[0],
                               .py = l->place[1],
                               .pz = l->place[2],
                               .radius = l->radius,
                               .mass = l->mass,
                               .held = l->held};
    l->system = (sherd_linear_system){.model = model,
                                      .state = l,
                                      .points = &l->points,
                                      .graph = {l->edges, l->i, l->j, l->broken, l->start, l->list},
                                      .topology = 1,
                                      .inertia = inertia * STIFFNESS / MASS,
                                      .damping = 1e5,
                                      .body_count = 1,
                                      .bodies = &l->body,
                                      .spring_count = SPRINGS,
                                      .springs = l->springs,
                                      .parallel = {.threads = 2}};
    return l;
}

// All edges across a plane, or those that come back.
static void set_cut(lattice *l, int where, uint8_t broken)
{
    for (int64_t e = 0; e < l->edges; ++e)
        if ((l->i[e] % NX < where) != (l->j[e] % NX < where)) l->broken[e] = broken;
    ++l->system.topology;
}

// ---------------------------------------------------------------- the definition

typedef struct motion {
    sherd_vec3 p, q; // displacement and rotation, or force and torque
} motion;

static size_t stride_of(const lattice *l)
{
    return sherd_node_stride(sherd_node_count(&l->system));
}

static motion load(const lattice *l, const double *x, int32_t k)
{
    size_t s = stride_of(l), n = (size_t)k;
    return (motion){vec3(x[n], x[s + n], x[2 * s + n]),
                    vec3(x[3 * s + n], x[4 * s + n], x[5 * s + n])};
}

// A force and a torque at `arm` from the node.
static void push(const lattice *l, double *y, int32_t k, double sign, sherd_vec3 arm, motion f)
{
    f.q = vec3_add(f.q, vec3_cross(arm, f.p));
    const double all[6] = {f.p.x, f.p.y, f.p.z, f.q.x, f.q.y, f.q.z};
    for (size_t c = 0; c < 6; ++c)
        y[c * stride_of(l) + (size_t)k] += sign * all[c];
}

static motion carried(const lattice *l, const double *x, int32_t k, sherd_vec3 arm)
{
    motion m = load(l, x, k);
    return (motion){vec3_add(m.p, vec3_cross(m.q, arm)), m.q};
}

static sherd_vec3 middle_of(const sherd_points *points, int32_t i, int32_t j)
{
    return vec3_scale(0.5,
                      vec3_add(sherd_point_position(points, i), sherd_point_position(points, j)));
}

static void add_edge(const lattice *l, int64_t e, const double *x, double *y)
{
    int32_t i = l->i[e], j = l->j[e];
    sherd_vec3 middle = middle_of(&l->points, i, j);
    sherd_vec3 arm_i = vec3_sub(middle, sherd_point_position(&l->points, i));
    sherd_vec3 arm_j = vec3_sub(middle, sherd_point_position(&l->points, j));
    motion a = carried(l, x, i, arm_i), b = carried(l, x, j, arm_j);
    sherd_vec3 p = vec3_sub(b.p, a.p), q = vec3_sub(b.q, a.q);
    const double u[6] = {p.x, p.y, p.z, q.x, q.y, q.z};
    double f[6] = {0};
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            f[r] += (1.0 + l->system.damping * BETA) * l->spring[e][r][c] * u[c];
    motion force = {vec3(f[0], f[1], f[2]), vec3(f[3], f[4], f[5])};
    push(l, y, j, 1.0, arm_j, force);
    push(l, y, i, -1.0, arm_i, force);
}

static sherd_vec3 arm_of(const float arm[3])
{
    return vec3((double)arm[0], (double)arm[1], (double)arm[2]);
}

static void add_contact(const lattice *l, const sherd_contact_spring *s, const double *x, double *y)
{
    sherd_vec3 u = carried(l, x, s->i, arm_of(s->arm_i)).p;
    if (s->j >= 0) u = vec3_sub(u, carried(l, x, s->j, arm_of(s->arm_j)).p);
    double k[6];
    for (int c = 0; c < 6; ++c)
        k[c] = s->stiffness[c];
    motion f = {.p =
                    vec3(k[0] * u.x + k[3] * u.y + k[4] * u.z, k[3] * u.x + k[1] * u.y + k[5] * u.z,
                         k[4] * u.x + k[5] * u.y + k[2] * u.z)};
    push(l, y, s->i, 1.0, arm_of(s->arm_i), f);
    if (s->j >= 0) push(l, y, s->j, -1.0, arm_of(s->arm_j), f);
}

static bool is_held(const lattice *l, size_t column, size_t node)
{
    return node < POINTS && (l->held[node] >> (column < 3 ? column : 3) & 1) != 0;
}

// y = A x
static void multiply_by_definition(const void *context, const double *x, double *y)
{
    const lattice *l = context;
    size_t stride = stride_of(l);
    memset(y, 0, 6 * stride * sizeof *y);
    for (int k = 0; k <= POINTS; ++k) {
        motion m = load(l, x, k);
        double c = l->system.inertia, mass = k < POINTS ? MASS : l->body.mass;
        double turn = k < POINTS ? sherd_point_inertia(&l->points, k) : 0.0;
        motion f = {vec3_scale(c * mass, m.p), vec3_scale(c * turn, m.q)};
        if (k == POINTS)
            f.q = vec3(c * l->body.moment[0][0] * m.q.x, c * l->body.moment[1][1] * m.q.y,
                       c * l->body.moment[2][2] * m.q.z);
        push(l, y, k, 1.0, vec3(0, 0, 0), f);
    }
    for (int64_t e = 0; e < l->edges; ++e)
        if (!l->broken[e]) add_edge(l, e, x, y);
    for (int s = 0; s < SPRINGS; ++s)
        add_contact(l, &l->springs[s], x, y);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < POINTS; ++k)
            if (is_held(l, c, k)) y[c * stride + k] = 0.0;
}

// ---------------------------------------------------------------- what the model fills in

// The motion at `arm` from a node that moves: P x, P = 1 - [arm]x over rotations.
static void carry(sherd_vec3 arm, matrix6 p)
{
    const double a[3] = {arm.x, arm.y, arm.z};
    memset(p, 0, sizeof(matrix6));
    for (int c = 0; c < 6; ++c)
        p[c][c] = 1.0;
    for (int c = 0; c < 3; ++c) {
        p[c][3 + (c + 1) % 3] = a[(c + 2) % 3];
        p[c][3 + (c + 2) % 3] = -a[(c + 1) % 3];
    }
}

// to += factor p' s q
static void add_congruent(matrix6 to, double factor, matrix6 p, const matrix6 s, matrix6 q)
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            for (int a = 0; a < 6; ++a)
                for (int b = 0; b < 6; ++b)
                    to[r][c] += factor * p[a][r] * s[a][b] * q[b][c];
}

static sherd_status prepare(void *state, const sherd_linear_system *system, sherd_error *error)
{
    (void)error;
    lattice *l = state;
    l->stride = sherd_node_stride(sherd_node_count(system));
    memset(l->diagonal, 0, sizeof l->diagonal);
    memset(l->block, 0, sizeof l->block);
    for (int k = 0; k < POINTS; ++k)
        for (int c = 0; c < 6; ++c)
            l->diagonal[k][c][c] =
                system->inertia * (c < 3 ? sherd_point_mass(system->points, k)
                                         : sherd_point_inertia(system->points, k));
    for (int64_t e = 0; e < l->edges; ++e) {
        if (l->broken[e]) continue;
        matrix6 p, q;
        sherd_vec3 middle = middle_of(system->points, l->i[e], l->j[e]);
        carry(vec3_sub(middle, sherd_point_position(system->points, l->i[e])), p);
        carry(vec3_sub(middle, sherd_point_position(system->points, l->j[e])), q);
        double weight = 1.0 + system->damping * BETA;
        add_congruent(l->diagonal[l->i[e]], weight, p, l->spring[e], p);
        add_congruent(l->diagonal[l->j[e]], weight, q, l->spring[e], q);
        add_congruent(l->block[e], -weight, p, l->spring[e], q);
    }
    return SHERD_OK;
}

static void get(const lattice *l, const float *x, int32_t k, double n[6])
{
    for (size_t c = 0; c < 6; ++c)
        n[c] = (double)x[c * l->stride + (size_t)k];
}

// to += m x, or its transpose's product
static void add_product(const matrix6 m, bool transposed, const double x[6], double to[6])
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            to[r] += (transposed ? m[c][r] : m[r][c]) * x[c];
}

// What other points give point k.
static void add_row(const lattice *l, int32_t k, double to[6])
{
    for (uint32_t s = l->start[k]; s < l->start[k + 1]; ++s) {
        uint32_t e = l->list[s];
        double x[6];
        get(l, l->x, l->i[e] == k ? l->j[e] : l->i[e], x);
        add_product(l->block[e], l->i[e] != k, x, to);
    }
}

// x_i . D x_i, and twice x_i . B x_j for every edge that begins here: all of x . A x once.
static double energy_of(const lattice *l, int32_t k)
{
    double x[6], y[6] = {0}, beyond[6] = {0}, sum = 0.0;
    get(l, l->x, k, x);
    add_product(l->diagonal[k], false, x, y);
    for (uint32_t s = l->start[k]; s < l->start[k + 1]; ++s) {
        double other[6];
        if (l->i[l->list[s]] != k) continue;
        get(l, l->x, l->j[l->list[s]], other);
        add_product(l->block[l->list[s]], false, other, beyond);
    }
    for (int c = 0; c < 6; ++c)
        sum += x[c] * (y[c] + 2.0 * beyond[c]);
    return sum;
}

static void form_vector(lattice *l, const sherd_linear_pass *pass)
{
    l->x = pass->z != NULL ? pass->turned : pass->x;
    for (size_t c = 0; c < 6 && pass->z != NULL; ++c)
        for (size_t k = c * l->stride; k < c * l->stride + POINTS; ++k)
            pass->turned[k] = pass->z[k] + pass->beta * pass->x[k];
}

static void put_product(const lattice *l, int32_t k, bool whole, float *y)
{
    double x[6], sum[6] = {0};
    get(l, l->x, k, x);
    add_product(l->diagonal[k], false, x, sum);
    if (whole) add_row(l, k, sum);
    for (size_t c = 0; c < 6; ++c)
        y[c * l->stride + (size_t)k] = (float)sum[c];
}

static void multiply_whole(void *state, const sherd_linear_pass *pass)
{
    lattice *l = state;
    form_vector(l, pass);
    double energy = 0.0;
    for (int32_t k = 0; k < POINTS; ++k) {
        put_product(l, k, true, pass->y);
        energy += energy_of(l, k);
    }
    if (pass->energy != NULL) pass->energy[0] = energy;
}

static sherd_linear_parts whole(const void *state)
{
    return (sherd_linear_parts){1, ((const lattice *)state)->stride};
}

// In parts, to which what other points give is left.
enum { PART = 112, PART_COUNT = (POINTS + PART - 1) / PART };

static sherd_linear_parts parts(const void *state)
{
    (void)state;
    return (sherd_linear_parts){PART_COUNT, PART};
}

static int32_t part_end(size_t part)
{
    return part + 1 < PART_COUNT ? ((int32_t)part + 1) * PART : POINTS;
}

static void multiply_parts(void *state, const sherd_linear_pass *pass)
{
    lattice *l = state;
    form_vector(l, pass);
    for (size_t part = 0; part < PART_COUNT; ++part) {
        double energy = 0.0;
        for (int32_t k = (int32_t)part * PART; k < part_end(part); ++k) {
            put_product(l, k, false, pass->y);
            energy += energy_of(l, k);
        }
        if (pass->energy != NULL) pass->energy[part] = energy;
    }
}

static void finish_product(const void *state, size_t part, float *y)
{
    const lattice *l = state;
    for (int32_t k = (int32_t)part * PART; k < part_end(part); ++k) {
        double sum[6] = {0};
        add_row(l, k, sum);
        for (size_t c = 0; c < 6; ++c)
            y[c * l->stride + (size_t)k] += (float)sum[c];
    }
}

static void diagonal(void *state, float *blocks)
{
    const lattice *l = state;
    for (size_t k = 0; k < POINTS; ++k)
        for (size_t r = 0, at = 0; r < 6; ++r)
            for (size_t c = 0; c <= r; ++c, ++at)
                blocks[at * l->stride + k] = (float)l->diagonal[k][r][c];
}

static void add_springs(const void *state, const sherd_linear_system *system, const uint32_t *edge,
                        int64_t count, sherd_vec3 centre, double spring[SHERD_SPRING_NUMBERS])
{
    const lattice *l = state;
    for (int64_t n = 0; n < count; ++n) {
        uint32_t e = edge[n];
        if (system->graph.broken[e]) continue;
        double own[SHERD_SPRING_NUMBERS];
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c <= r; ++c)
                own[sherd_spring_entry(r, c)] = (1.0 + system->damping * BETA) * l->spring[e][r][c];
        sherd_spring_add_shifted(spring, own,
                                 vec3_sub(middle_of(system->points, l->i[e], l->j[e]), centre));
    }
}

static void hold(const void *state, const sherd_linear_system *system, int32_t point, double *push,
                 double *turn)
{
    const lattice *l = state;
    *push = *turn = 0.0;
    for (uint32_t s = l->start[point]; s < l->start[point + 1]; ++s)
        for (int c = 0; c < 3 && !system->graph.broken[l->list[s]]; ++c) {
            *push += l->spring[l->list[s]][c][c] / 3.0;
            *turn += l->spring[l->list[s]][3 + c][3 + c] / 3.0;
        }
}

// Two ways to fill the interface.
static const sherd_linear_operator WHOLE = {.prepare = prepare,
                                            .parts = whole,
                                            .multiply = multiply_whole,
                                            .diagonal = diagonal,
                                            .add_springs = add_springs,
                                            .hold = hold};
static const sherd_linear_operator BY_PARTS = {.prepare = prepare,
                                               .parts = parts,
                                               .multiply = multiply_parts,
                                               .finish_product = finish_product,
                                               .diagonal = diagonal,
                                               .add_springs = add_springs,
                                               .hold = hold};
