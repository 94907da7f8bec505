// Motion of driven elements over the next step, for the choice of its length.
#pragma once

#include "bodies/driver.h"

// The motion of an element: after t it is no farther than t `spread` from its position in uniform
// motion with `velocity`.
typedef struct sherd_element_course {
    sherd_vec3 velocity; // [m/s]
    double spread;       // [m/s]
} sherd_element_course;

// Motions from `time` over dt: held elements by their drivers, the others with their present
// velocities. `courses` has room for all elements.
void sherd_drivers_courses(const sherd_drivers *drivers, const sherd_points *points, double time,
                           double dt, sherd_element_course *courses);

// Tables of motions have keys, at which velocities jump. The velocities of regions without a key in
// the given time do not change.

// Largest mean speed over dt from `time` on of elements whose region's table has a key within dt of
// `time` [m/s]; 0 if there is none.
double sherd_drivers_jump_speed(const sherd_drivers *drivers, const sherd_points *points,
                                double time, double dt);

// Raises uncertainty[k] to a bound of the change of the prescribed velocity of element k in the
// `window` from `time` on [m/s].
void sherd_drivers_jumps(const sherd_drivers *drivers, const sherd_points *points, double time,
                         double window, double *uncertainty);

// True if any has.
bool sherd_drivers_jump(const sherd_drivers *drivers, double time, double window);
