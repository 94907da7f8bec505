#include "render/preview.h"

#include "base/memory.h"
#include "render/denoise.h"
#include "render/sample_plan.h"

enum { ROW_CHUNK = 4 };

// A rotated square, which steps through the fewest shades at edges that are nearly horizontal or
// vertical.
static const float PLACES[SHERD_RENDER_PREVIEW_SAMPLES][2] = {
    {0.375f, 0.125f}, {0.625f, 0.875f}, {0.125f, 0.625f}, {0.875f, 0.375f}};

typedef struct job {
    const sherd_preview *preview;
    vec3f *smooth; // radiance of all pixels (height x width)
} job;

tracer_ray sherd_preview_ray(const sherd_lens *lens, const sherd_film *film, int x, int y, int k)
{
    const float *place = PLACES[k % SHERD_RENDER_PREVIEW_SAMPLES];
    float u = 2.0f * ((float)x + place[0]) / (float)film->width - 1.0f;
    float v = 1.0f - 2.0f * ((float)y + place[1]) / (float)film->height;
    tracer_ray ray = {.time = 0.5f};
    sherd_lens_ray(lens, u, v, (sample2){0.0f, 0.0f}, &ray.origin, &ray.direction);
    return ray;
}

static bool in_studio(const sherd_preview *p)
{
    return p->paths->lighting->environment == NULL;
}

// How much what a pixel shows differs from what is seen: 0 within one plane, infinite where one is
// the ground or glass and the other is not.
static float distance_of(const film_pixel *there, const path_result *seen, float pixel_angle)
{
    const float turn_scale = 0.16f, rise_scale = 1.5f;
    if ((there->clear > 0) != seen->clear || (there->on_ground > 0) != seen->ground)
        return INFINITY;
    vec3f turn = vec3f_sub(there->normal, seen->normal);
    float rise = vec3f_dot(seen->normal, vec3f_sub(there->position, seen->position));
    return vec3f_dot(turn, turn) / (turn_scale * turn_scale) +
           fabsf(rise) / (rise_scale * pixel_angle);
}

// Whether the pixel shows ground that mirrors what stands on it.
static bool is_mirror(const sherd_preview *preview, const film_pixel *p)
{
    const tracer_face *ground = &preview->paths->tracer->ground;
    bool smooth = ground->metal > 0.0f || ground->roughness < 0.25f;
    return smooth && p->on_ground > 0 && p->mirrored > 0.1f;
}

static vec3f quotient(vec3f a, vec3f b)
{
    return vec3f_make(a.x / b.x, a.y / b.y, a.z / b.z);
}

// --- Light between pixels of the grid -----------------------------------------------------------

static film_pixel pixel_of(const path_result *seen)
{
    return (film_pixel){.albedo = seen->albedo,
                        .normal = seen->normal,
                        .position = seen->position,
                        .taken = 1,
                        .on_ground = seen->ground,
                        .mirrored = seen->mirrored,
                        .clear = seen->clear};
}

static bool forget(film_pixel *sum)
{
    *sum = (film_pixel){.taken = 0};
    return false;
}

bool sherd_preview_borrow(const sherd_preview *p, int x, int y, film_pixel *sum)
{
    // Shadows of a sun are sharp; in the studio light differs by noise, which the filter removes.
    const float most = 1.0f, most_change = in_studio(p) ? INFINITY : 0.1f;
    const sherd_film *film = &p->film;
    tracer_ray ray = sherd_preview_ray(p->lens, film, x, y, 0);
    tracer_hit hit;
    if (!sherd_tracer_nearest(p->paths->tracer, &ray, TRACER_COHERENT, &hit) ||
        hit.kind != TRACER_OPAQUE)
        return false;
    path_result seen = sherd_path_see(&ray, &hit);
    *sum = pixel_of(&seen);
    if (is_mirror(p, sum)) return forget(sum);
    vec3f light = {0.0f, 0.0f, 0.0f};
    float lowest = INFINITY, highest = 0.0f, count = 0.0f;
    for (int v = y - y % 2; v <= y + y % 2; v += 2)
        for (int u = x - x % 2; u <= x + x % 2; u += 2) {
            if (u >= film->width || v >= film->height) continue;
            const film_pixel *there = &film->pixels[(size_t)v * (size_t)film->width + (size_t)u];
            if (!(distance_of(there, &seen, p->pixel_angle) < most)) continue;
            vec3f found = quotient(there->radiance, film_divisor(there));
            float luminance = vec3f_luminance(found);
            lowest = float_min(lowest, luminance);
            highest = float_max(highest, luminance);
            light = vec3f_add(light, found);
            count += 1.0f;
        }
    if (count < 1.0f || highest - lowest > most_change * highest) return forget(sum);
    sum->radiance = vec3f_mul(vec3f_scale(1.0f / count, light), film_divisor(sum));
    return true;
}

