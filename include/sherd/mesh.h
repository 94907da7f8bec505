// Triangle surface meshes: plain arrays, read from files, checked and repaired.
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

// Origin of a triangle.
typedef enum sherd_face_kind {
    SHERD_FACE_OUTER = 0, // part of the body's original surface
    SHERD_FACE_INNER = 1, // made by fracture
} sherd_face_kind;

// What a file says of a material group. Not a number where it says nothing.
typedef struct sherd_mesh_material {
    float color[3];  // red, green, blue of the base, linear, 0..1                  [-]
    float roughness; // of the gloss, 0..1                                          [-]
    float metal;     // 1: bare metal                                               [-]
    float opacity;   // 1: opaque                                                   [-]
    int32_t picture; // of the mesh's pictures, a factor on the base's colour; -1: none
} sherd_mesh_material;

// A picture file as it is, PNG or JPEG or what else a model refers to.
typedef struct sherd_mesh_picture {
    char *name;     // of the file; of one inside a model's file, the model's with its number
    uint8_t *bytes; // (size)
    // number of bytes
    size_t size;
} sherd_mesh_picture;

// A mesh owns its arrays, each a block that free() can release. Create with sherd_mesh_create or a
// function that says so; free with sherd_mesh_destroy. Optional arrays may be NULL.
typedef struct sherd_mesh {
    int32_t vertex_count;   // n
    int32_t triangle_count; // m
    double *vertices;       // x, y, z                                            [m]  (n x 3)
    int32_t *triangles;     // corners, counter-clockwise seen from outside            (m x 3)
    double *normals;        // optional, unit vectors per vertex                  [-]  (n x 3)
    uint8_t *face_kind;     // optional, sherd_face_kind per triangle                  (m)
    float *uv;              // optional, texture coordinates u, v of each corner  [-]  (m x 3 x 2)
    float *color;           // optional, painted red, green, blue per vertex, 0..1     (n x 3)
    int32_t *group;         // optional, material group of each triangle, -1: none     (m)
    int32_t group_count;    // 0 without `group`
    char *group_names;      // one after the other, each with its '\0'
    sherd_mesh_material *materials; // optional, what groups look like                 (group_count)
    int32_t picture_count;          // 0 without `materials`
    sherd_mesh_picture *pictures;   // of the materials                              (picture_count)
    int32_t note_count; // of what a file's reader had to leave out, or sherd_shape_display_mesh
    char *notes;        // "file:line: what", one after the other, each with its '\0'
} sherd_mesh;

// Creates a mesh with zeroed vertex and triangle arrays and no optional arrays. Free it with
// sherd_mesh_destroy. NULL with SHERD_ERROR_MEMORY or SHERD_ERROR_INPUT (negative counts).
SHERD_API sherd_mesh *sherd_mesh_create(int32_t vertex_count, int32_t triangle_count,
                                        sherd_error *error);
// Destroys a mesh and its arrays. NULL is allowed.
SHERD_API void sherd_mesh_destroy(sherd_mesh *mesh);

// Creates a copy of a mesh with all its arrays. NULL with SHERD_ERROR_MEMORY.
SHERD_API sherd_mesh *sherd_mesh_copy(const sherd_mesh *mesh, sherd_error *error);

// Returns the signed volume by the divergence theorem [m^3]; positive for a closed mesh oriented
// outwards.
SHERD_API double sherd_mesh_volume(const sherd_mesh *mesh);
// Returns the axis-aligned box of all vertices [m].
SHERD_API sherd_bounds sherd_mesh_bounds(const sherd_mesh *mesh);

