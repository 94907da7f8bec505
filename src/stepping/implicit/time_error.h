// Error of a step relative to the motion in continuous time.
//
// The difference between the end of a step and the extrapolation of the previous motion is, by
// Taylor's series, a multiple of the scheme's truncation error. A comparison with the step's own
// move would make steps far too short for a body that vibrates slightly while it moves far: a
// vibration of amplitude A and phase theta = omega dt per step has an error of 2/9 A theta^3 per
// step (BDF2) and moves by A theta, however small A is. Instead its loss per radian, 2/9 A theta^2,
// is compared with the path of the body. The step's second difference is at most A theta^2, at the
// turning points, while the error is largest between them. So both are maxima over the last steps.
#pragma once

#include "base/record.h"
#include "stepping/implicit/prediction.h"
#include "stepping/implicit/scheme.h"

// Displacements as mass-weighted rms, without held elements.
typedef struct sherd_time_error {
    double error; // of the step [m]
    double move;  // from its start to its end [m]
    // Distance of its end from the prediction, and from uniform motion with the velocities at its
    // start [m]
    double prediction_error, uniform_error;
    // Without the motion of the centre of mass, whose fall and flight are exact:
    double displacement; // from the beginning of the run to the step's end, the longest so far [m]
    double spent;        // sum of errors of all accepted steps before [m]
    double
        bend; // second difference, p_n+1 - p_n - (p_n - p_n-1) dt / before; infinite: unknown [m]
    double theta;                 // theta, as estimated from bend and error [rad]
    double bend_rate, error_rate; // bend / dt^2, error / dt^3, of the last steps together
    double loss;                  // power that the step takes from vibrations, from its error [W]
} sherd_time_error;

// Of the recently accepted steps.
typedef struct sherd_error_rates {
    double bend_rate, error_rate;
    double max_displacement, spent; // of all accepted steps [m]
} sherd_error_rates;

void sherd_error_rates_take(sherd_error_rates *rates, const sherd_time_error *of);
// Sets bend and theta of an error by the second difference `bend` of a step of length dt.
void sherd_time_error_judge_bend(sherd_time_error *error, double bend, double dt,
                                 const sherd_error_rates *before);

enum { SHERD_TRAIL_LENGTH = 3 };

typedef struct sherd_time_errors {
    sherd_element_index count;
    float *start[3]; // positions at the beginning of the run [m] (n)
    float *trail[SHERD_TRAIL_LENGTH]
                [3]; // positions at the samples, newest first, relative to that [m] (n)
    double trail_step[SHERD_TRAIL_LENGTH]; // time between successive samples [s]
    int trail_count, trail_newest;
    float *memory;                      // owned; contains all of the above
    struct sherd_time_error_sums *sums; // by chunk; owned
    sherd_error_rates rates;
} sherd_time_errors;

bool sherd_time_errors_init(sherd_time_errors *errors, const sherd_elements *elements);
void sherd_time_errors_free(sherd_time_errors *errors);
size_t sherd_time_errors_bytes(const sherd_time_errors *errors); // of `memory`

// The error of a step over its difference from the prediction.
double sherd_time_error_share(sherd_scheme_kind scheme, double dt, double before);
// Of a step from `prediction` to the elements' poses.
sherd_time_error sherd_time_errors_judge(const sherd_time_errors *errors,
                                         const sherd_prediction *prediction,
                                         sherd_scheme_kind scheme, const sherd_elements *elements,
                                         const sherd_parallel *parallel);
void sherd_time_errors_save(const sherd_time_errors *errors, sherd_byte_buffer *out);
void sherd_time_errors_restore(sherd_time_errors *errors, sherd_record_reader *in);

// During explicit steps: samples positions, a time h [s] after the last sample, and estimates from
// the samples the error, the move and the path of a BDF2 step of length h. With fewer than four
// samples bend is infinite.
sherd_time_error sherd_time_errors_sample(sherd_time_errors *errors, double h,
                                          const sherd_elements *elements,
                                          const sherd_parallel *parallel);
void sherd_time_errors_clear_samples(sherd_time_errors *errors); // drops the samples
// Accepts the step with this error.
void sherd_time_errors_accept(sherd_time_errors *errors, const sherd_time_error *of);
void sherd_time_errors_forget(
    sherd_time_errors *errors); // previous steps say nothing about the next ones
