// drivers: [{name, body, region, motion | force | hold | wind | blast | pressure}] and probes: [name | {name, body, region}]
#include "bodies/motion_eval.h"
#include "math/vec3.h"
#include "scene/read/sections.h"

#include "base/text/suggest.h"
#include "scene/scene_fields.h"

#include <string.h>

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_driver, kind, member, __VA_ARGS__)
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

// Elements in a probe's region do not sleep.
static uint64_t digest_def(const void *definition, uint64_t hash)
{
    const sherd_scene_driver *driver = definition;
    return sherd_fields_digest(sherd_driver_def_fields(), &driver->def, hash);
}

static const sherd_field FIELDS[] = {
    FIELD(UINT64, shape_digest, .doc = "of the region's shape"),
    FIELD(INT, body, .initial = {-1.0}, .maps = SHERD_MAP_DRIVER, .usual = "all bodies",
          .flags = SHERD_FIELD_BY_HAND, .values = "a name from `bodies`",
          .doc = "only elements of this body"),
    FIELD(OTHER, def, .digest = digest_def, .doc = "rows of sherd_driver_def"),
    FIELD(TEXT, where, NOT_PHYSICS, .doc = "in the scene file"),
};

const sherd_definition *sherd_scene_driver_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_driver, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_wind = {"wind", {{sherd_driver_def_fields, SHERD_MAP_WIND, 0}}};
const sherd_scene_map sherd_map_blast = {"blast", {{sherd_driver_def_fields, SHERD_MAP_BLAST, 0}}};
const sherd_scene_map sherd_map_pressure = {"pressure",
                                            {{sherd_driver_def_fields, SHERD_MAP_PRESSURE, 0}}};
const sherd_scene_map sherd_map_driver = {
    "driver",
    {{sherd_driver_def_fields, SHERD_MAP_DRIVER, offsetof(sherd_scene_driver, def)},
     {sherd_scene_driver_fields, SHERD_MAP_DRIVER, 0}}};
static const sherd_scene_map REGION = {
    "region", {{sherd_driver_def_fields, SHERD_MAP_REGION, offsetof(sherd_scene_driver, def)}}};

// Probes on regions are drivers that prescribe nothing.
static const sherd_field PROBE_FIELDS[] = {
    FIELD(NAME, def.name, .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_REQUIRED),
    {.key = "body"},
    {.key = "region"},
};

// ---- regions

// A region's placement is the shape's pose in the world: motion rotates about its position.
static void read_region(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_driver *driver)
{
    if (!sherd_read_map(reader, node, &REGION, sherd_shape_keys, driver)) return;
    driver->def.region.shape = sherd_read_shape(reader, node);
    driver->shape_digest = reader->shape_digest;
}

static void read_where(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_driver *driver)
{
    const sherd_node *body = sherd_node_find(node, "body");
    const sherd_node *region = sherd_node_find(node, "region");
    driver->body = body != NULL ? sherd_find_body(reader, body) : -1;
    if (region != NULL) read_region(reader, region, driver);
    // Air is everywhere.
    bool everywhere = sherd_node_find(node, "wind") != NULL ||
                      sherd_node_find(node, "blast") != NULL ||
                      sherd_node_find(node, "pressure") != NULL;
    if (body == NULL && region == NULL && !everywhere && !sherd_has_unknown_key(reader, node))
        sherd_reader_fail(reader, node, "e.g. region: {box: [1 cm, 1 cm, 1 cm]}",
                          "needs a body, a region, or both");
}

// Default pivot of a driver: its region's position, else its body's.
static sherd_vec3 default_pivot(const sherd_scene_reader *reader, const sherd_scene_driver *driver)
{
    if (driver->def.region.shape == NULL && driver->body >= 0)
        return reader->scene->bodies[driver->body].pose.position;
    return driver->def.region.pose.position;
}

// ---- prescribed quantities

