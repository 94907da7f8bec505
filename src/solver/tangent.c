#include "solver/tangent.h"

#include "base/error.h"
#include "base/memory.h"
#include "bond/bond_classes.h"
#include "math/vec3.h"
#include "solver/spring_set.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 512, FREEDOMS = SHERD_NODE_FREEDOMS };

// What products need of a bond: with hb half the vector i -> j and e, k the generalised strains
// (linear_system.h), force and moment are
//   g = across e + over (hb.e) hb,   h = bend k + twist_over (hb.k) hb
typedef struct tangent_bond {
    float hb[3], across, over, bend, twist_over;
} tangent_bond;

struct sherd_tangent {
    sherd_parallel parallel;
    size_t elements, nodes, stride;
    const sherd_bonds *bond_ends;
    const sherd_adjacency *adjacency;
    size_t bond_capacity, node_capacity, held_capacity, held_count;
    tangent_bond *bonds;        // zero when broken; owned
    float *mass, *moment;       // c m, c I of elements; owned
    sherd_node_inertia *bodies; // times c; owned
    size_t body_count, body_capacity;
    sherd_element_index *held; // elements with held freedoms, ascending; owned
    uint8_t *held_bits;        // owned
    sherd_spring_set springs;
};

sherd_tangent *sherd_tangent_create(sherd_error *error)
{
    sherd_tangent *tangent = sherd_alloc(1, sizeof *tangent);
    if (tangent == NULL) sherd_fail_memory(error, "tangent");
    return tangent;
}

void sherd_tangent_destroy(sherd_tangent *tangent)
{
    if (tangent == NULL) return;
    sherd_free(tangent->bonds);
    sherd_free(tangent->mass);
    sherd_free(tangent->moment);
    sherd_free(tangent->bodies);
    sherd_free(tangent->held);
    sherd_free(tangent->held_bits);
    sherd_spring_set_free(&tangent->springs);
    sherd_free(tangent);
}

const sherd_parallel *sherd_tangent_parallel(const sherd_tangent *tangent)
{
    return &tangent->parallel;
}

size_t sherd_tangent_bytes(const sherd_tangent *t)
{
    return sizeof *t + t->bond_capacity * sizeof *t->bonds +
           t->node_capacity * (sizeof *t->mass + sizeof *t->moment) +
           t->body_capacity * sizeof *t->bodies +
           t->held_capacity * (sizeof *t->held + sizeof *t->held_bits) +
           sherd_spring_set_bytes(&t->springs);
}

// ---------------------------------------------------------------- checking

static sherd_status check_bodies(const sherd_linear_system *system, sherd_error *error)
{
    for (int b = 0; b < system->body_count; ++b) {
        const sherd_node_inertia *body = &system->bodies[b];
        bool fine = isfinite(body->mass) && body->mass > 0.0;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                fine = fine && isfinite(body->moment[r][c]) &&
                       fabs(body->moment[r][c] - body->moment[c][r]) <=
                           1e-6 * (fabs(body->moment[r][r]) + fabs(body->moment[c][c]));
        if (!fine)
            return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.bodies", NULL,
                              "body %d: mass %g or moment of inertia are not finite, positive and "
                              "symmetric",
                              b, body->mass);
    }
    return SHERD_OK;
}

static double count_bad(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double bad = 0.0;
    for (size_t k = begin; k < end; ++k)
        bad += isfinite(e->px[k] + e->py[k] + e->pz[k]) ? 0.0 : 1.0;
    return bad;
}

static sherd_status check(const sherd_linear_system *system, sherd_error *error)
{
    bool factors = isfinite(system->inertia) && system->inertia >= 0.0 &&
                   isfinite(system->damping) && system->damping >= 0.0;
    if (!factors)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_linear_system", NULL,
                          "inertia and damping must be finite and >= 0, got %g and %g",
                          system->inertia, system->damping);
    double bad = sherd_parallel_sum(&system->parallel, (size_t)system->elements->count, 4096,
                                    count_bad, (void *)system->elements);
    if (bad > 0.0)
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_linear_system.elements", NULL,
                          "positions of %.0f elements are not finite", bad);
    return check_bodies(system, error);
}

