// Runs: as many bonds as a vector has lanes, from consecutive elements to consecutive elements or between gathered
// ones, and the stages that they go through:
//
//   stretch   ends' poses       -> direction, length            (bond_stretch)
//   turn      ends' poses       -> rotation, shear, bending     (bond_turn)
//   resist    both              -> elastic loads; judged        (the law, breakage)
//   damp      ends' velocities  -> damping                      (bond_damp)
//   load      all of it         -> loads, added to those of the ends (bond_add_up)
//
// Where a machine has 16 vector registers a run's numbers do not fit them, and its 550 instructions are more than
// a processor looks ahead: one run after the other, it waits for results most of the time. There several runs go
// through a stage before any goes through the next. A stage is short enough for a processor to have two or
// three runs of it in sight, and between stages a run lies in memory. Stages are functions there: but for `resist`
// they are those of all laws (bond_stages.h). Where there are 32 registers a run goes through all stages at once.
#pragma once

#include "models/bonded/kernels/bond_gather.h"

// Runs that go through stages together, in whole packets and slots.
#if LANE_REGISTERS < 32 || defined(SHERD_WIDE)
#define STAGED 1
#else
#define STAGED 0
#endif
enum { TOGETHER = STAGED && PARTS < 8 ? 8 : PARTS };

// Lanes without a bond are taken to their rest state, instead of all loads being masked: that pays where masks
// are made in vector registers, since most runs are full.
enum { RESTS_DEAD = TOGETHER > 1 };

typedef struct bond_run {
    int32_t i, j;        // lane 0's ends in run_ends: local numbers, unless they are gathered
    unsigned bits;       // lanes with a bond
    int part;            // of a packet or slot
    int32_t place;       // of that packet or slot
    const real *numbers; // of its section
} bond_run;

// Results of a run's stages for later ones.
typedef struct run_work {
    lane3 half_b, n, n_change, shear_vector, rho;
    lane stretch, inverse_l, shear_vector2, w, turn;
    bond_elastic elastic;
    bond_rate rate;
    bool near;      // short series do so far
    bond_more more; // of laws with a history
} run_work;

typedef struct run_batch {
    bond_run run[TOGETHER];
    run_work work[TOGETHER];
#if defined(SHERD_WIDE)
    real room[TOGETHER][SHERD_SLOT_NUMBERS * SHERD_LANES] __attribute__((aligned(64)));
#endif
} run_batch;

// Numbers of run r, converted if they are stored in lower precision.
LANE_INLINE real *batch_room(run_batch *batch, int r)
{
#if defined(SHERD_WIDE)
    return batch->room[r];
#else
    (void)batch, (void)r;
    return NULL;
#endif
}

// Histories of a run's bonds before and after.
typedef struct run_history {
    lane before[BOND_MOST_HISTORY], after[BOND_MOST_HISTORY];
} run_history;

// Computes a run's strains again where short series do not suffice: seldom, so it may be a function of its own. The
// history is NULL for laws without.
typedef void run_strain_far(const run_ends *ends, const real *common, const bond_run *run,
                            run_history *history, bond_work *b);

// Which bond lane k of a packet or slot is; `section` says which of the two.
LANE_INLINE int64_t bond_at(const walk *w, bond_section_kind section, int32_t place, int k)
{
    if (section != BOND_SECTION_CLASS)
        return w->block->slices.bond[(size_t)place * WIDTH + (size_t)k];
    const sherd_bond_packet *packet = &w->block->packets[place];
    return packet->bond + __builtin_popcount(packet->lanes & ((1u << k) - 1u));
}

// Marks bonds of a packet or slot as broken, a bit each.
LANE_INLINE void note_broken(walk *w, bond_section_kind section, int32_t place, unsigned over)
{
    if (section == BOND_SECTION_CLASS)
        w->block->packets[place].broken |= (uint16_t)over;
    else
        w->block->slices.broken[place] |= (uint16_t)over;
    w->block->newly_broken_count += __builtin_popcount(over);
}

// What resists; known when kernels are compiled.
typedef struct run_law {
    bond_law *law;
    bond_potential *potential;
    int history; // numbers of a bond's history
    run_strain_far *strain_far;
} run_law;

// Local numbers of ends j, of a slot.
LANE_INLINE const int32_t *run_partners(const walk *w, const bond_run *run)
{
    return w->block->slices.j + (size_t)run->place * WIDTH + run->part * SHERD_LANES;
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

LANE_INLINE void keep_stretch(const bond_frame *f, run_work *k)
{
    k->half_b = f->half_b, k->n = f->n, k->n_change = f->n_change;
    k->stretch = f->stretch, k->inverse_l = f->inverse_l;
}

LANE_INLINE void keep_turn(const bond_frame *f, run_work *k)
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
    if (RESTS_DEAD && run->bits != ALL_LANES) rest_dead_lanes(&b.s, b.s.alive);
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_stretch(&b.s, &series, &b.f);
    set_arm(&i, &j, &b);
    keep_stretch(&b.f, k);
    k->near = (lane_mask_bits(series.beyond) & run->bits) == 0;
}

