// A floor and four walls around the block that benchmarks drop.
#include "bench.h"

#include <math.h>

bool bench_add_walls(sherd_world *world, double edge, sherd_error *error)
{
    const double h = sqrt(0.5), half = 0.5 * edge;
    const sherd_pose walls[] = {
        {{0, 0, -half}, {0, 0, 0, 1}}, {{-half, 0, 0}, {0, h, 0, h}},
        {{half, 0, 0}, {0, -h, 0, h}}, {{0, -half, 0}, {-h, 0, 0, h}},
        {{0, half, 0}, {h, 0, 0, h}},
    };
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; ++k) {
        sherd_obstacle_def wall = sherd_obstacle_def_default();
        wall.is_plane = true;
        wall.pose = walls[k];
        if (sherd_world_add_obstacle(world, &wall, error).index1 == 0) return false;
    }
    return true;
}
