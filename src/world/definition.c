// Making a world and adding to it.
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "bodies/motion_eval.h"
#include "bodies/obstacle_def.h"
#include "math/quat.h"
#include "stepping/system_state.h"
#include "world/world.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { WORLD_COOKIE = 0x776f7231, BODY_COOKIE = 0x626f6431, GENERATION = 1 };

// ---------------------------------------------------------------- world

sherd_world_def sherd_world_def_default(void)
{
    return (sherd_world_def){
        .cookie = WORLD_COOKIE,
        .gravity = {0.0, 0.0, -9.81},
        .time_step_safety = 0.85,
        .contact_skin = 0.3,
        .contacts = true,
        .sleep = true,
        .regions = true,
        .accuracy = 0.01,
        .implicit_elements = 2000000,
    };
}

// What says how implicit steps are made.
static sherd_status check_implicit_def(const sherd_world_def *def, sherd_error *error)
{
    if (def->method < SHERD_METHOD_EXPLICIT || def->method > SHERD_METHOD_AUTO)
        return sherd_fail(error, SHERD_ERROR_INPUT, "method", "SHERD_METHOD_EXPLICIT, ...",
                          "is none, got %d", (int)def->method);
    if (def->scheme < SHERD_SCHEME_AUTO || def->scheme > SHERD_SCHEME_LEFT_POINT)
        return sherd_fail(error, SHERD_ERROR_INPUT, "scheme", "SHERD_SCHEME_AUTO, ...",
                          "is none, got %d", (int)def->scheme);
    if (!(def->accuracy > 0.0 && def->accuracy <= 1.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "accuracy", "0.01 is a good value",
                          "must be above 0 and at most 1, got %g", def->accuracy);
    if (def->implicit_elements < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "implicit_elements", "0 is none",
                          "must be at least 0, got %lld", (long long)def->implicit_elements);
    if (!(def->time_step_in_limits >= 0.0) || !isfinite(def->time_step_in_limits))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_in_limits",
                          "0 chooses it automatically", "must be at least 0 and finite, got %g",
                          def->time_step_in_limits);
    if (def->time_step_in_limits > 0.0 && def->time_step > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_in_limits",
                          "set it or time_step, not both", "is %g T, but time_step is %g s",
                          def->time_step_in_limits, def->time_step);
    if (!(def->contact_barrier >= 0.0 && def->contact_barrier <= 1.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_barrier", "0 is none",
                          "must be 0 to 1, got %g", def->contact_barrier);
    if (def->contact_barrier > 0.0 && def->method != SHERD_METHOD_IMPLICIT)
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_barrier",
                          "remove it, or use method implicit",
                          "is for the implicit method: explicit steps have no barriers");
    if (def->time_step_in_limits > 0.0 && def->method == SHERD_METHOD_EXPLICIT)
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_in_limits",
                          "the explicit method has time_step_safety instead",
                          "is for implicit steps, got %g T", def->time_step_in_limits);
    return SHERD_OK;
}

