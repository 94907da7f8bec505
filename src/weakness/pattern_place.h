// Places that a pattern is asked about many times. What it knows of one by itself, the cell that it lies in, is found
// once and not anew for each bond that ends there.
#pragma once

#include <sherd/weakness.h>

typedef struct sherd_pattern_place {
    sherd_vec3 x;
    int64_t cell[3]; // of patterns of cells; else 0
} sherd_pattern_place;

sherd_pattern_place sherd_pattern_place_at(const sherd_weakness *weakness, sherd_vec3 x);
// sherd_weakness_amount of a bond between the two.
double sherd_pattern_amount(const sherd_weakness *weakness, const sherd_pattern_place *i,
                            const sherd_pattern_place *j);
