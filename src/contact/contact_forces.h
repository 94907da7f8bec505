// Forces of the contacts that touched in the last step, from their histories, for tables (sherd/loads.h).
#pragma once

#include "contact/contact.h"

#include <sherd/loads.h>

// All zero: none.
typedef struct sherd_contact_forces {
    sherd_contact_force *list; // owned
    size_t count, capacity;
} sherd_contact_forces;

// What elements and obstacles are called in what is told.
typedef struct sherd_contact_numbers {
    const sherd_element_index *member; // of the whole; NULL: they are the whole's
    const sherd_contacts *whole;       // the contacts that these are a part of; NULL: of none
    bool has_bodies;                   // the part has the free bodies
} sherd_contact_numbers;

// Adds them. False: short of memory.
bool sherd_contacts_list_forces(const sherd_contacts *contacts, const sherd_points *points,
                                const sherd_contact_numbers *numbers, sherd_contact_forces *to);
