// What a sherd_contact_trial holds. Contacts themselves are read only until a step is accepted:
// abandoning one changes nothing.
//
//   places       where elements and obstacles were at the start of the step, or are now
//   candidates   what may touch: found by search, or remembered by explicit contact
//   records      those of them that touched at the start, or in some evaluation of this step
#pragma once

#include "contact/contact_system.h"
#include "contact/implicit/contact_trial.h"
#include "laws/contact/contact_potential.h"

enum { SHERD_TRIAL_COLUMNS = 10 };

// Elements and obstacles at one time.
typedef struct sherd_trial_place {
    const double *px, *py, *pz; // (n) [m]
    const sherd_obstacle *obstacles;
} sherd_trial_place;

// A contact is known by its node i and a number of what i touches: an obstacle, or behind those the
// element j > i. Points of bodies have a table of their own.
typedef struct sherd_trial_candidate {
    sherd_element_index i;
    int32_t other;  // obstacle, or obstacle count + j
    int32_t record; // -1 = none
    uint8_t active; // in the present evaluation
} sherd_trial_candidate;

// A candidate of a gathered element, which is list[which].
typedef struct sherd_trial_near {
    int32_t which;
    uint32_t candidate;
} sherd_trial_near;

typedef struct sherd_trial_geometry {
    double overlap;          // negative: a gap [m]
    sherd_vec3 normal;       // towards i
    sherd_vec3 arm_i, arm_j; // from the centres to the point of contact [m]
} sherd_trial_geometry;

typedef struct sherd_trial_record {
    int32_t i;        // element, or free obstacle when `body_contact` >= 0
    int32_t j;        // element, or -1
    int32_t obstacle; // other side, or -1
    int32_t body_contact, point;
    bool touched;       // at the start
    bool loose;         // an element that hardly any bond holds
    double restitution; // of what a collision throws back as a whole, 0 of what does not
    contact_potential law;
    sherd_vec3 spring; // xi_n [m]

    // Kept while a minimum is sought:
    sherd_trial_geometry kept;
    double normal_force; // N that caps friction [N]

    // Of the last evaluation:
    sherd_trial_geometry now;
    contact_push push;
    contact_slip slip;
    double pressed;                // s [m]
    sherd_vec3 slid, stretch;      // u; y = P (xi_n + u) [m]
    sherd_vec3 force;              // on i [N]
    sherd_vec3 torque_i, torque_j; // about the centres [N m]
    double impact;                 // rho c v_n if newly touching [Pa]
    double impact_in;              // after begin, as they move now [s]
    double rebound;                // speed, if newly touching [m/s]
} sherd_trial_record;

// How one side of a contact has moved over the step.
typedef struct sherd_trial_motion {
    sherd_vec3 centre;      // now: what arms start from [m]
    sherd_vec3 shift, turn; // since the start [m], [rad]
} sherd_trial_motion;

typedef struct sherd_trial_load {
    sherd_vec3 force, torque; // about the side's centre
} sherd_trial_load;

// Pairs of a search, as numbers in whose order they are.
typedef struct sherd_trial_keys {
    uint64_t *list;
    size_t count, capacity;
} sherd_trial_keys;

struct sherd_contact_trial {
    sherd_contacts *contacts;
    int obstacle_count;
    sherd_obstacle
        *obstacles; // as the step would leave them; own slack and lists, all else is shared
    int body_count;
    int *bodies;               // obstacle of each free body
    int32_t *body_of;          // by obstacle, -1 = not free
    sherd_trial_motion *sides; // of obstacles in this evaluation (obstacles)
    sherd_trial_load *loads;   // on obstacles (obstacles)
    int32_t **point_record;    // by body contact, by point; -1 = none
    double *path;              // by body contact: relative_path of this evaluation [m]
    int body_contact_count;

    // The step.
    bool ready; // what depends on the number of elements is there
    bool open, evaluated;
    double dt, reach, barrier;
    sherd_bond_adjacency bonds;
    bool bonded; // `bonds` is given

    // Elements at the start (n).
    sherd_element_index count;
    double *start[SHERD_TRIAL_COLUMNS]; // px py pz, qx qy qz qw, vx vy vz

