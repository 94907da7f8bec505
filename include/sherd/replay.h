// Files for other programs, and pictures, from the record of a run, without simulating.
//
//     sherd_replay_def def = sherd_replay_def_default();
//     def.run = sherd_run_open("out/plate", &error), def.folder = "out/plate";
//     def.scene = ...;                                the scene that the run was made from
//     def.last = sherd_run_frame_count(def.run) - 1;
//     sherd_replay_export(&def, sherd_export_format_find("glb"), &result, &error);
#pragma once

#include <sherd/message.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// ---------------------------------------------------------------- formats

// Input that a format needs.
typedef enum sherd_export_needs {
    SHERD_EXPORT_FROM_RUN,    // the run file alone
    SHERD_EXPORT_FROM_SCENE,  // the scene too
    SHERD_EXPORT_FROM_MESHES, // the fragments' meshes, frame by frame
} sherd_export_needs;

// Description of a format. One row of a table; a program that offers formats shows these.
typedef struct sherd_export_format {
    const char *word;       // "glb": of `sherd export --to`, and of output.meshes in scenes
    const char *place;      // in a run folder: a file, "run.glb", or a folder of files, "vtk"
    const char *rest_place; // of undeformed meshes; NULL: there is no such choice
    // input that it needs
    sherd_export_needs needs;
    bool in_runs;    // a run can make it: output.meshes may name it
    bool whole;      // made of all frames at once when a run has ended, not frame by frame
    const char *doc; // lines of help, each begins with two spaces and ends with a line feed
} sherd_export_format;

// Returns the number of formats. They are numbered from 0 in the order in which they are listed for
// users; sherd_scene_output has a bit for each.
SHERD_API int sherd_export_format_count(void);
// Returns the description of a format, static; NULL if there is no such format.
SHERD_API const sherd_export_format *sherd_export_format_get(int format);
// Returns the number of the format with this word; -1 if there is none.
SHERD_API int sherd_export_format_find(const char *word);

// ---------------------------------------------------------------- frames of a run

// Files that Sherd did not write: its own are in outputs.list of the run's folder.
typedef enum sherd_foreign_files {
    SHERD_FOREIGN_KEEP = 0,  // SHERD_ERROR_INPUT before anything is touched
    SHERD_FOREIGN_OVERWRITE, // written over where it is in the way
} sherd_foreign_files;

// Which positions an export shows.
typedef enum sherd_replay_pose {
    SHERD_REPLAY_FRAME = 0, // meshes as each frame has them
    SHERD_REPLAY_REST,      // undeformed, each body in its own frame, where fragments touch exactly
} sherd_replay_pose;

// How an html page will be opened.
typedef enum sherd_replay_page {
    SHERD_REPLAY_PAGE_ALONE = 0, // opens from disk, may load nothing
    SHERD_REPLAY_PAGE_SERVED,    // for a program that serves it: may ask that program
} sherd_replay_page;

// Definition of an export or rendering.
typedef struct sherd_replay_def {
    uint32_t cookie; // set by sherd_replay_def_default
    sherd_run *run;  // borrowed
    const sherd_scene
        *scene;         // the one that the run was made from; NULL where formats need the run alone
    const char *folder; // the run's, whose outputs.list is kept
    int64_t first, last;    // frames, both included
    const char *place;      // file or folder to write; NULL: the format's own in `folder`
    sherd_replay_pose pose; // for formats with a rest_place
    // files in the way that Sherd did not write, default KEEP
    sherd_foreign_files foreign;
    int threads;            // 0 = all
    int64_t max_size;       // of a page (html) [bytes]; 0: 60 MB
    sherd_replay_page page; // of html
    // After each frame, with the word for what is counted: "frame". May be NULL.
    void (*on_frame)(void *context, const char *what, int64_t frame, int64_t last);
    sherd_message_callback *on_message; // may be NULL
    void *context;                      // of the callbacks
} sherd_replay_def;

// Returns a definition for frame 0 alone. Set run, and scene and folder where formats need them.
SHERD_API sherd_replay_def sherd_replay_def_default(void);

// The result of an export.
typedef struct sherd_export_result {
    int64_t damaged;  // frames that could not be read and were left out
    int pieces;       // formats made of all frames at once: moving or resting things in the file
    int64_t left_out; // the same: loose granules beyond what such a file can hold
    int64_t crumbs_left_out; // the same: crumbs (output.debris), the smallest of their elements
    int64_t size;            // the same: of its files [bytes]
} sherd_export_result;

// Exports frames `first` to `last` in a format. Each file is either complete or absent. Damaged
// frames are left out; in formats made of all frames at once, objects keep their last positions
// instead. SHERD_ERROR_INPUT if files that Sherd did not write are in the way or the definition
// does not fit the format; SHERD_ERROR_UNSUPPORTED if there is nothing to show; SHERD_ERROR_IO,
// SHERD_ERROR_MEMORY.
SHERD_API sherd_status sherd_replay_export(const sherd_replay_def *def, int format,
                                           sherd_export_result *result, sherd_error *error);

// Writes a summary of an export that was made of all frames at once to `text` (size) and returns
// it: "out/run.glb: 167 moving pieces, 12 MB", and a second line about what was left out.
SHERD_API const char *sherd_export_result_text(const sherd_export_result *result, const char *path,
                                               char *text, size_t size);

// Writes the file or folder that an export of `def` writes to `path` (size), cut if it does not
// fit, and returns it.
SHERD_API const char *sherd_replay_export_place(const sherd_replay_def *def, int format, char *path,
                                                size_t size);

// Renders pictures to FOLDER/frames and a video of them to FOLDER/video.mp4, or both to `place`. A
// video that cannot be made is reported as a message, not as an error. Errors as of sherd_render,
// and SHERD_ERROR_IO.
SHERD_API sherd_status sherd_replay_render(const sherd_replay_def *def, sherd_error *error);

// ---------------------------------------------------------------- damaged frames

// Size of the text of sherd_run_damaged_frames, with the terminating zero [bytes].
enum { SHERD_DAMAGED_NAMES = 120 };
// Returns how many of the frames `first` to `last` are damaged. Writes their numbers to `names`
// ("3, 7 to 9 and more") unless it is NULL.
SHERD_API int64_t sherd_run_damaged_frames(sherd_run *run, int64_t first, int64_t last,
                                           char names[SHERD_DAMAGED_NAMES]);
