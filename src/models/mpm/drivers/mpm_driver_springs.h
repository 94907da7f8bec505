// Springs at the edge of a driven region. There nodes get mass from driven and from other points,
// and driven points pull these nodes towards the prescribed positions:
//   min  1/2 sum_i m_i |v_i - v_i*|^2 + 1/2 sum_p k_p |u_p - sum_i N_i(x_p) v_i|^2,   k_p = m_p beta (c dt / h)^2,
// where v_i* is the nodal velocity without springs, u_p the velocity that leads point p to its
// prescribed position by the end of the step, and c the wave speed. A node that a driven point
// reaches with a small weight gets a small pull. So a clamp begins at the same place wherever it
// lies in its cell, and its stiffness does not depend on the step.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A node of the edge: all layers that move as one there.
typedef struct sherd_mpm_spring_node {
    double mass;      // [kg]
    bool loose[3];    // axes along which springs act
    double change[3]; // velocity change by the springs, result [m/s]
} sherd_mpm_spring_node;

// Weight of a driven point at one of these nodes.
typedef struct sherd_mpm_spring_weight {
    int32_t node;
    double weight; // N_i(x_p)
} sherd_mpm_spring_weight;

typedef struct sherd_mpm_spring_point {
    size_t begin, end; // of its weights
    size_t driven;     // number among its driver's points
    double stiffness;  // k_p [kg]
    bool axes[3];      // driven axes
    // u_p - sum N_i v_i*, with completely driven nodes at their prescribed velocities [m/s]
    double apart[3];
} sherd_mpm_spring_point;

typedef struct sherd_mpm_driver_springs {
    sherd_mpm_spring_node *nodes;
    sherd_mpm_spring_weight *shares;
    sherd_mpm_spring_point *points;
    size_t node_count, share_count, point_count;
    size_t node_room, share_room, point_room;
    bool failed; // memory is short
} sherd_mpm_driver_springs;

// Spring stiffness over the point's mass, for steps that are a fraction `share` of h / c.
double sherd_mpm_driver_stiffness(double share);

// Returns the new node's number, or -1 when memory is short.
int32_t sherd_mpm_driver_springs_add_node(sherd_mpm_driver_springs *edge, double mass);
// Adds a point. Its weights are then added by sherd_mpm_driver_springs_add_weight.
sherd_mpm_spring_point *sherd_mpm_driver_springs_add_point(sherd_mpm_driver_springs *edge);
void sherd_mpm_driver_springs_add_weight(sherd_mpm_driver_springs *edge, int32_t node,
                                         double weight);
// Solves for the nodes' velocity changes and updates the points' remaining differences `apart`.
// False when memory is short.
bool sherd_mpm_driver_springs_solve(sherd_mpm_driver_springs *edge);
void sherd_mpm_driver_springs_free(sherd_mpm_driver_springs *edge);
