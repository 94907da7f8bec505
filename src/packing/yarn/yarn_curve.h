// Smooth curves as dense polylines, and helices laid around them.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// Zero-filled is empty. `failed` is set when memory is short; everything then does nothing.
typedef struct sherd_yarn_curve {
    size_t count, capacity;
    sherd_vec3 *point; // [m]
    bool failed;
} sherd_yarn_curve;

void sherd_yarn_curve_free(sherd_yarn_curve *curve);
void sherd_yarn_curve_add(sherd_yarn_curve *curve, sherd_vec3 point);
double sherd_yarn_curve_length(const sherd_yarn_curve *curve); // [m]

// The point at each of `count` >= 2 equal shares of the length, ends included.
void sherd_yarn_curve_sample(const sherd_yarn_curve *curve, size_t count, sherd_vec3 *point);

// A smooth curve through the given points (centripetal Catmull-Rom), in steps of at most `step` [m].
void sherd_yarn_curve_through(sherd_yarn_curve *curve, const sherd_vec3 *points, int count,
                              double step);

// A helix about `axis`, at the distance `offset` and with one right-handed turn per `pitch` of the
// axis (left-handed below 0). `phase` is where it starts [rad]. The frame does not turn about the
// axis of its own accord.
void sherd_yarn_curve_helix(sherd_yarn_curve *curve, const sherd_yarn_curve *axis, double offset,
                            double pitch, double phase);

// `count` equal strands lie around an axis within `radius`, each turning once per `pitch`, and touch
// their neighbours: their distance from the axis. Their own radius is the rest of `radius`. [m]
double sherd_yarn_lay_offset(int count, double radius, double pitch);
