// One try of an implicit step, and its acceptance or rejection (implicit.h):
//
//   predict    predict.c            expected poses, and the scheme's target
//   contacts   contact_trial.h      lists pairs that may touch within reach of that
//   Newton     newton.c             the minimum, from the better start
//   friction   friction_rounds.c    repeats with the normal forces found, until they converge
//   judge      time_error.c         difference from the motion in continuous time
#include "base/assertion.h"
#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/friction_rounds.h"
#include "stepping/implicit/implicit_state.h"
#include "stepping/implicit/manifold.h"
#include "stepping/implicit/predict.h"

#include <math.h>
#include <string.h>

enum { MAX_RETRIES = 4 };

// ---------------------------------------------------------------- start of the iteration

static sherd_status begin_contact(sherd_implicit *im, double reach, sherd_error *error)
{
    if (im->trial == NULL) return SHERD_OK;
    const sherd_implicit_request *r = &im->request;
    const sherd_bonds *bonds = im->parts.bonds;
    sherd_bond_adjacency bonded = {im->parts.adjacency->start, im->parts.adjacency->bond, bonds->i,
                                   bonds->j, bonds->broken};
    sherd_contact_trial_use_springs_only(im->trial, sherd_manifold_is_used(&r->manifold));
    return sherd_contact_trial_begin(im->trial, &im->parts.elements->points, &bonded, r->time,
                                     sherd_scheme_evaluated_at(r->scheme, r->dt), reach, r->barrier,
                                     error);
}

static bool exceeds_impact_limit(const sherd_implicit *im, const sherd_contact_potential *contact)
{
    return contact->impact > im->request.impact || contact->rebound > im->request.rebound;
}

