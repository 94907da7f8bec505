// Thickness of a shape: how deep a body may penetrate before it comes out on the far side.
#pragma once

#include <sherd/error.h>
#include <sherd/shape.h>

// The ratio of its volume to its surface (a third of a ball's radius, half of a plate's thickness)
// or, if it has thin parts, half of their thickness [m]. The thinnest fiftieth of its surface is
// ignored, so that a blade's edge or a tip does not count. `spacing` is that of the surface's
// triangles [m]. INFINITY if nothing is found.
sherd_status sherd_shape_thickness(const sherd_shape *shape, double spacing, double *thickness,
                                   sherd_error *error);
