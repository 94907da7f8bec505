#include "render/sky/environment.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "render/sky/hdr_file.h"

static const float PI_F = 3.14159265f, TURN = 6.28318531f;

enum { MOST_COLUMNS = 512, MOST_ROWS = 256 };

// Even black cells are sampled occasionally, because cells are coarser than pixels and may hide
// bright ones.
// lower bound of a cell's weight, relative to the mean weight
static const float LEAST_SHARE = 0.02f;

void sherd_environment_destroy(sherd_environment *e)
{
    if (e == NULL) return;
    sherd_free(e->pixels);
    sherd_free(e->row_sums);
    sherd_free(e->column_sums);
    sherd_free(e);
}

static vec3f pixel_at(const sherd_environment *e, int x, int y)
{
    int column = (x % e->width + e->width) % e->width;
    int row = y < 0 ? 0 : y >= e->height ? e->height - 1 : y;
    const float *p = e->pixels + 3 * ((size_t)row * (size_t)e->width + (size_t)column);
    return vec3f_make(p[0], p[1], p[2]);
}

// Weight of pixel k in the integral of the linearly interpolated image over a cell of pixels
// [begin, end) of a line. k may be one pixel outside the cell.
static double line_share(int k, int begin, int end)
{
    if (k < begin || k >= end) return 0.125;
    return 1.0 - 0.125 * (k == begin) - 0.125 * (k == end - 1);
}

// Mean luminance of a cell times its solid angle, up to a constant factor.
static float cell_weight(const sherd_environment *e, int row, int column)
{
    int top = row * e->height / e->rows, bottom = (row + 1) * e->height / e->rows;
    int left = column * e->width / e->columns, right = (column + 1) * e->width / e->columns;
    double sum = 0.0;
    for (int y = top - 1; y <= bottom; ++y)
        for (int x = left - 1; x <= right; ++x)
            sum += line_share(y, top, bottom) * line_share(x, left, right) *
                   (double)vec3f_luminance(pixel_at(e, x, y));
    float sine = sinf(PI_F * ((float)row + 0.5f) / (float)e->rows);
    return sine * (float)(sum / ((double)(bottom - top) * (right - left)));
}

// Turns weights, to each of which `least` is added, into a cumulative distribution from 0 to 1.
// Returns the sum of the weights.
static double normalize_sums(float *sums, int count, float least)
{
    double sum = 0.0;
    for (int k = 1; k <= count; ++k)
        sum += (double)(sums[k] + least);
    double so_far = 0.0;
    for (int k = 1; k <= count; ++k) {
        so_far += (double)(sums[k] + least);
        sums[k] = sum > 0.0 ? (float)(so_far / sum) : (float)k / (float)count;
    }
    sums[0] = 0.0f, sums[count] = 1.0f;
    return sum;
}

static void sum_up(sherd_environment *e)
{
    double total = 0.0;
    size_t stride = (size_t)e->columns + 1;
    for (int r = 0; r < e->rows; ++r)
        for (int c = 0; c < e->columns; ++c) {
            float weight = cell_weight(e, r, c);
            e->column_sums[(size_t)r * stride + (size_t)c + 1] = weight;
            total += (double)weight;
        }
    float least = (float)((double)LEAST_SHARE * total / ((double)e->rows * e->columns));
    for (int r = 0; r < e->rows; ++r)
        e->row_sums[r + 1] =
            (float)normalize_sums(e->column_sums + (size_t)r * stride, e->columns, least);
    normalize_sums(e->row_sums, e->rows, 0.0f);
}

sherd_environment *sherd_environment_take(int width, int height, float *pixels)
{
    SHERD_ASSERT(width > 0 && height > 0 && pixels != NULL, "an environment has pixels");
    sherd_environment *e = sherd_alloc(1, sizeof *e);
    if (e == NULL) {
        sherd_free(pixels);
        return NULL;
    }
    *e = (sherd_environment){.width = width,
                             .height = height,
                             .pixels = pixels,
                             .brightness = 1.0f,
                             .columns = width < MOST_COLUMNS ? width : MOST_COLUMNS,
                             .rows = height < MOST_ROWS ? height : MOST_ROWS};
    e->row_sums = sherd_alloc((size_t)e->rows + 1, sizeof *e->row_sums);
    e->column_sums =
        sherd_alloc((size_t)e->rows * ((size_t)e->columns + 1), sizeof *e->column_sums);
    if (e->row_sums == NULL || e->column_sums == NULL) {
        sherd_environment_destroy(e);
        return NULL;
    }
    sum_up(e);
    return e;
}

