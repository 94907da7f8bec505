// Closed surface meshes of fragments, with the original outer surface and new inner faces marked.
//
// Everything is built in the rest frame of each body, where neighbouring fragments touch exactly;
// meshes are then carried by their elements. A mesh is rebuilt only when its fragment changed.
//                                                                       [BDEM21] section 3.2
#pragma once

#include <sherd/field.h>
#include <sherd/fragments.h>
#include <sherd/mesh.h>
#include <sherd/tetra.h>
#include <sherd/weakness.h>

// How a body is bounded.
typedef enum sherd_surface_kind {
    SHERD_SURFACE_SOLID = 0, // bounded by its shape
    SHERD_SURFACE_YARNS, // tubes along yarns; no shape. Elements are numbered yarn by yarn, along
                         // each: bonds of elements k and k + 1 are yarn, all others are glue
    SHERD_SURFACE_SHEET, // one layer of elements in a thin wall (the shape), each with its cell of
                         // wall: tears run between cells
} sherd_surface_kind;

// A body for its surface.
typedef struct sherd_surface_body {
    const sherd_shape *shape;         // in the body's rest frame; borrowed. NULL: no mesh wanted
                                      // (loose granules: draw their spheres instead)
    sherd_element_index first, count; // its elements
    sherd_surface_kind kind;          // default SOLID
    // Not NULL: elements are the tetrahedra of this mesh, in its order, and their faces make the
    // surface. NULL: `shape` decides. Borrowed.
    const sherd_tetra_mesh *tetra;
    // Walls between its fragments, as in <sherd/fracture.h>: cut surfaces lie on these walls
    // instead of half way between elements. Borrowed like the definition; default none.
    int wall_count;
    const sherd_weakness *const *walls; // (wall_count)
} sherd_surface_body;

// Smallest size of bumps over their amplitude [-].
enum { SHERD_ROUGHNESS_LEAST_SIZE = 4 };
// Roughness of inner faces: noise that displaces their vertices in the rest frame. Both sides of a
// crack get the same displacement, which vanishes at the outer surface. The slope is limited so
// that faces never intersect.
typedef struct sherd_surface_roughness {
    double amplitude; // largest displacement [m], >= 0; 0 (default): smooth
    // Size of the largest bumps [m], at least four amplitudes; 0 (default): four amplitudes
    double size;
    // Seed of the noise
    uint64_t seed;
} sherd_surface_roughness;

// Methods that make fragments' surfaces: enumerator, word in scenes, and description. A body that
// the requested method does not support (yarns cannot be cut) gets the method of AUTO, the first
// one of this list that supports it. To add a method: a row here, and a file that defines
// sherd_surface_maker_<word> (src/surface/surface_maker.h).
#define SHERD_SURFACE_METHODS(ROW)                                                                 \
    ROW(TUBES, tubes, "tubes along yarns")                                                         \
    ROW(SHEETS, sheets,                                                                            \
        "a cell of the wall for each element of a shell of one layer; tears run between cells")    \
    ROW(TETRA_FACES, tetra_faces, "faces of tetrahedral elements")                                 \
    ROW(CUT, cut,                                                                                  \
        "keeps the body's outer triangles and cuts them exactly along smooth cracks; where that "  \
        "fails (self-intersecting outer surface), as `marching`")                                  \
    ROW(MARCHING, marching, "marching tetrahedra for cracks and outer surface alike")              \
    ROW(FLUID, fluid,                                                                              \
        "a smooth surface around the elements of each fragment, as of fluid particles; broken "    \
        "faces are round. For every kind of body, needs no shape")                                 \
    ROW(BLOBS, blobs,                                                                              \
        "round blobs at the elements' present places, one field of a whole body, blind to bonds: " \
        "[BDEM21]'s naive marching cubes, for comparison ([Fig. "                                  \
        "13](../papers/bdem21.md#fig-13-naive-marching-cubes))")
#define SHERD_SURFACE_AUTO_DOC "for each body the first of the other methods that can mesh it"

#define SHERD_SURFACE_ENUMERATOR(NAME, word, doc) SHERD_SURFACE_##NAME,
// A method of meshing.
typedef enum sherd_surface_method {
    // chooses for each body
    SHERD_SURFACE_AUTO = 0,
    SHERD_SURFACE_METHODS(SHERD_SURFACE_ENUMERATOR) SHERD_SURFACE_METHOD_COUNT // number of methods
} sherd_surface_method;

// Description of a method.
typedef struct sherd_surface_method_info {
    const char *word; // in scenes; NULL: there is no such method
    const char *doc;  // description
} sherd_surface_method_info;

// Returns the description of a method; word NULL if there is no such method.
SHERD_API sherd_surface_method_info sherd_surface_method_describe(sherd_surface_method method);

