// Preparation of a defined world for stepping.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_pieces.h"
#include "stepping/driven_surfaces.h"
#include "stepping/sleep/rigid_sleep.h"
#include "world/section.h"
#include "world/world.h"

#include <sherd/world.h>

#include <stdio.h>

static double smallest_radius(const sherd_elements *e)
{
    double r = INFINITY;
    for (sherd_element_index k = 0; k < e->count; ++k)
        r = fmin(r, sherd_element_radius(e, k));
    return r;
}

// Radius of the smallest element; of free bodies alone half the smallest extent of the smallest [m].
static double smallest_size(const sherd_world *world)
{
    double r = smallest_radius(&world->system.elements);
    for (int k = 0; k < world->obstacle_count && world->system.elements.count == 0; ++k) {
        const sherd_obstacle_def *o = &world->pending_obstacles[k];
        if (o->kind != SHERD_OBSTACLE_FREE) continue;
        sherd_bounds b = sherd_shape_bounds(o->shape);
        double x = b.high.x - b.low.x, y = b.high.y - b.low.y, z = b.high.z - b.low.z;
        r = fmin(r, 0.5 * fmin(x, fmin(y, z)));
    }
    return r;
}

// Poisson's ratio of a solid with the bonds' E and G, in [0, 1/2].
static double poissons_ratio(const sherd_material_def *material)
{
    double ratio = 0.5 * material->youngs_modulus / material->shear_modulus - 1.0;
    return fmin(fmax(ratio, 0.0), 0.5);
}

static bool has_barrier_potential(const sherd_world *world)
{
    return world->def.contact_potential == SHERD_CONTACT_BARRIER;
}

// For elements; obstacles meet each other with that of the stiffest material, which may be a fluid.
static double contact_friction(const sherd_material_def *material)
{
    bool fluid = material->model == SHERD_SOLID_MODEL_FLUID;
    return fluid ? SHERD_USUAL_FRICTION : material->friction;
}

// True of schemes whose loads are not those at the end of a step.
static bool ends_beyond_loads(sherd_scheme scheme)
{
    return scheme == SHERD_SCHEME_MIDPOINT || scheme == SHERD_SCHEME_LEFT_POINT;
}

// [RBDEM] evaluates (30) wherever elements are predicted, and says nothing of centres that meet, where it is
// infinite: from a twentieth of the barrier's width before that, where it is 221 times as stiff as a linear
// spring, it continues with constant slope.
static const double LINEAR_BARRIER_LIMIT = 0.95;

static sherd_contact_material contact_material(const sherd_world *world,
                                               const sherd_material_def *material)
{
    const sherd_world_def *def = &world->def;
    bool is_barrier = has_barrier_potential(world);
    double width = def->contact_barrier * smallest_radius(&world->system.elements);
    return (sherd_contact_material){
        .youngs_modulus = material->youngs_modulus,
        .friction = contact_friction(material),
        .restitution = material->restitution,
        .potential = def->contact_potential,
        .poissons_ratio = poissons_ratio(material),
        .width = is_barrier ? width : 0.0,
        // With alternating explicit and implicit steps, both have the same energy. Nothing stops steps that go
        // on from where loads are found.
        .walled = is_barrier && !sherd_method_describe(def->method).explicit_steps &&
                  !ends_beyond_loads(def->scheme),
        .barrier_limit = def->scheme == SHERD_SCHEME_LINEAR_EULER ? LINEAR_BARRIER_LIMIT : 0.0,
        .contact_modulus = 2.0 * def->contact_stiffness,
    };
}

