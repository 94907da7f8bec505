// sherd bench fracture: breaks by explicit steps, by the method that chooses, and by large
// steps as [IBDEM25] makes them. Small bodies with seeds of their strengths; a row a run goes to a
// table, means and standard deviations are printed.    docs/theory/physics.md 3
#include "bench/benchmarks.h"
#include "bench/fracture_figures.h"
#include "message.h"
#include "results/plot.h"
#include "results/result_files.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMES = FRACTURE_MAX_SCHEMES, SEEDS = 6 };

static const fracture_scheme SCHEME[SCHEMES] = {
    {"explicit", SHERD_METHOD_EXPLICIT, 0.85, 0.0, false},
    {"explicit-fine", SHERD_METHOD_EXPLICIT, 0.1, 0.0, true},
    {"auto", SHERD_METHOD_AUTO, 0.85, 0.0, false},
    {"paper-5", SHERD_METHOD_IMPLICIT, 0.85, 5.0, false},
    {"paper-20", SHERD_METHOD_IMPLICIT, 0.85, 20.0, false},
    {"paper-100", SHERD_METHOD_IMPLICIT, 0.85, 100.0, false},
};

// The difference of two means in its standard errors.
static double apart(const fracture_result *a, const fracture_result *b, int runs, int c)
{
    double error2 =
        pow(fracture_deviation(a, runs, c), 2.0) + pow(fracture_deviation(b, runs, c), 2.0);
    return (fracture_mean(a, runs, c) - fracture_mean(b, runs, c)) / sqrt(error2 / runs);
}

// ---------------------------------------------------------------- what is written

typedef struct fracture_bench {
    const command_options *options;
    sherd_table_writer *table;
    int threads, seeds;
    bool first; // of all that is printed
} fracture_bench;

enum { NAMES = 5 };

static sherd_table_writer *open_table(const char *path, sherd_error *error)
{
    sherd_column columns[NAMES + FRACTURE_COLUMNS] = {{"case", SHERD_COLUMN_TEXT},
                                                      {"scheme", SHERD_COLUMN_TEXT},
                                                      {"seed", SHERD_COLUMN_INTEGER},
                                                      {"elements", SHERD_COLUMN_INTEGER},
                                                      {"bonds", SHERD_COLUMN_INTEGER}};
    for (int c = 0; c < FRACTURE_COLUMNS; ++c)
        columns[NAMES + c] = (sherd_column){fracture_column_of(c)->name, SHERD_COLUMN_NUMBER};
    return sherd_table_writer_create(path, columns, NAMES + FRACTURE_COLUMNS, error);
}

static sherd_status write_row(const fracture_bench *b, const fracture_case *which,
                              const fracture_scheme *scheme, int64_t seed,
                              const fracture_result *result, sherd_error *error)
{
    sherd_cell cells[NAMES + FRACTURE_COLUMNS] = {{.text = which->name},
                                                  {.text = scheme->name},
                                                  {.integer = seed},
                                                  {.integer = result->elements},
                                                  {.integer = result->bonds}};
    for (int c = 0; c < FRACTURE_COLUMNS; ++c)
        cells[NAMES + c].number = result->value[c];
    return sherd_table_writer_row(b->table, cells, error);
}

static void print_head(const fracture_case *which, const fracture_result *result)
{
    printf("\n%s: %d elements, %lld bonds, %g T of %.3g s\n\n| scheme |", which->name,
           result->elements, (long long)result->bonds, which->duration, result->limit);
    for (int c = 0; c < FRACTURE_COLUMNS; ++c)
        printf(" %s |", fracture_column_of(c)->title);
    printf("\n| --- |");
    for (int c = 0; c < FRACTURE_COLUMNS; ++c)
        printf(" ---: |");
    printf("\n");
}

// Shares with three digits, small counts with one.
static void print_statistic(double mean, double deviation)
{
    int digits = mean < 1.0 ? 3 : mean < 100.0 ? 1 : 0;
    if (isnan(mean))
        printf(" – |"); // nothing broke
    else
        printf(" %.*f ± %.*f |", digits, mean, digits, deviation);
}

static void print_row(const char *scheme, const fracture_result *results, int runs)
{
    printf("| %s |", scheme);
    for (int c = 0; c < FRACTURE_STATISTICS; ++c)
        print_statistic(fracture_mean(results, runs, c), fracture_deviation(results, runs, c));
    for (int c = FRACTURE_STATISTICS; c < FRACTURE_COLUMNS; ++c) {
        bool share = c == FRACTURE_IMPLICIT_SHARE || c == FRACTURE_WALL;
        printf(" %.*f |", share ? 2 : 0, fracture_mean(results, runs, c));
    }
    printf("\n");
    fflush(stdout);
}

static void print_apart(const fracture_result *results, const fracture_result *reference, int runs)
{
    printf("| off explicit by standard errors |");
    for (int c = 0; c < FRACTURE_STATISTICS; ++c) {
        double off = apart(results, reference, runs, c);
        if (isfinite(off))
            printf(" %.1f |", off);
        else
            printf(" – |"); // no scatter
    }
    for (int c = FRACTURE_STATISTICS; c < FRACTURE_COLUMNS; ++c)
        printf(" |");
    printf("\n");
}

