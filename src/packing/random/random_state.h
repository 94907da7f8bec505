// State of the stages of random close packing (random.c).
#pragma once

#include "base/parallel.h"

#include <sherd/packing.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHERD_RCP_CHUNK = 512, // balls in a chunk
    SHERD_RCP_LANES = 8,   // neighbours computed at once
};

typedef struct sherd_rcp_ball {
    double x, y, z; // centre [m]
    double r;       // radius at scale 1 [m]
} sherd_rcp_ball;

// Neighbours of every ball, up to `skin` beyond contact; each pair is listed for both balls.
typedef struct sherd_rcp_list {
    double skin;          // [m]
    double scale;         // when it was made
    sherd_rcp_ball *made; // balls when it was made (n)
    // Of each ball, in the list of its chunk; padded with the ball itself to whole vectors (n)
    uint32_t *start, *end;
    struct sherd_rcp_numbers {
        int32_t *number;
        size_t capacity;
    } * chunks;
    size_t chunk_count;
} sherd_rcp_list;

enum { SHERD_RCP_PLANES = 4 };

// The surface near a ball, as the planes it may touch; the first is the nearest.
typedef struct sherd_rcp_wall {
    double x, y, z; // where the ball was when they were found [m]
    double depth[SHERD_RCP_PLANES];
    sherd_vec3 normal[SHERD_RCP_PLANES]; // outward
    int planes;
} sherd_rcp_wall;

typedef struct sherd_rcp {
    const sherd_shape *shape;
    sherd_parallel parallel;
    size_t count;
    sherd_rcp_ball *ball; // (n)
    sherd_vec3 *velocity; // (n)
    sherd_vec3 *force;    // (n)
    double scale;         // of all radii
    double scale_least;   // radii are not reduced further
    double scale_most;    // at a larger scale the largest balls fit nowhere
    double mean_radius;   // at scale 1 [m]
    double largest;       // radius at scale 1 [m]
    sherd_rcp_list list;
    double *deep;         // lower bound of the depth of each ball when the list was made [m]
    int32_t *wall_of;     // index of each ball in `wall`, -1 far from the surface (n)
    sherd_rcp_wall *wall; // (wall_count)
    size_t wall_count, wall_capacity;
    bool edges;            // more than one plane is searched for
    double pull;           // attraction of nearby balls by the surface, as an overlap [m]
    atomic_bool no_memory; // some chunk ran out of memory
} sherd_rcp;

static inline sherd_vec3 sherd_rcp_centre(const sherd_rcp_ball *b)
{
    return (sherd_vec3){b->x, b->y, b->z};
}

// A ball is attracted by the surface if its gap is below this [mean radii].
static const double SHERD_RCP_PULL_REACH = 0.9;
