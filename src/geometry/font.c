#include "geometry/font.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double CHORD =
    0.002; // maximum distance of chords from their curve, relative to a capital's height
enum {
    MAX_CHORDS = 64,     // of one curve
    MAX_VERTICES = 20000 // per line: testing outlines against each other takes seconds
};

typedef struct line {
    FT_Face face;
    double unit;  // height of capitals in font units, inverse
    double along; // position at which the next letter begins [font units]
    sherd_outlines *outlines;
    sherd_vec2 at; // current point [font units]
    bool crowded;  // more than MAX_VERTICES
    bool failed;   // crowded, or out of memory
} line;

// ---------------------------------------------------------------- outlines of a letter

static void add_point(line *l, sherd_vec2 at)
{
    sherd_outlines *o = l->outlines;
    l->crowded |= o->vertex_count >= MAX_VERTICES;
    if (l->crowded || !sherd_grow((void **)&o->vertex, &o->vertex_capacity, o->vertex_count + 1,
                                  sizeof *o->vertex)) {
        l->failed = true;
        return;
    }
    o->vertex[o->vertex_count++] = (sherd_vec2){l->unit * (l->along + at.x), l->unit * at.y};
    l->at = at;
}

static sherd_vec2 point_of(const FT_Vector *v)
{
    return (sherd_vec2){(double)v->x, (double)v->y};
}

// `bend`: the largest second difference of control points, times a factor for the curve's degree.
static int chords_of(const line *l, double bend)
{
    double count = ceil(sqrt(l->unit * bend / CHORD));
    return (int)fmin(fmax(count, 1.0), MAX_CHORDS);
}

static double second_difference(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c)
{
    return hypot(a.x - 2.0 * b.x + c.x, a.y - 2.0 * b.y + c.y);
}

// Ends the previous outline, if there is one.
static int move_to(const FT_Vector *to, void *context)
{
    line *l = context;
    sherd_outlines *o = l->outlines;
    if (!sherd_grow((void **)&o->end, &o->capacity, o->count + 1, sizeof *o->end)) {
        l->failed = true;
        return 1;
    }
    o->end[o->count++] = (int32_t)o->vertex_count;
    add_point(l, point_of(to));
    return l->failed;
}

static int line_to(const FT_Vector *to, void *context)
{
    line *l = context;
    add_point(l, point_of(to));
    return l->failed;
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *context)
{
    line *l = context;
    sherd_vec2 a = l->at, b = point_of(control), c = point_of(to);
    int n = chords_of(l, 0.25 * second_difference(a, b, c));
    for (int k = 1; k <= n; ++k) {
        double t = (double)k / n, s = 1.0 - t;
        add_point(l, (sherd_vec2){s * s * a.x + 2.0 * s * t * b.x + t * t * c.x,
                                  s * s * a.y + 2.0 * s * t * b.y + t * t * c.y});
    }
    return l->failed;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to,
                    void *context)
{
    line *l = context;
    sherd_vec2 a = l->at, b = point_of(first), c = point_of(second), d = point_of(to);
    int n = chords_of(l, 0.75 * fmax(second_difference(a, b, c), second_difference(b, c, d)));
    for (int k = 1; k <= n; ++k) {
        double t = (double)k / n, s = 1.0 - t;
        double w[4] = {s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t};
        add_point(l, (sherd_vec2){w[0] * a.x + w[1] * b.x + w[2] * c.x + w[3] * d.x,
                                  w[0] * a.y + w[1] * b.y + w[2] * c.y + w[3] * d.y});
    }
    return l->failed;
}

static const FT_Outline_Funcs PEN = {move_to, line_to, conic_to, cubic_to, 0, 0};

// ---------------------------------------------------------------- a line

// Decodes the next character of UTF-8 text; 0 at its end, -1 if invalid.
static int32_t next_character(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xC2 ? 0
                 : s[0] < 0xE0 ? 2
                 : s[0] < 0xF0 ? 3
                 : s[0] < 0xF5 ? 4
                               : 0;
    if (length == 0) return -1;
    int32_t value = length == 1 ? s[0] : s[0] & (0x7F >> length);
    for (int k = 1; k < length; ++k) {
        if ((s[k] & 0xC0) != 0x80) return -1;
        value = value << 6 | (s[k] & 0x3F);
    }
    *text += length;
    return value;
}

