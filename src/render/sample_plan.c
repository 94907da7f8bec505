#include "render/sample_plan.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
    REACH = 2, // radius of the window in which light is compared [pixels]
    ROW_CHUNK = 4,
};

// Largest differences between pixels of one surface; noise removal (denoise.c) hardly mixes pixels
// that differ more.
static const float MOST_TURN = 0.1f; // length of the difference of the unit normals
// length of the difference of the albedos over (luminance + 0.3)
static const float MOST_TINT = 0.06f;
static const float MOST_RISE = 3.0f; // distance from the tangent plane [pixels]

// If the standard deviation of single samples is this fraction of their mean, a pixel gets the
// picture's nominal number of samples. If it is smaller, the pixel gets as many fewer as give the
// same noise.
static const float FULL_NOISE = 0.6f;

// Pixels that see glass where edges are everywhere and light varies by orders of magnitude. If the
// standard deviation of single samples is GLASS_SHADE times the square root of their mean, both
// relative to white, a pixel gets the nominal number of samples: noise of about as many shades of
// the picture in dark and in bright parts. If it is GLASS_LIGHT times white, the pixel gets the
// largest number: glitter has most of the error of linear light.
static const float GLASS_SHADE = 0.35f, GLASS_LIGHT = 2.0f;
static const float GLASS_DARKEST = 0.02f; // means are not taken to be darker
enum { MOST_GLASS = 4 };                  // the largest number over the nominal number
enum { LEAST_AT_EDGES = 4 };              // samples

// The same for the ground's colour and the largest number of samples of a pixel.
static const float FULL_TEXTURE = 0.1f;

sample_plan sherd_sample_plan_make(int samples, sample_plan_view view, bool has_glass)
{
    SHERD_ASSERT(samples > 0, "a pixel has samples");
    // In a picture of a broken plate with the same number of samples everywhere, edges have nine
    // tenths of the error.
    int edge = samples + samples / 4, first = samples / (view == SAMPLE_PLAN_MIXED ? 4 : 8);
    if (view == SAMPLE_PLAN_GLASS && first < 2 && samples > 1) first = 2; // they tell the noise
    return (sample_plan){.first = first > 1 ? first : 1,
                         .edge = edge,
                         .most = has_glass ? MOST_GLASS * samples : edge,
                         .view = view,
                         .white = 1.0f};
}

// What is compared between the pixels of a window. Cached, since 25 windows read each pixel.
typedef struct seen {
    float count; // samples
    // Luminance of the radiance, and luminance of the light on the ground: the radiance varies with
    // the ground's colour too. `variance` is the sum of squared deviations from the mean.
    struct {
        float mean, variance;
    } all, ground;
    float color; // luminance of film_ground_color
    bool only_ground, clear;
    // a neighbour shows another surface; one of a pixel and its neighbour shows glass, the other not;
    // both in pictures with glass only
    bool edge, rim;
} seen;

typedef struct job {
    const sample_plan *plan;
    const sherd_film *film;
    seen *seen; // (height x width)
    int samples;
    float pixel_angle;
    pixel_plan *wanted;
} job;

typedef struct guides {
    vec3f normal, albedo, position;
} guides;

static guides guides_of(const film_pixel *p)
{
    float share = 1.0f / (float)p->taken;
    return (guides){vec3f_scale(share, p->normal), vec3f_scale(share, p->albedo),
                    vec3f_scale(share, p->position)};
}

static bool is_same_surface(float pixel_angle, const guides *a, const guides *b)
{
    vec3f turn = vec3f_sub(a->normal, b->normal), tint = vec3f_sub(a->albedo, b->albedo);
    float most_tint = MOST_TINT * (vec3f_luminance(a->albedo) + 0.3f);
    float rise = vec3f_dot(a->normal, vec3f_sub(b->position, a->position));
    return vec3f_dot(turn, turn) < MOST_TURN * MOST_TURN &&
           vec3f_dot(tint, tint) < most_tint * most_tint && fabsf(rise) < MOST_RISE * pixel_angle;
}

