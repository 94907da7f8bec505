#include "output/run/run_describe.h"

#include "base/error.h"
#include "output/pictures/color_scale.h"

#include <sherd/simd.h>
#include <sherd/version.h>
#include <sherd/world_view.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void describe_machine(sherd_run_loop *loop)
{
    char line[200] = "", *colon = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && (colon = strchr(line, ':')) != NULL) break;
    if (file != NULL) fclose(file);
    if (colon != NULL) colon[strcspn(colon, "\n")] = '\0';
    snprintf(loop->machine, sizeof loop->machine, "%.150s, %d threads%s, %s",
             colon != NULL ? colon + 2 : "unknown processor", loop->def->threads,
             loop->def->threads == 0 ? " (all)" : "", sherd_simd_name(sherd_simd_level()));
}

static bool describe_settings(sherd_run_loop *loop)
{
    snprintf(loop->digest, sizeof loop->digest, "digest=%d:%016llx", SHERD_SCENE_DIGEST_VERSION,
             (unsigned long long)loop->scene->digest);
    loop->settings = calloc((size_t)loop->scene->override_count + 1, sizeof *loop->settings);
    if (loop->settings == NULL) return false;
    loop->settings[0] = loop->digest;
    for (int k = 0; k < loop->scene->override_count; ++k)
        loop->settings[k + 1] = loop->scene->overrides[k];
    return true;
}

static bool describe_tetras(sherd_run_loop *loop)
{
    int count = loop->build.body_count;
    bool any = false;
    for (int k = 0; k < count; ++k)
        any = any || loop->build.packings[k]->tetra != NULL;
    if (!any) return true;
    loop->tetras = calloc((size_t)count, sizeof *loop->tetras);
    for (int k = 0; loop->tetras != NULL && k < count; ++k)
        loop->tetras[k] = loop->build.packings[k]->tetra;
    return loop->tetras != NULL;
}

static bool allocate(sherd_run_loop *loop)
{
    const sherd_scene *scene = loop->scene;
    size_t bodies = (size_t)sherd_world_body_count(loop->world) + 1;
    size_t materials = (size_t)scene->material_count + 1;
    size_t obstacles = (size_t)scene->obstacle_count + 1;
    size_t elements = (size_t)sherd_world_elements(loop->world).count + 1;
    loop->bodies = calloc(bodies, sizeof *loop->bodies);
    loop->material_names = calloc(materials, sizeof *loop->material_names);
    loop->obstacle_names = calloc(obstacles, sizeof *loop->obstacle_names);
    loop->obstacle_poses = calloc(obstacles, sizeof *loop->obstacle_poses);
    loop->stress_ratio = calloc(elements, sizeof *loop->stress_ratio);
    loop->component = calloc(elements, sizeof *loop->component);
    const sherd_scene_output *output = &scene->output;
    bool shown = output->render.enabled && sherd_colors_show_stress(output->render.color_by);
    if ((output->stress || shown) &&
        !sherd_stress_columns_create(&loop->stresses, sherd_world_elements(loop->world).count))
        return false;
    if (!sherd_given_columns_create(&loop->given, loop->world) ||
        !sherd_run_bonds_create(&loop->bonds, loop->world, loop->given.bond_section))
        return false;
    if (output->bond_loads && !sherd_load_columns_create(&loop->loads, &loop->bonds)) return false;
    return loop->bodies != NULL && loop->material_names != NULL && loop->obstacle_names != NULL &&
           loop->obstacle_poses != NULL && loop->stress_ratio != NULL && loop->component != NULL;
}

static sherd_run_info describe_info(const sherd_run_loop *loop)
{
    const sherd_scene *scene = loop->scene;
    return (sherd_run_info){.name = scene->name,
                            .scene_path = scene->path,
                            .scene_text = scene->text,
                            .variant = scene->variant,
                            .setting_count = scene->override_count + 1,
                            .settings = loop->settings,
                            .machine = loop->machine,
                            .version = sherd_version(),
                            .simd = sherd_simd_name(sherd_simd_level()),
                            .duration = scene->duration,
                            .frame_interval = 1.0 / scene->output.frame_rate,
                            .frames_planned = loop->plan.frames + 1};
}

static sherd_run_model describe_model(const sherd_run_loop *loop)
{
    const sherd_run_bonds *b = &loop->bonds;
    return (sherd_run_model){sherd_world_elements(loop->world).count,
                             loop->given.rest_x,
                             loop->given.rest_y,
                             loop->given.rest_z,
                             loop->given.radius,
                             loop->given.mass,
                             loop->given.material,
                             b->count,
                             b->i,
                             b->j,
                             sherd_world_body_count(loop->world),
                             loop->bodies,
                             loop->scene->material_count,
                             loop->material_names,
                             loop->scene->obstacle_count,
                             loop->obstacle_names,
                             loop->tetras,
                             b->section,
                             b->glue_count,
                             b->piece};
}

sherd_status sherd_run_describe(sherd_run_loop *loop, sherd_error *error)
{
    const sherd_scene *scene = loop->scene;
    if (!allocate(loop) || !describe_tetras(loop) || !describe_settings(loop))
        return sherd_fail_memory(error, "the description of the run");
    for (int k = 0; k < sherd_world_body_count(loop->world); ++k)
        loop->bodies[k] = sherd_world_body(loop->world, k);
    for (int k = 0; k < scene->material_count; ++k)
        loop->material_names[k] = scene->materials[k].def.name;
    for (int k = 0; k < scene->obstacle_count; ++k)
        loop->obstacle_names[k] = scene->obstacles[k].def.name;
    describe_machine(loop);
    loop->info = describe_info(loop);
    loop->model = describe_model(loop);
    return SHERD_OK;
}
