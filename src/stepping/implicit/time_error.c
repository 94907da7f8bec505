#include "stepping/implicit/time_error.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 4096, COLUMNS = 3 + 3 * SHERD_TRAIL_LENGTH };

// Sums of m times squares [kg m^2] and of m times vectors [kg m].
typedef struct sherd_time_error_sums {
    double mass, all_mass; // without held elements; of all [kg]
    double error, uniform, move, displacement, bend;
    sherd_vec3 mean_displacement, mean_bend;
} sherd_time_error_sums;

bool sherd_time_errors_init(sherd_time_errors *errors, const sherd_elements *elements)
{
    size_t n = (size_t)elements->count;
    *errors =
        (sherd_time_errors){.count = elements->count,
                            .memory = sherd_alloc(COLUMNS * n, sizeof(float)),
                            .sums = sherd_alloc(n / CHUNK + 1, sizeof(sherd_time_error_sums))};
    if (errors->memory == NULL || errors->sums == NULL) return false;
    for (int c = 0; c < 3; ++c) {
        errors->start[c] = errors->memory + (size_t)c * n;
        for (int t = 0; t < SHERD_TRAIL_LENGTH; ++t)
            errors->trail[t][c] = errors->memory + (size_t)(3 + 3 * t + c) * n;
    }
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
    return COLUMNS * (size_t)errors->count * sizeof(float);
}

// ---------------------------------------------------------------- sums

typedef struct error_pass {
    const sherd_time_errors *errors;
    const sherd_prediction *prediction; // NULL: the trail of samples is used instead
    const sherd_elements *elements;
    double h; // since the newest sample [s]
} error_pass;

// Contribution of an element to the sums.
typedef struct element_error {
    sherd_vec3 error, move, displacement, bend; // [m]
    sherd_vec3 uniform;                         // deviation from uniform motion [m]
} element_error;

static sherd_vec3 displacement_of(const error_pass *pass, size_t k)
{
    float *const *start = pass->errors->start;
    return vec3_sub(sherd_element_position(pass->elements, (sherd_element_index)k),
                    vec3((double)start[0][k], (double)start[1][k], (double)start[2][k]));
}

static element_error error_of_step(const error_pass *pass, size_t k)
{
    const sherd_prediction *in = pass->prediction;
    sherd_vec3 p = sherd_element_position(pass->elements, (sherd_element_index)k), predicted;
    sherd_quat q;
    sherd_predict(in, k, &predicted, &q);
    sherd_vec3 now = sherd_node_position(in->now, k);
    sherd_vec3 move = vec3_sub(p, now), bend = {0};
    if (in->before > 0.0)
        bend = vec3_add_scaled(move, -in->dt / in->before,
                               vec3_sub(now, sherd_node_position(in->old, k)));
    sherd_vec3 uniform = vec3_add_scaled(move, -in->dt, sherd_node_velocity(in->now, k));
    return (element_error){vec3_sub(p, predicted), move, displacement_of(pass, k), bend, uniform};
}

// Age 0 is the newest.
static int note_of(const sherd_time_errors *errors, int age)
{
    return (errors->trail_newest + age) % SHERD_TRAIL_LENGTH;
}

static sherd_vec3 noted(const sherd_time_errors *errors, int age, size_t k)
{
    float *const *at = errors->trail[note_of(errors, age)];
    return vec3((double)at[0][k], (double)at[1][k], (double)at[2][k]);
}

// By divided differences over the last four positions: the error of BDF2 is 2/9 h^3 p'''.
static element_error error_of_trail(const error_pass *pass, size_t k)
{
    const sherd_time_errors *t = pass->errors;
    double h[3] = {pass->h, t->trail_step[note_of(t, 0)], t->trail_step[note_of(t, 1)]};
    sherd_vec3 at[4] = {displacement_of(pass, k), noted(t, 0, k), noted(t, 1, k), noted(t, 2, k)},
               v[3];
    for (int s = 0; s < 3; ++s)
        v[s] = vec3_scale(1.0 / h[s], vec3_sub(at[s], at[s + 1]));
    sherd_vec3 a = vec3_scale(2.0 / (h[0] + h[1]), vec3_sub(v[0], v[1])),
               before = vec3_scale(2.0 / (h[1] + h[2]), vec3_sub(v[1], v[2])),
               jerk = vec3_scale(3.0 / (h[0] + h[1] + h[2]), vec3_sub(a, before));
    double h2 = h[0] * h[0];
    return (element_error){.error = vec3_scale(2.0 / 9.0 * h2 * h[0], jerk),
                           .move = vec3_sub(at[0], at[1]),
                           .displacement = at[0],
                           .bend = vec3_scale(h2, a)};
}

