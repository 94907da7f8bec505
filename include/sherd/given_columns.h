// Constant properties of a world's elements and bonds, as arrays.
#pragma once

#include <sherd/world_def.h>

#include <stdbool.h>

// Properties of n elements and m bonds in the world's order. The arrays are owned; free them with
// sherd_given_columns_free.
typedef struct sherd_given_columns {
    double *rest_x, *rest_y, *rest_z; // position in the body's rest frame [m]  (n)
    double *radius, *mass;            // [m], [kg]                              (n)
    uint16_t *material;               // index into materials, from 0           (n)
    float *bond_section;              // cross-section area [m^2]               (m)
} sherd_given_columns;

// Fills `columns` from a world. Returns false if memory is short. Free in either case.
SHERD_API bool sherd_given_columns_create(sherd_given_columns *columns, const sherd_world *world);
// Frees the arrays. Zero-filled columns are allowed.
SHERD_API void sherd_given_columns_free(sherd_given_columns *columns);
