// A world: elements, bonds, obstacles and their simulation. Opaque, owned by the caller, no
// globals. One thread at a time may use a world; different worlds are independent.
//
//     sherd_world_def def = sherd_world_def_default();
//     sherd_error err;
//     sherd_world *world = sherd_world_create(&def, &err);
//     if (world == NULL) return report(&err);
#pragma once

#include <sherd/breaks.h>
#include <sherd/driver.h>
#include <sherd/energy.h>
#include <sherd/field.h>
#include <sherd/fracture.h>
#include <sherd/glue.h>
#include <sherd/loads.h>
#include <sherd/material.h>
#include <sherd/method.h>
#include <sherd/motion.h>
#include <sherd/obstacle.h>
#include <sherd/shape.h>
#include <sherd/stress.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_world sherd_world;

// ---------------------------------------------------------------- definition and life

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
    // length. Bodies then seem tougher in impacts (docs/physics.md 3). Default false.
    bool paper_fracture;
    // How what touches pushes; default linear.
    sherd_contact_potential_kind contact_potential;
    // Width w of the contact potential `barrier`, which needs one, as a share of the smallest radius, [0, 2].
    // Its energy is infinite once surfaces overlap by w more than at rest in the implicit method; where explicit
    // steps are made it goes on from 0.248 w with a constant slope, and what is fast enough passes. With other
    // potentials, of the implicit method only: such a barrier is added to their springs. 0 = none (default).
    double contact_barrier;
    // The auto method only: bodies and fragments that can't meet for a while are stepped separately, so that an impact
    // on one does not shorten others' steps; beside material points those far from these (docs/mpm.md). Default true.
    bool regions;
    // Quasi-static loads: everything has so many times its mass, and gravity is so many times less, so that it weighs what
    // it weighed. Explicit steps are sqrt(mass_scaling) times longer, waves and falls so many times slower; loads that
    // are slow beside both are as without (docs/method.md). Bodies of material points are refused. Masses that a world
    // reports are those without; kinetic energy and momenta are those with. >= 1, default 1.
    double mass_scaling;
    // Of bodies of material points, which take explicit steps of a grid whatever else the method has.
    sherd_point_kernel point_kernel;     // default cubic
    sherd_point_transfer point_transfer; // default AFFINE
    double flip; // share of FLIP, the rest is PIC, [0, 1]; NAN, the default = 0.95, of APIC 0
} sherd_world_def;

SHERD_API sherd_world_def sherd_world_def_default(void);
SHERD_API const sherd_definition *sherd_world_def_fields(void);
// SHERD_ERROR_INPUT with the member's name as `where` for values that sherd_world_create would refuse.
SHERD_API sherd_status sherd_world_def_check(const sherd_world_def *def, sherd_error *error);
SHERD_API sherd_world *sherd_world_create(const sherd_world_def *def, sherd_error *error);
SHERD_API void sherd_world_destroy(sherd_world *world); // NULL is fine

// ---------------------------------------------------------------- building
// Everything is added before the first step; adding later is SHERD_ERROR_INPUT. Definitions are
// copied. A null id means failure, described in *error.

SHERD_API sherd_material_id sherd_world_add_material(sherd_world *world,
                                                     const sherd_material_def *def,
                                                     sherd_error *error);

typedef enum sherd_bonding {
    SHERD_BONDING_NEAR = 0, // bond elements of the body whose gap is at most bond_reach
    SHERD_BONDING_NONE,     // loose granules
    SHERD_BONDING_LIST,     // exactly the given pairs
} sherd_bonding;

