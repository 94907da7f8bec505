// A scene file as a whole: loading, general settings, life and death.
#include "scene/sections.h"

#include "base/error.h"
#include "base/memory.h"
#include "scene/overrides.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1 };
static const size_t LARGEST_FILE = (size_t)16 << 20; // [bytes]
static const double MOST_FRAMES = 1e6, MOST_READINGS = 1e8;

// ---------------------------------------------------------------- general settings

static const sherd_field UNIT_FIELDS[] = {
    {"length", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"time", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"mass", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"angle", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

static void read_unit(sherd_scene_reader *reader, const sherd_node *map, const char *key,
                      sherd_quantity quantity, double *unit)
{
    const sherd_node *node = sherd_node_find(map, key);
    const char *text = NULL;
    if (node == NULL || !sherd_read_text(reader, node, &text)) return;
    sherd_units_error error;
    if (!sherd_units_parse_name(text, quantity, unit, &error))
        sherd_reader_fail(reader, node, error.hint, "%s", error.what);
}

static void read_units(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *node = sherd_node_find(root, "units");
    if (node == NULL) return;
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(UNIT_FIELDS), NULL)) return;
    read_unit(reader, node, "length", SHERD_QUANTITY_LENGTH, &reader->units.length);
    read_unit(reader, node, "time", SHERD_QUANTITY_TIME, &reader->units.time);
    read_unit(reader, node, "mass", SHERD_QUANTITY_MASS, &reader->units.mass);
    read_unit(reader, node, "angle", SHERD_QUANTITY_ANGLE, &reader->units.angle);
}

static void read_version(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *node = sherd_node_find(root, "sherd");
    int64_t version = FORMAT_VERSION;
    if (node == NULL) {
        sherd_reader_fail(reader, root, "begin the file with `sherd: 1`",
                          "misses the required key 'sherd'");
        return;
    }
    if (sherd_read_integer(reader, node, SHERD_RANGE_AT_LEAST_1, &version) &&
        version != FORMAT_VERSION)
        sherd_reader_fail(reader, node, "this version of Sherd reads format 1", "is of format %lld",
                          (long long)version);
}

#define OF_SCENE(field) offsetof(sherd_scene, field)

