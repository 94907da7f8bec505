// Export files of bonds and breaks: bonds.csv and breaks.csv for all frames, bonds_000012.vtp and
// breaks_000012.vtp for each, bonds_000012.csv if a frame has columns of bonds.
#pragma once

#include "output/formats/format_job.h"

#define SHERD_BONDS_CSV "bonds.csv"
#define SHERD_BREAKS_CSV "breaks.csv"

typedef struct sherd_bond_files sherd_bond_files;

// Creates the job's state. Frames must then be passed in ascending order.
sherd_status sherd_bond_files_begin(sherd_format_job *job, sherd_error *error);
void sherd_bond_files_end(sherd_format_job *job);

sherd_status sherd_bond_files_vtk(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error);

// Writes bonds.csv with the first frame, and with every frame its columns of bonds. Records
// positions of breaks for the second function, which is called after all frames.
sherd_status sherd_bond_files_csv(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error);
sherd_status sherd_bond_files_csv_breaks(sherd_bond_files *b, const sherd_run_model *model,
                                         sherd_error *error);
