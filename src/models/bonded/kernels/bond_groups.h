// Makes runs from groups of elements and their bonds: runs of packets, of row groups of loose
// bonds, and of loose bonds whose ends are gathered.
#pragma once

#include "models/bonded/kernels/bond_stages.h"

// Prefetch distance: slots whose constants are fetched ahead of those being computed.
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

// Selects the lanes of a packet that form part `part`.
LANE_INLINE void set_packet(const walk *w, int32_t index, int32_t i, unsigned awake, int part,
                            bond_run *run)
{
    sherd_bond_packet *packet = &w->block->packets[index];
    int first = part * SHERD_LANES;
#if defined(SHERD_WIDE)
    if (part == 0) packet->broken = 0; // after a trial state
#endif
    run->i = i + first;
    run->j = packet->j + first;
    run->bits = ((packet->alive & awake) >> first) & ALL_LANES;
    run->part = part;
    run->index = index;
    run->numbers = class_numbers(&w->bonds->classes[packet->class_index]);
}

LANE_INLINE void walk_group(walk *w, const walk_law *law, const sherd_bond_group *group,
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
        walk_batch(w, BOND_SECTION_CLASS, false, law, &w->ends, &batch, count, sum);
    }
    add_group(w, group->i, sum);
}

// ---------------------------------------------------------------- loose bonds

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

// Constants of the lanes of a slot; values stored in lower precision are converted into `converted`.
LANE_INLINE const real *slot_numbers(const sherd_bond_slices *slices, bond_section_kind kind,
                                     int32_t slot, int first, real *converted)
{
    const int count = kind == BOND_SECTION_COMMON ? SHERD_SLOT_OWN_NUMBERS : SHERD_SLOT_NUMBERS;
    const slot_number *numbers =
        (const slot_number *)slices->numbers + (size_t)slot * (size_t)(count * WIDTH) + first;
    // one constant of all lanes fills one or two cache lines
    for (int n = 0; n < count && first == 0; ++n)
        __builtin_prefetch(numbers + (AHEAD * count + n) * WIDTH);
#if defined(SHERD_WIDE)
    for (int n = 0; n < count; ++n)
        for (int k = 0; k < SHERD_LANES; ++k)
            converted[n * SHERD_LANES + k] = (real)numbers[n * WIDTH + k];
    return converted;
#else
    (void)converted;
    return numbers;
#endif
}

// Selects the lanes of a slot that form a vector, without its ends. (Written in place: copying the
// structure would read as a vector what was just written as single numbers, which stalls the
// processor.)
LANE_INLINE void set_slot(const walk *w, bond_section_kind section, int32_t slot, unsigned awake,
                          int part, real *converted, bond_run *run)
{
    const sherd_bond_slices *slices = &w->block->slices;
    int first = part * SHERD_LANES;
#if defined(SHERD_WIDE)
    if (part == 0) slices->broken[slot] = 0; // after a trial state
#endif
    run->bits = ((slices->alive[slot] & awake) >> first) & ALL_LANES;
    run->part = part;
    run->index = slot;
    run->numbers = slot_numbers(slices, section, slot, first, converted);
}

// Sets the ends of a row slot, which are consecutive elements.
LANE_INLINE void set_row_ends(const walk *w, int32_t i, bond_run *run)
{
    int first = run->part * SHERD_LANES;
    run->i = i + first;
    run->j = w->block->slices.j[(size_t)run->index * WIDTH] + first;
}

LANE_INLINE int32_t first_slot(const sherd_bond_slices *slices, int32_t group)
{
    return group > 0 ? slices->slot_end[group - 1] : 0;
}

LANE_INLINE void walk_row_group(walk *w, bond_section_kind section, const walk_law *law,
                                int32_t group)
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
                set_slot(w, section, slot, awake, part, batch_numbers(&batch, count), run);
                set_row_ends(w, i, run);
                count += run->bits != 0;
            }
        }
        walk_batch(w, section, false, law, &w->ends, &batch, count, sum);
    }
    add_group(w, i, sum);
}

// Gathers the ends of run r: first the ends i of all parts, then the ends j.
LANE_INLINE void gather_run_end(const walk *w, int r, gathered_end *ends, bond_run *run)
{
    const int32_t stride = sizeof(gathered_end) / sizeof(real);
    gather_end(w, run_partners(w, run), ends[PARTS + r]);
    run->i = stride * run->part, run->j = stride * (PARTS + r);
}

LANE_INLINE void walk_loose_group(walk *w, bond_section_kind section, const walk_law *law,
                                  int32_t group)
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
                set_slot(w, section, slot, awake, part, batch_numbers(&batch, count), run);
                if (run->bits == 0) continue;
                gather_run_end(w, count, ends, run);
                ++count;
            }
        }
        walk_batch(w, section, true, law, &from, &batch, count, sum);
    }
    for (int p = 0; p < PARTS; ++p) {
        scatter_group(w, i + p * SHERD_LANES, &sum[p]);
        w->power[p] += sum[p].power;
    }
}

// ---------------------------------------------------------------- all of a kind

LANE_INLINE void walk_packets(walk *w, const walk_law *law, sherd_bond_kind bonds)
{
    const sherd_bond_block *block = w->block;
    for (int32_t g = block->group_start[bonds]; g < block->group_start[bonds + 1]; ++g)
        walk_group(w, law, &block->groups[g], g > 0 ? block->groups[g - 1].packet_end : 0);
}

LANE_INLINE void walk_rows(walk *w, bond_section_kind section, const walk_law *law,
                           sherd_bond_kind bonds)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->group_start[bonds]; g < slices->row_group_end[bonds]; ++g)
        walk_row_group(w, section, law, g);
}

LANE_INLINE void walk_loose(walk *w, bond_section_kind section, const walk_law *law,
                            sherd_bond_kind bonds)
{
    const sherd_bond_slices *slices = &w->block->slices;
    for (int32_t g = slices->row_group_end[bonds]; g < slices->group_start[bonds + 1]; ++g)
        walk_loose_group(w, section, law, g);
}
