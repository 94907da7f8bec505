// Thin shells: one or more layers of elements in a thin wall.
#pragma once

#include <sherd/packing.h>

sherd_packing *sherd_pack_shell(const sherd_shape *shape, const sherd_packing_def *def,
                                sherd_error *error);
