// A run is one vector of bonds, between two ranges of consecutive elements or between gathered
// elements. It goes through these stages:
//
//   stretch   ends' poses       -> direction, length            (bond_stretch)
//   turn      ends' poses       -> rotation, shear, bending     (bond_turn)
//   resist    both              -> elastic loads, breakage      (the law, the criterion)
//   damp      ends' velocities  -> damping                      (bond_damp)
//   load      all of it         -> loads, added to those of the ends (bond_add_up)
//
// On machines with 16 vector registers a run does not fit in registers, and its 550 instructions
// exceed the out-of-order window: runs executed one after the other would mostly wait for results.
// There, several runs go through one stage before any of them goes through the next. A stage is
// short enough for two or three runs to be in the window, and between stages a run is in memory.
// Stages are then functions which all laws share (bond_stages.h), except `resist`. With 32
// registers a run goes through all stages at once.
#pragma once

#include "models/bonded/kernels/bond_gather.h"

// Number of runs that go through a stage together; whole packets and slots.
#if LANE_REGISTERS < 32 || defined(SHERD_WIDE)
#define STAGED 1
#else
#define STAGED 0
#endif
enum { TOGETHER = STAGED && PARTS < 8 ? 8 : PARTS };

// Lanes without a bond are set to the undeformed state instead of masking all loads. This pays off
// where masks are made in vector registers, since most runs are full.
enum { UNDEFORMS_DEAD = TOGETHER > 1 };

typedef struct bond_run {
    int32_t i, j;        // ends of lane 0 in run_ends: local numbers, unless gathered
    unsigned bits;       // lanes with a bond
    int part;            // part of a packet or slot
    int32_t index;       // index of the packet or slot
    const real *numbers; // constants of the section
} bond_run;

// Results of a stage for later stages.
typedef struct run_work {
    lane3 half_b, n, n_change, shear_vector, rho;
    lane stretch, inverse_l, shear_vector2, w, turn;
    bond_elastic elastic;
    bond_rate rate;
    bool near;      // strains are small enough for short series
    bond_more more; // for laws with a history
} run_work;

typedef struct run_batch {
    bond_run run[TOGETHER];
    run_work work[TOGETHER];
#if defined(SHERD_WIDE)
    real converted[TOGETHER][SHERD_SLOT_NUMBERS * SHERD_LANES] __attribute__((aligned(64)));
#endif
} run_batch;

// Buffer for the constants of run r, if they are stored in lower precision.
LANE_INLINE real *batch_numbers(run_batch *batch, int r)
{
#if defined(SHERD_WIDE)
    return batch->converted[r];
#else
    (void)batch, (void)r;
    return NULL;
#endif
}

// Histories of a run's bonds before and after the step.
typedef struct run_history {
    lane before[BOND_MAX_HISTORY], after[BOND_MAX_HISTORY];
} run_history;

// Recomputes a run's strains where short series do not suffice. This is rare, so it may be a
// separate function. The history is NULL for laws without one.
typedef void run_strain_far(const run_ends *ends, const real *common, const bond_run *run,
                            run_history *history, bond_work *b);

// The bond in lane k of a packet or slot; `section` says which of the two.
LANE_INLINE int64_t bond_at(const walk *w, bond_section_kind section, int32_t index, int k)
{
    if (section != BOND_SECTION_CLASS)
        return w->block->slices.bond[(size_t)index * WIDTH + (size_t)k];
    const sherd_bond_packet *packet = &w->block->packets[index];
    return packet->bond + __builtin_popcount(packet->lanes & ((1u << k) - 1u));
}

// Marks bonds of a packet or slot as broken, one bit for each lane.
LANE_INLINE void note_broken(walk *w, bond_section_kind section, int32_t index, unsigned over)
{
    if (section == BOND_SECTION_CLASS)
        w->block->packets[index].broken |= (uint16_t)over;
    else
        w->block->slices.broken[index] |= (uint16_t)over;
    w->block->newly_broken_count += __builtin_popcount(over);
}

