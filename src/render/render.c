// From scene to picture: validate the scene, build the tracer, trace tiles, denoise, apply the tone
// map.
#include <sherd/render.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "render/coat.h"
#include "render/denoise.h"
#include "render/layers/layers.h"
#include "render/lens.h"
#include "render/path.h"
#include "render/preview.h"
#include "render/render_check.h"
#include "render/sample_plan.h"
#include "render/tone.h"

enum { TILE = 16 }; // pixels a side

// The pixels that a pass of the first round samples. Light on open ground is smooth, so that
// tracing it for every other pixel of every other row is enough there.
typedef enum first_round {
    FIRST_ALL = 0,
    FIRST_GRID,    // every other pixel of every other row
    FIRST_BETWEEN, // the other pixels
} first_round;

typedef struct job {
    const sherd_render_scene *scene;
    path_scene paths;
    sherd_lens opens, closes; // of the camera when the shutter opens and closes
    sherd_lens middle;        // of the camera half way, for previews
    bool moves;               // the camera or any body moves
    bool has_aperture;
    sherd_film film;
    sherd_image *image;
    sherd_layers *layers; // NULL: not wanted
    size_t tiles_wide, tiles, tile_stride;
    sample_plan plan;
    first_round first;
    const pixel_plan *wanted; // for each pixel; NULL in the first round
} job;

// Tent-distributed offset in (-1, 1) from a uniform number: a tent over two pixels is the
// reconstruction filter, applied by placing samples instead of weighting them.
static float tent(float u)
{
    return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
}

static bool is_preview(const job *j)
{
    return j->scene->quality == SHERD_RENDER_PREVIEW;
}

static tracer_ray camera_ray(const job *j, int x, int y, sampler *random)
{
    if (is_preview(j)) return sherd_preview_ray(&j->middle, &j->film, x, y, (int)random->sample);
    sample2 place = sherd_sampler_draw(random, SAMPLER_PIXEL);
    float u = 2.0f * ((float)x + 0.5f + tent(place.u)) / (float)j->scene->width - 1.0f;
    float v = 1.0f - 2.0f * ((float)y + 0.5f + tent(place.v)) / (float)j->scene->height;
    tracer_ray ray = {.near = 0.0f};
    sample2 on_lens = {0.0f, 0.0f};
    if (j->has_aperture) on_lens = sherd_sampler_draw(random, SAMPLER_LENS);
    if (!j->moves) {
        sherd_lens_ray(&j->opens, u, v, on_lens, &ray.origin, &ray.direction);
        return ray;
    }
    ray.time = sherd_sampler_draw(random, SAMPLER_TIME).u;
    sherd_lens lens = sherd_lens_mix(&j->opens, &j->closes, ray.time);
    sherd_lens_ray(&lens, u, v, on_lens, &ray.origin, &ray.direction);
    return ray;
}

static void take_sample(const job *j, sampler *random, int x, int y, film_pixel *sum)
{
    random->sample = (uint32_t)sum->taken++;
    tracer_ray ray = camera_ray(j, x, y, random);
    path_result r = sherd_path_trace(&j->paths, &ray, random);
    float luminance = vec3f_luminance(r.radiance), change = luminance - sum->mean;
    sum->mean += change / (float)sum->taken; // Welford's update
    sum->variance += change * (luminance - sum->mean);
    sum->radiance = vec3f_add(sum->radiance, r.radiance);
    sum->albedo = vec3f_add(sum->albedo, r.albedo);
    sum->normal = vec3f_add(sum->normal, r.normal);
    sum->position = vec3f_add(sum->position, r.position);
    sum->on_ground += r.ground;
    sum->mirrored += r.mirrored;
    sum->clear += r.clear;
    sum->crisp = r.crisp;
}

// Samples only the ground's colour, until the pixel has `wanted` samples including those with
// light. Then the sum of radiance is scaled as if the same light fell on the mean of all colours.
static void take_colors(const job *j, sampler *random, int x, int y, int wanted, film_pixel *sum)
{
    vec3f colors = sum->albedo;
    float count = (float)sum->taken;
    for (int k = sum->taken; k < wanted; ++k) {
        random->sample = (uint32_t)k;
        tracer_ray ray = camera_ray(j, x, y, random);
        tracer_hit hit;
        // This sample hit something that all samples before missed. Its light is unknown, so it is
        // skipped.
        if (!sherd_tracer_nearest(j->paths.tracer, &ray, TRACER_COHERENT, &hit) || !hit.ground)
            continue;
        colors = vec3f_add(colors, hit.surface.albedo);
        count += 1.0f;
    }
    vec3f from = film_ground_color(sum, (float)sum->taken), light = sum->radiance;
    sum->albedo = vec3f_scale((float)sum->taken / count, colors);
    vec3f to = film_ground_color(sum, (float)sum->taken);
    sum->radiance =
        vec3f_make(light.x * to.x / from.x, light.y * to.y / from.y, light.z * to.z / from.z);
}

