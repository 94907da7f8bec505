// How far each element may move before the list of pairs is out of date.
//
// When pairs are listed, element k is at x_k and gets a margin m_k; listed are all pairs with
// |x_i - x_j| <= r_i + r_j + m_i + m_j. The list holds until some element is farther than its margin
// from where it was, in a frame that drifts with the elements' mean velocity: a body in plain flight
// is never searched for. The margin is half the skin at least, and the element's way in that
// frame in the next MARGIN_STEPS steps: fast debris is listed with more neighbours, so
// that everything else need not be listed again each time it moves. Up to SHORT_RADII of its radius it is
// its way in SHORT_MARGIN_STEPS: a list takes as long as 20 steps.
//
// A few elements that are beyond their margins, or soon will be, get a new position and margin without the others
// (neighbor_update.h).
#pragma once

#include "base/parallel.h"
#include "points/points.h"

#include <sherd/error.h>

#include <stdbool.h>

typedef struct sherd_verlet_skin {
    sherd_element_index count;
    double *x, *y, *z; // where pairs were listed (n) [m]
    double *margin;    // (n) [m]
    sherd_vec3 drift;  // mean velocity then [m/s]
    double elapsed;    // since then [s]
    double dt;         // last time step, 0 before the first [s]
    int64_t renewed;   // elements that got new places and margins since all did
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

// Least margin left of the elements [begin, end) [m]; below 0 for one that is
// beyond it.
double sherd_verlet_skin_left(const sherd_verlet_skin *margins, const sherd_points *points,
                              size_t begin, size_t end);

// Takes the present position and velocity of one element.
void sherd_verlet_skin_renew_one(sherd_verlet_skin *margins, const sherd_points *points,
                                 double skin, sherd_element_index k);

// Takes the present positions and velocities as those of a new list.
void sherd_verlet_skin_renew(sherd_verlet_skin *margins, const sherd_points *points, double skin,
                             const sherd_parallel *parallel);
