// Dust: grains that fly off where bonds break.
//
// Grains are told from what a run file keeps of breaks (sherd/breaks.h) and from the velocities of the elements that
// parted; the simulation knows nothing of them. Each is drawn from counter-based random numbers of its bond, and flies
// as flight.h says: so a grain is the same in every frame, picture and export, whether the run was
// stopped and resumed or not, and keeps its place in the list.
//
// A bond that breaks gives `amount` grains in the mean, anywhere in its section, with diameters whose logarithms are
// spread evenly from a quarter of `size` to `size`. They begin at the velocity of either element, and beside that with
// speeds whose kinetic energies sum to the share `energy` of what the bond sets free (sherd_break.energy), along
// the crack: its sides are in their way.
#pragma once

#include "output/dust/flight.h"

#include <sherd/run_file.h>
#include <sherd/scene.h>

typedef struct sherd_dust sherd_dust;

// NULL without an error where the scene wants no dust, or is NULL itself. Scene and model must outlive it.
sherd_dust *sherd_dust_create(const sherd_scene *scene, const sherd_run_model *model,
                              sherd_error *error);
void sherd_dust_destroy(sherd_dust *dust); // NULL is fine

// Takes what broke since the frame before: frames in ascending order, one that was taken is not taken again. NULL is
// fine.
sherd_status sherd_dust_take(sherd_dust *dust, const sherd_run_frame *frame, sherd_error *error);
// The same of all frames of a run before `frame`. Damaged ones give none.
sherd_status sherd_dust_catch_up(sherd_dust *dust, sherd_run *run, int64_t frame,
                                 sherd_error *error);

// All grains that there are at a time, in the order of their bonds' breaks.
typedef struct sherd_dust_view {
    int64_t count;
    double *x, *y, *z; // [m]
    double *radius;    // [m]
    float *velocity;   // x, y, z [m/s]  (count x 3)
    float *age;        // since the bond broke [s]
    float *mass;       // [kg]
    int32_t *fragment; // that it came from, by its number then
    int32_t *body;     //
} sherd_dust_view;

// Free in any case; without dust there are no grains.
sherd_status sherd_dust_at(const sherd_dust *dust, double time, sherd_dust_view *view,
                           sherd_error *error);
void sherd_dust_view_free(sherd_dust_view *view);

// What was taken so far as grains.h has it, for formats that fly grains themselves. Valid until more is taken.
const struct dust_grain *sherd_dust_list(const sherd_dust *dust, int64_t *count);
// Where a grain is; before its bond breaks: where that will happen.
sherd_vec3 sherd_dust_place(const sherd_dust *dust, const struct dust_grain *grain, double time);
