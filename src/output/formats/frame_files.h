// Files that hold one frame each: FOLDER/frame_000012.ply, elements_000012.vtp, surface_000012.vtp,
// elements_000012.csv; and the collections that list the .vtp files over time.
#pragma once

#include "output/files/output_names.h"
#include "output/files/own_files.h"
#include "output/pictures/picture.h"

// The functions below write into an existing folder and put what they write on the list.
typedef struct sherd_frame_place {
    sherd_own_files *own;
    const char *folder;
} sherd_frame_place;

// All fragments' meshes at the maker's frame.
sherd_status sherd_frame_files_write_ply(sherd_picture_maker *maker, sherd_replay_pose pose,
                                         int64_t frame, sherd_frame_place where,
                                         sherd_error *error);

// Elements and, with a maker (else NULL), the fragments' meshes at its frame.
sherd_status sherd_frame_files_write_vtk(const sherd_picture_maker *maker,
                                         const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_place where, sherd_error *error);

sherd_status sherd_frame_files_write_csv(const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_place where, sherd_error *error);

// FOLDER/WHAT000012KIND
void sherd_frame_files_path(char path[OUTPUT_PATH], const char *folder, const char *what,
                            int64_t frame, const char *kind);

// For each of `names`, which ends with NULL, NAME.pvd: the frames FIRST to LAST of which there is a
// .vtp file.
sherd_status sherd_frame_files_write_pvd(sherd_run *run, const char *const *names, int64_t first,
                                         int64_t last, sherd_frame_place where, sherd_error *error);