// The constitutive law of a run; known at compile time of kernels.
typedef struct run_law {
    bond_law *law;
    bond_potential *potential;
    int history; // length of a bond's history
    run_strain_far *strain_far;
    bool central; // no torques: stages skip rotations
} run_law;

// Local numbers of the ends j of a slot.
LANE_INLINE const int32_t *run_partners(const walk *w, const bond_run *run)
{
    return w->block->slices.j + (size_t)run->index * WIDTH + run->part * SHERD_LANES;
}

LANE_INLINE bond_state state_of(bond_section_kind section, const real *common, const bond_run *run)
{
#if defined(SHERD_WIDE)
    const int stride = SHERD_LANES;
#else
    const int stride = WIDTH;
#endif
    return (bond_state){.alive = lane_mask_of_bits(run->bits),
                        .section = {section, run->numbers, common, stride}};
}

LANE_INLINE void store_stretch(const bond_frame *f, run_work *k)
{
    k->half_b = f->half_b, k->n = f->n, k->n_change = f->n_change;
    k->stretch = f->stretch, k->inverse_l = f->inverse_l;
}

LANE_INLINE void store_turn(const bond_frame *f, run_work *k)
{
    k->shear_vector = f->shear_vector, k->rho = f->rho, k->shear_vector2 = f->shear_vector2;
    k->w = f->w, k->turn = f->turn;
}

LANE_INLINE bond_frame stored_frame(const run_work *k)
{
    return (bond_frame){.half_b = k->half_b,
                        .n = k->n,
                        .n_change = k->n_change,
                        .shear_vector = k->shear_vector,
                        .rho = k->rho,
                        .stretch = k->stretch,
                        .inverse_l = k->inverse_l,
                        .shear_vector2 = k->shear_vector2,
                        .w = k->w,
                        .turn = k->turn,
                        .fold_fading = lane_of(1)};
}

LANE_INLINE void set_poses(const run_ends *ends, const bond_run *run, bond_work *b, end_pose *i,
                           end_pose *j)
{
    *i = load_pose(ends->pose, run->i), *j = load_pose(ends->pose, run->j);
    set_ends(i, j, &b->s);
}

LANE_INLINE void stretch_run(const walk *w, bond_section_kind section, const bond_run *run,
                             run_work *k)
{
    bond_work b = {.s = state_of(section, w->common, run)};
    end_pose i, j;
    set_poses(&w->ends, run, &b, &i, &j);
    if (UNDEFORMS_DEAD && run->bits != ALL_LANES) undeform_dead_lanes(&b.s, b.s.alive);
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_stretch(&b.s, &series, &b.f);
    set_arm(&i, &j, &b);
    store_stretch(&b.f, k);
    k->near = (lane_mask_bits(series.beyond) & run->bits) == 0;
}

LANE_INLINE void turn_run(const walk *w, bond_section_kind section, const bond_run *run,
                          run_work *k)
{
    bond_work b = {.s = state_of(section, w->common, run), .f = stored_frame(k)};
    end_pose i, j;
    set_poses(&w->ends, run, &b, &i, &j);
    if (UNDEFORMS_DEAD && run->bits != ALL_LANES) undeform_dead_lanes(&b.s, b.s.alive);
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_turn(&b.s, &series, &b.f);
    store_turn(&b.f, k);
    k->near &= (lane_mask_bits(series.beyond) & run->bits) == 0;
}

LANE_INLINE void set_history(run_history *history, bond_state *s)
{
    s->history = history->before, s->new_history = history->after;
#if defined(SHERD_WIDE)
    s->trial = true;
#endif
}

LANE_INLINE float *history_of(const walk *w, bond_section_kind section, const bond_run *run, int k)
{
    int64_t bond = bond_at(w, section, run->index, run->part * SHERD_LANES + k);
    return w->bonds->history + bond * w->bonds->history_stride;
}

