// render/preview: quick pictures hold against final ones, and what they cost.
#include "render/preview.h"

#include "math/vec3.h"
#include "render/denoise.h"

#include <sherd/layers.h>
#include <sherd/render.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64 };

static const double BALL_X[] = {0.0, 1.2}, BALL_Y[] = {0.0, 0.2}, BALL_Z[] = {0.6, 0.5};
static const double BALL_RADIUS[] = {0.6, 0.5};
static const double MOTIONS[] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0};

static sherd_render_spheres balls(void)
{
    return (sherd_render_spheres){.name = "balls",
                                  .count = 2,
                                  .x = BALL_X,
                                  .y = BALL_Y,
                                  .z = BALL_Z,
                                  .radius = BALL_RADIUS,
                                  .material = sherd_render_material_default()};
}

// Balls on wood.
static sherd_render_scene scene_of(const sherd_render_spheres *spheres)
{
    sherd_render_scene scene = sherd_render_scene_default();
    scene.width = WIDTH, scene.height = HEIGHT;
    scene.quality = SHERD_RENDER_PREVIEW;
    scene.threads = 2;
    scene.ground.texture =
        (sherd_texture){.kind = SHERD_TEXTURE_WOOD, .size = 0.5, .contrast = 1.0};
    scene.ground.coat = 0.4;
    scene.spheres = spheres, scene.sphere_batch_count = 1;
    scene.camera = (sherd_camera){.position = {0.0, -8.0, 3.0},
                                  .target = {0.3, 0.0, 0.5},
                                  .up = {0.0, 0.0, 1.0},
                                  .vertical_fov = 0.5};
    return scene;
}

static sherd_image *must_render(const sherd_render_scene *scene)
{
    sherd_error error = {0};
    sherd_image *image = sherd_render(scene, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    return image;
}

// Root mean square and mean of the differences, of 255.
static double difference(const sherd_image *a, const sherd_image *b, double *mean)
{
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < 3 * WIDTH * HEIGHT; ++k) {
        double change = (double)a->pixels[k] - (double)b->pixels[k];
        sum += change, squares += change * change;
    }
    *mean = sum / (3.0 * WIDTH * HEIGHT);
    return sqrt(squares / (3.0 * WIDTH * HEIGHT));
}

static void expect_same(const sherd_render_scene *a, const sherd_render_scene *b, const char *what)
{
    sherd_image *first = must_render(a), *second = must_render(b);
    cr_assert(memcmp(first->pixels, second->pixels, 3 * WIDTH * HEIGHT) == 0, "%s", what);
    sherd_image_destroy(first);
    sherd_image_destroy(second);
}

static void expect_near_final(sherd_render_scene scene, double most_mean, double most_rms,
                              const char *what)
{
    sherd_image *preview = must_render(&scene);
    scene.quality = SHERD_RENDER_FINAL;
    scene.samples_per_pixel = 64;
    sherd_image *final = must_render(&scene);
    double mean, rms = difference(preview, final, &mean);
    cr_assert(fabs(mean) < most_mean && rms < most_rms, "%s: mean %g, rms %g", what, mean, rms);
    sherd_image_destroy(preview);
    sherd_image_destroy(final);
}

// At this size half of the pixels hold edges, or shadows of one sample for four pixels.
Test(preview, looks_like_the_final_picture)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    expect_near_final(scene, 1.5, 11.0, "glazed");
    spheres.material.outer_coat = 0.0;
    expect_near_final(scene, 1.5, 11.0, "matt");
    spheres.material.outer_coat = 1.0, spheres.material.outer_roughness = 0.5;
    expect_near_final(scene, 1.5, 11.0, "dull coat");
    spheres.material.outer_metal = 1.0, spheres.material.outer_roughness = 0.2;
    expect_near_final(scene, 1.5, 11.0, "metal");
    scene.ground.metal = 1.0, scene.ground.roughness = 0.2;
    expect_near_final(scene, 2.0, 17.0, "metal on metal"); // an image of one sample
}