static sherd_status make_contacts(sherd_world *world, sherd_error *error)
{
    sherd_contact_material *materials =
        sherd_alloc((size_t)world->material_count, sizeof *materials);
    if (materials == NULL) return sherd_fail_memory(error, "contact materials");
    for (int k = 0; k < world->material_count; ++k)
        materials[k] = contact_material(world, &world->materials[k]);
    sherd_contact_def def = {world->material_count, materials,
                             world->def.contact_skin * smallest_size(world),
                             world->system.parallel};
    world->system.contacts = sherd_contacts_create(&def, error);
    sherd_free(materials);
    if (world->system.contacts == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    sherd_contacts_set_faces(world->system.contacts, &world->system.faces);
    for (int k = 0; k < world->obstacle_count; ++k)
        if (sherd_contacts_add_obstacle(world->system.contacts, &world->pending_obstacles[k],
                                        error) < 0)
            return error != NULL ? error->status : SHERD_ERROR_INPUT;
    sherd_contacts_scale_mass(world->system.contacts, world->def.mass_scaling);
    return SHERD_OK;
}

static sherd_status make_probes(sherd_world *world, sherd_error *error)
{
    size_t n = (size_t)world->obstacle_count;
    world->obstacle_force_sum = sherd_alloc(n, sizeof(sherd_vec3));
    world->obstacle_torque_sum = sherd_alloc(n, sizeof(sherd_vec3));
    world->obstacle_range = sherd_alloc(n, sizeof *world->obstacle_range);
    world->obstacle_start = sherd_alloc(n, sizeof(sherd_pose));
    if (world->obstacle_force_sum == NULL || world->obstacle_torque_sum == NULL ||
        world->obstacle_range == NULL || world->obstacle_start == NULL)
        return sherd_fail_memory(error, "probes");
    for (size_t k = 0; k < n; ++k) {
        world->obstacle_range[k] = sherd_load_range_empty();
        world->obstacle_start[k] = world->pending_obstacles[k].pose;
    }
    return SHERD_OK;
}

// A material whose law has no potential to minimise; NULL: none.
static const sherd_material_def *find_without_potential(const sherd_world *world)
{
    for (int k = 0; k < world->material_count; ++k)
        if (!sherd_bond_law_describe(world->materials[k].law)->has_energy)
            return &world->materials[k];
    return NULL;
}

static sherd_status fail_law(const sherd_material_def *material, sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s.bond_law",
             material->name != NULL ? material->name : "material");
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "use `bond_law: quaternion`, or `method: explicit` or `auto`",
                      "bonds of the law %s have no energy, which implicit steps minimise",
                      sherd_bond_law_words[material->law]);
}

// Without material points.
static int64_t count_bonded_elements(const sherd_world *world)
{
    int64_t count = 0;
    for (int k = 0; k < world->body_count; ++k)
        if (world->bodies[k].spacing == 0.0) count += world->bodies[k].count;
    return count;
}

// Only the scene may decide: the same scene takes the same steps everywhere.
static const char *reason_for_explicit(const sherd_world *world)
{
    bool points = sherd_world_point_spacing(world) > 0.0;
    int64_t elements = count_bonded_elements(world);
    if (sherd_world_is_of_tetrahedra(world)) return "finite elements take explicit steps";
    if (points && elements == 0) return "material points take explicit steps of their grid";
    if (points && !world->def.regions)
        return "beside material points only regions take implicit steps";
    if (elements > world->def.implicit_elements) return "more elements than implicit_elements";
    return find_without_potential(world) != NULL ? "a material's law has no energy to minimise"
                                                 : NULL;
}

// True if a material has points and no elements.
static bool is_of_points(const sherd_world *world, int material)
{
    bool points = false, elements = false;
    for (int k = 0; k < world->body_count; ++k)
        if (world->bodies[k].material == material)
            *(world->bodies[k].spacing > 0.0 ? &points : &elements) = true;
    return points && !elements;
}

