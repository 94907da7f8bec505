// What a run looks like over time: materials, meshes, clouds of points, and pieces of these that move.
//
// It comes in that order, the poses frame by frame, and goes to one writer (a .glb, text USD), which knows its format
// alone: what is common to all is checked, counted and kept here. Meshes are handed on at once and poses wait in tracks
// (pose_tracks.h), so that memory has neither.
//
// Invariants: a writer gets only what was checked (finite numbers, corners and materials that exist); materials, meshes
// and pieces are numbered from 0 in the order in which they come; frames of a piece follow each other without gaps.
#pragma once

#include "animation/pose_tracks.h"

#include <sherd/fragments.h>
#include <sherd/mesh.h>

typedef enum sherd_animation_format {
    SHERD_ANIMATION_GLB,
    SHERD_ANIMATION_USDA
} sherd_animation_format;

typedef struct sherd_animation_def {
    const char *name;    // of the scene; may be NULL
    int64_t frame_count; // >= 1
    const double *times; // of playback, strictly ascending, >= 0 [s] (frame_count); copied. Blender
                         // places frame k exactly when times are k / 24
    double texture_size; // length that one unit of UV covers [m], > 0
    sherd_animation_format format;
    // Of a .glb: meshes' vertices in 16 bytes instead of 32 to 48, by the extension KHR_mesh_quantization, which readers
    // then must know. Positions are off by up to 1.6e-5 of the farthest vertex's coordinate from the mesh's origin,
    // normals by 0.4 degrees, texture coordinates by 1.6e-5 and whole units, which repeat; there is no _FRAGMENT.
    bool compact;
    const char *folder; // of temporary files, which have no names; NULL: $TMPDIR or /tmp. Copied
} sherd_animation_def;

typedef struct sherd_animation_material {
    const char *name;        // may be NULL
    double red, green, blue; // linear, [0, 1]
    double roughness;        // [0, 1]
    double metallic;         // [0, 1]
    double transmission;     // [0, 1]: 0 opaque, 1 clear glass (KHR_materials_transmission);
                             // in USD 1 - opacity
    // A PNG or JPEG file of base colours, sRGB, a factor on the colour, by the meshes' uv; kept in the .glb.
    // NULL: none. Materials with the same bytes at the same place share them.
    const uint8_t *picture; // copied                                       (picture_size)
    size_t picture_size;
    // In USD: the same as a file of this name beside it. NULL: none.
    const char *picture_name;
    bool painted; // in USD: without a picture, the meshes' colours of vertices
} sherd_animation_material;

typedef struct sherd_animation_mesh {
    const char *name;         // may be NULL
    int32_t vertex_count;     // n
    const double *vertices;   // x, y, z [m]                                (n x 3)
    const double *normals;    // unit; NULL: from the triangles, edges sharper than 35 degrees
                              // stay sharp                                 (n x 3)
    int32_t triangle_count;   // m, >= 1
    const int32_t *triangles; //                                            (m x 3)
    const uint8_t *face_kind; // sherd_face_kind; NULL: all outer           (m)
    const float *uv;   // of corners, v upwards; NULL: a box projection of texture_size (m x 3 x 2)
    sherd_vec3 origin; // the point of the mesh that poses place: sherd_fragment_motion's
                       // rest_center
    sherd_fragment_id fragment; // vertex attribute _FRAGMENT; 0: none
    int outer_material, inner_material;
    const float *
        color; // of outer faces, red, green, blue per vertex, sRGB; attribute COLOR_0, which is linear; NULL: none (n x 3)
    const int32_t *group; // of outer faces, which have that group's material; -1: outer_material;
                          // NULL: all have that                      (m)
    int32_t group_count;  // 0 without `group`
    const int *group_materials; //                                          (group_count)
} sherd_animation_mesh;

