// The parts of a .glb, shared by the builder and the writer.
#pragma once

#include "base/byte_buffer.h"

#include <sherd/export_glb.h>

// The runs of numbers in the file, one buffer view each. Attributes of vertices must not share a
// view unless they have the same stride.
typedef enum sherd_glb_view {
    SHERD_GLB_POSITION,
    SHERD_GLB_NORMAL,
    SHERD_GLB_TEXTURE,
    SHERD_GLB_COLOR,
    SHERD_GLB_FRAGMENT,
    SHERD_GLB_INDEX,
    SHERD_GLB_ANIMATION,
    SHERD_GLB_VIEW_COUNT,
} sherd_glb_view;

typedef enum sherd_glb_number {
    SHERD_GLB_FLOAT = 0,
    SHERD_GLB_UINT16,
    SHERD_GLB_UINT32,
} sherd_glb_number;

// A typed stretch of a view.
typedef struct sherd_glb_accessor {
    sherd_glb_view view;
    size_t offset; // in the view [bytes]
    int64_t count;
    int components; // 1 SCALAR, 2 VEC2, ...
    sherd_glb_number number;
    bool bounded; // low and high are required and given
    float low[3], high[3];
} sherd_glb_accessor;

typedef struct sherd_glb_accessors {
    sherd_glb_accessor *items;
    size_t count, capacity;
    bool failed; // memory was short
} sherd_glb_accessors;

typedef struct sherd_glb_node {
    sherd_glb_piece piece; // its name is owned
    int64_t first_frame;   // of poses[0]
    sherd_pose *poses;     // one per frame from first_frame on
    size_t count, capacity;
} sherd_glb_node;

enum { SHERD_USDA_NAME = 80 };

// What text USD needs instead of the views, accessors and JSON.
typedef struct sherd_glb_usda {
    sherd_byte_buffer materials;
    sherd_byte_buffer *meshes;               // (mesh_count)
    char (*material_names)[SHERD_USDA_NAME]; // of prims (material_count)
    uint8_t *is_points;                      // and not meshes (mesh_count)
    size_t mesh_capacity, points_capacity, name_capacity;
} sherd_glb_usda;

// Picture files of materials, behind the views.
typedef struct sherd_glb_pictures {
    sherd_byte_buffer bytes; // each begins at a whole word
    struct sherd_glb_picture {
        const uint8_t *source; // that it was copied from
        size_t offset, size;
    } * items;
    int count;
    size_t capacity;
} sherd_glb_pictures;

struct sherd_glb {
    char *name;
    sherd_glb_format format;
    sherd_glb_usda usda;
    int64_t frame_count;
    double texture_size;
    float *times;                                // (frame_count)
    sherd_byte_buffer data[SHERD_GLB_ANIMATION]; // the views of meshes
    sherd_glb_accessors accessors;               // of meshes
    sherd_byte_buffer materials, meshes;         // JSON objects with commas between
    sherd_glb_pictures pictures;
    bool transmits; // a material lets light through
    int material_count, mesh_count, node_count;
    sherd_glb_node *nodes;
    size_t node_capacity;
};

// Appends numbers to a view and returns the index of their accessor.
int sherd_glb_add_floats(sherd_glb *glb, sherd_glb_view view, const float *items, int64_t count,
                         int components);
// Room for the text of another mesh or cloud of points; NULL when memory is short.
sherd_byte_buffer *sherd_usda_new_mesh(sherd_glb *glb, bool is_points);

bool sherd_glb_is_at_rest(const sherd_glb_node *node);

// Appends an accessor and returns its index.
int sherd_glb_add_accessor(sherd_glb_accessors *accessors, const sherd_glb_accessor *accessor);
