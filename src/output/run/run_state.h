// The state of a run in progress, shared by the modules of this folder.
#pragma once

#include "output/files/output_list.h"
#include "output/messages.h"
#include "output/run/run_columns.h"
#include "output/run/run_timings.h"
#include "output/run_file/run_writer.h"

#include <sherd/given_columns.h>
#include <sherd/run.h>
#include <sherd/table.h>

typedef struct sherd_frame_outputs sherd_frame_outputs;

// What is told of a world when its run has ended.
typedef struct sherd_run_totals {
    sherd_solver_counts solver;
    sherd_step_times times;
    int64_t broken_glue;
} sherd_run_totals;

typedef struct sherd_run_loop {
    const sherd_run_def *def;
    sherd_messages messages;
    const sherd_scene *scene;
    const char *folder;
    sherd_output_list *own; // list of Sherd's files in the folder
    bool resumes;           // continues from a checkpoint
    sherd_scene_build build;
    sherd_world *world;   // NULL once it is released, after the last step
    sherd_run_totals end; // its totals then
    sherd_fragments *fragments;
    sherd_frame_outputs *outputs; // pictures and files of single frames
    sherd_run_info info;
    sherd_run_model model;
    sherd_given_columns given; // given properties of the model's elements
    sherd_run_bonds bonds;     // of the model and of the frame in progress
    char digest[32], machine[256];
    const char **settings; // the digest, then --set
    sherd_body_info *bodies;
    char **body_names;               // owned, NULL-terminated
    const sherd_tetra_mesh **tetras; // tetrahedra of the packings; NULL: no body has any
    const char **material_names, **obstacle_names;
    sherd_pose *obstacle_poses;
    float *stress_ratio;
    sherd_stress_columns stresses; // empty unless the scene requests them
    sherd_load_columns loads;      // likewise, for bonds
    sherd_run_column
        columns[SHERD_STRESS_COLUMNS + SHERD_LOAD_COLUMNS]; // of the frame: all of them
    sherd_contact_force *contacts;  // of the current frame; NULL: not requested; owned
    sherd_element_index *component; // of the current frame
    sherd_run *previous;            // while opening: the run that is resumed
    sherd_run_writer *writer;
    sherd_table_writer *stats, *probes, *breaks, *timings;
    sherd_step_plan plan;
    // Probe readings of the current frame, written when it is complete.
    sherd_probe_row *rows;
    int64_t row_count, row_capacity;
    sherd_break *broke; // scratch: breaks since the last frame
    int64_t broke_capacity;
    int64_t frame;            // last complete frame; -1 = none
    int64_t resumed_at;       // last complete frame when this session started
    double wall_before;       // [s] of earlier parts of a resumed run
    double start_clock;       // [s]
    double waited_wall;       // [s] when nothing but these was done
    double files_wall;        // [s] spent on run.sherd, tables, checkpoints, exports and the video
    double measuring_wall;    // [s] spent on energies, fragments and the diagnosis
    double building_wall;     // [s] spent on the scene, without packing and calibration
    sherd_run_timings told;   // sums of the rows so far
    double steps_wall;        // [s] spent on steps, since this start
    double slice_wall;        // [s] of the last slice of steps
    double stepping_clock;    // [s] when stepping began
    double stepping_time;     // [s] simulated then
    int64_t slice_steps;      // between checks of the stop request
    double next_checkpoint;   // [s] on the clock
    int64_t frames_left;      // whose pictures are not made, after the last step
    int64_t missing_pictures; // pictures that failed in this session
    sherd_run_stats last_stats;
    double largest_store; // of all frames [J]
} sherd_run_loop;

// The world's totals, which outlive it.
sherd_run_totals sherd_run_loop_totals(const sherd_run_loop *loop);
// Frees the world after the last step: files of all frames take as much memory, and need none of it.
void sherd_run_loop_release_world(sherd_run_loop *loop);

// The state that callbacks receive.
sherd_run_view sherd_run_loop_view(const sherd_run_loop *loop);
// Calls the callback for progress.
void sherd_run_loop_report(const sherd_run_loop *loop);

// Computing time since the run began [s].
double sherd_run_loop_wall(const sherd_run_loop *loop);
