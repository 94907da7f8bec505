#include "stepping/implicit/left_point.h"

#include "math/quat.h"
#include "math/vec3.h"

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
            vec3_scale(scale / sherd_element_inertia(e, i), sherd_element_torque(e, i));
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
    sherd_node_state_restore_to(&im->now, im->parts.elements, &im->parts.parallel);
    sherd_status status =
        sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(&im->parts.parallel, (size_t)im->now.count, SHERD_IMPLICIT_CHUNK, push_range,
                       im);
    sherd_implicit_pose_held(im, im->request.dt);
    return sherd_objective_evaluate(objective, false, im->vectors, &report->value, error);
}
