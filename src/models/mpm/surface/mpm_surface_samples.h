// The undeformed surface of a body: positions of its faces relative to the cubes of its lattice,
// and the samples that represent them in contact.
#pragma once

#include "models/mpm/damage/mpm_rest_lattice.h"
#include "models/mpm/grid/mpm_points.h"
#include "models/mpm/surface/mpm_surface_fit.h"

// An exposed face at rest, in the frame of the lattice.
typedef struct sherd_mpm_rest_face {
    float normal[3]; // unit, outwards
    float shift;     // from the middle of the cube's face to the surface, along the normal [m]
    float bend[6];   // curvature tensor: xx, yy, zz, yz, xz, xy [1/spacing]
    bool is_bent;
} sherd_mpm_rest_face;

// A sample represents a site in contact: the corner, the edge or the middle that its exposed faces
// have in common. If both faces along an axis are exposed, the site has one sample for each. If
// faces are curved, each of the fine^3 parts of the cube has samples of its own, so that bodies
// roll as round ones.
typedef struct sherd_mpm_rest_sample {
    float offset[3]; // from the point [spacing]
    float area[3];   // sum of areas times outward normals, divided among samples [spacing^2]
} sherd_mpm_rest_sample;

// A point with faces that are exposed, or will be when glue breaks.
typedef struct sherd_mpm_site {
    int32_t number;  // number of the point
    uint32_t listed; // index in the lattice
    // Its first face (one for each side of `all`, in order) and its first sample (with room for all
    // that it may have)
    uint32_t face, sample;
    // Bit 2 k + side: side of axis k, 1 is the upper one; sides that may be exposed, and those that
    // are
    uint8_t all, sides;
    uint8_t samples; // present number of samples, below SHERD_MPM_SITE_SAMPLES
    uint8_t fine;    // parts of the cube along each axis
} sherd_mpm_site;

enum { SHERD_MPM_SITE_SAMPLES = 64 };

typedef struct sherd_mpm_body_surface {
    const sherd_mpm_lattice *lattice; // NULL: there is no surface; not owned
    const uint8_t *torn;              // as in sherd_mpm_tears; not owned
    const sherd_mpm_glues *glue;      // not owned
    // Numbers of glue particles that the sites have taken into account
    size_t broken, softening, rejoined;
    sherd_mpm_site *sites; // sorted by number (count)
    size_t count;
    uint32_t *glued; // sites beside glue  (glued_count)
    size_t glued_count;
    sherd_mpm_rest_face *faces;
    sherd_mpm_rest_sample *samples;
    int32_t *place;   // index of each point, by number, after sorting (numbers)
    int32_t *site_of; // site of each point, by number; -1: inside (numbers)
    size_t numbers;
} sherd_mpm_body_surface;

// A face at rest; that of the cube if `outer` does not describe it.
sherd_mpm_rest_face sherd_mpm_body_surface_rest_face(const sherd_mpm_surface_fit *outer,
                                                     const sherd_mpm_lattice *lattice,
                                                     int32_t number, int side);

// Number of parts along each axis into which a cube is divided, for a lattice element with these
// sides.
uint8_t sherd_mpm_body_surface_fineness(const sherd_mpm_surface_fit *outer,
                                        const sherd_mpm_lattice *lattice, size_t listed,
                                        uint8_t sides);
// Number of samples for these sides and parts.
uint8_t sherd_mpm_body_surface_count(uint8_t sides, uint8_t fine);

// Sets a site's samples for the sides that it exposes now.
void sherd_mpm_body_surface_set_samples(sherd_mpm_body_surface *surface,
                                        const sherd_mpm_site *site);

// The point of a face nearest to a position, both relative to the point [spacing], and the normal
// there, approximately a unit vector.
void sherd_mpm_body_surface_nearest(const sherd_mpm_rest_face *face, int side, double spacing,
                                    const double place[3], double foot[3], double normal[3]);
