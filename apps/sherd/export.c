// sherd export and sherd surface: files for other programs from a run folder, without simulating.
#include "export.h"

#include "animation.h"
#include "commands.h"
#include "deforming.h"
#include "frame_files.h"
#include "message.h"
#include "replay.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char EXPORT_HELP[] =
    "sherd export RUN --to FORMAT [--frames A:B] [-o PLACE]    files for other programs\n"
    "\n"
    "RUN is the folder of a finished or stopped run. FORMAT is one of\n"
    "  glb    one animated file: rigid fragments, broken faces with a material of their own;\n"
    "         for Blender, Houdini, web viewers          PLACE: file or folder, default "
    "RUN/run.glb\n"
    "  usda   the same as text USD, for Houdini and other pipelines; default RUN/run.usda\n"
    "  obj-pc2  one mesh and a point cache that moves its vertices (OBJ, MTL, PC2): bodies that "
    "bend\n"
    "         and break; for Blender (Mesh Cache), Houdini   PLACE: .obj file or folder, default\n"
    "         RUN/run.obj\n"
    "  vtk    a .vtp of the elements and one of the fragments' meshes per frame, and .pvd lists\n"
    "         over time; for ParaView                    PLACE: folder, default RUN/vtk\n"
    "  ply    all fragments' meshes, a file per frame    PLACE: folder, default RUN/surface\n"
    "         --rest: undeformed, each body in its own frame, where fragments touch exactly;\n"
    "         default RUN/rest\n"
    "  csv    a table of the elements, a file per frame  PLACE: folder, default RUN/csv\n"
    "\n"
    "  --frames A:B   only these frames, both included; A: and :B leave an end open, N is one "
    "frame\n"
    "  -o, --out PLACE   -j THREADS   --quiet\n"
    "\n"
    "Every file is complete or not there at all. csv needs nothing but the run file; the others "
    "also\n"
    "read the mesh files that the scene names.\n";

enum { PATH_SIZE = 1100 };

typedef struct format format;
typedef sherd_status format_writer(replay *r, const char *place, sherd_error *error);

struct format {
    const char *name;
    const char *place; // in the run folder
    replay_depth depth;
    format_writer *write;
};

// ---------------------------------------------------------------- a file per frame

static sherd_status write_ply(const replay *r, const sherd_run_frame *frame, void *folder,
                              sherd_error *error)
{
    picture_pose pose = r->options->rest ? PICTURE_REST : PICTURE_FRAME;
    return frame_files_write_ply(r->pictures, pose, frame->index, folder, error);
}

static sherd_status write_vtk(const replay *r, const sherd_run_frame *frame, void *folder,
                              sherd_error *error)
{
    return frame_files_write_vtk(r->pictures, &r->model, frame, folder, error);
}

static sherd_status write_csv(const replay *r, const sherd_run_frame *frame, void *folder,
                              sherd_error *error)
{
    return frame_files_write_csv(&r->model, frame, folder, error);
}

static sherd_status write_frames(replay *r, const char *folder, replay_frame *write,
                                 sherd_error *error)
{
    sherd_status status = sherd_folder_create(folder, error);
    if (status == SHERD_OK) status = replay_frames(r, write, (void *)folder, error);
    if (status == SHERD_OK && !r->options->quiet) printf("written to %s\n", folder);
    return status;
}

static sherd_status export_ply(replay *r, const char *folder, sherd_error *error)
{
    return write_frames(r, folder, write_ply, error);
}

static sherd_status export_csv(replay *r, const char *folder, sherd_error *error)
{
    return write_frames(r, folder, write_csv, error);
}

static sherd_status export_vtk(replay *r, const char *folder, sherd_error *error)
{
    sherd_status status = write_frames(r, folder, write_vtk, error);
    if (status != SHERD_OK) return status;
    return frame_files_write_pvd(r->run, r->first, r->last, folder, error);
}

// ---------------------------------------------------------------- one file

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

void export_say_animation(const animation_summary *summary, const char *path)
{
    char size[MESSAGE_TEXT];
    printf("%s: %d moving pieces, %s\n", path, summary->pieces,
           message_bytes((double)summary->size, size));
    if (summary->left_out > 0)
        printf("  without the %lld loose granules: too many for such a file, --to vtk takes them\n",
               (long long)summary->left_out);
}

