// An animation: what a run looks like over time, as materials, meshes, clouds of points, and pieces
// that move.
//
// The caller adds materials and meshes first, then pieces, then the poses of each frame. The
// animation checks and counts what it is given and passes it to one writer (.glb, USD), which knows
// only its file format. Meshes go to the writer at once; poses go to a spool (pose_tracks.h).
// Neither is stored in memory for the whole run.
//
// Invariants: a writer receives only checked input (finite numbers, existing vertices and
// materials); materials, meshes and pieces are numbered from 0 in the order in which they are
// added; a piece has a pose in every frame from its first to its last.
#pragma once

#include "animation/pose_tracks.h"

#include <sherd/fragments.h>
#include <sherd/mesh.h>

typedef enum sherd_animation_format {
    SHERD_ANIMATION_GLB,
    SHERD_ANIMATION_USDA,
    SHERD_ANIMATION_USDC
} sherd_animation_format;

// True for USD, which also has pieces that deform, instances and states.
static inline bool sherd_animation_is_usd(sherd_animation_format format)
{
    return format != SHERD_ANIMATION_GLB;
}

typedef struct sherd_animation_def {
    const char *name;    // name of the scene; may be NULL
    int64_t frame_count; // >= 1
    const double *times; // playback times, strictly ascending, >= 0 [s] (frame_count); copied.
                         // Blender shows frame k exactly at times k / 24
    double texture_size; // length that one unit of UV covers [m], > 0
    double slow_motion;  // for USD: time of the run that a second of playback shows [s]; 0: 1
    sherd_animation_format format;
    // For .glb: store a vertex in 16 bytes instead of 32 to 48 with the extension
    // KHR_mesh_quantization, which readers must then support. Errors are at most 1.6e-5 of the
    // largest vertex coordinate (relative to the mesh's origin) for positions, 0.4 degrees for
    // normals, and 1.6e-5 for texture coordinates, which are shifted by whole periods. There is no
    // _FRAGMENT attribute.
    bool compact;
    const char *folder; // for temporary files without names; NULL: $TMPDIR or /tmp. Copied
} sherd_animation_def;

typedef struct sherd_animation_material {
    const char *name;        // may be NULL
    double red, green, blue; // linear, [0, 1]
    double roughness;        // [0, 1]
    double metallic;         // [0, 1]
    double transmission;     // [0, 1]: 0 opaque, 1 clear glass (KHR_materials_transmission);
                             // in USD 1 - opacity
    // Base colour texture, a PNG or JPEG file in sRGB. It multiplies the colour, uses the meshes'
    // uv, and is embedded in a .glb. NULL: none. Materials whose pictures have the same address
    // share one copy.
    const uint8_t *picture; // copied                                       (picture_size)
    size_t picture_size;
    // For USD: name of the same picture as a file beside the .usda. NULL: none.
    const char *picture_name;
    bool painted; // for USD: use the meshes' vertex colours unless there is a picture
} sherd_animation_material;

typedef struct sherd_animation_mesh {
    const char *name;         // may be NULL
    int32_t vertex_count;     // n
    const double *vertices;   // x, y, z [m]                                (n x 3)
    const double *normals;    // unit; NULL: from the triangles, edges sharper than 35 degrees
                              // stay sharp                                 (n x 3)
    int32_t triangle_count;   // m, >= 1
    const int32_t *triangles; //                                            (m x 3)
    const uint8_t *face_kind; // sherd_face_kind; NULL: all outer           (m)
    const float *uv;   // of corners, v upwards; NULL: a box projection of texture_size (m x 3 x 2)
    sherd_vec3 origin; // point of the mesh that a pose's position refers to, as
                       // sherd_fragment_motion's rest_center
    sherd_fragment_id fragment; // vertex attribute _FRAGMENT; 0: none
    int outer_material, inner_material;
    // Vertex colours of outer faces: red, green, blue, sRGB (n x 3); NULL: none. Written as attribute
    // COLOR_0, which is linear.
    const float *color;
    const int32_t *group; // group of an outer face, which selects its material; -1: outer_material;
                          // NULL: -1 for all                         (m)
    int32_t group_count;  // 0 without `group`
    const int *group_materials; //                                          (group_count)
    bool deforms; // for USD: the one piece that has it gets its vertices in every frame
} sherd_animation_mesh;

// A cloud of points (dust), for .glb: primitives of mode POINTS with the attributes _VELOCITY,
// _RADIUS, _AGE and _FRAGMENT.
typedef struct sherd_animation_points {
    const char *name;        // may be NULL
    int32_t count;           // n, >= 1
    const float *positions;  // x, y, z [m]    (n x 3)
    const float *velocity;   // x, y, z [m/s]  (n x 3)
    const float *radius;     // [m]            (n)
    const float *age;        // [s]            (n)
    const int32_t *fragment; // fragment that the point came from (n)
    int material;
} sherd_animation_points;

typedef struct sherd_animation_piece {
    const char *name;           // may be NULL
    int mesh;                   // pieces may share meshes
    double scale;               // > 0, e.g. the radius of a unit sphere
    sherd_fragment_id fragment; // written to the node's extras, as are elements and mass
    int64_t elements;
    double mass; // [kg]
    // Largest distance between the pose and the linear interpolation of the keys [m]; 0: one key per
    // frame. In USD also of what rotation moves at the distance `radius`.
    double tolerance;
    double radius; // for USD: largest distance of the mesh from its origin [m]
} sherd_animation_piece;

