// Equal meshes of a .glb share the accessors of their vertices and triangles: a wall of equal bricks,
// or the legs of a table, are stored once.
#pragma once

#include "output/export/glb_vertices.h"

#include <stdint.h>

// Accessors of one material's part of a mesh; -1: none.
typedef struct sherd_glb_shared_part {
    int position, normal, texture, color, indices;
} sherd_glb_shared_part;

// Fingerprints of meshes so far, in two hashes of 64 bits, and their parts. Zero-filled is empty.
typedef struct sherd_glb_shared {
    struct sherd_glb_shared_mesh {
        uint64_t hash[2];
        int64_t first; // of its parts; -1: an empty slot
    } * slots;         // a hash table of a power of two
    size_t slot_count, mesh_count;
    sherd_glb_shared_part *parts;
    size_t part_count, part_room;
} sherd_glb_shared;

void sherd_glb_shared_free(sherd_glb_shared *shared);

// The parts of an equal earlier mesh, valid until the next call; NULL: there is none. Then `to_fill`
// is set to the place for this one's, NULL if memory is short, in which case it is not shared.
const sherd_glb_shared_part *sherd_glb_shared_find(sherd_glb_shared *shared,
                                                   const sherd_glb_vertices *v, int count,
                                                   sherd_glb_shared_part **to_fill);
