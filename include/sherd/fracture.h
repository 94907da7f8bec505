// Pieces of a body of material points, and the glue that holds them together until it breaks.
//
//     sherd_fracture_def def = sherd_fracture_def_default();
//     def.wall_count = 1, def.walls = &walls; // of <sherd/weakness.h>, VORONOI or CUT
//     def.tensile_strength = def.shear_strength = 1e6;
//     body.fracture = &def;
#pragma once

#include <sherd/field.h>
#include <sherd/shape.h>
#include <sherd/weakness.h>

typedef struct sherd_fracture_def {
    uint32_t cookie; // set by sherd_fracture_def_default; anything else is refused
    // Neighbouring points that no wall parts are of one piece. In the body's rest frame.
    int wall_count;
    const sherd_weakness *const *walls; // borrowed while the body is added (wall_count)
    // Of glue: stress across its wall and along it at which it breaks [Pa], >= 0, default INFINITY: never. 0: there
    // is no glue.
    double tensile_strength, shear_strength;
    double
        fracture_energy; // G_f of glue, which softens past its strength [J/m^2]; 0 (default): it breaks at once
    // Both strengths are spread evenly from 1 - scatter to 1 + scatter times these, [0, 1], default 0.
    double scatter;
    uint64_t seed; // of the scatter
    const sherd_shape
        *glued; // glue is inside it only, in the rest frame; NULL (default): everywhere
} sherd_fracture_def;

SHERD_API sherd_fracture_def sherd_fracture_def_default(void);
SHERD_API const sherd_definition *sherd_fracture_def_fields(void);
