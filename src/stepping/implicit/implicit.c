#include "stepping/implicit/implicit.h"

#include "base/assertion.h"
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/momentum_projection.h"
#include "stepping/implicit/preconditioner_cache.h"
#include "stepping/implicit/prediction.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 2048, MOST_RETRIES = 4 };

struct sherd_implicit {
    sherd_implicit_parts parts;
    sherd_node_state now, old; // present state, and the one before
    sherd_node_state spare;
    double elastic; // energy of bonds in the present state, if a step led to it [J]
    bool has_old;
    double before; // length of the step from old to now [s]
    uint64_t topology;
    double smallest_radius; // [m]
    double mass;            // of all elements [kg]

    sherd_contact_trial *trial;      // NULL: no contact
    bool tried;                      // between try and accept or reject
    int64_t touching;                // pairs that pressed on each other after the last step
    bool regrouped;                  // other ones than before it, by their number; or some slid
    bool evenly;                     // and it ended nearer to where velocities alone lead
    double contraction;              // of Newton's first iterations lately; 1 = unknown
    int64_t trusted;                 // steps since it was seen
    bool tension;                    // stiffens the matrix: without it Newton was slow once
    bool renew;                      // preconditioners: one that was kept was outdated once
    sherd_preconditioner_cache kept; // preconditioners, from step to step
    sherd_grain_elimination loose;   // grains that held this minimum up
    sherd_implicit_request request;
    sherd_implicit_outcome outcome;
    sherd_scheme_weights weights;
    sherd_scheme_target target;
    sherd_momentum_projection spins;
    sherd_time_errors errors;
    sherd_linear_solver *solver;
    size_t stride;
    double *vectors; // three of six columns; owned
    int body_count;
    sherd_body_target *bodies; // owned
    sherd_node_inertia *body_inertia;
};

// ---------------------------------------------------------------- life

static void measure_elements(sherd_implicit *im)
{
    const sherd_elements *e = im->parts.elements;
    im->smallest_radius = INFINITY;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        im->smallest_radius = fmin(im->smallest_radius, sherd_element_radius(e, k));
        im->mass += sherd_element_mass(e, k);
    }
}

static sherd_status make_bodies(sherd_implicit *im, sherd_error *error)
{
    if (im->parts.contacts == NULL) return SHERD_OK;
    im->trial = sherd_contact_trial_create(im->parts.contacts, error);
    if (im->trial == NULL) return SHERD_ERROR_MEMORY;
    im->body_count = sherd_contact_trial_body_count(im->trial);
    im->bodies = sherd_alloc((size_t)im->body_count, sizeof *im->bodies);
    im->body_inertia = sherd_alloc((size_t)im->body_count, sizeof *im->body_inertia);
    if (im->bodies == NULL || im->body_inertia == NULL)
        return sherd_fail_memory(error, "free bodies");
    return SHERD_OK;
}

static sherd_status init(sherd_implicit *im, sherd_error *error)
{
    sherd_element_index n = im->parts.elements->count;
    sherd_status status = make_bodies(im, error);
    if (status != SHERD_OK) return status;
    im->stride = sherd_node_stride((size_t)n + (size_t)im->body_count);
    im->vectors = sherd_alloc(3 * SHERD_NODE_FREEDOMS * im->stride, sizeof *im->vectors);
    bool done = im->vectors != NULL && sherd_node_state_init(&im->now, n) &&
                sherd_node_state_init(&im->old, n) && sherd_node_state_init(&im->spare, n) &&
                sherd_scheme_target_init(&im->target, n) &&
                sherd_time_errors_init(&im->errors, im->parts.elements);
    if (!done) return sherd_fail_memory(error, "implicit steps");
    im->solver = sherd_linear_solver_create(SHERD_LINEAR_MULTIGRID, error);
    if (im->solver == NULL) return SHERD_ERROR_MEMORY;
    measure_elements(im);
    return SHERD_OK;
}

sherd_implicit *sherd_implicit_create(const sherd_implicit_parts *parts, sherd_error *error)
{
    sherd_implicit *im = sherd_alloc(1, sizeof *im);
    if (im == NULL) {
        (void)sherd_fail_memory(error, "implicit steps");
        return NULL;
    }
    *im = (sherd_implicit){.parts = *parts};
    if (init(im, error) == SHERD_OK) return im;
    sherd_implicit_destroy(im);
    return NULL;
}

