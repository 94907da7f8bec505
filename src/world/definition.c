// Creation of a world, and functions that add to it.
#include "base/cpu.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "bodies/motion_eval.h"
#include "bodies/obstacle_def.h"
#include "material/material.h"
#include "math/quat.h"
#include "models/bonded/storage/bond_horizon.h"
#include "stepping/system_state.h"
#include "world/body_def.h"
#include "world/cut_faces.h"
#include "world/world.h"
#include "world/world_def.h"

#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- world

sherd_world *sherd_world_create(const sherd_world_def *def, sherd_error *error)
{
    if (sherd_world_def_check(def, error) != SHERD_OK || sherd_cpu_check(error) != SHERD_OK)
        return NULL;
    sherd_world *world = sherd_alloc(1, sizeof *world);
    if (world != NULL) world->largest_energy = sherd_alloc(1, sizeof *world->largest_energy);
    if (world == NULL || world->largest_energy == NULL) {
        sherd_free(world);
        sherd_fail_memory(error, "world");
        return NULL;
    }
    world->def = *def;
    world->stepper = sherd_stepper_of(def->method);
    world->system.gravity = vec3_scale(1.0 / def->mass_scaling, def->gravity);
    // Their number is fixed at present: arrays are allocated once.
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
        sherd_free(world->bodies[k].name),
            sherd_mpm_prefracture_release(&world->bodies[k].fracture),
            sherd_mpm_surface_fit_free(&world->bodies[k].outer),
            sherd_tetra_mesh_destroy(world->bodies[k].tetra);
    for (int k = 0; k < world->obstacle_count; ++k)
        free_obstacle_def(&world->pending_obstacles[k]);
    sherd_free(world->materials);
    sherd_free(world->bodies);
    sherd_free(world->pending_obstacles);
    sherd_free(world->obstacle_force_sum);
    sherd_free(world->obstacle_torque_sum);
    sherd_free(world->obstacle_range);
    sherd_free(world->obstacle_start);
    sherd_free(world->largest_energy);
    sherd_free(world->fitted_rotations);
    sherd_world_free_steering(world);
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

// Fluids have no shear strength, so their default friction on obstacles is 0.
static double usual_friction(const sherd_material_def *material)
{
    return material->model == SHERD_SOLID_MODEL_FLUID ? 0.0 : SHERD_USUAL_FRICTION;
}

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
    sherd_material_def *own = &world->materials[world->material_count];
    *own = *def;
    own->name = name;
    own->density *= world->def.mass_scaling;
    if (isnan(own->friction)) own->friction = usual_friction(own);
    return (sherd_material_id){(uint16_t)++world->material_count, SHERD_GENERATION};
}

// ---------------------------------------------------------------- bodies

// Memory that is not written is not used.
static void set(double *at, double value)
{
    if (memcmp(at, &value, sizeof value) != 0) *at = value;
}

// No torque acts on such elements, so that friction would roll bodies on them: they do not turn.
static bool has_central_bonds(const sherd_body_def *def, const sherd_material_def *material)
{
    return def->bonding != SHERD_BONDING_NONE && material->law == SHERD_BOND_LAW_CENTRAL;
}

