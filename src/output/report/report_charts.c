#include "output/report/report_charts.h"

#include "base/memory.h"
#include "output/export/owned_allocations.h"
#include "output/report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A column of numbers to be filled; if NULL, the page is marked as out of memory.
static double *column(sherd_byte_buffer *html, sherd_owned *owned, int64_t count)
{
    double *items = sherd_owned_alloc(owned, (size_t)count, sizeof *items);
    if (items == NULL) html->failed = true;
    return items;
}

static double *time_column(sherd_byte_buffer *html, sherd_owned *owned, const sherd_report *report)
{
    double *times = column(html, owned, report->stats_count);
    for (int64_t k = 0; times != NULL && k < report->stats_count; ++k)
        times[k] = report->stats[k].time;
    return times;
}

// ---------------------------------------------------------------- energy

enum {
    FRICTION,
    CONTACT_DAMPING,
    BOND_DAMPING,
    FRACTURE,
    CONTACT,
    ELASTIC,
    KINETIC,
    GRAVITY,
    SUPPLIED,
    ENERGY_COUNT,
};

static const char *const energy_names[ENERGY_COUNT] = {
    [FRICTION] = "lost by friction",
    [CONTACT_DAMPING] = "lost in contacts",
    [BOND_DAMPING] = "lost in bonds, integration",
    [FRACTURE] = "lost by fracture, softening, yielding",
    [CONTACT] = "contact springs",
    [ELASTIC] = "elastic",
    [KINETIC] = "kinetic",
    [GRAVITY] = "gravity, above its lowest",
    [SUPPLIED] = "start + work done",
};

static double lowest_gravity(const sherd_report *report)
{
    double lowest = INFINITY;
    for (int64_t k = 0; k < report->stats_count; ++k)
        lowest = fmin(lowest, report->stats[k].energy.gravity);
    return lowest;
}

static void fill_energy(double *const columns[ENERGY_COUNT], const sherd_report *report)
{
    double lowest = lowest_gravity(report), start = 0.0;
    for (int64_t k = 0; k < report->stats_count; ++k) {
        const sherd_energy *e = &report->stats[k].energy;
        columns[FRICTION][k] = e->dissipated_friction;
        columns[CONTACT_DAMPING][k] = e->dissipated_contact + fmax(e->dissipated_onset, 0.0);
        columns[BOND_DAMPING][k] = e->dissipated_bonds + fmax(e->dissipated_integration, 0.0);
        columns[FRACTURE][k] =
            e->dissipated_fracture + e->dissipated_softening + e->dissipated_plastic;
        columns[CONTACT][k] = e->contact;
        columns[ELASTIC][k] = e->elastic;
        columns[KINETIC][k] = e->kinetic;
        columns[GRAVITY][k] = e->gravity - lowest;
        if (k == 0) {
            for (int c = 0; c < SUPPLIED; ++c)
                start += columns[c][0];
            start -= e->work;
        }
        columns[SUPPLIED][k] = start + e->work;
    }
}

static void energy_stores(sherd_byte_buffer *html, const sherd_report *report, const double *times,
                          sherd_owned *owned)
{
    double *columns[ENERGY_COUNT];
    sherd_chart_series series[ENERGY_COUNT];
    for (int c = 0; c < ENERGY_COUNT; ++c) {
        columns[c] = column(html, owned, report->stats_count);
        if (columns[c] == NULL) return;
        series[c] = (sherd_chart_series){.name = energy_names[c],
                                         .x = times,
                                         .y = columns[c],
                                         .count = report->stats_count,
                                         .dashed = c == SUPPLIED};
    }
    fill_energy(columns, report);
    sherd_chart chart = {.kind = SHERD_CHART_STACKED,
                         .title = "Where the energy is",
                         .x_name = "Time",
                         .x_unit = "s",
                         .y_name = "Energy",
                         .y_unit = "J",
                         .series_count = ENERGY_COUNT,
                         .series = series};
    sherd_chart_append(html, &chart);
}

