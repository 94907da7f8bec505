// Fragments: elements that hang together, by intact bonds or otherwise, with identities that last from frame to frame.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>

typedef int32_t sherd_fragment_id; // 0 is none; ids start at 1 and are never used twice

// The elements of an update and what joins them. Borrowed; all arrays by element or bond index.
typedef struct sherd_fragment_input {
    sherd_element_index element_count;          // n
    const double *mass;                         // [kg]  (n)
    const double *radius;                       // [m]   (n)
    sherd_bond_index bond_count;                // m
    const sherd_element_index *bond_i, *bond_j; // (m)
    const uint8_t *bond_broken;                 // 0 intact, else broken  (m)
    // First element of the component that each element is in (sherd_world_components), instead of bonds; NULL: found
    // from bonds  (n)
    const sherd_element_index *component;
} sherd_fragment_input;

typedef struct sherd_fragment {
    sherd_fragment_id id;
    sherd_fragment_id parent;  // the fragment it broke off from; 0 when there from the start
    sherd_element_index count; // elements
    sherd_element_index first; // lowest element index in it
    double mass;               // [kg]
    double volume;             // of its elements' spheres [m^3]
} sherd_fragment;

typedef struct sherd_fragment_view {
    int32_t count;                             // fragments now
    const sherd_fragment *fragments;           // ordered by `first`            (count)
    const sherd_fragment_id *element_fragment; // fragment of each element      (n)
    const int32_t *element_slot;               // index into `fragments`         (n)
    sherd_fragment_id next_id;                 // the id the next new fragment will get
} sherd_fragment_view;                         // valid until the next update or destroy

typedef struct sherd_fragments sherd_fragments; // remembers identities

SHERD_API sherd_fragments *sherd_fragments_create(sherd_error *error);
SHERD_API void sherd_fragments_destroy(sherd_fragments *fragments);

// Finds connected components. A former fragment's id goes to its child with the most elements (ties:
// the one holding the lowest element index); the others get new ids, in order of their lowest
// element index. Deterministic.
SHERD_API sherd_status sherd_fragments_update(sherd_fragments *fragments,
                                              const sherd_fragment_input *input,
                                              sherd_error *error);
SHERD_API sherd_fragment_view sherd_fragments_view(const sherd_fragments *fragments);

// Continues identities from stored labels (the element_fragment of a saved frame).
SHERD_API sherd_status sherd_fragments_restore(sherd_fragments *fragments,
                                               const sherd_fragment_id *element_fragment,
                                               sherd_element_index element_count,
                                               sherd_fragment_id next_id, sherd_error *error);

// Mass-weighted rigid motion of a fragment: centre of mass now, and the rotation that best maps rest
// offsets to current ones. [VBDEM] uses the same for its skins.
typedef struct sherd_fragment_motion {
    sherd_vec3 rest_center; // centre of mass in the rest frame of its body [m]
    sherd_pose pose;        // x_world = R (x_rest - rest_center) + position
} sherd_fragment_motion;
