// sherd bench optimizers: the minimisers that [IBDEM25] Figs 6 and 7 compare, on the same beams.
// Writes tables and figures into a folder; docs/notebook/optimizers.md discusses them.
#include "bench/benchmarks.h"
#include "bench/optimizer_beam.h"
#include "message.h"
#include "results/plot.h"
#include "results/result_files.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = SHERD_OPTIMIZER_SAME_STEP_COUNT, PATH_SIZE = 1024, TIMINGS = 3 };

// Output on the terminal.
typedef struct output {
    const char *folder;
    bool json, first;
    int threads;
} output;

static void print_value(output *out, const char *name, const char *method, const char *metric,
                        const char *unit, double value, const beam *b)
{
    printf("%s\n  {\"case\": \"%s/%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
           "\"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
           out->first ? "" : ",", name, method, metric, value, unit, out->threads, b->count,
           (long long)sherd_optimizer_bond_count(b->optimizer));
    out->first = false;
}

static sherd_status path_of(const output *out, const char *name, char path[PATH_SIZE],
                            sherd_error *error)
{
    if (snprintf(path, PATH_SIZE, "%s/%s", out->folder, name) < PATH_SIZE) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_INPUT, .what = "the folder's name is too long"};
    return SHERD_ERROR_INPUT;
}

// ---------------------------------------------------------------- one step, all methods: Fig. 7

// One method's way to the solution.
typedef struct curve {
    sherd_optimizer_report report; // its history is not ours
    int count;
    double *iteration, *seconds, *above, *residual, *violation, *step;
    double *memory;
} curve;

static sherd_status copy_curve(const sherd_optimizer_report *report, curve *c, sherd_error *error)
{
    size_t n = (size_t)report->iterations + 1;
    *c = (curve){.report = *report, .count = (int)n};
    c->memory = calloc(6 * n, sizeof(double));
    if (c->memory == NULL) {
        *error =
            (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for a curve"};
        return SHERD_ERROR_MEMORY;
    }
    c->iteration = c->memory, c->seconds = c->memory + n, c->above = c->memory + 2 * n;
    c->residual = c->memory + 3 * n, c->violation = c->memory + 4 * n, c->step = c->memory + 5 * n;
    for (size_t k = 0; k < n; ++k) {
        const sherd_optimizer_iteration *from = &report->history[k];
        c->iteration[k] = (double)k;
        c->seconds[k] = from->seconds;
        c->above[k] = from->energy;
        c->residual[k] = from->residual;
        c->violation[k] = from->violation;
        c->step[k] = from->step;
    }
    return SHERD_OK;
}

// The same again: every iteration's time is the shortest it took.
static void keep_shortest(const sherd_optimizer_report *report, curve *c)
{
    for (int k = 0; k < c->count && k <= report->iterations; ++k)
        c->seconds[k] = fmin(c->seconds[k], report->history[k].seconds);
    c->report.seconds = c->seconds[c->count - 1];
}

static sherd_status solve_curve(const beam *b, sherd_optimizer_method method, curve *c,
                                sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; status == SHERD_OK && k < TIMINGS; ++k) {
        sherd_optimizer_report report;
        status = sherd_optimizer_solve(b->optimizer, method, b->time_step, &report, error);
        if (status == SHERD_OK && k == 0) status = copy_curve(&report, c, error);
        if (status == SHERD_OK && k > 0) keep_shortest(&report, c);
    }
    return status;
}

// Energies count from the lowest that any converged method found.
static void subtract_minimum(curve curves[METHODS])
{
    double lowest = INFINITY;
    for (int m = 0; m < METHODS; ++m)
        if (curves[m].report.converged) lowest = fmin(lowest, curves[m].above[curves[m].count - 1]);
    for (int m = 0; m < METHODS; ++m)
        for (int k = 0; k < curves[m].count; ++k)
            curves[m].above[k] -= lowest;
}

