#include "models/mpm/grid/mpm_walls.h"

#include <math.h>

// CORNER: from the middle of a block's nodes to its corners, sqrt(3) 3/2 [h]. REACH: from a node to
// the farthest surface that can be reconstructed there, 1.3, and the motion in a step [h].
static const double CORNER = 2.6, REACH = 1.6;

static double distance_of(const sherd_mpm_wall *wall, const int32_t block[3], double h)
{
    double middle[3], normal[3];
    for (int axis = 0; axis < 3; ++axis)
        middle[axis] = h * (SHERD_MPM_SIDE * (double)block[axis] + 0.5);
    return wall->distance(wall->context, middle, normal);
}

bool sherd_mpm_walls_are_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                              double margin)
{
    for (int k = 0; walls != NULL && k < walls->count; ++k)
        if (distance_of(&walls->list[k], block, h) < (CORNER + REACH + margin) * h) return true;
    return false;
}

int sherd_mpm_walls_near(const sherd_mpm_walls *walls, const int32_t block[3], double h,
                         int near[SHERD_MPM_NEAR_WALLS])
{
    int count = 0;
    for (int k = 0; walls != NULL && k < walls->count && count < SHERD_MPM_NEAR_WALLS; ++k)
        if (distance_of(&walls->list[k], block, h) < (CORNER + REACH) * h) near[count++] = k;
    return count;
}

int sherd_mpm_wall_faces(const sherd_mpm_wall *wall, const double x[3], double reach,
                         sherd_mpm_face faces[SHERD_MPM_WALL_FACES])
{
    if (wall->faces != NULL) return wall->faces(wall->context, x, reach, faces);
    faces[0].distance = wall->distance(wall->context, x, faces[0].normal);
    return 1;
}
