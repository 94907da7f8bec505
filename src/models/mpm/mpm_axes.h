// Vectors as grids have them: three numbers in a row.
#pragma once

static inline double sherd_axes_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
