#include "output/pictures/legend.h"

#include "math/srgb.h"
#include "output/pictures/stroke_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICKS = 5, TEXT = 64 };

static const uint8_t INK[3] = {34, 32, 29}, SOFT[3] = {107, 102, 95}, PAPER[3] = {255, 255, 255};

typedef struct legend {
    sherd_image *image;
    const sherd_color_scale *scale;
    char title[TEXT], ticks[TICKS][TEXT];
    const char *note;
    double size, pad;                // height of capitals; margin [pixels]
    double left, top, width, height; // of the panel [pixels]
    double bar_width;
} legend;

// ---------------------------------------------------------------- words

static const char *note_of(sherd_range_origin origin)
{
    if (origin == SHERD_RANGE_FIXED) return "";
    return origin == SHERD_RANGE_OF_RUN ? "range of all frames" : "range of this frame";
}

// A power of 1000 and its prefix, for numbers between 1 and 1000.
static double unit_of(double most, const char *unit, char text[16])
{
    static const char *const LETTERS[] = {"m", "", "k", "M", "G"};
    int thousands = most > 0.0 ? (int)floor(log10(most * 1.000001) / 3.0) : 0;
    thousands = thousands < -1 ? -1 : thousands > 3 ? 3 : thousands;
    // Do not use km/s or mPa.
    if (strcmp(unit, "m/s") == 0 && thousands > 1) thousands = 1;
    if (strcmp(unit, "Pa") == 0 && thousands < 0) thousands = 0;
    if (unit[0] == '\0') thousands = 0;
    snprintf(text, 16, "%s%s", unit[0] != '\0' ? LETTERS[thousands + 1] : "", unit);
    return pow(1000.0, thousands);
}

static void write_words(legend *l)
{
    const sherd_color_scale *s = l->scale;
    const sherd_color_measure *measure = sherd_color_measure_of(s->by);
    char unit[16];
    double one = unit_of(fmax(fabs(s->low), fabs(s->high)), measure->unit, unit);
    snprintf(l->title, TEXT, unit[0] != '\0' ? "%s [%s]" : "%s", measure->title, unit);
    l->note = note_of(s->origin);
    for (int k = 0; k < TICKS; ++k) {
        double fraction = (double)k / (TICKS - 1), range = s->high - s->low;
        double value = (s->low + fraction * range) / one;
        if (fabs(value) < 1e-9 * range / one) value = 0.0; // not -0
        snprintf(l->ticks[k], TEXT, "%.3g", value);
    }
}

// ---------------------------------------------------------------- layout

static double text_width(const legend *l, const char *text, double fraction)
{
    return sherd_stroke_text_width(text, fraction * l->size);
}

// Places title, bar and numbers. False if the legend does not fit.
static bool lay_out(legend *l)
{
    double width = l->image->width, height = l->image->height;
    l->size = fmax(8.0, height / 48.0);
    l->pad = 0.8 * l->size;
    l->bar_width = fmax(0.26 * width, 16.0 * l->size);
    double over =
        0.5 * fmax(text_width(l, l->ticks[0], 0.85), text_width(l, l->ticks[TICKS - 1], 0.85));
    double title = text_width(l, l->title, 1.0), bar = l->bar_width + 2.0 * over;
    double note = l->note[0] != '\0' ? 2.0 * l->size + text_width(l, l->note, 0.75) : 0.0;
    if (fmax(title + note, bar) + 4.0 * l->pad > width) l->note = "", note = 0.0;
    l->width = fmax(title + note, bar) + 2.0 * l->pad;
    l->bar_width = l->width - 2.0 * (l->pad + over);
    l->height = 1.0 * l->size + 0.9 * l->size + 1.1 * l->size + 0.6 * l->size + 0.85 * l->size +
                2.2 * l->pad;
    l->left = l->pad;
    l->top = height - l->height - l->pad;
    return l->width + 2.0 * l->pad <= width && l->height + 2.0 * l->pad <= 0.4 * height;
}

