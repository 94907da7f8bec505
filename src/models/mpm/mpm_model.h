// Bodies of material points as a model (models/model.h). Their points are elements of the world as
// well, so that viewing, export and measurements treat them like other elements. The elements'
// positions and velocities are updated only when they are read.
#pragma once

#include "models/bonded/bonded_model.h"
#include "models/model.h"
#include "models/mpm/damage/mpm_numerical_fracture.h"
#include "models/mpm/mpm.h"
#include "points/elements.h"

typedef struct sherd_point_bodies {
    sherd_mpm m; // a point's number is its element's index
    // By piece, then by coupled body: material (piece_count + coupled_count)
    sherd_solid *solids;
    sherd_element_index
        *first;      // by body, their elements; those of the last end at first[body_count]
    bool *of_points; // by body: whether it consists of points; others consist of bonded elements
    int body_count;
    // Each piece is a body of `m` with a number of its own in m.points.body.
    uint32_t *first_piece; // by body; those of the last end at first_piece[body_count]
    uint32_t piece_count;
    // Coupled bodies of `m` are the bodies of bonded elements, in their order, and then free rigid
    // bodies. Their numbers follow those of pieces.
    uint32_t coupled_count;
    int free_count;              // number of free rigid bodies among them
    uint32_t *piece;             // by element: its piece if it is a point, else its coupled body
    int32_t *root, *lead;        // scratch for finding components, by piece
    sherd_mpm_lattice lattice;   // of bodies with elastic laws
    sherd_mpm_tears tears;       // numerical fracture in these bodies
    sherd_mpm_surface_fit outer; // samples of known surfaces; set by the caller, sorted
    // Whether elements have the present positions and velocities, and the present orientations
    bool has_places, has_orientations;
} sherd_point_bodies;

// Allocates bodies, their pieces, coupled bodies and all elements. The caller then sets `first`,
// `of_points`, `first_piece`, `piece` and `solids`. NULL when memory is short.
sherd_point_bodies *sherd_point_bodies_create(const sherd_mpm_def *def, int body_count,
                                              uint32_t piece_count, uint32_t coupled_count,
                                              sherd_element_index elements);
void sherd_point_bodies_destroy(sherd_point_bodies *bodies); // accepts NULL

// Makes a point of each element that belongs to a body of points. Its volume is mass over density.
sherd_status sherd_point_bodies_fill(sherd_point_bodies *bodies, const sherd_elements *elements,
                                     sherd_error *error);

// Sorts points if the next step would (mpm.h), and finds what has torn.
sherd_status sherd_point_bodies_sort(sherd_point_bodies *bodies, sherd_error *error);

// Before points move: if all elements are points, what the elements repeat of them takes no memory until it is updated.
// Nothing may refer to elements' places during steps.
void sherd_point_bodies_clear_elements(sherd_point_bodies *bodies, sherd_elements *elements);
// Marks positions and velocities of elements as outdated, because points have moved.
void sherd_point_bodies_move_on(sherd_point_bodies *bodies);
// Updates the elements' positions and velocities from the points, if they are outdated.
void sherd_point_bodies_update_elements(sherd_point_bodies *bodies, sherd_elements *elements);
// Updates the orientations of elements of elastic bodies too. This takes longer than a step, and no
// step needs them.
void sherd_point_bodies_update_orientations(sherd_point_bodies *bodies, sherd_elements *elements);

size_t sherd_point_bodies_bytes(const sherd_point_bodies *bodies);

// State of the model: bodies of points beside bonded ones.
typedef struct sherd_mpm_model_state {
    sherd_point_bodies *bodies;
    sherd_bonded *bonded;
} sherd_mpm_model_state;

extern const sherd_model sherd_model_mpm;
