// Irradiance (radiance divided by albedo) varies slowly over a surface. It is averaged over ever
// larger neighbourhoods: the spacing of the kernel's taps doubles with each pass. The average is
// over pixels with similar surface features whose irradiance differs by no more than the noise
// measured there.
//   Dammertz et al., Edge-avoiding a-trous wavelet transform for fast global illumination
//   filtering (2010); the guidance by variance is from Schied et al., Spatiotemporal
//   variance-guided filtering (2017), without the temporal part: every frame stands alone.
#include "render/denoise.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/memory.h"

#include <string.h>

enum { ROW_CHUNK = 4, PIXEL_CHUNK = 4096 };
enum {
    SPAN = 256,                              // number of pixels of a row that are filtered together
    LANES = 16,                              // pixels in a vector
    REACH = 2 << (SHERD_DENOISE_PASSES - 1), // of the kernel in the last pass [pixels]
};

static const float KERNEL[3] = {0.375f, 0.25f, 0.0625f}; // cubic B-spline

// A pixel with no similar neighbour keeps all its noise (a "firefly", or a dark speck). If it is
// brighter or darker than all its neighbours by less than this many of its standard deviations, the
// difference is taken for noise. At edges, where one sample in ten hits or misses the bright panel
// by chance, this would leave a white or black dot.
static const float SPECK_SIGMAS = 2.0f;

// Differences between pixels at which their weight in the average falls to 1/e.
static const float LIGHT_SIGMAS = 3.0f;  // standard deviations of the noise
static const float NORMAL_SCALE = 0.16f; // length of the difference of the unit normals
static const float ALBEDO_SCALE = 0.06f; // difference of the albedos over (luminance + 0.3)
static const float PLANE_SCALE = 1.5f;   // distance from the tangent plane [pixels]

// Added to the guide of pixels that are not to be mixed with others.
static const float APART = 4.0f;

// Guides and input of the filter. Each is an array over the whole picture.
enum { NORMAL_X, NORMAL_Y, NORMAL_Z, PLACE_X, PLACE_Y, PLACE_Z, TINT_R, TINT_G, TINT_B, GUIDES };
enum { LIGHT_R, LIGHT_G, LIGHT_B, VARIANCE, LIGHTS }; // light is radiance / film_divisor()

typedef struct job {
    const sherd_film *film;
    float *guide[GUIDES];
    float *light[2][LIGHTS]; // each pass reads one and writes the other
    int from;
    int step;
    float pixel_angle;
} job;

static void store(float *const plane[3], size_t k, vec3f v)
{
    plane[0][k] = v.x;
    plane[1][k] = v.y;
    plane[2][k] = v.z;
}

static void divide_albedo(void *context, size_t begin, size_t end)
{
    const job *j = context;
    float *const *light = j->light[0];
    for (size_t k = begin; k < end; ++k) {
        const film_pixel *pixel = &j->film->pixels[k];
        vec3f d = film_divisor(pixel), r = pixel->radiance;
        float luminance = vec3f_luminance(d);
        store(light, k, vec3f_make(r.x / d.x, r.y / d.y, r.z / d.z));
        light[VARIANCE][k] = pixel->variance / (luminance * luminance);
        store(j->guide + NORMAL_X, k, pixel->normal);
        store(j->guide + PLACE_X, k, pixel->position);
        store(j->guide + TINT_R, k, pixel->albedo);
        if (j->film->parts_clear && pixel->clear > 0) j->guide[TINT_R][k] += APART;
    }
}

static float luminance_at(const job *j, size_t k)
{
    float *const *light = j->light[j->from];
    return vec3f_luminance(vec3f_make(light[LIGHT_R][k], light[LIGHT_G][k], light[LIGHT_B][k]));
}

// Whether two pixels of a preview show surfaces at an angle, or one before the other: of thin things
// there is one pixel in its grid, which is no speck.
static bool is_apart(const job *j, size_t here, size_t there)
{
    const float least_cosine = 0.7f, most_rise = 8.0f; // [pixels]
    const film_pixel *a = &j->film->pixels[here], *b = &j->film->pixels[there];
    if (!j->film->parts_clear) return false;
    float rise = vec3f_dot(a->normal, vec3f_sub(b->position, a->position));
    return vec3f_dot(a->normal, b->normal) < least_cosine ||
           fabsf(rise) > most_rise * j->pixel_angle;
}

