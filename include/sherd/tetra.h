// Tetrahedral meshes of solids: made of a shape, read from Gmsh's .msh files, or made by the gmsh
// program.
#pragma once

#include <sherd/field.h>
#include <sherd/mesh.h>
#include <sherd/shape.h>

// Owned by the caller; free with sherd_tetra_mesh_destroy.
typedef struct sherd_tetra_mesh {
    int32_t vertex_count; // n
    int32_t tetra_count;  // m
    double *vertices;     // x, y, z                                              [m] (n x 3)
    int32_t *tetras;      // corners a, b, c, d with (b-a) x (c-a) . (d-a) > 0        (m x 4)
} sherd_tetra_mesh;

SHERD_API void sherd_tetra_mesh_destroy(sherd_tetra_mesh *mesh); // NULL is fine

SHERD_API double sherd_tetra_mesh_volume(const sherd_tetra_mesh *mesh); // [m^3]

// The boundary: faces of one tetrahedron only, outward, with only the vertices it needs. Closed;
// where tetrahedra touch in an edge or a corner only, more than one sheet may meet there.
SHERD_API sherd_mesh *sherd_tetra_mesh_boundary(const sherd_tetra_mesh *mesh, sherd_error *error);

// Shape quality of tetrahedra.
typedef struct sherd_tetra_quality {
    double angle_min, angle_max; // dihedral angles, over all [rad]; 70.5 degrees is regular
    double quality_min;          // 6 sqrt2 V / l_rms^3: 1 regular, 0 flat
    double quality_mean;
    double edge_min, edge_mean, edge_max; // [m]; the mean is over tetrahedra's edges
    int32_t slivers;                      // tetrahedra of quality below SHERD_TETRA_SLIVER
} sherd_tetra_quality;

#define SHERD_TETRA_SLIVER 0.1

SHERD_API sherd_tetra_quality sherd_tetra_mesh_quality(const sherd_tetra_mesh *mesh);

// ---------------------------------------------------------------- from a shape

typedef struct sherd_tetra_lattice_def {
    uint32_t cookie; // set by sherd_tetra_lattice_def_default; anything else is refused
    double size;     // mean edge length wanted [m], > 0
    // Random displacement of vertices, so that cracks show no planes of the lattice, as a share of
    // `size`, [0, 0.5], default 0.3. Displacements that would spoil tetrahedra are shortened.
    double jitter;
    uint64_t seed;
    double quality;         // least quality that jitter may leave, [0, 0.5], default 0.25
    int64_t max_tetrahedra; // refuse beyond this, default 50 million
    int threads;            // 0 = all
} sherd_tetra_lattice_def;

SHERD_API sherd_tetra_lattice_def sherd_tetra_lattice_def_default(void);
SHERD_API const sherd_definition *sherd_tetra_lattice_def_fields(void);

// Fills a shape with a body-centred cubic lattice of tetrahedra fitted to its bounds, cut and pulled
// onto its surface; sharp edges and corners are kept. Same definition, same mesh, bit for bit, for
// every number of threads. NULL with SHERD_ERROR_INPUT (too coarse for the shape, too many) or
// SHERD_ERROR_MEMORY.
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_fill(const sherd_shape *shape,
                                                  const sherd_tetra_lattice_def *def,
                                                  sherd_error *error);

// ---------------------------------------------------------------- from elsewhere

// Elements ignored or repaired while reading.
typedef struct sherd_tetra_report {
    int64_t other_elements; // points, lines, triangles, ...: ignored
    int32_t turned;         // tetrahedra that were inside out
    int32_t flat;           // tetrahedra without volume, left out
    int32_t unused;         // nodes that no tetrahedron uses, left out
    int32_t
        groups; // physical groups of volumes that the file names or tetrahedra belong to: passed over
    char group_names[96]; // of the first of these, "soft, hard"; by number where they have no name
} sherd_tetra_report;

// Reads Gmsh's .msh, versions 2.2 and 4.1, text or binary; second-order tetrahedra lose their
// mid-edge nodes. Coordinates are multiplied by `scale`. `report` may be NULL. NULL with
// SHERD_ERROR_IO or SHERD_ERROR_INPUT (`where` is path:line or "path: byte N").
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_read(const char *path, double scale,
                                                  sherd_tetra_report *report, sherd_error *error);

// Has the gmsh program fill a closed surface with tetrahedra of edges of about `size` [m]. It is run
// apart, with files in a temporary folder that is removed, and stopped after `time_limit` seconds.
// NULL with SHERD_ERROR_UNSUPPORTED when there is no such program, SHERD_ERROR_INPUT when it can't
// fill the surface or takes too long.
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_gmsh(const sherd_mesh *surface, double size,
                                                  double time_limit, sherd_error *error);