static void read_force_table(sherd_scene_reader *reader, const sherd_node *node,
                             sherd_driver_def *def)
{
    if (!sherd_require_list(reader, node)) return;
    double *times = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *times);
    double *factors = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *factors);
    if (times == NULL || factors == NULL) return;
    if (node->count == 0) sherd_reader_fail(reader, node, NULL, "must hold at least one key");
    int k = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        if (item->kind != SHERD_NODE_LIST || item->count != 2) {
            sherd_reader_fail(reader, item, NULL, "must be [time, factor]");
            return;
        }
        sherd_read_real(reader, item->first, SHERD_VALUE(TIME, SHERD_AT_LEAST(0.0)), &times[k]);
        sherd_read_real(reader, item->last, SHERD_VALUE(NUMBER, SHERD_ANY), &factors[k]);
        if (k > 0 && !(times[k] > times[k - 1]))
            sherd_reader_fail(reader, item, "sort the table by time",
                              "times must increase, but %g s follows %g s", times[k], times[k - 1]);
    }
    def->force_key_count = k;
    def->force_times = times;
    def->force_factors = factors;
}

// [x, y, z], or {total: [x, y, z], table: [[time, factor], ...]}
static void read_force(sherd_scene_reader *reader, const sherd_node *node, sherd_driver_def *def)
{
    static const sherd_field FORCE[] = {
        {.key = "total",
         .type = SHERD_FIELD_VECTOR,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(sherd_driver_def, force),
         .quantity = SHERD_QUANTITY_FORCE},
        {.key = "table"},
    };
    def->drive = SHERD_DRIVE_FORCE;
    if (node->kind != SHERD_NODE_MAP) {
        sherd_read_vector(reader, node, SHERD_QUANTITY_FORCE, &def->force);
        return;
    }
    SHERD_READ(reader, node, FORCE, def);
    const sherd_node *table = sherd_node_find(node, "table"),
                     *reach = sherd_node_find(node, "reach");
    if (table != NULL) read_force_table(reader, table, def);
    if (reach != NULL && sherd_node_find(node, "source") == NULL)
        sherd_reader_fail_key(reader, reach, "give `source`, the point that it is measured from",
                              "needs source");
}

// Forces on surfaces, with the table of factors as they have it: of the wind's velocity, of the
// pressure.
static void read_surface_force(sherd_scene_reader *reader, const sherd_node *node,
                               const sherd_scene_map *map, sherd_drive drive, sherd_driver_def *def)
{
    static const char *const TABLE[] = {"table", NULL};
    def->drive = drive;
    if (!sherd_read_map(reader, node, map, drive == SHERD_DRIVE_BLAST ? NULL : TABLE, def)) return;
    const sherd_node *table = sherd_node_find(node, "table");
    if (table != NULL) read_force_table(reader, table, def);
}

static void read_free_axes(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_driver_def *def)
{
    static const char *const AXES[] = {"x", "y", "z", NULL};
    if (def->drive != SHERD_DRIVE_MOTION)
        sherd_reader_fail_key(reader, node, NULL, "only goes with motion or hold");
    if (!sherd_require_list(reader, node)) return;
    for (const sherd_node *item = node->first; item != NULL; item = item->next) {
        int axis;
        if (sherd_read_choice(reader, item, AXES, &axis)) def->free_axes[axis] = true;
    }
}

static void read_hold(sherd_scene_reader *reader, const sherd_node *node)
{
    bool hold = true;
    if (sherd_read_boolean(reader, node, &hold) && !hold)
        sherd_reader_fail(reader, node, "to let go, remove the driver", "must be true");
}

