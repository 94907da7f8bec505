// A run of a scene: its steps, frame by frame, and the files that it writes to a folder. It can be
// stopped and resumed bit for bit.
//
//     sherd_run_def def = sherd_run_def_default();
//     def.scene = scene, def.folder = "out/plate";
//     def.on_frame = show, def.context = &window;
//     sherd_run_result result;
//     if (sherd_run_scene(&def, &result, &error) != SHERD_OK) return report(&error);
//
// Nothing is printed and no signal is handled. Callbacks report progress; a sherd_stop, which a
// signal handler or another thread may request, ends the run between two steps with a checkpoint.
#pragma once

#include <sherd/diagnosis.h>
#include <sherd/message.h>
#include <sherd/replay.h>
#include <sherd/step_plan.h>

// ---------------------------------------------------------------- stopping

// A request to stop a run, in the caller's memory. Zero-filled: no stop is requested.
typedef struct sherd_stop {
    // not 0 after sherd_stop_request
    int requested;
} sherd_stop;

// Requests a stop, from any thread or from a signal handler. The run ends after the present step.
SHERD_API void sherd_stop_request(sherd_stop *stop);
// Returns true if a stop was requested.
SHERD_API bool sherd_stop_requested(const sherd_stop *stop);

// ---------------------------------------------------------------- observing a run

// A run in progress. Borrowed, valid during the callback.
typedef struct sherd_run_view {
    // the scene
    const sherd_scene *scene;
    // packings, ids and calibrations of its world; from the stage SHERD_RUN_OPENED on without arrays of elements and bonds
    const sherd_scene_build *build;
    // the world in its present state
    const sherd_world *world;
    // the run's folder
    const char *folder;
    sherd_step_plan plan; // its frames are those of this run, which `frames` may limit
    // From the stage SHERD_RUN_OPENED on; without reference positions where nothing that the run writes uses them.
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
    // After the last step: frames whose pictures are not made yet; 0 before.
    int64_t pictures_left;
} sherd_run_view;

// Answer of on_frame.
typedef enum sherd_run_answer {
    // continue
    SHERD_RUN_GO_ON = 0,
    SHERD_RUN_STOP, // as by a sherd_stop: a checkpoint is written, the run can be resumed
} sherd_run_answer;

// Stages of a run, told to on_stage.
typedef enum sherd_run_stage {
    SHERD_RUN_BUILT,  // the world is made; nothing in the folder has been touched
    SHERD_RUN_OPENED, // the folder is ready, a resumed run stands where it stopped; steps begin
    SHERD_RUN_STEPPED, // no more steps are made, whatever ended them; files about the whole run are made next
} sherd_run_stage;

// ---------------------------------------------------------------- definition

// What happens to an earlier run in the folder.
typedef enum sherd_run_begin {
    SHERD_RUN_ANEW = 0, // an earlier run of Sherd's in the folder is replaced
    SHERD_RUN_RESUME, // goes on from the folder's checkpoint; anew where there is no run, or no checkpoint yet
} sherd_run_begin;

// Whether pictures are rendered.
typedef enum sherd_run_pictures {
    // as the scene says
    SHERD_RUN_PICTURES_AS_SCENE = 0,
    // no pictures, whatever the scene says
    SHERD_RUN_PICTURES_NONE,
} sherd_run_pictures;

// Files about the whole run: report, lists over time, animation, video.
typedef enum sherd_run_summary {
    // written when the run ends
    SHERD_RUN_SUMMARY_MAKE = 0,
    // not written
    SHERD_RUN_SUMMARY_NONE,
} sherd_run_summary;

