// What moves fast is met on the way, however long implicit steps could be before and after.  docs/theory/implicit.md
#include "methods.h"

static const stepping IMPLICIT = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO};
static const double REST = 5e-3,
                    BLOW = 0.2e-3; // how long nothing moves, and then how long it does [s]
static const double BALL = 0.003;  // radius [m]

// A plate in the plane z = 0, held at one end.
static sherd_world *plate_world(void)
{
    sherd_world *world = world_by(IMPLICIT, (sherd_vec3){0});
    add_held_plate(world);
    return world;
}

static sherd_obstacle_def ball_at(const sherd_shape *ball, sherd_vec3 at)
{
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_DRIVEN;
    def.shape = ball;
    def.pose.position = at;
    return def;
}

static void put(sherd_world *world, const sherd_obstacle_def *def)
{
    sherd_error error;
    cr_assert(sherd_world_add_obstacle(world, def, &error).index1 != 0, "%s", error.what);
}

// Moves by both at the time of the blow.
static void put_by_table(sherd_world *world, sherd_obstacle_def def, sherd_vec3 way,
                         sherd_vec3 turn)
{
    const sherd_motion_key keys[] = {
        {.time = 0.0}, {.time = REST}, {.time = REST + BLOW, .translation = way, .rotation = turn}};
    def.motion.keys = keys;
    def.motion.key_count = 3;
    put(world, &def);
}

// What the ball passed through is pushed aside or broken.
static void check_blow(sherd_world *world, double until)
{
    advance(world, REST);
    cr_assert(eq(int, (int)sherd_world_bonds(world).broken_count, 0));
    advance(world, until);
    cr_assert(lt(int, 3, (int)sherd_world_bonds(world).broken_count));
    sherd_world_destroy(world);
}

static void strike(sherd_vec3 from, sherd_vec3 way, sherd_vec3 turn, sherd_vec3 pivot)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(BALL, &error);
    sherd_world *world = plate_world();
    sherd_obstacle_def def = ball_at(ball, from);
    def.motion.pivot = pivot;
    put_by_table(world, def, way, turn);
    check_blow(world, REST + 2.0 * BLOW);
    sherd_shape_destroy(ball);
}

// Steps are as long as they like while it waits; the next one would hold the whole blow.
Test(tunnelling_search, a_blow_between_two_keys)
{
    strike((sherd_vec3){0.002, 0.0, 0.01}, (sherd_vec3){0.0, 0.0, -0.02}, (sherd_vec3){0},
           (sherd_vec3){0});
}

// On a chord it would pass by: half a turn about a point beside the plate.
Test(tunnelling_search, a_blow_along_an_arc)
{
    strike((sherd_vec3){0.02, 0.0, 0.014}, (sherd_vec3){0}, (sherd_vec3){0.0, -M_PI, 0.0},
           (sherd_vec3){0.02, 0.0, 0.0});
}

// A whole turn: it ends where it began.
Test(tunnelling_search, a_blow_of_a_whole_turn)
{
    strike((sherd_vec3){0.034, 0.0, 0.0}, (sherd_vec3){0}, (sherd_vec3){0.0, 2.0 * M_PI, 0.0},
           (sherd_vec3){0.02, 0.0, 0.0});
}

Test(tunnelling_search, the_last_of_many)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(BALL, &error);
    sherd_world *world = plate_world();
    for (int k = 0; k < 300; ++k) { // slow, and far away
        sherd_obstacle_def def = ball_at(ball, (sherd_vec3){0.1 + 0.007 * k, 0.0, 0.0});
        def.motion.velocity.x = 0.01;
        put(world, &def);
    }
    put_by_table(world, ball_at(ball, (sherd_vec3){0.002, 0.0, 0.01}),
                 (sherd_vec3){0.0, 0.0, -0.02}, (sherd_vec3){0});
    check_blow(world, REST + 2.0 * BLOW);
    sherd_shape_destroy(ball);
}

// A cube of elements, far from the plate, that is driven through it.
Test(tunnelling_search, a_body_that_is_driven)
{
    sherd_world *world = plate_world();
    block cube = block_default();
    cube.size = (sherd_vec3){0.004, 0.004, 0.004};
    cube.material.youngs_modulus = 50e6;
    cube.material.shear_modulus = 20e6;
    cube.material.breakage = SHERD_BREAKAGE_NONE;
    cube.pose.position = (sherd_vec3){0.002, 0.0, 0.01};
    add_block(world, &cube, NULL);
    const sherd_motion_key keys[] = {
        {.time = 0.0}, {.time = REST}, {.time = REST + BLOW, .translation = {0.0, 0.0, -0.02}}};
    sherd_driver_def def = held();
    def.motion.keys = keys;
    def.motion.key_count = 3;
    drive(world, cube.pose.position, (sherd_vec3){0.0041, 0.0041, 0.0041}, def);
    check_blow(world, REST + 2.0 * BLOW);
}

