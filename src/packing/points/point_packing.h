// Material points in a shape: those sites of a cubic lattice that lie inside, as many along each axis as the shape's
// extent has spacings, centred. Each stands for one cell; volumes are scaled so that they sum to the shape's.
#pragma once

#include <sherd/packing.h>

// Definition checked, shape given.
sherd_packing *sherd_pack_points(const sherd_shape *shape, const sherd_packing_def *def,
                                 sherd_error *error);
