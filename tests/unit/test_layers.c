// Layers of pictures: ids and what they cover, depth, normals, and EXR files read back through OpenEXR.
#include <sherd/layers.h>

#include "math/vec3.h"
#include "render/layers/cryptomatte.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(SHERD_HAS_EXR)
#include <openexr.h>
#endif

enum { WIDTH = 40, HEIGHT = 30 };

// Two balls side by side, one behind, before the ground that is 5 m below the camera.
static const double X[] = {-0.8, 0.8, 0.0}, Y[] = {0.0, 0.0, 1.5}, Z[] = {1.0, 1.0, 1.0};
static const double RADIUS[] = {0.7, 0.7, 0.9};

static sherd_image *render(int threads, sherd_layers **layers)
{
    static const char *const NAMES[] = {"bunny", "ball \"two\"", NULL};
    sherd_render_spheres balls[3];
    for (int k = 0; k < 3; ++k)
        balls[k] = (sherd_render_spheres){.name = "third",
                                          .count = 1,
                                          .x = X + k,
                                          .y = Y + k,
                                          .z = Z + k,
                                          .radius = RADIUS + k,
                                          .object_name = NAMES[k],
                                          .material_name = k == 2 ? "default" : "clay",
                                          .material = sherd_render_material_default()};
    sherd_render_scene scene = sherd_render_scene_default();
    scene.width = WIDTH, scene.height = HEIGHT, scene.samples_per_pixel = 8;
    scene.threads = threads;
    scene.spheres = balls, scene.sphere_batch_count = 3;
    scene.camera = (sherd_camera){.position = {0.0, -6.0, 1.0},
                                  .target = {0.0, 0.0, 1.0},
                                  .up = {0.0, 0.0, 1.0},
                                  .vertical_fov = 0.6};
    sherd_error error = {0};
    sherd_image *image = sherd_render_layers(&scene, layers, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    return image;
}

Test(layers, hashes_are_those_of_the_specification)
{
    // MurmurHash3_x86_32 with seed 0, and the manifest of Cryptomatte's specification.
    cr_assert(eq(u32, sherd_cryptomatte_hash("hello"), 0x248bfa47));
    cr_assert(eq(u32, sherd_cryptomatte_hash("hello, world"), 0x149bbb7f));
    cr_assert(
        eq(u32, sherd_cryptomatte_hash("The quick brown fox jumps over the lazy dog"), 0x2e4ff723));
    cr_assert(eq(u32, sherd_cryptomatte_hash("bunny"), 0x13851a76));
    cr_assert(eq(u32, sherd_cryptomatte_hash("default"), 0x42c9679f));
    cr_assert(eq(u32, sherd_cryptomatte_hash("CryptoObject") >> 4, 0x3ae39a5));
    cr_assert(eq(u32, sherd_cryptomatte_hash(""), 1u << 23), "0 is no normal number");
    for (int k = 0; k < 20000; ++k) {
        char name[32];
        snprintf(name, sizeof name, "plate.%d", k);
        uint32_t hash = sherd_cryptomatte_hash(name);
        float value;
        memcpy(&value, &hash, sizeof value);
        cr_assert(isnormal(value), "%s: %08x", name, hash);
    }
}

static double sum_of(const sherd_layer_ids *ids)
{
    double sum = 0.0;
    for (int k = 0; k < SHERD_LAYER_RANKS; ++k) {
        sum += (double)ids->coverage[k];
        cr_assert(k == 0 || ids->coverage[k] <= ids->coverage[k - 1], "not ranked");
        cr_assert(ids->coverage[k] > 0.0f || ids->id[k] == 0);
    }
    return sum;
}

Test(layers, coverage_sums_to_alpha)
{
    sherd_layers *layers;
    sherd_image *image = render(2, &layers);
    int mixed = 0;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            sherd_layer_pixel p = sherd_layers_pixel(layers, x, y);
            cr_assert(fabs(sum_of(&p.object) - (double)p.alpha) < 1e-6);
            cr_assert(fabs(sum_of(&p.material) - (double)p.alpha) < 1e-6);
            mixed += p.object.coverage[1] > 0.0f;
            bool seen = p.alpha > 0.0f;
            cr_assert(seen == (bool)isfinite(p.depth));
        }
    cr_assert(mixed > 20, "pixels at edges show two things: %d", mixed);
    sherd_layer_pixel left = sherd_layers_pixel(layers, 13, HEIGHT / 2);
    cr_assert(eq(u32, left.object.id[0], sherd_cryptomatte_hash("bunny")));
    cr_assert(eq(u32, left.material.id[0], sherd_cryptomatte_hash("clay")));
    cr_assert(fabsf(left.alpha - 1.0f) < 1e-6f && left.depth > 5.2f && left.depth < 5.5f, "%g",
              (double)left.depth);
    cr_assert(left.normal[1] < -0.9f, "it faces the camera");
    sherd_layer_pixel sky = sherd_layers_pixel(layers, 0, 0);
    cr_assert(eq(flt, sky.alpha, 0.0f));
    cr_assert(isinf(sky.depth) && sky.g > 0.0f);
    sherd_layer_pixel low = sherd_layers_pixel(layers, 2, HEIGHT - 1);
    cr_assert(eq(u32, low.object.id[0], sherd_cryptomatte_hash("ground")));
    sherd_layer_pixel middle = sherd_layers_pixel(layers, WIDTH / 2, HEIGHT / 2 - 4);
    cr_assert(eq(u32, middle.object.id[0], sherd_cryptomatte_hash("third")), "its name serves");
    cr_assert(eq(flt, sherd_layers_pixel(layers, -1, 0).alpha, 0.0f));
    sherd_image_destroy(image);
    sherd_layers_destroy(layers);
}

