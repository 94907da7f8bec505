#include "stepping/sleep/advance_asleep.h"

#include "base/assertion.h"
#include "contact/undisturbed_time.h"
#include "math/vec3.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/sleep/rigid_sleep.h"

static const double MIN_INTERVAL = 100.0; // shorter times do not pay [explicit steps]
enum { REST_CHECK_INTERVAL = 32 };        // explicit steps between checks

static sherd_undisturbed query_of(const sherd_system *s, double max_span)
{
    return (sherd_undisturbed){sherd_system_time(s), MIN_INTERVAL * s->dt, max_span, s->gravity};
}

// True if nothing moves: no check is needed.
static bool all_is_still(const sherd_system *s)
{
    const sherd_sleepers *sleepers = &s->sleep.sleepers;
    for (int32_t k = 0; k < sleepers->count; ++k)
        if (!sleepers->list[k].is_at_rest) return false;
    return s->contacts == NULL || sherd_contacts_are_fixed(s->contacts);
}

bool sherd_system_all_sleep(const sherd_system *s)
{
    sherd_element_index count = s->elements.count;
    if (s->points != NULL || count == 0 || s->elements.asleep[0] == 0 ||
        s->elements.asleep[count - 1] == 0) // quicker
        return false;
    return sherd_sleep_count(s) == count;
}

static double undisturbed(sherd_system *s, double max_span)
{
    if (all_is_still(s)) return max_span;
    if (s->step % REST_CHECK_INTERVAL != 0 || !(max_span >= MIN_INTERVAL * s->dt)) return 0.0;
    sherd_sleep_renew(s);
    sherd_undisturbed query = query_of(s, max_span);
    return s->contacts != NULL ? sherd_contacts_asleep_for(s->contacts, &query) : max_span;
}

sherd_status sherd_system_undisturbed(sherd_system *system, double max_span, double *time,
                                      sherd_error *error)
{
    *time = 0.0;
    if (!sherd_system_all_sleep(system)) return SHERD_OK;
    sherd_status status = sherd_system_update_forces(system, error); // sleepers may wake
    if (status == SHERD_OK && sherd_system_all_sleep(system)) *time = undisturbed(system, max_span);
    return status;
}

double sherd_system_at_rest_for(const sherd_system *system, double max_span)
{
    if (system->points != NULL || system->contacts == NULL) return 0.0;
    if (sherd_contacts_are_fixed(system->contacts)) return max_span;
    sherd_undisturbed query = query_of(system, max_span);
    return sherd_contacts_at_rest_for(system->contacts, &query);
}

// Speeds, and their check, are outdated (substeps.h).
static void forget_speeds(sherd_system *s)
{
    s->fastest = s->farthest = INFINITY;
    if (s->split.next_check > 0) s->split.next_check = 0;
    s->split.parts_left = 0;
}

void sherd_system_pass_time(sherd_system *system, double dt)
{
    SHERD_ASSERT(dt >= 0.0, "time advances");
    double step = system->dt, time = sherd_system_time(system) + dt;
    sherd_system_synchronize(system);
    sherd_sleep_renew(system);
    system->path += dt * (sherd_sleep_fastest(system) + dt * vec3_length(system->gravity));
    sherd_system_change_step(system, dt);
    ++system->step;
    sherd_sleep_renew(system);
    sherd_system_change_step(system, step);
    if (system->contacts != NULL) sherd_contacts_pass(system->contacts, time, dt);
    sherd_drivers_settle(&system->drivers, &system->elements.points, dt, dt / step,
                         system->gravity);
    forget_speeds(system);
}
