// Tetrahedral finite elements as a model (models/model.h). Its points are nodes; stresses, ratios
// and components are those of tetrahedra, which are the world's elements. Broken bonds are cracked
// faces.
#pragma once

#include "models/bonded/bonded_model.h"
#include "models/fem/fem.h"
#include "models/model.h"

typedef struct sherd_fem_model_state {
    sherd_fem *fem;
    sherd_bonded *bonded; // its elements and bonds; no loads
} sherd_fem_model_state;

extern const sherd_model sherd_model_fem;

// Sets positions and velocities of elements [begin, end) to those of centroids, and spins to half
// the curl of the velocity.
void sherd_fem_place_elements(const sherd_fem *fem, sherd_elements *elements, size_t begin,
                              size_t end);
// Sets orientations to the rotations of F, if they are outdated.
void sherd_fem_turn_elements(sherd_fem *fem, sherd_elements *elements);

// Adds an element's force and torque to its corners such that their power is that of the element's
// motion above:  F / 4 + T x g_c / 2, g_c the present gradient of the corner's shape function.
void sherd_fem_spread_load(sherd_fem *fem, int32_t t, sherd_vec3 force, sherd_vec3 torque);

size_t sherd_fem_bytes(const sherd_fem *fem); // accepts NULL
