// How fast material points are stepped: what `sherd bench mpm` measures. Blocks of points on a lattice of half the
// spacing of nodes, in a box of blocks that move towards each other; each is a body, or all are one.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POINTS_RATE_CUTS = 16 }; // at most

typedef struct points_rate_def {
    bool cubic, affine;       // kernel; APIC instead of FLIP
    const char *law;          // a row of laws/solid/solid_laws.h
    int blocks[3], points[3]; // along the axes; of each block
    double apart;             // blocks, from surface to surface [nodes' spacings]
    bool one_body;
    int cuts; // of all blocks as one body: across x, into pieces held by glue that is tested for breaking, 0: none
    int threads;
    bool paper; // contact pair by pair, and glue by force, of [MPMG]
} points_rate_def;

typedef struct points_rate points_rate;

// Owned result; NULL with an error, SHERD_ERROR_INPUT for an unknown law.
points_rate *points_rate_create(const points_rate_def *def, sherd_error *error);
void points_rate_destroy(points_rate *rate); // NULL is fine

// Steps of the stable length; sets the processor time that they took [s].
sherd_status points_rate_run(points_rate *rate, int steps, double *seconds, sherd_error *error);

int64_t points_rate_count(const points_rate *rate);
int64_t points_rate_shared(const points_rate *rate); // blocks of nodes that bodies share
// Of points and of the grid, but not while points are sorted, when they are there twice [B].
size_t points_rate_bytes(const points_rate *rate);

// Arithmetic operations of one point's step, counted in the formulas; a fused multiply-add is two. Transfers and strain
// alone, without the law: what unused quarters of vectors do is left out.
double points_rate_operations(bool cubic, bool affine);
