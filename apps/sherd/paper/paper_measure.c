#include "paper/paper_measure.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

paper_values paper_values_read(const char *folder, const paper_series *series)
{
    char path[MESSAGE_PATH];
    sherd_error ignored = {0}; // a missing table has no values
    message_path(folder, series->table, path);
    sherd_table *table = sherd_table_read(path, &ignored);
    int column = table != NULL ? sherd_table_find_column(table, series->column) : -1;
    int probe = table != NULL ? sherd_table_find_column(table, "probe") : -1;
    paper_values values = {0};
    if (column >= 0 && (series->probe == NULL || probe >= 0)) {
        int64_t rows = sherd_table_row_count(table);
        values.at = malloc(((size_t)rows + 1) * sizeof *values.at);
        for (int64_t k = 0; values.at != NULL && k < rows; ++k)
            if (series->probe == NULL ||
                strcmp(sherd_table_text(table, k, probe), series->probe) == 0)
                values.at[values.count++] = sherd_table_number(table, k, column);
    }
    sherd_table_destroy(table);
    return values;
}

void paper_values_free(paper_values *values)
{
    free(values->at);
    *values = (paper_values){0};
}

double paper_last(const char *folder, const paper_column *column)
{
    paper_values y = paper_values_read(folder, &column->y);
    double last = y.count > 0 ? y.at[y.count - 1] : NAN;
    paper_values_free(&y);
    return last;
}

static int64_t place_of_largest(const paper_values *y)
{
    int64_t place = -1;
    for (int64_t k = 0; k < y->count; ++k)
        if (isfinite(y->at[k]) && (place < 0 || fabs(y->at[k]) > fabs(y->at[place]))) place = k;
    return place;
}

double paper_largest(const char *folder, const paper_column *column)
{
    paper_values y = paper_values_read(folder, &column->y);
    int64_t place = place_of_largest(&y);
    double largest = place >= 0 ? fabs(y.at[place]) : NAN;
    paper_values_free(&y);
    return largest;
}

double paper_slope(const char *folder, const paper_column *column)
{
    paper_values x = paper_values_read(folder, &column->x);
    paper_values y = paper_values_read(folder, &column->y);
    int64_t end = x.count == y.count ? place_of_largest(&y) : -1;
    double n = 0.0, sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
    for (int64_t k = 0; k < end; ++k) {
        double share = fabs(y.at[k] / y.at[end]), a = fabs(x.at[k]), b = fabs(y.at[k]);
        if (!(share >= column->from && share <= column->to)) continue;
        n += 1.0, sum_x += a, sum_y += b, sum_xx += a * a, sum_xy += a * b;
    }
    double spread = n * sum_xx - sum_x * sum_x;
    paper_values_free(&x);
    paper_values_free(&y);
    return n >= 3.0 && spread > 0.0 ? (n * sum_xy - sum_x * sum_y) / spread : NAN;
}

double paper_first(const char *folder, const paper_column *column)
{
    paper_values x = paper_values_read(folder, &column->x);
    paper_values y = paper_values_read(folder, &column->y);
    double first = NAN;
    for (int64_t k = 0; k < y.count && x.count == y.count && isnan(first); ++k)
        if (y.at[k] >= column->from) first = x.at[k];
    paper_values_free(&x);
    paper_values_free(&y);
    return first;
}

double paper_seconds(const char *folder, const paper_column *column)
{
    (void)column;
    paper_values wall = paper_values_read(folder, &(paper_series){"stats.csv", NULL, "wall_s"});
    double seconds =
        wall.count > 1 ? (wall.at[wall.count - 1] - wall.at[0]) / (double)(wall.count - 1) : NAN;
    paper_values_free(&wall);
    return seconds;
}
