// The part of a body's surface that one of its points represents.
#pragma once

#include <sherd/types.h>

typedef enum sherd_face_shape {
    SHERD_FACE_NONE = 0, // inside a body
    SHERD_FACE_PLATE,    // one or two flat faces, with opposite normals
    SHERD_FACE_LINE,     // a cylinder: an element of a yarn
    SHERD_FACE_BALL,     // an element without bonds
} sherd_face_shape;

typedef struct sherd_face {
    sherd_face_shape shape;
    sherd_vec3 normal; // PLATE: outward, unit; LINE: the cylinder's axis; in the element's frame
    double front;      // PLATE: area with this normal; else that of the silhouette [m^2]
    double back;       // PLATE: area with the opposite normal [m^2]
} sherd_face;
