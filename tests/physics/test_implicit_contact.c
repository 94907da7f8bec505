// Sliding, sticking and bouncing by implicit steps of any length, as test_friction.c has it for explicit ones,
// and free rigid bodies.
#include "physics/methods.h"

static const double G = 9.81;

static const double STEPS[] = {1.0, 20.0, 200.0}; // [T]
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

// ---------------------------------------------------------------- friction

// v^2 / (2 mu g) within 3 %, as the explicit method's test has it.
static void check_sliding(stepping by)
{
    block b = slider(0.4);
    place_on_floor(&b);
    b.velocity.x = 0.5;
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, -G});
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double x = mean_of(world).x, stop = b.velocity.x / (0.4 * G);
    advance(world, 1.3 * stop);
    double way = b.velocity.x * b.velocity.x / (2.0 * 0.4 * G), gone = mean_of(world).x - x;
    cr_assert(epsilon_eq(dbl, gone, way, 0.03 * way), "%g T", by.limits);
    advance(world, 1.6 * stop);
    // And there it stays: rest is not creep.
    cr_assert(epsilon_eq(dbl, mean_of(world).x - x, gone, 1e-3 * way), "%g T", by.limits);
    sherd_world_destroy(world);
}

Test(implicit_contact, sliding_block_stops_where_it_should)
{
    for (int k = 0; k < STEP_COUNT; ++k)
        check_sliding(euler(STEPS[k]));
    check_sliding((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO});
    check_sliding((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO});
}

// Way down a slope of `angle` after `time` from rest; gravity is turned instead of the floor.
static double slide_down(stepping by, double angle, double time)
{
    block b = slider(0.5);
    place_on_floor(&b);
    sherd_world *world = world_by(by, (sherd_vec3){G * sin(angle), 0, -G * cos(angle)});
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double x = mean_of(world).x;
    advance(world, time);
    double way = mean_of(world).x - x;
    sherd_world_destroy(world);
    return way;
}

// mu = 0.5 sticks up to 26.6 degrees: only the springs give way, by far less than a thousandth of the free
// way. Above, g (sin - mu cos) within 3 %; Euler's first-order error, dt / time, is its own.
static void check_slope(stepping by)
{
    const double time = 0.15, degree = M_PI / 180.0;
    double free_way = 0.5 * G * time * time, late = by.limits * 1.3e-5 / time;
    cr_assert(lt(dbl, fabs(slide_down(by, 24.0 * degree, time)), 1e-3 * free_way), "%g T",
              by.limits);
    double expected = 0.5 * G * (sin(30.0 * degree) - 0.5 * cos(30.0 * degree)) * time * time;
    cr_assert(
        epsilon_eq(dbl, slide_down(by, 30.0 * degree, time), expected, (0.03 + late) * expected),
        "%g T", by.limits);
}

Test(implicit_contact, slope_sticks_below_and_slides_above)
{
    for (int k = 0; k < STEP_COUNT; ++k)
        check_slope(euler(STEPS[k]));
    check_slope((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO});
}

// A block stuck on a slope for long does not creep in steps of any length.
Test(implicit_contact, what_sticks_does_not_creep)
{
    const double angle = 20.0 * M_PI / 180.0;
    for (int k = 1; k < STEP_COUNT; ++k) {
        double early = slide_down(euler(STEPS[k]), angle, 0.1),
               late = slide_down(euler(STEPS[k]), angle, 0.5);
        // A micrometre is a thousandth of a radius, and 1e-6 of the free way.
        cr_assert(epsilon_eq(dbl, late, early, 1e-6), "%g T", STEPS[k]);
    }
}

// ---------------------------------------------------------------- bouncing

static double rebound(double restitution, stepping by)
{
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    sherd_material_def m = sherd_material_def_default();
    m.restitution = restitution;
    sherd_body_def ball = sherd_body_def_default();
    double x = 0.0, z = 1.01e-3, r = 1e-3;
    ball.count = 1;
    ball.x = ball.y = &x, ball.z = &z, ball.radius = &r;
    ball.velocity.z = -1.0;
    ball.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &ball, &error).index1 != 0);
    add_floor(world, NAN);
    advance(world, 3e-5 + 1000.0 * limit_of(world));
    double speed = sherd_world_elements(world).vz[0];
    sherd_world_destroy(world);
    return speed;
}

// Steps shorter than the collision, which lasts pi T and more without damping: Euler's own damping is
// first order, some 2 omega dt of the speed.
Test(implicit_contact, short_steps_rebound_as_asked)
{
    const double wanted[] = {1.0, 0.5};
    for (int k = 0; k < 2; ++k) {
        double coarse = rebound(wanted[k], euler(0.05)), fine = rebound(wanted[k], euler(0.0125));
        cr_assert(epsilon_eq(dbl, fine, wanted[k], 0.05));
        // First order: a quarter of the step errs by a quarter, give or take.
        cr_assert(lt(dbl, fabs(fine - wanted[k]), 0.5 * fabs(coarse - wanted[k]) + 0.01));
    }
}

// Steps far longer than the collision may lose the rebound but must not invent one.
Test(implicit_contact, long_steps_do_not_rebound_faster)
{
    for (int k = 0; k < STEP_COUNT; ++k) {
        double speed = rebound(1.0, euler(STEPS[k]));
        cr_assert(speed > -1e-6 && speed < 1.0 + 1e-6, "%g T: %g m/s", STEPS[k], speed);
    }
}

// ---------------------------------------------------------------- a free rigid body

