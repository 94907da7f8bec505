// Bounding boxes of connected components, and a sweep over pairs that can meet.
#pragma once

#include "base/parallel.h"
#include "contact/contact.h"
#include "models/bonded/storage/adjacency.h"
#include "models/mpm/mpm_diagnostics.h"
#include "points/elements.h"

#include <stdbool.h>

enum { SHERD_MAX_BODY_BOXES = 64 }; // limit of free rigid bodies

typedef struct sherd_box {
    sherd_bounds bounds; // of the elements, radii included [m]
    double speed;        // of the fastest element [m/s]
    double reach;  // largest displacement in any direction; set by the caller of the sweep [m]
    int32_t group; // pairs of one group are not visited
    sherd_element_index root; // first element of the component; -1: none
} sherd_box;

typedef struct sherd_box_pairs sherd_box_pairs;

typedef struct sherd_boxes {
    sherd_box *list; // owned
    size_t count, capacity;
    double largest_radius; // of any element [m]
    // Scratch of sweeps, owned.
    double *extents;
    size_t extent_capacity;
    sherd_box_pairs *pairs;
} sherd_boxes;

void sherd_boxes_free(sherd_boxes *boxes);
size_t sherd_boxes_bytes(const sherd_boxes *boxes); // of memory

// Adds a box for every component of these elements, except those with a negative root.
sherd_status sherd_boxes_add_components(sherd_boxes *boxes, const sherd_elements *elements,
                                        const sherd_element_index *root, int32_t group,
                                        sherd_error *error);
sherd_status sherd_boxes_add(sherd_boxes *boxes, const sherd_box *box, sherd_error *error);

// Adds boxes of free rigid bodies, and of material points and elements nearer to these than `guard`
// [m]. `likes` supplies their root and group; each has its own speed.
sherd_status sherd_boxes_add_bodies(sherd_boxes *boxes, const sherd_contacts *contacts,
                                    const sherd_box *likes, int *count, sherd_error *error);
sherd_status sherd_boxes_add_points(sherd_boxes *boxes, const sherd_mpm_extents *points,
                                    double guard, const sherd_box *likes, sherd_error *error);

// Calls `visit` for pairs of different groups whose boxes, widened by their reaches, overlap, until
// it returns true. Returns whether it did. Sorts the boxes.
typedef bool sherd_box_visitor(void *context, const sherd_box *a, const sherd_box *b);
bool sherd_boxes_sweep(sherd_boxes *boxes, const sherd_parallel *parallel, sherd_box_visitor *visit,
                       void *context);