// ---------------------------------------------------------------- preparing

typedef struct preparation {
    sherd_tangent *tangent;
    const sherd_linear_system *system;
} preparation;

// Bonds squashed to less than this share of their length count as no shorter.
static const double LEAST_LENGTH = 0.01;

static tangent_bond bond_of(const sherd_linear_system *system, int64_t k)
{
    const sherd_bonds *bonds = system->bonds;
    const sherd_elements *e = system->elements;
    if (bonds->broken[k]) return (tangent_bond){0};
    sherd_bond_rest rest = sherd_bond_rest_of(bonds, e, k);
    double number[SHERD_CLASS_NUMBERS], weight = 1.0 + system->damping * rest.beta;
    sherd_bond_numbers(&rest, number);
    sherd_vec3 b = vec3_scale(0.5, vec3_sub(sherd_element_position(e, bonds->j[k]),
                                            sherd_element_position(e, bonds->i[k])));
    double half = fmax(vec3_length(b), 0.5 * LEAST_LENGTH * rest.l0), inverse = 1.0 / (half * half);
    double across = weight * 0.5 * number[SHERD_CLASS_HALF_SHEAR] * inverse;
    double along = weight * number[SHERD_CLASS_STRETCH] / rest.l0;
    double twist_over = -0.5 * weight * number[SHERD_CLASS_BEND_OVER_TWIST2];
    return (tangent_bond){.hb = {(float)b.x, (float)b.y, (float)b.z},
                          .across = (float)across,
                          .over = (float)((along - across) * inverse),
                          .bend = (float)(weight * 0.5 * number[SHERD_CLASS_BEND2]),
                          .twist_over = (float)(twist_over * inverse)};
}

static void prepare_bonds(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    for (size_t k = begin; k < end; ++k)
        p->tangent->bonds[k] = bond_of(p->system, (int64_t)k);
}

static void prepare_elements(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_elements *e = p->system->elements;
    for (size_t k = begin; k < end; ++k) {
        double inertia = sherd_element_inertia(e, (sherd_element_index)k);
        p->tangent->mass[k] = (float)(p->system->inertia * e->mass[k]);
        p->tangent->moment[k] = (float)(p->system->inertia * inertia);
    }
}

static void prepare_bodies(sherd_tangent *t, const sherd_linear_system *system)
{
    for (size_t b = 0; b < t->body_count; ++b) {
        t->bodies[b] = system->bodies[b];
        t->bodies[b].mass *= system->inertia;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                t->bodies[b].moment[r][c] *= system->inertia;
    }
}

static bool list_held(sherd_tangent *t, const sherd_elements *e)
{
    size_t bits_capacity = t->held_capacity;
    t->held_count = 0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        if (e->held[k] == 0) continue;
        size_t needed = ++t->held_count;
        if (!sherd_grow((void **)&t->held, &t->held_capacity, needed, sizeof *t->held) ||
            !sherd_grow((void **)&t->held_bits, &bits_capacity, needed, sizeof *t->held_bits))
            return false;
        t->held[needed - 1] = k;
        t->held_bits[needed - 1] = e->held[k];
    }
    return true;
}

static bool make_room(sherd_tangent *t, const sherd_linear_system *system)
{
    size_t mass_capacity = t->node_capacity;
    return sherd_grow((void **)&t->bonds, &t->bond_capacity, (size_t)system->bonds->count,
                      sizeof *t->bonds) &&
           sherd_grow((void **)&t->mass, &mass_capacity, t->elements, sizeof *t->mass) &&
           sherd_grow((void **)&t->moment, &t->node_capacity, t->elements, sizeof *t->moment) &&
           sherd_grow((void **)&t->bodies, &t->body_capacity, t->body_count, sizeof *t->bodies) &&
           list_held(t, system->elements);
}

