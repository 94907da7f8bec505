// Forces of the contacts that touched in the last step, from their histories, for output tables
// (sherd/loads.h).
#pragma once

#include "contact/contact.h"

#include <sherd/loads.h>

// Zero-filled: an empty list.
typedef struct sherd_contact_forces {
    sherd_contact_force *list; // owned
    size_t count, capacity;
} sherd_contact_forces;

// Names of elements and obstacles in the list.
typedef struct sherd_contact_numbers {
    const sherd_element_index *member; // indices in the whole; NULL: the same
    const sherd_contacts *whole;       // the contacts of which these are a part; NULL: of none
    bool has_bodies;                   // the part has the free bodies
} sherd_contact_numbers;

// Appends the forces. False: out of memory.
bool sherd_contacts_list_forces(const sherd_contacts *contacts, const sherd_points *points,
                                const sherd_contact_numbers *numbers, sherd_contact_forces *to);
