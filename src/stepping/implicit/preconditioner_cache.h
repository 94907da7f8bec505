// What preconditions linear solves, kept from step to step while it serves: for steps of about the same length, of
// what has neither broken nor turned since, with as many contacts pressing.
#pragma once

#include "base/byte_buffer.h"
#include "stepping/implicit/newton.h"

// Starts from zeros: nothing is kept.
typedef struct sherd_preconditioner_cache {
    double fresh;         // iterations of a linear solve when it was new; 0 = not to be kept
    double gamma;         // of the steps it was made for [1/s]
    double turned;        // what the fastest elements have turned since, at most [rad]
    int64_t spring_count; // of contacts, then
    uint64_t topology;    // of bonds
} sherd_preconditioner_cache;

// Tells a solve of a step of gamma what it may keep.
void sherd_preconditioner_cache_offer(const sherd_preconditioner_cache *kept, double gamma,
                                      uint64_t topology, sherd_newton_settings *settings);
// Learns from what that solve says.
void sherd_preconditioner_cache_learn(sherd_preconditioner_cache *kept, double gamma,
                                      uint64_t topology, const sherd_newton_report *report);
// A step of length dt was accepted.
void sherd_preconditioner_cache_turn(sherd_preconditioner_cache *kept, double dt,
                                     const sherd_elements *elements,
                                     const sherd_parallel *parallel);

// The topology has another number after a restart.
void sherd_preconditioner_cache_save(const sherd_preconditioner_cache *kept, uint64_t topology,
                                     sherd_byte_buffer *out);
void sherd_preconditioner_cache_restore(sherd_preconditioner_cache *kept, uint64_t topology,
                                        sherd_byte_reader *in);
