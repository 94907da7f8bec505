#include "check_material.h"

#include "message.h"

#include <sherd/calibrate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// K_Ic divided by the tensile strength and the root of pi times the elements' radius: the value
// used for estimates, and the range measured on cracked plates, hcp and random, of three sizes
// (scripts/measure-toughness).
static const double CRACK_FACTOR = 1.4, MIN_FACTOR = 1.24, MAX_FACTOR = 1.41;

static const double PI = 3.14159265358979323846;

int toughness_parse(const char *text, double *value)
{
    const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1.0}, {"Pa", 1.0}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}};
    *value = 0.0;
    if (text == NULL) return 0;
    char *end, unit[8] = "";
    double number = strtod(text, &end);
    bool any = end != text;
    size_t length = strcspn(end + strspn(end, " "), " ");
    const char *name = end + strspn(end, " "), *rest = name + length;
    rest += strspn(rest, " ");
    if (length < sizeof unit) memcpy(unit, name, length);
    bool is_root = strcmp(rest, "m^0.5") == 0 || strcmp(rest, "sqrt(m)") == 0;
    if (length == 0) is_root = *rest == '\0';
    for (size_t k = 0; k < sizeof units / sizeof units[0] && any && is_root; ++k)
        if (strcmp(unit, units[k].unit) == 0 && length < sizeof unit)
            *value = number * units[k].factor;
    if (*value > 0.0 && isfinite(*value)) return 0;
    return message_usage("--toughness wants a stress times the root of a length, > 0", text,
                         "e.g. --toughness \"0.7 MPa m^0.5\"");
}

// The radius of elements in lattices and random packings; for tetrahedra, the radius of a random
// packing with as many spheres.
static double radius_of(const sherd_packing *p)
{
    if (p->tetra == NULL) return p->lattice_radius;
    const double fraction = 0.62;
    return cbrt(fraction * p->shape_volume / (4.0 / 3.0 * PI * p->count));
}

static const char *toughness_text(double value, char text[MESSAGE_TEXT])
{
    char pressure[MESSAGE_TEXT];
    snprintf(text, MESSAGE_TEXT, "%.30s m^0.5", message_pressure(value, pressure));
    return text;
}

static void print_body(const sherd_scene_body *body, const sherd_packing *p, double strength,
                       double wanted)
{
    char text[MESSAGE_TEXT], low[MESSAGE_TEXT], high[MESSAGE_TEXT];
    double r = radius_of(p), unit = strength * sqrt(PI * r), K = CRACK_FACTOR * unit;
    printf("  toughness  body %s: K_Ic about %s from its elements' radius (plates showed %s to "
           "%s)\n",
           body->name, toughness_text(K, text), message_pressure(MIN_FACTOR * unit, low),
           toughness_text(MAX_FACTOR * unit, high));
    if (!(wanted > 0.0)) return;
    double scale = pow(wanted / K, 2.0);
    bool is_tetra = p->tetra != NULL;
    char size[SHERD_LENGTH_TEXT];
    printf("             %s wants a %s of %s, %.3g times as large: some %s elements\n",
           toughness_text(wanted, text), is_tetra ? "size" : "radius",
           sherd_length_text(scale * (is_tetra ? body->packing.tetra.size : body->packing.radius),
                             size),
           scale, message_rounded(fmax(round(p->count / pow(scale, 3.0)), 1.0), low));
}

void toughness_print(const sherd_scene *scene, const sherd_scene_build *build, double wanted)
{
    bool any = false;
    for (int k = 0; k < scene->body_count; ++k) {
        const sherd_scene_body *body = &scene->bodies[k];
        const sherd_scene_material *material = &scene->materials[body->material];
        double strength = material->def.tensile_strength;
        bool breaks = sherd_breakage_describe(material->def.breakage)->breaks && isfinite(strength);
        if (!material->calibrate || !breaks || body->loose || body->is_yarn) continue;
        print_body(body, build->packings[k], strength, wanted);
        any = true;
    }
    if (wanted > 0.0 && !any)
        printf("  toughness  no body is of a material that is calibrated and breaks: write "
               "`calibrate: true` into it\n");
}

// ---------------------------------------------------------------- stiffness

// The strain at break below which scaled bodies look stiff, the least factor on the length of steps
// that is offered, and the time of steps from which on it is [s].
static const double STIFF_STRAIN = 0.02, MIN_GAIN = 3.0, MIN_SECONDS = 60.0;

