// The linear system of one Newton iteration of an implicit step.    docs/method.md
//
//   A = c M + K_bonds (1 + c' beta) + K_contacts,     c: inertia, c': damping below
//
// Symmetric and positive definite over the freedoms that are not held. Unknowns are small
// displacements and rotation vectors of nodes, world axes. Nodes are the elements, in their order, then
// free rigid bodies. K_bonds is the Gauss-Newton stiffness of the quaternion law: with n, b = p_j - p_i
// of the present state,
//   e = dp_j - dp_i - (dtheta_i + dtheta_j)/2 x b,    k_e = E S/l0 along n, G S l0/l^2 across
//   k = dtheta_j - dtheta_i,                          k_k = G J/l0 about n, E I/l0 across
//
// Vectors are six columns of sherd_node_stride(nodes) numbers each:
//   x[c * stride + node],   c = 0..2 displacement [m], 3..5 rotation [rad]
// Places beyond the last node are zero and may be read and written in whole vectors.
#pragma once

#include "base/parallel.h"
#include "contact/contact_spring.h"
#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_blocks.h"

typedef struct sherd_node_inertia {
    double mass;         // [kg]
    double moment[3][3]; // about the centre of mass, world axes [kg m^2]
} sherd_node_inertia;

typedef struct sherd_linear_system {
    const sherd_elements *elements; // at the state to linearise about; `held` freedoms stay put
    const sherd_bonds *bonds;
    const sherd_bond_blocks *blocks; // arranged in mixed precision
    const sherd_adjacency *adjacency;
    uint64_t topology; // another number whenever bonds broke or came back
    double inertia;    // c [1/s^2], e.g. 1 / dt^2 for implicit Euler
    double damping;    // c' [1/s]: a bond with relaxation time beta counts 1 + c' beta, e.g. 1 / dt
    // Bonds longer than at rest also resist displacements across them, F / |b| dp: not Gauss-Newton's, nor at rest with
    // rotations of the whole, but nearer to the energy's own second derivative where bodies are stretched far.
    bool tension;
    // As at the last call of prepare but for a small motion: what only speeds up convergence may be kept.
    bool nearly_same;
    int body_count;
    const sherd_node_inertia *bodies; // free rigid bodies (body_count)
    int64_t spring_count;
    const sherd_contact_spring *springs; // in order of i (spring_count)
    sherd_parallel parallel;
} sherd_linear_system;

enum { SHERD_NODE_LANES = 16, SHERD_NODE_FREEDOMS = 6 };

static inline size_t sherd_node_count(const sherd_linear_system *system)
{
    return (size_t)system->elements->count + (size_t)system->body_count;
}

static inline size_t sherd_node_stride(size_t nodes)
{
    return (nodes + 2 * SHERD_NODE_LANES - 1) / SHERD_NODE_LANES * SHERD_NODE_LANES;
}
