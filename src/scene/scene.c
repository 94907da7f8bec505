// Loads a scene file: general settings, creation and release.
#include "scene/read/sections.h"

#include "base/error.h"
#include "base/memory.h"
#include "scene/text/overrides.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1 };
static const size_t LARGEST_FILE = (size_t)16 << 20; // [bytes]
static const double MAX_FRAMES = 1e6, MAX_READINGS = 1e8, MAX_STEPS = 1e12;
static const double LONGEST_FRAME = 1000.0; // durations

// ---------------------------------------------------------------- general settings

static const sherd_field UNIT_FIELDS[] = {
    {.key = "length"},
    {.key = "time"},
    {.key = "mass"},
    {.key = "angle"},
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
    if (!SHERD_READ(reader, node, UNIT_FIELDS, NULL)) return;
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
    if (sherd_read_integer(reader, node, SHERD_VALUE(NUMBER, SHERD_AT_LEAST(1.0)), &version) &&
        version != FORMAT_VERSION)
        sherd_reader_fail(reader, node, "this version of Sherd reads format 1", "is of format %lld",
                          (long long)version);
}

#define SCENE .maps = SHERD_MAP_SCENE
#define REQUIRED .flags = SHERD_FIELD_REQUIRED
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

static const sherd_field FIELDS[] = {
    {.key = "sherd",
     SCENE,
     .values = "1",
     .usual = "**required**",
     .doc = "version of the scene format"},
    SHERD_FIELD(sherd_scene, NAME, name, SCENE, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
                .doc = "name of the scene"),
    {.key = "units", SCENE, .values = "map", .usual = "SI", .doc = "units of bare numbers, above"},
    SHERD_FIELD(sherd_scene, REAL, duration, .quantity = SHERD_QUANTITY_TIME,
                .range = SHERD_POSITIVE, SCENE, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
                .doc = "simulated time; a run ends with the first whole frame at or after it"),
    {.key = "output",
     SCENE,
     .values = "map",
     .usual = "that of each key",
     .doc = "frames, meshes and pictures"},
    {.key = "materials", SCENE, REQUIRED, .values = "map", .doc = "materials by name"},
    {.key = "bodies",
     SCENE,
     .values = "list",
     .usual = "**required** without an obstacle that is `free`",
     .doc = "bodies, at least one. Without any, `free` bodies touch with the stiffness of the "
            "stiffest material"},
    {.key = "obstacles",
     SCENE,
     .values = "list",
     .usual = "none",
     .doc = "rigid bodies: fixed, driven or free"},
    {.key = "drivers",
     SCENE,
     .values = "list",
     .usual = "none",
     .doc = "prescribed motions and forces on elements"},
    {.key = "probes",
     SCENE,
     .values = "list",
     .usual = "all that is driven or free",
     .doc = "measured forces and displacements"},
    {.key = "solver",
     SCENE,
     .values = "map",
     .usual = "that of each key",
     .doc = "time integration and contact"},
    {.key = "variants",
     SCENE,
     .values = "map",
     .usual = "none",
     .doc = "named changes to the scene"},
};

static const sherd_definition *scene_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_scene = {
    "scene",
    {{scene_fields, SHERD_MAP_SCENE, 0},
     {sherd_world_def_fields, SHERD_MAP_SCENE, offsetof(sherd_scene, world)}}};

// A run ends with a complete frame, which may be the first.
static void check_frame_rate(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_scene *scene = reader->scene;
    double rate = scene->output.frame_rate;
    const sherd_node *output = sherd_node_find(root, "output");
    const sherd_node *node = output != NULL ? sherd_node_find(output, "frame_rate") : NULL;
    if (node == NULL) node = sherd_node_find(root, "duration");
    if (node == NULL || !(scene->duration > 0.0) || !(rate > 0.0)) return;
    if (scene->duration * rate * LONGEST_FRAME >= 1.0) return;
    char hint[96];
    snprintf(hint, sizeof hint, "set output.frame_rate to at least %.3g Hz", 1.0 / scene->duration);
    sherd_reader_fail(reader, node, hint,
                      "makes the first frame last %.3g s, where the run is to last %.3g s",
                      1.0 / rate, scene->duration);
}

