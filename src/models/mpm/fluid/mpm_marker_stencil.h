// Interpolation at a marker q between the nodes of one body: the body's velocity there is v(q) =
// sum w_i v_i, and an impulse at q changes the velocity of node i by w_i / m_i times the impulse.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

enum { SHERD_MPM_STENCIL_REACH = 4, SHERD_MPM_STENCIL_NODES = 64 };

typedef struct sherd_mpm_stencil_node {
    double (*motion)[4];
    const double (*load)[4];
    int32_t layer;
    double touched[3];   // change of its velocity by contact at the node, before markers [m/s]
    double at[3];        // [m]
    double weight, give; // w_i; change of velocity by a unit impulse at q [1/kg]
} sherd_mpm_stencil_node;

typedef struct sherd_mpm_stencil {
    int count;
    double give; // change of v(q) by a unit impulse [1/kg]
    sherd_mpm_stencil_node node[SHERD_MPM_STENCIL_NODES];
} sherd_mpm_stencil;

typedef struct sherd_mpm_stencil_def {
    const sherd_mpm_grid *grid;
    const sherd_solid *solids; // by body
    double fall[3];            // change of velocity by gravity in the step [m/s]
} sherd_mpm_stencil_def;

// Of fluids and sand: w_i = N_i(q), for sand N_i(q) m_i / (m_i + m_0), normalised. Uses the layers
// of the body of `layer`.
void sherd_mpm_stencil_of_flow(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out);
// Of solids: N_i(q) m_i / (m_i + m_0), normalised and corrected so that sum w_i x_i = q where nodes
// surround q: the moment of an impulse is that of one at q.
void sherd_mpm_stencil_of_body(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out);

// sum w_i x_i.
void sherd_mpm_stencil_centre(const sherd_mpm_stencil *place, double out[3]);

// Velocity at the marker. The fourth component is not used.
static inline void sherd_mpm_stencil_velocity(const sherd_mpm_stencil *place, double v[4])
{
    v[0] = v[1] = v[2] = v[3] = 0.0;
    for (int k = 0; k < place->count; ++k)
        for (int i = 0; i < 4; ++i)
            v[i] += place->node[k].weight * place->node[k].motion[0][i];
}

// Applies an impulse at the marker to the new velocities, motion[0], alone. Its fourth component is
// 0, so masses stay.
static inline void sherd_mpm_stencil_push(sherd_mpm_stencil *place, const double impulse[4])
{
    for (int k = 0; k < place->count; ++k)
        for (int i = 0; i < 4; ++i)
            place->node[k].motion[0][i] += place->node[k].give * impulse[i];
}
