// Exact orientation predicates: coordinates are integers on a lattice, determinants 128-bit
// integers.
//
// The lattice has 2^39 steps across a body, and every snapped point is perturbed by up to 64 of
// them, differently for each point: 1e-10 of the body's size. This removes degenerate cases (a
// crack along an edge of the body, four coplanar points), so that a few signs decide everything and
// never contradict each other. Positions in meshes are not moved.
#pragma once

#include <sherd/types.h>

#include <stdint.h>

__extension__ typedef __int128 exact_value;

typedef struct exact_point {
    int64_t x, y, z; // [-2^39, 2^39]
} exact_point;

typedef struct exact_lattice {
    sherd_vec3 centre;
    double steps; // per metre, a power of two
} exact_lattice;

exact_lattice sherd_exact_lattice(sherd_bounds bounds);
// The nearest point of the lattice.
exact_point sherd_exact_round(const exact_lattice *lattice, sherd_vec3 x);
// `salt` selects the perturbation of points.
exact_point sherd_exact_snap(const exact_lattice *lattice, sherd_vec3 x, uint64_t salt);

// Six times the volume of the tetrahedron: positive when d is on the side from which a, b, c run
// counter-clockwise. In cubes of lattice steps.
exact_value sherd_exact_volume(const exact_point *a, const exact_point *b, const exact_point *c,
                               const exact_point *d);
// Its sign, -1, 0 or 1; much faster if it is unambiguous.
int sherd_exact_side(const exact_point *a, const exact_point *b, const exact_point *c,
                     const exact_point *d);
