// render: the path tracer's pictures, colour maps, cameras, PNG and video.
#include <sherd/render.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "render/corner_normals.h"
#include "render/sampler.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fenv.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 96, HEIGHT = 64 };

// A unit ball hovering above the ground, lit straight from above: its shadow lies below it.
static const double BALL_X[] = {0.0}, BALL_Y[] = {0.0}, BALL_Z[] = {1.6}, BALL_RADIUS[] = {0.5};

static sherd_render_spheres ball(void)
{
    return (sherd_render_spheres){.name = "ball",
                                  .count = 1,
                                  .x = BALL_X,
                                  .y = BALL_Y,
                                  .z = BALL_Z,
                                  .radius = BALL_RADIUS,
                                  .material = sherd_render_material_default()};
}

static sherd_render_scene small_scene(void)
{
    sherd_render_scene scene = sherd_render_scene_default();
    scene.width = WIDTH, scene.height = HEIGHT;
    scene.samples_per_pixel = 4;
    scene.threads = 2;
    scene.light.key_elevation = 1.5;
    scene.camera = (sherd_camera){.position = {0.0, -8.0, 3.0},
                                  .target = {0.0, 0.0, 0.8},
                                  .up = {0.0, 0.0, 1.0},
                                  .vertical_fov = 0.6};
    return scene;
}

static sherd_image *must_render(const sherd_render_scene *scene)
{
    sherd_error error = {0};
    sherd_image *image = sherd_render(scene, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    return image;
}

static double brightness(const sherd_image *image, int x, int y)
{
    const uint8_t *p = image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    return (p[0] + p[1] + p[2]) / 3.0;
}

// Pixel at which a point of the world appears.
static void project(const sherd_render_scene *scene, sherd_vec3 point, int *x, int *y)
{
    const sherd_camera *c = &scene->camera;
    sherd_vec3 forward = vec3_normalize(vec3_sub(c->target, c->position));
    sherd_vec3 right = vec3_normalize(vec3_cross(forward, c->up));
    sherd_vec3 up = vec3_cross(right, forward);
    sherd_vec3 d = vec3_sub(point, c->position);
    double per_pixel = 2.0 * tan(0.5 * c->vertical_fov) / scene->height;
    double depth = vec3_dot(d, forward);
    *x = (int)(0.5 * scene->width + vec3_dot(d, right) / depth / per_pixel);
    *y = (int)(0.5 * scene->height - vec3_dot(d, up) / depth / per_pixel);
}

static double brightness_at(const sherd_render_scene *scene, const sherd_image *image,
                            sherd_vec3 point)
{
    int x, y;
    project(scene, point, &x, &y);
    cr_assert(x >= 0 && x < image->width && y >= 0 && y < image->height);
    return brightness(image, x, y);
}

static void expect_refused(const sherd_render_scene *scene, const char *where, const char *what)
{
    sherd_error error = {0};
    cr_assert(sherd_render(scene, &error) == NULL, "accepted: %s", what);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(strstr(error.where, where) != NULL, "where is '%s'", error.where);
    cr_assert(strstr(error.what, what) != NULL, "what is '%s'", error.what);
}

Test(render, shadow_is_darker_than_open_ground)
{
    sherd_render_scene scene = small_scene();
    sherd_render_spheres spheres = ball();
    scene.ground.coat = 0.0;
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    sherd_image *image = must_render(&scene);
    // sRGB values: 0.7 there is less than half of the light.
    double shadow = brightness_at(&scene, image, vec3(0.0, 0.0, 0.0));
    double open = brightness_at(&scene, image, vec3(1.4, 0.0, 0.0));
    double top = brightness_at(&scene, image, vec3(0.0, -0.25, 2.03));
    cr_assert(shadow < 0.7 * open, "shadow %g, open ground %g", shadow, open);
    cr_assert(shadow > 10.0, "sky light must reach the shadow, got %g", shadow);
    cr_assert(top > open, "a white ball %g on slate %g", top, open);
    sherd_image_destroy(image);
}

// Every other pixel of open ground takes light from its neighbours: on a texture, and about a shadow, it must be as
// bright as with samples of its own. Sums are over pixels of the grid and over those between.
Test(render, light_between_pixels_is_that_of_the_ground)
{
    sherd_render_scene scene = small_scene();
    sherd_render_spheres spheres = ball();
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    scene.ground.texture =
        (sherd_texture){.kind = SHERD_TEXTURE_WOOD, .size = 0.5, .contrast = 1.0};
    scene.ground.coat = 0.0;
    scene.samples_per_pixel = 16;
    sherd_image *image = must_render(&scene);
    scene.samples_per_pixel = 64, scene.denoise = SHERD_RENDER_DENOISE_OFF;
    sherd_image *sampled = must_render(&scene);
    double sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            int between = x % 2 != 0 || y % 2 != 0;
            double change = brightness(image, x, y) - brightness(sampled, x, y);
            sum[between] += change, squares[between] += change * change, count[between] += 1.0;
        }
    for (int k = 0; k < 2; ++k) {
        double mean = sum[k] / count[k], rms = sqrt(squares[k] / count[k]);
        // Of 255: a hundredth of the light would be 0.5; the texture's grain is sampled 16 and 64 times, which
        // leaves 2.3.
        cr_assert(fabs(mean) < 0.3 && rms < 3.0, "%d: mean %g, rms %g", k, mean, rms);
    }
    sherd_image_destroy(image);
    sherd_image_destroy(sampled);
}

