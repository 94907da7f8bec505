// A world holds elements, bonds and obstacles and simulates them. It is opaque and owned by the
// caller; there are no globals. One thread at a time may use a world; different worlds are
// independent.
//
//     sherd_world_def def = sherd_world_def_default();
//     sherd_error err;
//     sherd_world *world = sherd_world_create(&def, &err);
//     if (world == NULL) return report(&err);
//
// <sherd/world_def.h> has its definition, <sherd/body.h> that of bodies, and <sherd/world_view.h>
// the functions that read its state.
#pragma once

#include <sherd/body.h>
#include <sherd/driver.h>
#include <sherd/material.h>
#include <sherd/method.h>
#include <sherd/motion.h>
#include <sherd/obstacle.h>
#include <sherd/world_def.h>
#include <sherd/world_view.h>

#include <stdbool.h>
#include <stddef.h>

// ---------------------------------------------------------------- definition and life

// Creates an empty world; destroy it with sherd_world_destroy. The definition is copied. NULL with
// SHERD_ERROR_INPUT (`where` is the member out of range; an invalid SHERD_SIMD) or
// SHERD_ERROR_MEMORY.
SHERD_API sherd_world *sherd_world_create(const sherd_world_def *def, sherd_error *error);
// Destroys a world and everything it owns; its views become invalid. NULL is allowed.
SHERD_API void sherd_world_destroy(sherd_world *world);

// ---------------------------------------------------------------- building
// Everything is added before the first step; adding later is SHERD_ERROR_INPUT. Definitions are
// copied. A null id means failure, described in *error.

// Adds a material for bodies. Null with SHERD_ERROR_INPUT (`where` is "NAME.member") or
// SHERD_ERROR_MEMORY.
SHERD_API sherd_material_id sherd_world_add_material(sherd_world *world,
                                                     const sherd_material_def *def,
                                                     sherd_error *error);

// Adds a body: its elements, and bonds between them. Null with SHERD_ERROR_INPUT (`where` is
// "NAME.member") or SHERD_ERROR_MEMORY.
SHERD_API sherd_body_id sherd_world_add_body(sherd_world *world, const sherd_body_def *def,
                                             sherd_error *error);

// Adds an obstacle. Its shape is borrowed until the world is destroyed. Null with SHERD_ERROR_INPUT
// (`where` is "NAME.member") or SHERD_ERROR_MEMORY.
SHERD_API sherd_obstacle_id sherd_world_add_obstacle(sherd_world *world,
                                                     const sherd_obstacle_def *def,
                                                     sherd_error *error);

// Adds a driver or probe for elements that have been added before. Null with SHERD_ERROR_INPUT,
// also if its region contains no element, or SHERD_ERROR_MEMORY.
SHERD_API sherd_driver_id sherd_world_add_driver(sherd_world *world, const sherd_driver_def *def,
                                                 sherd_error *error);

// ---------------------------------------------------------------- stepping

// Returns the stability limit T = 2 / sqrt(lambda_max) of the system [s], or 0 with an error. Bonds
// enter by Lanczos iteration on the mass-scaled stiffness, rotations included, contacts by a bound;
// damping reduces it. For worlds with material points it is the limit of their grid.
//    docs/theory/physics.md 6
SHERD_API double sherd_world_stable_time_step(sherd_world *world, sherd_error *error);
// Returns the stability limit of bonded elements and free bodies beside material points [s]; they
// take steps of their own within a step of the grid. 0 if there are no points, if nothing is beside
// them, or before sherd_world_stable_time_step has been called.
SHERD_API double sherd_world_element_time_step(const sherd_world *world);

// Fixes the time step for the rest of the run [s], > 0. Without it the first step uses the
// definition's time_step, or time_step_safety times the stable time step. SHERD_ERROR_INPUT after
// the first step.
SHERD_API sherd_status sherd_world_set_time_step(sherd_world *world, double time_step,
                                                 sherd_error *error);
// Returns the time step [s]; 0 before it is known.
SHERD_API double sherd_world_time_step(const sherd_world *world);
// Returns the simulated time since the start [s].
SHERD_API double sherd_world_time(const sherd_world *world);
// Returns the number of steps since the start.
SHERD_API int64_t sherd_world_step_count(const sherd_world *world);

// Advances by `steps` steps. For the explicit method only: other methods choose their steps and
// advance by time. SHERD_ERROR_UNSTABLE names element, step and likely cause; the world then keeps
// the arrays of the last good step and must not be stepped further.
SHERD_API sherd_status sherd_world_step(sherd_world *world, int64_t steps, sherd_error *error);

// Advances exactly to time `until` [s], in as many steps as the method needs. The explicit method's
// steps all have one length, so `until` must be a whole number of them away, within a millionth of
// a step; if the length is not fixed yet, it is shortened until it fits. SHERD_ERROR_INPUT for a
// time in the past; otherwise errors as of sherd_world_step.
SHERD_API sherd_status sherd_world_advance(sherd_world *world, double until, sherd_error *error);
// As sherd_world_advance, but returns after at most `most_steps` steps; call it again to continue.
// Results do not depend on where it stops.
SHERD_API sherd_status sherd_world_advance_towards(sherd_world *world, double until,
                                                   int64_t most_steps, sherd_error *error);