void sherd_implicit_destroy(sherd_implicit *im)
{
    if (im == NULL) return;
    sherd_contact_trial_destroy(im->trial);
    sherd_linear_solver_destroy(im->solver);
    sherd_node_state_free(&im->now);
    sherd_node_state_free(&im->old);
    sherd_node_state_free(&im->spare);
    sherd_scheme_target_free(&im->target);
    sherd_momentum_projection_free(&im->spins);
    sherd_time_errors_free(&im->errors);
    sherd_free(im->vectors);
    sherd_free(im->bodies);
    sherd_free(im->body_inertia);
    sherd_free(im);
}

bool sherd_implicit_touches(const sherd_implicit *im)
{
    return im->touching > 0;
}

double sherd_implicit_radius(const sherd_implicit *im)
{
    return im->smallest_radius;
}

size_t sherd_implicit_bytes(const sherd_implicit *im)
{
    return sizeof *im + 3 * sherd_node_state_bytes(&im->now) +
           sherd_scheme_target_bytes(im->now.count) + sherd_time_errors_bytes(&im->errors) +
           3 * SHERD_NODE_FREEDOMS * im->stride * sizeof *im->vectors +
           sherd_linear_solver_bytes(im->solver) +
           (im->trial != NULL ? sherd_contact_trial_bytes(im->trial) : 0);
}

// ---------------------------------------------------------------- prediction

static sherd_prediction prediction_over(const sherd_implicit *im, double dt)
{
    return (sherd_prediction){&im->now, &im->old, dt, im->has_old ? im->before : 0.0,
                              im->request.gravity};
}

typedef struct predicting {
    sherd_prediction prediction;
    sherd_elements *elements;
} predicting;

static void predict_range(void *context, size_t begin, size_t end)
{
    const predicting *in = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 p;
        sherd_quat q;
        sherd_predict(&in->prediction, k, &p, &q);
        sherd_element_set_pose(in->elements, k, p, q);
    }
}

// Accelerations that the last two velocities show need not last, where contacts come and go and slide: then the
// start is even motion.
static void go_as_predicted(const sherd_implicit *im, double dt)
{
    predicting in = {prediction_over(im, dt), im->parts.elements};
    if (im->evenly) in.prediction.old = in.prediction.now;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, CHUNK, predict_range, &in);
}

static double farthest_range(void *context, size_t begin, size_t end)
{
    const predicting *in = context;
    double most2 = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 d = sherd_predict_move(&in->prediction, k);
        most2 = fmax(most2, vec3_dot(d, d));
    }
    return most2;
}

// How far any element is expected to go.
static double farthest_predicted(const sherd_implicit *im, double dt)
{
    predicting in = {prediction_over(im, dt), im->parts.elements};
    return sqrt(sherd_parallel_most(&im->parts.parallel, (size_t)im->now.count, CHUNK,
                                    farthest_range, &in));
}

// Bodies start from their free flight.
static void aim_bodies(sherd_implicit *im, sherd_vec3 gravity)
{
    double gamma = im->target.gamma, dt = 1.0 / gamma;
    for (int b = 0; b < im->body_count; ++b) {
        const sherd_rigid_body *start = sherd_contact_trial_body_start(im->trial, b);
        sherd_rigid_body *body = sherd_contact_trial_body(im->trial, b);
        *body = *start;
        sherd_rigid_body_drift(body, dt);
        sherd_body_target *target = &im->bodies[b];
        target->centre = vec3_add_scaled(body->centre, dt * dt, gravity);
        target->rotation = body->rotation;
        target->inertia.mass = body->properties.mass;
        sherd_vec3 moments = body->properties.inertia;
        sherd_vec3 axes[3] = {quat_rotate(body->rotation, vec3(1, 0, 0)),
                              quat_rotate(body->rotation, vec3(0, 1, 0)),
                              quat_rotate(body->rotation, vec3(0, 0, 1))};
        double moment[3] = {moments.x, moments.y, moments.z};
        memset(target->inertia.moment, 0, sizeof target->inertia.moment);
        for (int a = 0; a < 3; ++a) {
            double x[3] = {axes[a].x, axes[a].y, axes[a].z};
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    target->inertia.moment[r][c] += moment[a] * x[r] * x[c];
        }
        im->body_inertia[b] = target->inertia;
    }
}