// Strength, and speed whose waves cause breaks, of the weakest material. A material that breaks
// only at large strains counts as breaking earlier, because its deformation is visible.
static void find_weakest(sherd_world *world)
{
    static const double LARGE_STRAIN = 0.02;
    double weakest = INFINITY, slowest = INFINITY;
    for (int k = 0; k < world->material_count; ++k) {
        const sherd_material_def *m = &world->materials[k];
        if (is_of_points(world, k)) continue;
        // An impact that makes bonds yield is stepped explicitly, too.
        weakest = fmin(weakest, m->yield_stress);
        if (!sherd_material_can_break(m)) continue;
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
    return world->method.explicit_only;
}

static bool would_be_explicit(const sherd_world *world, const sherd_stepper *row)
{
    if (!row->implicit_steps) return true;
    return row->explicit_steps && reason_for_explicit(world) != NULL;
}

// The algorithms of [IBDEM25].
static bool by_paper(const sherd_world_def *def)
{
    return def->optimizer != SHERD_STEP_OPTIMIZER_NEWTON;
}

static void set_method(sherd_world *world)
{
    const sherd_world_def *def = &world->def;
    const sherd_stepper *row = sherd_stepper_of(def->method);
    bool may_switch = row->explicit_steps && row->implicit_steps;
    world->explicit_reason = reason_for_explicit(world);
    world->method = (sherd_method_settings){
        .stepper = row,
        .may_switch = may_switch,
        .explicit_only = would_be_explicit(world, row),
        .given_dt = def->time_step,
        .given_limits = def->time_step_in_limits,
        .safety = def->time_step_safety,
        .accuracy = def->accuracy,
        .scheme = def->scheme,
        .paper_fracture = def->paper_fracture || by_paper(def),
        .optimizer = def->optimizer,
        .as_printed = def->as_printed,
        .rolling_friction = def->rolling_friction,
        .regions = may_switch && world->explicit_reason == NULL && def->regions,
        .barrier = has_barrier_potential(world)
                       ? 0.0
                       : def->contact_barrier * smallest_radius(&world->system.elements),
        .weakest_strength = INFINITY};
    find_weakest(world);
    if (may_switch && !world->method.explicit_only)
        world->method.section_bonds = sherd_world_smallest_section(world);
    world->stepper = world->method.regions ? &sherd_stepper_regions : row;
    if (sherd_world_point_spacing(world) > 0.0) world->stepper = &sherd_stepper_grid;
    if (sherd_world_is_of_tetrahedra(world)) world->stepper = &sherd_stepper_fem;
}

static bool has_free_bodies(const sherd_world *world)
{
    for (int k = 0; k < world->obstacle_count; ++k)
        if (world->pending_obstacles[k].kind == SHERD_OBSTACLE_FREE) return true;
    return false;
}

static sherd_status check_free_bodies(const sherd_world *world, sherd_error *error)
{
    for (int k = 0; k < world->obstacle_count; ++k) {
        const sherd_obstacle_def *o = &world->pending_obstacles[k];
        if (o->kind == SHERD_OBSTACLE_FREE)
            return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer", "use optimizer newton",
                              "[IBDEM25] has no free rigid bodies, as '%s' is one",
                              o->name != NULL ? o->name : "an obstacle");
    }
    return SHERD_OK;
}

// Neither convergence of the single iteration nor its error in time is checked.
static sherd_status check_linear(const sherd_world *world, const sherd_stepper *row,
                                 sherd_error *error)
{
    const sherd_world_def *def = &world->def;
    if (def->scheme != SHERD_SCHEME_LINEAR_EULER) return SHERD_OK;
    if (row->explicit_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "scheme",
                          "use method implicit, or scheme euler or auto",
                          "linear_euler steps are for the implicit method: their error is not "
                          "judged, which auto goes by");
    if (!(def->time_step > 0.0) && !(def->time_step_in_limits > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "scheme", "give a time_step, e.g. 50 T",
                          "linear_euler steps have no length of their own choice: their error is "
                          "not judged");
    return SHERD_OK;
}

// The exact Hessian is that of the elastic quaternion energy.
static sherd_status check_paper_material(const sherd_material_def *m, sherd_error *error)
{
    const char *what = isfinite(m->yield_stress)             ? "bonds that do not yield"
                       : m->law != SHERD_BOND_LAW_QUATERNION ? "bonds of the quaternion law"
                       : m->fracture_energy > 0.0 || m->fracture_toughness > 0.0
                           ? "bonds that do not soften"
                           : NULL;
    if (what == NULL) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer", "use optimizer newton",
                      "the algorithms of [IBDEM25] are for %s; the material '%s' has others", what,
                      m->name != NULL ? m->name : "material");
}

