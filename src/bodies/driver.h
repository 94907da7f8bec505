// Drivers: regions of elements that are moved, loaded or measured.
//
// A moved region carries its elements as one rigid body; its reaction is the force and torque that
// everything else exerts on it. The work done on the system by a moved region is the trapezoidal
// sum of -F . dx over its elements plus their change of kinetic energy.
#pragma once

#include "bodies/load_range.h"
#include "bodies/motion_eval.h"
#include "points/points.h"

#include <sherd/driver.h>
#include <sherd/loads.h>

// An element of a region at the start of an implicit step.
typedef struct sherd_driven_start {
    sherd_pose pose;
    sherd_vec3 velocity, spin, force, torque;
} sherd_driven_start;

typedef struct sherd_driver_surface sherd_driver_surface; // driver_surface.h

typedef struct sherd_driver {
    sherd_drive drive;
    sherd_motion motion; // owned
    uint8_t held;        // SHERD_HELD_* bits that it sets on its elements
    sherd_vec3 force;    // FORCE [N]
    int force_key_count;
    double *force_times, *force_factors; // owned
    sherd_driver_surface *surface;       // WIND, BLAST, PRESSURE, else NULL; owned
    sherd_element_index count;           // elements of the region
    sherd_element_index *element;        // owned (count)
    sherd_pose *start;                   // poses at time 0, owned (count)
    double mass;                         // [kg]
    sherd_vec3 start_center;             // mean position at time 0 [m]
    sherd_driven_start *before;          // of implicit steps (count); owned, NULL until needed
    int whole;                           // in a part: its index in the whole
    // Since the probes were reset: sums over steps, weighted like probe_steps; their values when
    // the last step, or span of steps, was recorded; the range of loads. The swing is that of a
    // step or span that is not recorded yet.
    sherd_load sum, noted;
    sherd_load_range range;
    sherd_load_swing swing;
} sherd_driver;

typedef struct sherd_drivers {
    int count;
    sherd_driver *drivers;
    size_t capacity;
    // since the probes were reset; an implicit step counts as its length in explicit steps
    double probe_steps;
} sherd_drivers;

// SHERD_ERROR_INPUT with where = "NAME", or "NAME.member".
sherd_status sherd_driver_def_check(const sherd_driver_def *def, sherd_error *error);

// The region is selected from elements [first, first + count).
sherd_status sherd_drivers_add(sherd_drivers *drivers, const sherd_driver_def *def,
                               sherd_points *points, sherd_element_index first,
                               sherd_element_index count, sherd_error *error);
void sherd_drivers_free(sherd_drivers *drivers);

// True if moved regions are held at their start positions and are there at present, at rest:
// sherd_drivers_move and sherd_drivers_note_moves then change nothing.
bool sherd_drivers_rest(const sherd_drivers *drivers, const sherd_points *points);

// Moves held elements to their poses at `time` and sets the velocities of that move in dt. Returns
// the part of the work that uses the loads at the step's start [J].
double sherd_drivers_move(sherd_drivers *drivers, sherd_points *points, double time, double dt,
                          sherd_vec3 gravity);

// After the move: raises farthest[k / length] to the displacement of each held element k in that
// step, relative to a frame of that velocity [m].
void sherd_drivers_note_moves(const sherd_drivers *drivers, const sherd_points *points,
                              sherd_vec3 frame, double dt, size_t length, double *farthest);

// After the new loads are computed: adds reactions to the probes and returns the remaining work of
// the step [J]. `weight` is that of the step in the probes. To be called before sherd_drivers_push.
double sherd_drivers_settle(sherd_drivers *drivers, const sherd_points *points, double dt,
                            double weight, sherd_vec3 gravity);

// Adds prescribed forces at `time` to points->f*. Returns their work over the step that has just
// passed, with the present (half-step) velocities [J]; dt = 0 at the very start. The two half kicks
// were given by the forces at its start and at its end, so the work uses the mean of both.
double sherd_drivers_push(sherd_drivers *drivers, sherd_points *points, double time, double dt);

// ---------------------------------------------------------------- implicit steps

// The first time after `time` at which a prescribed motion or force has a kink, or a force on
// surfaces is to be evaluated again, INFINITY: none [s].
double sherd_drivers_next_key(const sherd_drivers *drivers, double time);

// Stores the state and the loads at the start of an implicit step.
sherd_status sherd_drivers_note_start(sherd_drivers *drivers, const sherd_points *points,
                                      sherd_error *error);
// Sets held freedoms to their values at `time`.
void sherd_drivers_place(const sherd_drivers *drivers, sherd_points *points, double time);
// Weights of the time mean: weight a + extra (a - b), with the mean a over dt from `time` on (dt =
// 0: the value at that time) and the mean b over the time `before` up to it.
typedef struct sherd_driver_means {
    double time, dt, before; // [s]
    double weight, extra;
} sherd_driver_means;

// Adds accelerations by prescribed forces to three arrays (n) [m/s^2].
void sherd_drivers_accelerate(const sherd_drivers *drivers, const sherd_driver_means *means,
                              double *const acceleration[3]);
// The same by forces on surfaces, as sherd_drivers_sample_surfaces has found them.
void sherd_drivers_accelerate_surfaces(const sherd_drivers *drivers, const sherd_points *points,
                                       const sherd_driver_means *means,
                                       double *const acceleration[3]);
// Notes where surfaces are at `time`, for the implicit step that begins then.
void sherd_drivers_sample_surfaces(sherd_drivers *drivers, const sherd_points *points, double time);
// After a step of length dt that ends at `time`, with elements in its final state and loads: adds
// reactions to the probes. Those at both ends are weighted so that they give a free region's change
// of momentum, or for moved regions their mean. Returns the work of the step, with the mean of both
// loads [J].
double sherd_drivers_finish(sherd_drivers *drivers, const sherd_points *points, double time,
                            double dt, double before, double after, sherd_vec3 gravity);

// Mean position of the region's elements.
sherd_vec3 sherd_driver_center(const sherd_driver *driver, const sherd_points *points);

// Factor of the table at a time, and its mean over a time.
double sherd_driver_factor(const sherd_driver *driver, double time);
double sherd_driver_mean_factor(const sherd_driver *driver, double from, double to);

sherd_probe_reading sherd_driver_reading(const sherd_drivers *drivers, int driver,
                                         const sherd_points *points, double time);
void sherd_drivers_reset_probes(sherd_drivers *drivers);

// Records what was added to the sums since the last recording as the load of a step, or a span of
// steps, of this weight.
void sherd_driver_note(sherd_driver *driver, double weight);
// Resets the recording after sums were restored.
void sherd_drivers_restored(sherd_drivers *drivers);
