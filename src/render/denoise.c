// Light divided by the surface's own colour varies slowly on a surface, so it is averaged over ever
// wider neighbourhoods (holes in the kernel double each pass), among pixels whose surface looks
// alike and whose light differs by no more than the noise measured there.
//   Dammertz et al., Edge-avoiding a-trous wavelet transform for fast global illumination
//   filtering (2010); the guidance by variance is from Schied et al., Spatiotemporal
//   variance-guided filtering (2017), without the temporal part: every frame stands alone.
#include "render/denoise.h"

#include "base/memory.h"

enum { PASSES = 4, ROW_CHUNK = 4, PIXEL_CHUNK = 4096 };

static const float KERNEL[3] = {0.375f, 0.25f, 0.0625f}; // cubic B-spline

// How far pixels may differ and still be mixed (one e-fold in weight).
static const float LIGHT_SIGMAS = 3.0f;  // standard deviations of the noise
static const float NORMAL_SCALE = 0.16f; // length of the difference of unit normals
static const float ALBEDO_SCALE = 0.06f; // relative difference of colours
static const float PLANE_SCALE = 1.5f;   // distance from the surface's plane, in pixels

typedef struct light {
    vec3f value; // radiance / albedo
    float variance;
} light;

typedef struct job {
    const sherd_film *film;
    const light *from;
    light *to;
    int step;
    float pixel_angle;
} job;

static const vec3f DARKEST_ALBEDO = {0.02f, 0.02f, 0.02f};

static vec3f divisor(const film_pixel *pixel)
{
    return vec3f_add(pixel->albedo, DARKEST_ALBEDO);
}

static void divide_albedo(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        const film_pixel *pixel = &j->film->pixels[k];
        vec3f d = divisor(pixel), r = pixel->radiance;
        float luminance = vec3f_luminance(d);
        j->to[k] = (light){vec3f_make(r.x / d.x, r.y / d.y, r.z / d.z),
                           pixel->variance / (luminance * luminance)};
    }
}

static void multiply_albedo(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        j->film->pixels[k].radiance = vec3f_mul(j->from[k].value, divisor(&j->film->pixels[k]));
}

// exp(-x) to within 0.02, without a library call: (1 - x/8)^8.
static inline float falloff(float x)
{
    float t = fmaxf(0.0f, 1.0f - 0.125f * x);
    t *= t;
    t *= t;
    return t * t;
}

// How different two pixels' surfaces are; 0 for parts of one smooth surface.
static inline float surface_difference(const film_pixel *a, const film_pixel *b, float footprint)
{
    vec3f turn = vec3f_sub(a->normal, b->normal);
    vec3f tint = vec3f_sub(a->albedo, b->albedo);
    float brightness = vec3f_luminance(a->albedo) + 0.05f;
    float rise = fabsf(vec3f_dot(a->normal, vec3f_sub(b->position, a->position)));
    return vec3f_dot(turn, turn) / (NORMAL_SCALE * NORMAL_SCALE) +
           vec3f_dot(tint, tint) / (ALBEDO_SCALE * ALBEDO_SCALE * brightness * brightness) +
           rise / footprint;
}

// Noise of one pixel is itself known only roughly: average it over 3 x 3.
static float local_deviation(const job *j, int x, int y)
{
    static const float weight[2] = {0.5f, 0.25f};
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            int u = x + dx, v = y + dy;
            u = u < 0 ? 0 : u >= j->film->width ? j->film->width - 1 : u;
            v = v < 0 ? 0 : v >= j->film->height ? j->film->height - 1 : v;
            float w = weight[dx != 0] * weight[dy != 0];
            sum += w * j->from[(size_t)v * (size_t)j->film->width + (size_t)u].variance;
        }
    return sqrtf(sum);
}

static light filtered(const job *j, int x, int y)
{
    const sherd_film *film = j->film;
    size_t here = (size_t)y * (size_t)film->width + (size_t)x;
    const film_pixel *centre = &film->pixels[here];
    float luminance = vec3f_luminance(j->from[here].value);
    float tolerance = LIGHT_SIGMAS * local_deviation(j, x, y) + 1e-4f;
    float footprint = PLANE_SCALE * (float)j->step * j->pixel_angle;
    light sum = {{0.0f, 0.0f, 0.0f}, 0.0f};
    float weights = 0.0f;
    for (int dy = -2; dy <= 2; ++dy) {
        int v = y + dy * j->step;
        if (v < 0 || v >= film->height) continue;
        for (int dx = -2; dx <= 2; ++dx) {
            int u = x + dx * j->step;
            if (u < 0 || u >= film->width) continue;
            size_t there = (size_t)v * (size_t)film->width + (size_t)u;
            const light *other = &j->from[there];
            float apart = surface_difference(centre, &film->pixels[there], footprint) +
                          fabsf(luminance - vec3f_luminance(other->value)) / tolerance;
            float w = KERNEL[dx < 0 ? -dx : dx] * KERNEL[dy < 0 ? -dy : dy] * falloff(apart);
            sum.value = vec3f_add_scaled(sum.value, w, other->value);
            sum.variance += w * w * other->variance;
            weights += w; // the centre itself counts fully, so this is never 0
        }
    }
    return (light){vec3f_scale(1.0f / weights, sum.value), sum.variance / (weights * weights)};
}

static void filter_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film->width; ++x)
            j->to[y * (size_t)j->film->width + (size_t)x] = filtered(j, x, (int)y);
}

bool sherd_denoise(sherd_film *film, float pixel_angle, const sherd_parallel *parallel)
{
    size_t rows = (size_t)film->height, count = rows * (size_t)film->width;
    light *a = sherd_alloc(count, sizeof *a), *b = sherd_alloc(count, sizeof *b);
    bool ready = a != NULL && b != NULL;
    if (ready) {
        job j = {.film = film, .to = a, .step = 1, .pixel_angle = pixel_angle};
        sherd_parallel_for(parallel, count, PIXEL_CHUNK, divide_albedo, &j);
        j.from = a, j.to = b;
        for (int pass = 0; pass < PASSES; ++pass) {
            sherd_parallel_for(parallel, rows, ROW_CHUNK, filter_rows, &j);
            light *done = j.to;
            j.to = done == a ? b : a;
            j.from = done;
            j.step *= 2;
        }
        sherd_parallel_for(parallel, count, PIXEL_CHUNK, multiply_albedo, &j);
    }
    sherd_free(a);
    sherd_free(b);
    return ready;
}
