// Fragments: connected groups of elements with identities that persist from frame to frame.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>

typedef int32_t sherd_fragment_id; // from 1, 0 for none; an id is never used twice

// Input of an update: the elements and what joins them. All arrays are borrowed during the call.
typedef struct sherd_fragment_input {
    sherd_element_index element_count;          // n
    const double *mass;                         // [kg]  (n)
    const double *radius;                       // [m]   (n)
    sherd_bond_index bond_count;                // m
    const sherd_element_index *bond_i, *bond_j; // ends of each bond  (m)
    const uint8_t *bond_broken;                 // 0 intact, else broken  (m)
    // Lowest element in the component of each element (sherd_world_components); it replaces the
    // bonds. NULL: components are found from the bonds (n)
    const sherd_element_index *component;
} sherd_fragment_input;

// One fragment.
typedef struct sherd_fragment {
    sherd_fragment_id id;      // its identity
    sherd_fragment_id parent;  // the fragment that it broke off; 0 if it existed from the start
    sherd_element_index count; // number of elements
    sherd_element_index first; // lowest element index
    double mass;               // [kg]
    double volume;             // of its elements' spheres [m^3]
} sherd_fragment;

// The fragments after an update. Valid until the next update, or until the owner is destroyed.
typedef struct sherd_fragment_view {
    int32_t count;                             // number of fragments
    const sherd_fragment *fragments;           // in order of `first`                   (count)
    const sherd_fragment_id *element_fragment; // fragment of each element              (n)
    const int32_t *element_slot;               // index into `fragments` of each element (n)
    sherd_fragment_id next_id;                 // the id of the next new fragment
} sherd_fragment_view;

// Remembers the fragments of the last update; opaque.
typedef struct sherd_fragments sherd_fragments;

// Creates an empty record of fragments. NULL with SHERD_ERROR_MEMORY. Free with
// sherd_fragments_destroy.
SHERD_API sherd_fragments *sherd_fragments_create(sherd_error *error);
// Destroys it. NULL is allowed.
SHERD_API void sherd_fragments_destroy(sherd_fragments *fragments);

// Finds the connected components of the input. The id of a former fragment goes to its child with
// the most elements (on a tie, to the one with the lowest element index); other children get new
// ids, in order of their lowest element index. Deterministic. SHERD_ERROR_INPUT for indices out of
// range, SHERD_ERROR_UNSUPPORTED after 2^31 - 1 ids, SHERD_ERROR_MEMORY.
SHERD_API sherd_status sherd_fragments_update(sherd_fragments *fragments,
                                              const sherd_fragment_input *input,
                                              sherd_error *error);
// Returns the fragments of the last update.
SHERD_API sherd_fragment_view sherd_fragments_view(const sherd_fragments *fragments);

// Continues identities from a saved frame: `element_fragment` has the fragment of each element
// (element_count), `next_id` the next new id. SHERD_ERROR_INPUT for invalid ids,
// SHERD_ERROR_MEMORY.
SHERD_API sherd_status sherd_fragments_restore(sherd_fragments *fragments,
                                               const sherd_fragment_id *element_fragment,
                                               sherd_element_index element_count,
                                               sherd_fragment_id next_id, sherd_error *error);

// Mass-weighted rigid motion of a fragment: its centre of mass, and the rotation that best maps
// rest offsets to present ones. [VBDEM] moves its skins by the same.
typedef struct sherd_fragment_motion {
    sherd_vec3 rest_center; // centre of mass in the rest frame of its body [m]
    sherd_pose pose;        // x_world = R (x_rest - rest_center) + position
} sherd_fragment_motion;
