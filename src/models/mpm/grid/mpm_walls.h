// Obstacles (walls) as seen by nodes: distance, normal and velocity at a position. In a node's
// contact problem a wall is one more body, of infinite mass. Its reactions are summed block by
// block, in a fixed order.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The plane of a wall's face. The face itself need not extend to the position in question.
typedef struct sherd_mpm_face {
    double distance; // of the position from the plane [m]
    double normal[3];
} sherd_mpm_face;

enum { SHERD_MPM_SIDE = 4 }; // nodes along the edge of a block of the grid

enum { SHERD_MPM_WALL_FACES = 4, SHERD_MPM_EDGE_DIRECTIONS = 6 };

// A sample of a wall's convex edge or corner, in the wall's own frame. A body that touches it is
// pushed against all of the directions `direction`.
typedef struct sherd_mpm_edge_sample {
    double at[3]; // [m]
    double direction[SHERD_MPM_EDGE_DIRECTIONS]
                    [3]; // unit, from the edge along the adjacent faces (ways)
    int directions;
    double length; // length of edge that the sample represents [m]
} sherd_mpm_edge_sample;

typedef struct sherd_mpm_wall {
    const void *context; // passed to the functions below, which several threads may call
    // Signed distance from the surface [m]; sets the outward unit normal.
    double (*distance)(const void *context, const double x[3], double normal[3]);
    void (*velocity)(const void *context, const double x[3], double v[3]); // [m/s]
    // coefficient of friction with each body
    const double *friction;
    bool sticky; // bodies that touch it stick to it
    // For walls with edges seen from inside, such as a tank's: finds the faces nearer than about
    // `reach`, or the nearest one, and returns their number. NULL if there is only one face at a
    // time.
    int (*faces)(const void *context, const double x[3], double reach,
                 sherd_mpm_face faces[SHERD_MPM_WALL_FACES]);
    const sherd_mpm_edge_sample *edges; // that solids may touch (edge_count)
    size_t edge_count;
    // For walls with edges: sets the frame's origin and its axes, in columns.
    void (*frame)(const void *context, double origin[3], double axes[3][3]);
} sherd_mpm_wall;

// Calls `faces`; if it is NULL, gives the one face of `distance`.
int sherd_mpm_wall_faces(const sherd_mpm_wall *wall, const double x[3], double reach,
                         sherd_mpm_face faces[SHERD_MPM_WALL_FACES]);

// The reaction on a wall in one step: impulse, and its moment about the origin.
typedef struct sherd_mpm_reaction {
    double impulse[3]; // [N s]
    double moment[3];  // [N m s]
} sherd_mpm_reaction;

// Energy that contact takes in one step [J].
typedef struct sherd_mpm_losses {
    double contact, friction; // by impulses along normals, and by friction
    double work;              // work done by walls
    double joining;           // dissipated by giving pieces joined by glue a common velocity
    double coupling;          // given to coupled bodies, computed at their nodes
    double closing; // the largest speed at which a coupled body and points near it approach [m/s]
} sherd_mpm_losses;

typedef struct sherd_mpm_walls {
    int count;
    const sherd_mpm_wall *list;
    sherd_mpm_reaction *reaction; // of the last step (count)
    double moved;                 // upper bound of the displacement of any surface in this step [m]
} sherd_mpm_walls;

// Whether a wall that moves no farther than `margin` h may touch points that the block's nodes see.
// Block as in mpm_grid.h.
bool sherd_mpm_walls_are_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                              double margin);

// Finds the walls near a block at present, at most SHERD_MPM_NEAR_WALLS. Returns their number.
enum { SHERD_MPM_NEAR_WALLS = 8 };
int sherd_mpm_walls_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                         int near[SHERD_MPM_NEAR_WALLS]);
