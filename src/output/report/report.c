// Writes report.html: the page around the charts.

#include "output/report/report.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/xml.h"
#include "output/report/chart_scale.h"
#include "output/report/report_charts.h"
#include "output/report/report_style.h"

#include <sherd/file.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SHOWN = 12 }; // rows of the table of fragments

// ---------------------------------------------------------------- head

static void put_head(sherd_byte_buffer *html, const sherd_report *report)
{
    sherd_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                         "<title>");
    sherd_html_text(html, report->title);
    sherd_html_raw(html, "</title><style>");
    sherd_html_raw(html, SHERD_REPORT_STYLE);
    sherd_html_raw(html, "</style></head><body><main>\n<h1>");
    sherd_html_text(html, report->title);
    sherd_html_raw(html, "</h1>");
    if (report->subtitle != NULL) {
        sherd_html_raw(html, "<p class=\"subtitle\">");
        sherd_html_text(html, report->subtitle);
        sherd_html_raw(html, "</p>");
    }
    sherd_html_raw(html, "\n");
}

// ---------------------------------------------------------------- key figures

static void put_figure(sherd_byte_buffer *html, const char *name, const char *value)
{
    sherd_html_raw(html, "<div><dt>");
    sherd_html_text(html, name);
    sherd_html_raw(html, "</dt><dd>");
    sherd_html_text(html, value);
    sherd_html_raw(html, "</dd></div>");
}

static void put_quantity(sherd_byte_buffer *html, const char *name, double value, const char *unit)
{
    char text[SHERD_QUANTITY_SIZE];
    sherd_quantity_text(text, value, unit);
    put_figure(html, name, text);
}

// Separates thousands by thin spaces: 1 234 567.
static void count_text(char text[SHERD_QUANTITY_SIZE], int64_t count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%" PRId64, count);
    char *to = text;
    for (int k = 0; k < length; ++k) {
        if (k > 0 && (length - k) % 3 == 0 && digits[k - 1] != '-') {
            memcpy(to, "\xe2\x80\x89", 3);
            to += 3;
        }
        *to++ = digits[k];
    }
    *to = '\0';
}

static void put_count(sherd_byte_buffer *html, const char *name, int64_t count)
{
    char text[SHERD_QUANTITY_SIZE];
    count_text(text, count);
    put_figure(html, name, text);
}

// "2 min 05 s" for a minute or more.
static void put_duration(sherd_byte_buffer *html, const char *name, double seconds)
{
    if (!(seconds >= 60.0) || seconds > 1e12) {
        put_quantity(html, name, seconds, "s");
        return;
    }
    char text[SHERD_QUANTITY_SIZE];
    int64_t whole = (int64_t)seconds;
    if (whole < 3600)
        snprintf(text, sizeof text, "%" PRId64 " min %02" PRId64 " s", whole / 60, whole % 60);
    else
        snprintf(text, sizeof text, "%" PRId64 " h %02" PRId64 " min", whole / 3600,
                 whole % 3600 / 60);
    put_figure(html, name, text);
}

static double worst_balance_error(const sherd_report *report)
{
    double worst = 0.0;
    for (int64_t k = 0; k < report->stats_count; ++k)
        worst = fmax(worst, fabs(report->stats[k].energy.balance_error));
    return worst;
}

