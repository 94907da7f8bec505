// render: lamps, environments and skies against what light does.
#include "base/memory.h"
#include "math/vec3.h"
#include "render/lamps.h"
#include "render/sky/environment.h"
#include "render/sky/hdr_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "render_probe.h"

static const double FLOOR[] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
static const int32_t FLOOR_TRIANGLES[] = {0, 1, 2, 0, 2, 3};

// Matte, of a reflectance of a half.
static sherd_render_mesh floor_mesh(void)
{
    sherd_render_mesh mesh = {.vertex_count = 4,
                              .triangle_count = 2,
                              .vertices = FLOOR,
                              .triangles = FLOOR_TRIANGLES,
                              .material = sherd_render_material_default()};
    mesh.material.outer_color = (sherd_color){0.5f, 0.5f, 0.5f};
    mesh.material.outer_coat = 0.0;
    return mesh;
}

// Share of the light of a patch's hemisphere that comes from an even rectangle of a by b above it, c away.
static double form_factor(double a, double b, double c)
{
    double x = 0.5 * a / c, y = 0.5 * b / c, p = sqrt(1.0 + x * x), q = sqrt(1.0 + y * y);
    return 2.0 / 3.14159265358979 * (x / p * atan(y / p) + y / q * atan(x / q));
}

Test(lights, lamp_lights_a_floor_as_its_form_factor_says)
{
    sherd_environment *black = even_environment(0.0f);
    sherd_render_mesh mesh = floor_mesh();
    const double sizes[][3] = {{1.0, 0.6, 1.5}, {4.0, 3.0, 0.5}, {0.02, 0.02, 1.0}};
    for (int k = 0; k < 3; ++k) {
        double c = sizes[k][2];
        sherd_render_lamp lamp = {
            {0.0, 0.0, c}, {0.0, 0.0, 0.0}, sizes[k][0], sizes[k][1], {2.0f, 1.0f, 0.5f}};
        sherd_render_scene scene = probe_scene(black);
        scene.meshes = &mesh, scene.mesh_count = 1;
        scene.lamps = &lamp, scene.lamp_count = 1;
        render_probe probe;
        probe_open(&probe, &scene);
        vec3f down = vec3f_unit_or(vec3f_make(0.0f, 0.6f, -0.3f), vec3f_make(0, 0, -1));
        vec3f light = probe_radiance(&probe, vec3(0.0, -0.4, 0.2), down, 4096);
        double expected = 0.5 * form_factor(sizes[k][0], sizes[k][1], c);
        // Light that the floor sends back to a black lamp is lost. Noise of 4096 paths, the shadow ray's start.
        cr_assert(epsilon_eq(dbl, (double)light.y, expected, 0.01 * expected), "%g, not %g",
                  (double)light.y, expected);
        cr_assert(epsilon_eq(dbl, (double)light.x, 2.0 * (double)light.y, 1e-5));
        // It is seen from its front, and black from behind.
        vec3f up = probe_radiance(&probe, vec3(0.0, 0.0, 0.5 * c), vec3f_make(0, 0, 1), 4);
        vec3f back = probe_radiance(&probe, vec3(0.0, 0.0, 2.0 * c), vec3f_make(0, 0, -1), 4);
        cr_assert(up.x == 2.0f && back.x == 0.0f);
        sherd_tracer_close(&probe.tracer);
    }
    sherd_environment_destroy(black);
}

// A dim sky with one bright spot, at the zenith when `row` is 0.
static sherd_environment *spot(int row, int column)
{
    enum { WIDE = 64, HIGH = 32 };
    float *pixels = sherd_alloc(3 * WIDE * HIGH, sizeof *pixels);
    for (int k = 0; k < 3 * WIDE * HIGH; ++k)
        pixels[k] = 0.2f;
    for (int c = 0; c < 3; ++c)
        pixels[3 * (row * WIDE + column) + c] = 500.0f;
    return sherd_environment_take(WIDE, HIGH, pixels);
}

// Light of all directions, or on a level floor, by the midpoint rule.
static double integral(const sherd_environment *e, int rows, bool on_floor)
{
    double sum = 0.0, step = 3.14159265358979 / 1024.0;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < 2048; ++x) {
            double polar = step * (y + 0.5), azimuth = step * (x + 0.5);
            vec3f d = {(float)(sin(polar) * cos(azimuth)), (float)(sin(polar) * sin(azimuth)),
                       (float)cos(polar)};
            double share = on_floor ? cos(polar) : 1.0;
            sum += share * sin(polar) * (double)sherd_environment_radiance(e, d).x;
        }
    return sum * step * step;
}

