// Files that hold one frame each: FOLDER/frame_000012.ply, elements_000012.vtp, surface_000012.vtp,
// elements_000012.csv; and the collections that list the .vtp files over time.
#pragma once

#include "files/in_the_way.h"
#include "pictures/picture.h"

// The functions below write into an existing folder and put what they write on the list.
typedef struct frame_place {
    own_files *own;
    const char *folder;
} frame_place;

// Looks for files in the way of the ones called WHAT_000012KIND, frames FIRST to LAST.
void frame_files_look(in_the_way *way, const char *folder, const char *what, const char *kind,
                      int64_t first, int64_t last);

// All fragments' meshes at the maker's frame.
sherd_status frame_files_write_ply(picture_maker *maker, picture_pose pose, int64_t frame,
                                   frame_place where, sherd_error *error);

// Elements and, with a maker (else NULL), the fragments' meshes at its frame.
sherd_status frame_files_write_vtk(const picture_maker *maker, const sherd_run_model *model,
                                   const sherd_run_frame *frame, frame_place where,
                                   sherd_error *error);

sherd_status frame_files_write_csv(const sherd_run_model *model, const sherd_run_frame *frame,
                                   frame_place where, sherd_error *error);

// FOLDER/WHAT_000012.KIND
void frame_files_path(char path[OUTPUT_PATH], const char *folder, const char *what, int64_t frame,
                      const char *kind);

// For each of `names`, which ends with NULL, NAME.pvd: the frames FIRST to LAST of which there is a
// .vtp file.
sherd_status frame_files_write_pvd(sherd_run *run, const char *const *names, int64_t first,
                                   int64_t last, frame_place where, sherd_error *error);
