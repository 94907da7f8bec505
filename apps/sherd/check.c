// sherd check: validate a scene and predict what a run of it takes.
#include "bench.h"
#include "commands.h"
#include "message.h"
#include "run_loop.h"

#include <stdio.h>

enum { TRIALS = 9, TRIAL_STEPS = 4 };

static void say_world(const sherd_scene *scene, sherd_world *world, const sherd_scene_build *build,
                      double seconds_per_step, const step_plan *plan)
{
    char a[MESSAGE_TEXT], b[MESSAGE_TEXT];
    sherd_bond_view bonds = sherd_world_bonds(world);
    for (int k = 0; k < build->body_count; ++k) {
        const sherd_packing *p = build->packings[k];
        printf("  body %-16s %d elements of radius %.4g m, %d layers; spheres fill %.1f %% of the "
               "volume (cells %.1f %%)\n",
               scene->bodies[k].name, p->count, p->lattice_radius, p->layers,
               100.0 * p->solid_fraction, 100.0 * p->cell_volume_match);
    }
    double steps = (double)plan->frames * (double)plan->steps_per_frame;
    printf("  elements   %d\n  bonds      %lld\n  memory     about %s for the simulation\n",
           sherd_world_elements(world).count, (long long)bonds.count,
           message_bytes((double)sherd_world_memory(world).total, a));
    printf("  time step  %.4g s (stability limit %.4g s)\n  steps      %.0f in %lld frames\n",
           plan->dt, plan->limit, steps, (long long)plan->frames);
    printf("  run time   about %s on this machine, without pictures (%s per 1000 steps)\n",
           message_duration(steps * seconds_per_step, a),
           message_duration(1e3 * seconds_per_step, b));
}

// The median of a few trials: one that the machine interrupted must not count. 0 on failure.
static double time_step_of(sherd_world *world, sherd_error *error)
{
    double seconds[TRIALS];
    if (sherd_world_step(world, 2, error) != SHERD_OK) return 0.0; // first contact search
    for (int k = 0; k < TRIALS; ++k) {
        double start = clock_seconds();
        if (sherd_world_step(world, TRIAL_STEPS, error) != SHERD_OK) return 0.0;
        seconds[k] = (clock_seconds() - start) / TRIAL_STEPS;
    }
    return bench_statistics_of(seconds, TRIALS).median;
}

static sherd_status examine(const sherd_scene *scene, const command_options *options,
                            sherd_error *error)
{
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, options->threads, &build, error);
    if (world == NULL) return error->status;
    sherd_status status = SHERD_OK;
    double limit = sherd_world_stable_time_step(world, error);
    if (!(limit > 0.0)) status = error->status;
    if (status == SHERD_OK) {
        step_plan plan = step_plan_make(scene, limit);
        status = sherd_world_set_time_step(world, plan.dt, error);
        double each = status == SHERD_OK ? time_step_of(world, error) : 0.0;
        if (each > 0.0)
            say_world(scene, world, &build, each, &plan);
        else
            status = error->status;
    }
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    return status;
}

int command_check(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("which scene?", NULL, "sherd check scenes/plate.yaml");
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {options->variant, options->override_count,
                                         options->overrides};
    sherd_scene *scene = sherd_scene_load(options->input, &scene_options, &diagnostics);
    if (scene == NULL) {
        int code = message_diagnostics(&diagnostics);
        sherd_diagnostics_free(&diagnostics);
        return code;
    }
    printf("%s is valid%s%s\n", options->input, scene->variant != NULL ? ", variant " : "",
           scene->variant != NULL ? scene->variant : "");
    sherd_error error = {0};
    sherd_status status = examine(scene, options, &error);
    sherd_scene_destroy(scene);
    return status == SHERD_OK ? EXIT_DONE : message_error(&error);
}
