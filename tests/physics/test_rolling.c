// Rolling friction of elements: balls on slopes, floors and each other against closed forms, in all methods.
#include "physics/methods.h"
#include "physics/scene_stage.h"
#include "sanitized.h"

static const double G = 9.81, RADIUS = 0.01, SPEED = 0.2, MODULUS = 1e7;

static const stepping ALL[] = {{SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO},
                               {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO},
                               {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}};

typedef struct roller {
    double friction, rolling, slope; // the angle [rad]
    double speed;                    // down the slope, without slip
    double part;                     // explicit: of the default step; 0: all of it
    bool sleeps;
} roller;

static int add_ball(sherd_world *world, double friction, double rolling, sherd_vec3 at,
                    sherd_vec3 spin)
{
    sherd_error error;
    sherd_material_def m = sherd_material_def_default();
    m.friction = friction, m.rolling_friction = rolling;
    m.youngs_modulus = MODULUS, m.shear_modulus = 0.4 * MODULUS;
    sherd_body_def body = sherd_body_def_default();
    body.count = 1;
    body.x = &at.x, body.y = &at.y, body.z = &at.z, body.radius = &RADIUS;
    body.angular_velocity = spin; // about the origin
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    return sherd_world_elements(world).count - 1;
}

// A ball on a floor that gravity makes a slope; it touches it at the origin.
static sherd_world *roll(const roller *r, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){G * sin(r->slope), 0.0, -G * cos(r->slope)});
    def.sleep = r->sleeps;
    sherd_world *world = create(&def);
    sherd_error error;
    add_ball(world, r->friction, r->rolling, (sherd_vec3){0.0, 0.0, RADIUS},
             (sherd_vec3){0.0, r->speed / RADIUS, 0.0});
    add_floor(world, NAN);
    if (by.method == SHERD_METHOD_EXPLICIT) {
        double frame = 0.02, dt = (r->part > 0.0 ? r->part : 1.0) * default_step(world);
        dt = frame / ceil(frame / dt);
        cr_assert(sherd_world_set_time_step(world, dt, &error) == SHERD_OK, "%s", error.what);
    }
    return world;
}

// In frames of 20 ms, as scenes have them: `auto` alone, without frames, stops 5 % early, which it also does uphill
// without rolling friction, as its first long steps lose as much.
static void look(sherd_world *world, int from, int to)
{
    for (int k = from + 1; k <= to; ++k)
        advance(world, 0.02 * k);
}

// The account's histories hold forces in single precision: 6e-8 of the energies of the first contact.
static void check_account(sherd_world *world)
{
    cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 1e-6));
}

// ---------------------------------------------------------------- one ball

// tan(slope) < mu_r. While the contact fills up, within a quarter of its period of 1 ms, nothing holds the ball
// yet; then it creeps by the springs' give, m g / k = 1e-6 m.
Test(rolling, a_ball_rests_on_a_slope)
{
    const roller r = {.friction = 0.6, .rolling = 0.2, .slope = atan(0.18)};
    for (int k = 0; k < 3; ++k) {
        sherd_world *world = roll(&r, ALL[k]);
        look(world, 0, 5);
        double x = sherd_world_elements(world).x[0];
        cr_assert(lt(dbl, fabs(x), 1e-5), "method %d: %g", k, x);
        look(world, 5, 25);
        sherd_element_view e = sherd_world_elements(world);
        cr_assert(lt(dbl, fabs(e.x[0] - x), 1e-7), "method %d: %g", k, e.x[0] - x);
        cr_assert(lt(dbl, fabs(e.vx[0]), 1e-6));
        check_account(world);
        sherd_world_destroy(world);
    }
}

// Asleep it stays, and the couple's spring with it, whose energy is still stored.
Test(rolling, a_ball_sleeps_on_a_slope)
{
    const roller r = {.friction = 0.6, .rolling = 0.2, .slope = atan(0.18), .sleeps = true};
    for (int k = 0; k < 3; k += 2) {
        sherd_world *world = roll(&r, ALL[k]);
        look(world, 0, 10);
        double x = sherd_world_elements(world).x[0];
        double stored = sherd_world_energy(world).contact;
        look(world, 10, 40);
        cr_assert(lt(dbl, fabs(sherd_world_elements(world).x[0] - x), 1e-7), "method %d", k);
        cr_assert(epsilon_eq(dbl, sherd_world_energy(world).contact, stored, 1e-3 * stored));
        check_account(world);
        cr_assert(eq(int, sherd_world_asleep_count(world), 1), "method %d", k);
        sherd_world_destroy(world);
    }
}

