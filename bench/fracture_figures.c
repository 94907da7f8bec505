#include "bench/fracture_figures.h"
#include "message.h"

#include "results/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SERIES = FRACTURE_MAX_SCHEMES * FRACTURE_STATISTICS };

// Data of a panel.
typedef struct panel_data {
    plot_series series[MAX_SERIES];
    double x[MAX_SERIES][FRACTURE_MAX_SAMPLES + 1], y[MAX_SERIES][FRACTURE_MAX_SAMPLES + 1];
} panel_data;

double fracture_mean(const fracture_result *results, int runs, int column)
{
    double sum = 0.0;
    for (int k = 0; k < runs; ++k)
        sum += results[k].value[column];
    return sum / runs;
}

double fracture_deviation(const fracture_result *results, int runs, int column)
{
    double mean = fracture_mean(results, runs, column), off2 = 0.0;
    for (int k = 0; k < runs; ++k)
        off2 += pow(results[k].value[column] - mean, 2.0);
    return runs > 1 ? sqrt(off2 / (runs - 1)) : 0.0;
}

// ---------------------------------------------------------------- over time

static plot_panel breaks_panel(const fracture_set *set, int runs, bool named, panel_data *data)
{
    int samples = (int)lround(set->which->duration / set->which->interval);
    for (int s = 0; s < set->scheme_count; ++s) {
        for (int k = 0; k <= samples; ++k) {
            double sum = 0.0;
            for (int r = 0; r < runs; ++r)
                sum += set->result[s][r].broken[k];
            data->x[s][k] = k * set->which->interval;
            data->y[s][k] = sum / runs;
        }
        data->series[s] = (plot_series){.name = named ? set->scheme[s]->name : NULL,
                                        .colour = s,
                                        .dashed = set->scheme[s]->method == SHERD_METHOD_AUTO,
                                        .count = samples + 1,
                                        .x = data->x[s],
                                        .y = data->y[s]};
    }
    return (plot_panel){set->which->name,
                        {"time [T]", false, 0.0, set->which->duration},
                        {"broken bonds, mean", false, 0.0, 0.0},
                        set->scheme_count,
                        data->series};
}

// ---------------------------------------------------------------- scatter

static const double HIGHEST = 3.0; // of multiples shown

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Runs of a scheme above one another, beside those of the others.
static void scatter_series(const fracture_set *set, int runs, int scheme, int column,
                           const char *name, panel_data *data)
{
    int at = scheme * FRACTURE_STATISTICS + column;
    double reference = fracture_mean(set->result[0], runs, column);
    for (int r = 0; r < runs; ++r) {
        data->x[at][r] = column + 1 + 0.13 * (scheme - 0.5 * (set->scheme_count - 1));
        data->y[at][r] = set->result[scheme][r].value[column] / reference;
        if (data->y[at][r] > HIGHEST) data->y[at][r] = HIGHEST;
    }
    qsort(data->y[at], (size_t)runs, sizeof data->y[at][0], compare);
    data->series[at] = (plot_series){
        .name = name, .colour = scheme, .count = runs, .x = data->x[at], .y = data->y[at]};
}

static plot_panel scatter_panel(const fracture_set *set, int runs, bool named, panel_data *data)
{
    for (int s = 0; s < set->scheme_count; ++s)
        for (int c = 0; c < FRACTURE_STATISTICS; ++c)
            scatter_series(set, runs, s, c, named && c == 0 ? set->scheme[s]->name : NULL, data);
    return (plot_panel){set->which->name,
                        {"statistic", false, 0.4, FRACTURE_STATISTICS + 0.6},
                        {"multiple of explicit's mean", false, 0.0, HIGHEST},
                        set->scheme_count * FRACTURE_STATISTICS,
                        data->series};
}

// ---------------------------------------------------------------- files

typedef plot_panel make_panel(const fracture_set *set, int runs, bool named, panel_data *data);

static sherd_status draw(const char *path, const char *title, make_panel *make,
                         const fracture_set *sets, int count, int runs, sherd_error *error)
{
    plot_panel panels[FRACTURE_CASES];
    panel_data *data = calloc((size_t)count, sizeof *data);
    if (data == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory to draw"};
        return SHERD_ERROR_MEMORY;
    }
    for (int k = 0; k < count; ++k)
        panels[k] = make(&sets[k], runs, k == 0, &data[k]);
    sherd_status status = plot_write(path, title, panels, count, 2, error);
    free(data);
    return status;
}

sherd_status fracture_draw(const char *folder, const fracture_set *sets, int set_count, int runs,
                           sherd_error *error)
{
    static const char SCATTER[] =
        "Every run against explicit's mean: 1 bonds, 2 fragments, 3 large, "
        "4 largest, 5 debris, 6 energy, 7 time";
    char path[MESSAGE_PATH];
    message_path(folder, FRACTURE_BREAKS, path);
    sherd_status status =
        draw(path, "Broken bonds over time", breaks_panel, sets, set_count, runs, error);
    message_path(folder, FRACTURE_SCATTER, path);
    if (status == SHERD_OK)
        status = draw(path, SCATTER, scatter_panel, sets, set_count, runs, error);
    return status;
}
