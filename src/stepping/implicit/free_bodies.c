#include "stepping/implicit/free_bodies.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- motions

bool sherd_free_bodies_init(sherd_free_bodies *bodies, sherd_contact_trial *trial)
{
    int count = trial != NULL ? sherd_contact_trial_body_count(trial) : 0;
    size_t n = (size_t)count;
    *bodies = (sherd_free_bodies){.trial = trial, .count = count};
    bodies->memory = sherd_alloc(2 * n, sizeof *bodies->memory);
    bodies->targets = sherd_alloc(n, sizeof *bodies->targets);
    bodies->inertia = sherd_alloc(n, sizeof *bodies->inertia);
    bodies->flies = sherd_alloc(n, sizeof *bodies->flies);
    if (bodies->memory == NULL || bodies->targets == NULL || bodies->inertia == NULL ||
        bodies->flies == NULL)
        return false;
    bodies->now = bodies->memory, bodies->old = bodies->memory + n;
    return true;
}

void sherd_free_bodies_free(sherd_free_bodies *bodies)
{
    sherd_free(bodies->memory);
    sherd_free(bodies->targets);
    sherd_free(bodies->inertia);
    sherd_free(bodies->flies);
    *bodies = (sherd_free_bodies){0};
}

size_t sherd_free_bodies_bytes(const sherd_free_bodies *bodies)
{
    return (size_t)bodies->count * (2 * sizeof *bodies->memory + sizeof *bodies->targets +
                                    sizeof *bodies->inertia + sizeof *bodies->flies);
}

static sherd_body_motion motion_of(const sherd_rigid_body *body)
{
    return (sherd_body_motion){body->centre, body->velocity, body->angular_momentum};
}

static void turn(sherd_free_bodies *bodies)
{
    sherd_body_motion *last = bodies->old;
    bodies->old = bodies->now;
    bodies->now = last;
}

void sherd_free_bodies_accept(sherd_free_bodies *bodies, const sherd_time_error *error)
{
    turn(bodies);
    sherd_error_rates_take(&bodies->rates, error);
    bodies->rates.spent += error->error;
}

void sherd_free_bodies_take(sherd_free_bodies *bodies, bool turns)
{
    if (turns) turn(bodies);
    for (int b = 0; b < bodies->count; ++b)
        bodies->now[b] = motion_of(sherd_contact_trial_body_start(bodies->trial, b));
}

// Acceleration of body b by its load at the start of a step and gravity, and the torque on it.
static sherd_vec3 pull_at_start(const sherd_free_bodies *bodies, int b, sherd_vec3 gravity,
                                sherd_vec3 *torque)
{
    sherd_vec3 force;
    sherd_contact_trial_body_start_load(bodies->trial, b, &force, torque);
    double mass = sherd_contact_trial_body_start(bodies->trial, b)->properties.mass;
    return vec3_add_scaled(gravity, 1.0 / mass, force);
}

void sherd_free_bodies_extrapolate(sherd_free_bodies *bodies, double h, sherd_vec3 gravity)
{
    for (int b = 0; b < bodies->count; ++b) {
        sherd_body_motion at = motion_of(sherd_contact_trial_body_start(bodies->trial, b));
        sherd_vec3 torque, pull = pull_at_start(bodies, b, gravity, &torque);
        sherd_body_motion *old = &bodies->old[b];
        old->velocity = vec3_add_scaled(at.velocity, -h, pull);
        old->centre = vec3_add_scaled(at.centre, -0.5 * h, vec3_add(at.velocity, old->velocity));
        old->angular_momentum = vec3_add_scaled(at.angular_momentum, -h, torque);
    }
}

double sherd_free_bodies_jump(const sherd_free_bodies *bodies, double before, sherd_vec3 gravity,
                              const sherd_rigid_drag_limits *limits)
{
    double worst = 0.0;
    for (int b = 0; b < bodies->count; ++b) {
        sherd_vec3 torque, pull = pull_at_start(bodies, b, gravity, &torque);
        sherd_vec3 v = sherd_contact_trial_body_start(bodies->trial, b)->velocity;
        if (!(vec3_length(v) > limits->slow)) continue;
        sherd_vec3 change = vec3_sub(v, bodies->old[b].velocity);
        double jump = vec3_length(vec3_add_scaled(change, -before, pull));
        worst = fmax(worst, jump / (before * limits->drag));
    }
    return worst;
}

// ---------------------------------------------------------------- targets

