// Glue between the pieces of a body of material points (sherd/fracture.h), particle by particle.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>

// A particle of glue joins two neighbouring points i < j on either side of a wall. It has no mass
// and stores no energy.
typedef struct sherd_glue_particle {
    sherd_element_index i, j; // the two points
    int32_t piece_i, piece_j; // their pieces in the body, from 0
    sherd_body_index body;    // the body, from 0
    sherd_vec3 place;         // present position, or where it broke [m]
    double area;              // area of wall that it represents, undeformed [m^2]
    double tensile_strength;  // [Pa], INFINITY: never breaks
    double shear_strength;    // [Pa], INFINITY: never breaks
    // [N], INFINITY: never breaks; NAN: glue that breaks by stress. Glue with a threshold of force
    // has infinite strengths.
    double threshold;
    // Traction that the material of j exerts on that of i across the wall [Pa]. For intact glue it
    // is that of the last test, at most four steps ago (0 before the first), for broken glue that
    // at breaking. NAN for glue that never breaks or breaks by force, which is not tested.
    sherd_vec3 traction;
    double normal_traction, shear_traction; // component along the wall's normal, tension positive,
                                            // and magnitude of the remainder [Pa]
    bool broken;                            // true if it has broken
} sherd_glue_particle;
