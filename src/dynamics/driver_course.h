// Where driven elements go, for whoever plans steps.
#pragma once

#include "dynamics/driver.h"

// How an element moves on: after t it is no farther than t `spread` from where `velocity` would have taken it.
typedef struct sherd_element_course {
    sherd_vec3 velocity; // [m/s]
    double spread;       // [m/s]
} sherd_element_course;

// From `time` over dt: held elements as they are driven, the others with the velocities that they have. `courses` has
// room for all elements.
void sherd_drivers_courses(const sherd_drivers *drivers, const sherd_elements *elements,
                           double time, double dt, sherd_element_course *courses);
