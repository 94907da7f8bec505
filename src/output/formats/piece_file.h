// Exports a run as pieces in plain arrays, with a layout that programs can use without conversion:
// docs/reference/exports.md, .pieces. Pieces are rigid or deforming by the same criterion as for
// the page.
#pragma once

#include "output/page/page_run.h"
#include "output/page/page_sections.h"

enum {
    PIECE_TRACK_COLUMNS = 9,    // x, y, z, qx, qy, qz, qw, speed, stress
    OBSTACLE_TRACK_COLUMNS = 7, // x, y, z, qx, qy, qz, qw
    VALUES_OF_A_PLACE = 5,      // x, y, z, speed, stress
    PIECE_FILE_ALIGNMENT = 8,   // of sections [bytes]
};

typedef enum sherd_piece_section {
    SECTION_VERTICES,  // all meshes: float x, y, z relative to the piece's centre at rest [m]
    SECTION_TRIANGLES, // int32 corners within the piece
    SECTION_KINDS,     // uint8 sherd_face_kind of triangles
    SECTION_TEXTURE,   // float u, v of corners
    SECTION_SHAPES,    // obstacles: float vertices and int32 triangles of each
    SECTION_TRACKS,    // pieces as rigid bodies: float, column by column, each with all frames
    SECTION_OBSTACLES, // obstacles: same layout
    SECTION_RADII,     // float, of points [m]
    SECTION_LABELS,    // int32, fragments of points in the last frame
    SECTION_FRAMES, // per frame, float: deforming vertices, their speeds, stresses; then points in the same way
    SECTION_COUNT
} sherd_piece_section;

typedef struct sherd_piece_file {
    sherd_page_run run;
    size_t vertex_count, triangle_count, bend_count,
        mesh_count;             // bend_count: number of deforming vertices
    size_t size[SECTION_COUNT]; // [bytes]
    sherd_byte_buffer shapes;
    float *tracks;    // (mesh_count x PIECE_TRACK_COLUMNS x frames)
    float *obstacles; // (obstacles x OBSTACLE_TRACK_COLUMNS x frames)
    float *places;    // of one frame
    double *momentum; // of the current frame's pieces: mass times velocity       (pieces x 3)
    double *stress;   // largest of each piece's elements                     (pieces)
} sherd_piece_file;

// Writes the JSON header that describes the sections; fills file->shapes and its size.
sherd_status sherd_piece_file_about(sherd_piece_file *file, sherd_byte_buffer *json,
                                    sherd_error *error);

// Writes the job's file.
sherd_status sherd_piece_file_write(sherd_format_job *job, sherd_error *error);
