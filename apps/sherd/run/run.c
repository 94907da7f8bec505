// sherd run: simulates a scene.
#include "calibrate.h"
#include "clock.h"
#include "commands.h"
#include "message.h"
#include "open_scene.h"
#include "run/progress.h"
#include "run/stop_request.h"

#include <sherd/file.h>
#include <sherd/run.h>
#include <sherd/world_view.h>

#include <malloc.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// State of the run for the command's callbacks.
typedef struct running {
    const command_options *options;
    const sherd_scene *scene;
    const char *folder;
    progress shown;
    bool stepping; // progress has been shown
} running;

// ---------------------------------------------------------------- while it runs

static void print_model(const sherd_run_view *view)
{
    char memory[SHERD_BYTES_TEXT], steps[SHERD_STEP_PLAN_TEXT];
    long long glue = view->model->glue_count;
    char glued[MESSAGE_TEXT] = "";
    if (glue > 0) snprintf(glued, sizeof glued, ", %lld particles of glue", glue);
    printf("%s: %d elements, %lld bonds%s, %s; %s\n", view->scene->name, view->model->element_count,
           (long long)view->model->bond_count - glue, glued,
           sherd_bytes_text((double)sherd_world_memory(view->world).total, memory),
           sherd_step_plan_text(&view->plan, &view->scene->world, view->world, steps));
    for (int k = 0; k < view->build->body_count; ++k) {
        const sherd_packing *p = view->build->packings[k];
        char radius[SHERD_LENGTH_TEXT];
        printf("  %s: %d elements of radius %s; ", view->model->bodies[k].name, p->count,
               sherd_length_text(p->lattice_radius, radius));
        if (p->solid_fraction > 1.0) // spheres of thin walls extend beyond them
            printf("their cells fill %.1f %% of the solid\n", 100.0 * p->cell_volume_match);
        else
            printf("they fill %.0f %% of the solid, their cells %.1f %%\n",
                   100.0 * p->solid_fraction, 100.0 * p->cell_volume_match);
    }
}

// Shows frame 0, or the last frame of a resumed run.
static void show_first(running *r, const sherd_run_view *view)
{
    r->shown = progress_start(view, r->options->quiet);
    r->stepping = true;
    if (view->frame < view->plan.frames) progress_frame(&r->shown, view);
}

// What reading, packing and building the world freed is most that a run of material points has beside its state.
static void give_memory_back(void)
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

static void on_stage(void *context, sherd_run_stage stage, const sherd_run_view *view)
{
    running *r = context;
    switch (stage) {
    case SHERD_RUN_BUILT:
        if (!r->options->quiet) calibrate_print_summary(view->scene, view->build);
        break;
    case SHERD_RUN_OPENED:
        if (!r->options->quiet) print_model(view);
        give_memory_back();
        stop_requests_begin();
        if (view->frame >= 0) show_first(r, view);
        break;
    case SHERD_RUN_STEPPED:
        if (r->stepping) progress_end(&r->shown);
        stop_requests_end();
        break;
    }
}

static void on_progress(void *context, const sherd_run_view *view)
{
    running *r = context;
    stop_requests_slice(view->last_step_wall);
    progress_step(&r->shown, view);
}

static sherd_run_answer on_frame(void *context, const sherd_run_view *view)
{
    running *r = context;
    if (r->stepping)
        progress_frame(&r->shown, view);
    else
        show_first(r, view);
    return SHERD_RUN_GO_ON;
}

// ---------------------------------------------------------------- when it has ended

// Quotes words for a shell.

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+=./:,@%^";

// Prints " WORD" to standard output, quoted if a shell would interpret it.
static void print_shell_word(const char *word)
{
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0') {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (const char *at = word; *at != '\0'; ++at)
        if (*at == '\'')
            printf("'\\''"); // close the quotes, write an escaped quote, reopen them
        else
            putchar(*at);
    printf("'");
}

