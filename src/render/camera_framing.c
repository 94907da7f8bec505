// Camera positions that frame a box.
#include <sherd/render.h>

#include "math/vec3.h"

static const double DEGREE = 0.017453292519943295;

static sherd_bounds usable_bounds(sherd_bounds b)
{
    sherd_vec3 size = vec3_sub(b.high, b.low);
    int usable = vec3_is_finite(b.low) && vec3_is_finite(b.high) && vec3_is_finite(size) &&
                 size.x >= 0.0 && size.y >= 0.0 && size.z >= 0.0 && vec3_length(size) > 0.0;
    return usable ? b : (sherd_bounds){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
}

static sherd_vec3 corner(sherd_bounds b, int k)
{
    return vec3(k & 1 ? b.high.x : b.low.x, k & 2 ? b.high.y : b.low.y, k & 4 ? b.high.z : b.low.z);
}

// The distance from the target at which every corner of the box is inside the view: the largest of
// the distances that put a corner on the picture's edge.
static double framing_distance(sherd_bounds b, sherd_vec3 target, sherd_vec3 toward,
                               double tan_half, double aspect)
{
    sherd_vec3 right = vec3_normalize(vec3_cross(vec3(0.0, 0.0, 1.0), toward));
    sherd_vec3 up = vec3_cross(toward, right);
    double distance = 0.0;
    for (int k = 0; k < 8; ++k) {
        sherd_vec3 p = vec3_sub(corner(b, k), target);
        double depth = vec3_dot(p, toward);
        double wide = fabs(vec3_dot(p, right)) / (tan_half * aspect);
        double high = fabs(vec3_dot(p, up)) / tan_half;
        distance = fmax(distance, depth + fmax(wide, high));
    }
    return distance;
}

sherd_camera sherd_camera_orbit(sherd_bounds bounds, double aspect, double azimuth,
                                double elevation)
{
    // A long focal length is flattering. The box fills at most this fraction of the picture, which
    // leaves a margin.
    const double fov = 28.0 * DEGREE, fill = 0.94;
    const double steepest = 89.0 * DEGREE; // `up` is z
    sherd_bounds b = usable_bounds(bounds);
    double shape = isfinite(aspect) && aspect > 0.0 ? aspect : 1.0;
    double side = isfinite(azimuth) ? azimuth : 0.0;
    double height = isfinite(elevation) ? fmax(-steepest, fmin(elevation, steepest)) : 0.0;
    sherd_vec3 toward = vec3(cos(height) * cos(side), cos(height) * sin(side), sin(height));
    sherd_vec3 target = vec3_scale(0.5, vec3_add(b.low, b.high));
    double distance = framing_distance(b, target, toward, fill * tan(0.5 * fov), shape);
    return (sherd_camera){.position = vec3_add_scaled(target, distance, toward),
                          .target = target,
                          .up = vec3(0.0, 0.0, 1.0),
                          .vertical_fov = fov};
}

sherd_camera sherd_camera_frame_bounds(sherd_bounds bounds, double aspect)
{
    return sherd_camera_orbit(bounds, aspect, -58.0 * DEGREE, 24.0 * DEGREE);
}