Test(lights, directions_to_an_environment_are_as_dense_as_told)
{
    sherd_environment *e = spot(9, 20);
    enum { COUNT = 16384 };
    sampler random = sherd_sampler_make(COUNT, 1);
    sherd_sampler_start(&random, 1, 1);
    // What is chosen, over its density, sums to all light; densities sum to 1.
    double chosen = 0.0, density = 0.0;
    for (random.sample = 0; random.sample < COUNT; ++random.sample) {
        sample2 s = sherd_sampler_draw(&random, SAMPLER_SKY);
        vec3f d = sherd_environment_direction(e, s);
        chosen += (double)(sherd_environment_radiance(e, d).x / sherd_environment_density(e, d));
        float z = 1.0f - 2.0f * s.u, side = sqrtf(1.0f - z * z);
        vec3f f = {side * cosf(6.2831853f * s.v), side * sinf(6.2831853f * s.v), z};
        density += (double)sherd_environment_density(e, f) * 4.0 * 3.14159265;
    }
    cr_assert(epsilon_eq(dbl, density / COUNT, 1.0, 0.02), "%g", density / COUNT);
    double expected = integral(e, 1024, false);
    cr_assert(epsilon_eq(dbl, chosen / COUNT, expected, 0.01 * expected), "%g, not %g",
              chosen / COUNT, expected);
    sherd_environment_destroy(e);
}

// A matte floor has the light that falls on it, whether bright places are aimed at or met by chance.
Test(lights, environment_lights_a_floor)
{
    sherd_environment *e = spot(8, 3);
    sherd_render_mesh mesh = floor_mesh();
    sherd_render_scene scene = probe_scene(e);
    scene.meshes = &mesh, scene.mesh_count = 1;
    render_probe probe;
    probe_open(&probe, &scene);
    vec3f light = probe_radiance(&probe, vec3(0, 0, 1), vec3f_make(0, 0, -1), 4096);
    double expected = 0.5 * integral(e, 512, true) / 3.14159265;
    cr_assert(epsilon_eq(dbl, (double)light.x, expected, 0.02 * expected), "%g, not %g",
              (double)light.x, expected);
    sherd_tracer_close(&probe.tracer);
    sherd_environment_destroy(e);
}

// The middle of a picture lies towards x, its right half to the right of one who looks there: at -y.
Test(lights, environment_is_the_right_way_round)
{
    sherd_environment *e = spot(15, 48);
    float right = sherd_environment_radiance(e, vec3f_make(0, -1, 0)).x;
    float left = sherd_environment_radiance(e, vec3f_make(0, 1, 0)).x;
    cr_assert(right > 50.0f && left < 1.0f, "%g and %g", (double)right, (double)left);
    e->turn = 0.25f; // a quarter counterclockwise: from -y to x
    cr_assert(sherd_environment_radiance(e, vec3f_make(1, 0, 0)).x > 50.0f);
    for (int k = 0; k < 20; ++k) {
        sample2 s = {(0.05f * (float)k), 0.5f};
        vec3f d = sherd_environment_direction(e, s);
        if (sherd_environment_radiance(e, d).x > 50.0f) cr_assert(d.x > 0.9f);
    }
    sherd_environment_destroy(e);
}

Test(lights, sky_is_blue_above_and_red_at_sunset)
{
    sherd_sky_def def = sherd_sky_def_default();
    sherd_error error = {0};
    sherd_environment *noon = sherd_environment_sky(&def, &error);
    vec3f zenith = sherd_environment_radiance(noon, vec3f_make(0, 0, 1));
    cr_assert(zenith.z > 1.8f * zenith.x, "%g %g", (double)zenith.x, (double)zenith.z);
    vec3f horizon =
        sherd_environment_radiance(noon, vec3f_unit_or(vec3f_make(1, -1, 0.1f), zenith));
    cr_assert(horizon.z / horizon.x < 0.8f * zenith.z / zenith.x);
    // A clear sky gives a tenth to a third of what the sun does on level ground.
    cr_assert(noon->sun_irradiance.y > 2.0f && noon->sun_irradiance.y < 4.2f);
    def.sun_elevation = 0.03;
    sherd_environment *dusk = sherd_environment_sky(&def, &error);
    cr_assert(dusk->sun_irradiance.x > 3.0f * dusk->sun_irradiance.z);
    cr_assert(dusk->sun_irradiance.y < 0.5f * noon->sun_irradiance.y);
    def.sun_elevation = -0.2;
    sherd_environment *night = sherd_environment_sky(&def, &error);
    cr_assert(night->sun_irradiance.x == 0.0f);
    def.haze = -1.0;
    cr_assert(sherd_environment_sky(&def, &error) == NULL && error.status == SHERD_ERROR_INPUT);
    sherd_environment_destroy(noon);
    sherd_environment_destroy(dusk);
    sherd_environment_destroy(night);
}

// --- Files --------------------------------------------------------------------------------------

