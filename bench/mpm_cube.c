#include "bench/mpm_cube.h"

#include "clock.h"
#include "temporary_folder.h"

#include "research/points_rate.h"

#include <sherd/run.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5, ROUNDS_REDUCED = 1, STEPS = 15 };
// It lands in the fourth frame. What a run takes to begin and to end is in both runs, and drops out of their difference.
enum { SHORT_RUN = 1, LONG_RUN = 6 };

// The bench's cube and law.
static const char *const SCENE =
    "sherd: 1\nname: cube\nduration: 1 s\n"
    "materials:\n  jelly: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "
    "model: neo_hookean, friction: 0.3}\n"
    "bodies:\n  - {name: cube, shape: {box: [40 cm, 40 cm, 40 cm]}, material: jelly,\n"
    "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 30 cm]}\n"
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

static sherd_status fail(sherd_error *error, const char *where, const char *what)
{
    *error = (sherd_error){.status = SHERD_ERROR_IO};
    snprintf(error->where, sizeof error->where, "%s", where);
    snprintf(error->what, sizeof error->what, "%s", what);
    return error->status;
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// ---------------------------------------------------------------- steps alone

static sherd_status time_steps(points_rate *rate, double *speed, sherd_error *error)
{
    double seconds;
    sherd_status status = points_rate_run(rate, STEPS, &seconds, error);
    if (status == SHERD_OK) *speed = 1e-6 * STEPS * (double)points_rate_count(rate) / seconds;
    return status;
}

static points_rate *make_steps(bool affine, int threads, sherd_error *error)
{
    points_rate_def def = {.cubic = true,
                           .affine = affine,
                           .law = "neo_hookean",
                           .blocks = {1, 1, 1},
                           .points = {MPM_CUBE_SIDE, MPM_CUBE_SIDE, MPM_CUBE_SIDE},
                           .one_body = true,
                           .threads = threads};
    return points_rate_create(&def, error);
}

// ---------------------------------------------------------------- runs

typedef struct timing {
    double seconds;
    int64_t steps;
} timing;

static sherd_status run(const sherd_scene *scene, int threads, int frames, timing *out,
                        sherd_error *error)
{
    char folder[TEMPORARY_FOLDER];
    if (!temporary_folder_make(NULL, folder)) return fail(error, "TMPDIR", strerror(errno));
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene, def.folder = folder, def.threads = threads, def.frames = frames;
    def.pictures = SHERD_RUN_PICTURES_NONE;
    sherd_run_result result;
    double before = processor_seconds();
    sherd_status status = sherd_run_scene(&def, &result, error);
    *out = (timing){processor_seconds() - before, status == SHERD_OK ? result.steps : 0};
    temporary_folder_remove(folder);
    return status;
}

static sherd_status time_run(const sherd_scene *scene, int threads, double *speed,
                             sherd_error *error)
{
    const double points = (double)MPM_CUBE_SIDE * MPM_CUBE_SIDE * MPM_CUBE_SIDE;
    timing begun, whole;
    sherd_status status = run(scene, threads, SHORT_RUN, &begun, error);
    if (status == SHERD_OK) status = run(scene, threads, LONG_RUN, &whole, error);
    if (status == SHERD_OK)
        *speed =
            1e-6 * points * (double)(whole.steps - begun.steps) / (whole.seconds - begun.seconds);
    return status;
}

// ---------------------------------------------------------------- all of them

typedef struct all {
    points_rate *flip, *affine;
    sherd_scene *scene;
} all;

static sherd_status make(all *a, int threads, sherd_error *error)
{
    sherd_diagnostics diagnostics = {0};
    a->scene = sherd_scene_parse(SCENE, strlen(SCENE), "cube", NULL, &diagnostics);
    if (a->scene == NULL) fail(error, "cube", diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
    if (a->scene == NULL) return error->status;
    a->flip = make_steps(false, threads, error);
    if (a->flip != NULL) a->affine = make_steps(true, threads, error);
    return a->affine != NULL ? SHERD_OK : error->status;
}

typedef struct rounds {
    double flip[ROUNDS], affine[ROUNDS], run[ROUNDS], affine_share[ROUNDS], run_share[ROUNDS];
} rounds;

static sherd_status time_round(const all *a, int threads, int k, rounds *r, sherd_error *error)
{
    sherd_status status = time_steps(a->flip, &r->flip[k], error);
    if (status == SHERD_OK) status = time_steps(a->affine, &r->affine[k], error);
    if (status == SHERD_OK) status = time_run(a->scene, threads, &r->run[k], error);
    if (status != SHERD_OK) return status;
    bool flip = a->scene->world.point_transfer == SHERD_POINT_TRANSFER_FLIP;
    r->affine_share[k] = r->affine[k] / r->flip[k];
    r->run_share[k] = r->run[k] / (flip ? r->flip[k] : r->affine[k]);
    return status;
}

sherd_status mpm_cube_measure(const command_options *options, int threads, mpm_cube *out,
                              sherd_error *error)
{
    all a = {0};
    rounds r;
    double warm;
    int count = options->reduced ? ROUNDS_REDUCED : ROUNDS;
    sherd_status status = make(&a, threads, error);
    if (status == SHERD_OK) status = time_steps(a.flip, &warm, error);
    if (status == SHERD_OK) status = time_steps(a.affine, &warm, error);
    for (int k = 0; k < count && status == SHERD_OK; ++k)
        status = time_round(&a, threads, k, &r, error);
    points_rate_destroy(a.flip), points_rate_destroy(a.affine), sherd_scene_destroy(a.scene);
    if (status != SHERD_OK) return status;
    *out = (mpm_cube){value_statistics_of(r.flip, count).median,
                      value_statistics_of(r.affine, count).median,
                      value_statistics_of(r.run, count).median,
                      value_statistics_of(r.affine_share, count).median,
                      value_statistics_of(r.run_share, count).median,
                      count};
    return SHERD_OK;
}