static sherd_status check_world_def(const sherd_world_def *def, sherd_error *error)
{
    if (def->cookie != WORLD_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_world_def",
                          "start from sherd_world_def_default()",
                          "the definition was not initialised");
    if (!vec3_is_finite(def->gravity))
        return sherd_fail(error, SHERD_ERROR_INPUT, "gravity", "in m/s^2", "is not finite");
    if (def->threads < 0 || def->threads > 4096)
        return sherd_fail(error, SHERD_ERROR_INPUT, "threads", "0 uses all processors",
                          "must be 0 to 4096, got %d", def->threads);
    if (!(def->time_step >= 0.0) || !isfinite(def->time_step))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step", "0 chooses it automatically",
                          "must be at least 0 and finite, got %g", def->time_step);
    if (!(def->time_step_safety > 0.0 && def->time_step_safety <= 1.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_safety", "0.85 is a good value",
                          "must be above 0 and at most 1, got %g", def->time_step_safety);
    if (!(def->contact_skin > 0.0 && def->contact_skin <= 10.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_skin", "0.3 is a good value",
                          "must be above 0 and at most 10, got %g", def->contact_skin);
    if (def->precision != SHERD_PRECISION_MIXED && def->precision != SHERD_PRECISION_DOUBLE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "precision",
                          "SHERD_PRECISION_MIXED or SHERD_PRECISION_DOUBLE", "is none, got %d",
                          (int)def->precision);
    return check_implicit_def(def, error);
}

sherd_world *sherd_world_create(const sherd_world_def *def, sherd_error *error)
{
    if (check_world_def(def, error) != SHERD_OK || sherd_cpu_check(error) != SHERD_OK) return NULL;
    sherd_world *world = sherd_alloc(1, sizeof *world);
    if (world != NULL) world->largest_energy = sherd_alloc(1, sizeof *world->largest_energy);
    if (world == NULL || world->largest_energy == NULL) {
        sherd_free(world);
        sherd_fail_memory(error, "world");
        return NULL;
    }
    world->def = *def;
    world->system.gravity = def->gravity;
    // As many as there are now: room for each is made once.
    world->system.parallel =
        (sherd_parallel){sherd_parallel_threads(&(sherd_parallel){def->threads})};
    world->least_strength = 1.0;
    return world;
}

static void free_obstacle_def(sherd_obstacle_def *def)
{
    sherd_free((char *)def->name);
    sherd_motion_free(&def->motion);
}

void sherd_world_destroy(sherd_world *world)
{
    if (world == NULL) return;
    for (int k = 0; k < world->material_count; ++k)
        sherd_free((char *)world->materials[k].name);
    for (int k = 0; k < world->body_count; ++k)
        sherd_free(world->bodies[k].name);
    for (int k = 0; k < world->obstacle_count; ++k)
        free_obstacle_def(&world->pending_obstacles[k]);
    sherd_free(world->materials);
    sherd_free(world->bodies);
    sherd_free(world->pending_obstacles);
    sherd_free(world->obstacle_force_sum);
    sherd_free(world->obstacle_torque_sum);
    sherd_free(world->obstacle_start);
    sherd_free(world->largest_energy);
    sherd_system_free(&world->system);
    sherd_free(world);
}

static sherd_status refuse_late(const sherd_world *world, const char *what, sherd_error *error)
{
    if (!world->prepared) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, what, "add everything before the first step",
                      "can't be added once the world has been stepped or its time step asked for");
}

// ---------------------------------------------------------------- materials

sherd_material_id sherd_world_add_material(sherd_world *world, const sherd_material_def *def,
                                           sherd_error *error)
{
    const sherd_material_id none = {0};
    if (refuse_late(world, "material", error) != SHERD_OK) return none;
    if (sherd_material_def_check(def, error) != SHERD_OK) return none;
    if (world->material_count == UINT16_MAX - 1) {
        sherd_fail(error, SHERD_ERROR_INPUT, "material", NULL, "more than %d materials",
                   UINT16_MAX - 1);
        return none;
    }
    char *name = sherd_string_copy(def->name);
    if ((def->name != NULL && name == NULL) ||
        !sherd_grow((void **)&world->materials, &world->material_capacity,
                    (size_t)world->material_count + 1, sizeof *world->materials)) {
        sherd_free(name);
        sherd_fail_memory(error, "materials");
        return none;
    }
    world->materials[world->material_count] = *def;
    world->materials[world->material_count].name = name;
    return (sherd_material_id){(uint16_t)++world->material_count, GENERATION};
}

// ---------------------------------------------------------------- bodies

sherd_body_def sherd_body_def_default(void)
{
    return (sherd_body_def){
        .cookie = BODY_COOKIE,
        .bonding = SHERD_BONDING_NEAR,
        .bond_reach = 0.15,
        .pose = {.rotation = {0.0, 0.0, 0.0, 1.0}},
    };
}

