#include "models/bonded/hessian/bond_hessians.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/rigid_spring.h"
#include "models/bonded/hessian/nullspace.h"
#include "models/bonded/hessian/symmetric.h"

#include <math.h>
#include <string.h>

enum { W = SHERD_NODE_FREEDOMS, BLOCK = SHERD_SPRING_NUMBERS };
enum { BOND_CHUNK = 64, NODE_CHUNK = 512, PART = 2048 };

// The 12 x 12 matrix of a bond.
typedef struct bond_part {
    float own[2][BLOCK]; // of i, of j: symmetric, packed (rigid_spring.h)
    float across[W][W];  // rows of i, columns of j
} bond_part;

struct sherd_bond_hessians {
    sherd_bond_hessian_parts parts;
    const sherd_linear_operator *tangent; // springs of edges
    void *tangent_state;
    const sherd_linear_system *system; // while it is prepared
    sherd_parallel parallel;
    size_t count, stride;
    bond_part *bonds; // (m); owned
    float *nodes;     // sums of own blocks and inertia (n x 21); owned
    size_t bond_capacity, node_capacity;
};

// ---------------------------------------------------------------- lifetime

sherd_bond_hessians *sherd_bond_hessians_create(sherd_error *error)
{
    sherd_bond_hessians *h = sherd_alloc(1, sizeof *h);
    if (h == NULL) sherd_fail_memory(error, "Hessians of bonds");
    return h;
}

void sherd_bond_hessians_destroy(sherd_bond_hessians *h)
{
    if (h == NULL) return;
    sherd_free(h->bonds);
    sherd_free(h->nodes);
    sherd_free(h);
}

size_t sherd_bond_hessians_bytes(const sherd_bond_hessians *h)
{
    return sizeof *h + h->bond_capacity * sizeof *h->bonds + h->node_capacity * sizeof *h->nodes;
}

// ---------------------------------------------------------------- preparing

static void end_of(const sherd_elements *e, sherd_element_index k, double x[SHERD_REF_END])
{
    sherd_vec3 p = sherd_element_position(e, k);
    sherd_quat q = sherd_element_orientation(e, k);
    const double values[SHERD_REF_END] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    memcpy(x, values, sizeof values);
}

static void store(const sherd_bond_hessians *h, size_t b, double out[2 * W][2 * W])
{
    const sherd_tangent_parts *m = &h->parts.model;
    bond_part *to = &h->bonds[b];
    double beta = sherd_bond_constants_of(m->bonds, m->elements, (int64_t)b).beta;
    double weight = 1.0 + h->system->damping * beta;
    for (int r = 0; r < W; ++r)
        for (int c = 0; c < W; ++c) {
            to->across[r][c] = (float)(weight * out[r][W + c]);
            if (c > r) continue;
            to->own[0][sherd_spring_entry(r, c)] = (float)(weight * out[r][c]);
            to->own[1][sherd_spring_entry(r, c)] = (float)(weight * out[W + r][W + c]);
        }
}

// Returns the bond's length at rest.
static double hessian_of(const sherd_bond_hessians *h, size_t b, double out[2 * W][2 * W])
{
    const sherd_tangent_parts *m = &h->parts.model;
    sherd_ref_bond bond = sherd_ref_bond_of(m->bonds, m->elements, (int64_t)b);
    double x_i[SHERD_REF_END], x_j[SHERD_REF_END], gradient[SHERD_REF_PAIR],
        full[SHERD_REF_PAIR][SHERD_REF_PAIR];
    end_of(m->elements, bond.i, x_i);
    end_of(m->elements, bond.j, x_j);
    sherd_ref_bond_gradient(&bond, x_i, x_j, gradient);
    sherd_ref_bond_hessian(&bond, x_i, x_j, SHERD_REF_FULL, full);
    sherd_ref_restrict_hessian(x_i, x_j, gradient, full, out);
    return bond.l0;
}

enum { LANES = SHERD_SYMMETRIC_LANES, SHARED = SHERD_REF_SHARED };

