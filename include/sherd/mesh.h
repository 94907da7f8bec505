// Triangle surface meshes: plain arrays, read from files, checked and repaired.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>

typedef enum sherd_face_kind {
    SHERD_FACE_OUTER = 0, // part of the body's original surface
    SHERD_FACE_INNER = 1, // made by fracture
} sherd_face_kind;

// A mesh owns its arrays, each a block that free() can release. Create with sherd_mesh_create or a function that says
// so; free with sherd_mesh_destroy. Optional arrays may be NULL.
typedef struct sherd_mesh {
    int32_t vertex_count;   // n
    int32_t triangle_count; // m
    double *vertices;       // x, y, z                                            [m]  (n x 3)
    int32_t *triangles;     // corners, counter-clockwise seen from outside            (m x 3)
    double *normals;        // optional, unit vectors per vertex                  [-]  (n x 3)
    uint8_t *face_kind;     // optional, sherd_face_kind per triangle                  (m)
    float *uv;              // optional, texture coordinates u, v of each corner  [-]  (m x 3 x 2)
    float *color;           // optional, painted red, green, blue per vertex, 0..1     (n x 3)
} sherd_mesh;

// An owned mesh with zeroed vertex and triangle arrays and no optional arrays. NULL with
// SHERD_ERROR_MEMORY or SHERD_ERROR_INPUT (negative counts).
SHERD_API sherd_mesh *sherd_mesh_create(int32_t vertex_count, int32_t triangle_count,
                                        sherd_error *error);
SHERD_API void sherd_mesh_destroy(sherd_mesh *mesh); // NULL is fine

SHERD_API sherd_mesh *sherd_mesh_copy(const sherd_mesh *mesh, sherd_error *error);

// Signed volume by the divergence theorem; positive for a closed mesh oriented outwards. [m^3]
SHERD_API double sherd_mesh_volume(const sherd_mesh *mesh);
SHERD_API sherd_bounds sherd_mesh_bounds(const sherd_mesh *mesh);

// Reads STL (ASCII or binary), OBJ or PLY (ASCII or binary, either byte order); the kind is detected
// from the content, not the name. Polygons are cut into triangles. Coordinates are multiplied by
// `scale` (1 for files in metres, 1e-3 for millimetres). Vertex colours of OBJ and PLY are kept, and
// texture coordinates: vt of OBJ; s and t, or u and v, of PLY's vertices or texcoord of its faces. The
// result is the file's raw triangles: STL corners are not merged; call sherd_mesh_repair. NULL with
// SHERD_ERROR_IO (can't read) or SHERD_ERROR_INPUT (not such a file, damaged, not a number: `where` is
// file:line or file:offset).
SHERD_API sherd_mesh *sherd_mesh_read(const char *path, double scale, sherd_error *error);

// What sherd_mesh_repair found. Counts are of the mesh as given.
typedef struct sherd_mesh_report {
    int32_t merged_vertices;      // coincident corners made one
    int32_t degenerate_triangles; // zero area, removed
    int32_t duplicate_triangles;  // same corners, removed
    int32_t flipped_triangles;    // turned to agree with their neighbours, or whole mesh inside out
    int32_t filled_holes;         // small holes closed
    double widest_filled_hole;    // the largest of them, across [m]; 0: none
    int32_t boundary_edges;       // edges with one triangle, left over after repair
    int32_t non_manifold_edges;   // edges with three or more triangles, left over after repair
    int32_t self_intersections;   // pairs of triangles that cut each other (counted up to 1000)
    int32_t components;           // connected pieces
    double volume;                // [m^3] after repair
    sherd_bounds bounds;          // after repair
} sherd_mesh_report;

// Makes `mesh` a closed, consistently oriented solid boundary, in place, or reports why it can't.
// Harmless faults are repaired (coincident vertices, degenerate and duplicate triangles,
// orientation, small holes). A hole of at most 64 edges is small if it is at most an eighth as wide as
// the piece it is in and its lid at most 1 % of that piece's surface; also a triangle or flat
// quadrilateral of up to 10 % across which the surface runs on. Refused with SHERD_ERROR_INPUT: empty,
// open, non-manifold or self-intersecting meshes; coordinates not finite; zero volume. `report` may be
// NULL and is filled in either case. `where` of an error is `name` (may be NULL). Texture coordinates
// and paint are kept, normals and kinds of faces are dropped.
SHERD_API sherd_status sherd_mesh_repair(sherd_mesh *mesh, const char *name,
                                         sherd_mesh_report *report, sherd_error *error);

// Writes binary PLY: vertices (float), normals when present, per face `texcoord` (list of 6 floats)
// when uv and `inner` (uchar) when face_kind are present. Written to a temporary name and renamed.
SHERD_API sherd_status sherd_mesh_write_ply(const sherd_mesh *mesh, const char *path,
                                            sherd_error *error);
SHERD_API sherd_status sherd_mesh_write_stl(const sherd_mesh *mesh, const char *path,
                                            sherd_error *error);
