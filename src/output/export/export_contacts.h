// Exports contact forces of a run as CSV and .vtp, if its frames contain them (output.contacts).
#pragma once

#include <sherd/run_file.h>

// A table with one row per contact, written frame by frame:
//     frame,time_s,i,i_obstacle,j,j_obstacle,x_m,y_m,z_m,normal_x,normal_y,normal_z,normal_force_n,
//     friction_x_n,friction_y_n,friction_z_n,force_x_n,force_y_n,force_z_n,overlap_m
// i, j: elements, or empty; i_obstacle, j_obstacle: names of obstacles, or empty. The force acts on
// i.
typedef struct sherd_csv_contacts sherd_csv_contacts;

sherd_csv_contacts *sherd_csv_contacts_create(const char *path, const sherd_run_model *model,
                                              sherd_error *error);
void sherd_csv_contacts_frame(sherd_csv_contacts *table, const sherd_run_frame *frame);
// Finishes the file and frees the table, also on failure. The file is complete or does not exist.
sherd_status sherd_csv_contacts_commit(sherd_csv_contacts *table, sherd_error *error);
void sherd_csv_contacts_abort(sherd_csv_contacts *table); // no file; NULL is fine

// Contacts of a frame as points, with the arrays i, j (elements), i_obstacle, j_obstacle (indices
// of obstacles or -1), normal, normal_force_n, friction_n, force_n (on i), overlap_m.
sherd_status sherd_vtp_write_contacts(const char *path, const sherd_run_frame *frame,
                                      sherd_error *error);
