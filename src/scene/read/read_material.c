// materials: {name: {...}}
#include "scene/read/sections.h"

// A material and what only the file knows.
typedef struct material_values {
    sherd_scene_material material;
    bool unbreakable;
    int law, breakage;
} material_values;

static const char *const LAWS[] = {"quaternion", "lu", NULL};
static const char *const BREAKAGES[] = {"tensile", "absolute", "none", NULL};

#define OF_DEF(field) offsetof(material_values, material.def.field)

static const sherd_field FIELDS[] = {
    {"density", SHERD_FIELD_REAL, true, OF_DEF(density), SHERD_QUANTITY_DENSITY,
     SHERD_RANGE_DENSITY, NULL},
    {"youngs_modulus", SHERD_FIELD_REAL, true, OF_DEF(youngs_modulus), SHERD_QUANTITY_STRESS,
     SHERD_RANGE_POSITIVE, NULL},
    {"shear_modulus", SHERD_FIELD_REAL, false, OF_DEF(shear_modulus), SHERD_QUANTITY_STRESS,
     SHERD_RANGE_POSITIVE, NULL},
    {"poissons_ratio", SHERD_FIELD_REAL, false, offsetof(material_values, material.poissons_ratio),
     0, SHERD_RANGE_POISSON, NULL},
    {"tensile_strength", SHERD_FIELD_REAL, false, OF_DEF(tensile_strength), SHERD_QUANTITY_STRESS,
     SHERD_RANGE_STRENGTH, NULL},
    {"shear_strength", SHERD_FIELD_REAL, false, OF_DEF(shear_strength), SHERD_QUANTITY_STRESS,
     SHERD_RANGE_STRENGTH, NULL},
    {"unbreakable", SHERD_FIELD_BOOLEAN, false, offsetof(material_values, unbreakable), 0, 0, NULL},
    {"weibull_modulus", SHERD_FIELD_REAL, false, OF_DEF(weibull_modulus), 0, SHERD_RANGE_WEIBULL,
     NULL},
    {"friction", SHERD_FIELD_REAL, false, OF_DEF(friction), 0, SHERD_RANGE_NOT_NEGATIVE, NULL},
    {"restitution", SHERD_FIELD_REAL, false, OF_DEF(restitution), 0, SHERD_RANGE_SHARE_OPEN, NULL},
    {"bond_damping", SHERD_FIELD_REAL, false, OF_DEF(bond_damping), 0, SHERD_RANGE_NOT_NEGATIVE,
     NULL},
    {"bond_law", SHERD_FIELD_CHOICE, false, offsetof(material_values, law), 0, 0, LAWS},
    {"breakage", SHERD_FIELD_CHOICE, false, offsetof(material_values, breakage), 0, 0, BREAKAGES},
    {"grain", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"seed", SHERD_FIELD_SEED, false, OF_DEF(seed), 0, 0, NULL},
    {"calibrate", SHERD_FIELD_BOOLEAN, false, offsetof(material_values, material.calibrate), 0, 0,
     NULL},
    {"color", SHERD_FIELD_COLOR, false, offsetof(material_values, material.color), 0, 0, NULL},
    {"opacity", SHERD_FIELD_REAL, false, offsetof(material_values, material.opacity), 0,
     SHERD_RANGE_SHARE_OPEN, NULL},
};

static void read_grain(sherd_scene_reader *reader, const sherd_node *node, sherd_material_def *def)
{
    static const sherd_field GRAIN[] = {
        {"direction", SHERD_FIELD_VECTOR, true, offsetof(sherd_material_def, grain_direction), 0, 0,
         NULL},
        {"stiffening", SHERD_FIELD_REAL, false, offsetof(sherd_material_def, grain_stiffening), 0,
         SHERD_RANGE_NOT_NEGATIVE, NULL},
        {"strengthening", SHERD_FIELD_REAL, false,
         offsetof(sherd_material_def, grain_strengthening), 0, SHERD_RANGE_NOT_NEGATIVE, NULL},
    };
    sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(GRAIN), def);
    sherd_vec3 d = def->grain_direction;
    const sherd_node *direction = sherd_node_find(node, "direction");
    if (direction != NULL && d.x == 0.0 && d.y == 0.0 && d.z == 0.0)
        sherd_reader_fail(reader, direction, NULL, "must not be the zero vector");
}

