// Meshes of fragments as PLY with the fragment of each face.
#pragma once

#include <sherd/mesh.h>

typedef struct sherd_face_ids {
    const int32_t *fragment; // property int fragment (triangle_count)
    const int32_t *material; // property int material (triangle_count)
} sherd_face_ids;

// As sherd_mesh_write_ply, with two more properties of faces; `ids` may be NULL.
sherd_status sherd_mesh_write_ply_ids(const sherd_mesh *mesh, const sherd_face_ids *ids,
                                      const char *path, sherd_error *error);
