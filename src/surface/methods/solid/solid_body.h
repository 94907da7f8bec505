// Common state of the methods that partition a body's space among its elements: cut, marching,
// fluid.
#pragma once

#include "surface/finish/piece_attributes.h"
#include "surface/partition/partition.h"
#include "surface/partition/slit.h"
#include "surface/surface_maker.h"

typedef struct solid_body {
    int index; // of the body in the surface definition
    maker_source source;
    sherd_element_index first, count; // its elements
    double radius;                    // the mean [m]
    double cell, half_gap;            // [m]
    double slit_width;                // standard deviation of the Gaussian of eq. (19) [m]
    double slit_support;              // minimum weight of fracture points that make a crack
    decoration decoration;
    partition partition;
    slits slits; // of this frame
} solid_body;

// Default parameters of a method.
typedef struct solid_options {
    double cell_size, smoothing; // [mean radii]
    // Minimum weight of aligned fracture points around a drawn crack, times the squared width of
    // their kernels in radii.
    double slit_support;
    // For bodies cut along walls, which then separate fragments; 0: kernels always do.
    double wall_cell_size;
    // The same along walls, where there is one glue bond per squared spacing.
    double wall_slit_support;
    bool chips; // small and thin pieces are cells, unless the definition forbids it
} solid_options;

// Call release in any case.
sherd_status sherd_solid_create(solid_body *b, const maker_source *source,
                                const solid_options *options, sherd_error *error);
void sherd_solid_release(solid_body *b);

// Whether the body has elements around a shape, or tetrahedra that define one.
bool sherd_solid_can_make(const sherd_surface_body *body);

// Carries the pieces of one frame by the fragments of another: the `follow` callback of the methods
// for solids (surface_maker.h).
bool sherd_solid_follow(solid_body *b, piece_array *pieces, const sherd_fragment_id *own,
                        const sherd_fragment_view *now, const sherd_parallel *parallel);