// ---------------------------------------------------------------- drawing

static void blend(sherd_image *image, int32_t x, int32_t y, const uint8_t rgb[3], double fraction)
{
    if (x < 0 || y < 0 || x >= image->width || y >= image->height || !(fraction > 0.0)) return;
    uint8_t *pixel = image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int c = 0; c < 3; ++c)
        pixel[c] = (uint8_t)(pixel[c] + fraction * (rgb[c] - pixel[c]) + 0.5);
}

// A translucent panel with rounded corners.
static void draw_panel(const legend *l)
{
    double radius = 0.6 * l->size, half_x = 0.5 * l->width, half_y = 0.5 * l->height;
    for (int32_t y = (int32_t)l->top; y <= (int32_t)(l->top + l->height); ++y)
        for (int32_t x = (int32_t)l->left; x <= (int32_t)(l->left + l->width); ++x) {
            double dx = fabs(x + 0.5 - l->left - half_x) - half_x + radius;
            double dy = fabs(y + 0.5 - l->top - half_y) - half_y + radius;
            double out = hypot(fmax(dx, 0.0), fmax(dy, 0.0)) - radius;
            blend(l->image, x, y, PAPER, 0.8 * fmin(fmax(0.5 - out, 0.0), 1.0));
        }
}

static uint8_t screen_byte(float x)
{
    return (uint8_t)(255.0 * fmin(fmax(linear_to_srgb((double)x), 0.0), 1.0) + 0.5);
}

static void draw_bar(const legend *l, double left, double top)
{
    const sherd_color_scale *s = l->scale;
    int32_t bottom = (int32_t)(top + 1.1 * l->size);
    for (int32_t x = (int32_t)left; x < (int32_t)(left + l->bar_width); ++x) {
        double fraction = fmin(fmax((x + 0.5 - left) / l->bar_width, 0.0), 1.0);
        sherd_color c = sherd_color_scale_color(s, s->low + fraction * (s->high - s->low));
        const uint8_t rgb[3] = {screen_byte(c.r), screen_byte(c.g), screen_byte(c.b)};
        for (int32_t y = (int32_t)top; y < bottom; ++y)
            blend(l->image, x, y, rgb, 1.0);
    }
}

static void write_text(const legend *l, const char *text, double x, double y, double fraction,
                       const uint8_t rgb[3])
{
    sherd_stroke_text_place place = {x, y, fraction * l->size, {rgb[0], rgb[1], rgb[2]}};
    sherd_stroke_text_draw(l->image, text, &place);
}

static void draw_ticks(const legend *l, double left, double bottom)
{
    for (int k = 0; k < TICKS; ++k) {
        double x = left + l->bar_width * k / (TICKS - 1);
        int32_t column = (int32_t)fmin(x, left + l->bar_width - 1.0);
        for (int32_t y = (int32_t)bottom; y < (int32_t)(bottom + 0.35 * l->size); ++y)
            blend(l->image, column, y, INK, 1.0);
        double width = text_width(l, l->ticks[k], 0.85);
        write_text(l, l->ticks[k], x - 0.5 * width, bottom + 1.45 * l->size, 0.85, INK);
    }
}

void sherd_legend_draw(sherd_image *image, const sherd_color_scale *scale)
{
    legend l = {.image = image, .scale = scale};
    write_words(&l);
    if (!lay_out(&l)) return;
    draw_panel(&l);
    double line = l.top + l.pad + l.size, right = l.left + l.width - l.pad;
    write_text(&l, l.title, l.left + l.pad, line, 1.0, INK);
    write_text(&l, l.note, right - text_width(&l, l.note, 0.75), line, 0.75, SOFT);
    double left = l.left + 0.5 * (l.width - l.bar_width), top = line + 0.9 * l.size;
    draw_bar(&l, left, top);
    draw_ticks(&l, left, top + 1.1 * l.size);
}