static sherd_status check_optimizer(const sherd_world *world, const sherd_stepper *row,
                                    sherd_error *error)
{
    const sherd_world_def *def = &world->def;
    const char *missing =
        row->explicit_steps                                            ? "method implicit"
        : !(def->time_step > 0.0) && !(def->time_step_in_limits > 0.0) ? "a time_step, e.g. 50 T"
        : def->scheme != SHERD_SCHEME_AUTO && def->scheme != SHERD_SCHEME_EULER ? "scheme euler"
        : has_barrier_potential(world) || def->contact_barrier > 0.0 ? "contact without a barrier"
                                                                     : NULL;
    if (!by_paper(def)) return SHERD_OK;
    if (missing != NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "optimizer", "use optimizer newton",
                          "the algorithms of [IBDEM25] need %s", missing);
    sherd_status status = def->contacts ? check_free_bodies(world, error) : SHERD_OK;
    for (int k = 0; k < world->material_count && status == SHERD_OK; ++k)
        status = check_paper_material(&world->materials[k], error);
    return status;
}

// Free bodies advance by Euler's formula. Line searches keep states from barriers, which the end of these steps passes.
static sherd_status check_beyond_loads(const sherd_world *world, sherd_error *error)
{
    const sherd_world_def *def = &world->def;
    if (!ends_beyond_loads(def->scheme) || !def->contacts) return SHERD_OK;
    if (def->contact_barrier > 0.0 && !has_barrier_potential(world))
        return sherd_fail(error, SHERD_ERROR_INPUT, "scheme",
                          "use scheme euler or bdf2, or `contact_potential: barrier`",
                          "mid-point and left-point steps pass through barriers of contacts");
    for (int k = 0; k < world->obstacle_count; ++k) {
        const sherd_obstacle_def *o = &world->pending_obstacles[k];
        if (o->kind == SHERD_OBSTACLE_FREE)
            return sherd_fail(error, SHERD_ERROR_INPUT, "scheme", "use scheme euler, bdf2 or auto",
                              "mid-point and left-point steps have no free rigid bodies, as '%s' "
                              "is one",
                              o->name != NULL ? o->name : "an obstacle");
    }
    return SHERD_OK;
}

static sherd_status check_scheme(const sherd_world *world, const sherd_stepper *row,
                                 sherd_error *error)
{
    sherd_status status = check_linear(world, row, error);
    if (status == SHERD_OK) status = check_optimizer(world, row, error);
    return status == SHERD_OK ? check_beyond_loads(world, error) : status;
}

sherd_status sherd_world_check_method(const sherd_world *world, sherd_method method,
                                      sherd_error *error)
{
    const sherd_stepper *row = sherd_stepper_of(method);
    if (row == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "one of those in sherd/method.h",
                          "is none, got %d", (int)method);
    if (would_be_explicit(world, row)) return SHERD_OK;
    if (sherd_world_point_spacing(world) > 0.0 && !row->explicit_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "use method explicit or auto",
                          "material points have no implicit steps");
    if (world->system.elements.count == 0 && !row->explicit_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "use method explicit or auto",
                          "free bodies without elements have no implicit steps");
    if (sherd_world_is_of_tetrahedra(world))
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "use method explicit or auto",
                          "finite elements have no implicit steps");
    const sherd_material_def *bad = find_without_potential(world);
    return bad != NULL ? fail_law(bad, error) : check_scheme(world, row, error);
}

