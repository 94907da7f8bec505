// A stepping method in one row and one file: symplectic Euler, v += h f / m, then x += h v.
#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stepping/stepper.h"
#include "stepping/stepper_state.h"

#include <math.h>

static sherd_status prepare(sherd_system *s, sherd_method_settings *settings, double until,
                            sherd_error *error)
{
    (void)until;
    if (s->dt > 0.0) return SHERD_OK;
    sherd_status status = sherd_system_stable_time_step(s, &s->stable_dt, error);
    s->dt = settings->safety * s->stable_dt;
    return status;
}

static void step_element(sherd_system *s, sherd_element_index k)
{
    sherd_elements *e = &s->elements;
    double h = s->dt;
    sherd_vec3 a =
        vec3_add_scaled(s->gravity, 1.0 / sherd_element_mass(e, k), sherd_element_force(e, k));
    sherd_vec3 v = vec3_add_scaled(sherd_element_velocity(e, k), h, a);
    sherd_vec3 w = vec3_add_scaled(sherd_element_spin(e, k), h / sherd_element_inertia(e, k),
                                   sherd_element_torque(e, k));
    sherd_vec3 p = vec3_add_scaled(sherd_element_position(e, k), h, v);
    sherd_quat q =
        quat_multiply(quat_from_rotation_vector(vec3_scale(h, w)), sherd_element_orientation(e, k));
    e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
    e->wx[k] = w.x, e->wy[k] = w.y, e->wz[k] = w.z;
    e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

static sherd_status advance(sherd_system *s, const sherd_method_settings *settings,
                            const sherd_advance_goal *goal, sherd_error *error)
{
    (void)settings;
    for (int64_t made = 0; made < goal->max_steps; ++made) {
        if (goal->until - sherd_system_time(s) < 0.5 * s->dt) return SHERD_OK;
        sherd_status status = sherd_system_update_forces(s, error);
        if (status != SHERD_OK) return status;
        for (sherd_element_index k = 0; k < s->elements.count; ++k)
            step_element(s, k);
        s->forces_valid = false;
        ++s->step;
        goal->after(goal->context, 1.0);
    }
    return SHERD_OK;
}

static double last_dt(const sherd_system *s)
{
    return s->dt;
}

static sherd_solver_counts counts(const sherd_system *s)
{
    return (sherd_solver_counts){.explicit_steps = s->step};
}

const sherd_stepper sherd_stepper_toy = {
    .explicit_steps = true,
    .even_steps = true,
    .prepare = prepare,
    .advance = advance,
    .stable_dt = sherd_system_stable_time_step,
    .last_dt = last_dt,
    .counts = counts,
    .save = sherd_stepper_save,
    .restore = sherd_stepper_restore,
};
