// Bonds that break within an implicit step: found by its evaluation, marked, booked, or made whole again.
#pragma once

#include "stepping/implicit/implicit.h"
#include "stepping/implicit/overstress_step.h"
#include "stepping/system.h"

typedef struct sherd_break_list {
    sherd_broken *broken; // their time is not known before the step is accepted
    double *ratio;        // of stress to strength
    int64_t count, told;  // contacts have been told of the first `told`
    size_t capacity, ratio_capacity;
} sherd_break_list; // starts from zeros

void sherd_break_list_free(sherd_break_list *list);

// Stress over strength in the present state, the largest of the bonds that the stress of elements breaks; 0: there are
// none.
double sherd_find_element_stresses(sherd_system *system);

// Adds the bonds that the last evaluation, or the last call of that, found over their strengths and that reach `share`
// of the worst, but for those that soften. Of bonds that take time to break (overstress_step.h), those whose damage is 1
// at the end of the step; it stands for their ratio.
sherd_status sherd_list_overstressed(const sherd_system *system,
                                     const sherd_overstress_step *overstress, double share,
                                     sherd_break_list *list, sherd_error *error);

// Marks bonds [first, list->count) as broken, or as whole again.
sherd_status sherd_mark_broken(sherd_system *system, const sherd_break_list *list, int64_t first,
                               uint8_t broken, sherd_error *error);

// Tells contacts of those that they don't know of, before the step is made again without them: what their ends overlap
// at its start is at rest.
void sherd_tell_breaks(sherd_system *system, sherd_break_list *list);
// None of them broke after all.
sherd_status sherd_take_back_breaks(sherd_system *system, sherd_break_list *list,
                                    sherd_error *error);

// Their breaks are final: their energy is dissipated, contact between their ends begins, and they are logged with
// the time of the step's end.
sherd_status sherd_book_breaks(sherd_system *system, sherd_break_list *list, double time,
                               sherd_error *error);
