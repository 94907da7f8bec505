// One animated .glb or .usda for a whole run: rigid fragments over time.
#pragma once

#include <sherd/export_glb.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

typedef struct animation_def {
    sherd_run *run;
    const sherd_scene *scene; // the one that the run was made from
    int64_t first, last;      // frames, both included
    int threads;              // 0 = all
    void (*progress)(const char *what, int64_t frame, int64_t last); // NULL: silent
    sherd_glb_format format;
} animation_def;

// What came of it.
typedef struct animation_summary {
    int pieces;       // moving or resting things in the file
    int64_t left_out; // loose granules beyond what such a file can hold
    int64_t size;     // [bytes]
} animation_summary;

// Where a frame is damaged, things stay where they were in the one before.
// SHERD_ERROR_UNSUPPORTED when there is nothing that such a file can show.
sherd_status animation_write(const animation_def *def, const char *path, animation_summary *summary,
                             sherd_error *error);
