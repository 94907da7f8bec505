// The members of sherd_contact_trial. The contacts themselves are only read until a step is
// accepted: abandoning one changes nothing.
//
//   poses        of elements and obstacles at the start of the step, or at present
//   candidates   pairs that may touch: found by search, or with a history of explicit contact
//   records      candidates that touched at the start, or in some evaluation of this step
#pragma once

#include "base/sort.h"
#include "contact/contact_system.h"
#include "contact/explicit/obstacle_distances.h"
#include "contact/implicit/contact_trial.h"
#include "laws/contact/contact_trial_law.h"

enum { SHERD_TRIAL_COLUMNS = 10 };

// Elements and obstacles at one time.
typedef struct sherd_trial_poses {
    const double *px, *py, *pz;      // (n) [m]
    const double *qx, *qy, *qz, *qw; // (n)
    const sherd_obstacle *obstacles;
} sherd_trial_poses;

// A contact is identified by its node i and the index of the other side: a contact location of an
// obstacle, which has one index per location (bodies/obstacle.h), or after all of those the element
// j > i. Points of bodies have a table of their own.
typedef struct sherd_trial_candidate {
    sherd_element_index i;
    int32_t other;  // index of an obstacle's location, or number of all locations + j
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
    int32_t other;    // like that of a candidate
    int32_t next;     // record of the same element and obstacle, all of which are linked in a ring
    // for an obstacle with several locations: approximate normal that identifies the location
    sherd_vec3 facing;
    sherd_smooth_patch patch; // of the surface at that location
    int32_t body_contact, point;
    bool touched;       // at the start of the step
    bool dangling;      // the element has at most one bond
    double restitution; // restitution of bodies that rebound as a whole, 0 for others
    contact_trial_law law;
    double rubs, rolls; // coefficients of friction of velocities (sherd_contact_trial_rub), else 0
    sherd_vec3 spring;  // xi_n [m]
    sherd_touch before; // how it touched in the last step
    bool slides;        // it touches by these faces, throughout the step
    double held;        // weight of the stiffness of friction, 1 for round elements
    sherd_crack_pair pair;

    // Lagged: constant during a minimisation:
    sherd_trial_geometry lagged;
    double normal_force; // N that limits friction [N]

    // Of the last evaluation:
    sherd_trial_geometry now;
    sherd_crack_contact crack; // if it slides by faces
    contact_potential_value potential;
    contact_slip slip;
    double pressed;                // s [m]
    sherd_vec3 slid, stretch;      // u; y = P (xi_n + u) [m]
    sherd_vec3 force;              // on i [N]
    sherd_vec3 torque_i, torque_j; // about the centres [N m]
    double impact;                 // rho c v_n if newly touching [Pa]
    double impact_in;              // time after begin, at present velocities [s]
    double rebound;                // speed, if newly touching [m/s]
} sherd_trial_record;

// Motion of one side of a contact over the step.
typedef struct sherd_trial_motion {
    sherd_vec3 centre;          // at present: origin of arms [m]
    sherd_vec3 shift, rotation; // since the start [m], [rad]
} sherd_trial_motion;

typedef struct sherd_trial_load {
    sherd_vec3 force, torque; // about the side's centre
} sherd_trial_load;

// Pairs of a search, packed into numbers by which they are sorted.
typedef struct sherd_trial_keys {
    uint64_t *list;
    size_t count, capacity;
} sherd_trial_keys;

// Histories of pairs for explicit contact.
typedef struct sherd_pair_histories {
    sherd_pair *pairs;
    uint8_t *state;
    sherd_contact_history *history;
    size_t count, pair_capacity, state_capacity, history_capacity;
} sherd_pair_histories;

// Rolling friction of a record (contact_trial_roll.c).
typedef struct sherd_trial_roll {
    sherd_rolling_law law; // without dashpot; arm 0: none
    sherd_vec3 spring;     // theta at the start [rad]
    // Of the last evaluation:
    sherd_vec3 turned, stretch; // by the step; P (theta + turned) [rad]
    contact_slip slip;          // per angle: [J], [N m], [N m/rad]
} sherd_trial_roll;

