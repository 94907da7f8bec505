// Cuts a mesh into the vertices and triangles glTF wants: one primitive per kind of face, vertices of
// their own where corners differ in normal or texture coordinates.
#pragma once

#include "math/smooth_normals.h"

#include <sherd/export_glb.h>

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
    size_t room;            // corners that the arrays have room for
    bool has_color;         // they have room for colours, too
} sherd_glb_vertices;

// Memory that one mesh after the other is split in; zero-filled is ready.
typedef struct sherd_glb_scratch {
    int32_t *first; // vertex made first for a source vertex, or -1        (vertices)
    int32_t *next;  // further ones made for the same                      (made vertices)
    struct sherd_glb_corner *made;
    int32_t *normal_of; // number of each corner's normal, the same where they are alike at a vertex
    float *normals;     // unit (x 3)
    size_t first_room, next_room, made_room, corner_room, normal_room, normal_count;
} sherd_glb_scratch;

// Faces that have a material of their own.
typedef struct sherd_glb_faces {
    sherd_face_kind kind;
    int32_t group; // of outer ones, -1: those in none
} sherd_glb_faces;

// False when memory is short. Free with sherd_glb_vertices_free, also on failure.
bool sherd_glb_split(sherd_glb_vertices *out, const sherd_glb_mesh *mesh, sherd_glb_faces faces,
                     double texture_size);
// Normals of all corners of the mesh; false when memory is short. `fans` are the mesh's.
bool sherd_glb_find_normals(sherd_glb_scratch *scratch, const sherd_glb_mesh *mesh,
                            const sherd_corner_fans *fans);
// The same with the mesh's fans and normals, which all its kinds of faces share, and with arrays that grow only where
// need be.
bool sherd_glb_split_by(sherd_glb_vertices *out, sherd_glb_scratch *scratch,
                        const sherd_glb_mesh *mesh, const sherd_corner_fans *fans,
                        sherd_glb_faces faces, double texture_size);
void sherd_glb_scratch_free(sherd_glb_scratch *scratch);

// Of a mesh without normals of its own. Release in any case; false when memory is short.
bool sherd_export_corner_fans(sherd_corner_fans *fans, const sherd_glb_mesh *mesh);
// Not of unit length.
void sherd_export_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner,
                                double n[3]);
// Texture coordinates of corner k, v upwards: the mesh's own or a box projection of texture_size.
void sherd_glb_corner_uv(const sherd_glb_mesh *mesh, const sherd_corner_fans *fans,
                         int32_t triangle, int k, double texture_size, float uv[2]);
void sherd_glb_vertices_free(sherd_glb_vertices *vertices);
