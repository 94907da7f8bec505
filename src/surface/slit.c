#include "surface/slit.h"

#include "base/memory.h"
#include "math/vec3.h"

// Gaussian weights below exp(-2.5^2 / 2) = 0.04 are dropped.
static const double REACH_IN_WIDTHS = 2.5;
// A crack worth drawing has this much weight of aligned fracture points around: a single broken bond
// has at most 1, an unbroken sheet of them in a close packing 4 to 8.
static const double LEAST_SUPPORT = 2.0;

bool sherd_slits_build(slits *s, const sherd_vec3 *points, const sherd_vec3 *normals,
                       const sherd_fragment_id *labels, int32_t count, double width)
{
    *s = (slits){.width = width};
    if (!sherd_bins_build(&s->points, points, count, REACH_IN_WIDTHS * width)) return false;
    s->normal = sherd_alloc((size_t)count, sizeof *s->normal);
    s->label = sherd_alloc((size_t)count, sizeof *s->label);
    if (s->normal == NULL || s->label == NULL) return false;
    for (int32_t k = 0; k < count; ++k) {
        s->normal[k] = normals[s->points.source[k]];
        s->label[k] = labels[s->points.source[k]];
    }
    return true;
}

void sherd_slits_release(slits *s)
{
    sherd_bins_release(&s->points);
    sherd_free(s->normal);
    sherd_free(s->label);
    *s = (slits){0};
}

static int32_t nearest_point(const slits *s, sherd_fragment_id label, sherd_vec3 x)
{
    double best = REACH_IN_WIDTHS * s->width;
    int32_t nearest = -1, begin, end;
    bins_rows rows = sherd_bins_ball(&s->points, x, best);
    while (sherd_bins_next(&s->points, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            if (s->label[k] != label) continue;
            double distance = vec3_distance(x, s->points.point[k]);
            if (distance >= best) continue;
            best = distance;
            nearest = k;
        }
    return nearest;
}

bool sherd_slits_distance(const slits *s, sherd_fragment_id label, sherd_vec3 x, double *distance,
                          sherd_vec3 *direction)
{
    if (s->points.count == 0) return false;
    int32_t nearest = nearest_point(s, label, x);
    if (nearest < 0) return false;
    double reach = REACH_IN_WIDTHS * s->width, inverse2 = 0.5 / (s->width * s->width);
    double sum = 0.0, support = 0.0;
    sherd_vec3 normal = vec3(0.0, 0.0, 0.0);
    int32_t begin, end;
    bins_rows rows = sherd_bins_ball(&s->points, x, reach);
    while (sherd_bins_next(&s->points, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, s->points.point[k]);
            double r2 = vec3_dot(arm, arm);
            if (s->label[k] != label || r2 > reach * reach) continue;
            double alignment = vec3_dot(s->normal[k], s->normal[nearest]);
            double W = fabs(alignment) * exp(-r2 * inverse2);
            sherd_vec3 n = vec3_scale(copysign(1.0, alignment), s->normal[k]);
            sum += vec3_dot(arm, n) * W;
            support += W;
            normal = vec3_add_scaled(normal, W, n);
        }
    if (support < LEAST_SUPPORT) return false;
    *distance = sum / support;
    *direction = vec3_normalize(normal);
    return true;
}
