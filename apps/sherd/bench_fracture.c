// sherd bench fracture: what breaks, by explicit steps, by the method that chooses, and by large
// steps as [IBDEM25] makes them. Small bodies with seeds of their strengths; a row a run goes to a
// table, means and standard deviations are printed.                            PHYSICS.md 3
#include "bench.h"
#include "commands.h"
#include "fracture_run.h"
#include "message.h"

#include <sherd/table.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCHEMES = 6, SEEDS = 5, MOST_SEEDS = 100 };

static const fracture_scheme SCHEME[SCHEMES] = {
    {"explicit", SHERD_METHOD_EXPLICIT, 0.7, 0.0, false},
    {"explicit-fine", SHERD_METHOD_EXPLICIT, 0.1, 0.0, true},
    {"auto", SHERD_METHOD_AUTO, 0.7, 0.0, false},
    {"paper-5", SHERD_METHOD_IMPLICIT, 0.7, 5.0, false},
    {"paper-20", SHERD_METHOD_IMPLICIT, 0.7, 20.0, false},
    {"paper-100", SHERD_METHOD_IMPLICIT, 0.7, 100.0, false},
};

// ---------------------------------------------------------------- statistics

typedef struct summary {
    int runs;
    double mean[FRACTURE_COLUMNS], deviation[FRACTURE_COLUMNS]; // of a run, n - 1
} summary;

static void summarise(const fracture_result *results, int runs, summary *out)
{
    *out = (summary){.runs = runs};
    for (int c = 0; c < FRACTURE_COLUMNS; ++c) {
        double sum = 0.0, off2 = 0.0;
        for (int k = 0; k < runs; ++k)
            sum += results[k].value[c];
        out->mean[c] = sum / runs;
        for (int k = 0; k < runs; ++k)
            off2 += pow(results[k].value[c] - out->mean[c], 2.0);
        out->deviation[c] = runs > 1 ? sqrt(off2 / (runs - 1)) : 0.0;
    }
}

// The difference of two means in its standard errors.
static double apart(const summary *a, const summary *b, int c)
{
    double error2 = pow(a->deviation[c], 2.0) / a->runs + pow(b->deviation[c], 2.0) / b->runs;
    return (a->mean[c] - b->mean[c]) / sqrt(error2);
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

static void print_row(const char *scheme, const summary *s)
{
    printf("| %s |", scheme);
    for (int c = 0; c < FRACTURE_STATISTICS; ++c)
        printf(" %.3g ± %.2g |", s->mean[c], s->deviation[c]);
    for (int c = FRACTURE_STATISTICS; c < FRACTURE_COLUMNS; ++c)
        printf(c == FRACTURE_IMPLICIT_SHARE || c == FRACTURE_WALL ? " %.2g |" : " %.0f |",
               s->mean[c]);
    printf("\n");
    fflush(stdout);
}

static void print_apart(const char *scheme, const summary *s, const summary *reference)
{
    printf("| %s off by standard errors |", scheme);
    for (int c = 0; c < FRACTURE_STATISTICS; ++c)
        printf(" %.1f |", apart(s, reference, c));
    for (int c = FRACTURE_STATISTICS; c < FRACTURE_COLUMNS; ++c)
        printf(" |");
    printf("\n");
}

static void print_json(fracture_bench *b, const fracture_case *which, const char *scheme,
                       const summary *s)
{
    for (int c = 0; c < FRACTURE_COLUMNS; ++c) {
        printf("%s  {\"case\": \"%s-%s\", \"metric\": \"%s\", \"value\": %.6g, \"deviation\": "
               "%.6g, \"runs\": %d, \"threads\": %d}",
               b->first ? "" : ",\n", which->name, scheme, fracture_column_of(c)->name, s->mean[c],
               s->deviation[c], s->runs, b->threads);
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

static sherd_status run_case(fracture_bench *b, const fracture_case *which, sherd_error *error)
{
    fracture_result results[MOST_SEEDS];
    summary reference = {0}, now;
    bool begun = false;
    for (int k = 0; k < SCHEMES; ++k) {
        const fracture_scheme *scheme = &SCHEME[k];
        if (!wanted(b->options->only, which->name, scheme)) continue;
        sherd_status status = run_scheme(b, which, scheme, results, error);
        if (status != SHERD_OK) return status;
        summarise(results, b->seeds, &now);
        if (b->options->json) {
            print_json(b, which, scheme->name, &now);
            continue;
        }
        if (!begun) print_head(which, &results[0]);
        begun = true;
        print_row(scheme->name, &now);
        if (k == 0) reference = now;
        if (scheme->method == SHERD_METHOD_AUTO && reference.runs > 1)
            print_apart(scheme->name, &now, &reference);
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

int bench_fracture(const command_options *options)
{
    fracture_bench b = {.options = options, .first = true};
    b.threads = options->threads > 0 ? options->threads : 4;
    b.seeds = options->seeds > 0 ? options->seeds : SEEDS;
    if (!known(options->only))
        return message_usage("unknown case", options->only,
                             "plate, chocolate, bending or impact, or CASE/SCHEME: explicit, "
                             "explicit-fine, auto, paper-5, paper-20, paper-100");
    sherd_error error = {0};
    b.table = open_table(options->output != NULL ? options->output : "fracture.csv", &error);
    sherd_status status = b.table != NULL ? SHERD_OK : error.status;
    if (options->json) printf("[\n");
    for (int c = 0; c < FRACTURE_CASES && status == SHERD_OK; ++c)
        status = run_case(&b, fracture_case_at(c), &error);
    if (options->json) printf("\n]\n");
    sherd_error close_error;
    sherd_status closed =
        b.table != NULL ? sherd_table_writer_close(b.table, &close_error) : SHERD_OK;
    if (status != SHERD_OK) return message_error(&error);
    return closed == SHERD_OK ? EXIT_DONE : message_error(&close_error);
}