// One curve over time from a function of the row.
typedef double stats_function(const sherd_run_stats *stats);

static void curve_over_time(sherd_byte_buffer *html, const sherd_report *report, const char *title,
                            const char *name, const char *unit, stats_function *value)
{
    sherd_owned owned = {0};
    const double *times = time_column(html, &owned, report);
    double *values = column(html, &owned, report->stats_count);
    if (times != NULL && values != NULL) {
        for (int64_t k = 0; k < report->stats_count; ++k)
            values[k] = value(&report->stats[k]);
        sherd_chart_series series = {
            .name = name, .x = times, .y = values, .count = report->stats_count};
        sherd_chart chart = {.title = title,
                             .x_name = "Time",
                             .x_unit = "s",
                             .y_name = name,
                             .y_unit = unit,
                             .series_count = 1,
                             .series = &series};
        sherd_chart_append(html, &chart);
    }
    sherd_owned_free(&owned);
}

static double balance_percent(const sherd_run_stats *s)
{
    return 100.0 * s->energy.balance_error;
}

void sherd_report_energy_charts(sherd_byte_buffer *html, const sherd_report *report)
{
    if (report->stats_count < 2) return;
    sherd_owned owned = {0};
    const double *times = time_column(html, &owned, report);
    if (times != NULL) energy_stores(html, report, times, &owned);
    sherd_owned_free(&owned);
    curve_over_time(html, report, "Energy balance: what is unaccounted for",
                    "Error (% of the largest stored energy)", "", balance_percent);
}

// ---------------------------------------------------------------- breakage

static double broken_bonds(const sherd_run_stats *s)
{
    return (double)s->broken_bonds;
}

static const char *broken_name(const sherd_report *report)
{
    return report->glue_count > 0 ? "Broken bonds and glue" : "Broken bonds";
}

static double fragment_number(const sherd_run_stats *s)
{
    return (double)s->fragments;
}

// Cumulative number of breaks by mode at each frame.
static void count_modes(const sherd_report *report, double *counts[SHERD_BREAK_MODE_COUNT])
{
    int64_t sums[SHERD_BREAK_MODE_COUNT] = {0}, at = 0;
    for (int64_t k = 0; k < report->stats_count; ++k) {
        for (; at < report->break_count && report->breaks[at].time <= report->stats[k].time; ++at)
            ++sums[report->breaks[at].mode];
        for (int m = 0; m < SHERD_BREAK_MODE_COUNT; ++m)
            counts[m][k] = (double)sums[m];
    }
}

static void breaks_by_mode(sherd_byte_buffer *html, const sherd_report *report)
{
    sherd_owned owned = {0};
    const double *times = time_column(html, &owned, report);
    double *counts[SHERD_BREAK_MODE_COUNT];
    for (int m = 0; m < SHERD_BREAK_MODE_COUNT; ++m)
        counts[m] = column(html, &owned, report->stats_count);
    if (!html->failed) {
        count_modes(report, counts);
        sherd_chart_series series[SHERD_BREAK_MODE_COUNT];
        int used = 0;
        for (int m = 0; m < SHERD_BREAK_MODE_COUNT; ++m)
            if (counts[m][report->stats_count - 1] > 0.0)
                series[used++] = (sherd_chart_series){.name = sherd_break_mode_words[m],
                                                      .x = times,
                                                      .y = counts[m],
                                                      .count = report->stats_count};
        sherd_chart chart = {.title = report->glue_count > 0
                                          ? "Broken bonds and glue, by what broke them"
                                          : "Broken bonds, by what broke them",
                             .x_name = "Time",
                             .x_unit = "s",
                             .y_name = broken_name(report),
                             .y_unit = "",
                             .series_count = used,
                             .series = series};
        if (used > 0) sherd_chart_append(html, &chart);
    }
    sherd_owned_free(&owned);
}

