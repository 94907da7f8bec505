// Numbers of bonds without a class (bond_numbers.h), stored as runs of them take them: finding these anew took two thirds
// of a pass over bonds of random packings.
//
// A list of bonds is cut into runs of SHERD_MOMENT_RUN. Those of one law that have such a bond are stored, whole.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// Of a bond: all but damping and limits.
enum {
    SHERD_MOMENT_FIRST_SKIPPED = SHERD_CLASS_DAMPING,
    SHERD_MOMENT_SKIPPED = SHERD_CLASS_STRETCH - SHERD_CLASS_DAMPING,
    SHERD_MOMENT_NUMBERS = SHERD_SLOT_NUMBERS - SHERD_MOMENT_SKIPPED
};

typedef struct sherd_moment_numbers {
    size_t run_count, stored_count;
    int32_t *place; // of a run among those that are stored, -1: it is not; NULL: none is; owned
    double *number; // (stored runs x SHERD_MOMENT_NUMBERS x SHERD_MOMENT_RUN); owned
} sherd_moment_numbers;

// Of a list of bonds. False: short of memory.
bool sherd_moment_numbers_build(sherd_moment_numbers *numbers, const sherd_bonds *bonds,
                                const sherd_elements *elements, const int32_t *list, size_t count);
void sherd_moment_numbers_free(sherd_moment_numbers *numbers);
size_t sherd_moment_numbers_bytes(const sherd_moment_numbers *numbers);

// Those of the run that begins at `at` of the list; NULL: none does, or it is not stored.
static inline const double *sherd_moment_numbers_at(const sherd_moment_numbers *numbers, size_t at)
{
    if (numbers == NULL || numbers->place == NULL || at % SHERD_MOMENT_RUN != 0) return NULL;
    int32_t place = numbers->place[at / SHERD_MOMENT_RUN];
    return place < 0 ? NULL
                     : &numbers->number[(size_t)place * SHERD_MOMENT_NUMBERS * SHERD_MOMENT_RUN];
}
