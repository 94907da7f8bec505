#include "packing/touching.h"

#include "base/assertion.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

enum { SLIDES = 5, PUSHES = 8 };

sherd_vec3 sherd_push_inside(const sherd_shape *shape, sherd_vec3 p, double r)
{
    for (int step = 0; step < PUSHES; ++step) {
        double out = sherd_shape_distance(shape, p) + r;
        if (!(out > 1e-6 * r)) break;
        p = vec3_add_scaled(p, -out, sherd_shape_normal(shape, p));
    }
    return p;
}

bool sherd_touch_three(sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, double r, sherd_vec3 place[2])
{
    sherd_vec3 u = vec3_sub(b, a), v = vec3_sub(c, a), n = vec3_cross(u, v);
    double nn = vec3_dot(n, n);
    if (nn < 1e-3 * r * r * r * r) return false;
    // To the circumcentre: (|v|^2 n x u + |u|^2 v x n) / (2 |n|^2).
    sherd_vec3 to_centre = vec3_add(vec3_scale(vec3_dot(v, v), vec3_cross(n, u)),
                                    vec3_scale(vec3_dot(u, u), vec3_cross(v, n)));
    to_centre = vec3_scale(0.5 / nn, to_centre);
    double height2 = 4.0 * r * r - vec3_dot(to_centre, to_centre);
    if (height2 < 0.0) return false;
    double height = sqrt(height2 / nn);
    sherd_vec3 centre = vec3_add(a, to_centre);
    place[0] = vec3_add_scaled(centre, height, n);
    place[1] = vec3_add_scaled(centre, -height, n);
    return true;
}

sherd_touch_circle sherd_touch_two(sherd_vec3 a, sherd_vec3 b, double r, sherd_vec3 normal)
{
    SHERD_ASSERT(r > 0.0, "elements have a radius");
    sherd_vec3 way = vec3_sub(b, a);
    double length = vec3_length(way);
    sherd_touch_circle circle = {.middle = vec3_scale(0.5, vec3_add(a, b)),
                                 .axis = vec3_scale(1.0 / length, way)};
    circle.radius = sqrt(fmax(4.0 * r * r - 0.25 * length * length, 0.0));
    circle.side = vec3_normalize(vec3_cross(normal, circle.axis));
    return circle;
}

// Alternates between projections to the depth r and onto the circle.
sherd_vec3 sherd_slide_to_surface(const sherd_shape *shape, const sherd_touch_circle *circle,
                                  sherd_vec3 place, double r)
{
    for (int k = 0; k < SLIDES; ++k) {
        sherd_vec3 normal;
        double out = sherd_shape_distance_and_normal(shape, place, &normal) + r;
        if (fabs(out) < 1e-4 * r) break;
        sherd_vec3 spoke = vec3_sub(vec3_add_scaled(place, -out, normal), circle->middle);
        spoke = vec3_add_scaled(spoke, -vec3_dot(spoke, circle->axis), circle->axis);
        place = vec3_add_scaled(circle->middle, circle->radius, vec3_normalize(spoke));
    }
    return place;
}
