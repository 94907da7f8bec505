// Overlaps in one frame of a run.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

// From the obstacle's surface, below 0 within [m].
double sherd_distance_to_obstacle(const sherd_obstacle_def *obstacle, sherd_pose pose,
                                  sherd_vec3 point);
// Radius of a sphere around its shape in its own frame, to leave out far elements; INFINITY for planes.
double sherd_obstacle_reach(const sherd_obstacle_def *obstacle);

typedef struct sherd_overlap {
    sherd_element_index element; // -1: none was found
    int32_t other;               // the other element, or the obstacle
    double depth;                // beyond that of the start [m]
    double share;                // of the smaller radius, or the element's
    bool began;                  // they overlapped at the start, too
} sherd_overlap;

// The deepest by share. Contact takes overlaps at the start as rest (laws/contact/contact_respond.h), so the increase
// since `start`, frame 0, counts. Without it (NULL) that is the overlap of elements of one body beyond that
// at rest and all else in full, but for tetrahedra, whose spheres stand out of them, and of material points what lies
// within their body's shape. Bonded pairs, those of one
// fragment and those across a cut of the scene (NULL: unknown) do not count. Memory short: none is found.
sherd_overlap sherd_deepest_among_elements(const sherd_scene *scene, const sherd_run_model *model,
                                           const sherd_run_frame *start,
                                           const sherd_run_frame *frame);

sherd_overlap sherd_deepest_in_obstacles(const sherd_run_model *model, const sherd_run_frame *start,
                                         const sherd_run_frame *frame, const sherd_scene *scene);
