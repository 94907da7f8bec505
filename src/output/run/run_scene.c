// sherd_run_scene: definition, steps, files about the whole run, result.
#include <sherd/run.h>

#include "base/clock.h"
#include "base/error.h"
#include "output/diagnosis/energy_errors.h"
#include "output/files/output_names.h"

#include "output/run/frame_outputs.h"
#include "output/run/run_checkpoint.h"
#include "output/run/run_frame.h"
#include "output/run/run_open.h"
#include "output/run/run_outputs.h"
#include "output/run/run_report.h"
#include "output/run/run_state.h"
#include "output/run/step_plan.h"
#include "output/run_file/run_check.h"

#include <sherd/file.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COOKIE = 0x72756e21 };

sherd_run_def sherd_run_def_default(void)
{
    return (sherd_run_def){.cookie = COOKIE, .frames = -1};
}

const char *sherd_run_folder(const sherd_scene *scene, char folder[SHERD_RUN_FOLDER])
{
    snprintf(folder, SHERD_RUN_FOLDER, "out/%.200s%s%.200s", scene->name,
             scene->variant != NULL ? "-" : "", scene->variant != NULL ? scene->variant : "");
    return folder;
}

static sherd_status check_def(const sherd_run_def *def, sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "run", "start from sherd_run_def_default()",
                          "definition not initialised");
    if (def->scene == NULL && def->scene_path == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "run.scene", "set scene or scene_path",
                          "there is no scene");
    if (def->threads < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "run.threads", "0 is all", "got %d",
                          def->threads);
    return SHERD_OK;
}

// ---------------------------------------------------------------- what is made of the whole run

static void diagnose(const sherd_run_loop *loop, sherd_diagnosis *diagnosis)
{
    sherd_error error;
    sherd_run *run = sherd_run_open(loop->folder, &error);
    if (run == NULL) return;
    sherd_diagnosis_make(diagnosis, run, loop->scene);
    sherd_run_close(run);
}

// Writes lists and, for a finished run, everything else. Failures here do not affect the run itself.
static sherd_status make_summary(sherd_run_loop *loop, sherd_status ran, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_outputs_lists(loop, error);
    sherd_frame_outputs_release_meshes(loop->outputs); // others of all frames make their own
    if (ran == SHERD_OK) sherd_run_loop_release_world(loop);
    if (status == SHERD_OK && ran == SHERD_OK) status = sherd_outputs_whole(loop, error);
    if (status != SHERD_OK)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_ERROR, error->where, error->hint, "%s",
                           error->what);
    if (ran == SHERD_OK) sherd_outputs_video(loop);
    loop->files_wall += sherd_clock_seconds() - before;
    return status;
}

// Last, because it says what the time was spent on.
static void make_report(sherd_run_loop *loop, sherd_diagnosis *diagnosis)
{
    sherd_error failed;
    diagnose(loop, diagnosis);
    if (loop->frame < 0) return;
    sherd_status status = sherd_run_write_timings(loop, "end", &failed);
    if (status == SHERD_OK) status = sherd_run_report_write(loop, diagnosis, &failed);
    if (status != SHERD_OK)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL, "no report: %s",
                           failed.what);
}

// ---------------------------------------------------------------- result

static void describe_world(const sherd_run_loop *loop, sherd_run_result *result)
{
    sherd_error ignored;
    result->steps =
        sherd_world_step_count(loop->world) - sherd_world_solver_counts(loop->world).asleep_steps;
    result->solver = sherd_world_solver_counts(loop->world);
    result->split = sherd_world_split_steps(loop->world);
    if (result->end != SHERD_RUN_FINISHED || result->solver.implicit_steps == 0 ||
        result->solver.explicit_steps > 0)
        return;
    result->mean_step = sherd_world_time(loop->world) / (double)result->solver.implicit_steps;
    result->limit = sherd_world_stable_time_step(loop->world, &ignored);
}

static void fill_result(const sherd_run_loop *loop, sherd_run_result *result)
{
    result->begun = loop->writer != NULL;
    result->readable = sherd_run_find(loop->folder) == SHERD_RUN_PRESENT;
    result->frame = loop->frame;
    result->resumed_at = loop->resumed_at;
    result->bonds = loop->model.bond_count;
    result->glue_count = loop->model.glue_count;
    result->broken_glue = sherd_run_loop_totals(loop).broken_glue;
    result->plan = loop->plan;
    result->stats = loop->last_stats;
    if (loop->outputs != NULL) {
        double surfaces;
        sherd_frame_outputs_walls(loop->outputs, &surfaces, &result->render_wall);
        result->pictures_wall = surfaces + result->render_wall;
    }
    result->waited_wall = loop->waited_wall;
    result->formats = sherd_outputs_formats(loop);
    result->missing_pictures = loop->missing_pictures;
    result->warnings = loop->messages.warnings;
    double largest = fmax(loop->largest_store, sherd_noise_energy(&loop->model, loop->scene));
    sherd_integration_text(loop->last_stats.energy.dissipated_integration, largest,
                           result->integration);
}

