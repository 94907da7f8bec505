#include "calibration/bar_masses.h"

#include "base/assertion.h"
#include "math/vec3.h"

#include <stddef.h>

// G / E of bonds assumed here.
static const double SHEAR = 0.4;

// For E = 1: mass that a bond adds to an end of radius r for unit frequency. Translation is
// resisted by kn = S / l, rotation by ks l^2 / 4 + E I / l with I = S^2 / (4 pi), over the moment
// of inertia 2/5 m r^2.
static double needed_mass(double l, double section, double r)
{
    double turning = 0.25 * SHEAR * section * l + section * section / (4.0 * 3.14159265 * l);
    return fmax(section / l, turning / (0.4 * r * r));
}

void sherd_even_volumes(const sherd_packing *packing, double *volume)
{
    SHERD_ASSERT(packing->bond_i != NULL || packing->bond_count == 0, "bonds have ends");
    const sherd_packing *p = packing;
    double sum = 0.0;
    for (int32_t k = 0; k < p->count; ++k)
        volume[k] = 0.0;
    for (int64_t b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        double l = vec3_length(vec3(p->x[j] - p->x[i], p->y[j] - p->y[i], p->z[j] - p->z[i]));
        double r = 0.5 * (p->radius[i] + p->radius[j]);
        double section = p->bond_section != NULL ? p->bond_section[b] : 3.14159265 * r * r;
        volume[i] += needed_mass(l, section, p->radius[i]);
        volume[j] += needed_mass(l, section, p->radius[j]);
    }
    for (int32_t k = 0; k < p->count; ++k)
        sum += volume[k];
    for (int32_t k = 0; k < p->count; ++k) {
        if (!(volume[k] > 0.0)) volume[k] = 1e-3 * sum / p->count; // an element without bonds
        volume[k] *= p->shape_volume / sum;
    }
}