static sherd_status write_curves(sherd_table_writer *table, const beam_case *c,
                                 const curve curves[METHODS], sherd_error *error)
{
    for (int m = 0; m < METHODS; ++m)
        for (int k = 0; k < curves[m].count; ++k) {
            const curve *from = &curves[m];
            const sherd_cell cells[] = {
                {.text = beam_load_name(c->load)},
                {.number = c->periods},
                {.text = sherd_optimizer_method_name((sherd_optimizer_method)m)},
                {.integer = k},
                {.number = from->seconds[k]},
                {.number = from->above[k]},
                {.number = from->residual[k]},
                {.number = from->violation[k]},
                {.number = from->step[k]},
            };
            sherd_status status = sherd_table_writer_row(table, cells, error);
            if (status != SHERD_OK) return status;
        }
    return SHERD_OK;
}

enum { SHOWN = 30 }; // iterations, of any number of descent's

static sherd_status draw_curves(const output *out, const beam_case *c, const beam *b,
                                const curve curves[METHODS], sherd_error *error)
{
    plot_series series[4][METHODS];
    for (int m = 0; m < METHODS; ++m) {
        const curve *from = &curves[m];
        plot_series s = {.name = sherd_optimizer_method_name((sherd_optimizer_method)m),
                         .colour = m,
                         .dashed = m == SHERD_OPTIMIZER_ROTATION_VECTOR};
        for (int p = 0; p < 4; ++p) {
            s.x = p % 2 == 0 ? from->iteration : from->seconds;
            s.count = p % 2 == 0 && from->count > SHOWN + 2 ? SHOWN + 2 : from->count;
            s.y = p < 2 ? from->residual : from->above;
            series[p][m] = s;
            s.name = NULL;
        }
    }
    const plot_axis iterations = {"iteration", false, 0.0, SHOWN},
                    seconds = {"time [s]", true, 0, 0};
    const plot_axis residual = {"unbalanced force / E S", true, 0.0, 0.0};
    double most = curves[0].above[0];
    const plot_axis above = {"energy above the minimum [J]", true, 1e-14 * most, 3.0 * most};
    const plot_panel panels[] = {
        {"residual over iterations", iterations, residual, METHODS, series[0]},
        {"residual over time", seconds, residual, METHODS, series[1]},
        {"energy over iterations", iterations, above, METHODS, series[2]},
        {"energy over time", seconds, above, METHODS, series[3]},
    };
    char name[64], path[PATH_SIZE], title[160];
    snprintf(name, sizeof name, "convergence-%s-%gT.svg", beam_load_name(c->load), c->periods);
    snprintf(title, sizeof title, "One step of %g T: beam %s by %g\u00b0, %d elements", c->periods,
             beam_load_verb(c->load), c->angle, b->count);
    if (path_of(out, name, path, error) != SHERD_OK) return error->status;
    return plot_write(path, title, panels, 4, 2, error);
}

static void print_curves(output *out, const beam_case *c, const beam *b,
                         const curve curves[METHODS])
{
    for (int m = 0; m < METHODS; ++m) {
        const char *method = sherd_optimizer_method_name((sherd_optimizer_method)m);
        const curve *from = &curves[m];
        double last = from->residual[from->count - 1];
        if (out->json) {
            char name[64];
            snprintf(name, sizeof name, "%s-%gT", beam_load_name(c->load), c->periods);
            double iterations = from->report.converged ? from->report.iterations : INFINITY;
            if (isfinite(iterations))
                print_value(out, name, method, "iterations", "", iterations, b);
            print_value(out, name, method, "time", "s", from->report.seconds, b);
            print_value(out, name, method, "residual", "", last, b);
        } else {
            printf("%-6s %7g T  %-22s %6d %9.3f %10.1e %10.1e  %s\n", beam_load_name(c->load),
                   c->periods, method, from->report.iterations, from->report.seconds, last,
                   from->violation[from->count - 1],
                   from->report.converged ? "" : from->report.ended);
        }
    }
    if (!out->json) fflush(stdout);
}

static sherd_status compare_methods(output *out, const beam_case *c, sherd_table_writer *table,
                                    sherd_error *error)
{
    curve curves[METHODS] = {{.count = 0}};
    beam b;
    sherd_status status = beam_make(&b, c, out->threads, error);
    for (int m = 0; status == SHERD_OK && m < METHODS; ++m)
        status = solve_curve(&b, (sherd_optimizer_method)m, &curves[m], error);
    if (status == SHERD_OK) {
        subtract_minimum(curves);
        print_curves(out, c, &b, curves);
        status = write_curves(table, c, curves, error);
    }
    if (status == SHERD_OK) status = draw_curves(out, c, &b, curves, error);
    for (int m = 0; m < METHODS; ++m)
        free(curves[m].memory);
    beam_free(&b);
    return status;
}

