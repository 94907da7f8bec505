// sherd bench implicit: the scenes of [IBDEM25] Tables 1 and 2 from release on, stepped explicitly,
// implicitly, and by the method that switches by itself: seconds per frame of each, beside the
// paper's, and how far the implicit ones end from where the explicit one does.
#include "bench.h"
#include "commands.h"
#include "message.h"
#include "run_loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The explicit method gets steps as near to its stability limit as is safe: nothing is won by
// slowing it down.
static const double EXPLICIT_SAFETY = 0.9;

typedef struct implicit_case {
    const char *name, *scene, *variant;
    // Seconds per frame, [IBDEM25] Tables 1 and 2; NAN: not given.
    double paper_explicit, paper_implicit;
    int frames; // from release on
} implicit_case;

static const implicit_case CASES[] = {
    {"stretch-19k", "beam-stretch", "paper", 34.6, 3.52, 48},
    {"twist-19k", "beam-twist", "ibdem", 34.6, 14.76, 24},
    {"drape-64k", "beam-drape", "paper-64k", 2230.9, 711.7, 6},
    {"drape-124k", "beam-drape", "paper", 255.2, 121.9, 24},
    {"chocolate-58k", "chocolate", "paper", 857.8, 343.8, 12},
    {"plate-219k", "plate", "paper", 4564.6, 1911.8, 4},
    {"bending-0.5k", "bending", NULL, NAN, 0.9, 27},
    {"bending-1.8k", "bending", "middle", NAN, 7.3, 27},
    {"bending-18k", "bending", "paper", NAN, 137.1, 27},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0], METHOD_COUNT = SHERD_METHOD_AUTO + 1 };

// What one method made of a case.
typedef struct method_result {
    bool done;
    double seconds; // per frame
    // Root mean square distance of elements from where the explicit method has them, as a share of
    // that of their way; NAN for itself, and when it wasn't run.
    double error;
    int64_t broken, first_break; // bonds; frame in which the first one broke, -1: none
    sherd_solver_counts counts;
    double *positions; // 3 each, owned
} method_result;

typedef struct case_result {
    int elements, threads, frames;
    int64_t bonds;
    double *start; // positions, 3 each, owned
    method_result methods[METHOD_COUNT];
} case_result;

static double *copy_positions(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double *p = malloc(((size_t)e.count * 3 + 1) * sizeof *p);
    for (int k = 0; p != NULL && k < e.count; ++k)
        p[3 * k] = e.x[k], p[3 * k + 1] = e.y[k], p[3 * k + 2] = e.z[k];
    return p;
}

static double difference(const case_result *r, const double *positions)
{
    const double *reference = r->methods[SHERD_METHOD_EXPLICIT].positions;
    if (reference == NULL || positions == NULL || r->start == NULL) return NAN;
    double off = 0.0, way = 0.0;
    for (int k = 0; k < 3 * r->elements; ++k) {
        off += (positions[k] - reference[k]) * (positions[k] - reference[k]);
        way += (reference[k] - r->start[k]) * (reference[k] - r->start[k]);
    }
    return sqrt(off / way);
}

// ---------------------------------------------------------------- running

static sherd_status step_frames(sherd_world *world, const step_plan *plan, int frames,
                                method_result *m, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    m->first_break = -1;
    double start = clock_seconds();
    for (int f = 1; f <= frames && status == SHERD_OK; ++f) {
        status = sherd_world_advance(world, (double)f * plan->interval, error);
        m->broken = sherd_world_bonds(world).broken_count;
        if (m->broken > 0 && m->first_break < 0) m->first_break = f;
    }
    m->seconds = (clock_seconds() - start) / frames;
    return status;
}

