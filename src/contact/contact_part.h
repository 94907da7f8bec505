// Contacts of a subset of a world's elements, as a contact system of its own
// (stepping/regions/regions.h).
//
// Every part has copies of all obstacles except free bodies, which belong to one part only. Each
// part moves its copies of driven obstacles. Loads on obstacles and energies of all parts add up to
// those of the whole. The caller ensures that nothing of one part touches anything of another.
#pragma once

#include "bodies/obstacle.h"
#include "contact/contact.h"

typedef struct sherd_contact_members {
    sherd_element_index count;
    const sherd_element_index *member; // ascending (count)
    const sherd_element_index *local;  // by element of the whole: local index, or -1
    bool has_bodies;                   // this part has the free bodies
    bool awake;                        // nothing in it falls asleep
} sherd_contact_members;

// Creates a part without state; NULL on failure.
sherd_contacts *sherd_contacts_make_part(const sherd_contacts *whole,
                                         const sherd_contact_members *members, sherd_error *error);

// Takes over the contact histories of the members and the state of obstacles. The next prepare
// lists pairs again. Energy accounts stay with the whole.
sherd_status sherd_contacts_fetch(sherd_contacts *part, const sherd_contacts *whole,
                                  const sherd_contact_members *members, sherd_error *error);

typedef struct sherd_contact_part {
    sherd_contacts *contacts;
    sherd_contact_members members;
} sherd_contact_part;

// Returns poses of obstacles, the loads on them and stored energies, summed over parts. The energy
// accounts are moved to the whole.
void sherd_contacts_sum_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count);
// Adds those of further parts.
void sherd_contacts_add_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count);

// Mean loads on obstacles over several steps. Each step of a part records its loads with a weight
// (note). Their averages, summed over parts, become the mean loads of the whole (mean). Then the
// records are cleared.
void sherd_contacts_note_loads(sherd_contacts *part, double weight);
void sherd_contacts_forget_loads(sherd_contacts *part);
void sherd_contacts_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts, int count);
// The same, together with the loads recorded for the whole itself, which are cleared, too.
void sherd_contacts_add_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count);

// Returns histories to the whole, which lists pairs again in its next prepare.
sherd_status sherd_contacts_return(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count, sherd_error *error);

// The part's copy of an obstacle of the whole; NULL if it has none.
sherd_obstacle *sherd_contacts_image(const sherd_contact_part *part, const sherd_contacts *whole,
                                     int obstacle);

// Bounding balls of free bodies. Writes at most `max_count`, returns the number written.
typedef struct sherd_body_bound {
    sherd_vec3 centre;    // [m]
    double radius, speed; // [m], upper bound of the speed of any point [m/s]
} sherd_body_bound;

int sherd_contacts_bound_bodies(const sherd_contacts *contacts, sherd_body_bound *bounds,
                                int max_count);
// Largest present speed of any point of free bodies [m/s].
double sherd_contacts_fastest_body(const sherd_contacts *contacts);