sherd_status sherd_tangent_prepare(sherd_tangent *t, const sherd_linear_system *system,
                                   sherd_error *error)
{
    sherd_status status = check(system, error);
    if (status != SHERD_OK) return status;
    t->parallel = system->parallel;
    t->elements = (size_t)system->elements->count;
    t->body_count = (size_t)system->body_count;
    t->nodes = sherd_node_count(system);
    t->stride = sherd_node_stride(t->nodes);
    t->bond_ends = system->bonds;
    t->adjacency = system->adjacency;
    if (!make_room(t, system)) return sherd_fail_memory(error, "tangent");
    preparation p = {t, system};
    sherd_parallel_for(&t->parallel, (size_t)system->bonds->count, CHUNK, prepare_bonds, &p);
    sherd_parallel_for(&t->parallel, t->elements, CHUNK, prepare_elements, &p);
    prepare_bodies(t, system);
    return sherd_spring_set_build(&t->springs, system, error);
}

// ---------------------------------------------------------------- held freedoms

static const uint8_t HELD_BIT[FREEDOMS] = {SHERD_HELD_X,    SHERD_HELD_Y,    SHERD_HELD_Z,
                                           SHERD_HELD_TURN, SHERD_HELD_TURN, SHERD_HELD_TURN};

void sherd_tangent_clear_held(const sherd_tangent *t, float *x)
{
    for (size_t c = 0; c < FREEDOMS; ++c) {
        for (size_t h = 0; h < t->held_count; ++h)
            if (t->held_bits[h] & HELD_BIT[c]) x[c * t->stride + (size_t)t->held[h]] = 0.0F;
        memset(x + c * t->stride + t->nodes, 0, (t->stride - t->nodes) * sizeof *x);
    }
}

static void hold_blocks(const sherd_tangent *t, float *blocks)
{
    for (size_t h = 0; h < t->held_count; ++h)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at)
                if (t->held_bits[h] & (HELD_BIT[r] | HELD_BIT[c]))
                    blocks[(size_t)at * t->stride + (size_t)t->held[h]] = r == c ? 1.0F : 0.0F;
}

// ---------------------------------------------------------------- product

typedef struct product {
    const sherd_tangent *tangent;
    const float *x;
    float *y;
} product;

static void load_node(const float *x, size_t stride, size_t node, float n[FREEDOMS])
{
    for (size_t c = 0; c < FREEDOMS; ++c)
        n[c] = x[c * stride + node];
}

static float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Adds a bond's load on node `at` to y; `sign` is 1 when that is its end j.
static void add_bond(const tangent_bond *b, float sign, const float at[FREEDOMS],
                     const float other[FREEDOMS], float y[FREEDOMS])
{
    const float *hb = b->hb;
    float s[3], e[3], k[3], g[3];
    for (int c = 0; c < 3; ++c) {
        s[c] = at[3 + c] + other[3 + c];
        k[c] = at[3 + c] - other[3 + c];
    }
    e[0] = sign * (at[0] - other[0]) - (s[1] * hb[2] - s[2] * hb[1]);
    e[1] = sign * (at[1] - other[1]) - (s[2] * hb[0] - s[0] * hb[2]);
    e[2] = sign * (at[2] - other[2]) - (s[0] * hb[1] - s[1] * hb[0]);
    float stretch = b->over * dot3(hb, e), twist = b->twist_over * dot3(hb, k);
    for (int c = 0; c < 3; ++c) {
        g[c] = b->across * e[c] + stretch * hb[c];
        y[c] += sign * g[c];
        y[3 + c] += b->bend * k[c] + twist * hb[c];
    }
    y[3] += g[1] * hb[2] - g[2] * hb[1];
    y[4] += g[2] * hb[0] - g[0] * hb[2];
    y[5] += g[0] * hb[1] - g[1] * hb[0];
}

