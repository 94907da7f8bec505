// Points at which a pattern is evaluated many times. Data of a single point, such as its Voronoi
// cell, are computed once and not for each bond that ends there.
#pragma once

#include <sherd/weakness.h>

typedef struct sherd_pattern_point {
    sherd_vec3 x;
    int64_t cell[3]; // of patterns with cells, otherwise 0
} sherd_pattern_point;

sherd_pattern_point sherd_pattern_point_at(const sherd_weakness *weakness, sherd_vec3 x);
// sherd_weakness_amount of a bond between two points.
double sherd_pattern_amount(const sherd_weakness *weakness, const sherd_pattern_point *i,
                            const sherd_pattern_point *j);
