// Glue between pieces of material points [MPMG]. A piece is a body of its own for the grid and for
// contact. Glue particles have no mass; each belongs to two pieces, holds them together at every
// node that it reaches, moves with the grid, and breaks by itself. At a node, pieces joined by
// intact glue (also through others) have one velocity, that of their common mass and momentum, and
// contact sees them as one body (mpm_contact.h).
//
// By stress: the traction t = sigma n on the rest normal N taken along by the material, n = F^-T N
// / |F^-T N|, with
//   sigma_i = sum w V sigma / sum w V over the points of both pieces, sigma = sum w sigma_i / sum w over nodes;
// it breaks when t . n > tensile, or the part of t across n is greater than shear. It never breaks
// by pressure.
//
// By force, as in [MPMG] (20) to (22) with the sign of (20) turned round, which as printed leaves
// pressure and drops tension: f_b less its part that points outwards, less the same of d; a node
// where that is at least the mean threshold, sum w c / sum w, is cracked, and all glue of the pair
// that reaches it breaks. The threshold is a force of a node: what stress it means goes with h^2
// and with where the crack lies within its cell.
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue_law.h"
#include "models/mpm/kernels/mpm_glue_reach.h"
#include "points/elements.h"

#include <sherd/error.h>
#include <sherd/types.h>

enum { SHERD_MPM_GLUE_EVERY = 4 }; // steps

// Layers of two pieces in one block, and the glue between them that reaches this block.
typedef struct sherd_mpm_joint {
    int32_t layer[2];  // a's, b's: the lower first
    size_t begin, end; // of entries
    uint64_t nodes;    // of the block, x fastest, that intact glue joins
    uint64_t cracked;  // nodes cracked by the force criterion in this step
} sherd_mpm_joint;

typedef struct sherd_mpm_glues {
    sherd_mpm_glue *items; // filled by the caller; intact and broken glue (count)
    size_t count, broken, softening;
    size_t rejoined; // how often softening glue has joined its pieces again; not saved
    // Further state, saved with the items: number of steps; time and upper bound of displacement
    // since glue was last moved [s], [m].
    int64_t steps;
    double lag, way;
    // Made when points are sorted, of glue that joins or may do so again:
    sherd_mpm_glue_tile *places; // (count)
    int32_t (*point_of)[2];  // of glue that softens, where a's and b's points are (count); or NULL
    sherd_mpm_joint *joints; // by block, by layers
    size_t joint_count, *of_block; // first joint of each shared block, and the end
    uint32_t *entries;             // glue
    // some glue has a finite strength; a finite threshold of force
    bool breaks_by_stress, breaks_by_force;
    bool joined; // the joints' nodes are up to date
    // largest ratio of stress to strength of intact glue, at the last test
    double hottest;
} sherd_mpm_glues;

// Allocates `count` particles, all zero. False when memory is short; must be released in any case.
bool sherd_mpm_glues_make(sherd_mpm_glues *g, size_t count);
// The first numbers of a body's pieces and elements.
typedef struct sherd_mpm_offset {
    uint32_t piece;
    sherd_element_index element;
} sherd_mpm_offset;
// Appends glue particles, moved by `pose`, with numbers counted from `first` on. False, with g
// unchanged, when memory is short.
bool sherd_mpm_glues_append(sherd_mpm_glues *g, const sherd_mpm_glue *items, size_t count,
                            sherd_mpm_offset first, sherd_pose pose);
void sherd_mpm_glues_release(sherd_mpm_glues *g);

// Called after the grid was built: finds the layers, and marks those whose stress is needed
// (sherd_mpm_layer.stress).
sherd_status sherd_mpm_glues_sort(sherd_mpm_glues *g, sherd_mpm_grid *grid,
                                  const sherd_mpm_points *points, sherd_error *error);
// The same for glue that has moved since then, with the blocks that it was in: `blocks` has three
// numbers for each particle.
sherd_status sherd_mpm_glues_sort_as(sherd_mpm_glues *g, sherd_mpm_grid *grid,
                                     const sherd_mpm_points *points, const int32_t (*blocks)[3],
                                     sherd_error *error);

// Whether stress is to be tested in this step: always if some glue bears half of its strength, else
// every SHERD_MPM_GLUE_EVERY-th step. Stress is an average over at least four cells, which a wave
// crosses in about seven steps.
bool sherd_mpm_glues_due(const sherd_mpm_glues *g);
// Tests intact glue against the stress of the grid's layers. Glue that breaks gets `time` as its
// time of breaking.
void sherd_mpm_glues_test_stress(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                                 const sherd_parallel *parallel, double time);
// Tests intact glue with the force criterion against the forces in the grid's loads, which are
// impulses over `kick` [s]; moments must be set.
void sherd_mpm_glues_test_force(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                                const sherd_parallel *parallel, double kick, double time);

// Updates `hash` (base/hash.h) with the positions of glue and what is broken.
uint64_t sherd_mpm_glues_hash(const sherd_mpm_glues *g, uint64_t hash);

// Sets the joints' nodes, if they are not up to date.
void sherd_mpm_glues_join(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                          const sherd_parallel *parallel);

// Called after a step of dt in which points moved by at most `way` along an axis: moves and rotates
// intact glue by the layers' motion, every SHERD_MPM_GLUE_EVERY-th step, or sooner if it has far to
// move. Returns its displacement along an axis [m].
double sherd_mpm_glues_move(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                            const sherd_parallel *parallel, double dt, double way);
// Has the glue of a list tested again that softened, and now joins its pieces.
void sherd_mpm_glues_rejoin(sherd_mpm_glues *g, const size_t *list, size_t count);
// Whether any glue has a fracture energy.
bool sherd_mpm_glues_soften(const sherd_mpm_glues *g);
// Counts again how much glue is broken and how much softens.
void sherd_mpm_glues_count(sherd_mpm_glues *g);
