// Rate-dependent breakage: a strength that grows with the rate of loading.
// docs/theory/physics.md 3
//
// While a bond's ratio x of stress to strength is above 1, damage grows, and at D = 1 the bond
// breaks
// (Tuler and Butcher, Int. J. Fracture Mech. 4, 1968, with an overstress relative to the strength):
//
//   dD/dt = (x - 1)^n / t_c,  x > 1        at a constant rate of x it breaks at x = 1 + ((n + 1) t_c dx/dt)^(1/(n + 1))
//
// Damage does not heal, and changes neither stiffness nor loads: a breaking bond releases the
// energy that it stores then.
#pragma once

#include <math.h>

// (x - 1)^n; 0 for x <= 1.
static inline double bond_overstress(double ratio, double exponent)
{
    return ratio > 1.0 ? pow(ratio - 1.0, exponent) : 0.0;
}

// The mean of this while the ratio changes linearly in time from `from` to `to`.
static inline double bond_mean_overstress(double from, double to, double exponent)
{
    // Below this difference, rounding of the quotient would exceed the error of the trapezoidal
    // rule.
    static const double NEAR = 1e-5;
    double a = fmax(from - 1.0, 0.0), b = fmax(to - 1.0, 0.0), n = exponent;
    if (fabs(to - from) <= NEAR * fmax(a, b)) return 0.5 * (pow(a, n) + pow(b, n));
    if (a == 0.0 && b == 0.0) return 0.0;
    return (pow(b, n + 1.0) - pow(a, n + 1.0)) / ((n + 1.0) * (to - from));
}
