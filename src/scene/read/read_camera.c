// output.render.camera: {position, target, fov, aperture, focus, keys: [{time, position, target, fov, focus}]}
#include "scene/read/sections.h"

#include "math/vec3.h"
#include "scene/scene_fields.h"

#include <string.h>

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
    const char *const places[] = {"position", "target"};
    for (int k = 0; k < 2; ++k) {
        const sherd_node *place = sherd_node_find(node, places[k]);
        if (keys == NULL) sherd_require(reader, node, places[k], "a point, as [0, -1 m, 0.5 m]");
        if (keys != NULL && place != NULL)
            sherd_reader_fail_key(reader, place, "leave it out",
                                  "contradicts keys, which place the camera");
    }
    if (keys != NULL) read_keys(reader, keys, camera);
    if (sherd_diagnostics_total(reader->diagnostics) > before || keys != NULL) return;
    check_view(reader, node, camera->position, camera->target);
}
