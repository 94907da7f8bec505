// Sizes of the bins for elements, cracks and kernels.
#pragma once

#include "math/point_bins.h"

static inline sherd_bin_size surface_bins(double wanted)
{
    return (sherd_bin_size){.wanted = wanted, .max_per_point = 8.0, .growth = 1.25};
}
