// bodies: [{name, shape, packing, material, ...}]
#include "base/field.h"
#include "scene/read/sections.h"

#include "base/hash.h"
#include "base/text/suggest.h"
#include "math/vec3.h"
#include "scene/scene_fields.h"

#include <string.h>

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_body, kind, member, __VA_ARGS__)
#define BODY .maps = SHERD_MAP_BODY
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define BY_HAND .flags = SHERD_FIELD_BY_HAND

static uint64_t digest_yarn(const void *definition, uint64_t hash)
{
    const sherd_scene_body *body = definition;
    return body->is_yarn ? sherd_fields_digest(sherd_yarn_def_fields(), &body->yarn, hash) : hash;
}

static uint64_t digest_packing(const void *definition, uint64_t hash)
{
    const sherd_scene_body *body = definition;
    return sherd_fields_digest(sherd_packing_def_fields(), &body->packing, hash);
}

static uint64_t digest_fracture(const void *definition, uint64_t hash)
{
    const sherd_scene_body *body = definition;
    if (!body->is_fractured) return hash;
    hash = sherd_hash_bytes(hash, &body->is_fractured, sizeof body->is_fractured);
    hash = sherd_hash_bytes(hash, &body->fracture_digest, sizeof body->fracture_digest);
    return sherd_fields_digest(sherd_fracture_def_fields(), &body->fracture, hash);
}

