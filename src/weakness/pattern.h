// The interface of patterns. A pattern is a struct that starts with sherd_weakness; its file
// contains one const table of these functions.
#pragma once

#include "weakness/pattern_point.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_pattern_kind {
    size_t size; // of the concrete struct
    // Initialises the zeroed struct; SHERD_ERROR_INPUT names the field. The caller releases what it
    // allocated.
    sherd_status (*init)(sherd_weakness *weakness, const sherd_weakness_def *def,
                         sherd_error *error);
    double (*amount)(const sherd_weakness *weakness, sherd_vec3 i, sherd_vec3 j);
    // For patterns with data for each point: computes them, given x, once for each point; and the
    // amount between two such points. Both NULL: none.
    void (*locate)(const sherd_weakness *weakness, sherd_pattern_point *place);
    double (*amount_located)(const sherd_weakness *weakness, const sherd_pattern_point *i,
                             const sherd_pattern_point *j);
    // The face of a cut that is nearer than `reach` to x, without its number; returns false if
    // there is none. NULL for patterns that do not cut.
    bool (*face)(const sherd_weakness *weakness, sherd_vec3 x, double reach, sherd_cut_face *face);
    void (*release)(sherd_weakness *weakness); // may be NULL
} sherd_pattern_kind;

struct sherd_weakness {
    const sherd_pattern_kind *kind;
    double strength, stiffness;
};

extern const sherd_pattern_kind sherd_pattern_noise, sherd_pattern_voronoi, sherd_pattern_paint,
    sherd_pattern_curve, sherd_pattern_cut, sherd_pattern_region;

// SHERD_ERROR_INPUT for a member out of its range.
sherd_status sherd_weakness_def_check(const sherd_weakness_def *def, sherd_error *error);
// SHERD_ERROR_INPUT unless finite and > 0.
sherd_status sherd_pattern_check_length(const char *field, double value, sherd_error *error);
// SHERD_ERROR_INPUT unless finite.
sherd_status sherd_pattern_check_vector(const char *field, sherd_vec3 value, sherd_error *error);

// 1 up to distance 0, decreasing smoothly to 0 at `falloff` >= 0.
double sherd_pattern_fade(double distance, double falloff);