static void write_bytes(char path[64], const void *bytes, size_t size)
{
    strcpy(path, "/tmp/sherd-hdr-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
}

static const char HEAD[] = "#?RADIANCE\n# made for a test\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n";

// Two lines of 8 pixels: one in runs, one flat.
static size_t make_file(uint8_t bytes[256])
{
    static const uint8_t RUNS[] = {2, 2, 0, 8, 128 + 8, 128, 128 + 4, 64, 4,
                                   1, 2, 3, 4, 128 + 8, 0,   128 + 8, 129};
    size_t used = strlen(HEAD);
    memcpy(bytes, HEAD, used);
    memcpy(bytes + used, RUNS, sizeof RUNS);
    used += sizeof RUNS;
    for (int x = 0; x < 8; ++x) {
        const uint8_t pixel[4] = {(uint8_t)(10 * x), 0, 255, 136};
        memcpy(bytes + used, pixel, 4);
        used += 4;
    }
    return used;
}

Test(lights, radiance_pictures_are_read)
{
    uint8_t bytes[256];
    char path[64];
    write_bytes(path, bytes, make_file(bytes));
    int width, height;
    sherd_error error = {0};
    float *p = sherd_hdr_file_read(path, &width, &height, &error);
    cr_assert(p != NULL, "%s", error.what);
    cr_assert(width == 8 && height == 2);
    // (mantissa + 1/2) 2^(exponent - 136)
    cr_assert(epsilon_eq(dbl, (double)p[0], 128.5 / 128.0, 1e-6));
    cr_assert(epsilon_eq(dbl, (double)p[3 * 5 + 1], 2.5 / 128.0, 1e-6));
    cr_assert(epsilon_eq(dbl, (double)p[3 * (8 + 3)], 30.5, 1e-6));
    cr_assert(epsilon_eq(dbl, (double)p[3 * (8 + 3) + 2], 255.5, 1e-6));
    sherd_free(p);
    unlink(path);
}

Test(lights, damaged_pictures_are_errors)
{
    uint8_t bytes[256];
    char path[64];
    size_t size = make_file(bytes);
    sherd_error error = {0};
    for (size_t cut = 0; cut < size; ++cut) {
        write_bytes(path, bytes, cut);
        cr_assert(sherd_environment_read(path, 0.0, 1.0, &error) == NULL, "%zu bytes", cut);
        cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
        cr_assert(strstr(error.where, path) != NULL);
        unlink(path);
    }
    cr_assert(sherd_environment_read("/no/such/sky.hdr", 0.0, 1.0, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_IO));
    cr_assert(sherd_environment_read("/tmp", 0.0, 1.0, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_IO));
}

Test(lights, absurd_lamps_are_refused)
{
    sherd_render_scene scene = probe_scene(NULL);
    sherd_render_lamp lamp = {{0, 0, 1}, {0, 0, 1}, 1.0, 1.0, {1.0f, 1.0f, 1.0f}};
    scene.lamps = &lamp, scene.lamp_count = 1;
    sherd_error error = {0};
    cr_assert(sherd_render(&scene, &error) == NULL && strstr(error.where, "lamp 0") != NULL);
    lamp.target.z = 0.0, lamp.width = 0.0;
    cr_assert(sherd_render(&scene, &error) == NULL && strstr(error.what, "width") != NULL);
    lamp.width = 1.0, lamp.radiance.r = -1.0f;
    cr_assert(sherd_render(&scene, &error) == NULL && strstr(error.what, "radiance") != NULL);
    scene.lamp_count = SHERD_RENDER_MOST_LAMPS + 1;
    cr_assert(sherd_render(&scene, &error) == NULL && strstr(error.what, "lamp_count") != NULL);
}

// The studio's sky by its means and by chance: noise of the mean of 65536 directions of a (0,2)-sequence is far below
// half a percent, as is what interpolation leaves out.
Test(lights, mean_of_the_open_sky_is_what_directions_find)
{
    sherd_render_scene scene = sherd_render_scene_default();
    sherd_lighting light;
    sherd_lighting_init(&light, &scene, vec3f_unit_or(vec3f_make(-1, 2, -1), vec3f_make(0, 1, 0)));
    enum { COUNT = 65536 };
    sampler random = sherd_sampler_make(COUNT, 1);
    const vec3f normals[] = {
        {0, 0, 1}, {0, 0, -1}, {0.6f, 0, 0.8f}, {-0.48f, 0.64f, 0.6f}, light.rim};
    for (size_t n = 0; n < sizeof normals / sizeof normals[0]; ++n) {
        frame3f frame = frame3f_about(normals[n]);
        double sum = 0.0;
        sherd_sampler_start(&random, (uint32_t)n, 1);
        for (random.sample = 0; random.sample < COUNT; ++random.sample) {
            vec3f local = sherd_cosine_sample(sherd_sampler_draw(&random, SAMPLER_BOUNCE));
            sum += (double)sherd_lighting_open_sky(&light, frame3f_to_world(frame, local)).x;
        }
        double mean = (double)sherd_lighting_open_sky_mean(&light, normals[n]).x;
        cr_assert(epsilon_eq(dbl, mean, sum / COUNT, 0.005 * mean), "%zu: %g, not %g", n, mean,
                  sum / COUNT);
    }
}
