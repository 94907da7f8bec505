// Contact between elements, and between elements and obstacles. [BDEM21] (20)-(27),
// docs/theory/physics.md
//
// broad phase      sorted cells; search is repeated only after something moved beyond its margin
//   element pairs    linear repulsion k_r, restitution dashpot, tangential friction spring
//   obstacles        the same against a signed distance; fixed, driven or free rigid bodies
//
// One force evaluation:  contact_prepare (search if needed) -> contact_apply (adds F, T).
// All results are bitwise independent of the number of threads.
#pragma once

#include "base/parallel.h"
#include "base/record.h"
#include "bodies/load_range.h"
#include "laws/contact/contact_law.h"
#include "neighbors/pair_search.h"
#include "points/points.h"

#include <sherd/energy.h>
#include <sherd/obstacle.h>

typedef struct sherd_contacts sherd_contacts;

typedef struct sherd_contact_def {
    int material_count;
    const sherd_contact_material *materials; // by element material index; copied
    double skin;                             // search margin [m]
    sherd_parallel parallel;
} sherd_contact_def;

sherd_contacts *sherd_contacts_create(const sherd_contact_def *def, sherd_error *error);
void sherd_contacts_destroy(sherd_contacts *contacts);

// Borrows the faces of pre-cracks (crack_faces.h) for as long as the contacts live, before the
// first prepare.
struct sherd_crack_faces;
void sherd_contacts_set_faces(sherd_contacts *contacts, const struct sherd_crack_faces *faces);

// Obstacles are added before the first prepare. Index from 0, in order; -1 on failure.
int sherd_contacts_add_obstacle(sherd_contacts *contacts, const sherd_obstacle_def *def,
                                sherd_error *error);
// Multiplies the masses of free bodies by a factor, at the same velocities; before the first step.
void sherd_contacts_scale_mass(sherd_contacts *contacts, double factor);
int sherd_contacts_obstacle_count(const sherd_contacts *contacts);
const char *sherd_contacts_obstacle_name(const sherd_contacts *contacts, int obstacle);
sherd_pose sherd_contacts_obstacle_pose(const sherd_contacts *contacts, int obstacle);

// Updates `hash` (base/hash.h) with the poses and motions of free bodies.
uint64_t sherd_contacts_hash_bodies(const sherd_contacts *contacts, uint64_t hash);

// Force and torque (about the position of the pose) that elements and free bodies exert on an
// obstacle in the last sherd_contacts_apply.
void sherd_contacts_obstacle_load(const sherd_contacts *contacts, int obstacle, sherd_vec3 *force,
                                  sherd_vec3 *torque);

// The same averaged over the last step, or over the last span of regions (contact_part.h), with the
// largest deviations of the load above and below the mean.
sherd_load sherd_contacts_obstacle_mean_load(const sherd_contacts *contacts, int obstacle,
                                             sherd_load_swing *swing);

// Moves obstacles to `time`: driven ones by their prescribed motion, free ones by velocity Verlet
// with the loads of the last apply (half kick, drift). The second half kick of free bodies happens
// at the end of sherd_contacts_apply. Adds the work of driven obstacles to the energy account.
void sherd_contacts_move_obstacles(sherd_contacts *contacts, double time, double dt,
                                   sherd_vec3 gravity);

// Reports broken bonds to the contacts: the pairs become contacts at the next prepare. The overlap
// at that moment becomes the rest overlap, so that the contact force starts from zero; it is
// removed as the pair separates.
void sherd_contacts_bonds_broke(sherd_contacts *contacts, const sherd_element_index *i,
                                const sherd_element_index *j, int64_t count);
// Withdraws the last `count` reported bonds: they did not break.
void sherd_contacts_bonds_restored(sherd_contacts *contacts, int64_t count);

// Upper bounds of the displacements of awake elements since the last prepare, one bound for each
// run of `length` elements, relative to a frame that moves with velocity sherd_contacts_drift.
typedef struct sherd_contact_moves {
    const double *farthest; // NULL: unknown [m]
    size_t length;
} sherd_contact_moves;

sherd_vec3 sherd_contacts_drift(const sherd_contacts *contacts); // [m/s]

// Reports such displacement bounds. `farthest` is borrowed until the next prepare. Without this
// call the next prepare measures all displacements.
void sherd_contacts_moved(sherd_contacts *contacts, const sherd_contact_moves *moves);

// Searches for neighbours if anything has moved beyond its margin since the last search
// (verlet_skin.h, neighbor_update.h). The initial overlap of a pair becomes its rest overlap,
// unless the pair flew into each other within a step.
sherd_status sherd_contacts_prepare(sherd_contacts *contacts, const sherd_points *points,
                                    const sherd_bond_adjacency *bonds, sherd_error *error);

