// The record of a run: FOLDER/run.sherd holds the scene, the model and every frame; the two newest
// checkpoints lie beside it. The format is described in docs/reference/run-file.md.
#pragma once

#include <sherd/body.h>
#include <sherd/breaks.h>
#include <sherd/energy.h>
#include <sherd/fragments.h>
#include <sherd/loads.h>
#include <sherd/tetra.h>

#include <stdbool.h>

// ---------------------------------------------------------------- contents

// The inputs of a run. NULL strings are stored as "".
typedef struct sherd_run_info {
    const char *name;            // of the scene
    const char *scene_path;      // where it was read from
    const char *scene_text;      // the file as it was
    const char *variant;         // --variant
    int setting_count;           // may be 0
    const char *const *settings; // other inputs that affect results: "path=value" as given to --set
    const char *machine;         // processor, threads: for the report, not compared on resume
    const char *version;         // of Sherd
    const char *simd;            // that computed the start: sherd_simd_name; "" if unknown
    double duration;             // [s]
    double frame_interval;       // [s]
    int64_t frames_planned;      // with frame 0; of a run that is read as last planned
} sherd_run_info;

// Constants of the run. Borrowed by the writer while it is called.
typedef struct sherd_run_model {
    sherd_element_index element_count;          // n
    const double *rest_x, *rest_y, *rest_z;     // in the body's rest frame [m]  (n)
    const double *radius;                       // [m]                           (n)
    const double *mass;                         // [kg]                          (n)
    const uint16_t *material;                   // index into materials          (n)
    sherd_bond_index bond_count;                // m: bonds, then particles of glue
    const sherd_element_index *bond_i, *bond_j; //                               (m)
    // number of bodies
    int body_count;
    const sherd_body_info *bodies; // elements of bodies are contiguous (body_count)
    // number of materials
    int material_count;
    const char *const *material_names; // (material_count)
    // number of obstacles
    int obstacle_count;
    const char *const *obstacle_names; // (obstacle_count)
    // Meshes of bodies made of tetrahedra, NULL for others (body_count); NULL: there are none.
    const sherd_tetra_mesh *const *tetras;
    const float *bond_section; // area [m^2]; NULL: not known, as in files of format 3    (m)
    // Of the m, how many are particles of glue between pieces of material points (sherd/glue.h):
    // the last ones. 0 in files that do not tell.
    sherd_bond_index glue_count;
    const int32_t *piece; // of its body that each element belongs to; NULL: there is no glue (n)
} sherd_run_model;

// One row of stats.csv.
typedef struct sherd_run_stats {
    // number of the frame, from 0
    int64_t frame;
    double time;      // [s]
    int64_t steps;    // since the start, but those in which everything slept
    double time_step; // [s]
    // energies of the world
    sherd_energy energy;
    // numbers of elements, bonds, broken bonds and fragments
    int64_t elements, bonds, broken_bonds, fragments;
    int64_t newton_iterations, linear_iterations; // since the start; 0 for the explicit method
    double wall;                                  // [s] of computing since the start
    // sherd_world_state_hash
    uint64_t state_hash;
    sherd_vec3 momentum;         // [kg m/s]
    sherd_vec3 angular_momentum; // about the origin [kg m^2/s]
    // Since the start, as sherd_solver_counts; 0 in files that do not tell.
    int64_t implicit_steps, unsettled_steps;
    int64_t
        torn; // pairs of material points, as sherd_world_torn_count; 0 in files that do not tell
} sherd_run_stats;

// Further columns of frames, of a model's or a law's elements or bonds. What a column has values
// of.
typedef enum sherd_run_per { SHERD_RUN_PER_ELEMENT, SHERD_RUN_PER_BOND } sherd_run_per;

// Largest number of further columns of a frame.
enum { SHERD_RUN_MOST_COLUMNS = 32 };

// A further column of a frame.
typedef struct sherd_run_column {
    const char *name; // as in tables, with its unit: "temperature_k"; 1 to 63 letters, digits and _
    // what its values belong to
    sherd_run_per per;
    const float *values; // finite or not                                         (n or m)
} sherd_run_column;

// Positions are stored exactly, orientations, velocities and stress ratios as 32-bit floats.
typedef struct sherd_run_frame {
    int64_t index;                             // 0, 1, 2, ... without gaps
    double time;                               // [s]
    const double *x, *y, *z;                   // position [m]                        (n)
    const double *qx, *qy, *qz, *qw;           // orientation, unit quaternion        (n)
    const double *vx, *vy, *vz;                // velocity [m/s]                      (n)
    const float *stress_ratio;                 // NULL when writing: all 0            (n)
    const sherd_fragment_id *element_fragment; // NULL when writing: all 0            (n)
    const uint8_t *bond_broken;                // 0 intact, else broken; glue, too    (m)
    const sherd_pose *obstacles;               // (obstacle_count of the model)
    // its row of stats.csv
    sherd_run_stats stats;
    int column_count; // 0 unless a model or a law adds columns; at most SHERD_RUN_MOST_COLUMNS
    const sherd_run_column *columns; // each name once per element and once per bond (column_count)
    int64_t break_count;             // 0 in files that do not tell
    const sherd_break
        *breaks; // since the frame before, as sherd_world_breaks has them (break_count)
    // number of contacts; 0 if they are not recorded
    int64_t contact_count;
    // As sherd_world_contact_forces has them (contact_count); NULL: they are not recorded.
    const sherd_contact_force *contacts;
} sherd_run_frame;