static void see_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    size_t width = (size_t)j->film->width;
    for (size_t k = begin * width; k < end * width; ++k) {
        const film_pixel *p = &j->film->pixels[k];
        float n = (float)p->taken, color = vec3f_luminance(film_ground_color(p, n));
        j->seen[k] = (seen){.count = n,
                            .all = {p->mean, p->variance},
                            .ground = {p->mean / color, p->variance / (color * color)},
                            .color = color,
                            .only_ground = p->on_ground == p->taken,
                            .clear = p->clear > 0};
    }
}

static bool place_at(const sherd_film *film, int x, int y, size_t *at)
{
    if (x < 0 || y < 0 || x >= film->width || y >= film->height) return false;
    *at = (size_t)y * (size_t)film->width + (size_t)x;
    return true;
}

static const film_pixel *pixel_at(const sherd_film *film, int x, int y)
{
    size_t at;
    return place_at(film, x, y, &at) ? &film->pixels[at] : NULL;
}

static const seen *seen_at(const job *j, int x, int y)
{
    size_t at;
    return place_at(j->film, x, y, &at) ? &j->seen[at] : NULL;
}

bool sherd_sample_plan_is_edge(const sherd_film *film, int x, int y, float pixel_angle)
{
    guides here = guides_of(pixel_at(film, x, y));
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            const film_pixel *p = pixel_at(film, u, v);
            if (p == NULL || (u == x && v == y)) continue;
            guides there = guides_of(p);
            if (!is_same_surface(pixel_angle, &here, &there)) return true;
        }
    return false;
}

// Whether the pixel is at the rim of glass, behind which the same surface may go on.
static bool is_rim(const job *j, int x, int y)
{
    bool clear = seen_at(j, x, y)->clear;
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            const seen *p = seen_at(j, u, v);
            if (p != NULL && p->clear != clear) return true;
        }
    return false;
}

static void find_edges(void *context, size_t begin, size_t end)
{
    const job *j = context;
    size_t width = (size_t)j->film->width;
    for (size_t y = begin; y < end; ++y)
        for (size_t x = 0; x < width; ++x) {
            seen *here = &j->seen[y * width + x];
            here->rim = is_rim(j, (int)x, (int)y);
            here->edge =
                here->rim || sherd_sample_plan_is_edge(j->film, (int)x, (int)y, j->pixel_angle);
        }
}

// Whether the pixel and its neighbours show nothing but the ground.
static bool is_open_ground(const job *j, int x, int y)
{
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            const seen *p = seen_at(j, u, v);
            if (p != NULL && !p->only_ground) return false;
        }
    return true;
}

// Sums over the samples in the window around a pixel.
typedef struct window {
    float sum, squares, count;
} window;

static void add_to_window(window *w, float samples, float value, float variance)
{
    w->sum += samples * value;
    w->squares += variance + samples * value * value;
    w->count += samples;
}

// Standard deviation as a share of the mean.
static float variation(const window *w)
{
    float mean = w->sum / w->count, variance = w->squares / w->count - mean * mean;
    return sqrtf(float_max(variance, 0.0f)) / float_max(mean, 1e-4f);
}

// Relative variation of single samples in the window: of the light, and on the ground of the
// colour. On the ground `light` is the light that arrives, since the radiance varies with the
// colour too.
static void vary_around(const job *j, int x, int y, bool ground, float *light, float *color)
{
    window lights = {.sum = 0.0f}, colors = {.sum = 0.0f};
    for (int v = y - REACH; v <= y + REACH; ++v)
        for (int u = x - REACH; u <= x + REACH; ++u) {
            const seen *p = seen_at(j, u, v);
            if (p == NULL) continue;
            if (!ground) {
                add_to_window(&lights, p->count, p->all.mean, p->all.variance);
                continue;
            }
            add_to_window(&lights, p->count, p->ground.mean, p->ground.variance);
            if (p->only_ground) add_to_window(&colors, p->count, p->color, 0.0f);
        }
    *light = variation(&lights);
    *color = ground ? variation(&colors) : 0.0f;
}

// The fraction `share` of `all` samples, at least those that were taken and at most `all`.
static int wanted_for(const seen *here, float share, int all)
{
    int wanted = (int)(float_min(share, 1.0f) * (float)all + 0.5f), taken = (int)here->count;
    return wanted > taken ? wanted : taken;
}