Test(layers, are_the_same_for_every_number_of_threads)
{
    sherd_layers *one, *more;
    sherd_image *image = render(1, &one);
    for (int threads = 2; threads <= 3; ++threads) {
        sherd_image *again = render(threads, &more);
        cr_assert(memcmp(image->pixels, again->pixels, WIDTH * HEIGHT * 3) == 0);
        for (int k = 0; k < WIDTH * HEIGHT; ++k) {
            sherd_layer_pixel a = sherd_layers_pixel(one, k % WIDTH, k / WIDTH);
            sherd_layer_pixel b = sherd_layers_pixel(more, k % WIDTH, k / WIDTH);
            cr_assert(memcmp(&a, &b, sizeof a) == 0, "pixel %d", k);
        }
        sherd_image_destroy(again);
        sherd_layers_destroy(more);
    }
    sherd_image_destroy(image);
    sherd_layers_destroy(one);
}

#if defined(SHERD_HAS_EXR)

// One channel of a whole file, as floats.
static void read_channel(exr_context_t file, const char *name, float *values)
{
    exr_decode_pipeline_t decode = EXR_DECODE_PIPELINE_INITIALIZER;
    int32_t together;
    cr_assert(eq(int, exr_get_scanlines_per_chunk(file, 0, &together), 0));
    for (int32_t row = 0; row < HEIGHT; row += together) {
        exr_chunk_info_t chunk;
        cr_assert(eq(int, exr_read_scanline_chunk_info(file, 0, row, &chunk), 0));
        cr_assert(eq(int,
                     row == 0 ? exr_decoding_initialize(file, 0, &chunk, &decode)
                              : exr_decoding_update(file, 0, &chunk, &decode),
                     0));
        int found = 0;
        for (int c = 0; c < decode.channel_count; ++c) {
            exr_coding_channel_info_t *channel = &decode.channels[c];
            bool wanted = strcmp(channel->channel_name, name) == 0;
            found += wanted;
            channel->decode_to_ptr = wanted ? (uint8_t *)(values + row * WIDTH) : NULL;
            channel->user_data_type = EXR_PIXEL_FLOAT;
            channel->user_bytes_per_element = sizeof(float);
            channel->user_pixel_stride = sizeof(float);
            channel->user_line_stride = WIDTH * (int)sizeof(float);
        }
        cr_assert(eq(int, found, 1), "%s", name);
        if (row == 0) cr_assert(eq(int, exr_decoding_choose_default_routines(file, 0, &decode), 0));
        cr_assert(eq(int, exr_decoding_run(file, 0, &decode), 0));
    }
    exr_decoding_destroy(file, &decode);
}

