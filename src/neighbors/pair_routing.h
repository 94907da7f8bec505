// Exchange of data between blocks of elements: each block stores items grouped by destination
// block, and the routing lists the groups by destination.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Items `begin` to `end` in block `from` are for block `to`.
typedef struct sherd_pair_route {
    int32_t from, to, begin, end;
} sherd_pair_route;

typedef struct sherd_pair_routes {
    sherd_pair_route *list;
    size_t count, capacity;
} sherd_pair_routes;

typedef struct sherd_pair_routing {
    int32_t block_count;
    sherd_pair_routes *out; // by source (block_count)
    sherd_pair_route *in;   // by destination, then source
    size_t in_capacity;
    int32_t *in_start; // first of each destination in `in` (block_count + 1)
} sherd_pair_routing;

// Zero-filled routings are valid. The size is set once.
bool sherd_pair_routing_resize(sherd_pair_routing *routing, int32_t block_count);
void sherd_pair_routing_free(sherd_pair_routing *routing);
size_t sherd_pair_routing_bytes(const sherd_pair_routing *routing);

// For one source, called by its own thread: clear, and add one.
void sherd_pair_routing_clear(sherd_pair_routing *routing, int32_t from);
bool sherd_pair_routing_add(sherd_pair_routing *routing, sherd_pair_route route);

// Updates `in`.
bool sherd_pair_routing_collect(sherd_pair_routing *routing);
