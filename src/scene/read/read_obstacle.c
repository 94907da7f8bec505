// obstacles: [{name, plane | a shape, motion | free, ...}]
#include "scene/read/sections.h"

#include "math/quat.h"

typedef struct obstacle_values {
    sherd_scene_obstacle obstacle;
    bool fixed;
} obstacle_values;

#define OF_OBSTACLE(field) offsetof(obstacle_values, obstacle.field)

static const sherd_field FIELDS[] = {
    {"name", SHERD_FIELD_NAME, true, OF_OBSTACLE(def.name), 0, 0, NULL},
    {"plane", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"position", SHERD_FIELD_VECTOR, false, OF_OBSTACLE(def.pose.position), SHERD_QUANTITY_LENGTH,
     0, NULL},
    {"rotation", SHERD_FIELD_ROTATION, false, OF_OBSTACLE(def.pose.rotation), 0, 0, NULL},
    {"fixed", SHERD_FIELD_BOOLEAN, false, offsetof(obstacle_values, fixed), 0, 0, NULL},
    {"motion", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"free", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"friction", SHERD_FIELD_REAL, false, OF_OBSTACLE(def.friction), 0, SHERD_RANGE_NOT_NEGATIVE,
     NULL},
    {"restitution", SHERD_FIELD_REAL, false, OF_OBSTACLE(def.restitution), 0,
     SHERD_RANGE_SHARE_OPEN, NULL},
    {"color", SHERD_FIELD_COLOR, false, OF_OBSTACLE(color), 0, 0, NULL},
    {"visible", SHERD_FIELD_BOOLEAN, false, OF_OBSTACLE(visible), 0, 0, NULL},
};

// ---- geometry

typedef struct plane_values {
    sherd_vec3 point, normal;
} plane_values;

static void read_plane(sherd_scene_reader *reader, const sherd_node *node, sherd_obstacle_def *def)
{
    static const sherd_field PLANE[] = {
        {"point", SHERD_FIELD_VECTOR, true, offsetof(plane_values, point), SHERD_QUANTITY_LENGTH, 0,
         NULL},
        {"normal", SHERD_FIELD_VECTOR, true, offsetof(plane_values, normal), 0, 0, NULL},
    };
    plane_values plane = {.normal = {0.0, 0.0, 1.0}};
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(PLANE), &plane)) return;
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
    if (plane == NULL) {
        obstacle->def.shape = sherd_read_shape(reader, node);
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

static void read_free(sherd_scene_reader *reader, const sherd_node *node, sherd_obstacle_def *def)
{
    static const sherd_field FREE[] = {
        {"mass", SHERD_FIELD_REAL, false, offsetof(sherd_obstacle_def, mass), SHERD_QUANTITY_MASS,
         SHERD_RANGE_POSITIVE, NULL},
        {"density", SHERD_FIELD_REAL, false, offsetof(sherd_obstacle_def, density),
         SHERD_QUANTITY_DENSITY, SHERD_RANGE_DENSITY, NULL},
        {"velocity", SHERD_FIELD_VECTOR, false, offsetof(sherd_obstacle_def, velocity),
         SHERD_QUANTITY_SPEED, 0, NULL},
        {"angular_velocity", SHERD_FIELD_VECTOR, false,
         offsetof(sherd_obstacle_def, angular_velocity), SHERD_QUANTITY_ANGULAR_SPEED, 0, NULL},
    };
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FREE), def)) return;
    bool mass = sherd_node_find(node, "mass") != NULL;
    bool density = sherd_node_find(node, "density") != NULL;
    if (mass == density)
        sherd_reader_fail(reader, node, NULL,
                          mass ? "has both mass and density, give one of them"
                               : "needs a mass or a density");
}

static void read_kind(sherd_scene_reader *reader, const sherd_node *node, obstacle_values *values)
{
    sherd_obstacle_def *def = &values->obstacle.def;
    const sherd_node *motion = sherd_node_find(node, "motion");
    const sherd_node *free_body = sherd_node_find(node, "free");
    const sherd_node *fixed = sherd_node_find(node, "fixed");
    if (motion != NULL && free_body != NULL)
        sherd_reader_fail_key(reader, free_body, NULL,
                              "an obstacle has either 'motion' or 'free', not both");
    bool moves = motion != NULL || free_body != NULL;
    if (fixed != NULL && moves == values->fixed)
        sherd_reader_fail_key(reader, fixed, "leave 'fixed' away: motion: or free: say it all",
                              moves ? "contradicts motion or free"
                                    : "false, but nothing says how it moves");
    if (motion != NULL) {
        def->kind = SHERD_OBSTACLE_DRIVEN;
        sherd_read_motion(reader, motion, def->pose.position, &def->motion);
    }
    if (free_body == NULL) return;
    def->kind = SHERD_OBSTACLE_FREE;
    if (def->is_plane)
        sherd_reader_fail_key(reader, free_body, "use a box, or a fixed or driven plane",
                              "a plane has infinite mass and can't be free");
    read_free(reader, free_body, def);
}

static void read_obstacle(sherd_scene_reader *reader, const sherd_node *node,
                          sherd_scene_obstacle *obstacle)
{
    obstacle_values values = {.obstacle = {.def = sherd_obstacle_def_default(),
                                           .color = {0.62, 0.63, 0.66},
                                           .visible = true},
                              .fixed = true};
    sherd_field_table table = SHERD_FIELD_TABLE(FIELDS);
    table.more_keys = sherd_shape_keys;
    if (sherd_read_fields(reader, node, &table, &values)) {
        read_geometry(reader, node, &values.obstacle);
        read_kind(reader, node, &values);
    }
    *obstacle = values.obstacle;
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
