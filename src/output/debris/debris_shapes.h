// Shapes of crumbs: convex hulls of a few random points, so with sharp edges and corners.
//
// Every crumb has one of a small number of shapes, which meshes of exported files and pictures
// share. A shape has the volume of the unit ball and its centre of mass in the origin; it is
// longest along x, shortest along z. Faces towards +z lie nearly in a plane: the crumb's part of
// the body's outer surface, if it has one.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    DEBRIS_SHAPES = 24, // of each form
    DEBRIS_SHAPE_VERTICES = 12,
    DEBRIS_SHAPE_TRIANGLES = 2 * DEBRIS_SHAPE_VERTICES - 4, // Euler's formula
};

typedef enum debris_form {
    DEBRIS_CHUNK = 0, // axes 1.3 : 1 : 0.75, as crushed rock has them in the mean
    DEBRIS_SPLINTER,  // 4 : 1 : 0.8, along a grain
    DEBRIS_FORM_COUNT
} debris_form;

typedef struct debris_shape {
    int vertex_count, triangle_count;
    sherd_vec3 vertex[DEBRIS_SHAPE_VERTICES];
    int8_t triangle[DEBRIS_SHAPE_TRIANGLES][3]; // outward
    bool outer[DEBRIS_SHAPE_TRIANGLES];         // towards +z
} debris_shape;

// The shape of a number below DEBRIS_SHAPES; always the same.
void sherd_debris_shape_make(debris_form form, int number, debris_shape *shape);
