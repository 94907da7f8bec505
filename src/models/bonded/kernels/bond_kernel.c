// Computes all bonds of one block: loads or gathers the states of ends, evaluates the law, adds up
// loads and tests for breakage. Compiled several times with different SHERD_LANES and instruction
// sets; see cmake/kernels.cmake.
//
// Groups of elements (bond_groups.h) are traversed by bond kind; each kind has one law.
//
// SHERD_WIDE: double arithmetic on blocks laid out for mixed precision, with energies and stress
// ratios in addition to loads, for implicit steps.
#include "models/bonded/kernels/bond_kernel.h"

#include "models/bonded/kernels/bond_groups.h"
#if !defined(SHERD_WIDE)
#include "laws/bond/bond_potentials.h"
#include "models/bonded/kernels/bond_soften.h"
#endif

// Separate functions: as one function, the compiler runs out of registers.
#define KERNEL_FUNCTION static __attribute__((noinline)) void

// ---------------------------------------------------------------- laws

#define FAR(name, section, law)                                                                    \
    KERNEL_FUNCTION name(const run_ends *ends, const real *common, const bond_run *run,            \
                         run_history *history, bond_work *b)                                       \
    {                                                                                              \
        strain_run_far(section, law, ends, common, run, history, b);                               \
    }
#define FARS(NAME, law, ...)                                                                       \
    FAR(law##_far_class, BOND_SECTION_CLASS, bond_law_##law)                                       \
    FAR(law##_far_own, BOND_SECTION_OWN, bond_law_##law)                                           \
    FAR(law##_far_alike, BOND_SECTION_COMMON, bond_law_##law)
SHERD_ALL_BOND_LAWS(FARS)

typedef void walk_function(walk *w, sherd_bond_kind bonds);

#define POTENTIAL_ENERGY(law) bond_potential_##law
#define POTENTIAL_CENTRAL(law) bond_potential_##law
#define POTENTIAL_FORCES(law) bond_no_potential

#if STAGED
// Traversals for any law, and one stage of the law for each section.

KERNEL_FUNCTION packets(walk *w, const walk_law *law, sherd_bond_kind bonds)
{
    walk_packets(w, law, bonds);
}

#define SLOT_WALKS(name, section)                                                                  \
    KERNEL_FUNCTION rows_##name(walk *w, const walk_law *law, sherd_bond_kind bonds)               \
    {                                                                                              \
        walk_rows(w, section, law, bonds);                                                         \
    }                                                                                              \
    KERNEL_FUNCTION loose_##name(walk *w, const walk_law *law, sherd_bond_kind bonds)              \
    {                                                                                              \
        walk_loose(w, section, law, bonds);                                                        \
    }
SLOT_WALKS(own, BOND_SECTION_OWN)
SLOT_WALKS(alike, BOND_SECTION_COMMON)

#define RESIST(name, section, ...)                                                                 \
    KERNEL_FUNCTION name(walk *w, const run_ends *ends, run_batch *batch, int count)               \
    {                                                                                              \
        const run_law law = {__VA_ARGS__};                                                         \
        const walk here = read_by_stages(w, false, ends);                                          \
        resist_runs(w, &here, section, &law, batch, count);                                        \
    }
#define RESISTS(NAME, law, doc, ability, history)                                                  \
    RESIST(law##_class, BOND_SECTION_CLASS, bond_law_##law, POTENTIAL_##ability(law), history,     \
           law##_far_class, BOND_IS_CENTRAL(ability))                                              \
    RESIST(law##_own, BOND_SECTION_OWN, bond_law_##law, POTENTIAL_##ability(law), history,         \
           law##_far_own, BOND_IS_CENTRAL(ability))                                                \
    RESIST(law##_alike, BOND_SECTION_COMMON, bond_law_##law, POTENTIAL_##ability(law), history,    \
           law##_far_alike, BOND_IS_CENTRAL(ability))
SHERD_ALL_BOND_LAWS(RESISTS)

typedef struct law_walks {
    walk_law of_class, own, alike;
} law_walks;

#define WALKS_ROW(NAME, law, doc, ability, history)                                                \
    {{law##_class, (history) > 0, BOND_IS_CENTRAL(ability)},                                       \
     {law##_own, (history) > 0, BOND_IS_CENTRAL(ability)},                                         \
     {law##_alike, (history) > 0, BOND_IS_CENTRAL(ability)}},
static const law_walks LAW_WALKS[] = {SHERD_ALL_BOND_LAWS(WALKS_ROW)};

static void walk_law_bonds(walk *w, const law_walks *law, sherd_bond_kind bonds)
{
    packets(w, &law->of_class, bonds);
    if (w->block->slices.alike) {
        rows_alike(w, &law->alike, bonds);
        loose_alike(w, &law->alike, bonds);
    } else {
        rows_own(w, &law->own, bonds);
        loose_own(w, &law->own, bonds);
    }
}

#else
// Traversals for each law.

#define WALK(name, what, ...)                                                                      \
    KERNEL_FUNCTION name(walk *w, sherd_bond_kind bonds)                                           \
    {                                                                                              \
        const walk_law how = {__VA_ARGS__};                                                        \
        what;                                                                                      \
    }
#define SLOT_WALKS(law, name, section, central, ...)                                               \
    WALK(law##_rows_##name, walk_rows(w, section, &how, bonds), bond_law_##law, __VA_ARGS__,       \
         law##_far_##name, central)                                                                \
    WALK(law##_loose_##name, walk_loose(w, section, &how, bonds), bond_law_##law, __VA_ARGS__,     \
         law##_far_##name, central)
#define WALKS(NAME, law, doc, ability, history)                                                    \
    WALK(law##_packets, walk_packets(w, &how, bonds), bond_law_##law, POTENTIAL_##ability(law),    \
         history, law##_far_class, BOND_IS_CENTRAL(ability))                                       \
    SLOT_WALKS(law, own, BOND_SECTION_OWN, BOND_IS_CENTRAL(ability), POTENTIAL_##ability(law),     \
               history)                                                                            \
    SLOT_WALKS(law, alike, BOND_SECTION_COMMON, BOND_IS_CENTRAL(ability),                          \
               POTENTIAL_##ability(law), history)
SHERD_ALL_BOND_LAWS(WALKS)

typedef struct law_walks {
    walk_function *packets, *rows_own, *rows_alike, *loose_own, *loose_alike;
} law_walks;

#define WALKS_ROW(NAME, law, ...)                                                                  \
    {law##_packets, law##_rows_own, law##_rows_alike, law##_loose_own, law##_loose_alike},
static const law_walks LAW_WALKS[] = {SHERD_ALL_BOND_LAWS(WALKS_ROW)};

static void walk_law_bonds(walk *w, const law_walks *law, sherd_bond_kind bonds)
{
    law->packets(w, bonds);
    (w->block->slices.alike ? law->rows_alike : law->rows_own)(w, bonds);
    (w->block->slices.alike ? law->loose_alike : law->loose_own)(w, bonds);
}

#endif
#if defined(SHERD_WIDE)
// Explicit steps only; implicit steps compute softening bonds in a separate pass
// (softening_pass.h).
static void soften_kind(walk *w, sherd_bond_kind bonds)
{
    (void)w, (void)bonds;
}
#else

#define SOFTEN(name, section, what, ...)                                                           \
    STAGE_FUNCTION name##_strain(const walk *w, const run_ends *ends, const bond_run *run,         \
                                 soft_strain *soft)                                                \
    {                                                                                              \
        const run_law law = {__VA_ARGS__};                                                         \
        strain_soft(w, section, &law, ends, run, soft);                                            \
    }                                                                                              \
    KERNEL_FUNCTION name(walk *w, sherd_bond_kind bonds)                                           \
    {                                                                                              \
        const run_law law = {__VA_ARGS__};                                                         \
        if (law.history == 0 && !law.central) what(w, name##_strain, bonds);                       \
    }
// Laws with a history and central ones do not soften (sherd_material_def_check).
#define SOFTENS(NAME, law, doc, ability, history)                                                  \
    SOFTEN(law##_soften_packets, BOND_SECTION_CLASS, soften_packets, bond_law_##law,               \
           bond_own_potential_##law, history, law##_far_class, BOND_IS_CENTRAL(ability))           \
    SOFTEN(law##_soften_own, BOND_SECTION_OWN, soften_own, bond_law_##law,                         \
           bond_own_potential_##law, history, law##_far_own, BOND_IS_CENTRAL(ability))             \
    SOFTEN(law##_soften_alike, BOND_SECTION_COMMON, soften_alike, bond_law_##law,                  \
           bond_own_potential_##law, history, law##_far_alike, BOND_IS_CENTRAL(ability))
SHERD_ALL_BOND_LAWS(SOFTENS)

typedef struct soften_walks {
    walk_function *packets, *own, *alike;
} soften_walks;

#define SOFTEN_ROW(NAME, law, ...) {law##_soften_packets, law##_soften_own, law##_soften_alike},
static const soften_walks SOFTEN_WALKS[] = {SHERD_ALL_BOND_LAWS(SOFTEN_ROW)};

static void soften_kind(walk *w, sherd_bond_kind bonds)
{
    const soften_walks *law = &SOFTEN_WALKS[sherd_bond_kind_law(bonds)];
    if (w->block->softening_count == 0) return;
    w->magnitude = w->blocks->criteria[sherd_bond_kind_breakage(bonds)].magnitude;
    law->packets(w, bonds);
    (w->block->slices.alike ? law->alike : law->own)(w, bonds);
}
#endif

// ---------------------------------------------------------------- the block

static bool has_bonds(const sherd_bond_block *block, sherd_bond_kind bonds)
{
    return block->group_start[bonds] < block->group_start[bonds + 1] ||
           block->slices.group_start[bonds] < block->slices.group_start[bonds + 1];
}

static void walk_kind(walk *w, const sherd_breakage_info *criteria, sherd_bond_kind bonds)
{
    w->criterion = bond_criterion_of(&criteria[sherd_bond_kind_breakage(bonds)]);
    walk_law_bonds(w, &LAW_WALKS[sherd_bond_kind_law(bonds)], bonds);
    soften_kind(w, bonds);
}

static void walk_all(walk *w, const sherd_breakage_info *criteria)
{
    for (sherd_bond_kind bonds = 0; bonds < SHERD_BOND_KIND_COUNT; ++bonds)
        if (has_bonds(w->block, bonds)) walk_kind(w, criteria, bonds);
}

// Building rows of element states pays off above about half a gathered bond for each element, or
// above one where vectors are half as wide: gathered bonds per two elements.
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

#if !defined(SHERD_WIDE)
static void add_up_softening(const walk *w)
{
    for (int p = 0; p < PARTS; ++p) {
        for (int k = 0; k < SHERD_LANES; ++k) {
            w->block->softening_lost += wide_get(w->lost[p], k);
            w->block->softening_missed += wide_get(w->missed[p], k);
        }
    }
}
#else
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
    frame_cursor frames = first_frame(elements, block);
    awake_bits awake;
    find_awake(elements, block, &awake);
    row_use use = rows_of(block);
    copy_in(elements, &frames, &awake, scratch, use);
    walk w = {
        .bonds = bonds,
        .block = block,
        .scratch = scratch,
        .awake = &awake,
        .common = common_numbers(&block->slices),
#if !defined(SHERD_WIDE)
        .blocks = blocks,
        .opening_dt = (real)blocks->opening_dt,
#endif
        .with_rows = use != ROWS_NONE,
        .ends = {columns_from(scratch->state[LOCAL_U], scratch->stride),
                 columns_from(scratch->state[LOCAL_V], scratch->stride)},
        .force = columns_from(scratch->force[0], scratch->stride),
        .torque = columns_from(scratch->torque[0], scratch->stride)
    };
    block->newly_broken_count = 0;
    walk_all(&w, blocks->criteria);
    block->damping_power = 0.0;
    for (int p = 0; p < PARTS; ++p)
        for (int k = 0; k < SHERD_LANES; ++k)
            block->damping_power += (double)lane_get(w.power[p], k);
#if defined(SHERD_WIDE)
    add_up_potential(&w);
#else
    if (block->softening_count > 0) add_up_softening(&w);
#endif
    copy_out(elements, &frames, &awake, scratch, use, blocks->halo_load);
    lane_restore_mode(mode);
}
