// Smooths the grid triangles of a shell and improves their shape (mesh fairing).
#pragma once

#include "surface/methods/march/vertex_position.h"

// Moves all vertices to their surfaces and equalises the triangles. Vertices slide within the
// surface, line or point that they belong to and average only with neighbours of the same owners,
// so that both sides of a crack move identically. `crease` (vertex_count, may be NULL) receives
// which vertices lie on a sharp edge of the shape. Returns false when out of memory.
bool sherd_mesh_fairing_apply(shell *s, const placing *p, uint8_t *crease,
                              const sherd_parallel *parallel);
