// Drivers that act on the surface of their region: wind, blast, pressure.
//
// Explicit steps evaluate the force at each step. Implicit steps take the mean over the step of the
// force on faces as they are at its start, and are short enough for that (sherd_driver_surface_lasts).
#pragma once

#include "bodies/driver.h"
#include "bodies/surface_force.h"

struct sherd_driver_surface {
    sherd_surface_force force;
    int64_t broken;               // bonds broken when faces were found; -1: they were not yet
    sherd_element_index *exposed; // position in driver.element of each face, ascending; owned
    sherd_face *face;             // owned
    sherd_moving_face *moving;    // as they were evaluated last; owned
    double *radius;               // of their elements; owned [m]
    uint8_t *hidden;              // 1: the blast does not reach it; owned
    float *cells;                 // scratch of blast_shelter.h, or NULL; owned
    // By driver.element (count), as exposed_faces.h needs them; owned.
    double *scale;
    uint8_t *outer;
    sherd_vec3 *pushed; // forces of the last step, by driver.element (count); owned; saved [N]
    size_t face_count, face_capacity;
    double lasts; // time for which the force at `moving` may be used [s]
};

sherd_status sherd_driver_surface_init(sherd_driver *driver, const sherd_driver_def *def,
                                       sherd_error *error);
sherd_status sherd_driver_surface_copy(sherd_driver *to, const sherd_driver *from,
                                       sherd_error *error);
void sherd_driver_surface_free(sherd_driver *driver);

// Takes the faces that are not NONE from `faces`, by driver.element (count).
sherd_status sherd_driver_surface_expose(sherd_driver *driver, const sherd_face *faces,
                                         int64_t broken, sherd_error *error);

// As sherd_drivers_push, _accelerate and _finish for one such driver.
double sherd_driver_surface_push(sherd_driver *driver, sherd_points *points, double time,
                                 double dt);
void sherd_driver_surface_accelerate(const sherd_driver *driver, const sherd_points *points,
                                     const sherd_driver_means *means,
                                     double *const acceleration[3]);
double sherd_driver_surface_finish(sherd_driver *driver, const sherd_points *points, double time,
                                   double dt);

// The last step's forces on all of the region, torque about its mean position.
sherd_load sherd_driver_surface_load(const sherd_driver *driver, const sherd_points *points);

// Notes where faces are, for implicit steps from `time` on.
void sherd_driver_surface_sample(sherd_driver *driver, const sherd_points *points, double time);
