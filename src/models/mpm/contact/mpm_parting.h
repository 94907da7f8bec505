// Which plane lies between two bodies at a node. Centroids tell its direction where both have the same limits sideways. Where
// one ends, at the edge of what lies on another, they tilt it by up to 45 degrees: the edge ploughs. There the points around
// the node are asked: of all directions, the plane's normal is that along which they are farthest apart. For convex
// bodies the distance that way is a concave function of the direction, which subgradients climb.
#pragma once

#include "models/mpm/mpm_guests.h"
#include "models/mpm/mpm_meeting.h"
#include "models/mpm/mpm_points.h"

// Where points of bodies, and samples of guests, are found. Either may be NULL.
typedef struct sherd_mpm_sites {
    const sherd_mpm_points *points;
    const sherd_mpm_guests *guests;
} sherd_mpm_sites;

// The own normals of two bodies that meet on a face are opposite but for less than this, cos 5.7 degrees: that of their centroids
// is then off by 3 degrees at most.
static const double SHERD_MPM_OPPOSITE = 0.995;
static const double SHERD_MPM_LEAST_CENTROID =
    0.03; // from the node [h]: below, it has no direction

// Turns `normal`, unit and from group a to group b, to that of the plane at node x [m]; from[] are the groups' centroids from
// the node [h]. It stays as it is where points are too many, or one group has none near.
void sherd_mpm_part(const sherd_mpm_grid *grid, const sherd_mpm_sites *sites,
                    const sherd_mpm_meeting *meeting, const double x[3], const int group[2],
                    const double *const from[2], double normal[3]);
