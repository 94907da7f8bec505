// Positions where a sphere touches others of the same radius, or a surface from inside.
#pragma once

#include <sherd/shape.h>

#include <stdbool.h>

// Moves a centre along the normal until its sphere is inside again.
sherd_vec3 sherd_push_inside(const sherd_shape *shape, sherd_vec3 p, double r);

// The two centres from which a sphere touches those at a, b and c: above and below their triangle.
// False if they are too far apart, or nearly in line.
bool sherd_touch_three(sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, double r, sherd_vec3 place[2]);

// The circle of centres from which a sphere touches those at a and b.
typedef struct sherd_touch_circle {
    sherd_vec3 middle, axis; // axis: unit vector from a to b
    double radius;
    sherd_vec3 side; // unit spoke along the surface; minus it is the other one
} sherd_touch_circle;

sherd_touch_circle sherd_touch_two(sherd_vec3 a, sherd_vec3 b, double r, sherd_vec3 normal);

// Moves along the circle from `place` to where the sphere touches the surface as well.
sherd_vec3 sherd_slide_to_surface(const sherd_shape *shape, const sherd_touch_circle *circle,
                                  sherd_vec3 place, double r);