// The index of the pixel whose light this pixel takes: that of its darkest or brightest neighbour
// if the pixel is a speck (SPECK_SIGMAS), else its own.
static size_t without_speck(const job *j, int x, int y)
{
    size_t width = (size_t)j->film->width, here = (size_t)y * width + (size_t)x;
    size_t darkest = here, brightest = here;
    float own = luminance_at(j, here), low = INFINITY, high = -INFINITY;
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            bool outside = u < 0 || v < 0 || u >= j->film->width || v >= j->film->height;
            if (outside || (u == x && v == y)) continue;
            size_t there = (size_t)v * width + (size_t)u;
            if (is_apart(j, here, there)) continue;
            float light = luminance_at(j, there);
            if (light < low) low = light, darkest = there;
            if (light > high) high = light, brightest = there;
        }
    if (own >= low && own <= high) return here;
    const film_pixel *pixel = &j->film->pixels[here];
    float beyond = own < low ? low - own : own - high;
    float noise = sqrtf(pixel->variance) / vec3f_luminance(film_divisor(pixel));
    if (!(beyond < SPECK_SIGMAS * noise)) return here;
    return own < low ? darkest : brightest;
}

static void clean_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    float *const *from = j->light[j->from], *const *to = j->light[1 - j->from];
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film->width; ++x) {
            size_t here = y * (size_t)j->film->width + (size_t)x;
            size_t taken = without_speck(j, x, (int)y);
            for (int c = LIGHT_R; c <= LIGHT_B; ++c)
                to[c][here] = from[c][taken];
        }
}

static void multiply_albedo(void *context, size_t begin, size_t end)
{
    const job *j = context;
    float *const *light = j->light[j->from];
    for (size_t k = begin; k < end; ++k) {
        vec3f value = vec3f_make(light[LIGHT_R][k], light[LIGHT_G][k], light[LIGHT_B][k]);
        j->film->pixels[k].radiance = vec3f_mul(value, film_divisor(&j->film->pixels[k]));
    }
}

// Sums over the kernel's taps for a span of pixels in one row.
typedef struct span {
    int x, y, count;
    float inverse_tolerance[SPAN + LANES]; // of differences in luminance
    float inverse_tint[SPAN + LANES];      // of squared differences in albedo
    float sum[LIGHTS][SPAN + LANES], weights[SPAN + LANES];
} span;

// Standard deviation of the light at a pixel. The variance of a single pixel is known only roughly,
// so it is averaged over 3 x 3 pixels.
static float local_deviation(const job *j, int x, int y)
{
    static const float weight[2] = {0.5f, 0.25f};
    const float *variance = j->light[j->from][VARIANCE];
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        int v = y + dy < 0 ? 0 : y + dy >= j->film->height ? j->film->height - 1 : y + dy;
        const float *row = variance + (size_t)v * (size_t)j->film->width;
        int left = x > 0 ? x - 1 : x, right = x + 1 < j->film->width ? x + 1 : x;
        sum += weight[dy != 0] * (0.5f * row[x] + 0.25f * (row[left] + row[right]));
    }
    return sqrtf(sum);
}

static void start_span(const job *j, span *s)
{
    size_t first = (size_t)s->y * (size_t)j->film->width + (size_t)s->x;
    for (int k = 0; k < s->count; ++k) {
        size_t here = first + (size_t)k;
        vec3f tint =
            vec3f_make(j->guide[TINT_R][here], j->guide[TINT_G][here], j->guide[TINT_B][here]);
        float brightness = ALBEDO_SCALE * (vec3f_luminance(tint) + 0.3f);
        s->inverse_tint[k] = 1.0f / (brightness * brightness);
        float deviation = local_deviation(j, s->x + k, s->y);
        s->inverse_tolerance[k] = 1.0f / (LIGHT_SIGMAS * deviation + 1e-4f);
    }
}

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t lane_mask __attribute__((vector_size(LANES * sizeof(int32_t))));

