// Energies of a world.
#pragma once

#include <sherd/export.h>

// Energies of a world in joules. Dissipated energies never decrease, except those of integration
// and onset.
typedef struct sherd_energy {
    double kinetic;             // of elements and free rigid bodies, translation and rotation
    double elastic;             // stored in intact bonds
    double gravity;             // potential energy relative to the start
    double contact;             // stored in contact and friction springs
    double work;                // done on the system by drivers and driven obstacles
    double dissipated_bonds;    // by bond damping, and vibration left in what fell asleep
    double dissipated_fracture; // elastic energy of bonds when they broke
    double dissipated_contact;  // by contact damping
    double dissipated_friction; // by sliding
    // By the time integration; negative if energy was gained. From implicit steps, and from
    // explicit ones whose loads change between the two half kicks: where bonds break, where
    // softening bonds close and open, where steps become implicit or change their length. It closes
    // the balance of such steps, so balance_error is that of all others.
    double dissipated_integration;
    // Relative error of the energy balance: stored + dissipated - work - start, over the largest
    // stored energy. It refers to the energy that velocity Verlet conserves,
    //   K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2) + V, about which K + V oscillates.
    double balance_error;
    double max_stress_ratio; // largest stress over strength of all intact bonds
    // By contacts that begin or end within an explicit step; negative if energy was gained. 0 for a
    // pair without other forces.
    double dissipated_onset;
    double dissipated_softening; // by softening bonds as they open (sherd/material.h)
    double dissipated_plastic;   // plastic work of yielding bonds
} sherd_energy;
