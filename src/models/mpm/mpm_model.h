// Bodies of material points as a row of the table of models (models/model.h). Their points are
// elements of the world as well, whose places and velocities are brought up to date when someone
// looks: all that shows, exports and measures elements does so with points.
#pragma once

#include "models/bonded/bonded_model.h"
#include "models/model.h"
#include "models/mpm/damage/mpm_numerical_fracture.h"
#include "models/mpm/mpm.h"
#include "points/elements.h"

typedef struct sherd_point_bodies {
    sherd_mpm m; // a point's number is that of its element
    // By piece, then by coupled body: density and friction (piece_count + coupled_count)
    sherd_solid *solids;
    sherd_element_index
        *first;      // by body, their elements; those of the last end at first[body_count]
    bool *of_points; // by body: others are of bonded elements
    int body_count;
    // A piece is a body of `m`: it has a number of its own in m.points.body.
    uint32_t *first_piece; // by body; those of the last end at first_piece[body_count]
    uint32_t piece_count;
    // Bodies of elements, in their order, and then free rigid bodies are coupled bodies of `m`,
    // numbered on from pieces.
    uint32_t coupled_count;
    int free_count;              // of these, free rigid bodies
    uint32_t *piece;             // by element: of points its piece, of others their coupled body
    int32_t *root, *lead;        // scratch of components, by piece
    sherd_mpm_lattice lattice;   // of bodies of elastic laws
    sherd_mpm_tears tears;       // of these
    sherd_mpm_surface_fit outer; // where their surfaces are known; set by the caller, sorted
    // Elements have the present places and velocities; orientations, too
    bool has_places, has_orientations;
} sherd_point_bodies;

// Room for bodies, their pieces, coupled bodies and all elements; `first`, `of_points`,
// `first_piece`, `piece` and `solids` are to be set. NULL: memory is short.
sherd_point_bodies *sherd_point_bodies_create(const sherd_mpm_def *def, int body_count,
                                              uint32_t piece_count, uint32_t coupled_count,
                                              sherd_element_index elements);
void sherd_point_bodies_destroy(sherd_point_bodies *bodies); // NULL is fine

// Makes a point of each element of the bodies of points, each with the volume that its mass is of.
sherd_status sherd_point_bodies_fill(sherd_point_bodies *bodies, const sherd_elements *elements,
                                     sherd_error *error);

// Sorts points, if the next step would (mpm.h), and finds what has torn.
sherd_status sherd_point_bodies_sort(sherd_point_bodies *bodies, sherd_error *error);

// Points have moved on: elements no longer have their places and velocities.
void sherd_point_bodies_move_on(sherd_point_bodies *bodies);
// Elements get places and velocities of their points, unless they have them already: for whoever
// looks at elements, and once for all that do before points move on.
void sherd_point_bodies_update_elements(sherd_point_bodies *bodies, sherd_elements *elements);
// Those of elastic bodies get orientations, too. Finding them takes longer than a step, and no step
// needs them.
void sherd_point_bodies_update_orientations(sherd_point_bodies *bodies, sherd_elements *elements);

size_t sherd_point_bodies_bytes(const sherd_point_bodies *bodies);

// State of the row: bodies of points beside bonded ones.
typedef struct sherd_mpm_model_state {
    sherd_point_bodies *bodies;
    sherd_bonded *bonded;
} sherd_mpm_model_state;

extern const sherd_model sherd_model_mpm;
