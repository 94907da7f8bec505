// Cross sections of a shape perpendicular to an axis, integrated over the cells of a grid.
#pragma once

#include <sherd/shape.h>

#include <stdbool.h>

typedef struct sherd_section {
    sherd_vec3 axis[3]; // along the bar, along the longer and the shorter side
    // Along the bar: range of the sections measured. Across: of all sections [m].
    double low[3], high[3];
    double area; // mean [m^2]
    // Second moments of area about the sections' centroids, for bending towards axis 1 and axis 2.
    // They are averaged such that the mean curvature under one moment is that of the bar [m^4].
    double second[2];
    double unevenness; // largest relative difference of a section's area from the mean
} sherd_section;

// Measures the sections between `low` and `high` along `along`. Sides are those of the smallest
// rectangle around all sections. Returns false if a section is empty.
bool sherd_section_measure(const sherd_shape *shape, sherd_vec3 along, double low, double high,
                           sherd_section *out);