Test(render, empty_ground_is_smooth_and_symmetric)
{
    sherd_render_scene scene = small_scene();
    scene.ground.coat = 0.0; // its sheen mirrors the rim panel, which stands to one side
    sherd_image *image = must_render(&scene);
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            double here = brightness(image, x, y);
            cr_assert(here > 20.0 && here < 235.0, "pixel %d, %d is %g", x, y, here);
            // The studio is symmetric for a light overhead, up to noise of 4 samples and dither.
            cr_assert(epsilon_eq(dbl, here, brightness(image, WIDTH - 1 - x, y), 8.0));
        }
    sherd_image_destroy(image);
}

Test(render, same_bytes_for_every_number_of_threads)
{
    enum { BALLS = 2000 };
    static double x[BALLS], y[BALLS], z[BALLS], radius[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        x[i] = sin(12.9898 * i), y[i] = cos(4.1414 * i * i), z[i] = 0.3 + 0.3 * sin(0.7 * i);
        radius[i] = 0.03 + 0.02 * cos(i);
    }
    sherd_render_spheres spheres = ball();
    spheres.count = BALLS, spheres.x = x, spheres.y = y, spheres.z = z, spheres.radius = radius;
    sherd_render_scene scene = small_scene();
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    scene.threads = 1;
    sherd_image *first = must_render(&scene);
    for (int threads = 2; threads <= 4; ++threads) {
        scene.threads = threads;
        sherd_image *image = must_render(&scene);
        cr_assert(memcmp(first->pixels, image->pixels, 3 * WIDTH * HEIGHT) == 0);
        sherd_image_destroy(image);
    }
    scene.seed = 2;
    sherd_image *other = must_render(&scene);
    cr_assert(memcmp(first->pixels, other->pixels, 3 * WIDTH * HEIGHT) != 0);
    sherd_image_destroy(other);
    sherd_image_destroy(first);
}

// A unit square as two triangles, standing upright and facing the camera.
static const double SQUARE[] = {-1, 0, 0.2, 1, 0, 0.2, 1, 0, 2.2, -1, 0, 2.2};
static const int32_t SQUARE_TRIANGLES[] = {0, 1, 2, 0, 2, 3};

static sherd_render_mesh square(void)
{
    return (sherd_render_mesh){.name = "square",
                               .vertex_count = 4,
                               .triangle_count = 2,
                               .vertices = SQUARE,
                               .triangles = SQUARE_TRIANGLES,
                               .material = sherd_render_material_default()};
}