// Limits [mean radii]. Coarser cells lose single elements; the memory of finer ones grows with the
// cube. With less smoothing the kernels of touching elements hardly overlap.
#define SHERD_SURFACE_CELL_LEAST 0.1
#define SHERD_SURFACE_CELL_MOST 2.0
#define SHERD_SURFACE_EDGE_LEAST 0.1
#define SHERD_SURFACE_EDGE_MOST 4.0
#define SHERD_SURFACE_SMOOTHING_LEAST 0.8
#define SHERD_SURFACE_SMOOTHING_MOST 4.0

// Definition of a surface.
typedef struct sherd_surface_def {
    uint32_t cookie; // set by sherd_surface_def_default
    // The undeformed model. Borrowed until the surface is destroyed.
    int body_count;
    const sherd_surface_body *bodies;
    sherd_element_index element_count;          // n
    const double *rest_x, *rest_y, *rest_z;     // rest positions in each body's own frame [m] (n)
    const double *radius;                       // [m] (n)
    sherd_bond_index bond_count;                // m
    const sherd_element_index *bond_i, *bond_j; // (m)
    // How to mesh.
    sherd_surface_method method; // default SHERD_SURFACE_AUTO
    // Size of the grid's cells [mean radii]; 0 (default): 0.75 when marched and of blobs, 0.5 when
    // cut along walls, else 1
    double cell_size;
    // Width of the Gaussian weights [mean radii]; 0 (default): 2.2 when cut, 0.9 of blobs, else
    // 1.5
    double smoothing;
    // When cut: length of the edges of curved outer surfaces [mean radii]; 0 (default): 1
    double outer_edge;
    // When cut: fragments of few elements and thin ones are drawn as angular chips, cells that tile
    // their part of the body. Default true; false rounds them.
    bool chips;
    // Opening drawn for cracks inside a fragment [mean radii]; 0: none, default 0.03
    double crack_gap;
    // Length that one unit of texture coordinates covers on inner faces [m], >= 0; 0 (default): the
    // largest extent of the body.
    double inner_uv_scale;
    sherd_surface_roughness roughness;
    // Pieces have no skinning: their bones may be NULL, and vertices cannot follow elements; default
    // false
    bool rigid;
    int smallest; // fragments with fewer elements get no mesh (draw spheres), default 1
    int threads;  // 0 = all
} sherd_surface_def;

// Returns a definition with the defaults above.
SHERD_API sherd_surface_def sherd_surface_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_surface_def_fields(void);

// Meshes of all fragments of a world; opaque.
typedef struct sherd_surface sherd_surface;

// Creates a surface without pieces; call sherd_surface_update. Free it with sherd_surface_destroy.
// NULL with SHERD_ERROR_INPUT or SHERD_ERROR_MEMORY.
SHERD_API sherd_surface *sherd_surface_create(const sherd_surface_def *def, sherd_error *error);
// Destroys a surface and its meshes. NULL is allowed.
SHERD_API void sherd_surface_destroy(sherd_surface *surface);

// Updates meshes to the fragments and broken bonds of a frame. A fragment whose elements and bonds,
// and those within a few radii, have not changed costs nothing. A mesh depends on this frame alone,
// not on earlier frames.
SHERD_API sherd_status sherd_surface_update(sherd_surface *surface,
                                            const sherd_fragment_view *fragments,
                                            const uint8_t *bond_broken, sherd_error *error);

enum { SHERD_SURFACE_BONES = 12 }; // largest number of elements that carry a vertex

// One fragment's mesh in its body's rest frame.
typedef struct sherd_surface_piece {
    // the fragment
    sherd_fragment_id fragment;
    uint64_t version; // changes exactly when the mesh does; unique over all pieces
    // its body, from 0
    int body;
    // number of its elements
    sherd_element_index element_count;
    const sherd_mesh *mesh; // closed, outward, normals and face_kind present; borrowed
    // Skinning, unless pieces are rigid: each vertex follows some elements of its fragment, with
    // weights that sum to 1, some of them negative. Unused entries have weight 0 and a valid index.
    const sherd_element_index *bones; // (vertices x SHERD_SURFACE_BONES)
    const float *weights;             // (vertices x SHERD_SURFACE_BONES)
} sherd_surface_piece;

// Returns the number of pieces with a mesh.
SHERD_API int sherd_surface_piece_count(const sherd_surface *surface);
// Pieces are ordered by fragment as in the fragment view. Valid until the next update.
SHERD_API sherd_surface_piece sherd_surface_get_piece(const sherd_surface *surface, int index);

// Present positions and orientations, by element index.
typedef struct sherd_surface_pose {
    const double *x, *y, *z;         // [m]
    const double *qx, *qy, *qz, *qw; // unit quaternions
} sherd_surface_pose;

// Computes vertices and normals of all pieces in the world by the weighted transforms of their
// elements, p_k + (R_k + R) / 2 (X - X_k) with R the mean of the R_k: smooth where a body bends,
// exact where it moves rigidly. vertices[k] and normals[k] are those of piece k (vertex_count x 3);
// `normals` may be NULL.
SHERD_API void sherd_surface_pose_all(const sherd_surface *surface, const sherd_surface_pose *pose,
                                      double *const *vertices, double *const *normals);
