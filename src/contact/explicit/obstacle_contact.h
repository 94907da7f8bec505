// Contact of elements with one obstacle.
#pragma once

#include "base/parallel.h"
#include "bodies/obstacle.h"
#include "contact/contact_count.h"
#include "contact/contact_sums.h"

// Positions of elements at the last search, and bounds of their displacements since.
typedef struct sherd_displacements {
    const double *x, *y, *z; // (n) positions at the last search [m]
    sherd_bounds range;      // of displacements since then [m]
    sherd_bounds was_in;     // bounds of those positions [m]
} sherd_displacements;

// Updates obstacle->moved, the largest displacement of any element relative to the obstacle since
// the last search. True if an element that is not listed may touch the obstacle.
bool sherd_obstacle_needs_search(sherd_obstacle *obstacle, const sherd_displacements *since);

// Upper bound of the change of distances by the obstacle's rotation since the last search [m].
double sherd_obstacle_rotation_reach(const sherd_obstacle *obstacle,
                                     const sherd_displacements *since);

// Lists the elements nearer than `margin` and stores distance bounds of the others. With `first`,
// overlaps become rest overlaps. The caller then renews `since`.
sherd_status sherd_obstacle_search(sherd_obstacle *obstacle, const sherd_points *points,
                                   const sherd_displacements *since, double margin, bool first,
                                   const sherd_parallel *parallel, sherd_error *error);

typedef struct sherd_obstacle_sums {
    sherd_contact_sums energy;
    sherd_vec3 force, torque; // on the obstacle, about its pose's position
} sherd_obstacle_sums;

// Gap between the element of contact c and the location that it touched last, or the nearest one
// [m].
double sherd_obstacle_contact_gap(const sherd_obstacle *obstacle, const sherd_points *points,
                                  size_t c, sherd_vec3 *normal);

size_t sherd_obstacle_chunks(const sherd_obstacle *obstacle);

// Adds forces and torques to elements and to the obstacle's load, and increments contact counts.
// `chunk_sums` has room for sherd_obstacle_chunks items.
sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *obstacle, sherd_points *points, double dt,
                                        const sherd_contact_count *counts,
                                        sherd_obstacle_sums *chunk_sums,
                                        const sherd_parallel *parallel);