void sherd_report_breakage_charts(sherd_byte_buffer *html, const sherd_report *report)
{
    if (report->stats_count < 2) return;
    curve_over_time(html, report, broken_name(report), broken_name(report), "", broken_bonds);
    if (report->break_count > 0) breaks_by_mode(html, report);
    curve_over_time(html, report, "Fragments", "Fragments", "", fragment_number);
}

// ---------------------------------------------------------------- probes

typedef struct probe_columns {
    int64_t count;
    double *time, *force[3], *low[3], *high[3],
        *displacement[3]; // (count); smallest and largest force
} probe_columns;

static double part(sherd_vec3 v, int c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

static bool collect_probe(sherd_byte_buffer *html, sherd_owned *owned, const sherd_report *report,
                          const char *name, probe_columns *p)
{
    p->count = 0;
    for (int64_t k = 0; k < report->probe_row_count; ++k)
        p->count += strcmp(report->probe_rows[k].name, name) == 0;
    p->time = column(html, owned, p->count);
    for (int c = 0; c < 3; ++c) {
        p->force[c] = column(html, owned, p->count);
        p->low[c] = column(html, owned, p->count);
        p->high[c] = column(html, owned, p->count);
        p->displacement[c] = column(html, owned, p->count);
    }
    if (html->failed) return false;
    int64_t at = 0;
    for (int64_t k = 0; k < report->probe_row_count; ++k) {
        const sherd_probe_row *row = &report->probe_rows[k];
        if (strcmp(row->name, name) != 0) continue;
        p->time[at] = row->time;
        for (int c = 0; c < 3; ++c) {
            p->force[c][at] = part(row->reading.force, c);
            p->low[c][at] = part(row->reading.force_least, c);
            p->high[c][at] = part(row->reading.force_largest, c);
            p->displacement[c][at] = part(row->reading.displacement, c);
        }
        ++at;
    }
    return true;
}

static double span(const double *values, int64_t count)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < count; ++k) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return high - low;
}

static void force_over_time(sherd_byte_buffer *html, const char *name, const probe_columns *p)
{
    static const char *const names[] = {"x", "y", "z"};
    char title[256];
    snprintf(title, sizeof title, "%s: force over time", name);
    sherd_chart_series series[3];
    for (int c = 0; c < 3; ++c)
        series[c] = (sherd_chart_series){.name = names[c],
                                         .x = p->time,
                                         .y = p->force[c],
                                         .count = p->count,
                                         .low = p->low[c],
                                         .high = p->high[c]};
    sherd_chart chart = {.title = title,
                         .x_name = "Time",
                         .x_unit = "s",
                         .y_name = "Force",
                         .y_unit = "N",
                         .series_count = 3,
                         .series = series};
    sherd_chart_append(html, &chart);
}

// The largest displacement of the probe along an axis, with its sign.
static double reach(const double *displacement, int64_t count)
{
    double furthest = 0.0;
    for (int64_t k = 0; k < count; ++k)
        if (fabs(displacement[k]) > fabs(furthest)) furthest = displacement[k];
    return furthest;
}

// Plots along the axis in which the probe moves most, with a sign such that pressing into something
// gives a rising curve. The reading is the force on the probe, so resistance is opposite to its
// motion.
static void force_over_displacement(sherd_byte_buffer *html, const char *name, probe_columns *p)
{
    static const char *const names[2][3] = {{"−x", "−y", "−z"}, {"x", "y", "z"}};
    int axis = 0;
    for (int c = 1; c < 3; ++c)
        if (span(p->displacement[c], p->count) > span(p->displacement[axis], p->count)) axis = c;
    if (!(span(p->displacement[axis], p->count) > 0.0)) return;
    double sign = reach(p->displacement[axis], p->count) < 0.0 ? -1.0 : 1.0;
    sherd_owned owned = {0};
    double *moved = column(html, &owned, p->count), *resistance = column(html, &owned, p->count);
    double *low = column(html, &owned, p->count), *high = column(html, &owned, p->count);
    if (moved != NULL && resistance != NULL && low != NULL && high != NULL) {
        char title[256], x_name[64];
        for (int64_t k = 0; k < p->count; ++k) {
            moved[k] = sign * p->displacement[axis][k];
            resistance[k] = -sign * p->force[axis][k];
            low[k] = -sign * (sign > 0.0 ? p->high[axis][k] : p->low[axis][k]);
            high[k] = -sign * (sign > 0.0 ? p->low[axis][k] : p->high[axis][k]);
        }
        snprintf(title, sizeof title, "%s: force over displacement", name);
        snprintf(x_name, sizeof x_name, "Displacement along %s", names[sign > 0.0][axis]);
        sherd_chart_series series = {
            .name = name, .x = moved, .y = resistance, .count = p->count, .low = low, .high = high};
        sherd_chart chart = {.title = title,
                             .x_name = x_name,
                             .x_unit = "m",
                             .y_name = "Force against the motion",
                             .y_unit = "N",
                             .series_count = 1,
                             .series = &series};
        sherd_chart_append(html, &chart);
    }
    sherd_owned_free(&owned);
}

