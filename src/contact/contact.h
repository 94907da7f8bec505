// Contact between elements, and between elements and obstacles.     [BDEM21] (20)-(27), docs/theory/physics.md
//
//   broad phase      sorted cells; searched again only after something moved beyond its margin
//   element pairs    linear repulsion k_r, restitution dashpot, tangential friction spring
//   obstacles        the same against a signed distance; fixed, driven or free rigid bodies
//
// One force evaluation:  contact_prepare (search if needed) -> contact_apply (adds F, T).
// All results are bitwise independent of the number of threads.
#pragma once

#include "base/parallel.h"
#include "base/record.h"
#include "bodies/load_range.h"
#include "laws/contact/contact_tables.h"
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

// Borrows the faces of pre-cracks (crack_faces.h) for as long as the contacts live, before the first prepare.
struct sherd_crack_faces;
void sherd_contacts_set_faces(sherd_contacts *contacts, const struct sherd_crack_faces *faces);

// Obstacles are added before the first prepare. Index from 0, in order; -1 on failure.
int sherd_contacts_add_obstacle(sherd_contacts *contacts, const sherd_obstacle_def *def,
                                sherd_error *error);
// Free bodies get so many times their mass, at the same velocities; before the first step.
void sherd_contacts_scale_mass(sherd_contacts *contacts, double factor);
int sherd_contacts_obstacle_count(const sherd_contacts *contacts);
const char *sherd_contacts_obstacle_name(const sherd_contacts *contacts, int obstacle);
sherd_pose sherd_contacts_obstacle_pose(const sherd_contacts *contacts, int obstacle);

// Force and torque (about the pose position) that elements and free bodies exert on an obstacle, of
// the last sherd_contacts_apply.
void sherd_contacts_obstacle_load(const sherd_contacts *contacts, int obstacle, sherd_vec3 *force,
                                  sherd_vec3 *torque);

// The same over the last step, or over the last span of regions (contact_part.h): the mean, and how far the load went
// above and below it.
sherd_load sherd_contacts_obstacle_mean_load(const sherd_contacts *contacts, int obstacle,
                                             sherd_load_swing *swing);

// Brings obstacles to `time` (driven ones by their motion, free ones by velocity Verlet with the
// loads of the last apply: half kick, drift). Free bodies' second half kick happens at the end of
// sherd_contacts_apply. Adds the work of driven obstacles to the energy account.
void sherd_contacts_move_obstacles(sherd_contacts *contacts, double time, double dt,
                                   sherd_vec3 gravity);

// Tells the contacts that bonds broke: the pairs become contacts at the next prepare, and overlap they have at
// that moment is taken as rest, so that nothing is kicked; it is given up as the pair separates.
void sherd_contacts_bonds_broke(sherd_contacts *contacts, const sherd_element_index *i,
                                const sherd_element_index *j, int64_t count);
// Takes back the last `count` of them: they did not break.
void sherd_contacts_bonds_mended(sherd_contacts *contacts, int64_t count);

// Bounds of how far elements that are awake have moved since the last prepare, for `length` elements each, relative to
// a frame that moves with sherd_contacts_drift.
typedef struct sherd_contact_moves {
    const double *farthest; // NULL: unknown [m]
    size_t length;
} sherd_contact_moves;

sherd_vec3 sherd_contacts_drift(const sherd_contacts *contacts); // [m/s]

// Tells the contacts of such moves; `farthest` is borrowed until the next prepare, which without it measures all
// displacements.
void sherd_contacts_moved(sherd_contacts *contacts, const sherd_contact_moves *moves);

// Searches again if anything has moved beyond its margin since the last search (verlet_skin.h, neighbor_update.h). Pairs
// that overlap when first found, other than by flying into each other within a step, start with that overlap as rest.
sherd_status sherd_contacts_prepare(sherd_contacts *contacts, const sherd_points *points,
                                    const sherd_bond_adjacency *bonds, sherd_error *error);

// Adds contact forces and torques to points->f*, t*; advances friction springs by dt.
// dt = 0 evaluates forces without advancing springs (first evaluation of a run).
void sherd_contacts_apply(sherd_contacts *contacts, sherd_points *points, double dt,
                          sherd_vec3 gravity);

