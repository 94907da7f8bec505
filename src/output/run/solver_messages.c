// Warnings about the keys of `solver:`: steps that are too long, or shortened, and keys without effect.
#include "output/run/build_messages.h"
#include "scene/scene_query.h"

#include <stdio.h>

static int count_of_points(const sherd_scene *scene)
{
    int count = 0;
    for (int k = 0; k < scene->body_count; ++k)
        count += sherd_scene_is_of_points(&scene->bodies[k]);
    return count;
}

// ---------------------------------------------------------------- the length of steps

// Steps of the points' grid are at most as long as in the scene, and planned during the run.
static double longest_step(const sherd_scene *scene, const sherd_step_plan *plan)
{
    return count_of_points(scene) > 0 ? scene->world.time_step : plan->dt;
}

static void warn_unstable(const sherd_scene *scene, const sherd_step_plan *plan, sherd_messages *to)
{
    double dt = longest_step(scene, plan);
    if (!(dt > plan->limit)) return;
    const char *where = sherd_scene_solver_where(scene, "time_step");
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, where != NULL ? where : "solver.time_step",
        "leave out `time_step`, or make it smaller than the limit",
        "the time step of %.4g s is above the stability limit of %.4g s: such steps create "
        "energy and break intact bonds",
        dt, plan->limit);
}

// True if `auto` makes no implicit step.
static bool is_explicit_throughout(const sherd_scene *scene, const sherd_scene_build *build)
{
    for (int k = 0; k < scene->body_count; ++k)
        if (sherd_scene_is_of_tetrahedra(&scene->bodies[k])) return true;
    sherd_method_info method = sherd_method_describe(scene->world.method);
    if (!sherd_method_switches(&method)) return !method.implicit_steps;
    int64_t elements = 0;
    for (int k = 0; k < build->body_count; ++k)
        if (!sherd_scene_is_of_points(&scene->bodies[k])) elements += build->packings[k]->count;
    bool lacks_energy = false;
    for (int k = 0; k < scene->material_count; ++k)
        lacks_energy |= !sherd_bond_law_describe(scene->materials[k].def.law)->has_energy;
    int points = count_of_points(scene); // with points, only regions of elements can be implicit
    bool all_near = points == scene->body_count || (points > 0 && !scene->world.regions);
    return lacks_energy || all_near || elements > scene->world.implicit_elements;
}

// Steps end at frames and at rows of probes.
static void warn_shortened(const sherd_scene *scene, const sherd_scene_build *build,
                           const sherd_step_plan *plan, sherd_messages *to)
{
    double given = scene->world.time_step_in_limits > 0.0
                       ? scene->world.time_step_in_limits * plan->limit
                       : scene->world.time_step;
    double between = plan->interval / (double)plan->samples_per_frame;
    if (!(given > between * (1.0 + 1e-6)) || is_explicit_throughout(scene, build)) return;
    bool by_probes = plan->samples_per_frame > 1;
    char hint[120];
    snprintf(hint, sizeof hint, "%s: %.4g Hz or less, or no `time_step`",
             by_probes ? "probe_rate" : "frame_rate", 1.0 / given);
    const char *where = sherd_scene_solver_where(scene, "time_step");
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, where != NULL ? where : "solver.time_step", hint,
        "implicit steps are not longer than %.4g s, where `time_step` asks for %.4g s: "
        "steps end at each %s",
        between, given, by_probes ? "row of `probe_rate`" : "frame");
}

void sherd_run_warn_steps(const sherd_scene *scene, const sherd_scene_build *build,
                          const sherd_step_plan *plan, sherd_messages *to)
{
    warn_unstable(scene, plan, to);
    warn_shortened(scene, build, plan, to);
}

// ---------------------------------------------------------------- keys without effect

static void warn_key(const sherd_scene *scene, const char *key, const char *why, const char *hint,
                     sherd_messages *to)
{
    const char *where = sherd_scene_solver_where(scene, key);
    if (where != NULL)
        sherd_message_send(to, SHERD_MESSAGE_WARNING, where, hint, "`%s` has no effect: %s", key,
                           why);
}

// Warns of keys that do not apply to points or to elements.
static void warn_keys_of_points(const sherd_scene *scene, bool all_explicit, sherd_messages *to)
{
    static const char *const OF_POINTS[] = {"kernel", "transfer", "flip"};
    static const char *const OF_ELEMENTS[] = {"sleep", "contact_skin", "contact_potential",
                                              "contact_stiffness", "precision"};
    int count = count_of_points(scene);
    bool points = count > 0, alone = count == scene->body_count;
    for (int k = 0; k < 3 && !points; ++k)
        warn_key(scene, OF_POINTS[k], "there are no material points", "remove it", to);
    for (int k = 0; k < 5 && points && alone; ++k)
        warn_key(scene, OF_ELEMENTS[k], "material points take no notice", "remove it", to);
    if (points && !alone && all_explicit)
        warn_key(scene, "sleep", "beside material points only regions of `auto` sleep", "remove it",
                 to);
}

void sherd_run_warn_solver_keys(const sherd_scene *scene, const sherd_scene_build *build,
                                sherd_messages *to)
{
    bool all_explicit = is_explicit_throughout(scene, build);
    warn_keys_of_points(scene, all_explicit, to);
    if (!scene->world.contacts)
        warn_key(scene, "contact_stiffness", "there are no contacts", "remove it", to);
    static const char *const OF_IMPLICIT[] = {"accuracy", "scheme", "fracture", "optimizer",
                                              "as_printed"};
    const sherd_world_def *world = &scene->world;
    sherd_method_info method = sherd_method_describe(world->method);
    bool switches = sherd_method_switches(&method);
    const char *hint = switches ? "remove it" : "remove it, or choose another `method`";
    for (int k = 0; k < 5 && all_explicit; ++k)
        warn_key(scene, OF_IMPLICIT[k], "all steps are explicit", hint, to);
    if (!all_explicit && world->optimizer == SHERD_STEP_OPTIMIZER_NEWTON)
        warn_key(scene, "as_printed", "only the algorithms of `optimizer` have it", "remove it",
                 to);
    if (all_explicit && world->time_step_in_limits > 0.0)
        warn_key(scene, "time_step", "a multiple of T is one of implicit steps; all are explicit",
                 "remove it; explicit steps are a share of T: `safety`", to);
    if (all_explicit && world->time_step > 0.0)
        warn_key(scene, "safety", "`time_step` is given", "remove one of them", to);
    if (!method.explicit_steps) warn_key(scene, "safety", "all steps are implicit", hint, to);
    if (switches) return;
    warn_key(scene, "regions", "only `method: auto` has regions", hint, to);
    warn_key(scene, "implicit_elements", "only `method: auto` asks for it", hint, to);
}
