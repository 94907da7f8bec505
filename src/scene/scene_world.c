// Builds a world from a scene.
#include <sherd/scene.h>
#include <sherd/world.h>

#include "base/assertion.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "scene/scene_calibrate.h"
#include "scene/scene_packings.h"
#include "scene/scene_query.h"

#include <stdio.h>
#include <string.h>

// Replaces a function's or member's name in an error of the library by its location in the scene
// file.
static void locate(const char *where, sherd_error *error)
{
    if (error != NULL) snprintf(error->where, sizeof error->where, "%s", where);
}

const char *sherd_scene_solver_where(const sherd_scene *scene, const char *key)
{
    for (int k = 0; k < scene->solver_key_count; ++k)
        if (scene->solver_keys[k].key != NULL && strcmp(scene->solver_keys[k].key, key) == 0)
            return scene->solver_keys[k].where;
    return NULL;
}

// What follows the name of a thing: "" or ".key". NULL: this is another thing.
static const char *after_name(const char *where, const char *list, const char *name)
{
    size_t length = strlen(list), all = length + strlen(name);
    if (strncmp(where, list, length) != 0 || strncmp(where + length, name, all - length) != 0)
        return NULL;
    return where[all] == '\0' || where[all] == '.' ? where + all : NULL;
}

// Name of a body or an obstacle, or number of a driver: "obstacles.ball", "drivers.0"; `key` is set
// to what follows.
static const char *where_of_thing(const sherd_scene *scene, const char *where, const char **key)
{
    for (int k = 0; k < scene->body_count; ++k)
        if ((*key = after_name(where, "bodies.", scene->bodies[k].name)) != NULL)
            return scene->bodies[k].where;
    for (int k = 0; k < scene->obstacle_count; ++k)
        if ((*key = after_name(where, "obstacles.", scene->obstacles[k].def.name)) != NULL)
            return scene->obstacles[k].where;
    for (int k = 0; k < scene->driver_count; ++k) {
        char number[16];
        snprintf(number, sizeof number, "%d", k);
        if ((*key = after_name(where, "drivers.", number)) != NULL) return scene->drivers[k].where;
    }
    return NULL;
}

void sherd_scene_locate(const sherd_scene *scene, sherd_error *error)
{
    const char *key = NULL, *where = sherd_scene_solver_where(scene, error->where);
    char place[sizeof error->where];
    if (where == NULL) where = where_of_thing(scene, error->where, &key);
    for (int k = 0; k < scene->material_count && where == NULL; ++k) {
        const sherd_scene_material *material = &scene->materials[k];
        size_t name = strlen(material->def.name);
        if (material->law_where != NULL && strncmp(error->where, material->def.name, name) == 0 &&
            strcmp(error->where + name, ".bond_law") == 0)
            where = material->law_where;
    }
    if (where == NULL) return;
    snprintf(place, sizeof place, "%s%s", where, key != NULL ? key : "");
    locate(place, error);
}

void sherd_scene_build_free(sherd_scene_build *build)
{
    bool packed = build->packings != NULL && build->packed_with != NULL;
    for (int k = 0; packed && k < build->body_count; ++k)
        if (build->packed_with[k] == k) sherd_packing_destroy(build->packings[k]);
    sherd_free(build->packings);
    sherd_free(build->packed_with);
    sherd_free(build->material_ids);
    sherd_free(build->body_ids);
    sherd_free(build->body_bonds);
    sherd_free(build->obstacle_ids);
    sherd_free(build->driver_ids);
    sherd_free(build->calibrations);
    *build = (sherd_scene_build){0};
}

static bool allocate(const sherd_scene *scene, sherd_scene_build *build, sherd_error *error)
{
    *build = (sherd_scene_build){.body_count = scene->body_count};
    build->packings = sherd_alloc((size_t)scene->body_count, sizeof *build->packings);
    build->packed_with = sherd_alloc((size_t)scene->body_count, sizeof *build->packed_with);
    build->material_ids = sherd_alloc((size_t)scene->material_count, sizeof *build->material_ids);
    build->body_ids = sherd_alloc((size_t)scene->body_count, sizeof *build->body_ids);
    build->body_bonds = sherd_alloc((size_t)scene->body_count, sizeof *build->body_bonds);
    build->obstacle_ids = sherd_alloc((size_t)scene->obstacle_count, sizeof *build->obstacle_ids);
    build->driver_ids = sherd_alloc((size_t)scene->driver_count, sizeof *build->driver_ids);
    if (build->packings != NULL && build->packed_with != NULL && build->material_ids != NULL &&
        build->body_ids != NULL && build->body_bonds != NULL && build->obstacle_ids != NULL &&
        build->driver_ids != NULL)
        return true;
    sherd_fail_memory(error, "a scene's world");
    return false;
}

static bool add_materials(const sherd_scene *scene, sherd_world *world, sherd_scene_build *build,
                          sherd_error *error)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_scene_material *material = &scene->materials[k];
        const sherd_material_def *def = sherd_scene_bonds_of(scene, build, k);
        build->material_ids[k] = sherd_world_add_material(world, def, error);
        if (build->material_ids[k].index1 != 0) continue;
        locate(material->where, error);
        return false;
    }
    return true;
}

