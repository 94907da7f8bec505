#include "neighbors/pair_routing.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <string.h>

bool sherd_pair_routing_resize(sherd_pair_routing *routing, int32_t block_count)
{
    if (routing->in_start != NULL && routing->block_count == block_count) return true;
    sherd_pair_routing_free(routing);
    routing->out = sherd_alloc((size_t)block_count, sizeof *routing->out);
    routing->in_start = sherd_alloc((size_t)block_count + 1, sizeof *routing->in_start);
    if (routing->out == NULL || routing->in_start == NULL) {
        sherd_pair_routing_free(routing);
        return false;
    }
    routing->block_count = block_count;
    return true;
}

void sherd_pair_routing_free(sherd_pair_routing *routing)
{
    for (int32_t b = 0; b < routing->block_count; ++b)
        sherd_free(routing->out[b].list);
    sherd_free(routing->out);
    sherd_free(routing->in);
    sherd_free(routing->in_start);
    *routing = (sherd_pair_routing){0};
}

size_t sherd_pair_routing_bytes(const sherd_pair_routing *routing)
{
    size_t routes = routing->in_capacity;
    for (int32_t b = 0; b < routing->block_count; ++b)
        routes += routing->out[b].capacity;
    return routes * sizeof(sherd_pair_route) +
           (size_t)routing->block_count * (sizeof *routing->out + sizeof *routing->in_start);
}

void sherd_pair_routing_clear(sherd_pair_routing *routing, int32_t from)
{
    routing->out[from].count = 0;
}

bool sherd_pair_routing_add(sherd_pair_routing *routing, sherd_pair_route route)
{
    SHERD_ASSERT(route.from >= 0 && route.from < routing->block_count && route.to >= 0 &&
                     route.to < routing->block_count,
                 "routes join blocks that there are");
    SHERD_ASSERT(route.begin >= 0 && route.begin < route.end, "a route is not empty");
    sherd_pair_routes *routes = &routing->out[route.from];
    if (!sherd_grow((void **)&routes->list, &routes->capacity, routes->count + 1,
                    sizeof *routes->list))
        return false;
    routes->list[routes->count++] = route;
    return true;
}

__attribute__((unused)) static bool sources_ascend(const sherd_pair_routing *routing)
{
    for (int32_t b = 0; b < routing->block_count; ++b)
        for (int32_t at = routing->in_start[b]; at + 1 < routing->in_start[b + 1]; ++at)
            if (routing->in[at].from >= routing->in[at + 1].from) return false;
    return true;
}

bool sherd_pair_routing_collect(sherd_pair_routing *routing)
{
    int32_t *start = routing->in_start, sum = 0;
    memset(start, 0, ((size_t)routing->block_count + 1) * sizeof *start);
    for (int32_t b = 0; b < routing->block_count; ++b)
        for (size_t r = 0; r < routing->out[b].count; ++r)
            ++start[routing->out[b].list[r].to];
    for (int32_t b = 0; b <= routing->block_count; ++b)
        start[b] = sum += start[b];
    if (!sherd_grow((void **)&routing->in, &routing->in_capacity, (size_t)sum, sizeof *routing->in))
        return false;
    for (int32_t b = routing->block_count; b-- > 0;)
        for (size_t r = routing->out[b].count; r-- > 0;)
            routing->in[--start[routing->out[b].list[r].to]] = routing->out[b].list[r];
    SHERD_ASSERT(sherd_rows_follow(start, (size_t)routing->block_count, sum),
                 "each route arrives at one block");
    SHERD_ASSERT(sources_ascend(routing), "routes to a block are in the order of their sources");
    return true;
}
