// Measures the distance between a new surface and the one that it replaces.
#pragma once

#include "geometry/wrap/wrap_field.h"

// Computes distance, farthest and closed_share from some thousand points of each surface. Returns
// false when out of memory.
bool sherd_wrap_measure(const wrap_field *old, const sherd_mesh *mesh, double edge_length,
                        sherd_wrap_report *report);