static const sherd_field FIELDS[] = {
    FIELD(NAME, name, BODY, .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_REQUIRED,
          .doc = "unique among bodies"),
    FIELD(OTHER, shape, BODY, .values = "map", .usual = "**required**, or `yarn`", NOT_PHYSICS,
          .doc = "the shape to fill, below"), // by its digest
    FIELD(BOOLEAN, is_yarn, .doc = "made of yarns"),
    FIELD(OTHER, yarn, .digest = digest_yarn, BODY, .values = "map",
          .doc =
              "a rope or cloth ([yarns](scene-yarns.md)), instead of `shape`, `packing`, `loose` "
              "and `bond_reach`"),
    FIELD(UINT64, shape_digest, .doc = "of everything that makes the shape"),
    FIELD(OTHER, packing, .digest = digest_packing, BODY, .values = "map",
          .usual = "**required**, or `yarn`", .doc = "kind and size of elements, below"),
    FIELD(BOOLEAN, loose, BODY, .doc = "true: loose grains without bonds"),
    FIELD(
        OTHER, weakness, BODY, .values = "list", .usual = "none", NOT_PHYSICS,
        .doc =
            "weaker, stronger or cut parts ([weakness](scene-weakness.md#weakness))"), // by its digest
    FIELD(UINT64, weakness_digest, .doc = "of everything that makes the weakness"),
    FIELD(BOOLEAN, is_fractured, .digest = digest_fracture, .doc = "in pieces"),
    FIELD(OTHER, fracture, BODY, .values = "map", .usual = "one piece", NOT_PHYSICS,
          .doc = "pieces and glue of a body of material points "
                 "([fracture](scene-weakness.md#fracture))"), // by the row above, as what follows
    FIELD(OTHER, fracture_digest, NOT_PHYSICS, .doc = "of walls and shape"),
    FIELD(REAL, bond_reach, .initial = {0.15}, .range = SHERD_UNIT_INTERVAL,
          .hint = "0.15 is a good value", BODY,
          .doc = "largest gap that a bond spans, as a fraction of the smaller element's radius"),
    FIELD(INT, material, .initial = {-1.0}, BODY, BY_HAND | SHERD_FIELD_REQUIRED,
          .values = "a name from `materials`", .doc = "material of the body"),
    FIELD(VECTOR, pose.position, .quantity = SHERD_QUANTITY_LENGTH, BODY,
          .doc = "position of the shape's origin"),
    FIELD(ROTATION, pose.rotation, .initial = {0.0, 0.0, 0.0, 1.0}, BODY,
          .doc = "rotation about the shape's origin"),
    FIELD(VECTOR, velocity, .quantity = SHERD_QUANTITY_SPEED, BODY,
          .doc = "initial velocity of the shape's origin"),
    FIELD(VECTOR, angular_velocity, .quantity = SHERD_QUANTITY_ANGULAR_SPEED, BODY,
          .doc = "initial angular velocity about the shape's origin, world axes"),
    FIELD(COLOR, color, .range = SHERD_UNIT_INTERVAL, BODY, .usual = "the material's", NOT_PHYSICS,
          .doc = "colour of elements and surfaces"),
    FIELD(BOOLEAN, has_color, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(INT, group_count, NOT_PHYSICS, .doc = "of the mesh"),
    FIELD(OTHER, groups, NOT_PHYSICS, .doc = "what the mesh's file says of them"),
    FIELD(TEXT, where, NOT_PHYSICS, .doc = "in the scene file"),
};

const sherd_definition *sherd_scene_body_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_body, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_body = {"body", {{sherd_scene_body_fields, SHERD_MAP_BODY, 0}}};

static int find_material(sherd_scene_reader *reader, const sherd_node *node)
{
    const char *name = NULL;
    if (!sherd_read_text(reader, node, &name)) return -1;
    sherd_suggestion suggestion = {.word = name};
    const sherd_scene *scene = reader->scene;
    if (reader->material_is_read == NULL) return -1; // nor any other
    for (int k = 0; k < scene->material_count; ++k) {
        if (strcmp(scene->materials[k].def.name, name) == 0) return k;
        sherd_suggest(&suggestion, scene->materials[k].def.name);
    }
    char hint[128];
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    if (!reader->misnamed) sherd_reader_fail(reader, node, hint, "unknown material '%.80s'", name);
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
    if (!reader->misnamed && scene->bodies != NULL)
        sherd_reader_fail(reader, node, hint, "unknown body '%.80s'", name);
    return -1;
}

// The body that is being read, whose index is the number of bodies so far. Names of several bodies that are read are
// those of the first; there are more slots than bodies.
static void check_unique(sherd_scene_reader *reader, const sherd_node *node,
                         const sherd_scene_body *body)
{
    const sherd_scene *scene = reader->scene;
    if (body->name == NULL || reader->names == NULL) return;
    size_t at =
        sherd_hash_bytes(SHERD_HASH_START, body->name, strlen(body->name)) % reader->name_slots;
    for (; reader->names[at] > 0; at = (at + 1) % reader->name_slots) {
        if (strcmp(scene->bodies[reader->names[at] - 1].name, body->name) != 0) continue;
        sherd_reader_fail(reader, sherd_node_find(node, "name"), NULL,
                          "another body is called '%s' too", body->name);
        return;
    }
    reader->names[at] = scene->body_count + 1;
}

// Returns whether the packing has a mesh of tetrahedra, with a surface of its own.
static bool has_mesh_file(const sherd_node *packing)
{
    const sherd_node *tetra = packing != NULL ? sherd_node_find(packing, "tetra") : NULL;
    return tetra != NULL && sherd_node_find(tetra, "mesh_file") != NULL;
}

// Returns the approximate element size [m]; 0: the packing does not define it.
static double radius_of(const sherd_packing_def *packing)
{
    const double fraction = 0.3; // a regular tetrahedron has the volume of a ball of 0.305 edges
    if (packing->kind == SHERD_PACKING_TETRA) return fraction * packing->tetra.size;
    if (packing->kind == SHERD_PACKING_POINTS) return 0.5 * packing->spacing;
    return packing->radius;
}

static void read_solid(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    bool optional = has_mesh_file(sherd_node_find(node, "packing"));
    const sherd_node *shape =
        optional ? sherd_node_find(node, "shape")
                 : sherd_require(reader, node, "shape", "e.g. shape: {box: [2 cm, 2 cm, 2 cm]}");
    const sherd_node *packing =
        sherd_require(reader, node, "packing", "e.g. packing: {hcp: {radius: 1 mm}}");
    if (packing != NULL) sherd_read_packing(reader, packing, &body->packing);
    double radius = radius_of(&body->packing);
    reader->element_radius = radius > 0.0 && isfinite(radius) ? radius : 0.0;
    reader->seam_count = reader->scene->seam_count; // those of obstacles' shapes don't matter
    reader->group_count = 0;
    if (shape != NULL) body->shape = sherd_read_placed_shape(reader, shape);
    body->groups = sherd_take_groups(reader, &body->group_count);
    sherd_assign_seams(reader, reader->scene->body_count); // its position, once it is read
    body->shape_digest = shape != NULL ? reader->shape_digest : 0;
    reader->element_radius = 0.0;
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
            sherd_reader_fail_key(reader, other,
                                  "the keys of 'yarn' define shape, packing and bonds",
                                  "a body of yarns has no '%s'", OTHERS[k]);
    }
}

// Points without a surface are drawn as grains.
static bool is_of_grains(const sherd_scene *scene, const sherd_scene_body *body)
{
    sherd_solid_model model =
        body->material >= 0 ? scene->materials[body->material].def.model : SHERD_SOLID_MODEL_BONDED;
    return model == SHERD_SOLID_MODEL_SAND || model == SHERD_SOLID_MODEL_SNOW ||
           model == SHERD_SOLID_MODEL_FLUID;
}

