// The objective of an implicit step, and its gradient.                            [IBDEM25] (6)
#pragma once

#include "contact/implicit/contact_trial.h"
#include "linear/linear_system.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pass.h"
#include "stepping/implicit/grain_elimination.h"
#include "stepping/implicit/scheme.h"
#include "stepping/implicit/softened_springs.h"

// Target of a free rigid body: (p^, q^) as for elements, with the rotation of its free motion.
typedef struct sherd_body_target {
    sherd_vec3 centre;
    sherd_quat rotation;
    sherd_node_inertia inertia; // at that rotation
} sherd_body_target;

// I a
static inline sherd_vec3 sherd_node_inertia_times(const sherd_node_inertia *inertia, sherd_vec3 a)
{
    const double(*m)[3] = inertia->moment;
    return vec3(m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z,
                m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
                m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z);
}

typedef struct sherd_objective {
    sherd_elements *elements; // p, q: the trial state; v, w, f, t are overwritten
    const sherd_bonds *bonds;
    sherd_bond_blocks *blocks;  // arranged in mixed precision
    sherd_contact_trial *trial; // NULL: no contact
    const sherd_scheme_target *target;
    int body_count;
    const sherd_body_target *bodies;
    size_t stride; // of vectors' columns (linear_system.h)
    sherd_parallel parallel;
    sherd_grain_elimination *grains; // elements that evaluations minimise first; NULL: none
    // memory for those of the linear system; NULL: no bond softens
    sherd_softened_springs *softened;
} sherd_objective;

typedef struct sherd_objective_value {
    // [J] inertia + bonds' energy and dissipation potential + contacts
    double energy;
    sherd_bond_potential bonds;
    sherd_contact_potential contact;
} sherd_objective_value;

// Evaluates at the elements' and bodies' poses, once `grains` are at their minima, and sets
// velocities by the scheme. `gradient` has six columns, [N] and [N m]; 0 for held freedoms.
// `springs`: with tangents of contacts.
sherd_status sherd_objective_evaluate(const sherd_objective *objective, bool springs,
                                      double *gradient, sherd_objective_value *value,
                                      sherd_error *error);

// a . b of two vectors of six columns.
double sherd_objective_dot(const sherd_objective *objective, const double *a, const double *b);

// Moves elements and bodies along geodesics by share * step (six columns).
void sherd_objective_move(const sherd_objective *objective, const double *step, double fraction);
