// Free rigid bodies that strike something: rebounds as the restitution says, whatever number of points touches, and impacts
// off the centre as rigid bodies' are.
#include "physics/methods.h"

static const double DENSITY = 2000.0, SPEED = 1.0, GAP = 1e-5, AWAY = 0.3;

static sherd_material_def hard(double modulus, double restitution, double friction)
{
    sherd_material_def m = sherd_material_def_default();
    m.density = 1000.0;
    m.youngs_modulus = modulus, m.shear_modulus = 0.4 * modulus;
    m.restitution = restitution;
    m.friction = friction;
    return m;
}

// Of one grain.
static void add_grain(sherd_world *world, const sherd_material_def *m, double radius,
                      sherd_vec3 place, sherd_vec3 velocity)
{
    sherd_error error;
    sherd_body_def def = sherd_body_def_default();
    def.count = 1;
    def.x = &place.x, def.y = &place.y, def.z = &place.z, def.radius = &radius;
    def.velocity = velocity;
    def.material = sherd_world_add_material(world, m, &error);
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
}

static void add_plane(sherd_world *world)
{
    sherd_error error;
    sherd_obstacle_def floor = sherd_obstacle_def_default();
    floor.is_plane = true;
    cr_assert(sherd_world_add_obstacle(world, &floor, &error).index1 != 0, "%s", error.what);
}

typedef struct flight {
    sherd_vec3 velocity; // of the centre
    double turn;         // about y [rad/s]
} flight;

static void add_free(sherd_world *world, const sherd_shape *shape, double height, double tilt,
                     flight start)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = shape;
    def.density = DENSITY;
    def.pose.position.z = height;
    def.pose.rotation = (sherd_quat){0.0, sin(0.5 * tilt), 0.0, cos(0.5 * tilt)};
    def.velocity = start.velocity;
    def.angular_velocity.y = start.turn;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
}

static sherd_world *stage(stepping by, double safety)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0});
    def.time_step_safety = safety;
    return create(&def);
}

// ---------------------------------------------------------------- straight

typedef enum form_kind { FLAT, PLATE, TALL, BALL, FORMS } form_kind;

static sherd_shape *shape_of(form_kind form, double *half)
{
    static const sherd_vec3 SIZE[] = {{0.08, 0.01, 0.008}, {0.05, 0.05, 0.004}, {0.01, 0.01, 0.06}};
    sherd_error error;
    *half = form == BALL ? 0.01 : 0.5 * SIZE[form].z;
    return form == BALL ? sherd_shape_sphere(0.01, &error) : sherd_shape_box(SIZE[form], &error);
}

// What is lost is known to the restitution's square: all of the motion is along the normal. `partner`: another body like it,
// free too, is struck, in place of a plane; the motion of both against each other is half of the energy.
static double rebound(stepping by, double safety, form_kind form, bool partner, double modulus,
                      double restitution)
{
    double half, start;
    sherd_world *world = stage(by, safety);
    sherd_material_def m = hard(modulus, restitution, 0.0);
    add_grain(world, &m, 0.002, (sherd_vec3){AWAY, 0.0, 0.05}, (sherd_vec3){0});
    sherd_shape *shape = shape_of(form, &half);
    flight down = {.velocity = {0.0, 0.0, -SPEED}}, none = {.turn = 0.0};
    add_free(world, shape, half + GAP, 0.0, down);
    if (partner)
        add_free(world, shape, -half, 0.0, none);
    else
        add_plane(world);
    start = 0.5 * DENSITY * sherd_shape_volume(shape) * SPEED * SPEED;
    set_frame(world, by, 0.006);
    advance(world, 0.006);
    sherd_energy e = sherd_world_energy(world);
    double share = partner ? 0.5 : 1.0, lost = (start - e.kinetic) / (share * start);
    cr_expect(lt(dbl, fabs(e.balance_error), 1e-6));
    cr_expect(eq(dbl, e.contact, 0.0), "still in contact");
    sherd_world_destroy(world);
    sherd_shape_destroy(shape);
    return sqrt(1.0 - lost);
}

