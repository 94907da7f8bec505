// A world: elements, bonds, obstacles and their simulation. Opaque, owned by the caller, no
// globals. One thread at a time may use a world; different worlds are independent.
//
//     sherd_world_def def = sherd_world_def_default();
//     sherd_error err;
//     sherd_world *world = sherd_world_create(&def, &err);
//     if (world == NULL) return report(&err);
//
// Its definition is in <sherd/world_def.h>, bodies' in <sherd/body.h>, and what it shows of itself in <sherd/world_view.h>.
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

SHERD_API sherd_world *sherd_world_create(const sherd_world_def *def, sherd_error *error);
SHERD_API void sherd_world_destroy(sherd_world *world); // NULL is fine

// ---------------------------------------------------------------- building
// Everything is added before the first step; adding later is SHERD_ERROR_INPUT. Definitions are
// copied. A null id means failure, described in *error.

SHERD_API sherd_material_id sherd_world_add_material(sherd_world *world,
                                                     const sherd_material_def *def,
                                                     sherd_error *error);

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
//    docs/theory/physics.md 6
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

// ---------------------------------------------------------------- checks

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
