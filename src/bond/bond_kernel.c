// All bonds of one block: ends loaded or gathered, physics, loads added, breakage. Compiled several
// times with different SHERD_LANES and instruction sets; see cmake/kernels.cmake.
//
// Whatever SHERD_LANES is, WIDTH bonds are worked on in PARTS, and every number is added
// to every other in the same order: all kernels agree bitwise.
//
// SHERD_WIDE: double arithmetic on blocks made for mixed precision, with energies and stress ratios beside
// the loads: what implicit steps minimise and judge by.
#include "bond/bond_kernel.h"

#include "bond/bond_awake.h"
#include "bond/bond_local.h"
#include "bond/breakage.h"
#include "bond/law_lu.h"
#include "bond/law_quaternion.h"

#if defined(SHERD_SINGLE) || defined(SHERD_WIDE)
enum { WIDTH = SHERD_BOND_WIDTH_MIXED };
#else
enum { WIDTH = SHERD_BOND_WIDTH_DOUBLE };
#endif
enum { PARTS = WIDTH / SHERD_LANES, AHEAD = 2 }; // AHEAD: slots to prefetch
static const unsigned ALL_LANES = (1u << SHERD_LANES) - 1u, GROUP_LANES = (1u << WIDTH) - 1u;

typedef struct walk {
    const sherd_bonds *bonds;
    const sherd_bond_class *classes;
    sherd_bond_block *block;
    const sherd_bond_scratch *scratch;
    const awake_bits *awake;
    bool with_rows; // loose bonds go through rows (bond_local.h)
    lane power[PARTS];
#if defined(SHERD_WIDE)
    lane energy[PARTS], ratio[PARTS];
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

LANE_INLINE lane3 load3(const sherd_bond_scratch *scratch, int first, int32_t at)
{
    return (lane3){lane_load((const real *)scratch->state[first] + at),
                   lane_load((const real *)scratch->state[first + 1] + at),
                   lane_load((const real *)scratch->state[first + 2] + at)};
}

// Of consecutive elements.
LANE_INLINE end_pose load_pose(const sherd_bond_scratch *scratch, int32_t at)
{
    lane3 axis = load3(scratch, LOCAL_Q, at);
    return (end_pose)
    {
        .u = load3(scratch, LOCAL_U, at),
        .q = {axis.x, axis.y, axis.z, lane_load((const real *)scratch->state[LOCAL_Q + 3] + at)},
#if defined(SHERD_SINGLE)
        .u_rest = load3(scratch, LOCAL_U_REST, at),
#elif defined(SHERD_WIDE)
        .x = load3(scratch, LOCAL_X, at),
#endif
    };
}

LANE_INLINE end_motion load_motion(const sherd_bond_scratch *scratch, int32_t at)
{
    return (end_motion){load3(scratch, LOCAL_V, at), load3(scratch, LOCAL_W, at)};
}

// Of any elements.
LANE_INLINE void gather_end(const walk *w, const int32_t *at, end_pose *pose, end_motion *motion)
{
    lane n[LOCAL_NUMBERS];
    if (w->with_rows)
        gather_rows(w->scratch, at, n);
    else
        for (int c = 0; c < LOCAL_NUMBERS; ++c)
            n[c] = lane_gather((const real *)w->scratch->state[c], at);
    pose->u = (lane3){n[LOCAL_U], n[LOCAL_U + 1], n[LOCAL_U + 2]};
    pose->q = (lane4){n[LOCAL_Q], n[LOCAL_Q + 1], n[LOCAL_Q + 2], n[LOCAL_Q + 3]};
#if defined(SHERD_SINGLE)
    pose->u_rest = (lane3){n[LOCAL_U_REST], n[LOCAL_U_REST + 1], n[LOCAL_U_REST + 2]};
#elif defined(SHERD_WIDE)
    pose->x = (lane3){n[LOCAL_X], n[LOCAL_X + 1], n[LOCAL_X + 2]};
#endif
    motion->v = (lane3){n[LOCAL_V], n[LOCAL_V + 1], n[LOCAL_V + 2]};
    motion->w = (lane3){n[LOCAL_W], n[LOCAL_W + 1], n[LOCAL_W + 2]};
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

// Lanes without an intact bond may hold anything: the rest state's loads are small and cheap.
LANE_INLINE void rest_dead_lanes(bond_state *s, lane_mask alive)
{
    const lane3 none = {lane_of(0), lane_of(0), lane_of(0)};
    s->du = select3(alive, s->du, none);
    s->q_i = select_unit(alive, s->q_i);
    s->q_j = select_unit(alive, s->q_j);
}

// Without branches; false where some bond strained too far for that, and all have to start again.
LANE_INLINE bool strain_near_rest(bond_law *law, bond_work *b)
{
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_strain(law, &b->s, &series, &b->f, &b->elastic, &b->load);
    return __builtin_expect(!lane_any(series.beyond & b->s.alive), 1);
}

LANE_INLINE void strain_far(bond_law *law, bond_work *b)
{
    lane_series series = {.short_only = false};
    rest_dead_lanes(&b->s, b->s.alive);
    bond_strain(law, &b->s, &series, &b->f, &b->elastic, &b->load);
}

// Which bonds are over their limits now.
LANE_INLINE lane_mask judge(walk *w, const bond_work *b, const bond_limit *limit, bool absolute,
                            int first)
{
    const bond_section *k = &b->s.section;
    lane normal = absolute ? lane_abs(b->load.normal_force) : b->load.normal_force;
#if defined(SHERD_WIDE)
    int part = first / SHERD_LANES;
    w->energy[part] += lane_keep(b->s.alive, bond_energy_of(k, &b->f, &b->load));
    lane ratio = lane_keep(b->s.alive, bond_ratio(normal, limit, k, &b->load));
    w->ratio[part] = lane_max(w->ratio[part], ratio);
#else
    (void)w, (void)first;
#endif
    return bond_is_over(normal, limit, k, &b->load) & b->s.alive;
}

// ---------------------------------------------------------------- runs and packets

LANE_INLINE const real *class_numbers(const sherd_bond_class *c)
{
#if defined(SHERD_SINGLE)
    return c->single;
#else
    return c->number;
#endif
}

// Strengths' factors of packets with `strengths`.
LANE_INLINE bond_limit limit_of(const bond_section *k, const float *strengths)
{
    bond_limit limit = {NUMBER(k, NORMAL_LIMIT), NUMBER(k, SHEAR_LIMIT)};
    if (strengths == NULL) return limit;
    lane factor = lane_of(0);
    for (int l = 0; l < SHERD_LANES; ++l)
        factor = lane_set(factor, l, (real)strengths[l]);
    limit.normal *= factor;
    limit.shear *= factor;
    return limit;
}

LANE_INLINE const float *packet_strengths(const sherd_bond_block *block,
                                          const sherd_bond_packet *packet, int first)
{
    if (block->strengths == NULL) return NULL;
    return block->strengths + (packet - block->packets) * WIDTH + first;
}

static void note_broken_packet(walk *w, sherd_bond_packet *packet, int first, lane_mask over)
{
    for (int k = 0; k < SHERD_LANES; ++k) {
        unsigned bit = packet->alive & 1u << (first + k);
        if (bit == 0 || !lane_mask_get(over, k)) continue;
        packet->broken |= (uint16_t)bit;
        ++w->block->newly_broken_count;
    }
}

typedef struct wide3 {
    wide x, y, z;
} wide3;

// Forces add up in double precision: what a bond gives one end and takes from the other stays equal.
LANE_INLINE wide3 wide3_of(lane3 a)
{
    return (wide3){wide_of_lane(a.x), wide_of_lane(a.y), wide_of_lane(a.z)};
}

LANE_INLINE void add_force(double *array, int32_t at, wide x)
{
    wide_store(array + at, wide_load(array + at) + x);
}

LANE_INLINE void add_torque(void *array, int32_t at, lane x)
{
    lane_store((real *)array + at, lane_load((const real *)array + at) + x);
}

LANE_INLINE void add_load_at(const sherd_bond_scratch *scratch, int32_t at, wide3 force,
                             lane3 torque)
{
    add_force(scratch->force[0], at, force.x);
    add_force(scratch->force[1], at, force.y);
    add_force(scratch->force[2], at, force.z);
    add_torque(scratch->torque[0], at, torque.x);
    add_torque(scratch->torque[1], at, torque.y);
    add_torque(scratch->torque[2], at, torque.z);
}

// Of the elements of a group, what its packets add up to.
typedef struct group_load {
    wide3 force;
    lane3 torque;
} group_load;

LANE_INLINE void add_to_group(walk *w, const bond_load *load, int first, group_load *sum)
{
    wide3 force = wide3_of(load->force_j);
    sum->force = (wide3){sum->force.x - force.x, sum->force.y - force.y, sum->force.z - force.z};
    sum->torque = lane3_add(sum->torque, load->torque_i);
    w->power[first / SHERD_LANES] += load->damping_power;
}

// As many bonds as a vector has lanes, from consecutive elements to consecutive elements.
typedef struct bond_run {
    int32_t i, j;  // local numbers of lane 0's ends
    unsigned bits; // lanes with a bond
    bond_section section;
    const float *strengths; // factors of the section's limits, NULL = all are 1
} bond_run;

// Returns those over their limits; `sum` collects the loads of ends i.
LANE_INLINE lane_mask walk_run(walk *w, const bond_run *run, int first, bond_law *law,
                               bool absolute, group_load *sum)
{
    bond_work b = {.s = {.alive = lane_mask_of_bits(run->bits), .section = run->section}};
    end_pose pose_i = load_pose(w->scratch, run->i), pose_j = load_pose(w->scratch, run->j);
    set_ends(&pose_i, &pose_j, &b.s);
    if (!strain_near_rest(law, &b)) strain_far(law, &b);
    set_arm(&pose_i, &pose_j, &b);
    bond_limit limit = limit_of(&b.s.section, run->strengths);
    lane_mask broken = judge(w, &b, &limit, absolute, first);
    end_motion motion_i = load_motion(w->scratch, run->i),
               motion_j = load_motion(w->scratch, run->j);
    bond_motion m = motion_between(&motion_i, &motion_j);
    bond_add_up(&b.s, &m, &b.f, &b.elastic, &b.load);

    add_load_at(w->scratch, run->j, wide3_of(b.load.force_j), b.load.torque_j);
    add_to_group(w, &b.load, first, sum);
    return broken;
}

// The lanes of one packet that fill a vector.
LANE_INLINE void walk_packet_part(walk *w, sherd_bond_packet *packet, unsigned awake, int32_t i,
                                  int first, bond_law *law, bool absolute, group_load *sum)
{
#if defined(SHERD_WIDE)
    if (first == 0) packet->broken = 0; // of a trial state
#endif
    bond_run run = {.i = i,
                    .j = packet->j + first,
                    .bits = ((packet->alive & awake) >> first) & ALL_LANES,
                    .section = {.numbers = class_numbers(&w->classes[packet->class_index])},
                    .strengths = packet_strengths(w->block, packet, first)};
    if (run.bits == 0) return;
    lane_mask broken = walk_run(w, &run, first, law, absolute, sum);
    if (__builtin_expect(lane_any(broken), 0)) note_broken_packet(w, packet, first, broken);
}

LANE_INLINE void clear_group(group_load sum[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        sum[p] = (group_load){.force = {(wide){0}, (wide){0}, (wide){0}},
                              .torque = {lane_of(0), lane_of(0), lane_of(0)}};
}

LANE_INLINE void add_group(const walk *w, int32_t i, const group_load sum[PARTS])
{
    for (int p = 0; p < PARTS; ++p)
        add_load_at(w->scratch, i + p * SHERD_LANES, sum[p].force, sum[p].torque);
}

LANE_INLINE void walk_group(walk *w, const sherd_bond_group *group, int32_t packet_begin,
                            bond_law *law, bool absolute)
{
    unsigned awake = awake_from(w->awake, group->i);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    group_load sum[PARTS];
    clear_group(sum);
    for (int32_t k = packet_begin; k < group->packet_end; ++k)
        for (int p = 0; p < PARTS; ++p)
            walk_packet_part(w, &w->block->packets[k], awake, group->i + p * SHERD_LANES,
                             p * SHERD_LANES, law, absolute, &sum[p]);
    add_group(w, group->i, sum);
}

// ---------------------------------------------------------------- loose bonds

LANE_INLINE void scatter_load_j(const walk *w, const int32_t *j, unsigned alive,
                                const bond_load *load)
{
    const lane none = lane_of(0);
    lane number[LOAD_NUMBERS] = {load->force_j.x,
                                 load->force_j.y,
                                 load->force_j.z,
                                 load->torque_j.x,
                                 load->torque_j.y,
                                 load->torque_j.z,
                                 none,
                                 none};
    if (w->with_rows) {
        if (__builtin_expect(alive == ALL_LANES, 1))
            scatter_rows(w->scratch->load_rows, j, true, alive, number);
        else
            scatter_rows(w->scratch->load_rows, j, false, alive, number);
        return;
    }
    for (int k = 0; k < SHERD_LANES; ++k) {
        if (!(alive >> k & 1u)) continue;
        for (int c = 0; c < 3; ++c) {
            w->scratch->force[c][j[k]] += (double)lane_get(number[c], k);
            ((real *)w->scratch->torque[c])[j[k]] += lane_get(number[3 + c], k);
        }
    }
}

LANE_INLINE void scatter_group(const walk *w, const int32_t *i, const group_load *sum)
{
    const wide none = (wide){0};
    const wide columns[LOAD_NUMBERS] = {sum->force.x,
                                        sum->force.y,
                                        sum->force.z,
                                        wide_of_lane(sum->torque.x),
                                        wide_of_lane(sum->torque.y),
                                        wide_of_lane(sum->torque.z),
                                        none,
                                        none};
    double number[LOAD_NUMBERS][SHERD_LANES] __attribute__((aligned(64)));
    for (int c = 0; c < LOAD_NUMBERS; ++c)
        wide_store(number[c], columns[c]);
    if (w->with_rows) {
        scatter_wide_rows(w->scratch->load_rows, i, number);
        return;
    }
    for (int k = 0; k < SHERD_LANES; ++k) {
        for (int c = 0; c < 3; ++c) {
            w->scratch->force[c][i[k]] += number[c][k];
            ((real *)w->scratch->torque[c])[i[k]] += (real)number[3 + c][k];
        }
    }
}

static void note_broken_slot(walk *w, int32_t slot, int first, lane_mask over)
{
    sherd_bond_slices *slices = &w->block->slices;
    for (int k = 0; k < SHERD_LANES; ++k) {
        unsigned bit = slices->alive[slot] & 1u << (first + k);
        if (bit == 0 || !lane_mask_get(over, k)) continue;
        slices->broken[slot] |= (uint16_t)bit;
        ++w->block->newly_broken_count;
    }
}

typedef
#if defined(SHERD_SINGLE) || defined(SHERD_WIDE)
    float
#else
    double
#endif
        slot_number;

LANE_INLINE const real *common_numbers(const sherd_bond_slices *slices)
{
#if defined(SHERD_SINGLE)
    return slices->common.single;
#else
    return slices->common.number;
#endif
}

// The numbers of a slot's lanes; what is stored less precisely than it is used goes through `room`.
LANE_INLINE bond_section slot_section(const sherd_bond_slices *slices, bond_section_kind kind,
                                      int32_t slot, int first, real *room)
{
    const int count = kind == BOND_SECTION_COMMON ? SHERD_SLOT_OWN_NUMBERS : SHERD_SLOT_NUMBERS;
    const slot_number *numbers =
        (const slot_number *)slices->numbers + (size_t)slot * (size_t)(count * WIDTH) + first;
    for (int n = 0; n < count; ++n)
        __builtin_prefetch(numbers + (AHEAD * count + n) * WIDTH);
    bond_section section = {.kind = kind, .common = common_numbers(slices)};
#if defined(SHERD_WIDE)
    for (int n = 0; n < count; ++n)
        for (int k = 0; k < SHERD_LANES; ++k)
            room[n * SHERD_LANES + k] = (real)numbers[n * WIDTH + k];
    section.numbers = room, section.stride = SHERD_LANES;
#else
    (void)room;
    section.numbers = numbers, section.stride = WIDTH;
#endif
    return section;
}

// The lanes of one slot of a row that fill a vector.
LANE_INLINE void walk_row_part(walk *w, bond_section_kind section, int32_t slot, unsigned awake,
                               int32_t i, int first, bond_law *law, bool absolute, group_load *sum)
{
    const sherd_bond_slices *slices = &w->block->slices;
#if defined(SHERD_WIDE)
    if (first == 0) slices->broken[slot] = 0; // of a trial state
#endif
    real room[SHERD_SLOT_NUMBERS * SHERD_LANES] __attribute__((aligned(64)));
    bond_run run = {.i = i,
                    .j = slices->j[(size_t)slot * WIDTH] + first,
                    .bits = ((slices->alive[slot] & awake) >> first) & ALL_LANES};
    if (run.bits == 0) return;
    run.section = slot_section(slices, section, slot, first, room);
    lane_mask broken = walk_run(w, &run, first, law, absolute, sum);
    if (__builtin_expect(lane_any(broken), 0)) note_broken_slot(w, slot, first, broken);
}

LANE_INLINE void walk_row_group(walk *w, bond_section_kind section, int32_t group, bond_law *law,
                                bool absolute)
{
    const sherd_bond_slices *slices = &w->block->slices;
    int32_t i = slices->i[(size_t)group * WIDTH];
    unsigned awake = awake_from(w->awake, i);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    group_load sum[PARTS];
    clear_group(sum);
    int32_t slot = group > 0 ? slices->slot_end[group - 1] : 0;
    for (; slot < slices->slot_end[group]; ++slot)
        for (int p = 0; p < PARTS; ++p)
            walk_row_part(w, section, slot, awake, i + p * SHERD_LANES, p * SHERD_LANES, law,
                          absolute, &sum[p]);
    add_group(w, i, sum);
}

// The lanes of one slot that fill a vector; `sum` collects the group's own loads.
LANE_INLINE void walk_slot_part(walk *w, bond_section_kind section, int32_t slot, unsigned awake,
                                const end_pose *pose_i, const end_motion *motion_i, int first,
                                bond_law *law, bool absolute, group_load *sum)
{
    const sherd_bond_slices *slices = &w->block->slices;
#if defined(SHERD_WIDE)
    if (first == 0) slices->broken[slot] = 0; // of a trial state
#endif
    unsigned bits = ((slices->alive[slot] & awake) >> first) & ALL_LANES;
    if (bits == 0) return;
    const int32_t *j = slices->j + (size_t)slot * WIDTH + first;
    real room[SHERD_SLOT_NUMBERS * SHERD_LANES] __attribute__((aligned(64)));
    bond_work b = {.s = {.alive = lane_mask_of_bits(bits),
                         .section = slot_section(slices, section, slot, first, room)}};
    end_pose pose_j;
    end_motion motion_j;
    gather_end(w, j, &pose_j, &motion_j);
    set_ends(pose_i, &pose_j, &b.s);
    if (!strain_near_rest(law, &b)) strain_far(law, &b);
    set_arm(pose_i, &pose_j, &b);
    bond_motion m = motion_between(motion_i, &motion_j);
    bond_add_up(&b.s, &m, &b.f, &b.elastic, &b.load);

    add_to_group(w, &b.load, first, sum);
    bond_limit limit = {NUMBER(&b.s.section, NORMAL_LIMIT), NUMBER(&b.s.section, SHEAR_LIMIT)};
    lane_mask broken = judge(w, &b, &limit, absolute, first);
    if (__builtin_expect(lane_any(broken), 0)) note_broken_slot(w, slot, first, broken);
    scatter_load_j(w, j, bits, &b.load);
}

LANE_INLINE void walk_loose_group(walk *w, bond_section_kind section, int32_t group, bond_law *law,
                                  bool absolute)
{
    const sherd_bond_slices *slices = &w->block->slices;
    const int32_t *i = slices->i + (size_t)group * WIDTH;
    unsigned awake = awake_among(w->awake, i, WIDTH);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    end_pose pose_i[PARTS];
    end_motion motion_i[PARTS];
    group_load sum[PARTS];
    clear_group(sum);
    for (int p = 0; p < PARTS; ++p)
        gather_end(w, i + p * SHERD_LANES, &pose_i[p], &motion_i[p]);
    int32_t slot = group > 0 ? slices->slot_end[group - 1] : 0;
    for (; slot < slices->slot_end[group]; ++slot)
        for (int p = 0; p < PARTS; ++p)
            walk_slot_part(w, section, slot, awake, &pose_i[p], &motion_i[p], p * SHERD_LANES, law,
                           absolute, &sum[p]);
    for (int p = 0; p < PARTS; ++p)
        scatter_group(w, i + p * SHERD_LANES, &sum[p]);
}

// ---------------------------------------------------------------- the block

LANE_INLINE void walk_packets(walk *w, sherd_bond_kind kind, bond_law *law, bool absolute)
{
    const sherd_bond_block *block = w->block;
    for (int32_t g = block->group_start[kind]; g < block->group_start[kind + 1]; ++g)
        walk_group(w, &block->groups[g], g > 0 ? block->groups[g - 1].packet_end : 0, law,
                   absolute);
}

LANE_INLINE void walk_rows(walk *w, bond_section_kind section, sherd_bond_kind kind, bond_law *law,
                           bool absolute)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->group_start[kind]; g < slices->row_group_end[kind]; ++g)
        walk_row_group(w, section, g, law, absolute);
}

LANE_INLINE void walk_loose(walk *w, bond_section_kind section, sherd_bond_kind kind, bond_law *law,
                            bool absolute)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->row_group_end[kind]; g < slices->group_start[kind + 1]; ++g)
        walk_loose_group(w, section, g, law, absolute);
}

