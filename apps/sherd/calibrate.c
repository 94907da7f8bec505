// sherd calibrate: finds bonds for a given modulus, Poisson's ratio and strengths; writes tables
// and curves.
#include "calibrate.h"
#include "commands.h"
#include "message.h"
#include "open_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void calibrate_print_notes(FILE *to)
{
    fputs(
        "With a scene, every material that has `calibrate: true`, or the one of --material:\n"
        "\n"
        "  sherd calibrate scenes/statue.yaml -o calibration\n"
        "\n"
        "Without a scene, a solid given by options; --packing takes a kind or a description:\n"
        "\n"
        "  sherd calibrate --packing hcp --youngs-modulus \"70 GPa\" --poissons-ratio 0.22\n"
        "  sherd calibrate --packing \"{hcp: {radius: 1 mm, jitter: 0.1}}\" ...\n"
        "\n"
        "It prints the requested values, those of the homogenised solid, the bonds, and what bars\n"
        "of them give in tension, bending and torsion. With -o DIR it writes this table and the\n"
        "stress-strain curves as CSV and SVG. Method: docs/theory/calibration.md\n",
        to);
}

// ---------------------------------------------------------------- in passing

// Only for this command: runs and checks print warnings instead.
static void print_ratio_and_strength(const sherd_calibration_def *def, const sherd_calibration *r)
{
    char asked[MESSAGE_TEXT], got[MESSAGE_TEXT];
    if (!r->poissons_ratio_reached)
        printf("  poissons_ratio %.3g is out of reach of %s packing, %.2f to %.2f: it is %.3f\n",
               def->poissons_ratio, sherd_packing_kind_name(def->packing.kind), r->poissons_low,
               r->poissons_high, r->poissons_ratio);
    if (r->fracture_energy > 0.0 && !r->tensile_strength_reached)
        printf("  tensile_strength %s is out of reach of elements as large as these that take %.3g "
               "J/m^2: it is %s\n",
               message_pressure(def->tensile_strength, asked), def->fracture_energy,
               message_pressure(r->tensile_strength, got));
}

static void print_reach(const sherd_calibration_def *def, const sherd_calibration *r)
{
    char asked[MESSAGE_TEXT], got[MESSAGE_TEXT];
    if (!r->shear_strength_reached)
        printf("  shear_strength %s is out of reach beside this tensile_strength: it is %s\n",
               message_pressure(def->shear_strength, asked),
               message_pressure(r->shear_strength, got));
    if (r->pressed_strength > 0.0)
        printf("  pressed, bars bear %s; 4 c^2/f, %s, would follow from the strengths asked for\n",
               message_pressure(r->pressed_strength, got),
               message_pressure(
                   4.0 * def->shear_strength * def->shear_strength / def->tensile_strength, asked));
    if (!r->hardening_reached)
        printf("  hardening_modulus %s is out of reach of this packing: it is %s\n",
               message_pressure(def->hardening_modulus, asked),
               message_pressure(r->hardening_modulus, got));
}

static void print_softening(const sherd_calibration *r)
{
    if (!(r->fracture_energy > 0.0)) return;
    char radius[SHERD_LENGTH_TEXT];
    printf("  bonds of %.4g J/m^2 make cracks take %.4g J/m^2; elements of radii up to %s can have "
           "the strength beside it\n",
           r->full.fracture_energy, r->fracture_energy,
           sherd_length_text(r->strength_radius, radius));
    double more = r->stretched_strength / r->tensile_strength;
    if (more > 1.1)
        printf("  bars of this lattice go on hardening where bodies are not notched: pulled on to "
               "five "
               "times the elastic strain they bear %.2f of the strength\n",
               more);
}

static void print_yielding(const sherd_material_def *bonds)
{
    char yield[MESSAGE_TEXT], hardening[MESSAGE_TEXT];
    if (!isfinite(bonds->yield_stress)) return;
    printf("  they yield at %s and harden by %s\n", message_pressure(bonds->yield_stress, yield),
           message_pressure(bonds->hardening_modulus, hardening));
}

void calibrate_print_summary(const sherd_scene *scene, const sherd_scene_build *build)
{
    for (int k = 0; k < build->calibration_count; ++k) {
        const sherd_scene_calibration *c = &build->calibrations[k];
        const sherd_scene_material *material = &scene->materials[c->material];
        char E[MESSAGE_TEXT], G[MESSAGE_TEXT], sigma[MESSAGE_TEXT], tau[MESSAGE_TEXT];
        char seconds[MESSAGE_TEXT], scale[160];
        sherd_material_def bonds = c->bonds;
        sherd_calibration_def def = c->def;
        sherd_calibration result = c->result;
        calibrate_unscale_material(material->stiffness_scale, &bonds);
        calibrate_unscale(material->stiffness_scale, &def, &result);
        printf("calibrated %s for %s: bonds of E %s, G %s, strengths %s and %s%s (%s)\n",
               material->def.name, scene->bodies[c->body].name,
               message_pressure(bonds.youngs_modulus, E), message_pressure(bonds.shear_modulus, G),
               message_pressure(bonds.tensile_strength, sigma),
               message_pressure(bonds.shear_strength, tau),
               calibrate_scale_text(material->stiffness_scale, scale),
               result.cached ? "known before" : message_duration(result.seconds, seconds));
        print_yielding(&bonds);
        print_softening(&result);
        print_reach(&def, &result);
    }
}

