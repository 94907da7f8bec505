// The camera and the light of pictures, in output.render.
#include "scene/read/sections.h"

#include "base/file_writer.h"
#include "math/vec3.h"
#include "scene/scene_fields.h"

#include <sherd/render.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- camera

// camera: {position, target, fov, aperture, focus, keys: [{time, position, target, fov, focus}]}

#define KEY(kind, member, ...) SHERD_FIELD(sherd_scene_camera_key, kind, member, __VA_ARGS__)
#define IN_KEY .maps = SHERD_MAP_CAMERA_KEY
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

static const sherd_field KEY_FIELDS[] = {
    KEY(REAL, time, .quantity = SHERD_QUANTITY_TIME, IN_KEY, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
        .doc = "simulated time, increasing along the list"),
    KEY(VECTOR, position, .quantity = SHERD_QUANTITY_LENGTH, IN_KEY,
        NOT_PHYSICS | SHERD_FIELD_REQUIRED, .doc = "position of the camera"),
    KEY(VECTOR, target, .quantity = SHERD_QUANTITY_LENGTH, IN_KEY,
        NOT_PHYSICS | SHERD_FIELD_REQUIRED, .doc = "point that the camera looks at"),
    KEY(REAL, fov, .quantity = SHERD_QUANTITY_ANGLE, .range = SHERD_ABOVE(0.0, 3.0543261909900763),
        IN_KEY, NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "the camera's",
        .doc = "vertical field of view"),
    KEY(REAL, focus, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE, IN_KEY,
        NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "the camera's", .doc = "distance of sharp focus"),
};

const sherd_definition *sherd_scene_camera_key_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_camera_key, KEY_FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_camera_key = {
    "camera_key", {{sherd_scene_camera_key_fields, SHERD_MAP_CAMERA_KEY, 0}}};

static void check_view(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 position,
                       sherd_vec3 target)
{
    sherd_vec3 view = vec3_sub(target, position);
    double distance = vec3_length(view);
    if (!(distance > 0.0))
        sherd_reader_fail(reader, node, NULL, "position and target must differ");
    else if (hypot(view.x, view.y) < 1e-3 * distance) // up is z
        sherd_reader_fail(reader, node, "move the position a little sideways",
                          "looks straight along z, which is up in pictures");
}

static void read_keys(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_camera *camera)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count == 0) sherd_reader_fail(reader, node, NULL, "must hold at least one key");
    sherd_scene_camera_key *keys =
        sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *keys);
    if (keys == NULL) return;
    int k = 0, before = sherd_diagnostics_total(reader->diagnostics);
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        sherd_read_map(reader, item, &sherd_map_camera_key, NULL, &keys[k]);
        if (sherd_diagnostics_total(reader->diagnostics) > before) continue;
        check_view(reader, item, keys[k].position, keys[k].target);
        if (k > 0 && !(keys[k].time > keys[k - 1].time))
            sherd_reader_fail(reader, item, "sort the keys by time",
                              "times must increase, but %g s follows %g s", keys[k].time,
                              keys[k - 1].time);
    }
    camera->keys = keys;
    camera->key_count = k;
    if (k == 0) return;
    camera->position = keys[0].position;
    camera->target = keys[0].target;
}

void sherd_read_camera(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_output *output)
{
    sherd_scene_camera *camera = &output->render.camera;
    if (node->kind == SHERD_NODE_SCALAR && strcmp(node->text, "auto") == 0) return;
    if (node->kind == SHERD_NODE_SCALAR) {
        sherd_reader_fail(reader, node, NULL, "must be auto or {position, target, fov}, got %.80s",
                          sherd_node_is_null(node) ? "nothing" : node->text);
        return;
    }
    int before = sherd_diagnostics_total(reader->diagnostics);
    camera->automatic = false;
    if (!sherd_require_map(reader, node)) return;
    sherd_read_map(reader, node, &sherd_map_camera, NULL, output);
    const sherd_node *keys = sherd_node_find(node, "keys");
    const char *const points[] = {"position", "target"};
    for (int k = 0; k < 2; ++k) {
        const sherd_node *point = sherd_node_find(node, points[k]);
        if (keys == NULL) sherd_require(reader, node, points[k], "a point, as [0, -1 m, 0.5 m]");
        if (keys != NULL && point != NULL)
            sherd_reader_fail_key(reader, point, "leave it out",
                                  "contradicts keys, which place the camera");
    }
    if (keys != NULL) read_keys(reader, keys, camera);
    if (sherd_diagnostics_total(reader->diagnostics) > before || keys != NULL) return;
    check_view(reader, node, camera->position, camera->target);
}

// ---------------------------------------------------------------- light

// sky: {image, rotation, sun_azimuth, ...}; lamps: [{position, target, width, height, ...}]

#define LAMP(kind, member, ...) SHERD_FIELD(sherd_scene_lamp, kind, member, __VA_ARGS__)
#define IN_LAMP .maps = SHERD_MAP_LAMP
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH

