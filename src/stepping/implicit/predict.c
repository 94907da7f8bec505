#include "stepping/implicit/predict.h"

#include "stepping/implicit/manifold.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

sherd_prediction sherd_implicit_prediction(const sherd_implicit *im, double dt)
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

static bool is_linear(const sherd_implicit *im)
{
    return im->request.scheme == SHERD_SCHEME_KIND_LINEAR_EULER;
}

static bool by_paper(const sherd_implicit *im)
{
    return sherd_manifold_is_used(&im->request.manifold);
}

// Accelerations from the last two velocities may not last if contacts begin, end and slide: then
// the start is uniform motion, as always in [RBDEM] Algorithm 1 and [IBDEM25] Algorithm 3.
static void move_as_predicted(const sherd_implicit *im, double dt)
{
    predicting in = {sherd_implicit_prediction(im, dt), im->parts.elements};
    if (im->predicts_uniform || is_linear(im) || by_paper(im))
        in.prediction.old = in.prediction.now;
    if (by_paper(im)) in.prediction.before = dt;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, SHERD_IMPLICIT_CHUNK,
                       predict_range, &in);
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

double sherd_implicit_predicted_displacement(const sherd_implicit *im, double dt)
{
    predicting in = {sherd_implicit_prediction(im, dt), im->parts.elements};
    return sqrt(sherd_parallel_max(&im->parts.parallel, (size_t)im->now.count, SHERD_IMPLICIT_CHUNK,
                                   farthest_range, &in));
}

// If a contact begins or ends, accelerations jump: two-step formulas would gain energy.
static sherd_scheme_kind scheme_possible(const sherd_implicit *im, bool regroups)
{
    if (im->request.scheme == SHERD_SCHEME_KIND_BDF2)
        return im->has_old && !regroups ? SHERD_SCHEME_KIND_BDF2 : SHERD_SCHEME_KIND_EULER;
    return im->request.scheme;
}

void sherd_implicit_set_target(sherd_implicit *im, sherd_scheme_kind scheme, bool lands)
{
    const sherd_implicit_request *r = &im->request;
    im->outcome.scheme = scheme;
    im->weights = sherd_scheme_weigh(scheme, r->dt, im->has_old ? im->before : 1.0);
    if (r->set_external != NULL)
        r->set_external(r->context, r, scheme, im->has_old ? im->before : 0.0);
    sherd_scheme_set_target(&im->target, &im->weights, &im->now, &im->old, r->gravity, r->external,
                            &im->parts.parallel);
    sherd_body_step step = sherd_implicit_body_step(im);
    sherd_free_bodies_aim(&im->free, &step, lands);
}

void sherd_implicit_predict(sherd_implicit *im, bool regroups)
{
    const sherd_implicit_request *r = &im->request;
    double dt = sherd_scheme_evaluated_at(r->scheme, r->dt);
    move_as_predicted(im, dt);
    int64_t limited = 0;
    if (im->trial != NULL && !is_linear(im) && !by_paper(im))
        limited = sherd_contact_trial_limit(im->trial, &im->parts.elements->points,
                                            0.1 * im->smallest_radius);
    sherd_implicit_set_target(im, scheme_possible(im, regroups || limited > 0), false);
    if (r->manifold.as_printed)
        sherd_manifold_predict_chord(&im->target, &im->now, im->parts.elements);
    sherd_implicit_pose_held(im, dt);
    sherd_body_step step = sherd_implicit_body_step(im);
    sherd_free_bodies_predict(&im->free, &step);
}

// ---------------------------------------------------------------- without a minimisation

static void push_range(void *context, size_t begin, size_t end)
{
    sherd_implicit *im = context;
    const sherd_scheme_target *t = &im->target;
    sherd_elements *e = im->parts.elements;
    double scale = 1.0 / (t->gamma * t->gamma);
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 p = vec3(t->free_p[0][k], t->free_p[1][k], t->free_p[2][k]);
        sherd_quat q = {t->free_q[0][k], t->free_q[1][k], t->free_q[2][k], t->free_q[3][k]};
        p = vec3_add_scaled(p, scale / sherd_element_mass(e, i), sherd_element_force(e, i));
        sherd_vec3 rotation =
            vec3_scale(scale / sherd_element_inertia(e, i), sherd_element_own_torque(e, i));
        sherd_element_set_pose(
            e, k, p, quat_normalize(quat_multiply(quat_from_rotation_vector(rotation), q)));
    }
}

sherd_status sherd_implicit_push_by_present_loads(sherd_implicit *im,
                                                  const sherd_objective *objective,
                                                  sherd_error *error)
{
    sherd_newton_report *report = &im->outcome.newton;
    *report = (sherd_newton_report){.converged = true};
    const sherd_implicit_request *r = &im->request;
    sherd_node_state_restore_to(&im->now, im->parts.elements, &im->parts.parallel);
    if (im->trial != NULL) sherd_contact_trial_place_driven(im->trial, r->time, 0.0);
    sherd_status status =
        sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
    if (status != SHERD_OK) return status;
    if (im->trial != NULL) {
        sherd_contact_trial_take_mean(im->trial);
        sherd_contact_trial_place_driven(im->trial, r->time, r->dt);
    }
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, SHERD_IMPLICIT_CHUNK, push_range,
                       im);
    sherd_implicit_pose_held(im, r->dt);
    return sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
}
