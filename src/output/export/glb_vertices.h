// Splits the vertices of a mesh for glTF: a vertex is duplicated where its corners differ in normal
// or texture coordinates. Each kind of face becomes one primitive.
#pragma once

#include "animation/animation.h"
#include "math/smooth_normals.h"

#include <stdbool.h>

typedef struct sherd_glb_vertices {
    int32_t vertex_count;   // n
    int32_t triangle_count; // m
    float *positions;       // relative to the origin   (n x 3)
    float *normals;         // unit                     (n x 3)
    float *texture;         // u, v                     (n x 2)
    float *color;           // red, green, blue; NULL: none (n x 3)
    uint32_t *indices;      //                          (m x 3)
    float low[3], high[3];  // bounds of the positions
    size_t room;            // capacity of the arrays [corners]
    bool has_color;         // the capacity includes colours
} sherd_glb_vertices;

// Scratch memory that is reused for all meshes; zero-filled is ready.
typedef struct sherd_glb_scratch {
    int32_t *first; // first vertex made from a source vertex, or -1        (vertices)
    int32_t *next;  // next vertex made from the same source vertex         (made vertices)
    struct sherd_glb_corner *made;
    int32_t *normal_of; // index of each corner's normal; equal normals of a vertex share one
    float *normals;     // unit (x 3)
    size_t first_room, next_room, made_room, corner_room, normal_room, normal_count;
} sherd_glb_scratch;

// Faces with one material.
typedef struct sherd_glb_faces {
    sherd_face_kind kind;
    int32_t group; // group of outer faces, -1: those without a group
} sherd_glb_faces;

// Splits the faces of one material. Free `out` with sherd_glb_vertices_free, also on failure. False
// if memory is short.
bool sherd_glb_split(sherd_glb_vertices *out, const sherd_animation_mesh *mesh,
                     sherd_glb_faces faces, double texture_size);
// Computes the normals of all corners. `fans` are the mesh's. False if memory is short.
bool sherd_glb_find_normals(sherd_glb_scratch *scratch, const sherd_animation_mesh *mesh,
                            const sherd_corner_fans *fans);
// The same as sherd_glb_split, given the mesh's fans and normals, which all its materials share.
// Reuses the arrays of `out` and grows them if necessary.
bool sherd_glb_split_by(sherd_glb_vertices *out, sherd_glb_scratch *scratch,
                        const sherd_animation_mesh *mesh, const sherd_corner_fans *fans,
                        sherd_glb_faces faces, double texture_size);
void sherd_glb_scratch_free(sherd_glb_scratch *scratch);

// Corner fans of a mesh without its own normals. Release in any case; false if memory is short.
bool sherd_export_corner_fans(sherd_corner_fans *fans, const sherd_animation_mesh *mesh);
// The result is not normalized.
void sherd_export_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner,
                                double n[3]);
// Texture coordinates of corner k, v upwards: those of the mesh, or a box projection with period
// texture_size.
void sherd_glb_corner_uv(const sherd_animation_mesh *mesh, const sherd_corner_fans *fans,
                         int32_t triangle, int k, double texture_size, float uv[2]);
void sherd_glb_vertices_free(sherd_glb_vertices *vertices);
