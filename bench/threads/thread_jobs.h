// The jobs of `sherd bench threads`: what a run does, each small enough to be repeated. A job made for other numbers of
// threads does the same work, bit for bit.
#pragma once

#include <sherd/error.h>

typedef struct thread_job {
    const char *name;
    // Owned by the caller, with which `destroy` frees it; NULL with an error.
    void *(*create)(const char *name, int threads, sherd_error *error);
    sherd_status (*work)(void *self,
                         sherd_error *error); // one repetition: about half a second of one thread
    void (*destroy)(void *self);
} thread_job;

// Steps of worlds.
extern const thread_job STEP_JOBS[];
extern const int STEP_JOB_COUNT;

// Packings, surfaces and pictures.
extern const thread_job MAKING_JOBS[];
extern const int MAKING_JOB_COUNT;