// ---------------------------------------------------------------- the command

static sherd_status calibrate_one(const sherd_scene *scene, int body,
                                  const command_options *options, sherd_error *error)
{
    sherd_packing *packing = sherd_scene_pack_body(scene, body, options->threads, error);
    if (packing == NULL) return error->status;
    sherd_calibration_def def = sherd_scene_calibration_task(scene, body, packing);
    def.threads = options->threads;
    def.with_table = true;
    sherd_calibration result;
    const sherd_scene_material *material = &scene->materials[scene->bodies[body].material];
    double scale = material->stiffness_scale;
    calibrate_case c = {material->def.name, sherd_packing_kind_name(def.packing.kind), scale, &def,
                        &result};
    sherd_status status = SHERD_OK;
    if (options->output != NULL)
        status = calibrate_make_way(&c, options->output, options->overwrite, error);
    if (status == SHERD_OK) status = sherd_calibrate(&def, &result, error);
    sherd_packing_destroy(packing);
    if (status != SHERD_OK) return status;
    calibrate_unscale(scale, &def, &result);
    calibrate_print(&c);
    print_softening(&result);
    print_ratio_and_strength(&def, &result);
    print_reach(&def, &result);
    if (options->output == NULL) return SHERD_OK;
    return calibrate_write(&c, options->output, error);
}

// True for the first body of each material; bodies of one material may have different packings.
static bool is_wanted(const sherd_scene *scene, int body, const char *name)
{
    const sherd_scene_material *material = &scene->materials[scene->bodies[body].material];
    if (!material->calibrate || scene->bodies[body].loose) return false;
    return name == NULL || strcmp(material->def.name, name) == 0;
}

static bool is_repeated(const sherd_scene *scene, int body, const char *name)
{
    for (int k = 0; k < body; ++k) {
        if (!is_wanted(scene, k, name)) continue;
        const sherd_scene_body *a = &scene->bodies[k], *b = &scene->bodies[body];
        if (strcmp(scene->materials[a->material].def.name,
                   scene->materials[b->material].def.name) == 0 &&
            a->packing.kind == b->packing.kind && a->packing.radius == b->packing.radius &&
            a->shape_digest == b->shape_digest)
            return true;
    }
    return false;
}

static int calibrate_scene(const sherd_scene *scene, const command_options *options)
{
    int count = 0;
    sherd_error error = {0};
    for (int k = 0; k < scene->body_count; ++k) {
        if (!is_wanted(scene, k, options->material) || is_repeated(scene, k, options->material))
            continue;
        if (count++ > 0) printf("\n");
        if (calibrate_one(scene, k, options, &error) != SHERD_OK) return message_error(&error);
    }
    if (count > 0) return EXIT_DONE;
    return message_usage("no body is of a material to be calibrated", options->material,
                         "write `calibrate: true` into the material");
}

// Composes the same task as a short scene, so that values are parsed and checked as in scenes.
static int compose_scene(const command_options *options, char *text, size_t size)
{
    const char *packing = options->packing, *breakage = options->asked[5];
    const char *inf = "inf", *scatter = options->asked[4];
    if (options->asked[0] == NULL || options->asked[1] == NULL)
        return message_usage("a scene, or --youngs-modulus and --poissons-ratio, please", NULL,
                             "sherd calibrate --help");
    char kind[512];
    if (packing[0] == '{')
        snprintf(kind, sizeof kind, "%.500s", packing);
    else
        snprintf(kind, sizeof kind, "{%.100s: {%s: 1 mm}}", packing,
                 strcmp(packing, "tetra") == 0 ? "size" : "radius");
    int length = snprintf(
        text, size,
        "sherd: 1\nname: command-line\nduration: 1 s\nmaterials:\n  solid:\n"
        "    density: 1000\n    calibrate: true\n    youngs_modulus: %s\n    poissons_ratio: %s\n"
        "    tensile_strength: %s\n    shear_strength: %s\n    %s%s\n"
        "    breakage: %s\nbodies:\n  - name: bar\n    shape: {box: [60 mm, 20 mm, 20 mm]}\n"
        "    material: solid\n    packing: %s\n",
        options->asked[0], options->asked[1], options->asked[2] != NULL ? options->asked[2] : inf,
        options->asked[3] != NULL ? options->asked[3] : inf,
        scatter != NULL ? "weibull_modulus: " : "", scatter != NULL ? scatter : "",
        breakage != NULL ? breakage : "tensile", kind);
    if (length > 0 && (size_t)length < size) return 0;
    return message_usage("options too long", NULL, NULL);
}

int command_calibrate(const command_options *options)
{
    char text[4096] = "";
    if (options->input == NULL && options->packing == NULL)
        return message_usage("a scene or --packing, please", NULL, "sherd calibrate --help");
    if (options->input == NULL) {
        int status = compose_scene(options, text, sizeof text);
        if (status != 0) return status;
    }
    int code;
    sherd_scene_options scene_options = scene_options_of(options);
    sherd_scene *scene = options->input != NULL
                             ? open_scene(options, &code)
                             : open_scene_with("command line", text, &scene_options, &code);
    if (scene == NULL) return code;
    code = calibrate_scene(scene, options);
    sherd_scene_destroy(scene);
    return code;
}
