// sherd export and sherd surface: files for other programs from a run folder, without simulating.
#include "export/export.h"

#include "commands.h"
#include "export/animation.h"
#include "export/bond_files.h"
#include "export/deforming.h"
#include "export/frame_files.h"
#include "export/replay.h"
#include "message.h"

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
    "  vtk    for each frame a .vtp of the elements, of the fragments' meshes, of the intact "
    "bonds\n"
    "         (lines) and of the bonds that broke since the frame before (points), and .pvd lists\n"
    "         over time; for ParaView                    PLACE: folder, default RUN/vtk\n"
    "  ply    all fragments' meshes, a file per frame    PLACE: folder, default RUN/surface\n"
    "         --rest: undeformed, each body in its own frame, where fragments touch exactly;\n"
    "         default RUN/rest\n"
    "  csv    a table of the elements, a file per frame, with each one's largest stress over\n"
    "         strength; bonds.csv, all bonds and the frame in which each was found broken;\n"
    "         breaks.csv, where and when they broke      PLACE: folder, default RUN/csv\n"
    "\n"
    "  --frames A:B   only these frames, both included; A: and :B leave an end open, N is one "
    "frame\n"
    "  -o, --out PLACE   --overwrite   -j THREADS   --quiet\n"
    "\n"
    "Frames that are damaged in the run file are left out; in animations everything stays where "
    "it\n"
    "was then. The exit status is 1 then.\n"
    "Every file is complete or not there at all. csv needs nothing but the run file; the others "
    "also\n"
    "read the mesh files that the scene names.\n";

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
    frame_place where = {r->own, folder};
    return frame_files_write_ply(r->pictures, pose, frame->index, where, error);
}

static sherd_status write_vtk(const replay *r, const sherd_run_frame *frame, void *context,
                              sherd_error *error)
{
    bond_files *bonds = context;
    sherd_status status = frame_files_write_vtk(r->pictures, &r->model, frame, bonds->where, error);
    return status == SHERD_OK ? bond_files_vtk(bonds, &r->model, frame, error) : status;
}

static sherd_status write_csv(const replay *r, const sherd_run_frame *frame, void *context,
                              sherd_error *error)
{
    bond_files *bonds = context;
    sherd_status status = frame_files_write_csv(&r->model, frame, bonds->where, error);
    return status == SHERD_OK ? bond_files_csv(bonds, &r->model, frame, error) : status;
}

static sherd_status make_folder(const replay *r, const char *folder, const in_the_way *way,
                                sherd_error *error)
{
    sherd_status status = replay_check(r, way, error);
    return status == SHERD_OK ? sherd_folder_create(folder, error) : status;
}

static void say_written(const replay *r, const char *folder)
{
    char shown[MESSAGE_NAME];
    if (!r->options->quiet) printf("written to %s\n", message_name(folder, shown));
}

static in_the_way look_at(const replay *r, const char *folder)
{
    in_the_way way = {.own = r->own};
    if (r->options->output == NULL) in_the_way_look_at_folder(&way, folder);
    return way;
}

static sherd_status export_ply(replay *r, const char *folder, sherd_error *error)
{
    in_the_way way = look_at(r, folder);
    frame_files_look(&way, folder, "frame", "ply", r->first, r->last);
    sherd_status status = make_folder(r, folder, &way, error);
    if (status == SHERD_OK) status = replay_frames(r, write_ply, (void *)folder, error);
    if (status == SHERD_OK) say_written(r, folder);
    return status;
}

static sherd_status export_csv(replay *r, const char *folder, sherd_error *error)
{
    in_the_way way = look_at(r, folder);
    frame_files_look(&way, folder, "elements", "csv", r->first, r->last);
    bond_files_look_csv(&way, folder);
    bond_files bonds = {.where = {r->own, folder}};
    sherd_status status = make_folder(r, folder, &way, error);
    if (status == SHERD_OK) status = bond_files_open(&bonds, r->run, r->first, r->last, error);
    if (status == SHERD_OK) status = replay_frames(r, write_csv, &bonds, error);
    if (status == SHERD_OK) status = bond_files_csv_breaks(&bonds, &r->model, error);
    if (status == SHERD_OK) say_written(r, folder);
    bond_files_close(&bonds);
    return status;
}

