#include "dynamics/driver_course.h"

#include "math/vec3.h"

typedef struct driven {
    const sherd_driver *driver;
    sherd_pose before, after; // of its motion
    sherd_motion_range range;
    double dt;
} driven;

// A region of which not everything is held does not turn.
static sherd_vec3 place_of(const sherd_driver *d, sherd_pose moved, sherd_vec3 start)
{
    return d->held == SHERD_HELD_ALL ? sherd_motion_apply(&d->motion, moved, start)
                                     : vec3_add(start, moved.position);
}

static sherd_element_course course_of(const driven *in, sherd_vec3 start, sherd_vec3 velocity)
{
    const sherd_driver *d = in->driver;
    sherd_vec3 way = vec3_sub(place_of(d, in->after, start), place_of(d, in->before, start));
    sherd_vec3 mean = vec3_scale(1.0 / in->dt, way);
    double arm = d->held == SHERD_HELD_ALL ? vec3_distance(start, d->motion.pivot) : 0.0;
    if (d->held & SHERD_HELD_X) velocity.x = mean.x;
    if (d->held & SHERD_HELD_Y) velocity.y = mean.y;
    if (d->held & SHERD_HELD_Z) velocity.z = mean.z;
    return (sherd_element_course){velocity, sherd_motion_off_mean(&in->range, arm, in->dt)};
}

static void drive(const sherd_driver *driver, double time, double dt, sherd_element_course *courses)
{
    driven in = {driver, sherd_motion_pose(&driver->motion, time),
                 sherd_motion_pose(&driver->motion, time + dt),
                 sherd_motion_range_of(&driver->motion, time, dt), dt};
    for (sherd_element_index at = 0; at < driver->count; ++at) {
        sherd_element_course *course = &courses[driver->element[at]];
        *course = course_of(&in, driver->start[at].position, course->velocity);
    }
}

void sherd_drivers_courses(const sherd_drivers *drivers, const sherd_elements *elements,
                           double time, double dt, sherd_element_course *courses)
{
    for (sherd_element_index k = 0; k < elements->count; ++k)
        courses[k] = (sherd_element_course){sherd_element_velocity(elements, k), 0.0};
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].drive == SHERD_DRIVE_MOTION)
            drive(&drivers->drivers[d], time, dt, courses);
}