static bool is_zero(sherd_vec3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

static bool is_loaded(const sherd_free_bodies *bodies, int b)
{
    sherd_vec3 force, torque;
    sherd_contact_trial_body_load(bodies->trial, b, &force, &torque);
    return !is_zero(force) || !is_zero(torque);
}

static bool starts_loaded(const sherd_free_bodies *bodies, int b)
{
    sherd_vec3 force, torque;
    sherd_contact_trial_body_start_load(bodies->trial, b, &force, &torque);
    return !is_zero(force) || !is_zero(torque);
}

static sherd_node_inertia inertia_of(const sherd_rigid_body *body)
{
    sherd_node_inertia inertia = {.mass = body->properties.mass};
    sherd_vec3 moments = body->properties.inertia;
    sherd_vec3 axes[3] = {quat_rotate(body->rotation, vec3(1, 0, 0)),
                          quat_rotate(body->rotation, vec3(0, 1, 0)),
                          quat_rotate(body->rotation, vec3(0, 0, 1))};
    double moment[3] = {moments.x, moments.y, moments.z};
    for (int a = 0; a < 3; ++a) {
        double x[3] = {axes[a].x, axes[a].y, axes[a].z};
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                inertia.moment[r][c] += moment[a] * x[r] * x[c];
    }
    return inertia;
}

// now a_n + old a_{n-1}, as a difference from a_n: no digits are lost far from the origin.
static sherd_vec3 weighed_place(const sherd_scheme_weights *w, sherd_vec3 now, sherd_vec3 old)
{
    return w->old != 0.0 ? vec3_add_scaled(now, w->old, vec3_sub(old, now)) : now;
}

static sherd_vec3 weighed(const sherd_scheme_weights *w, sherd_vec3 now, sherd_vec3 old)
{
    return w->old != 0.0 ? vec3_add_scaled(vec3_scale(w->now, now), w->old, old) : now;
}

static sherd_vec3 flown_to(const sherd_body_motion *from, const sherd_body_step *step)
{
    sherd_vec3 mean = vec3_add_scaled(from->velocity, 0.5 * step->dt, step->gravity);
    return vec3_add_scaled(from->centre, step->dt, mean);
}

// The centre after free motion by the scheme.
static sherd_vec3 centre_of_target(const sherd_free_bodies *bodies, int b,
                                   const sherd_body_step *step)
{
    const sherd_body_motion *now = &bodies->now[b], *old = &bodies->old[b];
    const sherd_scheme_weights *w = step->weights;
    if (bodies->flies[b]) return flown_to(now, step);
    sherd_vec3 velocity =
        vec3_add_scaled(weighed(w, now->velocity, old->velocity), 1.0 / w->gamma, step->gravity);
    return vec3_add_scaled(weighed_place(w, now->centre, old->centre), 1.0 / w->gamma, velocity);
}

// The body at the start, rotated by free motion.
static sherd_rigid_body rotated(const sherd_free_bodies *bodies, int b, const sherd_body_step *step)
{
    sherd_rigid_body body = *sherd_contact_trial_body_start(bodies->trial, b);
    double lead = step->weights->gamma * step->dt;
    if (step->weights->old != 0.0) {
        sherd_vec3 change =
            vec3_sub(bodies->now[b].angular_momentum, bodies->old[b].angular_momentum);
        body.angular_momentum = vec3_add_scaled(
            body.angular_momentum, (0.5 - 1.0 / (lead * lead)) * step->dt / step->before, change);
    }
    sherd_rigid_body_drift(&body, step->dt);
    return body;
}

void sherd_free_bodies_aim(sherd_free_bodies *bodies, const sherd_body_step *step, bool lands)
{
    for (int b = 0; b < bodies->count; ++b) {
        bodies->flies[b] = step->scheme == SHERD_SCHEME_KIND_EULER && !starts_loaded(bodies, b) &&
                           !(lands && is_loaded(bodies, b));
        sherd_rigid_body body = rotated(bodies, b, step);
        bodies->inertia[b] = inertia_of(&body);
        bodies->targets[b] = (sherd_body_target){centre_of_target(bodies, b, step), body.rotation,
                                                 bodies->inertia[b]};
    }
}

// The start is the flight, or the motion with the acceleration of the last two velocities.
void sherd_free_bodies_predict(sherd_free_bodies *bodies, const sherd_body_step *step)
{
    for (int b = 0; b < bodies->count; ++b) {
        const sherd_body_motion *now = &bodies->now[b];
        sherd_rigid_body *body = sherd_contact_trial_body(bodies->trial, b);
        *body = *sherd_contact_trial_body_start(bodies->trial, b);
        body->rotation = bodies->targets[b].rotation;
        body->centre = bodies->targets[b].centre;
        if (bodies->flies[b]) continue;
        sherd_vec3 velocity = now->velocity;
        if (step->weights->old != 0.0)
            velocity = vec3_add_scaled(velocity, 0.5 * step->dt / step->before,
                                       vec3_sub(now->velocity, bodies->old[b].velocity));
        body->centre = vec3_add_scaled(now->centre, step->dt, velocity);
    }
}

bool sherd_free_bodies_land(const sherd_free_bodies *bodies)
{
    for (int b = 0; b < bodies->count; ++b)
        if (bodies->flies[b] && is_loaded(bodies, b)) return true;
    return false;
}

// After one linearised iteration loads are not those by which it moved, which elements got the opposite of: they
// follow from the body's displacement from its target, in the iteration's own quadratic energy.
static void finish_linearised(sherd_free_bodies *bodies, int b, double gamma)
{
    const sherd_body_motion *now = &bodies->now[b];
    const sherd_body_target *target = &bodies->targets[b];
    sherd_rigid_body *body = sherd_contact_trial_body(bodies->trial, b);
    sherd_vec3 turned =
        quat_to_rotation_vector(quat_multiply(body->rotation, quat_conjugate(target->rotation)));
    body->velocity = vec3_scale(gamma, vec3_sub(body->centre, now->centre));
    body->angular_momentum = vec3_add_scaled(now->angular_momentum, gamma,
                                             sherd_node_inertia_times(&target->inertia, turned));
}

void sherd_free_bodies_finish(sherd_free_bodies *bodies, const sherd_body_step *step)
{
    if (step->scheme == SHERD_SCHEME_KIND_LINEAR_EULER) {
        for (int b = 0; b < bodies->count; ++b)
            finish_linearised(bodies, b, step->weights->gamma);
        return;
    }
    const sherd_scheme_weights *w = step->weights;
    for (int b = 0; b < bodies->count; ++b) {
        const sherd_body_motion *now = &bodies->now[b], *old = &bodies->old[b];
        sherd_rigid_body *body = sherd_contact_trial_body(bodies->trial, b);
        sherd_vec3 force, torque;
        sherd_contact_trial_body_load(bodies->trial, b, &force, &torque);
        sherd_vec3 acceleration =
            vec3_add_scaled(step->gravity, 1.0 / body->properties.mass, force);
        body->velocity =
            vec3_add_scaled(weighed(w, now->velocity, old->velocity), 1.0 / w->gamma, acceleration);
        body->angular_momentum = vec3_add_scaled(
            weighed(w, now->angular_momentum, old->angular_momentum), 1.0 / w->gamma, torque);
        body->centre = bodies->flies[b]
                           ? flown_to(now, step)
                           : vec3_add_scaled(weighed_place(w, now->centre, old->centre),
                                             1.0 / w->gamma, body->velocity);
        SHERD_ASSERT(isfinite(vec3_length(body->centre)), "bodies stay at finite places");
    }
}

// ---------------------------------------------------------------- errors

// Distance from the motion with the acceleration of the last two velocities; BDF2's error is a third
// of it or less (time_error.c). Flights are exact.
static double error_of(const sherd_free_bodies *bodies, int b, const sherd_body_step *step)
{
    const sherd_body_motion *now = &bodies->now[b];
    if (bodies->flies[b]) return 0.0;
    sherd_vec3 half = vec3_scale(0.5 * step->dt, step->gravity);
    if (step->before > 0.0)
        half = vec3_scale(0.5 * step->dt / step->before,
                          vec3_sub(now->velocity, bodies->old[b].velocity));
    sherd_vec3 expected = vec3_add_scaled(now->centre, step->dt, vec3_add(now->velocity, half));
    return vec3_length(vec3_sub(sherd_contact_trial_body(bodies->trial, b)->centre, expected));
}

// Mass-weighted sums of squares [kg m^2].
typedef struct body_sums {
    double mass, error, move, displacement, bend;
} body_sums;

static void add_body(const sherd_free_bodies *bodies, int b, const sherd_body_step *step,
                     body_sums *sums)
{
    const sherd_rigid_body *body = sherd_contact_trial_body(bodies->trial, b);
    const sherd_body_motion *now = &bodies->now[b];
    double m = body->properties.mass, error = error_of(bodies, b, step);
    sherd_vec3 move = vec3_sub(body->centre, now->centre),
               displacement = vec3_sub(body->centre, body->start), bend = {0};
    if (step->before > 0.0)
        bend = vec3_add_scaled(move, -step->dt / step->before,
                               vec3_sub(now->centre, bodies->old[b].centre));
    sums->mass += m;
    sums->error += m * error * error;
    sums->move += m * vec3_dot(move, move);
    sums->displacement += m * vec3_dot(displacement, displacement);
    sums->bend += m * vec3_dot(bend, bend);
}

sherd_time_error sherd_free_bodies_judge(const sherd_free_bodies *bodies,
                                         const sherd_body_step *step)
{
    body_sums sums = {0};
    for (int b = 0; b < bodies->count; ++b)
        add_body(bodies, b, step, &sums);
    if (!(sums.mass > 0.0)) return (sherd_time_error){.bend = INFINITY};
    double fraction = sherd_time_error_share(step->scheme, step->dt, step->before);
    sherd_time_error result = {
        .error = fraction * sqrt(sums.error / sums.mass),
        .move = sqrt(sums.move / sums.mass),
        .prediction_error = sqrt(sums.error / sums.mass),
        .displacement = fmax(sqrt(sums.displacement / sums.mass), bodies->rates.max_displacement),
        .spent = bodies->rates.spent,
        .bend = INFINITY};
    if (step->before > 0.0)
        sherd_time_error_judge_bend(&result, sqrt(sums.bend / sums.mass), step->dt, &bodies->rates);
    return result;
}

// Kinetic energy of body b with these velocities and angular momenta, at its rotation of the end.
static double kinetic(const sherd_rigid_body *body, sherd_vec3 velocity, sherd_vec3 momentum)
{
    sherd_rigid_body moving = *body;
    moving.velocity = velocity, moving.angular_momentum = momentum;
    return sherd_rigid_body_kinetic_energy(&moving);
}

double sherd_free_bodies_drag(const sherd_free_bodies *bodies, const sherd_body_step *step,
                              const sherd_rigid_drag_limits *limits)
{
    double worst = 0.0, gamma = step->weights->gamma;
    for (int b = 0; b < bodies->count; ++b) {
        if (bodies->flies[b]) continue;
        const sherd_body_motion *now = &bodies->now[b];
        const sherd_rigid_body *body = sherd_contact_trial_body(bodies->trial, b);
        double mass = body->properties.mass;
        sherd_vec3 force, torque;
        sherd_contact_trial_body_load(bodies->trial, b, &force, &torque);
        sherd_vec3 kick =
                       vec3_scale(1.0 / gamma, vec3_add_scaled(step->gravity, 1.0 / mass, force)),
                   twist = vec3_scale(1.0 / gamma, torque);
        double before = kinetic(body, now->velocity, now->angular_momentum),
               after = kinetic(body, vec3_add(now->velocity, kick),
                               vec3_add(now->angular_momentum, twist)),
               speed = sqrt(2.0 * fmax(before, after) / mass);
        if (!(speed > limits->slow)) continue;
        worst = fmax(worst, kinetic(body, kick, twist) / (limits->drag * mass * speed * step->dt));
    }
    return worst;
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member MEMBERS[] = {SHERD_MEMBER(sherd_body_motion, centre),
                                           SHERD_MEMBER(sherd_body_motion, velocity),
                                           SHERD_MEMBER(sherd_body_motion, angular_momentum)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(sherd_body_motion, MEMBERS);

static sherd_record_column column_of(const sherd_free_bodies *bodies, bool sampled)
{
    return (sherd_record_column){sampled ? "sampled_bodies" : "old_bodies", &LAYOUT,
                                 sampled ? bodies->now : bodies->old, (size_t)bodies->count, 0};
}

static const sherd_row_member RATES[] = {
    SHERD_MEMBER(sherd_error_rates, bend_rate), SHERD_MEMBER(sherd_error_rates, error_rate),
    SHERD_MEMBER(sherd_error_rates, max_displacement), SHERD_MEMBER(sherd_error_rates, spent)};
static const sherd_row_layout RATES_LAYOUT = SHERD_ROW_LAYOUT(sherd_error_rates, RATES);

void sherd_free_bodies_save(const sherd_free_bodies *bodies, bool sampled, sherd_byte_buffer *out)
{
    if (bodies->count == 0) return;
    sherd_record_column column = column_of(bodies, sampled);
    sherd_record_write_one(out, "body_errors", &RATES_LAYOUT, &bodies->rates);
    sherd_record_write(out, &column);
}

void sherd_free_bodies_restore(sherd_free_bodies *bodies, bool sampled, sherd_record_reader *in)
{
    if (bodies->count == 0) return;
    sherd_record_column column = column_of(bodies, sampled);
    sherd_record_read_one(in, "body_errors", &RATES_LAYOUT, &bodies->rates);
    sherd_record_read(in, &column);
}
