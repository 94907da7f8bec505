// output: cameras that move by keys.
#include "output/pictures/camera_keyframes.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { COUNT = 5 };

static sherd_scene_camera camera(const sherd_scene_camera_key *keys, int count)
{
    return (sherd_scene_camera){.fov = 0.6, .aperture = 0.01, .key_count = count, .keys = keys};
}

static double speed(const sherd_scene_camera *c, double time)
{
    const double h = 1e-5;
    sherd_vec3 a = sherd_camera_keyframes_at(c, time - h).position;
    sherd_vec3 b = sherd_camera_keyframes_at(c, time + h).position;
    return hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z) / (2.0 * h);
}

Test(camera_keyframes, keys_are_met_and_held)
{
    const sherd_scene_camera_key keys[] = {
        {.time = 1.0, .position = {2, 0, 1}, .target = {0, 0, 0}},
        {.time = 2.0, .position = {0, 3, 1}, .target = {0, 0, 1}, .fov = 0.9, .focus = 5.0},
    };
    sherd_scene_camera c = camera(keys, 2);
    for (int k = 0; k < 2; ++k) {
        sherd_camera at = sherd_camera_keyframes_at(&c, keys[k].time);
        cr_assert(epsilon_eq(dbl, at.position.x, keys[k].position.x, 1e-12));
        cr_assert(epsilon_eq(dbl, at.position.y, keys[k].position.y, 1e-12));
        cr_assert(epsilon_eq(dbl, at.target.z, keys[k].target.z, 1e-12));
        cr_assert(epsilon_eq(dbl, at.vertical_fov, k == 0 ? 0.6 : 0.9, 1e-12));
        cr_assert(epsilon_eq(dbl, at.focus, k == 0 ? sqrt(5.0) : 5.0, 1e-12));
        cr_assert(at.aperture == 0.01 && at.up.z == 1.0);
    }
    cr_assert(sherd_camera_keyframes_at(&c, -3.0).position.x == 2.0);
    cr_assert(sherd_camera_keyframes_at(&c, 30.0).position.y == 3.0);
    // It sets off and stops softly, and is half way at half time.
    sherd_camera middle = sherd_camera_keyframes_at(&c, 1.5);
    cr_assert(epsilon_eq(dbl, middle.position.x, 1.0, 1e-12));
    cr_assert(speed(&c, 1.001) < 0.05 && speed(&c, 1.999) < 0.05 && speed(&c, 1.5) > 3.6);
}

Test(camera_keyframes, passes_keys_without_a_jump)
{
    // Keys of a circle of radius 2, at uneven times.
    const double times[COUNT] = {0.0, 0.9, 2.1, 3.0, 4.0};
    sherd_scene_camera_key keys[COUNT] = {0};
    for (int k = 0; k < COUNT; ++k) {
        keys[k].time = times[k];
        keys[k].position = (sherd_vec3){2.0 * cos(times[k]), 2.0 * sin(times[k]), 1.0};
    }
    sherd_scene_camera c = camera(keys, COUNT);
    for (int k = 1; k + 1 < COUNT; ++k) {
        double before = speed(&c, times[k] - 2e-5), after = speed(&c, times[k] + 2e-5);
        cr_assert(epsilon_eq(dbl, before, after, 1e-3), "%g and %g", before, after);
        // On a circle run through at speed 2; a parabola through keys an angle of 1 apart is off by a sixth of its square.
        cr_assert(epsilon_eq(dbl, before, 2.0, 0.4), "%g", before);
    }
    for (double t = 0.9; t < 3.0; t += 0.05) {
        sherd_vec3 p = sherd_camera_keyframes_at(&c, t).position;
        cr_assert(epsilon_eq(dbl, hypot(p.x, p.y), 2.0, 0.12), "%g at %g", hypot(p.x, p.y), t);
    }
}

Test(camera_keyframes, rests_where_keys_are_alike)
{
    const sherd_scene_camera_key keys[] = {
        {.time = 0.0, .position = {0, 0, 1}},
        {.time = 1.0, .position = {4, 0, 1}},
        {.time = 2.0, .position = {4, 0, 1}},
        {.time = 3.0, .position = {8, 0, 1}},
    };
    sherd_scene_camera c = camera(keys, 4);
    for (double t = 1.0; t <= 2.0; t += 0.1)
        cr_assert(epsilon_eq(dbl, sherd_camera_keyframes_at(&c, t).position.x, 4.0, 1e-12));
}
