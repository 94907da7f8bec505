#include "implicit/time_error.h"

#include "base/memory.h"

#include <math.h>

enum { CHUNK = 4096 };

// Sums of m times squares [kg m^2] and of m times vectors [kg m].
typedef struct sherd_time_error_sums {
    double mass, all_mass; // without held elements; of all [kg]
    double error, move, way, bend;
    sherd_vec3 mean_way, mean_bend;
} sherd_time_error_sums;

bool sherd_time_errors_init(sherd_time_errors *errors, const sherd_elements *elements)
{
    size_t n = (size_t)elements->count;
    *errors =
        (sherd_time_errors){.count = elements->count,
                            .memory = sherd_alloc(3 * n, sizeof(float)),
                            .sums = sherd_alloc(n / CHUNK + 1, sizeof(sherd_time_error_sums))};
    if (errors->memory == NULL || errors->sums == NULL) return false;
    for (int c = 0; c < 3; ++c)
        errors->start[c] = errors->memory + (size_t)c * n;
    for (size_t k = 0; k < n; ++k) {
        errors->start[0][k] = (float)elements->px[k];
        errors->start[1][k] = (float)elements->py[k];
        errors->start[2][k] = (float)elements->pz[k];
    }
    return true;
}

void sherd_time_errors_free(sherd_time_errors *errors)
{
    sherd_free(errors->memory);
    sherd_free(errors->sums);
    *errors = (sherd_time_errors){0};
}

size_t sherd_time_errors_bytes(const sherd_time_errors *errors)
{
    return 3 * (size_t)errors->count * sizeof(float);
}

// ---------------------------------------------------------------- sums

typedef struct error_pass {
    const sherd_time_errors *errors;
    const sherd_prediction *prediction;
    const sherd_elements *elements;
} error_pass;

static void add_element(const error_pass *pass, size_t k, sherd_time_error_sums *sums)
{
    const sherd_prediction *in = pass->prediction;
    float *const *start = pass->errors->start;
    sherd_vec3 p = sherd_element_position(pass->elements, (sherd_element_index)k), predicted;
    sherd_quat q;
    sherd_predict(in, k, &predicted, &q);
    sherd_vec3 now = sherd_node_position(in->now, k);
    sherd_vec3 error = vec3_sub(p, predicted), move = vec3_sub(p, now), bend = {0};
    sherd_vec3 way =
        vec3_sub(p, vec3((double)start[0][k], (double)start[1][k], (double)start[2][k]));
    if (in->before > 0.0)
        bend = vec3_add_scaled(move, -in->dt / in->before,
                               vec3_sub(now, sherd_node_position(in->old, k)));
    double mass = sherd_element_mass(pass->elements, (sherd_element_index)k);
    sums->mass += mass;
    sums->error += mass * vec3_dot(error, error);
    sums->move += mass * vec3_dot(move, move);
    sums->way += mass * vec3_dot(way, way);
    sums->bend += mass * vec3_dot(bend, bend);
    sums->mean_way = vec3_add_scaled(sums->mean_way, mass, way);
    sums->mean_bend = vec3_add_scaled(sums->mean_bend, mass, bend);
}

static void sum_chunk(void *context, size_t begin, size_t end)
{
    const error_pass *pass = context;
    sherd_time_error_sums sums = {0};
    for (size_t k = begin; k < end; ++k) {
        sums.all_mass += sherd_element_mass(pass->elements, (sherd_element_index)k);
        if (!pass->elements->held[k]) add_element(pass, k, &sums);
    }
    pass->errors->sums[begin / CHUNK] = sums;
}

static sherd_time_error_sums sum_up(const sherd_time_errors *errors)
{
    sherd_time_error_sums sums = {0};
    for (size_t b = 0; b * CHUNK < (size_t)errors->count; ++b) {
        const sherd_time_error_sums *chunk = &errors->sums[b];
        sums.mass += chunk->mass, sums.all_mass += chunk->all_mass;
        sums.error += chunk->error, sums.move += chunk->move;
        sums.way += chunk->way, sums.bend += chunk->bend;
        sums.mean_way = vec3_add(sums.mean_way, chunk->mean_way);
        sums.mean_bend = vec3_add(sums.mean_bend, chunk->mean_bend);
    }
    return sums;
}

// ---------------------------------------------------------------- judgement

// The difference to the prediction, which misses dt^3 p''' (1/6 + before/(4 dt)) where BDF2 misses
// dt^3 p''' (1 + r)^2 / (6 r (1 + 2 r)), r = dt / before. Euler misses all of dt^2 a / 2 that the prediction
// has.
static double error_share(const sherd_prediction *in, sherd_scheme_kind scheme)
{
    if (scheme != SHERD_SCHEME_KIND_BDF2) return 1.0;
    double r = in->dt / in->before;
    double misses = (1.0 + r) * (1.0 + r) / (6.0 * r * (1.0 + 2.0 * r));
    return misses / (misses + 1.0 / 6.0 + 0.25 / r);
}

// rms without the mean.
static double spread(double squares, sherd_vec3 sum, double mass)
{
    if (!(mass > 0.0)) return 0.0;
    return sqrt(fmax(squares / mass - vec3_dot(sum, sum) / (mass * mass), 0.0));
}

// With BDF2's error, 2/9 theta bend.
static void judge_bend(const sherd_time_errors *errors, const sherd_time_error_sums *sums,
                       double dt, sherd_time_error *result)
{
    static const double KEPT = 0.9; // from one step to the next
    double bend = spread(sums->bend, sums->mean_bend, sums->mass);
    result->bend_rate = fmax(bend / (dt * dt), KEPT * errors->bend_rate);
    result->error_rate = fmax(result->error / (dt * dt * dt), KEPT * errors->error_rate);
    result->bend = result->bend_rate * dt * dt;
    if (result->bend > 0.0) result->turn = 4.5 * result->error_rate * dt / result->bend_rate;
}

sherd_time_error sherd_time_errors_judge(const sherd_time_errors *errors,
                                         const sherd_prediction *prediction,
                                         sherd_scheme_kind scheme, const sherd_elements *elements,
                                         const sherd_parallel *parallel)
{
    error_pass pass = {errors, prediction, elements};
    sherd_parallel_for(parallel, (size_t)errors->count, CHUNK, sum_chunk, &pass);
    sherd_time_error_sums sums = sum_up(errors);
    sherd_time_error result = {.error = error_share(prediction, scheme) *
                                        sqrt(sums.error / sums.all_mass),
                               .move = sqrt(sums.move / sums.all_mass),
                               .way = spread(sums.way, sums.mean_way, sums.mass),
                               .bend = INFINITY};
    if (prediction->before > 0.0) judge_bend(errors, &sums, prediction->dt, &result);
    return result;
}

void sherd_time_errors_accept(sherd_time_errors *errors, const sherd_time_error *of)
{
    errors->bend_rate = of->bend_rate;
    errors->error_rate = of->error_rate;
}