// Adds a hint to resume to file errors.
static void advise(const sherd_run_loop *loop, sherd_error *error)
{
    char checkpoint[OUTPUT_PATH];
    if (error->status != SHERD_ERROR_IO || strstr(error->hint, "--resume") == NULL) return;
    sherd_output_path(loop->folder, "checkpoint.sherd", checkpoint);
    if (!sherd_file_exists(checkpoint))
        snprintf(error->hint, sizeof error->hint,
                 "free some space or choose another folder with -o, and run the scene again: there "
                 "is no checkpoint yet to go on from");
}

// ---------------------------------------------------------------- the run

static sherd_status finish(sherd_run_loop *loop, sherd_status ran, sherd_run_result *result,
                           sherd_error *error)
{
    sherd_error failed = {0};
    sherd_status made = SHERD_OK;
    bool there = loop->writer != NULL && sherd_run_find(loop->folder) == SHERD_RUN_PRESENT;
    bool summary = loop->def->summary == SHERD_RUN_SUMMARY_MAKE;
    result->end = ran == SHERD_OK                  ? SHERD_RUN_FINISHED
                  : ran == SHERD_ERROR_INTERRUPTED ? SHERD_RUN_STOPPED
                                                   : SHERD_RUN_FAILED;
    if (result->end != SHERD_RUN_FAILED) describe_world(loop, result);
    if (there && summary) {
        made = make_summary(loop, ran, &failed);
        make_report(loop, &result->diagnosis);
    }
    fill_result(loop, result);
    if (result->end == SHERD_RUN_STOPPED) return SHERD_OK;
    if (ran == SHERD_OK && made != SHERD_OK) *error = failed;
    if (ran == SHERD_OK) return made;
    advise(loop, error);
    return ran;
}

static void report_stepped(const sherd_run_loop *loop)
{
    if (loop->def->on_stage == NULL) return;
    sherd_run_view view = sherd_run_loop_view(loop);
    loop->def->on_stage(loop->def->context, SHERD_RUN_STEPPED, &view);
}

// Seconds of wall time. The first checkpoint is early, because most runs that are interrupted end
// soon.
static const double CHECKPOINT_FIRST = 2.0, CHECKPOINT_EVERY = 20.0;
static const double SLICE = 0.1; // seconds between checks of the stop request, if steps are shorter
enum { MAX_SLICE_STEPS = 32 };

// Makes a slice of steps and chooses the length of the next one. Results do not depend on slices.
static sherd_status step_slice(sherd_run_loop *loop, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_world_advance_towards(
        loop->world, sherd_step_plan_next_stop(&loop->plan, loop->world), loop->slice_steps, error);
    double took = sherd_clock_seconds() - before;
    loop->steps_wall += took;
    loop->slice_wall = took;
    if (took > SLICE && loop->slice_steps > 1)
        loop->slice_steps /= 2;
    else if (took < 0.5 * SLICE && loop->slice_steps < MAX_SLICE_STEPS)
        loop->slice_steps *= 2;
    return status;
}

static sherd_status write_checkpoint(sherd_run_loop *loop, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_run_checkpoint_write(loop, error);
    loop->files_wall += sherd_clock_seconds() - before;
    return status;
}

static sherd_status checkpoint_when_due(sherd_run_loop *loop, sherd_error *error)
{
    if (sherd_clock_seconds() < loop->next_checkpoint) return SHERD_OK;
    sherd_status status = write_checkpoint(loop, error);
    loop->next_checkpoint = sherd_clock_seconds() + CHECKPOINT_EVERY;
    return status;
}

static sherd_status stop(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_INTERRUPTED};
    return SHERD_ERROR_INTERRUPTED;
}

// Steps from the present state to the end of the current frame. Stops between steps on request.
static sherd_status step_frame(sherd_run_loop *loop, sherd_error *error)
{
    const sherd_step_plan *plan = &loop->plan;
    int64_t end = (loop->frame + 1) * plan->samples_per_frame;
    int64_t done = sherd_step_plan_samples(plan, loop->world);
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && done < end) {
        status = step_slice(loop, error);
        int64_t now = sherd_step_plan_samples(plan, loop->world);
        if (status == SHERD_OK && now > done) status = sherd_run_read_probes(loop, error);
        done = now;
        sherd_run_loop_report(loop);
        if (status == SHERD_OK && loop->def->stop != NULL && sherd_stop_requested(loop->def->stop))
            status = stop(error);
        if (status == SHERD_OK && done < end) status = checkpoint_when_due(loop, error);
    }
    return status;
}

