#include "contact/obstacle_course.h"

#include "contact/contact_system.h"
#include "contact/motion_eval.h"
#include "math/quat.h"
#include "math/vec3.h"

static sherd_obstacle_course course_of(const sherd_obstacle *o, double time, double dt)
{
    if (o->kind == SHERD_OBSTACLE_FREE) {
        double turning = vec3_length(sherd_rigid_body_spin(&o->body)) * o->radius;
        return (sherd_obstacle_course){o->pose.position, o->body.velocity, o->radius, turning};
    }
    sherd_motion_rate now = sherd_motion_velocity(&o->motion, time),
                      later = sherd_motion_velocity(&o->motion, time + 0.5 * dt);
    sherd_vec3 from = sherd_motion_apply(&o->motion, sherd_motion_pose(&o->motion, time),
                                         o->start.position),
               to = sherd_motion_apply(&o->motion, sherd_motion_pose(&o->motion, time + dt),
                                       o->start.position);
    double turning = fmax(vec3_length(now.angular), vec3_length(later.angular));
    // Round a pivot it goes farther than straight on.
    double arm = vec3_distance(o->start.position, o->motion.pivot);
    return (sherd_obstacle_course){from, vec3_scale(1.0 / dt, vec3_sub(to, from)), o->radius,
                                   turning * (o->radius + arm)};
}

int sherd_contacts_courses(const sherd_contacts *contacts, double time, double dt,
                           sherd_obstacle_course *courses, int most)
{
    int count = 0;
    for (int k = 0; k < contacts->obstacle_count && count < most; ++k) {
        const sherd_obstacle *o = &contacts->obstacles[k];
        if (o->kind != SHERD_OBSTACLE_FIXED && o->shape != NULL)
            courses[count++] = course_of(o, time, dt);
    }
    return count;
}

double sherd_contacts_next_key(const sherd_contacts *contacts, double time)
{
    double next = INFINITY;
    for (int k = 0; k < contacts->obstacle_count; ++k)
        if (contacts->obstacles[k].kind == SHERD_OBSTACLE_DRIVEN)
            next = fmin(next, sherd_motion_next_key(&contacts->obstacles[k].motion, time));
    return next;
}
