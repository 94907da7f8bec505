// Reading the state of a world: elements, bonds, bodies, energies, forces. Only
// sherd_world_forget_breaks and sherd_world_reset_probes change the world.
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

// The elements of a world. Valid until the next non-const call on the world.
typedef struct sherd_element_view {
    sherd_element_index count;       // n
    const double *x, *y, *z;         // position                       [m]      (n)
    const double *qx, *qy, *qz, *qw; // orientation, unit quaternion   [-]      (n)
    const double *vx, *vy, *vz;      // velocity                       [m/s]    (n)
    const double *wx, *wy, *wz;      // angular velocity, world axes   [rad/s]  (n)
} sherd_element_view;

// Returns views of all elements.
SHERD_API sherd_element_view sherd_world_elements(const sherd_world *world);

// Constant properties of an element.
typedef struct sherd_element_info {
    sherd_vec3 rest;       // position in the body's rest frame [m]
    double radius;         // [m]
    double mass;           // [kg]
    uint16_t material;     // index into materials, from 0
    sherd_body_index body; // index into bodies, from 0
} sherd_element_info;

// Returns the properties of an element; zeros if there is no such element.
SHERD_API sherd_element_info sherd_world_element(const sherd_world *world,
                                                 sherd_element_index element);

// Returns the force on an element without gravity [N]; 0 if it is asleep.
SHERD_API sherd_vec3 sherd_world_element_force(const sherd_world *world,
                                               sherd_element_index element);

// The bonds of a world. Their order and ends never change. Valid until the next non-const call on
// the world.
typedef struct sherd_bond_view {
    sherd_bond_index count;           // m, broken bonds included
    const sherd_element_index *i, *j; // end elements, i < j                     (m)
    const uint8_t *broken;            // 0 intact, 1 broken                      (m)
    sherd_bond_index broken_count;    // number of broken bonds
} sherd_bond_view;

// Returns views of all bonds.
SHERD_API sherd_bond_view sherd_world_bonds(const sherd_world *world);

// Returns the number of breaks of bonds and particles of glue since the start or the last call of
// sherd_world_forget_breaks. The list is part of the saved state.
SHERD_API sherd_bond_index sherd_world_break_count(const sherd_world *world);
// Copies these breaks to `breaks` (sherd_world_break_count), by time, then by number: the same
// order for any number of threads and after restoring a state.
SHERD_API void sherd_world_breaks(const sherd_world *world, sherd_break *breaks);
// Empties the list of breaks, to be called after reading it.
SHERD_API void sherd_world_forget_breaks(sherd_world *world);

// Finds connected components of the graph of intact bonds: first[e] becomes the lowest element in
// the component of element e (elements). For sherd_fragment_input.
SHERD_API void sherd_world_components(const sherd_world *world, sherd_element_index *first);

// Copies the cross-section area of each bond, broken ones included, to `section` [m^2] (bonds).
SHERD_API void sherd_world_bond_sections(const sherd_world *world, float *section);

// Computes the load of each bond in the present state to `loads` (bonds), in the order of
// sherd_world_bonds; broken bonds have zeros. Takes as long as some tens of explicit steps.
SHERD_API void sherd_world_bond_loads(const sherd_world *world, sherd_bond_load *loads);

// Returns the number of elements that are asleep (sherd_world_def.sleep).
SHERD_API sherd_element_index sherd_world_asleep_count(const sherd_world *world);

// Returns statistics of the bonds of body number `body`, from 0, when it was added.
SHERD_API sherd_body_bonds sherd_world_body_bonds(const sherd_world *world, int body);

// Pieces of a body of material points and the glue between them.
typedef struct sherd_body_glue {
    int32_t pieces; // 1 without glue; 0 if the body is not of points
    // Particles of glue, one for each pair of neighbours across a wall, and those broken.
    int64_t count, broken;
    // Pairs of neighbours of one piece that once were so far apart that they shared no grid node. 0
    // for laws without neighbours: snow, sand, fluid.
    int64_t torn;
    // Smallest fracture energy with which glue of these strengths can soften at this spacing
    // [J/m^2]; 0 if strengths are infinite.
    double least_energy;
} sherd_body_glue;

