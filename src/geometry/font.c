#include "geometry/font.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const double sherd_font_pen = 1.5;

static const double BETWEEN = 1.1, SPACE = 3.0; // between letters' pens; a word space [font units]

enum { PIECES = 6 }; // straight pieces of a curve between two of its control points

// Points are pairs of digits, x and y. Strokes end at ';'. '~' begins a smooth one, '@' a smooth
// closed one: quadratic B-splines that run through the middles of their control polygon.
typedef struct glyph {
    char letter;
    const char *strokes;
} glyph;

static const glyph GLYPHS[] = {
    {'A', "003960;1353"},
    {'B', "0009;~094969654505;~054565604000"},
    {'C', "~6859290702205061"},
    {'D', "0009;~093969603000"},
    {'E', "69090060;0545"},
    {'F', "690900;0545"},
    {'G', "~6859290702205061;616434"},
    {'H', "0009;6069;0565"},
    {'I', "0009"},
    {'J', "~595451401002"},
    {'K', "0009;6904;2660"},
    {'L', "090060"},
    {'M', "0009336960"},
    {'N', "00096069"},
    {'O', "@09696000"},
    {'P', "0009;~094969644404"},
    {'Q', "@09696000;4260"},
    {'R', "0009;~094969644404;3460"},
    {'S', "~68591907056462501001"},
    {'T', "0969;3930"},
    {'U', "~090400606469"},
    {'V', "093069"},
    {'W', "0920466089"},
    {'X', "0069;0960"},
    {'Y', "0934;6934;3430"},
    {'Z', "09690060"},
    {'0', "@09595000"},
    {'1', "072920"},
    {'2', "~0709696600;0060"},
    {'3', "~0809696525;~2565600002"},
    {'4', "490363;4940"},
    {'5', "690905;~0566601001"},
    {'6', "~59090402;@05656000"},
    {'7', "096920"},
    {'8', "@19595515;@05656000"},
    {'9', "@09696404;~65636010"},
    {'.', "0000"},
    {',', "1100"},
    {':', "0101;0505"},
    {'!', "0903;0000"},
    {'?', "~0709696433;3030"},
    {'-', "0444"},
    {'+', "0464;3137"},
    {'/', "0069"},
    {'\'', "0907"},
};

static const char *find_glyph(char letter)
{
    char capital = (char)toupper((unsigned char)letter);
    for (size_t k = 0; k < sizeof GLYPHS / sizeof GLYPHS[0]; ++k)
        if (GLYPHS[k].letter == capital) return GLYPHS[k].strokes;
    return NULL;
}

static bool add_piece(sherd_strokes *s, sherd_vec2 from, sherd_vec2 to)
{
    if (!sherd_grow((void **)&s->stroke, &s->capacity, s->count + 1, sizeof *s->stroke))
        return false;
    s->stroke[s->count++] = (sherd_stroke){from, to};
    return true;
}

static sherd_vec2 middle(sherd_vec2 a, sherd_vec2 b)
{
    return (sherd_vec2){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

// Bezier's parabola from a to c with control point b.
static bool add_curve(sherd_strokes *s, sherd_vec2 a, sherd_vec2 b, sherd_vec2 c)
{
    sherd_vec2 last = a;
    for (int k = 1; k <= PIECES; ++k) {
        double t = (double)k / PIECES, u = 1.0 - t;
        sherd_vec2 p = {u * u * a.x + 2.0 * u * t * b.x + t * t * c.x,
                        u * u * a.y + 2.0 * u * t * b.y + t * t * c.y};
        if (!add_piece(s, last, p)) return false;
        last = p;
    }
    return true;
}

enum { MOST_POINTS = 16 };

static bool add_stroke(sherd_strokes *s, char kind, const sherd_vec2 *p, int n)
{
    bool good = true;
    if (kind == '@') {
        for (int k = 0; k < n && good; ++k) {
            sherd_vec2 a = p[k], b = p[(k + 1) % n], c = p[(k + 2) % n];
            good = add_curve(s, middle(a, b), b, middle(b, c));
        }
    } else if (kind == '~') {
        for (int k = 1; k + 1 < n && good; ++k)
            good = add_curve(s, k == 1 ? p[0] : middle(p[k - 1], p[k]), p[k],
                             k + 2 == n ? p[n - 1] : middle(p[k], p[k + 1]));
    } else {
        for (int k = 1; k < n && good; ++k)
            good = add_piece(s, p[k - 1], p[k]);
    }
    return good;
}

// Adds a glyph whose left-most centre line is at x; returns its width, or -1 when memory is short.
static double add_glyph(sherd_strokes *s, const char *strokes, double x)
{
    double width = 0.0;
    while (*strokes != '\0') {
        char kind = *strokes == '~' || *strokes == '@' ? *strokes++ : ' ';
        sherd_vec2 p[MOST_POINTS];
        int n = 0;
        for (; isdigit((unsigned char)*strokes) && n < MOST_POINTS; strokes += 2) {
            p[n++] = (sherd_vec2){x + (strokes[0] - '0'), (double)(strokes[1] - '0')};
            width = fmax(width, (double)(strokes[0] - '0'));
        }
        if (!add_stroke(s, kind, p, n)) return -1.0;
        if (*strokes == ';') ++strokes;
    }
    return width;
}

bool sherd_font_set(const char *text, sherd_strokes *strokes, int *unknown)
{
    double x = 0.5 * sherd_font_pen;
    *unknown = -1;
    for (int k = 0; text[k] != '\0'; ++k) {
        const char *found = find_glyph(text[k]);
        if (text[k] == ' ') {
            x += SPACE;
            continue;
        }
        if (found == NULL) {
            *unknown = k;
            return true;
        }
        double width = add_glyph(strokes, found, x);
        if (width < 0.0) return false;
        x += width + sherd_font_pen + BETWEEN;
    }
    strokes->width = x - 0.5 * sherd_font_pen - BETWEEN;
    return true;
}