// (1 + 2/5) a = g (sin - mu_r cos), from two speeds; the arm is shorter by half the overlap, 2e-5 of it.
Test(rolling, a_ball_rolls_down_a_steeper_slope)
{
    const roller r = {.friction = 0.6, .rolling = 0.2, .slope = atan(0.3)};
    double a = G * (sin(r.slope) - 0.2 * cos(r.slope)) / 1.4;
    for (int k = 0; k < 3; ++k) {
        sherd_world *world = roll(&r, ALL[k]);
        look(world, 0, 5);
        double v = sherd_world_elements(world).vx[0];
        look(world, 5, 25);
        sherd_element_view e = sherd_world_elements(world);
        // Implicit steps: errors of 1e-2 in displacements of each step are allowed, few are made.
        double allowed = k == 0 ? 1e-4 : 2e-3;
        cr_assert(epsilon_eq(dbl, e.vx[0] - v, 0.4 * a, allowed * 0.4 * a), "method %d", k);
        cr_assert(epsilon_eq(dbl, e.wy[0] * RADIUS, e.vx[0], 2e-3 * e.vx[0]));
        check_account(world);
        sherd_world_destroy(world);
    }
}

// v0^2 (1 + 2/5) / (2 mu_r g), and all its kinetic energy is dissipated as friction.
static double stopping_way(stepping by, double part, double *share)
{
    const roller r = {.friction = 0.6, .rolling = 0.1, .speed = SPEED, .part = part};
    sherd_world *world = roll(&r, by);
    double start = sherd_world_energy(world).kinetic;
    look(world, 0, 30);
    sherd_energy energy = sherd_world_energy(world);
    sherd_element_view e = sherd_world_elements(world);
    double x = e.x[0];
    cr_assert(lt(dbl, fabs(e.vx[0]), 1e-4 * SPEED), "%g m/s", e.vx[0]);
    check_account(world);
    *share = energy.dissipated_friction / start;
    sherd_world_destroy(world);
    return x;
}

Test(rolling, a_ball_stops_where_it_should)
{
    double way = 1.4 * SPEED * SPEED / (2.0 * 0.1 * G), share;
    for (int k = 0; k < 3; ++k) {
        double x = stopping_way(ALL[k], 0.0, &share);
        // Explicit: the sum of bounces of the first millisecond. Others: as above.
        cr_assert(epsilon_eq(dbl, x, way, (k == 0 ? 2e-4 : 5e-3) * way), "method %d: %g", k, x);
        cr_assert(epsilon_eq(dbl, share, 1.0, k == 0 ? 2e-4 : 5e-3), "method %d: %g", k, share);
    }
}

// Explicit steps of a half and a tenth differ by the phase of the first bounce; those of implicit Euler by half a step's
// path, which is of first order.
Test(rolling, it_does_not_depend_on_the_step)
{
    double way = 1.4 * SPEED * SPEED / (2.0 * 0.1 * G), share;
    double whole = stopping_way(ALL[0], 1.0, &share);
    for (int k = 0; k < 2; ++k)
        cr_assert(
            lt(dbl, fabs(stopping_way(ALL[0], k == 0 ? 0.5 : 0.1, &share) - whole), 1e-4 * way));
    double last = 0.0;
    const double limits[] = {80.0, 40.0, 8.0};
    for (int k = 0; k < 3; ++k) {
        double off = fabs(stopping_way(euler(limits[k]), 0.0, &share) - way);
        cr_assert(lt(dbl, off, limits[k] * 6e-4 * way), "%g T: %g", limits[k], off / way);
        if (k > 0) cr_assert(lt(dbl, off, 0.7 * last), "%g after %g", off, last);
        last = off;
    }
}

// Without rolling friction nothing of it is there.
Test(rolling, a_ball_rolls_on_without_it)
{
    const roller r = {.friction = 0.6, .speed = SPEED};
    sherd_world *world = roll(&r, ALL[0]);
    look(world, 0, 25);
    cr_assert(epsilon_eq(dbl, sherd_world_elements(world).vx[0], SPEED, 1e-3 * SPEED));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- two balls, a plate that tips

// On another ball that is held it rests up to tan = mu_r / 2, as R is half its radius.
static double rests_on_ball(double tangent, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, -G});
    sherd_world *world = create(&def);
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    double angle = atan(tangent);
    add_ball(world, 0.6, 0.3, none, none);
    drive(world, none, (sherd_vec3){RADIUS, RADIUS, RADIUS}, held());
    int top =
        add_ball(world, 0.6, 0.3,
                 (sherd_vec3){2.0 * RADIUS * sin(angle), 0.0, 2.0 * RADIUS * cos(angle)}, none);
    double from = sherd_world_elements(world).x[top];
    set_frame(world, by, 0.02);
    look(world, 0, 10);
    double way = sherd_world_elements(world).x[top] - from;
    // Normals turn within steps: of second order in them.
    cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 5e-5));
    sherd_world_destroy(world);
    return way;
}

