#include "math/point_bins.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/vec3.h"

static const double MAX_BINS = 1e9; // fits int32_t

static int32_t bin_along(double x, double origin, double inverse_size, int32_t size)
{
    double k = (x - origin) * inverse_size;
    return !(k >= 0.0) ? 0 : k >= size ? size - 1 : (int32_t)k;
}

static void choose_size(sherd_point_bins *b, sherd_vec3 low, sherd_vec3 high, sherd_bin_size size)
{
    sherd_vec3 extent = vec3_sub(high, low);
    double bound = fmin(size.max_per_point * b->count + 64.0, MAX_BINS), total;
    do {
        double n[3] = {floor(extent.x / size.wanted) + 1.0, floor(extent.y / size.wanted) + 1.0,
                       floor(extent.z / size.wanted) + 1.0};
        total = n[0] * n[1] * n[2];
        for (int d = 0; d < 3; ++d)
            b->size[d] = n[d] < 1e6 ? (int32_t)n[d] : 1000000;
        b->inverse_size = 1.0 / size.wanted;
        size.wanted *= size.growth;
    } while (total > bound);
    b->origin = low;
}

static int32_t bin_of(const sherd_point_bins *b, sherd_vec3 p)
{
    int32_t x = bin_along(p.x, b->origin.x, b->inverse_size, b->size[0]);
    int32_t y = bin_along(p.y, b->origin.y, b->inverse_size, b->size[1]);
    int32_t z = bin_along(p.z, b->origin.z, b->inverse_size, b->size[2]);
    return (z * b->size[1] + y) * b->size[0] + x;
}

sherd_vec3 sherd_point_of_array(const void *points, int32_t k)
{
    return ((const sherd_vec3 *)points)[k];
}

bool sherd_point_bins_build(sherd_point_bins *b, sherd_point_source *point, const void *context,
                            int32_t count, sherd_bin_size size)
{
    SHERD_ASSERT(count >= 0 && size.wanted > 0.0 && size.growth > 1.0, "bins have a size");
    *b = (sherd_point_bins){.count = count};
    sherd_vec3 low = count > 0 ? point(context, 0) : vec3(0, 0, 0), high = low;
    for (int32_t k = 1; k < count; ++k) {
        low = vec3_min(low, point(context, k));
        high = vec3_max(high, point(context, k));
    }
    choose_size(b, low, high, size);
    int32_t total = b->size[0] * b->size[1] * b->size[2];
    b->start = sherd_alloc((size_t)total + 2, sizeof *b->start);
    b->point = sherd_alloc((size_t)count, sizeof *b->point);
    b->source = sherd_alloc((size_t)count, sizeof *b->source);
    if (b->start == NULL || b->point == NULL || b->source == NULL) return false;
    // Counting sort; start[k + 1] runs from the start to the end of bin k while filling.
    for (int32_t k = 0; k < count; ++k)
        b->start[bin_of(b, point(context, k)) + 2]++;
    for (int32_t k = 2; k <= total; ++k)
        b->start[k + 1] += b->start[k];
    for (int32_t k = 0; k < count; ++k) {
        sherd_vec3 p = point(context, k);
        int32_t place = b->start[bin_of(b, p) + 1]++;
        b->point[place] = p;
        b->source[place] = k;
    }
    SHERD_ASSERT(sherd_rows_follow(b->start, (size_t)total, count), "each point lies in one bin");
    SHERD_ASSERT(sherd_rows_ascend(b->start, (size_t)total, b->source),
                 "points of a bin keep their order");
    return true;
}

sherd_bounds sherd_point_bins_bounds(const sherd_point_bins *b)
{
    sherd_vec3 low = b->count > 0 ? b->point[0] : vec3(0, 0, 0), high = low;
    for (int32_t k = 1; k < b->count; ++k) {
        low = vec3_min(low, b->point[k]);
        high = vec3_max(high, b->point[k]);
    }
    return (sherd_bounds){low, high};
}

void sherd_point_bins_release(sherd_point_bins *b)
{
    sherd_free(b->start);
    sherd_free(b->point);
    sherd_free(b->source);
    *b = (sherd_point_bins){0};
}

sherd_bin_rows sherd_point_bins_rows(const sherd_point_bins *b, sherd_vec3 low, sherd_vec3 high,
                                     double reach)
{
    sherd_bin_rows r = {.ball = false};
    double l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
    double o[3] = {b->origin.x, b->origin.y, b->origin.z};
    for (int d = 0; d < 3; ++d) {
        r.low[d] = bin_along(l[d] - reach, o[d], b->inverse_size, b->size[d]);
        r.high[d] = bin_along(h[d] + reach, o[d], b->inverse_size, b->size[d]);
    }
    r.y = r.low[1];
    r.z = r.low[2];
    return r;
}

sherd_bin_rows sherd_point_bins_ball(const sherd_point_bins *b, sherd_vec3 centre, double reach)
{
    sherd_bin_rows r = sherd_point_bins_rows(b, centre, centre, reach);
    r.ball = true;
    r.centre = vec3_scale(b->inverse_size, vec3_sub(centre, b->origin));
    r.reach = reach * b->inverse_size * (1.0 + 1e-9); // and the rounding of bin_along
    return r;
}

// Distance of x from the k-th of unit intervals.
static double distance_from_bin(double x, int32_t k)
{
    return x < k ? k - x : x > k + 1 ? x - k - 1.0 : 0.0;
}

// Half the length of a row within the ball, negative for rows beyond it.
static double half_chord(const sherd_bin_rows *r)
{
    double y = distance_from_bin(r->centre.y, r->y), z = distance_from_bin(r->centre.z, r->z);
    double square = r->reach * r->reach - y * y - z * z;
    return square < 0.0 ? -1.0 : sqrt(square);
}

bool sherd_point_bins_next(const sherd_point_bins *b, sherd_bin_rows *r, int32_t *begin,
                           int32_t *end)
{
    double half = 0.0;
    if (b->count == 0) return false;
    do {
        if (r->z > r->high[2]) return false;
        int32_t row = (r->z * b->size[1] + r->y) * b->size[0], low = r->low[0], high = r->high[0];
        if (r->ball && (half = half_chord(r)) >= 0.0) {
            low = bin_along(r->centre.x - half, 0.0, 1.0, b->size[0]);
            high = bin_along(r->centre.x + half, 0.0, 1.0, b->size[0]);
        }
        *begin = b->start[row + low];
        *end = b->start[row + high + 1];
        if (++r->y > r->high[1]) {
            r->y = r->low[1];
            r->z++;
        }
    } while (half < 0.0);
    return true;
}
