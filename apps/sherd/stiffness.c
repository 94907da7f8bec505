#include "stiffness.h"

#include "message.h"

#include <sherd/calibrate.h>

#include <math.h>
#include <stdio.h>

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

static void print_body(const char *name, const sherd_body_stiffness_result *r)
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
static const double LEAST_ACROSS = 12.0;

static void print_flow(const char *name, const sherd_scene_calibration *c,
                       const sherd_body_stiffness_result *r)
{
    char slope[MESSAGE_TEXT], asked[MESSAGE_TEXT], radius[SHERD_LENGTH_TEXT];
    if (!(r->yield > 0.0)) return;
    printf(
        "  yielding   body %s, pulled: %.2f of the requested yield stress, hardening by %s for %s; "
        "elements of radii up to %s carry both\n",
        name, r->yield, message_pressure(r->hardening, slope),
        message_pressure(c->def.hardening_modulus, asked),
        sherd_length_text(r->thickness / LEAST_ACROSS, radius));
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
        print_body(body->name, &result);
        print_flow(body->name, c, &result);
    }
    return SHERD_OK;
}
