// Tetrahedral meshes of solids: filled into a shape, read from Gmsh's .msh files, or made by the
// gmsh program.
#pragma once

#include <sherd/field.h>
#include <sherd/mesh.h>
#include <sherd/shape.h>

// A tetrahedral mesh. Owned by the caller; free with sherd_tetra_mesh_destroy.
typedef struct sherd_tetra_mesh {
    int32_t vertex_count; // n
    int32_t tetra_count;  // m
    double *vertices;     // x, y, z                                              [m] (n x 3)
    int32_t *tetras;      // corners a, b, c, d with (b-a) x (c-a) . (d-a) > 0        (m x 4)
} sherd_tetra_mesh;

// Destroys a mesh and its arrays. NULL is allowed.
SHERD_API void sherd_tetra_mesh_destroy(sherd_tetra_mesh *mesh);

// Returns the volume of all tetrahedra [m^3].
SHERD_API double sherd_tetra_mesh_volume(const sherd_tetra_mesh *mesh);

// Creates the boundary: the faces that belong to one tetrahedron only, outward, with only the
// vertices that they use. It is closed; where tetrahedra touch only in an edge or a corner, several
// sheets meet. Free it with sherd_mesh_destroy. NULL with SHERD_ERROR_INPUT or SHERD_ERROR_MEMORY.
SHERD_API sherd_mesh *sherd_tetra_mesh_boundary(const sherd_tetra_mesh *mesh, sherd_error *error);

// Shape quality of tetrahedra.
typedef struct sherd_tetra_quality {
    double angle_min, angle_max;          // extreme dihedral angles [rad]; regular: 70.5 degrees
    double quality_min;                   // smallest 6 sqrt2 V / l_rms^3 [-]: 1 regular, 0 flat
    double quality_mean;                  // mean of the same [-]
    double edge_min, edge_mean, edge_max; // lengths of edges, mean over all tetrahedra [m]
    int32_t slivers;                      // tetrahedra of quality below SHERD_TETRA_SLIVER
} sherd_tetra_quality;

// Quality below which a tetrahedron is a sliver [-].
#define SHERD_TETRA_SLIVER 0.1

// Returns the quality of a mesh.
SHERD_API sherd_tetra_quality sherd_tetra_mesh_quality(const sherd_tetra_mesh *mesh);

// ---------------------------------------------------------------- from a shape

// Definition of the lattice of sherd_tetra_mesh_fill.
typedef struct sherd_tetra_lattice_def {
    uint32_t cookie; // set by sherd_tetra_lattice_def_default; any other value is rejected
    double size;     // requested mean edge length [m], > 0
    // Random displacement of vertices over `size` [-], [0, 0.5], default 0.3, so that cracks do not
    // follow planes of the lattice. Displacements that would spoil tetrahedra are shortened.
    double jitter;
    uint64_t seed;          // of the displacements
    double quality;         // smallest quality after displacements [-], [0, 0.5], default 0.25
    int64_t max_tetrahedra; // more tetrahedra are an error, default 50 million
    int threads;            // >= 0, 0 (default): all of the machine
} sherd_tetra_lattice_def;

// Returns a definition with the defaults above.
SHERD_API sherd_tetra_lattice_def sherd_tetra_lattice_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_tetra_lattice_def_fields(void);

// Fills a shape with a body-centred cubic lattice of tetrahedra, fitted to its bounds and moved and
// cut at its surface (Labelle and Shewchuk 2007, isosurface stuffing); sharp edges and corners are
// preserved. The same definition gives the same bits for any number of threads. Free the result
// with sherd_tetra_mesh_destroy. NULL with SHERD_ERROR_INPUT (too coarse for the shape, too many
// tetrahedra) or SHERD_ERROR_MEMORY.
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_fill(const sherd_shape *shape,
                                                  const sherd_tetra_lattice_def *def,
                                                  sherd_error *error);

// ---------------------------------------------------------------- from elsewhere

// What was ignored or repaired while reading a file.
typedef struct sherd_tetra_report {
    int64_t other_elements; // points, lines, triangles, ...: ignored
    int32_t turned;         // tetrahedra that were inside out
    int32_t flat;           // tetrahedra without volume, left out
    int32_t unused;         // nodes without a tetrahedron, left out
    int32_t groups;         // physical groups of volumes, which are ignored
    char group_names[96];   // names of the first of these, "soft, hard", or their numbers
} sherd_tetra_report;

// Reads a .msh file of Gmsh, version 2.2 or 4.1, text or binary; second-order tetrahedra lose their
// mid-edge nodes. Coordinates are multiplied by `scale` (metres per unit of the file). `report` may
// be NULL. Free the result with sherd_tetra_mesh_destroy. NULL with SHERD_ERROR_IO,
// SHERD_ERROR_INPUT (`where` is path:line or "path: byte N") or SHERD_ERROR_MEMORY.
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_read(const char *path, double scale,
                                                  sherd_tetra_report *report, sherd_error *error);

// Fills a closed surface with tetrahedra with edges of about `size` [m] by the gmsh program. It
// runs as a separate process with files in a temporary folder, which is removed, and is stopped
// after `time_limit` [s]. Free the result with sherd_tetra_mesh_destroy. NULL with
// SHERD_ERROR_UNSUPPORTED if there is no such program, SHERD_ERROR_INPUT if it cannot fill the
// surface or takes too long.
SHERD_API sherd_tetra_mesh *sherd_tetra_mesh_gmsh(const sherd_mesh *surface, double size,
                                                  double time_limit, sherd_error *error);
