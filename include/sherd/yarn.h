// Bodies of yarns: ropes, woven cloth, knitted fabric. Each yarn is a chain of bonded elements;
// between yarns there is contact and friction, and glue where requested.
//                                                          [BDEM21] 5.5, [IBDEM25] "Cloth"
#pragma once

#include <sherd/packing.h>

// What yarns make.
typedef enum sherd_yarn_kind {
    SHERD_YARN_ROPE = 0, // a rope
    SHERD_YARN_WOVEN,    // woven cloth
    SHERD_YARN_KNITTED,  // knitted fabric
} sherd_yarn_kind;

// Pattern of woven cloth.
typedef enum sherd_weave {
    SHERD_WEAVE_PLAIN = 0, // over one, under one
    SHERD_WEAVE_TWILL,     // over two, under two, one further in each row
    SHERD_WEAVE_SATIN,     // over four, under one, two further in each row
} sherd_weave;

// Where different yarns are bonded.
typedef enum sherd_yarn_glue {
    SHERD_YARN_GLUE_NONE = 0, // nowhere: contact and friction hold yarns together
    SHERD_YARN_GLUE_EDGES,    // where they cross along the edges: a selvedge, an edge that cannot
                              // unravel, a whipped end of a rope
    SHERD_YARN_GLUE_ALL,      // wherever they touch
} sherd_yarn_glue;

// Yarns twisted into strands, strands into a rope.
typedef struct sherd_rope_def {
    double radius; // of the whole rope [m], > 0
    double length; // [m], > 0; along z, centred; unused with a path
    int strands;   // [1, 64], default 3
    int plies; // yarns twisted into each strand, [1, 64], default 1; with `filled`: those outside
    bool
        filled; // true: more yarns, as thick, within those of each strand, to its middle; default false
    double pitch;     // length of one turn of a strand [m]; < 0: left-handed; 0 (default): 10 radii
    double ply_pitch; // the same of a yarn in its strand [m]; 0 (default): 10 radii of the strand,
                      // in the opposite direction
    bool core;      // true: one more straight strand in the middle, as thick as fits; default false
    int path_count; // number of points of `path`, >= 2, or 0 for a straight rope
    const sherd_vec3
        *path; // points that the rope's axis follows smoothly [m] (path_count); borrowed
} sherd_rope_def;

// Woven cloth: warp along y, weft along x, centred in the plane z = 0.
typedef struct sherd_woven_def {
    double radius;        // of a yarn [m], > 0
    int warp, weft;       // number of yarns, >= 2 each
    double warp_distance; // between centre lines of warp yarns [m]; 0 (default): 5 radii
    double weft_distance; // between centre lines of weft yarns [m]; 0 (default): 5 radii
    sherd_weave weave;    // default PLAIN
    double crimp;         // fraction of the waviness that the warp takes [-], [0, 1], default 0.5
} sherd_woven_def;

// Plain knit (jersey): one yarn per row along x, rows along y, centred.
typedef struct sherd_knitted_def {
    double radius;          // of the yarn [m], > 0
    int rows, columns;      // number of loops, >= 1 each
    double row_distance;    // from row to row [m]; 0 (default): 7.2 radii
    double column_distance; // from loop to loop [m]; 0 (default): 9 radii
} sherd_knitted_def;

// Definition of a body of yarns.
typedef struct sherd_yarn_def {
    uint32_t cookie;           // set by sherd_yarn_def_default; any other value is rejected
    sherd_yarn_kind kind;      // default ROPE
    sherd_rope_def rope;       // ROPE: its parameters
    sherd_woven_def woven;     // WOVEN: its parameters
    sherd_knitted_def knitted; // KNITTED: its parameters
    // Distance of a yarn's elements over the yarn's diameter [-], [0.6, 1.2], default 1. Smaller
    // distances let yarns slide more smoothly past each other and cost more.
    double spacing;
    // Fraction of a yarn's cross-section that carries load [-], (0, 1], default 1. Fibres bend
    // separately, so a yarn is more flexible than a rod of its thickness: stretching stiffness is
    // proportional to this fraction, bending stiffness to its square.
    double fiber_share;
    sherd_yarn_glue glue; // where different yarns are bonded, default NONE
    int64_t max_elements; // more elements are an error, default 50 million
} sherd_yarn_def;

// Returns a definition with the defaults above.
SHERD_API sherd_yarn_def sherd_yarn_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_yarn_def_fields(void);

// Creates the elements of yarns, yarn by yarn and in order along each, with a list of bonds: bonds
// of elements k and k + 1 are along a yarn, all others are glue. Free the result with
// sherd_packing_destroy. NULL with SHERD_ERROR_INPUT (invalid values, yarns that would intersect,
// too many elements) or SHERD_ERROR_MEMORY.
SHERD_API sherd_packing *sherd_yarn_create(const sherd_yarn_def *def, sherd_error *error);
