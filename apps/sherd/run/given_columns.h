// What elements and bonds of a world were given, as arrays.
#pragma once

#include <sherd/world.h>

#include <stdbool.h>

typedef struct given_columns {
    double *rest_x, *rest_y, *rest_z; // [m]  (n)
    double *radius, *mass;            // [m], [kg]  (n)
    uint16_t *material;               // (n)
    float *bond_section;              // [m^2]  (bonds)
} given_columns;

// False when memory is short; free in any case.
bool given_columns_create(given_columns *columns, const sherd_world *world);
void given_columns_free(given_columns *columns);
