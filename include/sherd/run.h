// A whole run of a scene: its steps, frame by frame, and all that it leaves in a folder. Can be stopped and
// resumed, bit for bit.
//
//     sherd_run_def def = sherd_run_def_default();
//     def.scene = scene, def.folder = "out/plate";
//     def.on_frame = show, def.context = &window;
//     sherd_run_result result;
//     if (sherd_run_scene(&def, &result, &error) != SHERD_OK) return report(&error);
//
// Nothing is printed, no signal is handled: callbacks report progress, and a sherd_stop, which a signal
// handler or another thread may request, ends the run between two steps, with a checkpoint.
#pragma once

#include <sherd/diagnosis.h>
#include <sherd/message.h>
#include <sherd/replay.h>
#include <sherd/step_plan.h>

// ---------------------------------------------------------------- stopping

// Zero-filled: no stop is requested. The caller's memory.
typedef struct sherd_stop {
    int requested;
} sherd_stop;

// From any thread, and from signal handlers.
SHERD_API void sherd_stop_request(sherd_stop *stop);
SHERD_API bool sherd_stop_requested(const sherd_stop *stop);

// ---------------------------------------------------------------- what is seen of a run in progress

// Borrowed, valid during the callback.
typedef struct sherd_run_view {
    const sherd_scene *scene;
    const sherd_scene_build *build;
    const sherd_world *world;
    const char *folder;
    sherd_step_plan plan; // its frames are those of this run, which `frames` may limit
    // From the stage SHERD_RUN_OPENED on:
    const sherd_run_model *model;
    sherd_fragment_view fragments; // of the last complete frame
    int64_t frame;                 // the last complete one; -1: none yet
    int64_t resumed_at;            // the same when this call began
    const sherd_run_stats *stats;  // of that frame; its time and state_hash among them
    // While stepping:
    double fraction;       // of the simulated time, 0 to 1
    double time_left;      // at the speed of this call so far [s]; -1: not known yet
    double stepping_wall;  // spent on steps in this call [s]
    double last_step_wall; // of the last step, or the few steps, before this callback [s]
} sherd_run_view;

typedef enum sherd_run_answer {
    SHERD_RUN_GO_ON = 0,
    SHERD_RUN_STOP, // as by a sherd_stop: a checkpoint is written, the run can be resumed
} sherd_run_answer;

typedef enum sherd_run_stage {
    SHERD_RUN_BUILT,  // the world is made; nothing in the folder has been touched
    SHERD_RUN_OPENED, // the folder is ready, a resumed run stands where it stopped; steps begin
    SHERD_RUN_STEPPED, // no more steps are made, whatever ended them; files about the whole run are made next
} sherd_run_stage;

// ---------------------------------------------------------------- definition

typedef enum sherd_run_begin {
    SHERD_RUN_ANEW = 0, // an earlier run of Sherd's in the folder is replaced
    SHERD_RUN_RESUME, // goes on from the folder's checkpoint; anew where there is no run, or no checkpoint yet
} sherd_run_begin;

typedef enum sherd_run_pictures {
    SHERD_RUN_PICTURES_AS_SCENE = 0,
    SHERD_RUN_PICTURES_NONE,
} sherd_run_pictures;

// Files about the whole run: report, lists over time, animation, video.
typedef enum sherd_run_summary {
    SHERD_RUN_SUMMARY_MAKE = 0,
    SHERD_RUN_SUMMARY_NONE,
} sherd_run_summary;