Test(render, inner_faces_have_their_own_colour)
{
    static const uint8_t kinds[] = {0, 1};
    sherd_render_mesh mesh = square();
    mesh.face_kind = kinds;
    mesh.material.outer_color = (sherd_color){0.02f, 0.02f, 0.6f};
    mesh.material.inner_color = (sherd_color){0.6f, 0.02f, 0.02f};
    mesh.material.outer_coat = mesh.material.inner_coat = 0.0;
    sherd_render_scene scene = small_scene();
    scene.light.key_elevation = 0.5;
    scene.meshes = &mesh, scene.mesh_count = 1;
    sherd_image *image = must_render(&scene);
    int x, y;
    project(&scene, vec3(0.6, 0.0, 0.8), &x, &y);
    const uint8_t *outer = image->pixels + 3 * (y * WIDTH + x);
    project(&scene, vec3(-0.6, 0.0, 1.6), &x, &y);
    const uint8_t *inner = image->pixels + 3 * (y * WIDTH + x);
    cr_assert(outer[2] > 2 * outer[0], "outer %d %d %d", outer[0], outer[1], outer[2]);
    cr_assert(inner[0] > 2 * inner[2], "inner %d %d %d", inner[0], inner[1], inner[2]);
    sherd_image_destroy(image);
}

// Colours of vertices of outer faces alone, between red and green; what lies inside keeps its own.
Test(render, outer_faces_are_painted)
{
    static const uint8_t kinds[] = {0, 1};
    static const float paint[] = {0.6f,  0.02f, 0.02f, 0.02f, 0.6f,  0.02f,
                                  0.02f, 0.6f,  0.02f, 0.6f,  0.02f, 0.02f};
    sherd_render_mesh mesh = square();
    mesh.face_kind = kinds;
    mesh.outer_colors = paint;
    mesh.material.outer_color = mesh.material.inner_color = (sherd_color){0.02f, 0.02f, 0.6f};
    mesh.material.outer_coat = mesh.material.inner_coat = 0.0;
    sherd_render_scene scene = small_scene();
    scene.light.key_elevation = 0.5;
    scene.meshes = &mesh, scene.mesh_count = 1;
    sherd_image *image = must_render(&scene);
    const sherd_vec3 places[] = {{0.8, 0.0, 0.8}, {-0.6, 0.0, 0.4}, {-0.6, 0.0, 1.6}};
    for (int k = 0; k < 3; ++k) { // green, red, and blue inside
        int x, y, most = (int[]){1, 0, 2}[k];
        project(&scene, places[k], &x, &y);
        const uint8_t *p = image->pixels + 3 * (y * WIDTH + x);
        for (int c = 0; c < 3; ++c)
            cr_assert(c == most || p[most] > p[c] + p[c] / 2, "place %d: %d %d %d", k, p[0], p[1],
                      p[2]);
    }
    sherd_image_destroy(image);
    float wrong[12] = {NAN};
    mesh.outer_colors = wrong;
    expect_refused(&scene, "mesh 0 'square'", "vertex 0");
}

// Red where the ball is cut, blue outside.
static bool is_red(const sherd_render_scene *scene, const sherd_image *image, sherd_vec3 point)
{
    int x, y;
    project(scene, point, &x, &y);
    const uint8_t *p = image->pixels + 3 * (y * WIDTH + x);
    return p[0] > 2 * p[2];
}

