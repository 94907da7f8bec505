// One obstacle: a half-space or a shape, its motion, and the elements near it.
#pragma once

#include "bodies/load_range.h"
#include "bodies/rigid_body.h"
#include "geometry/shape/shape_contact_points.h"
#include "laws/contact/contact_law.h"

#include <sherd/obstacle.h>

// Cache about the surface near an element: within a distance of the last query, in the obstacle's
// frame, whether the element can touch at one location only. Results do not depend on it, only
// their cost. Zero-filled: nothing is known.
typedef struct sherd_smooth_patch {
    sherd_vec3 at;
    double within; // [m]
    bool smooth;
} sherd_smooth_patch;

// Elements near an obstacle, sorted by index, with the history of each contact. After a search each
// element has `location_count` consecutive entries, any of which may be in use; at other times only used
// entries are stored.
typedef struct sherd_obstacle_contacts {
    size_t count, capacity;
    sherd_element_index *element;
    sherd_obstacle_history *history;
    uint8_t *state; // SHERD_PAIR_REMEMBERS, SHERD_PAIR_TOUCHES
    // after a search: index of each in a watch that does not contain all elements; NULL
    int32_t *watched;
    // of each element, for obstacles with several contact locations; NULL: nothing is known yet
    sherd_smooth_patch *patch;
} sherd_obstacle_contacts;

void sherd_obstacle_contacts_free(sherd_obstacle_contacts *contacts);
// Allocates `count` contacts, which the caller sets; the previous contents are lost.
sherd_status sherd_obstacle_contacts_resize(sherd_obstacle_contacts *contacts, size_t count,
                                            sherd_error *error);

// Lower bounds of elements' distances from an obstacle (contact/explicit/obstacle_distances.h): element
// k, or element[i], was at least slack[k], or slack[i], away at the last search, and each element
// that is not listed at least `beyond`. [m]
typedef struct sherd_obstacle_watch {
    size_t max_count; // maximum number of individual bounds, besides those of near elements; fixed
    size_t count, capacity;       // capacity of `element`
    sherd_element_index *element; // ascending; NULL: all elements
    double *slack;
    double beyond;
} sherd_obstacle_watch;

typedef struct sherd_obstacle {
    sherd_obstacle_kind kind;
    char *name;
    const sherd_shape *shape;     // NULL: the half-space below the plane z = 0 of its frame
    double friction, restitution; // NAN: those of the other side
    bool sticky;                  // for material points
    double radius;                // of the shape about the origin of its frame [m]
    int location_count; // maximum number of locations at which it touches a ball at a time (shape_contact_points.h)
    sherd_motion motion;    // DRIVEN; owned
    sherd_pose start;       // at time 0
    sherd_rigid_body body;  // FREE
    double thickness;       // thickness.h, once computed; INFINITY for a half-space [m]
    double surface_spacing; // FREE: of the points [m]
    int32_t point_count;
    double *points;                  // FREE: surface points in the shape's frame (x 3)
    sherd_contact_pairing *pairings; // with each material

    sherd_pose pose;                    // at present
    sherd_vec3 velocity, spin;          // of the pose's position, half-step [m/s], [rad/s]
    sherd_vec3 shift, rotation;         // of the last move of its pose [m], [rad]
    sherd_vec3 force, torque;           // load of the last evaluation, about the pose's position
    sherd_vec3 mean_force, mean_torque; // means over the last step, or span of regions: for probes
    sherd_load_swing swing;             // deviations of the load from those, in that step or span
    sherd_vec3 noted_force, noted_torque; // in a part: weighted sums of the means (contact_part.h)
    sherd_load_range noted_range;

    // Distances of far elements are not computed again until they may have become near.
    sherd_pose reference; // at the last search
    // upper bound of the displacement of any element relative to this obstacle since then [m]
    double moved;
    double min_slack; // lower bound of the gaps of elements that are not in `contacts` [m]
    sherd_obstacle_watch watch;
    sherd_obstacle_contacts contacts;
    int64_t touching; // number of touching ones in the last pass
} sherd_obstacle;

// Creates it from a checked definition.
sherd_status sherd_obstacle_init(sherd_obstacle *obstacle, const sherd_obstacle_def *def,
                                 const sherd_contact_material *materials, int material_count,
                                 sherd_error *error);
void sherd_obstacle_free(sherd_obstacle *obstacle);

// Computes its thickness.
sherd_status sherd_obstacle_measure_thickness(sherd_obstacle *obstacle, sherd_error *error);

// Half kick and drift of free bodies, prescribed motion of driven ones to `time`, over dt. Returns
// the work of a driven obstacle against its old load (half of the step's; see
// sherd_obstacle_finish).
double sherd_obstacle_move(sherd_obstacle *obstacle, double time, double dt, sherd_vec3 gravity);

// After the new load is computed: second half kick, or the second half of the work, which is
// returned.
double sherd_obstacle_finish(sherd_obstacle *obstacle, double dt, sherd_vec3 gravity);

// Kinetic energy after half a kick, over dt/2, from rest; 0 unless it is free [J].
double sherd_obstacle_kick_energy(const sherd_obstacle *obstacle, double dt, sherd_vec3 gravity);

// Signed distance [m] and its unit gradient at a point in world coordinates.
double sherd_obstacle_distance(const sherd_obstacle *obstacle, sherd_vec3 point);
sherd_vec3 sherd_obstacle_normal(const sherd_obstacle *obstacle, sherd_vec3 point);
double sherd_obstacle_distance_and_normal(const sherd_obstacle *obstacle, sherd_vec3 point,
                                          sherd_vec3 *normal);

// Locations at which a ball touches it or nearly so: as sherd_shape_near, in world coordinates, a
// tenth of the radius ahead, so that the location at which a ball separates is known. `patch` (may
// be NULL) accelerates queries.
int sherd_obstacle_near(const sherd_obstacle *obstacle, sherd_vec3 centre, double radius,
                        sherd_smooth_patch *patch, sherd_near_point places[SHERD_MAX_NEAR]);

// Velocity of its material at a point.
sherd_vec3 sherd_obstacle_velocity(const sherd_obstacle *obstacle, sherd_vec3 point);

// 1 / effective mass at a point for forces along n; 0 unless it is free.
double sherd_obstacle_mobility(const sherd_obstacle *obstacle, sherd_vec3 point, sherd_vec3 n);

// Adds a force at a point to the load.
void sherd_obstacle_add_load(sherd_obstacle *obstacle, sherd_vec3 point, sherd_vec3 force);