// --- Light between pixels of the grid -----------------------------------------------------------

static bool is_on_grid(int x, int y)
{
    return x % 2 == 0 && y % 2 == 0;
}

// Light on the ground (radiance over film_ground_color) at the grid's pixels around a pixel between
// them.
typedef struct light_around {
    vec3f sum;
    float lowest, highest; // luminance
    int count;
} light_around;

// False if the pixel shows anything but the ground.
static bool add_light_around(const job *j, int x, int y, light_around *a)
{
    if (x >= j->film.width || y >= j->film.height) return false;
    const film_pixel *p = &j->film.pixels[(size_t)y * (size_t)j->film.width + (size_t)x];
    if (p->on_ground < p->taken) return false;
    float share = 1.0f / (float)p->taken;
    vec3f color = film_ground_color(p, (float)p->taken), light = vec3f_scale(share, p->radiance);
    light = vec3f_make(light.x / color.x, light.y / color.y, light.z / color.z);
    float luminance = vec3f_luminance(light);
    a->lowest = float_min(a->lowest, luminance);
    a->highest = float_max(a->highest, luminance);
    a->sum = vec3f_add(a->sum, light);
    ++a->count;
    return true;
}

// The mean light on the ground at the two or four nearest pixels of the grid. False if they differ
// by more than smooth light would.
static bool find_light_around(const job *j, int x, int y, vec3f *light)
{
    const float most_change = 0.03f; // relative; the noise of a single sample is far larger
    light_around a = {.lowest = INFINITY};
    int left = x - x % 2, top = y - y % 2, right = x + x % 2, bottom = y + y % 2;
    for (int v = top; v <= bottom; v += 2)
        for (int u = left; u <= right; u += 2)
            if (!add_light_around(j, u, v, &a)) return false;
    *light = vec3f_scale(1.0f / (float)a.count, a.sum);
    return a.highest - a.lowest <= most_change * a.highest;
}

// The first round's samples of a pixel on which the light is known. If a sample hits anything but
// the ground, no sample is kept and the result is false.
static bool take_ground_samples(const job *j, sampler *random, int x, int y, vec3f light,
                                film_pixel *sum)
{
    film_pixel ground = {.taken = 0};
    for (int k = 0; k < j->plan.first; ++k) {
        random->sample = (uint32_t)k;
        tracer_ray ray = camera_ray(j, x, y, random);
        tracer_hit hit;
        if (!sherd_tracer_nearest(j->paths.tracer, &ray, TRACER_COHERENT, &hit) || !hit.ground)
            return false;
        ground.albedo = vec3f_add(ground.albedo, hit.surface.albedo);
        ground.normal = vec3f_add(ground.normal, hit.normal);
        ground.position = vec3f_add(ground.position, hit.position);
        ground.mirrored += coat_fresnel(hit.surface.f0, -vec3f_dot(hit.normal, ray.direction));
    }
    float count = (float)j->plan.first;
    ground.taken = ground.on_ground = j->plan.first;
    vec3f seen = vec3f_mul(light, film_ground_color(&ground, count));
    ground.radiance = vec3f_scale(count, seen);
    ground.mean = vec3f_luminance(seen);
    *sum = ground;
    return true;
}

// Takes the samples planned for open ground. If something else was hit as well, full paths are
// traced.
static void take_rest(const job *j, sampler *random, int x, int y, int wanted, film_pixel *sum)
{
    while (sum->on_ground < sum->taken && sum->taken < wanted)
        take_sample(j, random, x, y, sum);
    if (sum->taken < wanted) take_colors(j, random, x, y, wanted, sum);
}

static void take_layers(const job *j, sampler *random, int x, int y, int taken)
{
    layer_samples layered = {.hits = 0};
    for (int k = 0; k < taken; ++k) {
        random->sample = (uint32_t)k;
        tracer_ray ray = camera_ray(j, x, y, random);
        sherd_layers_add(j->layers, j->paths.tracer, &ray, j->opens.forward, &layered);
    }
    sherd_layers_set(j->layers, (size_t)y * (size_t)j->scene->width + (size_t)x, j->paths.tracer,
                     &layered, taken);
}

