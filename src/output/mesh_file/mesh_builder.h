// Collects the vertices and polygons of a mesh file.
#pragma once

#include <sherd/mesh.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Limit of corner tests while triangulating the polygons of a file, about 10 ns each: half a second
// for any file, plus as much for each 100 000 triangles. A convex polygon of n corners takes n^2 /
// 2 tests, a winding one up to n^3.
#define SHERD_MESH_MAX_EAR_TESTS INT64_C(55000000)
#define SHERD_MESH_MAX_EAR_TESTS_EACH INT64_C(550)

// Identity of a picture, to avoid duplicates: a file of the system or, if device is 0, a number
// that the parser assigns.
typedef struct sherd_picture_source {
    uint64_t device, number;
} sherd_picture_source;

typedef struct sherd_mesh_builder {
    double *vertices;                     // x, y, z [m]
    size_t vertex_count, vertex_capacity; // capacities count numbers, three a vertex
    int32_t *triangles;
    size_t triangle_count, triangle_capacity; // capacities count numbers, three a triangle
    uint8_t *face_kind;                       // per triangle, used when has_face_kind
    size_t face_kind_capacity;
    bool has_face_kind;
    float *uv; // u, v of each corner, used if has_uv             (triangle_count x 3 x 2)
    size_t uv_capacity;
    bool has_uv;           // set before the first triangle
    float *color;          // red, green, blue per vertex, used when has_color
    size_t color_capacity; // counts numbers, three a vertex
    bool has_color;
    int32_t *group; // of each triangle, used if there are groups         (triangle_count)
    size_t group_capacity;
    int32_t group_count, present_group; // present_group: of triangles added next, from 1; 0: none
    char *group_names;                  // names, each with its '\0'
    size_t names_size, names_capacity;
    size_t *group_begin; // offset of each name in group_names
    size_t group_begin_capacity;
    uint16_t *group_slots;                    // hash table: group numbers from 1; 0: empty
    sherd_mesh_material *materials;           // of groups, allocated when the first one is set
    size_t material_count, material_capacity; // count: materials with a value (others are NaN)
    sherd_mesh_picture *pictures;
    sherd_picture_source *picture_sources; // (picture_count)
    size_t picture_count, picture_capacity, picture_sources_capacity;
    char *notes; // notes, each with its '\0'
    size_t notes_size, notes_capacity;
    int32_t note_count;
    int64_t ear_tests; // corners tested while triangulating polygons
} sherd_mesh_builder;

// A polygon's corners: vertices added before, and their texture coordinates or NULL.
typedef struct sherd_mesh_polygon {
    size_t count; // >= 3
    const int32_t *corners;
    const float *uv; // (count x 2)
    uint8_t face_kind;
} sherd_mesh_polygon;

// These return false if memory is short or counts exceed the limits of a sherd_mesh.
bool sherd_mesh_builder_add_vertex(sherd_mesh_builder *builder, const double position[3]);
// `uv` (3 x 2) may be NULL: zeros.
bool sherd_mesh_builder_add_triangle(sherd_mesh_builder *builder, const int32_t corners[3],
                                     const float *uv, uint8_t face_kind);
// Triangulates a polygon, convex or not, by ear clipping in its mean plane. Also fails if
// sherd_mesh_builder_may_cut is false.
bool sherd_mesh_builder_add_polygon(sherd_mesh_builder *builder, const sherd_mesh_polygon *polygon);
// True if the number of ear tests is within the limit.
bool sherd_mesh_builder_may_cut(const sherd_mesh_builder *builder);

// Sets the group of triangles added from now on, by name (NUL excluded); size 0: no group.
bool sherd_mesh_builder_use_group(sherd_mesh_builder *builder, const char *name, size_t size);

// The material of the named group; NULL if there is no such group or memory is short.
sherd_mesh_material *sherd_mesh_builder_material(sherd_mesh_builder *builder, const char *name,
                                                 size_t size);
// Allocates materials of all groups. False if memory is short.
bool sherd_mesh_builder_reach_materials(sherd_mesh_builder *builder);
// The index of a picture that was already added, or -1.
int32_t sherd_mesh_builder_find_picture(const sherd_mesh_builder *builder,
                                        sherd_picture_source source);
// Adds a picture and takes ownership of `bytes`. Returns its index, or -1 if memory is short.
int32_t sherd_mesh_builder_add_picture(sherd_mesh_builder *builder, const char *name,
                                       sherd_picture_source source, uint8_t *bytes, size_t size);
// Notes that a part of the file is ignored: "file:line: what". Dropped if memory is short.
void sherd_mesh_builder_note(sherd_mesh_builder *builder, const char *where, const char *format,
                             ...) SHERD_PRINTF(3, 4);

// Sets the colour of the last vertex, [0..1]; vertices without a colour are black.
bool sherd_mesh_builder_paint(sherd_mesh_builder *builder, const double color[3]);

// Moves the arrays into a new mesh; the builder is empty afterwards, also on failure.
sherd_mesh *sherd_mesh_builder_finish(sherd_mesh_builder *builder, sherd_error *error);
void sherd_mesh_builder_release(sherd_mesh_builder *builder);
