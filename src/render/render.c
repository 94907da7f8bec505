// From scene to picture: check, build, trace tiles, remove noise, develop.
#include <sherd/render.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "render/check.h"
#include "render/denoise.h"
#include "render/path.h"
#include "render/tone.h"

enum { TILE = 16 }; // pixels a side

typedef struct view {
    vec3f position;
    vec3f forward, right, up; // right and up reach from the middle to the edge of the picture
} view;

typedef struct job {
    const sherd_render_scene *scene;
    path_scene paths;
    view view;
    sherd_film film;
    sherd_image *image;
    size_t tiles_wide, tiles, tile_stride;
} job;

static vec3f to_vec3f(sherd_vec3 v)
{
    return vec3f_make((float)v.x, (float)v.y, (float)v.z);
}

static view make_view(const sherd_render_scene *scene)
{
    const sherd_camera *c = &scene->camera;
    sherd_vec3 sight = vec3_sub(c->target, c->position);
    double distance = vec3_length(sight);
    sherd_vec3 forward = vec3_scale(1.0 / distance, sight);
    sherd_vec3 right = vec3_normalize(vec3_cross(forward, vec3_normalize(c->up)));
    sherd_vec3 up = vec3_cross(right, forward);
    double high = tan(0.5 * c->vertical_fov);
    double wide = high * scene->width / scene->height;
    return (view){to_vec3f(vec3_scale(-1.0, forward)), to_vec3f(forward),
                  to_vec3f(vec3_scale(wide, right)), to_vec3f(vec3_scale(high, up))};
}

// Tent-distributed offset in (-1, 1) from a uniform number: a tent over two pixels is the
// reconstruction filter, applied by placing samples instead of weighting them.
static float tent(float u)
{
    return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
}

static vec3f camera_ray(const job *j, int x, int y, sample2 random)
{
    float u = 2.0f * ((float)x + 0.5f + tent(random.u)) / (float)j->scene->width - 1.0f;
    float v = 1.0f - 2.0f * ((float)y + 0.5f + tent(random.v)) / (float)j->scene->height;
    vec3f d = vec3f_add_scaled(j->view.forward, u, j->view.right);
    return vec3f_unit_or(vec3f_add_scaled(d, v, j->view.up), j->view.forward);
}

// Open ground and backdrop are clean after half of the samples: the mean is known to 0.7 % of
// itself, below what the screen's 8 bits show once neighbours are averaged too.
static bool is_clean(int taken, int samples, float mean, float spread)
{
    if (taken < 4 || 2 * taken != samples) return false;
    float error = 0.007f * mean + 1e-4f;
    return spread < error * error * (float)taken * (float)(taken - 1);
}

static film_pixel trace_pixel(const job *j, sampler *random, int x, int y)
{
    int samples = j->scene->samples_per_pixel;
    sherd_sampler_start(random, (uint32_t)x, (uint32_t)y);
    film_pixel sum = {0};
    float mean = 0.0f, spread = 0.0f; // of luminance, Welford's update
    int taken = 0;
    while (taken < samples && !is_clean(taken, samples, mean, spread)) {
        random->sample = (uint32_t)taken++;
        vec3f direction = camera_ray(j, x, y, sherd_sampler_draw(random, SAMPLER_PIXEL));
        path_result r = sherd_path_trace(&j->paths, j->view.position, direction, random);
        float change = vec3f_luminance(r.radiance) - mean;
        mean += change / (float)taken;
        spread += change * (vec3f_luminance(r.radiance) - mean);
        sum.radiance = vec3f_add(sum.radiance, r.radiance);
        sum.albedo = vec3f_add(sum.albedo, r.albedo);
        sum.normal = vec3f_add(sum.normal, r.normal);
        sum.position = vec3f_add(sum.position, r.position);
    }
    float share = 1.0f / (float)taken;
    // A single sample tells nothing about its noise: assume it may be as large as the light.
    float variance = taken > 1 ? spread * share / (float)(taken - 1) : mean * mean;
    return (film_pixel){vec3f_scale(share, sum.radiance), variance, vec3f_scale(share, sum.albedo),
                        vec3f_scale(share, sum.normal), vec3f_scale(share, sum.position)};
}

static void trace_tile(const job *j, size_t tile)
{
    sampler random = sherd_sampler_make(j->scene->samples_per_pixel, j->scene->seed);
    int left = (int)(tile % j->tiles_wide) * TILE, top = (int)(tile / j->tiles_wide) * TILE;
    for (int y = top; y < top + TILE && y < j->film.height; ++y)
        for (int x = left; x < left + TILE && x < j->film.width; ++x)
            j->film.pixels[(size_t)y * (size_t)j->film.width + (size_t)x] =
                trace_pixel(j, &random, x, y);
}

// Tiles are taken in strides across the picture, so that each thread's share holds some of
// everything: bodies cost far more than backdrop.
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

// A stride near the golden section of `count` that shares no divisor with it visits every tile
// once, each far from the one before.
static size_t scattering_stride(size_t count)
{
    size_t stride = (size_t)(0.618034 * (double)count) + 1;
    while (greatest_common_divisor(stride, count) != 1)
        ++stride;
    return stride;
}

static sherd_status make_picture(job *j, sherd_error *error)
{
    const sherd_render_scene *scene = j->scene;
    sherd_parallel parallel = {scene->threads};
    size_t tiles_high = ((size_t)scene->height + TILE - 1) / TILE;
    j->tiles_wide = ((size_t)scene->width + TILE - 1) / TILE;
    j->tiles = j->tiles_wide * tiles_high;
    j->tile_stride = scattering_stride(j->tiles);
    sherd_parallel_for(&parallel, j->tiles, 1, trace_tiles, j);
    float pixel_angle = 2.0f * vec3f_length(j->view.up) / (float)scene->height;
    if (scene->denoise == SHERD_RENDER_DENOISE_ON &&
        !sherd_denoise(&j->film, pixel_angle, &parallel))
        return sherd_fail_memory(error, "noise removal");
    sherd_parallel_for(&parallel, (size_t)scene->height, TILE, develop_rows, j);
    return SHERD_OK;
}

static sherd_status render_into(sherd_image *image, sherd_film film,
                                const sherd_render_scene *scene, sherd_error *error)
{
    sherd_tracer tracer;
    sherd_status status = sherd_tracer_open(&tracer, scene, error);
    if (status != SHERD_OK) return status;
    sherd_lighting lighting;
    job j = {.scene = scene,
             .paths = {&tracer, &lighting, scene->bounces},
             .view = make_view(scene),
             .film = film,
             .image = image};
    sherd_lighting_init(&lighting, scene, j.view.forward);
    status = make_picture(&j, error);
    sherd_tracer_close(&tracer);
    return status;
}

sherd_image *sherd_render(const sherd_render_scene *scene, sherd_error *error)
{
    if (sherd_render_scene_check(scene, error) != SHERD_OK) return NULL;
    sherd_image *image = sherd_image_create(scene->width, scene->height, error);
    if (image == NULL) return NULL;
    sherd_film film = {
        scene->width, scene->height,
        sherd_alloc((size_t)scene->width * (size_t)scene->height, sizeof(film_pixel))};
    sherd_status status = film.pixels != NULL ? render_into(image, film, scene, error)
                                              : sherd_fail_memory(error, "picture");
    sherd_free(film.pixels);
    if (status == SHERD_OK) return image;
    sherd_image_destroy(image);
    return NULL;
}