// Height of capitals: that of H, or the largest height in a font without H.
static double capital_height(FT_Face face)
{
    FT_BBox box = {0};
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0 &&
        face->glyph->format == FT_GLYPH_FORMAT_OUTLINE)
        FT_Outline_Get_CBox(&face->glyph->outline, &box);
    return box.yMax > 0 ? (double)box.yMax : (double)face->ascender;
}

static sherd_status add_letter(line *l, FT_UInt before, FT_UInt letter, sherd_error *error)
{
    FT_Vector kern = {0};
    if (before != 0 && FT_Get_Kerning(l->face, before, letter, FT_KERNING_UNSCALED, &kern) == 0)
        l->along += (double)kern.x;
    if (FT_Load_Glyph(l->face, letter, FT_LOAD_NO_SCALE) != 0 ||
        l->face->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "font", "use another font",
                          "the font is damaged");
    FT_Outline_Decompose(&l->face->glyph->outline, &PEN, l);
    l->along += (double)l->face->glyph->advance.x;
    if (l->crowded)
        return sherd_fail(error, SHERD_ERROR_INPUT, "text", "use several bodies, or a simpler font",
                          "the letters have more than %d corners together", MAX_VERTICES);
    return l->failed ? sherd_fail_memory(error, "text") : SHERD_OK;
}

static sherd_status add_letters(line *l, const char *text, sherd_error *error)
{
    FT_UInt before = 0;
    const char *at = text;
    for (int n = 1;; ++n) {
        const char *begin = at;
        int32_t c = next_character(&at);
        if (c == 0) return SHERD_OK;
        if (c < 0)
            return sherd_fail(error, SHERD_ERROR_INPUT, "text", "text is UTF-8",
                              "letter %d is not UTF-8", n);
        if (n > SHERD_FONT_MAX_LETTERS)
            return sherd_fail(error, SHERD_ERROR_INPUT, "text", "use several bodies",
                              "at most %d letters", SHERD_FONT_MAX_LETTERS);
        FT_UInt letter = c < ' ' ? 0 : FT_Get_Char_Index(l->face, (FT_ULong)c);
        if (letter == 0)
            return sherd_fail(error, SHERD_ERROR_INPUT, "text",
                              "leave it out, or give a font that has it with `font`",
                              "the font has no letter %d of '%.40s': %.*s", n, text,
                              c < ' ' ? 0 : (int)(at - begin), begin);
        sherd_status status = add_letter(l, before, letter, error);
        if (status != SHERD_OK) return status;
        before = letter;
    }
}

// Ranges of vertices of the outlines.
static void set_outline_ranges(sherd_outlines *o)
{
    for (size_t k = 0; k < o->count; ++k)
        o->end[k] = k + 1 < o->count ? o->end[k + 1] : (int32_t)o->vertex_count;
}

static sherd_status set_with(FT_Face face, const char *text, sherd_outlines *outlines,
                             sherd_error *error)
{
    if (!FT_IS_SCALABLE(face) || !(capital_height(face) > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "font", "use a TrueType or OpenType font",
                          "the font has no outlines");
    line l = {.face = face, .unit = 1.0 / capital_height(face), .outlines = outlines};
    sherd_status status = add_letters(&l, text, error);
    set_outline_ranges(outlines);
    if (status == SHERD_OK && outlines->count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "text", NULL, "there is no letter in the text");
    return status;
}

sherd_status sherd_font_set(const char *text, const char *font_file, sherd_outlines *outlines,
                            sherd_error *error)
{
    *outlines = (sherd_outlines){0};
    unsigned char *read = NULL;
    const unsigned char *bytes = sherd_font_default;
    size_t size = (size_t)(sherd_font_default_end - sherd_font_default);
    if (font_file != NULL) {
        sherd_status status = sherd_file_read(font_file, &read, &size, error);
        if (status != SHERD_OK) return status;
        bytes = read;
    }
    FT_Library library = NULL;
    FT_Face face = NULL;
    sherd_status status;
    if (FT_Init_FreeType(&library) != 0)
        status = sherd_fail_memory(error, "text");
    else if (FT_New_Memory_Face(library, bytes, (FT_Long)size, 0, &face) != 0)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "font", "use a TrueType or OpenType font",
                            "it is no font");
    else
        status = set_with(face, text, outlines, error);
    if (library != NULL) FT_Done_FreeType(library); // also frees its faces
    sherd_free(read);
    return status;
}

void sherd_outlines_release(sherd_outlines *outlines)
{
    sherd_free(outlines->end);
    sherd_free(outlines->vertex);
    *outlines = (sherd_outlines){0};
}