static void put_stats_figures(sherd_byte_buffer *html, const sherd_report *report)
{
    const sherd_run_stats *last = &report->stats[report->stats_count - 1];
    put_quantity(html, "Simulated time", last->time, "s");
    put_count(html, "Frames", report->stats_count);
    put_count(html, "Time steps", last->steps);
    put_quantity(html, "Time step", last->time_step, "s");
    put_count(html, "Elements", last->elements);
    const sherd_run_stats *first = &report->stats[0];
    int64_t cut = first->frame == 0 ? first->broken_bonds : 0; // what is broken from the start
    int64_t bonds = last->bonds - (report->glue_count - report->broken_glue);
    int64_t broken = last->broken_bonds - report->broken_glue - cut;
    if (bonds + broken > 0) {
        put_count(html, "Bonds", bonds);
        put_count(html, "Broken bonds", broken);
    }
    if (cut > 0) put_count(html, "Bonds cut by the scene", cut);
    if (report->glue_count > 0) {
        put_count(html, "Particles of glue", report->glue_count - report->broken_glue);
        put_count(html, "Broken particles of glue", report->broken_glue);
    }
    if (last->torn > 0) put_count(html, "Neighbouring points torn apart", last->torn);
    put_count(html, "Fragments", last->fragments);
    char percent[SHERD_PERCENT_TEXT];
    put_figure(html, "Worst energy error",
               sherd_percent_text(worst_balance_error(report), percent));
    put_duration(html, "Computing time", report->wall > 0.0 ? report->wall : last->wall);
}

static void put_figures(sherd_byte_buffer *html, const sherd_report *report)
{
    if (report->stats_count < 1 && report->figure_count < 1) return;
    sherd_html_raw(html, "<dl class=\"figures\">");
    if (report->stats_count > 0) put_stats_figures(html, report);
    for (int k = 0; k < report->figure_count; ++k)
        put_figure(html, report->figures[k].name, report->figures[k].value);
    sherd_html_raw(html, "</dl>\n");
}

// ---------------------------------------------------------------- diagnosis, pictures

static void put_lines(sherd_byte_buffer *html, const sherd_report *report)
{
    static const char *const classes[] = {[SHERD_REPORT_GOOD] = "good",
                                          [SHERD_REPORT_NOTE] = "note",
                                          [SHERD_REPORT_WARNING] = "warning",
                                          [SHERD_REPORT_BAD] = "bad"};
    if (report->line_count < 1) return;
    sherd_html_raw(html, "<h2>Diagnosis</h2><ul class=\"lines\">");
    for (int k = 0; k < report->line_count; ++k) {
        sherd_html_raw(html, "<li class=\"");
        sherd_html_raw(html, classes[report->lines[k].level]);
        sherd_html_raw(html, "\">");
        sherd_html_text(html, report->lines[k].text);
        sherd_html_raw(html, "</li>");
    }
    sherd_html_raw(html, "</ul>\n");
}

static sherd_status put_picture(sherd_byte_buffer *html, const sherd_report_picture *picture,
                                sherd_error *error)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char *bytes;
    size_t size;
    sherd_status status = sherd_file_read(picture->path, &bytes, &size, error);
    if (status != SHERD_OK) return status;
    if (size < sizeof signature || memcmp(bytes, signature, sizeof signature) != 0) {
        sherd_free(bytes);
        return sherd_fail(error, SHERD_ERROR_INPUT, picture->path, NULL, "not a PNG picture");
    }
    sherd_html_raw(html, "<figure><img alt=\"");
    sherd_html_text(html, picture->caption);
    sherd_html_raw(html, "\" src=\"data:image/png;base64,");
    sherd_html_base64(html, bytes, size);
    sherd_html_raw(html, "\">");
    if (picture->caption != NULL) {
        sherd_html_raw(html, "<figcaption>");
        sherd_html_text(html, picture->caption);
        sherd_html_raw(html, "</figcaption>");
    }
    sherd_html_raw(html, "</figure>");
    sherd_free(bytes);
    return SHERD_OK;
}

static sherd_status put_pictures(sherd_byte_buffer *html, const sherd_report *report,
                                 sherd_error *error)
{
    if (report->picture_count < 1) return SHERD_OK;
    sherd_html_raw(html, "<h2>Pictures</h2><div class=\"grid pictures\">");
    for (int k = 0; k < report->picture_count; ++k) {
        sherd_status status = put_picture(html, &report->pictures[k], error);
        if (status != SHERD_OK) return status;
    }
    sherd_html_raw(html, "</div>\n");
    return SHERD_OK;
}

