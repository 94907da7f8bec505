// Loops over nodes that glue reaches, compiled once for each instruction set; the same bits for all.
#pragma once

#include "models/mpm/kernels/mpm_glue_reach.h"

// Velocity and its gradient, l[i][k] = dv_i/dx_k, of the common motion of both pieces. Weights are those of nodes that
// have mass, so that what moves alike gives no gradient. False where none has.
typedef bool sherd_mpm_glue_motion_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w, double v[3],
                                            double l[3][3]);
// sum w sigma_i / sum w; false where there is nothing.
typedef bool sherd_mpm_glue_stress_function(const sherd_mpm_grid *grid,
                                            const sherd_mpm_glue_tile *place,
                                            const sherd_mpm_glue_weights *w,
                                            double stress[SHERD_MPM_SYMMETRIC]);
// Gives all layers of a block that have mass at a node one velocity there, at these nodes, x fastest. Returns what that takes:
// sherd_mpm_losses.joining [J].
typedef double sherd_mpm_join_function(sherd_mpm_grid *grid, const sherd_mpm_shared_block *block,
                                       uint64_t nodes);

sherd_mpm_glue_motion_function sherd_mpm_glue_motion_baseline;
sherd_mpm_glue_motion_function sherd_mpm_glue_motion_avx2;   // x86-64 only
sherd_mpm_glue_motion_function sherd_mpm_glue_motion_avx512; // x86-64 only
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_baseline;
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_avx2;   // x86-64 only
sherd_mpm_glue_stress_function sherd_mpm_glue_stress_avx512; // x86-64 only
sherd_mpm_join_function sherd_mpm_join_nodes_baseline;
sherd_mpm_join_function sherd_mpm_join_nodes_avx2;   // x86-64 only
sherd_mpm_join_function sherd_mpm_join_nodes_avx512; // x86-64 only
