#include "models/mpm/touch/mpm_touch_law.h"

#include "models/mpm/mpm_axes.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };

// Of the normal stiffness.
static const double ALONG = 0.5;

// Half k e^2 and the same along the face.
double sherd_mpm_touch_stored(const sherd_mpm_touch *touch)
{
    double overlap = fmax(touch->overlap, 0.0);
    return 0.5 * touch->stiffness *
           (overlap * overlap + ALONG * sherd_axes_dot(touch->slip, touch->slip));
}

void sherd_mpm_touch_force(const sherd_mpm_touch *touch, double force[AXES])
{
    double overlap = fmax(touch->overlap, 0.0);
    for (int k = 0; k < AXES; ++k)
        force[k] = touch->stiffness * (overlap * touch->normal[k] - ALONG * touch->slip[k]);
}

// Both add what is lost.

// Along the normal: what approach does, and what becomes of it.
static void press(sherd_mpm_touch *touch, double approach)
{
    double before = fmax(touch->overlap, 0.0);
    if (touch->overlap > 0.0 || touch->guest >= 0)
        touch->overlap += approach;
    else
        touch->overlap = approach - fmax(0.0, touch->gap);
    double after = fmax(touch->overlap, 0.0);
    if (!(before > 0.0 || after > 0.0)) return;
    double work = 0.5 * touch->stiffness * (before + after) * approach;
    touch->lost[0] += work - 0.5 * touch->stiffness * (after * after - before * before);
}

// Along the face, by a way across the normal.
static void drag(sherd_mpm_touch *touch, const double way[AXES])
{
    double stiffness = ALONG * touch->stiffness, before[AXES], work = 0.0;
    memcpy(before, touch->slip, sizeof before);
    for (int k = 0; k < AXES; ++k)
        touch->slip[k] += way[k];
    double size = ALONG * sqrt(sherd_axes_dot(touch->slip, touch->slip)),
           most = touch->friction * fmax(touch->overlap, 0.0),
           share = size > most ? most / size : 1.0;
    for (int k = 0; k < AXES; ++k) {
        touch->slip[k] *= share;
        work += 0.5 * stiffness * (before[k] + touch->slip[k]) * way[k];
    }
    touch->lost[1] +=
        work - 0.5 * stiffness *
                   (sherd_axes_dot(touch->slip, touch->slip) - sherd_axes_dot(before, before));
}

// The spring follows a way of the sample's body over the partner, along the normal and across it.
void sherd_mpm_touch_follow(sherd_mpm_touch *touch, const double along[AXES],
                            const double across[AXES])
{
    double way[AXES], normal = sherd_axes_dot(across, touch->normal);
    for (int k = 0; k < AXES; ++k)
        way[k] = across[k] - normal * touch->normal[k];
    press(touch, -sherd_axes_dot(along, touch->normal));
    drag(touch, way);
}

// Along a way of the sample's body, at both places.
double sherd_mpm_touch_along(const sherd_mpm_touch *touch, const double force[AXES],
                             const double inside[AXES], const double along[AXES])
{
    double normal = sherd_axes_dot(force, touch->normal), sum = 0.0;
    for (int k = 0; k < AXES; ++k) {
        double pressed = normal * touch->normal[k];
        sum += pressed * inside[k] + (force[k] - pressed) * along[k];
    }
    return sum;
}
