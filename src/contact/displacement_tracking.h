// How far elements are from where they were listed (verlet_skin.h) and from where obstacles saw them, part by
// part: a part is measured anew only when what its elements may have moved since could matter. Those that
// fast splinters are not among are seldom measured.
#pragma once

#include "contact/contact.h"

// Elements of a part follow each other. Those that sleep may be left out: bounds stand for them.
typedef struct sherd_displacement_part {
    sherd_bounds positions, range; // and displacements since obstacles were searched for [m]
    double left;                   // least of a margin that is left; below 0: one is beyond it [m]
    double since,
        since_seen; // most that any moved since, in the margins' frame and the world's [m]
    int64_t lost;   // an element whose position is no usable number, or -1
} sherd_displacement_part;

typedef struct sherd_displacement_tracker {
    sherd_displacement_part *parts; // owned
    size_t count, capacity;
    size_t length;             // elements of all but the last
    sherd_contact_moves moves; // told since parts were asked last; borrowed
    int32_t *due;              // scratch; owned
    size_t due_capacity;
} sherd_displacement_tracker;

void sherd_displacement_free(sherd_displacement_tracker *tracker);

// Into parts of `length` elements, none of which is measured.
sherd_status sherd_displacement_divide(sherd_displacement_tracker *tracker, size_t elements,
                                       size_t length, sherd_error *error);

// All parts count as not measured.
void sherd_displacement_forget(sherd_displacement_tracker *tracker);
// The same of the part that an element is in.
void sherd_displacement_forget_element(sherd_displacement_tracker *tracker, sherd_element_index k);

// Adds what was told of the last step to what parts may have moved.
sherd_status sherd_displacement_advance(sherd_contacts *contacts, sherd_error *error);

// Measures parts in which an element may be beyond its margin; parts that may have moved since they were
// measured; all, sleepers too. SHERD_ERROR_UNSTABLE: an element is lost.
sherd_status sherd_displacement_measure_due(sherd_contacts *contacts,
                                            const sherd_elements *elements, bool sleepers_skipped,
                                            sherd_error *error);
sherd_status sherd_displacement_measure_moved(sherd_contacts *contacts,
                                              const sherd_elements *elements, bool sleepers_skipped,
                                              sherd_error *error);
sherd_status sherd_displacement_measure_all(sherd_contacts *contacts,
                                            const sherd_elements *elements, sherd_error *error);

// Of parts as they were measured: whether an element is beyond its margin.
bool sherd_displacement_beyond(const sherd_displacement_tracker *tracker);
// Bounds of displacements now, and of positions when all that moved were measured.
sherd_bounds sherd_displacement_range(const sherd_displacement_tracker *tracker);
sherd_bounds sherd_displacement_positions(const sherd_displacement_tracker *tracker);
