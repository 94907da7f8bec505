// Courses of moving obstacles, for the choice of steps.
#pragma once

#include "contact/contact.h"

// A moving obstacle of finite size: its bounding sphere and course. After t, no point of it is farther than t `spread`
// from uniform motion with `velocity`.
typedef struct sherd_obstacle_course {
    sherd_vec3 centre, velocity; // [m], mean [m/s]
    double radius;               // [m]
    double spread;               // [m/s]
    bool free;
    sherd_vec3 pushed; // acceleration of a free one by its contacts [m/s^2]
} sherd_obstacle_course;

// From `time` over dt; free bodies with their present velocities. `courses` has room for all obstacles.
// Returns how many there are.
int sherd_contacts_courses(const sherd_contacts *contacts, double time, double dt,
                           sherd_obstacle_course *courses);

// The first time after `time` at which the motion of a driven obstacle changes its course, INFINITY: none [s].
double sherd_contacts_next_key(const sherd_contacts *contacts, double time);
