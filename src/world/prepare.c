// From definitions to something that can be stepped.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "stepping/sleep/rigid_sleep.h"
#include "world/world.h"

static double smallest_radius(const sherd_elements *e)
{
    double r = INFINITY;
    for (sherd_element_index k = 0; k < e->count; ++k)
        r = fmin(r, sherd_element_radius(e, k));
    return r;
}

static sherd_status make_contacts(sherd_world *world, sherd_error *error)
{
    sherd_contact_material *materials =
        sherd_alloc((size_t)world->material_count, sizeof *materials);
    if (materials == NULL) return sherd_fail_memory(error, "contact materials");
    for (int k = 0; k < world->material_count; ++k)
        materials[k] =
            (sherd_contact_material){world->materials[k].youngs_modulus,
                                     world->materials[k].friction, world->materials[k].restitution};
    sherd_contact_def def = {world->material_count, materials,
                             world->def.contact_skin * smallest_radius(&world->system.elements),
                             world->system.parallel};
    world->system.contacts = sherd_contacts_create(&def, error);
    sherd_free(materials);
    if (world->system.contacts == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    for (int k = 0; k < world->obstacle_count; ++k)
        if (sherd_contacts_add_obstacle(world->system.contacts, &world->pending_obstacles[k],
                                        error) < 0)
            return error != NULL ? error->status : SHERD_ERROR_INPUT;
    return SHERD_OK;
}

static sherd_status make_probes(sherd_world *world, sherd_error *error)
{
    size_t n = (size_t)world->obstacle_count;
    world->obstacle_force_sum = sherd_alloc(n, sizeof(sherd_vec3));
    world->obstacle_torque_sum = sherd_alloc(n, sizeof(sherd_vec3));
    world->obstacle_start = sherd_alloc(n, sizeof(sherd_pose));
    if (world->obstacle_force_sum == NULL || world->obstacle_torque_sum == NULL ||
        world->obstacle_start == NULL)
        return sherd_fail_memory(error, "probes");
    for (size_t k = 0; k < n; ++k)
        world->obstacle_start[k] = world->pending_obstacles[k].pose;
    return SHERD_OK;
}

// A material whose law, that of Lu, has no energy to minimise; NULL: none.
static const sherd_material_def *without_energy(const sherd_world *world)
{
    for (int k = 0; k < world->material_count; ++k)
        if (world->materials[k].law != SHERD_BOND_LAW_QUATERNION) return &world->materials[k];
    return NULL;
}

static sherd_status fail_law(const sherd_material_def *material, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT,
                      material->name != NULL ? material->name : "material",
                      "use law quaternion, or method explicit or auto",
                      "its bonds' law has no energy, which implicit steps minimise");
}

// Nothing but what the scene says may decide: the same scene makes the same steps everywhere.
static const char *reason_for_explicit(const sherd_world *world)
{
    if (world->system.elements.count > world->def.implicit_elements)
        return "more elements than implicit_elements";
    return without_energy(world) != NULL ? "a material's law has no energy to minimise" : NULL;
}

// Strength, and speed whose waves break something, of the weakest material. What breaks only at large strains
// counts as breaking earlier: its shape is what is looked at.
static void find_weakest(sherd_world *world)
{
    static const double LARGE_STRAIN = 0.02;
    double weakest = INFINITY, slowest = INFINITY;
    for (int k = 0; k < world->material_count; ++k) {
        const sherd_material_def *m = &world->materials[k];
        if (m->breakage == SHERD_BREAKAGE_NONE || isinf(m->tensile_strength)) continue;
        double strength = world->least_strength * m->tensile_strength;
        double strain = fmin(strength / m->youngs_modulus, LARGE_STRAIN);
        weakest = fmin(weakest, strength);
        slowest = fmin(slowest, strain * sqrt(m->youngs_modulus / m->density));
    }
    world->method.weakest_strength = weakest;
    world->method.brittle_speed = isinf(slowest) ? 0.0 : slowest;
}

static bool steps_explicitly(const sherd_world *world)
{
    return world->def.method == SHERD_METHOD_EXPLICIT || world->method.explicit_only;
}

// Implicit steps and explicit ones share their blocks, made for single precision; bonds are then computed in
// double on these.
static sherd_status choose_method(sherd_world *world, sherd_error *error)
{
    const sherd_world_def *def = &world->def;
    bool wide = def->precision == SHERD_PRECISION_DOUBLE;
    world->explicit_reason = reason_for_explicit(world);
    if (def->method == SHERD_METHOD_EXPLICIT) return SHERD_OK;
    bool automatic = def->method == SHERD_METHOD_AUTO;
    world->method = (sherd_method_settings){
        .method = def->method,
        .explicit_only = automatic && world->explicit_reason != NULL,
        .accuracy = def->accuracy,
        .scheme = def->scheme,
        .paper_fracture = def->paper_fracture,
        .regions = automatic && world->explicit_reason == NULL && def->regions,
        .barrier = def->contact_barrier * smallest_radius(&world->system.elements),
        .weakest_strength = INFINITY};
    find_weakest(world);
    if (!steps_explicitly(world))
        world->system.kernel = wide ? SHERD_BOND_KERNEL_WIDE : SHERD_BOND_KERNEL_BEST;
    const sherd_material_def *bad = without_energy(world);
    return bad != NULL && def->method == SHERD_METHOD_IMPLICIT ? fail_law(bad, error) : SHERD_OK;
}

static sherd_precision precision_of_blocks(const sherd_world *world)
{
    return steps_explicitly(world) ? world->def.precision : SHERD_PRECISION_MIXED;
}

// Once all are there. Implicit steps need loads as they are.
static sherd_status make_elements_small(sherd_world *world, sherd_error *error)
{
    sherd_elements *e = &world->system.elements;
    sherd_status status = sherd_elements_pack(e, error);
    bool may_round = world->def.precision == SHERD_PRECISION_MIXED && steps_explicitly(world);
    if (status == SHERD_OK && may_round) status = sherd_elements_shorten_loads(e, error);
    return status;
}

sherd_status sherd_world_prepare(sherd_world *world, sherd_error *error)
{
    if (world->prepared) return SHERD_OK;
    sherd_system *system = &world->system;
    if (system->elements.count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "world", "add a body", "there are no elements");
    sherd_status status = choose_method(world, error);
    if (status == SHERD_OK)
        status = sherd_bonds_arrange(&system->bonds, &system->elements, precision_of_blocks(world),
                                     &system->parallel, &system->blocks, error);
    if (status == SHERD_OK) status = make_elements_small(world, error);
    if (status == SHERD_OK)
        status = sherd_adjacency_build(&system->adjacency, &system->bonds, system->elements.count,
                                       error);
    if (status == SHERD_OK && world->def.contacts) status = make_contacts(world, error);
    if (status == SHERD_OK) status = make_probes(world, error);
    if (status == SHERD_OK && world->def.sleep) status = sherd_sleep_init(system, error);
    if (status == SHERD_OK) status = sherd_system_prepare(system, error);
    if (status != SHERD_OK) return status;
    sherd_world_note_gravity(world);
    world->prepared = true;
    return SHERD_OK;
}
