// bodies: [{name, shape, packing, material, ...}]
#include "scene/read/sections.h"

#include "math/vec3.h"
#include "scene/text/suggest.h"

#include <string.h>

#define OF_BODY(field) offsetof(sherd_scene_body, field)

static const sherd_field FIELDS[] = {
    {"name", SHERD_FIELD_NAME, true, OF_BODY(name), 0, 0, NULL},
    {"shape", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"packing", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"yarn", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"material", SHERD_FIELD_OTHER, true, 0, 0, 0, NULL},
    {"loose", SHERD_FIELD_BOOLEAN, false, OF_BODY(loose), 0, 0, NULL},
    {"weakness", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"bond_reach", SHERD_FIELD_REAL, false, OF_BODY(bond_reach), 0, SHERD_RANGE_SHARE, NULL},
    {"position", SHERD_FIELD_VECTOR, false, OF_BODY(pose.position), SHERD_QUANTITY_LENGTH, 0, NULL},
    {"rotation", SHERD_FIELD_ROTATION, false, OF_BODY(pose.rotation), 0, 0, NULL},
    {"velocity", SHERD_FIELD_VECTOR, false, OF_BODY(velocity), SHERD_QUANTITY_SPEED, 0, NULL},
    {"angular_velocity", SHERD_FIELD_VECTOR, false, OF_BODY(angular_velocity),
     SHERD_QUANTITY_ANGULAR_SPEED, 0, NULL},
    {"color", SHERD_FIELD_COLOR, false, OF_BODY(color), 0, 0, NULL},
};

static int find_material(sherd_scene_reader *reader, const sherd_node *node)
{
    const char *name = NULL;
    if (!sherd_read_text(reader, node, &name)) return -1;
    sherd_suggestion suggestion = {.word = name};
    const sherd_scene *scene = reader->scene;
    for (int k = 0; k < scene->material_count; ++k) {
        if (strcmp(scene->materials[k].def.name, name) == 0) return k;
        sherd_suggest(&suggestion, scene->materials[k].def.name);
    }
    char hint[128];
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    sherd_reader_fail(reader, node, hint, "unknown material '%.80s'", name);
    return -1;
}

int sherd_find_body(sherd_scene_reader *reader, const sherd_node *node)
{
    const char *name = NULL;
    if (!sherd_read_text(reader, node, &name)) return -1;
    sherd_suggestion suggestion = {.word = name};
    const sherd_scene *scene = reader->scene;
    for (int k = 0; k < scene->body_count; ++k) {
        if (scene->bodies[k].name == NULL) continue;
        if (strcmp(scene->bodies[k].name, name) == 0) return k;
        sherd_suggest(&suggestion, scene->bodies[k].name);
    }
    char hint[128];
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    sherd_reader_fail(reader, node, hint, "unknown body '%.80s'", name);
    return -1;
}

static void check_unique(sherd_scene_reader *reader, const sherd_node *node,
                         const sherd_scene_body *body)
{
    const sherd_scene *scene = reader->scene;
    for (int k = 0; body->name != NULL && k < scene->body_count; ++k)
        if (scene->bodies[k].name != NULL && strcmp(scene->bodies[k].name, body->name) == 0)
            sherd_reader_fail(reader, sherd_node_find(node, "name"), NULL,
                              "another body is called '%s' too", body->name);
}

// Does the packing bring a mesh of tetrahedra, which has a surface of its own?
static bool has_mesh_file(const sherd_node *packing)
{
    const sherd_node *tetra = packing != NULL ? sherd_node_find(packing, "tetra") : NULL;
    return tetra != NULL && sherd_node_find(tetra, "mesh_file") != NULL;
}

static void read_solid(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    bool optional = has_mesh_file(sherd_node_find(node, "packing"));
    const sherd_node *shape =
        optional ? sherd_node_find(node, "shape") : sherd_require(reader, node, "shape");
    const sherd_node *packing = sherd_require(reader, node, "packing");
    if (shape != NULL) body->shape = sherd_read_placed_shape(reader, shape);
    body->shape_digest = shape != NULL ? reader->shape_digest : 0;
    if (packing != NULL) sherd_read_packing(reader, packing, &body->packing);
    if (body->packing.tetra.mesh_file != NULL) sherd_read_tetra_mesh(reader, packing, body);
}

