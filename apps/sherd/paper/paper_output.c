#include "paper/paper_output.h"

#include "message.h"
#include "paper/paper_measure.h"
#include "results/plot.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 0.1; // ratios off 1 by more are said [1]

static bool is_reduced(const paper_table *table, int row)
{
    const paper_row *of = &table->item->rows[row];
    return !table->full && (of->reduced_variant != NULL || of->reduced[0] != NULL);
}

// True if a row is smaller than the paper's.
static bool any_reduced(const paper_table *table)
{
    bool any = false;
    for (int r = 0; r < table->item->row_count; ++r)
        any = any || is_reduced(table, r);
    return any;
}

double paper_ratio(const paper_table *table, int row, int column)
{
    double paper = table->item->rows[row].paper[column];
    if (paper == 0.0 || (table->item->columns[column].of_size && is_reduced(table, row)))
        return NAN;
    return table->figures[row][column] / paper;
}

// ---------------------------------------------------------------- on the terminal

static const char *number(double value, char text[24])
{
    snprintf(text, 24, "-");
    if (isfinite(value)) snprintf(text, 24, "%.3g", value);
    return text;
}

// The paper's figure, NAN: it gives none.
static double paper_figure(const paper_table *table, int row, int column)
{
    double paper = table->item->rows[row].paper[column];
    return paper != 0.0 ? paper : NAN;
}

static const char *sentence(const paper_item *item, int row, int column)
{
    const char *why = item->columns[column].why;
    if (why == NULL) why = item->rows[row].why;
    return why != NULL ? why : "";
}

static void print_sentences(const paper_table *table)
{
    const paper_item *item = table->item;
    for (int r = 0; r < item->row_count; ++r)
        for (int c = 0; c < item->column_count; ++c) {
            double ratio = paper_ratio(table, r, c);
            if (!(fabs(ratio - 1.0) > SAME)) continue;
            const char *why = sentence(item, r, c);
            printf("  %s: %s is %.2f of the paper's%s%s\n", item->rows[r].label,
                   item->columns[c].name, ratio, why[0] != '\0' ? ": " : "", why);
        }
}

void paper_print(const paper_table *table)
{
    const paper_item *item = table->item;
    printf("%s: %s%s\n", item->paper, item->title, any_reduced(table) ? " (reduced)" : "");
    if (item->note != NULL) printf("  %s\n", item->note);
    printf("  %-28s %9s", "", "elements");
    for (int c = 0; c < item->column_count; ++c) {
        char head[64];
        bool plain = strcmp(item->columns[c].unit, "1") == 0;
        snprintf(head, sizeof head, plain ? "%s" : "%s [%s]", item->columns[c].name,
                 item->columns[c].unit);
        printf(" | %-25s", head);
    }
    printf("\n  %-28s %9s", "", "");
    for (int c = 0; c < item->column_count; ++c)
        printf(" | %8s %8s %7s", "paper", "ours", "ratio");
    printf("\n");
    for (int r = 0; r < item->row_count; ++r) {
        char text[3][24];
        snprintf(text[0], sizeof text[0], isfinite(table->elements[r]) ? "%.0f" : "-",
                 table->elements[r]);
        printf("  %-28s %9s", item->rows[r].label, text[0]);
        for (int c = 0; c < item->column_count; ++c) {
            double ratio = paper_ratio(table, r, c);
            snprintf(text[2], sizeof text[2], isfinite(ratio) ? "%.2f" : "-", ratio);
            printf(" | %8s %8s %7s", number(paper_figure(table, r, c), text[0]),
                   number(table->figures[r][c], text[1]), text[2]);
        }
        printf("\n");
    }
    print_sentences(table);
}

// ---------------------------------------------------------------- table.csv

static sherd_status write_rows(const paper_table *table, sherd_table_writer *writer,
                               sherd_error *error)
{
    const paper_item *item = table->item;
    sherd_status status = SHERD_OK;
    for (int r = 0; r < item->row_count; ++r)
        for (int c = 0; c < item->column_count && status == SHERD_OK; ++c) {
            const paper_row *row = &item->rows[r];
            sherd_cell cells[] = {{.text = row->label},
                                  {.text = item->columns[c].name},
                                  {.text = item->columns[c].unit},
                                  {.number = paper_figure(table, r, c)},
                                  {.number = table->figures[r][c]},
                                  {.number = paper_ratio(table, r, c)},
                                  {.number = table->elements[r]},
                                  {.text = sentence(item, r, c)}};
            status = sherd_table_writer_row(writer, cells, error);
        }
    return status;
}

static sherd_status write_table(const paper_table *table, const char *folder, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {
        {"row", SHERD_COLUMN_TEXT},        {"figure", SHERD_COLUMN_TEXT},
        {"unit", SHERD_COLUMN_TEXT},       {"paper", SHERD_COLUMN_NUMBER},
        {"ours", SHERD_COLUMN_NUMBER},     {"ours_over_paper", SHERD_COLUMN_NUMBER},
        {"elements", SHERD_COLUMN_NUMBER}, {"why", SHERD_COLUMN_TEXT}};
    char path[MESSAGE_PATH];
    message_path(folder, "table.csv", path);
    sherd_table_writer *writer =
        sherd_table_writer_create(path, COLUMNS, sizeof COLUMNS / sizeof COLUMNS[0], error);
    if (writer == NULL) return error->status;
    sherd_status status = write_rows(table, writer, error);
    sherd_error late = {0};
    sherd_status closed = sherd_table_writer_close(writer, &late);
    if (status == SHERD_OK && closed != SHERD_OK) *error = late, status = closed;
    return status;
}

