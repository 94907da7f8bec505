// Along a polyline: bonds any part of which comes within the curve's radius.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

typedef struct curve_pattern {
    sherd_weakness base;
    int count;
    sherd_vec3 *points;
    sherd_vec3 along; // unit, or 0
    double radius, falloff;
} curve_pattern;

// Projects along the direction in which the curve is extruded through the body.
static sherd_vec3 seen(const curve_pattern *p, sherd_vec3 x)
{
    return vec3_add_scaled(x, -vec3_dot(x, p->along), p->along);
}

static sherd_status curve_check(const sherd_weakness_def *def, sherd_error *error)
{
    if (def->point_count < 2 || def->points == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "points", NULL,
                          "a curve needs at least 2 points, got %d", def->point_count);
    sherd_status status = SHERD_OK;
    for (int k = 0; k < def->point_count && status == SHERD_OK; ++k)
        status = sherd_pattern_check_vector("points", def->points[k], error);
    if (status == SHERD_OK) status = sherd_pattern_check_length("radius", def->radius, error);
    sherd_vec3 along = vec3_normalize(def->along);
    double length = 0.0;
    for (int k = 1; k < def->point_count; ++k) {
        sherd_vec3 d = vec3_sub(def->points[k], def->points[k - 1]);
        length += vec3_length(vec3_add_scaled(d, -vec3_dot(d, along), along));
    }
    if (status == SHERD_OK && !(length > 0.0))
        return sherd_fail(
            error, SHERD_ERROR_INPUT, "points",
            "points that differ, and not only `along` it; `region: {shape: {sphere: ...}}` "
            "weakens the surroundings of one point",
            "the curve has no length: its %d points are the same point%s", def->point_count,
            vec3_length(along) > 0.0 ? ", seen along it" : "");
    return status;
}

static sherd_status curve_init(sherd_weakness *base, const sherd_weakness_def *def,
                               sherd_error *error)
{
    sherd_status status = curve_check(def, error);
    if (status != SHERD_OK) return status;
    curve_pattern *p = (curve_pattern *)base;
    p->points = sherd_alloc((size_t)def->point_count, sizeof *p->points);
    if (p->points == NULL) return sherd_fail_memory(error, "a curve");
    p->count = def->point_count;
    p->along = vec3_normalize(def->along);
    p->radius = def->radius;
    p->falloff = def->falloff;
    for (int k = 0; k < p->count; ++k)
        p->points[k] = seen(p, def->points[k]);
    return SHERD_OK;
}

static double clamp01(double t)
{
    return fmin(fmax(t, 0.0), 1.0);
}

// Least distance between segments a + s u and b + t v, s and t in [0, 1]      (Ericson 2004, 5.1.9)
static double segment_distance(sherd_vec3 a, sherd_vec3 u, sherd_vec3 b, sherd_vec3 v)
{
    sherd_vec3 r = vec3_sub(a, b);
    double uu = vec3_dot(u, u), vv = vec3_dot(v, v), uv = vec3_dot(u, v);
    double ur = vec3_dot(u, r), vr = vec3_dot(v, r);
    double s = 0.0, t = 0.0;
    if (uu > 0.0 && vv > 0.0) {
        double across = uu * vv - uv * uv; // 0 for parallel segments: any s is valid
        s = across > 0.0 ? clamp01((uv * vr - ur * vv) / across) : 0.0;
        t = (uv * s + vr) / vv;
        if (t < 0.0 || t > 1.0) {
            t = clamp01(t);
            s = clamp01((uv * t - ur) / uu);
        }
    } else if (uu > 0.0) {
        s = clamp01(-ur / uu);
    } else if (vv > 0.0) {
        t = clamp01(vr / vv);
    }
    return vec3_length(vec3_sub(vec3_add_scaled(r, s, u), vec3_scale(t, v)));
}

static double curve_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const curve_pattern *p = (const curve_pattern *)base;
    sherd_vec3 a = seen(p, i), u = vec3_sub(seen(p, j), a);
    double least = INFINITY;
    for (int k = 0; k + 1 < p->count; ++k)
        least = fmin(
            least, segment_distance(a, u, p->points[k], vec3_sub(p->points[k + 1], p->points[k])));
    return sherd_pattern_fade(least - p->radius, p->falloff);
}

static void curve_release(sherd_weakness *base)
{
    sherd_free(((curve_pattern *)base)->points);
}

const sherd_pattern_kind sherd_pattern_curve = {.size = sizeof(curve_pattern),
                                                .init = curve_init,
                                                .amount = curve_amount,
                                                .release = curve_release};
