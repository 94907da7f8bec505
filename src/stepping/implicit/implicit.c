#include "stepping/implicit/implicit.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/implicit_state.h"

#include <math.h>

// ---------------------------------------------------------------- creation

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
    bool done = sherd_free_bodies_init(&im->free, im->trial);
    return done ? SHERD_OK : sherd_fail_memory(error, "free bodies");
}

static sherd_status init(sherd_implicit *im, sherd_error *error)
{
    sherd_element_index n = im->parts.elements->count;
    sherd_status status = make_bodies(im, error);
    if (status != SHERD_OK) return status;
    im->stride = sherd_node_stride((size_t)n + (size_t)im->free.count);
    im->vectors = sherd_alloc(3 * SHERD_NODE_FREEDOMS * im->stride, sizeof *im->vectors);
    bool done = im->vectors != NULL && sherd_node_state_init(&im->now, n) &&
                sherd_node_state_init(&im->old, n) && sherd_node_state_init(&im->spare, n) &&
                sherd_scheme_target_init(&im->target, n) &&
                sherd_time_errors_init(&im->errors, im->parts.elements);
    if (!done) return sherd_fail_memory(error, "implicit steps");
    im->tangent = sherd_tangent_create(error);
    if (im->tangent == NULL) return SHERD_ERROR_MEMORY;
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
    sherd_linear_solver_destroy(im->jacobi);
    sherd_bond_hessians_destroy(im->hessians);
    sherd_tangent_destroy(im->tangent);
    sherd_softened_springs_free(&im->softened);
    sherd_softening_rounds_free(&im->openings);
    sherd_overstress_free(&im->overstress);
    sherd_node_state_free(&im->now);
    sherd_node_state_free(&im->old);
    sherd_node_state_free(&im->spare);
    sherd_scheme_target_free(&im->target);
    sherd_momentum_projection_free(&im->projection);
    sherd_time_errors_free(&im->errors);
    sherd_free(im->vectors);
    sherd_free(im->pushes);
    sherd_free_bodies_free(&im->free);
    sherd_free(im);
}

bool sherd_implicit_touches(const sherd_implicit *im)
{
    return im->touching > 0;
}

bool sherd_implicit_has_history(const sherd_implicit *im)
{
    return im->has_old;
}

double sherd_implicit_radius(const sherd_implicit *im)
{
    return im->smallest_radius;
}

double *sherd_implicit_external_scratch(sherd_implicit *im)
{
    size_t n = (size_t)im->parts.elements->count;
    if (im->pushes == NULL) im->pushes = sherd_alloc(3 * n, sizeof *im->pushes);
    return im->pushes;
}

sherd_softening_rounds *sherd_implicit_softening_rounds(sherd_implicit *im)
{
    return &im->openings;
}

sherd_overstress_step *sherd_implicit_overstress(sherd_implicit *im)
{
    return &im->overstress;
}

size_t sherd_implicit_bytes(const sherd_implicit *im)
{
    size_t pushes = im->pushes != NULL ? 3 * (size_t)im->now.count * sizeof *im->pushes : 0;
    return sizeof *im + pushes + 3 * sherd_node_state_bytes(&im->now) +
           sherd_scheme_target_bytes(im->now.count) + sherd_time_errors_bytes(&im->errors) +
           3 * SHERD_NODE_FREEDOMS * im->stride * sizeof *im->vectors +
           sherd_tangent_bytes(im->tangent) + sherd_linear_solver_bytes(im->solver) +
           (im->jacobi != NULL ? sherd_linear_solver_bytes(im->jacobi) : 0) +
           (im->hessians != NULL ? sherd_bond_hessians_bytes(im->hessians) : 0) +
           sherd_free_bodies_bytes(&im->free) + sherd_softened_springs_bytes(&im->softened) +
           sherd_softening_rounds_bytes(&im->openings, im->parts.bonds->count) +
           sherd_overstress_bytes(&im->overstress, im->parts.bonds->count) +
           (im->trial != NULL ? sherd_contact_trial_bytes(im->trial) : 0);
}

// ---------------------------------------------------------------- the previous state
//
// Sampled during explicit steps, or extrapolated backwards.

