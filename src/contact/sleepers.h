// Bodies that are asleep (stepping/sleep/rigid_sleep.h), as contact sees them.
//
// The arrays of positions lag behind for their elements, so that a step need not touch them. Contact
// bounds how far any of them can be from where it was at the last search by the motion of the body
// as a whole, and has them placed before it searches:
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
    bool rests;        // at rest on something that it touches: velocities and gravity don't move it
    double radius;     // of a sphere about the centre that holds all its elements [m]
    double rim_speed;  // no element moves faster about the centre [m/s]
    sherd_vec3 centre; // now [m]
    // Kept by contact, of the last search:
    sherd_vec3 seen_centre; // [m]
    double seen_elapsed;    // sherd_verlet_skin.elapsed then [s]
    double margin_left;     // displacement that leaves every element within its margin [m]
    sherd_bounds range;     // of displacements since obstacles were searched for [m]
    // While it is isolated (isolation.h), of the last search for pairs:
    double
        isolation; // displacement of its centre within which nothing can be near; 0 = it is not [m]
    sherd_vec3 isolated_at; // where its centre was [m]
} sherd_sleeper;

typedef struct sherd_sleepers {
    int32_t count;
    size_t capacity;
    sherd_sleeper *list;
    int32_t *of; // the sleeper an element belongs to, or -1 (n); NULL until one falls asleep
    void (*place)(void *context); // writes the state of all their elements as it is now
    void *context;
} sherd_sleepers;
