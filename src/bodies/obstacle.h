// One obstacle: a half-space or a shape, how it moves, and the elements near it.
#pragma once

#include "bodies/load_range.h"
#include "bodies/rigid_body.h"
#include "geometry/shape/shape_contact_points.h"
#include "laws/contact/contact_law.h"
#include "laws/contact/contact_tables.h"

#include <sherd/obstacle.h>

// What is known of the surface near an element: within so far of where it was asked for, in the obstacle's frame,
// whether there is one place only to touch. Results do not depend on it, only the time that they take. All zero:
// nothing.
typedef struct sherd_smooth_patch {
    sherd_vec3 at;
    double within; // [m]
    bool smooth;
} sherd_smooth_patch;

// Elements near an obstacle, in the order of their indices, with the history of each contact. After a search there are
// `places` of the obstacle for each element next to each other, of which any may be in use; otherwise only those in
// use.
typedef struct sherd_obstacle_contacts {
    size_t count, capacity;
    sherd_element_index *element;
    sherd_obstacle_history *history;
    uint8_t *state;   // SHERD_PAIR_REMEMBERS, SHERD_PAIR_TOUCHES
    int32_t *watched; // after a search: where each is in a watch that is not of all elements; NULL
    sherd_smooth_patch
        *patch; // of each element, of obstacles with several places; NULL: nothing is known yet
} sherd_obstacle_contacts;

void sherd_obstacle_contacts_free(sherd_obstacle_contacts *contacts);
// Room for `count` contacts, which the caller sets: what was there is forgotten.
sherd_status sherd_obstacle_contacts_resize(sherd_obstacle_contacts *contacts, size_t count,
                                            sherd_error *error);

// Lower bounds of elements' distances from an obstacle (contact/explicit/obstacle_watch.h): element k, or element[i], was
// at least slack[k], or slack[i], away at the last search, and each that is not among them `beyond`. [m]
typedef struct sherd_obstacle_watch {
    size_t most;                  // that are watched one by one, besides near ones; fixed
    size_t count, capacity;       // capacity: of `element`
    sherd_element_index *element; // in order; NULL: all elements
    double *slack;
    double beyond;
} sherd_obstacle_watch;

typedef struct sherd_obstacle {
    sherd_obstacle_kind kind;
    char *name;
    const sherd_shape *shape;     // NULL: the half-space below the plane z = 0 of its frame
    double friction, restitution; // NAN: the other side's
    bool sticky;                  // to material points
    double radius;                // of the shape about the origin of its frame [m]
    int places;                   // in which it can touch a ball at a time (shape_contact_points.h)
    sherd_motion motion;          // DRIVEN; owned
    sherd_pose start;             // at time 0
    sherd_rigid_body body;        // FREE
    double thickness;             // thickness.h, once known; of a half-space INFINITY [m]
    double surface_spacing;       // FREE: of the points [m]
    int32_t point_count;
    double *points;                  // FREE: surface points in the shape's frame (x 3)
    sherd_contact_pairing *pairings; // with each material

    sherd_pose pose;                      // now
    sherd_vec3 velocity, spin;            // of the pose's position, half-step [m/s], [rad/s]
    sherd_vec3 shift, turn;               // of the last move of its pose [m], [rad]
    sherd_vec3 force, torque;             // load of the last evaluation, about the pose's position
    sherd_vec3 mean_force, mean_torque;   // load over the last step, or span of regions: for probes
    sherd_load_swing swing;               // of the load about those, in that step or span
    sherd_vec3 noted_force, noted_torque; // in a part: weighted sums of the means (contact_part.h)
    sherd_load_range noted_range;

    // Distances of far elements aren't computed again until they can have come near.
    sherd_pose reference; // at the last search
    double moved; // largest displacement since then of any element relative to this obstacle [m]
    double least_slack; // of the elements that are not in `contacts` [m]
    sherd_obstacle_watch watch;
    sherd_obstacle_contacts contacts;
    int64_t touching; // of them in the last pass
} sherd_obstacle;

// From a checked definition.
sherd_status sherd_obstacle_init(sherd_obstacle *obstacle, const sherd_obstacle_def *def,
                                 const sherd_contact_material *materials, int material_count,
                                 sherd_error *error);
void sherd_obstacle_free(sherd_obstacle *obstacle);

// Computes its thickness.
sherd_status sherd_obstacle_measure_thickness(sherd_obstacle *obstacle, sherd_error *error);

// Half kick and drift of free bodies, motion of driven ones to `time`, over dt. Returns the work a
// driven obstacle did against its old load (half of the step's; see sherd_obstacle_finish).
double sherd_obstacle_move(sherd_obstacle *obstacle, double time, double dt, sherd_vec3 gravity);

// After the new load is known: second half kick or second half of the work, which is returned.
double sherd_obstacle_finish(sherd_obstacle *obstacle, double dt, sherd_vec3 gravity);

// Kinetic energy that half a kick, over dt/2, would give it at rest; 0 unless it is free [J].
double sherd_obstacle_kick_energy(const sherd_obstacle *obstacle, double dt, sherd_vec3 gravity);

// Signed distance [m] and its unit gradient at a point of the world.
double sherd_obstacle_distance(const sherd_obstacle *obstacle, sherd_vec3 point);
sherd_vec3 sherd_obstacle_normal(const sherd_obstacle *obstacle, sherd_vec3 point);
double sherd_obstacle_distance_and_normal(const sherd_obstacle *obstacle, sherd_vec3 point,
                                          sherd_vec3 *normal);

// Where a ball touches it or nearly so: as sherd_shape_near, in the world, a tenth of the radius ahead, so that it is
// known where a ball parts. `patch` (may be NULL) makes it faster.
int sherd_obstacle_near(const sherd_obstacle *obstacle, sherd_vec3 centre, double radius,
                        sherd_smooth_patch *patch, sherd_near_place places[SHERD_MOST_NEAR]);

// Velocity of its material at a point.
sherd_vec3 sherd_obstacle_velocity(const sherd_obstacle *obstacle, sherd_vec3 point);

// 1 / effective mass at a point for forces along n; 0 unless it is free.
double sherd_obstacle_mobility(const sherd_obstacle *obstacle, sherd_vec3 point, sherd_vec3 n);

// Adds a force at a point to the load.
void sherd_obstacle_add_load(sherd_obstacle *obstacle, sherd_vec3 point, sherd_vec3 force);
