#include "linear/multigrid/coarse_first.h"

#include "base/error.h"
#include "base/memory.h"

enum { CHUNK = 128 };

static const double PI = 3.14159265358979323846;

// Bonds squashed to less than this share of their length count as no shorter.
static const double LEAST_LENGTH = 0.01;

typedef struct bond_numbers {
    sherd_bond_stiffness k; // at rest
    double l0;              // rest length [m]
    double beta;            // relaxation time of damping [s]
} bond_numbers;

typedef struct refresh {
    sherd_coarse_level *level;
    const sherd_coarse_bonds *bonds;
    const sherd_linear_system *system;
    const bond_numbers *classes;
} refresh;

static sherd_vec3 centre_of(const sherd_coarse_level *level, int32_t row)
{
    return vec3(level->centre[0][row], level->centre[1][row], level->centre[2][row]);
}

static bool is_element(const refresh *r, int32_t node)
{
    return node < r->system->elements->count;
}

// ---------------------------------------------------------------- inertia

static void set_centre(const refresh *r, int32_t row)
{
    sherd_coarse_level *level = r->level;
    const sherd_elements *e = r->system->elements;
    double mass = 0.0;
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
        int32_t child = level->child[c];
        if (!is_element(r, child)) continue; // a body is alone
        mass += sherd_element_mass(e, child);
        sum = vec3_add_scaled(sum, sherd_element_mass(e, child), sherd_element_position(e, child));
    }
    double s = mass > 0.0 ? 1.0 / mass : 0.0;
    level->centre[0][row] = s * sum.x, level->centre[1][row] = s * sum.y,
    level->centre[2][row] = s * sum.z;
    level->mass[row] = mass;
}

static sherd_vec3 set_offset(const refresh *r, int32_t row, int32_t child)
{
    sherd_vec3 o =
        vec3_sub(sherd_element_position(r->system->elements, child), centre_of(r->level, row));
    size_t stride = r->level->fine_stride;
    r->level->offset[child] = (float)o.x;
    r->level->offset[stride + (size_t)child] = (float)o.y;
    r->level->offset[2 * stride + (size_t)child] = (float)o.z;
    return o;
}

static void add_body(const refresh *r, int32_t child, double g[SHERD_SPRING_NUMBERS])
{
    const sherd_node_inertia *body = &r->system->bodies[child - r->system->elements->count];
    double c = r->system->inertia;
    for (int a = 0; a < 3; ++a) {
        g[sherd_spring_entry(a, a)] += c * body->mass;
        for (int b = 0; b <= a; ++b)
            g[sherd_spring_entry(3 + a, 3 + b)] += c * body->moment[a][b];
    }
}

static void add_element(const refresh *r, int32_t child, sherd_vec3 offset,
                        double g[SHERD_SPRING_NUMBERS])
{
    const sherd_elements *e = r->system->elements;
    double m = r->system->inertia * sherd_element_mass(e, child);
    const double stiffness[6] = {m, m, m, 0.0, 0.0, 0.0};
    sherd_spring_add_point(g, offset, stiffness);
    for (int a = 3; a < 6; ++a)
        g[sherd_spring_entry(a, a)] += r->system->inertia * sherd_element_inertia(e, child);
}

// ---------------------------------------------------------------- bonds

static bond_numbers numbers_of(const sherd_bond_rest *rest)
{
    double per_length = PI * rest->r0 * rest->r0 / rest->l0, r2 = rest->r0 * rest->r0;
    return (bond_numbers){{per_length * rest->E, per_length * rest->G,
                           0.5 * per_length * r2 * rest->G, 0.25 * per_length * r2 * rest->E},
                          rest->l0,
                          rest->beta};
}

// Across, a bond of length l resists with G S l0 / l^2 (linear_system.h).
static sherd_bond_stiffness stiffness_of(const refresh *r, int64_t bond, double length)
{
    const sherd_linear_system *s = r->system;
    uint16_t class_index = s->bonds->class_index[bond];
    bond_numbers n;
    if (class_index < SHERD_BOND_OWN) {
        n = r->classes[class_index];
    } else {
        sherd_bond_rest rest = sherd_bond_rest_of(s->bonds, s->elements, bond);
        n = numbers_of(&rest);
    }
    double f = 1.0 + s->damping * n.beta, x = n.l0 / fmax(length, LEAST_LENGTH * n.l0);
    return (sherd_bond_stiffness){f * n.k.stretch, f * x * x * n.k.shear, f * n.k.twist,
                                  f * n.k.bend};
}

static void add_bond(const refresh *r, int64_t bond, sherd_vec3 centre,
                     double spring[SHERD_SPRING_NUMBERS])
{
    const sherd_elements *e = r->system->elements;
    sherd_vec3 p_i = sherd_element_position(e, r->system->bonds->i[bond]);
    sherd_vec3 p_j = sherd_element_position(e, r->system->bonds->j[bond]);
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(p_i, p_j));
    sherd_vec3 b = vec3_sub(p_j, p_i);
    sherd_bond_stiffness k = stiffness_of(r, bond, vec3_length(b));
    sherd_spring_add_bond(spring, vec3_normalize(b), vec3_sub(middle, centre), &k);
}

