// Finds quiescent connected components, which may fall asleep (rigid_sleep.h).
//
// A component over intact bonds is quiescent if contact lists nothing near it, none of its elements
// has a driver or a probe, and
//
//   E_vibration + E_strain < QUIESCENT_ENERGY * sum over its bonds of 1/2 sigma^2 / E * S l0
//   no bond is above QUIESCENT_STRESS of its strength
//
// where sigma is the bond's strength, or the stress at a strain of 1e-3 where that is less. E_vibration
// is the kinetic energy of everything but the rigid motion.
#pragma once

#include "bodies/rigid_body.h"
#include "points/elements.h"
#include "stepping/sleep/sleep.h"
#include "stepping/system.h"

#include <stdbool.h>

sherd_status sherd_quiescence_init(sherd_quiescence *quiescence, sherd_element_index count,
                                   sherd_error *error);
void sherd_quiescence_free(sherd_quiescence *quiescence);
void sherd_quiescence_forget(sherd_quiescence *quiescence); // bonds changed from outside
size_t sherd_quiescence_bytes(const sherd_quiescence *quiescence, sherd_element_index count);

// A check of all components: the first call finds them, the last frees its memory.
sherd_status sherd_quiescence_begin(sherd_system *system, sherd_error *error);
void sherd_quiescence_end(sherd_quiescence *quiescence, sherd_element_index count);

typedef struct sherd_quiescent_body {
    sherd_element_index count;
    const sherd_element_index *member; // ascending
    sherd_rigid_body motion;           // with the same momentum and angular momentum
    double vibration;                  // kinetic energy in excess of that [J]
    bool is_at_rest;                   // on fixed obstacles, with everything that touches it
} sherd_quiescent_body;

// Components that were quiescent at two consecutive checks.
typedef struct sherd_quiescent_bodies {
    int32_t count;
    sherd_quiescent_body *bodies; // owned
    sherd_element_index *members; // of all, owned
} sherd_quiescent_bodies;

// During a check.
sherd_status sherd_quiescence_find(sherd_system *system, sherd_quiescent_bodies *bodies,
                                   sherd_error *error);
// The same for components that are quiescent at present, regardless of earlier checks, and stay so
// when their spin begins to strain them.
sherd_status sherd_quiescence_find_now(sherd_system *system, sherd_quiescent_bodies *bodies,
                                       sherd_error *error);

// Momentum, angular momentum and inertia of the members; the remaining kinetic energy.
void sherd_quiescence_find_motion(const sherd_elements *elements, sherd_quiescent_body *body);
void sherd_quiescent_bodies_free(sherd_quiescent_bodies *bodies);