static void read_drive(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_driver *driver)
{
    const sherd_node *motion = sherd_node_find(node, "motion");
    const sherd_node *force = sherd_node_find(node, "force");
    const sherd_node *hold = sherd_node_find(node, "hold");
    const sherd_node *axes = sherd_node_find(node, "free");
    sherd_driver_def *def = &driver->def;
    const sherd_node *wind = sherd_node_find(node, "wind");
    const sherd_node *blast = sherd_node_find(node, "blast");
    const sherd_node *pressure = sherd_node_find(node, "pressure");
    int given = (motion != NULL) + (force != NULL) + (hold != NULL) + (wind != NULL) +
                (blast != NULL) + (pressure != NULL);
    if (given != 1) {
        if (given > 1 || !sherd_has_unknown_key(reader, node))
            sherd_reader_fail(reader, node, "e.g. hold: true",
                              "needs exactly one of motion, force, hold, wind, blast, pressure");
        return;
    }
    def->drive = SHERD_DRIVE_MOTION;
    sherd_vec3 pivot = default_pivot(reader, driver);
    def->motion.pivot = pivot;
    if (motion != NULL) sherd_read_motion(reader, motion, pivot, &def->motion);
    if (hold != NULL) read_hold(reader, hold);
    if (force != NULL) read_force(reader, force, def);
    if (wind != NULL) read_surface_force(reader, wind, &sherd_map_wind, SHERD_DRIVE_WIND, def);
    if (blast != NULL) read_surface_force(reader, blast, &sherd_map_blast, SHERD_DRIVE_BLAST, def);
    if (pressure != NULL)
        read_surface_force(reader, pressure, &sherd_map_pressure, SHERD_DRIVE_PRESSURE, def);
    if (axes != NULL) read_free_axes(reader, axes, def);
}

static sherd_scene_driver new_driver(void)
{
    sherd_scene_driver driver = {.def = sherd_driver_def_default(), .where = ""};
    sherd_fields_set_initial(sherd_scene_driver_fields(), &driver);
    return driver;
}

static bool is_name_used(const sherd_scene *scene, const char *name)
{
    for (int k = 0; k < scene->obstacle_count; ++k)
        if (scene->obstacles[k].def.name != NULL && strcmp(scene->obstacles[k].def.name, name) == 0)
            return true;
    for (int k = 0; k < scene->driver_count; ++k)
        if (scene->drivers[k].def.name != NULL && strcmp(scene->drivers[k].def.name, name) == 0)
            return true;
    return false;
}

void sherd_check_probe_name(sherd_scene_reader *reader, const sherd_node *node, const char *name)
{
    if (name != NULL && is_name_used(reader->scene, name))
        sherd_reader_fail(reader, sherd_node_find(node, "name"),
                          "obstacles, drivers and probes share one set of names",
                          "the name '%s' is taken already", name);
}

static void add_driver(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_driver *driver)
{
    sherd_check_probe_name(reader, node, driver->def.name);
    driver->where = sherd_reader_where(reader, node);
    reader->scene->drivers[reader->scene->driver_count++] = *driver;
}

static int list_count(const sherd_node *list)
{
    return list != NULL && list->kind == SHERD_NODE_LIST ? list->count : 0;
}

void sherd_read_drivers(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *list = sherd_node_find(root, "drivers");
    sherd_scene *scene = reader->scene;
    // Room for the regions among the probes too.
    int capacity = list_count(list) + list_count(sherd_node_find(root, "probes"));
    scene->drivers = sherd_arena_alloc(reader->arena, (size_t)capacity, sizeof *scene->drivers);
    if (list == NULL || !sherd_require_list(reader, list) || scene->drivers == NULL) return;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        sherd_scene_driver driver = new_driver();
        if (!sherd_read_map(reader, node, &sherd_map_driver, NULL, &driver)) continue;
        read_where(reader, node, &driver);
        read_drive(reader, node, &driver);
        add_driver(reader, node, &driver);
    }
}

// ---------------------------------------------------------------- probes

static void add_probe(sherd_scene *scene, const char *name, bool on_obstacle, int index)
{
    for (int k = 0; k < scene->probe_count; ++k)
        if (scene->probes[k].on_obstacle == on_obstacle && scene->probes[k].index == index) return;
    scene->probes[scene->probe_count++] = (sherd_scene_probe){name, on_obstacle, index};
}

// A probe on an obstacle or driver, by its name.
static void read_named_probe(sherd_scene_reader *reader, const sherd_node *node)
{
    const char *name = NULL;
    if (!sherd_read_text(reader, node, &name)) return;
    sherd_scene *scene = reader->scene;
    sherd_suggestion suggestion = {.word = name};
    for (int k = 0; k < scene->obstacle_count + scene->driver_count; ++k) {
        bool on_obstacle = k < scene->obstacle_count;
        int index = on_obstacle ? k : k - scene->obstacle_count;
        const char *known =
            on_obstacle ? scene->obstacles[index].def.name : scene->drivers[index].def.name;
        if (known == NULL) continue;
        sherd_suggest(&suggestion, known);
        if (strcmp(known, name) != 0) continue;
        add_probe(scene, known, on_obstacle, index);
        return;
    }
    char hint[128];
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    if (!reader->misnamed)
        sherd_reader_fail(reader, node, hint, "there is no obstacle or driver '%.80s'", name);
}

