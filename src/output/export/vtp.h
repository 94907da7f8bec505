// Files for ParaView and other VTK programs: .vtp (points, lines or triangles with arrays, binary,
// zlib) and .pvd (a list of files over time).
#pragma once

#include <sherd/mesh.h>

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
    int group_count;         // number of names in the string array `group_names`; 0: there is none
    const char *group_names; // names, each with its '\0'
} sherd_vtk_mesh;

sherd_status sherd_vtp_write(const char *path, const sherd_vtk_mesh *mesh, sherd_error *error);

typedef struct sherd_pvd_entry {
    double time;      // [s]
    const char *file; // relative to the collection
} sherd_pvd_entry;

sherd_status sherd_pvd_write(const char *path, const sherd_pvd_entry *entries, int64_t entry_count,
                             sherd_error *error);
