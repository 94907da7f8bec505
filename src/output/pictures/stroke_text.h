// Text in pictures: letters of strokes, of any size. ASCII that labels need; other characters are left blank.
#pragma once

#include <sherd/render.h>

// `size` is the height of capitals [pixels].
double sherd_stroke_text_width(const char *text, double size);

// From (x, y), the left end of the line that letters stand on, rows counted from the top. Cut at the picture's edges.
typedef struct sherd_stroke_text_place {
    double x, y, size; // [pixels]
    uint8_t rgb[3];
} sherd_stroke_text_place;
void sherd_stroke_text_draw(sherd_image *image, const char *text,
                            const sherd_stroke_text_place *place);
