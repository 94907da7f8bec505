// Borrowed views of the state.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_forces.h"
#include "math/quat.h"
#include "models/bonded/bond_rotations.h"
#include "stepping/regions/regions.h"
#include "stepping/regions/time_regions.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system_state.h"
#include "world/world.h"

#include <sherd/world.h>
#include <sherd/world_view.h>

#include <stdlib.h>

static bool is_central(const sherd_material_def *material)
{
    return material->law == SHERD_BOND_LAW_CENTRAL;
}

static bool has_central_bonds(const sherd_world *world)
{
    bool found = false;
    for (int m = 0; m < world->material_count; ++m)
        found |= is_central(&world->materials[m]);
    return found && world->prepared && world->system.bonds.count > 0;
}

// Without memory the elements stay as they were at the start.
static void fit_rotations(sherd_world *world, double *q[4])
{
    size_t n = (size_t)world->system.elements.count;
    if (world->fitted_rotations == NULL)
        world->fitted_rotations = sherd_alloc(4 * n, sizeof *world->fitted_rotations);
    bool *fits = sherd_alloc((size_t)world->material_count, sizeof *fits);
    if (world->fitted_rotations != NULL && fits != NULL) {
        for (int m = 0; m < world->material_count; ++m)
            fits[m] = is_central(&world->materials[m]);
        for (size_t c = 0; c < 4; ++c)
            q[c] = world->fitted_rotations + c * n;
        sherd_system_models models;
        sherd_system_models_of(&models, &world->system);
        sherd_bonded_fit_rotations(&models.bonded, fits, q);
    }
    sherd_free(fits);
}

sherd_element_view sherd_world_elements(const sherd_world *world)
{
    // Elements get the state of points on request: the state itself does not change.
    sherd_system *s = (sherd_system *)(uintptr_t)&world->system;
    if (s->points != NULL) sherd_point_bodies_update_orientations(s->points, &s->elements);
    if (s->fem != NULL) sherd_fem_turn_elements(s->fem, &s->elements);
    const sherd_elements *e = &s->elements;
    double *q[4] = {e->qx, e->qy, e->qz, e->qw};
    if (has_central_bonds(world)) fit_rotations((sherd_world *)(uintptr_t)world, q);
    return (sherd_element_view){
        .count = e->count,
        .x = e->px,
        .y = e->py,
        .z = e->pz,
        .qx = q[0],
        .qy = q[1],
        .qz = q[2],
        .qw = q[3],
        .vx = e->vx,
        .vy = e->vy,
        .vz = e->vz,
        .wx = e->wx,
        .wy = e->wy,
        .wz = e->wz,
    };
}

static bool has_element(const sherd_world *world, sherd_element_index k)
{
    return k >= 0 && k < world->system.elements.count;
}