struct sherd_contact_trial {
    sherd_contacts *contacts;
    int obstacle_count;
    sherd_obstacle
        *obstacles; // at the trial end of the step; own slack and lists, all else is shared
    int body_count;
    int *bodies;      // obstacle index of each free body
    int32_t *body_of; // by obstacle, -1 = not free
    // by obstacle: index of its first location; the last entry is their number (obstacles + 1)
    int32_t *first_location;
    int32_t *obstacle_of;      // by location
    sherd_trial_motion *sides; // of obstacles in this evaluation (obstacles)
    sherd_trial_load *loads;   // on obstacles (obstacles)
    // of the evaluation that the step moved by, where that isn't at its end (obstacles)
    sherd_trial_load *mean_loads;
    bool has_mean;
    // upper bound of the change of distances by rotation, while steps are limited [m] (obstacles)
    double *rotation_reach;
    int32_t **point_record; // by body contact, by point: record, -1 = none
    double *path;           // by body contact: relative_path of this evaluation [m]
    int body_contact_count;

    // The step.
    bool ready; // arrays by element are allocated
    bool open, evaluated;
    bool slides_held; // sherd_contact_trial_hold_slides
    bool springs_only;
    double dt, reach, barrier;
    sherd_bond_adjacency bonds;
    bool bonded; // `bonds` is given

    // Elements at the start (n).
    sherd_element_index count;
    double *start[SHERD_TRIAL_COLUMNS]; // px py pz, qx qy qz qw, vx vy vz

    // Search.
    bool searched;
    sherd_verlet_skin margins; // of pairs
    double min_margin;         // [m]
    double *search_margin;     // at cracks (n); NULL until needed [m]
    sherd_pair_search search;
    sherd_trial_keys pairs;                 // found
    uint8_t *broken;                        // state of bonds when pairs were searched for
    size_t broken_count, broken_capacity;   //
    double *search_x, *search_y, *search_z; // positions at the last search for obstacles (n)
    sherd_bounds search_bounds;
    void *chunks; // scratch
    size_t chunk_capacity;

    sherd_trial_keys keys;   // scratch
    sherd_sort_pair *sorted; // scratch of sorting them
    size_t sorted_capacity;
    sherd_pair_histories histories; // scratch of accepting
    sherd_trial_candidate *candidates;
    size_t candidate_count, candidate_capacity;
    sherd_trial_record *records;
    size_t record_count, record_capacity, started_count;
    sherd_trial_roll *rolls; // of each record; NULL: nothing has rolling friction
    size_t roll_capacity;
    int32_t *active; // records to evaluate, sorted by i
    size_t active_count, active_capacity;
    sherd_contact_spring *springs;
    size_t spring_capacity;

    // Of gathered elements, sorted by `which`.
    sherd_trial_near *near;
    size_t near_count, near_capacity;
    sherd_trial_near *near_sorted; // scratch
    size_t *near_start;            // scratch
    size_t near_sorted_capacity, near_start_capacity;
};

// ---------------------------------------------------------------- contact_trial_search.c

// Allocates arrays by element.
sherd_status sherd_trial_search_init(sherd_contact_trial *trial, const sherd_points *points,
                                     sherd_error *error);
// Ensures that everything that can touch at the present positions is a candidate. *farthest is the
// largest displacement of an element from its start.
sherd_status sherd_trial_cover(sherd_contact_trial *trial, const sherd_points *points,
                               double *farthest, sherd_error *error);
// Merges found candidates with records.
sherd_status sherd_trial_join(sherd_contact_trial *trial, sherd_error *error);
// True if bonds broke or were restored since pairs were searched for.
bool sherd_trial_bonds_changed(const sherd_contact_trial *trial);
void sherd_trial_search_free(sherd_contact_trial *trial);
size_t sherd_trial_search_bytes(const sherd_contact_trial *trial);

// ---------------------------------------------------------------- contact_trial_record.c

sherd_trial_poses sherd_trial_start(const sherd_contact_trial *trial);
sherd_trial_poses sherd_trial_now(const sherd_contact_trial *trial, const sherd_points *e);

