// Contacts of some of a world's elements, as contacts of their own (stepping/regions/regions.h).
//
// A part has all obstacles but free bodies; these are in one of the parts only. Each part moves its images of
// the driven ones; loads on obstacles and energies of all parts add up to the whole's. The caller ensures that nothing
// of one part touches anything of another.
#pragma once

#include "bodies/obstacle.h"
#include "contact/contact.h"

typedef struct sherd_contact_members {
    sherd_element_index count;
    const sherd_element_index *member; // ascending (count)
    const sherd_element_index *local;  // by element of the whole: its number among them, or -1
    bool has_bodies;                   // free bodies are in this part
    bool awake;                        // nothing in it falls asleep
} sherd_contact_members;

// Without any state; NULL on failure.
sherd_contacts *sherd_contacts_make_part(const sherd_contacts *whole,
                                         const sherd_contact_members *members, sherd_error *error);

// Takes over the histories of the members' contacts, and the state of obstacles. Pairs are listed again by the
// next prepare. Accounts stay with the whole.
sherd_status sherd_contacts_fetch(sherd_contacts *part, const sherd_contacts *whole,
                                  const sherd_contact_members *members, sherd_error *error);

typedef struct sherd_contact_part {
    sherd_contacts *contacts;
    sherd_contact_members members;
} sherd_contact_part;

// Obstacles as they are, the loads on them and energies that are stored: sums over parts. Accounts move to the
// whole.
void sherd_contacts_sum_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count);
// Adds those of more parts.
void sherd_contacts_add_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count);

// Mean loads on obstacles of several steps: noted with a weight after each step of a part; their means over all
// that was noted, summed over parts, become the whole's mean loads. Noted ones are forgotten then.
void sherd_contacts_note_loads(sherd_contacts *part, double weight);
void sherd_contacts_forget_loads(sherd_contacts *part);
void sherd_contacts_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts, int count);
// The same, and means over all that was noted for the whole itself, which is forgotten, too.
void sherd_contacts_add_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count);

// Returns histories to the whole, which lists pairs again in its next prepare.
sherd_status sherd_contacts_return(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count, sherd_error *error);

// The part's image of an obstacle of the whole; NULL: it has none.
sherd_obstacle *sherd_contacts_image(const sherd_contact_part *part, const sherd_contacts *whole,
                                     int obstacle);

// Bounds of free bodies: each one's centre and radius. Writes at most `most`, returns how many.
typedef struct sherd_body_bound {
    sherd_vec3 centre;    // [m]
    double radius, speed; // [m], of the fastest point at most [m/s]
} sherd_body_bound;

int sherd_contacts_bound_bodies(const sherd_contacts *contacts, sherd_body_bound *bounds, int most);
// Largest speed of any of their points now [m/s].
double sherd_contacts_fastest_body(const sherd_contacts *contacts);