LANE_INLINE void turn_run(const walk *w, bond_section_kind section, const bond_run *run,
                          run_work *k)
{
    bond_work b = {.s = state_of(section, w->common, run), .f = stored_frame(k)};
    end_pose i, j;
    set_poses(&w->ends, run, &b, &i, &j);
    if (RESTS_DEAD && run->bits != ALL_LANES) rest_dead_lanes(&b.s, b.s.alive);
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    bond_turn(&b.s, &series, &b.f);
    keep_turn(&b.f, k);
    k->near &= (lane_mask_bits(series.beyond) & run->bits) == 0;
}

LANE_INLINE void set_history(run_history *history, bond_state *s)
{
    s->history = history->before, s->remembered = history->after;
#if defined(SHERD_WIDE)
    s->trial = true;
#endif
}

LANE_INLINE float *history_of(const walk *w, bond_section_kind section, const bond_run *run, int k)
{
    int64_t bond = bond_at(w, section, run->place, run->part * SHERD_LANES + k);
    return w->bonds->history + bond * w->bonds->history_stride;
}

LANE_INLINE void fetch_history(const walk *w, bond_section_kind section, const run_law *law,
                               const bond_run *run, run_history *history)
{
    real number[BOND_MOST_HISTORY][SHERD_LANES] = {{0}};
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

// Trial states leave no history.
LANE_INLINE void keep_history(const walk *w, bond_section_kind section, const run_law *law,
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

// Again from the start, where some bond is strained too far for short series.
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

// Factors of a run's strengths, NULL = all are 1.
LANE_INLINE const float *run_strengths(const walk *w, bond_section_kind section,
                                       const bond_run *run)
{
    const float *factors = w->block->strengths;
    if (section != BOND_SECTION_CLASS || factors == NULL) return NULL;
    return factors + (size_t)run->place * WIDTH + run->part * SHERD_LANES;
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

// `to` has the sums and marks that this adds to.
LANE_INLINE void resist_run(walk *to, const walk *w, bond_section_kind section, const run_law *law,
                            const bond_run *run, run_work *k)
{
    bond_work b = {.s = state_of(section, w->common, run), .f = stored_frame(k)};
    lane_series series = {.short_only = true, .beyond = lane_mask_of_bits(0)};
    run_history history;
    if (law->history > 0) {
        end_pose i, j;
        set_poses(&w->ends, run, &b, &i, &j);
        if (RESTS_DEAD && run->bits != ALL_LANES) rest_dead_lanes(&b.s, b.s.alive);
        fetch_history(w, section, law, run, &history);
        set_history(&history, &b.s);
    }
    run_history *remembers = law->history > 0 ? &history : NULL;
    law->law(&b.s, &b.f, &series, &b.elastic, &b.load);
    bool near = k->near && (lane_mask_bits(series.beyond) & run->bits) == 0;
    if (__builtin_expect(!near, 0)) {
        bond_work far;
        if (TOGETHER > 1) {
            const run_ends ends =
                w->ends; // a copy: an object whose address is passed can't stay in registers
            law->strain_far(&ends, w->common, run, remembers, &far);
        } else { // nor can sums, where there is room for them
            strain_run_far(section, law->law, &w->ends, w->common, run, remembers, &far);
        }
        keep_stretch(&far.f, k), keep_turn(&far.f, k);
        b = far;
    }
    k->elastic = b.elastic;
    if (law->history > 0) {
        k->more = bond_take_more(&b.load);
        keep_history(w, section, law, run, &history);
    }
    bond_limit limit = limit_of(&b.s.section, run_strengths(w, section, run));
    unsigned over =
        judge(to, law->potential, law->history > 0, &b, &w->criterion, &limit, run->part) &
        run->bits;
    if (__builtin_expect(over != 0, 0))
        note_broken(to, section, run->place, over << run->part * SHERD_LANES);
}

// `sum` collects the loads of ends i.
LANE_INLINE void damp_run(const walk *w, bond_section_kind section, const bond_run *run,
                          run_work *k, group_load *sum)
{
    bond_state s = state_of(section, w->common, run);
    bond_frame f = stored_frame(k);
    end_motion i = load_motion(w->ends.motion, run->i), j = load_motion(w->ends.motion, run->j);
    bond_motion m = motion_between(&i, &j);
    if (RESTS_DEAD) {
        if (run->bits != ALL_LANES) stop_dead_lanes(&m, s.alive);
        s.alive = lane_not(lane_mask_of_bits(0));
    }
    bond_load load;
    k->rate = bond_damp(&s, &m, &f, &k->elastic, &load);
    sum->power += load.damping_power;
}

// `gathered`: ends are anywhere. `remembers`: the law has a history.
LANE_INLINE void load_run(const walk *w, bond_section_kind section, bool gathered, bool remembers,
                          const bond_run *run, const run_work *k, group_load *sum)
{
    bond_state s = state_of(section, w->common, run);
    if (RESTS_DEAD) s.alive = lane_not(lane_mask_of_bits(0));
    bond_frame f = stored_frame(k);
    bond_load load;
    bond_add_up(&s, &f, &k->elastic, &k->rate, &load);
    if (remembers) bond_add_more(&s, &f, &k->more, &load);
    if (gathered)
        scatter_load_j(w, run_partners(w, run), run->bits, &load);
    else
        add_load_at(w, run->j, wide3_of(load.force_j), load.torque_j);
    add_to_group(&load, sum);
}
