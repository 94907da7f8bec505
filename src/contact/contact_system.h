// What a contact system holds. Private to src/contact.
#pragma once

#include "contact/contact.h"
#include "contact/obstacle.h"
#include "contact/pair_contact.h"

typedef struct sherd_motion_chunk {
    sherd_vec3 sum;         // of displacements [m]
    double speed2, spread2; // largest squares [m^2/s^2], [m^2]
} sherd_motion_chunk;

typedef struct sherd_contact_accounts {
    double stored, damped, slid, work; // [J]
} sherd_contact_accounts;

struct sherd_contacts {
    int material_count;
    sherd_contact_material *materials; // (materials)
    sherd_contact_pairing *pairings;   // (materials x materials)
    double largest_modulus;            // [Pa]
    double skin;                       // [m]
    sherd_parallel parallel;
    int obstacle_count;
    size_t obstacle_capacity;
    sherd_obstacle *obstacles;

    sherd_element_index element_count;
    double *reference; // positions at the last search [m] (n x 3)
    bool searched;     // at least once
    double step_dt;    // of the present step [s]
    sherd_pair_search search;
    sherd_pair_list pairs;
    sherd_pair *broken; // pairs whose bond broke since the last prepare
    size_t broken_count, broken_capacity;
    bool out_of_memory;

    sherd_contact_accounts accounts;
    int64_t touching;
    sherd_contact_sums *chunk_sums;
    size_t chunk_capacity;
    sherd_motion_chunk *motion_chunks;
};
