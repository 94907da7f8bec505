// The library of solids: its figures make definitions and scenes that hold, docs/reference/materials.md says what it says.
#include "base/hash.h"
#include "material/material.h"
#include "scene/read/sections.h"

#include <sherd/material_library.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sherd_scene *parse(const char *material, const char *rest, sherd_diagnostics *diagnostics)
{
    char text[2048];
    int length = snprintf(text, sizeof text,
                          "sherd: 1\nname: m\nduration: 1 ms\nunits: {length: mm, angle: deg}\n"
                          "materials: {it: {%s}}\n"
                          "bodies:\n  - {name: b, material: it, shape: {box: [10, 10, 10]}, %s}\n",
                          material, rest);
    cr_assert(length > 0 && length < (int)sizeof text);
    return sherd_scene_parse(text, strlen(text), "m", NULL, diagnostics);
}

static const char *packing_of(sherd_solid_model model)
{
    return model == SHERD_SOLID_MODEL_BONDED ? "packing: {hcp: {radius: 1}}"
                                             : "packing: {points: {spacing: 1}}";
}

static sherd_scene *must_parse(const char *material, sherd_solid_model model)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = parse(material, packing_of(model), &diagnostics);
    cr_assert(scene != NULL, "%s: %s: %s", material, diagnostics.errors[0].where,
              diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

static uint64_t digest_of(const sherd_material_def *def)
{
    return sherd_fields_digest(sherd_material_def_fields(), def, SHERD_HASH_START);
}

// By the C interface and by a scene, whose bare numbers are in other units, bit for bit.
Test(material_library, a_scene_gets_what_the_library_has)
{
    cr_assert(ge(int, sherd_material_library_count(), 12));
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *figures = sherd_material_library_at(k);
        sherd_material_def def;
        sherd_error error;
        cr_assert(sherd_material_named(figures->name, &def, &error) == SHERD_OK);
        cr_assert(sherd_material_def_check(&def, &error) == SHERD_OK, "%s: %s %s", figures->name,
                  error.where, error.what);
        char material[64];
        snprintf(material, sizeof material, "like: %s", figures->name);
        sherd_scene *scene = must_parse(material, figures->model);
        cr_assert(eq(u64, digest_of(&scene->materials[0].def), digest_of(&def)), "%s",
                  figures->name);
        cr_assert(eq(dbl, scene->materials[0].color.x, figures->color.x));
        cr_assert(eq(dbl, scene->materials[0].opacity, figures->opacity));
        sherd_scene_destroy(scene);
    }
}

// What is known of any solid, and what the head of the table promises.
Test(material_library, figures_are_those_of_solids)
{
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *m = sherd_material_library_at(k);
        cr_assert(m->density > 100.0 && m->density < 2e4, "%s", m->name);
        cr_assert(m->poissons_ratio > 0.0 && m->poissons_ratio < 0.5, "%s", m->name);
        cr_assert(m->fracture_energy == 0.0 || m->fracture_toughness == 0.0, "%s", m->name);
        cr_assert(strlen(m->varies) > 20 && strlen(m->sources) > 10 && strlen(m->about) > 5);
        if (m->model != SHERD_SOLID_MODEL_BONDED) continue;
        // Between the strains at which ice and rubber part: 1e-4 and 10.
        double strain = m->tensile_strength / m->youngs_modulus;
        cr_assert(strain > 1e-5 && strain < 10.0, "%s: %g", m->name, strain);
        bool brittle =
            m->yield_stress == 0.0 && m->compressive_strength > 0.0 && m->grain_stiffening == 0.0;
        double cohesion = 0.5 * sqrt(m->tensile_strength * m->compressive_strength);
        // Chocolate's is no more than its tensile strength: its compressive one is of yielding.
        if (brittle && strcmp(m->name, "chocolate") != 0)
            cr_assert(fabs(m->shear_strength / cohesion - 1.0) < 0.02, "%s: %g", m->name, cohesion);
    }
}

// As material points, by the model that the library names.
Test(material_library, solids_become_material_points)
{
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *m = sherd_material_library_at(k);
        if (m->points == SHERD_SOLID_MODEL_BONDED) continue;
        char material[96];
        snprintf(material, sizeof material, "like: %s, model: %s", m->name,
                 sherd_solid_model_words[m->points]);
        sherd_scene *scene = must_parse(material, m->points);
        const sherd_material_def *def = &scene->materials[0].def;
        cr_assert(eq(dbl, def->youngs_modulus, m->youngs_modulus));
        double yield = m->points == SHERD_SOLID_MODEL_HENCKY ? m->yield_stress : 0.0;
        cr_assert(eq(dbl, def->yield_stress, yield > 0.0 ? yield : INFINITY), "%s", m->name);
        sherd_scene_destroy(scene);
    }
}

