// The state of a run in progress, for the modules that work on it: its loop, outputs, tables, progress line
// and report.
#pragma once

#include "files/own_files.h"
#include "options.h"
#include "pictures/picture.h"
#include "run/given_columns.h"
#include "run/step_plan.h"

#include <sherd/table.h>

typedef struct run_loop {
    const command_options *options;
    const char *folder;
    own_files *own; // what in the folder is Sherd's
    bool resumes;   // goes on from a checkpoint
    bool is_probe;  // made to be measured: warns of nothing
    sherd_scene *scene;
    sherd_scene_build build;
    sherd_world *world;
    sherd_fragments *fragments;
    picture_maker *pictures; // NULL when neither pictures nor meshes are wanted
    sherd_run_info info;
    sherd_run_model model;
    given_columns given; // what the model shows of elements
    char digest[32], machine[256];
    const char **settings; // the digest, then --set
    sherd_body_info *bodies;
    const sherd_tetra_mesh **tetras; // of the packings; NULL: no body is made of tetrahedra
    const char **material_names, **obstacle_names;
    sherd_pose *obstacle_poses;
    float *stress_ratio;
    sherd_run *former; // while opening: what a run that goes on has already
    sherd_run_writer *writer;
    sherd_table_writer *stats, *probes;
    step_plan plan;
    // Probe readings of the frame in progress, written when it is complete.
    sherd_probe_row *rows;
    int64_t row_count, row_capacity;
    int64_t frame;            // last complete frame; -1 = none
    int64_t resumed_at;       // the same when this start began
    double wall_before;       // [s] of earlier parts of a resumed run
    double start_clock;       // [s]
    double pictures_wall;     // [s] spent on surfaces and pictures
    double render_wall;       // [s] of that on pictures alone
    double steps_wall;        // [s] spent on steps, since this start
    int64_t slice_steps;      // between looks at Ctrl-C
    double next_checkpoint;   // [s] on the clock
    int64_t missing_pictures; // that could not be made, since this start
    sherd_run_stats last_stats;
    double largest_store; // of all frames [J]
} run_loop;
