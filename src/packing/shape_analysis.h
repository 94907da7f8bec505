// Analysis of a shape for packings: its principal frame, its extents in that frame, the thickness
// of its walls and its deepest point, all by queries of the signed distance.
#pragma once

#include <sherd/packing.h>

#include <stdbool.h>

// Right-handed orthonormal axes: rows run along u, layers are stacked along w.
typedef struct sherd_packing_frame {
    sherd_vec3 u, v, w;
} sherd_packing_frame;

typedef struct sherd_shape_analysis {
    sherd_packing_frame frame;
    sherd_vec3 low, high;  // extents along u, v, w [m]
    double volume;         // [m^3]
    sherd_vec3 deepest;    // a point farthest from the surface, in the shape's coordinates
    double depth_max;      // its distance to the surface [m]: the largest sphere that fits
    double wall;           // typical wall thickness [m]
    sherd_vec3 wall_point; // a point in the middle of a wall of that thickness
    bool wall_is_uniform;  // most of the shape is a wall of that thickness
    bool is_box;           // a box along the frame's axes
} sherd_shape_analysis;

sherd_vec3 sherd_frame_from_local(const sherd_packing_frame *frame, sherd_vec3 local);
sherd_vec3 sherd_frame_to_local(const sherd_packing_frame *frame, sherd_vec3 point);

// Rows are rotated about w by `angle` [rad]. Status INPUT if no interior of the shape can be found,
// MEMORY if memory runs short.
sherd_status sherd_analyse_shape(const sherd_shape *shape, sherd_packing_orientation orientation,
                                 double angle, int threads, sherd_shape_analysis *analysis,
                                 sherd_error *error);
