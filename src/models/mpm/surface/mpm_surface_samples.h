// The surface of a body at rest: where its faces lie beside the cubes of its lattice, and the
// samples that stand for them in contact.
#pragma once

#include "models/mpm/damage/mpm_rest_lattice.h"
#include "models/mpm/grid/mpm_points.h"
#include "models/mpm/surface/mpm_surface_fit.h"

// An exposed face at rest, in the frame of the lattice.
typedef struct sherd_mpm_rest_face {
    float normal[3]; // unit, outwards
    float shift;     // from the middle of the cube's face to the surface, along the normal [m]
    float bend[6];   // how the normal changes along it: xx, yy, zz, yz, xz, xy [1/spacing]
    bool is_bent;
} sherd_mpm_rest_face;

// What stands for a site where it meets others: the corner, the edge or the middle that its exposed
// faces have in common. Where both faces along an axis are exposed a site has one for each. Where
// faces are bent the same holds of each of the fine^3 parts of its cube, so that what rolls is
// round between points, too.
typedef struct sherd_mpm_rest_sample {
    float offset[3]; // from the point [spacing]
    float area[3];   // sum of areas times outward normals, shared among samples [spacing^2]
} sherd_mpm_rest_sample;

// A point with faces that are exposed, or may be once glue has given way.
typedef struct sherd_mpm_site {
    int32_t number;  // of the point
    uint32_t listed; // in the lattice
    // The first of its own: of each of `all` in order; room for as many as it may have
    uint32_t face, sample;
    // Bit 2 k + side: along axis k, side 1 is the upper one; those that may be and those that are
    // exposed
    uint8_t all, sides;
    uint8_t samples; // how many there are now, below SHERD_MPM_SITE_SAMPLES
    uint8_t fine;    // parts of the cube along each axis
} sherd_mpm_site;

enum { SHERD_MPM_SITE_SAMPLES = 64 };

typedef struct sherd_mpm_body_surface {
    const sherd_mpm_lattice *lattice; // NULL: there is no surface; not owned
    const uint8_t *torn;              // as sherd_mpm_tears has it; not owned
    const sherd_mpm_glues *glue;      // not owned
    size_t broken, softening;         // of glue, as sites know it
    sherd_mpm_site *sites;            // in the order of numbers  (count)
    size_t count;
    uint32_t *glued; // sites beside glue  (glued_count)
    size_t glued_count;
    sherd_mpm_rest_face *faces;
    sherd_mpm_rest_sample *samples;
    int32_t *place;   // of points by number, once sorted: in the columns  (numbers)
    int32_t *site_of; // by number; -1: inside  (numbers)
    size_t numbers;
} sherd_mpm_body_surface;

// Where nothing is known of a face it is the cube's own.
sherd_mpm_rest_face sherd_mpm_body_surface_rest_face(const sherd_mpm_surface_fit *outer,
                                                     const sherd_mpm_lattice *lattice,
                                                     int32_t number, int side);

// Into how many parts along each axis a cube is cut, of what is listed in a lattice and has these
// sides.
uint8_t sherd_mpm_body_surface_fineness(const sherd_mpm_surface_fit *outer,
                                        const sherd_mpm_lattice *lattice, size_t listed,
                                        uint8_t sides);
// How many samples that makes.
uint8_t sherd_mpm_body_surface_count(uint8_t sides, uint8_t fine);

// Of a site, for the sides that it exposes now.
void sherd_mpm_body_surface_set_samples(sherd_mpm_body_surface *surface,
                                        const sherd_mpm_site *site);

// The place on the surface of a face that is nearest to a place, from the point [spacing], and the
// normal there, about a unit long.
void sherd_mpm_body_surface_nearest(const sherd_mpm_rest_face *face, int side, double spacing,
                                    const double place[3], double foot[3], double normal[3]);
