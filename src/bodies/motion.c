#include "bodies/motion_eval.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"

#include <string.h>

static sherd_status check_keys(const sherd_motion *motion, const char *where, sherd_error *error)
{
    if (motion->key_count < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "key_count must be >= 0, got %d",
                          motion->key_count);
    if (motion->key_count > 0 && motion->keys == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "%d keys announced, but keys is NULL", motion->key_count);
    for (int k = 0; k < motion->key_count; ++k) {
        const sherd_motion_key *key = &motion->keys[k];
        if (!isfinite(key->time) || !vec3_is_finite(key->translation) ||
            !vec3_is_finite(key->rotation))
            return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                              "key %d holds a number that is not finite", k);
        if (k > 0 && !(key->time > motion->keys[k - 1].time))
            return sherd_fail(error, SHERD_ERROR_INPUT, where,
                              "sort the table by time and remove repeated times",
                              "times must strictly increase, but key %d at %g s follows %g s", k,
                              key->time, motion->keys[k - 1].time);
    }
    return SHERD_OK;
}

sherd_status sherd_motion_check(const sherd_motion *motion, const char *where, sherd_error *error)
{
    sherd_status status = check_keys(motion, where, error);
    if (status != SHERD_OK) return status;
    if (!vec3_is_finite(motion->velocity) || !vec3_is_finite(motion->angular_velocity) ||
        !vec3_is_finite(motion->pivot))
        return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL,
                          "velocity, angular velocity and pivot must be finite");
    sherd_pose start = sherd_motion_pose(motion, 0.0);
    sherd_vec3 turn = quat_to_rotation_vector(start.rotation);
    if (vec3_length(start.position) > 0.0 || vec3_length(turn) > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          "tables are relative to the start: let the first key be zero",
                          "must be zero at time 0, got translation (%g, %g, %g) m, rotation %g rad",
                          start.position.x, start.position.y, start.position.z, vec3_length(turn));
    return SHERD_OK;
}

sherd_status sherd_motion_copy(sherd_motion *copy, const sherd_motion *motion, sherd_error *error)
{
    *copy = *motion;
    copy->keys = NULL;
    if (motion->key_count == 0) return SHERD_OK;
    sherd_motion_key *keys = sherd_alloc((size_t)motion->key_count, sizeof *keys);
    if (keys == NULL) return sherd_fail_memory(error, "a table of motion");
    memcpy(keys, motion->keys, (size_t)motion->key_count * sizeof *keys);
    copy->keys = keys;
    return SHERD_OK;
}

bool sherd_motion_is_rest(const sherd_motion *motion)
{
    return motion->key_count == 0 && vec3_length(motion->velocity) == 0.0 &&
           vec3_length(motion->angular_velocity) == 0.0;
}

void sherd_motion_free(sherd_motion *motion)
{
    sherd_free((void *)motion->keys);
    *motion = (sherd_motion){0};
}