// Both balls of glass, one tinted by its depth. What they mirror of each other is left out.
Test(preview, glass_refracts)
{
    sherd_render_spheres spheres = balls();
    spheres.material.surface = SHERD_RENDER_GLASS;
    spheres.material.outer_roughness = 0.01;
    sherd_render_scene scene = scene_of(&spheres);
    expect_near_final(scene, 2.0, 12.0, "clear");
    spheres.material.absorption = sherd_render_absorption((sherd_color){0.9f, 0.2f, 0.2f}, 1.0);
    expect_near_final(scene, 2.0, 12.0, "red");
}

Test(preview, suns_and_lamps_light_it)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    sherd_sky_def def = sherd_sky_def_default();
    sherd_error error = {0};
    sherd_environment *sky = sherd_environment_sky(&def, &error);
    cr_assert(sky != NULL, "%s", error.what);
    scene.environment = sky;
    expect_near_final(scene, 2.0, 10.0, "sun");
    scene.environment = NULL;
    sherd_render_lamp lamp = {.position = {-2.0, 1.0, 3.0},
                              .target = {0.0, 0.0, 0.5},
                              .width = 1.0,
                              .height = 1.0,
                              .radiance = {9.0f, 8.0f, 7.0f}};
    scene.lamps = &lamp, scene.lamp_count = 1;
    expect_near_final(scene, 2.0, 10.0, "lamp");
    spheres.material.surface = SHERD_RENDER_GLASS;
    spheres.material.outer_roughness = 0.01;
    expect_near_final(scene, 2.5, 14.0, "lamp in glass");
    sherd_environment_destroy(sky);
}

Test(preview, same_bytes_for_every_number_of_threads)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene one = scene_of(&spheres), more = one;
    one.threads = 1;
    for (more.threads = 2; more.threads <= 4; ++more.threads) {
        spheres.material.surface = SHERD_RENDER_OPAQUE;
        expect_same(&one, &more, "opaque");
        spheres.material.surface = SHERD_RENDER_GLASS;
        expect_same(&one, &more, "glass");
    }
}

// What costs time in final pictures does not count: samples, the lens, the shutter.
Test(preview, shows_an_instant_with_all_of_it_sharp)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres), other = scene;
    other.samples_per_pixel = 4096;
    expect_same(&scene, &other, "samples");
    other = scene;
    other.camera.aperture = 0.5;
    expect_same(&scene, &other, "aperture");
    sherd_render_spheres moving = spheres;
    moving.motions = MOTIONS;
    other = scene;
    other.spheres = &moving;
    sherd_image *still = must_render(&scene), *moved = must_render(&other);
    double mean, rms = difference(still, moved, &mean);
    cr_assert(rms < 0.5, "moving: rms %g", rms); // Embree interpolates positions
    sherd_image_destroy(still);
    sherd_image_destroy(moved);
}

