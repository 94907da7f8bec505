// Compiled several times with different SHERD_LANES and instruction sets; see cmake/kernels.cmake.
//
// For every SHERD_LANES, WIDTH bonds are computed in PARTS vectors before the next ones, and all
// additions happen in the same order: kernels that all have fused multiply-adds, or all have none,
// give the same bits.
#include "models/bonded/tangent/tangent_kernel.h"

#include "laws/bond/bond_laws.h"
#include "math/lane_transpose.h"

enum { WIDTH = SHERD_BOND_WIDTH_MIXED, PARTS = WIDTH / SHERD_LANES };
enum { ROW = 16, LOAD_ROW = 8, STATE = 9, STATE_AND_ORIENTATION = 13, AHEAD = 2 };
static const unsigned ALL_LANES = (1u << SHERD_LANES) - 1u;

// ---------------------------------------------------------------- physics

typedef struct node {
    lane3 half, p, q;  // half position, displacement, rotation
    lane4 orientation; // for laws about sections only
} node;

typedef struct node_load {
    lane3 force, torque;
} node_load;

typedef struct bond_matrix {
    lane3 hb;
    lane across, over, bend, twist;
    lane pull, pull_over; // pull_over = pull / hb^2
} bond_matrix;

LANE_INLINE bond_matrix matrix_of(bond_tangent_function *law, const bond_reference_stiffness *s,
                                  lane3 half_i, lane3 half_j, bool tension)
{
    lane3 hb = lane3_sub(half_j, half_i);
    lane min_length = SHERD_TANGENT_MIN_LENGTH * s->half_l0;
    lane inverse = 1 / lane_max(lane3_dot(hb, hb), min_length * min_length);
    bond_tangent t = law(s, inverse, tension);
    bond_matrix m = {.hb = hb, .across = t.across, .bend = t.bend};
    if (tension) m.pull = t.pull, m.pull_over = t.pull * inverse;
    m.over = (t.along - t.across) * inverse;
    m.twist = t.twist_over * inverse;
    return m;
}

// g is the force on j, arm + h the torque on j, arm - h that on i.
typedef struct bond_product {
    lane3 g, arm, h;
    lane energy; // e.g + k.h
} bond_product;

// s x hb does not change hb.e.
LANE_INLINE bond_product multiply(const bond_matrix *m, const node *i, const node *j, bool tension)
{
    lane3 p_ij = lane3_sub(j->p, i->p), k = lane3_sub(j->q, i->q);
    lane3 e = lane3_sub_cross(p_ij, lane3_add(i->q, j->q), m->hb);
    bond_product l;
    lane along = lane3_dot(m->hb, p_ij);
    l.g = lane3_add_scaled(lane3_scale(m->across, e), m->over * along, m->hb);
    l.h = lane3_add_scaled(lane3_scale(m->bend, k), m->twist * lane3_dot(m->hb, k), m->hb);
    l.arm = lane3_cross(l.g, m->hb);
    l.energy = lane3_dot(e, l.g) + lane3_dot(k, l.h);
    if (tension) {
        lane3 pulled = lane3_add_scaled(lane3_scale(m->pull, p_ij), -m->pull_over * along, m->hb);
        l.g = lane3_add(l.g, pulled);
        l.energy += lane3_dot(pulled, p_ij);
    }
    return l;
}

// The stiffness about d, which depends on both ends' orientations.
typedef struct section_matrix {
    lane3 hb, d, rho;
    lane across, over, bend, twist_over;
    lane turn;                       // 1 / (1 + w)
    lane3 yield_force, yield_moment; // for laws whose bonds yield
} section_matrix;

LANE_INLINE section_matrix section_matrix_of(bond_tangent_function *law,
                                             const bond_reference_stiffness *s, const node *i,
                                             const node *j)
{
    lane w = lane4_dot(i->orientation, j->orientation);
    lane4 q_j = bond_nearest(j->orientation, &w, &(lane_series){.short_only = false});
    lane turn = 1 / (1 + w);
    bond_tangent t = law(s, lane_of(0), false);
    return (section_matrix){
        .hb = lane3_sub(j->half, i->half),
        .d = lane3_add_scaled(s->d0, turn, bond_d_change(i->orientation, q_j, s->d0)),
        .rho = bond_rho(i->orientation, q_j),
        .across = t.across,
        .over = t.along - t.across,
        .bend = t.bend,
        .twist_over = t.twist_over,
        .turn = turn,
    };
}

// across v + over (d.v) d
LANE_INLINE lane3 split(lane across, lane over, lane3 d, lane3 v)
{
    return lane3_add_scaled(lane3_scale(across, v), over * lane3_dot(d, v), d);
}

// Subtracts the rank-one reduction of a yielding bond from the response to strains e, k.
LANE_INLINE void subtract_yield(const section_matrix *m, lane3 e, lane3 k, lane3 *force,
                                lane3 *moment)
{
    lane along = lane3_dot(m->yield_force, e) + lane3_dot(m->yield_moment, k);
    *force = lane3_sub_scaled(*force, along, m->yield_force);
    *moment = lane3_sub_scaled(*moment, along, m->yield_moment);
}

