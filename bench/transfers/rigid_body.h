// Rigid bodies integrated by themselves, for rows to be held against.
#pragma once

#include <sherd/types.h>

// A box of uniform density that turns freely from identity: its rotation after `time` [s], row-major. `spin` at the
// start, about its centre [rad/s]; edges [m].
void rigid_box_turn(sherd_vec3 edges, sherd_vec3 spin, double time, double rotation[9]);

// The angle of the rotation between two [rad].
double rotation_angle(const double a[9], const double b[9]);

// A box that turns about an edge at rest: how long it takes from rest at an angle beyond balance to another one [s].
// `width` and `height` are its edges across that one [m]; angles [rad]
// How far a brick that lies on the edge of a table has turned about it after a time, from rest: its centre is `out` beyond the
// edge and half its height above. It does not slip [rad].
double rigid_tip_angle(double length, double height, double out, double gravity, double time);

double rigid_topple_time(double width, double height, double gravity, double from, double to);
