// What a world shows of itself: elements, bonds, bodies, energies, forces. Nothing here changes it but
// sherd_world_forget_breaks and sherd_world_reset_probes.
#pragma once

#include <sherd/body.h>
#include <sherd/breaks.h>
#include <sherd/driver.h>
#include <sherd/energy.h>
#include <sherd/glue.h>
#include <sherd/loads.h>
#include <sherd/obstacle.h>
#include <sherd/stress.h>
#include <sherd/world_def.h>

#include <stddef.h>
#include <stdint.h>

typedef struct sherd_element_view {
    sherd_element_index count;       // n
    const double *x, *y, *z;         // position                       [m]      (n)
    const double *qx, *qy, *qz, *qw; // orientation                    [-]      (n)
    const double *vx, *vy, *vz;      // velocity                       [m/s]    (n)
    const double *wx, *wy, *wz;      // angular velocity, world frame  [rad/s]  (n)
} sherd_element_view;                // valid until the next non-const call on the world

SHERD_API sherd_element_view sherd_world_elements(const sherd_world *world);

// Given properties of an element, which the world stores in less memory.
typedef struct sherd_element_info {
    sherd_vec3 rest;       // position in the body's rest frame [m]
    double radius;         // [m]
    double mass;           // [kg]
    uint16_t material;     // index into materials, from 0
    sherd_body_index body; // index into bodies, from 0
} sherd_element_info;

// Zeros when there is no such element.
SHERD_API sherd_element_info sherd_world_element(const sherd_world *world,
                                                 sherd_element_index element);

// Force on an element without gravity; 0 for those asleep [N].
SHERD_API sherd_vec3 sherd_world_element_force(const sherd_world *world,
                                               sherd_element_index element);

typedef struct sherd_bond_view {
    sherd_bond_index count;           // m, broken ones included; order and ends never change
    const sherd_element_index *i, *j; // i < j                                   (m)
    const uint8_t *broken;            // 0 intact, 1 broken                      (m)
    sherd_bond_index broken_count;
} sherd_bond_view; // valid until the next non-const call on the world

SHERD_API sherd_bond_view sherd_world_bonds(const sherd_world *world);

// Bonds and particles of glue that broke since the start, or since sherd_world_forget_breaks was last called. The list is
// kept, and saved with the state, until it is forgotten: who reads it now and then forgets what was read.
SHERD_API sherd_bond_index sherd_world_break_count(const sherd_world *world);
// All of them into the caller's array, which has room for that many, in order of time, then of their numbers: the same
// for every number of threads and after a restored state.
SHERD_API void sherd_world_breaks(const sherd_world *world, sherd_break *breaks);
SHERD_API void sherd_world_forget_breaks(sherd_world *world);

// first[e] becomes the first element of the connected component that element e is in, for every element: what
// intact bonds join. For sherd_fragment_input.
SHERD_API void sherd_world_components(const sherd_world *world, sherd_element_index *first);

// Area of each bond's section, broken ones included [m^2] (m).
SHERD_API void sherd_world_bond_sections(const sherd_world *world, float *section);

// Load of each bond in the present state, broken ones included, in the order of sherd_world_bonds. `loads` is the
// caller's and has room for all. Takes as long as some tens of explicit steps; nothing is kept.
SHERD_API void sherd_world_bond_loads(const sherd_world *world, sherd_bond_load *loads);

// Elements of bodies that are asleep now (sherd_world_def.sleep).
SHERD_API sherd_element_index sherd_world_asleep_count(const sherd_world *world);

SHERD_API sherd_body_bonds sherd_world_body_bonds(const sherd_world *world, int body);

