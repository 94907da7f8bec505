// render: circles of confusion, streaks of what moves.
#include "base/memory.h"
#include "math/vec3.h"
#include "render/lens.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#include "render_probe.h"

// Rays of one place in the picture meet in the plane that is sharp; at another distance z they fill a disc of diameter
// A |z - f| / f.
Test(lens, circle_of_confusion)
{
    sherd_camera camera = {.position = {1.0, 2.0, 3.0},
                           .target = {1.0, 4.0, 3.0},
                           .up = {0.0, 0.0, 1.0},
                           .vertical_fov = 0.6,
                           .aperture = 0.1,
                           .focus = 1.5};
    const double scale = 0.5; // the target is 2 m away
    sherd_lens lens = sherd_lens_make(&camera, 1.5, camera.target, scale);
    const double distances[] = {0.5, 1.5, 6.0};
    for (int d = 0; d < 3; ++d) {
        double left = INFINITY, right = -INFINITY;
        for (int k = 0; k < 64; ++k) {
            vec3f origin, direction;
            sample2 rim = {0.99999994f, (float)k / 64.0f};
            sherd_lens_ray(&lens, 0.3f, -0.2f, rim, &origin, &direction);
            // The camera stands at y = -1 in view units and looks along y.
            double reach = (distances[d] * scale - 1.0 - (double)origin.y) / (double)direction.y;
            double x = ((double)origin.x + reach * (double)direction.x) / scale;
            left = fmin(left, x), right = fmax(right, x);
        }
        double expected = 0.1 * fabs(distances[d] - 1.5) / 1.5;
        cr_assert(epsilon_eq(dbl, right - left, expected, 1e-3 * expected + 1e-6), "%g, not %g",
                  right - left, expected);
    }
}

// At each time things are where their motion has them, to a thousandth of it.
Test(lens, moving_things_are_where_they_should_be)
{
    static const double VERTICES[] = {-0.1, 0, -5, 0.1, 0, -5, 0.1, 0, 5, -0.1, 0, 5};
    static const int32_t TRIANGLES[] = {0, 1, 2, 0, 2, 3};
    const double motions[] = {2, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0};
    const double x[] = {0.0}, y[] = {0.0}, z[] = {0.0}, radius[] = {0.1};
    sherd_render_mesh mesh = {.vertex_count = 4,
                              .triangle_count = 2,
                              .vertices = VERTICES,
                              .triangles = TRIANGLES,
                              .motions = motions,
                              .material = sherd_render_material_default()};
    sherd_render_spheres spheres = {.count = 1,
                                    .x = x,
                                    .y = y,
                                    .z = z,
                                    .radius = radius,
                                    .motions = motions,
                                    .material = mesh.material};
    for (int kind = 0; kind < 2; ++kind) {
        sherd_render_scene scene = probe_scene(NULL);
        scene.meshes = &mesh, scene.mesh_count = kind == 0;
        scene.spheres = &spheres, scene.sphere_batch_count = kind == 1;
        render_probe probe;
        probe_open(&probe, &scene);
        for (int k = 0; k <= 4; ++k)
            for (int side = -1; side <= 1; side += 2)
                for (int beyond = 0; beyond < 2; ++beyond) {
                    double time = 0.25 * k, middle = 2.0 * (time - 0.5);
                    double at = middle + side * (beyond ? 0.102 : 0.098);
                    tracer_ray ray = {sherd_tracer_point(&probe.tracer, vec3(at, -1.0, 0.0)),
                                      {0.0f, 1.0f, 0.0f},
                                      0.0f,
                                      (float)time};
                    tracer_hit hit;
                    bool met = sherd_tracer_nearest(&probe.tracer, &ray, TRACER_SCATTERED, &hit);
                    cr_assert(met == !beyond, "kind %d, time %g, at %g", kind, time, at);
                }
        sherd_tracer_close(&probe.tracer);
    }
}

enum { WIDE = 200, HIGH = 24 };

static sherd_render_scene dark_ball_scene(const sherd_environment *white,
                                          const sherd_render_spheres *spheres)
{
    sherd_render_scene scene = probe_scene(white);
    scene.width = WIDE, scene.height = HIGH;
    scene.camera.vertical_fov = 2.0 * atan(0.12 / 4.0); // 0.01 m a pixel where the target is
    scene.samples_per_pixel = 64;
    scene.exposure = 0.2; // well within the screen's range
    scene.spheres = spheres, scene.sphere_batch_count = 1;
    return scene;
}

