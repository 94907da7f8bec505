// `like: NAME` of a material: the library's values become keys of its map, as if the scene
// contained them. Keys of the scene take precedence, also over library values that contradict them.
#include "scene/read/sections.h"

#include <sherd/material_library.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- conflicts with the scene's keys

// Returns whether a key is set to a value that matters: not `fracture_energy: 0` or `yield_stress:
// inf`, which switch the effect off.
static bool says(const sherd_node *map, const char *key)
{
    const sherd_node *node = sherd_node_find(map, key);
    if (node == NULL || node->kind != SHERD_NODE_SCALAR) return node != NULL;
    char *end;
    double number = strtod(node->text, &end);
    return end == node->text || (number != 0.0 && isfinite(number));
}

static bool says_word(const sherd_node *map, const char *key, const char *word)
{
    const sherd_node *node = sherd_node_find(map, key);
    return node != NULL && node->kind == SHERD_NODE_SCALAR && strcmp(node->text, word) == 0;
}

// Returns the index of a choice's word in the scene; `usual` if it is missing or invalid (its own
// reader reports that).
static int chosen(const sherd_node *map, const char *key, const char *const *words, int usual)
{
    for (int k = 0; words[k] != NULL; ++k)
        if (says_word(map, key, words[k])) return k;
    return usual;
}

static bool is_among(const char *key, const char *const *keys)
{
    for (; *keys != NULL; ++keys)
        if (strcmp(key, *keys) == 0) return true;
    return false;
}

static bool is_unbreakable(const sherd_node *map)
{
    static const char *const YES[] = {"true", "yes", "on"};
    for (int k = 0; k < 3; ++k)
        if (says_word(map, "unbreakable", YES[k])) return true;
    return says_word(map, "breakage", "none");
}

// Conflicts of a library value with other keys of the scene. Bonds either soften or yield or take
// time to break.
static bool contradicts(const sherd_node *map, const char *key)
{
    static const char *const SOFTENING[] = {"fracture_energy", "fracture_toughness", NULL};
    static const char *const YIELDING[] = {"yield_stress", "hardening_modulus", "fracture_strain",
                                           NULL};
    static const char *const STRENGTHS[] = {"tensile_strength", "shear_strength", "weibull_modulus",
                                            NULL};
    bool softens = says(map, "fracture_energy") || says(map, "fracture_toughness");
    bool law = sherd_node_find(map, "bond_law") != NULL && !says_word(map, "bond_law", "rod");
    bool of_elements =
        sherd_breakage_describe((sherd_breakage)chosen(map, "breakage", sherd_breakage_words, 0))
            ->measure != SHERD_BREAKAGE_OF_BONDS;
    if (is_among(key, SOFTENING))
        return sherd_node_find(map, SOFTENING[0]) != NULL ||
               sherd_node_find(map, SOFTENING[1]) != NULL || says(map, "yield_stress") ||
               says(map, "rate_time") || of_elements || is_unbreakable(map);
    if (is_among(key, YIELDING)) {
        bool none = sherd_node_find(map, "yield_stress") != NULL && !says(map, "yield_stress");
        return softens || law || none || says(map, "rate_time");
    }
    return is_among(key, STRENGTHS) && is_unbreakable(map);
}

static bool is_superseded(const sherd_node *map, const char *key, sherd_solid_model model)
{
    if (sherd_node_find(map, key) != NULL || contradicts(map, key)) return true;
    if (!sherd_material_key_counts(key, model)) return true;
    if (strcmp(key, "yield_stress") == 0)
        return model != SHERD_SOLID_MODEL_BONDED && model != SHERD_SOLID_MODEL_HENCKY;
    if (strcmp(key, "poissons_ratio") == 0) return sherd_node_find(map, "shear_modulus") != NULL;
    return strcmp(key, "fracture_strain") == 0 && says(map, "fracture_displacement");
}

// ---------------------------------------------------------------- keys of library values

typedef struct figure {
    const char *key;
    // Of the double in sherd_material_figures; a value of 0 there: not applicable to the solid.
    size_t offset;
    sherd_quantity quantity; // its unit
} figure;

#define FIGURE(member, kind)                                                                       \
    {                                                                                              \
#member, offsetof(sherd_material_figures, member), SHERD_QUANTITY_##kind                   \
    }
static const figure FIGURES[] = {
    FIGURE(density, DENSITY),
    FIGURE(youngs_modulus, STRESS),
    FIGURE(poissons_ratio, NUMBER),
    FIGURE(tensile_strength, STRESS),
    FIGURE(shear_strength, STRESS),
    FIGURE(fracture_energy, FRACTURE_ENERGY),
    FIGURE(fracture_toughness, TOUGHNESS),
    FIGURE(yield_stress, STRESS),
    FIGURE(hardening_modulus, STRESS),
    FIGURE(fracture_strain, NUMBER),
    FIGURE(weibull_modulus, NUMBER),
    FIGURE(friction, NUMBER),
    FIGURE(restitution, NUMBER),
    FIGURE(bond_damping, NUMBER),
    FIGURE(friction_angle, ANGLE),
    FIGURE(opacity, NUMBER),
};
static const figure GRAIN_FIGURES[] = {
    {"stiffening", offsetof(sherd_material_figures, grain_stiffening), SHERD_QUANTITY_NUMBER},
    {"strengthening", offsetof(sherd_material_figures, grain_strengthening), SHERD_QUANTITY_NUMBER},
};
enum {
    FIGURE_COUNT = sizeof FIGURES / sizeof FIGURES[0],
    GRAIN_COUNT = sizeof GRAIN_FIGURES / sizeof GRAIN_FIGURES[0],
};

