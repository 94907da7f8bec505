// The table of makers of surfaces: one row each, which holds all that differs between them.
//
//   tubes        methods/tubes/tubes_maker.c       swept along yarns
//   sheets       methods/sheet/sheets_maker.c      cells of a wall of one layer
//   tetra_faces  methods/tetra/tetra_maker.c       faces of tetrahedra
//   cut          methods/cut/cut_maker.c           the outer triangles, cut along cracks
//   marching     methods/march/marching_maker.c    marching tetrahedra for cracks and outer surface
//   fluid        methods/fluid/fluid_maker.c       level sets of a fluid's particles
//
// A body is made by the requested method where that can make it, otherwise by the first of the
// table that can.
#pragma once

#include "base/parallel.h"
#include "surface/piece/piece.h"

#include <sherd/surface.h>

// A body as its maker gets it. Borrowed until the maker's state is destroyed.
typedef struct maker_source {
    const sherd_surface_def *def; // rest positions, radii and bonds of all bodies; options
    const sherd_surface_body *body;
    int index; // of the body in `def`
} maker_source;

// The input of a frame.
typedef struct body_frame {
    const sherd_fragment_view *view; // of all bodies
    // By element of the body.
    const sherd_fragment_id *label, *former_label; // of this update and the one before
    const uint8_t *crack_changed; // a bond inside a fragment broke here, or became a border
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
                           sherd_error *error); // destroy in any case
    void (*destroy)(void *state);               // NULL is fine; not the pieces
    // Brings the pieces up to date: meshes with normals, kinds of faces and texture coordinates, and
    // their skins. Former pieces that are still right move over. After an error there may be none.
    sherd_status (*update)(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error);
    // Lets vertices follow the fragments `now` of another frame, `own` being those of the last update by
    // element of the body; false when memory is short. NULL: vertices are carried by the very elements
    // that they are made of, whatever fragment these belong to.
    bool (*follow)(void *state, piece_array *pieces, const sherd_fragment_id *own,
                   const sherd_fragment_view *now, const sherd_parallel *parallel);
    // Whether another method had to stand in at the last update. NULL: never.
    bool (*fell_back)(const void *state);
    // What is not as asked for in all updates, for the user; NULL: nothing, and never.
    const char *(*note)(const void *state);
} surface_maker;

// The maker of such a body's surface for the requested method; NULL: none can.
const surface_maker *sherd_surface_maker_of(sherd_surface_method method,
                                            const sherd_surface_body *body);

// `volume` of makers: of a body's shape, else of its tetrahedra.
double sherd_surface_rest_volume(const maker_source *source);