// ---------------------------------------------------------------- table.svg

// A panel of each column: the paper's figure of a row is a ring, ours a disc, both over the paper's scale.
enum {
    LABELS = 210,
    PANEL = 250,
    ROW = 24,
    TOP = 84,
    EDGE = 14, // from a panel's border to its lowest and highest figure
};

static void write_text(FILE *out, double x, double y, const char *anchor, const char *style,
                       const char *words)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, style);
    for (const char *at = words; *at != '\0'; ++at)
        if (*at == '<' || *at == '&')
            fputs(*at == '<' ? "&lt;" : "&amp;", out);
        else
            fputc(*at, out);
    fputs("</text>\n", out);
}

// From 0 to the largest, or by decades where figures span more than two of them.
typedef struct dot_scale {
    double low, high;
    bool logarithmic;
} dot_scale;

static dot_scale scale_of(const paper_table *table, int column)
{
    double least = INFINITY, most = 0.0;
    for (int r = 0; r < table->item->row_count; ++r) {
        double values[] = {fabs(table->item->rows[r].paper[column]),
                           fabs(table->figures[r][column])};
        for (int k = 0; k < 2; ++k)
            if (values[k] > 0.0) least = fmin(least, values[k]), most = fmax(most, values[k]);
    }
    bool logarithmic = most > 100.0 * least;
    return (dot_scale){logarithmic ? log10(least) : 0.0, logarithmic ? log10(most) : most,
                       logarithmic};
}

static double dot_place(const dot_scale *scale, double value)
{
    double at = scale->logarithmic ? log10(fabs(value)) : fabs(value);
    double span = scale->high > scale->low ? scale->high - scale->low : 1.0;
    return EDGE + (at - scale->low) / span * (PANEL - 2.0 * EDGE - 20.0);
}

static void draw_column(FILE *out, const paper_table *table, int column)
{
    const paper_item *item = table->item;
    const paper_column *of = &item->columns[column];
    double left = LABELS + column * (double)PANEL, height = item->row_count * (double)ROW;
    dot_scale scale = scale_of(table, column);
    char head[128];
    snprintf(head, sizeof head, strcmp(of->unit, "1") == 0 ? "%s" : "%s [%s]", of->name, of->unit);
    write_text(out, left, TOP - 18.0, "start", "font-weight=\"bold\"", head);
    fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"%.1f\" fill=\"#f6f4f1\"/>\n",
            left, TOP - 8, PANEL - 20, height + 8.0);
    for (int r = 0; r < item->row_count; ++r) {
        double y = TOP + (r + 0.5) * ROW - 4.0, paper = paper_figure(table, r, column);
        double ours = table->figures[r][column];
        char text[24];
        if (isfinite(paper))
            fprintf(out,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"none\" stroke=\"#d9822b\" "
                    "stroke-width=\"2\"/>\n",
                    left + dot_place(&scale, paper), y);
        if (!isfinite(ours) || (scale.logarithmic && ours == 0.0)) continue;
        double x = left + dot_place(&scale, ours);
        bool far_right = x > left + PANEL - 80.0;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#1f5fa8\"/>\n", x, y);
        write_text(out, far_right ? x - 9.0 : x + 9.0, y + 4.0, far_right ? "end" : "start",
                   "fill=\"#57524b\"", number(ours, text));
    }
}

static void draw_table(FILE *out, const paper_table *table)
{
    const paper_item *item = table->item;
    int width = LABELS + item->column_count * PANEL + 10, height = TOP + item->row_count * ROW + 16;
    char title[512];
    fprintf(out,
            PLOT_MARK "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                      "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" "
                      "font-size=\"12\" fill=\"#22201d\">\n"
                      "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    snprintf(title, sizeof title, "%s: %s%s", item->paper, item->title,
             any_reduced(table) ? " (reduced)" : "");
    write_text(out, 16.0, 28.0, "start", "font-size=\"17\" font-weight=\"bold\"", title);
    fputs(
        "<circle cx=\"22\" cy=\"44\" r=\"5\" fill=\"none\" stroke=\"#d9822b\" stroke-width=\"2\"/>"
        "<text x=\"33\" y=\"48\">paper</text>"
        "<circle cx=\"84\" cy=\"44\" r=\"3.5\" fill=\"#1f5fa8\"/><text x=\"94\" "
        "y=\"48\">Sherd</text>\n",
        out);
    for (int c = 0; c < item->column_count; ++c)
        draw_column(out, table, c);
    for (int r = 0; r < item->row_count; ++r)
        write_text(out, LABELS - 12.0, TOP + (r + 0.5) * ROW, "end", "", item->rows[r].label);
    fputs("</svg>\n", out);
}

static sherd_status write_drawing(const paper_table *table, const char *folder, sherd_error *error)
{
    char *svg = NULL, path[MESSAGE_PATH];
    size_t size = 0;
    FILE *out = open_memstream(&svg, &size);
    if (out != NULL) draw_table(out, table);
    if (out == NULL || fclose(out) != 0) {
        free(svg);
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        return SHERD_ERROR_MEMORY;
    }
    message_path(folder, "table.svg", path);
    sherd_status status = sherd_file_write(path, svg, size, error);
    free(svg);
    return status;
}

sherd_status paper_write(const paper_table *table, const char *folder, sherd_error *error)
{
    sherd_status status = write_table(table, folder, error);
    if (status == SHERD_OK) status = write_drawing(table, folder, error);
    if (status == SHERD_OK && paper_has_curves(table->item))
        status = paper_write_curves(table, folder, error);
    return status;
}
