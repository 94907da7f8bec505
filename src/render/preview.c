#include "render/preview.h"

#include "base/memory.h"
#include "render/denoise.h"

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

// Whether the light of a pixel has been filtered, or was taken from such pixels.
static bool is_settled(const film_pixel *p)
{
    return !(p->variance > 0.0f);
}

// How much what a pixel shows differs from what is seen: 0 within one plane, infinite where one is
// the ground or glass and the other is not.
static float distance_of(const film_pixel *there, const film_pixel *seen, float pixel_angle)
{
    const float turn_scale = 0.16f, rise_scale = 1.5f;
    if ((there->clear > 0) != (seen->clear > 0) || (there->on_ground > 0) != (seen->on_ground > 0))
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

// Whether light changes within few pixels: by the shadow of a sun, or in what ground mirrors.
static bool is_sharp(const sherd_preview *preview, const film_pixel *p)
{
    return preview->paths->lighting->environment != NULL || is_mirror(preview, p);
}

// Whether the pixel shows the sky, with nothing before it.
static bool is_sky(const film_pixel *p)
{
    return p->clear == 0 && vec3f_largest(p->crisp) > 0.0f;
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

// Whether crisp parts are about the same: glass mirrors no other face there, and nothing that stands
// before the surroundings, of which alone `seen` knows.
static bool mirrors_same(vec3f there, vec3f seen)
{
    const float most_change = 0.2f, dark = 0.02f;
    float here = vec3f_luminance(seen), other = vec3f_luminance(there);
    return fabsf(here - other) <= most_change * float_max(here, other) + dark;
}

// Light without the crisp part, over film_divisor.
static vec3f light_of(const film_pixel *p)
{
    return quotient(vec3f_sub(p->radiance, p->crisp), film_divisor(p));
}

// Mean light of the grid's pixels around another that show the same surface, in a pixel of their
// own. False if there are none, or glass mirrors something else there.
static bool find_grid_light(const sherd_preview *p, int x, int y, const path_result *seen,
                            vec3f *light, vec3f *crisp)
{
    const float most = 1.0f;
    const sherd_film *film = &p->film;
    film_pixel own = pixel_of(seen);
    float count = 0.0f;
    *light = *crisp = vec3f_make(0.0f, 0.0f, 0.0f);
    for (int v = y - y % 2; v <= y + y % 2; v += 2)
        for (int u = x - x % 2; u <= x + x % 2; u += 2) {
            if (u >= film->width || v >= film->height) continue;
            const film_pixel *there = &film->pixels[(size_t)v * (size_t)film->width + (size_t)u];
            if (!(distance_of(there, &own, p->pixel_angle) < most)) continue;
            if (!mirrors_same(there->crisp, seen->crisp)) return false;
            *light = vec3f_add(*light, light_of(there));
            *crisp = vec3f_add(*crisp, there->crisp);
            count += 1.0f;
        }
    if (count == 0.0f) return false;
    *light = vec3f_scale(1.0f / count, *light);
    *crisp = vec3f_scale(1.0f / count, *crisp);
    return true;
}

// What a ray of the camera sees. Most rays hit what is opaque, and need no path.
static path_result look(const sherd_preview *p, const tracer_ray *ray, sampler *random)
{
    tracer_hit hit;
    bool opaque = sherd_tracer_nearest(p->paths->tracer, ray, TRACER_COHERENT, &hit) &&
                  hit.kind == TRACER_OPAQUE;
    return opaque ? sherd_path_see(ray, &hit) : sherd_path_look(p->paths, ray, random);
}

bool sherd_preview_borrow(const sherd_preview *p, sampler *random, int x, int y, film_pixel *sum)
{
    tracer_ray ray = sherd_preview_ray(p->lens, &p->film, x, y, 0);
    path_result seen = look(p, &ray, random);
    film_pixel own = pixel_of(&seen);
    vec3f light;
    if (seen.sky && !seen.clear) {
        own.radiance = own.crisp = seen.crisp;
        *sum = own;
        return true;
    }
    if ((!seen.scatters && !seen.sky) || is_mirror(p, &own) ||
        !find_grid_light(p, x, y, &seen, &light, &own.crisp))
        return false;
    own.radiance = vec3f_add(vec3f_mul(light, film_divisor(&own)), own.crisp);
    *sum = own;
    return true;
}

// --- Noise --------------------------------------------------------------------------------------

enum { REACH = 1 }; // of the window in which light is compared [pixels of the grid]

// Factors on the variance in the window. In the studio, samples that differ from all others are rare
// in a window, neighbouring pixels share samples, and shadows are soft: the filter may mix what
// differs by many standard deviations; its guides keep it within one surface. Sharp shadows of a
// sun, what glass refracts and what a metal floor mirrors would be blurred.
static const float STUDIO_FACTOR = 15.0f, GLASS_FACTOR = 10.0f, SHARP_FACTOR = 3.0f;

typedef struct noise_job {
    const sherd_preview *preview;
    sherd_film grid; // every other pixel of every other row
    float *light;    // luminance of radiance over film_divisor (height x width of the grid)
} noise_job;

static film_pixel *grid_pixel(const noise_job *j, size_t x, size_t y)
{
    return &j->grid.pixels[y * (size_t)j->grid.width + x];
}

static film_pixel *whole_pixel(const noise_job *j, size_t x, size_t y)
{
    const sherd_film *film = &j->preview->film;
    return &film->pixels[2 * y * (size_t)film->width + 2 * x];
}

static void begin_grid(void *context, size_t begin, size_t end)
{
    const noise_job *j = context;
    size_t width = (size_t)j->grid.width;
    for (size_t y = begin; y < end; ++y)
        for (size_t x = 0; x < width; ++x) {
            film_pixel *p = grid_pixel(j, x, y);
            *p = *whole_pixel(j, x, y);
            if (!is_sky(p)) p->radiance = vec3f_sub(p->radiance, p->crisp);
            j->light[y * width + x] =
                vec3f_luminance(p->radiance) / vec3f_luminance(film_divisor(p));
        }
}

static void finish_grid(void *context, size_t begin, size_t end)
{
    const noise_job *j = context;
    for (size_t y = begin; y < end; ++y)
        for (size_t x = 0; x < (size_t)j->grid.width; ++x) {
            film_pixel *p = whole_pixel(j, x, y);
            if (!is_sky(p)) p->radiance = vec3f_add(grid_pixel(j, x, y)->radiance, p->crisp);
            p->variance = 0.0f;
        }
}

// Variance of the light in the window around a pixel.
static float window_variance(const noise_job *j, int x, int y)
{
    const sherd_film *film = &j->grid;
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
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->grid.width; ++x) {
            film_pixel *p = grid_pixel(j, (size_t)x, y);
            float factor = is_sharp(j->preview, p) ? SHARP_FACTOR
                           : p->clear > 0          ? GLASS_FACTOR
                                                   : STUDIO_FACTOR;
            float divisor = vec3f_luminance(film_divisor(p));
            p->variance = factor * divisor * divisor * window_variance(j, x, (int)y);
        }
}

static bool filter_grid(noise_job *j, const sherd_parallel *parallel)
{
    const int passes = SHERD_DENOISE_PASSES - 1; // the grid is twice as wide
    size_t rows = (size_t)j->grid.height;
    sherd_parallel_for(parallel, rows, ROW_CHUNK, begin_grid, j);
    sherd_parallel_for(parallel, rows, ROW_CHUNK, find_variance, j);
    if (!sherd_denoise(&j->grid, 2.0f * j->preview->pixel_angle, passes, parallel)) return false;
    sherd_parallel_for(parallel, rows, ROW_CHUNK, finish_grid, j);
    return true;
}

bool sherd_preview_filter(const sherd_preview *preview, const sherd_parallel *parallel)
{
    const sherd_film *film = &preview->film;
    noise_job j = {
        preview, {(film->width + 1) / 2, (film->height + 1) / 2, film->parts_clear, NULL}, NULL};
    size_t count = (size_t)j.grid.height * (size_t)j.grid.width;
    j.grid.pixels = sherd_alloc(count, sizeof *j.grid.pixels);
    j.light = sherd_alloc(count, sizeof *j.light);
    bool done = j.grid.pixels != NULL && j.light != NULL && filter_grid(&j, parallel);
    sherd_free(j.grid.pixels);
    sherd_free(j.light);
    return done;
}

// --- Noise between pixels of the grid -----------------------------------------------------------

typedef struct mixture {
    vec3f light; // sum of weights times light
    float weights;
} mixture;

static void mix_in(mixture *m, float weight, vec3f light)
{
    m->light = vec3f_add_scaled(m->light, weight, light);
    m->weights += weight;
}

// The light of a pixel that was traced by itself, mixed with that of pixels around it that show the
// same surface. Of shadows of a sun only one side is taken; light that no other pixel has is noise.
static vec3f settled(const sherd_preview *p, int x, int y)
{
    const int reach = 2;
    const sherd_film *film = &p->film;
    const film_pixel *here = &film->pixels[(size_t)y * (size_t)film->width + (size_t)x];
    const float most = 2.0f, most_change = is_sharp(p, here) ? 0.5f : INFINITY;
    vec3f own = light_of(here);
    float luminance = vec3f_luminance(own);
    mixture all = {.weights = 0.0f}, alike = all;
    for (int v = y - reach; v <= y + reach; ++v)
        for (int u = x - reach; u <= x + reach; ++u) {
            if (u < 0 || v < 0 || u >= film->width || v >= film->height) continue;
            const film_pixel *there = &film->pixels[(size_t)v * (size_t)film->width + (size_t)u];
            float apart = distance_of(there, here, p->pixel_angle);
            if (!(apart < most) || there == here) continue;
            float weight = (1.0f - apart / most) * (is_settled(there) ? 4.0f : 1.0f);
            vec3f light = light_of(there);
            float other = vec3f_luminance(light);
            mix_in(&all, weight, light);
            if (fabsf(other - luminance) <= most_change * float_max(other, luminance))
                mix_in(&alike, weight, light);
        }
    if (alike.weights > 0.0f || all.weights == 0.0f) {
        mix_in(&alike, 1.0f, own);
        all = alike;
    }
    vec3f light = vec3f_scale(1.0f / all.weights, all.light);
    return vec3f_add(vec3f_mul(light, film_divisor(here)), here->crisp);
}

static void settle_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_film *film = &j->preview->film;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < film->width; ++x) {
            size_t here = y * (size_t)film->width + (size_t)x;
            const film_pixel *pixel = &film->pixels[here];
            j->smooth[here] = is_settled(pixel) ? pixel->radiance : settled(j->preview, x, (int)y);
        }
}

