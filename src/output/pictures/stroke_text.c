#include "output/pictures/stroke_text.h"

#include <math.h>
#include <stdbool.h>

// Glyphs are polylines on a grid about 4 wide and 6 high, plus a descent. Points are written "xy",
// with y counted from 2 below the baseline: small letters end at 6, capitals at 8. Blanks separate
// strokes; a single point is a dot.
typedef struct glyph {
    char character, width;
    const char *strokes;
} glyph;

enum { LINE = 2, CAPITAL = 6, GAP = 2, MOST_SEGMENTS = 32 }; // in grid units

static const glyph GLYPHS[] = {
    {'0', 4, "120307183847433212"},
    {'1', 2, "072822"},
    {'2', 4, "071838474602 0242"},
    {'3', 4, "07183847463515 354443321203"},
    {'4', 4, "32380444"},
    {'5', 4, "4808053544433212 1203"},
    {'6', 4, "473818070312324344351504"},
    {'7', 4, "084812"},
    {'8', 4, "15060718384746351504031232434435"},
    {'9', 4, "461506071838474332 123203"},
    {'.', 0, "02"},
    {':', 0, "03 06"},
    {'-', 3, "0535"},
    {'+', 4, "0545 2327"},
    {'/', 3, "0139"},
    {'[', 2, "29090121"},
    {']', 2, "09292101"},
    {'A', 4, "022842 0434"},
    {'G', 4, "47381807031232434525"},
    {'M', 4, "0208254842"},
    {'P', 4, "02083847463505"},
    {'a', 4, "4642 4536160503123243"},
    {'b', 4, "0802 0516364543321203"},
    {'c', 4, "4536160503123243"},
    {'d', 4, "4842 4536160503123243"},
    {'e', 4, "04444536160503123243"},
    {'f', 3, "38281712 0636"},
    {'g', 4, "4641301001 4536160503123243"},
    {'h', 4, "0802 0516364542"},
    {'i', 0, "0602 08"},
    {'j', 1, "161100 18"},
    {'k', 3, "0802 3603 1432"},
    {'l', 0, "0802"},
    {'m', 6, "0602 0516263532 3546566562"},
    {'n', 4, "0602 0516364542"},
    {'o', 4, "120305163645433212"},
    {'p', 4, "0600 0516364543321203"},
    {'q', 4, "4640 4536160503123243"},
    {'r', 3, "0602 05162635"},
    {'s', 4, "45361605143443321203"},
    {'t', 3, "18132232 0636"},
    {'u', 4, "0603123243 4642"},
    {'v', 4, "062246"},
    {'w', 6, "0612365266"},
    {'x', 4, "0642 0246"},
    {'y', 4, "0622 4610"},
    {'z', 4, "06460242"},
};

static const glyph BLANK = {' ', 2, ""};

static const glyph *glyph_of(char character)
{
    for (size_t k = 0; k < sizeof GLYPHS / sizeof *GLYPHS; ++k)
        if (GLYPHS[k].character == character) return &GLYPHS[k];
    return &BLANK;
}

double sherd_stroke_text_width(const char *text, double size)
{
    double units = 0.0;
    for (const char *at = text; *at != '\0'; ++at)
        units += glyph_of(*at)->width + (at[1] != '\0' ? GAP : 0);
    return units * size / CAPITAL;
}

// ---------------------------------------------------------------- strokes

typedef struct segment {
    double x0, y0, x1, y1; // [pixels]
} segment;

typedef struct drawing {
    sherd_image *image;
    const sherd_stroke_text_place *place;
    double unit, half; // pixels per grid unit; half a stroke's width [pixels]
} drawing;

static int segments_of(const drawing *d, const glyph *g, double left, segment list[MOST_SEGMENTS])
{
    int count = 0;
    double px = 0.0, py = 0.0;
    bool begun = false;
    for (const char *s = g->strokes; *s != '\0' && count < MOST_SEGMENTS;) {
        if (*s == ' ') {
            begun = false;
            ++s;
            continue;
        }
        double x = left + d->unit * (s[0] - '0'), y = d->place->y - d->unit * (s[1] - '0' - LINE);
        bool alone = !begun && (s[2] == ' ' || s[2] == '\0');
        if (begun || alone) list[count++] = (segment){begun ? px : x, begun ? py : y, x, y};
        px = x, py = y, begun = true;
        s += 2;
    }
    return count;
}

static double distance(const segment *s, double x, double y)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length2 = dx * dx + dy * dy;
    double t = length2 > 0.0 ? ((x - s->x0) * dx + (y - s->y0) * dy) / length2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(x - s->x0 - t * dx, y - s->y0 - t * dy);
}

static void blend(const drawing *d, int32_t x, int32_t y, double fraction)
{
    uint8_t *pixel = d->image->pixels + 3 * ((size_t)y * (size_t)d->image->width + (size_t)x);
    for (int c = 0; c < 3; ++c)
        pixel[c] = (uint8_t)(pixel[c] + fraction * (d->place->rgb[c] - pixel[c]) + 0.5);
}

// Antialiasing: each pixel is blended by the distance of its centre from the stroke.
static void draw_glyph(const drawing *d, const glyph *g, double left)
{
    segment list[MOST_SEGMENTS];
    int count = segments_of(d, g, left, list);
    double margin = d->half + 1.0;
    int32_t x0 = (int32_t)fmax(floor(left - margin), 0.0);
    int32_t x1 = (int32_t)fmin(ceil(left + g->width * d->unit + margin), d->image->width);
    int32_t y0 = (int32_t)fmax(floor(d->place->y - 7.0 * d->unit - margin), 0.0);
    int32_t y1 = (int32_t)fmin(ceil(d->place->y + LINE * d->unit + margin), d->image->height);
    for (int32_t y = y0; y < y1 && count > 0; ++y)
        for (int32_t x = x0; x < x1; ++x) {
            double nearest = INFINITY;
            for (int k = 0; k < count; ++k)
                nearest = fmin(nearest, distance(&list[k], x + 0.5, y + 0.5));
            double fraction = fmin(d->half + 0.5 - nearest, 1.0);
            if (fraction > 0.0) blend(d, x, y, fraction);
        }
}

void sherd_stroke_text_draw(sherd_image *image, const char *text,
                            const sherd_stroke_text_place *place)
{
    double unit = place->size / CAPITAL, left = place->x;
    drawing d = {image, place, unit, fmax(0.6, 0.065 * place->size)};
    for (const char *at = text; *at != '\0'; ++at) {
        const glyph *g = glyph_of(*at);
        draw_glyph(&d, g, left);
        left += (g->width + GAP) * unit;
    }
}
