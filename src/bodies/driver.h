// Drivers: regions of elements that are moved, pushed or measured.
//
// A region that moves carries its elements as one rigid body; its reaction is the force and torque
// that the rest of the world exerts on it. Work done on the system by a moving region is the
// trapezoidal sum of -F . dx over its elements plus their change of kinetic energy.
#pragma once

#include "bodies/motion_eval.h"
#include "points/elements.h"

#include <sherd/world.h>

// An element of a region at the start of an implicit step.
typedef struct sherd_driven_start {
    sherd_pose pose;
    sherd_vec3 velocity, spin, force, torque;
} sherd_driven_start;

typedef struct sherd_driver {
    sherd_drive drive;
    sherd_motion motion; // owned
    uint8_t held;        // SHERD_HELD_* bits it sets on its elements
    sherd_vec3 force;    // FORCE [N]
    int force_key_count;
    double *force_times, *force_factors; // owned
    sherd_element_index count;           // elements of the region
    sherd_element_index *element;        // owned (count)
    sherd_pose *start;                   // poses at time 0, owned (count)
    double mass;                         // [kg]
    sherd_vec3 start_center;             // mean position at time 0 [m]
    sherd_driven_start *before;          // of implicit steps (count); owned, NULL until needed
    int whole;                           // in a part: its number among those of the whole
    // Sums over steps since the probes were reset, weighted as probe_steps.
    sherd_vec3 force_sum, torque_sum;
} sherd_driver;

typedef struct sherd_drivers {
    int count;
    sherd_driver *drivers;
    size_t capacity;
    double
        probe_steps; // since the probes were reset; an implicit step counts as many as it is long
} sherd_drivers;

// The region is searched among elements [first, first + count).
sherd_status sherd_drivers_add(sherd_drivers *drivers, const sherd_driver_def *def,
                               sherd_elements *elements, sherd_element_index first,
                               sherd_element_index count, sherd_error *error);
void sherd_drivers_free(sherd_drivers *drivers);

// Puts held elements where they are at `time` and gives them the velocities that took them there in
// dt. Returns the part of the work that uses the loads of the step's start [J].
double sherd_drivers_move(sherd_drivers *drivers, sherd_elements *elements, double time, double dt,
                          sherd_vec3 gravity);

// After it: raises farthest[k / length] to how far each held element k went in that step, seen from a frame of
// that velocity [m].
void sherd_drivers_note_moves(const sherd_drivers *drivers, const sherd_elements *elements,
                              sherd_vec3 frame, double dt, size_t length, double *farthest);

// When the new loads are known: adds reactions to the probes and returns the rest of the work of
// the step [J]. `weight` is that of the step in the probes. Comes before sherd_drivers_push.
double sherd_drivers_settle(sherd_drivers *drivers, const sherd_elements *elements, double dt,
                            double weight, sherd_vec3 gravity);

// Adds prescribed forces at `time` to elements->f*. Returns the work they did over the step that
// has just passed with the present (half-step) velocities; pass dt = 0 at the very start [J].
double sherd_drivers_push(const sherd_drivers *drivers, sherd_elements *elements, double time,
                          double dt);

// ---------------------------------------------------------------- implicit steps

// The first time after `time` at which a prescribed motion or force changes its course, INFINITY: none [s].
double sherd_drivers_next_key(const sherd_drivers *drivers, double time);

// Notes the state and the loads that an implicit step starts from.
sherd_status sherd_drivers_note_start(sherd_drivers *drivers, const sherd_elements *elements,
                                      sherd_error *error);
// Puts held freedoms where they are at `time`.
void sherd_drivers_place(const sherd_drivers *drivers, sherd_elements *elements, double time);
// Accelerations by prescribed forces at `time`, added to three arrays (n) [m/s^2].
void sherd_drivers_accelerate(const sherd_drivers *drivers, const sherd_elements *elements,
                              double time, double *const acceleration[3]);
// When elements have the state and loads of the step's end: adds reactions to the probes, those of its start and
// of its end with their weights, and returns the work of the step, with the mean of both loads [J].
double sherd_drivers_finish(sherd_drivers *drivers, const sherd_elements *elements, double time,
                            double before, double after, sherd_vec3 gravity);

sherd_probe_reading sherd_driver_reading(const sherd_drivers *drivers, int driver,
                                         const sherd_elements *elements, double time);
void sherd_drivers_reset_probes(sherd_drivers *drivers);
