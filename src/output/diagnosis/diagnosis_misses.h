// Obstacles that never met a body, in a run in which nothing broke.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

typedef struct sherd_miss {
    int obstacle;
    sherd_element_index element; // nearest of all
    double gap, time;            // between its sphere and the obstacle then [m], [s]
} sherd_miss;

// Whether nothing touched anything: no frame knows of energy in contacts or taken by them. Of elements.
bool sherd_nothing_touched(const sherd_run_stats *stats, int64_t count);

// Obstacles that move and touched no element, and where nothing touched anything the nearest one. Frames are looked at
// now and then: an obstacle counts if neither it nor any element moves as far in between as they are apart. Writes at
// most `most`, returns how many. Frames that are damaged, or lack of memory: none are found.
int sherd_find_misses(sherd_run *run, const sherd_run_model *model, const sherd_scene *scene,
                      const sherd_run_stats *stats, int64_t count, sherd_miss *misses, int most);
