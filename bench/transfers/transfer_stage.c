#include "bench/transfers/transfer_stage.h"

#include <sherd/world.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- life

static sherd_status too_long(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_INPUT};
    snprintf(error->what, sizeof error->what, "the scene's text is too long");
    return error->status;
}

static sherd_scene *read_scene(const char *text, const transfer_run *run, sherd_error *error)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options options = {NULL, run->override_count, run->overrides};
    sherd_scene *scene =
        sherd_scene_parse(text, strlen(text), "bench transfers", &options, &diagnostics);
    if (scene == NULL) *error = diagnostics.errors[0];
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

sherd_status transfer_stage_open(transfer_stage *stage, const transfer_run *run, sherd_error *error,
                                 const char *text, ...)
{
    char all[8192];
    int head = snprintf(all, sizeof all, "sherd: 1\nname: bench\nduration: 100 s\n");
    va_list values;
    va_start(values, text);
    int length = vsnprintf(all + head, sizeof all - (size_t)head, text, values);
    va_end(values);
    *stage = (transfer_stage){0};
    if (length >= (int)sizeof all - head) return too_long(error);
    stage->scene = read_scene(all, run, error);
    if (stage->scene == NULL) return error->status;
    stage->scene->world.time_step_safety *= run->step;
    for (int k = 0; k < stage->scene->body_count; ++k)
        if (sherd_scene_is_of_points(&stage->scene->bodies[k]))
            stage->scene->bodies[k].packing.spacing *= run->spacing;
    stage->world = sherd_scene_create_world(stage->scene, run->threads, &stage->build, error);
    // Prepared as a run does before its first frame: points then turn with their bodies.
    if (stage->world != NULL && sherd_world_stable_time_step(stage->world, error) > 0.0)
        return SHERD_OK;
    transfer_stage_close(stage);
    return error->status;
}

void transfer_stage_close(transfer_stage *stage)
{
    sherd_world_destroy(stage->world);
    sherd_scene_build_free(&stage->build);
    sherd_scene_destroy(stage->scene);
    *stage = (transfer_stage){0};
}

sherd_status transfer_stage_go(const transfer_stage *stage, double until, sherd_error *error)
{
    if (until <= sherd_world_time(stage->world)) return SHERD_OK;
    return sherd_world_advance(stage->world, until, error);
}

// ---------------------------------------------------------------- motion

static void transpose_inverse(const double a[9], double out[9])
{
    double cofactor[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
            cofactor[3 * i + j] = a[3 * k + m] * a[3 * l + n] - a[3 * k + n] * a[3 * l + m];
        }
    double determinant = a[0] * cofactor[0] + a[1] * cofactor[1] + a[2] * cofactor[2];
    for (int k = 0; k < 9; ++k)
        out[k] = cofactor[k] / determinant;
}

// The rotation nearest to a matrix: Newton's iteration R <- (R + R^-T) / 2, whose error is squared in each turn.
static void nearest_rotation(const double a[9], double rotation[9])
{
    memcpy(rotation, a, 9 * sizeof *rotation);
    for (int turn = 0; turn < 30; ++turn) {
        double other[9];
        transpose_inverse(rotation, other);
        for (int k = 0; k < 9; ++k)
            rotation[k] = 0.5 * (rotation[k] + other[k]);
    }
}

typedef struct body_points {
    sherd_element_view at;
    const sherd_world *world;
    sherd_element_index first, end;
    sherd_vec3 rest_centre;
} body_points;

static sherd_vec3 place_of(const body_points *p, sherd_element_index k)
{
    return (sherd_vec3){p->at.x[k], p->at.y[k], p->at.z[k]};
}