// Creates a record with this history. It is valid after sherd_trial_start_records, which
// initialises all records created since the last call. `sibling` is any record of the same element
// and obstacle, -1 = none, and `facing` its direction, for obstacles with several locations only.
// False = out of memory.
bool sherd_trial_record_element(sherd_contact_trial *trial, sherd_element_index i, int32_t other,
                                const sherd_contact_history *history, int32_t sibling,
                                sherd_vec3 facing);
bool sherd_trial_record_point(sherd_contact_trial *trial, int32_t body_contact, int32_t point,
                              const sherd_contact_history *history);
void sherd_trial_start_records(sherd_contact_trial *trial, const sherd_points *points);
// Number of intact bonds of an element, up to `max_count`; `max_count` where bonds are not known.
int sherd_trial_intact_bonds(const sherd_contact_trial *trial, sherd_element_index k,
                             int max_count);
sherd_trial_geometry sherd_trial_geometry_of(const sherd_contact_trial *trial,
                                             sherd_trial_record *record,
                                             const sherd_trial_poses *poses,
                                             const sherd_points *points);
// Takes all histories of explicit contact at the start of the step.
sherd_status sherd_trial_recall(sherd_contact_trial *trial, const sherd_points *points,
                                sherd_error *error);

// ---------------------------------------------------------------- contact_trial_evaluate.c

// Sets poses of obstacles, and their motion over the step.
void sherd_trial_pose_obstacles(sherd_contact_trial *trial);
// Largest overlap of new contacts [m]; 0: unlimited.
double sherd_trial_wall(const sherd_contact_trial *trial);
bool sherd_trial_overlaps(const sherd_contact_trial *trial, const sherd_points *points,
                          const sherd_trial_candidate *candidate);
// ---------------------------------------------------------------- contact_trial_faces.c

// The pair of crack faces by which two elements touch in this step, decided from their state at the
// start.
bool sherd_trial_slides(const sherd_contact_trial *trial, const sherd_points *points,
                        sherd_element_index i, sherd_element_index j, sherd_touch before,
                        sherd_crack_pair *pair, sherd_crack_contact *start);
// For a record whose elements may touch by faces: sets `slides`, and makes the overlap a rest
// overlap if it touched otherwise before.
void sherd_trial_choose_faces(const sherd_contact_trial *trial, const sherd_points *points,
                              sherd_trial_record *record);
sherd_crack_contact sherd_trial_crack(const sherd_crack_pair *pair, const sherd_trial_poses *poses,
                                      const sherd_points *points, sherd_element_index i,
                                      sherd_element_index j);
sherd_trial_geometry sherd_trial_face_geometry(const sherd_trial_poses *poses,
                                               const sherd_points *points,
                                               sherd_trial_record *record);
// ---------------------------------------------------------------- contact_trial_roll.c

// Makes room for as many as there are records. False: out of memory.
bool sherd_trial_reserve_rolls(sherd_contact_trial *trial);
// Parameters, and the spring at the start of the step, of a record that has been started.
void sherd_trial_start_roll(const sherd_contact_trial *trial, const sherd_points *points,
                            sherd_trial_record *record);
// Adds the couple to the record's torques, from the motions of both sides; `turns_j`: the rotation of j
// is unknown.
void sherd_trial_roll_on(const sherd_contact_trial *trial, sherd_trial_record *record,
                         const sherd_trial_motion *i, const sherd_trial_motion *j, bool turns_j);

// Stiffness of the couple along two axes in the tangent plane [N m/rad].
typedef struct sherd_trial_tangent {
    sherd_vec3 along_axis, across_axis;
    double along, across;
} sherd_trial_tangent;
sherd_trial_tangent sherd_trial_roll_tangent(const sherd_trial_record *record,
                                             const sherd_trial_roll *roll, bool above_all);

// The tangent as springs between two points: a spring at the end of an arm along e that resists displacement along
// n resists rotation about e x n. In pairs at +e and -e, many radii long, they resist hardly
// anything else.
enum { SHERD_TRIAL_ROLL_SPRINGS = 4 };
void sherd_trial_roll_springs(const sherd_contact_trial *trial, const sherd_points *points,
                              const sherd_trial_record *record,
                              const sherd_contact_spring *of_contact,
                              sherd_contact_spring springs[SHERD_TRIAL_ROLL_SPRINGS]);

