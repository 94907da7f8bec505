// materials: {name: {...}}
#include "material/material.h"
#include "material/strength.h"
#include "scene/read/sections.h"

#include "base/hash.h"
#include "scene/scene_fields.h"
#include "scene/scene_notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Values that only the file has.
typedef struct material_values {
    sherd_scene_material material; // first: the rows' offsets are in it
    bool unbreakable;
} material_values;

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_material, kind, member, __VA_ARGS__)
#define MATERIAL .maps = SHERD_MAP_MATERIAL
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

// The result of a material's calibration follows from the other parts of the scene.
static uint64_t digest_calibration(const void *definition, uint64_t hash)
{
    const int64_t version = SHERD_CALIBRATION_VERSION;
    const sherd_scene_material *material = definition;
    if (!material->calibrate) return hash;
    hash = sherd_hash_bytes(hash, &version, sizeof version);
    return sherd_hash_bytes(hash, &material->poissons_ratio, sizeof material->poissons_ratio);
}

static const sherd_field FIELDS[] = {
    {.key = "like",
     MATERIAL,
     .values = "a name of [the library](materials.md)",
     .usual = "none",
     .doc = "a known solid, e.g. `glass`, that gives all keys which are missing here, required "
            "ones included"},
    FIELD(OTHER, def, NOT_PHYSICS,
          .doc = "rows of sherd_material_def"), // sherd_scene_physics_digest
    FIELD(BOOLEAN, calibrate, MATERIAL,
          .doc = "true: `density`, `youngs_modulus`, `poissons_ratio` and both strengths are those "
                 "of the *solid*, below"),
    FIELD(REAL, poissons_ratio, .range = SHERD_ABOVE(-1.0, 0.5), .hint = "e.g. 0.2", MATERIAL,
          .digest = digest_calibration, .usual = "",
          .doc = "Poisson's ratio, instead of `shear_modulus`: G = E / (2 (1 + nu))"),
    FIELD(REAL, stiffness_scale, .range = SHERD_ABOVE(0.0, 1.0), .initial = {1.0},
          .hint = "1 is the real stiffness, 0.01 makes steps ten times as long", MATERIAL,
          NOT_PHYSICS,
          .doc =
              "s: moduli times s and strengths times sqrt(s), for steps 1 / sqrt(s) times as long "
              "([scaled stiffness](../guide/materials.md#real-stiffness))"),
    {.key = "unbreakable",
     MATERIAL,
     .values = "true, false",
     .usual = "false",
     .doc = "true: bonds never break and strengths are ignored; `solver.method: auto` may then "
            "damp vibrations"},
    {.key = "grain",
     MATERIAL,
     .values = "map",
     .usual = "none",
     .doc = "direction of wood's grain and its effect, below"},
    FIELD(COLOR, color, .range = SHERD_UNIT_INTERVAL, .initial = {0.8, 0.78, 0.74}, MATERIAL,
          NOT_PHYSICS,
          .usual = "`[0.8, 0.78, 0.74]`, or the texture's; water's, `[0.8, 0.91, 0.93]`, of "
                   "`model: fluid`",
          .doc = "colour of elements and surfaces"),
    FIELD(BOOLEAN, has_color, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(OTHER, appearance, NOT_PHYSICS, MATERIAL, .values = "map", .usual = "plain",
          .doc = "texture, gloss and broken faces, below"),
    FIELD(REAL, opacity, .range = SHERD_ABOVE(0.0, 1.0), .initial = {1.0}, MATERIAL, NOT_PHYSICS,
          .usual = "1; 0.3 of `model: fluid`",
          .doc =
              "below 1, pictures show glass ([pictures](../guide/pictures.md#glass)). Exported by"
              " `usda` and `obj-pc2` as opacity, by `glb` as a transmission of 1 - opacity"),
    FIELD(REAL, refractive_index, .range = SHERD_BETWEEN(1.0, 4.0), .initial = {1.5}, MATERIAL,
          NOT_PHYSICS, .usual = "1.5; 1.33 of `model: fluid`",
          .doc = "of glass. Window glass 1.5, water 1.33, ice 1.31, diamond 2.42"),
    FIELD(REAL, color_depth, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE, MATERIAL,
          NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "the body's smallest extent",
          .doc = "glass: path of light after which it has the material's `color` (absorption after "
                 "Beer and Lambert)"),
    FIELD(TEXT, where, NOT_PHYSICS, .doc = "in the scene file"),
    FIELD(TEXT, law_where, NOT_PHYSICS, .doc = "of `bond_law` in the scene file"),
    FIELD(TEXT, restitution_where, NOT_PHYSICS, .doc = "of `restitution` in the scene file"),
};

const sherd_definition *sherd_scene_material_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_material, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_material = {
    "material",
    {{sherd_material_def_fields, SHERD_MAP_MATERIAL, offsetof(sherd_scene_material, def)},
     {sherd_scene_material_fields, SHERD_MAP_MATERIAL, 0}}};
const sherd_scene_map sherd_map_grain = {
    "grain", {{sherd_material_def_fields, SHERD_MAP_GRAIN, offsetof(sherd_scene_material, def)}}};

// G from either key; without both, from the default ratio G / E.
static void complete_shear(sherd_scene_reader *reader, const sherd_node *node,
                           material_values *values)
{
    const sherd_node *shear = sherd_node_find(node, "shear_modulus");
    const sherd_node *ratio = sherd_node_find(node, "poissons_ratio");
    sherd_material_def *def = &values->material.def;
    if (shear != NULL && ratio != NULL) {
        sherd_reader_fail_key(reader, ratio, "remove one of them: G = E / (2 (1 + nu))",
                              "contradicts shear_modulus on line %d", shear->key_mark.line);
    } else if (ratio != NULL) {
        def->shear_modulus = def->youngs_modulus / (2.0 * (1.0 + values->material.poissons_ratio));
    } else if (shear == NULL) {
        sherd_material_def usual = sherd_material_def_default();
        def->shear_modulus = def->youngs_modulus * (usual.shear_modulus / usual.youngs_modulus);
    }
}

// A solid that should break like measured solids has scattered strengths. If all bonds of a lattice
// are equal, rows of them break one by one, and a beam does not snap
// (docs/notebook/calibration.md).
static const double SOLID_SCATTER = 12.0;

static void complete_scatter(const sherd_node *node, sherd_scene_material *material)
{
    bool breaks = sherd_breakage_describe(material->def.breakage)->breaks;
    if (material->calibrate && breaks && sherd_node_find(node, "weibull_modulus") == NULL)
        material->def.weibull_modulus = SOLID_SCATTER;
}

// The solid's values are given: of its two elastic constants, E and Poisson's ratio.
static void check_calibrate(sherd_scene_reader *reader, const sherd_node *node,
                            const sherd_material_def *def)
{
    if (def->law == SHERD_BOND_LAW_CENTRAL)
        sherd_reader_fail_key(reader, sherd_node_find(node, "bond_law"),
                              "remove calibrate: central: peridynamics has the solid's E itself",
                              "does not go with calibrate: Poisson's ratio of its solids is fixed");
    sherd_breakage breakage = def->breakage;
    if (sherd_breakage_describe(breakage)->measure != SHERD_BREAKAGE_OF_BONDS)
        sherd_reader_fail_key(reader, sherd_node_find(node, "breakage"),
                              "use tensile, absolute or rod, or give the bonds' own values",
                              "does not go with calibrate, whose tests load bonds");
    const sherd_node *calibrate = sherd_node_find(node, "calibrate");
    const sherd_node *shear = sherd_node_find(node, "shear_modulus");
    if (shear != NULL)
        sherd_reader_fail_key(reader, shear, "give poissons_ratio instead",
                              "is found by calibrate");
    else if (sherd_node_find(node, "poissons_ratio") == NULL)
        sherd_reader_fail(reader, calibrate, "e.g. poissons_ratio: 0.2",
                          "needs the solid's poissons_ratio");
}

static void complete_breakage(sherd_scene_reader *reader, const sherd_node *node,
                              material_values *values)
{
    sherd_material_def *def = &values->material.def;
    if (values->unbreakable) def->breakage = SHERD_BREAKAGE_NONE;
    const sherd_breakage_info *breakage = sherd_breakage_describe(def->breakage);
    if (!breakage->breaks) return;
    static const char *const STRENGTHS[] = {"tensile_strength", "shear_strength"};
    bool central = def->law == SHERD_BOND_LAW_CENTRAL; // bears no shear
    int needed = breakage->measure == SHERD_BREAKAGE_OF_BONDS && !central ? 2 : 1;
    // a fracture energy gives the critical stretch
    if (central && (def->fracture_energy > 0.0 || def->fracture_toughness > 0.0)) needed = 0;
    // Bonds that yield may part by it alone.
    const char *hint = isfinite(def->yield_stress)
                           ? "`inf` if bonds are to part by yielding alone, at `fracture_strain`; "
                             "else a stress above `yield_stress`"
                           : "or write `unbreakable: true`";
    for (int k = 0; k < needed; ++k)
        if (sherd_key_is_missing(reader, node, STRENGTHS[k]))
            sherd_reader_fail(reader, node, hint, "misses the required key '%s'", STRENGTHS[k]);
}

// The law CENTRAL fixes Poisson's ratio and bears no shear: says which keys have no effect.
static void note_central(sherd_scene_reader *reader, const sherd_node *node,
                         const sherd_material_def *def)
{
    static const char *const UNUSED[] = {"shear_modulus", "poissons_ratio", "shear_strength",
                                         "shear_correction"};
    const char *ratio = !sherd_material_is_peridynamic(def)                     ? "that of springs"
                        : sherd_central_describe(def->central)->dimensions == 3 ? "1/4"
                                                                                : "1/3";
    for (size_t k = 0; k < sizeof UNUSED / sizeof UNUSED[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, UNUSED[k]);
        if (key != NULL)
            sherd_scene_note(reader, key,
                             "not used: bonds of bond_law central resist stretch only, and "
                             "Poisson's ratio is %s",
                             ratio);
    }
}

// ---------------------------------------------------------------- material points

typedef struct model_key {
    const char *key;
    sherd_solid_model model; // the model that uses it
} model_key;

static const model_key MODEL_KEYS[] = {
    {"friction_angle", SHERD_SOLID_MODEL_SAND},      {"friction_cone", SHERD_SOLID_MODEL_SAND},
    {"critical_extension", SHERD_SOLID_MODEL_SNOW},  {"hardening", SHERD_SOLID_MODEL_SNOW},
    {"bulk_modulus", SHERD_SOLID_MODEL_FLUID},       {"fluid_exponent", SHERD_SOLID_MODEL_FLUID},
    {"critical_compression", SHERD_SOLID_MODEL_SNOW}};

static const char *const BOND_KEYS[] = {"tensile_strength", "shear_strength",
                                        "fracture_energy",  "fracture_toughness",
                                        "strict",           "hardening_modulus",
                                        "fracture_strain",  "fracture_displacement",
                                        "weibull_modulus",  "bond_damping",
                                        "restitution",      "bond_law",
                                        "central",          "reach",
                                        "shear_correction", "bond_radius",
                                        "breakage",         "calibrate",
                                        "unbreakable",      "grain",
                                        "stiffness_scale"};
static const char *const SOLID_KEYS[] = {"youngs_modulus", "shear_modulus", "poissons_ratio"};

bool sherd_material_key_counts(const char *key, sherd_solid_model model)
{
    for (size_t k = 0; k < sizeof MODEL_KEYS / sizeof MODEL_KEYS[0]; ++k)
        if (strcmp(MODEL_KEYS[k].key, key) == 0) return MODEL_KEYS[k].model == model;
    for (size_t k = 0; k < sizeof BOND_KEYS / sizeof BOND_KEYS[0]; ++k)
        if (strcmp(BOND_KEYS[k], key) == 0) return model == SHERD_SOLID_MODEL_BONDED;
    for (size_t k = 0; k < sizeof SOLID_KEYS / sizeof SOLID_KEYS[0]; ++k)
        if (strcmp(SOLID_KEYS[k], key) == 0) return model != SHERD_SOLID_MODEL_FLUID;
    return true;
}

// Keys without meaning for the model.
static void check_model_keys(sherd_scene_reader *reader, const sherd_node *node,
                             sherd_solid_model model)
{
    const char *word = sherd_solid_model_words[model];
    for (size_t k = 0; k < sizeof MODEL_KEYS / sizeof MODEL_KEYS[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, MODEL_KEYS[k].key);
        if (key == NULL || MODEL_KEYS[k].model == model) continue;
        char hint[64];
        snprintf(hint, sizeof hint, "it is of model: %s",
                 sherd_solid_model_words[MODEL_KEYS[k].model]);
        sherd_reader_fail_key(reader, key, hint, "has no meaning for model %s", word);
    }
    if (model == SHERD_SOLID_MODEL_BONDED) return;
    for (size_t k = 0; k < sizeof BOND_KEYS / sizeof BOND_KEYS[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, BOND_KEYS[k]);
        if (key != NULL)
            sherd_reader_fail_key(reader, key, "remove it: material points have no bonds",
                                  "has no meaning for model %s", word);
    }
}

// Which bodies have a material, found before they are read.
typedef struct material_use {
    const char *points; // name of the first body of material points; NULL: none
    bool elements;      // others have it, too
} material_use;

static bool is_word(const sherd_node *node, const char *word)
{
    return node != NULL && node->kind == SHERD_NODE_SCALAR && strcmp(node->text, word) == 0;
}

static material_use find_use(const sherd_node *root, const char *material)
{
    material_use use = {NULL, false};
    const sherd_node *bodies = sherd_node_find(root, "bodies");
    if (bodies == NULL || bodies->kind != SHERD_NODE_LIST) return use;
    for (const sherd_node *body = bodies->first; body != NULL; body = body->next) {
        if (!is_word(sherd_node_find(body, "material"), material)) continue;
        const sherd_node *packing = sherd_node_find(body, "packing"),
                         *name = sherd_node_find(body, "name");
        bool points = packing != NULL && sherd_node_find(packing, "points") != NULL;
        if (!points) use.elements = true;
        if (points && use.points == NULL)
            use.points = name != NULL && name->kind == SHERD_NODE_SCALAR ? name->text : "";
    }
    return use;
}

// Suggests the model whose keys are given.
static void fail_no_model(sherd_scene_reader *reader, const sherd_node *node, const char *body)
{
    const char *likely = sherd_solid_model_words[SHERD_SOLID_MODEL_NEO_HOOKEAN];
    for (size_t k = 0; k < sizeof MODEL_KEYS / sizeof MODEL_KEYS[0]; ++k)
        if (sherd_node_find(node, MODEL_KEYS[k].key) != NULL)
            likely = sherd_solid_model_words[MODEL_KEYS[k].model];
    char hint[160];
    snprintf(hint, sizeof hint, "for example model: %s; there are " SHERD_POINT_MODELS, likely);
    sherd_reader_fail(reader, node, hint,
                      "misses the required key 'model': body '%.64s' is of material points", body);
}

// Returns whether the file names an existing model, or none for bodies of elements. Without one, a
// material of points has an error: which keys it needs depends on the model.
static bool model_is_known(sherd_scene_reader *reader, const sherd_node *node, material_use use)
{
    const sherd_node *model = sherd_node_find(node, "model");
    bool missing = model == NULL && sherd_key_is_missing(reader, node, "model");
    if (missing && use.points != NULL && !use.elements) fail_no_model(reader, node, use.points);
    if (model == NULL) return missing && (use.points == NULL || use.elements);
    for (int k = 0; model->kind == SHERD_NODE_SCALAR && sherd_solid_model_words[k] != NULL; ++k)
        if (strcmp(sherd_solid_model_words[k], model->text) == 0) return true;
    return false;
}

// Checks keys that the model requires, and those without meaning for it.
static void check_model(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_material_def *def)
{
    check_model_keys(reader, node, def->model);
    if (def->model != SHERD_SOLID_MODEL_FLUID)
        sherd_require(reader, node, "youngs_modulus", "e.g. 70 GPa");
    if (def->model != SHERD_SOLID_MODEL_FLUID) return;
    for (size_t k = 0; k < sizeof SOLID_KEYS / sizeof SOLID_KEYS[0]; ++k) {
        const sherd_node *key = sherd_node_find(node, SOLID_KEYS[k]);
        if (key != NULL)
            sherd_reader_fail_key(reader, key, "bulk_modulus is all that a fluid has",
                                  "has no meaning for model fluid");
    }
}

// The default appearance of a fluid is that of water.
static void complete_water(const sherd_node *node, sherd_scene_material *material)
{
    if (material->def.model != SHERD_SOLID_MODEL_FLUID) return;
    if (sherd_node_find(node, "color") == NULL) material->color = (sherd_vec3){0.8, 0.91, 0.93};
    if (sherd_node_find(node, "opacity") == NULL) material->opacity = 0.3;
    if (sherd_node_find(node, "refractive_index") == NULL) material->refractive_index = 1.33;
}

static void read_look(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_material *material)
{
    const sherd_node *appearance = sherd_node_find(node, "appearance");
    if (appearance == NULL) return;
    sherd_read_appearance(reader, appearance, &material->appearance);
    if (sherd_appearance_has_color(&material->appearance) && sherd_node_find(node, "color") == NULL)
        material->color = sherd_appearance_usual_color(&material->appearance);
}

// A softer solid that breaks at the same impact speeds, strength / sqrt(E density), with the same
// fracture energy and the same length E G_f / strength^2 of process zones. Its waves are slower by
// sqrt(s), and so are rates; strains are larger by 1 / sqrt(s).
static void scale_stiffness(sherd_material_def *def, double s)
{
    double root = sqrt(s);
    def->youngs_modulus *= s;
    def->shear_modulus *= s;
    def->hardening_modulus *= s;
    def->tensile_strength *= root;
    def->shear_strength *= root;
    def->yield_stress *= root;
    def->fracture_toughness *= root; // G_f = K^2 (1 - nu^2) / E
    def->fracture_strain /= root;
    def->fracture_displacement /= root;
    def->rate_time /= root;
}

// Returns whether the properties that bodies need were read.
static bool read_material(sherd_scene_reader *reader, sherd_node *node, material_use use,
                          sherd_scene_material *material)
{
    bool has_color = sherd_node_find(node, "color") != NULL;
    const sherd_node *restitution = sherd_node_find(node, "restitution");
    if (!sherd_read_like(reader, node)) return false;
    material_values values = {.material = {.def = sherd_material_def_default()}};
    sherd_scene_material *read = &values.material;
    sherd_fields_set_initial(sherd_scene_material_fields(), read);
    read->has_color = has_color;
    sherd_appearance_set_initial(&read->appearance);
    int before = sherd_diagnostics_total(reader->diagnostics);
    if (!sherd_read_map(reader, node, &sherd_map_material, NULL, read)) return false;
    bool read_well = sherd_diagnostics_total(reader->diagnostics) == before;
    const sherd_node *unbreakable = sherd_node_find(node, "unbreakable");
    if (unbreakable != NULL) sherd_read_boolean(reader, unbreakable, &values.unbreakable);
    complete_shear(reader, node, &values);
    bool known = model_is_known(reader, node, use);
    bool bonded = known && read->def.model == SHERD_SOLID_MODEL_BONDED;
    if (known) check_model(reader, node, &read->def);
    if (bonded) complete_breakage(reader, node, &values);
    if (bonded && read->def.law == SHERD_BOND_LAW_CENTRAL) note_central(reader, node, &read->def);
    complete_scatter(node, read);
    if (bonded && isfinite(read->def.yield_stress) && sherd_node_find(node, "bond_law") == NULL)
        read->def.law = SHERD_BOND_LAW_ROD;
    if (read->calibrate) check_calibrate(reader, node, &read->def);
    const sherd_node *grain = sherd_node_find(node, "grain");
    if (grain != NULL) sherd_read_map(reader, grain, &sherd_map_grain, NULL, read);
    complete_water(node, read);
    read_look(reader, node, read);
    read->def.name = sherd_arena_string(reader->arena, node->key);
    sherd_error error;
    // A key that could not be read would otherwise be taken for a missing one.
    if (read_well && known && sherd_material_def_check(&read->def, &error) != SHERD_OK) {
        bool of_grain = grain != NULL && strstr(error.where, ".grain_") != NULL;
        sherd_reader_fail_check(reader, of_grain ? grain : node, sherd_material_def_fields(),
                                &error);
    }
    if (read->stiffness_scale < 1.0) scale_stiffness(&read->def, read->stiffness_scale);
    *material = *read;
    const sherd_node *law = sherd_node_find(node, "bond_law");
    material->where = sherd_reader_where(reader, node);
    material->law_where = law != NULL ? sherd_reader_where(reader, law) : NULL;
    material->restitution_where =
        restitution != NULL ? sherd_reader_where(reader, restitution) : NULL;
    return known;
}

void sherd_read_materials(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *map = sherd_node_find(root, "materials");
    if (map == NULL || !sherd_require_map(reader, map)) return;
    sherd_scene *scene = reader->scene;
    scene->materials =
        sherd_arena_alloc(reader->arena, (size_t)map->count, sizeof *scene->materials);
    reader->material_is_read = sherd_arena_alloc(reader->arena, (size_t)map->count, sizeof(bool));
    if (scene->materials == NULL || reader->material_is_read == NULL) return;
    for (sherd_node *node = map->first; node != NULL; node = node->next) {
        sherd_check_key_name(reader, node);
        // Counted even when faulty, so that bodies of it get no error of their own.
        int k = scene->material_count++;
        scene->materials[k] = (sherd_scene_material){.def.name = node->key, .where = ""};
        reader->material_is_read[k] =
            read_material(reader, node, find_use(root, node->key), &scene->materials[k]);
    }
}