static sherd_status run_world(const sherd_scene *scene, sherd_world *world, case_result *r,
                              method_result *m, sherd_error *error)
{
    double limit = sherd_world_stable_time_step(world, error);
    if (!(limit > 0.0)) return error->status;
    step_plan plan = step_plan_make(scene, limit);
    sherd_status status =
        plan.dt > 0.0 ? sherd_world_set_time_step(world, plan.dt, error) : SHERD_OK;
    r->elements = sherd_world_elements(world).count;
    r->bonds = sherd_world_bonds(world).count;
    if (r->start == NULL) r->start = copy_positions(world);
    if (status == SHERD_OK) status = step_frames(world, &plan, r->frames, m, error);
    if (status != SHERD_OK) return status;
    m->done = true;
    m->counts = sherd_world_solver_counts(world);
    m->positions = copy_positions(world);
    m->error = scene->world.method == SHERD_METHOD_EXPLICIT ? NAN : difference(r, m->positions);
    return SHERD_OK;
}

static sherd_status run_method(sherd_scene *scene, sherd_method method, case_result *r,
                               sherd_error *error)
{
    scene->world.method = method;
    scene->world.time_step_safety = EXPLICIT_SAFETY;
    scene->output.probe_rate = scene->output.frame_rate; // nothing but frames to stop at
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, r->threads, &build, error);
    if (world == NULL) return error->status;
    sherd_status status = run_world(scene, world, r, &r->methods[method], error);
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    return status;
}

static void free_result(case_result *r)
{
    free(r->start);
    for (int m = 0; m < METHOD_COUNT; ++m)
        free(r->methods[m].positions);
}

// ---------------------------------------------------------------- telling

static void print_head(bool json)
{
    if (json) {
        printf("[");
        return;
    }
    printf("seconds per frame, and distance from the explicit solution at the end as a share of "
           "the way\n\n%-14s %6s %8s %9s | %9s %9s | %9s %9s %8s %9s %8s | %9s %9s\n",
           "case", "frames", "elements", "bonds", "paper ex.", "paper im.", "explicit", "implicit",
           "error", "auto", "error", "expl/auto", "paper/auto");
}

// A cell of the table; "-" for what is not known.
static const char *cell(double value, const char *format, char text[24])
{
    snprintf(text, 24, "-");
    if (!isnan(value)) snprintf(text, 24, format, value);
    return text;
}

static double seconds_of(const case_result *r, sherd_method method)
{
    return r->methods[method].done ? r->methods[method].seconds : NAN;
}

static void print_row(const implicit_case *at, const case_result *r)
{
    char text[9][24];
    double explicitly = seconds_of(r, SHERD_METHOD_EXPLICIT);
    double automatic = seconds_of(r, SHERD_METHOD_AUTO);
    printf("%-14s %6d %8d %9lld | %9s %9s | %9s %9s %8s %9s %8s | %9s %9s\n", at->name, r->frames,
           r->elements, (long long)r->bonds, cell(at->paper_explicit, "%.1f", text[0]),
           cell(at->paper_implicit, "%.2f", text[1]), cell(explicitly, "%.3f", text[2]),
           cell(seconds_of(r, SHERD_METHOD_IMPLICIT), "%.3f", text[3]),
           cell(r->methods[SHERD_METHOD_IMPLICIT].error, "%.1e", text[4]),
           cell(automatic, "%.3f", text[5]),
           cell(r->methods[SHERD_METHOD_AUTO].error, "%.1e", text[6]),
           cell(explicitly / automatic, "%.2f", text[7]),
           cell(fmin(at->paper_explicit, at->paper_implicit) / automatic, "%.0f", text[8]));
    for (int k = 0; k < METHOD_COUNT; ++k) {
        const method_result *m = &r->methods[k];
        if (!m->done) continue;
        printf("  %-9s %lld explicit steps, %lld implicit (%lld repeated), %lld Newton, %lld "
               "linear iterations, %lld switches; %lld broken bonds, first in frame %lld\n",
               step_plan_method((sherd_method)k), (long long)m->counts.explicit_steps,
               (long long)m->counts.implicit_steps, (long long)m->counts.rejected_steps,
               (long long)m->counts.newton_iterations, (long long)m->counts.linear_iterations,
               (long long)m->counts.switches, (long long)m->broken, (long long)m->first_break);
    }
    fflush(stdout);
}

