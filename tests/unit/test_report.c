// The report: a whole page from realistic figures, and nothing that could break it.
#include "base/file_writer.h"
#include "base/memory.h"
#include "base/random.h"
#include "output/export/xml.h"
#include "output/report/chart.h"
#include "output/report/chart_scale.h"
#include "output/report/report.h"

#include <sherd/file.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 120, PROBE_ROWS = 2 * 2000, FRAGMENTS = 240 };

static char path[64], picture[72];
static sherd_run_stats stats[FRAMES];
static sherd_probe_row probes[PROBE_ROWS];
static sherd_fragment fragments[FRAGMENTS];

// A plate of 1 kg that falls 0.2 m, breaks at 0.2 s and comes to rest.
static void fill_stats(void)
{
    const double impact = 0.2, drop = 1.962; // [s], [J]
    for (int k = 0; k < FRAMES; ++k) {
        double t = 0.5 * k / FRAMES, after = fmax(0.0, t - impact);
        double fallen = t < impact ? t * t / (impact * impact) : 1.0;
        double left = exp(-after / 0.05);
        double kinetic = t < impact ? drop * fallen : 0.7 * drop * left;
        double elastic = after > 0.0 ? 0.1 * drop * exp(-after / 0.01) : 0.0;
        double lost = fmax(0.0, drop * fallen - kinetic - elastic);
        stats[k] = (sherd_run_stats){.frame = k,
                                     .time = t,
                                     .steps = 1000 * k,
                                     .time_step = 4.2e-6,
                                     .energy = {.kinetic = kinetic,
                                                .elastic = elastic,
                                                .gravity = -drop * fallen,
                                                .dissipated_bonds = 0.2 * lost,
                                                .dissipated_fracture = 0.15 * lost,
                                                .dissipated_contact = 0.35 * lost,
                                                .dissipated_friction = 0.3 * lost,
                                                .balance_error = 0.0004 * sin(9.0 * t),
                                                .max_stress_ratio = 0.8},
                                     .elements = 20480,
                                     .bonds = 110592,
                                     .broken_bonds = (int64_t)(5400.0 * (1.0 - left)),
                                     .fragments = 1 + (int64_t)(239.0 * (1.0 - left)),
                                     .wall = 1.4 * k};
    }
}

// A punch that is pressed in until what it rests on breaks, and a support that does not move.
static void fill_probes(void)
{
    for (int k = 0; k < PROBE_ROWS; k += 2) {
        double t = 0.5 * k / PROBE_ROWS, noise = sherd_random_normal(1, 1, (uint64_t)k);
        double force = t < 0.3 ? 4e4 * t + 60.0 * noise : 300.0 * exp(-(t - 0.3) / 0.02) * noise;
        probes[k] = (sherd_probe_row){.frame = k / 34,
                                      .time = t,
                                      .name = "punch <1>",
                                      .kind = "driver",
                                      .reading = {.force = {20.0 * noise, 0.0, force},
                                                  .force_least = {0.0, -10.0, force - 50.0},
                                                  .force_largest = {20.0, 10.0, force + 50.0},
                                                  .displacement = {0.0, 0.0, -0.004 * t}}};
        probes[k + 1] = (sherd_probe_row){.frame = k / 34,
                                          .time = t,
                                          .name = "support",
                                          .kind = "obstacle",
                                          .reading = {.force = {0.0, 0.0, -force}}};
    }
}

static void fill_fragments(void)
{
    for (int k = 0; k < FRAGMENTS; ++k) {
        double mass = 0.25 * pow(sherd_random_uniform(3, 1, (uint64_t)k), 5.0) + 2e-5;
        if (k == FRAGMENTS - 1) mass = 1e-9; // bins without any between this and the others
        fragments[k] = (sherd_fragment){.id = k + 1,
                                        .parent = k > 0 ? 1 : 0,
                                        .count = (sherd_element_index)(20480.0 * mass) + 1,
                                        .mass = mass,
                                        .volume = mass / 2600.0};
    }
}