// Steps meet a contact's start and end somewhere within: up to 2.3 % of 0.3, 0.6 % of 0.8.
static void check_rebound(stepping by, double safety, form_kind form, bool partner)
{
    static const double MODULUS[] = {1e7, 1e8, 1e10}, RESTITUTION[] = {0.3, 0.8};
    for (size_t m = 0; m < 3; ++m)
        for (size_t r = 0; r < 2; ++r) {
            double e = rebound(by, safety, form, partner, MODULUS[m], RESTITUTION[r]);
            double allowed = (r == 0 ? 0.025 : 0.01) * RESTITUTION[r];
            cr_expect(epsilon_eq(dbl, e, RESTITUTION[r], allowed),
                      "form %d, %g Pa, %g: %g (method %d, partner %d)", (int)form, MODULUS[m],
                      RESTITUTION[r], e, (int)by.method, partner);
        }
}

Test(free_impacts, rebound_as_the_restitution_says)
{
    for (int f = 0; f < FORMS; ++f) {
        check_rebound(EXPLICIT, 0.85, (form_kind)f, false);
        check_rebound(EXPLICIT, 0.3, (form_kind)f, false);
        check_rebound((stepping){.method = SHERD_METHOD_AUTO}, 0.85, (form_kind)f, false);
    }
}

// Points of both touch.
Test(free_impacts, two_bodies_rebound_as_the_restitution_says)
{
    for (int f = 0; f < FORMS; ++f) {
        if (f == TALL) continue;
        check_rebound(EXPLICIT, 0.85, (form_kind)f, true);
        check_rebound((stepping){.method = SHERD_METHOD_AUTO}, 0.85, (form_kind)f, true);
    }
}

// ---------------------------------------------------------------- off the centre

static const double LENGTH = 0.1, SIDE = 0.006; // of a stick along x, and its section

static double stick_mass(void)
{
    return DENSITY * LENGTH * SIDE * SIDE;
}

static double stick_inertia(void) // about y
{
    return stick_mass() * (LENGTH * LENGTH + SIDE * SIDE) / 12.0;
}

// Of free flight, from two poses.
static flight flight_of(sherd_world *world, int obstacle, double later)
{
    sherd_pose a = sherd_world_obstacle_pose(world, obstacle);
    advance(world, sherd_world_time(world) + later);
    sherd_pose b = sherd_world_obstacle_pose(world, obstacle);
    double turned = 2.0 * (atan2(b.rotation.y, b.rotation.w) - atan2(a.rotation.y, a.rotation.w));
    return (flight){{(b.position.x - a.position.x) / later, (b.position.y - a.position.y) / later,
                     (b.position.z - a.position.z) / later},
                    turned / later};
}

static void compare(flight is, flight wanted, double allowed, const char *what)
{
    cr_expect(epsilon_eq(dbl, is.velocity.x, wanted.velocity.x, allowed * SPEED), "%s", what);
    cr_expect(epsilon_eq(dbl, is.velocity.z, wanted.velocity.z, allowed * SPEED), "%s", what);
    cr_expect(epsilon_eq(dbl, is.turn, wanted.turn, allowed * SPEED / (0.5 * LENGTH)), "%s", what);
}

// Its lower edge strikes the plane, sliding all along: with the arm r from the centre to the edge and the impulse P along n,
// -mu P across, the edge's velocity along n is reversed, times e.
static flight after_edge(flight before, sherd_vec3 r, double e, double mu)
{
    double m = stick_mass(), inertia = stick_inertia(),
           slip = before.velocity.x + before.turn * r.z;
    double along = before.velocity.z - before.turn * r.x, across = slip > 0.0 ? -mu : mu;
    // A force (across, 0, 1) P: v += P/m, w_y += P (r_z across - r_x)/inertia; v_n changes by P (1/m - r_x (r_z across - r_x)/inertia).
    double lever = r.z * across - r.x, P = -(1.0 + e) * along / (1.0 / m - r.x * lever / inertia);
    flight after = before;
    after.velocity.x += across * P / m;
    after.velocity.z += P / m;
    after.turn += lever * P / inertia;
    return after;
}

