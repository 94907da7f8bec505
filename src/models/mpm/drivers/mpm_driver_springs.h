// Springs by which driven points pull nodes that other points reach, too: the edge of a driven
// region. The springs lead to the places that drivers prescribe:
//   min  1/2 sum_i m_i |v_i - v_i*|^2 + 1/2 sum_p k_p |u_p - sum_i N_i(x_p) v_i|^2,   k_p = m_p beta (c dt / h)^2,
// u_p the velocity that leads there by the step's end, c the speed of waves. A node that one driven
// point reaches in a corner of its kernel is pulled as little as that, so that a clamp begins at
// the same place wherever it lies in its cell, and is as stiff with any length of steps.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A node of the edge: all layers that move as one there.
typedef struct sherd_mpm_spring_node {
    double mass;      // [kg]
    bool loose[3];    // along which axes it is of the edge
    double change[3]; // of its velocity, found [m/s]
} sherd_mpm_spring_node;

// Of a held point with one of them.
typedef struct sherd_mpm_spring_weight {
    int32_t node;
    double weight; // N_i(x_p)
} sherd_mpm_spring_weight;

typedef struct sherd_mpm_spring_point {
    size_t begin, end; // of its shares
    size_t driven;     // which of its driver's
    double stiffness;  // k_p [kg]
    bool axes[3];      // along which it is held
    double apart
        [3]; // u_p - sum N_i v_i*, with nodes that are held where their drivers have them [m/s]
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
