// Writes an animation as Universal Scene Description: text (.usda) or crate (.usdc). Both are made
// by the same calls (usd_scene.h).
//
//     /run (Xform, the default prim)
//         materials   UsdPreviewSurface
//         mesh_N      classes: meshes that several pieces share
//         NAME        Mesh: a rigid piece with samples of its transform, or one that deforms with
//                     samples of its points, normals and velocities
//         NAME        PointInstancer: granules, dust
#pragma once

#include "animation/animation.h"
#include "base/byte_buffer.h"
#include "output/usd/usd_record.h"

enum { SHERD_USD_NAME = 80 };

// A mesh, recorded: its attributes and subsets.
typedef struct sherd_usd_mesh {
    sherd_usd_record record;
    char material[SHERD_USD_NAME]; // of outer faces
    // Of a mesh that deforms.
    bool deforms;
    int32_t vertex_count, triangle_count, normal_count;
    int64_t corners; // in the spool: vertices of triangles, then normals of corners (2 x 3 x int32)
} sherd_usd_mesh;

// Vertices of a piece that deforms.
typedef struct sherd_usd_shape {
    int piece;
    int64_t frame, offset;
} sherd_usd_shape;

// The copies of an instancer in a frame; offset of its columns in the spool.
typedef struct sherd_usd_crowd {
    int instancer;
    int64_t frame, offset;
    int32_t count;
    bool has_rotations, has_age;
} sherd_usd_crowd;

typedef struct sherd_usd_instancer {
    char name[SHERD_USD_NAME];
    int mesh;
} sherd_usd_instancer;

typedef struct sherd_usd_file {
    sherd_byte_buffer draft; // calls that are being recorded
    sherd_byte_buffer materials;
    sherd_spool spool; // meshes, shapes, crowds
    sherd_usd_mesh *meshes;
    char (*material_names)[SHERD_USD_NAME];
    size_t mesh_count, mesh_capacity, material_capacity;
    sherd_usd_shape *shapes; // in order of frames
    size_t shape_count, shape_capacity;
    sherd_usd_crowd *crowds; // in order of frames
    size_t crowd_count, crowd_capacity;
    sherd_usd_instancer *instancers;
    size_t instancer_count, instancer_capacity;
} sherd_usd_file;

extern const sherd_animation_writer sherd_usda_writer, sherd_usdc_writer;

// A valid name of a USD prim: letters, digits and _.
void sherd_usd_identifier(const char *name, char to[SHERD_USD_NAME]);

sherd_status sherd_usd_add_material(sherd_animation *animation, const sherd_animation_material *m,
                                    sherd_error *error);
sherd_status sherd_usd_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                                sherd_error *error);
sherd_status sherd_usd_set_vertices(sherd_animation *animation, int piece, int64_t frame,
                                    const double *vertices, sherd_error *error);
sherd_status sherd_usd_add_instancer(sherd_animation *animation,
                                     const sherd_animation_instancer *instancer,
                                     sherd_error *error);
sherd_status sherd_usd_set_instances(sherd_animation *animation, int instancer, int64_t frame,
                                     const sherd_animation_instances *instances,
                                     sherd_error *error);

// Frames per second of playback are time codes per second: frame k is time code k.
enum { SHERD_USD_RATE = 24 };
double sherd_usd_time_code(const sherd_animation *animation, int64_t frame);

// Writes the samples of points, normals, velocities and extent of a piece that deforms. False if
// memory is short or the spool failed.
bool sherd_usd_put_shapes(sherd_animation *animation, int piece, const sherd_usd_output *out);
// Writes an instancer with its samples.
bool sherd_usd_put_instancer(sherd_animation *animation, int instancer,
                             const sherd_usd_output *out);
// Writes keys of a rigid piece's transform, and of its state.
bool sherd_usd_put_motion(const sherd_animation *animation, const sherd_posed_piece *course,
                          const sherd_usd_output *out);
bool sherd_usd_put_state(sherd_animation *animation, int piece, const sherd_usd_output *out);
// "</run/materials/NAME>" without the brackets.
void sherd_usd_material_path(const char *name, char to[SHERD_USD_NAME + 16]);
