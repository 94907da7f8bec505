// Switching by region: parts of a world that can't meet for a while are stepped each by itself.
//
//   whole ----- explicit, and far enough apart to be divided ----> regions
//     ^                                                              |
//     +-- two of them may meet within LEAST_SPAN, or it is time to ---+
//         look again
//
// A region is what bonds join, what contact lists together, what one driver or one body that sleeps holds
// together, and what may come near within JOIN_AHEAD: bodies in it feel each other as ever. Each has a system of
// its own (system_part.h) that decides for itself whether it goes by implicit or explicit steps, so that one
// that is hit does not keep others from long steps, and sleepers sleep on while others go implicitly. Free rigid
// bodies are all in one region. What is small or asleep shares one.
//
// Regions advance beside each other over the same *span* of time (region_team.h). Before, boxes around all
// components are widened by how far they may go at one and a half times their region's greatest speed: the span
// ends before boxes of two regions overlap. From then on a region may go as far as boxes of that width stay apart. If one
// goes farther, however it came by the speed, the span is undone and made again shorter. So nothing ever meets
// what is at another time.
#pragma once

#include "base/byte_buffer.h"
#include "stepping/regions/time_regions.h"

void sherd_regions_destroy(sherd_regions *regions); // NULL is fine

// Divides a system that is not, where there is something to divide; otherwise says when to look again.
sherd_status sherd_regions_divide(sherd_system *system, sherd_error *error);

// What sherd_regions_make needs to know: of[k] is the region of element k, -1 for none.
typedef struct sherd_grouping {
    int count, bodies; // regions, and which one has the free bodies
    int32_t *of;       // owned (n)
} sherd_grouping;

// Which regions there would be; count is at least 2, or 0: nothing to divide (region_groups.c). What may come
// near within `ahead` [s] is one; and regions stay apart for `least` [s] at the speed of their fastest.
sherd_status sherd_find_groups(const sherd_system *system, double ahead, double least,
                               sherd_grouping *grouping, sherd_error *error);
// Makes regions of that grouping, whose `of` they take over.
sherd_status sherd_regions_make(sherd_system *system, sherd_grouping *grouping, sherd_error *error);

// Makes a whole of them again, which goes by explicit steps, and divides it anew where that was of use.
sherd_status sherd_regions_redivide(sherd_system *system, sherd_error *error);

// The same, but leaves it alone for a while.
sherd_status sherd_regions_unite(sherd_system *system, sherd_error *error);

sherd_element_index sherd_regions_asleep(const sherd_system *system); // elements, divided or not

sherd_status sherd_regions_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error);
sherd_status sherd_regions_restore(sherd_system *system, sherd_byte_reader *in, sherd_error *error);
