// Where a vertex of the shared grid belongs: on the zero set of every pair that meets there.
#pragma once

#include "surface/methods/march/march.h"

typedef struct placing {
    const sherd_shape *shape; // NULL: the surface is the fluid's
    const struct fluid *fluid;
    const partition *partition;
    const slits *slits;
    double cell;     // [m]
    double half_gap; // half the opening drawn for cracks inside a fragment [m]
} placing;

// Moves the vertex's position onto its surfaces: the shape's where it borders the outside, equal
// densities where fragments meet, the slit's side where it borders one. A pure function of the
// vertex and its crack model, if it has one (else NULL). Newton's method in so many passes: fields are
// nearly linear within a cell, so two leave errors below 1e-3 cells.
void sherd_place_vertex(const placing *p, shell_vertex *v, crack_model *crack, int passes);

// The same with the fields as the vertex last saw them, to first order: for steps of fairing that are
// not the last.
void sherd_place_vertex_roughly(const placing *p, shell_vertex *v, const crack_model *crack);

// Moves a vertex of the outer surface that lies near a sharp edge of the shape onto that edge.
// Returns whether it did.
bool sherd_place_on_crease(const placing *p, shell_vertex *v);

bool sherd_vertex_has_owner(const shell_vertex *v, sherd_fragment_id owner);