// What colours and shaders can show of a piece in a frame, for USD.
typedef struct sherd_animation_state {
    double speed;  // of the centre of mass [m/s]
    double stress; // largest one: von Mises [Pa], or as a share of the strength
    double age;    // since it came off; 0: not yet [s]
} sherd_animation_state;

// Copies of a mesh (granules, dust) whose number may change, for USD: a PointInstancer.
typedef struct sherd_animation_instancer {
    const char *name; // may be NULL
    int mesh;
} sherd_animation_instancer;

// The copies in a frame: x_world = R (scale x_mesh) + position.
typedef struct sherd_animation_instances {
    int32_t count;           // n, >= 0
    const int64_t *id;       // the same one in all frames       (n)
    const float *positions;  // x, y, z [m]                      (n x 3)
    const float *rotations;  // x, y, z, w; NULL: none           (n x 4)
    const float *scale;      // > 0                              (n)
    const float *velocity;   // x, y, z [m/s]                    (n x 3)
    const float *age;        // [s]; NULL: none                  (n)
    const int32_t *fragment; // that it is or came from          (n)
} sherd_animation_instances;

typedef struct sherd_animation sherd_animation;

void sherd_animation_destroy(sherd_animation *animation); // NULL is fine

// These return an index, or -1 with *error filled.
int sherd_animation_add_material(sherd_animation *animation,
                                 const sherd_animation_material *material, sherd_error *error);
int sherd_animation_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                             sherd_error *error);
int sherd_animation_add_points(sherd_animation *animation, const sherd_animation_points *points,
                               sherd_error *error);
int sherd_animation_add_piece(sherd_animation *animation, const sherd_animation_piece *piece,
                              sherd_error *error);

// Sets the pose of a piece in a frame: x_world = R (x_mesh - origin) + position. Frames of a piece
// ascend without gaps. A piece is visible from its first frame with a pose to its last one.
sherd_status sherd_animation_set_pose(sherd_animation *animation, int piece, int64_t frame,
                                      sherd_pose pose, sherd_error *error);

// For USD. Vertices in the world (those of the mesh x 3) of a piece whose mesh deforms: in every
// frame in which it has a pose, which is not shown.
sherd_status sherd_animation_set_vertices(sherd_animation *animation, int piece, int64_t frame,
                                          const double *vertices, sherd_error *error);
// In every frame in which the piece has a pose, or in none.
sherd_status sherd_animation_set_state(sherd_animation *animation, int piece, int64_t frame,
                                       sherd_animation_state state, sherd_error *error);
// Frames of an instancer ascend; there are no copies in those that are left out.
int sherd_animation_add_instancer(sherd_animation *animation,
                                  const sherd_animation_instancer *instancer, sherd_error *error);
sherd_status sherd_animation_set_instances(sherd_animation *animation, int instancer, int64_t frame,
                                           const sherd_animation_instances *instances,
                                           sherd_error *error);

sherd_status sherd_animation_write(sherd_animation *animation, const char *path,
                                   sherd_error *error);

// ---------------------------------------------------------------- what a writer has of it

// The functions of a file format. `file` of the animation belongs to the writer.
typedef struct sherd_animation_writer {
    // Returns NULL if memory is short.
    void *(*create)(const sherd_animation *animation);
    void (*destroy)(void *file);
    // Add the next material, mesh or cloud of points. Clouds and meshes share one numbering.
    sherd_status (*add_material)(sherd_animation *animation,
                                 const sherd_animation_material *material, sherd_error *error);
    sherd_status (*add_mesh)(sherd_animation *animation, const sherd_animation_mesh *mesh,
                             sherd_error *error);
    // NULL: the format has instancers instead.
    sherd_status (*add_points)(sherd_animation *animation, const sherd_animation_points *points,
                               sherd_error *error);
    // NULL: the format has none of it.
    sherd_status (*set_vertices)(sherd_animation *animation, int piece, int64_t frame,
                                 const double *vertices, sherd_error *error);
    sherd_status (*add_instancer)(sherd_animation *animation,
                                  const sherd_animation_instancer *instancer, sherd_error *error);
    sherd_status (*set_instances)(sherd_animation *animation, int instancer, int64_t frame,
                                  const sherd_animation_instances *instances, sherd_error *error);
    // Called after at least one piece has a pose.
    sherd_status (*write)(sherd_animation *animation, const char *path, sherd_error *error);
} sherd_animation_writer;

struct sherd_animation {
    const sherd_animation_writer *writer;
    void *file;
    char *name;
    char *folder; // of temporary files; NULL: the system's
    int64_t frame_count;
    double texture_size, slow_motion;
    float *times; // (frame_count)
    bool compact;
    int material_count, mesh_count, piece_count, instancer_count;
    sherd_animation_piece *pieces; // their names are owned (piece_count)
    size_t piece_capacity;
    sherd_pose_tracks tracks; // of the pieces
    sherd_pose_tracks
        states; // speed, stress and age of the pieces as positions; may have no frames
};

// The writer is borrowed.
sherd_animation *sherd_animation_create(const sherd_animation_def *def,
                                        const sherd_animation_writer *writer, sherd_error *error);

// A piece with its poses, one per frame of its track.
typedef struct sherd_posed_piece {
    const sherd_animation_piece *piece;
    const sherd_pose_track *track;
    const sherd_pose *poses; // (track->count)
} sherd_posed_piece;

// Gives a piece and its poses, valid until the next call. Fast for ascending pieces. False if
// memory is short or a temporary file failed.
bool sherd_animation_posed_piece(sherd_animation *animation, int piece, sherd_posed_piece *course);