static sherd_status check_elements(const sherd_body_def *def, const char *name, sherd_error *error)
{
    for (sherd_element_index k = 0; k < def->count; ++k) {
        if (!isfinite(def->x[k]) || !isfinite(def->y[k]) || !isfinite(def->z[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has a position that is not finite", k);
        if (!(def->radius[k] > 0.0) || !isfinite(def->radius[k]))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has radius %g, must be > 0", k, def->radius[k]);
        if (def->volume != NULL && (!(def->volume[k] > 0.0) || !isfinite(def->volume[k])))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "element %d has volume %g, must be > 0", k, def->volume[k]);
    }
    return SHERD_OK;
}

// Factors and sections are kept in single precision.
static sherd_status check_factors(const sherd_body_def *def, const char *name, sherd_error *error)
{
    if (def->bond_factor == NULL) return SHERD_OK;
    if (def->bonding != SHERD_BONDING_LIST)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use SHERD_BONDING_LIST",
                          "factors are for listed bonds");
    for (sherd_bond_index k = 0; k < def->bond_count; ++k)
        if (!(def->bond_factor[k] >= (double)FLT_MIN && def->bond_factor[k] <= (double)FLT_MAX))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                              "bond %lld has factor %g, must be > 0 and finite", (long long)k,
                              def->bond_factor[k]);
    return SHERD_OK;
}

static sherd_status check_sections(const sherd_body_def *def, const char *name, sherd_error *error)
{
    if (def->bond_section == NULL) return SHERD_OK;
    if (def->bonding != SHERD_BONDING_LIST)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use SHERD_BONDING_LIST",
                          "sections are for listed bonds");
    for (sherd_bond_index k = 0; k < def->bond_count; ++k)
        if (!(def->bond_section[k] >= (double)FLT_MIN && def->bond_section[k] <= (double)FLT_MAX))
            return sherd_fail(error, SHERD_ERROR_INPUT, name, "in m^2",
                              "bond %lld has section %g, must be > 0 and finite", (long long)k,
                              def->bond_section[k]);
    return SHERD_OK;
}

static sherd_status check_body(const sherd_world *world, const sherd_body_def *def,
                               const char *name, sherd_error *error)
{
    if (def->cookie != BODY_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_body_def",
                          "start from sherd_body_def_default()",
                          "the definition was not initialised");
    if (def->bonding < SHERD_BONDING_NEAR || def->bonding > SHERD_BONDING_LIST)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "SHERD_BONDING_NEAR, ...",
                          "there is no way of bonding number %d", (int)def->bonding);
    if (def->count < 1 || def->x == NULL || def->y == NULL || def->z == NULL || def->radius == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "give at least one element",
                          "has no elements");
    if ((int64_t)world->system.elements.count + def->count > INT32_MAX / 2)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use coarser packings",
                          "more than %d elements in one world", INT32_MAX / 2);
    if (def->material.index1 == 0 || def->material.index1 > world->material_count ||
        def->material.generation != GENERATION)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "use an id from sherd_world_add_material",
                          "its material is not one of this world");
    if (!(def->bond_reach >= 0.0 && def->bond_reach <= 2.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "0.15 is a good value",
                          "bond_reach must be 0 to 2, got %g", def->bond_reach);
    if (!vec3_is_finite(def->pose.position) || !vec3_is_finite(def->velocity) ||
        !vec3_is_finite(def->angular_velocity) ||
        !(fabs(quat_dot(def->pose.rotation, def->pose.rotation) - 1.0) < 1e-6))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL,
                          "position, rotation (a unit quaternion) and velocities must be finite");
    sherd_status status = check_elements(def, name, error);
    if (status == SHERD_OK) status = check_factors(def, name, error);
    return status == SHERD_OK ? check_sections(def, name, error) : status;
}