// Steps of a given length must come to an end.
static void check_steps(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_scene *scene = reader->scene;
    const sherd_node *solver = sherd_node_find(root, "solver");
    const sherd_node *node = solver != NULL ? sherd_node_find(solver, "time_step") : NULL;
    double steps = scene->duration / scene->world.time_step;
    if (node == NULL || !(scene->world.time_step > 0.0) || !(steps > MAX_STEPS)) return;
    sherd_reader_fail(reader, node, "leave it out: the longest stable step is found",
                      "makes %.3g steps, more than %.0e: that takes years", steps, MAX_STEPS);
}

static void check_frames(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_scene *scene = reader->scene;
    double frames = scene->duration * scene->output.frame_rate;
    const sherd_node *node = sherd_node_find(root, "duration");
    if (node != NULL && frames > MAX_FRAMES)
        sherd_reader_fail(reader, node, "lower the duration or output.frame_rate",
                          "makes %.3g frames, more than %.0e", frames, MAX_FRAMES);
    double readings = scene->duration * scene->output.probe_rate;
    const sherd_node *output = sherd_node_find(root, "output");
    const sherd_node *rate = output != NULL ? sherd_node_find(output, "probe_rate") : NULL;
    if (rate != NULL && readings > MAX_READINGS)
        sherd_reader_fail(reader, rate, "lower it; steps end where probes are read",
                          "makes %.3g readings of every probe, more than %.0e", readings,
                          MAX_READINGS);
}

// A scene has bodies of elements or points, or free rigid ones alone.
static void require_bodies(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *obstacles = sherd_node_find(root, "obstacles");
    bool free = false;
    for (int k = 0; obstacles != NULL && k < obstacles->count; ++k)
        free |= sherd_node_find(sherd_node_item(obstacles, k), "free") != NULL;
    if (free && sherd_node_find(root, "bodies") == NULL) return;
    sherd_require(reader, root, "bodies", "or an obstacle that is `free`");
}

static void read_scene(sherd_scene_reader *reader, const sherd_node *root)
{
    if (!sherd_require_map(reader, root)) return;
    sherd_scene *scene = reader->scene;
    scene->world = sherd_world_def_default();
    scene->world.method = SHERD_METHOD_AUTO;
    read_version(reader, root);
    read_units(reader, root);
    sherd_read_map(reader, root, &sherd_map_scene, NULL, scene);
    require_bodies(reader, root);
    sherd_read_output(reader, root);
    check_frames(reader, root);
    check_frame_rate(reader, root);
    sherd_read_materials(reader, root);
    sherd_read_bodies(reader, root);
    sherd_split_calibrated(reader);
    sherd_read_obstacles(reader, root);
    sherd_read_drivers(reader, root);
    sherd_read_probes(reader, root);
    sherd_read_solver(reader, root);
    check_steps(reader, root);
    scene->digest = sherd_scene_physics_digest(scene);
}

// ---------------------------------------------------------------- creation and release

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
    for (sherd_texture_link *link = storage->textures; link != NULL; link = link->next)
        sherd_texture_image_destroy(link->image);
    sherd_arena_free(&storage->arena); // the scene itself is allocated in it
    sherd_free(storage);
}

// Stores the options with which the scene was read.
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
    scene->overrides = reader->settings = kept;
    scene->override_count = reader->setting_capacity = options->override_count;
    // A scene from a pipe names files relative to the working directory.
    bool piped = strncmp(name, "/dev/", 5) == 0 || strncmp(name, "/proc/", 6) == 0;
    const char *slash = piped ? NULL : strrchr(name, '/');
    size_t folder = slash != NULL ? (size_t)(slash - name) + 1 : 0;
    reader->folder = sherd_arena_copy(arena, name, folder);
}

