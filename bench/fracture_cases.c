#include "bench/fracture_cases.h"

#include "bench/benchmarks.h"

#include <sherd/world.h>

#include <math.h>

static const double R = 1e-3; // of elements [m]; BENCH_RADIUS

// That of scenes/plate.yaml: soft, so that the time step is long, and as brittle as ceramics.
static sherd_material_def brittle(uint64_t seed)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = 100e6;
    m.shear_modulus = 40e6;
    m.tensile_strength = 1.1e6;
    m.shear_strength = 1.4e6;
    m.weibull_modulus = 10.0;
    m.seed = seed;
    return m;
}

static sherd_quat turned(sherd_vec3 axis, double degrees)
{
    double half = degrees * M_PI / 360.0, s = sin(half);
    return (sherd_quat){s * axis.x, s * axis.y, s * axis.z, cos(half)};
}

// Takes the shape.
static bool add(sherd_world *world, sherd_shape *shape, sherd_pose pose, sherd_vec3 velocity,
                uint64_t seed, int threads, sherd_error *error)
{
    sherd_packing *packing = bench_pack(shape, 0.0, threads, error);
    if (packing == NULL) return false;
    sherd_material_def material = brittle(seed);
    sherd_body_def body = sherd_body_def_default();
    body.pose = pose;
    body.velocity = velocity;
    return bench_add_body(world, packing, &material, body, error);
}

static bool add_floor(sherd_world *world, sherd_error *error)
{
    sherd_obstacle_def floor = sherd_obstacle_def_default();
    floor.is_plane = true;
    return sherd_world_add_obstacle(world, &floor, error).index1 != 0;
}

// ---------------------------------------------------------------- dropped

// A disc of three layers, tilted by 15 degrees.
static bool build_plate(sherd_world *world, const sherd_shape *tool, uint64_t seed, int threads,
                        sherd_error *error)
{
    (void)tool;
    sherd_shape *disc = sherd_shape_cylinder(34.0 * R, 5.4 * R, error);
    sherd_pose pose = {{0.0, 0.0, 16.0 * R}, turned((sherd_vec3){1.0, 0.0, 0.0}, 15.0)};
    return add(world, disc, pose, (sherd_vec3){0.0, 0.0, -3.0}, seed, threads, error) &&
           add_floor(world, error);
}

// Takes a groove out of the upper half of a bar: at x = `at`, or all along it.
static sherd_shape *cut_groove(sherd_shape *bar, double at, bool along, sherd_error *error)
{
    const sherd_vec2 outline[] = {{-R, 0.0}, {R, 0.0}, {4 * R, 4.5 * R}, {-4 * R, 4.5 * R}};
    const sherd_quat turn = {0.5, 0.5, 0.5, 0.5}; // x to y, y to z, z to x
    sherd_pose pose = {{at, 0.0, 0.0}, turned((sherd_vec3){1.0, 0.0, 0.0}, 90.0)};
    if (along) pose = (sherd_pose){{0.0, at, 0.0}, turn};
    sherd_shape *wedge = sherd_shape_extrude(outline, 4, 200.0 * R, error);
    if (wedge != NULL) wedge = sherd_shape_placed(wedge, pose, error);
    if (wedge != NULL && bar != NULL) return sherd_shape_difference(bar, wedge, error);
    sherd_shape_destroy(wedge);
    sherd_shape_destroy(bar);
    return NULL;
}

// Four by two pieces of 18 mm, 8 mm thick and half of it in the grooves; a corner comes first.
static bool build_chocolate(sherd_world *world, const sherd_shape *tool, uint64_t seed, int threads,
                            sherd_error *error)
{
    (void)tool;
    sherd_shape *bar = sherd_shape_box((sherd_vec3){72 * R, 36 * R, 8 * R}, error);
    for (int k = -1; k <= 1; ++k)
        bar = cut_groove(bar, 18.0 * R * k, false, error);
    bar = cut_groove(bar, 0.0, true, error);
    sherd_pose pose = {{0.0, 0.0, 22.0 * R}, turned((sherd_vec3){0.6, 0.8, 0.0}, 20.0)};
    return add(world, bar, pose, (sherd_vec3){0.0, 0.0, -5.0}, seed, threads, error) &&
           add_floor(world, error);
}