// Single precision resolves strains to 1e-7 of the angles between pieces of a block (bond_local.h).
// For small bodies that are in one block and rotated relative to each other, this exceeds the
// strain by their weight. Double precision costs such worlds little.
static sherd_precision precision_of(const sherd_world *world)
{
    bool small = world->system.elements.count <= SHERD_BLOCKS_SHARED;
    return small && world->body_count > 1 ? SHERD_PRECISION_DOUBLE : world->def.precision;
}

// Kernels that compute in double precision on single-precision blocks have no history of bonds:
// softening or yielding bonds are then computed in single precision.
static bool bonds_remember(const sherd_world *world)
{
    const sherd_bonds *bonds = &world->system.bonds;
    return bonds->opening != NULL || bonds->history != NULL;
}

// Implicit and explicit steps use common blocks, stored in single precision; bonds are then
// computed in double precision on these.
static sherd_status choose_method(sherd_world *world, sherd_error *error)
{
    set_method(world);
    bool wide = precision_of(world) == SHERD_PRECISION_DOUBLE && !bonds_remember(world);
    if (!steps_explicitly(world)) world->system.kernel = wide ? sherd_bond_wide_kernel() : NULL;
    return sherd_world_check_method(world, world->def.method, error);
}

static sherd_precision precision_of_blocks(const sherd_world *world)
{
    return steps_explicitly(world) ? precision_of(world) : SHERD_PRECISION_MIXED;
}

// After all elements are added. Implicit steps need loads in full precision.
static sherd_status make_elements_small(sherd_world *world, sherd_error *error)
{
    sherd_elements *e = &world->system.elements;
    sherd_status status = sherd_elements_trim(e, error);
    if (status == SHERD_OK) status = sherd_elements_pack(e, error);
    bool may_round = precision_of(world) == SHERD_PRECISION_MIXED && steps_explicitly(world) &&
                     !(sherd_world_point_spacing(world) > 0.0) && // parts need full loads
                     !sherd_world_is_of_tetrahedra(world);
    if (status == SHERD_OK && may_round) status = sherd_elements_shorten_loads(e, error);
    return status;
}

sherd_status sherd_world_prepare(sherd_world *world, sherd_error *error)
{
    if (world->prepared) return SHERD_OK;
    sherd_system *system = &world->system;
    if (system->elements.count == 0 && !has_free_bodies(world))
        return sherd_fail(error, SHERD_ERROR_INPUT, "world", "add a body, or a free obstacle",
                          "there is nothing that moves");
    sherd_status status = choose_method(world, error);
    if (status == SHERD_OK)
        status = sherd_bonds_arrange(&system->bonds, &system->elements, precision_of_blocks(world),
                                     &system->parallel, &system->blocks, error);
    if (status == SHERD_OK && !sherd_bond_blocks_find_pieces(&system->blocks, &system->bonds))
        status = sherd_fail_memory(error, "bond blocks");
    if (status == SHERD_OK) status = make_elements_small(world, error);
    if (status == SHERD_OK)
        status = sherd_adjacency_build(&system->adjacency, &system->bonds, system->elements.count,
                                       error);
    if (status == SHERD_OK && world->def.contacts) status = make_contacts(world, error);
    if (status == SHERD_OK) status = make_probes(world, error);
    if (status == SHERD_OK) status = sherd_world_make_points(world, error);
    if (status == SHERD_OK) status = sherd_world_make_tetrahedra(world, error);
    if (status == SHERD_OK && world->def.sleep && system->fem == NULL &&
        (system->points == NULL || world->method.regions))
        status = sherd_sleep_init(system, error);
    if (status == SHERD_OK) status = sherd_system_prepare_surfaces(system, error);
    if (status == SHERD_OK) status = sherd_system_prepare(system, error);
    if (status != SHERD_OK) return status;
    sherd_world_note_gravity(world);
    world->prepared = true;
    return SHERD_OK;
}
