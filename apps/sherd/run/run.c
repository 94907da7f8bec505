// sherd run
#include "clock.h"
#include "commands.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/integration_share.h"
#include "diagnosis/noise_energy.h"
#include "files/output_names.h"
#include "message.h"
#include "pictures/video.h"
#include "run/outputs.h"
#include "run/report.h"
#include "run/run_loop.h"
#include "shell_words.h"
#include "warnings.h"

#include <sherd/file.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void default_folder(const sherd_scene *scene, char folder[512])
{
    snprintf(folder, 512, "out/%.200s%s%.200s", scene->name, scene->variant != NULL ? "-" : "",
             scene->variant != NULL ? scene->variant : "");
}

static void say_missing_pictures(const run_loop *loop)
{
    if (loop->missing_pictures > 0)
        fprintf(stderr, "%lld pictures are missing: make them with sherd render\n",
                (long long)loop->missing_pictures);
}

static void make_video(const run_loop *loop)
{
    if (loop->missing_pictures > 0) return;
    const sherd_scene_render *render = &loop->scene->output.render;
    if (!render->enabled || !render->video || loop->options->no_pictures) return;
    char pictures[OUTPUT_PATH], path[OUTPUT_PATH];
    output_path(loop->folder, "frames", pictures);
    output_path(loop->folder, "video.mp4", path);
    video_def def = {pictures, 0, loop->frame, loop->scene->output.frame_rate};
    sherd_error error;
    if (video_write(&def, loop->own, path, &error) == SHERD_OK) return;
    char folder[MESSAGE_NAME];
    fprintf(stderr, "no video: %s; the pictures are in %s/frames\n", error.what,
            message_name(loop->folder, folder));
}

static void make_report(const run_loop *loop)
{
    sherd_error error;
    if (loop->frame < 0 || report_write(loop, &error) == SHERD_OK) return;
    fprintf(stderr, "no report: %s\n", error.what);
}

// Every option that was given, so that what goes on is the same run with the same outputs.
static void say_resume_command(const run_loop *loop)
{
    const command_options *o = loop->options;
    char number[32];
    printf("  sherd run");
    print_shell_word(o->input);
    print_shell_option("--variant", o->variant);
    for (int k = 0; k < o->override_count; ++k)
        print_shell_option("--set", o->overrides[k]);
    snprintf(number, sizeof number, "%lld", (long long)o->frames);
    print_shell_option("--frames", o->frames >= 0 ? number : NULL);
    if (o->no_pictures) printf(" --no-pictures");
    snprintf(number, sizeof number, "%d", o->threads);
    print_shell_option("-j", o->threads > 0 ? number : NULL);
    print_shell_option("--simd", o->simd);
    if (o->quiet) printf(" --quiet");
    if (o->overwrite) printf(" --overwrite");
    print_shell_option("-o", loop->folder);
    printf(" --resume\n");
}

static int say_interrupted(const run_loop *loop)
{
    printf("stopped after step %lld; a checkpoint is written. Go on with:\n",
           (long long)sherd_world_step_count(loop->world));
    say_resume_command(loop);
    return EXIT_FAILED;
}

// Whoever resumes a run that is at its end would wonder why nothing moves.
static void say_nothing_left(const run_loop *loop)
{
    printf("nothing to simulate: the run has frames 0 to %lld already", (long long)loop->frame);
    if (loop->options->frames >= 0 && loop->options->frames <= loop->frame)
        printf(", --frames asks for %lld", (long long)loop->options->frames);
    printf("\n");
}

// What met so fast that steps were split, and whether that was enough.
static void say_fast(const run_loop *loop)
{
    sherd_split_steps split = sherd_world_split_steps(loop->world);
    if (split.steps > 0)
        printf("things met fast: %lld of %lld steps were made in %lld parts, down to 1/%lld of a "
               "step\n",
               (long long)split.steps, (long long)sherd_world_step_count(loop->world),
               (long long)split.parts, (long long)split.finest);
    if (split.deepest > 1.0)
        fprintf(stderr,
                "warning: things got up to %.2g radii deep into what they met: contact as stiff as "
                "that "
                "does not stop them, they pass; raise youngs_modulus or lower their speed\n",
                split.deepest);
}

// Implicit steps that are no longer than explicit ones might be, each of which costs a fraction of them.
static void say_short_steps(const run_loop *loop)
{
    sherd_error error;
    sherd_solver_counts n = sherd_world_solver_counts(loop->world);
    if (n.implicit_steps == 0 || n.explicit_steps > 0) return;
    double mean = sherd_world_time(loop->world) / (double)n.implicit_steps;
    double limit = sherd_world_stable_time_step(loop->world, &error);
    if (mean < limit)
        printf("implicit steps took %.2g us on average; explicit ones may take %.2g us and cost a "
               "fraction: use method auto or explicit\n",
               1e6 * mean, 1e6 * limit);
}