// ---------------------------------------------------------------- one attempt

static sherd_status begin_contact(sherd_implicit *im, double reach, sherd_error *error)
{
    if (im->trial == NULL) return SHERD_OK;
    const sherd_implicit_request *r = &im->request;
    const sherd_bonds *bonds = im->parts.bonds;
    sherd_bond_adjacency bonded = {im->parts.adjacency->start, im->parts.adjacency->bond, bonds->i,
                                   bonds->j, bonds->broken};
    return sherd_contact_trial_begin(im->trial, im->parts.elements, &bonded, r->time, r->dt, reach,
                                     r->barrier, error);
}

// Where a contact begins or ends, accelerations jump: two-step formulas would gain energy from that. Free bodies
// advance by single steps.
static sherd_scheme_kind scheme_possible(const sherd_implicit *im, bool regroups)
{
    if (im->body_count > 0) return SHERD_SCHEME_KIND_EULER;
    if (im->request.scheme == SHERD_SCHEME_KIND_BDF2 && (!im->has_old || regroups))
        return SHERD_SCHEME_KIND_EULER;
    return im->request.scheme;
}

static void aim_by(sherd_implicit *im, sherd_scheme_kind scheme)
{
    const sherd_implicit_request *r = &im->request;
    im->outcome.scheme = scheme;
    im->weights = sherd_scheme_weigh(scheme, r->dt, im->has_old ? im->before : 1.0);
    sherd_scheme_aim(&im->target, &im->weights, &im->now, &im->old, r->gravity, r->external,
                     &im->parts.parallel);
}

static void start_guess(sherd_implicit *im, bool regroups)
{
    const sherd_implicit_request *r = &im->request;
    bool halfway = r->scheme == SHERD_SCHEME_KIND_MIDPOINT && im->body_count == 0;
    double dt = halfway ? 0.5 * r->dt : r->dt;
    go_as_predicted(im, dt);
    int64_t limited = 0;
    if (im->trial != NULL)
        limited =
            sherd_contact_trial_limit(im->trial, im->parts.elements, 0.1 * im->smallest_radius);
    aim_by(im, scheme_possible(im, regroups || limited > 0));
    if (r->place_held != NULL) r->place_held(r->context, r->time + dt, dt);
    if (im->body_count > 0) aim_bodies(im, r->gravity);
}

// The explicit scheme in the same form: loads of the present state move the elements from (p^, q^).
//                                                                              [VBDEM] (24)
static void push_range(void *context, size_t begin, size_t end)
{
    sherd_implicit *im = context;
    const sherd_scheme_target *t = &im->target;
    sherd_elements *e = im->parts.elements;
    double share = 1.0 / (t->gamma * t->gamma);
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 p = vec3(t->free_p[0][k], t->free_p[1][k], t->free_p[2][k]);
        sherd_quat q = {t->free_q[0][k], t->free_q[1][k], t->free_q[2][k], t->free_q[3][k]};
        p = vec3_add_scaled(p, share / sherd_element_mass(e, i), sherd_element_force(e, i));
        sherd_vec3 turn =
            vec3_scale(share / sherd_element_inertia(e, i), sherd_element_torque(e, i));
        sherd_element_set_pose(e, k, p,
                               quat_normalize(quat_multiply(quat_from_rotation_vector(turn), q)));
    }
}

static sherd_status push_by_present_loads(sherd_implicit *im, const sherd_objective *objective,
                                          sherd_error *error)
{
    sherd_newton_report *report = &im->outcome.newton;
    *report = (sherd_newton_report){.converged = true};
    sherd_node_state_put(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_status status =
        sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, CHUNK, push_range, im);
    if (im->request.place_held != NULL)
        im->request.place_held(im->request.context, im->request.time + im->request.dt,
                               im->request.dt);
    return sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
}

static bool hits_hard(const sherd_implicit *im, const sherd_contact_potential *contact)
{
    return contact->impact > im->request.impact || contact->rebound > im->request.rebound;
}

