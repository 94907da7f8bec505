// Number of contacts that pressed on each element in the last pass (coordination number). It
// reduces the dashpots' coefficients (contact_respond.h).
//
// The counts follow from the lists and are not saved. Code that replaces lists without a search
// counts them again (sherd_contacts_recount).
#pragma once

#include "points/points.h"

#include <sherd/error.h>

typedef struct sherd_contact_count {
    uint8_t *last; // by element: contacts in the last pass, at most 255; owned (n)
    uint8_t *now;  // in the current pass; owned (n)
} sherd_contact_count;

// Zero-filled counts are valid. May be called again.
sherd_status sherd_contact_count_init(sherd_contact_count *counts, sherd_element_index count,
                                      sherd_error *error);
void sherd_contact_count_free(sherd_contact_count *counts);

// Ends the current pass.
void sherd_contact_count_finish(sherd_contact_count *counts);

// An element with more than 255 contacts is so much larger than the others that 255 is enough.
static inline void sherd_contact_count_add(uint8_t *count, int more)
{
    int sum = *count + more;
    *count = (uint8_t)(sum < UINT8_MAX ? sum : UINT8_MAX);
}