static void strike_plane(double tilt, double friction, flight start)
{
    const double e = 0.6;
    sherd_error error;
    sherd_world *world = stage(EXPLICIT, 0.85);
    sherd_material_def m = hard(1e9, e, friction);
    add_grain(world, &m, 0.002, (sherd_vec3){AWAY, 0.0, 0.05}, (sherd_vec3){0});
    sherd_vec3 r = {0.5 * (LENGTH * cos(tilt) - SIDE * sin(tilt)), 0.0,
                    -0.5 * (LENGTH * sin(tilt) + SIDE * cos(tilt))};
    sherd_shape *stick = sherd_shape_box((sherd_vec3){LENGTH, SIDE, SIDE}, &error);
    add_free(world, stick, -r.z + GAP, tilt, start);
    add_plane(world);
    set_frame(world, EXPLICIT, 1e-4);
    advance(world, 1e-3);
    // Turning, it meets the plane later and deeper by a thousandth of its length.
    compare(flight_of(world, 0, 1e-4), after_edge(start, r, e, friction), 0.015, "edge");
    sherd_world_destroy(world);
    sherd_shape_destroy(stick);
}

Test(free_impacts, a_stick_strikes_with_its_edge)
{
    flight down = {.velocity = {0.0, 0.0, -SPEED}}, slides = {{1.5, 0.0, -SPEED}, 0.0},
           turns = {{0.0, 0.0, -0.5}, 10.0};
    strike_plane(0.2, 0.0, down);
    strike_plane(0.9, 0.0, down);
    strike_plane(0.35, 0.0, turns);
    strike_plane(0.35, 0.1, slides);
}

// A grain strikes the stick that flies nowhere, at a distance from its centre, along its normal. In short steps: grains'
// contacts limit others, and their rebounds follow from where in a step they begin (docs/theory/explicit.md).
static void strike_stick(double modulus, double at)
{
    const double e = 0.4, radius = 0.01;
    sherd_error error;
    sherd_world *world = stage((stepping){.method = SHERD_METHOD_AUTO}, 0.05);
    sherd_material_def m = hard(modulus, e, 0.0);
    add_grain(world, &m, radius, (sherd_vec3){at, 0.0, 0.5 * SIDE + radius + GAP},
              (sherd_vec3){0.0, 0.0, -SPEED});
    sherd_shape *stick = sherd_shape_box((sherd_vec3){LENGTH, SIDE, SIDE}, &error);
    add_free(world, stick, 0.0, 0.0, (flight){.turn = 0.0});
    advance(world, 2e-3);
    double grain = 1000.0 * 4.0 / 3.0 * M_PI * pow(radius, 3.0), M = stick_mass(),
           inertia = stick_inertia(),
           P = (1.0 + e) * SPEED / (1.0 / grain + 1.0 / M + at * at / inertia);
    flight wanted = {{0.0, 0.0, -P / M}, at * P / inertia};
    // It turns by 0.03 rad while they touch: 0.3 % of the turn.
    compare(flight_of(world, 0, 1e-4), wanted, 4e-3, "struck");
    sherd_world_destroy(world);
    sherd_shape_destroy(stick);
}

Test(free_impacts, a_grain_strikes_a_stick_off_its_centre)
{
    static const double AT[] = {0.0, 0.02, 0.045};
    for (int k = 0; k < 3; ++k) {
        strike_stick(1e7, AT[k]);
        strike_stick(1e9, AT[k]);
    }
}

// ---------------------------------------------------------------- free bodies alone

