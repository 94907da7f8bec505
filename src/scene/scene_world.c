// Builds a world from a scene.
#include <sherd/scene.h>
#include <sherd/world.h>

#include "base/assertion.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "scene/read/sections.h"
#include "scene/scene_calibrate.h"
#include "scene/scene_packings.h"
#include "scene/scene_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Replaces a function's or member's name in an error of the library by its location in the scene
// file.
static void locate(const char *where, sherd_error *error)
{
    if (error != NULL) snprintf(error->where, sizeof error->where, "%s", where);
}

static const sherd_node *find_section(const sherd_scene *scene, const char *name)
{
    return sherd_node_find(scene->storage->root, name);
}

// Places an error of a thing, whose `where` is "NAME" or "NAME.key", at the key's node if the scene has it, otherwise
// at `where`.
static void locate_key(const sherd_node *thing, const char *where, sherd_error *error)
{
    if (error == NULL) return;
    const char *key = strchr(error->where, '.'), *rest = "";
    const sherd_node *node =
        thing != NULL && key != NULL ? sherd_node_follow(thing, key + 1, &rest) : NULL;
    if (node == NULL || node == thing)
        locate(where, error);
    else
        sherd_node_where(node, error->where, sizeof error->where);
}

void sherd_scene_locate_packing(const sherd_scene *scene, int body, sherd_error *error)
{
    if (error == NULL) return;
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_node *thing = sherd_node_item(find_section(scene, "bodies"), body);
    const char *key = strchr(error->where, '.'), *kind = sherd_packing_kind_name(b->packing.kind);
    char place[sizeof error->where];
    size_t length = strlen(kind);
    if (!b->is_yarn && key != NULL && strcmp(key, ".shape") == 0) {
        locate_key(thing, b->where, error); // packing.shape is the body's
        return;
    }
    bool named = key != NULL && strncmp(key + 1, kind, length) == 0;
    if (b->is_yarn || named || key == NULL)
        snprintf(place, sizeof place, "%s.%.400s", b->name, error->where);
    else
        snprintf(place, sizeof place, "%s.packing.%s.%.400s", b->name, kind, key + 1);
    locate(place, error);
    locate_key(thing, b->where, error);
}

const char *sherd_scene_solver_where(const sherd_scene *scene, const char *key)
{
    for (int k = 0; k < scene->solver_key_count; ++k)
        if (scene->solver_keys[k].key != NULL && strcmp(scene->solver_keys[k].key, key) == 0)
            return scene->solver_keys[k].where;
    return NULL;
}

// A thing of the scene, "bodies.block.fracture.glue" or "drivers.0", a key of `solver:` or of a material,
// "glass.bond_law". NULL: none; `rest` is set to what follows.
static const sherd_node *find_named(const sherd_scene *scene, const char *where, const char **rest)
{
    static const char *const LISTS[] = {"bodies", "obstacles", "drivers"};
    for (int k = 0; k < 3; ++k) {
        size_t length = strlen(LISTS[k]);
        const sherd_node *list = find_section(scene, LISTS[k]), *node;
        if (list == NULL || strncmp(where, LISTS[k], length) != 0 || where[length] != '.') continue;
        node = sherd_node_follow(list, where + length + 1, rest);
        return node != list ? node : NULL;
    }
    static const char *const MAPS[] = {"solver", "materials"};
    for (int k = 0; k < 2; ++k) {
        const sherd_node *node = sherd_node_follow(find_section(scene, MAPS[k]), where, rest);
        if (node != NULL && **rest == '\0') return node;
    }
    return NULL;
}

static void write_place(const sherd_node *node, const char *rest, char *place, size_t size)
{
    sherd_node_where(node, place, size);
    size_t used = strlen(place);
    if (*rest != '\0') snprintf(place + used, size - used, ".%s", rest);
}

// Probes of regions are drivers that do not drive: the last ones, which `drivers:` does not have.
static bool place_of_probe(const sherd_scene *scene, const char *where, char *place, size_t size)
{
    static const char LIST[] = "drivers.";
    if (strncmp(where, LIST, sizeof LIST - 1) != 0) return false;
    char *rest;
    long number = strtol(where + sizeof LIST - 1, &rest, 10);
    if (number < 0 || number >= scene->driver_count || rest == where + sizeof LIST - 1)
        return false;
    snprintf(place, size, "%s%s", scene->drivers[number].where, rest);
    return true;
}

void sherd_scene_locate(const sherd_scene *scene, sherd_error *error)
{
    const char *rest = "";
    const sherd_node *node = find_named(scene, error->where, &rest);
    char place[sizeof error->where];
    if (node == NULL && place_of_probe(scene, error->where, place, sizeof place))
        locate(place, error);
    if (node == NULL) return;
    write_place(node, rest, place, sizeof place);
    locate(place, error);
}

const char *sherd_scene_place(const sherd_scene *scene, const char *path,
                              char place[SHERD_SCENE_PLACE])
{
    const char *rest;
    const sherd_node *node = sherd_node_follow(scene->storage->root, path, &rest);
    write_place(node, rest, place, SHERD_SCENE_PLACE);
    return place;
}

bool sherd_scene_gives(const sherd_scene *scene, const char *path)
{
    const char *rest;
    return sherd_node_follow(scene->storage->root, path, &rest) != NULL && *rest == '\0';
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
        locate_key(sherd_node_find(find_section(scene, "materials"), material->def.name),
                   material->where, error);
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
    if (sherd_scene_is_of_tetrahedra(body)) def.tetra = packing->tetra;
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
    locate_key(sherd_node_item(find_section(scene, "bodies"), k), body->where, error);
    return false;
}

static bool add_obstacles(const sherd_scene *scene, sherd_world *world, sherd_scene_build *build,
                          sherd_error *error)
{
    for (int k = 0; k < scene->obstacle_count; ++k) {
        const sherd_scene_obstacle *obstacle = &scene->obstacles[k];
        build->obstacle_ids[k] = sherd_world_add_obstacle(world, &obstacle->def, error);
        if (build->obstacle_ids[k].index1 != 0) continue;
        locate_key(sherd_node_item(find_section(scene, "obstacles"), k), obstacle->where, error);
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
        locate_key(sherd_node_item(find_section(scene, "drivers"), k), driver->where, error);
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
