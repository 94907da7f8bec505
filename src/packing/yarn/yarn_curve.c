#include "packing/yarn/yarn_curve.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/quat.h"

static const double PI = 3.14159265358979323846;

void sherd_yarn_curve_free(sherd_yarn_curve *curve)
{
    sherd_free(curve->point);
    *curve = (sherd_yarn_curve){0};
}

void sherd_yarn_curve_add(sherd_yarn_curve *curve, sherd_vec3 point)
{
    SHERD_ASSERT(vec3_is_finite(point), "points of a curve are finite");
    if (curve->failed || !sherd_grow((void **)&curve->point, &curve->capacity, curve->count + 1,
                                     sizeof *curve->point)) {
        curve->failed = true;
        return;
    }
    curve->point[curve->count++] = point;
}

double sherd_yarn_curve_length(const sherd_yarn_curve *curve)
{
    double length = 0.0;
    for (size_t k = 1; k < curve->count; ++k)
        length += vec3_distance(curve->point[k - 1], curve->point[k]);
    return length;
}

void sherd_yarn_curve_sample(const sherd_yarn_curve *curve, size_t count, sherd_vec3 *point)
{
    double step = sherd_yarn_curve_length(curve) / (double)(count - 1);
    double before = 0.0; // length up to point k - 1
    size_t k = 1;
    for (size_t n = 0; n < count; ++n) {
        double at = (double)n * step;
        double piece = vec3_distance(curve->point[k - 1], curve->point[k]);
        while (before + piece < at && k + 1 < curve->count) {
            before += piece;
            ++k;
            piece = vec3_distance(curve->point[k - 1], curve->point[k]);
        }
        double share = piece > 0.0 ? fmin((at - before) / piece, 1.0) : 0.0;
        point[n] = vec3_add_scaled(curve->point[k - 1], share,
                                   vec3_sub(curve->point[k], curve->point[k - 1]));
    }
    point[count - 1] = curve->point[curve->count - 1];
}

// ---------------------------------------------------------------- through points

// Barry and Goldman's pyramid for knots at the square roots of distances, which neither overshoots
// nor makes loops. `t` in [0, 1] from b to c.
static sherd_vec3 between(const sherd_vec3 p[4], double t)
{
    double knot[4] = {0.0};
    for (int k = 1; k < 4; ++k)
        knot[k] = knot[k - 1] + sqrt(vec3_distance(p[k - 1], p[k]));
    double at = knot[1] + t * (knot[2] - knot[1]);
    sherd_vec3 q[4] = {p[0], p[1], p[2], p[3]};
    for (int level = 1; level < 4; ++level)
        for (int k = 0; k + level < 4; ++k) {
            // The last level joins the two inner knots only.
            int low = level == 3 ? 1 : k, high = level == 3 ? 2 : k + level;
            double share = (at - knot[low]) / (knot[high] - knot[low]);
            q[k] = vec3_add_scaled(q[k], share, vec3_sub(q[k + 1], q[k]));
        }
    return q[0];
}

void sherd_yarn_curve_through(sherd_yarn_curve *curve, const sherd_vec3 *points, int count,
                              double step)
{
    for (int k = 0; k + 1 < count; ++k) {
        sherd_vec3 p[4] = {points[k], points[k], points[k + 1], points[k + 1]};
        // The first and last segments continue straight beyond the ends.
        p[0] = k > 0 ? points[k - 1] : vec3_sub(vec3_scale(2.0, p[1]), p[2]);
        p[3] = k + 2 < count ? points[k + 2] : vec3_sub(vec3_scale(2.0, p[2]), p[1]);
        int pieces = (int)ceil(vec3_distance(p[1], p[2]) / step);
        for (int n = 0; n < pieces; ++n)
            sherd_yarn_curve_add(curve, between(p, (double)n / pieces));
    }
    sherd_yarn_curve_add(curve, points[count - 1]);
}

// ---------------------------------------------------------------- helices

static sherd_vec3 direction_at(const sherd_yarn_curve *axis, size_t k)
{
    size_t from = k > 0 ? k - 1 : 0, to = k + 1 < axis->count ? k + 1 : k;
    return vec3_normalize(vec3_sub(axis->point[to], axis->point[from]));
}

void sherd_yarn_curve_helix(sherd_yarn_curve *curve, const sherd_yarn_curve *axis, double offset,
                            double pitch, double phase)
{
    if (axis->failed) curve->failed = true;
    double length = 0.0;
    sherd_vec3 along = vec3(0, 0, 1), side = vec3(1, 0, 0);
    for (size_t k = 0; k < axis->count && !curve->failed; ++k) {
        sherd_vec3 now = direction_at(axis, k);
        // Parallel transport: the side vector rotates with the tangent and not about it.
        side = k == 0 ? vec3_perpendicular(now) : quat_rotate(quat_between(along, now), side);
        side = vec3_normalize(vec3_add_scaled(side, -vec3_dot(side, now), now));
        along = now;
        if (k > 0) length += vec3_distance(axis->point[k - 1], axis->point[k]);
        double angle = phase + 2.0 * PI * length / pitch;
        sherd_vec3 across = vec3_cross(along, side);
        sherd_vec3 arm = vec3_add(vec3_scale(cos(angle), side), vec3_scale(sin(angle), across));
        sherd_yarn_curve_add(curve, vec3_add_scaled(axis->point[k], offset, arm));
    }
}

// Smallest distance between two helices of the same radius and pitch with a difference of `phase`.
static double helix_distance(double offset, double pitch, double phase)
{
    enum { STEPS = 720 }; // of half a degree: errors of the least distance below 1e-5 of it
    double least = INFINITY;
    for (int k = 0; k <= STEPS; ++k) {
        double turn = -2.0 * PI * k / STEPS, rise = pitch * turn / (2.0 * PI);
        double across2 = 2.0 * offset * offset * (1.0 - cos(phase + turn));
        least = fmin(least, across2 + rise * rise);
    }
    return sqrt(least);
}

double sherd_yarn_lay_offset(int count, double radius, double pitch)
{
    if (count < 2) return 0.0;
    double low = 0.0, high = radius;
    // At a larger distance, the strand is thinner and has more room.
    for (int k = 0; k < 50; ++k) {
        double offset = 0.5 * (low + high);
        if (helix_distance(offset, fabs(pitch), 2.0 * PI / count) < 2.0 * (radius - offset))
            low = offset;
        else
            high = offset;
    }
    return high;
}