// Turns sums into means.
static film_pixel finish_pixel(const film_pixel *sum)
{
    float n = (float)sum->taken, share = 1.0f / n;
    // A single sample does not tell its noise, which may be as large as the light, and two or three
    // samples may be similar by chance: the standard deviation of the mean is taken to be at least
    // the mean over the number of samples.
    float least = share * sum->mean, single = n > 1.0f ? sum->variance / (n - 1.0f) : 0.0f;
    float variance = share * float_max(single, least * least);
    return (film_pixel){vec3f_scale(share, sum->radiance),
                        variance,
                        vec3f_scale(share, sum->albedo),
                        vec3f_scale(share, sum->normal),
                        vec3f_scale(share, sum->position),
                        sum->mean,
                        sum->taken,
                        sum->on_ground,
                        share * sum->mirrored,
                        sum->crisp,
                        sum->clear};
}

// Angle between neighbouring pixels [rad].
static float pixel_angle(const job *j)
{
    return 2.0f * vec3f_length(j->opens.up) / (float)j->scene->height;
}

static sherd_preview preview_of(const job *j)
{
    return (sherd_preview){&j->paths, &j->middle, j->film, pixel_angle(j), j->scene->seed};
}

// In the first round, a pixel between those of the grid that takes their light. False if it has to be
// traced.
static bool take_between(const job *j, sampler *random, int x, int y, film_pixel *sum)
{
    if (j->wanted != NULL || j->first != FIRST_BETWEEN) return false;
    vec3f light;
    if (!is_preview(j))
        return find_light_around(j, x, y, &light) &&
               take_ground_samples(j, random, x, y, light, sum);
    sherd_preview preview = preview_of(j);
    return sherd_preview_borrow(&preview, random, x, y, sum);
}

static void trace_pixel(const job *j, sampler *random, int x, int y)
{
    size_t at = (size_t)y * (size_t)j->film.width + (size_t)x;
    film_pixel *sum = &j->film.pixels[at];
    int wanted = j->wanted != NULL ? j->wanted[at].light : j->plan.first;
    sherd_sampler_start(random, (uint32_t)x, (uint32_t)y);
    if (take_between(j, random, x, y, sum)) return;
    while (sum->taken < wanted)
        take_sample(j, random, x, y, sum);
    if (j->plan.first < j->plan.most && j->wanted == NULL) return;
    if (j->wanted != NULL && j->wanted[at].color > sum->taken)
        take_rest(j, random, x, y, j->wanted[at].color, sum);
    if (j->layers != NULL && !is_preview(j)) take_layers(j, random, x, y, sum->taken);
    *sum = finish_pixel(sum);
}

static bool is_due(const job *j, int x, int y)
{
    return j->wanted != NULL || j->first == FIRST_ALL ||
           is_on_grid(x, y) == (j->first == FIRST_GRID);
}

// The layers of a preview, whose pixels of light have one sample each.
static void take_preview_layers(void *context, size_t begin, size_t end)
{
    const job *j = context;
    sampler random = {.sample = 0};
    unsigned mode = sherd_tracer_enter_fast_mode();
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < j->film.width; ++x)
            take_layers(j, &random, x, (int)y, SHERD_RENDER_PREVIEW_SAMPLES);
    sherd_tracer_leave_fast_mode(mode);
}

static void trace_tile(const job *j, size_t tile)
{
    sampler random = sherd_sampler_make(j->plan.most, j->scene->seed);
    int left = (int)(tile % j->tiles_wide) * TILE, top = (int)(tile / j->tiles_wide) * TILE;
    for (int y = top; y < top + TILE && y < j->film.height; ++y)
        for (int x = left; x < left + TILE && x < j->film.width; ++x)
            if (is_due(j, x, y)) trace_pixel(j, &random, x, y);
}

// Tiles are visited in strides across the picture, so that each thread gets a similar mixture of
// expensive bodies and cheap backdrop.
static void trace_tiles(void *context, size_t begin, size_t end)
{
    const job *j = context;
    unsigned mode = sherd_tracer_enter_fast_mode();
    for (size_t k = begin; k < end; ++k)
        trace_tile(j, k * j->tile_stride % j->tiles);
    sherd_tracer_leave_fast_mode(mode);
}