typedef struct fall {
    double height, plate_height; // of the ball and of the plate [m]
} fall;

// A rigid ball falls onto a soft plate that hangs in nothing.
static fall ball_on_plate(stepping by, double until)
{
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block plate = block_default();
    plate.radius = 2e-3;
    plate.size = (sherd_vec3){0.04, 0.04, 0.012};
    plate.material.youngs_modulus = 1e6, plate.material.shear_modulus = 4e5;
    plate.material.bond_damping = 0.1;
    plate.material.restitution = 1.0;
    add_block(world, &plate, NULL);
    sherd_shape *shape = sherd_shape_sphere(0.01, &error);
    sherd_obstacle_def ball = sherd_obstacle_def_default();
    ball.kind = SHERD_OBSTACLE_FREE;
    ball.shape = shape;
    ball.density = 2000.0;
    ball.pose.position = (sherd_vec3){0.001, 0.002, 0.018};
    ball.velocity.z = -0.5;
    cr_assert(sherd_world_add_obstacle(world, &ball, &error).index1 != 0, "%s", error.what);
    set_frame(world, by, until);
    advance(world, until);
    // Nothing acts from outside: to the rounding of forces in mixed precision.
    double brought = -0.5 * ball.density * 4.0 / 3.0 * M_PI * 1e-6;
    cr_assert(epsilon_eq(dbl, sherd_world_momentum(world).z, brought, 1e-9 * fabs(brought)));
    fall out = {sherd_world_obstacle_pose(world, 0).position.z, mean_of(world).z};
    sherd_world_destroy(world);
    sherd_shape_destroy(shape);
    return out;
}

// A free body, and far from it a block of elements.
static sherd_world *free_body(stepping by, sherd_vec3 gravity, const sherd_shape *shape,
                              sherd_vec3 position, sherd_vec3 velocity)
{
    sherd_error error;
    sherd_world *world = world_by(by, gravity);
    block beside = slider(0.1);
    place_on_floor(&beside);
    add_block(world, &beside, NULL);
    sherd_obstacle_def body = sherd_obstacle_def_default();
    body.kind = SHERD_OBSTACLE_FREE;
    body.shape = shape;
    body.density = 2000.0;
    body.friction = 0.1;
    body.pose.position = position;
    body.velocity = velocity;
    cr_assert(sherd_world_add_obstacle(world, &body, &error).index1 != 0, "%s", error.what);
    return world;
}

static void check_parabola(stepping by)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(0.02, &error);
    sherd_world *world = free_body(by, (sherd_vec3){0, 0, -10.0}, ball, (sherd_vec3){0, 0.5, 1.0},
                                   (sherd_vec3){0.5, 0, 1.0});
    set_frame(world, by, 0.04);
    for (int frame = 1; frame <= 10; ++frame) {
        advance(world, 0.04 * frame);
        double t = sherd_world_time(world);
        sherd_vec3 at = sherd_world_obstacle_pose(world, 0).position;
        cr_assert(epsilon_eq(dbl, at.x, 0.5 * t, 1e-12), "frame %d", frame);
        cr_assert(epsilon_eq(dbl, at.z, 1.0 + t - 5.0 * t * t, 1e-12), "frame %d", frame);
    }
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

// In steps of any length: to rounding.
Test(implicit_contact, free_bodies_fall_along_their_parabola)
{
    check_parabola(euler(200.0));
    check_parabola((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO});
    check_parabola((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO});
}

// g (sin - mu cos). The step in which sliding begins is an Euler step, at most a frame long: a
// hundredth of the way, where Euler steps throughout would be a tenth ahead.
static void check_free_slide(stepping by)
{
    sherd_error error;
    const double time = 0.4, angle = 20.0 * M_PI / 180.0;
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.04, 0.04, 0.02}, &error);
    sherd_vec3 gravity = {G * sin(angle), 0, -G * cos(angle)};
    sherd_world *world =
        free_body(by, gravity, box, (sherd_vec3){0, 0.5, 0.01}, (sherd_vec3){0, 0, 0});
    add_floor(world, 0.1);
    for (int frame = 1; frame <= 10; ++frame)
        advance(world, time * frame / 10);
    double way = 0.5 * G * (sin(angle) - 0.1 * cos(angle)) * time * time;
    double gone = sherd_world_obstacle_pose(world, 0).position.x;
    cr_assert(epsilon_eq(dbl, gone, way, 0.01 * way), "%g for %g", gone, way);
    sherd_world_destroy(world);
    sherd_shape_destroy(box);
}

Test(implicit_contact, free_bodies_slide_as_fast_as_they_should)
{
    check_free_slide((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO});
    check_free_slide((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO});
}

// Of the way that the ball would have gone, 2 %.
Test(implicit_contact, a_free_ball_and_a_plate_share_momentum_as_by_explicit_steps)
{
    for (int k = 1; k <= 3; ++k) {
        double until = 0.01 * k, way = 0.5 * until;
        fall a = ball_on_plate(EXPLICIT, until),
             b = ball_on_plate((stepping){SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}, until),
             c = ball_on_plate((stepping){SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}, until);
        cr_assert(epsilon_eq(dbl, b.height, a.height, 0.02 * way), "at %g s", until);
        cr_assert(epsilon_eq(dbl, b.plate_height, a.plate_height, 0.02 * way), "at %g s", until);
        cr_assert(epsilon_eq(dbl, c.height, a.height, 0.02 * way), "auto, at %g s", until);
    }
}