// Functions of their own: all in one, compilers run short of registers.
#define WALK(name, ...)                                                                            \
    static __attribute__((noinline)) void name(walk *w)                                            \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define WALKS(name, kind, law, absolute)                                                           \
    WALK(name##_packets, walk_packets(w, kind, law, absolute))                                     \
    WALK(name##_rows_own, walk_rows(w, BOND_SECTION_OWN, kind, law, absolute))                     \
    WALK(name##_rows_alike, walk_rows(w, BOND_SECTION_COMMON, kind, law, absolute))                \
    WALK(name##_loose_own, walk_loose(w, BOND_SECTION_OWN, kind, law, absolute))                   \
    WALK(name##_loose_alike, walk_loose(w, BOND_SECTION_COMMON, kind, law, absolute))              \
    static void name(walk *w)                                                                      \
    {                                                                                              \
        name##_packets(w);                                                                         \
        if (w->block->slices.alike)                                                                \
            name##_rows_alike(w), name##_loose_alike(w);                                           \
        else                                                                                       \
            name##_rows_own(w), name##_loose_own(w);                                               \
    }

WALKS(quaternion_tensile, SHERD_BOND_QUATERNION_TENSILE, bond_law_quaternion, false)
WALKS(quaternion_absolute, SHERD_BOND_QUATERNION_ABSOLUTE, bond_law_quaternion, true)
WALKS(lu_tensile, SHERD_BOND_LU_TENSILE, bond_law_lu, false)
WALKS(lu_absolute, SHERD_BOND_LU_ABSOLUTE, bond_law_lu, true)

static void walk_all(walk *w)
{
    quaternion_tensile(w);
    quaternion_absolute(w);
    lu_tensile(w);
    lu_absolute(w);
}

// Making rows of elements takes as long as they save with about half a bond for each, or with more than one
// where vectors hold half as many: gathered bonds for every two elements.
#if defined(SHERD_SINGLE)
enum { ROWS_FROM = 1 };
#else
enum { ROWS_FROM = 2 };
#endif

static row_use rows_of(const sherd_bond_block *block)
{
    int32_t gathered = block->slices.count - block->slices.row_count;
    if (block->group_start[SHERD_BOND_KIND_COUNT] == 0 && block->slices.row_count == 0)
        return ROWS_ONLY;
    int32_t elements = block->end - block->begin + block->halo_count;
    return 2 * gathered > ROWS_FROM * elements ? ROWS_TOO : ROWS_NONE;
}

#if defined(SHERD_WIDE)
static void add_up_potential(const walk *w)
{
    sherd_bond_block *block = w->block;
    block->energy = block->stress_ratio = 0.0;
    for (int p = 0; p < PARTS; ++p) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            double ratio = lane_get(w->ratio[p], k);
            block->energy += lane_get(w->energy[p], k);
            block->stress_ratio = ratio > block->stress_ratio ? ratio : block->stress_ratio;
        }
    }
}
#endif

void SHERD_KERNEL(sherd_bond_block)(const sherd_bonds *bonds, const sherd_bond_blocks *blocks,
                                    sherd_bond_block *block, sherd_elements *elements,
                                    const sherd_bond_scratch *scratch)
{
    unsigned mode = lane_flush_tiny();
    local_frame frame = frame_of(elements, block);
    awake_bits awake;
    find_awake(elements, block, &awake);
    row_use use = rows_of(block);
    copy_in(elements, &frame, block, &awake, scratch, use);
    walk w = {.bonds = bonds,
              .classes = bonds->classes,
              .block = block,
              .scratch = scratch,
              .awake = &awake,
              .with_rows = use != ROWS_NONE};
    block->newly_broken_count = 0;
    walk_all(&w);
    block->damping_power = 0.0;
    for (int p = 0; p < PARTS; ++p)
        for (int k = 0; k < SHERD_LANES; ++k)
            block->damping_power += (double)lane_get(w.power[p], k);
#if defined(SHERD_WIDE)
    add_up_potential(&w);
#endif
    copy_out(elements, &frame, block, &awake, scratch, use, blocks->halo_load);
    lane_restore_mode(mode);
}
