// Softening bonds in explicit steps (laws/breakage/softening.h). They stay in their packets and
// slots, where ordinary passes skip their lanes; blocks with softening bonds are traversed a second
// time, after all other bonds of their kind.
#pragma once

#include "laws/breakage/softening.h"
#include "models/bonded/kernels/bond_groups.h"

// Openings of a run's bonds; lanes without a softening bond get harmless values.
typedef struct run_openings {
    int64_t bond[SHERD_LANES];
    real opening[SHERD_LANES] __attribute__((aligned(64)));
    real critical[SHERD_LANES] __attribute__((aligned(64)));
} run_openings;

LANE_INLINE void fetch_openings(const walk *w, bond_section_kind section, const bond_run *run,
                                run_openings *o)
{
    for (int k = 0; k < SHERD_LANES; ++k) {
        o->opening[k] = 1, o->critical[k] = 2;
        if (!(run->bits >> k & 1u)) continue;
        o->bond[k] = bond_at(w, section, run->index, run->part * SHERD_LANES + k);
        o->opening[k] = (real)w->bonds->opening[o->bond[k]];
        o->critical[k] = (real)w->blocks->critical[o->bond[k]];
    }
}

LANE_INLINE void keep_openings(const walk *w, const run_openings *o, unsigned grow, lane opening)
{
    for (; grow != 0; grow &= grow - 1) {
        int k = __builtin_ctz(grow);
        w->bonds->opening[o->bond[k]] = (float)lane_get(opening, k);
    }
}

// The strains of a run computed as if undamaged, by the law.
typedef struct soft_strain {
    bond_frame f;
    bond_elastic elastic;
    bond_load load;
    lane energy;
} soft_strain;

typedef void soft_strain_function(const walk *w, const run_ends *ends, const bond_run *run,
                                  soft_strain *soft);

LANE_INLINE void strain_soft(const walk *w, bond_section_kind section, const run_law *law,
                             const run_ends *ends, const bond_run *run, soft_strain *soft)
{
    bond_state s = state_of(section, w->common, run);
    end_pose i, j;
    i = load_pose(ends->pose, run->i), j = load_pose(ends->pose, run->j);
    set_ends(&i, &j, &s);
    if (run->bits != ALL_LANES) undeform_dead_lanes(&s, s.alive);
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_strain(law->law, &s, &series, &soft->f, &soft->elastic, &soft->load);
    if (__builtin_expect((lane_mask_bits(series.beyond) & run->bits) != 0, 0)) {
        bond_work far;
        law->strain_far(ends, w->common, run, NULL, &far);
        soft->f = far.f, soft->elastic = far.elastic, soft->load = far.load;
    }
    soft->energy = law->potential(&s, &soft->f, &soft->load);
}

LANE_INLINE bond_motion soft_motion(const run_ends *ends, const bond_run *run)
{
    end_motion i = load_motion(ends->motion, run->i), j = load_motion(ends->motion, run->j);
    bond_motion m = motion_between(&i, &j);
    if (run->bits != ALL_LANES) stop_dead_lanes(&m, lane_mask_of_bits(run->bits));
    return m;
}

// The opening that the present state requires. `energy`: of the undamaged bond; `closed`: the part
// of it stored in compression.
LANE_INLINE lane required_opening(const walk *w, const bond_section *k, const bond_run *run,
                                  const bond_load *load, lane energy, lane closed, lane critical)
{
    bond_limit limit = limit_of(k, run_strengths(w, k->kind, run));
    lane softens = w->magnitude ? energy : energy - closed;
    bond_ray ray = bond_ray_of(&w->criterion, k, &limit, load, softens, critical);
    return bond_single(bond_required_opening(&ray, critical));
}

LANE_INLINE void accumulate(wide *sum, unsigned bits, lane energy)
{
    *sum += wide_of_lane(lane_keep(lane_mask_of_bits(bits), energy));
}

