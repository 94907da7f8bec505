#include "models/mpm/grid/mpm_surface_reconstruction.h"

#include <math.h>
#include <stdbool.h>

// Integral of the kernel N below s, its first moment, and N(s).
typedef struct part {
    double share, moment, weight; // weight: N(s)
} part;

// Cubic kernel, -2 <= s <= 2: (2 + s)^3 / 6 up to -1, then 2/3 - s^2 -+ s^3/2.
static part cubic_part(double s)
{
    double u = fabs(s), t = 2.0 - u;
    if (u >= 1.0) {
        double tail = t * t * t * t / 24.0, moment = -2.0 * tail + t * t * t * t * t / 30.0;
        return (part){s < 0.0 ? tail : 1.0 - tail, moment, t * t * t / 6.0};
    }
    double half = u * (2.0 / 3.0) - u * u * u * (1.0 / 3.0 - u * 0.125);
    double moment = u * u * (1.0 / 3.0 - u * u * (0.25 - u * 0.1)) - 7.0 / 30.0;
    return (part){s < 0.0 ? 0.5 - half : 0.5 + half, moment, 2.0 / 3.0 - u * u + 0.5 * u * u * u};
}

static part quadratic_part(double s)
{
    double u = fabs(s), t = 1.5 - u;
    if (u >= 0.5) {
        double tail = t * t * t / 6.0, moment = -1.5 * tail + t * t * t * t / 8.0;
        return (part){s < 0.0 ? tail : 1.0 - tail, moment, 0.5 * t * t};
    }
    double half = u * 0.75 - u * u * u / 3.0, moment = u * u * (0.375 - 0.25 * u * u) - 13.0 / 64.0;
    return (part){s < 0.0 ? 0.5 - half : 0.5 + half, moment, 0.75 - u * u};
}

double sherd_mpm_kernel_at(sherd_mpm_kernel kernel, double s)
{
    double u = fabs(s), t = sherd_mpm_reach(kernel) - u;
    if (!(t > 0.0)) return 0.0;
    if (kernel == SHERD_MPM_CUBIC) return cubic_part(u).weight;
    return quadratic_part(u).weight;
}

double sherd_mpm_share_below(sherd_mpm_kernel kernel, double s)
{
    double reach = sherd_mpm_reach(kernel);
    if (s <= -reach || s >= reach) return s < 0.0 ? 0.0 : 1.0;
    return kernel == SHERD_MPM_CUBIC ? cubic_part(s).share : quadratic_part(s).share;
}

// Tangents { s, C, ds/dC } of s(C), which is convex and lies above them. The first is exact up to
// `straight`.
typedef struct tangent {
    double s, centroid, slope;
} tangent;

static const tangent CUBIC_TANGENTS[3] = {
    {-2.0, -2.0, 1.25}, {0.0, -7.0 / 15.0, 45.0 / 28.0}, {1.0, -0.0521739130434783, 5.464}};
static const tangent QUADRATIC_TANGENTS[3] = {
    {-1.5, -1.5, 4.0 / 3.0}, {0.0, -13.0 / 32.0, 64.0 / 39.0}, {0.5, -0.15, 2.564}};

// C(s) is increasing and concave, so Newton's iteration from the left does not overshoot.
double sherd_mpm_surface(sherd_mpm_kernel kernel, double centroid)
{
    bool cubic = kernel == SHERD_MPM_CUBIC;
    const tangent *tangents = cubic ? CUBIC_TANGENTS : QUADRATIC_TANGENTS;
    double deepest = sherd_mpm_deepest(kernel), straight = cubic ? -1.2 : -0.75;
    double s = tangents[0].s;
    for (int k = 0; k < 3; ++k) {
        double above = tangents[k].s + (centroid - tangents[k].centroid) * tangents[k].slope;
        s = above > s ? above : s;
    }
    if (centroid <= straight) return s;           // C(s) is linear there
    for (int k = 0; k < 12 && s < deepest; ++k) { // C' = N (s - C) / share
        part p = cubic ? cubic_part(s) : quadratic_part(s);
        double step =
            (centroid * p.share - p.moment) * p.share / (p.weight * (s * p.share - p.moment));
        s += step;
        if (step < 1e-7) break; // quadratic convergence: the next step is its square
    }
    return s < deepest ? s : deepest;
}

double sherd_mpm_highest_surface(sherd_mpm_kernel kernel, double centroid)
{
    bool cubic = kernel == SHERD_MPM_CUBIC;
    double reach = sherd_mpm_reach(kernel), middle = cubic ? -7.0 / 15.0 : -13.0 / 32.0;
    if (centroid > middle) return sherd_mpm_deepest(kernel);
    return (centroid + reach) * (reach / (reach + middle)) - reach;
}

double sherd_mpm_highest_chord(sherd_mpm_kernel kernel, double centroid)
{
    const sherd_mpm_chord *chords =
        kernel == SHERD_MPM_CUBIC ? SHERD_MPM_CUBIC_CHORDS : SHERD_MPM_QUADRATIC_CHORDS;
    double s = -sherd_mpm_reach(kernel), deepest = sherd_mpm_deepest(kernel);
    for (int k = 0; k < SHERD_MPM_CHORDS; ++k) {
        double above = chords[k].at_node + chords[k].slope * centroid;
        s = above > s ? above : s;
    }
    return s < deepest ? s : deepest;
}