// Reads STL (ASCII or binary), OBJ, PLY (ASCII or binary, either byte order) or glTF (.glb, .gltf);
// the kind is detected from the content, not the name. Polygons are cut into triangles. Coordinates
// are multiplied by `scale` (1 for files in metres, 1e-3 for millimetres). Vertex colours of OBJ
// and PLY are kept, and texture coordinates: vt of OBJ; s and t, or u and v, of PLY's vertices or
// texcoord of its faces; usemtl of OBJ and materials of glTF make groups of triangles; what these
// look like comes from the OBJ's .mtl files (Kd, map_Kd in its place, Ns or Pr, Pm, d or Tr) or
// from glTF's base colours, metallic and roughness factors, and pictures of base colours. Colours
// of vertices are screen colours (sRGB): those of glTF, which are linear and a factor on the base
// colour, are turned into such, times that. Files that are missing or damaged besides the mesh's
// own are noted, and left out. Of glTF the scene is read as its nodes place it, turned from y up to
// z up. The result is the file's raw triangles: STL corners are not merged; call sherd_mesh_repair.
// NULL with SHERD_ERROR_IO (can't read) or SHERD_ERROR_INPUT (not such a file, damaged, not a
// number: `where` is file:line or file:offset).
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
// orientation, small holes). A hole of at most 64 edges is small if it is at most an eighth as wide
// as the piece it is in and its lid at most 1 % of that piece's surface; also a triangle or flat
// quadrilateral of up to 10 % across which the surface runs on. Refused with SHERD_ERROR_INPUT:
// empty, open, non-manifold or self-intersecting meshes; coordinates not finite; zero volume.
// `report` may be NULL and is filled in either case. `where` of an error is `name` (may be NULL).
// Texture coordinates and paint are kept, normals and kinds of faces are dropped.
SHERD_API sherd_status sherd_mesh_repair(sherd_mesh *mesh, const char *name,
                                         sherd_mesh_report *report, sherd_error *error);

// How a new surface is put around a mesh that sherd_mesh_repair refuses.
typedef struct sherd_wrap_def {
    // Edges of the new surface's triangles are about as long [m], > 0. Walls thinner than that get
    // holes.
    double edge_length;
    double
        thickness; // 0 (default): the mesh bounds a solid. Else it is a sheet of this thickness [m],
                   // half of it to either side
    double least_volume; // new pieces, and cavities, of less are left out [m^3], >= 0; default 0
} sherd_wrap_def;

// What sherd_mesh_wrap made.
typedef struct sherd_wrap_report {
    double edge_length;       // that was possible within memory [m]
    int32_t turned_triangles; // of the old surface
    int32_t inner_triangles;  // of it, walls inside: left out
    int32_t pieces, left_out; // of the new surface; left out: see least_volume
    double volume;            // [m^3]
    // Distance of the old surface from the new one, where it is the outside: 99 % are nearer than
    // `distance`, all that was sampled than `farthest` [m].
    double distance, farthest;
    // Fraction of the new surface's area farther than one edge from the old one, where that was
    // open.
    double closed_share;
} sherd_wrap_report;

// A new surface for any triangles: around all places whose generalised winding number is at least
// one half (Barill et al. 2018, "Fast winding numbers for soups and clouds"), so open, overlapping,
// doubled and self-intersecting meshes bound what they seem to. Triangles need only face outwards
// for the most part: wrong ones are turned. The result is closed, a 2-manifold, does not cut
// itself, and takes texture coordinates and paint from the nearest places of the old mesh. With a
// `thickness` it is around the sheet that the mesh then stands for. NULL with SHERD_ERROR_INPUT (no
// triangles, coordinates not finite, nothing as large as least_volume inside) or
// SHERD_ERROR_MEMORY. `where` of an error is `name` (may be NULL). `report` may be NULL.
SHERD_API sherd_mesh *sherd_mesh_wrap(const sherd_mesh *mesh, const char *name,
                                      const sherd_wrap_def *def, sherd_wrap_report *report,
                                      sherd_error *error);

// Writes binary PLY: vertices (float), normals when present, per face `texcoord` (list of 6 floats)
// when uv and `inner` (uchar) when face_kind are present. Written to a temporary name and renamed.
SHERD_API sherd_status sherd_mesh_write_ply(const sherd_mesh *mesh, const char *path,
                                            sherd_error *error);
// Writes binary STL. It is written under a temporary name and renamed. SHERD_ERROR_IO.
SHERD_API sherd_status sherd_mesh_write_stl(const sherd_mesh *mesh, const char *path,
                                            sherd_error *error);