// Returns whether the kinds of packing and of material were read; errors have been reported
// otherwise.
static bool kinds_are_known(const sherd_scene_reader *reader, const sherd_node *node,
                            const sherd_scene_body *body)
{
    bool packed = body->is_yarn || sherd_names_packing(sherd_node_find(node, "packing"));
    return packed && (body->material < 0 || reader->material_is_read[body->material]);
}

// Material points and their models require each other, in one lattice.
static void check_points(sherd_scene_reader *reader, const sherd_node *node,
                         const sherd_scene_body *body)
{
    const sherd_scene *scene = reader->scene;
    bool points = sherd_scene_is_of_points(body);
    const sherd_node *material = sherd_node_find(node, "material");
    sherd_solid_model model =
        body->material >= 0 ? scene->materials[body->material].def.model : SHERD_SOLID_MODEL_BONDED;
    if (points && body->material >= 0 && model == SHERD_SOLID_MODEL_BONDED)
        sherd_reader_fail(reader, material,
                          "give the body a material of its own with a model: " SHERD_POINT_MODELS,
                          "is of bonded elements: a body of material points needs a material with "
                          "a model");
    if (!points && model != SHERD_SOLID_MODEL_BONDED)
        sherd_reader_fail(
            reader, material, "packing: {points: {spacing: ...}}, or remove the model",
            "has model %s, which is for bodies of points", sherd_solid_model_words[model]);
    static const char *const BONDS[] = {"loose", "bond_reach", "weakness"};
    for (size_t k = 0; points && k < sizeof BONDS / sizeof BONDS[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, BONDS[k]);
        if (key != NULL)
            sherd_reader_fail_key(reader, key, "remove it: points have no bonds",
                                  "has no meaning for a body of points");
    }
    for (int k = 0; points && k < scene->body_count; ++k) {
        const sherd_packing_def *other = &scene->bodies[k].packing;
        bool both = other->spacing > 0.0 && body->packing.spacing > 0.0; // else it was reported
        if (other->kind == SHERD_PACKING_POINTS && both && other->spacing != body->packing.spacing)
            sherd_reader_fail(reader, sherd_node_find(node, "packing"),
                              "one spacing for all bodies of a scene",
                              "has spacing %g m, but that of '%s' is %g m: there is one grid",
                              body->packing.spacing, scene->bodies[k].name, other->spacing);
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

static void check_finite_elements(sherd_scene_reader *reader, const sherd_node *node,
                                  const sherd_scene_body *body)
{
    if (!sherd_scene_is_of_tetrahedra(body)) return;
    static const char *const BONDS[] = {"loose", "bond_reach", "weakness"};
    for (size_t k = 0; k < sizeof BONDS / sizeof BONDS[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, BONDS[k]);
        if (key != NULL)
            sherd_reader_fail_key(reader, key, "remove it, or take `model: bonded`",
                                  "has no meaning for finite elements");
    }
    if (body->material >= 0 && scene_calibrates(reader, body->material))
        sherd_reader_fail(reader, sherd_node_find(node, "material"),
                          "remove calibrate: finite elements have the material's E without it",
                          "has calibrate: true, which finite elements can't have");
}

static void read_body(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    *body = (sherd_scene_body){.packing = sherd_packing_def_default(),
                               .yarn = sherd_yarn_def_default()};
    sherd_fields_set_initial(sherd_scene_body_fields(), body);
    if (!sherd_read_map(reader, node, &sherd_map_body, NULL, body)) return;
    check_unique(reader, node, body);
    const sherd_node *material = sherd_node_find(node, "material");
    read_substance(reader, node, body);
    check_distance(reader, node, body);
    sherd_read_weakness(reader, node, body);
    sherd_read_fracture(reader, node, body);
    if (material != NULL) body->material = find_material(reader, material);
    if (kinds_are_known(reader, node, body)) check_points(reader, node, body);
    body->loose = body->loose || is_of_grains(reader->scene, body);
    if (body->is_yarn && body->material >= 0 && scene_calibrates(reader, body->material))
        sherd_reader_fail(reader, material,
                          "take a material without calibrate, with the bonds' own values",
                          "has calibrate: true, which yarns can't have");
    if (body->packing.kind == SHERD_PACKING_SHELL && body->material >= 0 &&
        scene_calibrates(reader, body->material))
        sherd_reader_fail(reader, material,
                          "remove calibrate: shells have the material's E without it",
                          "has calibrate: true, which shells can't have");
    check_finite_elements(reader, node, body);
    body->has_color = sherd_node_find(node, "color") != NULL;
    if (!body->has_color && body->material >= 0)
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
    reader->name_slots = 2 * (size_t)list->count + 1;
    reader->names = sherd_arena_alloc(reader->arena, reader->name_slots, sizeof *reader->names);
    if (scene->bodies == NULL || reader->names == NULL) return;
    for (const sherd_node *node = list->first; node != NULL; node = node->next) {
        sherd_scene_body body;
        read_body(reader, node, &body);
        scene->bodies[scene->body_count++] = body;
    }
}

// ---------------------------------------------------------------- pieces and glue

// fracture: {pieces: {voronoi: ...}, glue: {tensile_strength, shear_strength, ...}} of a body of material points

static void read_pieces(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    bool is_list = node->kind == SHERD_NODE_LIST;
    size_t count = is_list ? (size_t)node->count : 1;
    const sherd_weakness **walls = sherd_arena_alloc(reader->arena, count, sizeof *walls);
    if (walls == NULL) return;
    sherd_fracture_def *def = &body->fracture;
    if (count == 0)
        sherd_reader_fail(reader, node, "e.g. voronoi: {size: 3 cm}",
                          "names nothing that cuts the body");
    for (const sherd_node *wall = is_list ? node->first : node; wall != NULL;
         wall = is_list ? wall->next : NULL) {
        walls[def->wall_count] = sherd_read_wall(reader, wall, &body->fracture_digest);
        if (walls[def->wall_count] != NULL) ++def->wall_count;
    }
    def->walls = walls;
}

// Keys of the other criterion, in place of the one that is given or not.
static void reject_other_criterion(sherd_scene_reader *reader, const sherd_node *node,
                                   sherd_glue_criterion criterion)
{
    static const char *const OF[2][4] = {
        {"tensile_strength", "shear_strength", "fracture_energy", NULL}, {"threshold", NULL}};
    bool by_force = criterion == SHERD_GLUE_FORCE;
    for (const char *const *key = OF[!by_force]; *key != NULL; ++key) {
        const sherd_node *other = sherd_node_find(node, *key);
        if (other != NULL)
            sherd_reader_fail_key(reader, other,
                                  by_force ? "give `threshold` alone, e.g. 150 N"
                                           : "add criterion: force, or give strengths",
                                  "is for glue that breaks by %s", by_force ? "stress" : "force");
    }
}

static void read_glue(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    static const char *const MEMBERS[] = {"criterion", "tensile_strength", "shear_strength",
                                          "threshold", "fracture_energy",  "scatter",
                                          "seed"};
    static const char *const MORE[] = {"inside", NULL};
    enum { COUNT = sizeof MEMBERS / sizeof MEMBERS[0] };
    sherd_field fields[COUNT];
    const sherd_node *word =
        node->kind == SHERD_NODE_MAP ? sherd_node_find(node, "criterion") : NULL;
    bool by_force =
        word != NULL && word->kind == SHERD_NODE_SCALAR && strcmp(word->text, "force") == 0;
    for (int k = 0; k < COUNT; ++k) {
        fields[k] = *sherd_field_find(sherd_fracture_def_fields(), MEMBERS[k]);
        if (by_force ? k == 3 : k == 1 || k == 2) fields[k].flags |= SHERD_FIELD_REQUIRED;
    }
    reject_other_criterion(reader, node, by_force ? SHERD_GLUE_FORCE : SHERD_GLUE_STRESS);
    const sherd_keys keys = {fields, COUNT, 0, &body->fracture};
    if (!sherd_read_keys(reader, node, &keys, 1, MORE)) return;
    const sherd_node *inside = sherd_node_find(node, "inside");
    if (inside == NULL) return;
    body->fracture.glued = sherd_read_placed_shape(reader, inside);
    body->fracture_digest =
        sherd_hash_bytes(body->fracture_digest, &reader->shape_digest, sizeof reader->shape_digest);
}

void sherd_read_fracture(sherd_scene_reader *reader, const sherd_node *body_node,
                         sherd_scene_body *body)
{
    static const char *const KEYS[] = {"pieces", "glue", NULL};
    const sherd_node *node = sherd_node_find(body_node, "fracture");
    body->fracture = sherd_fracture_def_default();
    body->fracture_digest = SHERD_HASH_START;
    if (node == NULL) return;
    if (!sherd_names_packing(sherd_node_find(body_node, "packing"))) return; // reported
    if (!sherd_scene_is_of_points(body)) {
        sherd_reader_fail_key(reader, node,
                              "packing: {points: {spacing: ...}}; bonds are weakened by 'weakness'",
                              "is for bodies of material points");
        return;
    }
    if (!sherd_read_keys(reader, node, NULL, 0, KEYS)) return;
    const sherd_node *pieces = sherd_require(reader, node, "pieces", "e.g. voronoi: {size: 3 cm}"),
                     *glue = sherd_require(reader, node, "glue",
                                           "e.g. {tensile_strength: 1 kPa, shear_strength: 1 kPa}");
    body->is_fractured = true;
    if (pieces != NULL) read_pieces(reader, pieces, body);
    if (glue != NULL) read_glue(reader, glue, body);
}
