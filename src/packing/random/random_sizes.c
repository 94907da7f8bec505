#include "packing/random/random_sizes.h"

#include "base/assertion.h"

#include <math.h>

double sherd_rcp_radius(const sherd_packing_def *def, double u)
{
    SHERD_ASSERT(u >= 0.0 && u <= 1.0, "a place in the distribution is a part of one");
    double low = def->size_low, high = def->size_high;
    if (def->sizes == SHERD_PACKING_SIZES_RADIUS) return def->radius * (low + u * (high - low));
    double a = low * low * low, b = high * high * high;
    return def->radius * cbrt(a + u * (b - a));
}

sherd_rcp_sizes sherd_rcp_sizes_of(const sherd_packing_def *def)
{
    enum { SAMPLES = 256 };
    double m1 = 0.0, m2 = 0.0, m3 = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        double r = sherd_rcp_radius(def, (k + 0.5) / SAMPLES) / def->radius;
        m1 += r / SAMPLES, m2 += r * r / SAMPLES, m3 += r * r * r / SAMPLES;
    }
    // Desmond and Weeks 2014, "Influence of particle size distribution on random close packing of
    // spheres": with polydispersity d (deviation / mean) and skewness S, 0.634 + 0.0658 d +
    // 0.0857 S d^2.
    double variance = fmax(m2 - m1 * m1, 0.0), d = sqrt(variance) / m1;
    double third = m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1;
    double skewed = variance > 1e-12 ? third / (m1 * m1 * m1 * d) : 0.0; // S d^2
    double r = def->radius;
    return (sherd_rcp_sizes){
        .mean = r * m1,
        .mean_volume = 4.0 / 3.0 * 3.14159265358979323846 * m3 * r * r * r,
        .fraction = 0.634 + 0.0658 * d + 0.0857 * skewed,
    };
}
