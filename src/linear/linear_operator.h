// The interface between linear solvers and the model that provides the matrix. A model, or another
// back end of one, implements it; solvers never access its storage. Functions are called for whole
// vectors, for parts of thousands of nodes, or for lists of edges, never for single edges.
//
// The model provides c M + c' C + K of its points (linear_system.h). Solvers handle free bodies,
// springs of contacts and held freedoms, in the same form for every model (linear_matrix.h).
#pragma once

#include "linear/rigid_spring.h"

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sherd_linear_system sherd_linear_system;

// y = (c M + c' C + K) x. No two of the vectors overlap. Columns are `stride` apart.
typedef struct sherd_linear_pass {
    size_t stride;
    const float *x; // multiplied directly if z is NULL,
    const float *z; // otherwise z + beta x is multiplied
    float beta;
    float *turned; // and stored here
    float *y;
    // x . y, one number per part; the model decides which part counts an edge. NULL: not requested.
    double *energy;
} sherd_linear_pass;

// Results are completed in parts of consecutive nodes. The last part includes the bodies and the
// padding behind them.
typedef struct sherd_linear_parts {
    size_t count; // >= 1
    // Nodes of every part but the last, a multiple of SHERD_NODE_LANES; the stride if there is one part.
    size_t length;
} sherd_linear_parts;

typedef struct sherd_linear_operator {
    // Prepares products for the system's present state. Everything that the system points to must
    // stay unchanged until the next call.
    sherd_status (*prepare)(void *state, const sherd_linear_system *system, sherd_error *error);
    // For the last prepared system.
    sherd_linear_parts (*parts)(const void *state);

    // Writes y at all points of the model, except for the terms that `finish_product` adds. Entries
    // beyond the points stay unchanged.
    void (*multiply)(void *state, const sherd_linear_pass *pass);
    // Adds the terms of other parts to part number `part` of y. Called once for each part after
    // `multiply`, from several threads at once. NULL: there are no such terms.
    void (*finish_product)(const void *state, size_t part, float *y);
    // The diagonal blocks, packed as by sherd_linear_matrix_diagonal, in the same two stages.
    void (*diagonal)(void *state, float *blocks);
    void (*finish_diagonal)(const void *state, size_t part, float *blocks);

    // Adds the springs of the intact edges of a list to `spring`, relative to `centre`
    // (rigid_spring.h). Positions, graph and c' are those of `system`: the prepared one, or the
    // same points at an earlier state.
    void (*add_springs)(const void *state, const sherd_linear_system *system, const uint32_t *edge,
                        int64_t count, sherd_vec3 centre, double spring[SHERD_SPRING_NUMBERS]);
    // The approximate stiffness of all intact edges of a point against displacement [N/m] and
    // rotation [N m]. Called for points with held freedoms.
    void (*hold)(const void *state, const sherd_linear_system *system, int32_t point,
                 double *translational, double *rotational);
} sherd_linear_operator;
