// Loads of bonds, contact forces, and readings of probes.
#pragma once

#include <sherd/export.h>
#include <sherd/types.h>

// Load of a bond without damping, and how close it is to breaking; zeros if it is broken. Force and
// moment act at the bond's midpoint, halfway between the centres of its elements i and j. With n
// the bond's direction and b the vector from i to j:
//
//   on j   F at its centre and the couple   F x b / 2 + M
//   on i  -F at its centre and the couple   F x b / 2 - M
typedef struct sherd_bond_load {
    sherd_vec3 force;       // F [N]
    sherd_vec3 moment;      // M [N m]
    double normal_force;    // -F.n, tension positive [N]
    double shear_force;     // magnitude of F across n, >= 0 [N]
    double bending_moment;  // magnitude of M across n, >= 0 [N m]
    double twisting_moment; // -M.n, positive if j is turned right-handed about n against i [N m]
    double energy;          // elastic energy, and plastic work of the present step [J]
    // Stress over strength by the material's criterion, of the bond or of its elements [-]: at 1
    // the bond breaks, or softens further. 0 for bonds that never break.
    double stress_ratio;
    double damage; // softening bonds: fraction of stiffness lost, 0 to 1
    // Yielding bonds: equivalent plastic elongation over length [-], >= 0.
    double plastic_strain;
} sherd_bond_load;

// Force between two surfaces that were in contact in the last step. normal_force * normal +
// friction acts on the first side, the opposite on the second. For an element that sleeps on an
// obstacle (sherd_world_def.sleep) it is the force that balances its weight.
typedef struct sherd_contact_force {
    // Elements: i is on the first side, j on the second; i < j for two elements. -1 if that side is
    // an obstacle.
    sherd_element_index i, j;
    int32_t i_obstacle, j_obstacle; // obstacles on the two sides; -1 if that side is an element
    sherd_vec3 place;               // where it acts: in the middle of the overlap [m]
    sherd_vec3 normal;              // unit vector towards the first side
    double normal_force;            // >= 0 [N]
    sherd_vec3 friction;            // friction force, perpendicular to the normal [N]
    double overlap;                 // of the two surfaces [m]
} sherd_contact_force;

// Force and torque that the rest of the world exerts on a driver's region or an obstacle, averaged
// over the steps since the last sherd_world_reset_probes, and its motion since the start.
typedef struct sherd_probe_reading {
    sherd_vec3 force; // mean force [N]
    sherd_vec3
        torque; // mean torque about the region's mean position or the obstacle's origin [N m]
    sherd_vec3 displacement; // of the region's mean position or the obstacle's origin [m]
    sherd_vec3 rotation;     // rotation vector, prescribed or the mean of the elements' [rad]
    // Smallest and largest force of a single step since then, by component, because averages smooth
    // peaks. A step with prescribed loads at both ends counts both. While the world is divided into
    // regions, the load of one is added to the means of the others.
    sherd_vec3 force_least, force_largest;   // [N]
    sherd_vec3 torque_least, torque_largest; // the same of the torque [N m]
} sherd_probe_reading;
