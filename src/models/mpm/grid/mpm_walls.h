// Obstacles as nodes see them: distance, normal and velocity at a place. Beside bodies they are one
// more body of the node's problem, of infinite mass. What they take is summed block by block, in a
// fixed order.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// As a plane, which need not touch the wall near the place that is asked for.
typedef struct sherd_mpm_face {
    double distance; // of that place [m]
    double normal[3];
} sherd_mpm_face;

enum { SHERD_MPM_SIDE = 4 }; // nodes along the edge of a block of the grid

enum { SHERD_MPM_WALL_FACES = 4, SHERD_MPM_EDGE_DIRECTIONS = 6 };

// On a convex edge, or at a corner, of a wall, in its own frame. What meets it there pushes it
// against all of its ways.
typedef struct sherd_mpm_edge_sample {
    double at[3];                             // [m]
    double way[SHERD_MPM_EDGE_DIRECTIONS][3]; // unit, from it along the wall's faces  (ways)
    int ways;
    double length; // of the edge, that it stands for [m]
} sherd_mpm_edge_sample;

typedef struct sherd_mpm_wall {
    const void *context; // of both functions, which several threads may call
    // Signed, from the surface; sets the outward unit normal [m].
    double (*distance)(const void *context, const double x[3], double normal[3]);
    void (*velocity)(const void *context, const double x[3], double v[3]); // [m/s]
    const double *friction;                                                // with each body
    bool sticky; // what touches it moves with it
    // Of a wall with edges that are seen from inside, as a tank's: the faces that are nearer than
    // about `reach`, or the nearest one; returns how many. NULL: there is one at a time.
    int (*faces)(const void *context, const double x[3], double reach,
                 sherd_mpm_face faces[SHERD_MPM_WALL_FACES]);
    const sherd_mpm_edge_sample *edges; // that solids may meet (edge_count)
    size_t edge_count;
    // Where its frame is: its origin and, in columns, its axes; of walls with edges.
    void (*frame)(const void *context, double origin[3], double axes[3][3]);
} sherd_mpm_wall;

// As `faces`; the one that `distance` has where there is none.
int sherd_mpm_wall_faces(const sherd_mpm_wall *wall, const double x[3], double reach,
                         sherd_mpm_face faces[SHERD_MPM_WALL_FACES]);

// What a wall gets in one step: impulse, and its moment about the origin.
typedef struct sherd_mpm_reaction {
    double impulse[3]; // [N s]
    double moment[3];  // [N m s]
} sherd_mpm_reaction;

// What contact takes in one step [J].
typedef struct sherd_mpm_losses {
    double contact, friction; // along normals, by sliding
    double work;              // done by walls
    double joining;           // by giving pieces that glue joins one velocity
    double coupling;          // given to coupled bodies, as their nodes have it
    double closing; // the largest speed at which a coupled body and points near it approach [m/s]
} sherd_mpm_losses;

typedef struct sherd_mpm_walls {
    int count;
    const sherd_mpm_wall *list;
    sherd_mpm_reaction *reaction; // of the last step (count)
    double moved;                 // bound of how far any surface moves in this step [m]
} sherd_mpm_walls;

// Whether one may touch points of which the block's nodes know, as long as it does not move farther
// than `margin` h. Block as in mpm_grid.h.
bool sherd_mpm_walls_are_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                              double margin);

// Those near a block now, at most SHERD_MPM_NEAR_WALLS. Returns how many.
enum { SHERD_MPM_NEAR_WALLS = 8 };
int sherd_mpm_walls_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                         int near[SHERD_MPM_NEAR_WALLS]);
