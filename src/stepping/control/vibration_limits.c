#include "stepping/control/vibration_limits.h"

#include "stepping/control/step_length.h"
#include "stepping/control/vibration.h"

bool sherd_limits_by_ringing(const sherd_control_pass *p)
{
    return p->settings->may_switch && p->settings->fixed_dt == 0.0;
}

sherd_status sherd_find_pass_ringing(const sherd_control_pass *p)
{
    sherd_step_control *control = p->control;
    sherd_ringing_found found;
    sherd_status status = sherd_system_find_ringing(p->system, &found, p->error);
    if (status != SHERD_OK) return status;
    control->ring_power = found.power;
    control->ring_stress = found.stress;
    control->tumbling = found.tumbling;
    control->ring_unchecked = 0;
    return SHERD_OK;
}

// A sample costs about two explicit steps. Vibrations below half of the threshold need more than a
// step or two to reach it, unless an excitation shortens steps.
static bool may_ring_now(const sherd_control_pass *p, const sherd_implicit_result *result)
{
    const sherd_step_control *control = p->control;
    if (!sherd_limits_by_ringing(p)) return false;
    return control->ring_stress > 0.5 * SHERD_RINGING_STRESS ||
           control->ring_unchecked >= RING_UNCHECKED ||
           result->dt < RING_SHORTENED * control->ring_dt || result->rejected > 0;
}

sherd_status sherd_keep_ringing(const sherd_control_pass *p, const sherd_implicit_result *result)
{
    sherd_step_control *control = p->control;
    sherd_status status = SHERD_OK;
    bool look = may_ring_now(p, result);
    control->ring_dt = result->dt;
    ++control->ring_unchecked;
    if (look) status = sherd_find_pass_ringing(p);
    double longest = sherd_step_longest(p, &result->time, result->scheme, result->dt);
    control->next_dt = fmin(control->next_dt, longest);
    return status;
}

// True if something rings or tumbles, and steps short enough to resolve it cost more than explicit
// ones. Tumbling that allows longer steps is no reason: something else shortened this one.
bool sherd_explicit_keeps_ringing(const sherd_control_pass *p, double dt)
{
    const sherd_step_control *control = p->control;
    double worth = fmax(SHORTEST_STEP, control->cost) * p->settings->explicit_dt;
    if (dt >= worth) return false;
    return control->ring_power > 0.0 || control->tumbling * worth > TUMBLING_ANGLE;
}
