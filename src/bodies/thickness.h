// How thick a shape is: how deep something may be in it before it comes out on another side.
#pragma once

#include <sherd/error.h>
#include <sherd/shape.h>

// The ratio of its volume to its surface (a third of a ball's radius, half of a plate's thickness), or, where it has
// thin parts, half of their thickness [m]: of all but the thinnest fiftieth of its surface, so that a blade's edge or a
// tip do not count as thin. `spacing` is that of the surface's triangles [m]. INFINITY where nothing is found.
sherd_status sherd_shape_thickness(const sherd_shape *shape, double spacing, double *thickness,
                                   sherd_error *error);
