// Stroke-font text in pictures, of any size. ASCII as labels need it; other characters are blank.
#pragma once

#include <sherd/render.h>

// `size` is the height of capitals [pixels].
double sherd_stroke_text_width(const char *text, double size);

// Draws from the left end (x, y) of the baseline, rows counted from the top. Clipped at the
// picture's edges.
typedef struct sherd_stroke_text_place {
    double x, y, size; // [pixels]
    uint8_t rgb[3];
} sherd_stroke_text_place;
void sherd_stroke_text_draw(sherd_image *image, const char *text,
                            const sherd_stroke_text_place *place);