// Points that are seen together, dust. Primitives of mode POINTS with the attributes _VELOCITY, _RADIUS, _AGE and
// _FRAGMENT; in USD UsdGeomPoints with velocities, widths, primvars:age and primvars:fragment.
typedef struct sherd_animation_points {
    const char *name;        // may be NULL
    int32_t count;           // n, >= 1
    const float *positions;  // x, y, z [m]    (n x 3)
    const float *velocity;   // x, y, z [m/s]  (n x 3)
    const float *radius;     // [m]            (n)
    const float *age;        // [s]            (n)
    const int32_t *fragment; // that they come from (n)
    int material;
} sherd_animation_points;

typedef struct sherd_animation_piece {
    const char *name;           // may be NULL
    int mesh;                   // pieces may share meshes
    double scale;               // > 0, e.g. the radius of a unit sphere
    sherd_fragment_id fragment; // in the node's extras, with the two below
    int64_t elements;
    double mass; // [kg]
    // How far the straight ways between keys of a .glb may be from the poses [m]; 0: there is a key for each frame.
    double tolerance;
} sherd_animation_piece;

typedef struct sherd_animation sherd_animation;

void sherd_animation_destroy(sherd_animation *animation); // NULL is fine

// These return an index, or -1 with *error filled.
int sherd_animation_add_material(sherd_animation *animation,
                                 const sherd_animation_material *material, sherd_error *error);
int sherd_animation_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                             sherd_error *error);
int sherd_animation_add_points(sherd_animation *animation, const sherd_animation_points *points,
                               sherd_error *error);
int sherd_animation_add_piece(sherd_animation *animation, const sherd_animation_piece *piece,
                              sherd_error *error);

// Where a piece is in a frame: x_world = R (x_mesh - origin) + position. Frames ascend for each
// piece without gaps. A piece is visible from its first frame with a pose to its last one.
sherd_status sherd_animation_set_pose(sherd_animation *animation, int piece, int64_t frame,
                                      sherd_pose pose, sherd_error *error);

sherd_status sherd_animation_write(sherd_animation *animation, const char *path,
                                   sherd_error *error);

// ---------------------------------------------------------------- what a writer has of it

// The functions of a format. `file` of the animation is the writer's own.
typedef struct sherd_animation_writer {
    // NULL when memory is short.
    void *(*create)(const sherd_animation *animation);
    void (*destroy)(void *file);
    // The next material, mesh, cloud of points; clouds are numbered among meshes.
    sherd_status (*add_material)(sherd_animation *animation,
                                 const sherd_animation_material *material, sherd_error *error);
    sherd_status (*add_mesh)(sherd_animation *animation, const sherd_animation_mesh *mesh,
                             sherd_error *error);
    sherd_status (*add_points)(sherd_animation *animation, const sherd_animation_points *points,
                               sherd_error *error);
    // Once a piece has poses.
    sherd_status (*write)(sherd_animation *animation, const char *path, sherd_error *error);
} sherd_animation_writer;

struct sherd_animation {
    const sherd_animation_writer *writer;
    void *file;
    char *name;
    char *folder; // of temporary files; NULL: the system's
    int64_t frame_count;
    double texture_size;
    float *times; // (frame_count)
    bool compact;
    int material_count, mesh_count, piece_count;
    sherd_animation_piece *pieces; // their names are owned (piece_count)
    size_t piece_capacity;
    sherd_pose_tracks tracks; // of the pieces
};

// The writer is borrowed.
sherd_animation *sherd_animation_create(const sherd_animation_def *def,
                                        const sherd_animation_writer *writer, sherd_error *error);

// A piece as writers have it: its keys are those of its track, one a frame.
typedef struct sherd_course {
    const sherd_animation_piece *piece;
    const sherd_pose_track *track;
    const sherd_pose *poses; // (track->count)
} sherd_course;

// Of a piece with poses, until the next call. False when memory is short or a temporary file failed; quick for pieces
// that ascend.
bool sherd_animation_course(sherd_animation *animation, int piece, sherd_course *course);
