// Bodies made of yarns: ropes, woven cloth, knitted fabric. Each yarn is a chain of elements bonded
// one to the next; between yarns there is contact and friction, and glue where asked for.
//                                                          [BDEM21] 5.5, [IBDEM25] "Cloth"
#pragma once

#include <sherd/packing.h>

typedef enum sherd_yarn_kind {
    SHERD_YARN_ROPE = 0,
    SHERD_YARN_WOVEN,
    SHERD_YARN_KNITTED,
} sherd_yarn_kind;

typedef enum sherd_weave {
    SHERD_WEAVE_PLAIN = 0, // over one, under one
    SHERD_WEAVE_TWILL,     // over two, under two, one further in each row
    SHERD_WEAVE_SATIN,     // over four, under one, two further in each row
} sherd_weave;

typedef enum sherd_yarn_glue {
    SHERD_YARN_GLUE_NONE = 0, // contact and friction hold yarns together
    SHERD_YARN_GLUE_EDGES,    // yarns are bonded where they cross along the edges: a selvedge, an
                              // edge that cannot unravel, a whipped end of a rope
    SHERD_YARN_GLUE_ALL,      // wherever they touch
} sherd_yarn_glue;

// Yarns twisted into strands, strands into a rope.
typedef struct sherd_rope_def {
    double radius; // of the whole rope [m], > 0
    double length; // [m], > 0; along z, centred. Not with a path
    int strands;   // [1, 64], default 3
    int plies;     // yarns twisted into each strand, [1, 64], default 1
    double pitch;  // length of one turn of a strand [m], 0 = 10 radii (default); < 0: left-handed
    double ply_pitch; // of a yarn within its strand [m], 0 = 10 radii of the strand, the other way
                      // round (default)
    bool core;      // one more strand straight through the middle, as thick as fits, default false
    int path_count; // >= 2 points that the rope's axis follows smoothly, or 0
    const sherd_vec3 *path; // [m] (path_count), borrowed
} sherd_rope_def;

// Warp runs along y and weft along x; the middle plane is z = 0, centred.
typedef struct sherd_woven_def {
    double radius;        // of a yarn [m], > 0
    int warp, weft;       // number of yarns, >= 2 each
    double warp_distance; // of neighbouring warp yarns' centre lines [m], 0 = 5 radii (default)
    double weft_distance; // of neighbouring weft yarns' centre lines [m], 0 = 5 radii (default)
    sherd_weave weave;
    double crimp; // share of the waviness that the warp takes, [0, 1], default 0.5
} sherd_woven_def;

// Plain knit (jersey): one yarn per row, along x; rows follow each other along y, centred.
typedef struct sherd_knitted_def {
    double radius;          // of the yarn [m], > 0
    int rows, columns;      // loops, >= 1 each
    double row_distance;    // from row to row [m], 0 = 7.2 radii (default)
    double column_distance; // from loop to loop [m], 0 = 9 radii (default)
} sherd_knitted_def;

typedef struct sherd_yarn_def {
    uint32_t cookie; // set by sherd_yarn_def_default; anything else is refused
    sherd_yarn_kind kind;
    sherd_rope_def rope;       // ROPE only
    sherd_woven_def woven;     // WOVEN only
    sherd_knitted_def knitted; // KNITTED only
    // Distance of a yarn's elements, in yarn diameters, [0.6, 1.2], default 1. Closer elements slide
    // more smoothly past other yarns and cost more.
    double spacing;
    // Share of a yarn's cross-section that carries, (0, 1], default 1. Fibres bend one by one: less
    // makes a yarn more flexible than a rod of its thickness. Stretching goes with the share, bending
    // with its square.
    double fiber_share;
    sherd_yarn_glue glue;
    int64_t max_elements; // refuse beyond this, default 50 million
} sherd_yarn_def;

SHERD_API sherd_yarn_def sherd_yarn_def_default(void);
SHERD_API const sherd_definition *sherd_yarn_def_fields(void);

// Elements in the order of yarns, and along each yarn; bonds are listed, and join k and k + 1 only
// within a yarn. Owned result; NULL with SHERD_ERROR_INPUT (bad values, yarns that would cut each
// other, too many elements) or SHERD_ERROR_MEMORY.
SHERD_API sherd_packing *sherd_yarn_create(const sherd_yarn_def *def, sherd_error *error);
