// Where moving obstacles go, for whoever plans steps.
#pragma once

#include "contact/contact.h"

// An obstacle that moves and has an end: its bounding sphere and how it moves on.
typedef struct sherd_obstacle_course {
    sherd_vec3 centre, velocity; // [m], [m/s]
    double radius;               // [m]
    double spread;               // of its points' velocities from that, at most [m/s]
} sherd_obstacle_course;

// From `time` over dt, with the mean velocity of driven ones. Writes at most `most`, returns how many.
int sherd_contacts_courses(const sherd_contacts *contacts, double time, double dt,
                           sherd_obstacle_course *courses, int most);

// The first time after `time` at which the motion of a driven obstacle changes its course, INFINITY: none [s].
double sherd_contacts_next_key(const sherd_contacts *contacts, double time);