// G from whichever the file gives; without either, the default ratio G / E.
static void settle_shear(sherd_scene_reader *reader, const sherd_node *node,
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

// A solid that is to break as measured solids do has scattered strengths. With all bonds of a lattice
// alike rows of them part one by one, and a beam does not snap (docs/calibration.md).
static const double SOLID_SCATTER = 12.0;

static void settle_scatter(const sherd_node *node, sherd_scene_material *material)
{
    bool breaks = material->def.breakage != SHERD_BREAKAGE_NONE;
    if (material->calibrate && breaks && sherd_node_find(node, "weibull_modulus") == NULL)
        material->def.weibull_modulus = SOLID_SCATTER;
}

// The solid's values are asked for: of its two elastic constants, E and Poisson's ratio.
static void check_calibrate(sherd_scene_reader *reader, const sherd_node *node)
{
    const sherd_node *calibrate = sherd_node_find(node, "calibrate");
    const sherd_node *shear = sherd_node_find(node, "shear_modulus");
    if (shear != NULL)
        sherd_reader_fail_key(reader, shear, "give poissons_ratio instead",
                              "is a bond's, which calibrate finds itself");
    else if (sherd_node_find(node, "poissons_ratio") == NULL)
        sherd_reader_fail(reader, calibrate, "e.g. poissons_ratio: 0.2",
                          "needs poissons_ratio, the solid's");
}

static void settle_breakage(sherd_scene_reader *reader, const sherd_node *node,
                            material_values *values)
{
    sherd_material_def *def = &values->material.def;
    if (sherd_node_find(node, "breakage") != NULL) def->breakage = (sherd_breakage)values->breakage;
    if (values->unbreakable) def->breakage = SHERD_BREAKAGE_NONE;
    if (def->breakage == SHERD_BREAKAGE_NONE) return;
    static const char *const STRENGTHS[] = {"tensile_strength", "shear_strength"};
    for (int k = 0; k < 2; ++k)
        if (sherd_node_find(node, STRENGTHS[k]) == NULL)
            sherd_reader_fail(reader, node, "or write `unbreakable: true`",
                              "misses the required key '%s'", STRENGTHS[k]);
}

static void read_material(sherd_scene_reader *reader, const sherd_node *node,
                          sherd_scene_material *material)
{
    material_values values = {.material = {.def = sherd_material_def_default(),
                                           .color = {0.8, 0.78, 0.74},
                                           .opacity = 1.0}};
    values.law = (int)values.material.def.law;
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FIELDS), &values)) return;
    sherd_material_def *def = &values.material.def;
    def->law = (sherd_bond_law)values.law;
    settle_shear(reader, node, &values);
    settle_breakage(reader, node, &values);
    settle_scatter(node, &values.material);
    if (values.material.calibrate) check_calibrate(reader, node);
    const sherd_node *grain = sherd_node_find(node, "grain");
    if (grain != NULL) read_grain(reader, grain, def);
    def->name = sherd_arena_string(reader->arena, node->key);
    *material = values.material;
    material->where = sherd_reader_where(reader, node);
}

void sherd_read_materials(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *map = sherd_node_find(root, "materials");
    if (map == NULL || !sherd_require_map(reader, map)) return;
    sherd_scene *scene = reader->scene;
    scene->materials =
        sherd_arena_alloc(reader->arena, (size_t)map->count, sizeof *scene->materials);
    if (scene->materials == NULL) return;
    for (const sherd_node *node = map->first; node != NULL; node = node->next) {
        sherd_check_key_name(reader, node);
        // Counted even when faulty, so that bodies of it get no error of their own.
        sherd_scene_material *material = &scene->materials[scene->material_count++];
        *material = (sherd_scene_material){.def.name = node->key, .where = ""};
        read_material(reader, node, material);
    }
}