// J' C J x of [RBDEM]'s strains over left increments (tangent_kernel.h).
LANE_INLINE bond_product multiply_sections(const section_matrix *m, bool yields, const node *i,
                                           const node *j)
{
    lane3 p_ij = lane3_sub(j->p, i->p), k = lane3_sub(j->q, i->q);
    lane3 turned = lane3_scale(m->turn, m->rho),
          half_turned = lane3_scale(lane_of(LANE_HALF), turned);
    lane3 mean2 = lane3_sub_cross(lane3_add(i->q, j->q), turned, k); // 2 (A_i q_i + A_j q_j)
    lane3 e = lane3_sub_cross(p_ij, mean2, m->hb);
    bond_product l = {.g = split(m->across, m->over, m->d, e)};
    // B = sqrt(2 turn) (1 - turn/2 rho rho') is on both sides of C.
    lane3 bent = lane3_sub_scaled(k, lane3_dot(m->rho, k), half_turned);
    if (yields) { // B is applied separately: the reduction is of B k
        lane root = lane_sqrt(m->turn + m->turn);
        lane3 strain = lane3_scale(root, bent);
        bent = split(m->bend, m->twist_over, m->d, strain);
        subtract_yield(m, e, strain, &l.g, &bent);
        bent = lane3_scale(root, bent);
    } else {
        bent = lane3_scale(m->turn + m->turn, split(m->bend, m->twist_over, m->d, bent));
    }
    bent = lane3_sub_scaled(bent, lane3_dot(half_turned, bent), m->rho);
    l.arm = lane3_cross(l.g, m->hb);
    l.h = lane3_add(bent, lane3_cross(turned, l.arm));
    l.energy = lane3_dot(e, l.g) + lane3_dot(k, bent);
    return l;
}

// Contribution of a bond to the diagonal block of its end j (TANGENT_DIAGONAL_SUMS); for i the last
// three have the opposite sign. With [hb] the matrix of hb x ..., e is +-dp + [hb] dtheta, and [hb]
// hb = 0:
//   force:  across + over hb hb',   torque over rotation:  [hb]' across [hb] + bend + twist hb hb'
LANE_INLINE void diagonal_of(const bond_matrix *m, bool tension, lane sum[TANGENT_DIAGONAL_SUMS])
{
    lane x = m->hb.x, y = m->hb.y, z = m->hb.z;
    const lane products[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
    lane turn = lane_fma(m->across, lane3_dot(m->hb, m->hb), m->bend), over = m->twist - m->across;
    lane force = m->across, force_over = m->over;
    if (tension) force += m->pull, force_over -= m->pull_over;
    for (int c = 0; c < 6; ++c) {
        sum[c] = c < 3 ? lane_fma(force_over, products[c], force) : force_over * products[c];
        sum[6 + c] = c < 3 ? lane_fma(over, products[c], turn) : over * products[c];
    }
    sum[12] = m->across * x;
    sum[13] = m->across * y;
    sum[14] = m->across * z;
}

// ---------------------------------------------------------------- walk

typedef enum walk_kind {
    WALK_PRODUCT,
    WALK_PRODUCT_AND_ENERGY,
    WALK_DIAGONAL,
} walk_kind;

// Columns of state, by local number.
typedef struct columns {
    float *first;
    size_t step;
} columns;

// Passed by value, so that it stays in registers whatever is stored meanwhile.
typedef struct walk {
    const sherd_tangent_pass *pass;
    const sherd_tangent_block *block;
    const sherd_bond_block *bonds;
    const float *classes;
    columns half, orientation, x, load;
    float *rows, *load_rows;
    bool with_rows, with_columns, with_orientations, tension;
    // Known at compile time of kernels.
    bond_tangent_function *law;
    bool sections; // it is a law about sections
    bool yields;   // its bonds yield
} walk;

LANE_INLINE float *column_at(columns c, int column, int32_t at)
{
    return c.first + (size_t)column * c.step + at;
}

// Sums for a vector of nodes of a group.
typedef struct group_sum {
    lane sum[TANGENT_DIAGONAL_SUMS];
    lane energy;
} group_sum;

LANE_INLINE lane3 load3(columns c, int first, int32_t at)
{
    return (lane3){lane_load(column_at(c, first, at)), lane_load(column_at(c, first + 1, at)),
                   lane_load(column_at(c, first + 2, at))};
}

LANE_INLINE node load_node(walk w, walk_kind kind, int32_t at)
{
    node n = {.half = load3(w.half, 0, at)};
    if (kind == WALK_DIAGONAL) return n;
    n.p = load3(w.x, 0, at);
    n.q = load3(w.x, 3, at);
    if (!w.sections) return n;
    lane3 axis = load3(w.orientation, 0, at);
    n.orientation = (lane4){axis.x, axis.y, axis.z, lane_load(column_at(w.orientation, 3, at))};
    return n;
}

LANE_INLINE int sums_of(walk_kind kind)
{
    return kind == WALK_DIAGONAL ? TANGENT_DIAGONAL_SUMS : TANGENT_PRODUCT_SUMS;
}

LANE_INLINE void clear_sums(walk_kind kind, group_sum s[PARTS])
{
    for (int p = 0; p < PARTS; ++p) {
        for (int c = 0; c < sums_of(kind); ++c)
            s[p].sum[c] = lane_of(0);
        s[p].energy = lane_of(0);
    }
}

// The yield constants of a vector of bonds.
typedef struct yield_lanes {
    lane number[TANGENT_YIELD_NUMBERS];
} yield_lanes;

// Loads the yield constants and the remaining fraction of elastic stiffness; bond[k] is that of
// lane k.
LANE_INLINE void load_yield(walk w, const int64_t bond[SHERD_LANES], unsigned alive, yield_lanes *y,
                            bond_reference_stiffness *s)
{
    float number[TANGENT_YIELD_NUMBERS][SHERD_LANES] __attribute__((aligned(64))) = {{0}};
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int n = 0; n < TANGENT_YIELD_NUMBERS && (alive >> k & 1u); ++n)
            number[n][k] = w.pass->yielding[bond[k] * TANGENT_YIELD_NUMBERS + n];
    for (int n = 0; n < TANGENT_YIELD_NUMBERS; ++n)
        y->number[n] = lane_load(number[n]);
    lane target = y->number[TANGENT_YIELD_FRACTION];
    s->along *= target, s->shear *= target, s->bend *= target, s->twist_over *= target;
}

