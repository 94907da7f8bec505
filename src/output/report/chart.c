#include "output/report/chart.h"

#include "base/memory.h"
#include "output/export/xml.h"
#include "output/report/chart_scale.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 640,
    HEIGHT = 330,
    LEFT = 66,
    RIGHT = 16,
    TOP = 10,
    BOTTOM = 44,
    TICKS_X = 7,
    TICKS_Y = 6,
    LARGEST_POINTS = 1200, // of a curve: two per pixel of the plot
    HOVER_POINTS = 60,     // of a curve that show their values
};

typedef struct plot {
    const sherd_chart *chart;
    sherd_byte_buffer *html;
    sherd_axis x, y;
    double *base; // for stacked series: the height below, by point
} plot;

// ---------------------------------------------------------------- places

static double pixel_x(const plot *p, double x)
{
    return LEFT + sherd_axis_fraction(&p->x, x) * (WIDTH - LEFT - RIGHT);
}

static double pixel_y(const plot *p, double y)
{
    return HEIGHT - BOTTOM - sherd_axis_fraction(&p->y, y) * (HEIGHT - TOP - BOTTOM);
}

static void attribute(plot *p, const char *name, double value)
{
    sherd_html_raw(p->html, " ");
    sherd_html_raw(p->html, name);
    sherd_html_raw(p->html, "=\"");
    sherd_html_pixels(p->html, value);
    sherd_html_raw(p->html, "\"");
}

static void point(plot *p, const char *command, double x, double y)
{
    sherd_html_raw(p->html, command);
    sherd_html_pixels(p->html, pixel_x(p, x));
    sherd_html_raw(p->html, " ");
    sherd_html_pixels(p->html, pixel_y(p, y));
}

static void colour(plot *p, int series)
{
    sherd_html_raw(p->html, "var(--c");
    sherd_html_integer(p->html, series);
    sherd_html_raw(p->html, ")");
}

// ---------------------------------------------------------------- ranges

typedef struct range {
    double low, high;
} range;

