// Switching by region: parts of a world that can't meet for a while are stepped separately.
//
//   whole ----- explicit, and far enough apart to be divided ----> regions
//     ^                                                              |
//     +-- two of them may meet within LEAST_SPAN, or it is time to ---+
//         look again
//
// A region contains components that contact lists together, that one driver or one sleeping body holds together, or
// that may come near each other within JOIN_AHEAD: within it bodies interact as usual. Each has a system of its own
// (system_part.h), which chooses between implicit and explicit steps for itself, so that an impact on one does not
// shorten the steps of others, and sleepers stay asleep while others take implicit steps. All free rigid bodies are in
// one region. Small and sleeping components share one.
//
// Regions advance in parallel over the same *span* of time (region_team.h). Before, boxes around all components are
// widened by how far they may go at one and a half times their region's greatest speed: the span ends before boxes of
// two regions overlap. Then reaches grow while boxes of that width stay apart. If a region's elements go farther than
// its reach, for whatever reason, the span is undone and repeated with a shorter one. So bodies at different times
// never meet.
//
// Beside material points there are always regions, of which the first has what is near points, if anything is: it takes
// explicit steps of its own within those of their grid (grid/grid_part.h), is never asleep, and ends spans as any other
// region does: points are part of it. Without regions all elements are in it.
//
//   the first ----- farther from points than DIVISION_GUARD, and for long ----> regions
//     ^                                                                           |
//     +------------- may come nearer than SPAN_GUARD within LEAST_SPAN -----------+
#pragma once

#include "base/record.h"
#include "models/mpm/mpm_diagnostics.h"
#include "stepping/regions/time_regions.h"

void sherd_regions_destroy(sherd_regions *regions); // NULL is fine

// Surfaces meet where points and elements reach a node together, within 4 h. Nearer than the first to points, things may
// be no region of their own; nearer than the second they may not become one [h].
#define SHERD_SPAN_GUARD 5.0
#define SHERD_DIVISION_GUARD 8.0

// Divides an undivided system, where there is something to divide; otherwise sets when to search again. Beside points
// the whole has the state of its regions.
sherd_status sherd_regions_divide(sherd_system *system, sherd_error *error);

// A division for sherd_regions_make: of[k] is the region of element k, -1 for none.
typedef struct sherd_grouping {
    int count, bodies;        // regions, and which one has the free bodies
    sherd_element_index near; // elements that are near points
    int32_t *of;              // owned (n)
} sherd_grouping;

// Material points of a system, and how near to them elements are near [m].
typedef struct sherd_grouping_points {
    sherd_mpm_extents extents;
    double guard;
} sherd_grouping_points;

// Components that may come near each other within `ahead` [s] are in one region; and regions stay apart for `least` [s]
// at the speed of their fastest element.
typedef struct sherd_grouping_times {
    double ahead, least;
} sherd_grouping_times;

// The regions that there would be; count is at least 2, or 0: nothing to divide (region_groups.c). `points`: NULL, there
// are none.
sherd_status sherd_find_groups(const sherd_system *system, const sherd_grouping_points *points,
                               const sherd_grouping_times *times, sherd_grouping *grouping,
                               sherd_error *error);
// Makes the regions of that division, whose `of` they take over.
sherd_status sherd_regions_make(sherd_system *system, sherd_grouping *grouping, sherd_error *error);

// Beside points: makes one region of all elements and free bodies. The first time finds system->element_dt, too.
sherd_status sherd_regions_gather(sherd_system *system, sherd_error *error);

// Unites them into a whole that is stepped explicitly, and divides it again where that was of use.
sherd_status sherd_regions_redivide(sherd_system *system, sherd_error *error);

// The same, but does not divide it for a while.
sherd_status sherd_regions_unite(sherd_system *system, sherd_error *error);

// Beside points: whether something of the first region is far enough from them to be in another. That is looked at now
// and then, so that what moves about at the border does not change sides all the time.
sherd_status sherd_regions_would_leave(sherd_system *system, bool *leave, sherd_error *error);

sherd_element_index sherd_regions_asleep(const sherd_system *system); // elements, divided or not

// As the section "regions" of a record; none where the system is not divided.
sherd_status sherd_regions_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error);
sherd_status sherd_regions_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error);
