// Verlet lists with individual margins: how far each element may move before the list of pairs is
// outdated.
//
// When pairs are listed, element k is at x_k and gets a margin m_k; listed are all pairs with |x_i
// - x_j| <= r_i + r_j + m_i + m_j. The list is valid until an element is farther than its margin
// from x_k, in a frame that moves with the elements' mean velocity: a body in free flight needs no
// search. The margin is at least half the skin. Fast elements get more, their path in that frame in
// the next MARGIN_STEPS steps, but at most MAX_RADII of their radii: so they have more neighbours
// listed and do not require a new list of all elements. As long as that stays below SHORT_RADII
// radii the margin covers SHORT_MARGIN_STEPS steps instead, which adds few pairs, because a new
// list costs as much as 20 steps.
//
// A few elements that are beyond their margins, or soon will be, get a new position and margin
// without the others (neighbor_update.h).
#pragma once

#include "base/parallel.h"
#include "points/points.h"

#include <sherd/error.h>

#include <stdbool.h>

typedef struct sherd_verlet_skin {
    sherd_element_index count;
    double *x, *y, *z; // positions when pairs were listed (n) [m]
    double *margin;    // (n) [m]
    sherd_vec3 drift;  // mean velocity at that time [m/s]
    double elapsed;    // time since then [s]
    double dt;         // last time step, 0 before the first [s]
    int64_t renewed;   // elements with new positions and margins since the last full list
} sherd_verlet_skin;

sherd_status sherd_verlet_skin_init(sherd_verlet_skin *margins, sherd_element_index count,
                                    sherd_error *error);
void sherd_verlet_skin_free(sherd_verlet_skin *margins);

// Displacement of the frame since pairs were listed [m].
static inline sherd_vec3 sherd_verlet_skin_shift(const sherd_verlet_skin *margins)
{
    return (sherd_vec3){margins->elapsed * margins->drift.x, margins->elapsed * margins->drift.y,
                        margins->elapsed * margins->drift.z};
}

// Squared displacement of one element since it was listed [m^2]. `shift` is sherd_verlet_skin_shift.
static inline double sherd_verlet_skin_moved2(const sherd_verlet_skin *margins,
                                              const sherd_points *points, sherd_vec3 shift,
                                              size_t k)
{
    double dx = points->px[k] - margins->x[k] - shift.x;
    double dy = points->py[k] - margins->y[k] - shift.y;
    double dz = points->pz[k] - margins->z[k] - shift.z;
    return dx * dx + dy * dy + dz * dz;
}

// Smallest remaining margin of the elements [begin, end) [m]; negative for an element beyond its
// margin.
double sherd_verlet_skin_remaining(const sherd_verlet_skin *margins, const sherd_points *points,
                                   size_t begin, size_t end);

// Renews the listed position and the margin of one element.
void sherd_verlet_skin_renew_one(sherd_verlet_skin *margins, const sherd_points *points,
                                 double skin, sherd_element_index k);

// Renews the listed positions and margins of all elements.
void sherd_verlet_skin_renew(sherd_verlet_skin *margins, const sherd_points *points, double skin,
                             const sherd_parallel *parallel);
