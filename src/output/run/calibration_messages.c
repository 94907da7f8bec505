// What calibrated bodies have not of what their materials ask for: warnings in `check` and at a run's start, in the same words
// whatever the packing.
#include "output/run/build_messages.h"

#include <math.h>
#include <stdio.h>

enum { WHERE = 512 };

// "FILE:LINE:COLUMN  materials.NAME.FIELD"
static const char *field_of(const sherd_scene *scene, const sherd_scene_calibration *c,
                            const char *field, char where[WHERE])
{
    snprintf(where, WHERE, "%.400s.%s", scene->materials[c->material].where, field);
    return where;
}

// As printed with so many digits; adding 0 makes -0 a 0.
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
    sherd_tell(to, SHERD_MESSAGE_WARNING, field_of(scene, c, "poissons_ratio", where),
               "ask for one within reach, or take `tetra`, which reaches the most; material points "
               "have any",
               "%.3g is out of reach of %s packing, %.2f to %.2f: body '%s' has %.3f",
               c->def.poissons_ratio, sherd_packing_kind_name(c->def.packing.kind),
               rounded(r->poissons_low, 1e2), rounded(r->poissons_high, 1e2),
               scene->bodies[c->body].name, rounded(r->poissons_ratio, 1e3));
}

static void warn_strength(const sherd_scene *scene, const sherd_scene_calibration *c,
                          sherd_messages *to)
{
    char where[WHERE];
    const sherd_calibration *r = &c->result;
    if (!sherd_scene_is_weaker(c)) return;
    sherd_tell(to, SHERD_MESSAGE_WARNING, field_of(scene, c, "tensile_strength", where),
               "smaller elements; or `fracture_energy: 0`, where strength counts and what cracks "
               "take does not",
               "%.3g MPa is out of reach of elements as large as those of body '%s' that take "
               "%.3g J/m^2: it bears %.3g MPa in tension; elements of a radius of up to %.3g m "
               "would bear all",
               1e-6 * c->def.tensile_strength, scene->bodies[c->body].name, c->def.fracture_energy,
               1e-6 * r->tensile_strength, r->strength_radius);
}

// Less than this share of what follows from the strengths is said.
static const double PRESSED_LITTLE = 0.75;

static void note_pressed(const sherd_scene *scene, const sherd_scene_calibration *c,
                         sherd_messages *to)
{
    char where[WHERE];
    const sherd_calibration_def *def = &c->def;
    double wanted = 4.0 * def->shear_strength * def->shear_strength / def->tensile_strength,
           bears = c->result.pressed_strength;
    if (!(bears > 0.0) || bears >= PRESSED_LITTLE * wanted) return;
    sherd_tell(
        to, SHERD_MESSAGE_NOTE, field_of(scene, c, "shear_strength", where),
        "press it through wider faces",
        "pressed, body '%s' bears %.3g MPa, %.2g times its tensile strength, where %.3g MPa "
        "would follow from its strengths: below small faces it may be crushed before it splits",
        scene->bodies[c->body].name, 1e-6 * bears, bears / c->result.tensile_strength,
        1e-6 * wanted);
}

static void note_grain(const sherd_scene *scene, const sherd_scene_calibration *c,
                       sherd_messages *to)
{
    char where[WHERE];
    const sherd_material_def *material = &scene->materials[c->material].def;
    if (!(material->grain_stiffening > 0.0 || material->grain_strengthening > 0.0)) return;
    sherd_tell(to, SHERD_MESSAGE_NOTE, field_of(scene, c, "grain", where),
               "pull a bar of it, and lower its figures by what it bears too much",
               "grain comes on top of bonds that are calibrated without it: across it body '%s' is "
               "stiffer and stronger than asked for, as bonds at an angle to it gain, too (of "
               "`like: wood` 1.05 and 1.13 times in hcp packing, 1.8 and 1.5 times in random)",
               scene->bodies[c->body].name);
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
    }
}