static void init_element(sherd_elements *e, sherd_element_index k, const sherd_body_def *def,
                         sherd_element_index source, const sherd_material_def *material)
{
    sherd_quat q = quat_normalize(def->pose.rotation);
    sherd_vec3 reference = vec3(def->x[source], def->y[source], def->z[source]);
    sherd_vec3 arm = quat_rotate(q, reference);
    sherd_vec3 v = vec3_add(def->velocity, vec3_cross(def->angular_velocity, arm));
    double r = def->radius[source];
    double volume = def->volume != NULL ? def->volume[source] : 4.0 / 3.0 * M_PI * r * r * r;
    e->rx[k] = reference.x, e->ry[k] = reference.y, e->rz[k] = reference.z;
    e->px[k] = def->pose.position.x + arm.x;
    e->py[k] = def->pose.position.y + arm.y;
    e->pz[k] = def->pose.position.z + arm.z;
    set(&e->qx[k], q.x), set(&e->qy[k], q.y), set(&e->qz[k], q.z), set(&e->qw[k], q.w);
    set(&e->vx[k], v.x), set(&e->vy[k], v.y), set(&e->vz[k], v.z);
    bool spins = !has_central_bonds(def, material);
    if (spins && def->point_spacing == 0.0) { // points do not rotate
        set(&e->wx[k], def->angular_velocity.x);
        set(&e->wy[k], def->angular_velocity.y);
        set(&e->wz[k], def->angular_velocity.z);
    }
    uint8_t held = spins ? 0 : SHERD_HELD_TURN;
    if (e->held[k] != held) e->held[k] = held;
    e->radius[k] = r;
    e->mass[k] = volume * material->density;
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

// Bonds within the material's reach, in place of those that the body has.
static sherd_status add_central_bonds(sherd_world *world, const sherd_body_def *def,
                                      const char *name, sherd_element_index first,
                                      const sherd_material_def *material, sherd_error *error)
{
    if (def->bond_section != NULL || def->bond_factor != NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name,
                          "use a packing of balls, such as hcp, or another bond_law",
                          "has bonds of its own, but bond_law central joins all elements within "
                          "its reach");
    double fraction = def->cell_fraction > 0.0 ? def->cell_fraction : def->solid_fraction;
    const sherd_bond_horizon horizon = {first, def->count, 1.0 / (material->density * fraction)};
    return sherd_bonds_add_horizon(&world->system.bonds, &world->system.elements, material,
                                   &horizon, &world->system.parallel, error);
}

static sherd_status add_bonds(sherd_world *world, const sherd_body_def *def, const char *name,
                              sherd_element_index first, sherd_error *error)
{
    const sherd_material_def *material = &world->materials[def->material.index1 - 1];
    if (has_central_bonds(def, material))
        return add_central_bonds(world, def, name, first, material, error);
    if (def->bonding == SHERD_BONDING_NEAR)
        return sherd_bonds_add_near(&world->system.bonds, &world->system.elements, material, first,
                                    def->count, def->bond_reach, &world->system.parallel, error);
    if (def->bonding == SHERD_BONDING_LIST)
        return add_listed_bonds(world, def, name, first, material, error);
    return SHERD_OK;
}

static sherd_status refuse_reduction(const char *name, const sherd_strength_reduction *reduction,
                                     sherd_error *error)
{
    if (reduction->count == 0) return SHERD_OK;
    return sherd_fail(
        error, SHERD_ERROR_INPUT, name,
        "use smaller elements or a larger fracture energy; without `strict` their "
        "strength is reduced",
        "%lld bonds store more than their fracture energy when they reach their "
        "strength, which `strict` refuses: elements may have a radius of up to %.3g m",
        (long long)reduction->count, reduction->radius);
}

// Parts of a body.
typedef struct parts {
    sherd_element_index count, largest; // their number; elements of the largest
    double walls;                       // mean factor of weak bonds between them, 0: none
} parts;

// Finds the parts that a body's bonds connect, which begin at `begin`; `weak`: those left with at
// most this factor on their strength, and broken ones, do not count; 0: all do.
static sherd_status find_parts(const sherd_bonds *b, sherd_bond_index begin, float weak,
                               sherd_element_index first, sherd_element_index count, parts *out,
                               sherd_error *error)
{
    int32_t *root = sherd_alloc((size_t)count, sizeof *root);
    int32_t *size = sherd_alloc((size_t)count, sizeof *size);
    sherd_status status = SHERD_OK;
    *out = (parts){0};
    if (root == NULL || size == NULL) status = sherd_fail_memory(error, "bodies");
    for (int32_t k = 0; status == SHERD_OK && k < count; ++k)
        root[k] = k, size[k] = 0;
    int64_t weakened = 0;
    for (sherd_bond_index k = begin; status == SHERD_OK && k < b->count; ++k) {
        bool is_weak = b->strength != NULL && b->strength[k] <= weak && !b->broken[k];
        if (is_weak) ++weakened, out->walls += (double)b->strength[k];
        if (!is_weak && !(weak > 0.0F && b->broken[k]))
            sherd_join_roots(root, b->i[k] - first, b->j[k] - first);
    }
    if (weakened > 0) out->walls /= (double)weakened;
    for (int32_t k = 0; status == SHERD_OK && k < count; ++k) {
        int32_t *its = &size[sherd_find_root(root, k)];
        out->count += ++*its == 1;
        if (*its > out->largest) out->largest = *its;
    }
    sherd_free(root);
    sherd_free(size);
    return status;
}

static sherd_status fill_body(sherd_world *world, const sherd_body_def *def, const char *name,
                              sherd_element_index first, sherd_body_bonds *bonds,
                              sherd_error *error)
{
    sherd_elements *e = &world->system.elements;
    const sherd_material_def *material = &world->materials[def->material.index1 - 1];
    for (sherd_element_index k = 0; k < def->count; ++k) {
        init_element(e, first + k, def, k, material);
        if (def->tetra == NULL) continue;
        sherd_vec3 p[4];
        tetra_points(def->tetra, k, p);
        e->mass[first + k] = material->density * tetra_volume_of(p);
    }
    int64_t bonds_before = world->system.bonds.count;
    sherd_bond_scaling scaling = sherd_bond_scaling_none();
    sherd_status status = add_bonds(world, def, name, first, error);
    if (status == SHERD_OK && def->bond_scale != NULL)
        status =
            sherd_bonds_scale(&world->system.bonds, e, bonds_before, def->bond_scale,
                              def->bond_scale_context, &world->system.parallel, &scaling, error);
    if (status == SHERD_OK && def->cut_faces != NULL && scaling.broken > 0 &&
        !has_central_bonds(def, material)) // faces turn with their elements
        status = sherd_world_add_cut_faces(world, def, first, bonds_before, error);
    parts cells = {0}, all = {0};
    if (status == SHERD_OK && scaling.weakened + scaling.broken > 0)
        status =
            find_parts(&world->system.bonds, bonds_before, 0.5F, first, def->count, &cells, error);
    const sherd_bond_body body = {first, first + def->count, bonds_before,
                                  1.0 / (material->density * def->solid_fraction)};
    if (status == SHERD_OK) status = sherd_bonds_add_solid(&world->system.bonds, e, &body, error);
    sherd_strength_reduction reduction = {.smallest = 1.0, .radius = INFINITY};
    if (status == SHERD_OK)
        status =
            sherd_bonds_reduce_strengths(&world->system.bonds, e, bonds_before, &reduction, error);
    if (status == SHERD_OK && material->strict) status = refuse_reduction(name, &reduction, error);
    int64_t count = world->system.bonds.count - bonds_before;
    if (status == SHERD_OK && count > 0)
        status =
            find_parts(&world->system.bonds, bonds_before, 0.0F, first, def->count, &all, error);
    *bonds = (sherd_body_bonds){.count = (sherd_bond_index)count,
                                .weakened = (sherd_bond_index)scaling.weakened,
                                .strengthened = (sherd_bond_index)scaling.strengthened,
                                .softened = (sherd_bond_index)scaling.softened,
                                .stiffened = (sherd_bond_index)scaling.stiffened,
                                .broken = (sherd_bond_index)scaling.broken,
                                .least_strength = scaling.least_strength,
                                .largest_strength = scaling.largest_strength,
                                .least_stiffness = scaling.least_stiffness,
                                .largest_stiffness = scaling.largest_stiffness,
                                .cells = cells.count,
                                .walls = cells.walls,
                                .reduced = (sherd_bond_index)reduction.count,
                                .least_reduction = reduction.smallest,
                                .unreduced_radius = reduction.radius,
                                .pieces = all.count,
                                .apart = count > 0 ? def->count - all.largest : 0};
    return status;
}

sherd_body_id sherd_world_add_body(sherd_world *world, const sherd_body_def *def,
                                   sherd_error *error)
{
    const sherd_body_id none = {0};
    const char *name = def->name != NULL ? def->name : "body";
    if (refuse_late(world, name, error) != SHERD_OK) return none;
    if (sherd_body_def_check(world, def, name, error) != SHERD_OK) return none;
    sherd_element_index first = world->system.elements.count;
    int64_t bonds_before = world->system.bonds.count, broken = world->system.bonds.broken_count;
    int32_t solids = world->system.bonds.solids.count;
    char *name_copy = sherd_string_copy(name);
    if (name_copy == NULL || !sherd_grow((void **)&world->bodies, &world->body_capacity,
                                         (size_t)world->body_count + 1, sizeof *world->bodies)) {
        sherd_free(name_copy);
        sherd_fail_memory(error, "bodies");
        return none;
    }
    sherd_body_bonds bonds = {0};
    sherd_mpm_prefracture fracture = {0};
    sherd_mpm_surface_fit outer = {0};
    sherd_tetra_mesh *tetra = NULL;
    sherd_status status = sherd_elements_resize(&world->system.elements, first + def->count, error);
    if (status == SHERD_OK) status = fill_body(world, def, name, first, &bonds, error);
    if (status == SHERD_OK) status = sherd_world_fracture_body(world, def, &fracture, error);
    if (status == SHERD_OK) status = sherd_world_find_surface(world, def, &fracture, &outer, error);
    if (status == SHERD_OK && def->tetra != NULL &&
        (tetra = sherd_world_copy_tetrahedra(def->tetra, error)) == NULL)
        status = SHERD_ERROR_MEMORY;
    if (status != SHERD_OK) { // restores the world
        world->system.bonds.count = bonds_before;
        world->system.bonds.broken_count = broken;
        world->system.bonds.solids.count = solids;
        if (world->system.elements.count > first) world->system.elements.count = first;
        sherd_crack_faces_keep(&world->system.faces, first);
        sherd_free(name_copy), sherd_mpm_prefracture_release(&fracture),
            sherd_mpm_surface_fit_free(&outer);
        return none;
    }
    world->bodies[world->body_count] =
        (world_body){name_copy,     first,
                     def->count,    (uint16_t)(def->material.index1 - 1),
                     bonds,         def->point_spacing,
                     fracture,      outer,
                     def->pose,     def->angular_velocity,
                     def->velocity, tetra};
    world->least_strength =
        fmin(world->least_strength, bonds.least_strength * bonds.least_reduction);
    return (sherd_body_id){(uint32_t)++world->body_count, SHERD_GENERATION};
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
    return (sherd_obstacle_id){(uint16_t)++world->obstacle_count, SHERD_GENERATION};
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
    if (sherd_drivers_add(&world->system.drivers, def, &world->system.elements.points, first, count,
                          error) != SHERD_OK)
        return none;
    return (sherd_driver_id){(uint16_t)world->system.drivers.count, SHERD_GENERATION};
}
