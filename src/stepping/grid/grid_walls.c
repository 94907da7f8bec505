#include "stepping/grid/grid_walls.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"

#include <assert.h>
#include <math.h>

static double distance(const void *context, const double x[3], double normal[3])
{
    sherd_vec3 n;
    double d = sherd_obstacle_distance_and_normal(context, vec3(x[0], x[1], x[2]), &n);
    normal[0] = n.x, normal[1] = n.y, normal[2] = n.z;
    return d;
}

static void velocity(const void *context, const double x[3], double v[3])
{
    sherd_vec3 at = sherd_obstacle_velocity(context, vec3(x[0], x[1], x[2]));
    v[0] = at.x, v[1] = at.y, v[2] = at.z;
}

// From inside a wall, and from its surface, only one face is known: such a point is lifted out of
// one face after the other.
static sherd_vec3 move_out_of_wall(const sherd_obstacle *o, sherd_vec3 at, double height)
{
    for (int k = 0; k < SHERD_MPM_WALL_FACES; ++k) {
        sherd_vec3 n;
        double d = sherd_obstacle_distance_and_normal(o, at, &n);
        if (d >= height) break;
        at = vec3_add_scaled(at, 1.001 * height - d, n);
    }
    return at;
}

static int faces(const void *context, const double x[3], double reach,
                 sherd_mpm_face found[SHERD_MPM_WALL_FACES])
{
    const double HEIGHT = 0.01; // of the reach
    sherd_near_point places[SHERD_MAX_NEAR];
    sherd_vec3 from = vec3(x[0], x[1], x[2]), at = move_out_of_wall(context, from, HEIGHT * reach);
    int count = sherd_obstacle_near(context, at, reach, NULL, places);
    for (int k = 0; k < count; ++k) {
        sherd_vec3 n = places[k].normal;
        double lifted = vec3_dot(vec3_sub(at, from), n);
        found[k] = (sherd_mpm_face){places[k].distance - lifted, {n.x, n.y, n.z}};
    }
    return count;
}
static_assert((int)SHERD_MAX_NEAR <= (int)SHERD_MPM_WALL_FACES, "all are kept");

// By piece: the geometric mean of the friction of the material and of the obstacle, if that has
// one.
static void find_frictions(const sherd_system *s, const sherd_obstacle *o, double *friction)
{
    for (uint32_t k = 0; k < s->points->piece_count; ++k) {
        double own = s->points->solids[k].contact_friction;
        friction[k] = sqrt(own * (isnan(o->friction) ? own : o->friction));
    }
}

sherd_status sherd_grid_walls_make(sherd_grid_walls *walls, const sherd_system *s,
                                   sherd_error *error)
{
    *walls = (sherd_grid_walls){0};
    int count = s->contacts != NULL ? s->contacts->obstacle_count : 0;
    size_t pieces = s->points->piece_count;
    bool has_skins = s->points->m.penalty.surface.count > 0;
    walls->list = sherd_alloc((size_t)count, sizeof *walls->list);
    walls->reaction = sherd_alloc((size_t)count, sizeof *walls->reaction);
    walls->friction = sherd_alloc((size_t)count * pieces, sizeof *walls->friction);
    walls->obstacle = sherd_alloc((size_t)count, sizeof *walls->obstacle);
    walls->edges = sherd_alloc((size_t)count, sizeof *walls->edges);
    if (walls->edges == NULL || walls->list == NULL || walls->obstacle == NULL ||
        walls->reaction == NULL || walls->friction == NULL)
        return sherd_fail_memory(error, "obstacles of material points");
    for (int k = 0; k < count; ++k) {
        const sherd_obstacle *o = &s->contacts->obstacles[k];
        double *friction = walls->friction + (size_t)k * pieces;
        if (o->kind == SHERD_OBSTACLE_FREE) continue; // it is a coupled body (grid_coupling.h)
        find_frictions(s, o, friction);
        sherd_grid_edges *edges = &walls->edges[walls->count];
        sherd_mpm_wall *wall = &walls->list[walls->count];
        walls->obstacle[walls->count++] = k;
        *wall = (sherd_mpm_wall){.context = o,
                                 .distance = distance,
                                 .velocity = velocity,
                                 .friction = friction,
                                 .sticky = o->sticky,
                                 .faces = o->location_count > 1 ? faces : NULL};
        sherd_status status =
            has_skins ? sherd_grid_edges_find(edges, o, s->points->lattice.spacing, error)
                      : SHERD_OK;
        if (status != SHERD_OK) return status;
        sherd_grid_edges_give(edges, wall);
    }
    return SHERD_OK;
}

void sherd_grid_walls_free(sherd_grid_walls *walls)
{
    sherd_free(walls->list), sherd_free(walls->reaction), sherd_free(walls->friction);
    sherd_free(walls->obstacle);
    for (int k = 0; k < walls->count && walls->edges != NULL; ++k)
        sherd_grid_edges_free(&walls->edges[k]);
    sherd_free(walls->edges);
    *walls = (sherd_grid_walls){0};
}

// Bounding box of a shape; planes are infinite.
static double farthest_move(const sherd_obstacle *o)
{
    double rotation = vec3_length(o->rotation);
    return vec3_length(o->shift) + (rotation > 0.0 ? rotation * o->radius : 0.0);
}

double sherd_grid_walls_move(sherd_system *s, double time, double dt)
{
    double farthest = 0.0;
    for (int k = 0; s->contacts != NULL && k < s->contacts->obstacle_count; ++k) {
        sherd_obstacle *o = &s->contacts->obstacles[k];
        if (o->kind != SHERD_OBSTACLE_DRIVEN) continue; // free ones move with elements
        sherd_obstacle_move(o, time, dt, s->gravity);   // work is booked at the nodes
        farthest = fmax(farthest, farthest_move(o));
    }
    return farthest;
}

// With elements, obstacles have loads of these already.
void sherd_grid_walls_load(sherd_system *s, const sherd_grid_walls *walls, double dt)
{
    for (int k = 0; k < walls->count; ++k) {
        sherd_obstacle *o = &s->contacts->obstacles[walls->obstacle[k]];
        const sherd_mpm_reaction *r = &walls->reaction[k];
        sherd_vec3 force = {r->impulse[0] / dt, r->impulse[1] / dt, r->impulse[2] / dt},
                   moment = {r->moment[0] / dt, r->moment[1] / dt, r->moment[2] / dt},
                   torque = vec3_sub(moment, vec3_cross(o->pose.position, force));
        bool alone = s->coupling == NULL;
        o->force = alone ? force : vec3_add(o->force, force);
        o->torque = alone ? torque : vec3_add(o->torque, torque);
        o->mean_force = alone ? force : vec3_add(o->mean_force, force);
        o->mean_torque = alone ? torque : vec3_add(o->mean_torque, torque);
        if (alone) o->swing = (sherd_load_swing){0};
    }
}
