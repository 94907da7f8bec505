// Puts the stages of runs (bond_run.h) together: inlined, or as functions where several runs go
// through a stage before any goes through the next. All stages except `resist` are shared by laws,
// one function for each section. The call costs nothing measurable for a stage of eight runs, and
// separate code for every stage of every law takes twice as long to compile.
#pragma once

#include "models/bonded/kernels/bond_run.h"

// Columns of gathered ends are one vector apart, a distance known at compile time.
LANE_INLINE column_address stage_columns(column_address from, bool gathered)
{
    return gathered ? columns_from(from.first, SHERD_LANES * sizeof(real)) : from;
}

// A copy of the members of *w that stages read: compilers then know that adding loads does not
// change them.
LANE_INLINE walk read_by_stages(const walk *w, bool gathered, const run_ends *ends)
{
    return (walk){
        .bonds = w->bonds,
        .block = w->block,
        .common = w->common,
        .criterion = w->criterion,
        .scratch = w->scratch,
        .with_rows = w->with_rows,
        .ends = {stage_columns(ends->pose, gathered), stage_columns(ends->motion, gathered)},
        .force = w->force,
        .torque = w->torque};
}

LANE_INLINE void stretch_runs(const walk *w, bond_section_kind section, run_batch *batch, int count)
{
    for (int r = 0; r < count; ++r)
        stretch_run(w, section, &batch->run[r], &batch->work[r]);
}

LANE_INLINE void turn_runs(const walk *w, bond_section_kind section, run_batch *batch, int count)
{
    for (int r = 0; r < count; ++r)
        turn_run(w, section, &batch->run[r], &batch->work[r]);
}

LANE_INLINE void resist_runs(walk *to, const walk *w, bond_section_kind section, const run_law *law,
                             run_batch *batch, int count)
{
    for (int r = 0; r < count; ++r)
        resist_run(to, w, section, law, &batch->run[r], &batch->work[r]);
}

LANE_INLINE group_load *sum_of(const bond_run *run, group_load sum[PARTS])
{
    return &sum[PARTS == 1 ? 0 : run->part];
}

LANE_INLINE void damp_runs(const walk *w, bond_section_kind section, run_batch *batch, int count,
                           group_load sum[PARTS])
{
    const bond_run *run = batch->run;
    for (int r = 0; r < count; ++r)
        damp_run(w, section, &run[r], &batch->work[r], sum_of(&run[r], sum));
}

LANE_INLINE void damp_central_runs(const walk *w, bond_section_kind section, run_batch *batch,
                                   int count, group_load sum[PARTS])
{
    const bond_run *run = batch->run;
    for (int r = 0; r < count; ++r)
        damp_central_run(w, section, &run[r], &batch->work[r], sum_of(&run[r], sum));
}

LANE_INLINE void load_central_runs(const walk *w, bool gathered, const run_batch *batch, int count,
                                   group_load sum[PARTS])
{
    const bond_run *run = batch->run;
    for (int r = 0; r < count; ++r)
        load_central_run(w, gathered, &run[r], &batch->work[r], sum_of(&run[r], sum));
}

LANE_INLINE void load_runs(const walk *w, bond_section_kind section, bool gathered,
                           bool has_history, const run_batch *batch, int count,
                           group_load sum[PARTS])
{
    const bond_run *run = batch->run;
    for (int r = 0; r < count; ++r)
        load_run(w, section, gathered, has_history, &run[r], &batch->work[r], sum_of(&run[r], sum));
}

// Shared stages are functions, or are inlined into each law's traversals.
#if STAGED
#define STAGE_FUNCTION static __attribute__((noinline)) void
#else
#define STAGE_FUNCTION LANE_INLINE void
#endif

#if STAGED

typedef void run_stage(const walk *w, const run_ends *ends, run_batch *batch, int count);
typedef void run_sum_stage(const walk *w, const run_ends *ends, run_batch *batch, int count,
                           group_load sum[PARTS]);

#define STAGE(name, what, section, gathered)                                                       \
    STAGE_FUNCTION name(const walk *w, const run_ends *ends, run_batch *batch, int count)          \
    {                                                                                              \
        const walk here = read_by_stages(w, gathered, ends);                                       \
        what(&here, section, batch, count);                                                        \
    }
