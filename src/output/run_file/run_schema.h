// The schema of a run file's chunks, shared by writing and reading: a column added here is written
// and read. Optional columns may be absent in older files. docs/reference/run-file.md describes it.
#pragma once

#include "base/record.h"

#include <sherd/run_file.h>

// An array of a model or a frame: its pointer in the struct, and its column in the file.
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

const char *sherd_run_section(sherd_run_per per); // section name of columns by element or bond

// Structs.
extern const sherd_row_layout sherd_run_info_layout;   // except its strings
extern const sherd_row_layout sherd_run_counts_layout; // of sherd_run_model
extern const sherd_row_layout sherd_body_info_layout;  // except its name
extern const sherd_row_layout sherd_run_stats_layout;
extern const sherd_row_layout sherd_break_layout; // except the bond's properties in the model
extern const sherd_row_layout sherd_contact_force_layout;
extern const sherd_row_layout sherd_run_checkpoint_layout; // except what it points to

// Strings of sherd_run_info.
typedef struct sherd_run_text {
    const char *name;
    size_t offset;
} sherd_run_text;
enum { SHERD_RUN_TEXTS = 7 };
extern const sherd_run_text sherd_run_texts[SHERD_RUN_TEXTS];

// Size of each body's mesh of tetrahedra; 0 and 0 if it has none.
typedef struct sherd_tetra_counts {
    int32_t vertices, tetras;
} sherd_tetra_counts;
extern const sherd_row_layout sherd_tetra_counts_layout;
