// Exports a run's bonds and their breaks as CSV and .vtp.
//
// A run file stores the first frame in which a bond is broken and, in newer files, the time, mode
// and released energy of the break (sherd/breaks.h).
#pragma once

#include <sherd/run_file.h>

// All bonds of a run as a table, one row per bond:
//     bond,i,j,body,material,x_m,y_m,z_m,rest_length_m,area_m2,intact_frame,broken_frame,broken_time_s
// x, y, z: the midpoint of the elements' centres in `frame`. Cells are empty where the run file has
// no area, and for broken_frame and broken_time_s of bonds that are intact in the last frame.
sherd_status sherd_csv_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_breaks *breaks, const sherd_run_frame *frame,
                                   sherd_error *error);

// Additional columns of bonds in a frame (sherd_run_frame.columns), one row per bond:
//     bond,i,j,body,material,broken, then one column each
sherd_status sherd_csv_write_bond_columns(const char *path, const sherd_run_model *model,
                                          const sherd_run_frame *frame, sherd_error *error);

// Breaks as a table, sorted by frame and bond:
//     frame,time_s,intact_frame,intact_time_s,bond,i,j,body,material,x_m,y_m,z_m,area_m2,break_time_s,mode,energy_j
// The last three are empty if the break was not recorded. `place` has the position of each break,
// NAN: no row (bond_count x 3).
sherd_status sherd_csv_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_breaks *breaks, const double *place,
                                    sherd_error *error);

// Midpoint of the centres of a bond's elements in a frame [m].
sherd_vec3 sherd_bond_middle(const sherd_run_model *model, const sherd_run_frame *frame,
                             sherd_bond_index bond);

// Intact bonds as lines between the centres of their elements, with the arrays bond, body,
// rest_length_m, stretch (length / rest length - 1), area_m2 if known, and the frame's columns of
// bonds. The points are all elements, with stress_ratio.
sherd_status sherd_vtp_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_frame *frame, sherd_error *error);

// Bonds that broke after frame `after` up to this one as points (sherd_bond_middle), with the
// arrays bond, i, j, body, frame, break_time_s (NAN if not recorded), mode (sherd_break_mode or
// -1), energy_j (or NAN), area_m2 if known, and the frame's columns of bonds.
sherd_status sherd_vtp_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_frame *frame, const sherd_run_breaks *breaks,
                                    int64_t after, sherd_error *error);