    // Search.
    bool searched;
    sherd_verlet_skin margins; // of pairs
    double least_margin;       // [m]
    sherd_pair_search search;
    sherd_trial_keys pairs;               // found
    uint8_t *broken;                      // state of bonds when pairs were searched for
    size_t broken_count, broken_capacity; //
    double *seen_x, *seen_y, *seen_z; // where elements were when obstacles were searched for (n)
    sherd_bounds seen_in;
    void *chunks; // scratch
    size_t chunk_capacity;

    sherd_trial_keys keys; // scratch
    sherd_trial_candidate *candidates;
    size_t candidate_count, candidate_capacity;
    sherd_trial_record *records;
    size_t record_count, record_capacity, started_count;
    int32_t *active; // records to evaluate, in order of i
    size_t active_count, active_capacity;
    sherd_contact_spring *springs;
    size_t spring_capacity;

    // Of gathered elements, in order of `which`.
    sherd_trial_near *near;
    size_t near_count, near_capacity;
};

// ---------------------------------------------------------------- contact_trial_search.c

// What depends on the number of elements.
sherd_status sherd_trial_search_init(sherd_contact_trial *trial, const sherd_elements *elements,
                                     sherd_error *error);
// Makes sure that everything that can touch where elements are now is a candidate. How far an
// element is from its start goes to *farthest.
sherd_status sherd_trial_cover(sherd_contact_trial *trial, const sherd_elements *elements,
                               double *farthest, sherd_error *error);
// Joins what was found and what is recorded.
sherd_status sherd_trial_join(sherd_contact_trial *trial, sherd_error *error);
// Whether bonds broke or came back since pairs were searched for.
bool sherd_trial_bonds_changed(const sherd_contact_trial *trial);
void sherd_trial_search_free(sherd_contact_trial *trial);
size_t sherd_trial_search_bytes(const sherd_contact_trial *trial);

// ---------------------------------------------------------------- contact_trial_record.c

sherd_trial_place sherd_trial_start(const sherd_contact_trial *trial);
sherd_trial_place sherd_trial_now(const sherd_contact_trial *trial, const sherd_elements *e);

// A new record of something with this history. It counts once it was started: all records made since
// are, by sherd_trial_start_records. False = memory is short.
bool sherd_trial_record_element(sherd_contact_trial *trial, sherd_element_index i, int32_t other,
                                const sherd_contact_history *history);
bool sherd_trial_record_point(sherd_contact_trial *trial, int32_t body_contact, int32_t point,
                              const sherd_contact_history *history);
void sherd_trial_start_records(sherd_contact_trial *trial, const sherd_elements *elements);
// How many whole bonds hold an element, counted up to `most`; that where bonds are not known.
int sherd_trial_whole_bonds(const sherd_contact_trial *trial, sherd_element_index k, int most);
sherd_trial_geometry sherd_trial_geometry_of(const sherd_trial_record *record,
                                             const sherd_trial_place *place,
                                             const sherd_elements *elements);
// Takes everything that contacts remember at the start.
sherd_status sherd_trial_recall(sherd_contact_trial *trial, const sherd_elements *elements,
                                sherd_error *error);

// ---------------------------------------------------------------- contact_trial_evaluate.c

// Where obstacles are, and how they have moved.
void sherd_trial_place_obstacles(sherd_contact_trial *trial);
bool sherd_trial_overlaps(const sherd_contact_trial *trial, const sherd_elements *elements,
                          const sherd_trial_candidate *candidate);
// A record of something near that has none yet.
bool sherd_trial_record_candidate(sherd_contact_trial *trial, sherd_trial_candidate *candidate);
// Of a record, in the present state.
void sherd_trial_evaluate_record(const sherd_contact_trial *trial, const sherd_elements *elements,
                                 const sherd_trial_place *place, sherd_trial_record *record);
// How an element has moved since the start.
sherd_trial_motion sherd_trial_motion_of(const sherd_contact_trial *trial,
                                         const sherd_elements *elements, sherd_element_index k);
// Stiffness of friction where it was evaluated last.
typedef struct sherd_trial_slip {
    sherd_vec3 way;       // unit, in the tangent plane
    double along, across; // it [N/m]
} sherd_trial_slip;

sherd_trial_slip sherd_trial_slip_of(const sherd_trial_record *record);

static inline uint64_t trial_key(int32_t i, int32_t other)
{
    return (uint64_t)(uint32_t)i << 32 | (uint32_t)other;
}
