// Overlaps of elements with each other and with obstacles in one frame of a run.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

// Distance from the obstacle's surface, < 0 inside [m].
double sherd_distance_to_obstacle(const sherd_obstacle_def *obstacle, sherd_pose pose,
                                  sherd_vec3 point);
// Bounding radius of an obstacle in its own frame of reference, for culling; INFINITY for planes.
double sherd_obstacle_reach(const sherd_obstacle_def *obstacle);

typedef struct sherd_overlap {
    sherd_element_index element; // -1: no overlap
    int32_t other;               // the other element, or the obstacle
    double depth;                // increase since the start [m]
    double fraction;             // depth / the smaller radius, or the element's radius
    bool began;                  // they already overlapped at the start
} sherd_overlap;

// The largest overlap relative to the radius. Contact takes overlaps at the start as its reference
// (laws/contact/contact_respond.h), so only the increase since `start` (frame 0) counts. If `start`
// is NULL, the reference is the rest state for elements of one body and no overlap otherwise.
// Tetrahedra are excluded, as their spheres exceed them, and so is the part of a material point's
// ball inside its body's shape; after the start a point has no extent, as the grid keeps only its
// centre out of others, and what flows settles there. Bonded pairs, pairs within a fragment and pairs across a cut of the
// scene (NULL: unknown) do not count. Returns none if memory is short.
sherd_overlap sherd_deepest_among_elements(const sherd_scene *scene, const sherd_run_model *model,
                                           const sherd_run_frame *start,
                                           const sherd_run_frame *frame);

sherd_overlap sherd_deepest_in_obstacles(const sherd_run_model *model, const sherd_run_frame *start,
                                         const sherd_run_frame *frame, const sherd_scene *scene);
