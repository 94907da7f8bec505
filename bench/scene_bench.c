#include "bench/scene_bench.h"

#include "bench/fracture_run.h"
#include "clock.h"
#include "message.h"

#include <sherd/step_plan.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Explicit steps are as long as is safe: nothing is won by slowing them down. Half of that errs by a quarter
// of what they do.
static const double REFERENCE_SHARE = 0.5; // of the length of explicit steps
// Cases that are over sooner are run again, one method after the other, and medians count.
static const double LONG_ENOUGH = 15.0; // all methods together [s]
enum { MAX_ROUNDS = 9 };
static const double WORTH_TELLING = 10.0; // of a method that is done [s]

// Results of one method for a case.
typedef struct method_result {
    bool done;
    // Per frame; by the clock, and of all threads together. Of the last round, then medians of all.
    double seconds, processor;
    double all_seconds[MAX_ROUNDS], all_processor[MAX_ROUNDS];
    // Root mean square distance of elements from where the reference has them, as a share of that of
    // their way; NAN where there is none.
    double error;
    double kinetic; // of elements at the end, as a share of the most at the end of any frame
    double fragments[FRACTURE_COLUMNS];
    int64_t broken, first_break; // bonds; frame in which the first one broke, -1: none
    sherd_solver_counts counts;
    double *positions; // 3 each, owned
} method_result;

typedef struct case_result {
    const bench_scene_case *at;
    int elements, threads, frames;
    int64_t bonds;
    double *start; // positions, 3 each, owned
    method_result methods[SCENE_RUN_COUNT];
} case_result;

// What a run is called, and how it is stepped.
typedef struct run_kind {
    const char *name;
    sherd_method method;
    bool by_paper; // its steps and its fracture
    sherd_step_optimizer optimizer;
} run_kind;

static const run_kind RUNS[SCENE_RUN_COUNT] = {
    [SCENE_RUN_REFERENCE] = {"reference", SHERD_METHOD_EXPLICIT, false, 0},
    [SCENE_RUN_EXPLICIT] = {"explicit", SHERD_METHOD_EXPLICIT, false, 0},
    [SCENE_RUN_IMPLICIT] = {"implicit", SHERD_METHOD_IMPLICIT, false, 0},
    [SCENE_RUN_AUTO] = {"auto", SHERD_METHOD_AUTO, false, 0},
    [SCENE_RUN_DEFAULT] = {"implicit, default accuracy", SHERD_METHOD_IMPLICIT, false, 0},
    [SCENE_RUN_PAPER_STEP] = {"paper's step", SHERD_METHOD_IMPLICIT, true, 0},
    [SCENE_RUN_ALGORITHM_2] = {"algorithm 2", SHERD_METHOD_IMPLICIT, true,
                               SHERD_STEP_OPTIMIZER_ALGORITHM_2},
    [SCENE_RUN_ALGORITHM_3] = {"algorithm 3", SHERD_METHOD_IMPLICIT, true,
                               SHERD_STEP_OPTIMIZER_ALGORITHM_3},
};

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
    const double *reference = r->methods[SCENE_RUN_REFERENCE].positions;
    if (reference == NULL || positions == NULL || r->start == NULL) return NAN;
    double off = 0.0, way = 0.0;
    for (int k = 0; k < 3 * r->elements; ++k) {
        off += (positions[k] - reference[k]) * (positions[k] - reference[k]);
        way += (reference[k] - r->start[k]) * (reference[k] - r->start[k]);
    }
    return sqrt(off / way);
}

// ---------------------------------------------------------------- running

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sherd_status step_frames(sherd_world *world, double interval, const case_result *r,
                                method_result *m, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    m->first_break = -1;
    double most = sherd_world_energy(world).kinetic, last = most;
    double seconds = 0.0, processor = 0.0;
    for (int f = 1; f <= r->frames && status == SHERD_OK; ++f) {
        double clock = clock_seconds(), spent = processor_seconds();
        status = sherd_world_advance(world, f * interval, error);
        seconds += clock_seconds() - clock, processor += processor_seconds() - spent;
        m->broken = sherd_world_bonds(world).broken_count;
        if (m->broken > 0 && m->first_break < 0) m->first_break = f;
        last = sherd_world_energy(world).kinetic;
        most = fmax(most, last);
    }
    double frames = r->frames * r->at->share;
    m->seconds = seconds / frames;
    m->processor = processor / frames;
    m->kinetic = most > 0.0 ? last / most : 0.0;
    return status;
}

