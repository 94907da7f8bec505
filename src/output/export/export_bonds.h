// Bonds of a run and their breaks for other programs, as CSV and .vtp.
//
// A run file contains the frame in which a bond is broken for the first time, and, since it is recorded, the moment,
// what broke it and what was released (sherd/breaks.h).
#pragma once

#include <sherd/run_file.h>

// All bonds of a run as a table, one row per bond:
//     bond,i,j,body,material,x_m,y_m,z_m,rest_length_m,area_m2,intact_frame,broken_frame,broken_time_s
// x, y, z: the middle between the elements' centres in `frame`. Empty cells: area_m2 where the run
// file has none; broken_frame and broken_time_s of bonds that are intact in the last frame known.
sherd_status sherd_csv_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_breaks *breaks, const sherd_run_frame *frame,
                                   sherd_error *error);

// What a model or a law tells of each bond in a frame (sherd_run_frame.columns), one row per bond:
//     bond,i,j,body,material,broken, then a column for each, under its name
sherd_status sherd_csv_write_bond_columns(const char *path, const sherd_run_model *model,
                                          const sherd_run_frame *frame, sherd_error *error);

// Breaks as a table, by frame and bond:
//     frame,time_s,intact_frame,intact_time_s,bond,i,j,body,material,x_m,y_m,z_m,area_m2,break_time_s,mode,energy_j
// The last three are empty where nothing was recorded of the break. `place` has x, y, z of each break, NAN: no row (bond_count x 3).
sherd_status sherd_csv_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_breaks *breaks, const double *place,
                                    sherd_error *error);

// The middle between the centres of a bond's elements in a frame [m].
sherd_vec3 sherd_bond_middle(const sherd_run_model *model, const sherd_run_frame *frame,
                             sherd_bond_index bond);

// Intact bonds as lines between the centres of their elements, with bond, body, rest_length_m, stretch
// (length over rest_length_m, less 1) and, where it is known, area_m2, and what the frame's columns tell of
// bonds; points are all elements, with stress_ratio.
sherd_status sherd_vtp_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_frame *frame, sherd_error *error);

// Bonds that broke behind frame `after` up to this one as points (sherd_bond_middle), with bond, i, j,
// body, frame, break_time_s (NAN), mode (sherd_break_mode; -1), energy_j (NAN: nothing was recorded) and, where it is
// known, area_m2, and what the frame's columns tell of bonds.
sherd_status sherd_vtp_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_frame *frame, const sherd_run_breaks *breaks,
                                    int64_t after, sherd_error *error);
