// Displacements of elements since they were listed (verlet_skin.h) and since the last search for
// obstacles. Elements are split into parts. A part is measured again only when the displacements
// that its elements may have undergone could matter, so parts without fast splinters are rarely
// measured.
#pragma once

#include "contact/contact.h"

// Elements of a part are consecutive. Sleeping ones may be left out: bounds replace them.
typedef struct sherd_displacement_part {
    // bounds of positions, and of displacements since the last search for obstacles [m]
    sherd_bounds positions, range;
    double remaining; // smallest remaining margin; negative: an element is beyond its own [m]
    double since,
        // bounds of displacements since the measurement, in the margins' frame and in the world's
        // [m]
        since_search;
    int64_t lost; // an element whose position is not finite or too far away, or -1
} sherd_displacement_part;

typedef struct sherd_displacement_tracker {
    sherd_displacement_part *parts; // owned
    size_t count, capacity;
    size_t length;             // elements per part, except the last
    sherd_contact_moves moves; // reported since parts were last checked; borrowed
    int32_t *due;              // scratch; owned
    size_t due_capacity;
} sherd_displacement_tracker;

void sherd_displacement_free(sherd_displacement_tracker *tracker);

// Splits the elements into parts of `length`, none of which is measured.
sherd_status sherd_displacement_divide(sherd_displacement_tracker *tracker, size_t points,
                                       size_t length, sherd_error *error);

// Marks all parts as not measured.
void sherd_displacement_forget(sherd_displacement_tracker *tracker);
// Marks the part of one element as not measured.
void sherd_displacement_forget_element(sherd_displacement_tracker *tracker, sherd_element_index k);

// Adds the bounds reported for the last step to those of the parts.
sherd_status sherd_displacement_advance(sherd_contacts *contacts, sherd_error *error);

// Measures parts in which an element may be beyond its margin, parts that may have moved since they
// were measured, or all parts including sleepers. SHERD_ERROR_UNSTABLE: an element is lost.
sherd_status sherd_displacement_measure_due(sherd_contacts *contacts, const sherd_points *points,
                                            bool sleepers_skipped, sherd_error *error);
sherd_status sherd_displacement_measure_moved(sherd_contacts *contacts, const sherd_points *points,
                                              bool sleepers_skipped, sherd_error *error);
sherd_status sherd_displacement_measure_all(sherd_contacts *contacts, const sherd_points *points,
                                            sherd_error *error);

// True if an element was beyond its margin in the last measurement.
bool sherd_displacement_beyond(const sherd_displacement_tracker *tracker);
// Bounds of present displacements, and of positions when all that moved were measured.
sherd_bounds sherd_displacement_range(const sherd_displacement_tracker *tracker);
sherd_bounds sherd_displacement_positions(const sherd_displacement_tracker *tracker);