// Pieces of a body of material points and the glue between them, as it is now. A body without any is one piece.
typedef struct sherd_body_glue {
    int32_t pieces; // 0: not of points
    int64_t count,
        broken; // particles of glue, one for each two neighbouring points that a wall parts
    // Pairs of neighbouring points of one piece that were once so far apart that they shared no node of the grid. 0 of laws
    // whose points have no neighbours: snow, sand, fluid.
    int64_t torn;
    // What glue of these strengths needs at least as fracture energy, if it is to soften, at this spacing [J/m^2]; 0: of
    // infinite strengths.
    double least_energy;
} sherd_body_glue;

SHERD_API sherd_body_glue sherd_world_body_glue(const sherd_world *world, int body);
// Particles of glue of all bodies, broken ones included, in the order of bodies; order and ends never change.
SHERD_API sherd_bond_index sherd_world_glue_count(const sherd_world *world);
// All of them into the caller's array, which has room for that many.
SHERD_API void sherd_world_glue(const sherd_world *world, sherd_glue_particle *glue);
// Bonds and particles of glue that are broken.
SHERD_API int64_t sherd_world_broken_count(const sherd_world *world);
// Pairs of points that have torn apart, of all bodies.
SHERD_API int64_t sherd_world_torn_count(const sherd_world *world);

SHERD_API int sherd_world_body_count(const sherd_world *world);
SHERD_API sherd_body_info sherd_world_body(const sherd_world *world, int body);
SHERD_API int sherd_world_obstacle_count(const sherd_world *world);
SHERD_API sherd_pose sherd_world_obstacle_pose(const sherd_world *world, int obstacle);

// Largest ratio of stress to strength over the intact bonds of each element, 0 without bonds.
// `stress_ratio` has room for every element. With infinite strengths the ratio is 0.
SHERD_API void sherd_world_stress_ratio(const sherd_world *world, float *stress_ratio);

// Cauchy stress of each element in the present state, of its intact bonds whatever their law (sherd/stress.h); 0
// without bonds. `stress` has room for every element. Takes about as long as a step; nothing is kept.
SHERD_API void sherd_world_stress(const sherd_world *world, sherd_stress *stress);

SHERD_API sherd_energy sherd_world_energy(const sherd_world *world);
SHERD_API sherd_vec3 sherd_world_momentum(const sherd_world *world); // [kg m/s]
// About the origin [kg m^2/s]; with what material points' gradients of velocity hold, which they have once the world is
// prepared (sherd_world_prepare).
SHERD_API sherd_vec3 sherd_world_angular_momentum(const sherd_world *world);

SHERD_API sherd_probe_reading sherd_world_probe_driver(const sherd_world *world,
                                                       sherd_driver_id driver);
SHERD_API sherd_probe_reading sherd_world_probe_obstacle(const sherd_world *world,
                                                         sherd_obstacle_id obstacle);
SHERD_API void sherd_world_reset_probes(sherd_world *world);

// Pairs of elements, and of elements and obstacles, that pressed on each other in the last step.
SHERD_API int64_t sherd_world_touching_count(const sherd_world *world);

// Forces of all contacts in the last step, explicit or implicit: pairs of elements, elements and obstacles (one for each
// place that is touched), points of free obstacles and other ones. An owned array of *count, freed with
// sherd_world_free_contact_forces; in order of i, then of obstacles and j: the same for every number of threads. NULL
// with an error when memory is short. The forces are those that the step added up, to single precision.
SHERD_API sherd_contact_force *sherd_world_contact_forces(const sherd_world *world, int64_t *count,
                                                          sherd_error *error);
SHERD_API void sherd_world_free_contact_forces(sherd_contact_force *forces); // NULL is fine

// Fingerprint of positions, orientations, velocities and broken bonds.
SHERD_API uint64_t sherd_world_state_hash(const sherd_world *world);

// Bytes the world holds now: per element and per bond, and in all.
typedef struct sherd_memory_use {
    size_t elements, bonds, contacts; // [bytes]
    size_t implicit;                  // of implicit steps, once there was one
    size_t total;
} sherd_memory_use;
SHERD_API sherd_memory_use sherd_world_memory(const sherd_world *world);
