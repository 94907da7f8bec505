// Making the surface of a shape that pictures show (sherd_shape_look).
#pragma once

#include "geometry/boolean/boolean.h"

#include <sherd/shape.h>

// How the parts of a shape are meshed. Each is blown up a little more than those before it, so that faces in one
// plane are cut through by a difference and grown together by a union, and turned by less, so that no edges meet.
typedef struct sherd_look {
    double edge_length,
        nudge;   // the latter of one part after the other                           [m]
    int parts;   // so far
    int attempt; // each with other turns
} sherd_look;

// Without normals. NULL with SHERD_OK where an attempt has no closed surface.
sherd_mesh *sherd_look_part(const sherd_shape *shape, sherd_look *look, sherd_error *error);

// The boolean of what two parts were made to; takes both, of which either may be NULL. NULL with SHERD_OK as above.
sherd_mesh *sherd_look_join(sherd_mesh *a, sherd_mesh *b, sherd_boolean_kind kind,
                            sherd_error *error);

// Of a few attempts the first that is closed and does not cut itself; NULL with SHERD_OK where there is none.
sherd_mesh *sherd_look_mesh(const sherd_shape *shape, double edge_length, sherd_error *error);

// The same, but unions and differences are made of their parts' meshes, cut by each other, rather than from a grid of
// distances: walls are there whatever their thinness, and edges sharp, within some millionths of the size. Where parts
// have no such mesh that does not pass through itself, or are more than 1000 in one union, it is
// sherd_shape_surface's, with a note (sherd_mesh_note). For bodies and pictures.
sherd_mesh *sherd_shape_look(const sherd_shape *shape, double edge_length, sherd_error *error);
