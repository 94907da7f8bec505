// Woven cloth: warp along y, weft along x, each passing over and under the other.
//
// A yarn's centre line is a taut string around the yarns that it crosses [Peirce 1937]: it follows an
// arc of a circle of one yarn diameter D about the crossing yarn's centre where it comes over or goes
// under, and runs straight in between.
//
//        __                D = 2 r, the distance of centre lines where yarns touch;
//       /  \      __       over a crossing yarn that lies at height -h the top of the arc is at D - h.
//      / () \    /         Arcs of neighbouring crossings have a common tangent only while they are
//     /      \__/ ()       more than 2 D apart: below that the cloth is jammed, and refused.
//
// With that, points of two yarns are never closer than D: on two arcs about each other, at angles a
// and b from the crossing, their distance is D sqrt(1 + 2 (1 - cos a) (1 - cos b)).
#include "base/error.h"
#include "math/vec3.h"
#include "packing/yarn/yarn_build.h"

static const double DEFAULT_DISTANCE = 5.0; // radii: open enough to see the yarns

enum { ARC_STEPS = 12, MOST_YARNS = 1000000 };

// Whether the warp passes over the weft at a crossing.
static bool warp_is_over(sherd_weave weave, int warp, int weft)
{
    switch (weave) {
    case SHERD_WEAVE_TWILL:
        return (warp + weft) % 4 < 2;
    case SHERD_WEAVE_SATIN:
        return (warp + 2 * weft) % 5 != 0;
    case SHERD_WEAVE_PLAIN:
        break;
    }
    return (warp + weft) % 2 == 0;
}

// One yarn in its own plane: the coordinate along it, and height.
typedef struct section {
    int crossings;
    double distance;  // of crossings [m]
    double D;         // [m]
    double own_high;  // of this yarn's centre line over a crossing: own_high, under it: -own_high
    double arc_angle; // half of what an arc turns between crossings of opposite sides [rad]
} section;

// The common tangent of two circles of radius D, `distance` apart along and 2 h apart in height, that
// passes between them has the slope angle asin(2 D / gap) - atan(2 h / distance).
static section make_section(int crossings, double distance, double D, double own_high)
{
    double crossing_high = D - own_high;
    double gap = hypot(distance, 2.0 * crossing_high);
    return (section){.crossings = crossings,
                     .distance = distance,
                     .D = D,
                     .own_high = own_high,
                     .arc_angle = asin(2.0 * D / gap) - atan(2.0 * crossing_high / distance)};
}

typedef struct yarn_path {
    const section *section;
    sherd_weave weave;
    bool is_warp;
    int number;
    sherd_yarn_curve *curve;
} yarn_path;

static bool is_over(const yarn_path *p, int crossing)
{
    if (p->is_warp) return warp_is_over(p->weave, p->number, crossing);
    return !warp_is_over(p->weave, crossing, p->number);
}

// `across` is the position of this yarn among the parallel ones.
static void put(const yarn_path *p, double across, double along, double height)
{
    sherd_vec3 point = p->is_warp ? vec3(across, along, height) : vec3(along, across, height);
    sherd_yarn_curve_add(p->curve, point);
}

// The arc about crossing `k` from one angle to another, measured from its top or bottom along the
// yarn.
static void add_arc(const yarn_path *p, double across, int k, double from, double to)
{
    const section *s = p->section;
    double side = is_over(p, k) ? 1.0 : -1.0, high = s->own_high;
    double middle = ((double)k - 0.5 * (s->crossings - 1)) * s->distance;
    for (int n = 0; n <= ARC_STEPS; ++n) {
        double angle = from + (to - from) * n / ARC_STEPS;
        put(p, across, middle + s->D * sin(angle), side * (high - s->D * (1.0 - cos(angle))));
    }
}

static void follow(const yarn_path *p, double across)
{
    const section *s = p->section;
    double end = 0.5 * s->crossings * s->distance;
    put(p, across, -end, is_over(p, 0) ? s->own_high : -s->own_high);
    for (int k = 0; k < s->crossings; ++k) {
        bool turns_before = k > 0 && is_over(p, k - 1) != is_over(p, k);
        bool turns_after = k + 1 < s->crossings && is_over(p, k + 1) != is_over(p, k);
        if (turns_before) add_arc(p, across, k, -s->arc_angle, 0.0);
        if (turns_after) add_arc(p, across, k, 0.0, s->arc_angle);
    }
    int last = s->crossings - 1;
    put(p, across, end, is_over(p, last) ? s->own_high : -s->own_high);
}

