// Stress of an element, in numbers that engineers read.
#pragma once

#include <sherd/export.h>

// Cauchy stress in the world's axes, symmetric, tension positive [Pa]:   [RBDEM] (32), docs/theory/physics.md
//
//   sigma = 1/V sum of (b F + F b) / 4 over the element's intact bonds
//
// b from its centre to the other end's, F the elastic force that the bond exerts on it, V the solid that it stands
// for (sherd_body_def.volume, over solid_fraction). At a surface V is the same: half of what surrounds the element is
// not there, so stresses along the surface come out lower in the outermost layer.
typedef struct sherd_stress {
    float xx, yy, zz, xy, yz, zx;
} sherd_stress;

// The stresses across three planes that bear no shear, the largest first [Pa].
SHERD_API void sherd_stress_principal(const sherd_stress *stress, double principal[3]);

// sqrt(3/2 s:s), s the part without the mean stress: in uniaxial tension the tension itself [Pa].
SHERD_API double sherd_stress_von_mises(const sherd_stress *stress);