sherd_time_error sherd_implicit_sample_history(sherd_implicit *im, double h)
{
    sherd_node_state_swap(&im->old, &im->now);
    sherd_node_state_capture(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_free_bodies_take(&im->free, true);
    im->before = h;
    return sherd_time_errors_sample(&im->errors, h, im->parts.elements, &im->parts.parallel);
}

void sherd_implicit_clear_history(sherd_implicit *im)
{
    sherd_time_errors_clear_samples(&im->errors);
}

void sherd_implicit_bonds_changed(sherd_implicit *im)
{
    ++im->topology;
    im->contraction = 0.0;
    im->has_old = false; // accelerations jump
    sherd_time_errors_forget(&im->errors);
}

typedef struct extrapolation {
    sherd_implicit *im;
    double h;
    sherd_vec3 gravity;
    double *const *external;
} extrapolation;

static sherd_vec3 external_of(const extrapolation *in, size_t k)
{
    if (in->external == NULL) return in->gravity;
    return vec3_add(in->gravity, vec3(in->external[0][k], in->external[1][k], in->external[2][k]));
}

static void extrapolate_range(void *context, size_t begin, size_t end)
{
    const extrapolation *in = context;
    const sherd_elements *e = in->im->parts.elements;
    sherd_node_state *old = &in->im->old;
    double h = in->h;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = (sherd_element_index)k;
        sherd_vec3 v = sherd_element_velocity(e, i), w = sherd_element_spin(e, i);
        sherd_vec3 dv = {0}, dw = {0};
        if (!sherd_point_is_held(&e->points, i)) {
            dv = vec3_scale(1.0 / sherd_element_mass(e, i), sherd_element_force(e, i));
            dv = vec3_scale(h, vec3_add(dv, external_of(in, k)));
            dw = vec3_scale(h / sherd_element_inertia(e, i), sherd_element_own_torque(e, i));
        }
        sherd_vec3 back = vec3_scale(-h, vec3_add_scaled(v, -0.5, dv)),
                   rotation = vec3_scale(-h, vec3_add_scaled(w, -0.5, dw));
        sherd_node_set_pose(
            old, k, vec3_add(sherd_element_position(e, i), back),
            quat_multiply(quat_from_rotation_vector(rotation), sherd_element_orientation(e, i)));
        v = vec3_sub(v, dv), w = vec3_sub(w, dw);
        old->v[0][k] = v.x, old->v[1][k] = v.y, old->v[2][k] = v.z;
        old->w[0][k] = w.x, old->w[1][k] = w.y, old->w[2][k] = w.z;
    }
}

// Elements extrapolated backwards along straight lines would have a larger spin, by half the square
// of the angle. The projection makes an Euler step backwards in time conserve spin like one
// forwards.
static void extrapolate_spins(const extrapolation *in)
{
    sherd_implicit *im = in->im;
    sherd_elements *e = im->parts.elements;
    sherd_scheme_weights back = {.gamma = -1.0 / in->h, .now = 1.0};
    sherd_node_state_capture(&im->spare, e, &im->parts.parallel);
    sherd_node_state_restore_to(&im->old, e, &im->parts.parallel);
    sherd_momentum_project(&im->projection, e,
                           &(sherd_projected_step){.weights = &back,
                                                   .now = &im->spare,
                                                   .gravity = in->gravity,
                                                   .external = in->external,
                                                   .loads_of_now = true},
                           &im->parts.parallel);
    sherd_node_state_capture(&im->old, e, &im->parts.parallel);
    sherd_node_state_restore_to(&im->spare, e, &im->parts.parallel);
}