// --- Edges --------------------------------------------------------------------------------------

// The pixel around (x, y) that shows the surface that is seen; NULL if there is none.
static const film_pixel *find_same(const sherd_preview *p, int x, int y, const film_pixel *seen)
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

// Radiance of a further sample of a pixel. *clear: it shows glass.
static vec3f take(const sherd_preview *p, sampler *random, int x, int y, int k, bool *clear)
{
    tracer_ray ray = sherd_preview_ray(p->lens, &p->film, x, y, k);
    sherd_sampler_start(random, (uint32_t)x, (uint32_t)y);
    random->sample = (uint32_t)k;
    path_result seen = look(p, &ray, random);
    *clear = seen.clear;
    film_pixel own = pixel_of(&seen);
    const film_pixel *same = find_same(p, x, y, &own);
    if (same == NULL || !mirrors_same(same->crisp, seen.crisp))
        return sherd_path_trace(p->paths, &ray, random).radiance;
    own = *same;
    own.albedo = seen.albedo;
    return vec3f_add(vec3f_mul(light_of(same), film_divisor(&own)), same->crisp);
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

// Whether a pixel shows the same surface as one beside it (sherd_sample_plan_is_edge, for pixels of
// one sample).
static bool continues(const film_pixel *a, const film_pixel *b, float pixel_angle)
{
    const float most_turn = 0.1f, most_tint = 0.06f, most_rise = 3.0f;
    if (a->clear != b->clear || !mirrors_same(a->crisp, b->crisp)) return false;
    vec3f turn = vec3f_sub(a->normal, b->normal), tint = vec3f_sub(a->albedo, b->albedo);
    float scale = most_tint * (vec3f_luminance(a->albedo) + 0.3f);
    float rise = vec3f_dot(a->normal, vec3f_sub(b->position, a->position));
    return vec3f_dot(turn, turn) < most_turn * most_turn && vec3f_dot(tint, tint) < scale * scale &&
           fabsf(rise) < most_rise * pixel_angle;
}

// Whether one of the four pixels beside a pixel shows another surface.
static bool is_edge(const sherd_preview *p, int x, int y)
{
    const sherd_film *film = &p->film;
    const film_pixel *here = &film->pixels[(size_t)y * (size_t)film->width + (size_t)x];
    return (x > 0 && !continues(here, here - 1, p->pixel_angle)) ||
           (x + 1 < film->width && !continues(here, here + 1, p->pixel_angle)) ||
           (y > 0 && !continues(here, here - film->width, p->pixel_angle)) ||
           (y + 1 < film->height && !continues(here, here + film->width, p->pixel_angle));
}

// Number of samples of a pixel: fewer where the ground's texture alone makes an edge.
static int samples_at(const sherd_preview *p, int x, int y)
{
    if (!is_edge(p, x, y)) return 1;
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

static void set_smooth(const job *j)
{
    const sherd_film *film = &j->preview->film;
    size_t count = (size_t)film->height * (size_t)film->width;
    for (size_t k = 0; k < count; ++k)
        film->pixels[k].radiance = j->smooth[k];
}

bool sherd_preview_smooth_edges(const sherd_preview *preview, const sherd_parallel *parallel)
{
    const sherd_film *film = &preview->film;
    size_t rows = (size_t)film->height;
    job j = {preview, sherd_alloc(rows * (size_t)film->width, sizeof *j.smooth)};
    if (j.smooth == NULL) return false;
    sherd_parallel_for(parallel, rows, ROW_CHUNK, settle_rows, &j);
    set_smooth(&j);
    sherd_parallel_for(parallel, rows, ROW_CHUNK, smooth_rows, &j);
    set_smooth(&j);
    sherd_free(j.smooth);
    return true;
}