// Those of a list [begin, end) that have not broken since the list was made.
static void add_bonds(const refresh *r, int64_t begin, int64_t end, sherd_vec3 centre,
                      double spring[SHERD_SPRING_NUMBERS])
{
    for (int64_t b = begin; b < end; ++b)
        if (!r->system->bonds->broken[r->bonds->bond[b]])
            add_bond(r, r->bonds->bond[b], centre, spring);
}

// A freedom that is held on its own can't be taken out of a rigid motion. The cluster is tied to the
// ground there instead, as stiffly as the element to its neighbours.
static void add_held(const refresh *r, int32_t child, sherd_vec3 offset,
                     double g[SHERD_SPRING_NUMBERS])
{
    const sherd_linear_system *s = r->system;
    unsigned held = s->elements->held[child];
    if (held == 0) return;
    double push = 0.0, turn = 0.0;
    for (uint32_t a = s->adjacency->start[child]; a < s->adjacency->start[child + 1]; ++a) {
        if (s->bonds->broken[s->adjacency->bond[a]]) continue;
        sherd_bond_stiffness k =
            stiffness_of(r, s->adjacency->bond[a], 2.0 * sherd_element_radius(s->elements, child));
        push += k.stretch;
        turn += k.bend + 0.25 * k.stretch * pow(sherd_element_radius(s->elements, child), 2);
    }
    const double stiffness[6] = {held & SHERD_HELD_X ? push : 0.0, held & SHERD_HELD_Y ? push : 0.0,
                                 held & SHERD_HELD_Z ? push : 0.0};
    sherd_spring_add_point(g, offset, stiffness);
    for (int a = 3; a < 6 && (held & SHERD_HELD_TURN); ++a)
        g[sherd_spring_entry(a, a)] += turn;
}

static void refresh_ground(void *context, size_t begin, size_t end)
{
    const refresh *r = context;
    sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        double g[SHERD_SPRING_NUMBERS] = {0};
        set_centre(r, row);
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            if (!is_element(r, child)) {
                add_body(r, child, g);
                continue;
            }
            sherd_vec3 offset = set_offset(r, row, child);
            add_element(r, child, offset, g);
            if (r->bonds->any_held) add_held(r, child, offset, g);
        }
        sherd_vec3 centre = centre_of(level, row);
        add_bonds(r, r->bonds->ground[row], r->bonds->ground[row + 1], centre, g);
        for (size_t n = 0; n < SHERD_SPRING_NUMBERS; ++n)
            level->ground[n * level->stride + (size_t)row] = (float)g[n];
    }
}

static void put_offset(float *entry, sherd_vec3 o)
{
    entry[(SHERD_SPRING_NUMBERS + 0) * SHERD_COARSE_LANES] = (float)o.x;
    entry[(SHERD_SPRING_NUMBERS + 1) * SHERD_COARSE_LANES] = (float)o.y;
    entry[(SHERD_SPRING_NUMBERS + 2) * SHERD_COARSE_LANES] = (float)o.z;
}

// The spring is that of the entry with the bonds, at this row's centre.
static void refresh_springs(void *context, size_t begin, size_t end)
{
    const refresh *r = context;
    const sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        sherd_vec3 centre = centre_of(level, row);
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e) {
            if (level->neighbour[e] < row) continue;
            double spring[SHERD_SPRING_NUMBERS] = {0}, back[SHERD_SPRING_NUMBERS] = {0};
            add_bonds(r, r->bonds->start[e], r->bonds->start[e + 1], centre, spring);
            sherd_vec3 offset = vec3_sub(centre, centre_of(level, level->neighbour[e]));
            sherd_spring_add_shifted(back, spring, offset);
            float *here = sherd_coarse_entry(level, row, e);
            float *there = sherd_coarse_entry(level, level->neighbour[e], r->bonds->mate[e]);
            for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n) {
                here[n * SHERD_COARSE_LANES] = (float)spring[n];
                there[n * SHERD_COARSE_LANES] = (float)back[n];
            }
            put_offset(here, offset);
            put_offset(there, vec3_scale(-1.0, offset));
        }
    }
}

sherd_status sherd_coarse_first_refresh(sherd_coarse_level *level, const sherd_coarse_bonds *bonds,
                                        const sherd_linear_system *system, sherd_error *error)
{
    size_t count = (size_t)system->bonds->class_count;
    bond_numbers *classes = sherd_alloc(count, sizeof *classes);
    if (classes == NULL) return sherd_fail_memory(error, "stiffnesses of bonds");
    for (size_t c = 0; c < count; ++c)
        classes[c] = numbers_of(&system->bonds->classes[c].rest);
    refresh r = {level, bonds, system, classes};
    sherd_parallel_for(&system->parallel, (size_t)level->count, CHUNK, refresh_ground, &r);
    sherd_parallel_for(&system->parallel, (size_t)level->joined, CHUNK, refresh_springs, &r);
    sherd_free(classes);
    return SHERD_OK;
}
