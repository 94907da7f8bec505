// What bonds bear: forces, moments and energies for tables (sherd/loads.h), and ratios of stress to
// strength.
#pragma once

#include "math/vec3.h"
#include "models/bonded/bonded.h"
#include "models/bonded/storage/bonds.h"
#include "models/model.h"

#include <sherd/loads.h>

// The load of one bond, without damping. stress_ratio is that of the bond's own stress alone.
sherd_bond_load sherd_bond_load_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                   int64_t bond);

// The loads of all bonds, in the order of bonds.
void sherd_bonded_find_loads(const sherd_bonded *bonded, sherd_bond_load *loads);

// All that frames tell, in one pass over bonds. Ratios of stress to strength are those of intact
// bonds, by the criterion of their material; for each element the largest of its bonds, 0 if it has
// none, unless `ratio` is NULL. Stored is the energy of sherd_bonds_energy, the same bits.
sherd_model_measures sherd_bonded_measure(const sherd_bonded *bonded, float *ratio);

// Power of bond damping, for single bonds.

// Relative velocities of a bond's ends, or small relative motions.
typedef struct sherd_bond_motion {
    sherd_vec3 v_ij;     // velocity of j relative to i
    sherd_vec3 w_i, w_j; // angular velocities
} sherd_bond_motion;

// Damping constants of a bond in its present pose (bond_state.h).
typedef struct sherd_bond_resistance {
    sherd_vec3 b, n;       // vector from i to j; its direction [m]
    double stretch, shear; // c_n, c_s [N s/m]
    double twist, bend;    // c_t, c_b [N m s]
} sherd_bond_resistance;

sherd_bond_resistance sherd_bond_resistance_of(const sherd_bonds *bonds,
                                               const sherd_elements *elements, int64_t bond);
// Dissipated power at the given velocities [W].
static inline double sherd_bond_damping_power(const sherd_bond_resistance *c,
                                              const sherd_bond_motion *motion)
{
    sherd_vec3 mean = vec3_scale(0.5, vec3_add(motion->w_i, motion->w_j));
    sherd_vec3 shift = vec3_sub(motion->v_ij, vec3_cross(mean, c->b));
    sherd_vec3 rotation = vec3_sub(motion->w_j, motion->w_i);
    double along = vec3_dot(shift, c->n), twist = vec3_dot(rotation, c->n);
    double stretch2 = along * along, twist2 = twist * twist;
    return c->stretch * stretch2 + c->shear * (vec3_dot(shift, shift) - stretch2) +
           c->twist * twist2 + c->bend * (vec3_dot(rotation, rotation) - twist2);
}