// Calls the callback after a frame, which may stop the run, except after the last frame.
static sherd_status show_frame(sherd_run_loop *loop, sherd_error *error)
{
    if (loop->def->on_frame == NULL) return SHERD_OK;
    sherd_run_view view = sherd_run_loop_view(loop);
    sherd_run_answer answer = loop->def->on_frame(loop->def->context, &view);
    return answer == SHERD_RUN_STOP && loop->frame < loop->plan.frames ? stop(error) : SHERD_OK;
}

static sherd_status step_frames(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && loop->frame < loop->plan.frames) {
        status = step_frame(loop, error);
        if (status == SHERD_OK) status = sherd_run_finish_frame(loop, loop->frame + 1, error);
        if (status == SHERD_OK) status = show_frame(loop, error);
        if (status != SHERD_OK) break;
        status = loop->frame == loop->plan.frames ? write_checkpoint(loop, error)
                                                  : checkpoint_when_due(loop, error);
    }
    return status;
}

// The steps of a run, frame by frame, until its end or until a stop is requested.
// SHERD_ERROR_INTERRUPTED when a stop was requested, with a checkpoint written.
static sherd_status run_loop_run(sherd_run_loop *loop, sherd_error *error)
{
    loop->slice_steps = 1;
    bool first = loop->frame < 0;
    sherd_status status = first ? sherd_run_finish_frame(loop, 0, error) : SHERD_OK;
    loop->stepping_clock = sherd_clock_seconds();
    loop->stepping_time = sherd_world_time(loop->world);
    if (status == SHERD_OK && first) status = show_frame(loop, error);
    loop->next_checkpoint = sherd_clock_seconds() + CHECKPOINT_FIRST;
    if (status == SHERD_OK) status = step_frames(loop, error);
    if (status != SHERD_ERROR_INTERRUPTED) return status;
    sherd_error failed;
    if (sherd_run_checkpoint_write(loop, &failed) == SHERD_OK) return status;
    *error = failed;
    return failed.status;
}

// Makes the pictures that are left, unless the run was stopped. Their failure is the run's.
static sherd_status end_frames(sherd_run_loop *loop, sherd_status ran, sherd_error *error)
{
    sherd_error failed = {0};
    sherd_status made =
        sherd_frame_outputs_end(loop->outputs, ran != SHERD_ERROR_INTERRUPTED, &failed);
    if (ran == SHERD_ERROR_INTERRUPTED && loop->frames_left > 0)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_SHORTFALL, NULL, NULL,
                           "%lld pictures are still missing: --resume makes them, and sherd render",
                           (long long)loop->frames_left);
    if (ran == SHERD_OK && made != SHERD_OK) *error = failed;
    return ran == SHERD_OK ? made : ran;
}

static sherd_status run(const sherd_run_def *def, const sherd_scene *scene,
                        sherd_run_result *result, sherd_error *error)
{
    char folder[SHERD_RUN_FOLDER];
    sherd_run_loop loop = {
        .def = def,
        .messages = {def->on_message, def->context, 0},
        .scene = scene,
        .folder = def->folder != NULL ? def->folder : sherd_run_folder(scene, folder),
    };
    sherd_status status = sherd_run_loop_open(&loop, error);
    double start = loop.start_clock;
    if (status == SHERD_OK) {
        status = run_loop_run(&loop, error);
        status = end_frames(&loop, status, error);
        report_stepped(&loop);
    }
    status = finish(&loop, status, result, error);
    sherd_run_loop_free(&loop);
    result->wall = sherd_clock_seconds() - start;
    return status;
}

// All errors are sent as messages; the first one is returned.
static sherd_scene *load(const sherd_run_def *def, sherd_error *error)
{
    sherd_messages messages = {def->on_message, def->context, 0};
    sherd_diagnostics found = {0};
    sherd_scene *scene = sherd_scene_load(def->scene_path, &def->scene_options, &found);
    for (int k = 0; scene == NULL && k < found.count; ++k)
        sherd_message_send(&messages, SHERD_MESSAGE_ERROR, found.errors[k].where,
                           found.errors[k].hint, "%s", found.errors[k].what);
    if (scene == NULL && found.count > 0)
        *error = found.errors[0];
    else if (scene == NULL)
        sherd_fail_memory(error, "the scene");
    sherd_diagnostics_free(&found);
    return scene;
}

sherd_status sherd_run_scene(const sherd_run_def *def, sherd_run_result *result, sherd_error *error)
{
    *result = (sherd_run_result){.frame = -1, .resumed_at = -1};
    sherd_status status = check_def(def, error);
    if (status != SHERD_OK) return status;
    if (def->scene != NULL) return run(def, def->scene, result, error);
    sherd_scene *scene = load(def, error);
    if (scene == NULL) return error->status;
    status = run(def, scene, result, error);
    sherd_scene_destroy(scene);
    return status;
}
