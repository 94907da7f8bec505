#include "neighbors/near_kernel.h"

#include "math/lane.h"

int32_t SHERD_KERNEL(sherd_near)(const sherd_grid_level *level, const sherd_near_query *query,
                                 uint32_t begin, uint32_t end, int32_t *near)
{
    const lane x = lane_of(query->x), y = lane_of(query->y), z = lane_of(query->z);
    const lane reach = lane_of(query->reach), rank = lane_of(query->rank);
    int32_t count = 0;
    for (uint32_t at = begin; at < end; at += SHERD_LANES) {
        lane dx = lane_load(level->x + at) - x, dy = lane_load(level->y + at) - y,
             dz = lane_load(level->z + at) - z, far = lane_load(level->reach + at) + reach;
        // Without fused multiply-adds, which not all machines have.
        lane_mask beyond = lane_greater(dx * dx + dy * dy + dz * dz, far * far);
        lane_mask below = lane_greater(rank, lane_load(level->rank + at));
        unsigned bits = lane_mask_bits(below) & ~lane_mask_bits(beyond);
        unsigned left = end - at;
        if (left < SHERD_LANES) bits &= (1u << left) - 1u;
        lane_list_bits(near + count, (int32_t)at, bits);
        count += __builtin_popcount(bits);
    }
    return count;
}
