// Given properties of a world's elements and bonds, as arrays.
#pragma once

#include <sherd/world_def.h>

#include <stdbool.h>

// n elements, m bonds, in the world's order. Owned.
typedef struct sherd_given_columns {
    double *rest_x, *rest_y, *rest_z; // in the body's rest frame [m]  (n)
    double *radius, *mass;            // [m], [kg]                     (n)
    uint16_t *material;               // index                         (n)
    float *bond_section;              // area [m^2]                    (m)
} sherd_given_columns;

// False when memory is short; free in any case.
SHERD_API bool sherd_given_columns_create(sherd_given_columns *columns, const sherd_world *world);
SHERD_API void sherd_given_columns_free(sherd_given_columns *columns);