// The insertion of the library's keys.
typedef struct expansion {
    sherd_scene_reader *reader;
    const sherd_material_figures *figures;
    sherd_node *map; // of the material
    sherd_node_mark mark;
} expansion;

// Creates a child of `parent` at the location of `like`; in lists without a key. NULL: out of
// memory, recorded by the arena.
static sherd_node *add(const expansion *e, sherd_node *parent, const char *key,
                       sherd_node_kind kind)
{
    sherd_node *node = sherd_arena_alloc(e->reader->arena, 1, sizeof *node);
    if (node == NULL) return NULL;
    node->kind = kind;
    node->mark = node->key_mark = e->mark;
    node->key = key;
    sherd_node_append(parent, node);
    return node;
}

static void add_text(const expansion *e, sherd_node *parent, const char *key, const char *text)
{
    const char *copy = sherd_arena_string(e->reader->arena, text);
    sherd_node *node = copy != NULL ? add(e, parent, key, SHERD_NODE_SCALAR) : NULL;
    if (node != NULL) node->text = copy;
}

// Also stored as a setting of the scene: a recorded run reads the same after values of the library
// have changed.
static void record(const expansion *e, const char *path, const char *value)
{
    char setting[512];
    snprintf(setting, sizeof setting, "materials.%.64s.%s=%s", e->map->key, path, value);
    sherd_scene_keep_setting(e->reader, setting);
}

static double value_of(const expansion *e, const figure *f)
{
    return *(const double *)((const char *)e->figures + f->offset);
}

// All digits, so that reading it returns the same number.
static const char *value_text(double value, sherd_quantity quantity, char text[64])
{
    const char *unit = quantity == SHERD_QUANTITY_ANGLE ? "rad" : sherd_quantity_unit(quantity);
    snprintf(text, 64, "%.17g%s%s", value, unit != NULL ? " " : "", unit != NULL ? unit : "");
    return text;
}

static void add_figures(const expansion *e, sherd_solid_model model)
{
    char text[64];
    for (int k = 0; k < FIGURE_COUNT; ++k) {
        const figure *f = &FIGURES[k];
        if (value_of(e, f) == 0.0 || is_superseded(e->map, f->key, model)) continue;
        add_text(e, e->map, f->key, value_text(value_of(e, f), f->quantity, text));
        record(e, f->key, text);
    }
}

static void add_vector(const expansion *e, sherd_node *map, const char *key, sherd_vec3 value,
                       const char *path)
{
    sherd_node *list = add(e, map, key, SHERD_NODE_LIST);
    if (list == NULL) return;
    const double numbers[] = {value.x, value.y, value.z};
    char text[64], whole[96];
    for (int k = 0; k < 3; ++k)
        add_text(e, list, NULL, value_text(numbers[k], SHERD_QUANTITY_NUMBER, text));
    snprintf(whole, sizeof whole, "[%.17g, %.17g, %.17g]", value.x, value.y, value.z);
    record(e, path, whole);
}

// Keys that the scene's own `grain` excludes.
static void add_grain(const expansion *e)
{
    sherd_node *grain = sherd_node_find(e->map, "grain");
    if (grain == NULL) grain = add(e, e->map, "grain", SHERD_NODE_MAP);
    if (grain == NULL || grain->kind != SHERD_NODE_MAP) return;
    char text[64], path[64];
    for (int k = 0; k < GRAIN_COUNT; ++k) {
        const figure *f = &GRAIN_FIGURES[k];
        if (sherd_node_find(grain, f->key) != NULL) continue;
        add_text(e, grain, f->key, value_text(value_of(e, f), f->quantity, text));
        snprintf(path, sizeof path, "grain.%s", f->key);
        record(e, path, text);
    }
    if (sherd_node_find(grain, "direction") == NULL)
        add_vector(e, grain, "direction", e->figures->grain_direction, "grain.direction");
}

bool sherd_read_like(sherd_scene_reader *reader, sherd_node *material)
{
    const sherd_node *like = sherd_node_find(material, "like");
    const char *name = NULL;
    if (like == NULL) return true;
    if (!sherd_read_name(reader, like, &name)) return false;
    sherd_material_def def;
    sherd_error error;
    if (sherd_material_named(name, &def, &error) != SHERD_OK) {
        sherd_reader_fail_error(reader, like, &error);
        return false;
    }
    expansion e = {reader, sherd_material_library_find(name), material, like->mark};
    sherd_solid_model model =
        (sherd_solid_model)chosen(material, "model", sherd_solid_model_words, e.figures->model);
    if (model != SHERD_SOLID_MODEL_BONDED && sherd_node_find(material, "model") == NULL) {
        add_text(&e, material, "model", sherd_solid_model_words[model]);
        record(&e, "model", sherd_solid_model_words[model]);
    }
    add_figures(&e, model);
    if (e.figures->grain_stiffening > 0.0 && sherd_material_key_counts("grain", model))
        add_grain(&e);
    if (sherd_node_find(material, "color") == NULL)
        add_vector(&e, material, "color", e.figures->color, "color");
    return true;
}
