// Worlds that are stepped by any method.
#pragma once

#include "physics/block.h"

// T times this is the length of implicit steps; 0: the library chooses. Explicit steps are as long as they like.
typedef struct stepping {
    sherd_method method;
    double limits; // [T]
    sherd_scheme scheme;
} stepping;

static const stepping EXPLICIT = {SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO};

static inline stepping euler(double limits)
{
    return (stepping){SHERD_METHOD_IMPLICIT, limits, SHERD_SCHEME_EULER};
}

static inline sherd_world_def def_of(stepping by, sherd_vec3 gravity)
{
    sherd_world_def def = sherd_world_def_default();
    def.method = by.method;
    def.time_step_in_limits = by.limits;
    def.scheme = by.scheme;
    def.threads = 2;
    def.gravity = gravity;
    def.sleep = false;
    return def;
}

static inline sherd_world *create(const sherd_world_def *def)
{
    sherd_error error;
    sherd_world *world = sherd_world_create(def, &error);
    cr_assert(world != NULL, "%s: %s", error.where, error.what);
    return world;
}

static inline sherd_world *world_by(stepping by, sherd_vec3 gravity)
{
    sherd_world_def def = def_of(by, gravity);
    return create(&def);
}

static inline double limit_of(sherd_world *world)
{
    sherd_error error;
    double limit = sherd_world_stable_time_step(world, &error);
    cr_assert(limit > 0.0, "%s: %s", error.where, error.what);
    return limit;
}

// Explicit steps that divide `frame` evenly, which is where the test looks.
static inline void set_frame(sherd_world *world, stepping by, double frame)
{
    sherd_error error;
    if (by.method != SHERD_METHOD_EXPLICIT) return;
    double dt = frame / ceil(frame / default_step(world));
    cr_assert(eq(int, sherd_world_set_time_step(world, dt, &error), SHERD_OK), "%s", error.what);
}

static inline void advance(sherd_world *world, double until)
{
    sherd_error error;
    cr_assert(eq(int, sherd_world_advance(world, until, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
    cr_assert(epsilon_eq(dbl, sherd_world_time(world), until, 1e-9 * until));
}

// Elements of all bodies within the box are held, pushed or measured; `def` says how.
static inline sherd_driver_id drive(sherd_world *world, sherd_vec3 center, sherd_vec3 size,
                                    sherd_driver_def def)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box(size, &error);
    def.region.shape = box;
    def.region.pose.position = center;
    sherd_driver_id id = sherd_world_add_driver(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

// Elements between two planes across x.
static inline sherd_driver_id drive_slab(sherd_world *world, double from, double to,
                                         sherd_driver_def def)
{
    return drive(world, (sherd_vec3){0.5 * (from + to), 0.0, 0.0},
                 (sherd_vec3){to - from, 10.0, 10.0}, def);
}

static inline sherd_driver_def held(void)
{
    sherd_driver_def def = sherd_driver_def_default();
    def.drive = SHERD_DRIVE_MOTION;
    return def;
}

// A soft plate in the plane z = 0 that breaks, held at one end.
static inline void add_held_plate(sherd_world *world)
{
    block plate = block_default();
    plate.size = (sherd_vec3){0.016, 0.012, 0.002};
    plate.material.youngs_modulus = 50e6;
    plate.material.shear_modulus = 20e6;
    plate.material.tensile_strength = plate.material.shear_strength = 0.5e6;
    add_block(world, &plate, NULL);
    drive_slab(world, -0.009, -0.006, held());
}

static inline sherd_vec3 mean_of(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    sherd_vec3 mean = {0};
    double mass = 0.0;
    for (int k = 0; k < e.count; ++k) {
        double m = sherd_world_element(world, k).mass;
        mean.x += m * e.x[k], mean.y += m * e.y[k], mean.z += m * e.z[k], mass += m;
    }
    return (sherd_vec3){mean.x / mass, mean.y / mass, mean.z / mass};
}

static inline double distance(sherd_vec3 a, sherd_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}
