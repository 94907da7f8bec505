// The nodes that a glue particle reaches.
#pragma once

#include "models/mpm/grid/mpm_grid.h"

enum { SHERD_MPM_GLUE_REACH = 4 };

// Where a glue particle's nodes are: blocks of its tile, x fastest; -1 where there is none.
typedef struct sherd_mpm_glue_tile {
    int32_t block[3];
    int32_t layer[2][SHERD_MPM_PARTS]; // of piece a, of piece b
    int32_t joint[SHERD_MPM_PARTS];
} sherd_mpm_glue_tile;

// Of the nodes along one axis: from `first` of the tile on.
typedef struct sherd_mpm_glue_weights {
    int first[3];
    double w[3][SHERD_MPM_GLUE_REACH], dw[3][SHERD_MPM_GLUE_REACH]; // the latter dw/dx [1/m]
} sherd_mpm_glue_weights;

// One node of those.
typedef struct sherd_mpm_reached {
    int part, node;
    double w;
    int at[3]; // of the kernel's nodes
} sherd_mpm_reached;

static inline sherd_mpm_reached sherd_mpm_glue_reach(const sherd_mpm_glue_weights *w, int x, int y,
                                                     int z)
{
    int tx = w->first[0] + x, ty = w->first[1] + y, tz = w->first[2] + z;
    sherd_mpm_reached r = {(tx >> 2 & 1) | (ty >> 2 & 1) << 1 | (tz >> 2 & 1) << 2,
                           (tx & 3) | (ty & 3) << 2 | (tz & 3) << 4,
                           w->w[0][x] * w->w[1][y] * w->w[2][z],
                           {x, y, z}};
    return r;
}

#define SHERD_MPM_FOR_EACH_REACHED(kernel, w, r)                                                   \
    for (int z_ = 0; z_ < (int)(kernel); ++z_)                                                     \
        for (int y_ = 0; y_ < (int)(kernel); ++y_)                                                 \
            for (int x_ = 0, once_ = 1; x_ < (int)(kernel); ++x_, once_ = 1)                       \
                for (sherd_mpm_reached r = sherd_mpm_glue_reach(w, x_, y_, z_); once_; once_ = 0)
