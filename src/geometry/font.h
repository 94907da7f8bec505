// Letters as strokes: a small font of our own. Strokes are centre lines on a grid nine units high.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// A straight piece of a stroke; its ends may be one point.
typedef struct sherd_stroke {
    sherd_vec2 from, to; // [font units]
} sherd_stroke;

enum { SHERD_FONT_HEIGHT = 9 };
extern const double sherd_font_pen; // width of strokes [font units]

// Strokes of a line of text, appended from x = 0 on. Small letters are set as capitals. False when
// memory is short; `unknown` gets the position of a character that the font has not, or -1.
typedef struct sherd_strokes {
    size_t count, capacity;
    sherd_stroke *stroke;
    double width; // of the line, pen included [font units]
} sherd_strokes;

bool sherd_font_set(const char *text, sherd_strokes *strokes, int *unknown);
