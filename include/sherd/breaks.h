// Bonds and particles of glue that broke: when, where, by what, and what was released.
#pragma once

#include <sherd/export.h>
#include <sherd/types.h>

// Enumerator, word in tables, and what it is: the largest term of the sum of the breakage criterion (sherd/laws.h)
// that was exceeded more, over its strength. Of bonds that soften, when they part.
//   [BDEM21] (17), (18)   sigma = n(F_n) / S + |M_b| r0 / I,   tau = |F_s| / S + |M_t| r0 / J
#define SHERD_BREAK_MODES(ROW)                                                                     \
    ROW(TENSION, tension, "F_n > 0")                                                               \
    ROW(SHEAR, shear, "F_s")                                                                       \
    ROW(BENDING, bending, "M_b")                                                                   \
    ROW(TWISTING, twisting, "M_t")                                                                 \
    ROW(COMPRESSION, compression, "F_n < 0, of criteria that take its magnitude")

#define SHERD_BREAK_MODE_ENUMERATOR(NAME, ...) SHERD_BREAK_##NAME,
typedef enum sherd_break_mode {
    SHERD_BREAK_MODES(SHERD_BREAK_MODE_ENUMERATOR) SHERD_BREAK_MODE_COUNT // how many there are
} sherd_break_mode;

// The words in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_break_mode_words[];

// One bond, or particle of glue between pieces of material points (sherd/glue.h), that broke. Pre-cracks, which are broken
// from the start, are none.
typedef struct sherd_break {
    sherd_bond_index bond; // particles of glue are numbered on from the world's bonds
    double time;           // the end of the step in which it broke [s]
    // The middle between the centres of its elements when it broke; of glue where it was [m].
    sherd_vec3 place;
    // That it stored when it broke, >= 0, 0 of glue [J]. They sum to dissipated_fracture; what bonds lost while they softened
    // is in dissipated_softening (sherd_energy).
    double energy;
    sherd_element_index i, j; // its elements, i < j
    sherd_body_index body;    // of both
    sherd_break_mode mode;    // of glue TENSION or SHEAR
    // Of glue: the pieces of its body that i and j belong to, from 0; -1: a bond.
    int32_t piece_i, piece_j;
} sherd_break;
