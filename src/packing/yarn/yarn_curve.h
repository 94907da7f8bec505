// Smooth curves as dense polylines, and helices laid around them.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// Zero-filled is empty. `failed` is set if memory runs short; all functions then do nothing.
typedef struct sherd_yarn_curve {
    size_t count, capacity;
    sherd_vec3 *point; // [m]
    bool failed;
} sherd_yarn_curve;

void sherd_yarn_curve_free(sherd_yarn_curve *curve);
void sherd_yarn_curve_add(sherd_yarn_curve *curve, sherd_vec3 point);
double sherd_yarn_curve_length(const sherd_yarn_curve *curve); // [m]

// The points at `count` >= 2 equal intervals of arc length, ends included.
void sherd_yarn_curve_sample(const sherd_yarn_curve *curve, size_t count, sherd_vec3 *point);

// A smooth curve through the given points (centripetal Catmull-Rom), in steps of at most `step` [m].
void sherd_yarn_curve_through(sherd_yarn_curve *curve, const sherd_vec3 *points, int count,
                              double step);

// A helix about `axis`, at the distance `offset` and with one right-handed turn per `pitch` of the
// axis (left-handed if negative). `phase` is the angle at its start [rad]. The frame does not twist
// about the axis.
void sherd_yarn_curve_helix(sherd_yarn_curve *curve, const sherd_yarn_curve *axis, double offset,
                            double pitch, double phase);

// `count` equal strands lie around an axis within `radius`, each making one turn per `pitch`, and
// touch their neighbours. Returns their distance from the axis; their radius is `radius` minus
// that. [m]
double sherd_yarn_lay_offset(int count, double radius, double pitch);