// Projects the matrices of up to eight bonds.
static void prepare_projected(sherd_bond_hessians *h, const size_t *bonds, int count)
{
    sherd_symmetric_lanes lanes = {{{0.0}}};
    double length[LANES], out[2 * W][2 * W], shared[SHARED][SHARED];
    for (int l = 0; l < count; ++l) {
        length[l] = hessian_of(h, bonds[l], out);
        sherd_ref_to_shared(length[l], out, shared);
        for (int r = 0; r < SHARED; ++r)
            for (int c = 0; c <= r; ++c)
                lanes[r][c][l] = shared[r][c];
    }
    sherd_symmetric_project_lanes(lanes);
    for (int l = 0; l < count; ++l) {
        for (int r = 0; r < SHARED; ++r)
            for (int c = 0; c < SHARED; ++c)
                shared[r][c] = lanes[r >= c ? r : c][r >= c ? c : r][l];
        sherd_ref_from_shared(length[l], shared, out);
        store(h, bonds[l], out);
    }
}

static void prepare_bonds(void *context, size_t begin, size_t end)
{
    sherd_bond_hessians *h = context;
    size_t waiting[LANES];
    int count = 0;
    for (size_t b = begin; b < end; ++b) {
        memset(&h->bonds[b], 0, sizeof h->bonds[b]);
        if (h->parts.model.bonds->broken[b]) continue;
        double out[2 * W][2 * W];
        if (h->parts.projected) {
            waiting[count++] = b;
        } else {
            hessian_of(h, b, out);
            store(h, b, out);
        }
        if (count < LANES) continue;
        prepare_projected(h, waiting, count);
        count = 0;
    }
    if (count > 0) prepare_projected(h, waiting, count);
}

// q.q^ of the inertia term, never negative.
static double cosine_of(const sherd_bond_hessians *h, size_t k)
{
    double *const *t = h->parts.target;
    if (t == NULL) return 1.0;
    sherd_quat q = sherd_element_orientation(h->parts.model.elements, (sherd_element_index)k);
    return fabs(q.x * t[0][k] + q.y * t[1][k] + q.z * t[2][k] + q.w * t[3][k]);
}

static void prepare_nodes(void *context, size_t begin, size_t end)
{
    const sherd_bond_hessians *h = context;
    const sherd_tangent_parts *m = &h->parts.model;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        double sum[BLOCK] = {0.0}, mass = sherd_element_mass(m->elements, i),
               moment = sherd_element_inertia(m->elements, i) * cosine_of(h, k);
        for (int r = 0; r < W; ++r)
            sum[sherd_spring_entry(r, r)] = h->system->inertia * (r < 3 ? mass : moment);
        for (uint32_t at = m->adjacency->start[k]; at < m->adjacency->start[k + 1]; ++at) {
            uint32_t b = m->adjacency->bond[at];
            const float *own = h->bonds[b].own[m->bonds->i[b] == i ? 0 : 1];
            for (int n = 0; n < BLOCK; ++n)
                sum[n] += (double)own[n];
        }
        for (int n = 0; n < BLOCK; ++n)
            h->nodes[k * BLOCK + (size_t)n] = (float)sum[n];
    }
}

static sherd_status prepare(void *state, const sherd_linear_system *system, sherd_error *error)
{
    sherd_bond_hessians *h = state;
    const sherd_tangent_parts *m = &h->parts.model;
    sherd_status status = h->tangent->prepare(h->tangent_state, system, error);
    if (status != SHERD_OK) return status;
    h->system = system;
    h->parallel = system->parallel;
    h->count = (size_t)m->elements->count;
    h->stride = sherd_node_stride(sherd_node_count(system));
    bool fits =
        sherd_grow((void **)&h->bonds, &h->bond_capacity, (size_t)m->bonds->count,
                   sizeof *h->bonds) &&
        sherd_grow((void **)&h->nodes, &h->node_capacity, h->count * BLOCK, sizeof *h->nodes);
    if (!fits) return sherd_fail_memory(error, "Hessians of bonds");
    sherd_parallel_for(&h->parallel, (size_t)m->bonds->count, BOND_CHUNK, prepare_bonds, h);
    sherd_parallel_for(&h->parallel, h->count, NODE_CHUNK, prepare_nodes, h);
    return SHERD_OK;
}

// ---------------------------------------------------------------- products

typedef struct product {
    const sherd_bond_hessians *h;
    const sherd_linear_pass *pass;
    const float *x;
} product;