static void add_yarns(sherd_yarn_build *build, const sherd_yarn_def *def, const section *s,
                      bool is_warp)
{
    const sherd_woven_def *d = &def->woven;
    int count = is_warp ? d->warp : d->weft;
    double distance = is_warp ? d->warp_distance : d->weft_distance;
    if (distance == 0.0) distance = DEFAULT_DISTANCE * d->radius;
    for (int n = 0; n < count && !build->failed && !build->too_many; ++n) {
        sherd_yarn_curve curve = {0};
        yarn_path path = {s, d->weave, is_warp, n, &curve};
        follow(&path, ((double)n - 0.5 * (count - 1)) * distance);
        size_t first = sherd_yarn_build_add(build, &curve, d->radius, def->spacing);
        // Along the edges: the outermost yarns, and the last crossings of the others.
        double end = (0.5 * s->crossings - 1.0) * s->distance;
        for (size_t k = first; k < build->count; ++k) {
            sherd_vec3 at = build->point[k];
            build->edge[k] = n == 0 || n == count - 1 || fabs(is_warp ? at.y : at.x) > end;
        }
    }
}

static sherd_status check_distance(const char *where, double given, double least,
                                   sherd_error *error)
{
    if (given >= least && given < 1e60) return SHERD_OK;
    return sherd_fail(
        error, SHERD_ERROR_INPUT, where, "closer yarns have no room to pass between each other",
        "must be at least %g m with yarns of this radius and crimp, got %g m", least, given);
}

static sherd_status check(const sherd_woven_def *d, sherd_error *error)
{
    sherd_status status = sherd_yarn_check_length("yarn.woven.radius", d->radius, error);
    if (status != SHERD_OK) return status;
    if (d->warp < 2 || d->weft < 2 || d->warp > MOST_YARNS || d->weft > MOST_YARNS)
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.woven", NULL,
                          "needs 2 to %d yarns each way, got %d warp and %d weft", MOST_YARNS,
                          d->warp, d->weft);
    if ((unsigned)d->weave > SHERD_WEAVE_SATIN)
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.woven.weave", NULL,
                          "not one of sherd_weave");
    if (!(d->crimp >= 0.0 && d->crimp <= 1.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn.woven.crimp", NULL,
                          "must be within [0, 1], got %g", d->crimp);
    return SHERD_OK;
}

sherd_status sherd_yarn_woven(sherd_yarn_build *build, const sherd_yarn_def *def,
                              sherd_error *error)
{
    const sherd_woven_def *d = &def->woven;
    sherd_status status = check(d, error);
    if (status != SHERD_OK) return status;
    double D = 2.0 * d->radius, warp_high = d->crimp * D, weft_high = D - warp_high;
    double warp_distance =
        d->warp_distance != 0.0 ? d->warp_distance : DEFAULT_DISTANCE * d->radius;
    double weft_distance =
        d->weft_distance != 0.0 ? d->weft_distance : DEFAULT_DISTANCE * d->radius;
    // Warp crosses weft yarns, which are at +-weft_high, and vice versa. Jammed where
    // distance^2 + (2 high)^2 = (2 D)^2; and neighbours must not touch.
    double warp_least = fmax(sqrt(4.0 * D * D - 4.0 * warp_high * warp_high), D);
    double weft_least = fmax(sqrt(4.0 * D * D - 4.0 * weft_high * weft_high), D);
    status = check_distance("yarn.woven.warp_distance", warp_distance, warp_least, error);
    if (status == SHERD_OK)
        status = check_distance("yarn.woven.weft_distance", weft_distance, weft_least, error);
    if (status != SHERD_OK) return status;
    section warp = make_section(d->weft, weft_distance, D, warp_high);
    section weft = make_section(d->warp, warp_distance, D, weft_high);
    add_yarns(build, def, &warp, true);
    add_yarns(build, def, &weft, false);
    return SHERD_OK;
}
