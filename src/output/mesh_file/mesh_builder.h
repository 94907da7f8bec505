// Collects the vertices and polygons of a mesh file.
#pragma once

#include <sherd/mesh.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Corners that may be tested while the polygons of a file are cut, 10 ns each: half a second for any file, and as much
// again for each 100 000 triangles. A convex polygon of n corners takes n^2 / 2, one that winds may take n^3.
#define SHERD_MESH_MOST_EAR_TESTS INT64_C(55000000)
#define SHERD_MESH_MOST_EAR_TESTS_EACH INT64_C(550)

// Where a picture comes from, so that no two copies of one are kept: a file of the system, or, with no
// device, whatever the parser counts in `number`.
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
    float *uv; // u, v of each corner, kept when has_uv             (triangle_count x 3 x 2)
    size_t uv_capacity;
    bool has_uv;           // set before the first triangle
    float *color;          // red, green, blue per vertex, used when has_color
    size_t color_capacity; // counts numbers, three a vertex
    bool has_color;
    int32_t *group; // of each triangle, kept when there is one         (triangle_count)
    size_t group_capacity;
    int32_t group_count, present_group; // present: of triangles to come, from 1; 0: none
    char *group_names;                  // one after the other, each with its '\0'
    size_t names_size, names_capacity;
    size_t *group_begin; // of each name in group_names
    size_t group_begin_capacity;
    uint16_t *group_slots;                    // hashed: numbers of groups, from 1; 0: free
    sherd_mesh_material *materials;           // of groups, used when there is one
    size_t material_count, material_capacity; // count: those that say something, or NaN
    sherd_mesh_picture *pictures;
    sherd_picture_source *picture_sources; // (picture_count)
    size_t picture_count, picture_capacity, picture_sources_capacity;
    char *notes; // one after the other, each with its '\0'
    size_t notes_size, notes_capacity;
    int32_t note_count;
    int64_t ear_tests; // corners tested while polygons were cut
} sherd_mesh_builder;

// A polygon's corners: vertices added before, and their texture coordinates or NULL.
typedef struct sherd_mesh_polygon {
    size_t count; // >= 3
    const int32_t *corners;
    const float *uv; // (count x 2)
    uint8_t face_kind;
} sherd_mesh_polygon;

// These return false when memory is short or counts exceed what a sherd_mesh can hold.
bool sherd_mesh_builder_add_vertex(sherd_mesh_builder *builder, const double position[3]);
// `uv` (3 x 2) may be NULL: zeros.
bool sherd_mesh_builder_add_triangle(sherd_mesh_builder *builder, const int32_t corners[3],
                                     const float *uv, uint8_t face_kind);
// Cuts a polygon, convex or not, into triangles by clipping ears in its mean plane. Fails beyond
// sherd_mesh_builder_may_cut, too.
bool sherd_mesh_builder_add_polygon(sherd_mesh_builder *builder, const sherd_mesh_polygon *polygon);
// Whether so many ears may have been tested.
bool sherd_mesh_builder_may_cut(const sherd_mesh_builder *builder);

// Triangles added from now on are in the group of this name, NUL excluded; size 0: in none.
bool sherd_mesh_builder_use_group(sherd_mesh_builder *builder, const char *name, size_t size);

// The material of the group of this name; NULL: there is no such group, or memory is short.
sherd_mesh_material *sherd_mesh_builder_material(sherd_mesh_builder *builder, const char *name,
                                                 size_t size);
// All groups have a material from then on. False: memory is short.
bool sherd_mesh_builder_reach_materials(sherd_mesh_builder *builder);
// A picture that is kept already, or -1.
int32_t sherd_mesh_builder_find_picture(const sherd_mesh_builder *builder,
                                        sherd_picture_source source);
// Keeps a picture, whose `bytes` are the builder's from now on. Its number, or -1: memory is short.
int32_t sherd_mesh_builder_add_picture(sherd_mesh_builder *builder, const char *name,
                                       sherd_picture_source source, uint8_t *bytes, size_t size);
// Something of the file is left out: "file:line: what". On lack of memory the note is, too.
void sherd_mesh_builder_note(sherd_mesh_builder *builder, const char *where, const char *format,
                             ...) SHERD_PRINTF(3, 4);

// Paints the vertex added last; vertices that are never painted are black. [0..1]
bool sherd_mesh_builder_paint(sherd_mesh_builder *builder, const double color[3]);

// Moves the arrays into a new mesh; the builder is empty afterwards, also on failure.
sherd_mesh *sherd_mesh_builder_finish(sherd_mesh_builder *builder, sherd_error *error);
void sherd_mesh_builder_release(sherd_mesh_builder *builder);