// Returns the present pieces and glue of body number `body`, from 0.
SHERD_API sherd_body_glue sherd_world_body_glue(const sherd_world *world, int body);
// Returns the number of particles of glue of all bodies, broken ones included. Their order (by
// body) and ends never change.
SHERD_API sherd_bond_index sherd_world_glue_count(const sherd_world *world);
// Copies all particles of glue to `glue` (sherd_world_glue_count).
SHERD_API void sherd_world_glue(const sherd_world *world, sherd_glue_particle *glue);
// Returns the number of broken bonds and particles of glue.
SHERD_API int64_t sherd_world_broken_count(const sherd_world *world);
// Returns the number of pairs of material points that have torn apart, in all bodies.
SHERD_API int64_t sherd_world_torn_count(const sherd_world *world);

// Returns the number of bodies.
SHERD_API int sherd_world_body_count(const sherd_world *world);
// Returns body number `body`, from 0. Its name is valid as long as the world.
SHERD_API sherd_body_info sherd_world_body(const sherd_world *world, int body);
// Returns the number of obstacles.
SHERD_API int sherd_world_obstacle_count(const sherd_world *world);
// Returns the present pose of obstacle number `obstacle`, from 0.
SHERD_API sherd_pose sherd_world_obstacle_pose(const sherd_world *world, int obstacle);

// Computes the largest ratio of stress to strength over the intact bonds of each element to
// `stress_ratio` [-] (elements); 0 without bonds or with infinite strengths.
SHERD_API void sherd_world_stress_ratio(const sherd_world *world, float *stress_ratio);

// Computes the Cauchy stress of each element from its intact bonds (sherd/stress.h) to `stress`
// [Pa] (elements); 0 without bonds. Takes about as long as a step.
SHERD_API void sherd_world_stress(const sherd_world *world, sherd_stress *stress);

// Returns the energies of the present state [J].
SHERD_API sherd_energy sherd_world_energy(const sherd_world *world);
// Returns the total linear momentum of elements and free obstacles [kg m/s].
SHERD_API sherd_vec3 sherd_world_momentum(const sherd_world *world);
// Returns the total angular momentum about the origin [kg m^2/s], including that of the velocity
// gradients of material points, which exist after the first step.
SHERD_API sherd_vec3 sherd_world_angular_momentum(const sherd_world *world);

// Returns force, torque and displacement of a driver's region.
SHERD_API sherd_probe_reading sherd_world_probe_driver(const sherd_world *world,
                                                       sherd_driver_id driver);
// Returns force, torque and displacement of an obstacle.
SHERD_API sherd_probe_reading sherd_world_probe_obstacle(const sherd_world *world,
                                                         sherd_obstacle_id obstacle);
// Starts a new averaging interval of all probes.
SHERD_API void sherd_world_reset_probes(sherd_world *world);

// Returns the number of pairs of elements, or elements and obstacles, in contact in the last step.
SHERD_API int64_t sherd_world_touching_count(const sherd_world *world);

// Returns the forces of all contacts in the last step: between elements, between elements and
// obstacles (one for each contact point), and between free and other obstacles. The array of *count
// is owned by the caller; free it with sherd_world_free_contact_forces. Ordered by i, then
// obstacles and j: the same for any number of threads. Forces have single precision. NULL with
// SHERD_ERROR_MEMORY.
SHERD_API sherd_contact_force *sherd_world_contact_forces(const sherd_world *world, int64_t *count,
                                                          sherd_error *error);
// Frees the array of sherd_world_contact_forces. NULL is allowed.
SHERD_API void sherd_world_free_contact_forces(sherd_contact_force *forces);

// Returns a fingerprint of positions, orientations, velocities and broken bonds, free bodies included.
SHERD_API uint64_t sherd_world_state_hash(const sherd_world *world);

// Memory that a world uses, in bytes.
typedef struct sherd_memory_use {
    size_t elements, bonds, contacts; // by purpose [bytes]
    size_t implicit; // workspace of implicit steps, after the first of them [bytes]
    size_t total;    // all together [bytes]
} sherd_memory_use;
// Returns the memory that the world uses now.
SHERD_API sherd_memory_use sherd_world_memory(const sherd_world *world);
