#include "render/sample_plan.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    REACH = 2, // of the window around a pixel in which light is compared [pixels]
    ROW_CHUNK = 4,
};

// How far samples of one surface may differ; noise removal (denoise.c) hardly mixes what differs by more.
static const float MOST_TURN = 0.1f;  // of unit normals: length of the difference
static const float MOST_TINT = 0.06f; // of colours: the same over brightness + 0.3
static const float MOST_RISE = 3.0f;  // distance from the surface's plane [pixels]

// Light of single samples that varies by this share of its mean needs the picture's number of samples, where it varies
// less as many fewer as give the same noise.
static const float FULL_NOISE = 0.4f;

sample_plan sherd_sample_plan_make(int samples, sample_plan_view view)
{
    // Edges have nine tenths of the error of a picture of a broken plate that has equally many samples everywhere.
    int most = samples + samples / 4, first = samples / (view == SAMPLE_PLAN_SHARP ? 8 : 4);
    return (sample_plan){first > 1 ? first : 1, most};
}

typedef struct job {
    const sample_plan *plan;
    const sherd_film *film;
    int samples;
    float pixel_angle;
    uint16_t *wanted;
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

static bool is_same_surface(const job *j, const guides *a, const guides *b)
{
    vec3f turn = vec3f_sub(a->normal, b->normal), tint = vec3f_sub(a->albedo, b->albedo);
    float most_tint = MOST_TINT * (vec3f_luminance(a->albedo) + 0.3f);
    float rise = vec3f_dot(a->normal, vec3f_sub(b->position, a->position));
    return vec3f_dot(turn, turn) < MOST_TURN * MOST_TURN &&
           vec3f_dot(tint, tint) < most_tint * most_tint &&
           fabsf(rise) < MOST_RISE * j->pixel_angle;
}

static const film_pixel *pixel_at(const job *j, int x, int y)
{
    const sherd_film *film = j->film;
    if (x < 0 || y < 0 || x >= film->width || y >= film->height) return NULL;
    return &film->pixels[(size_t)y * (size_t)film->width + (size_t)x];
}

// Whether a neighbour shows another surface.
static bool is_edge(const job *j, int x, int y)
{
    guides here = guides_of(pixel_at(j, x, y));
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            const film_pixel *p = pixel_at(j, u, v);
            if (p == NULL || (u == x && v == y)) continue;
            guides there = guides_of(p);
            if (!is_same_surface(j, &here, &there)) return true;
        }
    return false;
}

// How much the light of single samples varies in the window, as a share of its mean.
static float noise_around(const job *j, int x, int y)
{
    float sum = 0.0f, squares = 0.0f, count = 0.0f;
    for (int v = y - REACH; v <= y + REACH; ++v)
        for (int u = x - REACH; u <= x + REACH; ++u) {
            const film_pixel *p = pixel_at(j, u, v);
            if (p == NULL) continue;
            float n = (float)p->taken;
            sum += n * p->mean;
            squares += p->variance + n * p->mean * p->mean;
            count += n;
        }
    float mean = sum / count, variance = squares / count - mean * mean;
    return sqrtf(float_max(variance, 0.0f)) / float_max(mean, 1e-4f);
}

static int wanted_at(const job *j, int x, int y)
{
    if (is_edge(j, x, y)) return j->plan->most;
    float share = float_min(noise_around(j, x, y) / FULL_NOISE, 1.0f);
    int wanted = (int)(share * share * (float)j->samples + 0.5f);
    return wanted > j->plan->first ? wanted : j->plan->first;
}

static void choose_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film->width; ++x)
            j->wanted[y * (size_t)j->film->width + (size_t)x] = (uint16_t)wanted_at(j, x, (int)y);
}

void sherd_sample_plan_choose(const sample_plan *plan, int samples, const sherd_film *film,
                              float pixel_angle, uint16_t *wanted, const sherd_parallel *parallel)
{
    job j = {plan, film, samples, pixel_angle, wanted};
    sherd_parallel_for(parallel, (size_t)film->height, ROW_CHUNK, choose_rows, &j);
}
