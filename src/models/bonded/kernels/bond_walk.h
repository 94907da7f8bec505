// A pass over one block's bonds: the kernels' context, ends' states and sums of loads.
//
// Whatever SHERD_LANES is, WIDTH bonds are worked on in PARTS, and every number is added to every other in
// the same order: all kernels agree bitwise.
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

// Where a column has an element's number. Others have theirs `stride` bytes from each other, and three columns on
// is `three` bytes on: known, it makes addresses of three columns from one.
typedef struct column_place {
    char *first;
    size_t stride, three;
} column_place;

LANE_INLINE column_place columns_from(void *first, size_t stride)
{
    return (column_place){first, stride, 3 * stride};
}

LANE_INLINE column_place columns_at(column_place p, int32_t element, size_t size)
{
    return (column_place){p.first + (ptrdiff_t)element * (ptrdiff_t)size, p.stride, p.three};
}

LANE_INLINE column_place three_columns_on(column_place p)
{
    return (column_place){p.first + p.three, p.stride, p.three};
}

// Origins of the ends of runs: columns of poses and motions.
typedef struct run_ends {
    column_place pose, motion;
} run_ends;

typedef struct walk {
    const sherd_bonds *bonds;
    sherd_bond_block *block;
    const sherd_bond_scratch *scratch;
    const awake_bits *awake;
    const real *common; // numbers of loose bonds that are alike
    bond_criterion criterion;
    run_ends ends;
    column_place force, torque; // of the block's first element
    bool with_rows;             // loose bonds go through rows (bond_local.h)
    lane power[PARTS];
#if defined(SHERD_WIDE)
    lane energy[PARTS], ratio[PARTS];
#else
    // Of bonds that soften (bond_soften.h):
    const sherd_bond_blocks *blocks;
    bool magnitude;  // of the criterion: pressure counts as tension does
    real opening_dt; // as in `blocks`
    wide lost[PARTS], missed[PARTS];
#endif
} walk;

// Displacement and orientation of one end in the block's frame (bond_local.h).
typedef struct end_pose {
    lane3 u;
    lane4 q;
#if defined(SHERD_SINGLE)
    lane3 u_rest;
#elif defined(SHERD_WIDE)
    lane3 x;
#endif
} end_pose;

typedef struct end_motion {
    lane3 v, w;
} end_motion;

// One vector of bonds on its way through the law.
typedef struct bond_work {
    bond_state s;
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
} bond_work;

// Of an element and those that follow.
LANE_INLINE lane load_column(column_place p, int c)
{
    return lane_load((const real *)(p.first + (size_t)c * p.stride));
}

LANE_INLINE lane3 load3(column_place p)
{
    return (lane3){load_column(p, 0), load_column(p, 1), load_column(p, 2)};
}

LANE_INLINE end_pose load_pose(column_place state, int32_t at)
{
    end_pose pose;
    column_place p = columns_at(state, at, sizeof(real));
    pose.u = load3(p);
    p = three_columns_on(p);
    lane3 axis = load3(p);
    p = three_columns_on(p);
#if defined(SHERD_SINGLE)
    pose.u_rest = load3(p);
#elif defined(SHERD_WIDE)
    pose.x = load3(p);
#endif
    p = three_columns_on(p);
    pose.q = (lane4){axis.x, axis.y, axis.z, load_column(p, 0)};
    return pose;
}

LANE_INLINE end_motion load_motion(column_place motion, int32_t at)
{
    column_place v = columns_at(motion, at, sizeof(real)), w = three_columns_on(v);
    return (end_motion){load3(v), load3(w)};
}

LANE_INLINE void set_ends(const end_pose *i, const end_pose *j, bond_state *s)
{
    s->du = lane3_sub(j->u, i->u);
#if defined(SHERD_SINGLE)
    s->du = lane3_add(s->du, lane3_sub(j->u_rest, i->u_rest));
#endif
    s->q_i = i->q;
    s->q_j = j->q;
}

// Loose bonds have their rest lengths and directions in single precision. Their moments are to balance their
// forces all the same: forces act where the ends are.
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

// Lanes without an intact bond may hold anything: the rest state's loads are none and cheap.
LANE_INLINE void rest_dead_lanes(bond_state *s, lane_mask alive)
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
    rest_dead_lanes(&b->s, b->s.alive);
    bond_strain(law, &b->s, &series, &b->f, &b->elastic, &b->load);
}

// Of bonds whose law has no energy, which nothing minimises.
LANE_INLINE lane bond_no_potential(const bond_state *s, const bond_frame *f, const bond_load *load)
{
    (void)s, (void)f, (void)load;
    return lane_of(0);
}

// Which lanes are over their limits now, a bit each, whether or not they have a bond.
LANE_INLINE unsigned judge(walk *w, bond_potential *potential, bool remembers, const bond_work *b,
                           const bond_criterion *criterion, const bond_limit *limit, int part)
{
    const bond_section *k = &b->s.section;
#if defined(SHERD_WIDE)
    w->energy[part] += lane_keep(b->s.alive, potential(&b->s, &b->f, &b->load));
    lane ratio = lane_keep(b->s.alive, bond_ratio(criterion, limit, k, &b->load));
    if (remembers) ratio = lane_max(ratio, lane_keep(b->s.alive, b->load.exhaustion));
    w->ratio[part] = lane_max(w->ratio[part], ratio);
#else
    (void)w, (void)potential, (void)part;
#endif
    lane_mask over = bond_is_over(criterion, limit, k, &b->load);
    if (remembers) over = over | lane_greater(b->load.exhaustion, lane_of(1));
    return lane_mask_bits(over);
}

typedef struct wide3 {
    wide x, y, z;
} wide3;

// Forces add up in double precision: those on the two ends of a bond stay exactly opposite.
LANE_INLINE wide3 wide3_of(lane3 a)
{
    return (wide3){wide_of_lane(a.x), wide_of_lane(a.y), wide_of_lane(a.z)};
}

LANE_INLINE void add_force(column_place to, int c, wide x)
{
    double *at = (double *)(to.first + (size_t)c * to.stride);
    wide_store(at, wide_load(at) + x);
}

LANE_INLINE void add_torque(column_place to, int c, lane x)
{
    real *at = (real *)(to.first + (size_t)c * to.stride);
    lane_store(at, lane_load(at) + x);
}

LANE_INLINE void add_load_at(const walk *w, int32_t at, wide3 force, lane3 torque)
{
    column_place f = columns_at(w->force, at, sizeof(double)),
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
