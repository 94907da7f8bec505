#include "stepping/explicit/swing.h"

#include "math/vec3.h"
#include "stepping/regions/time_regions.h"

enum { CHUNK = 4096 };

// What is held gets no kick, and what sleeps has no loads.
sherd_half_kick sherd_element_half_kick(const sherd_system *system, sherd_element_index k)
{
    const sherd_elements *e = &system->elements;
    if (e->asleep[k]) return (sherd_half_kick){0};
    double half = 0.5 * system->dt;
    sherd_vec3 fall = vec3_scale(half, system->gravity);
    sherd_half_kick kick = {
        vec3_add_scaled(fall, half / sherd_element_mass(e, k), sherd_element_force(e, k)),
        vec3_scale(half / sherd_element_inertia(e, k), sherd_element_torque(e, k))};
    uint8_t held = e->held[k];
    if (held & SHERD_HELD_X) kick.v.x = 0.0;
    if (held & SHERD_HELD_Y) kick.v.y = 0.0;
    if (held & SHERD_HELD_Z) kick.v.z = 0.0;
    if (held & SHERD_HELD_TURN) kick.w = vec3(0.0, 0.0, 0.0);
    return kick;
}

double sherd_element_swing(const sherd_system *system, sherd_element_index k)
{
    const sherd_elements *e = &system->elements;
    sherd_half_kick kick = sherd_element_half_kick(system, k);
    return 0.5 * (sherd_element_mass(e, k) * vec3_dot(kick.v, kick.v) +
                  sherd_element_inertia(e, k) * vec3_dot(kick.w, kick.w));
}

static double sum_swing(void *context, size_t begin, size_t end)
{
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += sherd_element_swing(context, (sherd_element_index)k);
    return sum;
}

static double swing_now(const sherd_system *s)
{
    double sum =
        sherd_parallel_sum(&s->parallel, (size_t)s->elements.count, CHUNK, sum_swing, (void *)s);
    return s->contacts != NULL ? sum + sherd_contacts_body_swing(s->contacts, s->dt, s->gravity)
                               : sum;
}

double sherd_system_swing(const sherd_system *system)
{
    if (system->regions == NULL)
        return system->accounts.swings ? swing_now(system) - system->accounts.swing_start : 0.0;
    double sum = 0.0;
    for (int r = 0; r < system->regions->count; ++r)
        sum += sherd_system_swing(&system->regions->list[r].system);
    return sum;
}

void sherd_system_begin_swing(sherd_system *system)
{
    system->accounts.swing_start = swing_now(system);
    system->accounts.swings = 1;
}

void sherd_system_end_swing(sherd_system *system)
{
    system->accounts.integration -= sherd_system_swing(system);
    system->accounts.swings = 0;
}

// The swing of the same loads is as the square of the step.
void sherd_system_change_step(sherd_system *system, double dt)
{
    sherd_accounts *a = &system->accounts;
    double ratio = dt / system->dt;
    if (a->swings) {
        double now = swing_now(system);
        a->integration -= now - a->swing_start;
        a->swing_start = ratio * ratio * now;
    }
    system->dt = dt;
}