// The prediction, or where elements were: what has less to go. A prediction over many periods of what vibrates
// is worse than none. Where the prediction hits something too hard, there is nothing to solve for. Leaves the
// start's value and gradient, if `evaluated`.
static sherd_status better_start(sherd_implicit *im, const sherd_objective *objective,
                                 bool *hopeless, bool *evaluated, sherd_error *error)
{
    sherd_objective_value predicted, stayed;
    sherd_status status = sherd_objective_evaluate(objective, true, im->vectors, &predicted, error);
    *hopeless = status == SHERD_OK && hits_hard(im, &predicted.contact);
    *evaluated = true;
    im->outcome.newton.value = predicted;
    if (status != SHERD_OK || *hopeless || predicted.bonds.energy <= 4.0 * im->elastic)
        return status;
    sherd_node_state_take(&im->spare, im->parts.elements, &im->parts.parallel);
    sherd_node_state_put(&im->now, im->parts.elements, &im->parts.parallel);
    if (im->request.place_held != NULL)
        im->request.place_held(im->request.context, im->request.time + im->request.dt,
                               im->request.dt);
    status = sherd_objective_evaluate(objective, true, im->vectors, &stayed, error);
    im->outcome.newton.value = stayed;
    if (status == SHERD_OK && predicted.energy <= stayed.energy) {
        sherd_node_state_put(&im->spare, im->parts.elements, &im->parts.parallel);
        *evaluated = false;
    }
    return status;
}

// Whether a contact began or ended in the step. Or slid: friction points against a step's way, which only a
// single-step formula makes the direction of its velocity; others slide back where things come to rest.
static bool regroups_contacts(const sherd_implicit *im)
{
    const sherd_contact_potential *contact = &im->outcome.newton.value.contact;
    return contact->touching != im->touching || contact->sliding > 0;
}

static bool bridges_contact(const sherd_implicit *im)
{
    return im->outcome.scheme == SHERD_SCHEME_KIND_BDF2 && regroups_contacts(im);
}

typedef struct newton_parts {
    const sherd_objective *objective;
    sherd_linear_system *system;
    const sherd_newton_vectors *vectors;
    double least;
} newton_parts;

static void add_work(sherd_newton_report *report, const sherd_newton_report *before)
{
    report->iterations += before->iterations;
    report->linear_iterations += before->linear_iterations;
    report->coarse += before->coarse;
    report->outdated |= before->outdated;
}

// Minimises with friction capped by normal forces that are then renewed, until they stay as they are. Friction may
// tip a body off what pushes back less then, and so on, back and forth: later rounds go half the way. There are
// none for a state that is not kept.
static sherd_status settle_friction(sherd_implicit *im, const newton_parts *parts, bool evaluated,
                                    sherd_error *error)
{
    static const double SETTLED = 0.02; // change of normal forces, as a share of the largest
    enum { MOST_ROUNDS = 12, WHOLE_ROUNDS = 2 };
    sherd_newton_report *report = &im->outcome.newton, before = {0};
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        if (im->body_count == 0)
            sherd_preconditioner_cache_offer(&im->kept, im->target.gamma, im->topology,
                                             &im->request.newton);
        sherd_status status = sherd_newton_solve(
            parts->objective, parts->system, im->solver, parts->vectors, &im->request.newton,
            &im->now, parts->least, evaluated && round == 0, report, error);
        if (status != SHERD_OK) return status;
        sherd_preconditioner_cache_learn(&im->kept, im->target.gamma, im->topology, report);
        add_work(report, &before);
        before = *report;
        double budget = im->request.newton.budget;
        double spent = sherd_newton_spent(report->iterations, report->coarse);
        if (round > 0 && budget > 0.0 && spent >= budget) report->converged = false;
        if (im->trial == NULL || !report->converged || report->value.contact.touching == 0 ||
            bridges_contact(im) ||
            sherd_contact_trial_relag(im->trial, round < WHOLE_ROUNDS ? 1.0 : 0.5) < SETTLED)
            return SHERD_OK;
    }
    return SHERD_OK;
}

