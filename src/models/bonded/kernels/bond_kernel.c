// All bonds of one block: ends loaded or gathered, physics, loads added, breakage. Compiled several
// times with different SHERD_LANES and instruction sets; see cmake/kernels.cmake.
//
// Three kinds of runs (bond_run.h) are made here, group by group: of packets, of rows of loose bonds, and of loose
// bonds whose ends are gathered.
//
// SHERD_WIDE: double arithmetic on blocks made for mixed precision, with energies and stress ratios beside
// the loads, for implicit steps.
#include "models/bonded/kernels/bond_kernel.h"

#include "models/bonded/kernels/bond_run.h"
#if !defined(SHERD_WIDE)
#include "laws/bond/bond_potentials.h"
#include "models/bonded/kernels/bond_soften.h"
#endif

// Slots whose numbers are fetched ahead: beyond those that are worked on together.
enum { AHEAD = TOGETHER / PARTS + 1 };

// ---------------------------------------------------------------- packets

LANE_INLINE const real *class_numbers(const sherd_bond_class *c)
{
#if defined(SHERD_SINGLE)
    return c->single;
#else
    return c->number;
#endif
}

static void note_broken_packet(walk *w, int32_t place, unsigned over)
{
    w->block->packets[place].broken |= (uint16_t)over;
    w->block->newly_broken_count += __builtin_popcount(over);
}

LANE_INLINE int64_t bond_of_packet(const walk *w, int32_t place, int k)
{
    const sherd_bond_packet *packet = &w->block->packets[place];
    return packet->bond + __builtin_popcount(packet->lanes & ((1u << k) - 1u));
}

// The lanes of a packet that fill a vector.
LANE_INLINE void set_packet(const walk *w, int32_t place, int32_t i, unsigned awake, int part,
                            bond_run *run)
{
    sherd_bond_packet *packet = &w->block->packets[place];
    int first = part * SHERD_LANES;
#if defined(SHERD_WIDE)
    if (part == 0) packet->broken = 0; // of a trial state
#endif
    run->i = i + first;
    run->j = packet->j + first;
    run->bits = ((packet->alive & awake) >> first) & ALL_LANES;
    run->part = part;
    run->place = place;
    run->numbers = class_numbers(&w->bonds->classes[packet->class_index]);
}

LANE_INLINE void walk_group(walk *w, const run_kind *kind, const sherd_bond_group *group,
                            int32_t packet_begin)
{
    unsigned awake = awake_from(w->awake, group->i);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    group_load sum[PARTS];
    clear_group(sum);
    run_batch batch;
    for (int32_t k = packet_begin; k < group->packet_end;) {
        int count = 0;
        for (; k < group->packet_end && count + PARTS <= TOGETHER; ++k) {
            for (int part = 0; part < PARTS; ++part) {
                bond_run *run = &batch.run[count];
                set_packet(w, k, group->i, awake, part, run);
                count += run->bits != 0;
            }
        }
        walk_batch(w, kind, &w->ends, &batch, count, sum);
    }
    add_group(w, group->i, sum);
}

// ---------------------------------------------------------------- loose bonds

static void note_broken_slot(walk *w, int32_t place, unsigned over)
{
    w->block->slices.broken[place] |= (uint16_t)over;
    w->block->newly_broken_count += __builtin_popcount(over);
}