static const double X[] = {0.0}, Y[] = {0.0}, Z[] = {0.0}, RADIUS[] = {0.05};

static sherd_render_spheres dark_ball(void)
{
    sherd_render_spheres s = {.count = 1, .x = X, .y = Y, .z = Z, .radius = RADIUS};
    s.material = sherd_render_material_default();
    s.material.outer_color = s.material.inner_color = (sherd_color){0.0f, 0.0f, 0.0f};
    s.material.outer_coat = s.material.inner_coat = 0.0;
    return s;
}

// Pixels of the middle row that are darker than the rest, and how far the first and last are apart.
static int dark_columns(const sherd_render_scene *scene)
{
    sherd_error error = {0};
    sherd_image *image = sherd_render(scene, &error);
    cr_assert(image != NULL, "%s: %s", error.where, error.what);
    const uint8_t *row = image->pixels + (size_t)3 * (HIGH / 2) * WIDE;
    int first = WIDE, last = -1;
    for (int x = 0; x < WIDE; ++x)
        if (row[3 * x] + 2 < row[0]) {
            if (x < first) first = x;
            last = x;
        }
    sherd_image_destroy(image);
    return last - first + 1;
}

Test(lens, streak_is_as_long_as_the_motion)
{
    sherd_environment *white = even_environment(1.0f);
    sherd_render_spheres spheres = dark_ball();
    sherd_render_scene scene = dark_ball_scene(white, &spheres);
    int still = dark_columns(&scene);
    cr_assert(still >= 10 && still <= 13, "%d",
              still); // 0.1 m, and the filter's pixel to each side
    const double motion[] = {0.6, 0.0, 0.0};
    spheres.motions = motion;
    int moving = dark_columns(&scene);
    // The streak's ends fade: pixels dark for 3 % of the time may be taken for clean.
    cr_assert(moving <= still + 60 && moving >= still + 50, "%d and %d", still, moving);
    // The camera that moves with it sees it sharp.
    sherd_camera opens = scene.camera, closes = scene.camera;
    opens.position.x -= 0.3, opens.target.x -= 0.3;
    closes.position.x += 0.3, closes.target.x += 0.3;
    scene.camera_opens = &opens, scene.camera_closes = &closes;
    int followed = dark_columns(&scene);
    cr_assert(abs(followed - still) <= 1, "%d and %d", still, followed);
    sherd_environment_destroy(white);
}

Test(lens, blurred_ball_is_as_wide_as_its_circle)
{
    sherd_environment *white = even_environment(1.0f);
    sherd_render_spheres spheres = dark_ball();
    sherd_render_scene scene = dark_ball_scene(white, &spheres);
    // Seen from 4 m, sharp at 8 m: rays from the rim of a lens of 0.4 m are 0.2 m apart where the ball is.
    scene.camera.aperture = 0.4, scene.camera.focus = 8.0;
    int blurred = dark_columns(&scene);
    scene.camera.focus = 0.0;
    int sharp = dark_columns(&scene);
    cr_assert(blurred >= sharp + 10 && blurred <= sharp + 20, "%d and %d", sharp, blurred);
    sherd_environment_destroy(white);
}

Test(lens, same_bytes_for_every_number_of_threads)
{
    sherd_environment *white = even_environment(1.0f);
    sherd_render_spheres spheres = dark_ball();
    const double motion[] = {0.3, 0.1, 0.0};
    spheres.motions = motion;
    spheres.material.surface = SHERD_RENDER_GLASS;
    sherd_render_scene scene = dark_ball_scene(white, &spheres);
    sherd_render_lamp lamp = {{0.5, -0.5, 1.0}, {0.0, 0.0, 0.0}, 0.3, 0.2, {5.0f, 4.0f, 3.0f}};
    scene.lamps = &lamp, scene.lamp_count = 1;
    scene.ground.kind = SHERD_RENDER_GROUND_PLANE;
    scene.ground.point.z = -0.05;
    scene.camera.aperture = 0.1;
    scene.samples_per_pixel = 8;
    scene.denoise = SHERD_RENDER_DENOISE_ON;
    scene.threads = 1;
    sherd_image *one = sherd_render(&scene, NULL);
    for (int threads = 2; threads <= 3; ++threads) {
        scene.threads = threads;
        sherd_image *other = sherd_render(&scene, NULL);
        cr_assert(memcmp(one->pixels, other->pixels, (size_t)3 * WIDE * HIGH) == 0);
        sherd_image_destroy(other);
    }
    sherd_image_destroy(one);
    sherd_environment_destroy(white);
}
