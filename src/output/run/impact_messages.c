// Predicts the effects of the first impacts before they are simulated.
#include "output/run/build_messages.h"

#include "math/vec3.h"
#include "scene/scene_impact.h"

#include <math.h>
#include <stdio.h>

enum { MAX_IMPACTS = 4, TARGETS = 3 };

static const double PIECES[TARGETS] = {5.0, 50.0, 500.0};
// Pieces of fewer elements than this have the elements' size: powder, from this number of pieces on.
static const double POWDER = 5.0, MIN_POWDER = 200.0;
static const double CRACKED = 8.0; // fewer pieces are a crack or two

// "0.25, 0.7 or 1.7": `value` times the factors by which the stress should change, or their
// inverse.
static void list_values(const sherd_scene_impact *i, double value, bool inverse, char *text,
                        size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < TARGETS && used < size; ++k) {
        double change = sherd_scene_impact_ratio(i, PIECES[k]) * i->strength / i->stress;
        if (!isfinite(change)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%.2g for %.0f", used > 0 ? ", " : "",
                                 inverse ? value / change : value * change, PIECES[k]);
    }
}

// The scene key that reduces the impact speed.
static const char *speed_key(const sherd_scene *scene, const sherd_scene_impact *i)
{
    if (vec3_length(scene->bodies[i->body].velocity) > 0.0) return "its `velocity`";
    if (i->other_is_obstacle && scene->obstacles[i->other].def.kind == SHERD_OBSTACLE_FREE)
        return "the obstacle's `velocity`";
    if (i->other_is_obstacle && scene->obstacles[i->other].def.kind == SHERD_OBSTACLE_DRIVEN)
        return "the obstacle's `motion`";
    if (!i->other_is_obstacle && vec3_length(scene->bodies[i->other].velocity) > 0.0)
        return "the other's `velocity`";
    return "a lower fall (`position`)";
}

// What makes a body's elements smaller.
static const char *size_key(const sherd_scene_body *body)
{
    const sherd_packing_def *packing = &body->packing;
    if (packing->kind == SHERD_PACKING_POINTS) return "a smaller `spacing`";
    if (packing->kind != SHERD_PACKING_TETRA) return "a smaller `radius`";
    return packing->tetra.mesh_file != NULL ? "a finer mesh" : "a smaller `size` of the mesh";
}

// "1500": rounded to two digits.
static double rounded(double pieces)
{
    double unit = pow(10.0, floor(log10(fmax(pieces, 1.0))) - 1.0);
    return unit > 1.0 ? unit * round(pieces / unit) : round(pieces);
}

static void report_impact(const sherd_scene *scene, const sherd_scene_impact *i, sherd_messages *to)
{
    const sherd_scene_body *body = &scene->bodies[i->body];
    const char *other =
        i->other_is_obstacle ? scene->obstacles[i->other].def.name : scene->bodies[i->other].name;
    char speeds[96], strengths[96], outcome[160] = "stay nearly whole";
    char walls[96] = "";
    list_values(i, i->speed, false, speeds, sizeof speeds);
    list_values(i, 1.0, true, strengths, sizeof strengths);
    bool local = 2 * i->struck < i->elements;
    double each = i->elements / i->pieces; // elements in a piece, in the mean
    bool powder = !local && each < POWDER && i->pieces > MIN_POWDER;
    const sherd_scene_material *material = &scene->materials[body->material];
    double written = 1.0 / sqrt(material->stiffness_scale); // of stresses, as the scene has them
    if (i->pieces >= 2.0)
        snprintf(outcome, sizeof outcome,
                 local ? "%s, into about %.0f pieces where it is struck, with cracks from there"
                       : "%s, into about %.0f pieces (within a factor of three)",
                 i->pieces < CRACKED ? "crack" : "shatter", rounded(i->pieces));
    if (powder)
        snprintf(outcome, sizeof outcome,
                 "become powder: about %.0f pieces, most of them of %.2g elements",
                 rounded(i->pieces), fmax(each, 1.0));
    if (i->cells > 1.0)
        snprintf(walls, sizeof walls,
                 " and %.2g times that of its weak walls, which make %.0f cells",
                 i->stress / i->strength / i->walls, i->cells);
    char hint[160];
    snprintf(hint, sizeof hint,
             "take more elements (%s), or fewer pieces as said; the manual's page 'It became "
             "powder' has more",
             size_key(body));
    sherd_message_send(
        to, powder ? SHERD_MESSAGE_WARNING : SHERD_MESSAGE_NOTE, body->where, powder ? hint : NULL,
        "bodies.%s: meets %s '%s' at %.3g m/s, and is expected to %s%s. The impact's stress, v "
        "sqrt(density x youngs_modulus) = %.3g MPa%s, is %.2g times its strength of %.3g MPa%s. "
        "For about so many pieces change %s (m/s: %s), or `tensile_strength` and `shear_strength` "
        "of material '%s' (times %s)",
        body->name, i->other_is_obstacle ? "obstacle" : "body", other, i->speed, outcome,
        i->pieces >= 2.0 ? ", of this first impact alone: what breaks later is not counted" : "",
        1e-6 * written * i->stress, i->other_is_obstacle ? "" : " (less, as both yield)",
        i->stress / i->strength, 1e-6 * written * i->strength, walls, speed_key(scene, i), speeds,
        material->def.name, strengths);
}

void sherd_run_predict_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                               sherd_messages *to)
{
    sherd_scene_impact list[MAX_IMPACTS];
    int count = sherd_scene_impacts(scene, build, list, MAX_IMPACTS);
    for (int k = 0; k < count && k < MAX_IMPACTS; ++k)
        report_impact(scene, &list[k], to);
    if (count > MAX_IMPACTS)
        sherd_message_send(to, SHERD_MESSAGE_NOTE, NULL, NULL,
                           "impacts of %d more bodies are not listed", count - MAX_IMPACTS);
}
