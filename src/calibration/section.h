// Sections of a shape across a bar's axis, measured by the shape's share of squares of a grid.
#pragma once

#include <sherd/shape.h>

#include <stdbool.h>

typedef struct sherd_section {
    sherd_vec3 axis[3]; // along the bar, along the longer and along the shorter side
    // Along the bar: range of the sections measured. Across: of all sections [m].
    double low[3], high[3];
    double area; // mean [m^2]
    // Moments of area about the sections' centroids, for bending towards axis 1 and axis 2: such that the
    // mean curvature under one moment is that of the bar [m^4].
    double second[2];
    double unevenness; // largest difference of a section's area from the mean, of the mean
} sherd_section;

// Looks at sections between `low` and `high` along `along`. Sides are those of the least rectangle around
// all sections. False where a section is empty.
bool sherd_section_measure(const sherd_shape *shape, sherd_vec3 along, double low, double high,
                           sherd_section *out);
