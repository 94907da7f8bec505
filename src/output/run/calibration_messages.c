// Warnings about calibrated bodies that do not reach the properties of their materials, in `check`
// and at the start of a run, with the same wording for all packings.
#include "output/run/build_messages.h"
#include "scene/scene_query.h"

#include <math.h>
#include <stdio.h>

enum { WHERE = SHERD_SCENE_PLACE };

// "FILE:LINE:COLUMN  materials.NAME.FIELD"
static const char *field_of(const sherd_scene *scene, const sherd_scene_calibration *c,
                            const char *field, char where[WHERE])
{
    char path[256];
    snprintf(path, sizeof path, "materials.%.150s.%s", scene->materials[c->material].def.name,
             field);
    return sherd_scene_place(scene, path, where);
}

// Of a stress of the calibrated solid as the scene writes it, in MPa: `stiffness_scale` lowers it.
static double written(const sherd_scene *scene, const sherd_scene_calibration *c, double stress)
{
    return 1e-6 * stress / sqrt(scene->materials[c->material].stiffness_scale);
}

// Rounds to the printed digits; adding 0 turns -0 into 0.
static double rounded(double x, double digits)
{
    return round(x * digits) / digits + 0.0;
}

static void warn_ratio(const sherd_scene *scene, const sherd_scene_calibration *c,
                       sherd_messages *to)
{
    char where[WHERE];
    const sherd_calibration *r = &c->result;
    if (r->poissons_ratio_reached) return;
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, field_of(scene, c, "poissons_ratio", where),
        "ask for one within reach, or take `tetra`, which reaches the most; material points "
        "have any",
        "%.3g is out of reach of %s packing, %.2f to %.2f: body '%s' has %.3f",
        c->def.poissons_ratio, sherd_packing_kind_name(c->def.packing.kind),
        rounded(r->poissons_low, 1e2), rounded(r->poissons_high, 1e2), scene->bodies[c->body].name,
        rounded(r->poissons_ratio, 1e3));
}

static void warn_strength(const sherd_scene *scene, const sherd_scene_calibration *c,
                          sherd_messages *to)
{
    char where[WHERE], radius[SHERD_LENGTH_TEXT];
    const sherd_calibration *r = &c->result;
    if (!sherd_scene_is_weaker(c)) return;
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, field_of(scene, c, "tensile_strength", where),
        "smaller elements; or `fracture_energy: 0`, if the strength matters more than what cracks "
        "take",
        "%.3g MPa is out of reach of elements as large as those of body '%s' that take "
        "%.3g J/m^2: it bears %.3g MPa in tension; elements of a radius of up to %s "
        "would bear all",
        written(scene, c, c->def.tensile_strength), scene->bodies[c->body].name,
        c->def.fracture_energy, written(scene, c, r->tensile_strength),
        sherd_length_text(r->strength_radius, radius));
}

// Lower ratios to the value derived from the strengths are reported.
static const double PRESSED_LITTLE = 0.75;

static void note_pressed(const sherd_scene *scene, const sherd_scene_calibration *c,
                         sherd_messages *to)
{
    char where[WHERE];
    const sherd_calibration_def *def = &c->def;
    double wanted = 4.0 * def->shear_strength * def->shear_strength / def->tensile_strength,
           bears = c->result.pressed_strength;
    if (!(bears > 0.0) || bears >= PRESSED_LITTLE * wanted) return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "shear_strength", where),
        "press it through wider faces",
        "pressed, body '%s' bears %.3g MPa, %.2g times its tensile strength, where %.3g MPa "
        "would follow from its strengths: below small faces it may be crushed before it splits",
        scene->bodies[c->body].name, written(scene, c, bears), bears / c->result.tensile_strength,
        written(scene, c, wanted));
}

static void note_grain(const sherd_scene *scene, const sherd_scene_calibration *c,
                       sherd_messages *to)
{
    char where[WHERE];
    const sherd_material_def *material = &scene->materials[c->material].def;
    if (!(material->grain_stiffening > 0.0 || material->grain_strengthening > 0.0)) return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "grain", where),
        "pull a bar of it, and lower its figures by what it bears too much",
        "grain comes on top of bonds that are calibrated without it: across it body '%s' is "
        "stiffer and stronger than asked for, as bonds at an angle to it gain, too (of "
        "`like: wood` 1.05 and 1.13 times in hcp packing, 1.8 and 1.5 times in random)",
        scene->bodies[c->body].name);
}

// ---------------------------------------------------------------- few elements across

// Measured strengths of square bars relative to the target, by number of elements across: smallest
// and largest of concrete and glass, softening and brittle bonds, two or three seeds
// (scripts/measure-thickness, docs/notebook/calibration.md). Thicker bars have 0.91 to 1.12.
typedef struct thin_row {
    double across; // up to this number
    double hcp[2], random[2], tetra[2];
} thin_row;
static const thin_row THIN[] = {
    {2.5, {0.56, 0.71}, {0.27, 1.33}, {0.86, 0.94}},
    {3.5, {0.85, 0.97}, {0.79, 1.15}, {0.82, 1.02}},
};
enum { THIN_COUNT = sizeof THIN / sizeof THIN[0] };
static const double THICK = 4.0,
                    NEAR = 0.9; // elements across; ratio above which nothing is reported