// All that is needed to continue bit for bit.
typedef struct sherd_run_checkpoint {
    int64_t frame;     // the last frame written before it; -1: none yet
    const void *state; // from sherd_world_save
    // number of bytes
    size_t state_size;
    const sherd_fragment_id *element_fragment; // for sherd_fragments_restore (element_count)
    // number of elements
    sherd_element_index element_count;
    // id of the next new fragment
    sherd_fragment_id next_fragment;
    const void *extra; // data of the caller; may be NULL
    // number of bytes
    size_t extra_size;
} sherd_run_checkpoint;

// ---------------------------------------------------------------- reading

// A run that is read; opaque. One thread at a time may use it. It may still be being written.
typedef struct sherd_run sherd_run;

// Opens a run folder, or the run file in it, and reads scene and model. Close it with
// sherd_run_close. NULL with SHERD_ERROR_IO, SHERD_ERROR_INPUT (not a run file, damaged before the
// first frame) or SHERD_ERROR_MEMORY.
SHERD_API sherd_run *sherd_run_open(const char *path, sherd_error *error);
// Closes a run and frees what it owns. NULL is allowed.
SHERD_API void sherd_run_close(sherd_run *run);

// Returns the inputs of the run; views are valid until it is closed.
SHERD_API sherd_run_info sherd_run_get_info(const sherd_run *run);
// Returns the model; views are valid until the run is closed.
SHERD_API sherd_run_model sherd_run_get_model(const sherd_run *run);

// Returns the number of frames up to the last complete one. Damaged frames in between count;
// reading one of them is an error.
SHERD_API int64_t sherd_run_frame_count(const sherd_run *run);

// Returns the number of bytes at the end that belong to no complete frame: an incomplete write, or
// damage.
SHERD_API int64_t sherd_run_ignored_bytes(const sherd_run *run);

// Reads frame `index`, from 0; free it with sherd_run_frame_destroy. Ascending order is fastest.
// NULL with SHERD_ERROR_INPUT (no such frame, damaged), SHERD_ERROR_IO or SHERD_ERROR_MEMORY.
SHERD_API sherd_run_frame *sherd_run_read_frame(sherd_run *run, int64_t index, sherd_error *error);
// Destroys a frame and its arrays. NULL is allowed.
SHERD_API void sherd_run_frame_destroy(sherd_run_frame *frame);

// Reads a frame's row of stats.csv alone, which is much cheaper. Errors as of sherd_run_read_frame.
SHERD_API sherd_status sherd_run_read_stats(sherd_run *run, int64_t index, sherd_run_stats *stats,
                                            sherd_error *error);

// When bonds broke, by the frames: after frame `intact[b]` and by frame `broken[b]`. These are
// neighbours but where frames between are damaged. And each break as it was recorded: none of
// damaged frames, of pre-cracks and in files of versions that did not record them.
typedef struct sherd_run_breaks {
    // number m of bonds and particles of glue
    sherd_bond_index bond_count;
    int64_t *broken;     // the first frame in which it is known to be broken; -1: it is not    (m)
    int64_t *intact;     // the last frame before in which it is known to be intact; -1: none    (m)
    int64_t frame_count; // frames examined
    int64_t known;       // the last frame up to which all breaks are known; -1: none
    double *time;        // of each frame; NAN: damaged [s]                           (frame_count)
    // number of recorded breaks; capacity of `events`
    int64_t event_count, event_capacity;
    sherd_break *events; // in order of frames, then as sherd_world_breaks has them   (event_count)
    int64_t *event;      // which one is the bond's; -1: none                                   (m)
} sherd_run_breaks;

// Of the frames up to `last`; in a file of a former version, up to the first with a damaged STEP
// chunk. Bonds that were broken from the start (pre-cracks) are broken in frame 0. NULL on failure.
SHERD_API sherd_run_breaks *sherd_run_read_breaks(sherd_run *run, int64_t last, sherd_error *error);
// Destroys a list of breaks. NULL is allowed.
SHERD_API void sherd_run_breaks_destroy(sherd_run_breaks *breaks);

// The newest checkpoint that is whole and belongs to a frame the file still has. NULL with
// SHERD_ERROR_INPUT when there is none. Free with sherd_run_checkpoint_destroy.
SHERD_API sherd_run_checkpoint *sherd_run_read_checkpoint(const sherd_run *run, sherd_error *error);
// Destroys a checkpoint. NULL is allowed.
SHERD_API void sherd_run_checkpoint_destroy(sherd_run_checkpoint *checkpoint);
