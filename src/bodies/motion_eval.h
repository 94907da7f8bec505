// Evaluation of prescribed motions of driven obstacles and of regions of elements.
//
// A motion moves the point that was at x0 at the start to
//     x(t) = R(t) (x0 - pivot) + pivot + translation(t),    R(t) = exp(rotation(t)),
// where translation and rotation vector are each table(t) + rate * t.
#pragma once

#include <sherd/error.h>
#include <sherd/motion.h>

#include <stdbool.h>

typedef struct sherd_motion_rate {
    sherd_vec3 linear;  // velocity of the moved pivot [m/s]
    sherd_vec3 angular; // angular velocity, world axes [rad/s]
} sherd_motion_rate;

// SHERD_ERROR_INPUT if a number is not finite, the table's times do not strictly increase, or the
// motion is not the identity at time 0 (bodies would jump). `where` names the motion in messages.
sherd_status sherd_motion_check(const sherd_motion *motion, const char *where, sherd_error *error);

// Adds all of a motion to a hash.
uint64_t sherd_motion_digest(const sherd_motion *motion, uint64_t hash);

// An owned copy, to be freed with sherd_motion_free.
sherd_status sherd_motion_copy(sherd_motion *copy, const sherd_motion *motion, sherd_error *error);
void sherd_motion_free(sherd_motion *motion);

// True if it is the identity at all times.
bool sherd_motion_is_rest(const sherd_motion *motion);

// The pose at a time, in the form of a key.
sherd_motion_key sherd_motion_key_at(const sherd_motion *motion, double time);
// A motion about the same pivot that is linear from one key to the other and constant afterwards;
// `keys` has two and becomes owned by the motion.
sherd_motion sherd_motion_between(const sherd_motion *motion, sherd_motion_key keys[2]);

// Translation of the pivot and rotation about it at time t [s].
sherd_pose sherd_motion_pose(const sherd_motion *motion, double t);

// The first key's time after t, INFINITY: none [s].
double sherd_motion_next_key(const sherd_motion *motion, double t);

// Rates over a time span that may contain keys.
typedef struct sherd_motion_range {
    bool has_key;    // in the span
    double off_mean; // largest deviation of a rate of the translation from its mean [m/s]
    // largest rate of the rotation vector, an upper bound of the angular velocity [rad/s]
    double turning;
} sherd_motion_range;

// From `time` over dt > 0.
sherd_motion_range sherd_motion_range_of(const sherd_motion *motion, double time, double dt);

// Largest distance of a point at `arm` from the pivot from uniform motion with its mean velocity
// over dt, divided by the time [m/s].
double sherd_motion_off_mean(const sherd_motion_range *range, double arm, double dt);

// The exact time derivative at t; at a key, that of the segment that begins there.
sherd_motion_rate sherd_motion_velocity(const sherd_motion *motion, double t);

// Image of `start` (a point, a pose) under `moved`, a result of sherd_motion_pose.
sherd_vec3 sherd_motion_apply(const sherd_motion *motion, sherd_pose moved, sherd_vec3 start);
sherd_pose sherd_motion_apply_pose(const sherd_motion *motion, sherd_pose moved, sherd_pose start);

const sherd_definition *sherd_motion_key_fields(void);