LANE_INLINE bond_product product_of(walk w, const bond_reference_stiffness *s, const yield_lanes *y,
                                    const node *i, const node *j)
{
    if (w.sections) {
        section_matrix m = section_matrix_of(w.law, s, i, j);
        if (w.yields) {
            m.yield_force =
                (lane3){y->number[TANGENT_YIELD_FORCE], y->number[TANGENT_YIELD_FORCE + 1],
                        y->number[TANGENT_YIELD_FORCE + 2]};
            m.yield_moment =
                (lane3){y->number[TANGENT_YIELD_MOMENT], y->number[TANGENT_YIELD_MOMENT + 1],
                        y->number[TANGENT_YIELD_MOMENT + 2]};
        }
        return multiply_sections(&m, w.yields, i, j);
    }
    bond_matrix m = matrix_of(w.law, s, i->half, j->half, w.tension);
    return multiply(&m, i, j, w.tension);
}

// Computes one vector of bonds: adds to the sum of end i and returns the sum for end j.
LANE_INLINE int compute(walk w, walk_kind kind, const bond_reference_stiffness *s,
                        const yield_lanes *y, const node *i, const node *j, group_sum *sum,
                        lane of_j[TANGENT_DIAGONAL_SUMS])
{
    if (kind == WALK_DIAGONAL) {
        bond_matrix m = matrix_of(w.law, s, i->half, j->half, w.tension);
        diagonal_of(&m, w.tension, of_j);
        for (int c = 0; c < TANGENT_DIAGONAL_SUMS; ++c)
            sum->sum[c] = c < 12 ? sum->sum[c] + of_j[c] : sum->sum[c] - of_j[c];
        return TANGENT_DIAGONAL_SUMS;
    }
    bond_product l = product_of(w, s, y, i, j);
    if (kind == WALK_PRODUCT_AND_ENERGY) sum->energy += l.energy;
    lane3 of_i = lane3_sub(l.arm, l.h), torque = lane3_add(l.arm, l.h);
    const lane on_i[3] = {of_i.x, of_i.y, of_i.z};
    const lane on_j[TANGENT_PRODUCT_SUMS] = {l.g.x, l.g.y, l.g.z, torque.x, torque.y, torque.z};
    for (int c = 0; c < 3; ++c) {
        sum->sum[c] -= on_j[c];
        sum->sum[3 + c] += on_i[c];
    }
    for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c)
        of_j[c] = on_j[c];
    return TANGENT_PRODUCT_SUMS;
}

LANE_INLINE void add_columns(walk w, int32_t at, int count, const lane *numbers)
{
    for (int c = 0; c < count; ++c) {
        float *to = column_at(w.load, c, at);
        lane_store(to, lane_load(to) + numbers[c]);
    }
}

LANE_INLINE void add_energy(walk_kind kind, const group_sum s[PARTS], wide energy[PARTS])
{
    for (int p = 0; p < PARTS && kind == WALK_PRODUCT_AND_ENERGY; ++p)
        energy[p] += wide_of_lane(s[p].energy);
}

