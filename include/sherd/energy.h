// Where a world's energy is.
#pragma once

#include <sherd/export.h>

// Energies. Everything in joules; dissipated shares never decrease, except those
// of integration and onset.
typedef struct sherd_energy {
    double kinetic;             // elements and free rigid bodies, translation and rotation
    double elastic;             // in intact bonds
    double gravity;             // potential, relative to the start
    double contact;             // in contact and friction springs
    double work;                // done on the system by drivers and driven obstacles
    double dissipated_bonds;    // by bond damping, and vibration left in what fell asleep
    double dissipated_fracture; // elastic energy of bonds when they broke
    double dissipated_contact;  // by contact damping
    double dissipated_friction; // by sliding
    // Taken by the integration of implicit steps, and of explicit ones in which loads change between two half
    // kicks: where bonds break, where bonds that soften close and open, where steps become implicit or of another
    // length. Below 0: given. It closes their balance, so that balance_error is that of all others.
    double dissipated_integration;
    // stored + dissipated - work - start, as a share of the largest stored energy; of velocity Verlet's own energy,
    // K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2) and so on, about which K oscillates
    double balance_error;
    double max_stress_ratio; // over all intact bonds
    // Taken as contacts began and ended within explicit steps; below 0: given. 0 for a pair without other forces.
    double dissipated_onset;
    double dissipated_softening; // taken by bonds that soften as they open (sherd/material.h)
    double dissipated_plastic;   // plastic work of bonds that yield
} sherd_energy;