static void develop_rows(void *context, size_t begin, size_t end)
{
    const job *j = context;
    size_t width = (size_t)j->film.width;
    for (size_t y = begin; y < end; ++y)
        for (size_t x = 0; x < width; ++x)
            sherd_tone_map(j->film.pixels[y * width + x].radiance, (float)j->scene->exposure,
                           (int)x, (int)y, j->image->pixels + 3 * (y * width + x));
}

static size_t greatest_common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

// A stride near the golden section of `count` that has no common divisor with it. Stepping by it
// visits every tile once, each far from the one before.
static size_t scattering_stride(size_t count)
{
    size_t stride = (size_t)(0.618034 * (double)count) + 1;
    while (greatest_common_divisor(stride, count) != 1)
        ++stride;
    return stride;
}

// False when memory is short.
static bool trace_first(job *j, const sherd_parallel *parallel)
{
    bool sharp_ground = j->plan.view != SAMPLE_PLAN_MIXED && j->paths.tracer->has_ground;
    if (!is_preview(j) && (j->plan.first == j->plan.most || !sharp_ground)) {
        sherd_parallel_for(parallel, j->tiles, 1, trace_tiles, j);
        return true;
    }
    j->first = FIRST_GRID;
    sherd_parallel_for(parallel, j->tiles, 1, trace_tiles, j);
    sherd_preview preview = preview_of(j);
    bool filtered = is_preview(j) && j->scene->denoise == SHERD_RENDER_DENOISE_ON;
    if (filtered && !sherd_preview_filter(&preview, parallel)) return false;
    j->first = FIRST_BETWEEN;
    sherd_parallel_for(parallel, j->tiles, 1, trace_tiles, j);
    return true;
}

static sample_plan plan_of(const job *j)
{
    int samples = is_preview(j) ? 1 : j->scene->samples_per_pixel;
    bool glass = j->paths.tracer->has_glass, mixed = j->moves || j->has_aperture;
    sample_plan_view view = is_preview(j) ? SAMPLE_PLAN_SHARP
                            : mixed       ? SAMPLE_PLAN_MIXED
                            : glass       ? SAMPLE_PLAN_GLASS
                                          : SAMPLE_PLAN_SHARP;
    if (is_preview(j) || j->scene->denoise != SHERD_RENDER_DENOISE_ON)
        return (sample_plan){samples, samples, samples, view, 1.0f};
    sample_plan plan = sherd_sample_plan_make(samples, view, glass);
    plan.white = 1.0f / (float)j->scene->exposure;
    return plan;
}

// Traces the picture in two rounds; the second adds samples at noise and edges that the first
// found. False when memory is short.
static bool trace(job *j, float angle, const sherd_parallel *parallel)
{
    int samples = j->scene->samples_per_pixel;
    j->plan = plan_of(j);
    // Smooth glass before the sky gets no more than these.
    int steady = j->plan.first > 4 ? j->plan.first : 4;
    j->paths.steady = is_preview(j) ? INT32_MAX : steady;
    if (!trace_first(j, parallel)) return false;
    if (j->plan.first == j->plan.most) return true;
    size_t count = (size_t)j->film.width * (size_t)j->film.height;
    pixel_plan *wanted = sherd_alloc(count, sizeof *wanted);
    if (wanted == NULL) return false;
    bool chosen = sherd_sample_plan_choose(&j->plan, samples, &j->film, angle, wanted, parallel);
    j->wanted = wanted;
    if (chosen) sherd_parallel_for(parallel, j->tiles, 1, trace_tiles, j);
    sherd_free(wanted);
    return chosen;
}

// Removes noise. Previews have their edges smoothed afterwards. False when memory is short.
static bool filter(job *j, float angle, const sherd_parallel *parallel)
{
    bool denoised = j->scene->denoise == SHERD_RENDER_DENOISE_ON;
    if (!is_preview(j))
        return !denoised || sherd_denoise(&j->film, angle, SHERD_DENOISE_PASSES, parallel);
    sherd_preview preview = preview_of(j);
    bool done = sherd_preview_smooth_edges(&preview, parallel);
    if (done && j->layers != NULL)
        sherd_parallel_for(parallel, (size_t)j->film.height, TILE, take_preview_layers, j);
    return done;
}