// `started`: elements are where to begin, else the better start is sought.
static sherd_status minimise(sherd_implicit *im, bool started, sherd_error *error)
{
    const sherd_implicit_parts *p = &im->parts;
    sherd_objective objective = {
        p->elements,    p->bonds,   p->blocks,  im->trial,   &im->target,
        im->body_count, im->bodies, im->stride, p->parallel, im->trial != NULL ? &im->loose : NULL};
    im->loose.count = 0;
    if (im->outcome.scheme == SHERD_SCHEME_KIND_LEFT_POINT)
        return push_by_present_loads(im, &objective, error);
    double gamma = im->target.gamma;
    sherd_linear_system system = {
        .elements = p->elements,
        .bonds = p->bonds,
        .blocks = p->blocks,
        .adjacency = p->adjacency,
        .topology = im->topology,
        .inertia = gamma * gamma,
        .damping = gamma,
        .tension = im->tension,
        .body_count = im->body_count,
        .bodies = im->body_inertia,
        .parallel = p->parallel,
    };
    size_t column = SHERD_NODE_FREEDOMS * im->stride;
    sherd_newton_vectors vectors = {im->vectors, im->vectors + column, im->vectors + 2 * column};
    // A move of all elements by 1e-6 of their radius counts as none.
    double least = 1e-6 * im->smallest_radius * gamma * sqrt(im->mass);
    bool hopeless = false, evaluated = false;
    sherd_status status = SHERD_OK;
    if (!started) status = better_start(im, &objective, &hopeless, &evaluated, error);
    if (status != SHERD_OK || hopeless) return status;
    newton_parts parts = {&objective, &system, &vectors, least};
    return settle_friction(im, &parts, evaluated, error);
}

