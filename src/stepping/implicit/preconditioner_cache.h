// Reuse of the preconditioner across steps, while step lengths are similar, nothing has broken or
// rotated much since, and about as many contacts press.
#pragma once

#include "base/record.h"
#include "stepping/implicit/newton.h"

// Valid when zero-filled: nothing to reuse.
typedef struct sherd_preconditioner_cache {
    double fresh;         // iterations of a linear solve when it was new; 0 = not to be reused
    double gamma;         // of the steps it was made for [1/s]
    double turned;        // upper bound of the rotation of elements since [rad]
    int64_t spring_count; // of contacts, at that time
    uint64_t topology;    // of bonds
} sherd_preconditioner_cache;

// Sets the reuse for a solve of a step of gamma.
void sherd_preconditioner_cache_offer(const sherd_preconditioner_cache *cache, double gamma,
                                      uint64_t topology, sherd_newton_settings *settings);
// Updates the cache by that solve's report.
void sherd_preconditioner_cache_learn(sherd_preconditioner_cache *cache, double gamma,
                                      uint64_t topology, const sherd_newton_report *report);
// A step of length dt was accepted.
void sherd_preconditioner_cache_turn(sherd_preconditioner_cache *cache, double dt,
                                     const sherd_elements *elements,
                                     const sherd_parallel *parallel);

// The topology number changes at a restart. Restores the saved values, or the reader reports a
// failure.
void sherd_preconditioner_cache_save(const sherd_preconditioner_cache *cache, uint64_t topology,
                                     sherd_byte_buffer *out);
void sherd_preconditioner_cache_restore(sherd_preconditioner_cache *cache, uint64_t topology,
                                        sherd_record_reader *in);