// --- Noise --------------------------------------------------------------------------------------

enum { REACH = 3 }; // of the window in which light is compared [pixels]

// Factors on the variance in the window. In the studio, samples that differ from all others are rare
// in a window, neighbouring pixels share samples, and shadows are soft: the filter may mix what
// differs by many standard deviations; its guides keep it within one surface. Sharp shadows of a
// sun, what glass refracts and what a metal floor mirrors would be blurred.
static const float STUDIO_FACTOR = 150.0f, SHARP_FACTOR = 30.0f, MIRROR_FACTOR = 3.0f;

typedef struct noise_job {
    const sherd_preview *preview;
    float *light; // luminance of radiance over film_divisor (height x width)
} noise_job;

static void set_crisp_aside(void *context, size_t begin, size_t end)
{
    const noise_job *j = context;
    const sherd_film *film = &j->preview->film;
    size_t width = (size_t)film->width;
    for (size_t k = begin * width; k < end * width; ++k) {
        film_pixel *p = &film->pixels[k];
        p->radiance = vec3f_sub(p->radiance, p->crisp);
        j->light[k] = vec3f_luminance(p->radiance) / vec3f_luminance(film_divisor(p));
    }
}

// Variance of the light in the window around a pixel.
static float window_variance(const noise_job *j, int x, int y)
{
    const sherd_film *film = &j->preview->film;
    float sum = 0.0f, squares = 0.0f, count = 0.0f;
    for (int v = y - REACH; v <= y + REACH; ++v) {
        if (v < 0 || v >= film->height) continue;
        const float *row = j->light + (size_t)v * (size_t)film->width;
        for (int u = x - REACH; u <= x + REACH; ++u) {
            if (u < 0 || u >= film->width) continue;
            sum += row[u];
            squares += row[u] * row[u];
            count += 1.0f;
        }
    }
    float mean = sum / count;
    return float_max(squares / count - mean * mean, 0.0f);
}

static void find_variance(void *context, size_t begin, size_t end)
{
    const noise_job *j = context;
    const sherd_film *film = &j->preview->film;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < film->width; ++x) {
            film_pixel *p = &film->pixels[y * (size_t)film->width + (size_t)x];
            bool sharp = p->clear > 0 || !in_studio(j->preview);
            float factor = is_mirror(j->preview, p) ? MIRROR_FACTOR
                           : sharp                  ? SHARP_FACTOR
                                                    : STUDIO_FACTOR;
            float divisor = vec3f_luminance(film_divisor(p));
            p->variance = factor * divisor * divisor * window_variance(j, x, (int)y);
        }
}

bool sherd_preview_filter(const sherd_preview *preview, const sherd_parallel *parallel)
{
    size_t rows = (size_t)preview->film.height, count = rows * (size_t)preview->film.width;
    noise_job j = {preview, sherd_alloc(count, sizeof *j.light)};
    if (j.light == NULL) return false;
    sherd_parallel_for(parallel, rows, ROW_CHUNK, set_crisp_aside, &j);
    sherd_parallel_for(parallel, rows, ROW_CHUNK, find_variance, &j);
    sherd_free(j.light);
    sherd_film film = preview->film;
    if (!sherd_denoise(&film, preview->pixel_angle, parallel)) return false;
    for (size_t k = 0; k < count; ++k) {
        film_pixel *p = &film.pixels[k];
        p->radiance = vec3f_add(p->radiance, p->crisp);
    }
    return true;
}

// --- Edges --------------------------------------------------------------------------------------

