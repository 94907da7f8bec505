// The linear system of one Newton iteration of an implicit step.    docs/theory/implicit.md
//
//   A = c M + c' C + K + K_contacts
//
// Symmetric and positive definite over the freedoms that are not held. M, C and K are the inertia,
// damping and stiffness of a model, which computes products with them (linear_operator.h). Unknowns
// are small displacements and rotation vectors of nodes, world axes. Nodes are the model's points,
// in their order, then free rigid bodies.
//
// K is a sum over the edges of a graph. An edge resists only the difference of its ends' motions,
// so that a connected set of points moves rigidly without resistance: the clusters of multigrid are
// such sets.
//
// Vectors are six columns of sherd_node_stride(nodes) numbers each:
//   x[c * stride + node],   c = 0..2 displacement [m], 3..5 rotation [rad]
// Entries beyond the last node are zero and may be read and written by vector instructions.
#pragma once

#include "base/parallel.h"
#include "linear/contact_spring.h"
#include "linear/linear_operator.h"
#include "points/point_graph.h"
#include "points/points.h"

typedef struct sherd_node_inertia {
    double mass;         // [kg]
    double moment[3][3]; // about the centre of mass, world axes [kg m^2]
} sherd_node_inertia;

struct sherd_linear_system {
    const sherd_linear_operator *model;
    void *state;                // of the model; borrowed, used by one solver at a time
    const sherd_points *points; // at the state of linearisation; `held` freedoms are fixed
    sherd_point_graph graph;    // K is the sum over its edges
    uint64_t topology;          // changes whenever edges break or are restored
    double inertia;             // c [1/s^2], e.g. 1 / dt^2 for implicit Euler
    // c' [1/s]: an edge with relaxation time beta is multiplied by 1 + c' beta, e.g. 1 / dt
    double damping;
    // Edges longer than their rest length also resist transverse displacements, F / |b| dp. This
    // term is not part of the Gauss-Newton matrix and resists rotations of the whole, but
    // approximates the Hessian better for strongly stretched bodies.
    bool tension;
    // The state differs from that of the last prepare by a small motion only: the preconditioner
    // may be reused.
    bool nearly_same;
    int body_count;
    const sherd_node_inertia *bodies; // free rigid bodies (body_count)
    int64_t spring_count;
    const sherd_contact_spring *springs; // sorted by i (spring_count)
    sherd_parallel parallel;
};

enum { SHERD_NODE_LANES = 16, SHERD_NODE_FREEDOMS = 6 };

static inline size_t sherd_node_count(const sherd_linear_system *system)
{
    return (size_t)system->points->count + (size_t)system->body_count;
}

static inline size_t sherd_node_stride(size_t nodes)
{
    return (nodes + 2 * SHERD_NODE_LANES - 1) / SHERD_NODE_LANES * SHERD_NODE_LANES;
}