static void note_thin(const sherd_scene *scene, const sherd_scene_build *build,
                      const sherd_scene_calibration *c, sherd_messages *to)
{
    char where[WHERE];
    const sherd_scene_body *body = &scene->bodies[c->body];
    sherd_packing_kind kind = c->def.packing.kind;
    bool tetra = kind == SHERD_PACKING_TETRA;
    double size = tetra ? c->def.packing.tetra.size : 2.0 * c->def.packing.radius;
    if (!isfinite(c->def.tensile_strength) || body->shape == NULL || c->def.body != NULL) return;
    double thickness, width;
    sherd_scene_section(scene, c->body, build->packings[c->body], &thickness, &width);
    if (c->def.layers > 0) thickness = width; // tested as plates with as many layers
    int row = 0;
    while (row < THIN_COUNT && thickness / size > THIN[row].across)
        ++row;
    if (row == THIN_COUNT) return;
    const double *of = kind == SHERD_PACKING_RANDOM ? THIN[row].random
                       : tetra                      ? THIN[row].tetra
                                                    : THIN[row].hcp;
    if (of[0] > NEAR) return;
    char finer[SHERD_LENGTH_TEXT];
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "tensile_strength", where),
        "smaller elements, or a strength that is as much larger",
        "body '%s' is %.2g elements across: bars of %s packing as thin as that bear %.2f to "
        "%.2f of the strength asked for in tension, and elements of a %s of up to %s "
        "within an eighth of it",
        body->name, thickness / size, sherd_packing_kind_name(kind), of[0], of[1],
        tetra ? "size" : "radius",
        sherd_length_text((tetra ? 1.0 : 0.5) * thickness / THICK, finer));
}

// ---------------------------------------------------------------- cracks and yielding

// Strips of hcp over cohesive cracks: 0.97 at an E G_f / (sigma^2 r) of 550, 1.04 at 10, 1.16 at 5
// (docs/theory/calibration.md, strength of solids that soften).
static const double SHORT_ZONE = 10.0, NOTCHED_MORE = 1.16;

static void note_short_zone(const sherd_scene *scene, const sherd_scene_calibration *c,
                            sherd_messages *to)
{
    char where[WHERE], finer[SHERD_LENGTH_TEXT];
    const sherd_calibration_def *def = &c->def;
    double radius = def->packing.radius;
    double zone = def->youngs_modulus * def->fracture_energy /
                  (def->tensile_strength * def->tensile_strength);
    bool lattice = def->packing.kind == SHERD_PACKING_HCP && def->layers == 0;
    if (!lattice || !(zone > 0.0) || zone >= SHORT_ZONE * radius || sherd_scene_is_weaker(c))
        return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "fracture_energy", where),
        "smaller elements, or `random`",
        "E G_f / (strength^2 radius) of body '%s' is %.2g: process zones of cracks are "
        "shorter than a few elements, and notched bodies of hcp packing bear up to %.2f of "
        "what cohesive cracks do; elements of a radius of up to %s would bear within 4 %%",
        scene->bodies[c->body].name, zone / radius, NOTCHED_MORE,
        sherd_length_text(zone / SHORT_ZONE, finer));
}

// Measured stress at 0.2 % plastic strain of bars of random packings relative to the yield stress:
// 0.97 if they yield at 0.11 % (steel), 0.84 at 0.40 % (aluminium), because bonds yield one after
// the other up to three times the strain of the first (docs/notebook/calibration.md).
static const double PROOF = 2e-3;

static void note_round_yield(const sherd_scene *scene, const sherd_scene_calibration *c,
                             sherd_messages *to)
{
    char where[WHERE];
    const sherd_calibration_def *def = &c->def;
    double strain = def->yield_stress / def->youngs_modulus;
    if (def->packing.kind != SHERD_PACKING_RANDOM || !isfinite(strain) || strain < PROOF) return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "yield_stress", where),
        "`hcp`, which yields at once, or a yield stress that is as much larger",
        "body '%s' yields at %.2g %% of strain: bonds of random packing yield one after the "
        "other, and the yield stress is reached from about %.2g %% of plastic strain on, "
        "not at 0.2 %% (of `like: aluminium` 0.84 of it is)",
        scene->bodies[c->body].name, 100.0 * strain, 300.0 * strain);
}

bool sherd_scene_is_weaker(const sherd_scene_calibration *c)
{
    return c->result.fracture_energy > 0.0 && !c->result.tensile_strength_reached;
}

void sherd_run_warn_calibrations(const sherd_scene *scene, const sherd_scene_build *build,
                                 sherd_messages *to)
{
    for (int k = 0; k < build->calibration_count; ++k) {
        warn_ratio(scene, &build->calibrations[k], to);
        warn_strength(scene, &build->calibrations[k], to);
        note_pressed(scene, &build->calibrations[k], to);
        note_grain(scene, &build->calibrations[k], to);
        note_thin(scene, build, &build->calibrations[k], to);
        note_short_zone(scene, &build->calibrations[k], to);
        note_round_yield(scene, &build->calibrations[k], to);
    }
}
