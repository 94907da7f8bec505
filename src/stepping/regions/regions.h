// Switching by region: parts of a world that cannot meet for a while are stepped separately.
//
//   whole ----- explicit, and far enough apart to be divided ----> regions
//     ^                                                              |
//     +-- two of them may meet within MIN_SPAN, or it is time to ---+
//         look again
//
// A region contains all components that have common contact candidates, a common driver or a common
// sleeping body, or may come near each other within JOIN_AHEAD. Each region has a system of its own
// (system_part.h), which chooses between implicit and explicit steps for itself, so that an impact
// in one does not shorten the steps of others, and sleepers stay asleep while others take implicit
// steps. All free rigid bodies are in one region. Small and sleeping components are in a common
// one.
//
// Regions advance in parallel over the same *span* of time (parallel_regions.h). First, boxes around all
// components are widened by their largest displacement at one and a half times their region's
// greatest speed; the span ends before boxes of two regions overlap. Then reaches are increased
// while boxes stay separate. If a region's elements move farther than its reach, for whatever
// reason, the span is undone and repeated with a shorter one. So bodies at different times never
// meet.
//
// With material points there are always regions. The first contains everything near points: it
// takes explicit steps of its own within those of the grid (grid/grid_part.h), is never asleep, and
// limits spans like any other region, with the points as a part of it. Without division all
// elements are in it.
//
//   the first ----- farther from points than DIVISION_GUARD, and for long ----> regions
//     ^                                                                           |
//     +------------- may come nearer than SPAN_GUARD within MIN_SPAN -----------+
#pragma once

#include "base/record.h"
#include "models/mpm/mpm_diagnostics.h"
#include "stepping/regions/time_regions.h"

void sherd_regions_destroy(sherd_regions *regions); // NULL is fine

// Distances to points: contact happens when points and elements reach a common node, within 4 h. A
// region needs at least the first distance to stay separate, and at least the second to be created
// [h].
#define SHERD_SPAN_GUARD 5.0
#define SHERD_DIVISION_GUARD 8.0

// Divides an undivided system if possible; otherwise sets the time of the next search. With points
// the whole has the state of its regions.
sherd_status sherd_regions_divide(sherd_system *system, sherd_error *error);

// A division for sherd_regions_make: of[k] is the region of element k, -1 for none.
typedef struct sherd_grouping {
    int count, bodies;        // number of regions, and index of the one with the free bodies
    sherd_element_index near; // elements that are near points
    int32_t *of;              // owned (n)
} sherd_grouping;

// Material points of a system, and the distance within which elements count as near [m].
typedef struct sherd_grouping_points {
    sherd_mpm_extents extents;
    double guard;
} sherd_grouping_points;

// Components that may come near each other within `ahead` [s] are in one region; and regions stay
// separate for `min_time` [s] at the speed of their fastest element.
typedef struct sherd_grouping_times {
    double ahead, min_time;
} sherd_grouping_times;

// Finds the regions; count is at least 2, or 0: nothing to divide (region_groups.c). `points`: NULL
// if there are none.
sherd_status sherd_find_groups(const sherd_system *system, const sherd_grouping_points *points,
                               const sherd_grouping_times *times, sherd_grouping *grouping,
                               sherd_error *error);
// Makes the regions of that division, taking ownership of its `of`.
sherd_status sherd_regions_make(sherd_system *system, sherd_grouping *grouping, sherd_error *error);

// With points: makes one region of all elements and free bodies. The first call also finds
// system->element_dt.
sherd_status sherd_regions_gather(sherd_system *system, sherd_error *error);

// Merges them into a whole that takes explicit steps, and divides it again if that was useful.
sherd_status sherd_regions_redivide(sherd_system *system, sherd_error *error);

// The same, but without a division for a while.
sherd_status sherd_regions_unite(sherd_system *system, sherd_error *error);

// With points: true if a part of the first region is far enough from them to be in another. Checked
// at intervals only, so that elements that move at the border do not change region all the time.
sherd_status sherd_regions_would_leave(sherd_system *system, bool *leave, sherd_error *error);

// number of elements, divided or not
sherd_element_index sherd_regions_asleep(const sherd_system *system);

// Saved as the section "regions" of a record; none if the system is not divided.
sherd_status sherd_regions_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error);
sherd_status sherd_regions_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error);
