// sherd render and sherd surface: pictures and meshes from a run folder, without simulating.
#include "commands.h"
#include "message.h"
#include "picture.h"

#include <sherd/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay {
    const command_options *options;
    sherd_run *run;
    sherd_run_info info;
    sherd_run_model model;
    sherd_scene *scene;
    sherd_fragments *fragments;
    picture_maker *pictures;
} replay;

// The scene as it was run, from the text and settings that the run file keeps.
static int load_scene(replay *r)
{
    static char lines[8192];
    const char *overrides[MOST_OVERRIDES];
    int count = 0;
    snprintf(lines, sizeof lines, "%s", r->info.settings);
    char *rest = lines, *line;
    while ((line = strsep(&rest, "\n")) != NULL && count < MOST_OVERRIDES)
        if (line[0] != '\0' && strncmp(line, "digest=", 7) != 0) overrides[count++] = line;
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options scene_options = {r->info.variant[0] != '\0' ? r->info.variant : NULL, count,
                                         overrides};
    r->scene = sherd_scene_parse(r->info.scene_text, strlen(r->info.scene_text), r->info.scene_path,
                                 &scene_options, &diagnostics);
    if (r->scene != NULL) return 0;
    int code = message_diagnostics(&diagnostics);
    sherd_diagnostics_free(&diagnostics);
    return code;
}

static int open_replay(replay *r, sherd_error *error)
{
    if (r->options->input == NULL)
        return message_usage("which run?", NULL, "give the folder that sherd run wrote");
    r->run = sherd_run_open(r->options->input, error);
    if (r->run == NULL) {
        message_error(error);
        return EXIT_USAGE;
    }
    r->info = sherd_run_get_info(r->run);
    r->model = sherd_run_get_model(r->run);
    int code = load_scene(r);
    if (code != 0) return code;
    r->fragments = sherd_fragments_create(error);
    r->pictures = picture_maker_create(r->scene, &r->model, r->options->threads, error);
    return r->fragments != NULL && r->pictures != NULL ? 0 : message_error(error);
}

static void close_replay(replay *r)
{
    picture_maker_destroy(r->pictures);
    sherd_fragments_destroy(r->fragments);
    sherd_scene_destroy(r->scene);
    sherd_run_close(r->run);
}

static sherd_status show_frame(replay *r, const sherd_run_frame *frame, sherd_error *error)
{
    sherd_fragment_input input = {r->model.element_count, r->model.mass,   r->model.radius,
                                  r->model.bond_count,    r->model.bond_i, r->model.bond_j,
                                  frame->bond_broken};
    sherd_status status = sherd_fragments_update(r->fragments, &input, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(r->fragments);
    return picture_maker_update(r->pictures, frame, &view, error);
}

typedef sherd_status frame_writer(replay *r, const char *folder, int64_t index, sherd_error *error);

static sherd_status write_picture(replay *r, const char *folder, int64_t index, sherd_error *error)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/frame_%06lld.png", folder, (long long)index);
    return picture_maker_render(r->pictures, path, error);
}

static sherd_status write_mesh(replay *r, const char *folder, int64_t index, sherd_error *error)
{
    sherd_mesh *mesh = picture_maker_mesh(r->pictures, error);
    if (mesh == NULL) return error->status;
    char path[1024];
    snprintf(path, sizeof path, "%s/frame_%06lld.ply", folder, (long long)index);
    sherd_status status = sherd_mesh_write_ply(mesh, path, error);
    sherd_mesh_destroy(mesh);
    return status;
}

static sherd_status all_frames(replay *r, const char *folder, frame_writer *write,
                               sherd_error *error)
{
    int64_t count = sherd_run_frame_count(r->run);
    if (r->options->frames >= 0 && r->options->frames + 1 < count) count = r->options->frames + 1;
    sherd_status status = sherd_folder_create(folder, error);
    for (int64_t k = 0; k < count && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(r->run, k, error);
        if (frame == NULL) return error->status;
        status = show_frame(r, frame, error);
        if (status == SHERD_OK) status = write(r, folder, k, error);
        sherd_run_frame_destroy(frame);
        if (!r->options->quiet) printf("frame %lld/%lld\n", (long long)k, (long long)count - 1);
    }
    return status;
}

static int replay_command(const command_options *options, const char *subfolder,
                          frame_writer *write)
{
    replay r = {.options = options};
    sherd_error error = {0};
    int code = open_replay(&r, &error);
    char folder[1024];
    if (options->output != NULL)
        snprintf(folder, sizeof folder, "%s", options->output);
    else
        snprintf(folder, sizeof folder, "%s/%s", options->input != NULL ? options->input : "",
                 subfolder);
    if (code == 0 && all_frames(&r, folder, write, &error) != SHERD_OK)
        code = message_error(&error);
    if (code == 0 && !options->quiet) printf("written to %s\n", folder);
    close_replay(&r);
    return code;
}

int command_surface(const command_options *options)
{
    return replay_command(options, "surface", write_mesh);
}

int command_render(const command_options *options)
{
    int code = replay_command(options, "frames", write_picture);
    if (code != 0) return code;
    char pattern[1024], path[1024];
    const char *folder = options->output != NULL ? options->output : options->input;
    snprintf(pattern, sizeof pattern, "%s%s/frame_%%06d.png", folder,
             options->output != NULL ? "" : "/frames");
    snprintf(path, sizeof path, "%s/video.mp4", folder);
    sherd_error error;
    if (sherd_video_from_frames(pattern, 30.0, path, &error) != SHERD_OK)
        fprintf(stderr, "no video: %s\n", error.what);
    return EXIT_DONE;
}