typedef struct sherd_run_def {
    uint32_t cookie;                   // set by sherd_run_def_default
    const sherd_scene *scene;          // borrowed; NULL: loaded from
    const char *scene_path;            // this file, with
    sherd_scene_options scene_options; // a variant and settings
    const char *folder;                // default NULL: sherd_run_folder
    int threads;                       // default 0 = all
    int64_t frames; // to compute after frame 0, default -1: as many as the scene says
    sherd_run_begin begin;
    sherd_foreign_files foreign;
    sherd_run_pictures pictures;
    sherd_run_summary summary;
    const sherd_stop *stop; // checked between steps; may be NULL
    // All may be NULL, all are called on the calling thread.
    void (*on_stage)(void *context, sherd_run_stage stage, const sherd_run_view *view);
    void (*on_progress)(void *context,
                        const sherd_run_view *view); // after a few steps, 0.1 s or one long step
    sherd_run_answer (*on_frame)(void *context,
                                 const sherd_run_view *view); // each frame once, when it is on disk
    sherd_message_callback *on_message;
    void *context;
} sherd_run_def;

SHERD_API sherd_run_def sherd_run_def_default(void);

// "out/NAME" or "out/NAME-VARIANT" into `folder`, which is returned.
enum { SHERD_RUN_FOLDER = 512 };
SHERD_API const char *sherd_run_folder(const sherd_scene *scene, char folder[SHERD_RUN_FOLDER]);

// ---------------------------------------------------------------- running

typedef enum sherd_run_end {
    SHERD_RUN_FAILED = 0, // what was written stays readable
    SHERD_RUN_STOPPED,    // as asked; a checkpoint is written
    SHERD_RUN_FINISHED,
} sherd_run_end;

enum { SHERD_RUN_ENERGY_TEXT = 80 };

typedef struct sherd_run_result {
    sherd_run_end end;
    bool begun;         // the folder was taken: an earlier run in it is gone
    bool readable;      // there is a run in the folder
    int64_t frame;      // the last complete one; -1: none. Written by this call: frame - resumed_at
    int64_t resumed_at; // -1: begun anew
    int64_t steps;      // since the start, also before a resumption
    sherd_bond_index bonds; // and particles of glue: those are `glue_count` of them
    sherd_bond_index glue_count;
    int64_t broken_glue; // of stats.broken_bonds, in the last frame
    sherd_step_plan plan;
    sherd_run_stats stats;      // of the last frame
    sherd_solver_counts solver; // since the start
    sherd_split_steps split;    // since the start
    double mean_step,
        limit;   // simulated time over implicit steps, 0: none; the stability limit at the end [s]
    double wall; // of this call [s]
    double pictures_wall;     // of that on surfaces and pictures [s]
    double render_wall;       // of that on pictures alone [s]
    uint32_t formats;         // bit k: files of format k (<sherd/replay.h>) were to be made
    int64_t missing_pictures; // that could not be made
    int warnings;             // messages of this level
    char integration
        [SHERD_RUN_ENERGY_TEXT]; // "integration took 3 % of the largest stored energy"; "": half a per cent or less
    sherd_diagnosis diagnosis; // with SHERD_RUN_SUMMARY_MAKE
} sherd_run_result;

// Runs a scene to its end or until it is stopped. SHERD_OK when it has finished or was stopped, as
// result->end says. Otherwise the error: SHERD_ERROR_INPUT (scene, folder, another run in it),
// SHERD_ERROR_UNSTABLE, SHERD_ERROR_IO (full disk: the run can be resumed), SHERD_ERROR_MEMORY; with
// SHERD_RUN_FINISHED all frames are there, but a file that shows the whole run could not be written.
// `result` is filled in any case.
SHERD_API sherd_status sherd_run_scene(const sherd_run_def *def, sherd_run_result *result,
                                       sherd_error *error);

// ---------------------------------------------------------------- what is worth telling of a scene's world

// Notes on the filling of the bodies' shapes, as SHERD_MESSAGE_NOTE.
SHERD_API void sherd_scene_tell_packings(const sherd_scene *scene, const sherd_scene_build *build,
                                         sherd_message_callback *tell, void *context);

// Bodies that begin inside others, shapes that their elements hardly fill, and explicit steps above the stability
// limit, as SHERD_MESSAGE_WARNING. A run reports all three by itself.
SHERD_API void sherd_scene_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                                         const sherd_step_plan *plan, sherd_message_callback *tell,
                                         void *context);