static sherd_status run_world(const sherd_scene *scene, sherd_world *world, case_result *r,
                              method_result *m, sherd_error *error)
{
    double limit = sherd_world_stable_time_step(world, error);
    if (!(limit > 0.0)) return error->status;
    sherd_step_plan plan = sherd_step_plan_make(scene, limit);
    sherd_status status =
        plan.dt > 0.0 ? sherd_world_set_time_step(world, plan.dt, error) : SHERD_OK;
    r->elements = sherd_world_elements(world).count;
    r->bonds = sherd_world_bonds(world).count;
    if (r->start == NULL) r->start = copy_positions(world);
    if (status == SHERD_OK) status = step_frames(world, plan.interval, r, m, error);
    if (status == SHERD_OK) status = fracture_count(world, m->fragments, error);
    if (status != SHERD_OK) return status;
    m->done = true;
    free(m->positions);
    m->counts = sherd_world_solver_counts(world);
    m->positions = copy_positions(world);
    if (m != &r->methods[SCENE_RUN_REFERENCE]) m->error = difference(r, m->positions);
    return SHERD_OK;
}

// [RBDEM] has neither friction nor dashpots.
static void choose_linear_steps(sherd_scene *scene, double stiffness)
{
    scene->world.scheme = SHERD_SCHEME_LINEAR_EULER;
    scene->world.contact_stiffness = stiffness;
    for (int k = 0; k < scene->material_count; ++k) {
        scene->materials[k].def.friction = 0.0;
        scene->materials[k].def.restitution = 1.0;
        scene->materials[k].def.bond_damping = 0.0;
    }
}

// A case's own accuracy is that of its scene.
static void choose_method(sherd_scene *scene, const bench_scene_case *at, bench_scene_run run)
{
    sherd_world_def *world = &scene->world;
    const run_kind *kind = &RUNS[run];
    bool in_limits = kind->by_paper && at->paper_limits > 0.0;
    world->method = kind->method;
    world->time_step_safety = at->safety * (run == SCENE_RUN_REFERENCE ? REFERENCE_SHARE : 1.0);
    world->time_step = kind->by_paper && !in_limits ? at->paper_dt : 0.0;
    world->time_step_in_limits = in_limits ? at->paper_limits : 0.0;
    world->scheme = kind->by_paper ? SHERD_SCHEME_EULER : SHERD_SCHEME_AUTO;
    world->paper_fracture = kind->by_paper;
    world->optimizer = kind->optimizer;
    if (run != SCENE_RUN_IMPLICIT && run != SCENE_RUN_AUTO)
        world->accuracy = sherd_world_def_default().accuracy;
    if (kind->by_paper && at->paper_stiffness > 0.0)
        choose_linear_steps(scene, at->paper_stiffness);
}

static sherd_status run_method(sherd_scene *scene, bench_scene_run run, case_result *r,
                               sherd_error *error)
{
    size_t size = (size_t)scene->material_count * sizeof *scene->materials;
    sherd_scene_material *given = malloc(size + 1);
    const sherd_world_def given_world = scene->world;
    if (given == NULL) return SHERD_ERROR_MEMORY;
    memcpy(given, scene->materials, size);
    choose_method(scene, r->at, run);
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, r->threads, &build, error);
    sherd_status status =
        world != NULL ? run_world(scene, world, r, &r->methods[run], error) : error->status;
    memcpy(scene->materials, given, size);
    scene->world = given_world;
    free(given);
    if (world == NULL) return status;
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    return status;
}