static const sherd_field FIELDS[] = {
    {"sherd", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"name", SHERD_FIELD_NAME, true, OF_SCENE(name), 0, 0, NULL},
    {"units", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"gravity", SHERD_FIELD_VECTOR, false, OF_SCENE(world.gravity), SHERD_QUANTITY_ACCELERATION, 0,
     NULL},
    {"duration", SHERD_FIELD_REAL, true, OF_SCENE(duration), SHERD_QUANTITY_TIME,
     SHERD_RANGE_POSITIVE, NULL},
    {"output", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"materials", SHERD_FIELD_OTHER, true, 0, 0, 0, NULL},
    {"bodies", SHERD_FIELD_OTHER, true, 0, 0, 0, NULL},
    {"obstacles", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"drivers", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"probes", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"solver", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"variants", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

static void check_frames(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_scene *scene = reader->scene;
    double frames = scene->duration * scene->output.frame_rate;
    const sherd_node *node = sherd_node_find(root, "duration");
    if (node != NULL && frames > MOST_FRAMES)
        sherd_reader_fail(reader, node, "lower the duration or output.frame_rate",
                          "makes %.3g frames, more than %.0e", frames, MOST_FRAMES);
    double readings = scene->duration * scene->output.probe_rate;
    const sherd_node *output = sherd_node_find(root, "output");
    const sherd_node *rate = output != NULL ? sherd_node_find(output, "probe_rate") : NULL;
    if (rate != NULL && readings > MOST_READINGS)
        sherd_reader_fail(reader, rate, "lower it; steps end where probes are read",
                          "makes %.3g readings of every probe, more than %.0e", readings,
                          MOST_READINGS);
}

static void read_scene(sherd_scene_reader *reader, const sherd_node *root)
{
    if (!sherd_require_map(reader, root)) return;
    sherd_scene *scene = reader->scene;
    scene->world = sherd_world_def_default();
    scene->world.method = SHERD_METHOD_AUTO;
    read_version(reader, root);
    read_units(reader, root);
    sherd_read_fields(reader, root, &SHERD_FIELD_TABLE(FIELDS), scene);
    sherd_read_output(reader, root);
    check_frames(reader, root);
    sherd_read_materials(reader, root);
    sherd_read_bodies(reader, root);
    sherd_split_calibrated(reader);
    sherd_read_obstacles(reader, root);
    sherd_read_drivers(reader, root);
    sherd_read_probes(reader, root);
    sherd_read_solver(reader, root);
    scene->digest = sherd_scene_physics_digest(scene);
}

// ---------------------------------------------------------------- life and death

static sherd_scene *create(void)
{
    sherd_scene_storage *storage = sherd_alloc(1, sizeof *storage);
    if (storage == NULL) return NULL;
    sherd_scene *scene = sherd_arena_alloc(&storage->arena, 1, sizeof *scene);
    if (scene == NULL) {
        sherd_free(storage);
        return NULL;
    }
    scene->storage = storage;
    return scene;
}

void sherd_scene_destroy(sherd_scene *scene)
{
    if (scene == NULL) return;
    sherd_scene_storage *storage = scene->storage;
    for (sherd_shape_link *link = storage->shapes; link != NULL; link = link->next)
        sherd_shape_destroy(link->shape);
    for (sherd_weakness_link *link = storage->weaknesses; link != NULL; link = link->next)
        sherd_weakness_destroy(link->weakness);
    sherd_arena_free(&storage->arena); // the scene itself lies in it
    sherd_free(storage);
}

// Keeps how the scene was asked for.
static void keep_source(sherd_scene_reader *reader, const char *text, size_t size, const char *name,
                        const sherd_scene_options *options)
{
    sherd_scene *scene = reader->scene;
    sherd_arena *arena = reader->arena;
    scene->text = sherd_arena_copy(arena, text, size);
    scene->text_size = size;
    scene->path = sherd_arena_string(arena, name);
    if (options->variant != NULL) scene->variant = sherd_arena_string(arena, options->variant);
    const char **kept = sherd_arena_alloc(arena, (size_t)options->override_count, sizeof *kept);
    for (int k = 0; kept != NULL && k < options->override_count; ++k)
        kept[k] = sherd_arena_string(arena, options->overrides[k]);
    scene->overrides = kept;
    scene->override_count = options->override_count;
    const char *slash = strrchr(name, '/');
    size_t folder = slash != NULL ? (size_t)(slash - name) + 1 : 0;
    reader->folder = sherd_arena_copy(arena, name, folder);
}

static void read_text(sherd_scene_reader *reader, const sherd_scene_options *options)
{
    const sherd_scene *scene = reader->scene;
    sherd_node *root = sherd_node_read(reader->arena, scene->text, scene->text_size, scene->path,
                                       true, reader->diagnostics);
    if (root == NULL) return;
    sherd_overrides_apply(reader, root, options, scene->path);
    read_scene(reader, root);
}

static sherd_scene *fail_size(const char *name, sherd_diagnostics *diagnostics)
{
    sherd_fail(sherd_diagnostics_add(diagnostics), SHERD_ERROR_INPUT, name,
               "put large geometry into a mesh file",
               "is larger than %zu MB, no scene file is that large", LARGEST_FILE >> 20);
    return NULL;
}

sherd_scene *sherd_scene_parse(const char *text, size_t size, const char *name,
                               const sherd_scene_options *options, sherd_diagnostics *diagnostics)
{
    static const sherd_scene_options NONE = {0};
    if (options == NULL) options = &NONE;
    if (size > LARGEST_FILE) return fail_size(name, diagnostics);
    int before = sherd_diagnostics_total(diagnostics);
    sherd_scene *scene = create();
    sherd_scene_reader reader = {
        .diagnostics = diagnostics, .scene = scene, .units = SHERD_UNITS_SI};
    if (scene == NULL) {
        sherd_reader_fail_memory(&reader);
        return NULL;
    }
    reader.arena = &scene->storage->arena;
    keep_source(&reader, text, size, name, options);
    if (!reader.arena->failed) read_text(&reader, options);
    bool good = sherd_diagnostics_total(diagnostics) == before;
    if (good && reader.arena->failed) {
        sherd_reader_fail_memory(&reader);
        good = false;
    }
    if (good) return scene;
    sherd_scene_destroy(scene);
    return NULL;
}

// ---------------------------------------------------------------- files

// The whole file, at most one byte more than the largest allowed. NULL with errno.
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *text = NULL;
    size_t capacity = 0;
    *size = 0;
    size_t got = 1;
    while (got > 0 && *size <= LARGEST_FILE) {
        if (!sherd_grow((void **)&text, &capacity, *size + 65536, 1)) {
            errno = ENOMEM;
            break;
        }
        got = fread(text + *size, 1, capacity - *size, file);
        *size += got;
    }
    bool failed = ferror(file) || got > 0;
    int reason = errno;
    fclose(file);
    if (!failed || *size > LARGEST_FILE) return text;
    sherd_free(text);
    errno = reason;
    return NULL;
}

sherd_scene *sherd_scene_load(const char *path, const sherd_scene_options *options,
                              sherd_diagnostics *diagnostics)
{
    size_t size = 0;
    char *text = read_file(path, &size);
    if (text == NULL) {
        sherd_fail(sherd_diagnostics_add(diagnostics), SHERD_ERROR_IO, path, NULL,
                   "can't be read: %s", strerror(errno));
        return NULL;
    }
    sherd_scene *scene = sherd_scene_parse(text, size, path, options, diagnostics);
    sherd_free(text);
    return scene;
}