#define SUM_STAGE(name, what, gathered, ...)                                                       \
    STAGE_FUNCTION name(const walk *w, const run_ends *ends, run_batch *batch, int count,          \
                        group_load sum[PARTS])                                                     \
    {                                                                                              \
        const walk here = read_by_stages(w, gathered, ends);                                       \
        what(&here, __VA_ARGS__, batch, count, sum);                                               \
    }
#define STAGES(name, section, gathered)                                                            \
    STAGE(stretch_##name, stretch_runs, section, gathered)                                         \
    STAGE(turn_##name, turn_runs, section, gathered)                                               \
    SUM_STAGE(damp_##name, damp_runs, gathered, section)                                           \
    SUM_STAGE(load_##name, load_runs, gathered, section, gathered, false)                          \
    SUM_STAGE(load_more_##name, load_runs, gathered, section, gathered, true)                      \
    SUM_STAGE(damp_central_##name, damp_central_runs, gathered, section)                           \
    SUM_STAGE(load_central_##name, load_central_runs, gathered, gathered)
STAGES(class, BOND_SECTION_CLASS, false)
STAGES(own_rows, BOND_SECTION_OWN, false)
STAGES(own_loose, BOND_SECTION_OWN, true)
STAGES(alike_rows, BOND_SECTION_COMMON, false)
STAGES(alike_loose, BOND_SECTION_COMMON, true)

// The shared stages, by section and by whether ends are gathered.
typedef struct run_stages {
    run_stage *stretch, *turn;
    run_sum_stage *damp, *damp_central;
    run_sum_stage *load[2]; // [1]: for laws with a history
    run_sum_stage *load_central;
} run_stages;

#define STAGES_ROW(name)                                                                           \
    {                                                                                              \
        stretch_##name, turn_##name, damp_##name, damp_central_##name,                             \
            {load_##name, load_more_##name}, load_central_##name                                   \
    }
static const run_stages RUN_STAGES[][2] = {
    [BOND_SECTION_CLASS] = {STAGES_ROW(class)},
    [BOND_SECTION_OWN] = {STAGES_ROW(own_rows), STAGES_ROW(own_loose)},
    [BOND_SECTION_COMMON] = {STAGES_ROW(alike_rows), STAGES_ROW(alike_loose)},
};

typedef void run_resist_stage(walk *w, const run_ends *ends, run_batch *batch, int count);

// The law of the bonds of a traversal.
typedef struct walk_law {
    run_resist_stage *resist; // for the section of the traversal
    bool has_history, central;
} walk_law;

LANE_INLINE void walk_batch(walk *w, bond_section_kind section, bool gathered, const walk_law *law,
                            const run_ends *ends, run_batch *batch, int count,
                            group_load sum[PARTS])
{
    const run_stages *stages = &RUN_STAGES[section][gathered];
    stages->stretch(w, ends, batch, count);
    if (law->central) {
        law->resist(w, ends, batch, count);
        stages->damp_central(w, ends, batch, count, sum);
        stages->load_central(w, ends, batch, count, sum);
        return;
    }
    stages->turn(w, ends, batch, count);
    law->resist(w, ends, batch, count);
    stages->damp(w, ends, batch, count, sum);
    stages->load[law->has_history](w, ends, batch, count, sum);
}

#else

typedef run_law walk_law;

LANE_INLINE void walk_runs(walk *w, bond_section_kind section, bool gathered, const walk_law *law,
                           const run_ends *ends, run_batch *batch, int count, group_load sum[PARTS])
{
    const walk here = read_by_stages(w, gathered, ends);
    stretch_runs(&here, section, batch, count);
    if (law->central) {
        resist_runs(w, &here, section, law, batch, count);
        damp_central_runs(&here, section, batch, count, sum);
        load_central_runs(&here, gathered, batch, count, sum);
        return;
    }
    turn_runs(&here, section, batch, count);
    resist_runs(w, &here, section, law, batch, count);
    damp_runs(&here, section, batch, count, sum);
    load_runs(&here, section, gathered, law->history > 0, batch, count, sum);
}

LANE_INLINE void walk_batch(walk *w, bond_section_kind section, bool gathered, const walk_law *law,
                            const run_ends *ends, run_batch *batch, int count,
                            group_load sum[PARTS])
{
    if (TOGETHER > 1)
        walk_runs(w, section, gathered, law, ends, batch, count, sum);
    else if (count > 0)
        walk_runs(w, section, gathered, law, ends, batch, 1, sum); // a count known at compile time
}

#endif