static void add_element(const error_pass *pass, size_t k, sherd_time_error_sums *sums)
{
    element_error e = pass->prediction != NULL ? error_of_step(pass, k) : error_of_trail(pass, k);
    double mass = sherd_element_mass(pass->elements, (sherd_element_index)k);
    sums->mass += mass;
    sums->error += mass * vec3_dot(e.error, e.error);
    sums->uniform += mass * vec3_dot(e.uniform, e.uniform);
    sums->move += mass * vec3_dot(e.move, e.move);
    sums->displacement += mass * vec3_dot(e.displacement, e.displacement);
    sums->bend += mass * vec3_dot(e.bend, e.bend);
    sums->mean_displacement = vec3_add_scaled(sums->mean_displacement, mass, e.displacement);
    sums->mean_bend = vec3_add_scaled(sums->mean_bend, mass, e.bend);
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
        sums.error += chunk->error, sums.uniform += chunk->uniform, sums.move += chunk->move;
        sums.displacement += chunk->displacement, sums.bend += chunk->bend;
        sums.mean_displacement = vec3_add(sums.mean_displacement, chunk->mean_displacement);
        sums.mean_bend = vec3_add(sums.mean_bend, chunk->mean_bend);
    }
    return sums;
}

// ---------------------------------------------------------------- estimates

