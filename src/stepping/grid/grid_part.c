#include "stepping/grid/grid_part.h"

#include "bodies/driver_part.h"
#include "contact/contact_system.h"
#include "models/mpm/mpm_model.h"
#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/regions/regions.h"
#include "stepping/regions/system_part.h"

#include <math.h>

sherd_system *sherd_grid_part(const sherd_system *s)
{
    return s->regions != NULL ? &s->regions->list[0].system : NULL;
}

const sherd_element_index *sherd_grid_part_members(const sherd_system *s)
{
    return s->regions->list[0].member;
}

sherd_status sherd_grid_part_make(sherd_system *s, sherd_error *error)
{
    if (s->points->coupled_count == 0) return SHERD_OK;
    if (s->regions == NULL) return sherd_regions_gather(s, error);
    // from an older version
    if (s->element_dt == 0.0) s->element_dt = sherd_grid_part(s)->stable_dt;
    return SHERD_OK;
}

// Number of steps of that length for which a check for fast contacts is valid.
static const double MAX_STEP_RATIO = 1.02;

static void set_clock(sherd_system *part, double step, double begin)
{
    if (step > MAX_STEP_RATIO * part->dt) part->split.next_check = part->step;
    sherd_system_change_step(part, step);
    part->start_time = begin, part->start_step = part->step;
}

static void note_loads(void *context, double weight)
{
    sherd_system *part = context;
    if (part->contacts != NULL) sherd_contacts_note_loads(part->contacts, weight);
}

static void sum_up(sherd_system *s, sherd_system *part, double dt)
{
    sherd_system_move_accounts(part, s); // in each step: sums do not depend on stops
    sherd_drivers_move_sums(&part->drivers, &s->drivers, dt);
    if (s->contacts == NULL) return;
    sherd_contacts_sum_parts(s->contacts, s->regions->parts,
                             1); // others are added at the end of their span
    sherd_contacts_mean_loads(s->contacts, s->regions->parts, 1);
}

int64_t sherd_grid_part_begin(sherd_system *s, const sherd_method_settings *settings, double dt,
                              double time)
{
    sherd_system *part = sherd_grid_part(s);
    double longest = settings->safety * part->stable_dt;
    double steps = fmax(1.0, ceil(dt / longest * (1.0 - 1e-12)));
    set_clock(part, dt / steps, time - dt);
    part->path = 0.0;
    return (int64_t)steps;
}

sherd_status sherd_grid_part_step(sherd_system *s, const sherd_method_settings *settings,
                                  sherd_error *error)
{
    sherd_system *part = sherd_grid_part(s);
    const sherd_advance_goal goal = {INFINITY, 1, note_loads, part};
    return sherd_stepper_of(SHERD_METHOD_EXPLICIT)->advance(part, settings, &goal, error);
}

double sherd_grid_part_end(sherd_system *s, double dt, double time)
{
    sherd_system *part = sherd_grid_part(s);
    s->regions->list[0].counts.explicit_steps += part->step - part->start_step;
    part->start_time = time, part->start_step = part->step;
    sum_up(s, part, dt);
    return part->path;
}

sherd_status sherd_grid_part_show(sherd_system *s, sherd_error *error)
{
    sherd_system *part = sherd_grid_part(s);
    if (part == NULL) return SHERD_OK;
    return sherd_system_show_part(part, s, sherd_grid_part_members(s), error);
}
