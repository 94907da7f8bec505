// Moves a vertex of the shared grid onto the zero sets of all pairs of owners that it separates.
#pragma once

#include "surface/methods/march/march.h"

typedef struct placing {
    const sherd_shape *shape; // NULL: the surface is the fluid's
    const struct fluid *fluid;
    const partition *partition;
    const slits *slits;
    double cell;     // [m]
    double half_gap; // half the gap drawn for cracks inside a fragment [m]
} placing;

// Moves the vertex's position onto its surfaces: the shape's if it borders the outside, equal
// densities between fragments, the slit's side if it borders one. The result depends only on the
// vertex and its crack model, if it has one (else NULL). Uses the given number of Newton passes:
// fields are nearly linear within a cell, so two passes leave errors below 1e-3 cells.
void sherd_vertex_move_to_surface(const placing *p, shell_vertex *v, crack_model *crack,
                                  int passes);

// The same with the fields as last evaluated at the vertex, to first order: for all fairing
// iterations but the last.
void sherd_vertex_move_first_order(const placing *p, shell_vertex *v, const crack_model *crack);

// Moves a vertex of the outer surface near a sharp edge of the shape onto that edge. Returns
// whether it moved.
bool sherd_vertex_move_to_crease(const placing *p, shell_vertex *v);

bool sherd_vertex_has_owner(const shell_vertex *v, sherd_fragment_id owner);