// Starts from the prediction or from the previous poses, whichever has the smaller gradient norm: a
// prediction over many periods of a vibration is worse than none, and so is one behind a barrier.
// If the prediction has too hard an impact, nothing is solved. Leaves the start's value and
// gradient, if `evaluated`.
static sherd_status better_start(sherd_implicit *im, const sherd_objective *objective,
                                 bool *too_hard_impact, bool *evaluated, sherd_error *error)
{
    sherd_objective_value predicted, stayed;
    sherd_status status = sherd_objective_evaluate(objective, true, im->vectors, &predicted, error);
    *too_hard_impact = status == SHERD_OK && exceeds_impact_limit(im, &predicted.contact);
    *evaluated = true;
    im->outcome.newton.value = predicted;
    if (status != SHERD_OK || *too_hard_impact ||
        (predicted.bonds.energy <= 4.0 * im->elastic && isfinite(predicted.energy)))
        return status;
    sherd_node_state_capture(&im->spare, im->parts.elements, &im->parts.parallel);
    sherd_node_state_restore_to(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_implicit_pose_held(im, sherd_scheme_evaluated_at(im->outcome.scheme, im->request.dt));
    status = sherd_objective_evaluate(objective, true, im->vectors, &stayed, error);
    im->outcome.newton.value = stayed;
    if (status == SHERD_OK && predicted.energy <= stayed.energy) {
        sherd_node_state_restore_to(&im->spare, im->parts.elements, &im->parts.parallel);
        *evaluated = false;
    }
    return status;
}

// ---------------------------------------------------------------- solution

// Multigrid, or as in [RBDEM] Algorithm 1 the diagonal blocks alone. NULL: out of memory.
static sherd_linear_solver *solver_of(sherd_implicit *im, sherd_error *error)
{
    if (!im->request.newton.linear) return im->solver;
    if (im->jacobi == NULL) im->jacobi = sherd_linear_solver_create(SHERD_LINEAR_JACOBI, error);
    return im->jacobi;
}

static sherd_status minimise_by_paper(sherd_implicit *im, const sherd_objective *objective,
                                      const sherd_linear_system *system,
                                      const sherd_newton_vectors *vectors, sherd_error *error)
{
    if (im->hessians == NULL) im->hessians = sherd_bond_hessians_create(error);
    if (im->hessians == NULL) return SHERD_ERROR_MEMORY;
    const sherd_implicit_parts *p = &im->parts;
    sherd_manifold_parts parts = {objective,
                                  system,
                                  im->solver,
                                  im->hessians,
                                  {p->elements, p->bonds, p->blocks, p->adjacency},
                                  vectors,
                                  im->request.gravity};
    return sherd_manifold_minimise(&parts, &im->request.manifold, &im->outcome.newton, error);
}

// `started`: elements are at the start of the iteration; otherwise the better start is chosen.
static sherd_status minimise(sherd_implicit *im, bool started, sherd_error *error)
{
    const sherd_implicit_parts *p = &im->parts;
    sherd_objective objective = {p->elements,      p->bonds,
                                 p->blocks,        im->trial,
                                 &im->target,      im->free.count,
                                 im->free.targets, im->stride,
                                 p->parallel,      im->trial != NULL ? &im->grains : NULL,
                                 &im->softened};
    im->grains.count = 0;
    if (im->outcome.scheme == SHERD_SCHEME_KIND_LEFT_POINT)
        return sherd_implicit_push_by_present_loads(im, &objective, error);
    bool by_paper = sherd_manifold_is_used(&im->request.manifold);
    double gamma = im->target.gamma;
    sherd_linear_system system = {
        .topology = im->topology,
        .inertia = gamma * gamma,
        .damping = gamma,
        .tension = sherd_remedy_is_applied(&im->tension),
        .body_count = im->free.count,
        .bodies = im->free.inertia,
        .parallel = p->parallel,
    };
    sherd_tangent_fill(im->tangent,
                       &(sherd_tangent_parts){p->elements, p->bonds, p->blocks, p->adjacency},
                       &system);
    size_t column = SHERD_NODE_FREEDOMS * im->stride;
    sherd_newton_vectors vectors = {im->vectors, im->vectors + column, im->vectors + 2 * column};
    if (by_paper) return minimise_by_paper(im, &objective, &system, &vectors, error);
    // A move of all elements by 1e-6 of their radius counts as none.
    double min_move = 1e-6 * im->smallest_radius * gamma * sqrt(im->mass);
    bool too_hard_impact = false, evaluated = false;
    sherd_status status = SHERD_OK;
    if (!started && !im->request.newton.linear)
        status = better_start(im, &objective, &too_hard_impact, &evaluated, error);
    if (status != SHERD_OK || too_hard_impact) return status;
    sherd_newton_parts parts = {&objective, &system, solver_of(im, error), &vectors, min_move};
    if (parts.solver == NULL) return SHERD_ERROR_MEMORY;
    return sherd_implicit_iterate_friction(im, &parts, evaluated, error);
}

static sherd_status begin_attempt(sherd_implicit *im, double reach, sherd_error *error)
{
    if (im->outcome.retried)
        sherd_node_state_restore_to(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_status status = begin_contact(im, reach, error);
    if (status != SHERD_OK) return status;
    im->tried = true;
    sherd_implicit_predict(im, im->regrouped);
    return SHERD_OK;
}

// Repeats with a longer reach of contact lists while elements leave it, or, from the state found,
// with a single-step formula.
static sherd_status attempt(sherd_implicit *im, sherd_error *error)
{
    double reach = 0.0;
    bool bridges = false;
    sherd_newton_report before = {0};
    if (im->trial != NULL)
        reach = 1.2 * sherd_implicit_predicted_displacement(im, im->request.dt) +
                0.5 * im->smallest_radius;
    for (int tries = 0; tries < MAX_RETRIES; ++tries) {
        sherd_status status = SHERD_OK;
        if (bridges)
            sherd_implicit_set_target(im, SHERD_SCHEME_KIND_EULER, true);
        else
            status = begin_attempt(im, reach, error);
        if (status == SHERD_OK) status = minimise(im, bridges, error);
        if (status != SHERD_OK) return status;
        sherd_newton_add_work(&im->outcome.newton, &before);
        before = im->outcome.newton;
        if (exceeds_impact_limit(im, &im->outcome.newton.value.contact)) return SHERD_OK;
        double farthest = im->outcome.newton.value.contact.farthest;
        bool out_of_reach = im->trial != NULL && farthest > reach;
        bridges = !out_of_reach && sherd_implicit_bridges_contact(im);
        if (im->outcome.exceeds_tolerance || !(out_of_reach || bridges)) return SHERD_OK;
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
    sherd_prediction prediction = sherd_implicit_prediction(im, im->request.dt);
    im->outcome.time = sherd_time_errors_judge(&im->errors, &prediction, im->outcome.scheme,
                                               im->parts.elements, &im->parts.parallel);
    sherd_body_step step = sherd_implicit_body_step(im);
    im->outcome.bodies = sherd_free_bodies_judge(&im->free, &step);
    // A is at least c M.
    im->outcome.noise = im->outcome.newton.remaining_norm / (im->target.gamma * sqrt(im->mass));
}

// Rejection that is certain before an iteration has converged: a two-step formula spans the
// beginning or end of a contact, or the time error exceeds the tolerance.
static bool is_certain_rejection(void *context)
{
    static const double NEAR_CONVERGENCE = 0.1;
    sherd_implicit *im = context;
    const sherd_implicit_request *r = &im->request;
    if (im->outcome.newton.remaining < NEAR_CONVERGENCE && sherd_implicit_bridges_contact(im))
        return true;
    if (r->exceeds_tolerance == NULL) return false;
    estimate(im);
    im->outcome.exceeds_tolerance = r->exceeds_tolerance(r->tolerance_context, &im->outcome);
    return im->outcome.exceeds_tolerance;
}

// Motion with less than this fraction of the energy stored in bonds is slow loading.
static const double QUASI_STATIC_FRACTION = 0.1;

// Retardation of rigid motion by an Euler step, once it has converged.
static sherd_status find_drag(sherd_implicit *im, sherd_error *error)
{
    const sherd_implicit_parts *p = &im->parts;
    const sherd_implicit_request *r = &im->request;
    if (isinf(r->drag) || !im->outcome.newton.converged || im->trial == NULL ||
        im->outcome.scheme != SHERD_SCHEME_KIND_EULER)
        return SHERD_OK;
    sherd_status status = sherd_momentum_projection_update(&im->projection, p->elements, p->bonds,
                                                           im->topology, error);
    if (status != SHERD_OK) return status;
    sherd_projected_step step = {.now = &im->now, .gravity = r->gravity, .external = r->external};
    sherd_rigid_drag_limits limits = {r->drag, sherd_implicit_slow(im, r->visible_speed),
                                      QUASI_STATIC_FRACTION *
                                          im->outcome.newton.value.bonds.energy};
    sherd_body_step bodies = sherd_implicit_body_step(im);
    im->outcome.drag = fmax(sherd_rigid_drag(&im->projection, p->elements, &step, r->dt, &limits),
                            sherd_free_bodies_drag(&im->free, &bodies, &limits));
    return SHERD_OK;
}

// ---------------------------------------------------------------- the step

// Twice the measured contraction, measured again every few steps.
static double expected_contraction(const sherd_implicit *im)
{
    enum { TRUSTED_STEPS = 8 };
    if (im->trusted >= TRUSTED_STEPS || !(im->contraction > 0.0)) return 1.0;
    return fmin(2.0 * im->contraction, 1.0);
}

// For a body that has almost stopped, moves have converged when the remaining error is small
// compared with this [m]: a fraction of the path so far, with which errors are compared, too, or of
// a few radii.
static double negligible_move(const sherd_implicit *im)
{
    static const double FRACTION = 0.05, MAX_DISPLACEMENT = 3.0; // [radii]
    return FRACTION *
           fmin(im->errors.rates.max_displacement, MAX_DISPLACEMENT * sherd_implicit_radius(im));
}

static void learn_contraction(sherd_implicit *im)
{
    static const double SLOW = 0.15;
    const sherd_newton_report *report = &im->outcome.newton;
    sherd_remedy_learn(&im->tension, report->contraction > SLOW);
    sherd_remedy_learn(&im->renew, report->outdated);
    if (report->contraction > 0.0)
        im->contraction = report->contraction, im->trusted = 0;
    else if (report->iterations > 0)
        ++im->trusted;
}

sherd_status sherd_implicit_try(sherd_implicit *im, const sherd_implicit_request *request,
                                sherd_implicit_outcome *outcome, sherd_error *error)
{
    SHERD_ASSERT(request->dt > 0.0 && isfinite(request->dt), "time advances");
    im->request = *request;
    im->request.newton.contraction = expected_contraction(im);
    im->request.newton.renew = sherd_remedy_is_applied(&im->renew);
    im->request.newton.unwanted = is_certain_rejection;
    im->request.newton.context = im;
    if (request->scheme == SHERD_SCHEME_KIND_LINEAR_EULER)
        sherd_newton_settings_linear(&im->request.newton);
    im->request.newton.move_floor = fmax(request->newton.move_floor, negligible_move(im));
    im->outcome = (sherd_implicit_outcome){.scheme = SHERD_SCHEME_KIND_EULER};
    sherd_node_state_capture(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_free_bodies_take(&im->free, false);
    sherd_status status = attempt(im, error);
    if (status == SHERD_OK) estimate(im);
    if (status == SHERD_OK) status = find_drag(im, error);
    *outcome = im->outcome;
    return status;
}

// ---------------------------------------------------------------- acceptance and rejection

// From mid-step to its end, by the same increments.     [IBDEM25] (2)-(3), [VBDEM] (22)
static sherd_status extrapolate_to_end(sherd_implicit *im, sherd_error *error)
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
    const sherd_implicit_request *r = &im->request;
    if (im->trial == NULL) return SHERD_OK;
    return sherd_contact_trial_extend(im->trial, &e->points, r->time, r->dt, error);
}

static void add_spring(const sherd_contact_stiffness *to, int32_t element, const double k[6],
                       double sides)
{
    to->whole[element] += k[0] + k[1] + k[2];
    for (int c = 0; c < 6; ++c)
        to->single[element][c] += sides * k[c];
}

// Contact stiffness in the final state, including contacts that may close soon. |a - b|^2 <= 2
// |a|^2 + 2 |b|^2 if both move. Uses the work vectors, whose padding must be reset to 0
// (forget_stiffness). False: nothing touches.
static bool contact_stiffness(sherd_implicit *im, sherd_contact_stiffness *stiffness)
{
    static const double CLOSED_SOON = 1e-3; // of a radius: maximum shift of elements
    const sherd_contact_potential *contact = &im->outcome.newton.value.contact;
    int32_t count = (int32_t)im->parts.elements->count;
    *stiffness = (sherd_contact_stiffness){im->vectors, (double(*)[6])(im->vectors + count)};
    if (im->trial == NULL) return false;
    memset(im->vectors, 0, 7 * (size_t)count * sizeof *im->vectors);
    bool open = sherd_contact_trial_add_open(im->trial, &im->parts.elements->points, CLOSED_SOON,
                                             stiffness);
    for (int64_t k = 0; k < contact->spring_count; ++k) {
        const sherd_contact_spring *s = &contact->springs[k];
        double sides = s->i < count && s->j >= 0 && s->j < count ? 2.0 : 1.0;
        if (s->i < count) add_spring(stiffness, s->i, s->stiffness, sides);
        if (s->j >= 0 && s->j < count) add_spring(stiffness, s->j, s->stiffness, sides);
    }
    return open || contact->spring_count > 0;
}

static void forget_stiffness(sherd_implicit *im)
{
    memset(im->vectors, 0, 7 * (size_t)im->parts.elements->count * sizeof *im->vectors);
}

// Left-point, mid-point and linearised steps follow their papers, and so do those of [IBDEM25].
static sherd_status keep_spins(sherd_implicit *im, const sherd_contact_stiffness *pressed,
                               sherd_error *error)
{
    const sherd_implicit_parts *p = &im->parts;
    if (im->outcome.scheme != SHERD_SCHEME_KIND_EULER &&
        im->outcome.scheme != SHERD_SCHEME_KIND_BDF2)
        return SHERD_OK;
    if (sherd_manifold_is_used(&im->request.manifold)) return SHERD_OK;
    sherd_status status = sherd_momentum_projection_update(&im->projection, p->elements, p->bonds,
                                                           im->topology, error);
    if (status == SHERD_OK)
        sherd_momentum_project(&im->projection, p->elements,
                               &(sherd_projected_step){&im->weights, &im->now, &im->old,
                                                       im->request.gravity, im->request.external,
                                                       false, pressed},
                               &p->parallel);
    return status;
}

sherd_status sherd_implicit_accept(sherd_implicit *im, double before, double *dissipated,
                                   sherd_error *error)
{
    SHERD_ASSERT(im->tried, "a step is accepted only once it was tried");
    sherd_status status = SHERD_OK;
    sherd_body_step bodies = sherd_implicit_body_step(im);
    sherd_free_bodies_finish(&im->free, &bodies);
    sherd_contact_stiffness stiffness;
    bool touches = contact_stiffness(im, &stiffness); // while the trial is open
    if (im->outcome.scheme == SHERD_SCHEME_KIND_MIDPOINT) status = extrapolate_to_end(im, error);
    if (im->trial != NULL && status == SHERD_OK && sherd_manifold_is_used(&im->request.manifold))
        status = sherd_contact_trial_rub(im->trial, &im->parts.elements->points,
                                         im->request.manifold.as_printed, error);
    if (im->trial != NULL && status == SHERD_OK)
        status = sherd_contact_trial_accept(im->trial, &im->parts.elements->points, before, error);
    *dissipated = im->request.dt * im->outcome.newton.value.bonds.damping_power;
    if (status == SHERD_OK) status = keep_spins(im, touches ? &stiffness : NULL, error);
    forget_stiffness(im);
    sherd_node_state_swap(&im->old, &im->now);
    sherd_free_bodies_accept(&im->free, &im->outcome.bodies);
    im->before = im->request.dt;
    im->elastic = im->outcome.newton.value.bonds.energy;
    im->has_old = true;
    im->tried = false;
    sherd_preconditioner_cache_turn(&im->preconditioner, im->request.dt, im->parts.elements,
                                    &im->parts.parallel);
    im->regrouped = sherd_implicit_regroups_contacts(im);
    im->predicts_uniform =
        im->regrouped && im->outcome.time.uniform_error < im->outcome.time.prediction_error;
    im->touching = im->outcome.newton.value.contact.touching;
    im->sliding = im->outcome.newton.value.contact.sliding;
    im->rubbing = im->outcome.newton.value.contact.rubbed / im->request.dt;
    sherd_time_errors_accept(&im->errors, &im->outcome.time);
    learn_contraction(im);
    return status;
}

void sherd_implicit_reject(sherd_implicit *im)
{
    sherd_node_state_restore_to(&im->now, im->parts.elements, &im->parts.parallel);
    if (im->trial != NULL && im->tried) sherd_contact_trial_abandon(im->trial);
    im->tried = false;
}