sherd_body_index sherd_world_body_of(const sherd_world *world, sherd_element_index k)
{
    int low = 0, high = world->body_count - 1;
    while (low < high) {
        int middle = high - (high - low) / 2;
        if (world->bodies[middle].first <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

sherd_element_info sherd_world_element(const sherd_world *world, sherd_element_index element)
{
    const sherd_elements *e = &world->system.elements;
    if (!has_element(world, element)) return (sherd_element_info){0};
    return (sherd_element_info){
        .rest = sherd_element_rest(e, element),
        .radius = sherd_element_radius(e, element),
        .mass = sherd_element_mass(e, element) / world->def.mass_scaling,
        .material = sherd_element_material(e, element),
        .body = sherd_world_body_of(world, element),
    };
}

sherd_vec3 sherd_world_element_force(const sherd_world *world, sherd_element_index element)
{
    if (!has_element(world, element)) return (sherd_vec3){0};
    return sherd_element_force(&world->system.elements, element);
}

sherd_element_index sherd_world_asleep_count(const sherd_world *world)
{
    return sherd_regions_asleep(&world->system);
}

sherd_region_info sherd_world_region(const sherd_world *world, sherd_element_index element)
{
    const sherd_system *s = &world->system;
    if (!has_element(world, element)) return (sherd_region_info){0};
    if (s->regions == NULL)
        return (sherd_region_info){0,
                                   1,
                                   s->elements.count,
                                   sherd_sleep_count(s),
                                   s->control.implicit_now != 0,
                                   sherd_world_solver_counts(world)};
    int number = s->regions->of[element];
    if (number < 0) // a material point: of the first
        return (sherd_region_info){.count = s->regions->count,
                                   .counts = sherd_world_solver_counts(world)};
    const sherd_time_region *region = &s->regions->list[number];
    return (sherd_region_info){number,
                               s->regions->count,
                               region->system.elements.count,
                               sherd_sleep_count(&region->system),
                               region->system.control.implicit_now != 0,
                               region->counts};
}

sherd_bond_view sherd_world_bonds(const sherd_world *world)
{
    const sherd_bonds *b = &world->system.bonds;
    return (sherd_bond_view){b->count, b->i, b->j, b->broken, b->broken_count};
}

void sherd_world_components(const sherd_world *world, sherd_element_index *first)
{
    sherd_system_models state;
    sherd_models_find_components(sherd_system_models_of(&state, &world->system), first);
}

void sherd_world_bond_sections(const sherd_world *world, float *section)
{
    static const double PI = 3.14159265358979323846;
    const sherd_system *s = &world->system;
    for (sherd_bond_index k = 0; k < s->bonds.count; ++k) {
        double r0 = sherd_bond_stiffness_of(&s->bonds, &s->elements, k).r0;
        section[k] = (float)(PI * r0 * r0);
    }
}

int sherd_world_body_count(const sherd_world *world)
{
    return world->body_count;
}

sherd_body_bonds sherd_world_body_bonds(const sherd_world *world, int body)
{
    if (body < 0 || body >= world->body_count) return (sherd_body_bonds){0};
    return world->bodies[body].bonds;
}

sherd_body_info sherd_world_body(const sherd_world *world, int body)
{
    if (body < 0 || body >= world->body_count) return (sherd_body_info){0};
    const world_body *b = &world->bodies[body];
    return (sherd_body_info){b->name, b->first, b->count, b->material};
}

int sherd_world_obstacle_count(const sherd_world *world)
{
    return world->obstacle_count;
}

sherd_pose sherd_world_obstacle_pose(const sherd_world *world, int obstacle)
{
    if (obstacle < 0 || obstacle >= world->obstacle_count)
        return (sherd_pose){.rotation = SHERD_QUAT_IDENTITY};
    if (world->system.contacts == NULL) return world->pending_obstacles[obstacle].pose;
    return sherd_contacts_obstacle_pose(world->system.contacts, obstacle);
}

int64_t sherd_world_touching_count(const sherd_world *world)
{
    const sherd_contacts *contacts = world->system.contacts;
    return contacts != NULL ? sherd_contacts_active_count(contacts) : 0;
}

sherd_memory_use sherd_world_memory(const sherd_world *world)
{
    sherd_memory_use use = {0};
    sherd_system_add_memory(&world->system, &use);
    use.total = use.elements + use.bonds + use.contacts + use.implicit;
    return use;
}

// ---------------------------------------------------------------- contact forces

// Table of contact forces of a world, in its output order.

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
static int compare_forces(const void *a, const void *b)
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
    if (forces.count > 1) qsort(forces.list, forces.count, sizeof *forces.list, compare_forces);
    *count = (int64_t)forces.count;
    return forces.list;
}

void sherd_world_free_contact_forces(sherd_contact_force *forces)
{
    sherd_free(forces);
}

// ---------------------------------------------------------------- breaks

// The list of breaks of a world, in its output order.

sherd_bond_index sherd_world_break_count(const sherd_world *world)
{
    return (sherd_bond_index)world->system.breaks.count;
}

static int compare_breaks(const void *a, const void *b)
{
    const sherd_break *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->bond > y->bond) - (x->bond < y->bond);
}

static sherd_break of_bond(const sherd_world *world, const sherd_broken *b)
{
    const sherd_bonds *bonds = &world->system.bonds;
    sherd_element_index i = bonds->i[b->bond];
    return (sherd_break){.bond = b->bond,
                         .time = b->time,
                         .place = b->place,
                         .energy = b->energy,
                         .i = i,
                         .j = bonds->j[b->bond],
                         .body = sherd_world_body_of(world, i),
                         .mode = (sherd_break_mode)b->mode,
                         .piece_i = -1,
                         .piece_j = -1};
}

static sherd_break of_glue(const sherd_world *world, const sherd_broken *b)
{
    sherd_glue_particle p =
        sherd_world_glue_at(world, (size_t)(b->bond - world->system.bonds.count));
    return (sherd_break){.bond = b->bond,
                         .time = b->time,
                         .place = b->place,
                         .i = p.i,
                         .j = p.j,
                         .body = p.body,
                         .mode = (sherd_break_mode)b->mode,
                         .piece_i = p.piece_i,
                         .piece_j = p.piece_j};
}

void sherd_world_breaks(const sherd_world *world, sherd_break *breaks)
{
    const sherd_system *s = &world->system;
    for (size_t k = 0; k < s->breaks.count; ++k) {
        const sherd_broken *b = &s->breaks.list[k];
        SHERD_ASSERT(b->bond >= 0 && isfinite(b->time),
                     "a break has a bond index and a finite time");
        breaks[k] = b->bond < s->bonds.count ? of_bond(world, b) : of_glue(world, b);
    }
    if (s->breaks.count > 1) qsort(breaks, s->breaks.count, sizeof *breaks, compare_breaks);
}

void sherd_world_forget_breaks(sherd_world *world)
{
    world->system.breaks.count = 0;
}
