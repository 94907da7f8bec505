// math/lane*.h of one width, precision and instruction set, behind functions that a test can call:
// lane_probe.c is compiled once for each.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lane_operation {
    LANE_INVERSE_SQRT_1_PLUS,
    LANE_INVERSE_OF_1_PLUS,
    LANE_ROOT_OF_2_OVER_1_PLUS,
    LANE_THETA_OVER_SIN,
    LANE_ROTATION_FACTOR,
    LANE_HALF_TURN_SINE,
    LANE_HALF_TURN_COSINE,
    LANE_APPROXIMATIONS, // those above are approximations, those below exact
    LANE_SQRT = LANE_APPROXIMATIONS,
    LANE_ABS,
    LANE_FLIP_SIGN,
    LANE_MAX,
    LANE_MIN,
    LANE_FMA,
    LANE_FNMA,
    LANE_GREATER, // masks as 0 and 1
    LANE_NOT_GREATER,
    LANE_SELECT, // by a > b: a or c
    LANE_KEEP,   // where a > b: c, otherwise 0
    LANE_ANY,    // the same in all lanes
    LANE_ANY_GREATER,
    LANE_MASK_OF_BITS,   // bits: a of lane 0
    LANE_THROUGH_WIDE,   // to doubles and back
    LANE_THROUGH_HALVES, // likewise, half of the lanes at a time
    LANE_OPERATIONS,
} lane_operation;

enum { LANE_PROBE_MAX_LANES = 16 };

typedef struct lane_probe {
    const char *name;
    int lanes, double_lanes;
    bool single, fma; // float instead of double; has fused multiply-adds
    // Of `count` numbers each, a multiple of `lanes`; they must be reals.
    void (*apply)(lane_operation operation, const double *a, const double *b, const double *c,
                  double *result, size_t count);
    // Short series only: beyond[k] = 1 where they don't suffice. Not for half turns.
    void (*apply_short)(lane_operation operation, const double *a, double *result, double *beyond,
                        size_t count);
    // In place: lanes x lanes reals, double_lanes x double_lanes doubles.
    void (*transpose)(double *square);
    void (*transpose_doubles)(double *square);
    void (*transpose_8)(double *rows); // 8 x lanes reals
    // Of one vector: base[index[k]] for reals, and for as many doubles.
    void (*gather)(const double *base, int base_count, const int *index, double *result);
    void (*gather_doubles)(const double *base, const int *index, double *result);
    // double_lanes doubles rounded to reals, in a register and through memory.
    void (*round_doubles)(const double *from, double *in_register, double *through_memory);
    // As many through short doubles and through singles; as many small integers as such.
    void (*store_doubles)(const double *from, double *through_short, double *through_single);
    void (*widen)(const uint16_t *from, int32_t *to);
} lane_probe;
