// Contact of elements with one obstacle.
#pragma once

#include "base/parallel.h"
#include "bodies/obstacle.h"
#include "contact/contact_count.h"
#include "contact/contact_sums.h"

// Positions of the elements at the last search, and bounds of their motion since.
typedef struct sherd_displacements {
    const double *x, *y, *z; // (n) positions at the last search [m]
    sherd_bounds range;      // of displacements since then [m]
    sherd_bounds was_in;     // bounds of those positions [m]
} sherd_displacements;

// Updates obstacle->moved: the largest displacement of anything relative to the obstacle since the
// last search. Returns whether something outside the list may touch it by now.
bool sherd_obstacle_needs_search(sherd_obstacle *obstacle, const sherd_displacements *since);

// How much a turn of the obstacle since the last search can have changed distances [m].
double sherd_obstacle_turn_reach(const sherd_obstacle *obstacle, const sherd_displacements *since);

// Lists the elements nearer than `margin` and stores the distances of the others. With `first`,
// overlaps found are taken as rest. The caller then renews `since`.
sherd_status sherd_obstacle_search(sherd_obstacle *obstacle, const sherd_points *points,
                                   const sherd_displacements *since, double margin, bool first,
                                   const sherd_parallel *parallel, sherd_error *error);

typedef struct sherd_obstacle_sums {
    sherd_contact_sums energy;
    sherd_vec3 force, torque; // on the obstacle, about its pose's position
} sherd_obstacle_sums;

// How far the element of contact c is from the place that it touched last, or is nearest to [m].
double sherd_obstacle_contact_gap(const sherd_obstacle *obstacle, const sherd_points *points,
                                  size_t c, sherd_vec3 *normal);

size_t sherd_obstacle_chunks(const sherd_obstacle *obstacle);

// Adds forces and torques to elements and to the obstacle's load, and contacts to the counts.
// `chunk_sums` has room for sherd_obstacle_chunks items.
sherd_contact_sums sherd_obstacle_apply(sherd_obstacle *obstacle, sherd_points *points, double dt,
                                        const sherd_contact_count *counts,
                                        sherd_obstacle_sums *chunk_sums,
                                        const sherd_parallel *parallel);
