// Packings of tetrahedra.                                                     [VBDEM] section 6
#pragma once

#include <sherd/packing.h>

// Like sherd_packing_create; `shape` may be NULL for a mesh file.
sherd_packing *sherd_tetra_packing_create(const sherd_shape *shape, const sherd_packing_def *def,
                                          sherd_error *error);