static void print_metric(const implicit_case *at, const case_result *r, const char *method,
                         const char *metric, double value, const char *unit, bool *first)
{
    if (isnan(value)) return;
    printf("%s\n  {\"case\": \"%s\", \"method\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, "
           "\"unit\": \"%s\", \"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
           *first ? "" : ",", at->name, method, metric, value, unit, r->threads, r->elements,
           (long long)r->bonds);
    *first = false;
}

static void print_json(const implicit_case *at, const case_result *r, bool *first)
{
    print_metric(at, r, "paper-explicit", "frame_time", at->paper_explicit, "s", first);
    print_metric(at, r, "paper-implicit", "frame_time", at->paper_implicit, "s", first);
    for (int k = 0; k < METHOD_COUNT; ++k) {
        const method_result *m = &r->methods[k];
        const char *name = step_plan_method((sherd_method)k);
        if (!m->done) continue;
        print_metric(at, r, name, "frame_time", m->seconds, "s", first);
        print_metric(at, r, name, "error", m->error, "1", first);
        print_metric(at, r, name, "explicit_steps", (double)m->counts.explicit_steps, "1", first);
        print_metric(at, r, name, "implicit_steps", (double)m->counts.implicit_steps, "1", first);
        print_metric(at, r, name, "newton", (double)m->counts.newton_iterations, "1", first);
        print_metric(at, r, name, "pcg", (double)m->counts.linear_iterations, "1", first);
        print_metric(at, r, name, "broken_bonds", (double)m->broken, "1", first);
        print_metric(at, r, name, "first_break", (double)m->first_break, "frame", first);
    }
    fflush(stdout);
}

// ---------------------------------------------------------------- cases

static sherd_scene *load(const implicit_case *at, const command_options *options, int *code)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.yaml", options->scenes != NULL ? options->scenes : "scenes",
             at->scene);
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {at->variant, options->override_count, options->overrides};
    sherd_scene *scene = sherd_scene_load(path, &scene_options, &diagnostics);
    if (scene == NULL) {
        *code = message_diagnostics(&diagnostics);
        fprintf(stderr, "--scenes DIR says where the scenes are\n");
    }
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

// A method that fails leaves its column empty and says why.
static int run_case(const implicit_case *at, const command_options *options, bool *first)
{
    int code = EXIT_DONE;
    sherd_scene *scene = load(at, options, &code);
    if (scene == NULL) return code;
    case_result r = {.threads = options->threads > 0 ? options->threads : 4,
                     .frames = options->frames > 0 ? (int)options->frames : at->frames};
    for (int k = 0; k < METHOD_COUNT; ++k) {
        sherd_error error = {0};
        r.methods[k].error = NAN;
        if (run_method(scene, (sherd_method)k, &r, &error) == SHERD_OK) continue;
        fprintf(stderr, "%s, %s: ", at->name, step_plan_method((sherd_method)k));
        code = message_error(&error);
    }
    if (options->json)
        print_json(at, &r, first);
    else
        print_row(at, &r);
    free_result(&r);
    sherd_scene_destroy(scene);
    return code;
}

int bench_implicit(const command_options *options)
{
    bool known = options->only == NULL, first = true;
    for (int k = 0; k < CASE_COUNT && !known; ++k)
        known = strcmp(CASES[k].name, options->only) == 0;
    if (!known)
        return message_usage("unknown case", options->only,
                             "stretch-19k, twist-19k, drape-64k, drape-124k, chocolate-58k, "
                             "plate-219k, bending-0.5k, bending-1.8k, bending-18k");
    int code = EXIT_DONE;
    print_head(options->json);
    for (int k = 0; k < CASE_COUNT; ++k) {
        if (options->only != NULL && strcmp(CASES[k].name, options->only) != 0) continue;
        int failed = run_case(&CASES[k], options, &first);
        if (failed != EXIT_DONE) code = failed;
    }
    if (options->json) printf("\n]\n");
    return code;
}