// A world of nothing but two balls: no element, no plane, no gravity. One strikes the other at rest.
Test(free_impacts, balls_alone_rebound_as_the_restitution_says)
{
    const double e = 0.8, radius = 0.01;
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.method = SHERD_METHOD_EXPLICIT;
    sherd_world *world = sherd_world_create(&def, &error);
    sherd_material_def m = hard(1e7, e, 0.3);
    cr_assert(sherd_world_add_material(world, &m, &error).index1 != 0, "%s", error.what);
    sherd_shape *ball = sherd_shape_sphere(radius, &error);
    for (int k = 0; k < 2; ++k) {
        sherd_obstacle_def o = sherd_obstacle_def_default();
        o.kind = SHERD_OBSTACLE_FREE;
        o.shape = ball;
        o.density = DENSITY;
        o.pose.position.x = k * (2.0 * radius + 1e-3);
        o.velocity.x = k == 0 ? SPEED : 0.0;
        cr_assert(sherd_world_add_obstacle(world, &o, &error).index1 != 0, "%s", error.what);
    }
    double mass = DENSITY * 4.0 / 3.0 * M_PI * radius * radius * radius;
    cr_assert(eq(int, (int)sherd_world_advance(world, 0.02, &error), SHERD_OK), "%s", error.what);
    sherd_energy energy = sherd_world_energy(world);
    double left = 0.25 * mass * SPEED * SPEED * (1.0 + e * e),
           momentum = sherd_world_momentum(world).x;
    // Masses are those of the shape on a grid of samples: 1e-3. The dashpot of points that come and go: 1 %.
    cr_assert(lt(dbl, fabs(momentum - mass * SPEED), 1e-3 * mass * SPEED), "%g", momentum / mass);
    cr_assert(lt(dbl, fabs(energy.kinetic - left), 0.01 * left), "%g, not %g", energy.kinetic,
              left);
    cr_assert(lt(dbl, fabs(energy.balance_error), 1e-3), "%g", energy.balance_error);
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

// The fingerprint of a world of free bodies alone is that of their motion: it changes while they move, and is the same
// for any number of threads.
Test(free_impacts, the_states_hash_is_of_their_motion)
{
    static const stepping ALL[] = {{SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO},
                                   {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}};
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.02, 0.02, 0.02}, &error);
    for (int m = 0; m < 2; ++m) {
        uint64_t hash[2][3];
        for (int n = 0; n < 2; ++n) {
            sherd_world_def def = def_of(ALL[m], (sherd_vec3){0.0, 0.0, -9.81});
            def.threads = 1 + n;
            sherd_world *world = create(&def);
            sherd_material_def material = hard(1e7, 0.5, 0.3);
            cr_assert(sherd_world_add_material(world, &material, &error).index1 != 0);
            add_plane(world);
            add_free(world, box, 0.02, 0.1, (flight){{0.0, 0.0, 0.0}, 3.0});
            for (int k = 0; k < 3; ++k) {
                cr_assert(sherd_world_advance(world, 0.01 * (k + 1), &error) == SHERD_OK, "%s",
                          error.what);
                hash[n][k] = sherd_world_state_hash(world);
            }
            sherd_world_destroy(world);
        }
        for (int k = 0; k < 3; ++k)
            cr_expect(eq(u64, hash[0][k], hash[1][k]), "method %d", m);
        cr_expect(hash[0][0] != hash[0][1] && hash[0][1] != hash[0][2], "method %d", m);
    }
    sherd_shape_destroy(box);
}

Test(free_impacts, a_world_without_anything_that_moves_is_refused)
{
    sherd_error error = {0};
    sherd_world_def def = sherd_world_def_default();
    sherd_world *world = sherd_world_create(&def, &error);
    sherd_material_def m = hard(1e7, 0.5, 0.3);
    cr_assert(sherd_world_add_material(world, &m, &error).index1 != 0);
    add_plane(world);
    cr_assert(not(sherd_world_stable_time_step(world, &error) > 0.0));
    cr_assert(eq(str, error.what, (char *)"there is nothing that moves"));
    sherd_world_destroy(world);
}
