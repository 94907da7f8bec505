// Contacts that pressed on each element in the last pass (coordination numbers). Dashpots are
// weakened by it (contact_respond.h).
//
// Counts follow from the lists, so that they need not be saved; code that replaces lists
// otherwise than by a search counts them again (sherd_contacts_recount).
#pragma once

#include "points/points.h"

#include <sherd/error.h>

typedef struct sherd_contact_count {
    uint8_t *last; // by element: its contacts in the last pass, at most 255; owned (n)
    uint8_t *now;  // in the pass that is under way; owned (n)
} sherd_contact_count;

// Zero-filled counts are valid. May be called again.
sherd_status sherd_contact_count_init(sherd_contact_count *counts, sherd_element_index count,
                                      sherd_error *error);
void sherd_contact_count_free(sherd_contact_count *counts);

// The pass is over.
void sherd_contact_count_finish(sherd_contact_count *counts);

// An element with more than 255 contacts is so much larger than the others that 255 is enough.
static inline void sherd_contact_count_add(uint8_t *count, int more)
{
    int sum = *count + more;
    *count = (uint8_t)(sum < UINT8_MAX ? sum : UINT8_MAX);
}
