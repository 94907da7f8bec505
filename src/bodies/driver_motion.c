#include "bodies/driver_motion.h"

#include "math/vec3.h"

#include <math.h>

typedef struct driven {
    const sherd_driver *driver;
    sherd_pose before, after; // of its motion
    sherd_motion_range range;
    double dt;
} driven;

// A region with free axes does not rotate.
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

void sherd_drivers_courses(const sherd_drivers *drivers, const sherd_points *points, double time,
                           double dt, sherd_element_course *courses)
{
    for (sherd_element_index k = 0; k < points->count; ++k)
        courses[k] = (sherd_element_course){sherd_point_velocity(points, k), 0.0};
    for (int d = 0; d < drivers->count; ++d)
        if (drivers->drivers[d].drive == SHERD_DRIVE_MOTION)
            drive(&drivers->drivers[d], time, dt, courses);
}

// ---------------------------------------------------------------- velocity jumps

static bool jumps(const sherd_driver *d, double time, double window)
{
    return d->drive == SHERD_DRIVE_MOTION &&
           sherd_motion_next_key(&d->motion, time) < time + window;
}

bool sherd_drivers_jump(const sherd_drivers *drivers, double time, double window)
{
    for (int d = 0; d < drivers->count; ++d)
        if (jumps(&drivers->drivers[d], time, window)) return true;
    return false;
}

double sherd_drivers_jump_speed(const sherd_drivers *drivers, const sherd_points *points,
                                double time, double dt)
{
    double fastest = 0.0;
    for (int k = 0; k < drivers->count; ++k) {
        const sherd_driver *d = &drivers->drivers[k];
        if (!jumps(d, time - dt, 2.0 * dt))
            continue; // elements still have the velocity of the last step
        driven in = {d, sherd_motion_pose(&d->motion, time),
                     sherd_motion_pose(&d->motion, time + dt),
                     sherd_motion_range_of(&d->motion, time, dt), dt};
        for (sherd_element_index at = 0; at < d->count; ++at) {
            sherd_vec3 own = sherd_point_velocity(points, d->element[at]);
            sherd_element_course course = course_of(&in, d->start[at].position, own);
            fastest = fmax(fastest, vec3_length(course.velocity));
        }
    }
    return fastest;
}

// Motion of an element from its prescribed pose at `time` on.
static sherd_vec3 velocity_from(const sherd_driver *d, sherd_vec3 start, sherd_vec3 own,
                                double time)
{
    sherd_motion_rate rate = sherd_motion_velocity(&d->motion, time);
    sherd_vec3 velocity = rate.linear;
    if (d->held == SHERD_HELD_ALL) {
        sherd_pose moved = sherd_motion_pose(&d->motion, time);
        sherd_vec3 pivot = vec3_add(d->motion.pivot, moved.position);
        sherd_vec3 arm = vec3_sub(place_of(d, moved, start), pivot);
        velocity = vec3_add(velocity, vec3_cross(rate.angular, arm));
    }
    if (d->held & SHERD_HELD_X) own.x = velocity.x;
    if (d->held & SHERD_HELD_Y) own.y = velocity.y;
    if (d->held & SHERD_HELD_Z) own.z = velocity.z;
    return own;
}

static void raise_uncertainties(const sherd_driver *d, const sherd_points *points, double time,
                                double *uncertainty)
{
    for (sherd_element_index at = 0; at < d->count; ++at) {
        sherd_element_index k = d->element[at];
        sherd_vec3 own = sherd_point_velocity(points, k);
        sherd_vec3 then = velocity_from(d, d->start[at].position, own, time);
        uncertainty[k] = fmax(uncertainty[k], vec3_distance(then, own));
    }
}

void sherd_drivers_jumps(const sherd_drivers *drivers, const sherd_points *points, double time,
                         double window, double *uncertainty)
{
    enum { MOST_KEYS = 1000 }; // a finer table is treated as smooth
    for (int k = 0; k < drivers->count; ++k) {
        const sherd_driver *d = &drivers->drivers[k];
        double at = time;
        if (d->drive == SHERD_DRIVE_MOTION) raise_uncertainties(d, points, at, uncertainty);
        for (int key = 0; key < MOST_KEYS && jumps(d, at, time + window - at); ++key) {
            at = sherd_motion_next_key(&d->motion, at);
            raise_uncertainties(d, points, at, uncertainty);
        }
    }
}