// Prints " OPTION VALUE"; nothing if there is no value.
static void print_shell_option(const char *option, const char *value)
{
    if (value == NULL) return;
    printf(" %s", option);
    print_shell_word(value);
}

// Prints every given option, so that the same run continues with the same outputs.
static void print_resume_command(const running *r)
{
    const command_options *o = r->options;
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
    print_shell_option("-o", r->folder);
    printf(" --resume\n");
}

static int print_interrupted(const running *r, const sherd_run_result *result)
{
    printf("stopped after step %lld; a checkpoint is written. Go on with:\n",
           (long long)result->steps);
    print_resume_command(r);
    return EXIT_FAILED;
}

// Explains why resuming a finished run does nothing.
static void print_nothing_left(const running *r, const sherd_run_result *result)
{
    printf("nothing to simulate: the run has frames 0 to %lld already", (long long)result->frame);
    if (r->options->frames >= 0 && r->options->frames <= result->frame)
        printf(", --frames asks for %lld", (long long)r->options->frames);
    printf("\n");
}

// Reports fast contacts for which steps were split, and whether that was sufficient.
static void print_fast(const sherd_run_result *result)
{
    const sherd_split_steps *split = &result->split;
    if (split->steps > 0)
        printf("fast contacts: %lld of %lld steps were split into %lld parts, down to 1/%lld of a "
               "step\n",
               (long long)split->steps, (long long)result->steps, (long long)split->parts,
               (long long)split->finest);
    if (split->deepest > 1.0)
        fprintf(stderr,
                "warning: overlaps reached %.2g radii: contacts are too soft to stop such speeds, "
                "and bodies pass through each other; raise youngs_modulus or lower speeds\n",
                split->deepest);
}

// Warns if implicit steps are no longer than explicit ones, which are much cheaper.
static void print_short_steps(const sherd_run_result *result)
{
    char mean[MESSAGE_TEXT], limit[MESSAGE_TEXT];
    if (result->mean_step > 0.0 && result->mean_step < result->limit)
        printf("implicit steps took %s on average; explicit ones may take %s and cost less: use "
               "method auto or explicit\n",
               message_step(result->mean_step, mean), message_step(result->limit, limit));
}

// Reports pictures and exported files, if any.
static void print_outputs(const running *r, const sherd_run_result *result)
{
    const sherd_scene_output *output = &r->scene->output;
    char path[MESSAGE_PATH];
    message_path(r->folder, "video.mp4", path);
    char video[MESSAGE_TEXT];
    if (sherd_file_exists(path))
        printf(", video.mp4 (%s)", message_video(result->frame + 1, output->frame_rate, video));
    if (output->render.enabled && !r->options->no_pictures) printf(", frames/");
    for (int k = sherd_export_format_count() - 1; k >= 0; --k) {
        const char *place = sherd_export_format_get(k)->place;
        if ((result->formats >> k & 1) == 0) continue;
        message_path(r->folder, place, path);
        if (sherd_folder_exists(path)) printf(", %s/", place);
        if (sherd_file_exists(path)) printf(", %s", place);
    }
}

// Says how to get final pictures if those of the run are previews.
static void print_previews(const running *r)
{
    const sherd_scene_render *render = &r->scene->output.render;
    if (!render->enabled || r->options->no_pictures || render->quality == SHERD_SCENE_QUALITY_FINAL)
        return;
    printf("pictures are previews; make final ones with:\n  sherd render");
    print_shell_word(r->folder);
    if (render->quality == SHERD_SCENE_QUALITY_PREVIEW) printf(" --quality final");
    printf("\n");
}

// Reports glue separately, and no bonds if there is only glue.
static void print_broken(const sherd_run_result *result)
{
    long long glue = (long long)result->glue_count, broken = (long long)result->broken_glue,
              bonds = (long long)result->bonds - glue;
    if (bonds > 0 || glue == 0)
        printf("%lld of %lld bonds broken, ", (long long)result->stats.broken_bonds - broken,
               bonds);
    if (glue > 0) printf("%lld of %lld particles of glue broken, ", broken, glue);
}