Test(rolling, a_ball_rests_on_another)
{
    for (int k = 0; k < 3; ++k) {
        double below = rests_on_ball(0.13, ALL[k]), above = rests_on_ball(0.17, ALL[k]);
        cr_assert(lt(dbl, fabs(below), 2e-5), "method %d: %g", k, below);
        cr_assert(lt(dbl, 1e-3, above), "method %d: %g", k, above);
    }
}

// The plate turns about the ball's contact, slowly; it starts at tan = mu_r. What the couple does to the plate is
// work of its motion.
Test(rolling, a_ball_starts_to_roll_as_its_plate_tips)
{
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0.0, 0.0, -G});
    sherd_world *world = create(&def);
    sherd_error error;
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    add_ball(world, 0.6, 0.2, (sherd_vec3){0.0, 0.0, RADIUS}, none);
    sherd_obstacle_def plane = sherd_obstacle_def_default();
    plane.is_plane = true;
    plane.kind = SHERD_OBSTACLE_DRIVEN;
    plane.motion.angular_velocity.y = 0.4;
    cr_assert(sherd_world_add_obstacle(world, &plane, &error).index1 != 0, "%s", error.what);
    set_frame(world, EXPLICIT, 0.01);
    double start = 0.0;
    for (int k = 1; k < 70 && start == 0.0; ++k) {
        advance(world, 0.01 * k);
        sherd_element_view e = sherd_world_elements(world);
        double angle = 0.4 * 0.01 * k, spin = e.wy[0] - 0.4;
        if (spin * RADIUS > 1e-3) start = tan(angle);
    }
    // Seen at the end of a frame in which it has begun: 0.004 later, and it takes one to get as fast.
    cr_assert(ge(dbl, start, 0.2));
    cr_assert(lt(dbl, start, 0.2 + 0.013), "%g", start);
    check_account(world);
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- momentum

// Balls that meet: couples on both are opposite, and energy is accounted for.
Test(rolling, a_collision_keeps_momenta)
{
    sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0.0, 0.0, 0.0});
    sherd_world *world = create(&def);
    const sherd_vec3 origin = {0.0, 0.0, 0.0};
    // About the origin, in front of it: it comes at 0.5 m/s and spins at 10 rad/s.
    add_ball(world, 0.4, 0.5, (sherd_vec3){0.05, 0.0, 0.003}, (sherd_vec3){0.0, 0.0, 10.0});
    add_ball(world, 0.4, 0.5, (sherd_vec3){0.045, 0.0215, 0.0}, origin);
    sherd_vec3 before = sherd_world_angular_momentum(world);
    run_steps(world, 3000);
    sherd_vec3 after = sherd_world_angular_momentum(world);
    sherd_energy e = sherd_world_energy(world);
    double scale = distance(before, (sherd_vec3){0.0, 0.0, 0.0});
    cr_assert(lt(dbl, distance(before, after), 1e-12 * scale));
    cr_assert(lt(dbl, 0.0, e.dissipated_friction));
    cr_assert(eq(dbl, e.contact, 0.0));
    // Friction changes both spins alike, so their difference of 10 rad/s is the couple's to end.
    sherd_element_view v = sherd_world_elements(world);
    cr_assert(lt(dbl, fabs(v.wz[0] - v.wz[1]), 3.0), "%g %g", v.wz[0], v.wz[1]);
    // Normals turn within steps: 1.8e-5, with rolling friction or without.
    cr_assert(lt(dbl, fabs(e.balance_error), 4e-5));
    sherd_world_destroy(world);
}

// ---------------------------------------------------------------- bodies of many elements

// A block slides on its elements: v^2 / (2 mu g), to what it does without; its elements do not turn against it.
static double slides(double rolling, double *balance)
{
    block b = slider(0.4);
    b.material.rolling_friction = rolling;
    place_on_floor(&b);
    b.velocity.x = 0.3;
    sherd_world *world = world_with((sherd_vec3){0, 0, -G}, 1);
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double x = mean_of(world).x, dt = default_step(world);
    run_steps(world, (int64_t)(1.3 * 0.3 / (0.4 * G) / dt));
    x = mean_of(world).x - x;
    *balance = sherd_world_energy(world).balance_error;
    cr_assert(eq(int, sherd_world_bonds(world).broken_count, 0));
    sherd_world_destroy(world);
    return x;
}

