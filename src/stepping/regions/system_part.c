#include "stepping/regions/system_part.h"

#include "base/assertion.h"
#include "base/error.h"
#include "bodies/driver_part.h"
#include "models/bonded/storage/bond_subset.h"
#include "points/elements.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>

static sherd_status make_bonds(sherd_system *part, const sherd_system *whole,
                               const sherd_contact_members *m, sherd_error *error)
{
    sherd_status status = sherd_bonds_extract_part(&part->bonds, &whole->bonds, &whole->adjacency,
                                                   m->member, m->count, m->local, error);
    if (status == SHERD_OK)
        status = sherd_bonds_arrange(&part->bonds, &part->elements, whole->blocks.precision,
                                     &part->parallel, &part->blocks, error);
    if (status == SHERD_OK)
        status = sherd_adjacency_build(&part->adjacency, &part->bonds, m->count, error);
    return status;
}

static sherd_status make_contacts(sherd_system *part, const sherd_system *whole,
                                  const sherd_contact_members *m, sherd_error *error)
{
    if (whole->contacts == NULL) return SHERD_OK;
    part->contacts = sherd_contacts_make_part(whole->contacts, m, error);
    return part->contacts != NULL ? SHERD_OK : SHERD_ERROR_MEMORY;
}

sherd_status sherd_system_make_part(sherd_system *part, const sherd_system *whole,
                                    const sherd_contact_members *m, sherd_error *error)
{
    *part = (sherd_system){
        .kernel = whole->kernel,
        .gravity = whole->gravity,
        .parallel = whole->parallel,
        .stable_dt = sherd_system_element_limit(whole),
        .is_part = true,
    };
    sherd_status status =
        sherd_elements_extract_part(&part->elements, &whole->elements, m->member, m->count, error);
    if (status == SHERD_OK) status = make_bonds(part, whole, m, error);
    if (status == SHERD_OK) status = make_contacts(part, whole, m, error);
    if (status == SHERD_OK)
        status = sherd_drivers_extract_part(&part->drivers, &whole->drivers, m->local, error);
    if (status == SHERD_OK && whole->sleep.enabled && !m->awake)
        status = sherd_sleep_init(part, error);
    return status == SHERD_OK ? sherd_system_prepare(part, error) : status;
}

sherd_status sherd_system_fetch(sherd_system *part, const sherd_system *whole,
                                const sherd_contact_members *m, sherd_error *error)
{
    SHERD_ASSERT(part->elements.count <= whole->elements.count,
                 "a part has no more than the whole");
    sherd_elements_fetch_state(&part->elements, &whole->elements, m->member);
    sherd_bonds_fetch_state(&part->bonds, &whole->bonds);
    part->dt = whole->points != NULL ? whole->element_dt : whole->dt; // not that of the grid
    part->step = part->start_step = whole->step;
    part->start_time = sherd_system_time(whole);
    part->path_limit = INFINITY;
    part->forces_valid = false;
    sherd_status status =
        sherd_bond_blocks_refresh(&part->blocks, &part->bonds, &part->elements, NULL, error);
    if (status == SHERD_OK && part->contacts != NULL)
        status = sherd_contacts_fetch(part->contacts, whole->contacts, m, error);
    if (status == SHERD_OK && part->sleep.enabled)
        status = sherd_sleep_fetch(part, whole, m->member, m->local, error);
    return status;
}

static void move_account(double *to, double *from)
{
    *to += *from;
    *from = 0.0;
}

static void move_split(sherd_split *to, sherd_split *from)
{
    to->steps += from->steps;
    to->parts += from->parts;
    to->max_substeps =
        from->max_substeps > to->max_substeps ? from->max_substeps : to->max_substeps;
    to->deepest = fmax(to->deepest, from->deepest);
    from->steps = from->parts = 0;
}

void sherd_system_move_accounts(sherd_system *part, sherd_system *whole)
{
    SHERD_ASSERT(part != whole, "accounts move to the whole");
    sherd_accounts *to = &whole->accounts, *from = &part->accounts;
    move_account(&to->dissipated_bonds, &from->dissipated_bonds);
    move_account(&to->dissipated_fracture, &from->dissipated_fracture);
    move_account(&to->dissipated_softening, &from->dissipated_softening);
    move_account(&to->driver_work, &from->driver_work);
    move_account(&to->integration, &from->integration);
    move_split(&whole->split, &part->split);
    move_account(&whole->times.bonds, &part->times.bonds);
    move_account(&whole->times.contact, &part->times.contact);
    move_account(&whole->times.search, &part->times.search);
    move_account(&whole->times.implicit, &part->times.implicit);
}

sherd_status sherd_system_show_part(sherd_system *part, sherd_system *whole,
                                    const sherd_element_index *member, sherd_error *error)
{
    sherd_elements_return_state(&part->elements, &whole->elements, member);
    sherd_bonds_return_state(&part->bonds, &whole->bonds);
    sherd_system_move_accounts(part, whole);
    return sherd_break_log_hand_over(&part->breaks, &part->bonds, &whole->breaks, error);
}