// Time of a round of all methods [s].
static double note_round(case_result *r, int round)
{
    double spent = 0.0;
    for (int k = 0; k < SCENE_RUN_COUNT; ++k) {
        method_result *m = &r->methods[k];
        m->all_seconds[round] = m->seconds, m->all_processor[round] = m->processor;
        spent += m->seconds * r->frames * r->at->share;
    }
    return spent;
}

// A method that fails leaves its column empty and says why. One that takes long tells when it is done, as the row
// comes last.
static int try_method(sherd_scene *scene, bench_scene_run run, case_result *r)
{
    sherd_error error = {0};
    method_result *m = &r->methods[run];
    const char *name = RUNS[run].name;
    m->error = NAN;
    sherd_status status = run_method(scene, run, r, &error);
    double seconds = m->seconds * r->frames * r->at->share;
    if (status != SHERD_OK) fprintf(stderr, "%s, %s: ", r->at->name, name);
    if (status != SHERD_OK) return message_error(&error);
    if (seconds > WORTH_TELLING) fprintf(stderr, "%s, %s: %.1f s\n", r->at->name, name, seconds);
    return EXIT_DONE;
}

static int run_methods(sherd_scene *scene, case_result *r)
{
    int code = EXIT_DONE, rounds = 0;
    for (double spent = 0.0; rounds == 0 || (rounds < MAX_ROUNDS && spent < LONG_ENOUGH);) {
        for (int k = 0; k < SCENE_RUN_COUNT; ++k) {
            if (!r->at->run[k] || (rounds > 0 && !r->methods[k].done)) continue;
            int now = try_method(scene, (bench_scene_run)k, r);
            if (now != EXIT_DONE) code = now;
        }
        spent += note_round(r, rounds++);
    }
    for (int k = 0; k < SCENE_RUN_COUNT; ++k) {
        method_result *m = &r->methods[k];
        m->seconds = value_statistics_of(m->all_seconds, rounds).median;
        m->processor = value_statistics_of(m->all_processor, rounds).median;
    }
    return code;
}

static void free_result(case_result *r)
{
    free(r->start);
    for (int m = 0; m < SCENE_RUN_COUNT; ++m)
        free(r->methods[m].positions);
}

// ---------------------------------------------------------------- telling

static void print_head(bool json)
{
    if (json) {
        printf("[");
        return;
    }
    printf("Seconds per frame by the clock, and below of all threads together (with -j 1 and other "
           "work beside it, what counts).\nErrors: rms distance at the end from explicit steps "
           "half as long, as a share of the way.\n\n%-14s %7s %8s %9s | %9s %9s | %9s %9s %9s | "
           "%9s %9s\n",
           "case", "frames", "elements", "bonds", "paper ex.", "paper im.", "explicit", "implicit",
           "auto", "expl/auto", "paper/auto");
}

// A cell of the table; "-" for unknown values.
static const char *cell(double value, const char *format, char text[24])
{
    snprintf(text, 24, "-");
    if (!isnan(value)) snprintf(text, 24, format, value);
    return text;
}

// By the clock, or of all threads.
static double seconds_of(const case_result *r, bench_scene_run run, bool processor)
{
    const method_result *m = &r->methods[run];
    return !m->done ? NAN : processor ? m->processor : m->seconds;
}

static void print_times(const case_result *r, bool processor)
{
    char text[7][24], name[24];
    const bench_scene_case *at = r->at;
    double explicitly = seconds_of(r, SCENE_RUN_EXPLICIT, processor);
    double automatic = seconds_of(r, SCENE_RUN_AUTO, processor);
    double paper = fmin(at->paper_explicit, at->paper_implicit);
    double implicit = seconds_of(r, SCENE_RUN_IMPLICIT, processor);
    if (isnan(implicit)) implicit = seconds_of(r, SCENE_RUN_PAPER_STEP, processor);
    snprintf(name, sizeof name, "%s", processor ? "  all threads" : at->name);
    printf("%-14s %7.4g %8d %9lld | %9s %9s | %9s %9s %9s | %9s %9s\n", name, r->frames * at->share,
           r->elements, (long long)r->bonds, cell(at->paper_explicit, "%.1f", text[0]),
           cell(at->paper_implicit, "%.2f", text[1]), cell(explicitly, "%.3f", text[2]),
           cell(implicit, "%.3f", text[3]), cell(automatic, "%.3f", text[4]),
           cell(explicitly / automatic, "%.2f", text[5]), cell(paper / automatic, "%.0f", text[6]));
}

