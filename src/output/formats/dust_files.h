// Export files of dust in each frame: dust_000012.vtp, .csv, .xyz and .ply. Without dust nothing is
// written.
#pragma once

#include "output/formats/format_job.h"

sherd_status sherd_dust_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
sherd_status sherd_dust_files_csv(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
sherd_status sherd_dust_files_xyz(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
// Meshes of undeformed bodies have no dust.
sherd_status sherd_dust_files_ply(const sherd_format_job *job, const sherd_run_frame *frame,
                                  sherd_error *error);