static void extend(range *r, double value)
{
    if (!isfinite(value)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static bool is_empty(range r)
{
    return !(r.low <= r.high);
}

static void find_ranges(const sherd_chart *chart, range *x, range *y)
{
    *x = *y = (range){INFINITY, -INFINITY};
    for (int s = 0; s < chart->series_count; ++s) {
        const sherd_chart_series *series = &chart->series[s];
        for (int64_t k = 0; k < series->count; ++k) {
            if (!isfinite(series->x[k]) || !isfinite(series->y[k])) continue;
            extend(x, series->x[k]);
            extend(y, series->y[k]);
            if (series->low == NULL) continue;
            extend(y, series->low[k]);
            extend(y, series->high[k]);
        }
    }
}

// Negative values (rounding errors) count as 0.
static double stacked_value(const sherd_chart_series *series, int64_t k)
{
    double value = series->y[k];
    return !series->dashed && isfinite(value) && value > 0.0 ? value : 0.0;
}

static void find_stacked_range(const sherd_chart *chart, range *y)
{
    *y = (range){0.0, 0.0};
    for (int64_t k = 0; k < chart->series[0].count; ++k) {
        double sum = 0.0;
        for (int s = 0; s < chart->series_count; ++s) {
            sum += stacked_value(&chart->series[s], k);
            if (chart->series[s].dashed) extend(y, chart->series[s].y[k]);
        }
        extend(y, sum);
    }
}

static void find_histogram_ranges(const sherd_chart *chart, range *x, range *y)
{
    const sherd_chart_series *series = &chart->series[0];
    *x = (range){series->x[0], series->x[series->count - 1]};
    *y = (range){0.7, 1.0}; // a bar of height 1 must be visible
    for (int64_t k = 0; k + 1 < series->count; ++k)
        if (series->y[k] > 0.0) extend(y, series->y[k] * 1.3); // an empty bin has no logarithm
}

// False if there is nothing to draw.
static bool choose_axes(plot *p)
{
    const sherd_chart *chart = p->chart;
    range x, y;
    if (chart->series_count < 1 || chart->series[0].count < 2) return false;
    if (chart->kind == SHERD_CHART_HISTOGRAM) {
        find_histogram_ranges(chart, &x, &y);
        p->x = sherd_axis_logarithmic(x.low, x.high, chart->x_unit[0] != '\0');
        p->y = sherd_axis_logarithmic(y.low, y.high, false);
        return true;
    }
    find_ranges(chart, &x, &y);
    if (is_empty(x)) return false;
    if (chart->kind == SHERD_CHART_STACKED)
        find_stacked_range(chart, &y);
    else
        extend(&y, 0.0);
    double margin = 0.04 * (y.high - y.low);
    if (y.low < 0.0) y.low -= margin;
    if (y.high > 0.0) y.high += margin;
    p->x = sherd_axis_linear(x.low, x.high, TICKS_X, chart->x_unit[0] != '\0');
    p->y = sherd_axis_linear(y.low, y.high, TICKS_Y, chart->y_unit[0] != '\0');
    return true;
}

// ---------------------------------------------------------------- frame

static void label_of(sherd_byte_buffer *html, const char *name, const char *unit,
                     const sherd_axis *axis)
{
    sherd_html_text(html, name);
    if (unit[0] == '\0') return;
    sherd_html_raw(html, " (");
    sherd_html_raw(html, axis->prefix);
    sherd_html_text(html, unit);
    sherd_html_raw(html, ")");
}

static void tick_text(plot *p, const sherd_axis *axis, int tick)
{
    char text[SHERD_QUANTITY_SIZE];
    sherd_axis_tick_text(axis, tick, text);
    sherd_html_raw(p->html, ">");
    sherd_html_raw(p->html, text);
    sherd_html_raw(p->html, "</text>");
}

static double tick_value(const sherd_axis *axis, int tick)
{
    return axis->logarithmic ? pow(10.0, axis->ticks[tick]) : axis->ticks[tick];
}

static void grid_line(plot *p, double x1, double y1, double x2, double y2, const char *class)
{
    sherd_html_raw(p->html, "<line class=\"");
    sherd_html_raw(p->html, class);
    sherd_html_raw(p->html, "\"");
    attribute(p, "x1", x1);
    attribute(p, "y1", y1);
    attribute(p, "x2", x2);
    attribute(p, "y2", y2);
    sherd_html_raw(p->html, "/>");
}

static void draw_ticks(plot *p)
{
    for (int k = 0; k < p->x.tick_count; ++k) {
        double at = pixel_x(p, tick_value(&p->x, k));
        grid_line(p, at, TOP, at, HEIGHT - BOTTOM, "rule");
        sherd_html_raw(p->html, "<text class=\"tick\" text-anchor=\"middle\"");
        attribute(p, "x", at);
        attribute(p, "y", HEIGHT - BOTTOM + 16);
        tick_text(p, &p->x, k);
    }
    for (int k = 0; k < p->y.tick_count; ++k) {
        double at = pixel_y(p, tick_value(&p->y, k));
        bool zero = !p->y.logarithmic && p->y.ticks[k] == 0.0;
        grid_line(p, LEFT, at, WIDTH - RIGHT, at, zero ? "zero" : "rule");
        sherd_html_raw(p->html, "<text class=\"tick\" text-anchor=\"end\"");
        attribute(p, "x", LEFT - 7);
        attribute(p, "y", at + 4);
        tick_text(p, &p->y, k);
    }
}

static void draw_labels(plot *p)
{
    sherd_html_raw(p->html, "<text class=\"label\" text-anchor=\"middle\"");
    attribute(p, "x", 0.5 * (LEFT + WIDTH - RIGHT));
    attribute(p, "y", HEIGHT - 6);
    sherd_html_raw(p->html, ">");
    label_of(p->html, p->chart->x_name, p->chart->x_unit, &p->x);
    sherd_html_raw(p->html, "</text><text class=\"label\" text-anchor=\"middle\" "
                            "transform=\"translate(14 ");
    sherd_html_pixels(p->html, 0.5 * (TOP + HEIGHT - BOTTOM));
    sherd_html_raw(p->html, ") rotate(-90)\">");
    label_of(p->html, p->chart->y_name, p->chart->y_unit, &p->y);
    sherd_html_raw(p->html, "</text>");
}

static void draw_legend(plot *p)
{
    if (p->chart->series_count < 2) return;
    sherd_html_raw(p->html, "<ul class=\"legend\">");
    // Areas overlap, so the topmost one is drawn first.
    bool reverse = p->chart->kind == SHERD_CHART_STACKED;
    for (int k = 0; k < p->chart->series_count; ++k) {
        int s = reverse ? p->chart->series_count - 1 - k : k;
        sherd_html_raw(p->html, p->chart->series[s].dashed
                                    ? "<li><i class=\"dashed\" style=\"border-color:"
                                    : "<li><i style=\"background:");
        colour(p, s);
        sherd_html_raw(p->html, "\"></i>");
        sherd_html_text(p->html, p->chart->series[s].name);
        sherd_html_raw(p->html, "</li>");
    }
    sherd_html_raw(p->html, "</ul>");
}

// ---------------------------------------------------------------- values under the pointer

static void quantity(plot *p, double value, const char *unit)
{
    char text[SHERD_QUANTITY_SIZE];
    sherd_quantity_text(text, value, unit);
    sherd_html_text(p->html, text);
}

static void hover_title(plot *p, const sherd_chart_series *series, double x, double y)
{
    sherd_html_raw(p->html, "<title>");
    sherd_html_text(p->html, series->name);
    sherd_html_raw(p->html, "\n");
    sherd_html_text(p->html, p->chart->x_name);
    sherd_html_raw(p->html, ": ");
    quantity(p, x, p->chart->x_unit);
    sherd_html_raw(p->html, "\n");
    sherd_html_text(p->html, p->chart->y_name);
    sherd_html_raw(p->html, ": ");
    quantity(p, y, p->chart->y_unit);
    sherd_html_raw(p->html, "</title>");
}

// Invisible discs along a curve that show values; `base` is added to their height.
static void draw_hover(plot *p, int s, const double *base)
{
    const sherd_chart_series *series = &p->chart->series[s];
    int64_t step = (series->count + HOVER_POINTS - 1) / HOVER_POINTS;
    for (int64_t k = 0; k < series->count; k += step) {
        if (!isfinite(series->x[k]) || !isfinite(series->y[k])) continue;
        sherd_html_raw(p->html, "<circle class=\"hover\" r=\"7\" fill=\"");
        colour(p, s);
        sherd_html_raw(p->html, "\"");
        attribute(p, "cx", pixel_x(p, series->x[k]));
        attribute(p, "cy", pixel_y(p, base != NULL ? base[k] : series->y[k]));
        sherd_html_raw(p->html, ">");
        hover_title(p, series, series->x[k], series->y[k]);
        sherd_html_raw(p->html, "</circle>");
    }
}

// ---------------------------------------------------------------- curves

// The lowest and highest of the points begin .. end - 1, in their order, which decimation must
// retain.
static int pick_extremes(const sherd_chart_series *series, int64_t begin, int64_t end,
                         int64_t picked[2])
{
    int64_t low = -1, high = -1;
    for (int64_t k = begin; k < end; ++k) {
        if (!isfinite(series->x[k]) || !isfinite(series->y[k])) continue;
        if (low < 0 || series->y[k] < series->y[low]) low = k;
        if (high < 0 || series->y[k] > series->y[high]) high = k;
    }
    if (low < 0) return 0;
    picked[0] = low < high ? low : high;
    picked[1] = low < high ? high : low;
    return low == high ? 1 : 2;
}

static int64_t bucket_of(const sherd_chart_series *series)
{
    return series->count > LARGEST_POINTS ? 2 * series->count / LARGEST_POINTS + 1 : 1;
}

// The extreme of a band's edge within a bucket.
static double band_edge(const double *values, int64_t begin, int64_t end, double sign)
{
    double most = -INFINITY;
    for (int64_t k = begin; k < end; ++k)
        if (isfinite(values[k])) most = fmax(most, sign * values[k]);
    return sign * most;
}

static void draw_band(plot *p, int s)
{
    const sherd_chart_series *series = &p->chart->series[s];
    int64_t n = series->count, bucket = bucket_of(series), last = (n - 1) / bucket;
    if (series->low == NULL) return;
    sherd_html_raw(p->html, "<path class=\"band\" style=\"fill:");
    colour(p, s);
    sherd_html_raw(p->html, "\" d=\"");
    bool drawing = false;
    for (int64_t k = 0; k <= 2 * last + 1;
         ++k) { // forward along the upper edge, back along the lower
        int64_t begin = (k <= last ? k : 2 * last + 1 - k) * bucket;
        int64_t end = begin + bucket < n ? begin + bucket : n;
        double edge = k <= last ? band_edge(series->high, begin, end, 1.0)
                                : band_edge(series->low, begin, end, -1.0);
        if (!isfinite(edge) || !isfinite(series->x[begin])) continue;
        point(p, drawing ? "L" : "M", series->x[begin], edge);
        drawing = true;
    }
    sherd_html_raw(p->html, "Z\"/>");
}

static void draw_line(plot *p, int s)
{
    const sherd_chart_series *series = &p->chart->series[s];
    int64_t bucket = bucket_of(series);
    sherd_html_raw(p->html, series->dashed ? "<path class=\"curve dashed\" style=\"stroke:"
                                           : "<path class=\"curve\" style=\"stroke:");
    colour(p, s);
    sherd_html_raw(p->html, "\" d=\"");
    bool drawing = false;
    for (int64_t begin = 0; begin < series->count; begin += bucket) {
        int64_t end = begin + bucket < series->count ? begin + bucket : series->count;
        int64_t picked[2];
        int count = pick_extremes(series, begin, end, picked);
        for (int k = 0; k < count; ++k) {
            point(p, drawing ? "L" : "M", series->x[picked[k]], series->y[picked[k]]);
            drawing = true;
        }
        if (count == 0) drawing = false; // a gap where values are missing
    }
    sherd_html_raw(p->html, "\"/>");
}

static void draw_lines(plot *p)
{
    for (int s = 0; s < p->chart->series_count; ++s)
        draw_band(p, s);
    for (int s = 0; s < p->chart->series_count; ++s)
        draw_line(p, s);
    for (int s = 0; s < p->chart->series_count; ++s)
        draw_hover(p, s, NULL);
}

// ---------------------------------------------------------------- stacked areas

static void draw_area(plot *p, int s)
{
    const sherd_chart_series *series = &p->chart->series[s];
    int64_t n = series->count;
    sherd_html_raw(p->html, "<path class=\"area\" style=\"fill:");
    colour(p, s);
    sherd_html_raw(p->html, "\" d=\"");
    for (int64_t k = 0; k < n; ++k)
        point(p, k == 0 ? "M" : "L", series->x[k], p->base[k] + stacked_value(series, k));
    for (int64_t k = n - 1; k >= 0; --k)
        point(p, "L", series->x[k], p->base[k]);
    sherd_html_raw(p->html, "Z\"/>");
    for (int64_t k = 0; k < n; ++k)
        p->base[k] += stacked_value(series, k);
}

static void draw_stack(plot *p)
{
    size_t n = (size_t)p->chart->series[0].count;
    p->base = sherd_alloc(n, sizeof *p->base);
    if (p->base == NULL) {
        p->html->failed = true;
        return;
    }
    for (int s = 0; s < p->chart->series_count; ++s)
        if (!p->chart->series[s].dashed) draw_area(p, s);
    for (int s = 0; s < p->chart->series_count; ++s)
        if (p->chart->series[s].dashed) draw_line(p, s);
    memset(p->base, 0, n * sizeof *p->base);
    for (int s = 0; s < p->chart->series_count; ++s) {
        for (size_t k = 0; k < n; ++k)
            p->base[k] += stacked_value(&p->chart->series[s], (int64_t)k);
        draw_hover(p, s, p->chart->series[s].dashed ? NULL : p->base);
    }
    sherd_free(p->base);
}

// ---------------------------------------------------------------- histogram

static void draw_bars(plot *p)
{
    const sherd_chart_series *series = &p->chart->series[0];
    for (int64_t k = 0; k + 1 < series->count; ++k) {
        if (!(series->y[k] > 0.0)) continue;
        double left = pixel_x(p, series->x[k]), right = pixel_x(p, series->x[k + 1]);
        double top = pixel_y(p, series->y[k]);
        sherd_html_raw(p->html, "<rect class=\"bar\"");
        attribute(p, "x", left + 1.0);
        attribute(p, "y", top);
        attribute(p, "width", fmax(right - left - 2.0, 1.0));
        attribute(p, "height", HEIGHT - BOTTOM - top);
        sherd_html_raw(p->html, "><title>");
        quantity(p, series->x[k], p->chart->x_unit);
        sherd_html_raw(p->html, " to ");
        quantity(p, series->x[k + 1], p->chart->x_unit);
        sherd_html_raw(p->html, "\n");
        sherd_html_text(p->html, p->chart->y_name);
        sherd_html_raw(p->html, ": ");
        quantity(p, series->y[k], p->chart->y_unit);
        sherd_html_raw(p->html, "</title></rect>");
    }
}

// ---------------------------------------------------------------- figure

static void draw_data(plot *p)
{
    switch (p->chart->kind) {
    case SHERD_CHART_LINES:
        draw_lines(p);
        break;
    case SHERD_CHART_STACKED:
        draw_stack(p);
        break;
    case SHERD_CHART_HISTOGRAM:
        draw_bars(p);
        break;
    }
}

void sherd_chart_append(sherd_byte_buffer *html, const sherd_chart *chart)
{
    plot p = {.chart = chart, .html = html};
    if (!choose_axes(&p)) return;
    sherd_html_raw(html, "<figure class=\"chart\"><figcaption>");
    sherd_html_text(html, chart->title);
    sherd_html_raw(html, "</figcaption>");
    draw_legend(&p);
    sherd_html_raw(html, "<svg viewBox=\"0 0 ");
    sherd_html_integer(html, WIDTH);
    sherd_html_raw(html, " ");
    sherd_html_integer(html, HEIGHT);
    sherd_html_raw(html, "\" role=\"img\" aria-label=\"");
    sherd_html_text(html, chart->title);
    sherd_html_raw(html, "\">");
    draw_ticks(&p);
    draw_labels(&p);
    draw_data(&p);
    sherd_html_raw(html, "</svg></figure>\n");
}