static void print_json(fracture_bench *b, const fracture_case *which, const char *scheme,
                       const fracture_result *results)
{
    for (int c = 0; c < FRACTURE_COLUMNS; ++c) {
        if (isnan(fracture_mean(results, b->seeds, c))) continue; // nothing broke
        printf("%s  {\"case\": \"%s-%s\", \"metric\": \"%s\", \"value\": %.6g, \"deviation\": "
               "%.6g, \"runs\": %d, \"threads\": %d}",
               b->first ? "" : ",\n", which->name, scheme, fracture_column_of(c)->name,
               fracture_mean(results, b->seeds, c), fracture_deviation(results, b->seeds, c),
               b->seeds, b->threads);
        b->first = false;
    }
}

// ---------------------------------------------------------------- runs

// CASE, or CASE/SCHEME; nothing: all but those that must be asked for.
static bool wanted(const char *only, const char *name, const fracture_scheme *scheme)
{
    if (only == NULL) return !scheme->asked_for;
    size_t length = strcspn(only, "/");
    if (strncmp(only, name, length) != 0 || name[length] != '\0') return false;
    if (only[length] == '\0') return !scheme->asked_for;
    return strcmp(only + length + 1, scheme->name) == 0;
}

static sherd_status run_scheme(fracture_bench *b, const fracture_case *which,
                               const fracture_scheme *scheme, fracture_result *results,
                               sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < b->seeds && status == SHERD_OK; ++k) {
        status = fracture_run(which, scheme, (uint64_t)k + 1, b->threads, &results[k], error);
        if (status == SHERD_OK) status = write_row(b, which, scheme, k + 1, &results[k], error);
    }
    return status;
}

static void print_scheme(fracture_bench *b, const fracture_set *set, int at)
{
    const fracture_scheme *scheme = set->scheme[at];
    if (b->options->json) {
        print_json(b, set->which, scheme->name, set->result[at]);
        return;
    }
    if (at == 0) print_head(set->which, &set->result[0][0]);
    print_row(scheme->name, set->result[at], b->seeds);
    if (at > 0 && scheme->method == SHERD_METHOD_AUTO)
        print_apart(set->result[at], set->result[0], b->seeds);
}

static sherd_status run_case(fracture_bench *b, fracture_set *set, sherd_error *error)
{
    for (int k = 0; k < SCHEMES; ++k) {
        if (!wanted(b->options->only, set->which->name, &SCHEME[k])) continue;
        int at = set->scheme_count++;
        set->scheme[at] = &SCHEME[k];
        sherd_status status = run_scheme(b, set->which, &SCHEME[k], set->result[at], error);
        if (status != SHERD_OK) return status;
        print_scheme(b, set, at);
    }
    return SHERD_OK;
}

static bool known(const char *only)
{
    for (int c = 0; c < FRACTURE_CASES; ++c)
        for (int k = 0; k < SCHEMES; ++k)
            if (wanted(only, fracture_case_at(c)->name, &SCHEME[k])) return true;
    return false;
}

static sherd_status run_all(fracture_bench *b, const char *folder, sherd_error *error)
{
    fracture_set *sets = calloc(FRACTURE_CASES, sizeof *sets);
    if (sets == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for runs"};
        return SHERD_ERROR_MEMORY;
    }
    sherd_status status = SHERD_OK;
    int count = 0;
    for (int c = 0; c < FRACTURE_CASES && status == SHERD_OK; ++c) {
        sets[count].which = fracture_case_at(c);
        status = run_case(b, &sets[count], error);
        count += sets[count].scheme_count > 0;
    }
    if (status == SHERD_OK) status = fracture_draw(folder, sets, count, b->seeds, error);
    free(sets);
    return status;
}

static sherd_status open_and_run(fracture_bench *b, const char *folder, sherd_error *error)
{
    char path[MESSAGE_PATH];
    snprintf(path, sizeof path, "%s/fracture.csv", folder);
    sherd_status status = sherd_folder_create(folder, error);
    if (status != SHERD_OK) return status;
    static const result_file files[] = {
        {"fracture.csv", NULL}, {FRACTURE_BREAKS, PLOT_MARK}, {FRACTURE_SCATTER, PLOT_MARK}};
    status = result_files_make_way(folder, files, 3, b->options->overwrite, error);
    if (status != SHERD_OK) return status;
    b->table = open_table(path, error);
    if (b->table == NULL) return error->status;
    status = run_all(b, folder, error);
    sherd_error close_error;
    sherd_status closed = sherd_table_writer_close(b->table, &close_error);
    if (status != SHERD_OK || closed == SHERD_OK) return status;
    *error = close_error;
    return closed;
}

int bench_fracture(const command_options *options)
{
    fracture_bench b = {.options = options, .first = true};
    b.threads = options->threads > 0 ? options->threads : 4;
    b.seeds = options->seeds > 0 ? options->seeds : SEEDS;
    const char *folder = options->output != NULL ? options->output : "fracture";
    if (!known(options->only))
        return message_usage("unknown case", options->only,
                             "plate, chocolate, bending or impact, or CASE/SCHEME: explicit, "
                             "explicit-fine, auto, paper-5, paper-20, paper-100");
    sherd_error error = {0};
    if (options->json) printf("[\n");
    sherd_status status = open_and_run(&b, folder, &error);
    if (options->json) printf("\n]\n");
    if (status != SHERD_OK) return message_error(&error);
    if (!options->json) printf("\nthe table of all runs and figures are in %s\n", folder);
    return EXIT_DONE;
}
