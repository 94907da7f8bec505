// Uniformly distributed points on the middle surface of a wall: about six neighbours each, at equal
// distances.
#pragma once

#include "packing/shell/shell_target.h"

#include <sherd/packing.h>

enum { SHERD_SHELL_NEIGHBOURS = 32 };

typedef struct sherd_shell_points {
    size_t count;
    sherd_vec3 *point, *normal;
    double *wall;    // thickness there [m]
    int32_t *border; // nearest points of the border within reach, at most two, or -1  (count x 2)
    int32_t *neighbour;  // those within reach  (count x SHERD_SHELL_NEIGHBOURS)
    uint8_t *neighbours; // how many
} sherd_shell_points;

// SHERD_ERROR_INPUT when nothing fits or more than max_elements would be needed.
sherd_status sherd_shell_points_init(sherd_shell_points *points, const sherd_shape *shape,
                                     const sherd_shell_target *target, const sherd_packing_def *def,
                                     sherd_error *error);
void sherd_shell_points_free(sherd_shell_points *points);
