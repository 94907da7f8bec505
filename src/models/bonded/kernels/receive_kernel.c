// Adds loads between blocks. Halos consist mostly of runs of consecutive elements, which are added
// by whole vectors.
#include "models/bonded/kernels/bond_kernel.h"

#include "points/element_lanes.h"

static bool is_run(const sherd_element_index *halo, int32_t h, int32_t end)
{
    return h % DLANES == 0 && h + DLANES <= end && halo[h + DLANES - 1] - halo[h] == DLANES - 1;
}

LANE_INLINE void add_run(sherd_elements *e, sherd_element_index first, const double *from,
                         int32_t h)
{
    load_lanes l = load_loads(&e->points, first);
    for (int a = 0; a < 3; ++a) {
        l.force[a] += dlane_load(from + sherd_bond_halo_index(h, a));
        l.torque[a] += dlane_load(from + sherd_bond_halo_index(h, 3 + a));
    }
    store_loads(&e->points, first, &l);
}

static void add_one(sherd_elements *e, sherd_element_index k, const double *from, int32_t h)
{
    double load[SHERD_HALO_LOAD];
    for (int c = 0; c < SHERD_HALO_LOAD; ++c)
        load[c] = from[sherd_bond_halo_index(h, c)];
    sherd_element_add_loads(e, k, load);
}

void SHERD_KERNEL(sherd_bond_receive)(const sherd_bond_blocks *blocks, const sherd_incoming *part,
                                      sherd_elements *e)
{
    const sherd_bond_block *block = &blocks->blocks[part->block];
    const double *from = blocks->halo_load + SHERD_HALO_LOAD * block->halo_at;
    for (int32_t h = part->begin; h < part->end;) {
        if (is_run(block->halo, h, part->end)) {
            add_run(e, block->halo[h], from, h);
            h += DLANES;
        } else {
            add_one(e, block->halo[h], from, h);
            ++h;
        }
    }
}
