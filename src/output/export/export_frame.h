// A frame of a run for other programs: its elements as .vtp and CSV, the meshes of its fragments as .vtp.
#pragma once

#include <sherd/mesh.h>
#include <sherd/run_file.h>

// Elements of a frame as points with radius_m, fragment, body, material, stress_ratio, velocity_m_s
// and speed_m_s, and what the frame's columns tell of elements, each under its name. In ParaView: Glyph by radius, or the Point Gaussian representation.
sherd_status sherd_vtp_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error);

// Elements of a frame as a table, one row per element:
//     element,body,material,fragment,x_m,y_m,z_m,radius_m,mass_kg,qx,qy,qz,qw,vx_m_s,vy_m_s,vz_m_s,
//     stress_ratio, then a column for each of the frame's columns of elements, under its name
sherd_status sherd_csv_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error);

// A fragment's mesh where it is now.
typedef struct sherd_vtk_piece {
    sherd_fragment_id fragment;
    const sherd_mesh *mesh; // triangles and face_kind
    const double *vertices; // in the world [m] (mesh->vertex_count x 3)
    const double *normals;  // in the world; may be NULL for all pieces
} sherd_vtk_piece;

// All pieces in one file: triangles with fragment and face_kind (0 outer, 1 inner). Where a mesh has material groups also
// `group`, the place of its name in `group_names`, -1: none; where one has colours also the points' `color`, 0 to 255.
sherd_status sherd_vtp_write_pieces(const char *path, double time, const sherd_vtk_piece *pieces,
                                    int piece_count, sherd_error *error);