LANE_INLINE int64_t bond_of_slot(const walk *w, int32_t place, int k)
{
    return w->block->slices.bond[(size_t)place * WIDTH + (size_t)k];
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

// The numbers of a slot's lanes; those stored in lower precision are converted in `room`.
LANE_INLINE const real *slot_numbers(const sherd_bond_slices *slices, bond_section_kind kind,
                                     int32_t slot, int first, real *room)
{
    const int count = kind == BOND_SECTION_COMMON ? SHERD_SLOT_OWN_NUMBERS : SHERD_SLOT_NUMBERS;
    const slot_number *numbers =
        (const slot_number *)slices->numbers + (size_t)slot * (size_t)(count * WIDTH) + first;
    for (int n = 0; n < count && first == 0; ++n) // a number of all lanes is one or two cache lines
        __builtin_prefetch(numbers + (AHEAD * count + n) * WIDTH);
#if defined(SHERD_WIDE)
    for (int n = 0; n < count; ++n)
        for (int k = 0; k < SHERD_LANES; ++k)
            room[n * SHERD_LANES + k] = (real)numbers[n * WIDTH + k];
    return room;
#else
    (void)room;
    return numbers;
#endif
}

// The lanes of one slot that fill a vector, but for its ends. (Written in place: a copy would be read as one vector
// right after it was written as numbers, for which processors wait.)
LANE_INLINE void set_slot(const walk *w, const run_kind *kind, int32_t slot, unsigned awake,
                          int part, real *room, bond_run *run)
{
    const sherd_bond_slices *slices = &w->block->slices;
    int first = part * SHERD_LANES;
#if defined(SHERD_WIDE)
    if (part == 0) slices->broken[slot] = 0; // of a trial state
#endif
    run->bits = ((slices->alive[slot] & awake) >> first) & ALL_LANES;
    run->part = part;
    run->place = slot;
    run->numbers = slot_numbers(slices, kind->section, slot, first, room);
}

// Of a row, whose ends follow each other.
LANE_INLINE void set_row_ends(const walk *w, int32_t i, bond_run *run)
{
    int first = run->part * SHERD_LANES;
    run->i = i + first;
    run->j = w->block->slices.j[(size_t)run->place * WIDTH] + first;
}

LANE_INLINE int32_t first_slot(const sherd_bond_slices *slices, int32_t group)
{
    return group > 0 ? slices->slot_end[group - 1] : 0;
}

LANE_INLINE void walk_row_group(walk *w, const run_kind *kind, int32_t group)
{
    const sherd_bond_slices *slices = &w->block->slices;
    int32_t i = slices->i[(size_t)group * WIDTH];
    unsigned awake = awake_from(w->awake, i);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    group_load sum[PARTS];
    clear_group(sum);
    run_batch batch;
    for (int32_t slot = first_slot(slices, group); slot < slices->slot_end[group];) {
        int count = 0;
        for (; slot < slices->slot_end[group] && count + PARTS <= TOGETHER; ++slot) {
            for (int part = 0; part < PARTS; ++part) {
                bond_run *run = &batch.run[count];
                set_slot(w, kind, slot, awake, part, batch_room(&batch, count), run);
                set_row_ends(w, i, run);
                count += run->bits != 0;
            }
        }
        walk_batch(w, kind, &w->ends, &batch, count, sum);
    }
    add_group(w, i, sum);
}

// Of run number r: ends i come first, one for each part, then ends j.
LANE_INLINE void gather_run_end(const walk *w, int r, gathered_end *ends, bond_run *run)
{
    const int32_t stride = sizeof(gathered_end) / sizeof(real);
    gather_end(w, run_partners(w, run), ends[PARTS + r]);
    run->i = stride * run->part, run->j = stride * (PARTS + r);
}

LANE_INLINE void walk_loose_group(walk *w, const run_kind *kind, int32_t group)
{
    const sherd_bond_slices *slices = &w->block->slices;
    const int32_t *i = slices->i + (size_t)group * WIDTH;
    unsigned awake = awake_among(w->awake, i, WIDTH);
    if (__builtin_expect((awake & GROUP_LANES) == 0, 0)) return;
    group_load sum[PARTS];
    clear_group(sum);
    gathered_end ends[PARTS + TOGETHER];
    for (int p = 0; p < PARTS; ++p)
        gather_end(w, i + p * SHERD_LANES, ends[p]);
    const run_ends from = {columns_from(ends[0][LOCAL_U], sizeof ends[0][0]),
                           columns_from(ends[0][LOCAL_V], sizeof ends[0][0])};
    run_batch batch;
    for (int32_t slot = first_slot(slices, group); slot < slices->slot_end[group];) {
        int count = 0;
        for (; slot < slices->slot_end[group] && count + PARTS <= TOGETHER; ++slot) {
            for (int part = 0; part < PARTS; ++part) {
                bond_run *run = &batch.run[count];
                set_slot(w, kind, slot, awake, part, batch_room(&batch, count), run);
                if (run->bits == 0) continue;
                gather_run_end(w, count, ends, run);
                ++count;
            }
        }
        walk_batch(w, kind, &from, &batch, count, sum);
    }
    for (int p = 0; p < PARTS; ++p) {
        scatter_group(w, i + p * SHERD_LANES, &sum[p]);
        w->power[p] += sum[p].power;
    }
}

// ---------------------------------------------------------------- bonds that soften
#if !defined(SHERD_WIDE)

LANE_INLINE void soften_group(walk *w, const run_kind *kind, const sherd_bond_group *group,
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
            if (run.bits != 0) soften_run(w, kind, &w->ends, &run, &sum[part]);
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

// Of row groups, too, as if their ends were anywhere.
LANE_INLINE void soften_slots(walk *w, const run_kind *kind, int32_t group)
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
            set_slot(w, kind, slot, awake, part, NULL, &run);
            run.bits = (slices->soft[slot] & awake) >> part * SHERD_LANES & ALL_LANES;
            if (run.bits == 0) continue;
            gather_run_end(w, 0, ends, &run);
            soften_run(w, kind, &from, &run, &sum[part]);
        }
    }
    for (int p = 0; p < PARTS; ++p) {
        scatter_group(w, i + p * SHERD_LANES, &sum[p]);
        w->power[p] += sum[p].power;
    }
}