// Adds the sums of the consecutive elements of a group.
LANE_INLINE void add_group(walk w, walk_kind kind, int32_t at, const group_sum s[PARTS],
                           wide energy[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        add_columns(w, at + p * SHERD_LANES, sums_of(kind), s[p].sum);
    add_energy(kind, s, energy);
}

LANE_INLINE void load_group(walk w, walk_kind kind, int32_t at, node i[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        i[p] = load_node(w, kind, at + p * SHERD_LANES);
}

// ---------------------------------------------------------------- packets

LANE_INLINE bond_reference_stiffness section_of_class(const float *n, unsigned alive)
{
    bond_reference_stiffness s = {
        .along = lane_of(n[TANGENT_ALONG]),
        .shear = lane_of(n[TANGENT_SHEAR]),
        .bend = lane_of(n[TANGENT_BEND]),
        .twist_over = lane_of(n[TANGENT_TWIST_OVER]),
        .half_l0 = lane_of(n[TANGENT_HALF_L0]),
        .tension = lane_of(n[TANGENT_TENSION]),
        .d0 = {lane_of(n[TANGENT_D0]), lane_of(n[TANGENT_D0 + 1]), lane_of(n[TANGENT_D0 + 2])}};
    if (__builtin_expect(alive == ALL_LANES, 1)) return s;
    lane_mask mask = lane_mask_of_bits(alive);
    s.along = lane_keep(mask, s.along);
    s.shear = lane_keep(mask, s.shear);
    s.bend = lane_keep(mask, s.bend);
    s.twist_over = lane_keep(mask, s.twist_over);
    s.tension = lane_keep(mask, s.tension);
    return s;
}

LANE_INLINE void walk_packet(walk w, walk_kind kind, const sherd_bond_packet *packet, int part,
                             const node *i, group_sum *sum)
{
    int first = part * SHERD_LANES;
    unsigned alive = (unsigned)packet->alive >> first & ALL_LANES;
    if (alive == 0) return;
    bond_reference_stiffness s =
        section_of_class(w.classes + (size_t)packet->class_index * TANGENT_NUMBERS, alive);
    yield_lanes y;
    if (w.yields) {
        int64_t bond[SHERD_LANES];
        for (int k = 0; k < SHERD_LANES; ++k)
            bond[k] = packet->bond + __builtin_popcount(packet->lanes & ((1u << (first + k)) - 1u));
        load_yield(w, bond, alive, &y, &s);
    }
    node j = load_node(w, kind, packet->j + first);
    lane of_j[TANGENT_DIAGONAL_SUMS];
    int count = compute(w, kind, &s, &y, i, &j, sum, of_j);
    add_columns(w, packet->j + first, count, of_j);
}

LANE_INLINE void walk_group(walk w, walk_kind kind, int32_t group, wide energy[PARTS])
{
    const sherd_bond_block *b = w.bonds;
    int32_t begin = group > 0 ? b->groups[group - 1].packet_end : 0;
    node i[PARTS];
    group_sum sum[PARTS];
    load_group(w, kind, b->groups[group].i, i);
    clear_sums(kind, sum);
    for (int32_t k = begin; k < b->groups[group].packet_end; ++k)
        for (int p = 0; p < PARTS; ++p)
            walk_packet(w, kind, &b->packets[k], p, &i[p], &sum[p]);
    add_group(w, kind, b->groups[group].i, sum, energy);
}

// ---------------------------------------------------------------- loose bonds

// Common or stored constants of a slot's bonds (models/bonded/storage/bond_classes.h).
LANE_INLINE lane slot_number(const sherd_bond_slices *slices, const float *n, int which)
{
    return slices->alike ? lane_of(slices->common.single[which]) : lane_load(n + which * WIDTH);
}

// 2 E I / l0, 2 G J / l0
LANE_INLINE lane slot_stiffness(const sherd_bond_slices *slices, const float *n, int which)
{
    lane number = slot_number(slices, n, which);
    float l0 = 2 * slices->common.single[SHERD_CLASS_HALF_L0];
    return slices->alike ? number * (l0 * lane_load(n + SHERD_CLASS_INVERSE_L0 * WIDTH)) : number;
}

LANE_INLINE bond_reference_stiffness section_of_slot(const sherd_bond_slices *slices,
                                                     const float *n, float damping, unsigned alive)
{
    const lane half = lane_of(LANE_HALF);
    lane half_l0 = lane_load(n + SHERD_CLASS_HALF_L0 * WIDTH);
    lane beta = 2 * half_l0 * lane_load(n + SHERD_CLASS_DAMPING * WIDTH);
    lane weight = lane_fma(lane_of(damping), beta, lane_of(1));
    weight = lane_keep(lane_mask_of_bits(alive), weight);
    lane half_weight = half * weight;
    lane bend = slot_stiffness(slices, n, SHERD_CLASS_BEND2);
    lane stretch =
        slot_number(slices, n, SHERD_CLASS_STRETCH) * lane_load(n + SHERD_CLASS_INVERSE_L0 * WIDTH);
    return (bond_reference_stiffness){
        .along = weight * stretch,
        .shear = half_weight * slot_number(slices, n, SHERD_CLASS_SHEAR_FORCE) * half_l0,
        .bend = half_weight * bend,
        .twist_over = half_weight * (slot_stiffness(slices, n, SHERD_CLASS_TWIST2) - bend),
        .half_l0 = half_l0,
        .tension = lane_keep(lane_mask_of_bits(alive), stretch),
        .d0 = {lane_load(n + SHERD_CLASS_D0 * WIDTH), lane_load(n + (SHERD_CLASS_D0 + 1) * WIDTH),
               lane_load(n + (SHERD_CLASS_D0 + 2) * WIDTH)},
    };
}

// Gathers the states of arbitrary nodes.
LANE_INLINE node gather_node(walk w, walk_kind kind, const int32_t *at)
{
    lane n[ROW];
    bool rows = kind != WALK_DIAGONAL && w.with_rows;
    const int numbers = kind == WALK_DIAGONAL ? 3 : w.sections ? STATE_AND_ORIENTATION : STATE;
    if (rows) {
        for (int part = 0; part < ROW; part += SHERD_LANES) {
            if (part >= numbers) break;
            for (int k = 0; k < SHERD_LANES; ++k)
                n[part + k] = lane_load(w.rows + (size_t)ROW * (size_t)at[k] + part);
            lane_transpose(n + part);
        }
    } else {
        for (int c = 0; c < numbers; ++c)
            n[c] = lane_gather(c < 3       ? column_at(w.half, c, 0)
                               : c < STATE ? column_at(w.x, c - 3, 0)
                                           : column_at(w.orientation, c - STATE, 0),
                               at);
    }
    node all = {.half = {n[0], n[1], n[2]}};
    if (kind == WALK_DIAGONAL) return all;
    all.p = (lane3){n[3], n[4], n[5]};
    all.q = (lane3){n[6], n[7], n[8]};
    if (w.sections) all.orientation = (lane4){n[9], n[10], n[11], n[12]};
    return all;
}

LANE_INLINE void scatter_columns(walk w, const int32_t *at, unsigned alive, int count,
                                 const lane *numbers)
{
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int c = 0; c < count && (alive >> k & 1u); ++c)
            column_at(w.load, c, 0)[at[k]] += lane_get(numbers[c], k);
}

// Rows of eight numbers are transposed in square blocks: blocks of 8 lanes lie next to each other
// in a vector, smaller ones below each other. A piece is the part of a row in one block.
enum { SQUARE = SHERD_LANES < LOAD_ROW ? SHERD_LANES : LOAD_ROW };
typedef float piece __attribute__((vector_size(sizeof(float) * SQUARE)));

// The address of values `first` and following of row k in a transposed set.
LANE_INLINE float *turned_piece(float turned[LOAD_ROW][SHERD_LANES], int k, int first)
{
    return SHERD_LANES < LOAD_ROW ? turned[first + k] : turned[k % SQUARE] + k / SQUARE * SQUARE;
}

LANE_INLINE void add_to_row(float *to, float turned[LOAD_ROW][SHERD_LANES], int k)
{
    for (int first = 0; first < LOAD_ROW; first += SQUARE) {
        piece sum, more;
        memcpy(&sum, to + first, sizeof sum);
        memcpy(&more, turned_piece(turned, k, first), sizeof more);
        sum += more;
        memcpy(to + first, &sum, sizeof sum);
    }
}

// Lane by lane, as several lanes may add to one node.
LANE_INLINE void scatter_rows(walk w, const int32_t *at, unsigned alive, const lane *numbers)
{
    lane r[LOAD_ROW] = {numbers[0], numbers[1], numbers[2], numbers[3],
                        numbers[4], numbers[5], lane_of(0), lane_of(0)};
    float turned[LOAD_ROW][SHERD_LANES] __attribute__((aligned(64)));
    lane_transpose_8(r);
    for (int c = 0; c < LOAD_ROW; ++c)
        lane_store(turned[c], r[c]);
    if (__builtin_expect(alive == ALL_LANES, 1)) {
        for (int k = 0; k < SHERD_LANES; ++k)
            add_to_row(w.load_rows + (size_t)LOAD_ROW * (size_t)at[k], turned, k);
        return;
    }
    for (int k = 0; k < SHERD_LANES; ++k)
        if (alive >> k & 1u) add_to_row(w.load_rows + (size_t)LOAD_ROW * (size_t)at[k], turned, k);
}

LANE_INLINE void scatter(walk w, walk_kind kind, const int32_t *at, unsigned alive,
                         const lane *numbers)
{
    if (kind == WALK_DIAGONAL)
        scatter_columns(w, at, alive, TANGENT_DIAGONAL_SUMS, numbers);
    else if (w.with_rows)
        scatter_rows(w, at, alive, numbers);
    else
        scatter_columns(w, at, alive, TANGENT_PRODUCT_SUMS, numbers);
}

LANE_INLINE bond_reference_stiffness load_slot(walk w, int32_t slot, int first, unsigned alive)
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    const size_t length = (size_t)(sherd_bond_slot_numbers(slices) * WIDTH);
    const float *numbers = (const float *)slices->numbers + (size_t)slot * length + first,
                *ahead = numbers + AHEAD * length;
    for (int n = SHERD_CLASS_HALF_L0; n <= SHERD_CLASS_DAMPING; ++n)
        __builtin_prefetch(ahead + n * WIDTH);
    for (int n = SHERD_CLASS_STRETCH; n <= SHERD_CLASS_TWIST2 && !slices->alike; ++n)
        __builtin_prefetch(ahead + n * WIDTH);
    return section_of_slot(slices, numbers, w.pass->damping, alive);
}

