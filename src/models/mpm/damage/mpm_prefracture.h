// Pieces and glue of a body of points on a lattice, made before it moves ("pre-fracture" in
// [MPMG]).
//
// Walls are patterns of <sherd/weakness.h> that cross the segment between two points: VORONOI
// (without thickness of walls), CUT by a plane, a disc, a polygon, the closed mesh of a shape or a
// sheet of triangles. Neighbours of the lattice that no wall separates belong to one piece. So
// pieces are connected, and a wall that ends inside the body separates nothing. Crumbs, pieces of
// fewer than SHERD_MPM_MIN_PIECE points at edges of walls, join the neighbouring piece with which
// they share most faces.
//
// Any two neighbours of different pieces get a glue particle where the wall crosses the segment
// between them, with the wall's normal n there. For neighbours along axis k its area is step^2
// |n_k|: a plane of area A separates A |n_k| / step^2 pairs along that axis, so areas add up to A.
// One particle stands for 0.58 to 1 step^2.
//
// A scene's `fracture` sets the definition. In short:
//
//     sherd_mpm_prefracture f;
//     sherd_mpm_prefracture_make(&def, x, count, step, &parallel, &f, &error); // x: in the body's rest frame
//     points.body[k] = first + f.piece[k]; solids[first ... first + f.pieces - 1] = that of the body
//     sherd_mpm_glues_append(&m.glue, f.glue, f.glue_count, offset, pose);  // pose: where the body starts
//     sherd_mpm_prefracture_release(&f);
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue.h"

#include <sherd/shape.h>
#include <sherd/weakness.h>

enum { SHERD_MPM_MIN_PIECE = 8 }; // points, as many as in a cell

typedef struct sherd_mpm_prefracture_def {
    int wall_count;
    const sherd_weakness *const *walls;
    sherd_mpm_glue_criterion criterion;      // of glue; default: by stress
    double tensile_strength, shear_strength; // of glue [Pa]; infinite: never breaks
    double threshold;       // c_g of the force criterion [N]; infinite: never breaks
    double fracture_energy; // G_f [J/m^2]; 0: glue breaks at once
    // 0 to 1: strengths are distributed uniformly between 1 - scatter and 1 + scatter times these;
    // default 0
    double scatter;
    uint64_t seed; // of the scatter
    // Region of glue in the rest frame; NULL (default): everywhere
    const sherd_shape *glued;
} sherd_mpm_prefracture_def;

// Default: no walls, infinite strengths.
sherd_mpm_prefracture_def sherd_mpm_prefracture_def_default(void);

typedef struct sherd_mpm_prefracture {
    uint32_t pieces;
    uint32_t *piece; // by point; numbered in the order of their first points
    sherd_mpm_glue *glue;
    size_t glue_count;
} sherd_mpm_prefracture;

// `x` are `count` points with distances `step` along the axes. SHERD_ERROR_INPUT when they lie too
// far apart; SHERD_ERROR_MEMORY. Release in any case.
sherd_status sherd_mpm_prefracture_make(const sherd_mpm_prefracture_def *def, double *const x[3],
                                        size_t count, double step, const sherd_parallel *parallel,
                                        sherd_mpm_prefracture *out, sherd_error *error);
void sherd_mpm_prefracture_release(sherd_mpm_prefracture *fracture);