// Paths are counted by what need not be traced: on a plane nearly all pixels between those of the
// grid borrow their light.
Test(preview, pixels_between_those_of_the_grid_borrow_light)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    sherd_error error = {0};
    sherd_tracer tracer;
    cr_assert(sherd_tracer_open(&tracer, &scene, &error) == SHERD_OK);
    sherd_lighting lighting;
    sherd_lighting_init(&lighting, &scene, vec3f_make(0.0f, 1.0f, 0.0f));
    path_scene paths = {
        .tracer = &tracer, .lighting = &lighting, .bounces = 1, .quality = scene.quality};
    sherd_lens lens =
        sherd_lens_make(&scene.camera, (double)WIDTH / HEIGHT, tracer.origin, tracer.scale);
    static film_pixel pixels[WIDTH * HEIGHT];
    sherd_film film = {.width = WIDTH, .height = HEIGHT, .parts_clear = true, .pixels = pixels};
    float angle = 2.0f * vec3f_length(lens.up) / (float)HEIGHT;
    sherd_preview preview = {&paths, &lens, film, angle, 1};
    for (int y = 0; y < HEIGHT; y += 2)
        for (int x = 0; x < WIDTH; x += 2) {
            tracer_ray ray = sherd_preview_ray(&lens, &film, x, y, 0);
            tracer_hit hit;
            film_pixel *p = &pixels[y * WIDTH + x];
            *p = (film_pixel){.radiance = {0.5f, 0.5f, 0.5f}, .taken = 1};
            if (!sherd_tracer_nearest(&tracer, &ray, TRACER_COHERENT, &hit)) continue;
            path_result seen = sherd_path_see(&ray, &hit);
            p->albedo = seen.albedo, p->normal = seen.normal, p->position = seen.position;
            p->on_ground = seen.ground, p->mirrored = seen.mirrored;
        }
    sampler random = sherd_sampler_make(1, 1);
    int between = 0, borrowed = 0;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            if (x % 2 == 0 && y % 2 == 0) continue;
            film_pixel taken = {.taken = 0};
            sherd_sampler_start(&random, (uint32_t)x, (uint32_t)y);
            ++between;
            borrowed += sherd_preview_borrow(&preview, &random, x, y, &taken);
        }
    cr_assert(borrowed > 0.85 * between, "%d of %d", borrowed, between);
    sherd_tracer_close(&tracer);
}

// Rays beside each other that meet nothing see one surface without edges, and its light.
Test(preview, the_sky_is_one_surface)
{
    sherd_render_scene scene = scene_of(NULL);
    scene.sphere_batch_count = 0;
    scene.ground.kind = SHERD_RENDER_GROUND_NONE;
    sherd_error error = {0};
    sherd_tracer tracer;
    cr_assert(sherd_tracer_open(&tracer, &scene, &error) == SHERD_OK);
    sherd_lighting lighting;
    sherd_lighting_init(&lighting, &scene, vec3f_make(0.0f, 1.0f, 0.0f));
    path_scene paths = {
        .tracer = &tracer, .lighting = &lighting, .bounces = 1, .quality = scene.quality};
    sampler random = sherd_sampler_make(1, 1);
    sherd_sampler_start(&random, 0, 0);
    path_result seen[2];
    for (int k = 0; k < 2; ++k) {
        tracer_ray ray = {.direction = {0.0f, 0.8f, 0.6f - 1.2f * (float)k}};
        seen[k] = sherd_path_look(&paths, &ray, &random);
        path_result traced = sherd_path_trace(&paths, &ray, &random);
        cr_assert(seen[k].sky && !seen[k].clear && !seen[k].scatters);
        vec3f noise = vec3f_sub(traced.radiance, seen[k].crisp);
        cr_assert(vec3f_largest(noise) < 1e-6f && vec3f_largest(seen[k].crisp) > 0.0f);
    }
    vec3f turn = vec3f_sub(seen[0].normal, seen[1].normal),
          away = vec3f_sub(seen[0].position, seen[1].position);
    cr_assert(vec3f_length(turn) == 0.0f && vec3f_length(away) == 0.0f);
    sherd_tracer_close(&tracer);
}

// A pixel at the silhouette is a mixture of both sides: no step there is as large as that from ball
// to ground.
Test(preview, edges_are_smooth)
{
    sherd_render_spheres spheres = balls();
    spheres.material.outer_color = (sherd_color){0.9f, 0.9f, 0.9f};
    sherd_render_scene scene = scene_of(&spheres);
    scene.ground.texture = (sherd_texture){.kind = SHERD_TEXTURE_PLAIN};
    scene.ground.color = (sherd_color){0.02f, 0.02f, 0.02f};
    sherd_image *image = must_render(&scene);
    int mixed = 0;
    for (int y = 1; y < HEIGHT - 1; ++y)
        for (int x = 1; x < WIDTH - 1; ++x) {
            const uint8_t *p = image->pixels + 3 * (y * WIDTH + x);
            int low = p[-3] < p[3] ? p[-3] : p[3], high = p[-3] < p[3] ? p[3] : p[-3];
            mixed += high - low > 80 && p[0] > low + 15 && p[0] < high - 15;
        }
    cr_assert(mixed > 20, "%d mixed pixels", mixed);
    sherd_image_destroy(image);
}

