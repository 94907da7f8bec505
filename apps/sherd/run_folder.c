#include "run_folder.h"

#include "open_scene.h"

#include <sherd/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- opening

// True if the frame rate is that of the run, whose scene includes it.
static bool same_frame_rate(const command_options *options)
{
    const char name[] = "output.frame_rate";
    for (int k = 0; k < options->override_count; ++k)
        if (strncmp(options->overrides[k], name, strlen(name)) == 0) return false;
    return true;
}

static int refuse_scene(const run_folder *r)
{
    if (r->options->scene != NULL)
        return message_usage("this scene breaks otherwise than that of the run", r->options->scene,
                             "colours, appearance, glass and all of output but frame_rate may "
                             "differ; run the scene for anything else");
    return message_usage("the inputs of this run have changed since: files that its scene names, "
                         "or the version of Sherd",
                         r->options->input,
                         "put the former mesh files back, or run the scene again; --to csv needs "
                         "none of them");
}

// The run file stores the scene's text, but not its mesh files: the present files must be the
// simulated ones. A scene of --scene must have the same physics as the run's.
static int check_same_scene(const run_folder *r)
{
    int version;
    unsigned long long digest;
    bool known = r->info.setting_count > 0 &&
                 sscanf(r->info.settings[0], "digest=%d:%llx", &version, &digest) == 2 &&
                 version == SHERD_SCENE_DIGEST_VERSION;
    if (!known || digest == r->scene->digest || !same_frame_rate(r->options)) return 0;
    return refuse_scene(r);
}

// True for a setting of pictures, exports or looks: colours, appearance, glass.
static bool is_of_looks(const char *setting)
{
    static const char *const LOOKS[] = {"color", "appearance", "glass", "visible"};
    size_t end = strcspn(setting, "=");
    if (strncmp(setting, "output.", 7) == 0) return true;
    for (size_t at = 0; at < end; at += strcspn(setting + at, ".=") + 1)
        for (size_t k = 0; k < sizeof LOOKS / sizeof LOOKS[0]; ++k)
            if (strcspn(setting + at, ".=[") == strlen(LOOKS[k]) &&
                strncmp(setting + at, LOOKS[k], strlen(LOOKS[k])) == 0)
                return true;
    return false;
}

// The run's settings after its digest, followed by those of this command.
static int collect_settings(const run_folder *r, const char **settings, int *count)
{
    for (int k = 1; k < r->info.setting_count; ++k)
        settings[(*count)++] = r->info.settings[k];
    for (int k = 0; k < r->options->override_count; ++k) {
        const char *setting = r->options->overrides[k];
        if (!is_of_looks(setting))
            return message_usage("the run is done, only output.* and looks may be set now", setting,
                                 "what may: output.* but frame_rate, as output.render.camera, "
                                 "output.render.color_by, output.surface or output.dust, and any "
                                 "color, appearance, glass or visible of materials, bodies and "
                                 "obstacles; run the scene again to change what happens");
        settings[(*count)++] = setting;
    }
    return 0;
}

static int parse_scene(run_folder *r, const char *const *settings, int count)
{
    sherd_scene_options scene_options = {r->info.variant[0] != '\0' ? r->info.variant : NULL, count,
                                         settings};
    char place[MESSAGE_PATH];
    find_scene_path(r->options->input, r->info.scene_path, place);
    int code;
    r->scene = r->options->scene != NULL
                   ? open_scene_with(r->options->scene, NULL, &scene_options, &code)
                   : open_scene_with(place, r->info.scene_text, &scene_options, &code);
    return r->scene != NULL ? check_same_scene(r) : code;
}