static void probe_charts(sherd_byte_buffer *html, const sherd_report *report, const char *name)
{
    sherd_owned owned = {0};
    probe_columns p;
    if (collect_probe(html, &owned, report, name, &p)) {
        force_over_displacement(html, name, &p);
        force_over_time(html, name, &p);
    }
    sherd_owned_free(&owned);
}

static bool seen_before(const sherd_report *report, int64_t row)
{
    for (int64_t k = 0; k < row; ++k)
        if (strcmp(report->probe_rows[k].name, report->probe_rows[row].name) == 0) return true;
    return false;
}

void sherd_report_probe_charts(sherd_byte_buffer *html, const sherd_report *report)
{
    // There is a row of every probe at every time, so each probe's first row is at the first time.
    for (int64_t k = 0; k < report->probe_row_count; ++k) {
        if (report->probe_rows[k].time > report->probe_rows[0].time) break;
        if (!seen_before(report, k)) probe_charts(html, report, report->probe_rows[k].name);
    }
}

// ---------------------------------------------------------------- masses of fragments

enum { BINS_PER_DECADE = 4, LARGEST_BINS = 80 };

void sherd_report_mass_chart(sherd_byte_buffer *html, const sherd_report *report)
{
    double low = INFINITY, high = 0.0;
    for (int32_t k = 0; k < report->fragment_count; ++k) {
        double grams = 1e3 * report->fragments[k].mass;
        if (!(grams > 0.0) || !isfinite(grams)) continue;
        low = fmin(low, grams);
        high = fmax(high, grams);
    }
    if (!(low < high)) return;
    int first = (int)floor(BINS_PER_DECADE * log10(low) - 1e-9);
    int last = (int)floor(BINS_PER_DECADE * log10(high) + 1e-9) + 1;
    int bins = last - first < LARGEST_BINS ? last - first : LARGEST_BINS;
    double edges[LARGEST_BINS + 1], counts[LARGEST_BINS + 1] = {0};
    for (int k = 0; k <= bins; ++k)
        edges[k] = pow(10.0, (double)(first + k) / BINS_PER_DECADE);
    for (int32_t k = 0; k < report->fragment_count; ++k) {
        double grams = 1e3 * report->fragments[k].mass;
        if (!(grams > 0.0) || !isfinite(grams)) continue;
        int bin = (int)floor(BINS_PER_DECADE * log10(grams)) - first;
        ++counts[bin < 0 ? 0 : bin >= bins ? bins - 1 : bin];
    }
    sherd_chart_series series = {.name = "fragments", .x = edges, .y = counts, .count = bins + 1};
    sherd_chart chart = {.kind = SHERD_CHART_HISTOGRAM,
                         .title = "Masses of the fragments",
                         .x_name = "Mass",
                         .x_unit = "g",
                         .y_name = "Number of fragments",
                         .y_unit = "",
                         .series_count = 1,
                         .series = &series};
    sherd_chart_append(html, &chart);
}
