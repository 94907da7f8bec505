#include "output/run/run_open.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pages/pages.h"
#include "output/files/output_names.h"
#include "output/files/previous_outputs.h"
#include "output/pictures/color_scale.h"
#include "output/run/build_messages.h"
#include "output/run/frame_outputs.h"
#include "output/run/run_outputs.h"
#include "output/run/run_resume.h"
#include "output/run/run_tables.h"
#include "output/run_file/run_check.h"
#include "output/run_file/run_writer.h"
#include "scene/scene_packings.h"

#include <sherd/simd.h>
#include <sherd/version.h>
#include <sherd/world.h>
#include <sherd/world_view.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds files that grow, and files that are replaced by newer versions, to the list.
static sherd_status list_own_files(sherd_run_loop *loop, sherd_error *error)
{
    static const char *const names[] = {"run.sherd",
                                        "stats.csv",
                                        "probes.csv",
                                        "breaks.csv",
                                        "timings.csv",
                                        "checkpoint.sherd",
                                        "checkpoint-former.sherd"};
    sherd_status status = sherd_output_list_tidy(loop->own, error);
    for (size_t k = 0; k < sizeof names / sizeof names[0] && status == SHERD_OK; ++k) {
        char path[OUTPUT_PATH];
        sherd_output_path(loop->folder, names[k], path);
        status = sherd_output_list_begin(loop->own, path, error);
    }
    return status;
}

// Nothing in the folder was changed so far. Locks it and checks again.
static sherd_status take_folder(sherd_run_loop *loop, sherd_error *error)
{
    if (loop->def->foreign == SHERD_FOREIGN_KEEP &&
        sherd_previous_outputs_check(loop->own, loop->folder, loop->frame, error) != SHERD_OK)
        return error->status;
    if (loop->def->foreign == SHERD_FOREIGN_OVERWRITE)
        sherd_previous_outputs_make_way(loop->own, loop->folder);
    sherd_output_list_remove_parts(loop->own);
    return list_own_files(loop, error);
}

static sherd_status open_outputs(sherd_run_loop *loop, sherd_error *error)
{
    bool replaced =
        loop->def->begin == SHERD_RUN_ANEW && sherd_run_find(loop->folder) == SHERD_RUN_PRESENT;
    sherd_status status = loop->resumes ? sherd_run_tables_check(loop, error) : SHERD_OK;
    if (status == SHERD_OK) status = take_folder(loop, error);
    if (status != SHERD_OK) return status;
    int threads = loop->def->threads;
    loop->writer =
        loop->resumes
            ? sherd_run_writer_resume(loop->folder, loop->frame, threads, error)
            : sherd_run_writer_create(loop->folder, &loop->info, &loop->model, threads, error);
    if (loop->writer == NULL) return error->status;
    sherd_run_writer_plan(loop->writer, loop->info.frames_planned);
    sherd_previous_outputs_remove(loop->own, loop->folder, loop->frame);
    if (replaced)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_INFO, NULL, NULL,
                           "the earlier run in %s is replaced", loop->folder);
    status = sherd_run_tables_open(loop, error);
    return status == SHERD_OK ? sherd_outputs_open(loop, error) : status;
}

// Reports errors early that would otherwise occur at the end.
static sherd_status examine_folder(sherd_run_loop *loop, sherd_error *error)
{
    loop->own = sherd_output_list_open(loop->folder, error);
    if (loop->own == NULL) return error->status;
    if (loop->def->foreign == SHERD_FOREIGN_OVERWRITE) return SHERD_OK;
    // A resumed run retains frames; which ones is known when its checkpoint is read.
    int64_t kept = loop->def->begin == SHERD_RUN_RESUME ? INT64_MAX : -1;
    return sherd_previous_outputs_check(loop->own, loop->folder, kept, error);
}

// Builds the world and plans its steps.
static sherd_status build_world(sherd_run_loop *loop, sherd_error *error)
{
    const sherd_run_def *def = loop->def;
    loop->world = sherd_scene_create_world_packed(loop->scene, def->threads, def->packed,
                                                  &loop->build, error);
    if (loop->world == NULL) return error->status;
    sherd_scene_tell_packings(loop->scene, &loop->build, def->on_message, def->context);
    loop->fragments = sherd_fragments_create(error);
    if (loop->fragments == NULL) return error->status;
    double limit = sherd_world_stable_time_step(loop->world, error);
    if (!(limit > 0.0)) {
        sherd_scene_locate(loop->scene, error);
        return error->status;
    }
    loop->plan = sherd_step_plan_make(loop->scene, limit);
    if (def->frames >= 0 && def->frames < loop->plan.frames) loop->plan.frames = def->frames;
    if (loop->plan.dt > 0.0) return sherd_world_set_time_step(loop->world, loop->plan.dt, error);
    return SHERD_OK;
}

