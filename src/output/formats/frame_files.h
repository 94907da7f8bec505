// Export files of one frame each: FOLDER/frame_000012.ply, elements_000012.vtp, surface_000012.vtp,
// elements_000012.csv; and the collections (.pvd) that list the .vtp files over time.
#pragma once

#include "output/files/output_list.h"
#include "output/files/output_names.h"
#include "output/formats/format_job.h"
#include "output/pictures/picture.h"

// The functions below write to an existing folder and add the files to the list.
typedef struct sherd_frame_target {
    sherd_output_list *own;
    const char *folder;
} sherd_frame_target;

// Writes the meshes of all fragments in the current frame.
sherd_status sherd_frame_files_write_ply(sherd_picture_maker *maker, sherd_replay_pose pose,
                                         int64_t frame, sherd_frame_target where,
                                         sherd_error *error);

// Writes the elements and, if `maker` is not NULL, the meshes of the fragments in its current
// frame.
sherd_status sherd_frame_files_write_vtk(const sherd_picture_maker *maker,
                                         const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_target where, sherd_error *error);

sherd_status sherd_frame_files_write_csv(const sherd_run_model *model, const sherd_run_frame *frame,
                                         sherd_frame_target where, sherd_error *error);

// FOLDER/WHAT000012KIND
void sherd_frame_files_path(char path[OUTPUT_PATH], const char *folder, const char *what,
                            int64_t frame, const char *kind);

// Writes NAME.pvd for each of the NULL-terminated `names`: the frames first .. last that have a
// .vtp file.
sherd_status sherd_frame_files_write_pvd(sherd_run *run, const char *const *names, int64_t first,
                                         int64_t last, sherd_frame_target where,
                                         sherd_error *error);

// Export files of contact forces: contacts.csv for all frames, contacts_000012.vtp for each. They
// exist if frames have contact forces.

#define SHERD_CONTACTS_CSV "contacts.csv"

sherd_status sherd_contact_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);

// The table starts with the first frame that has contact forces and is finished at the end.
sherd_status sherd_contact_files_csv(sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);
sherd_status sherd_contact_files_csv_end(sherd_format_job *job, sherd_error *error);
void sherd_contact_files_close(sherd_format_job *job);