// Loads the scene from the text and settings in the run file, or a file with the same physics and
// other looks; cameras, methods and the like may be overridden.
static int load_scene(run_folder *r)
{
    int most = r->info.setting_count + r->options->override_count, count = 0;
    const char **settings = calloc((size_t)most + 1, sizeof *settings);
    if (settings == NULL) {
        sherd_error error = {.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
        return message_error(&error);
    }
    int code = collect_settings(r, settings, &count);
    if (code == 0) code = parse_scene(r, settings, count);
    free(settings);
    return code;
}

static int open_run(run_folder *r)
{
    const char *path = r->options->input;
    if (path == NULL)
        return message_usage("which run?", NULL, "give the folder that sherd run wrote");
    char file[MESSAGE_PATH];
    message_path(path, "run.sherd", file);
    if (sherd_folder_exists(path) && !sherd_file_exists(file))
        return message_usage("not a run folder, it has no run.sherd", path,
                             "give the folder that sherd run wrote");
    sherd_error error;
    r->run = sherd_run_open(path, &error);
    if (r->run == NULL) {
        message_error(&error);
        return EXIT_USAGE;
    }
    r->info = sherd_run_get_info(r->run);
    if (sherd_run_frame_count(r->run) == 0)
        return message_usage("there is no whole frame in this run", path,
                             "it was stopped too early: run the scene again");
    if (sherd_run_ignored_bytes(r->run) > 0)
        fprintf(stderr, "%lld bytes at the end of the run file are torn and ignored\n",
                (long long)sherd_run_ignored_bytes(r->run));
    return 0;
}

static int choose_frames(run_folder *r)
{
    const command_options *o = r->options;
    int64_t count = sherd_run_frame_count(r->run);
    r->first = o->frame_range ? o->first : 0;
    r->last = o->frame_range && o->last >= 0 ? o->last : count - 1;
    if (!o->frame_range && o->frames >= 0) r->first = r->last = o->frames;
    if (r->first < count && r->last < count) return 0;
    char text[96];
    snprintf(text, sizeof text, "%lld", (long long)(r->first < count ? r->last : r->first));
    char hint[96];
    snprintf(hint, sizeof hint, "this run has frames 0 to %lld", (long long)count - 1);
    return message_usage("--frames: no such frame", text, hint);
}

// Reports damaged frames, which are not exported.
static int look_for_damage(run_folder *r)
{
    char names[SHERD_DAMAGED_NAMES];
    r->damaged = sherd_run_damaged_frames(r->run, r->first, r->last, names);
    if (r->damaged > r->last - r->first)
        return message_usage("all frames asked for are damaged", r->options->input,
                             "sherd info says which are not");
    if (r->damaged > 0)
        fprintf(stderr,
                "%s\n  error: frames %s of the run file are damaged and left out\n"
                "  hint:  the disk may be failing; all other frames are written\n",
                r->options->input, names);
    return 0;
}

int run_folder_status(const run_folder *r)
{
    return r->damaged > 0 ? EXIT_FAILED : EXIT_DONE;
}

static void find_folder(run_folder *r)
{
    const char *path = r->options->input;
    const char *slash = strrchr(path, '/');
    if (sherd_folder_exists(path))
        snprintf(r->path, sizeof r->path, "%s", path);
    else if (slash == path)
        snprintf(r->path, sizeof r->path, "/");
    else if (slash == NULL)
        snprintf(r->path, sizeof r->path, ".");
    else
        snprintf(r->path, sizeof r->path, "%.*s", (int)(slash - path), path);
}

static bool mentions_dust(const run_folder *r)
{
    bool found = strstr(r->info.scene_text, "dust") != NULL;
    for (int k = 0; k < r->info.setting_count; ++k)
        found = found || strstr(r->info.settings[k], "dust") != NULL;
    for (int k = 0; k < r->options->override_count; ++k)
        found = found || strstr(r->options->overrides[k], "dust") != NULL;
    return found;
}

// Formats that need no scene are exported without dust if the scene cannot be read.
static void load_scene_for_dust(run_folder *r)
{
    if (load_scene(r) == 0) return;
    fprintf(stderr, "there is no dust in these files\n");
    sherd_scene_destroy(r->scene);
    r->scene = NULL;
}

int run_folder_open(run_folder *r, const command_options *options, sherd_export_needs needs)
{
    *r = (run_folder){.options = options};
    int code = open_run(r);
    if (code == 0) find_folder(r);
    if (code == 0) code = choose_frames(r);
    if (code == 0) code = look_for_damage(r);
    if (code == 0 && needs != SHERD_EXPORT_FROM_RUN) code = load_scene(r);
    if (code == 0 && needs == SHERD_EXPORT_FROM_RUN && mentions_dust(r)) load_scene_for_dust(r);
    return code;
}

void run_folder_close(run_folder *r)
{
    sherd_scene_destroy(r->scene);
    sherd_run_close(r->run);
}

// ---------------------------------------------------------------- what is to be made

// "frame 3/24": rewritten in place on a terminal, one line per frame otherwise.
static void show_progress(void *context, const char *what, int64_t frame, int64_t last)
{
    bool terminal = isatty(STDOUT_FILENO) != 0;
    (void)context;
    printf("%s%s %lld/%lld%s", terminal ? "\r\033[K" : "", what, (long long)frame, (long long)last,
           terminal && frame < last ? "" : "\n");
    fflush(stdout);
}

sherd_replay_def run_folder_def(const run_folder *r)
{
    const command_options *o = r->options;
    sherd_replay_def def = sherd_replay_def_default();
    def.run = r->run;
    def.scene = r->scene;
    def.folder = r->path;
    def.first = r->first;
    def.last = r->last;
    def.place = o->output;
    def.pose = o->rest ? SHERD_REPLAY_REST : SHERD_REPLAY_FRAME;
    def.foreign = o->overwrite ? SHERD_FOREIGN_OVERWRITE : SHERD_FOREIGN_KEEP;
    def.threads = o->threads;
    def.max_size = o->max_megabytes * INT64_C(1000000);
    def.on_frame = o->quiet ? NULL : show_progress;
    def.on_message = o->quiet ? message_print_quiet : message_print;
    return def;
}