static void check_reach(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_scene_body *body)
{
    const sherd_node *reach = sherd_node_find(node, "bond_reach");
    if (reach != NULL && body->packing.kind == SHERD_PACKING_RANDOM)
        sherd_reader_fail_key(reader, reach, "give packing.random.bond_range instead",
                              "a random packing has bonds of its own");
    if (reach != NULL && body->packing.kind == SHERD_PACKING_TETRA)
        sherd_reader_fail_key(reader, reach, "leave it out: what shares a face is bonded",
                              "a tetra packing has bonds of its own");
}

// A body is a shape with its packing, or yarns.
static void read_substance(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_scene_body *body)
{
    const sherd_node *yarn = sherd_node_find(node, "yarn");
    if (yarn == NULL) {
        read_solid(reader, node, body);
        check_reach(reader, node, body);
        return;
    }
    body->is_yarn = true;
    sherd_read_yarn(reader, yarn, &body->yarn);
    static const char *const OTHERS[] = {"shape", "packing", "loose", "bond_reach"};
    for (size_t k = 0; k < sizeof OTHERS / sizeof OTHERS[0]; ++k) {
        const sherd_node *other = sherd_node_find(node, OTHERS[k]);
        if (other != NULL)
            sherd_reader_fail_key(reader, other, "yarns say themselves where they are",
                                  "a body of yarns has no '%s'", OTHERS[k]);
    }
}

// Elements this many radii from the origin: rounding moves them by a millionth of a radius there.
static const double FARTHEST = 1e9;

static void check_distance(sherd_scene_reader *reader, const sherd_node *node,
                           const sherd_scene_body *body)
{
    bool tetra = body->packing.kind == SHERD_PACKING_TETRA;
    double radius = tetra ? body->packing.tetra.size : body->packing.radius,
           away = vec3_length(body->pose.position);
    if (body->is_yarn || !(radius > 0.0) || away <= FARTHEST * radius) return;
    const sherd_node *position = sherd_node_find(node, "position");
    sherd_reader_fail(reader, position != NULL ? position : node,
                      "move the scene to the origin, or check the unit",
                      "is %.3g m from the origin, where numbers are %.2g m apart: too far for "
                      "elements of radius %.3g m",
                      away, away * 2.2e-16, radius);
}

static bool scene_calibrates(const sherd_scene_reader *reader, int material)
{
    return reader->scene->materials[material].calibrate;
}

static void read_body(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    *body = (sherd_scene_body){.packing = sherd_packing_def_default(),
                               .yarn = sherd_yarn_def_default(),
                               .bond_reach = sherd_body_def_default().bond_reach,
                               .material = -1,
                               .pose.rotation = SHERD_QUAT_IDENTITY};
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FIELDS), body)) return;
    check_unique(reader, node, body);
    const sherd_node *material = sherd_node_find(node, "material");
    read_substance(reader, node, body);
    check_distance(reader, node, body);
    sherd_read_weakness(reader, node, body);
    if (material != NULL) body->material = find_material(reader, material);
    if (body->is_yarn && body->material >= 0 && scene_calibrates(reader, body->material))
        sherd_reader_fail(reader, material, "give it a material of bonds' own values",
                          "is to be calibrated, which yarns can't be");
    if (body->packing.kind == SHERD_PACKING_SHELL && body->material >= 0 &&
        scene_calibrates(reader, body->material))
        sherd_reader_fail(reader, material, "shells have the material's own E as they are",
                          "is to be calibrated, which shells can't be");
    if (sherd_node_find(node, "color") == NULL && body->material >= 0)
        body->color = reader->scene->materials[body->material].color;
    body->where = sherd_reader_where(reader, node);
}

void sherd_read_bodies(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *list = sherd_node_find(root, "bodies");
    if (list == NULL || !sherd_require_list(reader, list)) return;
    if (list->count == 0) sherd_reader_fail(reader, list, NULL, "must hold at least one body");
    sherd_scene *scene = reader->scene;
    scene->bodies = sherd_arena_alloc(reader->arena, (size_t)list->count, sizeof *scene->bodies);
    if (scene->bodies == NULL) return;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        sherd_scene_body body;
        read_body(reader, node, &body);
        scene->bodies[scene->body_count++] = body;
    }
}