static void bond_packing(const sherd_packing *packing, bool loose, sherd_body_def *def)
{
    def->volume = loose ? NULL : packing->volume; // a grain is its sphere
    def->solid_fraction = packing->volume != NULL ? 1.0 : packing->solid_fraction;
    if (packing->volume == NULL)
        def->cell_fraction = packing->solid_fraction / packing->cell_volume_match;
    def->bonding = loose ? SHERD_BONDING_NONE : SHERD_BONDING_NEAR;
    if (loose || packing->bond_i == NULL) return;
    def->bonding = SHERD_BONDING_LIST;
    def->bond_count = packing->bond_count;
    def->bond_i = packing->bond_i;
    def->bond_j = packing->bond_j;
    def->bond_section = packing->bond_section;
    def->bond_factor = packing->bond_factor;
}

static bool add_body(const sherd_scene *scene, int k, sherd_world *world, sherd_scene_build *build,
                     sherd_error *error)
{
    const sherd_scene_body *body = &scene->bodies[k];
    const sherd_packing *packing = build->packings[k];
    sherd_body_def def = sherd_body_def_default();
    def.name = body->name;
    def.count = packing->count;
    def.x = packing->x;
    def.y = packing->y;
    def.z = packing->z;
    def.radius = packing->radius;
    def.material = build->material_ids[body->material];
    bool points = sherd_scene_is_of_points(body);
    bond_packing(packing, body->loose, &def);
    if (points) {
        def.point_spacing = body->packing.spacing;
        def.bonding = SHERD_BONDING_NONE;
        def.volume = packing->volume;
        def.shape = body->shape;
        def.fracture = body->is_fractured ? &body->fracture : NULL;
    }
    def.bond_reach = body->bond_reach;
    if (body->weakness.count > 0 && !body->loose && !points) {
        def.bond_scale = sherd_weakness_list_scale;
        def.bond_scale_context = &body->weakness;
        def.cut_faces = sherd_weakness_list_faces;
        def.cut_faces_context = &body->weakness;
    }
    def.pose = body->pose;
    def.velocity = body->velocity;
    def.angular_velocity = body->angular_velocity;
    build->body_ids[k] = sherd_world_add_body(world, &def, error);
    build->body_bonds[k] = sherd_world_body_bonds(world, k);
    if (build->body_ids[k].index1 != 0) return true;
    locate(body->where, error);
    return false;
}

static bool add_obstacles(const sherd_scene *scene, sherd_world *world, sherd_scene_build *build,
                          sherd_error *error)
{
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_scene_obstacle *obstacle = &scene->obstacles[k];
        build->obstacle_ids[k] = sherd_world_add_obstacle(world, &obstacle->def, error);
        if (build->obstacle_ids[k].index1 != 0) continue;
        locate(obstacle->where, error);
        return false;
    }
    return true;
}

static bool add_drivers(const sherd_scene *scene, sherd_world *world, sherd_scene_build *build,
                        sherd_error *error)
{
    for (int k = 0; k < scene->driver_count; ++k) {
        const sherd_scene_driver *driver = &scene->drivers[k];
        sherd_driver_def def = driver->def;
        if (driver->body >= 0) def.region.body = build->body_ids[driver->body];
        build->driver_ids[k] = sherd_world_add_driver(world, &def, error);
        if (build->driver_ids[k].index1 != 0) continue;
        locate(driver->where, error);
        return false;
    }
    return true;
}

static void borrow_packings(const sherd_scene_build *packed, sherd_scene_build *build)
{
    for (int k = 0; k < build->body_count; ++k) {
        build->packings[k] = packed->packings[k];
        build->packed_with[k] = -1;
    }
}

static bool fill(const sherd_scene *scene, int threads, const sherd_scene_build *packed,
                 sherd_world *world, sherd_scene_build *build, sherd_error *error)
{
    if (!allocate(scene, build, error)) return false;
    double since = sherd_clock_seconds();
    if (packed != NULL)
        borrow_packings(packed, build);
    else if (!sherd_scene_pack_bodies(scene, threads, build, error))
        return false;
    build->packing_wall = sherd_clock_lap(&since);
    if (!sherd_scene_calibrate(scene, threads, build, error)) return false;
    build->calibration_wall = sherd_clock_lap(&since);
    if (!add_materials(scene, world, build, error)) return false;
    for (int k = 0; k < scene->body_count; ++k)
        if (!add_body(scene, k, world, build, error)) return false;
    return add_obstacles(scene, world, build, error) && add_drivers(scene, world, build, error);
}

sherd_world *sherd_scene_create_world(const sherd_scene *scene, int threads,
                                      sherd_scene_build *build, sherd_error *error)
{
    return sherd_scene_create_world_packed(scene, threads, NULL, build, error);
}

sherd_world *sherd_scene_create_world_packed(const sherd_scene *scene, int threads,
                                             const sherd_scene_build *packed,
                                             sherd_scene_build *build, sherd_error *error)
{
    SHERD_ASSERT(packed == NULL || packed->body_count == scene->body_count,
                 "packings are those of the scene");
    *build = (sherd_scene_build){0};
    sherd_world_def def = scene->world;
    def.threads = threads;
    sherd_world *world = sherd_world_create(&def, error);
    if (world == NULL) {
        locate(scene->path, error);
        return NULL;
    }
    if (fill(scene, threads, packed, world, build, error)) return world;
    sherd_scene_build_free(build);
    sherd_world_destroy(world);
    return NULL;
}