static const sherd_field LAMP_FIELDS[] = {
    LAMP(VECTOR, position, LENGTH, IN_LAMP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
         .doc = "centre of the lamp"),
    LAMP(VECTOR, target, LENGTH, IN_LAMP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
         .doc = "point that it faces; it shines to this side only, and is black from behind"),
    LAMP(REAL, width, LENGTH, .range = SHERD_POSITIVE, IN_LAMP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
         .doc = "length of the horizontal edges"),
    LAMP(REAL, height, LENGTH, .range = SHERD_POSITIVE, IN_LAMP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
         .doc = "length of the other edges"),
    LAMP(COLOR, color, .range = SHERD_UNIT_INTERVAL, .initial = {1.0, 1.0, 1.0}, IN_LAMP,
         NOT_PHYSICS, .doc = "colour of its light"),
    LAMP(REAL, brightness, .initial = {5.0}, .range = SHERD_BETWEEN(0.0, 1e6), IN_LAMP, NOT_PHYSICS,
         .doc = "radiance of its face: a white surface lit from all sides by 1 looks white. The "
                "studio's key light is a face of 49, 16 deg across"),
};

const sherd_definition *sherd_scene_lamp_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_lamp, LAMP_FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_lamp = {"lamp", {{sherd_scene_lamp_fields, SHERD_MAP_LAMP, 0}}};

// The file's existence is checked before anything is computed; it is read when pictures are made.
static void check_image(sherd_scene_reader *reader, const sherd_node *node, const char *image,
                        const char *path)
{
    int problem, file = sherd_open_file(path, &problem);
    if (file < 0) {
        sherd_error error;
        sherd_fail_reading(&error, problem, path);
        sherd_reader_fail(reader, node, error.hint, "%.120s: %s", image, error.what);
        return;
    }
    char start[2];
    if (read(file, start, sizeof start) != (ssize_t)sizeof start || memcmp(start, "#?", 2) != 0)
        sherd_reader_fail(reader, node, "give a .hdr file, an image of all directions",
                          "%.120s: is no Radiance picture", image);
    close(file);
}

// Relative to the scene's file.
static const char *find_image(sherd_scene_reader *reader, const sherd_node *node, const char *image)
{
    const char *path = sherd_reader_path(reader, image);
    if (path != NULL) check_image(reader, node, image, path);
    return path;
}

// Keys of one kind of sky do not apply to the other.
static void refuse_keys(sherd_scene_reader *reader, const sherd_node *node, bool image)
{
    static const char *const CLEAR[] = {"sun_azimuth", "sun_elevation", "sun_size", "haze", NULL};
    for (int k = 0; image && CLEAR[k] != NULL; ++k) {
        const sherd_node *key = sherd_node_find(node, CLEAR[k]);
        if (key != NULL)
            sherd_reader_fail_key(reader, key, "remove it, or image",
                                  "belongs to a clear sky, but the sky is an image here");
    }
    const sherd_node *rotation = sherd_node_find(node, "rotation");
    if (!image && rotation != NULL)
        sherd_reader_fail_key(reader, rotation, "sun_azimuth turns the sun",
                              "turns the image of a sky, but there is no image");
}

void sherd_read_sky(sherd_scene_reader *reader, const sherd_node *node, const char *const *words,
                    sherd_scene_output *output)
{
    sherd_scene_sky *sky = &output->render.sky;
    if (node->kind == SHERD_NODE_SCALAR) {
        int kind;
        if (!sherd_read_choice(reader, node, words, &kind)) return;
        if (kind == SHERD_SCENE_SKY_IMAGE)
            sherd_reader_fail(reader, node, "sky: {image: studio.hdr}", "misses the image's file");
        sky->kind = (sherd_scene_sky_kind)kind;
        return;
    }
    if (!sherd_read_map(reader, node, &sherd_map_sky, NULL, output)) return;
    refuse_keys(reader, node, sky->image != NULL);
    sky->kind = sky->image != NULL ? SHERD_SCENE_SKY_IMAGE : SHERD_SCENE_SKY_CLEAR;
    if (sky->image != NULL)
        sky->image = find_image(reader, sherd_node_find(node, "image"), sky->image);
}

void sherd_read_lamps(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_output *output)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count > SHERD_RENDER_MOST_LAMPS) {
        sherd_reader_fail(reader, node, NULL, "must hold at most %d lamps, got %d",
                          SHERD_RENDER_MOST_LAMPS, (int)node->count);
        return;
    }
    sherd_scene_lamp *lamps = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *lamps);
    if (lamps == NULL) return;
    int k = 0, before = sherd_diagnostics_total(reader->diagnostics);
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        sherd_fields_set_initial(sherd_scene_lamp_fields(), &lamps[k]);
        sherd_read_map(reader, item, &sherd_map_lamp, NULL, &lamps[k]);
        if (sherd_diagnostics_total(reader->diagnostics) > before) continue;
        if (vec3_distance(lamps[k].position, lamps[k].target) == 0.0)
            sherd_reader_fail(reader, item, NULL, "position and target must differ");
    }
    output->render.lamps = lamps;
    output->render.lamp_count = k;
}