typedef struct sherd_body_def {
    uint32_t cookie;
    const char *name; // for messages; copied, may be NULL
    // Elements in the body's rest frame, borrowed while adding.
    sherd_element_index count; // n, >= 1
    const double *x, *y, *z;   // [m] (n)
    const double *radius;      // [m] (n), > 0
    sherd_material_id material;
    sherd_bonding bonding;
    double bond_reach; // largest gap bonded, as a share of the smaller radius, default 0.15
    sherd_bond_index bond_count;                // LIST only
    const sherd_element_index *bond_i, *bond_j; // LIST only, indices within the body (bond_count)
    // LIST only: area of each bond's section [m^2], > 0 (bond_count). A bond is as stiff and as strong
    // as a round rod of that section. NULL (default) = a circle of the material's bond_radius.
    const double *bond_section;
    // LIST only: factor on each bond's moduli and strengths, > 0 (bond_count); NULL (default) = 1.
    // With a section, stiffness in stretching and in bending can be chosen separately.
    const double *bond_factor;
    // Solid that each element stands for [m^3], > 0 (n): its mass is density times that. It touches
    // others, and turns (I = 2/5 m r^2), as the sphere of its radius. NULL (default) = its sphere.
    const double *volume;
    // Share of the body's space that its elements' spheres or `volume`s fill, > 0, default 1: stresses are per space
    // (sherd/stress.h). Of a packing without `volume` its solid_fraction; 0.7405 in close packings.
    double solid_fraction;
    // > 0: elements are material points on a lattice of this spacing [m], each with its `volume`; the grid's nodes are two
    // spacings apart. The material needs a model, bonding NONE. One spacing in a world. Default 0: spheres and bonds.
    double point_spacing;
    // Material points only: the solid that they fill, in the rest frame: contact is on its surface. NULL (default): on that of
    // cubes around points.
    const sherd_shape *shape; // borrowed while adding
    // Material points only: pieces that glue holds together until it breaks. NULL (default): one piece that stays one.
    const sherd_fracture_def *fracture; // borrowed while adding
    // Art direction: factors on each bond's moduli and strengths. NULL (default) = 1.
    sherd_bond_scale_function *bond_scale;
    const void *bond_scale_context; // passed on
    // Faces of pre-cracks that bond_scale makes. NULL (default): elements are round there, too.
    sherd_cut_face_function *cut_faces;
    const void *cut_faces_context; // passed on
    // Placement: x_world = R x_rest + position. Elements start with orientation R.
    sherd_pose pose;
    sherd_vec3 velocity;         // of the body's origin [m/s]
    sherd_vec3 angular_velocity; // about the body's origin, world axes [rad/s]
} sherd_body_def;

SHERD_API sherd_body_def sherd_body_def_default(void);
SHERD_API const sherd_definition *sherd_body_def_fields(void);
SHERD_API sherd_body_id sherd_world_add_body(sherd_world *world, const sherd_body_def *def,
                                             sherd_error *error);

SHERD_API sherd_obstacle_id sherd_world_add_obstacle(sherd_world *world,
                                                     const sherd_obstacle_def *def,
                                                     sherd_error *error);

// An empty region is SHERD_ERROR_INPUT.
SHERD_API sherd_driver_id sherd_world_add_driver(sherd_world *world, const sherd_driver_def *def,
                                                 sherd_error *error);

// ---------------------------------------------------------------- stepping

// The stability limit T = 2 / sqrt(lambda_max) of the actual system [s]: bonds by Lanczos iteration
// on the mass-scaled stiffness, rotations included, contacts by a bound, reduced for damping.
//    docs/physics.md 6
// Of worlds with material points it is that of their grid.
SHERD_API double sherd_world_stable_time_step(sherd_world *world, sherd_error *error);
// The stability limit of bonded elements and free bodies beside material points, which take steps of their own within
// one of the grid's [s]; 0: there are no points, nothing is beside them, or sherd_world_stable_time_step was not asked.
SHERD_API double sherd_world_element_time_step(const sherd_world *world);

// Fixes the step for the rest of the run; otherwise the first step takes
// time_step or time_step_safety * stable time step. Refused after the first step. [s]
SHERD_API sherd_status sherd_world_set_time_step(sherd_world *world, double time_step,
                                                 sherd_error *error);
SHERD_API double sherd_world_time_step(const sherd_world *world); // 0 before it is known
SHERD_API double sherd_world_time(const sherd_world *world);      // [s] = steps * time step
SHERD_API int64_t sherd_world_step_count(const sherd_world *world);

// Advances by `steps` steps. SHERD_ERROR_UNSTABLE names element, step and likely cause; the world
// then still holds the state of the last good step's arrays and must not be stepped further.
// The explicit method only: others choose their steps and advance by time.
SHERD_API sherd_status sherd_world_step(sherd_world *world, int64_t steps, sherd_error *error);

// Advances to time `until` [s] exactly, with as many steps as the method needs. The explicit method's
// steps are all alike, so `until` must be a whole number of them from now, to a millionth of a step;
// a first step whose length is not fixed is shortened until it fits. SHERD_ERROR_INPUT for a time that
// has passed. Errors of steps are those of sherd_world_step.
SHERD_API sherd_status sherd_world_advance(sherd_world *world, double until, sherd_error *error);
// The same, but stops after `most_steps` steps on the way. Results do not depend on stops.
SHERD_API sherd_status sherd_world_advance_towards(sherd_world *world, double until,
                                                   int64_t most_steps, sherd_error *error);

