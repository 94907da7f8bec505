// Interpolation at a marker q between nodes of one body: the body's velocity there, v(q) = sum w_i
// v_i, and the change of nodes by an impulse at q, w_i / m_i of it each.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/grid/mpm_grid.h"

enum { SHERD_MPM_STENCIL_REACH = 4, SHERD_MPM_STENCIL_NODES = 64 };

typedef struct sherd_mpm_stencil_node {
    double (*motion)[4];
    const double (*load)[4];
    int32_t layer;
    double touched[3];   // what contact at the node has changed of its velocity before [m/s]
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

// Of what flows: w_i = N_i(q), of sand N_i(q) m_i / (m_i + m_0), over their sum. Layers reached are
// those of the body that `layer` is of.
void sherd_mpm_stencil_of_flow(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out);
// Of what does not: N_i(q) m_i / (m_i + m_0), made so that sum w_i x_i = q, as far as nodes lie
// around it: the moment of an impulse is that of one at q.
void sherd_mpm_stencil_of_body(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out);

// sum w_i x_i.
void sherd_mpm_stencil_centre(const sherd_mpm_stencil *place, double out[3]);

// The last component is of no use.
static inline void sherd_mpm_stencil_velocity(const sherd_mpm_stencil *place, double v[4])
{
    v[0] = v[1] = v[2] = v[3] = 0.0;
    for (int k = 0; k < place->count; ++k)
        for (int i = 0; i < 4; ++i)
            v[i] += place->node[k].weight * place->node[k].motion[0][i];
}

// By an impulse, the last component of which is 0: masses stay. Only the new velocities, motion[0].
static inline void sherd_mpm_stencil_push(sherd_mpm_stencil *place, const double impulse[4])
{
    for (int k = 0; k < place->count; ++k)
        for (int i = 0; i < 4; ++i)
            place->node[k].motion[0][i] += place->node[k].give * impulse[i];
}
