#include "geometry/space_filling.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>

enum { BITS_PER_AXIS = 21 }; // 3 x 21 = 63 bits fit one key

// Spreads the low 21 bits of v so that two zero bits follow each.
static uint64_t spread_bits(uint64_t v)
{
    v = (v | v << 32) & UINT64_C(0x001f00000000ffff);
    v = (v | v << 16) & UINT64_C(0x001f0000ff0000ff);
    v = (v | v << 8) & UINT64_C(0x100f00f00f00f00f);
    v = (v | v << 4) & UINT64_C(0x10c30c30c30c30c3);
    v = (v | v << 2) & UINT64_C(0x1249249249249249);
    return v;
}

static void grow_range(const double *values, size_t count, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t k = 0; k < count; ++k) {
        *low = fmin(*low, values[k]);
        *high = fmax(*high, values[k]);
    }
}

// Cell number of a coordinate among 2^21 cells of a range that starts at `low`.
static uint64_t cell_number(double value, double low, double cells_per_metre)
{
    const double last = (double)((1 << BITS_PER_AXIS) - 1);
    return (uint64_t)fmin(fmax((value - low) * cells_per_metre, 0.0), last);
}

bool sherd_morton_order(const double *x, const double *y, const double *z, size_t count,
                        uint32_t *order)
{
    if (count == 0) return true;
    sherd_sort_pair *pairs = sherd_alloc(count, sizeof *pairs);
    if (pairs == NULL) return false;

    const double *axes[3] = {x, y, z};
    double low[3], high[3], extent = 0.0;
    for (int a = 0; a < 3; ++a) {
        grow_range(axes[a], count, &low[a], &high[a]);
        extent = fmax(extent, high[a] - low[a]);
    }
    double cells_per_metre = extent > 0.0 ? (double)(1 << BITS_PER_AXIS) / extent : 0.0;

    for (size_t k = 0; k < count; ++k) {
        uint64_t key = 0;
        for (int a = 0; a < 3; ++a)
            key |= spread_bits(cell_number(axes[a][k], low[a], cells_per_metre)) << a;
        pairs[k] = (sherd_sort_pair){key, (uint32_t)k};
    }
    bool sorted = sherd_sort_pairs(pairs, count);
    for (size_t k = 0; sorted && k < count; ++k)
        order[k] = pairs[k].value;
    sherd_free(pairs);
    return sorted;
}
