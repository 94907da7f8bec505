// The schema of a run file's chunks, once for writing and reading: a column that is added here is written
// and read back, absent in older files where it is optional. docs/reference/run-file.md describes it.
#pragma once

#include "base/record.h"

#include <sherd/run_file.h>

// An array of a model or a frame: its pointer in the struct, and the column it is stored as.
typedef struct sherd_run_array {
    const char *name;
    sherd_run_per per;
    const sherd_row_layout *layout;
    unsigned flags; // SHERD_COLUMN_...; OPTIONAL: not written where the pointer is NULL
    size_t offset;  // of the pointer
} sherd_run_array;

typedef struct sherd_run_arrays {
    const sherd_run_array *list;
    int count;
} sherd_run_arrays;

extern const sherd_run_arrays sherd_run_model_arrays; // of sherd_run_model, in MODL
extern const sherd_run_arrays sherd_run_bond_arrays;  // the same, in BOND
extern const sherd_run_arrays sherd_run_frame_arrays; // of sherd_run_frame, in FRAM

const char *sherd_run_section(sherd_run_per per); // that holds columns by element or bond

// Structs.
extern const sherd_row_layout sherd_run_info_layout;   // but its texts
extern const sherd_row_layout sherd_run_counts_layout; // of sherd_run_model
extern const sherd_row_layout sherd_body_info_layout;  // but its name
extern const sherd_row_layout sherd_run_stats_layout;
extern const sherd_row_layout sherd_break_layout; // but what the model tells of its bond
extern const sherd_row_layout sherd_contact_force_layout;
extern const sherd_row_layout sherd_run_checkpoint_layout; // but what it points to

// Texts of sherd_run_info.
typedef struct sherd_run_text {
    const char *name;
    size_t offset;
} sherd_run_text;
enum { SHERD_RUN_TEXTS = 7 };
extern const sherd_run_text sherd_run_texts[SHERD_RUN_TEXTS];

// Meshes of tetrahedra: how large each body's is, 0 and 0 where it has none.
typedef struct sherd_tetra_counts {
    int32_t vertices, tetras;
} sherd_tetra_counts;
extern const sherd_row_layout sherd_tetra_counts_layout;