static void multiply_elements(void *context, size_t begin, size_t end)
{
    const product *p = context;
    const sherd_tangent *t = p->tangent;
    for (size_t k = begin; k < end; ++k) {
        float at[FREEDOMS], other[FREEDOMS], y[FREEDOMS];
        load_node(p->x, t->stride, k, at);
        for (int c = 0; c < FREEDOMS; ++c)
            y[c] = (c < 3 ? t->mass[k] : t->moment[k]) * at[c];
        for (uint32_t s = t->adjacency->start[k]; s < t->adjacency->start[k + 1]; ++s) {
            int64_t bond = t->adjacency->bond[s];
            bool is_j = t->bond_ends->j[bond] == (sherd_element_index)k;
            sherd_element_index partner = is_j ? t->bond_ends->i[bond] : t->bond_ends->j[bond];
            load_node(p->x, t->stride, (size_t)partner, other);
            add_bond(&t->bonds[bond], is_j ? 1.0F : -1.0F, at, other, y);
        }
        for (size_t c = 0; c < FREEDOMS; ++c)
            p->y[c * t->stride + k] = y[c];
    }
}

static void multiply_bodies(const sherd_tangent *t, const float *x, float *y)
{
    for (size_t b = 0; b < t->body_count; ++b) {
        float n[FREEDOMS];
        size_t node = t->elements + b;
        load_node(x, t->stride, node, n);
        for (size_t c = 0; c < 3; ++c) {
            double turn = 0.0;
            for (int m = 0; m < 3; ++m)
                turn += t->bodies[b].moment[c][m] * (double)n[3 + m];
            y[c * t->stride + node] = (float)(t->bodies[b].mass * (double)n[c]);
            y[(3 + c) * t->stride + node] = (float)turn;
        }
    }
}

void sherd_tangent_apply(sherd_tangent *t, const float *x, float *y)
{
    product p = {t, x, y};
    sherd_parallel_for(&t->parallel, t->elements, CHUNK, multiply_elements, &p);
    multiply_bodies(t, x, y);
    sherd_spring_set_apply(&t->springs, x, y, t->stride, &t->parallel);
    sherd_tangent_clear_held(t, y);
}

// ---------------------------------------------------------------- diagonal

// The other end at rest.
static void find_blocks(void *context, size_t begin, size_t end)
{
    const product *p = context;
    const sherd_tangent *t = p->tangent;
    const float none[FREEDOMS] = {0};
    for (size_t k = begin; k < end; ++k)
        for (int column = 0; column < FREEDOMS; ++column) {
            float unit[FREEDOMS] = {0}, y[FREEDOMS] = {0};
            unit[column] = 1.0F;
            y[column] = column < 3 ? t->mass[k] : t->moment[k];
            for (uint32_t s = t->adjacency->start[k]; s < t->adjacency->start[k + 1]; ++s) {
                int64_t bond = t->adjacency->bond[s];
                bool is_j = t->bond_ends->j[bond] == (sherd_element_index)k;
                add_bond(&t->bonds[bond], is_j ? 1.0F : -1.0F, unit, none, y);
            }
            for (int row = column; row < FREEDOMS; ++row)
                p->y[(size_t)(row * (row + 1) / 2 + column) * t->stride + k] = y[row];
        }
}

static void find_body_blocks(const sherd_tangent *t, float *blocks)
{
    for (size_t b = 0; b < t->body_count; ++b)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at) {
                double entry = r >= 3 && c >= 3 ? t->bodies[b].moment[r - 3][c - 3]
                               : r == c         ? t->bodies[b].mass
                                                : 0.0;
                blocks[(size_t)at * t->stride + t->elements + b] = (float)entry;
            }
}

void sherd_tangent_diagonal(sherd_tangent *t, float *blocks)
{
    memset(blocks, 0, SHERD_NODE_BLOCK * t->stride * sizeof *blocks);
    product p = {.tangent = t, .y = blocks};
    sherd_parallel_for(&t->parallel, t->elements, CHUNK, find_blocks, &p);
    find_body_blocks(t, blocks);
    sherd_spring_set_diagonal(&t->springs, blocks, t->stride, &t->parallel);
    hold_blocks(t, blocks);
}