// The smallest PNG there is: one grey pixel.
static void write_picture(void)
{
    static const unsigned char png[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00,
        0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78,
        0x9c, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0x77, 0xcd, 0x72, 0xb6, 0x00,
        0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    cr_assert(sherd_file_write(picture, png, sizeof png, NULL) == SHERD_OK);
}

static void start(void)
{
    snprintf(path, sizeof path, "/tmp/sherd-test-XXXXXX");
    close(mkstemp(path));
    snprintf(picture, sizeof picture, "%s.png", path);
    write_picture();
    fill_stats();
    fill_probes();
    fill_fragments();
}

static void end(void)
{
    unlink(path);
    unlink(picture);
}

static const sherd_report_line lines[] = {
    {SHERD_REPORT_GOOD, "Energy balance: worst error 0.04 % of the largest stored energy."},
    {SHERD_REPORT_GOOD, "Time step 4.2 µs is 70 % of the stability limit 6.0 µs."},
    {SHERD_REPORT_NOTE, "Packing of \"plate\": mass 1.2 % below that of the shape & its density."},
    {SHERD_REPORT_WARNING, "3 granules left the scene <below -10 m>."},
};
static const sherd_report_figure figures[] = {{"Mass", "1.02 kg"}, {"Largest fragment", "24.1 %"}};

static const char *const settings[] = {"bodies.plate.packing.hcp.radius=0.45 mm", "name=a<b"};

static sherd_report full_report(const sherd_report_picture *pictures)
{
    return (sherd_report){.title = "plate <b>& co</b>",
                          .subtitle = "variant paper, 20 480 elements",
                          .picture_count = 1,
                          .pictures = pictures,
                          .figure_count = 2,
                          .figures = figures,
                          .stats_count = FRAMES,
                          .stats = stats,
                          .probe_row_count = PROBE_ROWS,
                          .probe_rows = probes,
                          .fragment_count = FRAGMENTS,
                          .fragments = fragments,
                          .line_count = 4,
                          .lines = lines,
                          .scene_text = "sherd: 1\nname: \"<script>alert(1)</script>\"\n",
                          .setting_count = 2,
                          .settings = settings,
                          .machine = "4 threads",
                          .version = "0.1.0"};
}

static const char *check_page(void)
{
    static char output[1024];
    char command[512];
    snprintf(command, sizeof command, "python3 '%s/tests/unit/check_html.py' '%s' 2>&1",
             SHERD_SOURCE_FOLDER, path);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    cr_assert(eq(int, pclose(pipe), 0), "%s", output);
    return output;
}

TestSuite(report, .init = start, .fini = end);

Test(report, a_full_page_is_well_formed)
{
    sherd_error err = {0};
    sherd_report_picture pictures[] = {{picture, "frame \"119\""}};
    sherd_report report = full_report(pictures);
    cr_assert(sherd_report_write(path, &report, &err) == SHERD_OK, "%s", err.what);
    // Energy 2, breakage 2, punch 2, support 1 (it does not move), masses 1; head row + 12.
    cr_assert(eq(str, (char *)check_page(), "svg 8 img 1 details 3 tr 13\n"));
    // Long curves are thinned: 4000 rows of probes must not make a page of megabytes.
    cr_assert(sherd_file_size(path) < 600000);
    unsigned char *text;
    size_t size;
    cr_assert(sherd_file_read(path, &text, &size, NULL) == SHERD_OK);
    const char *page = (const char *)text;
    cr_assert(strstr(page, "<b>") == NULL && strstr(page, "plate &lt;b&gt;&amp; co") != NULL);
    cr_assert(strstr(page, "&lt;script&gt;") != NULL);
    cr_assert(strstr(page, "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB") != NULL);
    cr_assert(strstr(page, "2 min 46 s") != NULL, "computing time 1.4 * 119 s");
    cr_assert(strstr(page, "class=\"band\"") !=
              NULL); // between the least and the largest forces of steps
    cr_assert(strstr(page, "110\u2009592") != NULL && strstr(page, "4.2 µs") != NULL);
    sherd_free(text);
}

Test(report, an_empty_report_is_still_a_page)
{
    sherd_report report = {.title = "nothing"};
    cr_assert(sherd_report_write(path, &report, NULL) == SHERD_OK);
    cr_assert(eq(str, (char *)check_page(), "svg 0 img 0 details 0 tr 0\n"));
}

Test(report, odd_values_do_no_harm)
{
    for (int k = 0; k < FRAMES; ++k) {
        stats[k].energy.balance_error = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : 0.0;
        stats[k].energy.kinetic = k == 5 ? NAN : 0.0;
        stats[k].broken_bonds = 0;
    }
    fragments[0].mass = NAN;
    fragments[1].mass = 0.0;
    sherd_report report = full_report(NULL);
    report.picture_count = 0;
    cr_assert(sherd_report_write(path, &report, NULL) == SHERD_OK);
    check_page();
    report.stats_count = 1;
    report.fragment_count = 1;
    report.probe_row_count = 1;
    cr_assert(sherd_report_write(path, &report, NULL) == SHERD_OK);
    check_page();
}

Test(report, a_missing_picture_is_an_error)
{
    sherd_error err = {0};
    sherd_report_picture pictures[] = {{"/nowhere/x.png", NULL}};
    sherd_report report = full_report(pictures);
    cr_assert(sherd_report_write(path, &report, &err) == SHERD_ERROR_IO);
    cr_assert(sherd_file_write(picture, "text", 4, NULL) == SHERD_OK);
    pictures[0].path = picture;
    cr_assert(sherd_report_write(path, &report, &err) == SHERD_ERROR_INPUT);
    cr_assert(eq(str, err.where, picture));
}

// ---------------------------------------------------------------- parts

Test(report, ticks_are_round_and_within_the_axis)
{
    static const double ranges[][2] = {{0.0, 0.5}, {-3.7e-6, 9.1e-6}, {0.0, 110592.0},
                                       {5.0, 5.0}, {0.0, 0.0},        {-1e9, -2e8}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r) {
        sherd_axis axis = sherd_axis_linear(ranges[r][0], ranges[r][1], 6, true);
        cr_assert(axis.tick_count >= 2 && axis.tick_count <= 8);
        double step = axis.ticks[1] - axis.ticks[0];
        double lead = step / pow(10.0, floor(log10(step) + 1e-9));
        // Differences of round numbers: rounding of the larger ones.
        cr_assert(fabs(lead - 1.0) < 1e-6 || fabs(lead - 2.0) < 1e-6 || fabs(lead - 5.0) < 1e-6);
        for (int k = 0; k < axis.tick_count; ++k) {
            double place = sherd_axis_fraction(&axis, axis.ticks[k]);
            cr_assert(place > -1e-9 && place < 1.0 + 1e-9);
        }
    }
    sherd_axis axis = sherd_axis_linear(0.0, 0.05, 5, true);
    char text[SHERD_QUANTITY_SIZE];
    sherd_axis_tick_text(&axis, 1, text);
    cr_assert(eq(str, (char *)axis.prefix, "m"));
    cr_assert(eq(str, text, "10"));
    axis = sherd_axis_logarithmic(1e-3, 1e2, false);
    cr_assert(axis.tick_count == 6 && sherd_axis_fraction(&axis, 1e2) == 1.0);
}

Test(report, quantities_are_readable)
{
    static const struct {
        double value;
        const char *unit, *text;
    } cases[] = {{4.2e-6, "s", "4.2 µs"},    {0.001, "m", "1 mm"}, {1000.0, "N", "1 kN"},
                 {-2.5e9, "Pa", "-2.5 GPa"}, {0.0, "J", "0 J"},    {12345.0, "", "1.234e+04"},
                 {12.0, "", "12"},           {NAN, "s", "nan s"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[SHERD_QUANTITY_SIZE];
        sherd_quantity_text(text, cases[k].value, cases[k].unit);
        cr_assert(eq(str, text, (char *)cases[k].text));
    }
}

Test(report, base64_pads)
{
    static const char *const cases[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (int k = 0; k < 5; ++k) {
        sherd_byte_buffer html = {0};
        sherd_html_base64(&html, (const unsigned char *)cases[k][0], strlen(cases[k][0]));
        sherd_byte_buffer_append(&html, "", 1);
        cr_assert(eq(str, (char *)html.bytes, (char *)cases[k][1]));
        sherd_byte_buffer_free(&html);
    }
}

Test(report, thinned_curves_keep_their_peaks)
{
    enum { COUNT = 100000 };
    double *x = sherd_alloc(COUNT, sizeof *x), *y = sherd_alloc(COUNT, sizeof *y);
    for (int k = 0; k < COUNT; ++k)
        x[k] = k;
    y[54321] = 1.0; // a single high sample
    sherd_chart_series series = {.name = "s", .x = x, .y = y, .count = COUNT};
    sherd_chart chart = {.title = "t",
                         .x_name = "x",
                         .x_unit = "",
                         .y_name = "y",
                         .y_unit = "",
                         .series_count = 1,
                         .series = &series};
    sherd_byte_buffer html = {0};
    sherd_chart_append(&html, &chart);
    sherd_byte_buffer_append(&html, "", 1);
    cr_assert(html.size < 60000);
    // The top of the plot is at 10 pixels, 4 % of 276 above the peak: y = 10 + 276 * 0.04 / 1.04.
    cr_assert(strstr((char *)html.bytes, " 20.6") != NULL);
    sherd_byte_buffer_free(&html);
    sherd_free(x);
    sherd_free(y);
}