// Laws with a history don't soften (sherd_material_def_check).
LANE_INLINE void soften_packets(walk *w, sherd_bond_kind bonds, const run_kind *kind)
{
    const sherd_bond_block *block = w->block;
    if (kind->history > 0) return;
    for (int32_t g = block->group_start[bonds]; g < block->group_start[bonds + 1]; ++g)
        soften_group(w, kind, &block->groups[g], g > 0 ? block->groups[g - 1].packet_end : 0);
}

LANE_INLINE void soften_slices(walk *w, sherd_bond_kind bonds, const run_kind *kind)
{
    const sherd_bond_slices *slices = &w->block->slices;
    if (kind->history > 0) return;
    for (int32_t g = slices->group_start[bonds]; g < slices->group_start[bonds + 1]; ++g)
        soften_slots(w, kind, g);
}

#endif
// ---------------------------------------------------------------- the block

LANE_INLINE void walk_packets(walk *w, sherd_bond_kind bonds, const run_kind *kind)
{
    const sherd_bond_block *block = w->block;
    for (int32_t g = block->group_start[bonds]; g < block->group_start[bonds + 1]; ++g)
        walk_group(w, kind, &block->groups[g], g > 0 ? block->groups[g - 1].packet_end : 0);
}

LANE_INLINE void walk_rows(walk *w, sherd_bond_kind bonds, const run_kind *kind)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->group_start[bonds]; g < slices->row_group_end[bonds]; ++g)
        walk_row_group(w, kind, g);
}

LANE_INLINE void walk_loose(walk *w, sherd_bond_kind bonds, const run_kind *kind)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->row_group_end[bonds]; g < slices->group_start[bonds + 1]; ++g)
        walk_loose_group(w, kind, g);
}

#define FAR(name, section, law)                                                                    \
    static __attribute__((noinline)) void name(const run_ends *ends, const real *common,           \
                                               const bond_run *run, run_history *history,          \
                                               bond_work *b)                                       \
    {                                                                                              \
        strain_run_far(section, law, ends, common, run, history, b);                               \
    }

// Functions of their own: all in one, compilers run short of registers.
#define WALK(name, what, ...)                                                                      \
    static __attribute__((noinline)) void name(walk *w, sherd_bond_kind bonds)                     \
    {                                                                                              \
        const run_kind kind = {__VA_ARGS__};                                                       \
        what(w, bonds, &kind);                                                                     \
    }

#define POTENTIAL_ENERGY(law) bond_potential_##law
#define POTENTIAL_FORCES(law) bond_no_potential

