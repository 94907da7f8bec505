// Prescribed motion: tables, rates, checks.
#include "base/error.h"
#include "bodies/motion_eval.h"
#include "math/quat.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const sherd_motion_key KEYS[] = {
    {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
    {1.0, {1.0, 0.0, 0.0}, {0.0, 0.5, 0.0}},
    {3.0, {1.0, 4.0, 0.0}, {0.3, 0.5, 1.0}},
};

static sherd_motion tabled(void)
{
    return (sherd_motion){.key_count = 3, .keys = KEYS};
}

Test(motion, is_linear_between_keys_and_held_outside)
{
    sherd_motion motion = tabled();
    sherd_vec3 before = sherd_motion_pose(&motion, -1.0).position;
    sherd_vec3 half = sherd_motion_pose(&motion, 0.5).position;
    sherd_vec3 middle = sherd_motion_pose(&motion, 2.0).position;
    sherd_vec3 after = sherd_motion_pose(&motion, 9.0).position;
    cr_assert(eq(dbl, vec3_length(before), 0.0));
    cr_assert(epsilon_eq(dbl, half.x, 0.5, 1e-15));
    cr_assert(epsilon_eq(dbl, middle.y, 2.0, 1e-15));
    cr_assert(epsilon_eq(dbl, after.y, 4.0, 1e-15));
    cr_assert(eq(dbl, vec3_length(sherd_motion_velocity(&motion, 3.0).linear), 0.0));
}

Test(motion, rates_are_derivatives)
{
    sherd_motion motion = tabled();
    motion.velocity = vec3(0.1, -0.2, 0.3);
    motion.angular_velocity = vec3(1.0, 2.0, -3.0);
    const double h = 1e-6;
    for (double t = 0.05; t < 4.0; t += 0.13) {
        sherd_pose a = sherd_motion_pose(&motion, t - h), b = sherd_motion_pose(&motion, t + h);
        sherd_vec3 v = vec3_scale(0.5 / h, vec3_sub(b.position, a.position));
        sherd_quat turn = quat_multiply(b.rotation, quat_conjugate(a.rotation));
        sherd_vec3 w = vec3_scale(0.5 / h, quat_to_rotation_vector(turn));
        sherd_motion_rate rate = sherd_motion_velocity(&motion, t);
        // Central differences: rounding 1e-16 / h and h^2, each below 1e-8 here.
        cr_assert(lt(dbl, vec3_distance(v, rate.linear), 1e-8));
        cr_assert(lt(dbl, vec3_distance(w, rate.angular), 1e-8));
    }
}

Test(motion, turns_about_the_pivot)
{
    sherd_motion motion = {.angular_velocity = vec3(0.0, 0.0, 1.0), .pivot = vec3(1.0, 0.0, 0.0)};
    sherd_pose moved = sherd_motion_pose(&motion, M_PI / 2.0);
    sherd_vec3 pivot = sherd_motion_apply(&motion, moved, motion.pivot);
    sherd_vec3 origin = sherd_motion_apply(&motion, moved, vec3(0.0, 0.0, 0.0));
    cr_assert(lt(dbl, vec3_distance(pivot, motion.pivot), 1e-15));
    cr_assert(lt(dbl, vec3_distance(origin, vec3(1.0, -1.0, 0.0)), 1e-15));
}

Test(motion, without_keys_is_held_fast)
{
    sherd_motion motion = {0};
    cr_assert(eq(dbl, vec3_length(sherd_motion_pose(&motion, 7.0).position), 0.0));
    cr_assert(eq(int, sherd_motion_check(&motion, "m", NULL), SHERD_OK));
}

Test(motion, copies_own_their_table)
{
    sherd_motion_key keys[3];
    memcpy(keys, KEYS, sizeof keys);
    sherd_motion motion = {.key_count = 3, .keys = keys}, copy;
    cr_assert(eq(int, sherd_motion_copy(&copy, &motion, NULL), SHERD_OK));
    keys[2].translation.y = 100.0;
    cr_assert(epsilon_eq(dbl, sherd_motion_pose(&copy, 3.0).position.y, 4.0, 1e-15));
    sherd_motion_free(&copy);
}

static void refuses(sherd_motion motion, const char *what)
{
    sherd_error error;
    cr_assert(eq(int, sherd_motion_check(&motion, "press.motion", &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "press.motion"));
    cr_assert(eq(str, error.what, (char *)what));
}

Test(motion, refuses_nonsense)
{
    sherd_motion_key keys[2] = {{.time = 0.0}, {.time = 0.0}};
    refuses((sherd_motion){.key_count = 2, .keys = keys},
            "times must strictly increase, but key 1 at 0 s follows 0 s");
    keys[1].time = 1.0;
    keys[1].rotation.x = NAN;
    refuses((sherd_motion){.key_count = 2, .keys = keys},
            "key 1 holds a number that is not finite");
    keys[1].rotation.x = 0.0;
    keys[0].translation.z = 2.0;
    refuses((sherd_motion){.key_count = 2, .keys = keys},
            "must be zero at time 0, got translation (0, 0, 2) m, rotation 0 rad");
    refuses((sherd_motion){.key_count = 2}, "2 keys announced, but keys is NULL");
    refuses((sherd_motion){.key_count = -2}, "key_count must be >= 0, got -2");
    refuses((sherd_motion){.velocity = {INFINITY, 0.0, 0.0}},
            "velocity, angular velocity and pivot must be finite");
}