// A line of less than two pixels has one in the grid, whose neighbours all show other surfaces: it is
// no speck. In final pictures, whose lines have neighbours in themselves, it is.
Test(preview, thin_things_are_no_specks)
{
    enum { SIDE = 9, MIDDLE = SIDE * (SIDE / 2) + SIDE / 2 };
    const sherd_parallel serial = {1};
    film_pixel pixels[SIDE * SIDE];
    for (int preview = 0; preview < 2; ++preview) {
        for (int k = 0; k < SIDE * SIDE; ++k)
            pixels[k] = (film_pixel){.radiance = {0.1f, 0.1f, 0.1f},
                                     .variance = 1.0f,
                                     .albedo = {0.3f, 0.3f, 0.3f},
                                     .normal = {0.0f, 0.0f, 1.0f},
                                     .taken = 1};
        pixels[MIDDLE].normal = (vec3f){1.0f, 0.0f, 0.0f};
        pixels[MIDDLE].radiance = (vec3f){0.5f, 0.5f, 0.5f};
        sherd_film film = {SIDE, SIDE, preview == 1, pixels};
        cr_assert(sherd_denoise(&film, 0.01f, 1, &serial));
        float wanted = preview == 1 ? 0.5f : 0.1f;
        cr_assert(epsilon_eq(flt, pixels[MIDDLE].radiance.x, wanted, 1e-3f));
    }
}

// A unit square, open: each face is a pane.
static const double SQUARE[] = {-1, -1, 0.2, 1, -1, 0.2, 1, -1, 1.6, -1, -1, 1.6};
static const int32_t SQUARE_TRIANGLES[] = {0, 1, 2, 0, 2, 3};

Test(preview, panes_let_light_through)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    sherd_render_mesh pane = {.name = "pane",
                              .vertex_count = 4,
                              .triangle_count = 2,
                              .vertices = SQUARE,
                              .triangles = SQUARE_TRIANGLES,
                              .material = sherd_render_material_default()};
    pane.material.surface = SHERD_RENDER_GLASS;
    pane.material.outer_color = (sherd_color){0.6f, 0.9f, 0.7f};
    scene.meshes = &pane, scene.mesh_count = 1;
    expect_near_final(scene, 2.0, 12.0, "pane");
}

Test(preview, works_at_any_size_without_anything)
{
    const int sizes[][2] = {{1, 1}, {2, 1}, {7, 5}, {17, 16}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        sherd_render_scene scene = scene_of(NULL);
        scene.sphere_batch_count = 0;
        scene.width = sizes[k][0], scene.height = sizes[k][1];
        sherd_image_destroy(must_render(&scene));
        scene.ground.kind = SHERD_RENDER_GROUND_NONE;
        scene.denoise = SHERD_RENDER_DENOISE_OFF;
        sherd_image_destroy(must_render(&scene));
    }
}

Test(preview, has_layers)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    sherd_error error = {0};
    sherd_layers *layers;
    sherd_image *image = sherd_render_layers(&scene, &layers, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            sherd_layer_pixel p = sherd_layers_pixel(layers, x, y);
            cr_assert(p.r >= 0.0f && p.depth > 0.0f, "%d, %d: %g, %g", x, y, (double)p.r,
                      (double)p.depth);
        }
    sherd_layers_destroy(layers);
    sherd_image_destroy(image);
}

Test(preview, unknown_qualities_are_refused)
{
    sherd_render_spheres spheres = balls();
    sherd_render_scene scene = scene_of(&spheres);
    scene.quality = (sherd_render_quality)7;
    sherd_error error = {0};
    cr_assert(sherd_render(&scene, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(strstr(error.what, "quality") != NULL, "%s", error.what);
}
