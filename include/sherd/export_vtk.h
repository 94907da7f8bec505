// Files for ParaView and other VTK programs: .vtp (points, lines or triangles with arrays, binary, zlib)
// and .pvd (a list of files over time). Also elements as plain CSV.
#pragma once

#include <sherd/mesh.h>
#include <sherd/run_file.h>

typedef enum sherd_vtk_type {
    SHERD_VTK_FLOAT64 = 0,
    SHERD_VTK_FLOAT32,
    SHERD_VTK_INT32,
    SHERD_VTK_UINT8,
} sherd_vtk_type;

typedef struct sherd_vtk_array {
    const char *name; // with its unit: "velocity_m_s"
    sherd_vtk_type type;
    int components;   // per point or cell, 1 to 9
    const void *data; // (points or cells x components)
} sherd_vtk_array;

typedef struct sherd_vtk_mesh {
    double time;              // [s]
    int64_t point_count;      // n
    const double *points;     // x, y, z [m]                                        (n x 3)
    int64_t triangle_count;   // m; 0: every point is shown as a vertex
    const int32_t *triangles; //                                                   (m x 3)
    const int32_t *lines;     // NULL: none; else there are no triangles    (line_count x 2)
    int64_t line_count;       // may be 0
    int point_array_count;
    const sherd_vtk_array *point_arrays; // by point
    int cell_array_count;
    const sherd_vtk_array *cell_arrays; // by triangle or line; by point when there are none
    int group_count; // of names that the array of strings `group_names` gets; 0: there is none
    const char *group_names; // one after the other, each with its '\0'
} sherd_vtk_mesh;

SHERD_API sherd_status sherd_vtp_write(const char *path, const sherd_vtk_mesh *mesh,
                                       sherd_error *error);

// Elements of a frame as points with radius_m, fragment, body, material, stress_ratio, velocity_m_s
// and speed_m_s, and what the frame's columns tell of elements, each under its name. In ParaView: Glyph by radius, or the Point Gaussian representation.
SHERD_API sherd_status sherd_vtp_write_elements(const char *path, const sherd_run_model *model,
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
SHERD_API sherd_status sherd_vtp_write_pieces(const char *path, double time,
                                              const sherd_vtk_piece *pieces, int piece_count,
                                              sherd_error *error);

typedef struct sherd_pvd_entry {
    double time;      // [s]
    const char *file; // relative to the collection
} sherd_pvd_entry;

SHERD_API sherd_status sherd_pvd_write(const char *path, const sherd_pvd_entry *entries,
                                       int64_t entry_count, sherd_error *error);

// Elements of a frame as a table, one row per element:
//     element,body,material,fragment,x_m,y_m,z_m,radius_m,mass_kg,qx,qy,qz,qw,vx_m_s,vy_m_s,vz_m_s,
//     stress_ratio, then a column for each of the frame's columns of elements, under its name
SHERD_API sherd_status sherd_csv_write_elements(const char *path, const sherd_run_model *model,
                                                const sherd_run_frame *frame, sherd_error *error);
