// Products with a tangent: a pass over all blocks of bonds, then one that adds loads between
// blocks.
#include "models/bonded/tangent/tangent_state.h"

#include <math.h>

static const sherd_tangent_column PRODUCT[TANGENT_PRODUCT_SUMS] = {
    {0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1},
};

typedef struct application {
    sherd_tangent *tangent;
    sherd_tangent_pass pass;
    sherd_tangent_function *kernel;
} application;

static void run_kernel(void *context, size_t begin, size_t end)
{
    const application *a = context;
    for (size_t b = begin; b < end; ++b)
        a->kernel(&a->pass, &a->tangent->blocks[b], &a->tangent->scratch[sherd_parallel_worker()]);
}

// ---------------------------------------------------------------- parts of the result

// The end of the run of consecutive halo elements that begins at `begin`; at most `end`.
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

// Adds loads from other blocks to block b, in the order of blocks.
static void receive(const sherd_tangent *t, size_t b, const sherd_tangent_column *targets,
                    int count, float *y)
{
    const sherd_bond_block *block = &t->bond_blocks->blocks[b];
    for (int64_t k = block->incoming_begin; k < block->incoming_end; ++k) {
        const sherd_incoming *part = &t->bond_blocks->incoming[k];
        const sherd_bond_block *from = &t->bond_blocks->blocks[part->block];
        const sherd_tangent_block *loads = &t->blocks[part->block];
        for (int32_t h = part->begin, end; h < part->end; h = end) {
            end = run_end(from, h, part->end);
            for (int n = 0; n < count; ++n)
                add_run(y + targets[n].column * t->stride + from->halo[h],
                        loads->halo_load + targets[n].sum * loads->halo_column + h,
                        (float)targets[n].sign, end - h);
        }
    }
}

// Without blocks there is one part, which receives nothing.
void sherd_tangent_finish_product(const void *state, size_t part, float *y)
{
    const sherd_tangent *t = state;
    if (part < t->block_count) receive(t, part, PRODUCT, TANGENT_PRODUCT_SUMS, y);
}

void sherd_tangent_finish_diagonal(const void *state, size_t part, float *blocks)
{
    const sherd_tangent *t = state;
    if (part < t->block_count)
        receive(t, part, SHERD_TANGENT_DIAGONAL, TANGENT_DIAGONAL_COLUMNS, blocks);
}

// ---------------------------------------------------------------- all of it

static sherd_tangent_pass pass_of(const sherd_tangent *t)
{
    return (sherd_tangent_pass){.classes = t->classes,
                                .mass = t->mass,
                                .moment = t->moment,
                                .yielding = t->yielding,
                                .damping = t->damping,
                                .tension = t->tension,
                                .stride = t->stride};
}

void sherd_tangent_multiply(void *state, const sherd_linear_pass *pass)
{
    sherd_tangent *t = state;
    application a = {.tangent = t, .kernel = t->product, .pass = pass_of(t)};
    a.pass.x = pass->x;
    a.pass.z = pass->z;
    a.pass.beta = pass->beta;
    a.pass.turned = pass->turned;
    a.pass.y = pass->y;
    a.pass.with_energy = pass->energy != NULL;
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
    if (pass->energy == NULL) return;
    pass->energy[0] = 0.0; // there are no blocks
    for (size_t b = 0; b < t->block_count; ++b)
        pass->energy[b] = t->blocks[b].energy;
}

void sherd_tangent_diagonal(void *state, float *blocks)
{
    sherd_tangent *t = state;
    application a = {.tangent = t, .kernel = t->diagonal, .pass = pass_of(t)};
    a.pass.y = blocks;
    sherd_parallel_for(&t->parallel, t->block_count, 1, run_kernel, &a);
}

// ---------------------------------------------------------------- springs of edges

// Springs of single bonds, which coarse levels of a linear solver add up.

static const double PI = 3.14159265358979323846;

// Bonds compressed below this fraction of their length are treated as having this length.
static const double MIN_LENGTH = 0.01;

// ---------------------------------------------------------------- stiffness

static sherd_tangent_numbers numbers_of(const sherd_bond_constants *constants)
{
    double per_length = PI * constants->r0 * constants->r0 / constants->l0,
           r2 = constants->r0 * constants->r0;
    const sherd_bond_moduli *m = &constants->moduli;
    return (sherd_tangent_numbers){
        .k = {.stretch = per_length * m->stretch,
              .shear = per_length * m->shear,
              .twist = 0.5 * per_length * r2 * m->twist,
              .bend = 0.25 * per_length * r2 * m->bend},
        .l0 = constants->l0,
        .law = sherd_bond_kind_law(constants->kind),
        .beta = constants->beta,
    };
}

