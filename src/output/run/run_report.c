#include "output/run/run_report.h"

#include "output/diagnosis/energy_errors.h"
#include "output/files/output_names.h"
#include "output/report/report.h"
#include "output/run/run_frame.h"
#include "output/tables/table_columns.h"

#include <sherd/file.h>
#include <sherd/version.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PICTURES = 3, MAX_LINES = 32, LINE_TEXT = SHERD_FINDING_TEXT };

typedef struct report_data {
    sherd_run_stats *stats;
    int64_t stats_count;
    sherd_run_breaks *breaks;
    sherd_table *probes;
    sherd_probe_row *rows;
    int64_t row_count;
    char paths[MAX_PICTURES][OUTPUT_PATH], captions[MAX_PICTURES][64];
    sherd_report_picture pictures[MAX_PICTURES];
    int picture_count;
    char texts[MAX_LINES][LINE_TEXT];
    sherd_report_line lines[MAX_LINES];
    int line_count;
    sherd_report_time times[SHERD_TIMING_PARTS];
    int time_count;
    double wall;
    char times_note[LINE_TEXT];
} report_data;

static sherd_status out_of_memory(sherd_error *error)
{
    *error =
        (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for the report"};
    return SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- reading the run back

static sherd_status read_stats(report_data *data, const char *folder, sherd_error *error)
{
    sherd_run *run = sherd_run_open(folder, error);
    if (run == NULL) return error->status;
    int64_t count = sherd_run_frame_count(run);
    data->stats = calloc((size_t)count + 1, sizeof *data->stats);
    sherd_status status = data->stats != NULL ? SHERD_OK : out_of_memory(error);
    for (int64_t k = 0; k < count && status == SHERD_OK; ++k) {
        status = sherd_run_read_stats(run, k, &data->stats[data->stats_count], error);
        if (status == SHERD_OK) ++data->stats_count;
        if (status == SHERD_ERROR_INPUT) status = SHERD_OK; // a damaged frame has no row
    }
    if (status == SHERD_OK) data->breaks = sherd_run_read_breaks(run, count - 1, error);
    if (status == SHERD_OK && data->breaks == NULL) status = error->status;
    sherd_run_close(run);
    return status;
}

static sherd_vec3 read_vector(const sherd_table *t, int64_t row, int column)
{
    return (sherd_vec3){sherd_table_number(t, row, column), sherd_table_number(t, row, column + 1),
                        sherd_table_number(t, row, column + 2)};
}

// Reads the components of the smallest values, or the following ones of the largest values.
static sherd_vec3 read_every_other(const sherd_table *t, int64_t row, int column)
{
    return (sherd_vec3){sherd_table_number(t, row, column), sherd_table_number(t, row, column + 2),
                        sherd_table_number(t, row, column + 4)};
}

static sherd_probe_reading read_reading(const sherd_table *t, int64_t row)
{
    return (sherd_probe_reading){.force = read_vector(t, row, 4),
                                 .torque = read_vector(t, row, 7),
                                 .displacement = read_vector(t, row, 10),
                                 .rotation = read_vector(t, row, 13),
                                 .force_least = read_every_other(t, row, 16),
                                 .force_largest = read_every_other(t, row, 17),
                                 .torque_least = read_every_other(t, row, 22),
                                 .torque_largest = read_every_other(t, row, 23)};
}

// Columns as in sherd_probe_columns: frame, time, probe, kind, four vectors, ranges.
static sherd_status read_probes(report_data *data, const char *folder, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(folder, "probes.csv", path);
    data->probes = sherd_table_read(path, error);
    if (data->probes == NULL) return error->status;
    int64_t count = sherd_table_row_count(data->probes);
    data->rows = calloc((size_t)count + 1, sizeof *data->rows);
    if (data->rows == NULL) return out_of_memory(error);
    for (int64_t k = 0; k < count; ++k)
        data->rows[k] = (sherd_probe_row){
            (int64_t)sherd_table_number(data->probes, k, 0), sherd_table_number(data->probes, k, 1),
            sherd_table_text(data->probes, k, 2), sherd_table_text(data->probes, k, 3),
            read_reading(data->probes, k)};
    data->row_count = count;
    return SHERD_OK;
}

// All rows, of resumed sessions, too. Surfaces and pictures count only where the run waited for
// them. Without the table nothing is shown.
static void read_times(report_data *data, const char *folder)
{
    char path[OUTPUT_PATH];
    sherd_error ignored;
    sherd_output_path(folder, "timings.csv", path);
    sherd_table *table = sherd_table_read(path, &ignored);
    if (table == NULL) return;
    sherd_run_timings sum = {0};
    for (int64_t k = 0; k < sherd_table_row_count(table); ++k)
        sherd_timings_add_row(&sum, table, k);
    sherd_table_destroy(table);
    double drawn = sum.surfaces + sum.pictures, beside = fmax(0.0, drawn - sum.waiting);
    if (drawn > 0.0)
        snprintf(data->times_note, sizeof data->times_note,
                 "Surfaces took %.1f s and pictures %.1f s, %.1f s of it beside the simulation.",
                 sum.surfaces, sum.pictures, beside);
    data->wall = sum.wall;
    for (int part = 0; part < SHERD_TIMING_PARTS; ++part) {
        double seconds;
        const char *name = sherd_timing_part(&sum, part, &seconds);
        if (name != NULL) data->times[data->time_count++] = (sherd_report_time){name, seconds};
    }
}

// ---------------------------------------------------------------- pictures and diagnosis

static void add_picture(report_data *data, const char *folder, int64_t row, const char *caption)
{
    int64_t frame = data->stats[row].frame;
    int k = data->picture_count;
    snprintf(data->paths[k], sizeof data->paths[k], "%s/frames/frame_%06lld.png", folder,
             (long long)frame);
    if (k == MAX_PICTURES || !sherd_file_exists(data->paths[k])) return;
    snprintf(data->captions[k], sizeof data->captions[k], "%s, %.4g ms", caption,
             1e3 * data->stats[row].time);
    data->pictures[k] = (sherd_report_picture){data->paths[k], data->captions[k]};
    ++data->picture_count;
}

static void choose_pictures(report_data *data, const char *folder)
{
    int64_t last = data->stats_count - 1, middle = 0;
    int64_t half = (data->stats[0].broken_bonds + data->stats[last].broken_bonds) / 2;
    while (middle < last && data->stats[middle].broken_bonds < half)
        ++middle;
    add_picture(data, folder, 0, "start");
    if (middle > 0 && middle < last)
        add_picture(data, folder, middle, "half of the bonds that break are broken");
    if (last > 0) add_picture(data, folder, last, "end");
}

static void add_line(report_data *data, sherd_report_level level, const char *text)
{
    if (data->line_count == MAX_LINES) return;
    snprintf(data->texts[data->line_count], LINE_TEXT, "%s", text);
    data->lines[data->line_count] = (sherd_report_line){level, data->texts[data->line_count]};
    ++data->line_count;
}

static void diagnose_explicit(report_data *data, const sherd_step_plan *plan)
{
    char text[LINE_TEXT];
    double fraction = plan->dt / plan->limit;
    snprintf(text, sizeof text, "Time step %.3g s is %.0f %% of the stability limit", plan->dt,
             100.0 * fraction);
    add_line(data,
             fraction <= 0.9   ? SHERD_REPORT_GOOD
             : fraction <= 1.0 ? SHERD_REPORT_WARNING
                               : SHERD_REPORT_BAD,
             text);
}

static void report_steps(report_data *data, const sherd_run_loop *loop)
{
    char text[LINE_TEXT];
    sherd_solver_counts n = sherd_run_loop_totals(loop).solver;
    bool points = false;
    for (int b = 0; b < loop->scene->body_count; ++b)
        points |= sherd_scene_is_of_points(&loop->scene->bodies[b]);
    snprintf(
        text, sizeof text,
        "%lld implicit steps (%lld Newton iterations, %lld of conjugate gradients; %lld more "
        "repeated) and %lld explicit ones%s; %lld changes between them; %lld more steps in which "
        "everything slept",
        (long long)n.implicit_steps, (long long)n.newton_iterations, (long long)n.linear_iterations,
        (long long)n.rejected_steps, (long long)(n.explicit_steps - n.asleep_steps),
        points ? ", those of material points' grid among them" : "", (long long)n.switches,
        (long long)n.asleep_steps);
    add_line(data, SHERD_REPORT_NOTE, text);
}

// Errors above 5 % are reported at the top.
static void report_integration(report_data *data, double noise)
{
    if (data->stats_count < 1) return;
    double taken = data->stats[data->stats_count - 1].energy.dissipated_integration,
           largest = noise;
    for (int64_t k = 0; k < data->stats_count; ++k)
        largest = fmax(largest, sherd_largest_store(&data->stats[k].energy));
    char fraction[SHERD_RUN_ENERGY_TEXT], text[LINE_TEXT];
    sherd_integration_text(taken, largest, fraction);
    if (fraction[0] == '\0') return;
    snprintf(text, sizeof text, "Energy: %s", fraction);
    add_line(data, fabs(taken) > 0.05 * largest ? SHERD_REPORT_WARNING : SHERD_REPORT_NOTE, text);
}

// Mass relative to that of the shape's volume at the requested density. Elements of lattices and
// loose ones have the mass of their spheres, all others and calibrated ones that of the solid
// (sherd_packing).
static double mass_ratio(const sherd_run_loop *loop, int body)
{
    const sherd_packing *p = loop->build.packings[body];
    const sherd_body_info *info = &loop->model.bodies[body];
    double mass = 0.0, spheres = 0.0;
    for (sherd_element_index k = info->first; k < info->first + info->count; ++k) {
        mass += loop->model.mass[k];
        spheres += 4.0 / 3.0 * M_PI * pow(loop->model.radius[k], 3.0);
    }
    double density = loop->scene->materials[loop->scene->bodies[body].material].def.density;
    return mass * p->solid_fraction / (spheres * density);
}

static void report_packing(report_data *data, const sherd_run_loop *loop, int body)
{
    char text[LINE_TEXT];
    double filled = loop->build.packings[body]->cell_volume_match;
    snprintf(text, sizeof text,
             "%.60s: cells of its elements fill %.1f %% of its volume; they weigh %.1f %% of the "
             "solid",
             loop->scene->bodies[body].name, 100.0 * filled, 100.0 * mass_ratio(loop, body));
    add_line(data, filled > 0.8 ? SHERD_REPORT_NOTE : SHERD_REPORT_WARNING, text);
}

static void diagnose(report_data *data, const sherd_run_loop *loop,
                     const sherd_diagnosis *diagnosis)
{
    char text[LINE_TEXT];
    double worst = 0.0;
    for (int64_t k = 0; k < data->stats_count; ++k)
        worst = fmax(worst, fabs(data->stats[k].energy.balance_error));
    char percent[SHERD_PERCENT_TEXT];
    snprintf(text, sizeof text, "Energy balance: worst error %s of the largest stored energy",
             sherd_percent_text(worst, percent));
    add_line(data,
             worst < 0.01   ? SHERD_REPORT_GOOD
             : worst < 0.05 ? SHERD_REPORT_WARNING
                            : SHERD_REPORT_BAD,
             text);
    report_integration(data, sherd_noise_energy(&loop->model, loop->scene));
    if (loop->plan.dt > 0.0)
        diagnose_explicit(data, &loop->plan);
    else
        report_steps(data, loop);
    for (int b = 0; b < loop->build.body_count; ++b)
        report_packing(data, loop, b);
    for (int k = 0; k < diagnosis->count; ++k)
        add_line(data, diagnosis->findings[k].level, diagnosis->findings[k].text);
    if (loop->frame < loop->plan.frames)
        add_line(data, SHERD_REPORT_WARNING,
                 "The run stopped before its last frame; resume it with --resume");
}

// ---------------------------------------------------------------- writing

static sherd_status write_page(const sherd_run_loop *loop, const report_data *data,
                               sherd_error *error)
{
    sherd_fragment_view fragments = sherd_fragments_view(loop->fragments);
    char path[OUTPUT_PATH], subtitle[256], bonds[32];
    sherd_output_path(loop->folder, "report.html", path);
    snprintf(subtitle, sizeof subtitle, "%.150s%s%.60s", loop->info.scene_path,
             loop->info.variant != NULL ? ", variant " : "",
             loop->info.variant != NULL ? loop->info.variant : "");
    snprintf(bonds, sizeof bonds, "%lld",
             (long long)(loop->model.bond_count - loop->model.glue_count));
    const sherd_report_figure figures[] = {{"Bonds at the start", bonds}};
    sherd_report report = {
        .title = loop->scene->name,
        .subtitle = subtitle,
        .picture_count = data->picture_count,
        .pictures = data->pictures,
        .figure_count = 1,
        .figures = figures,
        .stats_count = data->stats_count,
        .stats = data->stats,
        .glue_count = loop->model.glue_count,
        .broken_glue = sherd_run_loop_totals(loop).broken_glue,
        .break_count = data->breaks->event_count,
        .breaks = data->breaks->events,
        .probe_row_count = data->row_count,
        .probe_rows = data->rows,
        .fragment_count = fragments.count,
        .fragments = fragments.fragments,
        .line_count = data->line_count,
        .lines = data->lines,
        .time_count = data->time_count,
        .times = data->times,
        .wall = data->wall,
        .times_note = data->times_note,
        .scene_text = loop->info.scene_text,
        .setting_count = loop->info.setting_count,
        .settings = loop->info.settings,
        .machine = loop->info.machine,
        .version = sherd_version(),
    };
    sherd_status status = sherd_output_list_begin(loop->own, path, error);
    if (status == SHERD_OK) status = sherd_report_write(path, &report, error);
    return status == SHERD_OK ? sherd_output_list_end(loop->own, path, error) : status;
}

sherd_status sherd_run_report_write(const sherd_run_loop *loop, const sherd_diagnosis *diagnosis,
                                    sherd_error *error)
{
    report_data *data = calloc(1, sizeof *data);
    if (data == NULL) return out_of_memory(error);
    sherd_status status = read_stats(data, loop->folder, error);
    if (status == SHERD_OK) status = read_probes(data, loop->folder, error);
    if (status == SHERD_OK) read_times(data, loop->folder);
    if (status == SHERD_OK && data->stats_count > 0) {
        choose_pictures(data, loop->folder);
        diagnose(data, loop, diagnosis);
        status = write_page(loop, data, error);
    }
    sherd_table_destroy(data->probes);
    free(data->stats);
    sherd_run_breaks_destroy(data->breaks);
    free(data->rows);
    free(data);
    return status;
}