static void place_element(sherd_elements *e, sherd_element_index k, const sherd_body_def *def,
                          sherd_element_index source, double density)
{
    sherd_quat q = quat_normalize(def->pose.rotation);
    sherd_vec3 rest = vec3(def->x[source], def->y[source], def->z[source]);
    sherd_vec3 arm = quat_rotate(q, rest);
    sherd_vec3 v = vec3_add(def->velocity, vec3_cross(def->angular_velocity, arm));
    double r = def->radius[source];
    double volume = def->volume != NULL ? def->volume[source] : 4.0 / 3.0 * M_PI * r * r * r;
    e->rx[k] = rest.x, e->ry[k] = rest.y, e->rz[k] = rest.z;
    e->px[k] = def->pose.position.x + arm.x;
    e->py[k] = def->pose.position.y + arm.y;
    e->pz[k] = def->pose.position.z + arm.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
    e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
    e->wx[k] = def->angular_velocity.x;
    e->wy[k] = def->angular_velocity.y;
    e->wz[k] = def->angular_velocity.z;
    e->radius[k] = r;
    e->mass[k] = volume * density;
    e->material[k] = (uint16_t)(def->material.index1 - 1);
}

static sherd_status add_listed_bonds(sherd_world *world, const sherd_body_def *def,
                                     const char *name, sherd_element_index first,
                                     const sherd_material_def *material, sherd_error *error)
{
    for (sherd_bond_index k = 0; k < def->bond_count; ++k) {
        sherd_element_index i = def->bond_i[k], j = def->bond_j[k];
        if (i < 0 || j < 0 || i >= def->count || j >= def->count || i == j)
            return sherd_fail(error, SHERD_ERROR_INPUT, name, "indices are within the body, from 0",
                              "bond %lld joins elements %d and %d of %d", (long long)k, i, j,
                              def->count);
        sherd_bonds *bonds = &world->system.bonds;
        sherd_status status = sherd_bonds_add(bonds, &world->system.elements, material, first + i,
                                              first + j, (uint64_t)k, error);
        if (status == SHERD_OK && def->bond_section != NULL)
            status = sherd_bonds_set_section(bonds, bonds->count - 1, def->bond_section[k], error);
        if (status == SHERD_OK && def->bond_factor != NULL) {
            status = sherd_bonds_set_factor(bonds, bonds->count - 1, def->bond_factor[k], error);
            world->least_strength = fmin(world->least_strength, def->bond_factor[k]);
        }
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

static sherd_status add_bonds(sherd_world *world, const sherd_body_def *def, const char *name,
                              sherd_element_index first, sherd_error *error)
{
    const sherd_material_def *material = &world->materials[def->material.index1 - 1];
    if (def->bonding == SHERD_BONDING_NEAR)
        return sherd_bonds_add_near(&world->system.bonds, &world->system.elements, material, first,
                                    def->count, def->bond_reach, &world->system.parallel, error);
    if (def->bonding == SHERD_BONDING_LIST)
        return add_listed_bonds(world, def, name, first, material, error);
    return SHERD_OK;
}

static sherd_status fill_body(sherd_world *world, const sherd_body_def *def, const char *name,
                              sherd_element_index first, sherd_body_bonds *bonds,
                              sherd_error *error)
{
    sherd_elements *e = &world->system.elements;
    const sherd_material_def *material = &world->materials[def->material.index1 - 1];
    for (sherd_element_index k = 0; k < def->count; ++k) {
        place_element(e, first + k, def, k, material->density);
    }
    int64_t bonds_before = world->system.bonds.count;
    sherd_bond_scaling scaling = {.least_strength = 1.0};
    sherd_status status = add_bonds(world, def, name, first, error);
    if (status == SHERD_OK && def->bond_scale != NULL)
        status =
            sherd_bonds_scale(&world->system.bonds, e, bonds_before, def->bond_scale,
                              def->bond_scale_context, &world->system.parallel, &scaling, error);
    int64_t count = world->system.bonds.count - bonds_before;
    *bonds = (sherd_body_bonds){(sherd_bond_index)count, (sherd_bond_index)scaling.weakened,
                                (sherd_bond_index)scaling.broken, scaling.least_strength};
    return status;
}

sherd_body_id sherd_world_add_body(sherd_world *world, const sherd_body_def *def,
                                   sherd_error *error)
{
    const sherd_body_id none = {0};
    const char *name = def->name != NULL ? def->name : "body";
    if (refuse_late(world, name, error) != SHERD_OK) return none;
    if (check_body(world, def, name, error) != SHERD_OK) return none;
    sherd_element_index first = world->system.elements.count;
    int64_t bonds_before = world->system.bonds.count, broken = world->system.bonds.broken_count;
    char *name_copy = sherd_string_copy(name);
    if (name_copy == NULL || !sherd_grow((void **)&world->bodies, &world->body_capacity,
                                         (size_t)world->body_count + 1, sizeof *world->bodies)) {
        sherd_free(name_copy);
        sherd_fail_memory(error, "bodies");
        return none;
    }
    sherd_body_bonds bonds = {0};
    sherd_status status = sherd_elements_resize(&world->system.elements, first + def->count, error);
    if (status == SHERD_OK) status = fill_body(world, def, name, first, &bonds, error);
    if (status != SHERD_OK) { // leave the world as it was
        world->system.bonds.count = bonds_before;
        world->system.bonds.broken_count = broken;
        if (world->system.elements.count > first) world->system.elements.count = first;
        sherd_free(name_copy);
        return none;
    }
    world->bodies[world->body_count] =
        (world_body){name_copy, first, def->count, (uint16_t)(def->material.index1 - 1), bonds};
    world->least_strength = fmin(world->least_strength, bonds.least_strength);
    return (sherd_body_id){(uint32_t)++world->body_count, GENERATION};
}

// ---------------------------------------------------------------- obstacles and drivers

sherd_obstacle_id sherd_world_add_obstacle(sherd_world *world, const sherd_obstacle_def *def,
                                           sherd_error *error)
{
    const sherd_obstacle_id none = {0};
    const char *name = def->name != NULL ? def->name : "obstacle";
    if (refuse_late(world, name, error) != SHERD_OK) return none;
    if (sherd_obstacle_def_check(def, error) != SHERD_OK) return none;
    sherd_obstacle_def copy = *def;
    copy.name = sherd_string_copy(name);
    if (copy.name == NULL ||
        !sherd_grow((void **)&world->pending_obstacles, &world->obstacle_capacity,
                    (size_t)world->obstacle_count + 1, sizeof copy)) {
        sherd_free((char *)copy.name);
        sherd_fail_memory(error, "obstacles");
        return none;
    }
    if (sherd_motion_copy(&copy.motion, &def->motion, error) != SHERD_OK) {
        sherd_free((char *)copy.name);
        return none;
    }
    world->pending_obstacles[world->obstacle_count] = copy;
    return (sherd_obstacle_id){(uint16_t)++world->obstacle_count, GENERATION};
}

sherd_driver_id sherd_world_add_driver(sherd_world *world, const sherd_driver_def *def,
                                       sherd_error *error)
{
    const sherd_driver_id none = {0};
    const char *name = def->name != NULL ? def->name : "driver";
    if (refuse_late(world, name, error) != SHERD_OK) return none;
    sherd_element_index first = 0, count = world->system.elements.count;
    if (def->region.body.index1 > 0) {
        if (def->region.body.index1 > (uint32_t)world->body_count) {
            sherd_fail(error, SHERD_ERROR_INPUT, name, "use an id from sherd_world_add_body",
                       "its region's body is not one of this world");
            return none;
        }
        first = world->bodies[def->region.body.index1 - 1].first;
        count = world->bodies[def->region.body.index1 - 1].count;
    }
    if (sherd_drivers_add(&world->system.drivers, def, &world->system.elements, first, count,
                          error) != SHERD_OK)
        return none;
    return (sherd_driver_id){(uint16_t)world->system.drivers.count, GENERATION};
}