// `p` need not be aligned.
#define LOAD(p) (*(const unaligned_lanes *)(p))
typedef float unaligned_lanes
    __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
#define MAGNITUDE(value) ((lanes)((lane_mask)(value)&INT32_MAX))

// A vector of pixels that starts at pixel `k` of the span: their features, to be compared with
// those of the taps, and the sums over taps so far.
typedef struct group {
    lanes normal[3], place[3], tint[3], light[3];
    lanes inverse_tint, inverse_tolerance, per_turn, per_rise;
    lanes sum[LIGHTS], weights;
} group;

// Adds one tap, whose pixels start at index `there`. `inside` is 1 for lanes inside the picture and
// the span, else 0. `apart` measures how much two pixels' features differ; it is 0 within one
// smooth, evenly lit surface. The weight exp(-x) is approximated by (1 - x/8)^8, with an error of
// at most 0.02.
static inline __attribute__((always_inline)) void add_tap(const job *j, group *g, ptrdiff_t there,
                                                          const lanes *inside, float kernel)
{
    float *const *light = j->light[j->from];
    lanes turn = {0}, tint = {0}, rise = {0};
    for (int d = 0; d < 3; ++d) {
        lanes dn = g->normal[d] - LOAD(j->guide[NORMAL_X + d] + there);
        lanes dt = g->tint[d] - LOAD(j->guide[TINT_R + d] + there);
        turn += dn * dn;
        tint += dt * dt;
        rise += g->normal[d] * (LOAD(j->guide[PLACE_X + d] + there) - g->place[d]);
    }
    lanes r = LOAD(light[LIGHT_R] + there), green = LOAD(light[LIGHT_G] + there),
          b = LOAD(light[LIGHT_B] + there);
    lanes change = 0.2126f * (g->light[LIGHT_R] - r) + 0.7152f * (g->light[LIGHT_G] - green) +
                   0.0722f * (g->light[LIGHT_B] - b);
    lanes apart = turn * g->per_turn + tint * g->inverse_tint + MAGNITUDE(rise) * g->per_rise +
                  MAGNITUDE(change) * g->inverse_tolerance;
    lanes t = 1.0f - 0.125f * apart;
    t = *inside * (0.5f * (t + MAGNITUDE(t))); // 0 where negative
    t *= t;
    t *= t;
    lanes w = kernel * (t * t);
    g->sum[LIGHT_R] += w * r;
    g->sum[LIGHT_G] += w * green;
    g->sum[LIGHT_B] += w * b;
    g->sum[VARIANCE] += w * w * LOAD(light[VARIANCE] + there);
    g->weights += w;
}

static inline __attribute__((always_inline)) void start_group(const job *j, const span *s, int k,
                                                              group *out)
{
    ptrdiff_t here = (ptrdiff_t)s->y * j->film->width + s->x + k;
    const lanes none = {0};
    group g = {.inverse_tint = LOAD(s->inverse_tint + k),
               .inverse_tolerance = LOAD(s->inverse_tolerance + k),
               .per_turn = none + 1.0f / (NORMAL_SCALE * NORMAL_SCALE),
               .per_rise = none + 1.0f / (PLANE_SCALE * (float)j->step * j->pixel_angle)};
    for (int d = 0; d < 3; ++d) {
        g.normal[d] = LOAD(j->guide[NORMAL_X + d] + here);
        g.place[d] = LOAD(j->guide[PLACE_X + d] + here);
        g.tint[d] = LOAD(j->guide[TINT_R + d] + here);
        g.light[d] = LOAD(j->light[j->from][LIGHT_R + d] + here);
    }
    *out = g;
}

// 1 for lanes in [begin, end), else 0. Some compilers do not vectorise comparisons of vectors.
static inline __attribute__((always_inline)) void lanes_between(int begin, int end, lanes *out)
{
    static const float STEPS[3 * LANES] = {[LANES] = 1, 1, 1, 1, 1, 1, 1, 1,
                                           1,           1, 1, 1, 1, 1, 1, 1};
    begin = begin < 0 ? 0 : begin > LANES ? LANES : begin;
    end = end < 0 ? 0 : end > LANES ? LANES : end;
    *out = LOAD(STEPS + LANES - begin) * LOAD(STEPS + 2 * LANES - end);
}