// Energies of the accepted step: `stored` at its end, `slid` since its start.
void sherd_trial_roll_energy(const sherd_contact_trial *trial, const sherd_trial_record *record,
                             double *stored, double *slid);
// Stores the histories of an accepted step.
sherd_status sherd_trial_accept_rolls(sherd_contact_trial *trial, sherd_error *error);

static inline sherd_trial_roll *sherd_trial_roll_of(const sherd_contact_trial *trial,
                                                    const sherd_trial_record *record)
{
    return &trial->rolls[record - trial->records];
}

// Weight of the stiffness of friction. Faces that have only begun to touch get friction soon, too.
static inline double sherd_trial_friction_weight(const sherd_crack_contact *crack)
{
    return fmax(crack->weight, 0.05);
}
// Force and torques of the push: the derivative of the potential by poses of both elements.
void sherd_trial_push_faces(sherd_trial_record *record);

// Creates a record for a candidate that has none; none if another record already has its location.
// False = out of memory.
bool sherd_trial_record_candidate(sherd_contact_trial *trial, const sherd_points *points,
                                  sherd_trial_candidate *candidate);
// Evaluates a record in the present state.
void sherd_trial_evaluate_record(const sherd_contact_trial *trial, const sherd_points *points,
                                 const sherd_trial_poses *poses, sherd_trial_record *record);
// Motion of an element since the start of the step.
sherd_trial_motion sherd_trial_motion_of(const sherd_contact_trial *trial,
                                         const sherd_points *points, sherd_element_index k);
void sherd_pair_histories_free(sherd_pair_histories *histories);
size_t sherd_pair_histories_bytes(const sherd_pair_histories *histories);

// Stiffness of friction in the last evaluation.
typedef struct sherd_trial_slip {
    sherd_vec3 direction; // unit vector in the tangent plane
    double along, across; // parallel to it, and perpendicular [N/m]
} sherd_trial_slip;

// `above_all`: for all elements, not only dangling ones (sherd_contact_trial_hold_slides).
sherd_trial_slip sherd_trial_slip_of(const sherd_trial_record *record, bool above_all);

// ---------------------------------------------------------------- contact_trial_locations.c

// Total number of locations of all obstacles, and the obstacle of one of them; -1: an element.
static inline int32_t trial_location_count(const sherd_contact_trial *t)
{
    return t->first_location[t->obstacle_count];
}

static inline int32_t trial_obstacle_of(const sherd_contact_trial *t, int32_t other)
{
    return other < trial_location_count(t) ? t->obstacle_of[other] : -1;
}

static inline bool trial_has_locations(const sherd_contact_trial *t, int32_t other)
{
    int32_t obstacle = trial_obstacle_of(t, other);
    return obstacle >= 0 && t->obstacles[obstacle].location_count > 1;
}

bool sherd_trial_number_locations(sherd_contact_trial *trial); // false: out of memory
// The location that a record is for, with a gap if there is none in its direction.
sherd_near_point sherd_trial_location_of(const sherd_contact_trial *trial, const sherd_obstacle *o,
                                         sherd_trial_record *record, sherd_vec3 p, double radius);
// Any record of a candidate's element and obstacle; -1 if there is none.
int32_t sherd_trial_sibling(const sherd_contact_trial *trial,
                            const sherd_trial_candidate *candidate);
// The nearest location that the element overlaps and that no record is for. False: none.
bool sherd_trial_new_location(const sherd_contact_trial *trial, const sherd_points *points,
                              const sherd_trial_candidate *candidate, sherd_vec3 *facing);
// True if the previous candidate has the same element and obstacle and no record: one is created at
// a time.
bool sherd_trial_is_deferred(const sherd_contact_trial *trial,
                             const sherd_trial_candidate *candidate);

static inline uint64_t trial_key(int32_t i, int32_t other)
{
    return (uint64_t)(uint32_t)i << 32 | (uint32_t)other;
}
