// sherd bench transfers: what is known of bodies of material points, and what comes out with each way to carry velocities
// between points and grid. The table is Markdown; docs/notebook/material-points.md has it.
#include "bench/benchmarks.h"
#include "bench/transfers/transfer_rows.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SETTINGS = 4 };

typedef struct candidate {
    const char *name;
    const char *settings[MAX_SETTINGS]; // "path=value", until NULL
} candidate;

static const candidate CANDIDATES[] = {
    {"default", {NULL}},
    {"flip", {"solver.transfer=flip"}}, // with 0.95 of FLIP, as [MPMG] has it
    {"flip-1", {"solver.transfer=flip", "solver.flip=1"}},
    {"apic", {"solver.transfer=apic"}},
    {"affine-0.99", {"solver.transfer=affine", "solver.flip=0.99"}},
    {"affine-1", {"solver.transfer=affine", "solver.flip=1"}},
    {"quadratic", {"solver.kernel=quadratic"}},
};
enum { CANDIDATE_COUNT = sizeof CANDIDATES / sizeof CANDIDATES[0] };

static const transfer_group *const GROUPS[] = {&TRANSFER_ROWS_SPIN,  &TRANSFER_ROWS_ROLL,
                                               &TRANSFER_ROWS_PAIRS, &TRANSFER_ROWS_HELD,
                                               &TRANSFER_ROWS_FLUID, &TRANSFER_ROWS_SAND};
enum { GROUP_COUNT = sizeof GROUPS / sizeof GROUPS[0] };

// What is asked for, and what came out so far.
typedef struct table {
    const command_options *options;
    double step, spacing;
    int count; // columns
    struct {
        const candidate *at;
        double seconds; // of processor time
        int right, known;
    } columns[CANDIDATE_COUNT];
    bool begun; // of JSON
} table;

// ---------------------------------------------------------------- options

static int choose_columns(table *t)
{
    const char *name = t->options->transfer;
    if (name == NULL) name = CANDIDATES[0].name;
    char known[256] = "all";
    for (int k = 0; k < CANDIDATE_COUNT; ++k) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, ", %s", CANDIDATES[k].name);
        if (strcmp(name, "all") == 0 || strcmp(name, CANDIDATES[k].name) == 0)
            t->columns[t->count++].at = &CANDIDATES[k];
    }
    return t->count > 0 ? EXIT_DONE : message_usage("unknown transfer", name, known);
}

// A factor above 0, 1 unless it is given.
static int read_factor(const char *option, const char *text, double *factor)
{
    char *end = NULL;
    *factor = 1.0;
    if (text == NULL) return EXIT_DONE;
    *factor = strtod(text, &end);
    if (end != text && *end == '\0' && *factor > 0.0 && isfinite(*factor)) return EXIT_DONE;
    char what[64];
    snprintf(what, sizeof what, "%s wants a number above 0", option);
    return message_usage(what, text, NULL);
}

// All rows without --row, and the first word of a row's name takes all that begin with it.
static bool is_asked(const table *t, const transfer_row *row)
{
    const char *only = t->options->only;
    if (only == NULL) return true;
    size_t length = strlen(only);
    return strncmp(row->name, only, length) == 0 &&
           (row->name[length] == '\0' || row->name[length] == '-');
}

static int refuse_unknown(const table *t)
{
    char known[1024] = "";
    for (int g = 0; g < GROUP_COUNT; ++g)
        for (int k = 0; k < GROUPS[g]->count; ++k) {
            size_t used = strlen(known);
            if (is_asked(t, &GROUPS[g]->rows[k])) return EXIT_DONE;
            snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "",
                     GROUPS[g]->rows[k].name);
        }
    return message_usage("unknown row", t->options->only, known);
}

// ---------------------------------------------------------------- measuring

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A run that stops has no values, and says why on standard error.
static int measure(const table *t, const transfer_row *row, const candidate *at,
                   double values[TRANSFER_FIGURES])
{
    int count = 0;
    const char **settings =
        calloc(MAX_SETTINGS + (size_t)t->options->override_count, sizeof *settings);
    if (settings == NULL) return EXIT_FAILED;
    while (count < MAX_SETTINGS && at->settings[count] != NULL)
        settings[count] = at->settings[count], ++count;
    for (int k = 0; k < t->options->override_count; ++k)
        settings[count++] = t->options->overrides[k];
    transfer_run run = {count, settings, t->step, t->spacing,
                        t->options->threads > 0 ? t->options->threads : 1};
    for (int k = 0; k < TRANSFER_FIGURES; ++k)
        values[k] = NAN;
    sherd_error error = {0};
    int code = EXIT_DONE;
    if (row->measure(row, &run, values, &error) != SHERD_OK) {
        fprintf(stderr, "%s, %s:\n", row->name, at->name);
        code = message_error(&error);
    }
    free(settings);
    return code;
}