// Motions that are decided while the world is stepped. From where it is now the driver's region, or the driven obstacle,
// goes straight to the key's translation and rotation, which it has at the key's time, after now, and then stays
// there. What its motion had prescribed from now on is forgotten; so a course is given key by key, each before the one
// before it has passed. Both are from time 0 on, as in tables of motions, so that a first look at where it is
// (sherd_world_driver_key) makes steps by velocities. Is part of the saved state. The same calls at the same times give
// the same results, whatever the number of threads. SHERD_ERROR_INPUT for what does not move by a motion, and for a
// time that is not after now.
SHERD_API sherd_status sherd_world_move_driver(sherd_world *world, sherd_driver_id driver,
                                               const sherd_motion_key *to, sherd_error *error);
SHERD_API sherd_status sherd_world_move_obstacle(sherd_world *world, sherd_obstacle_id obstacle,
                                                 const sherd_motion_key *to, sherd_error *error);
// Where they are now, in those terms; zeros for what does not move by a motion.
SHERD_API sherd_motion_key sherd_world_driver_key(const sherd_world *world, sherd_driver_id driver);
SHERD_API sherd_motion_key sherd_world_obstacle_key(const sherd_world *world,
                                                    sherd_obstacle_id obstacle);

// Why the auto method would make explicit steps only in this world, for people; NULL when it may make
// implicit ones. Known once there is a stable time step.
SHERD_API const char *sherd_world_explicit_reason(const sherd_world *world);

// SHERD_ERROR_INPUT for what the first step of this world would refuse if its method were this one: a scheme
// beside contacts or free bodies, a law without energy. All bodies and obstacles must have been added.
SHERD_API sherd_status sherd_world_check_method(const sherd_world *world, sherd_method method,
                                                sherd_error *error);

SHERD_API sherd_solver_counts sherd_world_solver_counts(const sherd_world *world);

// Explicit steps, and implicit ones of a given length, that were made in parts because surfaces met fast in them
// (docs/method.md). All other counts are of whole steps.
typedef struct sherd_split_steps {
    int64_t steps, parts; // that were split, and into how many altogether
    int64_t finest;       // the shortest part was this fraction of a step
    // Largest overlap of fast contacts, in radii of the smaller element (of obstacles: in their thicknesses, half of a
    // plate's). Above 1 the springs are too soft to stop the motion, however short steps are, with any method.
    double deepest;
} sherd_split_steps;

SHERD_API sherd_split_steps sherd_world_split_steps(const sherd_world *world);

// The part of the world that is stepped with an element (sherd_world_def.regions); 0: with material points, if any.
typedef struct sherd_region_info {
    int number, count; // which one it is, of how many; 0 of 1: the world is not divided
    sherd_element_index elements, asleep;
    bool implicit; // its next step is
    sherd_solver_counts
        counts; // since the world was divided, also of what its first element was divided off from
} sherd_region_info;

SHERD_API sherd_region_info sherd_world_region(const sherd_world *world,
                                               sherd_element_index element);

// ---------------------------------------------------------------- queries

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

typedef struct sherd_body_info {
    const char *name;
    sherd_element_index first, count; // its elements are contiguous
    uint16_t material;
} sherd_body_info;

// A body's bonds as it was added.
typedef struct sherd_body_bonds {
    sherd_bond_index count;
    // By bond_scale: weaker or stronger, softer or stiffer than their material, and pre-cracks.
    sherd_bond_index weakened, strengthened, softened, stiffened, broken;
    // Factors of bond_scale on those not broken: the least at most 1, the largest at least 1.
    double least_strength, largest_strength, least_stiffness, largest_stiffness;
    // Made weaker, so that breaking takes the fracture energy: how many, the smallest factor on strengths, and the
    // radius up to which elements need none of it [m]; INFINITY: none was.
    sherd_bond_index reduced;
    double least_reduction, unreduced_radius;
} sherd_body_bonds;

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

// SHERD_ERROR_UNSTABLE when the state has faults that single steps don't show: anything not finite, an energy error of
// 5 % of the largest energy in any check, or energy gained from dissipation (1 %). Meant once per frame.
SHERD_API sherd_status sherd_world_check(const sherd_world *world, sherd_error *error);

// ---------------------------------------------------------------- save and restore

// The whole changing state as one block of bytes; free with sherd_world_free_state. Restoring it
// into a world built from the same definitions continues bit for bit.
SHERD_API sherd_status sherd_world_save(const sherd_world *world, void **state, size_t *size,
                                        sherd_error *error);
SHERD_API sherd_status sherd_world_restore(sherd_world *world, const void *state, size_t size,
                                           sherd_error *error);
SHERD_API void sherd_world_free_state(void *state);
