#include "results/plot.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PANEL_WIDTH = 430,
    PANEL_HEIGHT = 300,
    LEFT = 64,
    RIGHT = 14,
    TOP = 34,
    BOTTOM = 46,
    HEAD = 44,
    LEGEND_ROW = 22,
    LEGEND_ENTRY = 205,
    MAX_TICKS = 12,
    MAX_MARKS = 30, // longer curves have no markers
};

static const char *const COLOURS[PLOT_COLOURS] = {
    "#1f5fa8", "#d9822b", "#3f8f5f", "#c4463d", "#8064b0",
    "#8a6a52", "#d06fa6", "#2f9aa8", "#22201d", "#9aa33a",
};

typedef struct range {
    double low, high; // of logarithms on a logarithmic axis
} range;

typedef struct frame {
    FILE *out;
    double left, top, width, height; // of the plot area
    const plot_panel *panel;
    range x, y;
} frame;

// ---------------------------------------------------------------- scales

static double scaled(const plot_axis *axis, double value)
{
    if (!axis->logarithmic) return value;
    return value > 0.0 ? log10(value) : NAN;
}

static void extend(range *r, double value)
{
    if (!isfinite(value)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static range range_of(const plot_panel *panel, bool of_x)
{
    const plot_axis *axis = of_x ? &panel->x : &panel->y;
    range r = {INFINITY, -INFINITY};
    if (axis->high > axis->low) return (range){scaled(axis, axis->low), scaled(axis, axis->high)};
    for (int s = 0; s < panel->series_count; ++s)
        for (int k = 0; k < panel->series[s].count; ++k)
            extend(&r, scaled(axis, of_x ? panel->series[s].x[k] : panel->series[s].y[k]));
    if (!(r.low <= r.high)) return (range){0.0, 1.0};
    if (!axis->logarithmic) r.low = fmin(r.low, 0.0);
    double margin = 0.03 * (r.high - r.low) + (r.high == r.low ? 0.5 : 0.0);
    return (range){axis->logarithmic ? r.low - margin : r.low, r.high + margin};
}

static double pixel_x(const frame *f, double value)
{
    double fraction = (scaled(&f->panel->x, value) - f->x.low) / (f->x.high - f->x.low);
    return f->left + fraction * f->width;
}

static double pixel_y(const frame *f, double value)
{
    double fraction = (scaled(&f->panel->y, value) - f->y.low) / (f->y.high - f->y.low);
    return f->top + (1.0 - fraction) * f->height;
}

// Distance of ticks: 1, 2 or 5 times a power of ten, whole decades on logarithmic axes.
static double tick_distance(range r, bool logarithmic)
{
    double rough = (r.high - r.low) / 6.0;
    double decade = pow(10.0, floor(log10(rough)));
    if (logarithmic) return fmax(1.0, ceil((r.high - r.low) / 8.0));
    double fraction = rough / decade;
    return decade * (fraction <= 1.0 ? 1.0 : fraction <= 2.0 ? 2.0 : fraction <= 5.0 ? 5.0 : 10.0);
}

// ---------------------------------------------------------------- drawing

static void text(FILE *out, double x, double y, const char *anchor, const char *style,
                 const char *words)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, style);
    for (const char *c = words; *c != '\0'; ++c)
        switch (*c) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(*c, out);
        }
    fputs("</text>\n", out);
}

static void tick_text(FILE *out, double x, double y, const char *anchor, double tick,
                      bool logarithmic)
{
    char number[64];
    if (!logarithmic || fabs(tick) < 3.5) {
        snprintf(number, sizeof number, "%g", logarithmic ? pow(10.0, tick) : tick);
        text(out, x, y, anchor, "class=\"tick\"", number);
        return;
    }
    fprintf(out,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"tick\">10"
            "<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan></text>\n",
            x, y, anchor, tick);
}

static void draw_ticks(const frame *f, bool of_x)
{
    const plot_axis *axis = of_x ? &f->panel->x : &f->panel->y;
    range r = of_x ? f->x : f->y;
    double distance = tick_distance(r, axis->logarithmic);
    double first = ceil(r.low / distance - 1e-9);
    for (int k = 0; k < MAX_TICKS && (first + k) * distance <= r.high + 1e-9 * distance; ++k) {
        double tick = (first + k) * distance;
        double fraction = (tick - r.low) / (r.high - r.low);
        if (of_x) {
            double x = f->left + fraction * f->width;
            fprintf(f->out, "<path class=\"rule\" d=\"M%.1f %.1fv%.1f\"/>\n", x, f->top, f->height);
            tick_text(f->out, x, f->top + f->height + 16.0, "middle", tick, axis->logarithmic);
        } else {
            double y = f->top + (1.0 - fraction) * f->height;
            fprintf(f->out, "<path class=\"rule\" d=\"M%.1f %.1fh%.1f\"/>\n", f->left, y, f->width);
            tick_text(f->out, f->left - 7.0, y + 4.0, "end", tick, axis->logarithmic);
        }
    }
}