#define SLOT_WALKS(law, kind, section, ...)                                                        \
    FAR(law##_far_##kind, section, bond_law_##law)                                                 \
    WALK(law##_rows_##kind, walk_rows, section, bond_law_##law, __VA_ARGS__, law##_far_##kind,     \
         false, bond_of_slot, note_broken_slot)                                                    \
    WALK(law##_loose_##kind, walk_loose, section, bond_law_##law, __VA_ARGS__, law##_far_##kind,   \
         true, bond_of_slot, note_broken_slot)
#define PACKET_WALK(law, ...)                                                                      \
    FAR(law##_far_class, BOND_SECTION_CLASS, bond_law_##law)                                       \
    WALK(law##_packets, walk_packets, BOND_SECTION_CLASS, bond_law_##law, __VA_ARGS__,             \
         law##_far_class, false, bond_of_packet, note_broken_packet)
#define WALKS(NAME, law, doc, ability, history)                                                    \
    PACKET_WALK(law, POTENTIAL_##ability(law), history)                                            \
    SLOT_WALKS(law, own, BOND_SECTION_OWN, POTENTIAL_##ability(law), history)                      \
    SLOT_WALKS(law, alike, BOND_SECTION_COMMON, POTENTIAL_##ability(law), history)
SHERD_ALL_BOND_LAWS(WALKS)

typedef void walk_function(walk *w, sherd_bond_kind bonds);
typedef struct law_walks {
    walk_function *packets, *rows_own, *rows_alike, *loose_own, *loose_alike;
} law_walks;

#define WALKS_ROW(NAME, law, ...)                                                                  \
    {law##_packets, law##_rows_own, law##_rows_alike, law##_loose_own, law##_loose_alike},
static const law_walks LAW_WALKS[] = {SHERD_ALL_BOND_LAWS(WALKS_ROW)};

#if defined(SHERD_WIDE)
// Implicit steps have a pass of their own for bonds that soften (softening_pass.h).
static void soften_kind(walk *w, sherd_bond_kind bonds)
{
    (void)w, (void)bonds;
}
#else
#define SOFTEN_SLOTS(law, kind, section, history)                                                  \
    WALK(law##_soften_##kind, soften_slices, section, bond_law_##law, bond_own_potential_##law,    \
         history, NULL, true, bond_of_slot, note_broken_slot)
#define SOFTEN_WALKS(NAME, law, doc, ability, history)                                             \
    WALK(law##_soften_packets, soften_packets, BOND_SECTION_CLASS, bond_law_##law,                 \
         bond_own_potential_##law, history, NULL, false, bond_of_packet, note_broken_packet)       \
    SOFTEN_SLOTS(law, own, BOND_SECTION_OWN, history)                                              \
    SOFTEN_SLOTS(law, alike, BOND_SECTION_COMMON, history)
SHERD_ALL_BOND_LAWS(SOFTEN_WALKS)

typedef struct soften_walks {
    walk_function *packets, *own, *alike;
} soften_walks;

#define SOFTEN_ROW(NAME, law, ...) {law##_soften_packets, law##_soften_own, law##_soften_alike},
static const soften_walks SOFTEN_WALKS_OF[] = {SHERD_ALL_BOND_LAWS(SOFTEN_ROW)};

static void soften_kind(walk *w, sherd_bond_kind bonds)
{
    if (w->block->softening_count == 0) return;
    const soften_walks *law = &SOFTEN_WALKS_OF[sherd_bond_kind_law(bonds)];
    w->magnitude = w->blocks->criteria[sherd_bond_kind_breakage(bonds)].magnitude;
    law->packets(w, bonds);
    (w->block->slices.alike ? law->alike : law->own)(w, bonds);
}
#endif

static bool has_bonds(const sherd_bond_block *block, sherd_bond_kind bonds)
{
    return block->group_start[bonds] < block->group_start[bonds + 1] ||
           block->slices.group_start[bonds] < block->slices.group_start[bonds + 1];
}

static void walk_kind(walk *w, const sherd_breakage_info *criteria, sherd_bond_kind bonds)
{
    const law_walks *law = &LAW_WALKS[sherd_bond_kind_law(bonds)];
    w->criterion = bond_criterion_of(&criteria[sherd_bond_kind_breakage(bonds)]);
    law->packets(w, bonds);
    (w->block->slices.alike ? law->rows_alike : law->rows_own)(w, bonds);
    (w->block->slices.alike ? law->loose_alike : law->loose_own)(w, bonds);
    soften_kind(w, bonds);
}

static void walk_all(walk *w, const sherd_breakage_info *criteria)
{
    for (sherd_bond_kind bonds = 0; bonds < SHERD_BOND_KIND_COUNT; ++bonds)
        if (has_bonds(w->block, bonds)) walk_kind(w, criteria, bonds);
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