LANE_INLINE void load_slot_yield(walk w, int32_t slot, int first, unsigned alive, yield_lanes *y,
                                 bond_reference_stiffness *s)
{
    const int32_t *from = w.bonds->slices.bond + (size_t)slot * WIDTH + first;
    int64_t bond[SHERD_LANES];
    for (int k = 0; k < SHERD_LANES; ++k)
        bond[k] = from[k];
    load_yield(w, bond, alive, y, s);
}

LANE_INLINE void walk_slot(walk w, walk_kind kind, int32_t slot, int part, const node *i,
                           group_sum *sum)
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    int first = part * SHERD_LANES;
    unsigned alive = (unsigned)slices->alive[slot] >> first & ALL_LANES;
    if (alive == 0) return;
    const int32_t *at = slices->j + (size_t)slot * WIDTH + first;
    bond_reference_stiffness s = load_slot(w, slot, first, alive);
    yield_lanes y;
    if (w.yields) load_slot_yield(w, slot, first, alive, &y, &s);
    node j = gather_node(w, kind, at);
    lane of_j[TANGENT_DIAGONAL_SUMS];
    compute(w, kind, &s, &y, i, &j, sum, of_j);
    scatter(w, kind, at, alive, of_j);
}

LANE_INLINE void walk_row_slot(walk w, walk_kind kind, int32_t slot, int part, const node *i,
                               group_sum *sum)
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    int first = part * SHERD_LANES;
    unsigned alive = (unsigned)slices->alive[slot] >> first & ALL_LANES;
    if (alive == 0) return;
    int32_t at = slices->j[(size_t)slot * WIDTH] + first;
    bond_reference_stiffness s = load_slot(w, slot, first, alive);
    yield_lanes y;
    if (w.yields) load_slot_yield(w, slot, first, alive, &y, &s);
    node j = load_node(w, kind, at);
    lane of_j[TANGENT_DIAGONAL_SUMS];
    int count = compute(w, kind, &s, &y, i, &j, sum, of_j);
    add_columns(w, at, count, of_j);
}