// Factor on the length of steps with which bonds of the material break at that strain; 1: none, also
// for what yields, whose large strains grow along.
static double gain_of(const sherd_scene_material *m)
{
    const sherd_material_def *def = &m->def;
    bool brittle = sherd_breakage_describe(def->breakage)->breaks &&
                   isfinite(def->tensile_strength) && !isfinite(def->yield_stress);
    if (def->model != SHERD_SOLID_MODEL_BONDED || !brittle) return 1.0;
    return fmax(1.0, STIFF_STRAIN * def->youngs_modulus / def->tensile_strength);
}

// The stiffest solid determines the steps, so all of them are scaled by the smallest gain.
void scale_print(const sherd_scene *scene, double seconds)
{
    double gain = INFINITY;
    sherd_method_info method = sherd_method_describe(scene->world.method);
    for (int k = 0; k < scene->material_count; ++k) {
        if (scene->materials[k].stiffness_scale < 1.0) return; // chosen already
        gain = fmin(gain, gain_of(&scene->materials[k]));
    }
    if (!method.explicit_steps || seconds < MIN_SECONDS || !(gain >= MIN_GAIN) || !isfinite(gain))
        return;
    printf("             for pictures: `stiffness_scale: %.1g` in each material makes steps "
           "%.2g times as long; the same speeds break it, at strains up to %.2g %%\n",
           1.0 / (gain * gain), gain, 100.0 * STIFF_STRAIN);
}

enum { AXIS_TEXT = 48 };

// "x" of the body's rest frame, or "(0.71, 0, 0.71)".
static const char *axis_text(sherd_vec3 a, char text[AXIS_TEXT])
{
    const double x[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; ++k)
        if (fabs(x[k]) > 0.9999) {
            snprintf(text, AXIS_TEXT, "%c", "xyz"[k]);
            return text;
        }
    // Adding 0 makes -0 a 0.
    snprintf(text, AXIS_TEXT, "(%.2f, %.2f, %.2f)", round(100.0 * x[0]) / 100.0 + 0.0,
             round(100.0 * x[1]) / 100.0 + 0.0, round(100.0 * x[2]) / 100.0 + 0.0);
    return text;
}

static void print_calibration(const char *name, const sherd_body_stiffness_result *r)
{
    char along[AXIS_TEXT], wide[AXIS_TEXT], thin[AXIS_TEXT];
    if (r->reason != NULL)
        printf("  stiffness  body %s: not predicted, %s\n", name, r->reason);
    else
        printf("  stiffness  body %s, relative to the requested stiffness: %.2f pulled along %s of "
               "its shape, %.2f bent towards %s, %.2f bent towards %s\n",
               name, r->tension, axis_text(r->axis[0], along), r->bending[0],
               axis_text(r->axis[1], wide), r->bending[1], axis_text(r->axis[2], thin));
}

// Bars at least this many radii thick have the requested stiffness, except random packings of few
// elements (docs/notebook/calibration.md).
static const double MIN_ACROSS = 12.0;

static void print_flow(const char *name, const sherd_scene_calibration *c, double stiffness_scale,
                       const sherd_body_stiffness_result *r)
{
    char slope[MESSAGE_TEXT], asked[MESSAGE_TEXT], radius[SHERD_LENGTH_TEXT];
    if (!(r->yield > 0.0)) return;
    printf(
        "  yielding   body %s, pulled: %.2f of the requested yield stress, hardening by %s for %s; "
        "elements of radii up to %s carry both\n",
        name, r->yield, message_pressure(r->hardening / stiffness_scale, slope),
        message_pressure(c->def.hardening_modulus / stiffness_scale, asked),
        sherd_length_text(r->thickness / MIN_ACROSS, radius));
}

sherd_status stiffness_print(const sherd_scene *scene, const sherd_scene_build *build, int threads,
                             sherd_error *error)
{
    for (int k = 0; k < build->calibration_count; ++k) {
        const sherd_scene_calibration *c = &build->calibrations[k];
        const sherd_scene_body *body = &scene->bodies[c->body];
        sherd_stiffness_task task = {.body = build->packings[c->body],
                                     .shape = body->shape,
                                     .bonds = &c->bonds,
                                     .bond_reach = body->bond_reach,
                                     .youngs_modulus = c->def.youngs_modulus,
                                     .yield_stress = c->def.yield_stress,
                                     .threads = threads};
        sherd_body_stiffness_result result;
        sherd_status status = sherd_calibration_stiffness(&task, &result, error);
        if (status != SHERD_OK) return status;
        print_calibration(body->name, &result);
        print_flow(body->name, c, scene->materials[c->material].stiffness_scale, &result);
    }
    return SHERD_OK;
}
