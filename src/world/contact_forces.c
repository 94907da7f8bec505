// Table of contact forces of a world, in its output order.
#include "contact/contact_forces.h"
#include "base/error.h"
#include "base/memory.h"
#include "stepping/regions/time_regions.h"
#include "world/world.h"

#include <sherd/world_view.h>

#include <stdlib.h>

// Regions have contacts of their own, with the histories, until they are merged.
static bool list_all(const sherd_system *s, sherd_contact_forces *forces)
{
    if (s->contacts == NULL) return true;
    sherd_contact_numbers numbers = {.member = NULL};
    if (s->regions == NULL)
        return sherd_contacts_list_forces(s->contacts, &s->elements.points, &numbers, forces);
    bool fits = true;
    for (int k = 0; k < s->regions->count && fits; ++k) {
        const sherd_time_region *region = &s->regions->list[k];
        numbers = (sherd_contact_numbers){region->member, s->contacts, region->has_bodies};
        fits = sherd_contacts_list_forces(region->system.contacts, &region->system.elements.points,
                                          &numbers, forces);
    }
    return fits;
}

static int compare_numbers(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

static int compare_vectors(sherd_vec3 a, sherd_vec3 b)
{
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return (a.z > b.z) - (a.z < b.z);
}

// Elements first. Contacts of one pair are sorted by position.
static int compare(const void *a, const void *b)
{
    const sherd_contact_force *x = a, *y = b;
    int order = compare_numbers(x->i_obstacle, y->i_obstacle);
    if (order == 0) order = compare_numbers(x->i, y->i);
    if (order == 0) order = compare_numbers(x->j_obstacle, y->j_obstacle);
    if (order == 0) order = compare_numbers(x->j, y->j);
    return order != 0 ? order : compare_vectors(x->place, y->place);
}

sherd_contact_force *sherd_world_contact_forces(const sherd_world *world, int64_t *count,
                                                sherd_error *error)
{
    sherd_contact_forces forces = {.list = NULL};
    bool fits = sherd_grow((void **)&forces.list, &forces.capacity, 1, sizeof *forces.list);
    *count = 0;
    if (!fits || !list_all(&world->system, &forces)) {
        sherd_free(forces.list);
        sherd_fail_memory(error, "forces of contacts");
        return NULL;
    }
    if (forces.count > 1) qsort(forces.list, forces.count, sizeof *forces.list, compare);
    *count = (int64_t)forces.count;
    return forces.list;
}

void sherd_world_free_contact_forces(sherd_contact_force *forces)
{
    sherd_free(forces);
}
