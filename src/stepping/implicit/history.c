// The previous state: sampled during explicit steps, or extrapolated backwards (implicit.h).
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/implicit/implicit_state.h"

sherd_time_error sherd_implicit_sample_history(sherd_implicit *im, double h)
{
    sherd_node_state_swap(&im->old, &im->now);
    sherd_node_state_capture(&im->now, im->parts.elements, &im->parts.parallel);
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
        if (!e->held[k]) {
            dv = vec3_scale(1.0 / sherd_element_mass(e, i), sherd_element_force(e, i));
            dv = vec3_scale(h, vec3_add(dv, external_of(in, k)));
            dw = vec3_scale(h / sherd_element_inertia(e, i), sherd_element_torque(e, i));
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
    im->regrouped =
        sherd_rigid_jump(&im->projection, im->parts.elements, &since, im->before, &limits) > 1.0;
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
    sherd_time_errors_forget(&im->errors);
    im->before = h;
    im->has_old = true;
    return SHERD_OK;
}
