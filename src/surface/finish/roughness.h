// Roughness of inner faces.
#pragma once

#include <sherd/surface.h>
#include <sherd/types.h>

#include <stdint.h>

// Parameters with defaults filled in.
typedef struct roughness {
    const sherd_shape *shape; // its outer surface does not move
    double amplitude;         // [m], 0: smooth
    double size;              // [m]
    double cell;              // edge of the lattice that displaces them [m]
    uint64_t seed;
} roughness;

// `radius` is the mean radius of the elements [m].
roughness sherd_roughness_of(const sherd_surface_roughness *settings, const sherd_shape *shape,
                             double radius);

// Subdivides inner faces and displaces their vertices by noise of several octaves in turn,
//
//     x -> x + a_k(x) noise_k(x),
//
// where the amplitude a_k grows from 0 near the outer surface. The displacement is computed at the
// nodes of a lattice (rough_lattice.h) and interpolated linearly in its tetrahedra; the mesh is cut
// along their faces first. It depends only on x, so both sides of a crack stay identical. Each
// octave changes the distance of two points by less than that distance, so no tetrahedron is
// inverted: a mesh without self-intersections still has none afterwards, however thin it is
// (docs/notebook/decisions/0008-cut-surfaces.md). Inner vertices get the normals of their faces.
// Returns false when out of memory.
bool sherd_roughen(sherd_mesh *mesh, const roughness *r);

// A smooth random field of displacements: returns a vector of length below 1 that depends only on x, given in lattice steps (the size of a
// bump). Its mean square length is about 0.2, its derivative at most 5 (test_roughness.c).
sherd_vec3 sherd_roughness_noise(uint64_t seed, int octave, sherd_vec3 x);
