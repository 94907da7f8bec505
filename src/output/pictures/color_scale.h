// Maps numbers of elements to colours: which number, and its range.
#pragma once

#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// A number that colours show.
typedef struct sherd_color_measure {
    const char *title, *unit; // of the legend; "" without a unit
    bool both_signs;          // colours change at 0, and an automatic range is symmetric
    bool is_stress;           // frames need the stress of elements
    double usual;             // default end of the range; 0: automatic
} sherd_color_measure;

// NULL if the colours do not show a number.
const sherd_color_measure *sherd_color_measure_of(sherd_scene_color_by by);

static inline bool sherd_colors_show_stress(sherd_scene_color_by by)
{
    const sherd_color_measure *measure = sherd_color_measure_of(by);
    return measure != NULL && measure->is_stress;
}

// Computes the number of every element. False if the frame does not contain it.
bool sherd_color_values(sherd_scene_color_by by, const sherd_run_frame *frame,
                        sherd_element_index count, float *values);

typedef enum sherd_range_origin {
    SHERD_RANGE_FIXED,      // set by the scene or by definition
    SHERD_RANGE_OF_PICTURE, // of the values in one picture
    SHERD_RANGE_OF_RUN,     // of the values of all frames
} sherd_range_origin;

typedef struct sherd_color_scale {
    sherd_scene_color_by by; // a number
    double low, high;        // low < high once it is finished
    sherd_range_origin origin;
} sherd_color_scale;

// A fixed range, or an empty one for sherd_color_scale_widen.
sherd_color_scale sherd_color_scale_begin(sherd_scene_color_by by, const sherd_scene_range *range);

// Widens an automatic range so that at most 1 % of the values are beyond either end. Sorts the
// values; ignores values that are not finite.
void sherd_color_scale_widen(sherd_color_scale *scale, float *values, sherd_element_index count);
// Rounds the ends to two digits, so that quarters of the range are short, too.
void sherd_color_scale_finish(sherd_color_scale *scale);

// Values beyond the range get the colours of its ends.
sherd_color sherd_color_scale_color(const sherd_color_scale *scale, double value);
