// How far a step is from the motion in continuous time.
//
// The difference between where a step led and where the motion before it pointed is, by Taylor's series, a multiple
// of what the scheme misses. Held against the step's own move, that would make steps far too short wherever
// a body rings a little while it moves a lot: a swing of amplitude A and angle theta = omega dt per step errs
// by 2/9 A theta^3 a step (BDF2) and moves by A theta, however small A is. What it loses over a radian,
// 2/9 A theta^2, is to be held against the way that the body has gone. A theta^2 is the step's second
// difference at most: where the swing turns back, while the error is largest in between. So both are those of
// the last steps together.
#pragma once

#include "stepping/implicit/prediction.h"
#include "stepping/implicit/scheme.h"

// Displacements in mass-weighted rms, held elements not counted.
typedef struct sherd_time_error {
    double error; // of the step [m]
    double move;  // from its start to its end [m]
    // Its end from where the prediction, and velocities at its start alone, would have led [m]
    double off, off_even;
    // Without the motion of the mass centre, which falls and flies exactly:
    double way;   // from where elements were at first to the step's end, the longest so far [m]
    double spent; // errors of all steps accepted before [m]
    double
        bend; // second difference, p_n+1 - p_n - (p_n - p_n-1) dt / before; infinite: unknown [m]
    double turn;                  // theta, as far as bend and error tell [rad]
    double bend_rate, error_rate; // bend / dt^2, error / dt^3, of the last steps together
    double loss;                  // power that the step takes of what swings, by its error [W]
} sherd_time_error;

enum { SHERD_TRAIL_LENGTH = 3 };

typedef struct sherd_time_errors {
    sherd_element_index count;
    float *start[3]; // where elements were at first [m] (n)
    float *trail[SHERD_TRAIL_LENGTH]
                [3]; // and when they were watched, newest first, from there [m] (n)
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
typedef struct sherd_byte_buffer sherd_byte_buffer;
typedef struct sherd_byte_reader sherd_byte_reader;
void sherd_time_errors_save(const sherd_time_errors *errors, sherd_byte_buffer *out);
void sherd_time_errors_restore(sherd_time_errors *errors, sherd_byte_reader *in);

// While explicit steps are made: notes where elements are, a time h [s] after the last note, and says of what it has
// of notes what a BDF2 step of length h would have erred by, its move and its way. Fewer than four notes: bend is
// infinite.
sherd_time_error sherd_time_errors_watch(sherd_time_errors *errors, double h,
                                         const sherd_elements *elements,
                                         const sherd_parallel *parallel);
void sherd_time_errors_look_away(sherd_time_errors *errors); // forgets the notes
// The step that this was said of is accepted.
void sherd_time_errors_accept(sherd_time_errors *errors, const sherd_time_error *of);
void sherd_time_errors_forget(
    sherd_time_errors *errors); // steps before say nothing of those to come
