// The regions into which a system is divided, each with a system of its own (regions.h).
#pragma once

#include "contact/contact_part.h"
#include "stepping/system.h"

enum { SHERD_MAX_REGIONS = 16 };

typedef struct sherd_time_region {
    sherd_system system;
    sherd_element_index *member; // ascending; owned
    bool has_bodies;             // free rigid bodies are in it
    sherd_solver_counts counts;  // including the region that its first element was in before
    // Work of the span before per element [explicit steps]. Not saved: it affects the choice of
    // threads, not results.
    double work;
} sherd_time_region;

// With material points the first region is stepped with the grid (regions.h).
typedef struct sherd_regions {
    int count;
    sherd_time_region *list;   // owned
    int32_t *of;               // region of each element of the whole, -1: none; owned (n)
    sherd_contact_part *parts; // owned (count); unused without contact
    double since;              // time of their creation [s]
    int64_t broken;            // bonds broken at that time
} sherd_regions;

// Index of the first region that is stepped on its own.
static inline int sherd_regions_first_alone(const sherd_system *whole)
{
    return whole->points != NULL ? 1 : 0;
}
