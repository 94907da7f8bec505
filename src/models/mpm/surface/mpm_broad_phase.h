// Broad phase of contact between surfaces: which sites may soon touch something. Candidates are
// searched again when points were sorted or when a site has moved by half a margin. The lists
// contain more than what touches, so that results do not depend on when they were made.
#pragma once

#include "models/mpm/coupling/mpm_coupling.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/surface/mpm_body_surface.h"

// Sites whose centres are farther apart than this along an axis cannot touch, whatever their
// rotation: this is more than the sum of half diagonals of both cubes [spacing].
static const double SHERD_MPM_CANDIDATE_REACH = 2.0;

// Partners of a site: another site, by its index in the list; a coupled body, by its index in the
// list of coupled bodies; or a wall.
#define SHERD_MPM_PARTNER_COUPLED ((uint32_t)1 << 30)
#define SHERD_MPM_PARTNER_WALL ((uint32_t)1 << 31)

// A site near another body, or near a wall.
typedef struct sherd_mpm_candidate_site {
    uint32_t site, page, body;
    size_t first;   // first of its possible partners, up to that of the next site
    bool wanted;    // its cube is needed
    double from[3]; // position of its point when the lists were made [m]
} sherd_mpm_candidate_site;

// A sample of an edge that is near sites.
typedef struct sherd_mpm_candidate_edge {
    // SHERD_MPM_PARTNER_WALL and a wall's number, or SHERD_MPM_PARTNER_COUPLED and an index in the
    // list of coupled bodies
    uint32_t owner;
    uint32_t place; // index in its list of edge samples
    size_t first;   // first of the sites near it, up to that of the next sample
} sherd_mpm_candidate_edge;

typedef struct sherd_mpm_candidates {
    sherd_mpm_candidate_site *list; // sorted by site, with one entry after the last (count + 1)
    size_t count, room;
    // Other sites, by body and index, then coupled bodies and walls by their numbers (other_count)
    uint32_t *others;
    size_t other_count, other_room;
    size_t *first_of_coupled; // index in `of_coupled` of each coupled body (coupled_count + 1)
    // Sites near coupled bodies, by coupled body: body, and in the lower half the index
    uint64_t *of_coupled;
    size_t coupled_count, coupled_room, of_coupled_room;
    // Edge samples of walls (wall_edge_count), then of coupled bodies, with one entry after the
    // last (edge_count + 1)
    sherd_mpm_candidate_edge *edges;
    uint64_t *of_edges; // sites near them: body, and in the lower half the index
    size_t wall_edge_count, edge_count, edge_room, of_edge_room;
    // Upper bound of the displacement of walls and coupled bodies since the lists were made [m]
    double walls;
    bool made; // the lists were made since points were last sorted
} sherd_mpm_candidates;

void sherd_mpm_candidates_free(sherd_mpm_candidates *candidates);

// `walls` is an upper bound of the displacement of any wall or coupled body in the step that begins
// [m]. The list of coupled bodies (NULL: none) may change only when points have been sorted. False
// when memory is short.
bool sherd_mpm_candidates_find(sherd_mpm_candidates *candidates,
                               const sherd_mpm_body_surface *surface, const sherd_mpm_grid *grid,
                               const sherd_mpm_points *points, const sherd_mpm_coupling *coupling,
                               double walls);
