// What makers share that divide a body's space among its elements: cut, marching, fluid.
#pragma once

#include "surface/finish/decorate.h"
#include "surface/partition/partition.h"
#include "surface/partition/slit.h"
#include "surface/surface_maker.h"

typedef struct solid_body {
    int index; // among the surface's bodies
    maker_source source;
    sherd_element_index first, count; // its elements
    double radius;                    // the mean [m]
    double cell, half_gap;            // [m]
    double slit_width;                // of eq. (19)'s Gaussian [m]
    double slit_support;              // least weight of fracture points for a crack
    decoration decoration;
    partition partition;
    slits slits; // of this frame
} solid_body;

// A maker's defaults.
typedef struct solid_options {
    double cell_size, smoothing; // [mean radii]
    double
        slit_support; // a crack worth drawing has this much weight of aligned fracture points around,
                      // times the square of their kernels' width in radii
    double
        wall_cell_size; // of bodies cut along walls, which then part fragments; 0: kernels do always
    double
        wall_slit_support; // the same along walls, where glue is one particle for the square of a spacing
    bool chips; // small and thin pieces are cells, where the definition does not forbid it
} solid_options;

// Release in any case.
sherd_status sherd_solid_create(solid_body *b, const maker_source *source,
                                const solid_options *options, sherd_error *error);
void sherd_solid_release(solid_body *b);

// Whether there are elements around a shape, or tetrahedra that give one.
bool sherd_solid_can_make(const sherd_surface_body *body);
