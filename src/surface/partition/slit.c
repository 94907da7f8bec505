#include "surface/partition/slit.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "surface/partition/surface_bins.h"

// Gaussian weights below exp(-2.5^2 / 2) = 0.04 are dropped.
static const double REACH_IN_WIDTHS = 2.5;

bool sherd_slits_build(slits *s, const sherd_vec3 *points, const sherd_vec3 *normals,
                       const sherd_fragment_id *labels, int32_t count, double width,
                       double min_support)
{
    *s = (slits){.width = width, .min_support = min_support};
    if (!sherd_point_bins_build(&s->points, sherd_point_of_array, points, count,
                                surface_bins(REACH_IN_WIDTHS * width)))
        return false;
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
    sherd_point_bins_release(&s->points);
    sherd_free(s->normal);
    sherd_free(s->label);
    *s = (slits){0};
}

double sherd_slits_reach(const slits *s)
{
    return REACH_IN_WIDTHS * s->width;
}

bool sherd_slits_near(const slits *s, sherd_vec3 low, sherd_vec3 high)
{
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_rows(&s->points, low, high, REACH_IN_WIDTHS * s->width);
    while (sherd_point_bins_next(&s->points, &rows, &begin, &end))
        if (begin < end) return true;
    return false;
}

// Fracture points of one fragment near a point, in input order: the order of bins depends on
// distant cracks, and would affect the rounding of sums and which of two equally near points is the
// nearest. Points beyond the capacity are ignored: in a close packing a hundred are within reach.
enum { MAX_POINTS = 512 };
typedef struct near_points {
    int count, nearest;
    int32_t point[MAX_POINTS];
    double square[MAX_POINTS]; // squared distance
} near_points;

static void insert_point(const slits *s, near_points *near, int32_t point, double square)
{
    int k = near->count++;
    for (; k > 0 && s->points.source[near->point[k - 1]] > s->points.source[point]; --k) {
        near->point[k] = near->point[k - 1];
        near->square[k] = near->square[k - 1];
    }
    near->point[k] = point;
    near->square[k] = square;
}

static void find_points(const slits *s, sherd_fragment_id label, sherd_vec3 x, near_points *near)
{
    double reach = REACH_IN_WIDTHS * s->width;
    int32_t begin, end;
    near->count = near->nearest = 0;
    sherd_bin_rows rows = sherd_point_bins_ball(&s->points, x, reach);
    while (sherd_point_bins_next(&s->points, &rows, &begin, &end))
        for (int32_t k = begin; k < end && near->count < MAX_POINTS; ++k) {
            if (s->label[k] != label) continue;
            sherd_vec3 arm = vec3_sub(x, s->points.point[k]);
            double square = vec3_dot(arm, arm);
            if (square <= reach * reach) insert_point(s, near, k, square);
        }
    for (int k = 1; k < near->count; ++k)
        if (near->square[k] < near->square[near->nearest]) near->nearest = k;
}

static double weigh_points(const slits *s, const near_points *near)
{
    double weight = 0.0, inverse2 = 0.5 / (s->width * s->width);
    for (int k = 0; k < near->count; ++k)
        weight += exp(-near->square[k] * inverse2);
    return weight;
}

// There is one glue bond per square of two radii, and a cell beside the wall is at most 3 radii
// from one.
bool sherd_slits_support(const slits *s, sherd_fragment_id label, sherd_vec3 x)
{
    const double NEAR = 1.4 * s->width;
    near_points near;
    find_points(s, label, x, &near);
    if (near.count == 0 || near.square[near.nearest] > NEAR * NEAR) return false;
    double weight = weigh_points(s, &near);
    if (weight < s->min_support) return false;
    find_points(s, sherd_slits_intact(label), x, &near);
    return weight >= weigh_points(s, &near);
}

bool sherd_slits_distance(const slits *s, sherd_fragment_id label, sherd_vec3 x, double *distance,
                          sherd_vec3 *direction)
{
    if (s->points.count == 0) return false;
    near_points near;
    find_points(s, label, x, &near);
    if (near.count < s->min_support) return false; // the weight of a point is at most 1
    sherd_vec3 agreed = s->normal[near.point[near.nearest]];
    double inverse2 = 0.5 / (s->width * s->width);
    double sum = 0.0, support = 0.0;
    sherd_vec3 normal = vec3(0.0, 0.0, 0.0);
    for (int j = 0; j < near.count; ++j) {
        int32_t k = near.point[j];
        double alignment = vec3_dot(s->normal[k], agreed);
        double W = fabs(alignment) * exp(-near.square[j] * inverse2);
        sherd_vec3 n = vec3_scale(copysign(1.0, alignment), s->normal[k]);
        sum += vec3_dot(vec3_sub(x, s->points.point[k]), n) * W;
        support += W;
        normal = vec3_add_scaled(normal, W, n);
    }
    if (support < s->min_support) return false;
    *distance = sum / support;
    *direction = vec3_normalize(normal);
    return true;
}
