// Worlds of scenes' texts, for the rows of `sherd bench transfers`, and what is read off them.
#pragma once

#include "bench/transfers/transfer_rows.h"

#include <sherd/scene.h>

typedef struct transfer_stage {
    sherd_scene *scene;
    sherd_scene_build build;
    sherd_world *world;
} transfer_stage;

// Of a text as printf() makes it, which begins behind `duration:`, with the transfer, step and spacing of the run. What
// the text does not say has its default. On failure `stage` is empty. transfer_stage_close() in any case.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
sherd_status
transfer_stage_open(transfer_stage *stage, const transfer_run *run, sherd_error *error,
                    const char *text, ...);
void transfer_stage_close(transfer_stage *stage);

// Goes on to a time [s].
sherd_status transfer_stage_go(const transfer_stage *stage, double until, sherd_error *error);

// Of a body of the scene, by number.
typedef struct transfer_motion {
    double mass;          // [kg]
    sherd_vec3 centre;    // of mass [m]
    sherd_vec3 velocity;  // of that [m/s]
    sherd_vec3 low, high; // box around its points' centres [m]
    double rotation[9];   // of the rigid motion nearest to its points', row-major
    double departure;     // largest distance of a point from where that has it [m]
    double kinetic;       // of the velocities of its points [J]
} transfer_motion;

transfer_motion transfer_stage_motion(const transfer_stage *stage, int body);

// About the centre of mass of all elements, gradients of points' velocities included [kg m^2/s].
sherd_vec3 transfer_stage_spin(const transfer_stage *stage);

typedef enum transfer_front {
    FRONT_X,     // along x
    FRONT_RADIUS // from the z axis
} transfer_front;

// Within which so large a share of a body's points lies [m].
sherd_status transfer_stage_front(const transfer_stage *stage, int body, transfer_front along,
                                  double share, double *front, sherd_error *error);

typedef struct transfer_box {
    sherd_vec3 low, high; // [m]
} transfer_box;

// The mean place of a body's points, now, of those that were in a box at rest in the body's frame. NAN: there is none.
sherd_vec3 transfer_stage_mean_of(const transfer_stage *stage, int body, const transfer_box *box);
