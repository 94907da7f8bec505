// The state of a .glb that is being written.
#pragma once

#include "animation/animation.h"
#include "base/byte_buffer.h"
#include "output/export/glb_shared.h"
#include "output/export/glb_vertices.h"

// The buffer views of the file. Vertex attributes must not share a view unless they have the same
// stride.
typedef enum sherd_glb_view {
    SHERD_GLB_POSITION,
    SHERD_GLB_NORMAL,
    SHERD_GLB_TEXTURE,
    SHERD_GLB_COLOR,
    SHERD_GLB_FRAGMENT,
    SHERD_GLB_SMALL_POSITION, // quantized, for compact meshes
    SHERD_GLB_SMALL_NORMAL,
    SHERD_GLB_SMALL_TEXTURE,
    SHERD_GLB_SMALL_COLOR,
    SHERD_GLB_INDEX,
    SHERD_GLB_ANIMATION,
    SHERD_GLB_VIEW_COUNT,
} sherd_glb_view;

typedef enum sherd_glb_number {
    SHERD_GLB_FLOAT = 0,
    SHERD_GLB_INT8,   // -127 to 127 for -1 to 1
    SHERD_GLB_INT16,  // -32767 to 32767 for -1 to 1
    SHERD_GLB_UNIT16, // 0 to 65535 for 0 to 1
    SHERD_GLB_UINT16,
    SHERD_GLB_UINT32,
} sherd_glb_number;

// A typed range of a view.
typedef struct sherd_glb_accessor {
    sherd_glb_view view;
    int64_t offset; // in the view [bytes]
    int64_t count;
    int components; // 1: SCALAR, 2: VEC2, ...
    sherd_glb_number number;
    bool bounded; // write low and high, which the format requires for positions and times
    float low[3], high[3];
} sherd_glb_accessor;

typedef struct sherd_glb_accessors {
    sherd_glb_accessor *items;
    size_t count, capacity;
    bool failed; // memory was short
} sherd_glb_accessors;

// Pictures of materials, stored after the views.
typedef struct sherd_glb_pictures {
    sherd_byte_buffer bytes; // each picture is aligned to 4 bytes
    struct sherd_glb_picture {
        const uint8_t *source; // address that it was copied from, to share equal pictures
        size_t offset, size;
    } * items;
    int count;
    size_t capacity;
} sherd_glb_pictures;

// A .glb that is being written.
typedef struct sherd_glb_file {
    bool compact;
    double texture_size;
    sherd_spool data[SHERD_GLB_ANIMATION]; // the views of meshes
    sherd_glb_accessors accessors;         // of meshes
    sherd_byte_buffer materials, meshes;   // JSON objects separated by commas
    sherd_glb_pictures pictures;
    bool transmits; // a material is transmissive
    // Scratch of the mesh that is being added, reused for the next one.
    sherd_glb_scratch scratch;
    sherd_glb_vertices *parts;
    int *part_material;
    size_t part_room, part_material_room;
    sherd_glb_shared shared;
    double *mesh_scale; // factor from stored numbers to lengths (mesh_count)
    size_t mesh_count, scale_capacity;
} sherd_glb_file;

extern const sherd_animation_writer sherd_glb_writer;

sherd_status sherd_glb_file_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                     sherd_error *error);
sherd_status sherd_glb_file_add_points(sherd_animation *animation,
                                       const sherd_animation_points *points, sherd_error *error);
sherd_status sherd_glb_file_write(sherd_animation *animation, const char *path, sherd_error *error);

// Finishes a mesh whose stored numbers times `scale` are lengths. Fails if memory is short or a
// temporary file failed.
sherd_status sherd_glb_end_mesh(sherd_glb_file *glb, double scale, sherd_error *error);
// Appends numbers to a view and returns the index of their accessor.
int sherd_glb_add_floats(sherd_glb_file *glb, sherd_glb_view view, const float *items,
                         int64_t count, int components);
// Appends an accessor and returns its index.
int sherd_glb_add_accessor(sherd_glb_accessors *accessors, const sherd_glb_accessor *accessor);
