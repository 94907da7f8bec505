#include "paper/paper_output.h"

#include "message.h"
#include "paper/paper_measure.h"
#include "results/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The curves of an item's rows.
typedef struct curves {
    paper_values x[PAPER_ROWS], y[PAPER_ROWS];
    plot_series series[PAPER_ROWS];
    int count;
} curves;

static void scale(paper_values *values, double factor)
{
    for (int64_t k = 0; factor != 0.0 && k < values->count; ++k)
        values->at[k] *= factor;
}

static void read_curves(const paper_table *table, curves *c)
{
    const paper_item *item = table->item;
    for (int r = 0; r < item->row_count; ++r) {
        if (item->rows[r].scene == NULL) continue;
        paper_values *x = &c->x[r], *y = &c->y[r];
        *x = paper_values_read(table->folders[r], &item->curve.x);
        *y = paper_values_read(table->folders[r], &item->curve.y);
        scale(x, item->rows[r].curve_factor[0]);
        scale(y, item->rows[r].curve_factor[1]);
        if (x->count != y->count || x->count == 0) continue;
        c->series[c->count] = (plot_series){.name = item->rows[r].label,
                                            .colour = c->count % PLOT_COLOURS,
                                            .dashed = c->count >= PLOT_COLOURS,
                                            .count = (int)x->count,
                                            .x = x->at,
                                            .y = y->at};
        ++c->count;
    }
}

// What a label has behind the first comma.
static const char *end_of(const char *label)
{
    const char *comma = strstr(label, ", ");
    return comma != NULL ? comma + 2 : "auto";
}

static bool append(curves *c, int s, double x, double y)
{
    paper_values *to[2] = {&c->x[s], &c->y[s]};
    const double values[2] = {x, y};
    for (int k = 0; k < 2; ++k) {
        if (to[k]->at == NULL) to[k]->at = malloc(PAPER_ROWS * sizeof(double));
        if (to[k]->at == NULL) return false;
        to[k]->at[to[k]->count++] = values[k];
    }
    c->series[s].x = c->x[s].at, c->series[s].y = c->y[s].at;
    c->series[s].count = (int)c->x[s].count;
    return true;
}

static bool collect_rows(const paper_table *table, curves *c)
{
    const paper_item *item = table->item;
    for (int r = 0; r < item->row_count; ++r) {
        int over = item->curve.over - 1, s = 0;
        double x = over >= 0 ? table->figures[r][over] : item->rows[r].x;
        double y = table->figures[r][item->curve.of_rows - 1];
        const char *name = end_of(item->rows[r].label);
        if (!isfinite(x) || !isfinite(y)) continue;
        while (s < c->count && strcmp(c->series[s].name, name) != 0)
            ++s;
        if (s == c->count)
            c->series[c->count++] = (plot_series){.name = name, .colour = s % PLOT_COLOURS};
        if (!append(c, s, x, y)) return false;
    }
    return true;
}

static sherd_status write_values(const curves *c, const char *folder, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {
        {"row", SHERD_COLUMN_TEXT}, {"x", SHERD_COLUMN_NUMBER}, {"y", SHERD_COLUMN_NUMBER}};
    char path[MESSAGE_PATH];
    message_path(folder, "curves.csv", path);
    sherd_table_writer *writer = sherd_table_writer_create(path, COLUMNS, 3, error);
    sherd_status status = writer != NULL ? SHERD_OK : error->status;
    for (int s = 0; s < c->count; ++s)
        for (int k = 0; k < c->series[s].count && status == SHERD_OK; ++k) {
            sherd_cell cells[] = {{.text = c->series[s].name},
                                  {.number = c->series[s].x[k]},
                                  {.number = c->series[s].y[k]}};
            status = sherd_table_writer_row(writer, cells, error);
        }
    sherd_error late = {0};
    sherd_status closed = sherd_table_writer_close(writer, &late);
    if (status == SHERD_OK && closed != SHERD_OK) *error = late, status = closed;
    return status;
}

sherd_status paper_write_curves(const paper_table *table, const char *folder, sherd_error *error)
{
    curves c = {0};
    bool of_rows = table->item->curve.of_rows > 0;
    sherd_status status = SHERD_OK;
    if (!of_rows) {
        read_curves(table, &c);
    } else if (!collect_rows(table, &c)) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        status = SHERD_ERROR_MEMORY;
    }
    if (status == SHERD_OK) status = write_values(&c, folder, error);
    if (status == SHERD_OK) {
        char path[MESSAGE_PATH];
        message_path(folder, "curves.svg", path);
        plot_panel panel = {.title = "",
                            .x = {.label = table->item->curve.x_label, .logarithmic = of_rows},
                            .y = {.label = table->item->curve.y_label, .logarithmic = of_rows},
                            .series_count = c.count,
                            .series = c.series};
        status = plot_write(path, table->item->paper, &panel, 1, 1, error);
    }
    for (int r = 0; r < PAPER_ROWS; ++r) {
        paper_values_free(&c.x[r]);
        paper_values_free(&c.y[r]);
    }
    return status;
}
