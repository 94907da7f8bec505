// A pass over the bonds of one block: the kernels' context, states of ends, and sums of loads.
//
// For every SHERD_LANES, WIDTH bonds are computed in PARTS vectors and all additions happen in the
// same order: all kernels give the same bits.
#pragma once

#include "laws/bond/bond_laws.h"
#include "laws/breakage/breakage.h"
#include "models/bonded/kernels/bond_local.h"
#include "models/bonded/storage/bond_awake.h"

#if defined(SHERD_SINGLE) || defined(SHERD_WIDE)
enum { WIDTH = SHERD_BOND_WIDTH_MIXED };
#else
enum { WIDTH = SHERD_BOND_WIDTH_DOUBLE };
#endif
enum { PARTS = WIDTH / SHERD_LANES };
static const unsigned ALL_LANES = (1u << SHERD_LANES) - 1u, GROUP_LANES = (1u << WIDTH) - 1u;

// Address of an element's value in a column. Columns are `stride` bytes apart, and `three` is three
// strides: compilers then address three columns from one.
typedef struct column_address {
    char *first;
    size_t stride, three;
} column_address;

LANE_INLINE column_address columns_from(void *first, size_t stride)
{
    return (column_address){first, stride, 3 * stride};
}

LANE_INLINE column_address columns_at(column_address p, int32_t element, size_t size)
{
    return (column_address){p.first + (ptrdiff_t)element * (ptrdiff_t)size, p.stride, p.three};
}

LANE_INLINE column_address three_columns_on(column_address p)
{
    return (column_address){p.first + p.three, p.stride, p.three};
}

// Addresses of the ends of runs: columns of poses and motions.
typedef struct run_ends {
    column_address pose, motion;
} run_ends;

typedef struct walk {
    const sherd_bonds *bonds;
    sherd_bond_block *block;
    const sherd_bond_scratch *scratch;
    const awake_bits *awake;
    const real *common; // common constants of loose bonds
    bond_criterion criterion;
    run_ends ends;
    column_address force, torque; // columns of the block's first element
    bool with_rows;               // loose bonds use rows (bond_local.h)
    lane power[PARTS];
#if defined(SHERD_WIDE)
    lane energy[PARTS], ratio[PARTS];
#else
    // For softening bonds (bond_soften.h):
    const sherd_bond_blocks *blocks;
    bool magnitude;  // the criterion counts compression as tension
    real opening_dt; // as in `blocks`
    wide lost[PARTS], missed[PARTS];
#endif
} walk;

// Displacement and orientation of one end in the block's frame (bond_local.h).
typedef struct end_pose {
    lane3 u;
    lane4 q;
#if defined(SHERD_SINGLE)
    lane3 u_low;
#elif defined(SHERD_WIDE)
    lane3 x;
#endif
} end_pose;

typedef struct end_motion {
    lane3 v, w;
} end_motion;

// Intermediate values of one vector of bonds in the law.
typedef struct bond_work {
    bond_state s;
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
} bond_work;

// Loads a vector of consecutive elements.
LANE_INLINE lane load_column(column_address p, int c)
{
    return lane_load((const real *)(p.first + (size_t)c * p.stride));
}

LANE_INLINE lane3 load3(column_address p)
{
    return (lane3){load_column(p, 0), load_column(p, 1), load_column(p, 2)};
}

LANE_INLINE end_pose load_pose(column_address state, int32_t at)
{
    end_pose pose;
    column_address p = columns_at(state, at, sizeof(real));
    pose.u = load3(p);
    p = three_columns_on(p);
    lane3 axis = load3(p);
    p = three_columns_on(p);
#if defined(SHERD_SINGLE)
    pose.u_low = load3(p);
#elif defined(SHERD_WIDE)
    pose.x = load3(p);
#endif
    p = three_columns_on(p);
    pose.q = (lane4){axis.x, axis.y, axis.z, load_column(p, 0)};
    return pose;
}

LANE_INLINE end_motion load_motion(column_address motion, int32_t at)
{
    column_address v = columns_at(motion, at, sizeof(real)), w = three_columns_on(v);
    return (end_motion){load3(v), load3(w)};
}

LANE_INLINE void set_ends(const end_pose *i, const end_pose *j, bond_state *s)
{
    s->du = lane3_sub(j->u, i->u);
#if defined(SHERD_SINGLE)
    s->du = lane3_add(s->du, lane3_sub(j->u_low, i->u_low));
#endif
    s->q_i = i->q;
    s->q_j = j->q;
}

// Loose bonds have reference lengths and directions in single precision. Lever arms are computed
// from the actual positions of the ends, where forces act, so that moments balance forces
// nevertheless.
LANE_INLINE void set_arm(const end_pose *i, const end_pose *j, bond_work *b)
{
#if defined(SHERD_WIDE)
    lane3 bond = lane3_add(b->s.du, lane3_sub(j->x, i->x));
    b->f.half_b = lane3_scale(lane_of(LANE_HALF), bond);
#else
    (void)i, (void)j, (void)b;
#endif
}

LANE_INLINE bond_motion motion_between(const end_motion *i, const end_motion *j)
{
    return (bond_motion){.v_ij = lane3_sub(j->v, i->v), .w_i = i->w, .w_j = j->w};
}

