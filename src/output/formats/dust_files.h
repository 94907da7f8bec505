// Dust among the files of each frame: dust_000012.vtp, .csv, .xyz and .ply. Nothing is written without dust.
#pragma once

#include "output/formats/format_job.h"

sherd_status sherd_dust_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
sherd_status sherd_dust_files_csv(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
sherd_status sherd_dust_files_xyz(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
// Not of undeformed meshes: there is none at rest.
sherd_status sherd_dust_files_ply(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
