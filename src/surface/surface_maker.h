// The table of surface methods: one row of callbacks and constants each.
//
//   tubes        methods/tubes/tubes_maker.c       swept along yarns
//   sheets       methods/sheet/sheets_maker.c      cells of a wall of one layer
//   tetra_faces  methods/tetra/tetra_maker.c       faces of tetrahedra
//   cut          methods/cut/cut_maker.c           the outer triangles, cut along cracks
//   marching     methods/march/marching_maker.c    marching tetrahedra for cracks and outer surface
//   fluid        methods/fluid/fluid_maker.c       level sets of a fluid's particles
//   blobs        methods/fluid/fluid_maker.c       the same with round kernels and a fixed level
//
// A body uses the requested method if that supports it, otherwise the first one of the table that
// does.
#pragma once

#include "base/parallel.h"
#include "surface/piece/piece.h"

#include <sherd/surface.h>

// A body as the input of its method. Borrowed until the method's state is destroyed.
typedef struct maker_source {
    const sherd_surface_def *def; // rest positions, radii and bonds of all bodies; options
    const sherd_surface_body *body;
    int index; // of the body in `def`
} maker_source;

// The input of a frame.
typedef struct body_frame {
    const sherd_fragment_view *view; // of all bodies
    // By element of the body.
    const sherd_fragment_id *label, *former_label; // of this update and the previous one
    const uint8_t *crack_changed; // a bond inside a fragment broke here, or now separates fragments
    // By bond of all bodies.
    const uint8_t *broken, *internal; // internal: broken, both ends in one fragment of one body
    int index;                        // of the body
    int smallest;                     // fragments with fewer elements have no piece
    uint64_t *next_version;
} body_frame;

typedef struct surface_maker {
    bool (*can_make)(const sherd_surface_body *body);
    double (*volume)(const maker_source *source); // of the whole body at rest [m^3]
    sherd_status (*create)(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error); // call destroy in any case
    void (*destroy)(void *state);               // NULL is allowed; does not free the pieces
    // Updates the pieces: meshes with normals, face kinds and texture coordinates, and their
    // skinning weights. Moves previous pieces that are still valid. After an error there may be no
    // pieces.
    sherd_status (*update)(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error);
    // Lets vertices follow the fragments `now` of another frame, where `own` are those of the last
    // update by element of the body; returns false when out of memory. NULL: the elements from
    // which vertices were made carry them, whatever fragment these belong to.
    bool (*follow)(void *state, piece_array *pieces, const sherd_fragment_id *own,
                   const sherd_fragment_view *now, const sherd_parallel *parallel);
    // Whether the last update fell back to another method. NULL: never.
    bool (*fell_back)(const void *state);
    // A note for the user on deviations from the request that apply to all updates; NULL: none, or
    // never.
    const char *(*note)(const void *state);
} surface_maker;

// Returns the method for a body's surface given the requested one; NULL: none supports the body.
const surface_maker *sherd_surface_maker_of(sherd_surface_method method,
                                            const sherd_surface_body *body);

// The `volume` callback: the volume of a body's shape, else of its tetrahedra.
double sherd_surface_rest_volume(const maker_source *source);
