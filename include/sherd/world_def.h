// Definition of a world: gravity, time stepping and contact. Create the world by sherd_world_create
// (sherd/world.h).
#pragma once

#include <sherd/field.h>
#include <sherd/laws.h>
#include <sherd/method.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

// A world; opaque. See sherd/world.h.
typedef struct sherd_world sherd_world;

// Material points: interpolation between points and grid nodes.
typedef enum sherd_point_kernel {
    SHERD_POINT_KERNEL_CUBIC = 0, // cubic B-splines: 4 nodes along an axis
    SHERD_POINT_KERNEL_QUADRATIC, // quadratic B-splines: 3 nodes, faster but noisier
} sherd_point_kernel;
// Material points: how velocities return from the grid to the points.
typedef enum sherd_point_transfer {
    SHERD_POINT_TRANSFER_AFFINE = 0, // changes of the nodes' velocities and velocity gradients
    SHERD_POINT_TRANSFER_FLIP,       // changes of the nodes' velocities alone [MPMG]
    SHERD_POINT_TRANSFER_APIC,       // velocities and gradients themselves: AFFINE with `flip` 0
} sherd_point_transfer;

// Material points: contact between their bodies.
typedef enum sherd_point_contact {
    SHERD_POINT_CONTACT_SURFACES = 0, // where surfaces are: springs of solids, gaps at nodes
    SHERD_POINT_CONTACT_PAIRWISE,     // at all nodes that bodies share, pair by pair [MPMG]
} sherd_point_contact;

// Definition of a world. sherd_world_create rejects values out of range.
typedef struct sherd_world_def {
    uint32_t cookie;    // set by sherd_world_def_default; any other value is rejected
    sherd_vec3 gravity; // [m/s^2], default (0, 0, -9.81)
    int threads;        // >= 0, 0: all of the machine (default). Results do not depend on it
    double time_step;   // [s], 0: from the largest eigenvalue of the system (default)
    // Fraction of the stability limit that an automatic time step takes, (0, 1], default 0.85.
    double time_step_safety;
    double contact_skin; // search margin of contacts over the smallest radius [-], default 0.3
    bool contacts;       // false: no contact between elements or with obstacles; default true
    sherd_precision precision; // default mixed
    // Fragments with little vibration and strain and no neighbours move as rigid bodies, at almost
    // no cost, until something approaches; debris at rest stays at rest. Default true.
    bool sleep;
    sherd_method method; // default explicit
    // Implicit steps: their length in stability limits T, >= 0. At most one of this and `time_step`
    // may be set. 0: chosen by the error that `accuracy` allows (default).
    double time_step_in_limits;
    double accuracy;     // implicit steps: relative error of displacements, (0, 1], default 0.01
    sherd_scheme scheme; // implicit steps: time integration, default auto
    // Implicit steps: what minimises their energy, default SHERD_STEP_OPTIMIZER_NEWTON.
    sherd_step_optimizer optimizer;
    // With the algorithms of [IBDEM25]: formulas as printed where Sherd corrects them
    // (docs/papers/ibdem25.md). Default false.
    bool as_printed;
    // The auto method takes no implicit steps with more elements than this, >= 0, default
    // 2,000,000. Their memory, up to 1.4 kB per element, is allocated before the first implicit
    // step.
    int64_t implicit_elements;
    // Break all overstressed bonds at the end of each step, as in [IBDEM25], whatever the step's
    // length. Bodies then seem tougher in impacts (docs/theory/physics.md 3). Default false.
    bool paper_fracture;
    // Contact law: the potential of normal contact forces, default linear.
    sherd_contact_potential_kind contact_potential;
    // Width w of the contact potential `barrier` over the smallest radius [-], [0, 2]; that
    // potential requires one. In the implicit method its energy becomes infinite when the overlap
    // exceeds that at rest by w; in explicit steps it continues from 0.248 w with a constant slope,
    // which fast bodies can cross. With other potentials, in the implicit method only: a barrier of
    // this width is added to their springs. 0: none (default).
    double contact_barrier;
    // k_c of [RBDEM] (30) [Pa], > 0: all contacts are as stiff as those of materials with a Young's
    // modulus of 2 k_c, k = k_c pi r between equal elements. 0: from the materials (default).
    double contact_stiffness;
    // Auto method: step bodies and fragments that cannot meet for a while separately, so that an
    // impact on one does not shorten the steps of the others. With material points, those far from
    // the points are separate (docs/theory/material-points-bodies.md). Default true.
    bool regions;
    // Mass scaling for quasi-static loads: masses are multiplied by this factor and gravity is
    // divided by it, so weights stay. Explicit steps become sqrt(mass_scaling) times longer, waves
    // and falls as much slower; loads that are slow compared with both give the same results
    // (docs/theory/explicit.md). Bodies of material points are rejected. Reported masses are
    // without the factor, kinetic energy and momenta with it. >= 1, default 1.
    double mass_scaling;
    // Material points: interpolation, default cubic. Points take explicit steps on a grid with
    // every method.
    sherd_point_kernel point_kernel;
    sherd_point_transfer point_transfer; // material points: default AFFINE
    // Material points: contact between bodies, default SURFACES. PAIRWISE is for comparison with
    // [MPMG], and for worlds of material points and obstacles alone, without elements and free
    // bodies.
    sherd_point_contact point_contact;
    // Material points: fraction of FLIP in the transfer, the rest is PIC, [0, 1]. NAN (default):
    // 0.95, with APIC 0.
    double flip;
} sherd_world_def;

// Returns a definition with the defaults above.
SHERD_API sherd_world_def sherd_world_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_world_def_fields(void);
