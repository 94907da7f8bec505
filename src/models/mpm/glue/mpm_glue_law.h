// One particle of glue: its state, its strength and the law by which it softens.
//
// A particle joins its pieces at nodes until its traction t reaches a strength. Without a fracture
// energy it breaks then. With one it softens: it no longer gives pieces one velocity, but pulls
// them together with a traction that falls with their opening, so that parting takes the fracture
// energy G_f for its area.
//
//   d = sqrt(<w.n>^2 + b^2 |w_t|^2), b = shear over tensile strength, w the opening;
//   T(d) = t0 (d1 - d) / (d1 - d0) from d0 = t0 / K to d1 = d0 + 2 G_f / t0, t0 the traction that it began with;
//   t = T(D) / D (<w.n> n + b^2 w_t), D the largest d so far: it unloads towards the origin and never heals.
//
// K is that of a cell of the material at most, so that time steps stay as they are. Pressure is
// left to contact.
#pragma once

#include "points/elements.h"

#include <sherd/types.h>

typedef struct sherd_mpm_glue {
    double x[3];
    double normal[3]; // unit, from piece a to piece b; turns with the material
    double area;      // at rest [m^2]
    // Strengths [Pa]; by force `tensile` is the threshold c_g [N], and shear is not used
    double tensile, shear;
    double fracture_energy; // G_f [J/m^2]; 0: it breaks at once
    double stiffness;       // K of what softens [Pa/m]
    double traction[3];     // as tested last: what b's side exerts on a's [Pa]
    double damage;          // 0; 1 once broken; in between where it softens
    double broken_at;       // [s], where it is broken
    // Of what softens: how far b's side is from a's, and the opening that its first traction stands
    // for [m]; that traction in effect, 0 as long as it is whole [Pa]; the largest opening so far
    // in effect [m].
    double gap[3], shift[3];
    double start, most;
    uint32_t a, b;                 // pieces
    sherd_element_index low, high; // neighbours of the lattice that it lies between, along an axis
} sherd_mpm_glue;

// Traction along the normal, tension positive, and the size of the rest [Pa].
double sherd_mpm_glue_pull(const sherd_mpm_glue *glue);
double sherd_mpm_glue_slide(const sherd_mpm_glue *glue);
// Whether it has a strength that is finite. What has none is not tested.
bool sherd_mpm_glue_breaks(const sherd_mpm_glue *glue);

// What joins its pieces at nodes.
static inline bool sherd_mpm_glue_joins(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start == 0.0;
}

static inline bool sherd_mpm_glue_softens(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start > 0.0;
}

// Largest stiffness [Pa/m] for nodes that are `spacing` apart in a material of modulus lambda + 2
// mu.
double sherd_mpm_glue_stiffness(const sherd_mpm_glue *glue, double modulus, double spacing);
// The least G_f with which it can soften there, so long that a step sees but a part of it; 0 if a
// strength is infinite or 0 [J/m^2].
double sherd_mpm_glue_least_energy(const sherd_mpm_glue *glue, double modulus, double spacing);

// Turns the traction that has just been tested into that of an opening.
void sherd_mpm_glue_begin(sherd_mpm_glue *glue);
// Its traction for its opening now, which may be the largest so far; past the last it is broken at
// `time`, with the traction that it last had.
void sherd_mpm_glue_open(sherd_mpm_glue *glue, double time);