static void draw_series(const frame *f, const plot_series *s)
{
    bool down = false;
    double last_x = -INFINITY, last_y = -INFINITY;
    fprintf(f->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s d=\"",
            COLOURS[s->colour], s->dashed ? " stroke-dasharray=\"6 4\"" : "");
    for (int k = 0; k < s->count; ++k) {
        double x = pixel_x(f, s->x[k]), y = pixel_y(f, s->y[k]);
        if (!isfinite(x) || !isfinite(y)) {
            down = false;
            continue;
        }
        // Skip points of long curves that nearly coincide with the previous one.
        if (down && k + 1 < s->count && fabs(x - last_x) + fabs(y - last_y) < 2.0) continue;
        fprintf(f->out, "%s%.1f %.1f", down ? "L" : "M", x, y);
        down = true;
        last_x = x, last_y = y;
    }
    fputs("\"/>\n", f->out);
    for (int k = 0; s->count <= MAX_MARKS && k < s->count; ++k) {
        double x = pixel_x(f, s->x[k]), y = pixel_y(f, s->y[k]);
        if (isfinite(x) && isfinite(y))
            fprintf(f->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", x, y,
                    s->dashed ? "#fff" : COLOURS[s->colour]);
        if (isfinite(x) && isfinite(y) && s->dashed)
            fprintf(f->out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"none\" stroke=\"%s\"/>\n", x,
                    y, COLOURS[s->colour]);
    }
}

static void draw_panel(FILE *out, const plot_panel *panel, int number, double left, double top)
{
    frame f = {
        .out = out,
        .left = left + LEFT,
        .top = top + TOP,
        .width = PANEL_WIDTH - LEFT - RIGHT,
        .height = PANEL_HEIGHT - TOP - BOTTOM,
        .panel = panel,
        .x = range_of(panel, true),
        .y = range_of(panel, false),
    };
    draw_ticks(&f, true);
    draw_ticks(&f, false);
    text(out, f.left, top + TOP - 11.0, "start", "class=\"panel\"", panel->title);
    text(out, f.left + 0.5 * f.width, top + PANEL_HEIGHT - 10.0, "middle", "class=\"label\"",
         panel->x.label);
    fprintf(out, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", left + 14.0,
            f.top + 0.5 * f.height);
    text(out, 0.0, 0.0, "middle", "class=\"label\"", panel->y.label);
    fprintf(out,
            "</g>\n<clipPath id=\"area%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/></clipPath>\n<g clip-path=\"url(#area%d)\">\n",
            number, f.left - 3.0, f.top - 3.0, f.width + 6.0, f.height + 6.0, number);
    for (int s = 0; s < panel->series_count; ++s)
        draw_series(&f, &panel->series[s]);
    fprintf(out, "</g>\n<path class=\"frame\" d=\"M%.1f %.1fv%.1fh%.1f\"/>\n", f.left, f.top,
            f.height, f.width);
}

static int legend_rows(const plot_panel *panels, int panel_count, int per_row)
{
    int named = 0;
    for (int p = 0; p < panel_count; ++p)
        for (int s = 0; s < panels[p].series_count; ++s)
            named += panels[p].series[s].name != NULL;
    return (named + per_row - 1) / per_row;
}

// Continues after series `place`; returns the next.
static int draw_legend(FILE *out, const plot_panel *panel, int per_row, double top, int place)
{
    for (int s = 0; s < panel->series_count; ++s) {
        const plot_series *series = &panel->series[s];
        if (series->name == NULL) continue;
        double x = 24.0 + place % per_row * (double)LEGEND_ENTRY;
        double y = top + place / per_row * (double)LEGEND_ROW;
        fprintf(out, "<path d=\"M%.1f %.1fh26\" stroke=\"%s\" stroke-width=\"2.4\"%s/>\n", x, y - 4,
                COLOURS[series->colour], series->dashed ? " stroke-dasharray=\"6 4\"" : "");
        text(out, x + 33.0, y, "start", "class=\"entry\"", series->name);
        ++place;
    }
    return place;
}

static void draw(FILE *out, const char *title, const plot_panel *panels, int panel_count,
                 int columns)
{
    int rows = (panel_count + columns - 1) / columns;
    int width = columns * PANEL_WIDTH + 20, per_row = (width - 40) / LEGEND_ENTRY;
    int body = HEAD + rows * PANEL_HEIGHT;
    int height = body + 16 + legend_rows(panels, panel_count, per_row) * LEGEND_ROW;
    fputs(PLOT_MARK, out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\">\n"
            "<style>text{fill:#22201d}.title{font-size:17px;font-weight:bold}"
            ".panel{font-size:13px;font-weight:bold}.tick,.label,.entry{font-size:12px}"
            ".tick,.label{fill:#57524b}.rule{stroke:#e6e3de}.frame{stroke:#57524b;fill:none}"
            "</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    text(out, 24.0, 29.0, "start", "class=\"title\"", title);
    for (int p = 0; p < panel_count; ++p)
        draw_panel(out, &panels[p], p, 10.0 + p % columns * (double)PANEL_WIDTH,
                   HEAD + p / columns * (double)PANEL_HEIGHT);
    for (int p = 0, place = 0; p < panel_count; ++p)
        place = draw_legend(out, &panels[p], per_row, body + 16.0, place);
    fputs("</svg>\n", out);
}

sherd_status plot_write(const char *path, const char *title, const plot_panel *panels,
                        int panel_count, int columns, sherd_error *error)
{
    char *svg = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&svg, &size);
    if (out != NULL) draw(out, title, panels, panel_count, columns);
    if (out == NULL || fclose(out) != 0) {
        free(svg);
        *error =
            (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a plot"};
        return SHERD_ERROR_MEMORY;
    }
    sherd_status status = sherd_file_write(path, svg, size, error);
    free(svg);
    return status;
}
