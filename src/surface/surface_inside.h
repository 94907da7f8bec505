// Internal state of sherd_surface.
#pragma once

#include "surface/finish/piece_paint.h"
#include "surface/surface_maker.h"

typedef struct body_surface {
    int index;                 // of the body in the definition
    sherd_element_index first; // of its elements
    const surface_maker *maker;
    void *state; // the method's
    piece_array pieces;
    body_paint paint;
} body_surface;

struct sherd_surface {
    sherd_surface_def def; // borrowed pointers are the caller's
    sherd_parallel parallel;
    int body_count; // bodies for which a method exists
    body_surface *bodies;
    int *first_piece;                // of each body among all pieces, then their number
    sherd_surface_body *given;       // copy of def.bodies (def.body_count)
    int32_t *element_body;           // index into `bodies`, -1 none  (elements)
    sherd_fragment_id *label;        // at the last update  (elements)
    sherd_fragment_id *former_label; // (elements)
    uint8_t *broken;                 // at the last update  (bonds)
    uint8_t *internal;               // broken inside a fragment, at the last update  (bonds)
    uint8_t *crack_changed;          // (elements)
    bool valid;                      // the last update succeeded
    uint64_t next_version;
};

sherd_status sherd_surface_check(const sherd_surface_def *def, sherd_error *error);
