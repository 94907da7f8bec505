// Bonds that soften, in explicit steps (laws/breakage/softening.h). They keep their places in packets and slots, whose
// other lanes take no notice of them; blocks in which some soften walk these once more, after all others of their kind.
#pragma once

#include "laws/breakage/softening.h"
#include "models/bonded/kernels/bond_run.h"

// Of a run's bonds; of lanes without one that softens some that do no harm.
typedef struct run_openings {
    int64_t bond[SHERD_LANES];
    real opening[SHERD_LANES] __attribute__((aligned(64)));
    real critical[SHERD_LANES] __attribute__((aligned(64)));
} run_openings;

LANE_INLINE void fetch_openings(const walk *w, const run_kind *kind, const bond_run *run,
                                run_openings *o)
{
    for (int k = 0; k < SHERD_LANES; ++k) {
        o->opening[k] = 1, o->critical[k] = 2;
        if (!(run->bits >> k & 1u)) continue;
        o->bond[k] = kind->bond_at(w, run->place, run->part * SHERD_LANES + k);
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

LANE_INLINE void strain_soft(const walk *w, const run_kind *kind, const run_ends *ends,
                             const bond_run *run, bond_work *b)
{
    b->s = state_of(kind->section, w->common, run);
    end_pose i, j;
    set_poses(ends, run, b, &i, &j);
    if (run->bits != ALL_LANES) rest_dead_lanes(&b->s, b->s.alive);
    b->s.alive = lane_not(lane_mask_of_bits(0));
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_strain(kind->law, &b->s, &series, &b->f, &b->elastic, &b->load);
    if (__builtin_expect((lane_mask_bits(series.beyond) & run->bits) == 0, 1)) return;
    series = (lane_series){.short_only = false};
    bond_strain(kind->law, &b->s, &series, &b->f, &b->elastic, &b->load);
}

LANE_INLINE bond_motion soft_motion(const run_ends *ends, const bond_run *run)
{
    end_motion i = load_motion(ends->motion, run->i), j = load_motion(ends->motion, run->j);
    bond_motion m = motion_between(&i, &j);
    if (run->bits != ALL_LANES) stop_dead_lanes(&m, lane_mask_of_bits(run->bits));
    return m;
}

// What the state asks for. `energy`: of the whole bond, `closed` of that what pressure along it stores.
LANE_INLINE lane asked_opening(const walk *w, const run_kind *kind, const bond_run *run,
                               const bond_work *b, lane energy, lane closed, lane critical)
{
    const bond_section *k = &b->s.section;
    bond_limit limit = limit_of(k, run_strengths(w, kind, run));
    lane softens = w->magnitude ? energy : energy - closed;
    bond_ray ray = bond_ray_of(&w->criterion, k, &limit, &b->load, softens, critical);
    return bond_single(bond_asked_opening(&ray, critical));
}

LANE_INLINE void book(wide *sum, unsigned bits, lane energy)
{
    *sum += wide_of_lane(lane_keep(lane_mask_of_bits(bits), energy));
}

// Where stiffness falls by -d(integrity) in a step, trapezoids of loads do more work than what is stored grows by
// -d(integrity) x . K x' / 2, x and x' the strains before and after. With x = x' - dt dx/dt that is
// -d(integrity) (V' - dt/2 dV'/dt). Damping takes a quarter of the power that falls away more than is booked of it: the
// sum of r_next^2 - r^2 (stepping/explicit/damping_work.h), each times what is left of its c, has that over.
LANE_INLINE void soften_run(walk *w, const run_kind *kind, const run_ends *ends,
                            const bond_run *run, group_load *sum)
{
    bond_work b;
    run_openings o;
    strain_soft(w, kind, ends, run, &b);
    fetch_openings(w, kind, run, &o);
    bond_motion m = soft_motion(ends, run);
    lane energy = kind->potential(&b.s, &b.f, &b.load);
    lane pressure = bond_pressure(&b.s.section, &b.f);
    lane closed = bond_pressure_energy(&b.s.section, &b.f);
    lane critical = lane_load(o.critical), before = lane_load(o.opening), opening = before;
    lane integrity = bond_integrity(before, critical), whole = integrity;
    unsigned grow = 0;
    if (w->opening_dt > 0) {
        lane asked = asked_opening(w, kind, run, &b, energy, closed, critical);
        grow = lane_mask_bits(lane_greater(asked, before)) & run->bits;
        lane missed = bond_closing_loss(&b.s.section, &b.f, whole, &m, lane_of(w->opening_dt));
        book(&w->missed[run->part], run->bits, missed);
        if (grow != 0) {
            opening = lane_select(lane_mask_of_bits(grow), asked, before);
            integrity = bond_integrity(opening, critical);
            keep_openings(w, &o, grow, opening);
        }
    }
    bond_elastic elastic = b.elastic;
    bond_rate rate = bond_damp(&b.s, &m, &b.f, &b.elastic, &b.load);
    if (grow != 0) {
        lane half_dt = lane_of(LANE_HALF * w->opening_dt), gone = whole - integrity;
        lane growth = bond_softened_rate(&b.f, pressure, &elastic, &m, &rate);
        book(&w->lost[run->part], grow, gone * lane_fnma(half_dt, growth, energy - closed));
        book(&w->missed[run->part], grow, LANE_HALF * half_dt * gone * b.load.damping_power);
    }
    bond_add_up(&b.s, &b.f, &b.elastic, &rate, &b.load);
    bond_soften(&b.f, integrity, pressure, &b.load);
    unsigned parted = run->bits & ~lane_mask_bits(lane_greater(critical, opening));
    if (__builtin_expect(parted != 0, 0))
        kind->note_broken(w, run->place, parted << run->part * SHERD_LANES);
    sum->power += b.load.damping_power;
    if (kind->gathered)
        scatter_load_j(w, run_partners(w, run), run->bits, &b.load);
    else
        add_load_at(w, run->j, wide3_of(b.load.force_j), b.load.torque_j);
    add_to_group(&b.load, sum);
}
