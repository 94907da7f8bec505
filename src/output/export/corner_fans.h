// Normals of triangles' corners: smooth within a kind of face, sharp over creases.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct sherd_fan_mesh {
    int32_t vertex_count;
    const double *vertices; // (vertex_count x 3)
    int32_t triangle_count;
    const int32_t *triangles; // (triangle_count x 3)
    const uint8_t *face_kind; // NULL: all alike
} sherd_fan_mesh;

typedef struct sherd_corner_fans {
    sherd_fan_mesh mesh; // borrowed arrays
    double (*area)[3];   // along the normal, twice the area long    (triangles)
    int32_t *start;      // of each vertex's row of triangles        (vertices + 1)
    int32_t *triangle;   // rows                                     (3 triangles)
} sherd_corner_fans;

// False when memory is short. Release in any case.
bool sherd_corner_fans_init(sherd_corner_fans *fans, const sherd_fan_mesh *mesh);
void sherd_corner_fans_release(sherd_corner_fans *fans);

// The sum, by area, over the faces around a corner that are of its triangle's kind and turn from it by
// less than 35 degrees. Not of unit length. The same bits for all such corners.
void sherd_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner, double n[3]);
