// How far a step is from the motion in continuous time.
//
// The difference between the end of a step and the extrapolation of the motion before it is, by Taylor's series, a
// multiple of the scheme's truncation error. Compared with the step's own move, it would make steps far too short
// wherever a body rings a little while it moves a lot: a vibration of amplitude A and phase theta = omega dt per step
// has an error of 2/9 A theta^3 a step (BDF2) and moves by A theta, however small A is. Its loss per radian,
// 2/9 A theta^2, is to be compared with the way that the body has gone. The step's second difference is A theta^2 at
// most, at the turning points, while the error is largest between them. So both are maxima over the last steps.
#pragma once

#include "base/record.h"
#include "stepping/implicit/prediction.h"
#include "stepping/implicit/scheme.h"

// Displacements in mass-weighted rms, held elements not counted.
typedef struct sherd_time_error {
    double error; // of the step [m]
    double move;  // from its start to its end [m]
    // Distance of its end from the prediction, and from where velocities at its start alone would have led [m]
    double off, off_even;
    // Without the motion of the centre of mass, whose fall and flight are exact:
    double way;   // from the beginning to the step's end, the longest so far [m]
    double spent; // errors of all steps accepted before [m]
    double
        bend; // second difference, p_n+1 - p_n - (p_n - p_n-1) dt / before; infinite: unknown [m]
    double turn;                  // theta, as far as bend and error tell [rad]
    double bend_rate, error_rate; // bend / dt^2, error / dt^3, of the last steps together
    double loss;                  // power that the step takes from vibrations, by its error [W]
} sherd_time_error;

enum { SHERD_TRAIL_LENGTH = 3 };

typedef struct sherd_time_errors {
    sherd_element_index count;
    float *start[3]; // where elements were at the beginning [m] (n)
    float *trail[SHERD_TRAIL_LENGTH]
                [3]; // and when they were sampled, newest first, from there [m] (n)
    double trail_step[SHERD_TRAIL_LENGTH]; // time from the one before to each [s]
    int trail_count, trail_newest;
    float *memory;                      // owned; all of the above
    struct sherd_time_error_sums *sums; // by chunk; owned
    double bend_rate, error_rate;       // of the steps accepted lately
    double longest_way, spent;          // of all steps accepted [m]
} sherd_time_errors;

bool sherd_time_errors_init(sherd_time_errors *errors, const sherd_elements *elements);
void sherd_time_errors_free(sherd_time_errors *errors);
size_t sherd_time_errors_bytes(const sherd_time_errors *errors); // of `memory`

// Of a step from `prediction` to the elements' poses.
sherd_time_error sherd_time_errors_judge(const sherd_time_errors *errors,
                                         const sherd_prediction *prediction,
                                         sherd_scheme_kind scheme, const sherd_elements *elements,
                                         const sherd_parallel *parallel);
void sherd_time_errors_save(const sherd_time_errors *errors, sherd_byte_buffer *out);
void sherd_time_errors_restore(sherd_time_errors *errors, sherd_record_reader *in);

// During explicit steps: samples positions, a time h [s] after the last sample, and estimates from the samples the
// error, the move and the way of a BDF2 step of length h. With fewer than four samples bend is infinite.
sherd_time_error sherd_time_errors_sample(sherd_time_errors *errors, double h,
                                          const sherd_elements *elements,
                                          const sherd_parallel *parallel);
void sherd_time_errors_clear_samples(sherd_time_errors *errors); // forgets them
// The step with this error is accepted.
void sherd_time_errors_accept(sherd_time_errors *errors, const sherd_time_error *of);
void sherd_time_errors_forget(
    sherd_time_errors *errors); // former steps say nothing about the next ones
