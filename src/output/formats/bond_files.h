// Bonds and their breaks among the files of exports: bonds.csv and breaks.csv of all frames,
// bonds_000012.vtp and breaks_000012.vtp of each, bonds_000012.csv where a frame has columns of bonds.
#pragma once

#include "output/formats/format_job.h"

#define SHERD_BONDS_CSV "bonds.csv"
#define SHERD_BREAKS_CSV "breaks.csv"

typedef struct sherd_bond_files sherd_bond_files;

// The job's state, for its frames, which are then given in order.
sherd_status sherd_bond_files_begin(sherd_format_job *job, sherd_error *error);
void sherd_bond_files_end(sherd_format_job *job);

sherd_status sherd_bond_files_vtk(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error);

// With the first frame bonds.csv, with every frame its columns of bonds. Places of breaks are noted for the second function, called once
// all frames were given.
sherd_status sherd_bond_files_csv(sherd_bond_files *b, const sherd_run_model *model,
                                  const sherd_run_frame *frame, sherd_error *error);
sherd_status sherd_bond_files_csv_breaks(sherd_bond_files *b, const sherd_run_model *model,
                                         sherd_error *error);