// Mean and standard deviation of single samples in the window, in which near pixels count most.
static void pool_around(const job *j, int x, int y, float *mean, float *deviation)
{
    static const float WEIGHTS[REACH + 1] = {6.0f, 2.0f, 1.0f};
    window w = {.sum = 0.0f};
    for (int v = y - REACH; v <= y + REACH; ++v)
        for (int u = x - REACH; u <= x + REACH; ++u) {
            const seen *p = seen_at(j, u, v);
            if (p == NULL) continue;
            int across = abs(u - x), down = abs(v - y);
            float weight = WEIGHTS[across > down ? across : down];
            add_to_window(&w, weight * p->count, p->all.mean, weight * p->all.variance);
        }
    *mean = w.sum / w.count;
    *deviation = sqrtf(float_max(w.squares / w.count - *mean * *mean, 0.0f));
}

// Edges of splinters, or of noise in what rough glass shows, fill the window; others are lines.
static bool is_crowded(const job *j, int x, int y)
{
    int edges = 0, pixels = 0;
    for (int v = y - REACH; v <= y + REACH; ++v)
        for (int u = x - REACH; u <= x + REACH; ++u) {
            const seen *p = seen_at(j, u, v);
            pixels += p != NULL;
            edges += p != NULL && p->edge;
        }
    return 10 * edges >= 9 * pixels;
}

static pixel_plan wanted_in_glass(const job *j, const seen *here, int x, int y)
{
    float mean, deviation, white = 1.0f / j->plan->white;
    pool_around(j, x, y, &mean, &deviation);
    mean = float_max(white * mean, GLASS_DARKEST), deviation *= white;
    float shade = deviation * deviation / (GLASS_SHADE * GLASS_SHADE * mean);
    float light = deviation / GLASS_LIGHT;
    // Noise removal helps where there is no edge.
    if (!here->edge) shade *= 0.5f, light *= 0.5f;
    int shades = wanted_for(here, shade, j->samples),
        lights = wanted_for(here, light, j->plan->most);
    int wanted = shades > lights ? shades : lights;
    int least = !here->edge ? 0 : j->samples < LEAST_AT_EDGES ? j->samples : LEAST_AT_EDGES;
    if (wanted < least) wanted = least;
    return (pixel_plan){(uint16_t)wanted, (uint16_t)wanted};
}

static pixel_plan wanted_at(const job *j, int x, int y)
{
    const seen *here = seen_at(j, x, y);
    if (here->clear && !here->rim && is_crowded(j, x, y)) return wanted_in_glass(j, here, x, y);
    bool ground = j->plan->view != SAMPLE_PLAN_MIXED && is_open_ground(j, x, y);
    bool known = j->plan->most > j->plan->edge; // find_edges was here
    if (!ground && (known ? here->edge : sherd_sample_plan_is_edge(j->film, x, y, j->pixel_angle)))
        return (pixel_plan){(uint16_t)j->plan->edge, (uint16_t)j->plan->edge};
    float light, color;
    vary_around(j, x, y, ground, &light, &color);
    light /= FULL_NOISE;
    int lights = wanted_for(here, light * light, j->samples);
    // Samples are stratified in a pixel, so that the mean colour converges faster than with
    // independent samples: the number is proportional to the variation, not to its square.
    int colors = wanted_for(here, color / FULL_TEXTURE, j->plan->edge);
    return (pixel_plan){(uint16_t)lights, (uint16_t)(colors > lights ? colors : lights)};
}

static void choose_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film->width; ++x)
            j->wanted[y * (size_t)j->film->width + (size_t)x] = wanted_at(j, x, (int)y);
}

bool sherd_sample_plan_choose(const sample_plan *plan, int samples, const sherd_film *film,
                              float pixel_angle, pixel_plan *wanted, const sherd_parallel *parallel)
{
    size_t height = (size_t)film->height;
    job j = {.plan = plan,
             .film = film,
             .seen = sherd_alloc(height * (size_t)film->width, sizeof *j.seen),
             .samples = samples,
             .pixel_angle = pixel_angle,
             .wanted = wanted};
    if (j.seen == NULL) return false;
    sherd_parallel_for(parallel, height, ROW_CHUNK, see_rows, &j);
    bool has_glass = plan->most > plan->edge;
    if (has_glass) sherd_parallel_for(parallel, height, ROW_CHUNK, find_edges, &j);
    sherd_parallel_for(parallel, height, ROW_CHUNK, choose_rows, &j);
    sherd_free(j.seen);
    return true;
}
