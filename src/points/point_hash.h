// Hash of the positions and velocities of points.
#pragma once

#include "points/points.h"

// Continues `hash` (base/hash.h) with p, q, v and w of all points.
uint64_t sherd_points_hash(const sherd_points *points, uint64_t hash);