// Adds contact forces and torques to points->f*, t*, and advances friction springs by dt. dt = 0
// evaluates forces without advancing springs (first evaluation of a run).
void sherd_contacts_apply(sherd_contacts *contacts, sherd_points *points, double dt,
                          sherd_vec3 gravity);

// Energy stored at present, and totals since the start [J]. dissipated_contact and
// dissipated_friction are those of sherd_energy. `onset` is energy that contacts absorbed
// (negative: released) as they began and ended within explicit steps. `work` is that of driven
// obstacles; the rigid energies are those of free obstacles.
typedef struct sherd_contact_energy {
    double stored, dissipated_damping, dissipated_friction, onset, work;
    double rigid_kinetic, rigid_gravity; // gravity potential relative to the start
    sherd_vec3 rigid_momentum, rigid_angular_momentum;
} sherd_contact_energy;
sherd_contact_energy sherd_contacts_energy(const sherd_contacts *contacts, sherd_vec3 gravity);

// Kinetic energy that free bodies at rest would gain from half a kick dt/2 by their present loads:
// dt^2/8 (F^2/m + T.I^-1 T), gravity included [J].
double sherd_contacts_kick_energy(const sherd_contacts *contacts, double dt, sherd_vec3 gravity);

// Upper bound of the stiffness over mass that contacts can add for any element [1/s^2], for the
// bound of the time step: the largest eigenvalue for an element in a dense packing of equal
// elements, or on an obstacle.
double sherd_contacts_max_eigenvalue(const sherd_contacts *contacts, const sherd_points *points);

// ---------------------------------------------------------------- sleeping bodies

typedef struct sherd_sleeper sherd_sleeper;   // contact/sleeping_bodies.h
typedef struct sherd_sleepers sherd_sleepers; // contact/sleeping_bodies.h

// Borrows the list of sleeping bodies for as long as the contacts live; NULL = none. Their `centre`
// must be up to date whenever contacts are prepared.
void sherd_contacts_set_sleepers(sherd_contacts *contacts, const sherd_sleepers *sleepers);

// Wakes a sleeper: the next prepare measures its elements, too. It lists all pairs again if the
// sleeper was left out of the search.
void sherd_contacts_woke(sherd_contacts *contacts, const sherd_sleeper *sleeper);

// True if elements near sleepers or obstacles were listed again since the last call.
bool sherd_contacts_take_changed(sherd_contacts *contacts);

// Marks groups of elements whose list of candidates has an element of another group, an obstacle or
// a touching pair of the same group. `group` is by element, -1 = none.
void sherd_contacts_mark_near(const sherd_contacts *contacts, const int32_t *group, uint8_t *near);
// True if no element is listed near an obstacle and no pair touches.
bool sherd_contacts_nothing_near(const sherd_contacts *contacts);

// Upper bound of the rebound speed of free bodies that press on something, from their motion and
// the energy stored in springs. Obstacles have their present poses and velocities [m/s].
double sherd_contacts_fastest_rebound(const sherd_contacts *contacts);

// The same for sleepers of the list above, by index. A sleeper is not disturbed by itself, by other
// sleepers or by fixed obstacles.
void sherd_contacts_mark_disturbed(const sherd_contacts *contacts, uint8_t *near);

// Joins groups that have candidate pairs with each other into islands. `island` is by group, which
// is the index of an element, and starts as its own. Marks groups near an obstacle that may move.
void sherd_contacts_join_islands(const sherd_contacts *contacts, const int32_t *group,
                                 int32_t *island, uint8_t *near_moving);

// Makes the present positions of a sleeper's elements the reference of its displacement bounds.
void sherd_contacts_see_sleeper(const sherd_contacts *contacts, const sherd_points *points,
                                sherd_sleeper *sleeper);

// Widens `displacements` by all that the sleeper's elements may have moved since the last search
// for obstacles. True if one of them may be beyond its margin.
bool sherd_contacts_bound_sleeper(const sherd_contacts *contacts, const sherd_sleeper *sleeper,
                                  sherd_bounds *displacements);

// ---------------------------------------------------------------- queries

int64_t sherd_contacts_candidate_count(const sherd_contacts *contacts); // pairs in the list
int64_t sherd_contacts_active_count(const sherd_contacts *contacts);    // pairs that touch
size_t sherd_contacts_bytes(const sherd_contacts *contacts);

// The whole changing state, as the section "contacts" of a record. A restored run continues bit for
// bit (candidate list, histories, positions at the last search, rigid bodies, energy accounts).
sherd_status sherd_contacts_save(const sherd_contacts *contacts, sherd_byte_buffer *out,
                                 sherd_error *error);
sherd_status sherd_contacts_restore(sherd_contacts *contacts, sherd_record_reader *in,
                                    sherd_error *error);