static void print_method(const case_result *r, bench_scene_run run)
{
    char error[24];
    const method_result *m = &r->methods[run];
    printf("  %-26s %.3f s, %.3f s of all threads; ", RUNS[run].name, m->seconds, m->processor);
    if (r->at->breaks)
        printf("%lld broken, first in frame %lld, %.0f fragments, %.0f over 10 elements, largest "
               "%.2f; kinetic energy left %.1e; ",
               (long long)m->broken, (long long)m->first_break, m->fragments[FRACTURE_FRAGMENTS],
               m->fragments[FRACTURE_LARGE], m->fragments[FRACTURE_LARGEST], m->kinetic);
    else
        printf("error %s; ", cell(m->error, "%.1e", error));
    printf("%lld explicit steps, %lld implicit (%lld repeated), %lld Newton, %lld linear "
           "iterations, %lld switches\n",
           (long long)m->counts.explicit_steps, (long long)m->counts.implicit_steps,
           (long long)m->counts.rejected_steps, (long long)m->counts.newton_iterations,
           (long long)m->counts.linear_iterations, (long long)m->counts.switches);
}

// Explicit over implicit seconds of the group's cases, the paper's and ours, from the least to the most.
typedef struct speedups {
    double least[SCENE_RUN_COUNT], most[SCENE_RUN_COUNT]; // [SCENE_RUN_EXPLICIT]: the paper's
} speedups;

static void note_speedups(const case_result *r, speedups *s)
{
    double explicitly = seconds_of(r, SCENE_RUN_EXPLICIT, true);
    for (int k = SCENE_RUN_EXPLICIT; k < SCENE_RUN_COUNT; ++k) {
        double ratio = k == SCENE_RUN_EXPLICIT
                           ? r->at->paper_explicit / r->at->paper_implicit
                           : explicitly / seconds_of(r, (bench_scene_run)k, true);
        if (isnan(ratio)) continue;
        s->least[k] = s->most[k] > 0.0 ? fmin(s->least[k], ratio) : ratio;
        s->most[k] = fmax(s->most[k], ratio);
    }
}

static void print_speedups(const speedups *s, bool breaks)
{
    printf("Explicit over implicit seconds where %s: ",
           breaks ? "something breaks" : "all stays elastic");
    for (int k = SCENE_RUN_EXPLICIT; k < SCENE_RUN_COUNT; ++k)
        if (s->most[k] > 0.0)
            printf("%s %.2f to %.2f; ", k == SCENE_RUN_EXPLICIT ? "the paper's" : RUNS[k].name,
                   s->least[k], s->most[k]);
    printf("\n");
}

static void print_row(const case_result *r)
{
    print_times(r, false);
    print_times(r, true);
    for (int k = 0; k < SCENE_RUN_COUNT; ++k)
        if (r->methods[k].done) print_method(r, (bench_scene_run)k);
    fflush(stdout);
}

static void print_metric(const case_result *r, const char *method, const char *metric, double value,
                         const char *unit, bool *first)
{
    if (isnan(value)) return;
    printf("%s\n  {\"case\": \"%s\", \"method\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, "
           "\"unit\": \"%s\", \"threads\": %d, \"elements\": %d, \"bonds\": %lld}",
           *first ? "" : ",", r->at->name, method, metric, value, unit, r->threads, r->elements,
           (long long)r->bonds);
    *first = false;
}