LANE_INLINE void fetch_history(const walk *w, bond_section_kind section, const run_law *law,
                               const bond_run *run, run_history *history)
{
    real number[BOND_MAX_HISTORY][SHERD_LANES] = {{0}};
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int n = 0; n < law->history && (run->bits >> k & 1u); ++n)
            number[n][k] = (real)history_of(w, section, run, k)[n];
    for (int n = 0; n < law->history; ++n)
        history->before[n] = history->after[n] = lane_load(number[n]);
}

LANE_INLINE bool history_changed(const run_law *law, const run_history *history)
{
    const lane *before = history->before, *after = history->after;
    lane_mask changed = lane_mask_of_bits(0);
    for (int n = 0; n < law->history; ++n)
        changed = changed | lane_greater(after[n], before[n]) | lane_greater(before[n], after[n]);
    return lane_any(changed);
}

// Stores the new history, except in trial states.
LANE_INLINE void store_history(const walk *w, bond_section_kind section, const run_law *law,
                               const bond_run *run, const run_history *history)
{
#if defined(SHERD_WIDE)
    (void)w, (void)section, (void)law, (void)run, (void)history;
#else
    if (!history_changed(law, history)) return;
    for (int k = 0; k < SHERD_LANES; ++k)
        for (int n = 0; n < law->history && (run->bits >> k & 1u); ++n)
            history_of(w, section, run, k)[n] = (float)lane_get(history->after[n], k);
#endif
}

// Recomputes the run from the start if some bond is strained too far for short series.
LANE_INLINE void strain_run_far(bond_section_kind section, bond_law *law, const run_ends *ends,
                                const real *common, const bond_run *run, run_history *history,
                                bond_work *b)
{
    b->s = state_of(section, common, run);
    if (history != NULL) set_history(history, &b->s);
    end_pose i, j;
    set_poses(ends, run, b, &i, &j);
    strain_far(law, b);
    set_arm(&i, &j, b);
}

// Strength factors of a run; NULL = all are 1.
LANE_INLINE const float *run_strengths(const walk *w, bond_section_kind section,
                                       const bond_run *run)
{
    const float *factors = w->block->strengths;
    if (section != BOND_SECTION_CLASS || factors == NULL) return NULL;
    return factors + (size_t)run->index * WIDTH + run->part * SHERD_LANES;
}

LANE_INLINE bond_limit limit_of(const bond_section *k, const float *strengths)
{
    bond_limit limit = {NUMBER(k, NORMAL_LIMIT), NUMBER(k, SHEAR_LIMIT)};
    if (strengths == NULL) return limit;
    lane factor = lane_of_floats(strengths);
    limit.normal *= factor;
    limit.shear *= factor;
    return limit;
}

// Adds to the sums and marks of `to`.
LANE_INLINE void resist_run(walk *to, const walk *w, bond_section_kind section, const run_law *law,
                            const bond_run *run, run_work *k)
{
    bond_work b = {.s = state_of(section, w->common, run), .f = stored_frame(k)};
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    run_history history;
    if (law->history > 0) {
        end_pose i, j;
        set_poses(&w->ends, run, &b, &i, &j);
        if (UNDEFORMS_DEAD && run->bits != ALL_LANES) undeform_dead_lanes(&b.s, b.s.alive);
        fetch_history(w, section, law, run, &history);
        set_history(&history, &b.s);
    }
    run_history *has_history = law->history > 0 ? &history : NULL;
    law->law(&b.s, &b.f, &series, &b.elastic, &b.load);
    bool near = k->near && (lane_mask_bits(series.beyond) & run->bits) == 0;
    if (__builtin_expect(!near, 0)) {
        bond_work far;
        if (TOGETHER > 1) {
            const run_ends ends =
                w->ends; // a copy: an object whose address is passed can't stay in registers
            law->strain_far(&ends, w->common, run, has_history, &far);
        } else { // otherwise sums stay in registers
            strain_run_far(section, law->law, &w->ends, w->common, run, has_history, &far);
        }
        store_stretch(&far.f, k), store_turn(&far.f, k);
        b = far;
    }
    k->elastic = b.elastic;
    if (law->history > 0) {
        k->more = bond_more_of(&b.load);
        store_history(w, section, law, run, &history);
    }
    bond_limit limit = limit_of(&b.s.section, run_strengths(w, section, run));
    unsigned over = find_overstressed(to, law->potential, law->history > 0, &b, &w->criterion,
                                      &limit, run->part) &
                    run->bits;
    if (__builtin_expect(over != 0, 0))
        note_broken(to, section, run->index, over << run->part * SHERD_LANES);
}