LANE_INLINE void walk_row_group(walk w, walk_kind kind, int32_t group, wide energy[PARTS])
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    int32_t begin = group > 0 ? slices->slot_end[group - 1] : 0;
    int32_t at = slices->i[(size_t)group * WIDTH];
    node i[PARTS];
    group_sum sum[PARTS];
    load_group(w, kind, at, i);
    clear_sums(kind, sum);
    for (int32_t slot = begin; slot < slices->slot_end[group]; ++slot)
        for (int p = 0; p < PARTS; ++p)
            walk_row_slot(w, kind, slot, p, &i[p], &sum[p]);
    add_group(w, kind, at, sum, energy);
}

LANE_INLINE void walk_loose_group(walk w, walk_kind kind, int32_t group, wide energy[PARTS])
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    int32_t begin = group > 0 ? slices->slot_end[group - 1] : 0;
    const int32_t *at = slices->i + (size_t)group * WIDTH;
    node i[PARTS];
    group_sum sum[PARTS];
    for (int p = 0; p < PARTS; ++p)
        i[p] = gather_node(w, kind, at + p * SHERD_LANES);
    clear_sums(kind, sum);
    for (int32_t slot = begin; slot < slices->slot_end[group]; ++slot)
        for (int p = 0; p < PARTS; ++p)
            walk_slot(w, kind, slot, p, &i[p], &sum[p]);
    for (int p = 0; p < PARTS; ++p)
        scatter(w, kind, at + p * SHERD_LANES, ALL_LANES, sum[p].sum);
    add_energy(kind, sum, energy);
}

LANE_INLINE void walk_packets(walk w, walk_kind kind, sherd_bond_law law, wide energy[PARTS])
{
    const int32_t *start = w.bonds->group_start + sherd_bond_first_kind(law);
    for (int32_t g = start[0]; g < start[SHERD_MAX_BREAKAGES]; ++g)
        walk_group(w, kind, g, energy);
}

LANE_INLINE void walk_slices(walk w, walk_kind kind, sherd_bond_law law, wide energy[PARTS])
{
    const sherd_bond_slices *slices = &w.bonds->slices;
    sherd_bond_kind first = sherd_bond_first_kind(law);
    for (int k = first; k < first + SHERD_MAX_BREAKAGES; ++k) {
        for (int32_t g = slices->group_start[k]; g < slices->row_group_end[k]; ++g)
            walk_row_group(w, kind, g, energy);
        for (int32_t g = slices->row_group_end[k]; g < slices->group_start[k + 1]; ++g)
            walk_loose_group(w, kind, g, energy);
    }
}

// Only for laws with an energy; check_parts of tangent.c rejects others.
#define SELECT(NAME, name)                                                                         \
    w.law = bond_tangent_##name;                                                                   \
    w.sections = (int)bond_symmetry_##name == (int)BOND_ABOUT_SECTIONS;                            \
    w.yields = SHERD_BOND_LAW_##NAME == SHERD_BOND_LAW_YIELDING;
