// Sleeping bodies (stepping/sleep/rigid_sleep.h), as seen by contact.
//
// The position arrays are not updated for their elements, so that a step need not touch them.
// Contact bounds the displacements of the elements since the last search by the motion of the body
// as a whole, and calls `update_poses` to update positions before it searches:
//
//   displacement of an element = the one at the last search (margin_left, range)
//                              + that of the centre since then + at most rim_speed * time
#pragma once

#include "bodies/rigid_body.h"
#include "points/points.h"

#include <stdbool.h>

typedef struct sherd_sleeper {
    sherd_element_index count;
    sherd_element_index *member; // ascending; owned (count)
    sherd_rigid_body motion;     // at `step`
    int64_t step;
    bool is_at_rest;   // at rest on a support: velocities and gravity do not move it
    double radius;     // of a sphere about the centre that contains all its elements [m]
    double rim_speed;  // upper bound of the speed of elements relative to the centre [m/s]
    sherd_vec3 centre; // at present [m]
    // Set by contact at the last search:
    sherd_vec3 search_centre; // [m]
    double search_elapsed;    // sherd_verlet_skin.elapsed at that time [s]
    double margin_left;       // displacement at which every element is still within its margin [m]
    sherd_bounds range;       // displacements since the last search for obstacles [m]
    // If it is isolated (neighbor_update.h), from the last search for pairs:
    // displacement of the centre within which nothing can be near; 0 = not isolated [m]
    double isolation;
    sherd_vec3 isolated_at; // position of the centre then [m]
} sherd_sleeper;

typedef struct sherd_sleepers {
    int32_t count;
    size_t capacity;
    sherd_sleeper *list;
    int32_t *of; // index of the sleeper of an element, or -1 (n); NULL until one falls asleep
    void (*update_poses)(void *context); // writes the present state of all their elements
    void *context;
} sherd_sleepers;
