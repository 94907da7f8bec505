// What every kind of pattern provides. A concrete one is a struct that starts with sherd_weakness; its
// file holds one const table of these functions.
#pragma once

#include "weakness/pattern_place.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_pattern_kind {
    size_t size; // of the concrete struct
    // Fills in the zeroed struct; SHERD_ERROR_INPUT names the field. What it allocated is released by
    // the caller.
    sherd_status (*init)(sherd_weakness *weakness, const sherd_weakness_def *def,
                         sherd_error *error);
    double (*amount)(const sherd_weakness *weakness, sherd_vec3 i, sherd_vec3 j);
    // Where a place alone tells something, which is then found once: fills it in, given its x; and the amount between two
    // such. NULL both: there is nothing.
    void (*locate)(const sherd_weakness *weakness, sherd_pattern_place *place);
    double (*amount_located)(const sherd_weakness *weakness, const sherd_pattern_place *i,
                             const sherd_pattern_place *j);
    // The face of a cut nearer than `reach` to x, all but its number; false: there is none. NULL: of patterns that cut
    // nothing.
    bool (*face)(const sherd_weakness *weakness, sherd_vec3 x, double reach, sherd_cut_face *face);
    void (*release)(sherd_weakness *weakness); // may be NULL
} sherd_pattern_kind;

struct sherd_weakness {
    const sherd_pattern_kind *kind;
    double strength, stiffness;
};

extern const sherd_pattern_kind sherd_pattern_noise, sherd_pattern_voronoi, sherd_pattern_paint,
    sherd_pattern_curve, sherd_pattern_cut, sherd_pattern_region;

// SHERD_ERROR_INPUT for a member that is out of its row's range.
sherd_status sherd_weakness_def_check(const sherd_weakness_def *def, sherd_error *error);
// Unless finite and > 0.
sherd_status sherd_pattern_check_length(const char *field, double value, sherd_error *error);
// Unless finite.
sherd_status sherd_pattern_check_vector(const char *field, sherd_vec3 value, sherd_error *error);

// 1 up to distance 0, falling smoothly to 0 at `falloff` >= 0.
double sherd_pattern_fade(double distance, double falloff);
