// Motion of obstacles over the next step, for the choice of its length.
#pragma once

#include "contact/contact.h"

// A moving obstacle of finite size: its bounding sphere and motion. After t, no point of it is
// farther than t `spread` from its position in uniform motion with `velocity`.
typedef struct sherd_obstacle_course {
    sherd_vec3 centre, velocity; // [m], mean [m/s]
    double radius;               // [m]
    double spread;               // [m/s]
    bool free;
    sherd_vec3 pushed; // acceleration of a free body by its contacts [m/s^2]
} sherd_obstacle_course;

// Motion from `time` over dt; free bodies keep their present velocities. `courses` has room for all
// obstacles. Returns the number of moving ones.
int sherd_contacts_courses(const sherd_contacts *contacts, double time, double dt,
                           sherd_obstacle_course *courses);

// The first time after `time` at which the prescribed motion of a driven obstacle has a kink,
// INFINITY: none [s].
double sherd_contacts_next_key(const sherd_contacts *contacts, double time);
