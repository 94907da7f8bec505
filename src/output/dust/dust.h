// Dust: grains that are ejected where bonds break.
//
// Grains are computed from the breaks in a run file (sherd/breaks.h) and the velocities of the
// bonded elements; the simulation does not depend on them. Each grain is drawn from counter-based
// random numbers of its bond and follows the trajectory of its flight. So a grain is the same in
// every frame, picture and export, whether or not the run was resumed, and has the same index in
// the list.
//
// A broken bond ejects `amount` grains on average, at random points of its cross-section, with
// diameters that are log-uniform between a quarter of `size` and `size`. A grain starts with the
// velocity of one of the elements, plus a velocity along the crack plane (the crack's sides block
// other directions). The kinetic energies of these additional velocities sum to the fraction
// `energy` of the energy that the bond releases (sherd_break.energy).
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/types.h>

// Trajectory of a dust grain under gravity and Stokes drag until it hits a plane, where it stops.
//
//     dv/dt = g - v / tau,      x(t) = p + v a(t) + g b(t),
//     a(t) = tau (1 - exp(-t / tau)),      b(t) = tau (t - a(t));      without drag a = t, b = t^2 / 2
//
// The position is a function of the launch and the time, so frames can be computed in any order.

typedef struct flight {
    sherd_vec3 position, velocity; // at the launch [m], [m/s]
    double relaxation;             // tau [s]; INFINITY: no drag
} flight;

// A half-space, solid below the plane.
typedef struct flight_plane {
    sherd_vec3 point, normal; // [m]; of length 1
} flight_plane;

sherd_vec3 sherd_flight_place(const flight *f, sherd_vec3 gravity, double age);
sherd_vec3 sherd_flight_velocity(const flight *f, sherd_vec3 gravity, double age);

// The age at which a ball of this radius hits the plane [s]; INFINITY if it never does or starts
// below it.
double sherd_flight_landing(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                            double radius);

// The scene's planes that do not move, at most one per obstacle; returns their number.
int sherd_flight_planes(const sherd_scene *scene, flight_plane *planes);

typedef struct sherd_dust sherd_dust;

// Returns NULL without an error if the scene has no dust or is NULL. Scene and model must outlive
// the dust.
sherd_dust *sherd_dust_create(const sherd_scene *scene, const sherd_run_model *model,
                              sherd_error *error);
void sherd_dust_destroy(sherd_dust *dust); // NULL is fine

// Adds the grains of bonds that broke since the previous frame. Frames must ascend; a frame that
// was already processed is ignored. `dust` may be NULL.
sherd_status sherd_dust_take(sherd_dust *dust, const sherd_run_frame *frame, sherd_error *error);
// Processes all frames of a run before `frame`. Damaged frames add no grains.
sherd_status sherd_dust_catch_up(sherd_dust *dust, sherd_run *run, int64_t frame,
                                 sherd_error *error);

// All grains that exist at a time, in the order of their bonds' breaks.
typedef struct sherd_dust_view {
    int64_t count;
    double *x, *y, *z; // [m]
    double *radius;    // [m]
    float *velocity;   // x, y, z [m/s]  (count x 3)
    float *age;        // since the bond broke [s]
    float *mass;       // [kg]
    int32_t *fragment; // fragment that the grain came from, numbered as at the break
    int32_t *body;     //
} sherd_dust_view;

// Free the view in any case. Without dust it is empty.
sherd_status sherd_dust_at(const sherd_dust *dust, double time, sherd_dust_view *view,
                           sherd_error *error);
void sherd_dust_view_free(sherd_dust_view *view);

// All grains so far, for formats that compute trajectories themselves. Valid until the next frame
// is processed.
const struct dust_grain *sherd_dust_list(const sherd_dust *dust, int64_t *count);
// Position of a grain; before its bond breaks, the point where it will start.
sherd_vec3 sherd_dust_position(const sherd_dust *dust, const struct dust_grain *grain, double time);