#define PACKETS(NAME, name, doc, ability, ...)                                                     \
    BOND_IF_ENERGY(ability,                                                                        \
                   SELECT(NAME, name) walk_packets(w, kind, SHERD_BOND_LAW_##NAME, energy);)
#define SLICES(NAME, name, doc, ability, ...)                                                      \
    BOND_IF_ENERGY(ability, SELECT(NAME, name) walk_slices(w, kind, SHERD_BOND_LAW_##NAME, energy);)

LANE_INLINE void walk_all(walk w, walk_kind kind, wide energy[PARTS])
{
    SHERD_ALL_BOND_LAWS(PACKETS)
    SHERD_ALL_BOND_LAWS(SLICES)
}

// ---------------------------------------------------------------- in

// The nodes in the lanes of a vector: consecutive or arbitrary ones.
typedef struct source {
    int32_t index[SHERD_LANES];
    bool consecutive;
} source;

LANE_INLINE lane fetch(const float *column, const source *s)
{
    return s->consecutive ? lane_load(column + s->index[0]) : lane_gather(column, s->index);
}

LANE_INLINE lane load_motion(const sherd_tangent_pass *pass, int column, const source *s)
{
    size_t from = (size_t)column * pass->stride;
    lane x = fetch(pass->x + from, s);
    if (pass->turned == NULL) return x;
    return lane_fma(lane_of(pass->beta), x, fetch(pass->z + from, s));
}

LANE_INLINE void store_rows(walk w, int32_t at, const lane motion[TANGENT_PRODUCT_SUMS])
{
    lane r[ROW];
    for (int c = 0; c < ROW; ++c)
        r[c] = c < 3 ? lane_load(column_at(w.half, c, at)) : c < STATE ? motion[c - 3] : lane_of(0);
    for (int c = STATE; c < STATE_AND_ORIENTATION && w.with_orientations; ++c)
        r[c] = lane_load(column_at(w.orientation, c - STATE, at));
    const int numbers = w.with_orientations ? STATE_AND_ORIENTATION : STATE;
    for (int part = 0; part < numbers; part += SHERD_LANES) {
        lane_transpose(r + part);
        for (int k = 0; k < SHERD_LANES; ++k)
            lane_store(w.rows + (size_t)ROW * (size_t)(at + k) + part, r[part + k]);
    }
}

LANE_INLINE void copy_lanes_in(walk w, const source *s, bool is_own, int32_t at)
{
    lane motion[TANGENT_PRODUCT_SUMS];
    for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c) {
        motion[c] = load_motion(w.pass, c, s);
        if (is_own && w.pass->turned != NULL)
            lane_store(w.pass->turned + (size_t)c * w.pass->stride + s->index[0], motion[c]);
        if (w.with_columns) lane_store(column_at(w.x, c, at), motion[c]);
    }
    if (w.with_rows) store_rows(w, at, motion);
}

// Elements k, k + 1, ... of a halo; lanes beyond the last repeat it.
LANE_INLINE source halo_source(const sherd_bond_block *b, int32_t k)
{
    source s;
    int32_t end = k + SHERD_LANES;
    s.consecutive = end <= b->halo_count && b->halo[end - 1] - b->halo[k] == SHERD_LANES - 1;
    for (int32_t l = 0; l < SHERD_LANES; ++l)
        s.index[l] = b->halo[k + l < b->halo_count ? k + l : b->halo_count - 1];
    return s;
}

// Writes whole vectors: entries beyond the last own element are overwritten by the halo afterwards.
LANE_INLINE void copy_in(walk w)
{
    const sherd_bond_block *b = w.bonds;
    int32_t own = b->end - b->begin;
    for (int32_t k = 0; k < own; k += SHERD_LANES) {
        source s = {.index = {b->begin + k}, .consecutive = true};
        for (int c = 0; c < 3; ++c)
            __builtin_prefetch(column_at(w.half, c, k));
        copy_lanes_in(w, &s, true, k);
    }
    for (int32_t k = 0; k < b->halo_count; k += SHERD_LANES) {
        source s = halo_source(b, k);
        if (s.consecutive) {
            s.consecutive = true; // two copies of the code, one for each value
            copy_lanes_in(w, &s, false, own + k);
        } else {
            s.consecutive = false;
            copy_lanes_in(w, &s, false, own + k);
        }
    }
    // Lanes of packets and rows without a bond may read beyond the last element.
    for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c)
        memset(column_at(w.x, c, w.block->local), 0, WIDTH * sizeof(float));
}

LANE_INLINE void clear_loads(walk w, int sums)
{
    size_t local = (size_t)w.block->local;
    if (sums == TANGENT_PRODUCT_SUMS && w.with_rows) {
        memset(w.load_rows, 0, local * LOAD_ROW * sizeof(float));
        if (!w.with_columns) return;
    }
    for (int c = 0; c < sums; ++c)
        memset(column_at(w.load, c, 0), 0, (local + WIDTH) * sizeof(float));
}

// ---------------------------------------------------------------- out

// Loads the sums of one vector of nodes.
LANE_INLINE void load_out(walk w, int32_t at, lane sum[TANGENT_PRODUCT_SUMS])
{
    for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c)
        sum[c] = w.with_columns ? lane_load(column_at(w.load, c, at)) : lane_of(0);
    if (!w.with_rows) return;
    float turned[LOAD_ROW][SHERD_LANES] __attribute__((aligned(64)));
    lane r[LOAD_ROW];
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int first = 0; first < LOAD_ROW; first += SQUARE)
            memcpy(turned_piece(turned, k, first),
                   w.load_rows + (size_t)LOAD_ROW * (size_t)(at + k) + first, sizeof(piece));
    for (int c = 0; c < LOAD_ROW; ++c)
        r[c] = lane_load(turned[c]);
    lane_transpose_8(r);
    for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c)
        sum[c] += r[c];
}

