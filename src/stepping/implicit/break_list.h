// Bonds that break within an implicit step: collected from its evaluations, marked, and booked or
// restored.
#pragma once

#include "stepping/implicit/implicit.h"
#include "stepping/system.h"

// Damage of bonds by overstress within an implicit step (laws/breakage/overstress.h): their
// stresses are interpolated linearly in time between the start and the end of the step.

typedef struct sherd_overstress_step {
    // stress over strength at the start of the step, 0 for bonds that break at once (bonds); owned
    double *start;
    int64_t over;        // number of these above 1
    double dt;           // of the tried step [s]
} sherd_overstress_step; // valid when zero-filled; kept from step to step

// Starts a step; memory is kept from step to step. Does nothing if all bonds break at once.
sherd_status sherd_overstress_begin(sherd_overstress_step *step, const sherd_system *system,
                                    sherd_error *error);

// Accepts the step: increases the damage of bonds that it has not broken.
void sherd_overstress_accept(const sherd_overstress_step *step, sherd_system *system);

void sherd_overstress_free(sherd_overstress_step *step);
size_t sherd_overstress_bytes(const sherd_overstress_step *step, int64_t bonds);

typedef struct sherd_break_list {
    sherd_broken *broken;    // their time is unknown before the step is accepted
    double *ratio;           // of stress to strength
    int64_t count, reported; // contacts know of the first `reported`
    size_t capacity, ratio_capacity;
} sherd_break_list; // valid when zero-filled

void sherd_break_list_free(sherd_break_list *list);

// Largest stress over strength in the present state of the bonds that break by the stress of
// elements; 0: there are none.
double sherd_find_element_stresses(sherd_system *system);

// Adds the bonds that exceeded their strengths in the last evaluation (or the last call of the
// function above) and reach `fraction` of the worst ratio, except softening ones. Of bonds that take
// time to break (sherd_overstress_step), adds those whose damage is 1 at the end of the step, which
// replaces the ratio.
sherd_status sherd_list_overstressed(const sherd_system *system,
                                     const sherd_overstress_step *overstress, double fraction,
                                     sherd_break_list *list, sherd_error *error);

// Marks bonds [first, list->count) as broken, or as intact again.
sherd_status sherd_mark_broken(sherd_system *system, const sherd_break_list *list, int64_t first,
                               uint8_t broken, sherd_error *error);

// Reports the unreported ones to contacts before the step is repeated without them: the overlap of
// their ends at its start becomes rest overlap.
void sherd_report_breaks(sherd_system *system, sherd_break_list *list);
// Withdraws all: none of them broke.
sherd_status sherd_undo_breaks(sherd_system *system, sherd_break_list *list, sherd_error *error);

// Makes their breaks final: their energy is dissipated, contact between their ends begins, and they
// are logged with the time of the step's end.
sherd_status sherd_account_breaks(sherd_system *system, sherd_break_list *list, double time,
                                  sherd_error *error);
