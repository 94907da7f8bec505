// Bonds and their breaks among the files of `sherd export`: bonds.csv and breaks.csv of all frames,
// bonds_000012.vtp and breaks_000012.vtp of each.
#pragma once

#include "export/frame_files.h"

typedef struct bond_files {
    frame_place where;
    sherd_run_breaks *breaks;
    double *place;  // of each break, NAN: none yet (3 x bonds)
    int64_t before; // the last frame written, or the one before the first
    bool begun;     // a frame has been written
} bond_files;

void bond_files_look_csv(in_the_way *way, const char *folder);

// For the frames FIRST to LAST, which are then given in order. `where` is set before. Close in any
// case.
sherd_status bond_files_open(bond_files *b, sherd_run *run, int64_t first, int64_t last,
                             sherd_error *error);
void bond_files_close(bond_files *b);

sherd_status bond_files_vtk(bond_files *b, const sherd_run_model *model,
                            const sherd_run_frame *frame, sherd_error *error);

// With the first frame bonds.csv. Places of breaks are noted for the second function, called once
// all frames were given.
sherd_status bond_files_csv(bond_files *b, const sherd_run_model *model,
                            const sherd_run_frame *frame, sherd_error *error);
sherd_status bond_files_csv_breaks(bond_files *b, const sherd_run_model *model, sherd_error *error);
