#include "contact/obstacle_motion.h"

#include "bodies/motion_eval.h"
#include "contact/contact_system.h"
#include "math/vec3.h"

// A free body never rotates faster, with its angular momentum, than about the axis of least
// inertia. `radius` is about the centre of mass, which may differ from the frame's origin.
static sherd_obstacle_course free_course(const sherd_obstacle *o)
{
    sherd_vec3 I = o->body.properties.inertia;
    double spin = vec3_length(o->body.angular_momentum) / fmin(I.x, fmin(I.y, I.z));
    double arm = vec3_distance(o->pose.position, o->body.centre);
    return (sherd_obstacle_course){.centre = o->pose.position,
                                   .velocity = o->body.velocity,
                                   .radius = o->radius,
                                   .spread = spin * (o->radius + arm),
                                   .free = true,
                                   .pushed = vec3_scale(1.0 / o->body.properties.mass, o->force)};
}

static sherd_obstacle_course driven_course(const sherd_obstacle *o, double time, double dt)
{
    sherd_pose before = sherd_motion_pose(&o->motion, time),
               after = sherd_motion_pose(&o->motion, time + dt);
    sherd_motion_range range = sherd_motion_range_of(&o->motion, time, dt);
    sherd_vec3 from = sherd_motion_apply(&o->motion, before, o->start.position),
               to = sherd_motion_apply(&o->motion, after, o->start.position);
    double arm = vec3_distance(o->start.position, o->motion.pivot);
    return (sherd_obstacle_course){.centre = from,
                                   .velocity = vec3_scale(1.0 / dt, vec3_sub(to, from)),
                                   .radius = o->radius,
                                   .spread = sherd_motion_off_mean(&range, arm, dt) +
                                             range.turning * o->radius};
}

int sherd_contacts_courses(const sherd_contacts *contacts, double time, double dt,
                           sherd_obstacle_course *courses)
{
    int count = 0;
    for (int k = 0; k < contacts->obstacle_count; ++k) {
        const sherd_obstacle *o = &contacts->obstacles[k];
        if (o->kind == SHERD_OBSTACLE_FIXED || o->shape == NULL) continue;
        courses[count++] =
            o->kind == SHERD_OBSTACLE_FREE ? free_course(o) : driven_course(o, time, dt);
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
