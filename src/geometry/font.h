// Text as outlines, by FreeType.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stddef.h>
#include <stdint.h>

enum { SHERD_FONT_MAX_LETTERS = 200 };

// Outlines of a line of text, curves as chords. The baseline is y = 0, capitals have height 1.
typedef struct sherd_outlines {
    size_t count, vertex_count;       //
    size_t capacity, vertex_capacity; //
    int32_t *end;                     // end of each outline's vertices (count)
    sherd_vec2 *vertex;               // (vertex_count)
} sherd_outlines;

// Lays out UTF-8 text, from x = 0 on, with the font's kerning. `font_file`: TrueType, OpenType or
// any other outline font that FreeType reads; NULL: the built-in DejaVu Sans Bold. Fails with
// SHERD_ERROR_INPUT on letters missing in the font, text without letters, and invalid files. Call
// release in any case.
sherd_status sherd_font_set(const char *text, const char *font_file, sherd_outlines *outlines,
                            sherd_error *error);
void sherd_outlines_release(sherd_outlines *outlines);

// The built-in font.
extern const unsigned char sherd_font_default[], sherd_font_default_end[];
