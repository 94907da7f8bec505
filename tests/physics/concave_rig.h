// A soft ball, obstacles that it may touch in several places, and the ways to step.
#pragma once

#include "physics/concave_mesh.h"
#include "physics/methods.h"

static const double RADIUS = 0.01, YOUNG = 1e6; // [m], [Pa]

static inline sherd_material_def soft(double friction)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = YOUNG;
    m.shear_modulus = 0.4 * YOUNG;
    m.density = 1000.0;
    m.restitution = 0.2;
    m.friction = friction;
    return m;
}

static inline double weight_of_ball(void)
{
    return 9.81 * 1000.0 * 4.0 / 3.0 * M_PI * pow(RADIUS, 3.0);
}

// `count` balls in a row along z, which touch and are bonded.
static inline void add_balls(sherd_world *world, int count, sherd_vec3 first, double friction,
                             sherd_vec3 velocity, sherd_vec3 spin)
{
    sherd_error error;
    double x[2] = {0}, y[2] = {0}, z[2] = {0.0, 2.0 * RADIUS}, radius[2] = {RADIUS, RADIUS};
    sherd_material_def m = soft(friction);
    m.tensile_strength = m.shear_strength = INFINITY;
    sherd_body_def def = sherd_body_def_default();
    def.count = count;
    def.x = x, def.y = y, def.z = z, def.radius = radius;
    def.pose.position = first;
    def.velocity = velocity;
    def.angular_velocity = spin;
    def.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
}

static inline void add_ball(sherd_world *world, sherd_vec3 at, double friction)
{
    add_balls(world, 1, at, friction, (sherd_vec3){0}, (sherd_vec3){0});
}

static inline sherd_obstacle_id add_shape(sherd_world *world, const sherd_shape *shape,
                                          sherd_vec3 at)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.shape = shape;
    def.pose.position = at;
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    return id;
}

static const stepping WAYS[] = {{SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO},
                                {SHERD_METHOD_IMPLICIT, 10.0, SHERD_SCHEME_EULER},
                                {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static inline void fall(sherd_world *world, stepping by, double time)
{
    set_frame(world, by, 0.01);
    advance(world, time);
}

// Now: over the last few steps.
static inline sherd_vec3 load_on(sherd_world *world, sherd_obstacle_id id)
{
    sherd_world_reset_probes(world);
    advance(world, sherd_world_time(world) + 0.01);
    return sherd_world_probe_obstacle(world, id).force;
}

static inline double speed(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    return sqrt(e.vx[0] * e.vx[0] + e.vy[0] * e.vy[0] + e.vz[0] * e.vz[0]);
}
