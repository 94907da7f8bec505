// Stress of an element.
#pragma once

#include <sherd/export.h>

// Cauchy stress in world axes, symmetric, tension positive [Pa]:   [RBDEM] (32), docs/theory/physics.md
//
//   sigma = 1/V sum of (b F + F b) / 4 over the element's intact bonds
//
// where b is the vector from the element's centre to that of the other end, F the elastic force
// that the bond exerts on the element, and V the volume of solid that the element represents
// (sherd_body_def.volume over solid_fraction). At a surface V is the same although half of the
// surroundings are missing, so stresses along the surface are too low in the outermost layer.
typedef struct sherd_stress {
    float xx, yy, zz, xy, yz, zx; // components [Pa]
} sherd_stress;

// Computes the three principal stresses, the largest first [Pa].
SHERD_API void sherd_stress_principal(const sherd_stress *stress, double principal[3]);

// Returns the von Mises stress sqrt(3/2 s:s), s the deviator [Pa]. In uniaxial tension it equals
// the tension.
SHERD_API double sherd_stress_von_mises(const sherd_stress *stress);