// How the run went, as far as its file tells.
static void say_findings(const run_loop *loop)
{
    diagnosis found;
    sherd_error error;
    sherd_run *run = sherd_run_open(loop->folder, &error);
    if (run == NULL) return;
    diagnosis_make(&found, run, loop->scene);
    diagnosis_say(&found);
    sherd_run_close(run);
}

static void say_done(const run_loop *loop)
{
    if (loop->options->quiet) return;
    if (loop->resumed_at >= loop->plan.frames) say_nothing_left(loop);
    char text[MESSAGE_TEXT];
    const sherd_run_stats *s = &loop->last_stats;
    printf("done in %s (%.1f s of it on pictures): %lld of %lld bonds broken, %lld fragments, "
           "energy balance %+.2g %%",
           message_duration(clock_seconds() - loop->start_clock, text), loop->pictures_wall,
           (long long)s->broken_bonds, (long long)loop->model.bond_count, (long long)s->fragments,
           100.0 * s->energy.balance_error);
    char share[INTEGRATION_TEXT];
    double largest = fmax(loop->largest_store, noise_energy(&loop->model, loop->scene));
    integration_tell(s->energy.dissipated_integration, largest, share);
    printf("%s%s\n", share[0] != '\0' ? ", " : "", share);
    say_fast(loop);
    say_short_steps(loop);
    say_findings(loop);
    char folder[MESSAGE_NAME];
    printf("in %s: report.html, run.sherd, stats.csv, probes.csv",
           message_name(loop->folder, folder));
    outputs_say(loop);
    printf("\n");
}

// Lists and the animation. What fails here leaves the run itself untouched.
static int make_outputs(const run_loop *loop, sherd_status status)
{
    sherd_error error;
    if (outputs_lists(loop, &error) != SHERD_OK) return message_error(&error);
    if (status != SHERD_OK) return EXIT_FAILED;
    return outputs_animation(loop, &error) == SHERD_OK ? EXIT_DONE : message_error(&error);
}

static bool has_checkpoint(const run_loop *loop)
{
    char path[OUTPUT_PATH];
    output_path(loop->folder, "checkpoint.sherd", path);
    return sherd_file_exists(path);
}

// The library speaks to runs that can go on.
static void advise(const run_loop *loop, sherd_error *error)
{
    if (error->status != SHERD_ERROR_IO || strstr(error->hint, "--resume") == NULL) return;
    if (!has_checkpoint(loop))
        snprintf(error->hint, sizeof error->hint,
                 "free some space or choose another folder with -o, and run the scene again: there "
                 "is no checkpoint yet to go on from");
}

// What there is of a run that failed, if it is still there.
static void say_what_stays(const run_loop *loop)
{
    char folder[MESSAGE_NAME];
    if (sherd_run_find(loop->folder) == SHERD_RUN_PRESENT)
        fprintf(stderr, "what was written to %s stays readable\n",
                message_name(loop->folder, folder));
}

static int finish(run_loop *loop, sherd_status status, sherd_error *error)
{
    bool there = loop->writer != NULL && sherd_run_find(loop->folder) == SHERD_RUN_PRESENT;
    if (there) make_report(loop);
    int code = there ? make_outputs(loop, status) : EXIT_FAILED;
    if (status == SHERD_ERROR_INTERRUPTED) return say_interrupted(loop);
    if (status != SHERD_OK) {
        advise(loop, error);
        int wrong = message_error(error);
        if (loop->writer == NULL) return wrong;
        say_what_stays(loop);
        return EXIT_FAILED;
    }
    say_missing_pictures(loop);
    make_video(loop);
    say_done(loop);
    return code;
}

int command_run(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("which scene?", NULL, "sherd run scenes/plate.yaml");
    if (options->frame_range)
        return message_usage("--frames wants one number here", NULL,
                             "a run starts at frame 0; ranges are for sherd export");
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {options->variant, options->override_count,
                                         options->overrides};
    sherd_scene *scene = sherd_scene_load(options->input, &scene_options, &diagnostics);
    if (scene == NULL) {
        int code = message_diagnostics(&diagnostics);
        sherd_diagnostics_free(&diagnostics);
        return code;
    }
    if (!options->quiet) notes_say(scene);
    char folder[512];
    default_folder(scene, folder);
    run_loop loop = {.options = options,
                     .scene = scene,
                     .folder = options->output != NULL ? options->output : folder};
    sherd_error error = {0};
    sherd_status status = run_loop_open(&loop, &error);
    if (status == SHERD_OK) status = run_loop_run(&loop, &error);
    int code = finish(&loop, status, &error);
    run_loop_free(&loop);
    sherd_scene_destroy(scene);
    return code;
}