static bool is_right(const transfer_figure *figure, double value)
{
    return value >= figure->low && value <= figure->high;
}

// ---------------------------------------------------------------- printing

static void print_head(table *t)
{
    if (t->options->json) {
        printf("[");
        return;
    }
    printf("| row | measured | right |");
    for (int c = 0; c < t->count; ++c)
        printf(" %s |", t->columns[c].at->name);
    printf("\n| --- | --- | --- |");
    for (int c = 0; c < t->count; ++c)
        printf(" --- |");
    printf("\n");
}

static void print_range(const transfer_figure *f)
{
    if (isinf(f->low))
        printf("at most %.4g%s%s", f->high, f->unit[0] ? " " : "", f->unit);
    else if (isinf(f->high))
        printf("at least %.4g%s%s", f->low, f->unit[0] ? " " : "", f->unit);
    else
        printf("%.4g (%.4g to %.4g)%s%s", f->right, f->low, f->high, f->unit[0] ? " " : "",
               f->unit);
}

static void print_json(table *t, const transfer_row *row, const transfer_figure *figure,
                       const candidate *at, double value)
{
    printf("%s\n  {\"row\": \"%s\", \"figure\": \"%s\", \"unit\": \"%s\", \"transfer\": \"%s\", "
           "\"step\": %.6g, \"spacing\": %.6g, \"right\": %.6g",
           t->begun ? "," : "", row->name, figure->what, figure->unit, at->name, t->step,
           t->spacing, figure->right);
    if (isnan(value))
        printf(", \"value\": null, \"within\": false}");
    else
        printf(", \"value\": %.6g, \"within\": %s}", value,
               is_right(figure, value) ? "true" : "false");
    t->begun = true;
}

static void print_figure(table *t, const transfer_row *row, int k,
                         double values[CANDIDATE_COUNT][TRANSFER_FIGURES])
{
    const transfer_figure *figure = &row->figures[k];
    if (!t->options->json) {
        printf("| `%s` | %s%s%s | ", row->name, k == 0 ? row->about : "", k == 0 ? ": " : "",
               figure->what);
        print_range(figure);
        printf(" |");
    }
    for (int c = 0; c < t->count; ++c) {
        double value = values[c][k];
        bool right = is_right(figure, value);
        ++t->columns[c].known, t->columns[c].right += right;
        if (t->options->json)
            print_json(t, row, figure, t->columns[c].at, value);
        else if (isnan(value))
            printf(" **none** |");
        else
            printf(right ? " %.3g |" : " **%.3g** |", value);
    }
    if (!t->options->json) printf("\n");
}

static void print_end(const table *t)
{
    if (t->options->json) {
        printf("\n]\n");
        return;
    }
    printf("| all | right of so many | |");
    for (int c = 0; c < t->count; ++c)
        printf(" %d of %d |", t->columns[c].right, t->columns[c].known);
    printf("\n| all | processor time | |");
    for (int c = 0; c < t->count; ++c)
        printf(" %.0f s |", t->columns[c].seconds);
    printf(
        "\n\nSteps %g times as long as by default, spacing %g times the rows'. **Bold**: outside "
        "of what is right.\n",
        t->step, t->spacing);
}

static int run_row(table *t, const transfer_row *row)
{
    double values[CANDIDATE_COUNT][TRANSFER_FIGURES];
    int code = EXIT_DONE;
    for (int c = 0; c < t->count; ++c) {
        double began = processor_seconds();
        int status = measure(t, row, t->columns[c].at, values[c]);
        if (status != EXIT_DONE) code = status;
        t->columns[c].seconds += processor_seconds() - began;
    }
    for (int k = 0; k < TRANSFER_FIGURES && row->figures[k].what != NULL; ++k)
        print_figure(t, row, k, values);
    fflush(stdout);
    return code;
}

int bench_transfers(const command_options *options)
{
    table t = {.options = options};
    int code = choose_columns(&t);
    if (code == EXIT_DONE) code = read_factor("--step", options->step, &t.step);
    if (code == EXIT_DONE) code = read_factor("--spacing", options->spacing, &t.spacing);
    if (code == EXIT_DONE) code = refuse_unknown(&t);
    if (code != EXIT_DONE) return code;
    print_head(&t);
    for (int g = 0; g < GROUP_COUNT; ++g)
        for (int k = 0; k < GROUPS[g]->count; ++k) {
            if (!is_asked(&t, &GROUPS[g]->rows[k])) continue;
            int status = run_row(&t, &GROUPS[g]->rows[k]);
            if (status != EXIT_DONE) code = status;
        }
    print_end(&t);
    return code;
}