// The difference to the prediction, whose error is dt^3 p''' (1/6 + before/(4 dt)), where that of BDF2 is
// dt^3 p''' (1 + r)^2 / (6 r (1 + 2 r)), r = dt / before. The error of Euler is all of dt^2 a / 2, which the
// prediction contains.
double sherd_time_error_share(sherd_scheme_kind scheme, double dt, double before)
{
    if (scheme != SHERD_SCHEME_KIND_BDF2) return 1.0;
    double r = dt / before;
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
void sherd_time_error_judge_bend(sherd_time_error *result, double bend, double dt,
                                 const sherd_error_rates *before)
{
    static const double KEPT = 0.9; // from one step to the next
    result->bend_rate = fmax(bend / (dt * dt), KEPT * before->bend_rate);
    result->error_rate = fmax(result->error / (dt * dt * dt), KEPT * before->error_rate);
    result->bend = result->bend_rate * dt * dt;
    if (result->bend > 0.0) result->theta = 4.5 * result->error_rate * dt / result->bend_rate;
}

// A vibration of energy E and phase theta per step has an error of at most 2/9 A theta^3 (BDF2) and
// loses E theta^4 / 2; with Euler A theta^2 / 2 and E theta^2, where the error is the present one:
// half of its square is the mean.
static double power_lost(const sherd_time_error *t, sherd_scheme_kind scheme, double mass,
                         double dt)
{
    double error =
        scheme == SHERD_SCHEME_KIND_BDF2 ? 4.5 * t->error_rate * dt * dt * dt : 4.0 * t->error;
    return 0.25 * mass * error * error / (dt * dt * dt);
}

// bend alone is checked.
static sherd_time_error add_up(error_pass *pass, double fraction, sherd_time_error_sums *sums,
                               const sherd_parallel *parallel)
{
    sherd_parallel_for(parallel, (size_t)pass->errors->count, CHUNK, sum_chunk, pass);
    *sums = sum_up(pass->errors);
    return (sherd_time_error){
        .error = fraction * sqrt(sums->error / sums->all_mass),
        .move = sqrt(sums->move / sums->all_mass),
        .prediction_error = sqrt(sums->error / sums->all_mass),
        .uniform_error = sqrt(sums->uniform / sums->all_mass),
        .displacement = fmax(spread(sums->displacement, sums->mean_displacement, sums->mass),
                             pass->errors->rates.max_displacement),
        .spent = pass->errors->rates.spent,
        .bend = INFINITY};
}

sherd_time_error sherd_time_errors_judge(const sherd_time_errors *errors,
                                         const sherd_prediction *prediction,
                                         sherd_scheme_kind scheme, const sherd_elements *elements,
                                         const sherd_parallel *parallel)
{
    error_pass pass = {.errors = errors, .prediction = prediction, .elements = elements};
    sherd_time_error_sums sums;
    double fraction = sherd_time_error_share(scheme, prediction->dt, prediction->before);
    sherd_time_error result = add_up(&pass, fraction, &sums, parallel);
    double bend = spread(sums.bend, sums.mean_bend, sums.mass);
    if (prediction->before > 0.0)
        sherd_time_error_judge_bend(&result, bend, prediction->dt, &errors->rates);
    result.loss = power_lost(&result, scheme, sums.all_mass, prediction->dt);
    return result;
}

void sherd_error_rates_take(sherd_error_rates *rates, const sherd_time_error *of)
{
    rates->bend_rate = of->bend_rate;
    rates->error_rate = of->error_rate;
    rates->max_displacement = of->displacement;
}

static void note(sherd_time_errors *errors, double h, const error_pass *pass)
{
    int newest = (errors->trail_newest + SHERD_TRAIL_LENGTH - 1) % SHERD_TRAIL_LENGTH;
    float *const *at = errors->trail[newest];
    for (size_t k = 0; k < (size_t)errors->count; ++k) {
        sherd_vec3 displacement = displacement_of(pass, k);
        at[0][k] = (float)displacement.x, at[1][k] = (float)displacement.y,
        at[2][k] = (float)displacement.z;
    }
    errors->trail_step[newest] = h;
    errors->trail_newest = newest;
    errors->trail_count += errors->trail_count < SHERD_TRAIL_LENGTH;
}

sherd_time_error sherd_time_errors_sample(sherd_time_errors *errors, double h,
                                          const sherd_elements *elements,
                                          const sherd_parallel *parallel)
{
    error_pass pass = {.errors = errors, .elements = elements, .h = h};
    sherd_time_error result = {.bend = INFINITY};
    if (errors->trail_count == SHERD_TRAIL_LENGTH) {
        sherd_time_error_sums sums;
        result = add_up(&pass, 1.0, &sums, parallel);
        double bend = spread(sums.bend, sums.mean_bend, sums.mass);
        sherd_time_error_judge_bend(&result, bend, h, &errors->rates);
        result.loss = power_lost(&result, SHERD_SCHEME_KIND_BDF2, sums.all_mass, h);
        sherd_error_rates_take(&errors->rates, &result);
    }
    note(errors, h, &pass);
    return result;
}

void sherd_time_errors_clear_samples(sherd_time_errors *errors)
{
    errors->trail_count = 0;
    sherd_time_errors_forget(errors);
}

void sherd_time_errors_accept(sherd_time_errors *errors, const sherd_time_error *of)
{
    sherd_error_rates_take(&errors->rates, of);
    errors->rates.spent += of->error;
}

void sherd_time_errors_forget(sherd_time_errors *errors)
{
    errors->rates.bend_rate = errors->rates.error_rate = 0.0;
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member MEMBERS[] = {
    SHERD_NAMED_MEMBER(sherd_time_errors, rates.bend_rate, "bend_rate"),
    SHERD_NAMED_MEMBER(sherd_time_errors, rates.error_rate, "error_rate"),
    SHERD_NAMED_MEMBER(sherd_time_errors, rates.max_displacement, "longest_way"),
    SHERD_NAMED_MEMBER(sherd_time_errors, rates.spent, "spent"),
    SHERD_ARRAY_MEMBER(sherd_time_errors, trail_step),
    SHERD_MEMBER(sherd_time_errors, trail_count),
    SHERD_MEMBER(sherd_time_errors, trail_newest)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(sherd_time_errors, MEMBERS);

static sherd_record_column positions_column(const sherd_time_errors *errors)
{
    return (sherd_record_column){"places", &sherd_rows_f32, errors->memory,
                                 sherd_time_errors_bytes(errors) / sizeof *errors->memory, 0};
}

void sherd_time_errors_save(const sherd_time_errors *errors, sherd_byte_buffer *out)
{
    sherd_record_column positions = positions_column(errors);
    size_t begun = sherd_record_begin(out, "time_errors");
    sherd_record_write_one(out, "state", &LAYOUT, errors);
    sherd_record_write(out, &positions);
    sherd_record_end(out, begun);
}

void sherd_time_errors_restore(sherd_time_errors *errors, sherd_record_reader *in)
{
    sherd_record_column positions = positions_column(errors);
    sherd_record_reader part = sherd_record_enter(in, "time_errors");
    sherd_record_read_one(&part, "state", &LAYOUT, errors);
    sherd_record_read(&part, &positions);
    sherd_record_leave(&part);
    // Checked, because the bytes may be damaged.
    if (errors->trail_count < 0 || errors->trail_count > SHERD_TRAIL_LENGTH)
        errors->trail_count = 0;
    errors->trail_newest = errors->trail_newest > 0 ? errors->trail_newest % SHERD_TRAIL_LENGTH : 0;
}
