// Text as outlines, by FreeType.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stddef.h>
#include <stdint.h>

enum { SHERD_FONT_MOST_LETTERS = 200 };

// Outlines of a line of text, curves as chords. Letters stand on y = 0, capitals are 1 high.
typedef struct sherd_outlines {
    size_t count, vertex_count; //
    size_t room, vertex_room;   //
    int32_t *end;               // vertices up to the end of each (count)
    sherd_vec2 *vertex;         // (vertex_count)
} sherd_outlines;

// Sets UTF-8 text, from x = 0 on, kerned as the font says. `font_file`: TrueType, OpenType or any other font of outlines
// that FreeType reads; NULL: the library's own, DejaVu Sans Bold. Fails with SHERD_ERROR_INPUT on letters that the font
// has not, text without any, and files that are no such fonts. Release in any case.
sherd_status sherd_font_set(const char *text, const char *font_file, sherd_outlines *outlines,
                            sherd_error *error);
void sherd_outlines_release(sherd_outlines *outlines);

// The font that is built in.
extern const unsigned char sherd_font_default[], sherd_font_default_end[];