static sherd_status convergence(output *out, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {
        {"case", SHERD_COLUMN_TEXT},        {"time_step_T", SHERD_COLUMN_NUMBER},
        {"method", SHERD_COLUMN_TEXT},      {"iteration", SHERD_COLUMN_INTEGER},
        {"time_s", SHERD_COLUMN_NUMBER},    {"energy_above_minimum_j", SHERD_COLUMN_NUMBER},
        {"residual", SHERD_COLUMN_NUMBER},  {"violation", SHERD_COLUMN_NUMBER},
        {"step_share", SHERD_COLUMN_NUMBER}};
    static const beam_case CASES[] = {
        {BEAM_TWIST, 10.0, 90.0, 1e7, 0.0},   {BEAM_TWIST, 100.0, 90.0, 1e7, 0.0},
        {BEAM_TWIST, 1000.0, 90.0, 1e7, 0.0}, {BEAM_BEND, 10.0, 60.0, 1e7, 0.0},
        {BEAM_BEND, 100.0, 60.0, 1e7, 0.0},   {BEAM_BEND, 1000.0, 60.0, 1e7, 0.0},
    };
    char path[PATH_SIZE];
    if (path_of(out, "convergence.csv", path, error) != SHERD_OK) return error->status;
    sherd_table_writer *table =
        sherd_table_writer_create(path, COLUMNS, (int)(sizeof COLUMNS / sizeof COLUMNS[0]), error);
    if (table == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (size_t k = 0; status == SHERD_OK && k < sizeof CASES / sizeof CASES[0]; ++k)
        status = compare_methods(out, &CASES[k], table, error);
    if (status != SHERD_OK) {
        sherd_table_writer_close(table, &(sherd_error){0});
        return status;
    }
    return sherd_table_writer_close(table, error);
}

// ---------------------------------------------------------------- many steps, many materials: Fig. 6

enum { TIME_STEPS = 7, MODULI = 4, STEPS = 4, RIVALS = 6 };
enum { FINER = 8 }; // steps of the reference for one of the compared

static const double PERIODS[TIME_STEPS] = {1, 3, 10, 30, 100, 300, 1000};
static const double YOUNGS[MODULI] = {1e6, 1e7, 1e8, 1e9};
// The first and the last are the paper's: its own, and ADD.
static const sherd_optimizer_method RIVAL[RIVALS] = {SHERD_OPTIMIZER_MANIFOLD_NEWTON,
                                                     SHERD_OPTIMIZER_MANIFOLD_PROJECTED,
                                                     SHERD_OPTIMIZER_MANIFOLD_GAUSS_NEWTON,
                                                     SHERD_OPTIMIZER_ROTATION_VECTOR,
                                                     SHERD_OPTIMIZER_EQUATIONS,
                                                     SHERD_OPTIMIZER_ADD};

typedef struct averages {
    double time_step[MODULI][TIME_STEPS];          // [s]
    double iterations[RIVALS][MODULI][TIME_STEPS]; // a step; NAN: did not converge
    double seconds[RIVALS][MODULI][TIME_STEPS];    // a step
    // Distance from steps an eighth as long, over the way of these; root mean squares over elements.
    double error[RIVALS][MODULI][TIME_STEPS];
} averages;

// The first steps of a case, by one method.
typedef struct short_run {
    double time_step, iterations, seconds; // of a step; iterations NAN: did not converge
    sherd_vec3 *moved;                     // since the start [m] (elements), owned
    int32_t count;
} short_run;

static sherd_status run_steps(const beam_case *c, sherd_optimizer_method method, int steps,
                              int threads, short_run *r, sherd_error *error)
{
    beam b;
    *r = (short_run){.moved = NULL};
    sherd_status status = beam_make(&b, c, threads, error);
    if (status == SHERD_OK) r->moved = calloc((size_t)b.count + 1, sizeof *r->moved);
    if (status == SHERD_OK && r->moved == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        status = SHERD_ERROR_MEMORY;
    }
    r->count = b.count;
    for (int32_t k = 0; status == SHERD_OK && k < b.count; ++k)
        r->moved[k] = sherd_optimizer_pose(b.optimizer, k).position;
    for (int k = 0; status == SHERD_OK && k < steps; ++k) {
        sherd_optimizer_report report;
        status = sherd_optimizer_solve(b.optimizer, method, b.time_step, &report, error);
        if (status != SHERD_OK) break;
        r->iterations += report.converged ? (double)report.iterations / steps : NAN;
        r->seconds += report.seconds / steps;
        if (!report.converged) break;
        sherd_optimizer_advance(b.optimizer);
    }
    for (int32_t k = 0; status == SHERD_OK && k < b.count; ++k) {
        sherd_vec3 from = r->moved[k], to = sherd_optimizer_pose(b.optimizer, k).position;
        r->moved[k] = (sherd_vec3){to.x - from.x, to.y - from.y, to.z - from.z};
    }
    r->time_step = b.time_step;
    beam_free(&b);
    return status;
}

static double error_of(const short_run *r, const short_run *fine)
{
    double off = 0.0, way = 0.0;
    for (int32_t k = 0; k < r->count; ++k) {
        sherd_vec3 a = r->moved[k], b = fine->moved[k];
        double d[3] = {a.x - b.x, a.y - b.y, a.z - b.z};
        off += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        way += b.x * b.x + b.y * b.y + b.z * b.z;
    }
    return isfinite(r->iterations) && isfinite(fine->iterations) ? sqrt(off / way) : NAN;
}

static sherd_status measure_case(const output *out, averages *a, int e, int t, sherd_error *error)
{
    beam_case c = {BEAM_THREE_POINT, PERIODS[t], 0.0, YOUNGS[e], 0.0}, finer = c;
    finer.periods /= FINER;
    short_run fine;
    sherd_status status = run_steps(&finer, RIVAL[0], FINER * STEPS, out->threads, &fine, error);
    for (int m = 0; status == SHERD_OK && m < RIVALS; ++m) {
        short_run r;
        status = run_steps(&c, RIVAL[m], STEPS, out->threads, &r, error);
        a->time_step[e][t] = r.time_step;
        a->iterations[m][e][t] = r.iterations;
        a->seconds[m][e][t] = r.seconds;
        if (status == SHERD_OK) a->error[m][e][t] = error_of(&r, &fine);
        free(r.moved);
    }
    free(fine.moved);
    return status;
}

static sherd_status measure_averages(output *out, averages *a, sherd_error *error)
{
    for (int e = 0; e < MODULI; ++e)
        for (int t = 0; t < TIME_STEPS; ++t) {
            sherd_status status = measure_case(out, a, e, t, error);
            if (status != SHERD_OK) return status;
            if (out->json) continue;
            printf("E %5.0e Pa %6g T", YOUNGS[e], PERIODS[t]);
            for (int m = 0; m < RIVALS; ++m)
                printf("   %s %.2f, %.3g s, off %.2g", sherd_optimizer_method_name(RIVAL[m]),
                       a->iterations[m][e][t], a->seconds[m][e][t], a->error[m][e][t]);
            printf("\n");
            fflush(stdout);
        }
    return SHERD_OK;
}

static sherd_status write_averages(const output *out, const averages *a, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {{"youngs_modulus_pa", SHERD_COLUMN_NUMBER},
                                           {"time_step_T", SHERD_COLUMN_NUMBER},
                                           {"time_step_s", SHERD_COLUMN_NUMBER},
                                           {"method", SHERD_COLUMN_TEXT},
                                           {"iterations_per_step", SHERD_COLUMN_NUMBER},
                                           {"seconds_per_step", SHERD_COLUMN_NUMBER},
                                           {"error", SHERD_COLUMN_NUMBER}};
    char path[PATH_SIZE];
    if (path_of(out, "iterations.csv", path, error) != SHERD_OK) return error->status;
    sherd_table_writer *table = sherd_table_writer_create(path, COLUMNS, 7, error);
    if (table == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (int m = 0; m < RIVALS; ++m)
        for (int e = 0; e < MODULI; ++e)
            for (int t = 0; status == SHERD_OK && t < TIME_STEPS; ++t) {
                const sherd_cell cells[] = {{.number = YOUNGS[e]},
                                            {.number = PERIODS[t]},
                                            {.number = a->time_step[e][t]},
                                            {.text = sherd_optimizer_method_name(RIVAL[m])},
                                            {.number = a->iterations[m][e][t]},
                                            {.number = a->seconds[m][e][t]},
                                            {.number = a->error[m][e][t]}};
                status = sherd_table_writer_row(table, cells, error);
            }
    sherd_status closed = sherd_table_writer_close(table, status == SHERD_OK ? error : NULL);
    return status != SHERD_OK ? status : closed;
}

// As the paper has it: one colour a modulus, manifold Newton solid, rotation vector dashed.
static void series_by_modulus(const averages *a, char names[][64], plot_series *series)
{
    for (int k = 0; k < 2 * MODULI; ++k) {
        int e = k / 2, m = k % 2 == 0 ? 0 : RIVALS - 1;
        snprintf(names[k], 64, "%s, E = %.0e", m == 0 ? "manifold" : "ADD", YOUNGS[e]);
        series[k] = (plot_series){.name = names[k],
                                  .colour = e,
                                  .dashed = m != 0,
                                  .count = TIME_STEPS,
                                  .x = a->time_step[e],
                                  .y = a->iterations[m][e]};
    }
}

// All matrices and unknowns, for the softest beam, which is bent the most.
static void series_by_method(const averages *a, plot_series *series)
{
    for (int m = 0; m < RIVALS; ++m)
        series[m] = (plot_series){.name = sherd_optimizer_method_name(RIVAL[m]),
                                  .colour = MODULI + m,
                                  .dashed = RIVAL[m] == SHERD_OPTIMIZER_ROTATION_VECTOR,
                                  .count = TIME_STEPS,
                                  .x = PERIODS,
                                  .y = a->iterations[m][0]};
}

static sherd_status draw_averages(const output *out, const averages *a, sherd_error *error)
{
    char names[2 * MODULI][64], path[PATH_SIZE];
    plot_series by_modulus[2 * MODULI], by_method[RIVALS];
    series_by_modulus(a, names, by_modulus);
    series_by_method(a, by_method);
    const plot_axis y = {"Newton iterations a step", true, 0.8, 200.0};
    const plot_panel panels[] = {
        {"four moduli", {"time step [s]", true, 0.0, 0.0}, y, 2 * MODULI, by_modulus},
        {"E = 1 MPa", {"time step / T", true, 0.0, 0.0}, y, RIVALS, by_method},
    };
    if (path_of(out, "iterations.svg", path, error) != SHERD_OK) return error->status;
    return plot_write(path, "Three-point bending: average iterations of the first steps", panels, 2,
                      2, error);
}

static void print_averages(output *out, const averages *a)
{
    for (int m = 0; m < RIVALS; ++m)
        for (int e = 0; e < MODULI; ++e)
            for (int t = 0; t < TIME_STEPS; ++t) {
                if (!isfinite(a->iterations[m][e][t])) continue;
                printf("%s\n  {\"case\": \"three-point-%.0ePa-%gT/%s\", \"metric\": "
                       "\"iterations\", \"value\": %.6g, \"unit\": \"\", \"threads\": %d}",
                       out->first ? "" : ",", YOUNGS[e], PERIODS[t],
                       sherd_optimizer_method_name(RIVAL[m]), a->iterations[m][e][t], out->threads);
                out->first = false;
            }
}

static sherd_status iterations(output *out, sherd_error *error)
{
    averages a;
    sherd_status status = measure_averages(out, &a, error);
    if (status != SHERD_OK) return status;
    if (out->json) print_averages(out, &a);
    status = write_averages(out, &a, error);
    return status == SHERD_OK ? draw_averages(out, &a, error) : status;
}

// ---------------------------------------------------------------- a fixed penalty

// kappa in bend stiffnesses of a bond.
static const double PENALTIES[] = {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

static sherd_status penalty_row(const beam_case *c, const output *out, sherd_table_writer *table,
                                sherd_error *error)
{
    beam b;
    sherd_optimizer_report r;
    sherd_status status = beam_make(&b, c, out->threads, error);
    if (status == SHERD_OK)
        status = sherd_optimizer_solve(b.optimizer, SHERD_OPTIMIZER_PENALTY_FIXED, b.time_step, &r,
                                       error);
    if (status == SHERD_OK) {
        const sherd_optimizer_iteration *last = &r.history[r.iterations];
        if (!out->json)
            printf("%-6s %7g T  kappa %7.0e %6d %10.1e %10.1e  %s\n", beam_load_name(c->load),
                   c->periods, c->penalty, r.iterations, r.unbalanced, last->violation,
                   r.converged ? "" : r.ended);
        const sherd_cell cells[] = {{.text = beam_load_name(c->load)},
                                    {.number = c->periods},
                                    {.number = c->penalty},
                                    {.number = r.converged ? r.iterations : NAN},
                                    {.number = r.seconds},
                                    {.number = r.unbalanced},
                                    {.number = last->violation}};
        status = sherd_table_writer_row(table, cells, error);
    }
    beam_free(&b);
    return status;
}

static sherd_status penalties(const output *out, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {
        {"case", SHERD_COLUMN_TEXT},       {"time_step_T", SHERD_COLUMN_NUMBER},
        {"kappa", SHERD_COLUMN_NUMBER},    {"iterations", SHERD_COLUMN_NUMBER},
        {"time_s", SHERD_COLUMN_NUMBER},   {"unbalanced", SHERD_COLUMN_NUMBER},
        {"violation", SHERD_COLUMN_NUMBER}};
    static const beam_case CASES[] = {{BEAM_TWIST, 100.0, 90.0, 1e7, 0.0},
                                      {BEAM_BEND, 100.0, 60.0, 1e7, 0.0}};
    char path[PATH_SIZE];
    if (path_of(out, "penalty.csv", path, error) != SHERD_OK) return error->status;
    sherd_table_writer *table = sherd_table_writer_create(path, COLUMNS, 7, error);
    if (table == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (int c = 0; c < 2; ++c)
        for (size_t k = 0; status == SHERD_OK && k < sizeof PENALTIES / sizeof PENALTIES[0]; ++k) {
            beam_case now = CASES[c];
            now.penalty = PENALTIES[k];
            status = penalty_row(&now, out, table, error);
        }
    sherd_status closed = sherd_table_writer_close(table, status == SHERD_OK ? error : NULL);
    return status != SHERD_OK ? status : closed;
}

static sherd_status make_way(const char *folder, bool overwrite, sherd_error *error)
{
    static const result_file files[] = {
        {"convergence.csv", NULL},
        {"iterations.csv", NULL},
        {"penalty.csv", NULL},
        {"iterations.svg", PLOT_MARK},
        {"convergence-twist-10T.svg", PLOT_MARK},
        {"convergence-twist-100T.svg", PLOT_MARK},
        {"convergence-twist-1000T.svg", PLOT_MARK},
        {"convergence-bend-10T.svg", PLOT_MARK},
        {"convergence-bend-100T.svg", PLOT_MARK},
        {"convergence-bend-1000T.svg", PLOT_MARK},
    };
    sherd_status status = sherd_folder_create(folder, error);
    if (status != SHERD_OK) return status;
    return result_files_make_way(folder, files, sizeof files / sizeof files[0], overwrite, error);
}

int bench_optimizers(const command_options *options)
{
    output out = {
        .folder = options->output != NULL ? options->output : "optimizers",
        .json = options->json,
        .first = true,
        .threads = options->threads > 0 ? options->threads : 4,
    };
    sherd_error error = {0};
    sherd_status status = make_way(out.folder, options->overwrite, &error);
    if (status != SHERD_OK) return message_error(&error);
    if (out.json)
        printf("[");
    else
        printf("%-6s %9s  %-22s %6s %9s %10s %10s\n", "beam", "step", "method", "its", "time s",
               "residual", "||q|-1|");
    status = convergence(&out, &error);
    if (status == SHERD_OK) status = iterations(&out, &error);
    if (status == SHERD_OK && !out.json) status = penalties(&out, &error);
    if (out.json) printf("\n]\n");
    if (status != SHERD_OK) return message_error(&error);
    if (!out.json) printf("tables and figures are in %s\n", out.folder);
    return EXIT_DONE;
}
