// Building small worlds for physics tests.
#pragma once

#include <sherd/packing.h>
#include <sherd/weakness.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

typedef struct block {
    sherd_vec3 size; // of a box [m]
    double radius;   // [m]
    double jitter;   // of centres, in radii
    sherd_packing_kind packing;
    int layers; // HEX_LAYERS
    sherd_material_def material;
    sherd_pose pose;
    sherd_vec3 velocity, angular_velocity;
    const sherd_weakness_list *weakness; // NULL = none
} block;

static inline block block_default(void)
{
    return (block){.size = {0.02, 0.02, 0.02},
                   .radius = 1e-3,
                   .material = sherd_material_def_default(),
                   .pose = {.rotation = {0.0, 0.0, 0.0, 1.0}}};
}

static inline sherd_world *world_with(sherd_vec3 gravity, int threads)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = gravity;
    def.threads = threads;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    return world;
}

// Without gravity, on one thread.
static inline sherd_world *weightless_world(sherd_method method, double safety)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = 1;
    def.method = method;
    def.time_step_safety = safety;
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    return world;
}

// Returns the packing's number of elements.
static inline int add_block(sherd_world *world, const block *b, sherd_body_id *id)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box(b->size, &error);
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = b->packing;
    def.radius = b->radius;
    def.jitter = b->jitter;
    def.layers = b->layers;
    def.orientation = SHERD_PACKING_ORIENT_AXES;
    sherd_packing *p = sherd_packing_create(box, &def, &error);
    cr_assert(p != NULL, "%s", error.what);
    sherd_body_def body = sherd_body_def_default();
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius;
    body.solid_fraction = p->solid_fraction;
    body.cell_fraction = p->solid_fraction / p->cell_volume_match;
    body.material = sherd_world_add_material(world, &b->material, &error);
    body.pose = b->pose;
    body.velocity = b->velocity;
    body.angular_velocity = b->angular_velocity;
    body.bond_scale = b->weakness != NULL ? sherd_weakness_list_scale : NULL;
    body.bond_scale_context = b->weakness;
    body.cut_faces = b->weakness != NULL ? sherd_weakness_list_faces : NULL;
    body.cut_faces_context = b->weakness;
    sherd_body_id added = sherd_world_add_body(world, &body, &error);
    cr_assert(added.index1 != 0, "%s", error.what);
    if (id != NULL) *id = added;
    int count = p->count;
    sherd_packing_destroy(p);
    sherd_shape_destroy(box);
    return count;
}

static inline void add_floor(sherd_world *world, double friction)
{
    sherd_error error;
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    plane.friction = friction;
    cr_assert(sherd_world_add_obstacle(world, &plane, &error).index1 != 0, "%s", error.what);
}

// Those of a bar that reaches from x = -15 to 15 mm, each at `speed` [m/s].
static inline void draw_ends_apart(sherd_world *world, double speed)
{
    sherd_error error;
    for (int end = -1; end <= 1; end += 2) {
        sherd_driver_def d = sherd_driver_def_default();
        sherd_shape *box = sherd_shape_box((sherd_vec3){0.005, 0.02, 0.02}, &error);
        d.region.shape = box;
        d.region.pose.position.x = end * 0.0155;
        d.drive = SHERD_DRIVE_MOTION;
        d.motion.velocity.x = end * speed;
        cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
        sherd_shape_destroy(box);
    }
}

// Comes down at `speed` [m/s].
static inline void add_ceiling(sherd_world *world, double height, double speed)
{
    sherd_error error;
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    if (speed > 0.0) plane.kind = SHERD_OBSTACLE_DRIVEN;
    plane.is_plane = true;
    plane.pose.position.z = height;
    plane.pose.rotation = (sherd_quat){1.0, 0.0, 0.0, 0.0};
    plane.motion.velocity.z = -speed;
    cr_assert(sherd_world_add_obstacle(world, &plane, &error).index1 != 0, "%s", error.what);
}

// The explicit step of a world without a given one.
static inline double default_step(sherd_world *world)
{
    sherd_error error;
    double limit = sherd_world_stable_time_step(world, &error);
    cr_assert(limit > 0.0, "%s: %s", error.where, error.what);
    return sherd_world_def_default().time_step_safety * limit;
}

static inline void run_steps(sherd_world *world, int64_t steps)
{
    sherd_error error;
    cr_assert(eq(int, sherd_world_step(world, steps, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
}

static inline double lowest(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double z = INFINITY;
    for (int k = 0; k < e.count; ++k)
        z = fmin(z, e.z[k] - sherd_world_element(world, k).radius);
    return z;
}

// A stiff little block: three layers, to rest on its lowest.
static inline block slider(double friction)
{
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.012, 0.004};
    b.radius = 1e-3;
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    b.material.friction = friction;
    b.material.bond_damping = 0.3;
    b.material.restitution = 0.1;
    return b;
}

static inline void place_on_floor(block *b)
{
    sherd_world *probe = world_with((sherd_vec3){0, 0, 0}, 1);
    add_block(probe, b, NULL);
    b->pose.position.z -= lowest(probe);
    sherd_world_destroy(probe);
}
