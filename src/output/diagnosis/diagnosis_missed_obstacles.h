// Obstacles that never met a body, in a run in which nothing broke.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

typedef struct sherd_miss {
    int obstacle;
    sherd_element_index element; // the nearest element
    double gap, time;            // distance of its sphere from the obstacle, and when [m], [s]
} sherd_miss;

// True if no frame has contact energy or energy dissipated by contacts. Considers elements only.
bool sherd_no_contacts_occurred(const sherd_run_stats *stats, int64_t count);

// Finds moving obstacles that touched no element and, if nothing touched anything, the nearest
// obstacle. Examines a sample of the frames: an obstacle counts as missed only if the distance is
// larger than its own and the elements' displacement between samples. Writes at most `most` and
// returns the count; 0 if frames are damaged or memory is short.
int sherd_find_misses(sherd_run *run, const sherd_run_model *model, const sherd_scene *scene,
                      const sherd_run_stats *stats, int64_t count, sherd_miss *misses, int most);