// The pixel around (x, y) that shows the surface that is seen; NULL if there is none.
static const film_pixel *find_same(const sherd_preview *p, int x, int y, const path_result *seen)
{
    const float most = 4.0f;
    const sherd_film *film = &p->film;
    const film_pixel *best = NULL;
    float least = most;
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u) {
            if (u < 0 || v < 0 || u >= film->width || v >= film->height) continue;
            const film_pixel *there = &film->pixels[(size_t)v * (size_t)film->width + (size_t)u];
            float apart = distance_of(there, seen, p->pixel_angle);
            if (apart >= least) continue;
            least = apart;
            best = there;
        }
    return best;
}

// Whether glass mirrors about as much as at a pixel: no other face, and nothing that stands before
// the surroundings, of which alone `seen` knows.
static bool mirrors_same(const film_pixel *there, const path_result *seen)
{
    const float most_change = 0.2f, dark = 0.02f;
    float here = vec3f_luminance(seen->crisp), other = vec3f_luminance(there->crisp);
    return fabsf(here - other) <= most_change * float_max(here, other) + dark;
}

// Radiance of a further sample of a pixel. *clear: it shows glass.
static vec3f take(const sherd_preview *p, sampler *random, int x, int y, int k, bool *clear)
{
    tracer_ray ray = sherd_preview_ray(p->lens, &p->film, x, y, k);
    sherd_sampler_start(random, (uint32_t)x, (uint32_t)y);
    random->sample = (uint32_t)k;
    path_result seen = sherd_path_look(p->paths, &ray, random);
    *clear = seen.clear;
    const film_pixel *same = find_same(p, x, y, &seen);
    if (same == NULL || !mirrors_same(same, &seen))
        return sherd_path_trace(p->paths, &ray, random).radiance;
    film_pixel own = *same;
    own.albedo = seen.albedo;
    vec3f light = quotient(vec3f_sub(same->radiance, same->crisp), film_divisor(same));
    return vec3f_add(vec3f_mul(light, film_divisor(&own)), same->crisp);
}

// Whether the pixel and its neighbours show nothing but the ground.
static bool is_open_ground(const sherd_film *film, int x, int y)
{
    for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u)
            if (u >= 0 && v >= 0 && u < film->width && v < film->height &&
                film->pixels[(size_t)v * (size_t)film->width + (size_t)u].on_ground == 0)
                return false;
    return true;
}

// Number of samples of a pixel: fewer where the ground's texture alone makes an edge.
static int samples_at(const sherd_preview *p, int x, int y)
{
    if (!sherd_sample_plan_is_edge(&p->film, x, y, p->pixel_angle)) return 1;
    return is_open_ground(&p->film, x, y) ? 2 : SHERD_RENDER_PREVIEW_SAMPLES;
}

static vec3f smooth_pixel(const sherd_preview *p, sampler *random, int x, int y, int samples)
{
    vec3f sum = p->film.pixels[(size_t)y * (size_t)p->film.width + (size_t)x].radiance;
    int taken = 1;
    bool clear = false; // paths through glass are long: two are enough
    for (; taken < samples && !clear; ++taken)
        sum = vec3f_add(sum, take(p, random, x, y, taken, &clear));
    return vec3f_scale(1.0f / (float)taken, sum);
}

static void smooth_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_preview *p = j->preview;
    const sherd_film *film = &p->film;
    sampler random = sherd_sampler_make(SHERD_RENDER_PREVIEW_SAMPLES, p->seed);
    unsigned mode = sherd_tracer_enter_fast_mode();
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < film->width; ++x) {
            size_t here = y * (size_t)film->width + (size_t)x;
            j->smooth[here] = film->pixels[here].radiance;
            int samples = samples_at(p, x, (int)y);
            if (samples > 1) j->smooth[here] = smooth_pixel(p, &random, x, (int)y, samples);
        }
    sherd_tracer_leave_fast_mode(mode);
}

bool sherd_preview_smooth_edges(const sherd_preview *preview, const sherd_parallel *parallel)
{
    const sherd_film *film = &preview->film;
    size_t rows = (size_t)film->height, count = rows * (size_t)film->width;
    job j = {preview, sherd_alloc(count, sizeof *j.smooth)};
    if (j.smooth == NULL) return false;
    sherd_parallel_for(parallel, rows, ROW_CHUNK, smooth_rows, &j);
    for (size_t k = 0; k < count; ++k)
        film->pixels[k].radiance = j.smooth[k];
    sherd_free(j.smooth);
    return true;
}
