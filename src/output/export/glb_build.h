// The parts of a .glb, shared by the builder and the writer.
#pragma once

#include "animation/pose_tracks.h"
#include "base/byte_buffer.h"
#include "output/export/glb_split.h"

#include <sherd/export_glb.h>

// The runs of numbers in the file, one buffer view each. Attributes of vertices must not share a
// view unless they have the same stride.
typedef enum sherd_glb_view {
    SHERD_GLB_POSITION,
    SHERD_GLB_NORMAL,
    SHERD_GLB_TEXTURE,
    SHERD_GLB_COLOR,
    SHERD_GLB_FRAGMENT,
    SHERD_GLB_SMALL_POSITION, // of compact meshes
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

// A typed stretch of a view.
typedef struct sherd_glb_accessor {
    sherd_glb_view view;
    int64_t offset; // in the view [bytes]
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
} sherd_glb_node;

// A piece as writers have it: its keys are those of its track, one a frame.
typedef struct sherd_glb_course {
    const sherd_glb_piece *piece;
    const sherd_pose_track *track;
    const sherd_pose *poses; // (track->count)
} sherd_glb_course;

enum { SHERD_USDA_NAME = 80 };

// The text of a mesh or a cloud of points.
typedef struct sherd_usda_text {
    int64_t offset, size;
    bool is_points;
} sherd_usda_text;

// What text USD needs instead of the views, accessors and JSON.
typedef struct sherd_glb_usda {
    sherd_byte_buffer materials;
    sherd_byte_buffer draft;                 // of the mesh that is being added
    sherd_spool text;                        // of meshes
    sherd_usda_text *meshes;                 // (mesh_count)
    char (*material_names)[SHERD_USDA_NAME]; // of prims (material_count)
    size_t mesh_capacity, name_capacity;
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
    float *times; // (frame_count)
    bool compact;
    sherd_spool data[SHERD_GLB_ANIMATION]; // the views of meshes
    sherd_glb_accessors accessors;         // of meshes
    sherd_byte_buffer materials, meshes;   // JSON objects with commas between
    sherd_glb_pictures pictures;
    bool transmits; // a material lets light through
    int material_count, mesh_count, node_count;
    sherd_glb_scratch scratch; // of the mesh that is being added, as are:
    sherd_glb_vertices *parts;
    int *part_material;
    size_t part_room, part_material_room;
    double *mesh_scale; // by which the numbers of a mesh are lengths (mesh_count)
    size_t scale_capacity;
    sherd_glb_node *nodes;
    size_t node_capacity;
    char *folder;             // of temporary files; NULL: the system's
    sherd_pose_tracks tracks; // of the nodes
};

// Counts a mesh that is written; -1 when memory is short.
int sherd_glb_end_mesh(sherd_glb *glb, double scale, sherd_error *error);
// Appends numbers to a view and returns the index of their accessor.
int sherd_glb_add_floats(sherd_glb *glb, sherd_glb_view view, const float *items, int64_t count,
                         int components);
// Of a piece with poses. False when memory is short or a temporary file failed; quick for pieces that ascend.
bool sherd_glb_course_of(sherd_glb *glb, int piece, sherd_glb_course *course);

// Appends an accessor and returns its index.
int sherd_glb_add_accessor(sherd_glb_accessors *accessors, const sherd_glb_accessor *accessor);