typedef struct way {
    const char *material; // in a scene
    size_t offset;        // in sherd_material_def
    double value;         // there
} way;

#define DEF(member) offsetof(sherd_material_def, member)
Test(material_library, keys_of_the_scene_win)
{
    static const way WAYS[] = {
        {"like: glass, youngs_modulus: 60 GPa", DEF(youngs_modulus), 60e9},
        {"like: glass, youngs_modulus: 61 GPa", DEF(shear_modulus), 61e9 / (2.0 * 1.22)},
        {"like: glass, shear_modulus: 20 GPa", DEF(shear_modulus), 20e9},
        {"like: glass, fracture_energy: 8 J/m^2", DEF(fracture_toughness), 0.0},
        {"like: glass, fracture_toughness: 0", DEF(fracture_toughness), 0.0},
        {"like: glass, yield_stress: 1 GPa", DEF(fracture_toughness), 0.0},
        {"like: glass, rate_time: 1 us", DEF(fracture_toughness), 0.0},
        {"like: glass, breakage: principal", DEF(fracture_toughness), 0.0},
        {"like: glass, unbreakable: true", DEF(tensile_strength), INFINITY},
        {"like: concrete, fracture_toughness: 1 MPa m^0.5", DEF(fracture_energy), 0.0},
        {"like: steel, bond_law: quaternion", DEF(yield_stress), INFINITY},
        {"like: steel, yield_stress: inf", DEF(hardening_modulus), 0.0},
        {"like: steel, yield_stress: 500 MPa", DEF(hardening_modulus), 1e9},
        {"like: steel, fracture_displacement: 1", DEF(fracture_strain), 0.0},
        {"like: steel, fracture_toughness: 50 MPa m^0.5", DEF(yield_stress), INFINITY},
        {"like: wood, grain: {direction: [0, 0, 1]}", DEF(grain_stiffening), 21.0},
        {"like: wood, grain: {direction: [0, 0, 1]}", DEF(grain_direction.z), 1.0},
        {"like: wood, grain: {stiffening: 3, direction: [0, 1, 0]}", DEF(grain_stiffening), 3.0},
        {"density: 2000 kg/m^3, like: glass", DEF(density), 2000.0},
    };
    for (size_t k = 0; k < sizeof WAYS / sizeof WAYS[0]; ++k) {
        sherd_scene *scene = must_parse(WAYS[k].material, SHERD_SOLID_MODEL_BONDED);
        double value = *(const double *)((const char *)&scene->materials[0].def + WAYS[k].offset);
        cr_assert(value == WAYS[k].value || fabs(value - WAYS[k].value) < 1e-12 * value,
                  "%s: %.17g", WAYS[k].material, value);
        sherd_scene_destroy(scene);
    }
}

