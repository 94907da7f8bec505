// The bodies of `sherd bench fracture`: small, so that many seeds are affordable.
#pragma once

#include <sherd/shape.h>
#include <sherd/world_def.h>

typedef struct fracture_case {
    const char *name;
    double duration; // [T]
    double interval; // between counts of breaks [T]; implicit steps are not longer
    bool falls;      // under gravity
    // Adds bodies and obstacles. `tool` is borrowed by the world; NULL where there is none.
    bool (*build)(sherd_world *world, const sherd_shape *tool, uint64_t seed, int threads,
                  sherd_error *error);
    sherd_shape *(*make_tool)(sherd_error *error); // NULL: none
} fracture_case;

enum { FRACTURE_CASES = 4 };

const fracture_case *fracture_case_at(int index);

// A world with the case in it, whose strengths scatter by `seed`. `tool` is the result of make_tool.
sherd_world *fracture_case_world(const fracture_case *which, const sherd_world_def *def,
                                 const sherd_shape *tool, uint64_t seed, sherd_error *error);