sherd_environment *sherd_environment_read(const char *path, double rotation, double brightness,
                                          sherd_error *error)
{
    const double turn = 6.2831853071795865;
    if (!isfinite(rotation) || !(brightness >= 0.0 && brightness <= 1e6)) {
        sherd_fail(error, SHERD_ERROR_INPUT, "environment", NULL,
                   "rotation %g or brightness %g is out of range", rotation, brightness);
        return NULL;
    }
    int width, height;
    float *pixels = sherd_hdr_file_read(path, &width, &height, error);
    if (pixels == NULL) return NULL;
    sherd_environment *e = sherd_environment_take(width, height, pixels);
    if (e == NULL) {
        sherd_fail_memory(error, "environment");
        return NULL;
    }
    double turns = rotation / turn;
    e->turn = (float)(turns - floor(turns));
    e->brightness = (float)brightness;
    return e;
}

// Position in the picture, both coordinates in [0, 1).
static sample2 place_of(const sherd_environment *e, vec3f d)
{
    float u = 0.5f - atan2f(d.y, d.x) / TURN + e->turn;
    float v = acosf(float_max(-1.0f, float_min(d.z, 1.0f))) / PI_F;
    return (sample2){u - floorf(u), float_min(v, 0.9999999f)};
}

vec3f sherd_environment_radiance(const sherd_environment *e, vec3f direction)
{
    sample2 place = place_of(e, direction);
    float x = place.u * (float)e->width - 0.5f, y = place.v * (float)e->height - 0.5f;
    float left = floorf(x), top = floorf(y);
    int c = (int)left, r = (int)top;
    vec3f above = vec3f_mix(pixel_at(e, c, r), pixel_at(e, c + 1, r), x - left);
    vec3f below = vec3f_mix(pixel_at(e, c, r + 1), pixel_at(e, c + 1, r + 1), x - left);
    return vec3f_scale(e->brightness, vec3f_mix(above, below, y - top));
}

// Inverts a cumulative distribution: the index of the interval that contains a number in [0, 1],
// and the position within the interval.
static int find_stretch(const float *sums, int count, float random, float *within)
{
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (sums[middle] <= random)
            low = middle;
        else
            high = middle;
    }
    float width = sums[low + 1] - sums[low];
    *within = width > 0.0f ? float_min((random - sums[low]) / width, 0.999999f) : 0.5f;
    return low;
}

vec3f sherd_environment_direction(const sherd_environment *e, sample2 random)
{
    float down, along;
    int r = find_stretch(e->row_sums, e->rows, random.u, &down);
    const float *sums = e->column_sums + (size_t)r * ((size_t)e->columns + 1);
    int c = find_stretch(sums, e->columns, random.v, &along);
    float polar = PI_F * ((float)r + down) / (float)e->rows;
    float azimuth = TURN * (0.5f + e->turn - ((float)c + along) / (float)e->columns);
    float sine = sinf(polar);
    return vec3f_make(sine * cosf(azimuth), sine * sinf(azimuth), cosf(polar));
}

float sherd_environment_density(const sherd_environment *e, vec3f direction)
{
    sample2 place = place_of(e, direction);
    int r = (int)(place.v * (float)e->rows), c = (int)(place.u * (float)e->columns);
    if (c >= e->columns) c = e->columns - 1;
    const float *sums = e->column_sums + (size_t)r * ((size_t)e->columns + 1) + c;
    float share = (e->row_sums[r + 1] - e->row_sums[r]) * (sums[1] - sums[0]);
    float sine = sqrtf(float_max(1.0f - direction.z * direction.z, 1e-8f));
    return share * (float)e->rows * (float)e->columns / (2.0f * PI_F * PI_F * sine);
}