static void report_stage(const sherd_run_loop *loop, sherd_run_stage stage)
{
    sherd_run_view view = sherd_run_loop_view(loop);
    if (loop->def->on_stage != NULL) loop->def->on_stage(loop->def->context, stage, &view);
}

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
    loop->body_names = calloc(bodies, sizeof *loop->body_names);
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
    return loop->bodies != NULL && loop->body_names != NULL && loop->material_names != NULL &&
           loop->obstacle_names != NULL && loop->obstacle_poses != NULL &&
           loop->stress_ratio != NULL && loop->component != NULL;
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

// Description of a run in its file: scene, settings and machine, and the constant model.
// Fills loop->info and loop->model.
static sherd_status describe_run(sherd_run_loop *loop, sherd_error *error)
{
    const sherd_scene *scene = loop->scene;
    if (!allocate(loop) || !describe_tetras(loop) || !describe_settings(loop))
        return sherd_fail_memory(error, "the description of the run");
    for (int k = 0; k < sherd_world_body_count(loop->world); ++k) {
        loop->bodies[k] = sherd_world_body(loop->world, k);
        loop->bodies[k].name = loop->body_names[k] = sherd_string_copy(loop->bodies[k].name);
        if (loop->body_names[k] == NULL) return sherd_fail_memory(error, "the names of bodies");
    }
    for (int k = 0; k < scene->material_count; ++k)
        loop->material_names[k] = scene->materials[k].def.name;
    for (int k = 0; k < scene->obstacle_count; ++k)
        loop->obstacle_names[k] = scene->obstacles[k].def.name;
    describe_machine(loop);
    loop->info = describe_info(loop);
    loop->model = describe_model(loop);
    return SHERD_OK;
}

// What only the beginning of a run needs: 64 bytes an element.
static void drop_what_was_described(sherd_run_loop *loop)
{
    sherd_scene_build_drop_elements(&loop->build);
    if (sherd_frame_outputs_use_rest(loop->outputs)) return;
    sherd_given_columns *given = &loop->given;
    sherd_free_pages(given->rest_x), sherd_free_pages(given->rest_y);
    sherd_free_pages(given->rest_z);
    given->rest_x = given->rest_y = given->rest_z = NULL;
    loop->model.rest_x = loop->model.rest_y = loop->model.rest_z = NULL;
}

sherd_status sherd_run_loop_open(sherd_run_loop *loop, sherd_error *error)
{
    bool resume = loop->def->begin == SHERD_RUN_RESUME;
    loop->frame = loop->resumed_at = -1;
    loop->start_clock = sherd_clock_seconds();
    sherd_status status = SHERD_OK;
    if (sherd_outputs_pictures(loop)) status = sherd_pictures_check(error);
    if (status == SHERD_OK) status = examine_folder(loop, error);
    if (status == SHERD_OK) status = build_world(loop, error);
    if (status != SHERD_OK) return status;
    report_stage(loop, SHERD_RUN_BUILT);
    if (!resume) {
        sherd_run_tell_warnings(loop->scene, &loop->build, &loop->plan, &loop->messages);
        sherd_run_warn_pieces(loop->scene, loop->world, &loop->messages);
    }
    status = describe_run(loop, error);
    if (status == SHERD_OK) status = sherd_output_list_lock(loop->own, error);
    if (status == SHERD_OK && resume) status = sherd_run_resume(loop, error);
    loop->resumed_at = loop->frame;
    if (status == SHERD_OK) status = open_outputs(loop, error);
    sherd_run_close(loop->previous);
    loop->previous = NULL;
    loop->building_wall = sherd_clock_seconds() - loop->start_clock - loop->build.packing_wall -
                          loop->build.calibration_wall;
    if (status != SHERD_OK) return status;
    drop_what_was_described(loop);
    report_stage(loop, SHERD_RUN_OPENED);
    return SHERD_OK;
}

void sherd_run_loop_free(sherd_run_loop *loop)
{
    sherd_frame_outputs_destroy(loop->outputs);
    sherd_error ignored; // all data were flushed by row and by frame
    sherd_table_writer_close(loop->stats, &ignored);
    sherd_table_writer_close(loop->probes, &ignored);
    sherd_table_writer_close(loop->breaks, &ignored);
    sherd_table_writer_close(loop->timings, &ignored);
    sherd_run_writer_close(loop->writer, &ignored);
    sherd_output_list_close(loop->own);
    sherd_fragments_destroy(loop->fragments);
    sherd_world_destroy(loop->world);
    sherd_scene_build_free(&loop->build);
    sherd_given_columns_free(&loop->given);
    sherd_run_bonds_free(&loop->bonds);
    free(loop->settings);
    for (int k = 0; loop->body_names != NULL && loop->body_names[k] != NULL; ++k)
        sherd_free(loop->body_names[k]);
    free(loop->body_names);
    free(loop->bodies);
    free(loop->tetras);
    free(loop->material_names);
    free(loop->obstacle_names);
    free(loop->obstacle_poses);
    free(loop->stress_ratio);
    sherd_stress_columns_free(&loop->stresses);
    sherd_load_columns_free(&loop->loads);
    sherd_world_free_contact_forces(loop->contacts);
    free(loop->component);
    free(loop->rows);
    free(loop->broke);
}