void sherd_scene_keep_setting(sherd_scene_reader *reader, const char *setting)
{
    sherd_scene *scene = reader->scene;
    int count = scene->override_count;
    if (count >= reader->setting_capacity) {
        int new_capacity = 2 * count + 16; // arenas do not free memory
        const char **kept = sherd_arena_alloc(reader->arena, (size_t)new_capacity, sizeof *kept);
        if (kept == NULL) return; // the arena records the failure
        if (count > 0) memcpy(kept, reader->settings, (size_t)count * sizeof *kept);
        reader->settings = kept;
        reader->setting_capacity = new_capacity;
        scene->overrides = kept;
    }
    reader->settings[count] = sherd_arena_string(reader->arena, setting);
    if (reader->settings[count] != NULL) ++scene->override_count;
}

static void read_text(sherd_scene_reader *reader, const sherd_scene_options *options)
{
    const sherd_scene *scene = reader->scene;
    sherd_node *root = sherd_node_read(reader->arena, scene->text, scene->text_size, scene->path,
                                       true, reader->diagnostics);
    if (root == NULL) return;
    sherd_overrides_apply(reader, root, options, scene->path);
    scene->storage->root = root;
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

static const int READ_TIMEOUT = 10000; // [ms] between bytes of a pipe that is open

// Returns why a scene cannot be read from here; NULL: it can. Devices might be endless, and folders
// have no text.
static const char *refuse_kind(int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) return strerror(errno);
    if (S_ISDIR(status.st_mode)) return "it is a folder";
    if (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode)) return NULL;
    return "it is a device or socket, not a file or pipe";
}

// Reads some bytes of a file or pipe. -1 with the reason, 0 at the end.
static ssize_t read_some(int descriptor, char *to, size_t size, const char **reason)
{
    for (;;) {
        ssize_t got = read(descriptor, to, size);
        if (got >= 0) return got;
        if (errno == EINTR) continue;
        struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
        if (errno == EAGAIN && poll(&waiting, 1, READ_TIMEOUT) > 0) continue;
        *reason =
            errno == EAGAIN ? "nothing came through this pipe for ten seconds" : strerror(errno);
        return -1;
    }
}

// Reads all of it, at most one byte more than the largest allowed. NULL with the reason.
static char *read_all(int descriptor, size_t *size, const char **reason)
{
    char *text = NULL;
    size_t capacity = 0;
    ssize_t got = 1;
    *size = 0;
    while (got > 0 && *size <= LARGEST_FILE) {
        if (!sherd_grow((void **)&text, &capacity, *size + 65536, 1)) {
            *reason = "not enough memory";
            got = -1;
            break;
        }
        got = read_some(descriptor, text + *size, capacity - *size, reason);
        if (got > 0) *size += (size_t)got;
    }
    if (got >= 0) return text;
    sherd_free(text);
    return NULL;
}

// A pipe is read as well (sherd check <(make-scene), /dev/stdin), one without a writer is empty.
static char *read_file(const char *path, size_t *size, const char **reason, const char **hint)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        *reason = strerror(errno);
        *hint = errno == ENAMETOOLONG ? "choose a shorter name"
                : errno == ELOOP      ? "its links lead in a circle: remove them"
                                      : *hint;
        return NULL;
    }
    *reason = refuse_kind(descriptor);
    char *text = *reason == NULL ? read_all(descriptor, size, reason) : NULL;
    close(descriptor);
    return text;
}

sherd_scene *sherd_scene_load(const char *path, const sherd_scene_options *options,
                              sherd_diagnostics *diagnostics)
{
    size_t size = 0;
    const char *reason = NULL, *hint = "give a scene file, or a pipe that somebody writes to";
    char *text = read_file(path, &size, &reason, &hint);
    if (text == NULL) {
        sherd_fail(sherd_diagnostics_add(diagnostics), SHERD_ERROR_IO, path, hint,
                   "can't be read: %s", reason);
        return NULL;
    }
    sherd_scene *scene = sherd_scene_parse(text, size, path, options, diagnostics);
    sherd_free(text);
    return scene;
}