static sherd_status export_vtk(replay *r, const char *folder, sherd_error *error)
{
    static const char *const lists[] = {"elements", "surface", "bonds", "breaks", NULL};
    in_the_way way = look_at(r, folder);
    for (int k = 0; lists[k] != NULL; ++k) {
        char path[OUTPUT_PATH];
        frame_files_look(&way, folder, lists[k], "vtp", r->first, r->last);
        snprintf(path, sizeof path, "%s/%s.pvd", folder, lists[k]);
        in_the_way_look(&way, path);
    }
    bond_files bonds = {.where = {r->own, folder}};
    sherd_status status = make_folder(r, folder, &way, error);
    if (status == SHERD_OK) status = bond_files_open(&bonds, r->run, r->first, r->last, error);
    if (status == SHERD_OK) status = replay_frames(r, write_vtk, &bonds, error);
    if (status == SHERD_OK)
        status = frame_files_write_pvd(r->run, lists, r->first, r->last, bonds.where, error);
    if (status == SHERD_OK) say_written(r, folder);
    bond_files_close(&bonds);
    return status;
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

// A file of this ending, or "run" with it in a folder.
static void choose_file(const char *place, const char *ending, char path[OUTPUT_PATH])
{
    bool is_file = ends_with(place, ending);
    snprintf(path, OUTPUT_PATH, "%s%s%s", place, is_file ? "" : "/run", is_file ? "" : ending);
}

typedef sherd_status animation_writer(const animation_def *def, const char *path,
                                      animation_summary *summary, sherd_error *error);

// PATH with another ending of four letters.
static void change_ending(const char *path, const char *ending, char changed[OUTPUT_PATH])
{
    snprintf(changed, OUTPUT_PATH, "%.*s%s", (int)strlen(path) - 4, path, ending);
}

// The files of one animation: PATH, and what lies beside an .obj.
static int list_files(const char *path, char files[3][OUTPUT_PATH])
{
    snprintf(files[0], OUTPUT_PATH, "%s", path);
    if (!ends_with(path, ".obj")) return 1;
    change_ending(path, ".mtl", files[1]);
    change_ending(path, ".pc2", files[2]);
    return 3;
}

// `place` is the file itself or its folder.
static sherd_status write_listed(replay *r, const char *place, const char *path,
                                 animation_writer *write, const animation_def *def,
                                 animation_summary *summary, sherd_error *error)
{
    char files[3][OUTPUT_PATH];
    int count = list_files(path, files);
    in_the_way way = {.own = r->own};
    for (int k = 0; k < count; ++k)
        in_the_way_look(&way, files[k]);
    sherd_status status = replay_check(r, &way, error);
    if (status == SHERD_OK && strcmp(place, path) != 0) status = sherd_folder_create(place, error);
    for (int k = 0; k < count && status == SHERD_OK; ++k)
        status = own_files_begin(r->own, files[k], error);
    if (status == SHERD_OK) status = write(def, path, summary, error);
    for (int k = 0; k < count && status == SHERD_OK; ++k)
        status = own_files_end(r->own, files[k], error);
    return status;
}

static sherd_status export_animation(replay *r, const char *place, const char *ending,
                                     animation_writer *write, sherd_error *error)
{
    char path[OUTPUT_PATH];
    choose_file(place, ending, path);
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
    sherd_status status = write_listed(r, place, path, write, &def, &summary, error);
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
        char run[OUTPUT_PATH], place[OUTPUT_PATH];
        replay_folder(&r, run);
        output_path(run, options->rest ? "rest" : f->place, place);
        sherd_error error = {0};
        const char *wanted = options->output != NULL ? options->output : place;
        code = f->write(&r, wanted, &error) == SHERD_OK ? replay_status(&r)
                                                        : say_failed(options, &error);
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