// A row of elements whose end sweeps past the end of the plate: as a whole it does not move, and a step in which nothing
// folds would still leap over the plate.
Test(tunnelling_search, the_end_of_a_row_that_is_turned)
{
    sherd_world *world = plate_world();
    block row = block_default();
    row.size = (sherd_vec3){0.06, 0.002, 0.002};
    row.material.youngs_modulus = 50e6;
    row.material.shear_modulus = 20e6;
    row.material.breakage = SHERD_BREAKAGE_NONE;
    row.pose.position = (sherd_vec3){0.034, 0.0, 0.010};
    add_block(world, &row, NULL);
    const sherd_motion_key keys[] = {
        {.time = 0.0}, {.time = REST}, {.time = REST + BLOW, .rotation = {0.0, -0.8, 0.0}}};
    sherd_driver_def def = held();
    def.motion.pivot = row.pose.position;
    def.motion.keys = keys;
    def.motion.key_count = 3;
    drive(world, row.pose.position, (sherd_vec3){0.061, 0.003, 0.003}, def);
    check_blow(world, REST + 2.0 * BLOW);
}

static block soft_block(sherd_vec3 size)
{
    block b = block_default();
    b.size = size;
    b.material.breakage = SHERD_BREAKAGE_NONE;
    b.material.youngs_modulus = 1e6, b.material.shear_modulus = 4e5;
    return b;
}

// A slow cube above a plate that is held. Within one step of a given length it comes by 4 mm if nothing pulls, which is not
// all of the way to the plate, and by 6 mm more by its weight.
Test(tunnelling_search, what_begins_to_fall)
{
    const double limits = 200.0;
    sherd_world_def def =
        def_of((stepping){SHERD_METHOD_IMPLICIT, limits, SHERD_SCHEME_EULER}, (sherd_vec3){0});
    block cube = soft_block((sherd_vec3){0.004, 0.004, 0.004}),
          plate = soft_block((sherd_vec3){0.012, 0.012, 0.002});
    cube.pose.position.z = 0.008;
    int64_t parts[2];
    for (int falls = 0; falls < 2; ++falls) {
        sherd_world *probe = create(&def);
        add_block(probe, &plate, NULL), add_block(probe, &cube, NULL);
        double time = limits * limit_of(probe);
        sherd_world_destroy(probe);
        def.gravity.z = falls ? -0.012 / (time * time) : 0.0;
        cube.velocity.z = -0.004 / time;
        sherd_world *world = create(&def);
        add_block(world, &plate, NULL);
        drive(world, (sherd_vec3){0}, (sherd_vec3){1.0, 1.0, 0.003}, held());
        add_block(world, &cube, NULL);
        advance(world, limits * limit_of(world));
        parts[falls] = sherd_world_split_steps(world).parts;
        sherd_world_destroy(world);
    }
    cr_expect(eq(i64, parts[0], 0));
    cr_expect(lt(i64, 1, parts[1]));
}

// Released at rest just above a plate of elements, a cube would be below it at the end of one step of a given length: by its
// weight, or by a force on all of it. So the step has parts, and the cube ends on the plate, above its middle.
static void check_release(bool by_driver)
{
    const double limits = 200.0;
    sherd_world_def def =
        def_of((stepping){SHERD_METHOD_IMPLICIT, limits, SHERD_SCHEME_EULER}, (sherd_vec3){0});
    block cube = soft_block((sherd_vec3){0.004, 0.004, 0.004}),
          plate = soft_block((sherd_vec3){0.012, 0.012, 0.002});
    cube.pose.position.z = 0.0042;
    sherd_world *probe = create(&def);
    add_block(probe, &plate, NULL), add_block(probe, &cube, NULL);
    double time = limits * limit_of(probe), pull = 2.0 * 0.02 / (time * time); // 20 mm in the step
    sherd_world_destroy(probe);
    if (!by_driver) def.gravity.z = -pull;
    sherd_world *world = create(&def);
    add_block(world, &plate, NULL);
    drive(world, (sherd_vec3){0}, (sherd_vec3){1.0, 1.0, 0.003}, held());
    add_block(world, &cube, NULL);
    sherd_element_index plate_count = 0, count = sherd_world_elements(world).count;
    double mass = 0.0;
    for (sherd_element_index k = 0; k < count; ++k)
        if (sherd_world_elements(world).z[k] < 0.002)
            ++plate_count;
        else
            mass += sherd_world_element(world, k).mass;
    if (by_driver) {
        sherd_driver_def push = sherd_driver_def_default();
        push.drive = SHERD_DRIVE_FORCE;
        push.force.z = -pull * mass;
        drive(world, cube.pose.position, (sherd_vec3){0.005, 0.005, 0.005}, push);
    }
    advance(world, limits * limit_of(world));
    cr_expect(lt(i64, (int64_t)1, sherd_world_split_steps(world).parts));
    double height = 0.0;
    sherd_element_view e = sherd_world_elements(world);
    for (sherd_element_index k = plate_count; k < count; ++k)
        height += e.z[k] / (count - plate_count);
    cr_expect(lt(dbl, 0.0, height), "%g m", height);
    sherd_world_destroy(world);
}

Test(tunnelling_search, what_is_released_at_rest)
{
    check_release(false);
    check_release(true);
}