static sherd_status begin_attempt(sherd_implicit *im, double reach, sherd_error *error)
{
    if (im->outcome.retried)
        sherd_node_state_put(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_status status = begin_contact(im, reach, error);
    if (status != SHERD_OK) return status;
    im->tried = true;
    start_guess(im, im->regrouped);
    return SHERD_OK;
}

// Once more with contact looking farther, while something goes beyond where it has looked; or, from where it led,
// by a single-step formula.
static sherd_status attempt(sherd_implicit *im, sherd_error *error)
{
    double reach = 0.0;
    bool bridges = false;
    sherd_newton_report before = {0};
    if (im->trial != NULL)
        reach = 1.2 * farthest_predicted(im, im->request.dt) + 0.5 * im->smallest_radius;
    for (int tries = 0; tries < MOST_RETRIES; ++tries) {
        sherd_status status = SHERD_OK;
        if (bridges)
            aim_by(im, SHERD_SCHEME_KIND_EULER);
        else
            status = begin_attempt(im, reach, error);
        if (status == SHERD_OK) status = minimise(im, bridges, error);
        if (status != SHERD_OK) return status;
        add_work(&im->outcome.newton, &before);
        before = im->outcome.newton;
        if (hits_hard(im, &im->outcome.newton.value.contact)) return SHERD_OK;
        double farthest = im->outcome.newton.value.contact.farthest;
        bool out_of_reach = im->trial != NULL && farthest > reach;
        bridges = !out_of_reach && bridges_contact(im);
        if (im->outcome.errs || !(out_of_reach || bridges)) return SHERD_OK;
        im->outcome.retried = true;
        if (bridges) continue;
        reach = 1.5 * farthest;
        sherd_contact_trial_abandon(im->trial);
    }
    im->outcome.newton.converged = false;
    return begin_contact(im, reach, error);
}

// ---------------------------------------------------------------- error in time

static void estimate(sherd_implicit *im)
{
    sherd_prediction prediction = prediction_over(im, im->request.dt);
    im->outcome.time = sherd_time_errors_judge(&im->errors, &prediction, im->outcome.scheme,
                                               im->parts.elements, &im->parts.parallel);
    // A is at least c M.
    im->outcome.noise = im->outcome.newton.left_norm / (im->target.gamma * sqrt(im->mass));
}

// What shows before an iteration has converged: that a two-step formula bridges a contact, or that the step errs.
static bool will_not_do(void *context)
{
    static const double ALL_BUT_THERE = 0.1;
    sherd_implicit *im = context;
    const sherd_implicit_request *r = &im->request;
    if (im->outcome.newton.left < ALL_BUT_THERE && bridges_contact(im)) return true;
    if (r->errs == NULL) return false;
    estimate(im);
    im->outcome.errs = r->errs(r->errs_context, &im->outcome);
    return im->outcome.errs;
}

// ---------------------------------------------------------------- the step

// From the middle of the step on to its end, by the same increments.     [IBDEM25] (2)-(3)
static void go_on_from_middle(sherd_implicit *im)
{
    sherd_elements *e = im->parts.elements;
    for (size_t k = 0; k < (size_t)im->now.count; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 p = sherd_node_position(&im->now, k), v = sherd_node_velocity(&im->now, k),
                   w = sherd_node_spin(&im->now, k);
        sherd_quat q = sherd_node_orientation(&im->now, k),
                   half = quat_multiply(sherd_element_orientation(e, i), quat_conjugate(q));
        sherd_element_set_pose(
            e, k, vec3_sub(vec3_scale(2.0, sherd_element_position(e, i)), p),
            quat_normalize(quat_multiply(half, sherd_element_orientation(e, i))));
        sherd_element_set_velocity(e, k, vec3_sub(vec3_scale(2.0, sherd_element_velocity(e, i)), v),
                                   vec3_sub(vec3_scale(2.0, sherd_element_spin(e, i)), w));
    }
}

// Twice what was seen, seen again every few steps.
static double expected_contraction(const sherd_implicit *im)
{
    enum { TRUSTED_STEPS = 8 };
    if (im->trusted >= TRUSTED_STEPS || !(im->contraction > 0.0)) return 1.0;
    return fmin(2.0 * im->contraction, 1.0);
}

// Where a body has all but stopped, moves are settled when what is left is little against this [m]: a part of
// the way so far, which errors are held against too, or of a few radii.
static double unseen_move(const sherd_implicit *im)
{
    static const double SHARE = 0.05, MOST_WAY = 3.0; // [radii]
    return SHARE * fmin(im->errors.longest_way, MOST_WAY * sherd_implicit_radius(im));
}

static void learn_contraction(sherd_implicit *im)
{
    static const double SLOW = 0.15;
    const sherd_newton_report *report = &im->outcome.newton;
    im->tension |= report->contraction > SLOW;
    im->renew |= report->outdated;
    if (report->contraction > 0.0)
        im->contraction = report->contraction, im->trusted = 0;
    else if (report->iterations > 0)
        ++im->trusted;
}

sherd_status sherd_implicit_try(sherd_implicit *im, const sherd_implicit_request *request,
                                sherd_implicit_outcome *outcome, sherd_error *error)
{
    SHERD_ASSERT(request->dt > 0.0 && isfinite(request->dt));
    im->request = *request;
    im->request.newton.contraction = expected_contraction(im);
    im->request.newton.renew = im->renew;
    im->request.newton.unwanted = will_not_do;
    im->request.newton.context = im;
    im->request.newton.rest_move = fmax(request->newton.rest_move, unseen_move(im));
    im->outcome = (sherd_implicit_outcome){.scheme = SHERD_SCHEME_KIND_EULER};
    sherd_node_state_take(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_status status = attempt(im, error);
    if (status == SHERD_OK) estimate(im);
    *outcome = im->outcome;
    return status;
}

// Momenta of free bodies from their loads, which what they press on has with the opposite sign: exact, however
// near to the minimum the iteration stopped. Their centres go where these velocities take them.
static void finish_bodies(sherd_implicit *im)
{
    double dt = im->request.dt;
    for (int b = 0; b < im->body_count; ++b) {
        const sherd_rigid_body *start = sherd_contact_trial_body_start(im->trial, b);
        sherd_rigid_body *body = sherd_contact_trial_body(im->trial, b);
        sherd_vec3 force, torque;
        sherd_contact_trial_body_load(im->trial, b, &force, &torque);
        sherd_vec3 pull = vec3_add_scaled(im->request.gravity, 1.0 / body->properties.mass, force);
        body->velocity = vec3_add_scaled(start->velocity, dt, pull);
        body->centre = vec3_add_scaled(start->centre, dt, body->velocity);
        body->angular_momentum = vec3_add_scaled(start->angular_momentum, dt, torque);
    }
}

// Left-point and mid-point steps are as their papers have them.
static sherd_status keep_spins(sherd_implicit *im, sherd_error *error)
{
    const sherd_implicit_parts *p = &im->parts;
    if (im->outcome.scheme != SHERD_SCHEME_KIND_EULER &&
        im->outcome.scheme != SHERD_SCHEME_KIND_BDF2)
        return SHERD_OK;
    sherd_status status =
        sherd_momentum_projection_update(&im->spins, p->elements, p->bonds, im->topology, error);
    if (status == SHERD_OK)
        sherd_momentum_project(&im->spins, p->elements,
                               &(sherd_projected_step){&im->weights, &im->now, &im->old,
                                                       im->request.gravity, im->request.external,
                                                       false},
                               &p->parallel);
    return status;
}

sherd_status sherd_implicit_accept(sherd_implicit *im, double before, double *dissipated,
                                   sherd_error *error)
{
    SHERD_ASSERT(im->tried);
    sherd_status status = SHERD_OK;
    finish_bodies(im);
    if (im->trial != NULL)
        status = sherd_contact_trial_accept(im->trial, im->parts.elements, before, error);
    *dissipated = im->request.dt * im->outcome.newton.value.bonds.damping_power;
    if (status == SHERD_OK) status = keep_spins(im, error);
    if (im->outcome.scheme == SHERD_SCHEME_KIND_MIDPOINT) go_on_from_middle(im);
    sherd_node_state_swap(&im->old, &im->now);
    im->before = im->request.dt;
    im->elastic = im->outcome.newton.value.bonds.energy;
    im->has_old = true;
    im->tried = false;
    sherd_preconditioner_cache_turn(&im->kept, im->request.dt, im->parts.elements,
                                    &im->parts.parallel);
    im->regrouped = regroups_contacts(im);
    im->evenly = im->regrouped && im->outcome.time.off_even < im->outcome.time.off;
    im->touching = im->outcome.newton.value.contact.touching;
    sherd_time_errors_accept(&im->errors, &im->outcome.time);
    learn_contraction(im);
    return status;
}

void sherd_implicit_reject(sherd_implicit *im)
{
    sherd_node_state_put(&im->now, im->parts.elements, &im->parts.parallel);
    if (im->trial != NULL && im->tried) sherd_contact_trial_abandon(im->trial);
    im->tried = false;
}

sherd_time_error sherd_implicit_watch(sherd_implicit *im, double h)
{
    sherd_node_state_swap(&im->old, &im->now);
    sherd_node_state_take(&im->now, im->parts.elements, &im->parts.parallel);
    im->before = h;
    return sherd_time_errors_watch(&im->errors, h, im->parts.elements, &im->parts.parallel);
}

void sherd_implicit_look_away(sherd_implicit *im)
{
    sherd_time_errors_look_away(&im->errors);
}

void sherd_implicit_bonds_changed(sherd_implicit *im)
{
    ++im->topology;
    im->contraction = 0.0;
    im->has_old = false; // accelerations jump
    sherd_time_errors_forget(&im->errors);
}

typedef struct recalling {
    sherd_implicit *im;
    double h;
    sherd_vec3 gravity;
} recalling;

static void recall_range(void *context, size_t begin, size_t end)
{
    const recalling *in = context;
    const sherd_elements *e = in->im->parts.elements;
    sherd_node_state *old = &in->im->old;
    double h = in->h;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 v = sherd_element_velocity(e, i), w = sherd_element_spin(e, i);
        sherd_vec3 dv = {0}, dw = {0};
        if (!e->held[k]) {
            dv = vec3_scale(1.0 / sherd_element_mass(e, i), sherd_element_force(e, i));
            dv = vec3_scale(h, vec3_add(dv, in->gravity));
            dw = vec3_scale(h / sherd_element_inertia(e, i), sherd_element_torque(e, i));
        }
        sherd_vec3 back = vec3_scale(-h, vec3_add_scaled(v, -0.5, dv)),
                   turn = vec3_scale(-h, vec3_add_scaled(w, -0.5, dw));
        sherd_node_set_pose(
            old, k, vec3_add(sherd_element_position(e, i), back),
            quat_multiply(quat_from_rotation_vector(turn), sherd_element_orientation(e, i)));
        v = vec3_sub(v, dv), w = vec3_sub(w, dw);
        old->v[0][k] = v.x, old->v[1][k] = v.y, old->v[2][k] = v.z;
        old->w[0][k] = w.x, old->w[1][k] = w.y, old->w[2][k] = w.z;
    }
}

// Elements that come straight back would have spun faster, by half the square of the angle. A step of Euler's back
// in time keeps spins as one forth does.
static void recall_spins(sherd_implicit *im, double h, sherd_vec3 gravity)
{
    sherd_elements *e = im->parts.elements;
    sherd_scheme_weights back = {.gamma = -1.0 / h, .now = 1.0};
    sherd_node_state_take(&im->spare, e, &im->parts.parallel);
    sherd_node_state_put(&im->old, e, &im->parts.parallel);
    sherd_momentum_project(
        &im->spins, e,
        &(sherd_projected_step){
            .weights = &back, .now = &im->spare, .gravity = gravity, .loads_of_now = true},
        &im->parts.parallel);
    sherd_node_state_take(&im->old, e, &im->parts.parallel);
    sherd_node_state_put(&im->spare, e, &im->parts.parallel);
}

bool sherd_implicit_look_back(sherd_implicit *im)
{
    im->has_old = im->errors.trail_count > 1;
    return im->has_old;
}

sherd_status sherd_implicit_recall(sherd_implicit *im, double h, sherd_vec3 gravity,
                                   sherd_error *error)
{
    recalling in = {im, h, gravity};
    sherd_status status = sherd_momentum_projection_update(&im->spins, im->parts.elements,
                                                           im->parts.bonds, im->topology, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, CHUNK, recall_range, &in);
    recall_spins(im, h, gravity);
    sherd_time_errors_forget(&im->errors);
    im->before = h;
    im->has_old = true;
    return SHERD_OK;
}

// ---------------------------------------------------------------- checkpoints

void sherd_implicit_save(const sherd_implicit *im, sherd_byte_buffer *out)
{
    uint64_t has_old = im->has_old, touching = 2 * (uint64_t)im->touching + im->regrouped,
             seen = im->tension | (uint64_t)im->renew << 1 | (uint64_t)im->evenly << 2;
    sherd_byte_buffer_append(out, &has_old, sizeof has_old);
    sherd_byte_buffer_append(out, &touching, sizeof touching);
    sherd_byte_buffer_append(out, &seen, sizeof seen);
    sherd_byte_buffer_append(out, &im->before, sizeof im->before);
    sherd_byte_buffer_append(out, &im->elastic, sizeof im->elastic);
    sherd_byte_buffer_append(out, &im->contraction, sizeof im->contraction);
    sherd_byte_buffer_append(out, &im->trusted, sizeof im->trusted);
    sherd_preconditioner_cache_save(&im->kept, im->topology, out);
    sherd_time_errors_save(&im->errors, out);
    // While it is watched, `now` is the state at the last look.
    if (im->errors.trail_count > 0)
        sherd_byte_buffer_append_block(out, im->now.memory, sherd_node_state_bytes(&im->now));
    else if (im->has_old)
        sherd_byte_buffer_append_block(out, im->old.memory, sherd_node_state_bytes(&im->old));
    sherd_linear_solver_save(im->solver, out);
}

sherd_status sherd_implicit_restore(sherd_implicit *im, sherd_byte_reader *in, sherd_error *error)
{
    uint64_t has_old, touching, seen;
    sherd_byte_reader_take(in, &has_old, sizeof has_old);
    sherd_byte_reader_take(in, &touching, sizeof touching);
    sherd_byte_reader_take(in, &seen, sizeof seen);
    sherd_byte_reader_take(in, &im->before, sizeof im->before);
    sherd_byte_reader_take(in, &im->elastic, sizeof im->elastic);
    sherd_byte_reader_take(in, &im->contraction, sizeof im->contraction);
    sherd_byte_reader_take(in, &im->trusted, sizeof im->trusted);
    sherd_preconditioner_cache_restore(&im->kept, im->topology + 1, in);
    sherd_time_errors_restore(&im->errors, in);
    im->has_old = has_old != 0;
    im->tension = seen & 1;
    im->renew = seen >> 1 & 1;
    im->evenly = seen >> 2 & 1;
    im->touching = (int64_t)(touching / 2);
    im->regrouped = touching % 2 != 0;
    if (im->errors.trail_count > 0)
        sherd_byte_reader_take_block(in, im->now.memory, sherd_node_state_bytes(&im->now));
    else if (im->has_old)
        sherd_byte_reader_take_block(in, im->old.memory, sherd_node_state_bytes(&im->old));
    ++im->topology;
    sherd_status status = sherd_linear_solver_restore(im->solver, in, error);
    if (status != SHERD_OK || !in->failed) return status;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", NULL,
                      "the state of implicit steps is damaged");
}
