// Stored constants of bonds without a class (bond_numbers.h), in the layout of runs: computing them
// in every pass took two thirds of the pass in random packings.
//
// The list of bonds is cut into runs of SHERD_MOMENT_RUN. A run is stored if its bonds have one law
// and one of them has no class.
#pragma once

#include "models/bonded/element_stress/moment_kernel.h"

// The constants of a bond, without damping and limits.
enum {
    SHERD_MOMENT_FIRST_SKIPPED = SHERD_CLASS_DAMPING,
    SHERD_MOMENT_SKIPPED = SHERD_CLASS_STRETCH - SHERD_CLASS_DAMPING,
    SHERD_MOMENT_NUMBERS = SHERD_SLOT_NUMBERS - SHERD_MOMENT_SKIPPED
};

typedef struct sherd_moment_numbers {
    size_t run_count, stored_count;
    int32_t *index; // by run: its index among the stored runs, or -1; NULL: none is stored; owned
    double *number; // (stored runs x SHERD_MOMENT_NUMBERS x SHERD_MOMENT_RUN); owned
} sherd_moment_numbers;

// Stores the constants for a list of bonds. Returns false if memory runs short.
bool sherd_moment_numbers_build(sherd_moment_numbers *numbers, const sherd_bonds *bonds,
                                const sherd_elements *elements, const int32_t *list, size_t count);
void sherd_moment_numbers_free(sherd_moment_numbers *numbers);
size_t sherd_moment_numbers_bytes(const sherd_moment_numbers *numbers);

// The constants of the run that begins at entry `at` of the list; NULL if no stored run begins
// there.
static inline const double *sherd_moment_numbers_at(const sherd_moment_numbers *numbers, size_t at)
{
    if (numbers == NULL || numbers->index == NULL || at % SHERD_MOMENT_RUN != 0) return NULL;
    int32_t index = numbers->index[at / SHERD_MOMENT_RUN];
    return index < 0 ? NULL
                     : &numbers->number[(size_t)index * SHERD_MOMENT_NUMBERS * SHERD_MOMENT_RUN];
}