Test(rolling, bonded_bodies_slide_as_without_it)
{
    double balance, without = slides(0.0, &balance), way = 0.3 * 0.3 / (2.0 * 0.4 * G);
    cr_assert(epsilon_eq(dbl, without, way, 0.02 * way));
    double with = slides(0.5, &balance);
    cr_assert(epsilon_eq(dbl, with, without, 0.005 * way), "%g", (with - without) / way);
    cr_assert(lt(dbl, fabs(balance), 1e-3));
}

// ---------------------------------------------------------------- heaps

#define HEAP                                                                                       \
    "materials:\n"                                                                                 \
    "  grain: {density: 2500, youngs_modulus: 1 MPa, unbreakable: true, friction: 0.5, "           \
    "restitution: 0.3, rolling_friction: %s}\n"                                                    \
    "bodies:\n"                                                                                    \
    "  - {name: left, loose: true, shape: {cylinder: {radius: 9 mm, height: 24 mm}}, "             \
    "packing: {cubic: {radius: 2 mm, jitter: 0.05}}, position: [0, 0, 12.2 mm], material: "        \
    "grain}\n"                                                                                     \
    "  - {name: right, loose: true, shape: {cylinder: {radius: 7 mm, height: 12 mm}}, "            \
    "packing: {cubic: {radius: 2 mm, jitter: 0.05}}, position: [300 mm, 0, 6.2 mm], "              \
    "material: grain}\n"                                                                           \
    "obstacles:\n"                                                                                 \
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"                            \
    "%s"                                                                                           \
    "solver: {%s}\n"

#define PLATE                                                                                      \
    "  - {name: plate, box: [20 mm, 20 mm, 4 mm], position: [0, 0, 30 mm], free: {density: "       \
    "3000}}\n"

static const char *heap(const char *rolling, const char *plate, const char *solver)
{
    static char text[4096];
    snprintf(text, sizeof text, HEAP, rolling, plate, solver);
    return text;
}

static uint64_t hash_of(const char *text, int threads, double until)
{
    stage s = set(text, threads);
    go(&s, until);
    uint64_t hash = sherd_world_state_hash(s.world);
    strike(&s);
    return hash;
}

// Two heaps, one of them under a free plate, which `auto` steps apart; the same bits by any number of threads, and resumed.
Test(rolling, runs_are_the_same_bit_for_bit)
{
    const char *methods[] = {"method: explicit", "method: implicit, time_step: 4 T, scheme: euler",
                             "method: auto"};
    const double until[] = {0.06, 0.01, 0.2};
    const int stops[] = {2, 7};
    for (int k = 0; k < 3; ++k) {
        const char *text = heap("0.2", PLATE, methods[k]);
        uint64_t one = hash_of(text, 1, until[k]);
        cr_assert(eq(u64, one, hash_of(text, 3, until[k])), "%s", methods[k]);
        check_resumed(text, until[k], stops, 2);
    }
}

// The mean height of the left heap's grains.
static double height_of(const char *rolling)
{
    stage s = set(heap(rolling, "", "method: explicit"), 2);
    go(&s, 0.25);
    sherd_element_view e = sherd_world_elements(s.world);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < e.count; ++k)
        if (fabs(e.x[k]) < 0.1) sum += e.z[k], ++count;
    cr_assert(lt(int, 20, count));
    cr_assert(lt(dbl, fabs(sherd_world_energy(s.world).balance_error), 1e-2));
    strike(&s);
    return sum / count;
}

Test(rolling, heaps_are_higher_with_it)
{
    double z[3] = {height_of("0"), height_of("0.03"), height_of("0.2")};
    cr_assert(lt(dbl, 1.05 * z[0], z[1]), "%g %g", z[0], z[1]);
    cr_assert(lt(dbl, 1.05 * z[1], z[2]), "%g %g", z[1], z[2]);
}

Test(rolling, refuses_nonsense)
{
    sherd_diagnostics d = {0};
    cr_assert(parse(heap("-0.1", "", "method: explicit"), &d) == NULL);
    cr_assert(strstr(d.errors[0].where, "rolling_friction") != NULL, "%s", d.errors[0].where);
    sherd_diagnostics_free(&d);
    d = (sherd_diagnostics){0};
    cr_assert(parse(heap("0.1", "", "rolling_friction: 0.1"), &d) == NULL);
    cr_assert(eq(str, d.errors[0].what, "'rolling_friction' has moved"));
    sherd_diagnostics_free(&d);
}