// Where stiffness falls by -d(integrity) in a step, the trapezoidal rule of loads does more work
// than the stored energy grows, by -d(integrity) x . K x' / 2, with the strains x before and x'
// after. With x = x' - dt dx/dt this is -d(integrity) (V' - dt/2 dV'/dt). Damping removes a quarter
// of the lost power more than its account says: the sum of r_next^2 - r^2
// (stepping/explicit/damping_work.h), each times the remaining c, leaves this over.
LANE_INLINE void soften_run(walk *w, soft_strain_function *strain, bond_section_kind section,
                            bool gathered, const run_ends *ends, const bond_run *run,
                            group_load *sum)
{
    soft_strain b;
    run_openings o;
    strain(w, ends, run, &b);
    fetch_openings(w, section, run, &o);
    bond_state s = state_of(section, w->common, run);
    s.alive = lane_not(lane_mask_of_bits(0));
    bond_motion m = soft_motion(ends, run);
    lane energy = b.energy;
    lane pressure = bond_pressure(&s.section, &b.f);
    lane closed = bond_pressure_energy(&s.section, &b.f);
    lane critical = lane_load(o.critical), before = lane_load(o.opening), opening = before;
    lane integrity = bond_integrity(before, critical), whole = integrity;
    unsigned grow = 0;
    if (w->opening_dt > 0) {
        lane required = required_opening(w, &s.section, run, &b.load, energy, closed, critical);
        grow = lane_mask_bits(lane_greater(required, before)) & run->bits;
        lane missed = bond_closing_loss(&s.section, &b.f, whole, &m, lane_of(w->opening_dt));
        accumulate(&w->missed[run->part], run->bits, missed);
        if (grow != 0) {
            opening = lane_select(lane_mask_of_bits(grow), required, before);
            integrity = bond_integrity(opening, critical);
            keep_openings(w, &o, grow, opening);
        }
    }
    bond_elastic elastic = b.elastic;
    bond_rate rate = bond_damp(&s, &m, &b.f, &b.elastic, &b.load);
    if (grow != 0) {
        lane half_dt = lane_of(LANE_HALF * w->opening_dt), gone = whole - integrity;
        lane growth = bond_softened_rate(&b.f, pressure, &elastic, &m, &rate);
        accumulate(&w->lost[run->part], grow, gone * lane_fnma(half_dt, growth, energy - closed));
        accumulate(&w->missed[run->part], grow, LANE_HALF * half_dt * gone * b.load.damping_power);
    }
    bond_add_up(&s, &b.f, &b.elastic, &rate, &b.load);
    bond_soften(&b.f, integrity, pressure, &b.load);
    unsigned parted = run->bits & ~lane_mask_bits(lane_greater(critical, opening));
    if (__builtin_expect(parted != 0, 0))
        note_broken(w, section, run->index, parted << run->part * SHERD_LANES);
    sum->power += b.load.damping_power;
    if (gathered)
        scatter_load_j(w, run_partners(w, run), run->bits, &b.load);
    else
        add_load_at(w, run->j, wide3_of(b.load.force_j), b.load.torque_j);
    add_to_group(&b.load, sum);
}

// ---------------------------------------------------------------- groups

LANE_INLINE void soften_group(walk *w, soft_strain_function *strain, const sherd_bond_group *group,
                              int32_t packet_begin)
{
    unsigned awake = awake_from(w->awake, group->i), some = 0;
    group_load sum[PARTS];
    clear_group(sum);
    for (int32_t k = packet_begin; k < group->packet_end; ++k) {
        unsigned bits = w->block->soft[k] & awake;
        some |= bits;
        for (int part = 0; part < PARTS && bits != 0; ++part) {
            bond_run run;
            set_packet(w, k, group->i, awake, part, &run);
            run.bits = bits >> part * SHERD_LANES & ALL_LANES;
            if (run.bits != 0)
                soften_run(w, strain, BOND_SECTION_CLASS, false, &w->ends, &run, &sum[part]);
        }
    }
    if (some != 0) add_group(w, group->i, sum);
}

LANE_INLINE bool some_soften(const sherd_bond_slices *slices, int32_t group, unsigned awake)
{
    unsigned some = 0;
    for (int32_t slot = first_slot(slices, group); slot < slices->slot_end[group]; ++slot)
        some |= slices->soft[slot];
    return (some & awake) != 0;
}

// Row groups are treated as if their ends were arbitrary.
LANE_INLINE void soften_slots(walk *w, soft_strain_function *strain, bond_section_kind section,
                              int32_t group)
{
    const sherd_bond_slices *slices = &w->block->slices;
    const int32_t *i = slices->i + (size_t)group * WIDTH;
    unsigned awake = awake_among(w->awake, i, WIDTH);
    if (!some_soften(slices, group, awake)) return;
    group_load sum[PARTS];
    clear_group(sum);
    gathered_end ends[PARTS + 1];
    for (int p = 0; p < PARTS; ++p)
        gather_end(w, i + p * SHERD_LANES, ends[p]);
    const run_ends from = {columns_from(ends[0][LOCAL_U], sizeof ends[0][0]),
                           columns_from(ends[0][LOCAL_V], sizeof ends[0][0])};
    for (int32_t slot = first_slot(slices, group); slot < slices->slot_end[group]; ++slot) {
        for (int part = 0; part < PARTS; ++part) {
            bond_run run;
            set_slot(w, section, slot, awake, part, NULL, &run);
            run.bits = (slices->soft[slot] & awake) >> part * SHERD_LANES & ALL_LANES;
            if (run.bits == 0) continue;
            gather_run_end(w, 0, ends, &run);
            soften_run(w, strain, section, true, &from, &run, &sum[part]);
        }
    }
    for (int p = 0; p < PARTS; ++p) {
        scatter_group(w, i + p * SHERD_LANES, &sum[p]);
        w->power[p] += sum[p].power;
    }
}

STAGE_FUNCTION soften_packets(walk *w, soft_strain_function *strain, sherd_bond_kind bonds)
{
    const sherd_bond_block *block = w->block;
    for (int32_t g = block->group_start[bonds]; g < block->group_start[bonds + 1]; ++g)
        soften_group(w, strain, &block->groups[g], g > 0 ? block->groups[g - 1].packet_end : 0);
}

LANE_INLINE void soften_slices(walk *w, soft_strain_function *strain, bond_section_kind section,
                               sherd_bond_kind bonds)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->group_start[bonds]; g < slices->group_start[bonds + 1]; ++g)
        soften_slots(w, strain, section, g);
}

STAGE_FUNCTION soften_own(walk *w, soft_strain_function *strain, sherd_bond_kind bonds)
{
    soften_slices(w, strain, BOND_SECTION_OWN, bonds);
}

STAGE_FUNCTION soften_alike(walk *w, soft_strain_function *strain, sherd_bond_kind bonds)
{
    soften_slices(w, strain, BOND_SECTION_COMMON, bonds);
}