// ---------------------------------------------------------------- bent

static const double ROLL = 4e-3; // radius [m]

static sherd_shape *make_roll(sherd_error *error)
{
    return sherd_shape_cylinder(ROLL, 30.0 * R, error);
}

// Across the beam, which lies along x.
static bool add_roll(sherd_world *world, const sherd_shape *roll, sherd_vec3 position,
                     double velocity, sherd_error *error)
{
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = velocity != 0.0 ? SHERD_OBSTACLE_DRIVEN : SHERD_OBSTACLE_FIXED;
    def.shape = roll;
    def.pose = (sherd_pose){position, turned((sherd_vec3){1.0, 0.0, 0.0}, 90.0)};
    def.motion.velocity = (sherd_vec3){0.0, 0.0, velocity};
    return sherd_world_add_obstacle(world, &def, error).index1 != 0;
}

// Span 80 mm, height 12 mm: the punch takes several periods of the beam until it snaps.
static bool build_bending(sherd_world *world, const sherd_shape *tool, uint64_t seed, int threads,
                          sherd_error *error)
{
    const double height = 12.0 * R, apart = 0.5 * height + ROLL + 0.2 * R;
    sherd_shape *beam = sherd_shape_box((sherd_vec3){96 * R, 10 * R, height}, error);
    return add(world, beam, (sherd_pose){.rotation = SHERD_QUAT_IDENTITY},
               (sherd_vec3){0.0, 0.0, 0.0}, seed, threads, error) &&
           add_roll(world, tool, (sherd_vec3){-40 * R, 0.0, -apart}, 0.0, error) &&
           add_roll(world, tool, (sherd_vec3){40 * R, 0.0, -apart}, 0.0, error) &&
           add_roll(world, tool, (sherd_vec3){0.0, 0.0, apart}, -0.05, error);
}

// ---------------------------------------------------------------- hit by another body

// A ball and a slab meet at 6 m/s in the air.
static bool build_impact(sherd_world *world, const sherd_shape *tool, uint64_t seed, int threads,
                         sherd_error *error)
{
    (void)tool;
    sherd_shape *slab = sherd_shape_box((sherd_vec3){46 * R, 36 * R, 8 * R}, error);
    sherd_pose tilted = {{0.0, 0.0, 0.0}, turned((sherd_vec3){0.0, 1.0, 0.0}, 10.0)};
    sherd_pose above = {{3.0 * R, 2.0 * R, 22.0 * R}, SHERD_QUAT_IDENTITY};
    if (!add(world, slab, tilted, (sherd_vec3){0.0, 0.0, 3.0}, seed, threads, error)) return false;
    sherd_shape *ball = sherd_shape_sphere(11.0 * R, error);
    return add(world, ball, above, (sherd_vec3){0.0, 0.0, -3.0}, seed + 1000, threads, error);
}

// ---------------------------------------------------------------- all of them

static const fracture_case CASES[FRACTURE_CASES] = {
    {"plate", 5000.0, 100.0, true, build_plate, NULL},
    {"chocolate", 5000.0, 100.0, true, build_chocolate, NULL},
    {"bending", 20000.0, 500.0, true, build_bending, make_roll},
    {"impact", 4000.0, 100.0, false, build_impact, NULL},
};

const fracture_case *fracture_case_at(int index)
{
    return &CASES[index];
}

sherd_world *fracture_case_world(const fracture_case *which, const sherd_world_def *def,
                                 const sherd_shape *tool, uint64_t seed, sherd_error *error)
{
    sherd_world *world = sherd_world_create(def, error);
    if (world == NULL || which->build(world, tool, seed, def->threads, error)) return world;
    sherd_world_destroy(world);
    return NULL;
}