// Index of the last key at or before t, -1 if there is none.
static int key_before(const sherd_motion *motion, double t)
{
    int low = -1, high = motion->key_count; // keys[low] <= t < keys[high]
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (motion->keys[middle].time <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double sherd_motion_next_key(const sherd_motion *motion, double t)
{
    int next = key_before(motion, t) + 1;
    return next < motion->key_count ? motion->keys[next].time : INFINITY;
}

// The motion as two vectors, translation and rotation vector, and their rates.
typedef struct motion_vectors {
    sherd_vec3 translation, rotation, translation_rate, rotation_rate;
} motion_vectors;

static motion_vectors table_at(const sherd_motion *motion, double t)
{
    motion_vectors at = {0};
    if (motion->key_count == 0) return at;
    int k = key_before(motion, t);
    if (k < 0 || k == motion->key_count - 1) {
        const sherd_motion_key *held = &motion->keys[k < 0 ? 0 : k];
        at.translation = held->translation;
        at.rotation = held->rotation;
        return at;
    }
    const sherd_motion_key *a = &motion->keys[k], *b = &motion->keys[k + 1];
    double span = b->time - a->time, share = (t - a->time) / span;
    at.translation_rate = vec3_scale(1.0 / span, vec3_sub(b->translation, a->translation));
    at.rotation_rate = vec3_scale(1.0 / span, vec3_sub(b->rotation, a->rotation));
    at.translation = vec3_add_scaled(a->translation, share * span, at.translation_rate);
    at.rotation = vec3_add_scaled(a->rotation, share * span, at.rotation_rate);
    return at;
}

static motion_vectors motion_at(const sherd_motion *motion, double t)
{
    motion_vectors at = table_at(motion, t);
    at.translation = vec3_add_scaled(at.translation, t, motion->velocity);
    at.rotation = vec3_add_scaled(at.rotation, t, motion->angular_velocity);
    at.translation_rate = vec3_add(at.translation_rate, motion->velocity);
    at.rotation_rate = vec3_add(at.rotation_rate, motion->angular_velocity);
    return at;
}

sherd_motion_key sherd_motion_key_at(const sherd_motion *motion, double time)
{
    motion_vectors at = motion_at(motion, time);
    return (sherd_motion_key){time, at.translation, at.rotation};
}

sherd_motion sherd_motion_between(const sherd_motion *motion, sherd_motion_key keys[2])
{
    SHERD_ASSERT(keys[0].time <= keys[1].time, "time advances");
    return (sherd_motion){.key_count = 2, .keys = keys, .pivot = motion->pivot};
}

sherd_pose sherd_motion_pose(const sherd_motion *motion, double t)
{
    motion_vectors at = motion_at(motion, t);
    return (sherd_pose){at.translation, quat_from_rotation_vector(at.rotation)};
}

// World angular velocity of R = exp(theta) when theta changes at rate theta':
//   w = theta' + (1 - cos a)/a^2 theta x theta' + (a - sin a)/a^3 theta x (theta x theta'),  a = |theta|
static sherd_vec3 angular_velocity(sherd_vec3 theta, sherd_vec3 rate)
{
    double a2 = vec3_dot(theta, theta), a = sqrt(a2);
    // Series near 0: relative error below a^4 / 500, cancellation above it below 1e-10.
    double b = a > 1e-2 ? (1.0 - cos(a)) / a2 : 0.5 - a2 / 24.0;
    double c = a > 1e-2 ? (a - sin(a)) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0;
    sherd_vec3 cross = vec3_cross(theta, rate);
    sherd_vec3 w = vec3_add_scaled(rate, b, cross);
    return vec3_add_scaled(w, c, vec3_cross(theta, cross));
}

sherd_motion_rate sherd_motion_velocity(const sherd_motion *motion, double t)
{
    motion_vectors at = motion_at(motion, t);
    return (sherd_motion_rate){at.translation_rate,
                               angular_velocity(at.rotation, at.rotation_rate)};
}

static void widen_range(sherd_motion_range *range, const sherd_motion *motion, double t,
                        sherd_vec3 mean)
{
    motion_vectors at = motion_at(motion, t);
    range->off_mean = fmax(range->off_mean, vec3_distance(at.translation_rate, mean));
    range->turning = fmax(range->turning, vec3_length(at.rotation_rate));
}

sherd_motion_range sherd_motion_range_of(const sherd_motion *motion, double time, double dt)
{
    sherd_vec3 from = motion_at(motion, time).translation,
               to = motion_at(motion, time + dt).translation;
    sherd_vec3 mean = vec3_scale(1.0 / dt, vec3_sub(to, from));
    sherd_motion_range range = {.has_key = false};
    widen_range(&range, motion, time, mean);
    for (int k = key_before(motion, time) + 1;
         k < motion->key_count && motion->keys[k].time < time + dt; ++k) {
        widen_range(&range, motion, motion->keys[k].time, mean);
        range.has_key = true;
    }
    return range;
}

// The distance of a smooth curve from its chord is at most half the acceleration, times the time
// since the start, times the time to the end; the acceleration is at most 3/2 of the square of the
// rotation vector's rate, times the arm. In any rotation the velocity differs from the mean by at
// most twice the largest speed.
double sherd_motion_off_mean(const sherd_motion_range *range, double arm, double dt)
{
    double most = 2.0 * range->turning, smooth = 0.75 * range->turning * range->turning * dt;
    return range->off_mean + arm * (range->has_key ? most : fmin(most, smooth));
}

sherd_vec3 sherd_motion_apply(const sherd_motion *motion, sherd_pose moved, sherd_vec3 start)
{
    sherd_vec3 arm = quat_rotate(moved.rotation, vec3_sub(start, motion->pivot));
    return vec3_add(vec3_add(motion->pivot, moved.position), arm);
}

sherd_pose sherd_motion_apply_pose(const sherd_motion *motion, sherd_pose moved, sherd_pose start)
{
    return (sherd_pose){sherd_motion_apply(motion, moved, start.position),
                        quat_normalize(quat_multiply(moved.rotation, start.rotation))};
}