// Adds the damping power to `sum`.
LANE_INLINE void damp_central_run(const walk *w, bond_section_kind section, const bond_run *run,
                                  run_work *k, group_load *sum)
{
    bond_state s = state_of(section, w->common, run);
    end_motion i = load_motion(w->ends.motion, run->i), j = load_motion(w->ends.motion, run->j);
    bond_motion m = motion_between(&i, &j);
    lane power;
    if (run->bits != ALL_LANES) m.v_ij = lane3_keep(s.alive, m.v_ij);
    bond_damp_central(&s, m.v_ij, k->n, &k->elastic, &power);
    sum->power += power;
}

// Adds the loads on ends i to `sum`.
LANE_INLINE void load_central_run(const walk *w, bool gathered, const bond_run *run,
                                  const run_work *k, group_load *sum)
{
    lane3 force = lane3_scale(k->elastic.force_n, k->n);
    if (run->bits != ALL_LANES) force = lane3_keep(lane_mask_of_bits(run->bits), force);
    wide3 on_j = wide3_of(force);
    if (gathered) {
        const lane3 none = {lane_of(0), lane_of(0), lane_of(0)};
        const bond_load load = {.force_j = force, .torque_j = none};
        scatter_load_j(w, run_partners(w, run), run->bits, &load);
    } else {
        column_address f = columns_at(w->force, run->j, sizeof(double));
        add_force(f, 0, on_j.x), add_force(f, 1, on_j.y), add_force(f, 2, on_j.z);
    }
    sum->force = (wide3){sum->force.x - on_j.x, sum->force.y - on_j.y, sum->force.z - on_j.z};
}

// Adds the damping power to `sum`.
LANE_INLINE void damp_run(const walk *w, bond_section_kind section, const bond_run *run,
                          run_work *k, group_load *sum)
{
    bond_state s = state_of(section, w->common, run);
    bond_frame f = stored_frame(k);
    end_motion i = load_motion(w->ends.motion, run->i), j = load_motion(w->ends.motion, run->j);
    bond_motion m = motion_between(&i, &j);
    if (UNDEFORMS_DEAD) {
        if (run->bits != ALL_LANES) stop_dead_lanes(&m, s.alive);
        s.alive = lane_not(lane_mask_of_bits(0));
    }
    bond_load load;
    k->rate = bond_damp(&s, &m, &f, &k->elastic, &load);
    sum->power += load.damping_power;
}

// `gathered`: ends are arbitrary elements.
LANE_INLINE void load_run(const walk *w, bond_section_kind section, bool gathered, bool has_history,
                          const bond_run *run, const run_work *k, group_load *sum)
{
    bond_state s = state_of(section, w->common, run);
    if (UNDEFORMS_DEAD) s.alive = lane_not(lane_mask_of_bits(0));
    bond_frame f = stored_frame(k);
    bond_load load;
    bond_add_up(&s, &f, &k->elastic, &k->rate, &load);
    if (has_history) bond_add_more(&s, &f, &k->more, &load);
    if (gathered)
        scatter_load_j(w, run_partners(w, run), run->bits, &load);
    else
        add_load_at(w, run->j, wide3_of(load.force_j), load.torque_j);
    add_to_group(&load, sum);
}
