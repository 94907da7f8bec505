// Wavefront OBJ with texture coordinates, materials and a group per fragment, and PC2 point caches
// (pc2_write.h) that move its vertices: a deforming, breaking body for Blender (modifier Mesh
// Cache), Houdini, Maya, 3ds Max.
//
//     sherd_obj *obj = sherd_obj_create("run.obj", "plate", &err);
//     int glaze = sherd_obj_add_material(obj, &outer, &err), clay = ...;
//     for each piece: sherd_obj_add_part(obj, &part, &err);
//     sherd_obj_write(obj, &err);
//     sherd_pc2 *cache = sherd_pc2_create("run.pc2", sherd_obj_vertex_count(obj), frames, &err);
//     for each frame: for each piece: sherd_pc2_add(cache, count, vertices);
//     sherd_pc2_finish(cache, &err);
//     sherd_obj_destroy(obj);
//
// Both files are y-up: (x, y, z) of Sherd's z-up world is written as (x, z, -y).
#pragma once

#include <sherd/fragments.h>
#include <sherd/mesh.h>

typedef struct sherd_obj_material {
    const char *name;        // may be NULL; made unique and free of blanks
    double red, green, blue; // linear, [0, 1]
    double roughness;        // [0, 1]
    double opacity;          // (0, 1]
    double metal;            // [0, 1], Pm
    const char *picture;     // texture file beside the .mtl, used instead of the colour; NULL: none
} sherd_obj_material;

// A mesh with its own group in the file.
typedef struct sherd_obj_part {
    const char *name;         // of the group, e.g. "fragment_12"; may be NULL
    int32_t vertex_count;     // n
    const double *vertices;   // x, y, z [m]                                             (n x 3)
    int32_t triangle_count;   // m
    const int32_t *triangles; //                                                         (m x 3)
    const uint8_t *face_kind; // sherd_face_kind; NULL: all outer                        (m)
    const float *uv;          // of corners; NULL: no texture coordinates                (m x 3 x 2)
    int outer_material, inner_material;
    const float *color;   // red, green, blue behind each vertex; NULL: none          (n x 3)
    const int32_t *group; // of outer faces, which have that group's material; -1: outer_material;
                          // NULL: all have that                                      (m)
    int32_t group_count;  // 0 without `group`
    const int
        *group_materials; //                                                          (group_count)
} sherd_obj_part;

typedef struct sherd_obj sherd_obj;

// Writes PATH and, beside it, the material library with the ending .mtl. NULL with an error.
sherd_obj *sherd_obj_create(const char *path, const char *name, sherd_error *error);
// Removes the unfinished file unless sherd_obj_write was called. NULL is fine.
void sherd_obj_destroy(sherd_obj *obj);

// These return an index, or -1 with *error filled.
int sherd_obj_add_material(sherd_obj *obj, const sherd_obj_material *material, sherd_error *error);
// Parts' vertices are numbered consecutively; a point cache has the same order.
int sherd_obj_add_part(sherd_obj *obj, const sherd_obj_part *part, sherd_error *error);

int64_t sherd_obj_vertex_count(const sherd_obj *obj);             // of all parts so far
sherd_status sherd_obj_write(sherd_obj *obj, sherd_error *error); // both files
