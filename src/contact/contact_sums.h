// Sums over contacts of one force evaluation.
#pragma once

#include <stdint.h>

typedef struct sherd_contact_sums {
    double stored, damped, slid, onset, pending; // [J]
    int64_t touching;
} sherd_contact_sums;

static inline void contact_sums_add(sherd_contact_sums *total, const sherd_contact_sums *part)
{
    total->stored += part->stored;
    total->damped += part->damped;
    total->slid += part->slid;
    total->onset += part->onset;
    total->pending += part->pending;
    total->touching += part->touching;
}

enum {
    SHERD_PAIR_REMEMBERS = 1, // its history is not empty
    SHERD_PAIR_TOUCHES = 2,   // it exerted a force in the last evaluation
    SHERD_PAIR_FACES = 4,     // by crack faces (crack_faces.h)
};
