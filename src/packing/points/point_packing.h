// Material points in a shape: the sites of a centred cubic lattice that are inside, with as many
// along each axis as the shape's extent has spacings, whose rows are displaced at random
// by `jitter`. Each represents one cell; volumes are scaled so that their sum is the shape's.
#pragma once

#include <sherd/packing.h>

// The definition must be checked; shape is not NULL.
sherd_packing *sherd_pack_points(const sherd_shape *shape, const sherd_packing_def *def,
                                 sherd_error *error);