// Writes products, with inertia added.
LANE_INLINE void product_out(walk w, wide energy[PARTS])
{
    const sherd_tangent_pass *pass = w.pass;
    const float *x = pass->turned != NULL ? pass->turned : pass->x;
    int32_t own = w.bonds->end - w.bonds->begin;
    for (int32_t k = 0; k < own; k += SHERD_LANES) {
        size_t at = (size_t)(w.bonds->begin + k);
        lane mass = lane_load(pass->mass + at), moment = lane_load(pass->moment + at);
        lane sum[TANGENT_PRODUCT_SUMS], own_energy = lane_of(0);
        load_out(w, k, sum);
        for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c) {
            lane v = lane_load(x + (size_t)c * pass->stride + at);
            lane inertia = (c < 3 ? mass : moment) * v;
            lane_store(pass->y + (size_t)c * pass->stride + at, sum[c] + inertia);
            own_energy = lane_fma(inertia, v, own_energy);
        }
        if (pass->with_energy) energy[k / SHERD_LANES % PARTS] += wide_of_lane(own_energy);
    }
}

// Columns are a whole number of vectors apart.
LANE_INLINE void halo_out(walk w)
{
    int32_t own = w.bonds->end - w.bonds->begin;
    for (int32_t h = 0; h < w.block->halo; h += SHERD_LANES) {
        lane sum[TANGENT_PRODUCT_SUMS];
        load_out(w, own + h, sum);
        for (int c = 0; c < TANGENT_PRODUCT_SUMS; ++c)
            lane_store(w.block->halo_load + (size_t)c * w.block->halo_column + h, sum[c]);
    }
}

// Writes diagonal blocks, with inertia added.
LANE_INLINE void diagonal_out(walk w)
{
    const sherd_tangent_pass *pass = w.pass;
    const sherd_bond_block *b = w.bonds;
    int32_t own = b->end - b->begin;
    for (int32_t k = 0; k < own; k += SHERD_LANES) {
        float *to = pass->y + (size_t)(b->begin + k);
        lane mass = lane_load(pass->mass + b->begin + k);
        lane moment = lane_load(pass->moment + b->begin + k);
        for (int n = 0; n < TANGENT_DIAGONAL_COLUMNS; ++n) {
            const sherd_tangent_column *target = &SHERD_TANGENT_DIAGONAL[n];
            lane sum = (real)target->sign * lane_load(column_at(w.load, target->sum, k));
            if (target->sum < 3) sum += mass;
            if (target->sum >= 6 && target->sum < 9) sum += moment;
            lane_store(to + target->column * pass->stride, sum);
        }
        for (int n = 0; n < 3; ++n)
            lane_store(to + SHERD_TANGENT_EMPTY[n] * pass->stride, lane_of(0));
    }
    for (int c = 0; c < TANGENT_DIAGONAL_SUMS; ++c)
        memcpy(w.block->halo_load + (size_t)c * w.block->halo_column, column_at(w.load, c, own),
               (size_t)b->halo_count * sizeof(float));
}

// ---------------------------------------------------------------- the block

LANE_INLINE walk walk_of(const sherd_tangent_pass *pass, const sherd_tangent_block *block,
                         const sherd_tangent_scratch *scratch)
{
    return (walk){.pass = pass,
                  .block = block,
                  .bonds = block->bonds,
                  .classes = pass->classes,
                  .half = {block->half, block->half_column},
                  .orientation = {block->orientation, block->half_column},
                  .with_orientations = block->orientation != NULL,
                  .x = {scratch->x, scratch->column},
                  .load = {scratch->load, scratch->column},
                  .rows = scratch->rows,
                  .load_rows = scratch->load_rows,
                  .with_rows = block->with_rows,
                  .with_columns = block->with_columns,
                  .tension = pass->tension};
}

void SHERD_KERNEL(sherd_tangent_product)(const sherd_tangent_pass *pass, sherd_tangent_block *block,
                                         const sherd_tangent_scratch *scratch)
{
    unsigned mode = lane_flush_tiny();
    walk w = walk_of(pass, block, scratch);
    wide energy[PARTS] = {(wide){0}};
    copy_in(w);
    clear_loads(w, TANGENT_PRODUCT_SUMS);
    if (pass->with_energy)
        walk_all(w, WALK_PRODUCT_AND_ENERGY, energy);
    else
        walk_all(w, WALK_PRODUCT, energy);
    product_out(w, energy);
    halo_out(w);
    block->energy = 0.0;
    for (int p = 0; p < PARTS; ++p)
        for (int k = 0; k < SHERD_LANES; ++k)
            block->energy += wide_get(energy[p], k);
    lane_restore_mode(mode);
}

void SHERD_KERNEL(sherd_tangent_blocks)(const sherd_tangent_pass *pass, sherd_tangent_block *block,
                                        const sherd_tangent_scratch *scratch)
{
    unsigned mode = lane_flush_tiny();
    walk w = walk_of(pass, block, scratch);
    wide energy[PARTS] = {(wide){0}};
    clear_loads(w, TANGENT_DIAGONAL_SUMS);
    walk_all(w, WALK_DIAGONAL, energy);
    diagonal_out(w);
    lane_restore_mode(mode);
}
