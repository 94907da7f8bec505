// Glue between pieces of a body of material points (sherd/fracture.h), particle by particle.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>

// Between two neighbouring points i < j that a wall parts. It has no mass and stores nothing.
typedef struct sherd_glue_particle {
    sherd_element_index i, j;
    int32_t piece_i, piece_j; // of the body, from 0
    sherd_body_index body;
    sherd_vec3 place;        // where it is, or was when it broke [m]
    double area;             // of the wall that it stands for, at rest [m^2]
    double tensile_strength; // [Pa], as shear_strength
    double shear_strength;   // INFINITY in both: it can't break
    // Of intact glue by the last test, at most four steps ago, 0 before the first; of broken glue when it broke. Traction
    // that the material of j exerts on that of i across the wall, its part along the wall's normal, tension positive, and
    // the size of the rest [Pa]. NAN of glue that can't break, which is not tested.
    sherd_vec3 traction;
    double normal_traction, shear_traction;
    bool broken;
} sherd_glue_particle;