// Two-step formulas continue the change of velocities between the two samples. They are used if the
// present loads explain that change, and not if there was an impact in between.
sherd_status sherd_implicit_restore_history(sherd_implicit *im, sherd_vec3 gravity, double jump,
                                            double visible_speed, sherd_error *error)
{
    im->has_old = im->errors.trail_count > 1;
    im->regrouped = false;
    if (!im->has_old || im->trial == NULL) return SHERD_OK;
    sherd_status status = sherd_momentum_projection_update(&im->projection, im->parts.elements,
                                                           im->parts.bonds, im->topology, error);
    if (status != SHERD_OK) return status;
    sherd_projected_step since = {.now = &im->old, .gravity = gravity};
    sherd_rigid_drag_limits limits = {jump, sherd_implicit_slow(im, visible_speed), 0.0};
    double jumped =
        fmax(sherd_rigid_jump(&im->projection, im->parts.elements, &since, im->before, &limits),
             sherd_free_bodies_jump(&im->free, im->before, gravity, &limits));
    im->regrouped = jumped > 1.0;
    return SHERD_OK;
}

sherd_status sherd_implicit_extrapolate_history(sherd_implicit *im, double h, sherd_vec3 gravity,
                                                double *const *external, sherd_error *error)
{
    extrapolation in = {im, h, gravity, external};
    sherd_status status = sherd_momentum_projection_update(&im->projection, im->parts.elements,
                                                           im->parts.bonds, im->topology, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, SHERD_IMPLICIT_CHUNK,
                       extrapolate_range, &in);
    extrapolate_spins(&in);
    sherd_free_bodies_extrapolate(&im->free, h, gravity);
    sherd_time_errors_forget(&im->errors);
    im->before = h;
    im->has_old = true;
    return SHERD_OK;
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member MEMBERS[] = {
    SHERD_MEMBER(sherd_implicit, has_old),
    SHERD_MEMBER(sherd_implicit, touching),
    SHERD_MEMBER(sherd_implicit, sliding),
    SHERD_MEMBER(sherd_implicit, rubbing),
    SHERD_MEMBER(sherd_implicit, regrouped),
    SHERD_NAMED_MEMBER(sherd_implicit, tension.remaining, "tension.left"),
    SHERD_NAMED_MEMBER(sherd_implicit, tension.period, "tension.spell"),
    SHERD_NAMED_MEMBER(sherd_implicit, renew.remaining, "renew.left"),
    SHERD_NAMED_MEMBER(sherd_implicit, renew.period, "renew.spell"),
    SHERD_NAMED_MEMBER(sherd_implicit, predicts_uniform, "evenly"),
    SHERD_MEMBER(sherd_implicit, before),
    SHERD_MEMBER(sherd_implicit, elastic),
    SHERD_MEMBER(sherd_implicit, contraction),
    SHERD_MEMBER(sherd_implicit, trusted)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(sherd_implicit, MEMBERS);

void sherd_implicit_save(const sherd_implicit *im, sherd_byte_buffer *out)
{
    size_t begun = sherd_record_begin(out, "implicit");
    sherd_record_write_one(out, "state", &LAYOUT, im);
    sherd_preconditioner_cache_save(&im->preconditioner, im->topology, out);
    sherd_time_errors_save(&im->errors, out);
    // While positions are sampled, `now` is the state at the last sample.
    bool sampled = im->errors.trail_count > 0;
    if (sampled)
        sherd_node_state_save(&im->now, "sampled", out);
    else if (im->has_old)
        sherd_node_state_save(&im->old, "old", out);
    sherd_free_bodies_save(&im->free, sampled, out);
    sherd_linear_solver_save(im->solver, out);
    sherd_record_end(out, begun);
}

sherd_status sherd_implicit_restore(sherd_implicit *im, sherd_record_reader *in, sherd_error *error)
{
    sherd_record_reader part = sherd_record_enter(in, "implicit");
    sherd_record_read_one(&part, "state", &LAYOUT, im);
    sherd_preconditioner_cache_restore(&im->preconditioner, im->topology + 1, &part);
    sherd_time_errors_restore(&im->errors, &part);
    bool sampled = im->errors.trail_count > 0;
    if (sampled)
        sherd_node_state_restore(&im->now, "sampled", &part);
    else if (im->has_old)
        sherd_node_state_restore(&im->old, "old", &part);
    sherd_free_bodies_restore(&im->free, sampled, &part);
    ++im->topology;
    if (part.status == SHERD_OK)
        part.status = sherd_linear_solver_restore(im->solver, &part, error);
    return sherd_record_leave(&part);
}
