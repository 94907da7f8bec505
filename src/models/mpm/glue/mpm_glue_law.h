// A particle of glue: state, strength and softening law.
//
// A particle joins its pieces at nodes until its traction t reaches a strength. Without a fracture
// energy it then breaks. With a fracture energy G_f it softens: it no longer gives the pieces one
// velocity, but pulls them together with a traction that decreases with their opening w, so that
// separation dissipates G_f per area (cohesive zone):
//
//   d = sqrt(<w.n>^2 + b^2 |w_t|^2), b = shear over tensile strength;
//   T(d) = t0 (d1 - d) / (d1 - d0) from d0 = t0 / K to d1 = d0 + 2 G_f / t0, t0 the traction at which softening began;
//   t = T(D) / D (<w.n> n + b^2 w_t), D the largest d so far: unloading goes to the origin.
//
// Glue that joins is rigid and stores nothing, whereas this law begins at d0 with t0 d0 / 2, which
// nobody paid. So glue stores all the work done on it until this work is T D / 2 (at w ~ d0), and
// only then dissipates; from there on it never heals. Pieces that take back all this work before
// find the particle rigid again, with its whole strength. A step of them may take back too much:
// such a debt adds to the particle's fracture energy, so that G_f dissipates in the end.
//
// K is at most the stiffness of a cell of the material, so that time steps do not get shorter.
// Compression is left to contact.
#pragma once

#include "points/elements.h"

#include <sherd/types.h>

// How it is tested, see mpm_glue.h.
typedef enum sherd_mpm_glue_criterion {
    SHERD_MPM_GLUE_STRESS = 0,
    SHERD_MPM_GLUE_FORCE,
} sherd_mpm_glue_criterion;

typedef struct sherd_mpm_glue {
    double x[3];
    double normal[3]; // unit, from piece a to piece b; turns with the material
    double area;      // undeformed area [m^2]
    // All glue of two pieces has the same criterion
    sherd_mpm_glue_criterion criterion;
    // Strengths [Pa]; infinite with the force criterion
    double tensile, shear;
    double threshold;       // c_g of the force criterion [N]; else 0
    double fracture_energy; // G_f [J/m^2]; 0: breaks at once
    double stiffness;       // K of softening glue [Pa/m]
    double traction[3];     // of b's side on a's, at the last test [Pa]
    double damage;          // the part of its fracture energy that has dissipated; 1: broken
    double broken_at;       // time of breaking [s]
    // Of softening glue: displacement of b's side relative to a's, and the opening that corresponds
    // to the traction at the beginning [m]; effective value of that traction, 0 while intact [Pa];
    // largest effective opening so far [m].
    double gap[3], shift[3];
    double start, most;
    // Work done on it by its pieces; what it had returned beyond that when softening began [J/m^2]
    double work, debt;
    uint32_t a, b;                 // pieces
    sherd_element_index low, high; // the two lattice neighbours that it lies between
} sherd_mpm_glue;

// Normal traction, tension positive, and magnitude of the tangential one [Pa].
double sherd_mpm_glue_pull(const sherd_mpm_glue *glue);
double sherd_mpm_glue_slide(const sherd_mpm_glue *glue);
// Whether it has a finite strength or threshold; otherwise it is not tested.
bool sherd_mpm_glue_breaks(const sherd_mpm_glue *glue);

// Whether it is intact and joins its pieces at nodes, or softens.
static inline bool sherd_mpm_glue_joins(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start == 0.0;
}

static inline bool sherd_mpm_glue_softens(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start > 0.0;
}

// Whether it joins its pieces, or will do so again if it returns the work done on it.
static inline bool sherd_mpm_glue_may_join(const sherd_mpm_glue *glue)
{
    return glue->damage == 0.0;
}

// Energy that it can return [J/m^2].
double sherd_mpm_glue_stored(const sherd_mpm_glue *glue);

// Largest stiffness [Pa/m] for nodes that are `spacing` apart in a material of modulus lambda + 2
// mu.
double sherd_mpm_glue_stiffness(const sherd_mpm_glue *glue, double modulus, double spacing);
// The modulus for which that stiffness is the glue's [Pa].
double sherd_mpm_glue_modulus(const sherd_mpm_glue *glue, double spacing);
// Least G_f for which glue softens over several steps; 0 if a strength is infinite or 0 [J/m^2].
double sherd_mpm_glue_least_energy(const sherd_mpm_glue *glue, double modulus, double spacing);

// Begins softening with the traction that has just been tested.
void sherd_mpm_glue_begin(sherd_mpm_glue *glue);
// Updates the traction for the present opening, and the largest opening. Beyond d1 the particle
// breaks at `time`, and retains its last traction.
void sherd_mpm_glue_open(sherd_mpm_glue *glue, double time);
// Adds the work of opening further by `opened` [m] from the traction `before` [Pa] to the present
// one, and returns it [J/m^2]. Glue that has returned all the work done on it joins its pieces
// again.
double sherd_mpm_glue_add_work(sherd_mpm_glue *glue, const double before[3],
                               const double opened[3]);
