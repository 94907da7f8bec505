// Breaks of bonds and particles of glue: when, where, by which load, and how much energy was
// released.
#pragma once

#include <sherd/export.h>
#include <sherd/types.h>

// Enumerator, word in tables, and meaning: the load with the largest term in the breakage criterion
// that was exceeded most, relative to its strength (sherd/laws.h). For softening bonds it is taken
// when they part.
//   [BDEM21] (17), (18)   sigma = n(F_n) / S + |M_b| r0 / I,   tau = |F_s| / S + |M_t| r0 / J
#define SHERD_BREAK_MODES(ROW)                                                                     \
    ROW(TENSION, tension, "F_n > 0")                                                               \
    ROW(SHEAR, shear, "F_s")                                                                       \
    ROW(BENDING, bending, "M_b")                                                                   \
    ROW(TWISTING, twisting, "M_t")                                                                 \
    ROW(COMPRESSION, compression, "F_n < 0, of criteria that take its magnitude")

#define SHERD_BREAK_MODE_ENUMERATOR(NAME, ...) SHERD_BREAK_##NAME,
// The load that broke a bond.
typedef enum sherd_break_mode {
    SHERD_BREAK_MODES(SHERD_BREAK_MODE_ENUMERATOR) SHERD_BREAK_MODE_COUNT // number of modes
} sherd_break_mode;

// The words of SHERD_BREAK_MODES in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_break_mode_words[];

// One break of a bond, or of a particle of glue (sherd/glue.h). Pre-cracks, which are broken from
// the start, are not breaks.
typedef struct sherd_break {
    sherd_bond_index bond; // number of the bond; particles of glue follow the world's bonds
    double time;           // end of the step in which it broke [s]
    sherd_vec3 place; // midpoint between the centres of its elements, or position of the glue [m]
    // Elastic energy that it stored when it broke, >= 0; 0 for glue [J]. The sum over all breaks is
    // dissipated_fracture; what bonds lost while they softened is in dissipated_softening
    // (sherd_energy).
    double energy;
    sherd_element_index i, j; // its elements, i < j
    sherd_body_index body;    // the body of both
    sherd_break_mode mode;    // the load that broke it; TENSION or SHEAR for glue
    int32_t piece_i, piece_j; // glue: the pieces of i and j in their body, from 0; -1 for a bond
} sherd_break;