// A file of this ending, or "run" with it in a folder, which is made.
static sherd_status choose_file(const char *place, const char *ending, char path[PATH_SIZE],
                                sherd_error *error)
{
    snprintf(path, PATH_SIZE, "%s", place);
    if (ends_with(place, ending)) return SHERD_OK;
    snprintf(path, PATH_SIZE, "%s/run%s", place, ending);
    return sherd_folder_create(place, error);
}

typedef sherd_status animation_writer(const animation_def *def, const char *path,
                                      animation_summary *summary, sherd_error *error);

static sherd_status export_animation(replay *r, const char *place, const char *ending,
                                     animation_writer *write, sherd_error *error)
{
    char path[PATH_SIZE];
    sherd_status status = choose_file(place, ending, path, error);
    bool quiet = r->options->quiet;
    if (!quiet) printf("meshes of the fragments in frame %lld\n", (long long)r->last);
    fflush(stdout);
    animation_def def = {r->run,
                         r->scene,
                         r->first,
                         r->last,
                         r->options->threads,
                         quiet ? NULL : replay_progress,
                         strcmp(ending, ".usda") == 0 ? SHERD_GLB_USDA : SHERD_GLB_BINARY};
    animation_summary summary;
    if (status == SHERD_OK) status = write(&def, path, &summary, error);
    if (status == SHERD_OK && !quiet) export_say_animation(&summary, path);
    return status;
}

static sherd_status export_glb(replay *r, const char *place, sherd_error *error)
{
    return export_animation(r, place, ".glb", animation_write, error);
}

static sherd_status export_usda(replay *r, const char *place, sherd_error *error)
{
    return export_animation(r, place, ".usda", animation_write, error);
}

static sherd_status export_obj_pc2(replay *r, const char *place, sherd_error *error)
{
    return export_animation(r, place, ".obj", deforming_write, error);
}

// ---------------------------------------------------------------- commands

static const format FORMATS[] = {
    {"glb", "run.glb", REPLAY_SCENE, export_glb},
    {"usda", "run.usda", REPLAY_SCENE, export_usda},
    {"obj-pc2", "run.obj", REPLAY_SCENE, export_obj_pc2},
    {"vtk", "vtk", REPLAY_MESHES, export_vtk},
    {"ply", "surface", REPLAY_MESHES, export_ply},
    {"csv", "csv", REPLAY_FRAMES, export_csv},
};

static int say_failed(const command_options *options, sherd_error *error)
{
    if (!options->quiet && isatty(STDOUT_FILENO) != 0) printf("\n"); // off the progress line
    // The library speaks to runs, which can be resumed.
    if (error->status == SHERD_ERROR_IO && strstr(error->hint, "--resume") != NULL)
        snprintf(error->hint, sizeof error->hint,
                 "make room there or choose another place with -o, and export again");
    return message_error(error);
}

static int export_to(const command_options *options, const format *f)
{
    replay r;
    int code = replay_open(&r, options, f->depth);
    if (code == 0) {
        char run[1000], place[1100];
        replay_folder(&r, run, sizeof run);
        snprintf(place, sizeof place, "%s/%s", run, options->rest ? "rest" : f->place);
        sherd_error error = {0};
        const char *wanted = options->output != NULL ? options->output : place;
        if (f->write(&r, wanted, &error) != SHERD_OK) code = say_failed(options, &error);
    }
    replay_close(&r);
    return code;
}

int command_export(const command_options *options)
{
    static const char hint[] = "--to glb, usda, obj-pc2, vtk, ply or csv; sherd export --help";
    if (options->format == NULL) return message_usage("which format?", NULL, hint);
    if (options->rest && strcmp(options->format, "ply") != 0)
        return message_usage("only ply has --rest", options->format, hint);
    for (size_t k = 0; k < sizeof FORMATS / sizeof FORMATS[0]; ++k)
        if (strcmp(options->format, FORMATS[k].name) == 0) return export_to(options, &FORMATS[k]);
    return message_usage("unknown format", options->format, hint);
}

int command_surface(const command_options *options)
{
    command_options to_ply = *options;
    to_ply.format = "ply";
    return command_export(&to_ply);
}