static sherd_status make_picture(job *j, sherd_error *error)
{
    const sherd_render_scene *scene = j->scene;
    sherd_parallel parallel = {scene->threads};
    size_t tiles_high = ((size_t)scene->height + TILE - 1) / TILE;
    j->tiles_wide = ((size_t)scene->width + TILE - 1) / TILE;
    j->tiles = j->tiles_wide * tiles_high;
    j->tile_stride = scattering_stride(j->tiles);
    float angle = pixel_angle(j);
    if (!trace(j, angle, &parallel)) return sherd_fail_memory(error, "picture");
    if (!filter(j, angle, &parallel)) return sherd_fail_memory(error, "noise removal");
    sherd_parallel_for(&parallel, (size_t)scene->height, TILE, develop_rows, j);
    if (j->layers != NULL) sherd_layers_develop(j->layers, &j->film, (float)scene->exposure);
    return SHERD_OK;
}

static bool anything_moves(const sherd_render_scene *scene)
{
    bool moves = scene->camera_opens != NULL;
    for (int m = 0; m < scene->mesh_count; ++m)
        moves = moves || scene->meshes[m].motions != NULL;
    for (int b = 0; b < scene->sphere_batch_count; ++b)
        moves = moves || scene->spheres[b].motions != NULL;
    return moves;
}

static void place_camera(job *j, const sherd_tracer *tracer)
{
    const sherd_render_scene *scene = j->scene;
    bool moves = scene->camera_opens != NULL && scene->camera_closes != NULL;
    const sherd_camera *opens = moves ? scene->camera_opens : &scene->camera;
    const sherd_camera *closes = moves ? scene->camera_closes : &scene->camera;
    double aspect = (double)scene->width / scene->height;
    j->opens = sherd_lens_make(opens, aspect, tracer->origin, tracer->scale);
    j->closes = sherd_lens_make(closes, aspect, tracer->origin, tracer->scale);
    j->middle = sherd_lens_make(&scene->camera, aspect, tracer->origin, tracer->scale);
    j->has_aperture = opens->aperture > 0.0 || closes->aperture > 0.0;
    j->moves = anything_moves(scene);
}

static sherd_status render_into(sherd_image *image, sherd_layers *layers, sherd_film film,
                                const sherd_render_scene *scene, sherd_error *error)
{
    sherd_tracer tracer;
    sherd_status status = sherd_tracer_open(&tracer, scene, error);
    if (status != SHERD_OK) return status;
    sherd_lighting lighting;
    job j = {.scene = scene,
             .paths = {.tracer = &tracer,
                       .lighting = &lighting,
                       .bounces = scene->bounces,
                       .quality = scene->quality},
             .film = film,
             .image = image,
             .layers = layers};
    place_camera(&j, &tracer);
    sherd_lighting_init(&lighting, scene, j.opens.forward);
    if (is_preview(&j)) tracer.pixel_angle = pixel_angle(&j);
    sherd_sheen sheen;
    if (is_preview(&j) && sherd_sheen_init(&sheen, &lighting, &tracer)) j.paths.sheen = &sheen;
    status = make_picture(&j, error);
    sherd_tracer_close(&tracer);
    return status;
}

static sherd_image *render(const sherd_render_scene *scene, sherd_layers *layers,
                           sherd_error *error)
{
    sherd_image *image = sherd_image_create(scene->width, scene->height, error);
    if (image == NULL) return NULL;
    sherd_film film = {
        scene->width, scene->height, scene->quality == SHERD_RENDER_PREVIEW,
        sherd_alloc((size_t)scene->width * (size_t)scene->height, sizeof(film_pixel))};
    sherd_status status = film.pixels != NULL ? render_into(image, layers, film, scene, error)
                                              : sherd_fail_memory(error, "picture");
    sherd_free(film.pixels);
    if (status == SHERD_OK) return image;
    sherd_image_destroy(image);
    return NULL;
}

sherd_status sherd_pictures_check(sherd_error *error)
{
    (void)error;
    return SHERD_OK;
}

sherd_image *sherd_render(const sherd_render_scene *scene, sherd_error *error)
{
    if (sherd_render_scene_check(scene, error) != SHERD_OK) return NULL;
    return render(scene, NULL, error);
}

sherd_image *sherd_render_layers(const sherd_render_scene *scene, sherd_layers **layers,
                                 sherd_error *error)
{
    *layers = NULL;
    if (sherd_render_scene_check(scene, error) != SHERD_OK) return NULL;
    sherd_layers *made = sherd_layers_create(scene, error);
    sherd_image *image = made != NULL ? render(scene, made, error) : NULL;
    if (image != NULL)
        *layers = made;
    else
        sherd_layers_destroy(made);
    return image;
}