static void check_file(const char *path, const sherd_layers *layers, double precision)
{
    static float red[WIDTH * HEIGHT], depth[WIDTH * HEIGHT], cover[WIDTH * HEIGHT];
    static uint32_t id[WIDTH * HEIGHT];
    float ids[WIDTH * HEIGHT];
    exr_context_t file = NULL;
    exr_context_initializer_t way = EXR_DEFAULT_CONTEXT_INITIALIZER;
    cr_assert(eq(int, exr_start_read(&file, path, &way), 0));
    read_channel(file, "R", red);
    read_channel(file, "Z", depth);
    read_channel(file, "CryptoObject00.r", ids);
    read_channel(file, "CryptoMaterial00.a", cover);
    memcpy(id, ids, sizeof id);
    for (int k = 0; k < WIDTH * HEIGHT; ++k) {
        sherd_layer_pixel p = sherd_layers_pixel(layers, k % WIDTH, k / WIDTH);
        cr_assert(fabs((double)(red[k] - p.r)) <= precision * (double)p.r, "%g, %g", (double)red[k],
                  (double)p.r);
        cr_assert(depth[k] == p.depth && id[k] == p.object.id[0]);
        cr_assert(eq(flt, cover[k], p.material.coverage[1]));
    }
    const char *text;
    int32_t length;
    cr_assert(
        eq(int, exr_attr_get_string(file, 0, "cryptomatte/3ae39a5/manifest", &length, &text), 0));
    cr_assert(strstr(text, "\"bunny\":\"13851a76\"") != NULL, "%s", text);
    cr_assert(strstr(text, "\"ball \\\"two\\\"\":\"") != NULL, "%s", text);
    cr_assert(eq(int, exr_attr_get_string(file, 0, "cryptomatte/3ae39a5/name", &length, &text), 0));
    cr_assert(strcmp(text, "CryptoObject") == 0);
    exr_finish(&file);
}

Test(layers, files_hold_what_was_rendered)
{
    cr_assert(sherd_exr_available());
    sherd_layers *layers;
    sherd_image *image = render(2, &layers);
    char path[64];
    sherd_error error = {0};
    snprintf(path, sizeof path, "/tmp/sherd-layers-%d.exr", (int)getpid());
    cr_assert(eq(int, sherd_layers_write_exr(layers, SHERD_EXR_HALF, path, &error), 0), "%s",
              error.what);
    check_file(path, layers, 1.0 / 2048.0);
    cr_assert(eq(int, sherd_layers_write_exr(layers, SHERD_EXR_FLOAT, path, &error), 0));
    check_file(path, layers, 0.0);
    unlink(path);
    cr_assert(
        eq(int, sherd_layers_write_exr(layers, SHERD_EXR_NONE, path, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(int, sherd_layers_write_exr(layers, SHERD_EXR_HALF, "/no/folder.exr", &error),
                 SHERD_ERROR_IO));
    sherd_image_destroy(image);
    sherd_layers_destroy(layers);
}

#else

Test(layers, a_build_without_openexr_says_what_is_missing)
{
    cr_assert(not(sherd_exr_available()));
    sherd_layers *layers;
    sherd_image *image = render(2, &layers);
    sherd_error error = {0};
    cr_assert(eq(int, sherd_layers_write_exr(layers, SHERD_EXR_HALF, "x.exr", &error),
                 SHERD_ERROR_UNSUPPORTED));
    cr_assert(strstr(error.hint, "libopenexr-dev") != NULL);
    sherd_image_destroy(image);
    sherd_layers_destroy(layers);
}

#endif
