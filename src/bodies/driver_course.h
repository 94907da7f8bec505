// Where driven elements go, for whoever plans steps.
#pragma once

#include "bodies/driver.h"

// How an element moves on: after t it is no farther than t `spread` from where `velocity` would have taken it.
typedef struct sherd_element_course {
    sherd_vec3 velocity; // [m/s]
    double spread;       // [m/s]
} sherd_element_course;

// From `time` over dt: held elements as they are driven, the others with the velocities that they have. `courses` has
// room for all elements.
void sherd_drivers_courses(const sherd_drivers *drivers, const sherd_elements *elements,
                           double time, double dt, sherd_element_course *courses);

// Tables of motions have keys, at which velocities jump. Those of regions without one within the time asked for go on
// as they did.

// The most that an element whose region's table has a key in dt before or after `time` moves in dt from then on, over dt
// [m/s]; 0: none has.
double sherd_drivers_jump_speed(const sherd_drivers *drivers, const sherd_elements *elements,
                                double time, double dt);

// Raises doubt[k] to how much the velocity that element k is driven with will differ from the one that it has, at most,
// from `time` on within `window` [m/s].
void sherd_drivers_jumps(const sherd_drivers *drivers, const sherd_elements *elements, double time,
                         double window, double *doubt);

// Whether any has.
bool sherd_drivers_jump(const sherd_drivers *drivers, double time, double window);
