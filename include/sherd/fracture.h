// Fracture of material points: a body in pieces that are glued together until the glue breaks.
//
//     sherd_fracture_def def = sherd_fracture_def_default();
//     def.wall_count = 1, def.walls = &walls; // of <sherd/weakness.h>, VORONOI or CUT
//     def.tensile_strength = def.shear_strength = 1e6;
//     body.fracture = &def;
#pragma once

#include <sherd/field.h>
#include <sherd/shape.h>
#include <sherd/weakness.h>

// What glue is tested by.
typedef enum sherd_glue_criterion {
    SHERD_GLUE_STRESS = 0, // the stress of the material on its wall
    SHERD_GLUE_FORCE,      // the relative force at nodes of the grid [MPMG] (20) to (22)
} sherd_glue_criterion;

// Definition of a body's pieces and glue.
typedef struct sherd_fracture_def {
    uint32_t cookie; // set by sherd_fracture_def_default; any other value is rejected
    int wall_count;  // number of walls, >= 0
    // Walls in the body's rest frame (wall_count), of kind VORONOI or CUT; borrowed while the body
    // is added. Neighbouring points without a wall between them belong to one piece.
    const sherd_weakness *const *walls;
    sherd_glue_criterion criterion; // default STRESS
    // STRESS: normal and shear traction at which glue breaks [Pa], >= 0. Default INFINITY: never;
    // 0: no glue. FORCE: INFINITY.
    double tensile_strength, shear_strength;
    // FORCE: relative force c_g at a node at which the glue there breaks [N], >= 0; it works in
    // tension, and the stress that it means depends on the grid. INFINITY: never. STRESS: NAN
    // (default).
    double threshold;
    // Fracture energy G_f of glue, which softens beyond its strength [J/m^2], >= 0. 0 (default):
    // glue breaks at once.
    double fracture_energy;
    // Strengths and threshold are multiplied by a factor that is uniform in [1 - scatter, 1 + scatter], [0,
    // 1], default 0.
    double scatter;
    uint64_t seed; // of the random factors, default 0
    // Glue exists inside this shape only, in the rest frame; borrowed. NULL (default): everywhere.
    const sherd_shape *glued;
} sherd_fracture_def;

// Returns a definition with the defaults above.
SHERD_API sherd_fracture_def sherd_fracture_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_fracture_def_fields(void);