LANE_INLINE lane3 select3(lane_mask mask, lane3 yes, lane3 no)
{
    return (lane3){lane_select(mask, yes.x, no.x), lane_select(mask, yes.y, no.y),
                   lane_select(mask, yes.z, no.z)};
}

LANE_INLINE lane4 select_unit(lane_mask mask, lane4 q)
{
    const lane none = lane_of(0);
    return (lane4){lane_select(mask, q.x, none), lane_select(mask, q.y, none),
                   lane_select(mask, q.z, none), lane_select(mask, q.w, lane_of(1))};
}

// Sets lanes without an intact bond, which may contain anything, to the undeformed state: its loads
// are zero and cheap to compute.
LANE_INLINE void undeform_dead_lanes(bond_state *s, lane_mask alive)
{
    const lane3 none = {lane_of(0), lane_of(0), lane_of(0)};
    s->du = select3(alive, s->du, none);
    s->q_i = select_unit(alive, s->q_i);
    s->q_j = select_unit(alive, s->q_j);
}

LANE_INLINE void stop_dead_lanes(bond_motion *m, lane_mask alive)
{
    m->v_ij = lane3_keep(alive, m->v_ij);
    m->w_i = lane3_keep(alive, m->w_i);
    m->w_j = lane3_keep(alive, m->w_j);
}

LANE_INLINE void strain_far(bond_law *law, bond_work *b)
{
    lane_series series = {.short_only = false};
    undeform_dead_lanes(&b->s, b->s.alive);
    bond_strain(law, &b->s, &series, &b->f, &b->elastic, &b->load);
}

// For laws without an energy, which are never minimised.
LANE_INLINE lane bond_no_potential(const bond_state *s, const bond_frame *f, const bond_load *load)
{
    (void)s, (void)f, (void)load;
    return lane_of(0);
}

// The lanes that are over their strength now, one bit each, whether or not they have a bond.
LANE_INLINE unsigned find_overstressed(walk *w, bond_potential *potential, bool has_history,
                                       const bond_work *b, const bond_criterion *criterion,
                                       const bond_limit *limit, int part)
{
    const bond_section *k = &b->s.section;
#if defined(SHERD_WIDE)
    w->energy[part] += lane_keep(b->s.alive, potential(&b->s, &b->f, &b->load));
    lane ratio = lane_keep(b->s.alive, bond_ratio(criterion, limit, k, &b->load));
    if (has_history) ratio = lane_max(ratio, lane_keep(b->s.alive, b->load.exhaustion));
    w->ratio[part] = lane_max(w->ratio[part], ratio);
#else
    (void)w, (void)potential, (void)part;
#endif
    lane_mask over = bond_is_over(criterion, limit, k, &b->load);
    if (has_history) over = over | lane_greater(b->load.exhaustion, lane_of(1));
    return lane_mask_bits(over);
}

typedef struct wide3 {
    wide x, y, z;
} wide3;

// Forces are added in double precision: those on the two ends of a bond stay exactly opposite.
LANE_INLINE wide3 wide3_of(lane3 a)
{
    return (wide3){wide_of_lane(a.x), wide_of_lane(a.y), wide_of_lane(a.z)};
}

LANE_INLINE void add_force(column_address to, int c, wide x)
{
    double *at = (double *)(to.first + (size_t)c * to.stride);
    wide_store(at, wide_load(at) + x);
}

LANE_INLINE void add_torque(column_address to, int c, lane x)
{
    real *at = (real *)(to.first + (size_t)c * to.stride);
    lane_store(at, lane_load(at) + x);
}

LANE_INLINE void add_load_at(const walk *w, int32_t at, wide3 force, lane3 torque)
{
    column_address f = columns_at(w->force, at, sizeof(double)),
                   t = columns_at(w->torque, at, sizeof(real));
    add_force(f, 0, force.x), add_force(f, 1, force.y), add_force(f, 2, force.z);
    add_torque(t, 0, torque.x), add_torque(t, 1, torque.y), add_torque(t, 2, torque.z);
}

// Loads on the elements of a group, summed over its packets.
typedef struct group_load {
    wide3 force;
    lane3 torque;
    lane power;
} group_load;

LANE_INLINE void add_to_group(const bond_load *load, group_load *sum)
{
    wide3 force = wide3_of(load->force_j);
    sum->force = (wide3){sum->force.x - force.x, sum->force.y - force.y, sum->force.z - force.z};
    sum->torque = lane3_add(sum->torque, load->torque_i);
}

LANE_INLINE void clear_group(group_load sum[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        sum[p] = (group_load){.force = {(wide){0}, (wide){0}, (wide){0}},
                              .torque = {lane_of(0), lane_of(0), lane_of(0)},
                              .power = lane_of(0)};
}

LANE_INLINE void add_group(walk *w, int32_t i, const group_load sum[PARTS])
{
    for (int p = 0; p < PARTS; ++p) {
        add_load_at(w, i + p * SHERD_LANES, sum[p].force, sum[p].torque);
        w->power[p] += sum[p].power;
    }
}