// Gives a driver a motion that is decided while the world is stepped. From its present place the
// driver's region moves uniformly to the key's translation and rotation, reaches them at the key's
// time and stays there. This replaces what was prescribed from now on; to prescribe a path, give
// the next key before the time of the last one. Keys count from time 0 as in tables of motions
// (sherd_world_driver_key reads the present one). The motion is part of the saved state. The same
// calls at the same times give the same results for any number of threads. SHERD_ERROR_INPUT for a
// driver without a prescribed motion and for a time that is not after now.
SHERD_API sherd_status sherd_world_move_driver(sherd_world *world, sherd_driver_id driver,
                                               const sherd_motion_key *to, sherd_error *error);
// As sherd_world_move_driver, for a driven obstacle.
SHERD_API sherd_status sherd_world_move_obstacle(sherd_world *world, sherd_obstacle_id obstacle,
                                                 const sherd_motion_key *to, sherd_error *error);
// Returns the driver's present time, translation and rotation since time 0; zeros for a driver
// without a prescribed motion.
SHERD_API sherd_motion_key sherd_world_driver_key(const sherd_world *world, sherd_driver_id driver);
// As sherd_world_driver_key, for a driven obstacle.
SHERD_API sherd_motion_key sherd_world_obstacle_key(const sherd_world *world,
                                                    sherd_obstacle_id obstacle);

// Returns why the auto method can take only explicit steps in this world, as a static text for
// people; NULL if implicit steps are possible. Known once there is a stable time step.
SHERD_API const char *sherd_world_explicit_reason(const sherd_world *world);

// Checks whether this world could be stepped by `method`. Call it after all bodies and obstacles
// have been added. SHERD_ERROR_INPUT if the first step would be rejected: for a scheme that does
// not support contacts or free bodies, or a bond law without an energy.
SHERD_API sherd_status sherd_world_check_method(const sherd_world *world, sherd_method method,
                                                sherd_error *error);

// Returns the solver's counts since the start.
SHERD_API sherd_solver_counts sherd_world_solver_counts(const sherd_world *world);

// Returns what steps took since the world was created, by this process.
SHERD_API sherd_step_times sherd_world_step_times(const sherd_world *world);

// Returns how many steps were split because of fast contacts, since the start.
SHERD_API sherd_split_steps sherd_world_split_steps(const sherd_world *world);

// A part of the world that is stepped separately (sherd_world_def.regions).
typedef struct sherd_region_info {
    int number, count; // number of the region, from 0, and how many there are; 0 of 1: not divided
    sherd_element_index elements, asleep; // elements in it, and those of them that are asleep
    bool implicit;                        // true if its next step is implicit
    // Counts since the world was divided, including those of the region it was split off from.
    sherd_solver_counts counts;
} sherd_region_info;

// Returns the region of an element. With material points, region 0 is theirs.
SHERD_API sherd_region_info sherd_world_region(const sherd_world *world,
                                               sherd_element_index element);

// ---------------------------------------------------------------- checks

// Checks the state for faults that single steps do not detect; call it once per frame.
// SHERD_ERROR_UNSTABLE if a value is not finite, if the energy balance is off by 5 % of the largest
// energy in any check, or if dissipation has returned 1 % of it.
SHERD_API sherd_status sherd_world_check(const sherd_world *world, sherd_error *error);

// ---------------------------------------------------------------- save and restore

// Saves the state as one block of `*size` bytes; free *state with sherd_world_free_state.
// SHERD_ERROR_INPUT before the first step, SHERD_ERROR_MEMORY.
SHERD_API sherd_status sherd_world_save(const sherd_world *world, void **state, size_t *size,
                                        sherd_error *error);
// Where a state goes in pieces.
typedef struct sherd_state_sink {
    // takes the next bytes; false: it failed, and so does saving
    bool (*take)(void *context, const void *bytes, size_t size);
    // passed to `take`
    void *context;
} sherd_state_sink;
// Saves the same state in pieces, without a copy of it in memory. `*size` is that of all pieces; if
// `sink` is NULL, they are only counted. SHERD_ERROR_MEMORY if the sink fails.
SHERD_API sherd_status sherd_world_save_pieces(const sherd_world *world,
                                               const sherd_state_sink *sink, size_t *size,
                                               sherd_error *error);
// Restores a saved state in a world that was built from the same definitions; the run then
// continues bit for bit. SHERD_ERROR_INPUT if the block is damaged or belongs to another world,
// SHERD_ERROR_UNSUPPORTED if another version of Sherd saved it, SHERD_ERROR_MEMORY. After an error
// the world must not be stepped until a restore succeeds.
SHERD_API sherd_status sherd_world_restore(sherd_world *world, const void *state, size_t size,
                                           sherd_error *error);
// Frees the block of sherd_world_save. NULL is allowed.
SHERD_API void sherd_world_free_state(void *state);