// The stiffness of a bond with this length [m].
static sherd_bond_stiffness stiffness_of(const sherd_tangent *t, double damping, int64_t bond,
                                         double length)
{
    const sherd_bonds *bonds = t->parts.bonds;
    uint16_t class_index = bonds->class_index[bond];
    sherd_tangent_numbers n;
    if (class_index < SHERD_BOND_OWN) {
        n = t->numbers[class_index];
    } else {
        sherd_bond_constants constants = sherd_bond_constants_of(bonds, t->parts.elements, bond);
        n = numbers_of(&constants);
    }
    double f = 1.0 + damping * n.beta, x = n.l0 / fmax(length, MIN_LENGTH * n.l0);
    sherd_bond_stiffness k = {f, f, f, f};
    sherd_bond_law_functions_of(n.law)->stiffness(x, &k);
    return (sherd_bond_stiffness){k.stretch * n.k.stretch, k.shear * n.k.shear, k.twist * n.k.twist,
                                  k.bend * n.k.bend};
}

void sherd_tangent_prepare_numbers(sherd_tangent *t)
{
    const sherd_bonds *bonds = t->parts.bonds;
    for (int c = 0; c < bonds->class_count; ++c)
        t->numbers[c] = numbers_of(&bonds->classes[c].constants);
}

void sherd_tangent_hold_stiffness(const void *state, const sherd_linear_system *system,
                                  int32_t element, double *translational, double *rotational)
{
    const sherd_tangent *t = state;
    const sherd_point_graph *graph = &system->graph;
    double radius = sherd_element_radius(t->parts.elements, element);
    *translational = *rotational = 0.0;
    for (uint32_t a = graph->start[element]; a < graph->start[element + 1]; ++a) {
        if (graph->broken[graph->edge[a]]) continue;
        sherd_bond_stiffness k = stiffness_of(t, system->damping, graph->edge[a], 2.0 * radius);
        *translational += k.stretch;
        *rotational += k.bend + 0.25 * k.stretch * pow(radius, 2);
    }
}

// ---------------------------------------------------------------- springs

// A bond between elements i and j resists, as a spring at its middle m (docs/theory/physics.md 1, linearised),
//   e = dp_j - dp_i - (dtheta_i + dtheta_j)/2 x b = (motion of j at m) - (motion of i at m)
// Adds a bond of direction n whose middle is at r from o.
//   S_tt = K, S_theta_t = [r]x K, S_theta_theta = [r]x K [r]x' + K_turn,  K = k_s + (k_n - k_s) n n'
static void add_bond(double s[SHERD_SPRING_NUMBERS], sherd_vec3 direction, sherd_vec3 arm,
                     const sherd_bond_stiffness *k)
{
    double n[3] = {direction.x, direction.y, direction.z}, r[3] = {arm.x, arm.y, arm.z};
    sherd_vec3 lever = vec3_cross(arm, direction);
    double rn[3] = {lever.x, lever.y, lever.z};
    double along = k->stretch - k->shear, about = k->twist - k->bend;
    double r2 = k->shear * vec3_dot(arm, arm) + k->bend;
    const double cross[3][3] = {{0.0, -r[2], r[1]}, {r[2], 0.0, -r[0]}, {-r[1], r[0], 0.0}};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b <= a; ++b) {
            s[sherd_spring_entry(a, b)] += along * n[a] * n[b];
            s[sherd_spring_entry(3 + a, 3 + b)] +=
                along * rn[a] * rn[b] + about * n[a] * n[b] - k->shear * r[a] * r[b];
        }
        for (int b = 0; b < 3; ++b)
            s[sherd_spring_entry(3 + a, b)] += along * rn[a] * n[b] + k->shear * cross[a][b];
        s[sherd_spring_entry(a, a)] += k->shear;
        s[sherd_spring_entry(3 + a, 3 + a)] += r2;
    }
}

void sherd_tangent_add_springs(const void *state, const sherd_linear_system *system,
                               const uint32_t *bonds, int64_t count, sherd_vec3 centre,
                               double spring[SHERD_SPRING_NUMBERS])
{
    const sherd_tangent *t = state;
    const sherd_point_graph *graph = &system->graph;
    for (int64_t n = 0; n < count; ++n) {
        // Softening bonds are added with the springs of the system.
        if (graph->broken[bonds[n]] || sherd_bond_softens(t->parts.bonds, bonds[n])) continue;
        sherd_vec3 p_i = sherd_point_position(system->points, graph->i[bonds[n]]);
        sherd_vec3 p_j = sherd_point_position(system->points, graph->j[bonds[n]]);
        sherd_vec3 middle = vec3_scale(0.5, vec3_add(p_i, p_j));
        sherd_vec3 b = vec3_sub(p_j, p_i);
        sherd_bond_stiffness k = stiffness_of(t, system->damping, bonds[n], vec3_length(b));
        add_bond(spring, vec3_normalize(b), vec3_sub(middle, centre), &k);
    }
}