// May read beyond the ends of arrays and sums; margins are allocated for this.
SHERD_WIDE(static, void, add_taps, (const job *j, span *s), (j, s))
{
    int width = j->film->width;
    for (int k = 0; k < s->count; k += LANES) {
        group g;
        start_group(j, s, k, &g);
        for (int dy = -2; dy <= 2; ++dy) {
            int v = s->y + dy * j->step;
            if (v < 0 || v >= j->film->height) continue;
            for (int dx = -2; dx <= 2; ++dx) {
                int first = s->x + k + dx * j->step;
                int past = width - first < s->count - k ? width - first : s->count - k;
                lanes inside;
                lanes_between(-first, past, &inside);
                float kernel = KERNEL[dx < 0 ? -dx : dx] * KERNEL[dy < 0 ? -dy : dy];
                add_tap(j, &g, (ptrdiff_t)v * width + first, &inside, kernel);
            }
        }
        for (int plane = 0; plane < LIGHTS; ++plane)
            *(unaligned_lanes *)(s->sum[plane] + k) = g.sum[plane];
        *(unaligned_lanes *)(s->weights + k) = g.weights;
    }
}

// Divides by the sum of weights, which is never 0 because the centre tap has full weight.
static void finish_span(const job *j, const span *s)
{
    float *const *to = j->light[1 - j->from];
    size_t first = (size_t)s->y * (size_t)j->film->width + (size_t)s->x;
    for (int k = 0; k < s->count; ++k) {
        float share = 1.0f / s->weights[k];
        for (int plane = LIGHT_R; plane <= LIGHT_B; ++plane)
            to[plane][first + (size_t)k] = share * s->sum[plane][k];
        to[VARIANCE][first + (size_t)k] = share * share * s->sum[VARIANCE][k];
    }
}

static void filter_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    span s;
    memset(&s, 0, sizeof s);
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film->width; x += SPAN) {
            s.x = x;
            s.y = (int)y;
            s.count = j->film->width - x < SPAN ? j->film->width - x : SPAN;
            start_span(j, &s);
            add_taps(j, &s);
            finish_span(j, &s);
        }
}

bool sherd_denoise(sherd_film *film, float pixel_angle, int passes, const sherd_parallel *parallel)
{
    SHERD_ASSERT(passes > 0 && passes <= SHERD_DENOISE_PASSES, "margins hold the last kernel");
    SHERD_ASSERT(film->width > 0 && film->height > 0, "a film has pixels");
    size_t rows = (size_t)film->height, count = rows * (size_t)film->width;
    // Vectors of taps may start before an array and end after it; what they find there does not
    // count, but must not be written meanwhile.
    const size_t margin = REACH + LANES, stride = count + margin;
    float *memory = sherd_alloc(stride * (GUIDES + 2 * LIGHTS) + margin, sizeof *memory);
    if (memory == NULL) return false;
    float *planes = memory + margin;
    job j = {.film = film, .step = 1, .pixel_angle = pixel_angle};
    for (size_t k = 0; k < GUIDES; ++k)
        j.guide[k] = planes + k * stride;
    for (size_t k = 0; k < 2 * LIGHTS; ++k)
        j.light[k / LIGHTS][k % LIGHTS] = planes + (GUIDES + k) * stride;
    sherd_parallel_for(parallel, count, PIXEL_CHUNK, divide_albedo, &j);
    for (int pass = 0; pass < passes; ++pass) {
        sherd_parallel_for(parallel, rows, ROW_CHUNK, filter_rows, &j);
        j.from = 1 - j.from;
        j.step *= 2;
    }
    sherd_parallel_for(parallel, rows, ROW_CHUNK, clean_rows, &j);
    j.from = 1 - j.from;
    sherd_parallel_for(parallel, count, PIXEL_CHUNK, multiply_albedo, &j);
    sherd_free(memory);
    return true;
}
