// Random close packing: spheres of equal or of different sizes, jammed without order inside a shape.
#pragma once

#include <sherd/packing.h>

// sherd_packing_create for SHERD_PACKING_RANDOM; the definition has been checked.
sherd_packing *sherd_rcp_create(const sherd_shape *shape, const sherd_packing_def *def,
                                sherd_error *error);