static void read_region_probe(sherd_scene_reader *reader, const sherd_node *node)
{
    sherd_scene_driver driver = new_driver();
    SHERD_READ(reader, node, PROBE_FIELDS, &driver);
    driver.def.drive = SHERD_DRIVE_NONE;
    read_where(reader, node, &driver);
    add_driver(reader, node, &driver);
    add_probe(reader->scene, driver.def.name, false, reader->scene->driver_count - 1);
}

// Drivers and all moving objects get a probe automatically.
static void add_default_probes(sherd_scene *scene)
{
    for (int k = 0; k < scene->driver_count; ++k)
        add_probe(scene, scene->drivers[k].def.name, false, k);
    for (int k = 0; k < scene->obstacle_count; ++k)
        if (scene->obstacles[k].def.kind != SHERD_OBSTACLE_FIXED)
            add_probe(scene, scene->obstacles[k].def.name, true, k);
}

void sherd_read_probes(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *list = sherd_node_find(root, "probes");
    sherd_scene *scene = reader->scene;
    int capacity = scene->driver_count + scene->obstacle_count + list_count(list);
    scene->probes = sherd_arena_alloc(reader->arena, (size_t)capacity, sizeof *scene->probes);
    if (scene->probes == NULL || scene->drivers == NULL) return;
    add_default_probes(scene);
    if (list == NULL || !sherd_require_list(reader, list)) return;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        if (node->kind == SHERD_NODE_MAP)
            read_region_probe(reader, node);
        else
            read_named_probe(reader, node);
    }
}

// ---------------------------------------------------------------- motion

// motion: {velocity, angular_velocity, pivot, table: [{time, translation, rotation}]}

const sherd_scene_map sherd_map_motion = {"motion", {{sherd_motion_fields, SHERD_MAP_MOTION, 0}}};
static const sherd_scene_map KEY = {"motion_key",
                                    {{sherd_motion_key_fields, SHERD_MAP_MOTION_KEY, 0}}};

// Times of the table are relative to the start; the first entry also applies before its time.
static void check_start(sherd_scene_reader *reader, const sherd_node *item,
                        const sherd_motion_key *key)
{
    if (vec3_length(key->translation) > 0.0 || vec3_length(key->rotation) > 0.0)
        sherd_reader_fail(reader, item, "tables are relative to the start",
                          "the first key must not have moved yet");
}

static void read_table(sherd_scene_reader *reader, const sherd_node *node, sherd_motion *motion)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count == 0) sherd_reader_fail(reader, node, NULL, "must hold at least one key");
    sherd_motion_key *keys = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *keys);
    if (keys == NULL) return;
    int k = 0, before = sherd_diagnostics_total(reader->diagnostics);
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        sherd_read_map(reader, item, &KEY, NULL, &keys[k]);
        if (sherd_diagnostics_total(reader->diagnostics) > before) continue;
        if (k == 0) check_start(reader, item, &keys[k]);
        if (k > 0 && !(keys[k].time > keys[k - 1].time))
            sherd_reader_fail(reader, item, "sort the table by time",
                              "times must increase, but %g s follows %g s", keys[k].time,
                              keys[k - 1].time);
    }
    motion->keys = keys;
    motion->key_count = k;
}

void sherd_read_motion(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 pivot,
                       sherd_motion *motion)
{
    *motion = (sherd_motion){.pivot = pivot};
    if (!sherd_read_map(reader, node, &sherd_map_motion, NULL, motion)) return;
    const sherd_node *table = sherd_node_find(node, "table");
    if (table != NULL) read_table(reader, table, motion);
    if (node->count == 0)
        sherd_reader_fail(reader, node, "one of velocity, angular_velocity, table",
                          "gives no motion");
}
