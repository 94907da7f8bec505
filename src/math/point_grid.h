// Neighbour search: points in a hashed grid of cubic cells, added one by one.
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_grid_point {
    sherd_vec3 at;
    uint64_t key; // of its cell
    int32_t next; // point in the same bucket, -1 at the end
} sherd_grid_point;

typedef struct sherd_point_grid {
    double cell;            // edge length, at least the largest query distance [m]
    size_t count, capacity; // points
    sherd_grid_point *point;
    int32_t *head; // first point of each bucket
    size_t mask;   // buckets - 1, a power of two less one
} sherd_point_grid;

// Reserves memory for `expected` points; grows when more are added. Returns false if memory runs
// short.
bool sherd_point_grid_init(sherd_point_grid *grid, double cell, size_t expected);
void sherd_point_grid_free(sherd_point_grid *grid);

// Adds a point, whose index is the number of points before. Returns false if memory runs short.
bool sherd_point_grid_add(sherd_point_grid *grid, sherd_vec3 point);

// Finds points closer to `at` than `distance` <= cell, at most `most`, and returns their number.
// Their order depends only on the order in which points were added.
int sherd_point_grid_near(const sherd_point_grid *grid, sherd_vec3 at, double distance,
                          int32_t *near, int most);

// Whether any point is closer to `at` than `distance` <= cell.
bool sherd_point_grid_is_taken(const sherd_point_grid *grid, sherd_vec3 at, double distance);