static void print_json(const case_result *r, bool *first)
{
    print_metric(r, "paper-explicit", "frame_time", r->at->paper_explicit, "s", first);
    print_metric(r, "paper-implicit", "frame_time", r->at->paper_implicit, "s", first);
    for (int k = 0; k < SCENE_RUN_COUNT; ++k) {
        const method_result *m = &r->methods[k];
        const char *name = RUNS[k].name;
        if (!m->done) continue;
        const struct {
            const char *name, *unit;
            double value;
        } metrics[] = {{"frame_time", "s", m->seconds},
                       {"processor_time", "s", m->processor},
                       {"error", "1", m->error},
                       {"explicit_steps", "1", (double)m->counts.explicit_steps},
                       {"implicit_steps", "1", (double)m->counts.implicit_steps},
                       {"newton_iterations", "1", (double)m->counts.newton_iterations},
                       {"linear_iterations", "1", (double)m->counts.linear_iterations},
                       {"broken_bonds", "1", (double)m->broken},
                       {"first_break", "frame", (double)m->first_break},
                       {"fragments", "1", m->fragments[FRACTURE_FRAGMENTS]},
                       {"largest_share", "1", m->fragments[FRACTURE_LARGEST]},
                       {"kinetic_left", "1", m->kinetic}};
        for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; ++i)
            print_metric(r, name, metrics[i].name, metrics[i].value, metrics[i].unit, first);
    }
    fflush(stdout);
}

// ---------------------------------------------------------------- cases

// With the case's settings, then the command's. Nothing but frames to stop at; a share of one is a frame.
static sherd_scene *load(const bench_scene_case *at, const command_options *options, int *code)
{
    char path[1024];
    int count = 0;
    const char **settings =
        calloc(SCENE_MAX_SETTINGS + (size_t)options->override_count, sizeof *settings);
    if (settings == NULL) {
        *code = EXIT_FAILED;
        return NULL;
    }
    while (count < SCENE_MAX_SETTINGS && at->settings[count] != NULL)
        settings[count] = at->settings[count], ++count;
    for (int k = 0; k < options->override_count; ++k)
        settings[count++] = options->overrides[k];
    snprintf(path, sizeof path, "%s/%s.yaml", options->scenes != NULL ? options->scenes : "scenes",
             at->scene);
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {at->variant, count, settings};
    sherd_scene *scene = sherd_scene_load(path, &scene_options, &diagnostics);
    free(settings);
    if (scene == NULL) {
        *code = message_diagnostics(&diagnostics);
        fprintf(stderr, "--scenes DIR says where the scenes are\n");
    } else {
        scene->output.frame_rate /= at->share;
        scene->output.probe_rate = scene->output.frame_rate;
    }
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

static int run_case(const bench_scene_case *at, const command_options *options, speedups groups[2],
                    bool *first)
{
    int code = EXIT_DONE;
    sherd_scene *scene = load(at, options, &code);
    if (scene == NULL) return code;
    case_result r = {.at = at,
                     .threads = options->threads > 0 ? options->threads : 4,
                     .frames = options->frames > 0 ? (int)options->frames : at->frames};
    code = run_methods(scene, &r);
    if (options->json)
        print_json(&r, first);
    else
        print_row(&r);
    note_speedups(&r, &groups[at->breaks]);
    free_result(&r);
    sherd_scene_destroy(scene);
    return code;
}

static int refuse_unknown(const char *only, const bench_scene_case *cases, int count)
{
    char known[512] = "";
    for (int k = 0; k < count; ++k) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", cases[k].name);
    }
    return message_usage("unknown case", only, known);
}

int bench_scenes(const command_options *options, const bench_scene_case *cases, int count)
{
    bool known = options->only == NULL, first = true;
    for (int k = 0; k < count && !known; ++k)
        known = strcmp(cases[k].name, options->only) == 0;
    if (!known) return refuse_unknown(options->only, cases, count);
    int code = EXIT_DONE;
    speedups groups[2] = {0};
    print_head(options->json);
    for (int k = 0; k < count; ++k) {
        if (options->only != NULL && strcmp(cases[k].name, options->only) != 0) continue;
        int failed = run_case(&cases[k], options, groups, &first);
        if (failed != EXIT_DONE) code = failed;
    }
    if (options->json) printf("\n]\n");
    for (int breaks = 0; breaks < 2 && !options->json; ++breaks)
        if (groups[breaks].most[SCENE_RUN_EXPLICIT] > 0.0)
            print_speedups(&groups[breaks], breaks != 0);
    return code;
}
