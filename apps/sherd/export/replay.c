#include "export/replay.h"

#include "export/last_pieces.h"
#include "files/readable_frame.h"
#include "message.h"

#include <sherd/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- opening

// Whether frames are as often as in the run: how often is a part of what the run keeps of its scene.
static bool same_frame_rate(const command_options *options)
{
    const char name[] = "output.frame_rate";
    for (int k = 0; k < options->override_count; ++k)
        if (strncmp(options->overrides[k], name, strlen(name)) == 0) return false;
    return true;
}

// The run file keeps the scene's text, but not the meshes that it names: those on disk must be the
// ones that broke.
static int check_same_scene(const replay *r)
{
    int version;
    unsigned long long digest;
    bool known = r->info.setting_count > 0 &&
                 sscanf(r->info.settings[0], "digest=%d:%llx", &version, &digest) == 2 &&
                 version == SHERD_SCENE_DIGEST_VERSION;
    if (!known || digest == r->scene->digest || !same_frame_rate(r->options)) return 0;
    return message_usage("what this run was made of has changed since: files that its scene names, "
                         "or the version of Sherd",
                         r->options->input,
                         "put the former mesh files back, or run the scene again; --to csv needs "
                         "none of them");
}

// The run's settings behind its digest, then those of this command.
static int collect_settings(const replay *r, const char **settings, int *count)
{
    for (int k = 1; k < r->info.setting_count; ++k)
        settings[(*count)++] = r->info.settings[k];
    for (int k = 0; k < r->options->override_count; ++k) {
        const char *setting = r->options->overrides[k];
        if (strncmp(setting, "output.", 7) != 0)
            return message_usage("the run is done, only output.* may be set now", setting,
                                 "run the scene again with this setting");
        settings[(*count)++] = setting;
    }
    return 0;
}

static int parse_scene(replay *r, const char *const *settings, int count)
{
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {r->info.variant[0] != '\0' ? r->info.variant : NULL, count,
                                         settings};
    r->scene = sherd_scene_parse(r->info.scene_text, strlen(r->info.scene_text), r->info.scene_path,
                                 &scene_options, &diagnostics);
    if (r->scene != NULL) return check_same_scene(r);
    int code = message_diagnostics(&diagnostics);
    sherd_diagnostics_free(&diagnostics);
    return code;
}

// The scene as it was run, from the text and settings that the run file keeps; cameras, methods and
// the like may be set anew.
static int load_scene(replay *r)
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

static int open_run(replay *r)
{
    const char *path = r->options->input;
    if (path == NULL)
        return message_usage("which run?", NULL, "give the folder that sherd run wrote");
    char file[OUTPUT_PATH];
    output_path(path, "run.sherd", file);
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
    r->model = sherd_run_get_model(r->run);
    if (sherd_run_frame_count(r->run) == 0)
        return message_usage("there is no whole frame in this run", path,
                             "it was stopped too early: run the scene again");
    if (sherd_run_ignored_bytes(r->run) > 0)
        fprintf(stderr, "%lld bytes at the end of the run file are torn and ignored\n",
                (long long)sherd_run_ignored_bytes(r->run));
    return 0;
}

static int choose_frames(replay *r)
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

static int open_deeper(replay *r, replay_depth depth)
{
    int code = load_scene(r);
    if (code != 0) return code;
    sherd_error error = {0};
    r->fragments = sherd_fragments_create(&error);
    if (r->fragments == NULL) return message_error(&error);
    if (depth == REPLAY_SCENE) return 0;
    r->pictures = picture_maker_create(r->scene, &r->model, r->options->threads, &error);
    if (r->pictures == NULL) return message_error(&error);
    sherd_run_frame *first =
        readable_frame(r->run, 0, 0, sherd_run_frame_count(r->run) - 1, &error);
    if (first == NULL) return message_error(&error);
    picture_maker_aim(r->pictures, first);
    sherd_run_frame_destroy(first);
    return 0;
}

static int open_list(replay *r)
{
    char folder[OUTPUT_PATH];
    sherd_error error;
    replay_folder(r, folder);
    r->own = own_files_open(folder, &error);
    return r->own != NULL ? 0 : message_error(&error);
}

sherd_status replay_check(const replay *r, const in_the_way *way, sherd_error *error)
{
    return r->options->overwrite ? SHERD_OK : in_the_way_result(way, error);
}

// What is around damaged frames is made; which they are is said before.
static int look_for_damage(replay *r)
{
    char names[DAMAGED_NAMES];
    r->damaged = damaged_frames(r->run, r->first, r->last, names);
    if (r->damaged > r->last - r->first)
        return message_usage("all frames asked for are damaged", r->options->input,
                             "sherd info says which are not");
    if (r->damaged > 0)
        fprintf(stderr,
                "%s\n  error: frames %s of the run file are damaged and left out\n"
                "  hint:  the disk may be failing; what is around them is made\n",
                r->options->input, names);
    return 0;
}

int replay_status(const replay *r)
{
    return r->damaged > 0 ? EXIT_FAILED : EXIT_DONE;
}

int replay_open(replay *r, const command_options *options, replay_depth depth)
{
    *r = (replay){.options = options};
    int code = open_run(r);
    if (code == 0) code = open_list(r);
    if (code == 0) code = choose_frames(r);
    if (code == 0) code = look_for_damage(r);
    if (code == 0 && depth != REPLAY_FRAMES) code = open_deeper(r, depth);
    return code;
}

void replay_close(replay *r)
{
    picture_maker_destroy(r->pictures);
    sherd_fragments_destroy(r->fragments);
    sherd_scene_destroy(r->scene);
    own_files_close(r->own);
    sherd_run_close(r->run);
}

void replay_folder(const replay *r, char folder[OUTPUT_PATH])
{
    const char *path = r->options->input;
    const char *slash = strrchr(path, '/');
    if (sherd_folder_exists(path))
        snprintf(folder, OUTPUT_PATH, "%s", path);
    else if (slash == path)
        snprintf(folder, OUTPUT_PATH, "/");
    else if (slash == NULL)
        snprintf(folder, OUTPUT_PATH, ".");
    else
        snprintf(folder, OUTPUT_PATH, "%.*s", (int)(slash - path), path);
}

// ---------------------------------------------------------------- frames

void replay_progress(const char *what, int64_t frame, int64_t last)
{
    bool terminal = isatty(STDOUT_FILENO) != 0;
    printf("%s%s %lld/%lld%s", terminal ? "\r\033[K" : "", what, (long long)frame, (long long)last,
           terminal && frame < last ? "" : "\n");
    fflush(stdout);
}

// Fragments under the identities that the run gave them, and their meshes.
static sherd_status show_frame(replay *r, const sherd_run_frame *frame, sherd_error *error)
{
    sherd_status status = frame_fragments(r->fragments, &r->model, frame, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(r->fragments);
    return picture_maker_update(r->pictures, frame, &view, error);
}

sherd_status replay_frames(replay *r, replay_frame *work, void *context, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = r->first; k <= r->last && status == SHERD_OK; ++k) {
        if (r->damaged > 0 && damaged_frames(r->run, k, k, NULL) > 0) continue;
        sherd_run_frame *frame = sherd_run_read_frame(r->run, k, error);
        if (frame == NULL) return error->status;
        if (r->pictures != NULL) status = show_frame(r, frame, error);
        if (status == SHERD_OK) status = work(r, frame, context, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && !r->options->quiet) replay_progress("frame", k, r->last);
    }
    return status;
}