static void turn_range(void *context, size_t begin, size_t end)
{
    const product *p = context;
    const sherd_linear_pass *pass = p->pass;
    for (size_t c = 0; c < W; ++c)
        for (size_t k = c * pass->stride + begin; k < c * pass->stride + end; ++k)
            pass->turned[k] = pass->z[k] + pass->beta * pass->x[k];
}

static void gather(const product *p, size_t k, float x[W])
{
    for (size_t c = 0; c < W; ++c)
        x[c] = p->x[c * p->pass->stride + k];
}

static void multiply_node(const product *p, size_t k, float y[W])
{
    const sherd_bond_hessians *h = p->h;
    const sherd_tangent_parts *m = &h->parts.model;
    const float *own = h->nodes + k * BLOCK;
    float x[W];
    gather(p, k, x);
    for (int r = 0; r < W; ++r) {
        y[r] = 0.0F;
        for (int c = 0; c < W; ++c)
            y[r] += own[r >= c ? sherd_spring_entry(r, c) : sherd_spring_entry(c, r)] * x[c];
    }
    for (uint32_t at = m->adjacency->start[k]; at < m->adjacency->start[k + 1]; ++at) {
        uint32_t b = m->adjacency->bond[at];
        bool first = m->bonds->i[b] == (sherd_element_index)k;
        const bond_part *part = &h->bonds[b];
        gather(p, (size_t)(first ? m->bonds->j[b] : m->bonds->i[b]), x);
        for (int r = 0; r < W; ++r)
            for (int c = 0; c < W; ++c)
                y[r] += (first ? part->across[r][c] : part->across[c][r]) * x[c];
    }
}

static void multiply_parts(void *context, size_t begin, size_t end)
{
    const product *p = context;
    for (size_t part = begin; part < end; ++part) {
        double energy = 0.0;
        size_t last = (part + 1) * PART < p->h->count ? (part + 1) * PART : p->h->count;
        for (size_t k = part * PART; k < last; ++k) {
            float y[W];
            multiply_node(p, k, y);
            for (size_t c = 0; c < W; ++c) {
                p->pass->y[c * p->pass->stride + k] = y[c];
                energy += (double)y[c] * (double)p->x[c * p->pass->stride + k];
            }
        }
        if (p->pass->energy != NULL) p->pass->energy[part] = energy;
    }
}

static sherd_linear_parts parts(const void *state)
{
    const sherd_bond_hessians *h = state;
    size_t count = (h->count + PART - 1) / PART;
    return count > 1 ? (sherd_linear_parts){count, PART} : (sherd_linear_parts){1, h->stride};
}

static void multiply(void *state, const sherd_linear_pass *pass)
{
    sherd_bond_hessians *h = state;
    product p = {h, pass, pass->z != NULL ? pass->turned : pass->x};
    if (pass->z != NULL) sherd_parallel_for(&h->parallel, h->count, PART, turn_range, &p);
    sherd_parallel_for(&h->parallel, parts(h).count, 1, multiply_parts, &p);
}

static void diagonal(void *state, float *blocks)
{
    const sherd_bond_hessians *h = state;
    for (size_t k = 0; k < h->count; ++k)
        for (size_t n = 0; n < BLOCK; ++n)
            blocks[n * h->stride + k] = h->nodes[k * BLOCK + n];
}

// ---------------------------------------------------------------- springs of edges

static void add_springs(const void *state, const sherd_linear_system *system, const uint32_t *edge,
                        int64_t count, sherd_vec3 centre, double spring[SHERD_SPRING_NUMBERS])
{
    const sherd_bond_hessians *h = state;
    h->tangent->add_springs(h->tangent_state, system, edge, count, centre, spring);
}

static void hold(const void *state, const sherd_linear_system *system, int32_t point,
                 double *translational, double *rotational)
{
    const sherd_bond_hessians *h = state;
    h->tangent->hold(h->tangent_state, system, point, translational, rotational);
}

static const sherd_linear_operator OPERATOR = {
    .prepare = prepare,
    .parts = parts,
    .multiply = multiply,
    .diagonal = diagonal,
    .add_springs = add_springs,
    .hold = hold,
};

void sherd_bond_hessians_fill(sherd_bond_hessians *h, const sherd_bond_hessian_parts *from,
                              sherd_linear_system *system)
{
    h->parts = *from;
    h->tangent = system->model;
    h->tangent_state = system->state;
    system->model = &OPERATOR;
    system->state = h;
}
