// What bonds bear, and what contacts exert.
#pragma once

#include <sherd/export.h>
#include <sherd/types.h>

// Load of an intact bond without damping, and how far it is from breaking; all 0 of one that is broken. Force and moment
// act at the bond's middle, halfway between the centres of its elements i and j. With n the direction and b the vector
// from i to j:
//
//   on j   F at its centre and the couple   F x b / 2 + M
//   on i  -F at its centre and the couple   F x b / 2 - M
typedef struct sherd_bond_load {
    sherd_vec3 force;  // F [N]
    sherd_vec3 moment; // M [N m]
    // Along n and across it:
    double normal_force;    // -F.n: tension; below 0 pressure [N]
    double shear_force;     // size of what is left of F [N]
    double bending_moment;  // size of M across n [N m]
    double twisting_moment; // -M.n: above 0 where j is turned against i, right-handed about n [N m]
    double energy;          // elastic, and plastic work not yet remembered [J]
    // Stress over strength by the material's criterion, of the bond or of its elements: at 1 it breaks, or softens
    // further. 0 of bonds that can't break.
    double stress_ratio;
    double damage; // share of its stiffness that a bond which softens has lost, 0 to 1
    double
        plastic_strain; // of a bond that yields: plastic elongation over length that all flow amounts to
} sherd_bond_load;

// Force between two surfaces that touched in the last step. `normal_force` times `normal` plus `friction` act on the one
// side, the opposite on the other. Of an element that rests asleep (sherd_world_def.sleep) on an obstacle they are
// those that balance its weight.
typedef struct sherd_contact_force {
    // The one side: an element, or a free obstacle (then i is -1); the other: an element, or an obstacle (then j is -1).
    // i < j of two elements. -1: none.
    sherd_element_index i, j;
    int32_t i_obstacle, j_obstacle;
    sherd_vec3 place;    // where it acts: halfway into the overlap [m]
    sherd_vec3 normal;   // unit vector towards the one side
    double normal_force; // >= 0 [N]
    sherd_vec3 friction; // across the normal [N]
    double overlap;      // of the two surfaces [m]
} sherd_contact_force;

// Force and torque that the rest of the world exerts on a driver's region or an obstacle, averaged
// over the steps since the last sherd_world_reset_probes, and its motion since the start.
typedef struct sherd_probe_reading {
    sherd_vec3 force;        // [N]
    sherd_vec3 torque;       // about the region's mean position or the obstacle's origin [N m]
    sherd_vec3 displacement; // of the region's mean position or the obstacle's origin [m]
    sherd_vec3 rotation;     // rotation vector, prescribed or the mean of the elements' [rad]
    // Of the loads of single steps, by component, as averages smooth peaks: least and largest since then. Steps of a
    // given load at both ends have both; while the world is divided into regions, the load of one with the means of
    // the others.
    sherd_vec3 force_least, force_largest;   // [N]
    sherd_vec3 torque_least, torque_largest; // [N m]
} sherd_probe_reading;
