// obstacles: [{name, plane | a shape, motion | free, ...}]
#include "scene/read/sections.h"

#include "math/quat.h"
#include "scene/scene_fields.h"

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_obstacle, kind, member, __VA_ARGS__)
#define OBSTACLE .maps = SHERD_MAP_OBSTACLE
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

static uint64_t digest_def(const void *definition, uint64_t hash)
{
    const sherd_scene_obstacle *obstacle = definition;
    return sherd_fields_digest(sherd_obstacle_def_fields(), &obstacle->def, hash);
}

static const sherd_field FIELDS[] = {
    FIELD(UINT64, shape_digest, .doc = "of everything that makes the shape"),
    FIELD(OTHER, def, .digest = digest_def, .doc = "rows of sherd_obstacle_def"),
    FIELD(COLOR, color, .range = SHERD_UNIT_INTERVAL, .initial = {0.62, 0.63, 0.66}, OBSTACLE,
          NOT_PHYSICS, .usual = "`[0.62, 0.63, 0.66]`, or the texture's",
          .doc = "surface colour; a visible plane's is also that of the background"),
    FIELD(OTHER, appearance, NOT_PHYSICS, OBSTACLE, .values = "map", .usual = "plain",
          .doc = "texture and gloss, as of a [material](../guide/textures.md); a plane's is the "
                 "floor's"),
    FIELD(BOOLEAN, has_appearance, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(BOOLEAN, visible, .initial = {true}, OBSTACLE, NOT_PHYSICS,
          .doc = "false: not in pictures"),
    FIELD(BOOLEAN, has_color, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(INT, group_count, NOT_PHYSICS, .doc = "of the mesh"),
    FIELD(OTHER, groups, NOT_PHYSICS, .doc = "what the mesh's file says of them"),
    FIELD(TEXT, where, NOT_PHYSICS, .doc = "in the scene file"),
};

const sherd_definition *sherd_scene_obstacle_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_obstacle, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_obstacle = {
    "obstacle",
    {{sherd_obstacle_def_fields, SHERD_MAP_OBSTACLE, offsetof(sherd_scene_obstacle, def)},
     {sherd_scene_obstacle_fields, SHERD_MAP_OBSTACLE, 0}}};
const sherd_scene_map sherd_map_free = {
    "free", {{sherd_obstacle_def_fields, SHERD_MAP_FREE, offsetof(sherd_scene_obstacle, def)}}};

// ---- geometry

typedef struct plane_values {
    sherd_vec3 point, normal;
} plane_values;

static void read_plane(sherd_scene_reader *reader, const sherd_node *node, sherd_obstacle_def *def)
{
    static const sherd_field PLANE[] = {
        {.key = "point",
         .type = SHERD_FIELD_VECTOR,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(plane_values, point),
         .quantity = SHERD_QUANTITY_LENGTH},
        {.key = "normal",
         .type = SHERD_FIELD_VECTOR,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(plane_values, normal)},
    };
    plane_values plane = {.normal = {0.0, 0.0, 1.0}};
    if (!SHERD_READ(reader, node, PLANE, &plane)) return;
    double length = vec3_length(plane.normal);
    if (!(length > 0.0 && isfinite(length))) {
        sherd_reader_fail(reader, sherd_node_find(node, "normal"),
                          "the normal points out of the solid", "must have a length > 0");
        return;
    }
    def->is_plane = true;
    def->pose.position = plane.point;
    def->pose.rotation = quat_between(vec3(0.0, 0.0, 1.0), vec3_scale(1.0 / length, plane.normal));
}

static const sherd_node *find_shape_key(const sherd_node *node)
{
    for (int k = 0; sherd_shape_keys[k] != NULL; ++k) {
        const sherd_node *child = sherd_node_find(node, sherd_shape_keys[k]);
        if (child != NULL) return child;
    }
    return NULL;
}

static void read_geometry(sherd_scene_reader *reader, const sherd_node *node,
                          sherd_scene_obstacle *obstacle)
{
    const sherd_node *plane = sherd_node_find(node, "plane");
    if (plane == NULL && find_shape_key(node) == NULL) {
        sherd_reader_fail_no_shape(reader, node, "plane, ");
        return;
    }
    if (plane == NULL) {
        reader->group_count = 0;
        obstacle->def.shape = sherd_read_shape(reader, node);
        obstacle->groups = sherd_take_groups(reader, &obstacle->group_count);
        obstacle->shape_digest = reader->shape_digest;
        return;
    }
    static const char *const USELESS[] = {"position", "rotation"};
    for (int k = 0; k < 2; ++k) {
        const sherd_node *extra = sherd_node_find(node, USELESS[k]);
        if (extra != NULL)
            sherd_reader_fail_key(reader, extra, "a plane is placed by its point and normal",
                                  "'%s' can't be given with 'plane'", extra->key);
    }
    const sherd_node *shape = find_shape_key(node);
    if (shape != NULL)
        sherd_reader_fail_key(reader, shape, NULL,
                              "an obstacle is either 'plane' or '%s', not both", shape->key);
    read_plane(reader, plane, &obstacle->def);
}

// ---- how it moves

static void read_free(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_obstacle *obstacle)
{
    if (!sherd_read_map(reader, node, &sherd_map_free, NULL, obstacle)) return;
    bool mass = sherd_node_find(node, "mass") != NULL;
    bool density = sherd_node_find(node, "density") != NULL;
    if (mass == density && (mass || !sherd_has_unknown_key(reader, node)))
        sherd_reader_fail(reader, node, "e.g. mass: 2 kg",
                          mass ? "has both mass and density, give one of them"
                               : "needs a mass or a density");
}

// Says the same as neither motion nor free.
static void check_fixed(sherd_scene_reader *reader, const sherd_node *node, bool moves)
{
    bool fixed = true;
    const sherd_node *key = sherd_node_find(node, "fixed");
    if (key == NULL || !sherd_read_boolean(reader, key, &fixed) || moves != fixed) return;
    sherd_reader_fail_key(reader, key, "remove it: motion or free says that it moves",
                          moves ? "contradicts motion or free"
                                : "is false, but there is neither motion nor free");
}

static void read_kind(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_obstacle *obstacle)
{
    sherd_obstacle_def *def = &obstacle->def;
    const sherd_node *motion = sherd_node_find(node, "motion");
    const sherd_node *free_body = sherd_node_find(node, "free");
    if (motion != NULL && free_body != NULL)
        sherd_reader_fail_key(reader, free_body, NULL,
                              "an obstacle has either 'motion' or 'free', not both");
    check_fixed(reader, node, motion != NULL || free_body != NULL);
    if (motion != NULL) {
        def->kind = SHERD_OBSTACLE_DRIVEN;
        sherd_read_motion(reader, motion, def->pose.position, &def->motion);
    }
    if (free_body == NULL) return;
    def->kind = SHERD_OBSTACLE_FREE;
    if (def->is_plane)
        sherd_reader_fail_key(reader, free_body, "use a box, or a fixed or driven plane",
                              "a plane has infinite mass and can't be free");
    read_free(reader, free_body, obstacle);
}

static void read_look(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_obstacle *obstacle)
{
    const sherd_node *appearance = sherd_node_find(node, "appearance");
    obstacle->has_color = sherd_node_find(node, "color") != NULL;
    if (appearance == NULL) return;
    sherd_read_appearance(reader, appearance, &obstacle->appearance);
    obstacle->has_appearance = true;
    if (sherd_appearance_has_color(&obstacle->appearance) && !obstacle->has_color)
        obstacle->color = sherd_appearance_usual_color(&obstacle->appearance);
}

static void read_obstacle(sherd_scene_reader *reader, const sherd_node *node,
                          sherd_scene_obstacle *obstacle)
{
    *obstacle = (sherd_scene_obstacle){.def = sherd_obstacle_def_default()};
    sherd_fields_set_initial(sherd_scene_obstacle_fields(), obstacle);
    if (sherd_read_map(reader, node, &sherd_map_obstacle, sherd_shape_keys, obstacle)) {
        read_geometry(reader, node, obstacle);
        read_kind(reader, node, obstacle);
        read_look(reader, node, obstacle);
    }
    obstacle->where = sherd_reader_where(reader, node);
}

void sherd_read_obstacles(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *list = sherd_node_find(root, "obstacles");
    if (list == NULL || !sherd_require_list(reader, list)) return;
    sherd_scene *scene = reader->scene;
    scene->obstacles =
        sherd_arena_alloc(reader->arena, (size_t)list->count, sizeof *scene->obstacles);
    if (scene->obstacles == NULL) return;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        sherd_scene_obstacle obstacle;
        read_obstacle(reader, node, &obstacle);
        sherd_check_probe_name(reader, node, obstacle.def.name);
        scene->obstacles[scene->obstacle_count++] = obstacle;
    }
}
