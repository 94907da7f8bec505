// Numbers of elements as colours: which number, over which range of it.
#pragma once

#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// What colours show, where that is a number.
typedef struct sherd_color_measure {
    const char *title, *unit; // of the legend; "" without a unit
    bool both_signs;          // colours part at 0, and an automatic range is as long on either side
    bool is_stress;           // frames need the stress of elements
    double usual;             // end of the range that is not fixed; 0: as values say
} sherd_color_measure;

// NULL: what colours show is no number.
const sherd_color_measure *sherd_color_measure_of(sherd_scene_color_by by);

static inline bool sherd_colors_show_stress(sherd_scene_color_by by)
{
    const sherd_color_measure *measure = sherd_color_measure_of(by);
    return measure != NULL && measure->is_stress;
}

// Of every element into `values`. False, and nothing: the frame does not have them.
bool sherd_color_values(sherd_scene_color_by by, const sherd_run_frame *frame,
                        sherd_element_index count, float *values);

typedef enum sherd_range_origin {
    SHERD_RANGE_FIXED,      // by the scene, or by what is shown
    SHERD_RANGE_OF_PICTURE, // of the values in one picture
    SHERD_RANGE_OF_RUN,     // of the values of all frames
} sherd_range_origin;

typedef struct sherd_color_scale {
    sherd_scene_color_by by; // a number
    double low, high;        // low < high once it is finished
    sherd_range_origin origin;
} sherd_color_scale;

// A range that is fixed, or an empty one for sherd_color_scale_widen.
sherd_color_scale sherd_color_scale_begin(sherd_scene_color_by by, const sherd_scene_range *range);

// Widens an automatic range so that at most 1 % of these values is beyond either end; the values are sorted. What is
// not finite does not count.
void sherd_color_scale_widen(sherd_color_scale *scale, float *values, sherd_element_index count);
// Rounds its ends up to numbers of two digits, so that quarters of it are short, too.
void sherd_color_scale_finish(sherd_color_scale *scale);

// Values beyond the range have the colours of its ends.
sherd_color sherd_color_scale_color(const sherd_color_scale *scale, double value);