static void print_done(const running *r, const sherd_run_result *result)
{
    if (r->options->quiet) return;
    if (result->resumed_at >= result->plan.frames) print_nothing_left(r, result);
    char text[MESSAGE_TEXT], folder[MESSAGE_NAME];
    const sherd_run_stats *s = &result->stats;
    printf("done in %s", message_duration(result->wall, text));
    if (result->pictures_wall > 0.0)
        printf(" (surfaces and pictures %.1f s, %.1f s of it beside the simulation)",
               result->pictures_wall, fmax(0.0, result->pictures_wall - result->waited_wall));
    printf(": ");
    print_broken(result);
    char percent[SHERD_PERCENT_TEXT];
    printf("%lld fragment%s, energy balance %s%s", (long long)s->fragments,
           s->fragments == 1 ? "" : "s", s->energy.balance_error > 0.0 ? "+" : "",
           sherd_percent_text(s->energy.balance_error, percent));
    printf("%s%s\n", result->integration[0] != '\0' ? ", " : "", result->integration);
    print_fast(result);
    print_short_steps(result);
    for (int k = 0; k < result->diagnosis.count; ++k)
        printf("  %s\n", result->diagnosis.findings[k].text);
    printf("in %s: report.html, run.sherd, stats.csv, probes.csv", message_name(r->folder, folder));
    print_outputs(r, result);
    printf("\n");
    print_previews(r);
}

static int print_failed(const running *r, const sherd_run_result *result, const sherd_error *error)
{
    char folder[MESSAGE_NAME];
    if (!result->begun) return message_refused(error);
    message_error(error);
    if (result->readable)
        fprintf(stderr, "what was written to %s stays readable\n", message_name(r->folder, folder));
    return EXIT_FAILED;
}

// ---------------------------------------------------------------- all of it

static sherd_run_def def_of(running *r)
{
    const command_options *o = r->options;
    sherd_run_def def = sherd_run_def_default();
    def.scene = r->scene;
    def.folder = r->folder;
    def.threads = o->threads;
    def.frames = o->frames;
    def.begin = o->resume ? SHERD_RUN_RESUME : SHERD_RUN_ANEW;
    def.foreign = o->overwrite ? SHERD_FOREIGN_OVERWRITE : SHERD_FOREIGN_KEEP;
    def.pictures = o->no_pictures ? SHERD_RUN_PICTURES_NONE : SHERD_RUN_PICTURES_AS_SCENE;
    def.stop = stop_request();
    def.on_stage = on_stage;
    def.on_progress = on_progress;
    def.on_frame = on_frame;
    def.on_message = o->quiet ? message_print_quiet : message_print;
    def.context = r;
    return def;
}

static int run_scene(const command_options *options, const sherd_scene *scene)
{
    char folder[SHERD_RUN_FOLDER];
    running r = {.options = options,
                 .scene = scene,
                 .folder =
                     options->output != NULL ? options->output : sherd_run_folder(scene, folder)};
    sherd_run_def def = def_of(&r);
    sherd_run_result result;
    sherd_error error = {0};
    sherd_status status = sherd_run_scene(&def, &result, &error);
    if (result.end == SHERD_RUN_STOPPED) return print_interrupted(&r, &result);
    if (result.end == SHERD_RUN_FAILED) return print_failed(&r, &result, &error);
    print_done(&r, &result);
    // A failed export of the whole run was already reported.
    return status == SHERD_OK ? EXIT_DONE : message_status(&error);
}

int command_run(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("which scene?", NULL, "sherd run scenes/plate.yaml");
    if (options->frame_range)
        return message_usage("--frames wants one number here", NULL,
                             "a run starts at frame 0; ranges are for sherd export");
    int code;
    sherd_scene *scene = open_scene(options, &code);
    if (scene == NULL) return code;
    if (!options->quiet) message_notes(scene);
    code = run_scene(options, scene);
    sherd_scene_destroy(scene);
    return code;
}
