// The members of sherd_contacts.
#pragma once

#include "contact/contact.h"
#include "contact/contact_count.h"
#include "contact/displacement_tracking.h"
#include "contact/explicit/body_contact.h"
#include "contact/explicit/obstacle_contact.h"
#include "contact/explicit/pair_contact.h"
#include "contact/rolling.h"
#include "contact/sleeping_bodies.h"
#include "neighbors/verlet_skin.h"

struct sherd_contacts {
    // Fixed after creation.
    int material_count;
    sherd_contact_material *materials;
    sherd_contact_pairing *pairings; // (materials x materials)
    double skin;                     // [m]
    sherd_parallel parallel;
    const sherd_crack_faces *faces; // borrowed; NULL: none

    int obstacle_count;
    size_t obstacle_capacity;
    sherd_obstacle *obstacles;

    // Fixed by the first prepare.
    bool begun;
    sherd_element_index element_count;
    int body_contact_count;
    sherd_body_contact *body_contacts; // every free body with every other obstacle
    double element_eigenvalue;         // stiffness / mass limit of free bodies [1/s^2]

    // Search: positions of elements when pairs were listed, and when obstacles were last searched
    // for.
    sherd_verlet_skin margins;
    double *search_x, *search_y, *search_z; // (n) [m]
    sherd_bounds search_bounds;             // their bounds [m]
    sherd_displacement_tracker tracker;
    bool searched;                   // the list of pairs exists
    bool fresh;                      // no force was evaluated yet
    const sherd_pair_kernel *kernel; // NULL: the default; tests set another
    sherd_pair_search search;
    sherd_pair_list list;
    sherd_bond_adjacency bonds; // at the last prepare
    bool bonded;                // `bonds` was given
    sherd_pair *broken;         // bonds that broke since the last prepare
    size_t broken_count, broken_capacity;
    bool broken_failed;             // out of memory while recording them
    bool lists_changed;             // elements near sleepers or obstacles were listed again
    const sherd_sleepers *sleepers; // borrowed; NULL = none

    // Scratch.
    double *reach; // margins, plus the extra reach of elements at cracks (n); NULL until needed
    sherd_element_index *late; // neighbor_update.c
    size_t late_count, late_capacity;
    sherd_pair_workspace workspace;
    sherd_obstacle_sums *obstacle_sums;
    size_t obstacle_sums_capacity;

    sherd_contact_count counts;
    sherd_rolling rolling;

    // Accounts.
    double stored;                    // of the last evaluation [J]
    double pending;                   // part of `onset` that is stored at present [J]
    double damped, slid, onset, work; // since the start [J]
    double noted; // in a part: sum of weights of recorded loads (contact_part.h)
    int64_t touching;
};

// Allocates the arrays by element. After that no obstacle can be added.
sherd_status sherd_contacts_begin(sherd_contacts *contacts, sherd_element_index element_count,
                                  sherd_error *error);

// Search distance beyond the radius of each element [m]; NULL: out of memory.
const double *sherd_contacts_search_margins(sherd_contacts *contacts, const sherd_points *points);

// Contact parameters of free bodies with other obstacles.
sherd_body_contact_law sherd_contacts_body_law(const sherd_contacts *contacts);

// Counts the contacts of each element from the lists.
void sherd_contacts_recount(sherd_contacts *contacts);