static void sum_motion(body_points *p, transfer_motion *out)
{
    out->low = (sherd_vec3){INFINITY, INFINITY, INFINITY};
    out->high = (sherd_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (sherd_element_index k = p->first; k < p->end; ++k) {
        sherd_element_info info = sherd_world_element(p->world, k);
        sherd_vec3 x = place_of(p, k), v = {p->at.vx[k], p->at.vy[k], p->at.vz[k]};
        double m = info.mass;
        out->mass += m;
        out->centre.x += m * x.x, out->centre.y += m * x.y, out->centre.z += m * x.z;
        out->velocity.x += m * v.x, out->velocity.y += m * v.y, out->velocity.z += m * v.z;
        p->rest_centre.x += m * info.rest.x, p->rest_centre.y += m * info.rest.y;
        p->rest_centre.z += m * info.rest.z;
        out->low =
            (sherd_vec3){fmin(out->low.x, x.x), fmin(out->low.y, x.y), fmin(out->low.z, x.z)};
        out->high =
            (sherd_vec3){fmax(out->high.x, x.x), fmax(out->high.y, x.y), fmax(out->high.z, x.z)};
        out->kinetic += 0.5 * m * (v.x * v.x + v.y * v.y + v.z * v.z);
    }
    sherd_vec3 *means[] = {&out->centre, &out->velocity, &p->rest_centre};
    for (int k = 0; k < 3; ++k)
        means[k]->x /= out->mass, means[k]->y /= out->mass, means[k]->z /= out->mass;
}

// Arms about the centres of mass: now, and in the body's rest frame.
static void arms_of(const body_points *p, const transfer_motion *motion, sherd_element_index k,
                    double now[3], double rest[3])
{
    sherd_vec3 x = place_of(p, k), r = sherd_world_element(p->world, k).rest;
    now[0] = x.x - motion->centre.x, now[1] = x.y - motion->centre.y;
    now[2] = x.z - motion->centre.z;
    rest[0] = r.x - p->rest_centre.x, rest[1] = r.y - p->rest_centre.y;
    rest[2] = r.z - p->rest_centre.z;
}

// Least squares over all points: the rotation of the polar decomposition of sum x X^T.
static void fit_rotation(const body_points *p, transfer_motion *out)
{
    double moment[9] = {0.0}, now[3], rest[3];
    for (sherd_element_index k = p->first; k < p->end; ++k) {
        arms_of(p, out, k, now, rest);
        for (int i = 0; i < 9; ++i)
            moment[i] += now[i / 3] * rest[i % 3];
    }
    nearest_rotation(moment, out->rotation);
    for (sherd_element_index k = p->first; k < p->end; ++k) {
        arms_of(p, out, k, now, rest);
        double square = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double *row = &out->rotation[3 * i];
            double off = now[i] - row[0] * rest[0] - row[1] * rest[1] - row[2] * rest[2];
            square += off * off;
        }
        out->departure = fmax(out->departure, sqrt(square));
    }
}

transfer_motion transfer_stage_motion(const transfer_stage *stage, int body)
{
    sherd_body_info info = sherd_world_body(stage->world, body);
    body_points points = {.at = sherd_world_elements(stage->world),
                          .world = stage->world,
                          .first = info.first,
                          .end = info.first + info.count};
    transfer_motion motion = {0};
    sum_motion(&points, &motion);
    fit_rotation(&points, &motion);
    return motion;
}

sherd_vec3 transfer_stage_spin(const transfer_stage *stage)
{
    sherd_vec3 about_origin = sherd_world_angular_momentum(stage->world),
               momentum = sherd_world_momentum(stage->world), moment = {0};
    double mass = 0.0;
    sherd_element_view at = sherd_world_elements(stage->world);
    for (sherd_element_index k = 0; k < at.count; ++k) {
        double m = sherd_world_element(stage->world, k).mass;
        mass += m;
        moment.x += m * at.x[k], moment.y += m * at.y[k], moment.z += m * at.z[k];
    }
    return (sherd_vec3){about_origin.x - (moment.y * momentum.z - moment.z * momentum.y) / mass,
                        about_origin.y - (moment.z * momentum.x - moment.x * momentum.z) / mass,
                        about_origin.z - (moment.x * momentum.y - moment.y * momentum.x) / mass};
}

// ---------------------------------------------------------------- what flows

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

sherd_status transfer_stage_front(const transfer_stage *stage, int body, transfer_front along,
                                  double share, double *front, sherd_error *error)
{
    sherd_body_info info = sherd_world_body(stage->world, body);
    sherd_element_view at = sherd_world_elements(stage->world);
    double *places = malloc((size_t)info.count * sizeof *places);
    if (places == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "no memory for a front"};
        return error->status;
    }
    for (sherd_element_index k = 0; k < info.count; ++k) {
        sherd_element_index n = info.first + k;
        places[k] = along == FRONT_X ? at.x[n] : hypot(at.x[n], at.y[n]);
    }
    qsort(places, (size_t)info.count, sizeof *places, compare);
    int last = (int)(share * info.count);
    *front = places[last < info.count ? last : info.count - 1];
    free(places);
    return SHERD_OK;
}

sherd_vec3 transfer_stage_mean_of(const transfer_stage *stage, int body, const transfer_box *box)
{
    sherd_body_info info = sherd_world_body(stage->world, body);
    sherd_element_view at = sherd_world_elements(stage->world);
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (sherd_element_index k = info.first; k < info.first + info.count; ++k) {
        sherd_vec3 rest = sherd_world_element(stage->world, k).rest;
        if (rest.x < box->low.x || rest.y < box->low.y || rest.z < box->low.z ||
            rest.x > box->high.x || rest.y > box->high.y || rest.z > box->high.z)
            continue;
        sum.x += at.x[k], sum.y += at.y[k], sum.z += at.z[k], count += 1.0;
    }
    return (sherd_vec3){sum.x / count, sum.y / count, sum.z / count};
}