Test(material_library, what_is_wrong_is_said_where_it_stands)
{
    static const char *const CASES[][4] = {
        // material, part of where, what, hint
        {"like: glas", "m:5:24  materials.it.like", "there is no 'glas' in the library",
         "did you mean 'glass'?"},
        {"like: unobtainium", "materials.it.like", "there is no 'unobtainium' in the library",
         "known here: glass, ceramic"},
        {"like: [glass]", "materials.it.like", "must be a name, got a list", ""},
        {"like: glass, youngs_modulus: -3 GPa", "materials.it.youngs_modulus", "must be > 0", ""},
        {"like: steel, calibrate: true, shear_modulus: 1 GPa", "materials.it.shear_modulus",
         "is found by calibrate", ""},
        {"like: glass, likes: glass", "materials.it.likes", "unknown key 'likes'",
         "did you mean 'like'?"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; ++k) {
        sherd_diagnostics diagnostics = {0};
        cr_assert(parse(CASES[k][0], packing_of(SHERD_SOLID_MODEL_BONDED), &diagnostics) == NULL,
                  "%s", CASES[k][0]);
        const sherd_error *error = &diagnostics.errors[0];
        cr_assert(strstr(error->where, CASES[k][1]) != NULL, "%s: %s", CASES[k][0], error->where);
        cr_assert(strstr(error->what, CASES[k][2]) != NULL, "%s: %s", CASES[k][0], error->what);
        cr_assert(strstr(error->hint, CASES[k][3]) != NULL, "%s: %s", CASES[k][0], error->hint);
        cr_assert(eq(int, diagnostics.count, 1), "%s", CASES[k][0]);
        sherd_diagnostics_free(&diagnostics);
    }
    sherd_material_def def;
    sherd_error error;
    cr_assert(sherd_material_named(NULL, &def, &error) == SHERD_ERROR_INPUT);
    cr_assert(sherd_material_library_at(-1) == NULL);
    cr_assert(sherd_material_library_at(sherd_material_library_count()) == NULL);
}

// A recorded scene holds the figures themselves: with another library it is read as it was.
Test(material_library, a_scene_keeps_the_figures_it_was_read_with)
{
    sherd_scene *scene = must_parse("like: wood, density: 500 kg/m^3", SHERD_SOLID_MODEL_BONDED);
    bool modulus = false, direction = false;
    for (int k = 0; k < scene->override_count; ++k) {
        modulus |= strcmp(scene->overrides[k], "materials.it.youngs_modulus=500000000 Pa") == 0;
        direction |= strcmp(scene->overrides[k], "materials.it.grain.direction=[1, 0, 0]") == 0;
        cr_assert(strstr(scene->overrides[k], "density") == NULL, "the scene's own");
    }
    cr_assert(modulus && direction);
    sherd_scene_options options = {NULL, scene->override_count, scene->overrides};
    sherd_diagnostics diagnostics = {0};
    sherd_scene *again =
        sherd_scene_parse(scene->text, scene->text_size, "m", &options, &diagnostics);
    cr_assert(again != NULL);
    cr_assert(eq(u64, again->digest, scene->digest));
    cr_assert(eq(int, again->override_count, scene->override_count), "nothing is added again");
    sherd_scene_destroy(again);
    sherd_scene_destroy(scene);
}

// ---------------------------------------------------------------- docs/reference/materials.md

static void print_stress(FILE *to, double pascals)
{
    const char *unit = pascals >= 1e9 ? "GPa" : pascals >= 1e6 ? "MPa" : "kPa";
    double size = pascals >= 1e9 ? 1e9 : pascals >= 1e6 ? 1e6 : 1e3;
    if (pascals > 0.0)
        fprintf(to, " %.4g %s |", pascals / size, unit);
    else
        fprintf(to, " - |");
}

static void print_row(FILE *to, const sherd_material_figures *m)
{
    fprintf(to, "| `%s` | %.4g |", m->name, m->density);
    print_stress(to, m->youngs_modulus);
    fprintf(to, " %.3g |", m->poissons_ratio);
    print_stress(to, m->tensile_strength);
    print_stress(to, m->shear_strength);
    if (m->fracture_toughness > 0.0)
        fprintf(to, " K_Ic %.3g MPa m^0.5 |", m->fracture_toughness / 1e6);
    else if (m->fracture_energy > 0.0)
        fprintf(to, " G_f %.4g J/m^2 |", m->fracture_energy);
    else if (m->fracture_strain > 0.0)
        fprintf(to, " yields at %.4g MPa, +%.3g GPa, to %.3g |", m->yield_stress / 1e6,
                m->hardening_modulus / 1e9, m->fracture_strain);
    else if (m->yield_stress > 0.0)
        fprintf(to, " yields at %.4g kPa |", m->yield_stress / 1e3);
    else if (m->friction_angle > 0.0)
        fprintf(to, " friction angle %.3g deg |", m->friction_angle * 57.29577951308232);
    else
        fprintf(to, " - |");
    if (m->weibull_modulus > 0.0)
        fprintf(to, " %.3g |", m->weibull_modulus);
    else
        fprintf(to, " - |");
    fprintf(to, " %.2g | `%s` |\n", m->friction, sherd_solid_model_words[m->points]);
}

static void print_tables(FILE *to)
{
    fprintf(to, "| name | density, kg/m^3 | E | nu | tension | shear | crack, or yield | m | "
                "friction | as points |\n"
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int k = 0; k < sherd_material_library_count(); ++k)
        print_row(to, sherd_material_library_at(k));
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *m = sherd_material_library_at(k);
        fprintf(to, "\n**%s**: %s. *Varies*: %s. *Sources*: %s.\n", m->name, m->about, m->varies,
                m->sources);
    }
}

Test(material_library, the_document_has_the_figures_of_the_library)
{
    static const char PATH[] = SHERD_SOURCE_FOLDER "/docs/reference/materials.md";
    static const char BEGIN[] = "<!-- table: materials -->\n", END[] = "<!-- end -->";
    char *text = calloc(1, 1 << 16), *wanted = NULL;
    size_t size = 0;
    FILE *file = fopen(PATH, "rb");
    cr_assert(file != NULL && fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    const char *begin = strstr(text, BEGIN), *end = strstr(text, END);
    cr_assert(begin != NULL && end != NULL && end > begin);
    FILE *to = open_memstream(&wanted, &size);
    fprintf(to, "%.*s%s", (int)(begin - text), text, BEGIN);
    print_tables(to);
    fprintf(to, "%s", end);
    fclose(to);
    if (getenv("SHERD_WRITE_DOCS") != NULL) {
        file = fopen(PATH, "wb");
        cr_assert(file != NULL && fputs(wanted, file) >= 0);
        fclose(file);
    } else {
        cr_assert(strcmp(text, wanted) == 0,
                  "write its tables anew with SHERD_WRITE_DOCS=1 test_material_library");
    }
    free(wanted);
    free(text);
}