// ---------------------------------------------------------------- curves

typedef void chart_function(sherd_byte_buffer *html, const sherd_report *report);

// A heading and its figures; nothing if there are no figures.
static void put_charts(sherd_byte_buffer *html, const sherd_report *report, const char *heading,
                       chart_function *charts)
{
    sherd_byte_buffer figures = {0};
    charts(&figures, report);
    if (figures.failed) html->failed = true;
    if (figures.size > 0) {
        sherd_html_raw(html, "<h2>");
        sherd_html_raw(html, heading);
        sherd_html_raw(html, "</h2><div class=\"grid\">");
        sherd_byte_buffer_append(html, figures.bytes, figures.size);
        sherd_html_raw(html, "</div>\n");
    }
    sherd_byte_buffer_free(&figures);
}

// ---------------------------------------------------------------- largest fragments

static int by_mass(const void *a, const void *b)
{
    const sherd_fragment *x = *(const sherd_fragment *const *)a;
    const sherd_fragment *y = *(const sherd_fragment *const *)b;
    if (x->mass != y->mass) return x->mass < y->mass ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void put_cell(sherd_byte_buffer *html, const char *text)
{
    sherd_html_raw(html, "<td>");
    sherd_html_text(html, text);
    sherd_html_raw(html, "</td>");
}

static void put_fragment(sherd_byte_buffer *html, const sherd_fragment *fragment, double total_mass)
{
    char text[SHERD_QUANTITY_SIZE];
    sherd_html_raw(html, "<tr><td>");
    sherd_html_integer(html, fragment->id);
    sherd_html_raw(html, "</td>");
    count_text(text, fragment->count);
    put_cell(html, text);
    sherd_quantity_text(text, 1e3 * fragment->mass, "g");
    put_cell(html, text);
    snprintf(text, sizeof text, "%.2f %%",
             total_mass > 0.0 ? 100.0 * fragment->mass / total_mass : 0.0);
    put_cell(html, text);
    snprintf(text, sizeof text, "%.3g cm³", 1e6 * fragment->volume);
    put_cell(html, text);
    snprintf(text, sizeof text, "%d", (int)fragment->parent);
    put_cell(html, fragment->parent > 0 ? text : "–");
    sherd_html_raw(html, "</tr>");
}

static void put_fragments(sherd_byte_buffer *html, const sherd_report *report)
{
    int32_t count = report->fragment_count;
    if (count < 1) return;
    const sherd_fragment **sorted = sherd_alloc((size_t)count, sizeof *sorted);
    if (sorted == NULL) {
        html->failed = true;
        return;
    }
    double total_mass = 0.0;
    for (int32_t k = 0; k < count; ++k) {
        sorted[k] = &report->fragments[k];
        total_mass += sorted[k]->mass;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_mass);
    sherd_html_raw(html, "<h2>Largest fragments</h2><div class=\"table\"><table><thead><tr>"
                         "<th>Fragment</th><th>Elements</th><th>Mass</th><th>Share of mass</th>"
                         "<th>Volume of elements</th><th>Broke off from</th></tr></thead><tbody>");
    for (int32_t k = 0; k < count && k < LARGEST_SHOWN; ++k)
        put_fragment(html, sorted[k], total_mass);
    sherd_html_raw(html, "</tbody></table></div>\n");
    sherd_free(sorted);
}

// ---------------------------------------------------------------- times

// A part of less than this fraction is added to the rest.
static const double SMALLEST_PART = 0.005;

static void put_time(sherd_byte_buffer *bar, sherd_byte_buffer *legend, const char *name,
                     double seconds, double wall, int color)
{
    char text[256], took[SHERD_QUANTITY_SIZE];
    sherd_quantity_text(took, seconds, "s");
    snprintf(text, sizeof text,
             "<i style=\"flex-grow:%.4f;background:var(--c%d)\" title=\"%s, %s\"></i>",
             seconds / wall, color, name, took);
    sherd_html_raw(bar, text);
    snprintf(text, sizeof text, "<li><i style=\"background:var(--c%d)\"></i>%s %s (%.0f %%)</li>",
             color, name, took, 100.0 * seconds / wall);
    sherd_html_raw(legend, text);
}

static void put_times(sherd_byte_buffer *html, const sherd_report *report)
{
    enum { COLORS = 12 };
    sherd_byte_buffer bar = {0}, legend = {0};
    double rest = report->wall;
    int color = 0;
    for (int k = 0; k < report->time_count; ++k) {
        const sherd_report_time *t = &report->times[k];
        if (t->seconds < SMALLEST_PART * report->wall) continue;
        put_time(&bar, &legend, t->name, t->seconds, report->wall, color++ % COLORS);
        rest -= t->seconds;
    }
    if (rest >= SMALLEST_PART * report->wall)
        put_time(&bar, &legend, "all else", rest, report->wall, color % COLORS);
    if (bar.failed || legend.failed) html->failed = true;
    if (rest < 0.5 * report->wall) {
        sherd_html_raw(html, "<h2>Time</h2><figure class=\"chart\"><div class=\"times\">");
        sherd_byte_buffer_append(html, bar.bytes, bar.size);
        sherd_html_raw(html, "</div><ul class=\"legend\">");
        sherd_byte_buffer_append(html, legend.bytes, legend.size);
        sherd_html_raw(html, "</ul><p class=\"subtitle\">");
        sherd_html_text(html, report->times_note);
        sherd_html_raw(html, "</p></figure>\n");
    }
    sherd_byte_buffer_free(&bar);
    sherd_byte_buffer_free(&legend);
}

// ---------------------------------------------------------------- settings

static void put_details(sherd_byte_buffer *html, const char *title, const char *text)
{
    if (text == NULL || text[0] == '\0') return;
    sherd_html_raw(html, "<details><summary>");
    sherd_html_raw(html, title);
    sherd_html_raw(html, "</summary><pre>");
    sherd_html_text(html, text);
    sherd_html_raw(html, "</pre></details>\n");
}

static void put_settings(sherd_byte_buffer *html, const sherd_report *report)
{
    if (report->setting_count == 0) return;
    sherd_html_raw(html, "<details><summary>Settings of this run</summary><pre>");
    for (int k = 0; k < report->setting_count; ++k) {
        sherd_html_text(html, report->settings[k]);
        sherd_html_raw(html, "\n");
    }
    sherd_html_raw(html, "</pre></details>\n");
}

static void put_end(sherd_byte_buffer *html, const sherd_report *report)
{
    sherd_html_raw(html, "<h2>Settings and machine</h2>");
    put_details(html, "Scene file", report->scene_text);
    put_settings(html, report);
    put_details(html, "Machine", report->machine);
    sherd_html_raw(html, "<footer>Made by Sherd ");
    sherd_html_text(html, report->version);
    sherd_html_raw(html, "</footer>\n</main></body></html>\n");
}

sherd_status sherd_report_write(const char *path, const sherd_report *report, sherd_error *error)
{
    sherd_byte_buffer html = {0};
    put_head(&html, report);
    put_figures(&html, report);
    put_lines(&html, report);
    sherd_status status = put_pictures(&html, report, error);
    if (status == SHERD_OK) {
        put_charts(&html, report, "Energy", sherd_report_energy_charts);
        put_charts(&html, report, "Breakage", sherd_report_breakage_charts);
        put_charts(&html, report, "Probes", sherd_report_probe_charts);
        put_charts(&html, report, "Fragments", sherd_report_mass_chart);
        put_fragments(&html, report);
        put_times(&html, report);
        put_end(&html, report);
        status = html.failed ? sherd_fail_memory(error, path)
                             : sherd_file_write(path, html.bytes, html.size, error);
    }
    sherd_byte_buffer_free(&html);
    return status;
}
