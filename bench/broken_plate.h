// A plate of 30K elements in pieces, without simulating: bonds are broken along Voronoi cells that are small where it
// was hit, and along some walls inside them, as cracks that end. Pieces lie on the floor about that place.
#pragma once

#include <sherd/fragments.h>
#include <sherd/given_columns.h>
#include <sherd/surface.h>

typedef struct broken_plate {
    sherd_shape *shape;
    sherd_world *world;
    sherd_given_columns given;
    sherd_element_index count;
    uint8_t *whole, *broken, *more; // bonds: none broken; along cells; and some more
    sherd_fragments *fragments;
    sherd_surface_body body;
    sherd_surface *surface;
    double *numbers; // owns the pose
    sherd_surface_pose pose;
} broken_plate;

// `cells`: about as many pieces. Zero-filled before, broken_plate_free in any case.
sherd_status broken_plate_make(broken_plate *plate, int cells, int threads, sherd_error *error);
void broken_plate_free(broken_plate *plate);

// Finds the fragments of such bonds.
sherd_status broken_plate_divide(broken_plate *plate, const uint8_t *broken, sherd_error *error);
