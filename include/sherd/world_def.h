// What a world is to be: gravity, methods of stepping, contact. sherd_world_create (sherd/world.h) makes one of it.
#pragma once

#include <sherd/field.h>
#include <sherd/laws.h>
#include <sherd/method.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct sherd_world sherd_world;

// Of material points: how far a node reaches, and how velocities come back to points.
typedef enum sherd_point_kernel {
    SHERD_POINT_KERNEL_CUBIC = 0, // B-splines; 4 nodes along an axis
    SHERD_POINT_KERNEL_QUADRATIC, // 3 nodes: faster, noisier
} sherd_point_kernel;
typedef enum sherd_point_transfer {
    SHERD_POINT_TRANSFER_AFFINE = 0, // changes of the nodes' velocities and of their gradients
    SHERD_POINT_TRANSFER_FLIP,       // of velocities alone [MPMG]
    SHERD_POINT_TRANSFER_APIC,       // affine with `flip` 0: velocities and gradients themselves
} sherd_point_transfer;

typedef struct sherd_world_def {
    uint32_t cookie;    // set by sherd_world_def_default; anything else is refused
    sherd_vec3 gravity; // [m/s^2], default (0, 0, -9.81)
    int threads;        // 0 = all the machine has (default). Results do not depend on it
    double time_step;   // [s], 0 = from the largest eigenvalue of the system (default)
    // Share of the stability limit used when automatic, (0, 1], default 0.85.
    double time_step_safety;
    double contact_skin; // search margin of contacts as a share of the smallest radius, default 0.3
    bool contacts; // false switches element-element and element-obstacle contact off, default true
    sherd_precision precision; // default mixed
    // Fragments with little vibration and strain and with nothing near move as rigid bodies, at almost no cost, until
    // something comes near; debris at rest stays at rest. Default true.
    bool sleep;
    sherd_method method; // default explicit
    // The rest is for implicit steps. Their length is `time_step` [s], or this many stability limits
    // T; 0 = chosen by the error that `accuracy` allows (default). At most one of the two.
    double time_step_in_limits; // [T], >= 0
    double accuracy;            // error of displacements, as a share, (0, 1], default 0.01
    sherd_scheme scheme;        // default auto
    // The auto method makes no implicit steps of more elements than this: their memory, up to 1.4 kB an
    // element, is taken before the first of them. >= 0, default 2,000,000.
    int64_t implicit_elements;
    // All overstressed bonds break at the end of each step, as in [IBDEM25], whatever the step's
    // length. Bodies then seem tougher in impacts (docs/theory/physics.md 3). Default false.
    bool paper_fracture;
    // How what touches pushes; default linear.
    sherd_contact_potential_kind contact_potential;
    // Width w of the contact potential `barrier`, which needs one, as a share of the smallest radius, [0, 2].
    // Its energy is infinite once surfaces overlap by w more than at rest in the implicit method; where explicit
    // steps are made it goes on from 0.248 w with a constant slope, and what is fast enough passes. With other
    // potentials, of the implicit method only: such a barrier is added to their springs. 0 = none (default).
    double contact_barrier;
    // The auto method only: bodies and fragments that can't meet for a while are stepped separately, so that an impact
    // on one does not shorten others' steps; beside material points those far from these (docs/theory/material-points-bodies.md). Default true.
    bool regions;
    // Quasi-static loads: everything has so many times its mass, and gravity is so many times less, so that it weighs what
    // it weighed. Explicit steps are sqrt(mass_scaling) times longer, waves and falls so many times slower; loads that
    // are slow beside both are as without (docs/theory/explicit.md). Bodies of material points are refused. Masses that a world
    // reports are those without; kinetic energy and momenta are those with. >= 1, default 1.
    double mass_scaling;
    // Of bodies of material points, which take explicit steps of a grid whatever else the method has.
    sherd_point_kernel point_kernel;     // default cubic
    sherd_point_transfer point_transfer; // default AFFINE
    double flip; // share of FLIP, the rest is PIC, [0, 1]; NAN, the default = 0.95, of APIC 0
} sherd_world_def;

SHERD_API sherd_world_def sherd_world_def_default(void);
SHERD_API const sherd_definition *sherd_world_def_fields(void);
