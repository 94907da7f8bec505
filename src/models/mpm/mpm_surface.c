#include "models/mpm/mpm_surface.h"

#include <math.h>
#include <stdbool.h>

// Share of the kernel below s, and its first moment.
typedef struct part {
    double share, moment, weight; // the latter N(s)
} part;

// Of -2 <= s <= 2: from the outer piece (2 + s)^3 / 6 up to -1, then 2/3 - s^2 -+ s^3/2.
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

// s(C) bends upwards: it lies above its tangents, of which these are some, { s, C, ds/dC }. The first is all of it up to
// `straight`.
typedef struct tangent {
    double s, centroid, slope;
} tangent;

static const tangent CUBIC_TANGENTS[3] = {
    {-2.0, -2.0, 1.25}, {0.0, -7.0 / 15.0, 45.0 / 28.0}, {1.0, -0.0521739130434783, 5.464}};
static const tangent QUADRATIC_TANGENTS[3] = {
    {-1.5, -1.5, 4.0 / 3.0}, {0.0, -13.0 / 32.0, 64.0 / 39.0}, {0.5, -0.15, 2.564}};

// C rises with a slope that falls: Newton's steps from the left never go too far.
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
    if (centroid <= straight) return s;           // C is linear there
    for (int k = 0; k < 12 && s < deepest; ++k) { // C' = N (s - C) / share
        part p = cubic ? cubic_part(s) : quadratic_part(s);
        double step =
            (centroid * p.share - p.moment) * p.share / (p.weight * (s * p.share - p.moment));
        s += step;
        if (step < 1e-7) break; // the next one would be its square
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

// From s = -2, -1, -0.6, -0.3, 0, 0.25, 0.45, 0.65, 0.82, 0.96, 1.08, 1.2 to 1.3, and -1.5, -0.5, -0.3, -0.1, 0.1, 0.25, 0.4, 0.52,
// 0.63, 0.73, 0.83, 0.92 to 1; 1e-11 too high, for rounding.
const sherd_mpm_chord sherd_mpm_cubic_chords[SHERD_MPM_CHORDS] = {
    {0.500000000010, 1.250000000000}, {0.526121027437, 1.271767522856},
    {0.610267778502, 1.366797366498}, {0.702390810350, 1.505123165014},
    {0.808410949578, 1.732309177647}, {0.911550977604, 2.052271415617},
    {1.014833374400, 2.511513234986}, {1.119112403281, 3.229370151455},
    {1.215671678236, 4.271873360875}, {1.302667430816, 5.725436150993},
    {1.385481221921, 7.854822885631}, {1.460576260171, 11.034973517371}};
const sherd_mpm_chord sherd_mpm_quadratic_chords[SHERD_MPM_CHORDS] = {
    {0.500000000010, 1.333333333333}, {0.524038461548, 1.365384615385},
    {0.596014552139, 1.484644882174}, {0.669642857153, 1.641698906243},
    {0.733230709569, 1.824957778801}, {0.795860574164, 2.061484258427},
    {0.863659643224, 2.414554815912}, {0.933657239946, 2.906358370988},
    {0.996498591043, 3.507824309493}, {1.055614905692, 4.285950921012},
    {1.111264086825, 5.343104739864}, {1.161454579286, 6.745213534190}};

double sherd_mpm_highest_chord(sherd_mpm_kernel kernel, double centroid)
{
    const sherd_mpm_chord *chords =
        kernel == SHERD_MPM_CUBIC ? sherd_mpm_cubic_chords : sherd_mpm_quadratic_chords;
    double s = -sherd_mpm_reach(kernel), deepest = sherd_mpm_deepest(kernel);
    for (int k = 0; k < SHERD_MPM_CHORDS; ++k) {
        double above = chords[k].at_node + chords[k].slope * centroid;
        s = above > s ? above : s;
    }
    return s < deepest ? s : deepest;
}