// Energy stored now, and totals since the start [J]. dissipated_contact + dissipated_friction as in
// sherd_energy; `onset` is energy that contacts took as they began and ended in explicit steps (below 0: gave); `work`
// is that of driven obstacles; kinetic and gravity are of free obstacles.
typedef struct sherd_contact_energy {
    double stored, dissipated_damping, dissipated_friction, onset, work;
    double rigid_kinetic, rigid_gravity; // gravity potential relative to the start
    sherd_vec3 rigid_momentum, rigid_angular_momentum;
} sherd_contact_energy;
sherd_contact_energy sherd_contacts_energy(const sherd_contacts *contacts, sherd_vec3 gravity);

// Energy that half a kick of their present loads over dt/2 would give free bodies at rest: dt^2/8 (F^2/m +
// T.I^-1 T), gravity included [J].
double sherd_contacts_kick_energy(const sherd_contacts *contacts, double dt, sherd_vec3 gravity);

// Largest (stiffness / mass) that contacts can add for any element, for the time-step bound
// [1/s^2]: the largest eigenvalue an element in a dense pile of its like, or on an obstacle, can see.
double sherd_contacts_max_eigenvalue(const sherd_contacts *contacts, const sherd_points *points);

// ---------------------------------------------------------------- bodies that are asleep

typedef struct sherd_sleeper sherd_sleeper;   // contact/sleepers.h
typedef struct sherd_sleepers sherd_sleepers; // contact/sleepers.h

// Borrows the list of bodies that are asleep for as long as the contacts live; NULL = none. Their
// `centre` is up to date whenever contacts are prepared.
void sherd_contacts_set_sleepers(sherd_contacts *contacts, const sherd_sleepers *sleepers);

// A sleeper wakes: the next prepare measures its elements, too, and lists all pairs anew if it was left out of
// the search.
void sherd_contacts_woke(sherd_contacts *contacts, const sherd_sleeper *sleeper);

// Whether elements near sleepers or obstacles were listed again since the last call.
bool sherd_contacts_take_changed(sherd_contacts *contacts);

// Marks the groups of elements that have an element of another group, an obstacle or a touching
// pair of their own in the lists. `group` is by element, -1 = none.
void sherd_contacts_mark_near(const sherd_contacts *contacts, const int32_t *group, uint8_t *near);
// Whether no element is listed near an obstacle and no pair touches.
bool sherd_contacts_nothing_near(const sherd_contacts *contacts);

// The fastest that a free body which presses on something now rebounds: of how it moves, and of what springs store; obstacles
// are where and as fast as they are now [m/s].
double sherd_contacts_fastest_rebound(const sherd_contacts *contacts);

// The same for the sleepers of the list above, by their place in it. A body at rest is not disturbed
// by itself, by others at rest, and by fixed obstacles.
void sherd_contacts_mark_disturbed(const sherd_contacts *contacts, uint8_t *near);

// Joins the groups that are listed together into islands: `island` is by group, which is an index of
// an element, and starts as its own. Marks those near an obstacle that may move.
void sherd_contacts_join_islands(const sherd_contacts *contacts, const int32_t *group,
                                 int32_t *island, uint8_t *near_moving);

// Makes a sleeper's present pose, where its elements are, the reference of its bounds.
void sherd_contacts_see_sleeper(const sherd_contacts *contacts, const sherd_points *points,
                                sherd_sleeper *sleeper);

// Widens `displacements` by all that its elements may have moved since obstacles were searched for;
// whether one of them may be beyond its margin.
bool sherd_contacts_bound_sleeper(const sherd_contacts *contacts, const sherd_sleeper *sleeper,
                                  sherd_bounds *displacements);

// ---------------------------------------------------------------- what there is

int64_t sherd_contacts_candidate_count(const sherd_contacts *contacts); // pairs in the list
int64_t sherd_contacts_active_count(const sherd_contacts *contacts);    // pairs that touch
size_t sherd_contacts_bytes(const sherd_contacts *contacts);

// Everything that changes, as the section "contacts" of a record. Restoring continues
// bit for bit (the candidate list, histories, search positions, rigid bodies, energy accounts).
sherd_status sherd_contacts_save(const sherd_contacts *contacts, sherd_byte_buffer *out,
                                 sherd_error *error);
sherd_status sherd_contacts_restore(sherd_contacts *contacts, sherd_record_reader *in,
                                    sherd_error *error);