Test(render, clipping_shows_what_is_inside)
{
    sherd_render_spheres spheres = ball();
    spheres.material.outer_color = (sherd_color){0.02f, 0.02f, 0.6f};
    spheres.material.inner_color = (sherd_color){0.6f, 0.02f, 0.02f};
    spheres.material.outer_coat = spheres.material.inner_coat = 0.0;
    sherd_render_scene scene = small_scene();
    scene.light.key_elevation = 0.5;
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    sherd_image *whole = must_render(&scene);
    // Beyond the ball nothing is cut: the same picture.
    scene.clip = (sherd_render_clip){{0.0, 3.0, 0.0}, {0.0, 2.0, 0.0}};
    sherd_image *missed = must_render(&scene);
    cr_assert(memcmp(whole->pixels, missed->pixels, 3 * WIDTH * HEIGHT) == 0);
    // The half before the camera: the cut is a disc of the ball's radius.
    scene.clip = (sherd_render_clip){{0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    sherd_image *half = must_render(&scene);
    for (int k = -1; k <= 1; ++k) {
        sherd_vec3 place = vec3(0.4 * k, 0.0, 1.6);
        cr_assert(not(is_red(&scene, whole, place)));
        cr_assert(is_red(&scene, half, place));
    }
    // A second ball that bulges into the first from behind does not show.
    static const double X[] = {0.0}, Y[] = {0.7}, Z[] = {1.6}, RADIUS[] = {0.4};
    sherd_render_spheres other = spheres;
    other.x = X, other.y = Y, other.z = Z, other.radius = RADIUS;
    sherd_render_spheres both[] = {spheres, other};
    scene.spheres = both, scene.sphere_batch_count = 2;
    sherd_image *pressed = must_render(&scene);
    cr_assert(is_red(&scene, pressed, vec3(0.0, 0.0, 1.6)));
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    // The upper half: what was behind it is seen.
    scene.clip = (sherd_render_clip){{0.0, 0.0, 1.6}, {0.0, 0.0, 1.0}};
    sherd_image *lower = must_render(&scene);
    scene.sphere_batch_count = 0;
    sherd_image *nothing = must_render(&scene);
    sherd_vec3 top = vec3(0.0, 0.0, 1.95);
    double seen = brightness_at(&scene, nothing, top);
    // The ball below it takes a little light away.
    cr_assert(epsilon_eq(dbl, brightness_at(&scene, lower, top), seen, 0.1 * seen));
    sherd_image *all[] = {whole, missed, half, pressed, lower, nothing};
    for (int k = 0; k < 6; ++k)
        sherd_image_destroy(all[k]);
}

Test(render, glass_lets_light_through)
{
    sherd_render_mesh pane = square();
    sherd_render_scene scene = small_scene();
    scene.meshes = &pane, scene.mesh_count = 1;
    pane.material.outer_color = (sherd_color){0.05f, 0.05f, 0.05f};
    sherd_image *slate = must_render(&scene);
    pane.material.outer_color = (sherd_color){0.98f, 0.98f, 0.98f};
    pane.material.surface = SHERD_RENDER_GLASS;
    sherd_image *glass = must_render(&scene);
    scene.mesh_count = 0;
    sherd_image *nothing = must_render(&scene);
    sherd_vec3 middle = vec3(0.3, 0.0, 1.0);
    double seen = brightness_at(&scene, nothing, middle);
    // One clear face takes 4 to 6 % of the light and 2 % by its tint, and mirrors some sky.
    cr_assert(epsilon_eq(dbl, brightness_at(&scene, glass, middle), seen, 0.15 * seen));
    cr_assert(brightness_at(&scene, slate, middle) < 0.75 * seen);
    sherd_image_destroy(slate);
    sherd_image_destroy(glass);
    sherd_image_destroy(nothing);
}

Test(render, same_picture_in_any_unit)
{
    sherd_render_spheres spheres = ball();
    sherd_render_scene scene = small_scene();
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    sherd_image *metres = must_render(&scene);
    // A power of two, so that the scaled scene is exactly similar.
    const double s = 0x1p-14;
    double z = BALL_Z[0] * s, radius = BALL_RADIUS[0] * s;
    spheres.z = &z, spheres.radius = &radius;
    scene.camera.position = vec3_scale(s, scene.camera.position);
    scene.camera.target = vec3_scale(s, scene.camera.target);
    sherd_image *tiny = must_render(&scene);
    cr_assert(memcmp(metres->pixels, tiny->pixels, 3 * WIDTH * HEIGHT) == 0);
    sherd_image_destroy(metres);
    sherd_image_destroy(tiny);
}

Test(render, leaves_floating_point_modes_alone)
{
    fenv_t before, after;
    sherd_render_scene scene = small_scene();
    scene.width = scene.height = 16;
    volatile double tiny = 0x1p-1070;
    fegetenv(&before);
    sherd_image_destroy(must_render(&scene));
    fegetenv(&after);
    const unsigned flush_to_zero = 0x8040u;
    cr_assert(eq(int, (int)(after.__mxcsr & flush_to_zero), (int)(before.__mxcsr & flush_to_zero)));
    cr_assert(tiny / 2.0 > 0.0, "denormals must still work");
}

Test(render, damaged_geometry_is_refused)
{
    double vertices[12];
    memcpy(vertices, SQUARE, sizeof vertices);
    sherd_render_mesh mesh = square();
    mesh.vertices = vertices;
    sherd_render_scene scene = small_scene();
    scene.meshes = &mesh, scene.mesh_count = 1;
    vertices[7] = NAN;
    expect_refused(&scene, "mesh 0 'square'", "vertex 2 is not finite");
    vertices[7] = -INFINITY;
    expect_refused(&scene, "mesh 0 'square'", "vertex 2 is not finite");
    vertices[7] = 1e300; // absurd, but a number: drawn at the edge of the world
    sherd_image_destroy(must_render(&scene));
    vertices[7] = 0.0;
    int32_t triangles[] = {0, 1, 4, 0, 2, 3};
    mesh.triangles = triangles;
    expect_refused(&scene, "mesh 0", "triangle 0 refers to vertex 4 of 4");
}

Test(render, damaged_spheres_are_refused)
{
    sherd_render_spheres spheres = ball();
    sherd_render_scene scene = small_scene();
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    const double bad[] = {NAN, INFINITY, 0.0, -1.0};
    for (int k = 0; k < 4; ++k) {
        spheres.radius = &bad[k];
        expect_refused(&scene, "sphere batch 0 'ball'", "sphere 0");
    }
    spheres = ball();
    spheres.x = &bad[0];
    expect_refused(&scene, "sphere batch 0 'ball'", "sphere 0 at (nan");
}

Test(render, absurd_settings_are_refused)
{
    sherd_render_scene zero = {0};
    expect_refused(&zero, "render scene", "sherd_render_scene_default");
    sherd_render_scene scene = small_scene();
    scene.width = 0;
    expect_refused(&scene, "render scene", "width");
    scene = small_scene();
    scene.samples_per_pixel = 100000;
    expect_refused(&scene, "render scene", "samples_per_pixel");
    scene = small_scene();
    scene.exposure = NAN;
    expect_refused(&scene, "render scene", "exposure");
    scene = small_scene();
    scene.camera.position = scene.camera.target;
    expect_refused(&scene, "camera", "distance");
    scene = small_scene();
    scene.camera.up = vec3_sub(scene.camera.target, scene.camera.position);
    expect_refused(&scene, "camera", "up direction");
    scene = small_scene();
    scene.ground.normal = vec3(0.0, 0.0, 0.0);
    expect_refused(&scene, "ground", "normal");
    scene = small_scene();
    sherd_render_spheres spheres = ball();
    spheres.material = (sherd_render_material){0};
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    expect_refused(&scene, "sphere batch 0", "roughness");
}

Test(render, empty_scene_without_ground_works)
{
    sherd_render_scene scene = small_scene();
    scene.ground.kind = SHERD_RENDER_GROUND_NONE;
    scene.denoise = SHERD_RENDER_DENOISE_OFF;
    scene.width = 7, scene.height = 5, scene.samples_per_pixel = 1;
    sherd_image_destroy(must_render(&scene));
}

// A cube's corner normals stay its faces' normals; a fine prism around z is smooth.
Test(corner_normals, split_at_creases_only)
{
    enum { SIDES = 24 };
    double vertices[6 * SIDES];
    int32_t triangles[6 * SIDES];
    for (int k = 0; k < SIDES; ++k) {
        double angle = 6.283185307179586 * k / SIDES;
        for (int level = 0; level < 2; ++level) {
            double *p = vertices + 3 * (2 * k + level);
            p[0] = cos(angle), p[1] = sin(angle), p[2] = level;
        }
        int32_t a = 2 * k, b = 2 * ((k + 1) % SIDES);
        int32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
        memcpy(triangles + 6 * k, two, sizeof two);
    }
    sherd_render_mesh mesh = {.vertex_count = 2 * SIDES,
                              .triangle_count = 2 * SIDES,
                              .vertices = vertices,
                              .triangles = triangles};
    sherd_parallel parallel = {1};
    float *normals = sherd_corner_normals(&mesh, &parallel);
    for (int c = 0; c < 6 * SIDES; ++c) {
        const double *p = vertices + 3 * triangles[c];
        // Each corner sees two or three triangles of its two sides, with unlike angles.
        double along = normals[3 * c] * p[0] + normals[3 * c + 1] * p[1];
        cr_assert(along > cos(0.5 * 6.2832 / SIDES) + 1e-4, "corner %d leans by %g", c, along);
    }
    sherd_free(normals);
    // With a face kind per side every side is flat.
    uint8_t kinds[2 * SIDES];
    for (int t = 0; t < 2 * SIDES; ++t)
        kinds[t] = (uint8_t)(t / 2 % 2);
    mesh.face_kind = kinds;
    normals = sherd_corner_normals(&mesh, &parallel);
    double along = normals[0] * vertices[0] + normals[1] * vertices[1];
    cr_assert(
        epsilon_eq(dbl, along, cos(0.5 * 6.283185307179586 / SIDES), 1e-6)); // single precision
    sherd_free(normals);
}

// Two faces meet at 60 degrees along x. The normals that are given on the edge lean by 20 degrees from one of them, as
// means over many triangles of one side do: near enough to pass for its own.
Test(corner_normals, given_ones_are_not_taken_on_creases)
{
    const double s = sqrt(0.75), lean = 20.0 * 3.14159265358979 / 180.0;
    const double vertices[12] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -0.5, -s};
    const int32_t triangles[6] = {0, 1, 2, 1, 0, 3};
    double normals[12] = {[2] = 1.0, [5] = 1.0, [8] = 1.0};
    for (int v = 0; v < 2; ++v)
        normals[3 * v + 1] = -sin(lean), normals[3 * v + 2] = cos(lean);
    normals[10] = -s, normals[11] = 0.5;
    sherd_render_mesh mesh = {.vertex_count = 4,
                              .triangle_count = 2,
                              .vertices = vertices,
                              .triangles = triangles,
                              .normals = normals};
    sherd_parallel parallel = {1};
    float *corners = sherd_corner_normals(&mesh, &parallel);
    for (int c = 0; c < 6; ++c) {
        double y = c < 3 ? 0.0 : -s, z = c < 3 ? 1.0 : 0.5;
        double off = hypot((double)corners[3 * c + 1] - y, (double)corners[3 * c + 2] - z);
        cr_assert(off < 1e-6, "corner %d is off by %g", c, off); // single precision
    }
    sherd_free(corners);
}

// 16 samples of one pixel are a (0,2)-net: one in each of 4 x 4 cells and each of 16 strips.
Test(sampler, strata_hold_one_sample_each)
{
    sampler random = sherd_sampler_make(16, 3);
    for (uint32_t pixel = 0; pixel < 50; ++pixel)
        for (int use = 0; use < SAMPLER_USES; ++use) {
            int cells[16] = {0}, columns[16] = {0}, rows[16] = {0};
            sherd_sampler_start(&random, 7 * pixel, pixel);
            for (random.sample = 0; random.sample < 16; ++random.sample) {
                sample2 s = sherd_sampler_draw(&random, use);
                cr_assert(s.u >= 0.0f && s.u < 1.0f && s.v >= 0.0f && s.v < 1.0f);
                ++cells[4 * (int)(4.0f * s.u) + (int)(4.0f * s.v)];
                ++columns[(int)(16.0f * s.u)];
                ++rows[(int)(16.0f * s.v)];
            }
            for (int k = 0; k < 16; ++k)
                cr_assert(cells[k] == 1 && columns[k] == 1 && rows[k] == 1);
        }
}

Test(color, map_brightens_evenly_and_clamps)
{
    double before = -1.0;
    for (int k = 0; k <= 100; ++k) {
        sherd_color c = sherd_color_map(k / 100.0);
        cr_assert(c.r >= 0 && c.g >= 0 && c.b >= 0 && c.r <= 1 && c.g <= 1 && c.b <= 1);
        double luminance = 0.2126 * (double)c.r + 0.7152 * (double)c.g + 0.0722 * (double)c.b;
        cr_assert(luminance > before, "at %d", k);
        before = luminance;
    }
    sherd_color zero = sherd_color_map(0.0), nan = sherd_color_map(NAN), low = sherd_color_map(-5);
    cr_assert(memcmp(&zero, &nan, sizeof zero) == 0 && memcmp(&zero, &low, sizeof zero) == 0);
    sherd_color one = sherd_color_map(1.0), high = sherd_color_map(1e9);
    cr_assert(memcmp(&one, &high, sizeof one) == 0);
}

Test(color, neighbouring_ids_differ)
{
    for (int a = 0; a < 12; ++a)
        for (int b = a + 1; b < 12; ++b) {
            sherd_color p = sherd_color_categorical(a), q = sherd_color_categorical(b);
            double apart =
                fabs((double)(p.r - q.r)) + fabs((double)(p.g - q.g)) + fabs((double)(p.b - q.b));
            // A difference of 0.08 in linear light is plain to the eye side by side.
            cr_assert(apart > 0.08, "%d and %d differ by %g", a, b, apart);
        }
    sherd_color_categorical(-1);
    sherd_color_categorical(INT64_MIN);
    sherd_color white = sherd_color_srgb(0xffffff), grey = sherd_color_srgb(0x808080);
    cr_assert(epsilon_eq(dbl, (double)white.r, 1.0, 1e-6));
    cr_assert(epsilon_eq(dbl, (double)grey.g, 0.21586, 1e-5)); // IEC 61966-2-1 at 128/255
}

Test(camera, frames_all_corners)
{
    sherd_bounds boxes[] = {{{0, 0, 0}, {1, 1, 1}},
                            {{-5, 2, 0}, {5, 2.1, 0.1}},
                            {{100, 100, 100}, {100.001, 100.002, 100.05}}};
    for (int k = 0; k < 3; ++k) {
        sherd_render_scene scene = sherd_render_scene_default();
        scene.camera = sherd_camera_frame_bounds(boxes[k], 1280.0 / 720.0);
        int low = 10000, high = -10000, top = 10000, bottom = -10000;
        for (int c = 0; c < 8; ++c) {
            int x, y;
            sherd_vec3 p = vec3(c & 1 ? boxes[k].low.x : boxes[k].high.x,
                                c & 2 ? boxes[k].low.y : boxes[k].high.y,
                                c & 4 ? boxes[k].low.z : boxes[k].high.z);
            project(&scene, p, &x, &y);
            cr_assert(x > 0 && x < 1280 && y > 0 && y < 720, "box %d at %d, %d", k, x, y);
            low = x < low ? x : low, high = x > high ? x : high;
            top = y < top ? y : top, bottom = y > bottom ? y : bottom;
        }
        cr_assert(high - low > 640 || bottom - top > 360, "box %d is small: %d x %d", k, high - low,
                  bottom - top);
    }
    sherd_camera camera = sherd_camera_frame_bounds((sherd_bounds){{NAN, 0, 0}, {1, 1, 1}}, NAN);
    cr_assert(vec3_is_finite(camera.position));
}

static void make_folder(char folder[64])
{
    strcpy(folder, "/tmp/sherd-render-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
}

static void remove_file(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

static sherd_image *gradient(int shift)
{
    sherd_image *image = sherd_image_create(33, 17, NULL);
    for (int k = 0; k < 3 * 33 * 17; ++k)
        image->pixels[k] = (uint8_t)(7 * k + shift);
    return image;
}

Test(image, png_round_trip)
{
    char folder[64], path[256];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.png", folder);
    sherd_error error = {0};
    sherd_image *image = gradient(0);
    cr_assert(eq(int, sherd_image_write_png(image, path, &error), SHERD_OK));
    png_image back = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_file(&back, path));
    back.format = PNG_FORMAT_RGB;
    uint8_t pixels[3 * 33 * 17];
    cr_assert(back.width == 33 && back.height == 17);
    cr_assert(png_image_finish_read(&back, NULL, pixels, 0, NULL));
    cr_assert(memcmp(pixels, image->pixels, sizeof pixels) == 0);
    snprintf(path, sizeof path, "%s/a.png.part", folder);
    cr_assert(access(path, F_OK) != 0, "the temporary file must be gone");
    sherd_image_destroy(image);
    remove_file(folder, "a.png");
    rmdir(folder);
}

Test(image, unwritable_places_are_errors)
{
    sherd_error error = {0};
    sherd_image *image = gradient(0);
    cr_assert(
        eq(int, sherd_image_write_png(image, "/no/such/folder/a.png", &error), SHERD_ERROR_IO));
    cr_assert(strstr(error.what, "No such file") != NULL, "what is '%s'", error.what);
    cr_assert(strstr(error.where, "/no/such/folder/a.png") != NULL);
    cr_assert(eq(int, sherd_image_write_png(image, "/no/such/folder/a.png", NULL), SHERD_ERROR_IO));
    sherd_image_destroy(image);
    cr_assert(sherd_image_create(0, 5, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
}

Test(video, bad_requests_are_errors)
{
    sherd_error error = {0};
    const char *patterns[] = {"a.png", "a%s.png", "a%d%d.png", "a%06x.png", "a%.png", "%%d"};
    for (int k = 0; k < 6; ++k)
        cr_assert(eq(int, sherd_video_from_frames(patterns[k], 0, 9, 24, "a.mp4", &error),
                     SHERD_ERROR_INPUT),
                  "accepted %s", patterns[k]);
    cr_assert(
        eq(int, sherd_video_from_frames("a%d.png", 0, 9, NAN, "a.mp4", &error), SHERD_ERROR_INPUT));
    cr_assert(eq(int, sherd_video_from_frames("/no/such/a%d.png", 0, 9, 24, "a.mp4", &error),
                 SHERD_ERROR_IO));
}

static void write_frames(const char *folder, int first, int count)
{
    for (int k = 0; k < count; ++k) {
        char path[256];
        snprintf(path, sizeof path, "%s/f_%04d.png", folder, first + k);
        sherd_image *image = gradient(9 * k);
        cr_assert(eq(int, sherd_image_write_png(image, path, NULL), SHERD_OK));
        sherd_image_destroy(image);
    }
}

static void remove_frames(const char *folder, int first, int count)
{
    for (int k = 0; k < count; ++k) {
        char name[32];
        snprintf(name, sizeof name, "f_%04d.png", first + k);
        remove_file(folder, name);
    }
}

Test(video, made_from_numbered_frames)
{
    char folder[64], pattern[256], path[256];
    make_folder(folder);
    write_frames(folder, 12, 6);
    snprintf(pattern, sizeof pattern, "%s/f_%%04d.png", folder);
    snprintf(path, sizeof path, "%s/v.mp4", folder);
    sherd_error error = {0};
    sherd_status status = sherd_video_from_frames(pattern, 0, 99, 24, path, &error);
    struct stat info = {0};
    if (status == SHERD_OK)
        cr_assert(stat(path, &info) == 0 && info.st_size > 500);
    else // a machine without ffmpeg: says so, and nothing half-made is left
        cr_assert(status == SHERD_ERROR_UNSUPPORTED && stat(path, &info) != 0 &&
                      strstr(error.where, "ffmpeg") != NULL,
                  "%s: %s", error.where, error.what);
    remove_frames(folder, 12, 6);
    remove_file(folder, "v.mp4");
    cr_assert(rmdir(folder) == 0, "something else was left in the folder");
}

// ffmpeg takes percent signs for the number's place, too.
Test(video, percent_signs_in_names_are_doubled)
{
    char folder[64], percent[96], pattern[256], path[256];
    make_folder(folder);
    snprintf(percent, sizeof percent, "%s/50%%d off", folder);
    cr_assert(mkdir(percent, 0777) == 0);
    write_frames(percent, 0, 3);
    snprintf(pattern, sizeof pattern, "%s/50%%%%d off/f_%%04d.png", folder);
    snprintf(path, sizeof path, "%s/v.mp4", percent);
    sherd_error error = {0};
    sherd_status status = sherd_video_from_frames(pattern, 0, 2, 24, path, &error);
    cr_assert(status == SHERD_OK || strstr(error.hint, "install ffmpeg") != NULL, "%s", error.what);
    remove_frames(percent, 0, 3);
    if (status == SHERD_OK) remove_file(percent, "v.mp4");
    cr_assert(rmdir(percent) == 0 && rmdir(folder) == 0, "something else was left");
}

Test(video, missing_program_is_unsupported)
{
    char folder[64], pattern[256], path[256];
    make_folder(folder);
    write_frames(folder, 0, 2);
    snprintf(pattern, sizeof pattern, "%s/f_%%04d.png", folder);
    snprintf(path, sizeof path, "%s/v.mp4", folder);
    setenv("PATH", folder, 1);
    sherd_error error = {0};
    cr_assert(eq(int, sherd_video_from_frames(pattern, 0, 99, 24, path, &error),
                 SHERD_ERROR_UNSUPPORTED));
    cr_assert(strstr(error.hint, "install ffmpeg") != NULL, "hint is '%s'", error.hint);
    snprintf(path, sizeof path, "%s/f_0001.png", folder);
    cr_assert(access(path, F_OK) == 0, "pictures are kept");
    remove_frames(folder, 0, 2);
    cr_assert(rmdir(folder) == 0);
}
