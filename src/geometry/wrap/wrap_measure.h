// How far a new surface lies from the one it stands for.
#pragma once

#include "geometry/wrap/wrap_field.h"

// Fills distance, farthest and closed_share, by some thousand points of each surface. False when memory is short.
bool sherd_wrap_measure(const wrap_field *old, const sherd_mesh *mesh, double edge_length,
                        sherd_wrap_report *report);
