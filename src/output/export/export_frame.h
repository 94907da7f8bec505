// Exports a frame of a run: elements as .vtp and CSV, meshes of fragments as .vtp.
#pragma once

#include <sherd/mesh.h>
#include <sherd/run_file.h>

// Elements as points with the arrays radius_m, fragment, body, material, stress_ratio, velocity_m_s
// and speed_m_s, and the frame's columns of elements. In ParaView use Glyph by radius or the Point
// Gaussian representation.
sherd_status sherd_vtp_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error);

// Elements as a table, one row per element:
//     element,body,material,fragment,x_m,y_m,z_m,radius_m,mass_kg,qx,qy,qz,qw,vx_m_s,vy_m_s,vz_m_s,
//     stress_ratio, then the frame's columns of elements
sherd_status sherd_csv_write_elements(const char *path, const sherd_run_model *model,
                                      const sherd_run_frame *frame, sherd_error *error);

// A fragment's mesh in its current pose.
typedef struct sherd_vtk_piece {
    sherd_fragment_id fragment;
    const sherd_mesh *mesh; // triangles and face_kind
    const double *vertices; // in the world [m] (mesh->vertex_count x 3)
    const double *normals;  // in the world; may be NULL for all pieces
} sherd_vtk_piece;

// All pieces in one file: triangles with fragment and face_kind (0 outer, 1 inner). If a mesh has
// material groups, triangles also have `group`, an index into `group_names` or -1; if one has
// colours, points have `color`, 0 to 255.
sherd_status sherd_vtp_write_pieces(const char *path, double time, const sherd_vtk_piece *pieces,
                                    int piece_count, sherd_error *error);
