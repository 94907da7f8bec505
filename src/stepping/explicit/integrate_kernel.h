// Time integration of elements over a range of indices. Compiled once per instruction set.
//
// Ranges begin at multiples of 8. Arrays of elements are padded to a multiple of 64 bytes
// (base/memory.h): whole vectors may be read and written past the last element.
#pragma once

#include "bodies/driver.h"
#include "points/elements.h"

typedef struct sherd_integration {
    sherd_elements *e;
    sherd_vec3 gravity;        // [m/s^2]
    double dt;                 // [s]
    double max_radii_per_step; // an element that moves or turns farther may be unstable
    sherd_vec3 frame;          // velocity of the frame of `farthest2` [m/s]
} sherd_integration;

typedef struct sherd_drift {
    sherd_element_index bad; // the first element that may be unstable, or -1
    double fastest2;  // upper bound of the squared speed of any element, rims included [m^2/s^2]
    double farthest2; // the same for centres, relative to `frame`
} sherd_drift;

// Applies the due half kicks (1, or 2 if the last step's second one was postponed) and the drift.
// `alike`: all have the first one's radius and mass. NaN counts as unstable.
//                                                                [BDEM21] Algorithm 1, lines 6-10
typedef sherd_drift sherd_kick_and_drift_function(const sherd_integration *in, int kicks,
                                                  bool alike, sherd_element_index begin,
                                                  sherd_element_index end);

// Applies the second half kick.                                                   lines 18, 19
typedef void sherd_kick_function(const sherd_integration *in, sherd_element_index begin,
                                 sherd_element_index end);

sherd_kick_and_drift_function sherd_kick_and_drift_baseline;
sherd_kick_and_drift_function sherd_kick_and_drift_avx2;   // x86-64 only
sherd_kick_and_drift_function sherd_kick_and_drift_avx512; // x86-64 only
sherd_kick_function sherd_kick_baseline;
sherd_kick_function sherd_kick_avx2;   // x86-64 only
sherd_kick_function sherd_kick_avx512; // x86-64 only
