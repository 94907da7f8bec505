// Read-only views of the material points of a world.
#include "models/mpm/mpm_model.h"
#include "world/world.h"

#include <sherd/point_view.h>

#include <string.h>

sherd_point_view sherd_world_points(const sherd_world *world)
{
    const sherd_point_bodies *bodies = world->system.points;
    if (bodies == NULL) return (sherd_point_view){0};
    const sherd_mpm_points *p = &bodies->m.points;
    return (sherd_point_view){
        .count = (int64_t)p->count,
        .element = p->number,
        .x = p->x[0],
        .y = p->x[1],
        .z = p->x[2],
        .vx = p->v[0],
        .vy = p->v[1],
        .vz = p->v[2],
        .b_xx = p->b[0],
        .b_yy = p->b[1],
        .b_zz = p->b[2],
        .b_yz = p->b[3],
        .b_xz = p->b[4],
        .b_xy = p->b[5],
        .rest_volume = p->volume,
        .state = p->state,
        .piece = p->body,
    };
}

void sherd_world_point_states(const sherd_world *world, sherd_point_state *states)
{
    memset(states, 0, (size_t)world->system.elements.count * sizeof *states);
    sherd_point_view p = sherd_world_points(world);
    for (int64_t k = 0; k < p.count; ++k)
        if (p.element[k] != SHERD_MPM_FILLER)
            states[p.element[k]] =
                (sherd_point_state){p.b_xx[k], p.b_yy[k],        p.b_zz[k],  p.b_yz[k], p.b_xz[k],
                                    p.b_xy[k], p.rest_volume[k], p.state[k], p.piece[k]};
}
