// Rough inner faces.
#pragma once

#include <sherd/surface.h>

// As requested, with defaults filled in.
typedef struct roughness {
    const sherd_shape *shape; // whose outer surface stays
    double amplitude;         // [m], 0: smooth
    double size;              // [m]
    double cell;              // of the lattice that moves them [m]
    uint64_t seed;
} roughness;

// `radius` is the elements' mean one [m].
roughness sherd_roughness_of(const sherd_surface_roughness *asked, const sherd_shape *shape,
                             double radius);

// Makes inner faces finer and moves their vertices by noise of several octaves, one after the other,
//
//     x -> x + a_k(x) noise_k(x),
//
// the amplitude a_k growing from 0 near the outer surface. That is done to the nodes of a lattice
// (rough_lattice.h) and followed linearly in its tetrahedra, along whose faces the mesh is cut before. The
// motion depends on nothing but x, so both sides of a crack stay the same; and each octave moves two
// points by less than their distance apart, which keeps tetrahedra right side out: what did not cut itself
// before still does not, however thin (docs/notebook/decisions/0008-cut-surfaces.md). Inner vertices get the normals
// of their faces. False when memory is short.
bool sherd_roughen(sherd_mesh *mesh, const roughness *r);