// Definition of a run.
typedef struct sherd_run_def {
    uint32_t cookie;          // set by sherd_run_def_default
    const sherd_scene *scene; // borrowed; NULL: loaded from
    // packings of `scene` that there are already, borrowed; NULL: the run packs its bodies
    const sherd_scene_build *packed;
    const char *scene_path;            // this file, with
    sherd_scene_options scene_options; // a variant and settings
    const char *folder;                // default NULL: sherd_run_folder
    int threads;                       // default 0 = all
    int64_t frames; // to compute after frame 0, default -1: as many as the scene says
    // default ANEW
    sherd_run_begin begin;
    // files in the folder that Sherd did not write, default KEEP
    sherd_foreign_files foreign;
    // default AS_SCENE
    sherd_run_pictures pictures;
    // default MAKE
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

// Returns a definition with the defaults above. Set scene or scene_path.
SHERD_API sherd_run_def sherd_run_def_default(void);

// Size of the text of sherd_run_folder, with the terminating zero [bytes].
enum { SHERD_RUN_FOLDER = 512 };
// Writes the default folder of a scene's run to `folder`, "out/NAME" or "out/NAME-VARIANT", and
// returns it.
SHERD_API const char *sherd_run_folder(const sherd_scene *scene, char folder[SHERD_RUN_FOLDER]);

// ---------------------------------------------------------------- running

// How a run ended.
typedef enum sherd_run_end {
    SHERD_RUN_FAILED = 0, // what was written stays readable
    SHERD_RUN_STOPPED,    // as asked; a checkpoint is written
    // all frames are complete
    SHERD_RUN_FINISHED,
} sherd_run_end;

enum { SHERD_RUN_ENERGY_TEXT = 80 };

// Result of a run, filled in any case.
typedef struct sherd_run_result {
    // how it ended
    sherd_run_end end;
    bool begun;         // the folder was taken: an earlier run in it is gone
    bool readable;      // there is a run in the folder
    int64_t frame;      // the last complete one; -1: none. Written by this call: frame - resumed_at
    int64_t resumed_at; // -1: begun anew
    int64_t steps;      // since the start, also before a resumption; not those in which all slept
    sherd_bond_index bonds; // and particles of glue: those are `glue_count` of them
    // number of particles of glue
    sherd_bond_index glue_count;
    int64_t broken_glue; // of stats.broken_bonds, in the last frame
    // its division into frames and steps
    sherd_step_plan plan;
    sherd_run_stats stats;      // of the last frame
    sherd_solver_counts solver; // since the start
    sherd_split_steps split;    // since the start
    // Mean length of implicit steps, 0 without any; stability limit at the end [s].
    double mean_step, limit;
    double wall;              // of this call [s]
    double pictures_wall;     // on surfaces and pictures, also beside the simulation [s]
    double render_wall;       // of that on pictures alone [s]
    double waited_wall;       // of this call's, when nothing but those was made [s]
    uint32_t formats;         // bit k: files of format k (<sherd/replay.h>) were to be made
    int64_t missing_pictures; // that could not be made
    int warnings;             // messages of this level
    char integration
        [SHERD_RUN_ENERGY_TEXT]; // "integration took 3 % of the largest stored energy"; "": half a per cent or less
    sherd_diagnosis diagnosis; // with SHERD_RUN_SUMMARY_MAKE
} sherd_run_result;

// Runs a scene until it ends or is stopped; result->end tells which. Errors: SHERD_ERROR_INPUT
// (scene, folder, another run in it), SHERD_ERROR_UNSTABLE, SHERD_ERROR_IO (disk full: the run can
// be resumed), SHERD_ERROR_MEMORY. If result->end is SHERD_RUN_FINISHED after an error, all frames
// are complete, but a file about the whole run could not be written. `result` is filled in any
// case.
SHERD_API sherd_status sherd_run_scene(const sherd_run_def *def, sherd_run_result *result,
                                       sherd_error *error);

// ---------------------------------------------------------------- notes and warnings

// Reports how well packings fill the bodies' shapes, by calling `tell` with SHERD_MESSAGE_NOTE.
SHERD_API void sherd_scene_tell_packings(const sherd_scene *scene, const sherd_scene_build *build,
                                         sherd_message_callback *tell, void *context);

// Reports bodies that start inside others, shapes that are poorly filled, and explicit steps above
// the stability limit, by calling `tell` with SHERD_MESSAGE_WARNING. A run does this by itself.
SHERD_API void sherd_scene_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                                         const sherd_step_plan *plan, sherd_message_callback *tell,
                                         void *context);
