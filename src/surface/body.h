// The meshes of one body's fragments: what to keep and what to rebuild.
#pragma once

#include "surface/cut/cut_build.h"
#include "surface/finish/shape_uv.h"
#include "surface/fluid/fluid.h"
#include "surface/sheet/sheet_body.h"
#include "surface/sheet/tube_body.h"

#include <sherd/surface.h>

// Which pieces have surface in which block.
typedef struct block_pieces {
    int32_t *start; // (blocks + 1)
    sherd_fragment_id *label;
} block_pieces;

typedef struct body_surface {
    int index;
    sherd_surface_kind kind; // YARNS, SHEET: that and pieces are all there is
    yarns yarns;
    sheet sheet;
    shape_uv texture; // of sheets: the shape's own
    const sherd_shape *shape;
    sherd_element_index first, count;
    double cell, half_gap; // [m]
    double slit_width;     // of eq. (19)'s Gaussian [m]
    decoration decoration;
    double slit_support; // least weight of fracture points for a crack
    partition partition;
    fluid *fluid;   // NULL: none
    bool cuts;      // the outline is cut; else everything is marched
    bool fell_back; // marched at the last update although it should have been cut
    outline outline;
    crack_grid cracks;
    cut cut;   // outline and cracks
    grid grid; // made when first needed
    slits slits;
    block_pieces touched; // at the last update
    int32_t piece_count;
    piece *pieces;               // in the order of the fragment view
    struct tetra_surface *tetra; // of bodies made of tetrahedra: what is above `pieces` is unused
} body_surface;

// A body's share of the options of sherd_surface_def.
typedef struct body_options {
    double cell_size, smoothing, crack_gap; // [mean radii]
    int smallest;
    bool cut;                  // rather than march
    const fluid_source *fluid; // of a body that is marched as a fluid; else NULL
    double inner_uv_scale;     // [m]; 0: the body's largest extent
    sherd_surface_roughness roughness;
} body_options;

// Positions are the body's own. `where` names the body in errors.
sherd_status sherd_body_surface_create(body_surface *b, const sherd_vec3 *positions,
                                       const double *radius, const body_options *options,
                                       const sherd_parallel *parallel, sherd_error *error);
void sherd_body_surface_release(body_surface *b);

// What a frame brings, by element of the body (offset `first` already applied).
typedef struct body_frame {
    const sherd_fragment_view *view;
    const sherd_fragment_id *label, *former_label;
    const uint8_t *crack_changed; // a bond inside a fragment broke here, or became a border
    // Fracture points of cracks inside fragments.
    int32_t crack_count;
    const sherd_vec3 *crack_point, *crack_normal;
    const sherd_fragment_id *crack_label;
    const uint8_t *broken; // by bond of all bodies
    int smallest;
    uint64_t *next_version;
} body_frame;

sherd_status sherd_body_surface_update(body_surface *b, const body_frame *frame,
                                       const sherd_parallel *parallel, sherd_error *error);
