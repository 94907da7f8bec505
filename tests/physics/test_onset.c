// Contacts that begin and end at any time within a step: what bounces keep, and that all of it is booked.
#include "physics/block.h"

#include <sherd/shape.h>

enum { PHASES = 30 };

static const double RADIUS = 1e-3, SPEED = 1.0;
static const double NOTHING = 1e-9; // rounding of some thousand steps, amplified by bounces

typedef struct ball {
    double x, y, z, radius;
    sherd_vec3 velocity;
} ball;

static void add_ball(sherd_world *world, const ball *b, double restitution, double friction)
{
    sherd_error error;
    sherd_material_def m = sherd_material_def_default();
    m.restitution = restitution;
    m.friction = friction;
    sherd_body_def def = sherd_body_def_default();
    def.count = 1;
    def.x = &b->x, def.y = &b->y, def.z = &b->z, def.radius = &b->radius;
    def.velocity = b->velocity;
    def.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &def, &error).index1 != 0, "%s", error.what);
}

// So many times the limit that contacts set: 8 k/m with k = E pi r of an element on an obstacle
// (contact/contact.c).
static double step_of(double share)
{
    sherd_material_def m = sherd_material_def_default();
    double mass = m.density * 4.0 / 3.0 * M_PI * pow(RADIUS, 3.0);
    return share * 2.0 / sqrt(8.0 * m.youngs_modulus * M_PI * RADIUS / mass);
}

static double set_step(sherd_world *world, double share)
{
    sherd_error error;
    double dt = step_of(share);
    cr_assert(lt(dbl, dt, 1.01 * share * sherd_world_stable_time_step(world, &error)));
    cr_assert(eq(int, sherd_world_set_time_step(world, dt, &error), SHERD_OK), "%s", error.what);
    return dt;
}

static double default_share(void)
{
    return sherd_world_def_default().time_step_safety;
}

static double momentum_error(const sherd_world *world, sherd_vec3 was, double scale)
{
    sherd_vec3 now = sherd_world_momentum(world);
    return sqrt(pow(now.x - was.x, 2.0) + pow(now.y - was.y, 2.0) + pow(now.z - was.z, 2.0)) /
           scale;
}

// ---------------------------------------------------------------- a ball between two planes

// It flies this far between planes, and a part of a step's way more.
static const double GAP = 1e-4;

static sherd_world *ball_between_planes(double restitution, double share, int phase, double *dt)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    double gap = GAP + phase * SPEED * step_of(share) / PHASES;
    ball b = {0.0, 0.0, RADIUS + gap, RADIUS, {0.0, 0.0, -SPEED}};
    add_ball(world, &b, restitution, 0.0);
    add_floor(world, NAN);
    add_ceiling(world, 2.0 * (RADIUS + gap), 0.0);
    *dt = set_step(world, share);
    return world;
}

// Without damping it bounces for ever: 0.2 % is required after 20 bounces, and a lone ball's are exact.
Test(onset, a_ball_keeps_its_energy_over_twenty_bounces)
{
    const double shares[] = {default_share(), 0.3, 1.0};
    for (int k = 0; k < 3 * PHASES; ++k) {
        double dt;
        sherd_world *world = ball_between_planes(1.0, shares[k / PHASES], k % PHASES, &dt);
        int bounces = 0;
        for (double was = -SPEED; bounces < 20; was = sherd_world_elements(world).vz[0]) {
            run_steps(world, 1);
            bounces += was * sherd_world_elements(world).vz[0] < 0.0;
            // Forces are kept to seven digits for the accounts.
            cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 1e-6));
        }
        run_steps(world, (int64_t)(GAP / SPEED / dt)); // off what it touched last
        cr_assert(epsilon_eq(dbl, fabs(sherd_world_elements(world).vz[0]), SPEED, NOTHING));
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).dissipated_onset),
                     1e-6 * sherd_world_energy(world).kinetic));
        sherd_world_destroy(world);
    }
}

// With a dashpot it is exact, too, until that would pull: what is then left in the spring is two hundredths
// at most. All else that is lost is the dashpot's. What it is asked to keep it keeps on average over when in a
// step it meets the plane, within 0.08: it is met half a step late, and only some five forces act in all.
Test(onset, a_dashpot_takes_all_that_is_lost)
{
    const double wanted[] = {0.6, 0.3};
    for (int w = 0; w < 2; ++w) {
        double mean = 0.0;
        for (int phase = 0; phase < PHASES; ++phase) {
            double dt;
            sherd_world *world = ball_between_planes(wanted[w], default_share(), phase, &dt);
            double start = sherd_world_energy(world).kinetic;
            // To the ceiling and back off it: the way down and the way up are the same for all.
            while (sherd_world_elements(world).vz[0] < SPEED * wanted[w] * 0.1)
                run_steps(world, 1);
            run_steps(world, (int64_t)(0.5 * GAP / SPEED / dt));
            sherd_energy e = sherd_world_energy(world);
            mean += sherd_world_elements(world).vz[0] / (SPEED * PHASES);
            cr_assert(lt(dbl, fabs(e.balance_error), 1e-6));
            cr_assert(lt(dbl, fabs(e.dissipated_onset), 0.02 * start));
            cr_assert(epsilon_eq(dbl, e.dissipated_contact + e.dissipated_onset, start - e.kinetic,
                                 1e-6 * start));
            sherd_world_destroy(world);
        }
        cr_assert(epsilon_eq(dbl, mean, wanted[w], 0.08));
    }
}

// Where it is after a bounce, less where a ball on a spring would be: k = E pi r (contact/explicit/obstacle_contact.c).
static double late_by(double share, int phase)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    double gap = GAP + phase * SPEED * step_of(share) / PHASES;
    ball b = {0.0, 0.0, RADIUS + gap, RADIUS, {0.0, 0.0, -SPEED}};
    add_ball(world, &b, 1.0, 0.0);
    add_floor(world, NAN);
    set_step(world, share);
    while (sherd_world_elements(world).z[0] < RADIUS + GAP || sherd_world_time(world) < gap / SPEED)
        run_steps(world, 1);
    sherd_material_def m = sherd_material_def_default();
    double mass = m.density * 4.0 / 3.0 * M_PI * pow(RADIUS, 3.0);
    double touch = M_PI * sqrt(mass / (m.youngs_modulus * M_PI * RADIUS));
    double flown = sherd_world_time(world) - gap / SPEED - touch;
    double late = sherd_world_elements(world).z[0] - (RADIUS + SPEED * flown);
    sherd_world_destroy(world);
    return late;
}

// Root mean square over when in a step it meets the plane. Half of the step is a quarter of the error,
// within 7 %: of order 1.9 at least.
Test(onset, trajectories_are_of_second_order)
{
    double error[3];
    for (int level = 0; level < 3; ++level) {
        double sum = 0.0;
        for (int phase = 0; phase < PHASES; ++phase)
            sum += pow(late_by(0.2 / pow(2.0, level), phase), 2.0) / PHASES;
        error[level] = sqrt(sum);
    }
    cr_assert(lt(dbl, 1.9, log2(error[0] / error[1])));
    cr_assert(lt(dbl, 1.9, log2(error[1] / error[2])));
}

// ---------------------------------------------------------------- two balls

// Heads on, without damping: both leave as the laws of impact say, to rounding; and so does momentum.
static void check_two_balls(double other_radius)
{
    for (int phase = 0; phase < PHASES; ++phase) {
        sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
        ball a = {0.0, 0.0, 0.0, RADIUS, {SPEED, 0.0, 0.0}};
        ball b = {RADIUS + other_radius + GAP, 0.0, 0.0, other_radius, {0.0, 0.0, 0.0}};
        add_ball(world, &a, 1.0, 0.0);
        b.x += phase * SPEED * 1e-8;
        add_ball(world, &b, 1.0, 0.0);
        double dt = set_step(world, default_share());
        sherd_vec3 p = sherd_world_momentum(world);
        run_steps(world, (int64_t)(3.0 * GAP / SPEED / dt) + 50);
        double share = 1.0 / (1.0 + pow(other_radius / RADIUS, 3.0)); // m_a / (m_a + m_b)
        sherd_element_view e = sherd_world_elements(world);
        cr_assert(epsilon_eq(dbl, e.vx[0], (2.0 * share - 1.0) * SPEED, NOTHING));
        cr_assert(epsilon_eq(dbl, e.vx[1], 2.0 * share * SPEED, NOTHING));
        cr_assert(lt(dbl, momentum_error(world, p, p.x), 1e-13)); // rounding of two numbers
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 1e-6));
        sherd_world_destroy(world);
    }
}

Test(onset, two_balls_part_as_the_laws_of_impact_say)
{
    check_two_balls(RADIUS);
    check_two_balls(RADIUS * cbrt(100.0));
}

// Oblique, spinning and rough: friction takes energy and nothing gives any. The line of centres turns while they
// touch, which estimates of the second order know nothing of: 0.1 %.
Test(onset, oblique_impacts_lose_what_friction_takes)
{
    for (int phase = 0; phase < PHASES; ++phase) {
        sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
        ball a = {0.0, 0.0, 0.0, RADIUS, {SPEED, 0.5 * SPEED, 0.0}};
        ball b = {
            2.0 * RADIUS + phase * 1e-8, -0.7 * RADIUS, 0.0, RADIUS, {-SPEED, 0.0, 0.2 * SPEED}};
        add_ball(world, &a, 1.0, 0.4);
        add_ball(world, &b, 1.0, 0.4);
        double dt = set_step(world, default_share());
        double start = sherd_world_energy(world).kinetic;
        sherd_vec3 p = sherd_world_momentum(world), h = sherd_world_angular_momentum(world);
        run_steps(world, (int64_t)(RADIUS / SPEED / dt));
        sherd_energy e = sherd_world_energy(world);
        // Torques are kept in single precision.
        sherd_vec3 turned = sherd_world_angular_momentum(world);
        cr_assert(lt(dbl, 0.005 * start, e.dissipated_friction));
        cr_assert(lt(dbl, e.kinetic, start));
        cr_assert(eq(dbl, e.contact, 0.0)); // they have parted
        double lost =
            e.dissipated_friction + e.dissipated_contact; // across it, too, there is a dashpot
        cr_assert(epsilon_eq(dbl, e.kinetic + lost, start, 1e-3 * start));
        cr_assert(lt(dbl, fabs(e.balance_error), 1e-3));
        cr_assert(lt(dbl, momentum_error(world, p, sqrt(p.y * p.y + p.z * p.z)), 1e-12));
        cr_assert(epsilon_eq(dbl, turned.z, h.z, 1e-7 * fabs(h.z)));
        sherd_world_destroy(world);
    }
}

// ---------------------------------------------------------------- a ball and a free body

static void add_free_sphere(sherd_world *world, sherd_shape *sphere, sherd_vec3 at, double density)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = sphere;
    def.pose.position = at;
    def.density = density;
    def.friction = 0.0;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
}

// At its centre what answers is both masses, exactly. Off the centre the normal turns: 0.2 %.
static void check_free_body(double offset, double tolerance)
{
    sherd_error error;
    for (int phase = 0; phase < PHASES; ++phase) {
        sherd_shape *sphere = sherd_shape_sphere(3.0 * RADIUS, &error);
        sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
        ball a = {0.0, offset, 0.0, RADIUS, {SPEED, 0.0, 0.0}};
        add_ball(world, &a, 1.0, 0.0);
        double x = 4.0 * RADIUS + GAP + phase * SPEED * 1e-8;
        add_free_sphere(world, sphere, (sherd_vec3){x, 0.0, 0.0}, 300.0);
        double dt = set_step(world, default_share());
        double start = sherd_world_energy(world).kinetic;
        sherd_vec3 p = sherd_world_momentum(world);
        run_steps(world, (int64_t)((3.0 * GAP + 2.0 * offset) / SPEED / dt) + 100);
        sherd_energy e = sherd_world_energy(world);
        cr_assert(eq(dbl, e.contact, 0.0));
        cr_assert(lt(dbl, sherd_world_elements(world).vx[0], 0.7 * SPEED)); // they have met
        cr_assert(epsilon_eq(dbl, e.kinetic, start, tolerance * start));
        cr_assert(lt(dbl, fabs(e.balance_error), fmax(1e-6, 0.5 * tolerance)));
        cr_assert(lt(dbl, momentum_error(world, p, p.x), 1e-11)); // rounding of many steps
        sherd_world_destroy(world);
        sherd_shape_destroy(sphere);
    }
}

Test(onset, a_free_body_answers_with_its_own_mass)
{
    check_free_body(0.0, 1e-7); // its mesh, whose mass it has, is a sphere to that
    check_free_body(1.5 * RADIUS, 2e-3);
}

// ---------------------------------------------------------------- an edge

// A driven box presses a soft ball on the floor with its edge, until the ball jumps out sideways: the normal
// turns about the edge by degrees in a step. Off by 0.07 to 0.7 % of the work where the last force is booked along the new normal,
// and in grains that a paddle stirs by 0.9 %; less than 0.02 % is left.
static void check_edge(double restitution, double friction)
{
    sherd_error error;
    const double radius = 1.5 * RADIUS, place[] = {1.6 * RADIUS, 0.0, radius};
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    sherd_material_def m = sherd_material_def_default();
    m.density = 2000.0, m.youngs_modulus = 5e6, m.shear_modulus = 2e6;
    m.restitution = restitution, m.friction = friction;
    sherd_body_def body = sherd_body_def_default();
    body.count = 1;
    body.x = &place[0], body.y = &place[1], body.z = &place[2], body.radius = &radius;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    add_floor(world, NAN);
    sherd_obstacle_def box = sherd_obstacle_def_default();
    sherd_shape *shape = sherd_shape_box((sherd_vec3){3e-3, 3e-2, 3e-2}, &error);
    box.kind = SHERD_OBSTACLE_DRIVEN;
    box.shape = shape;
    box.pose.position.z = 18e-3;
    box.motion.velocity.z = -0.15;
    cr_assert(sherd_world_add_obstacle(world, &box, &error).index1 != 0, "%s", error.what);
    cr_assert(eq(int, sherd_world_advance(world, 0.02, &error), SHERD_OK), "%s", error.what);
    sherd_energy e = sherd_world_energy(world);
    cr_assert(lt(dbl, 5e-3, e.work), "it was not pressed");
    cr_assert(lt(dbl, e.contact, 0.1 * e.work), "it did not jump");
    cr_expect(lt(dbl, fabs(e.balance_error), 2e-4), "%g", e.balance_error);
    sherd_world_destroy(world);
    sherd_shape_destroy(shape);
}

Test(onset, a_ball_jumps_off_an_edge)
{
    check_edge(0.3, 0.5);
    check_edge(0.8, 0.5);
    check_edge(1.0, 0.4);
}

// ---------------------------------------------------------------- a block

// What is bonded moves otherwise than each element would alone: estimates err, and what they err by is booked.
// Many contacts begin and end at once, bonds break, nothing damps: all accounts close to 0.5 %.
Test(onset, a_block_that_breaks_on_a_floor_balances)
{
    const double restitution[] = {1.0, 0.6, 0.3};
    for (int k = 0; k < 9; ++k) {
        sherd_world *world = world_with((sherd_vec3){0, 0, -9.81}, 2);
        block b = block_default();
        b.size = (sherd_vec3){0.012, 0.012, 0.012};
        b.material.youngs_modulus = 1e8;
        b.material.shear_modulus = 4e7;
        b.material.tensile_strength = 2e6;
        b.material.shear_strength = 2e6;
        b.material.restitution = restitution[k % 3];
        b.pose.rotation = (sherd_quat){sin(0.1 + 0.07 * k), 0.0, 0.0, cos(0.1 + 0.07 * k)};
        b.pose.position.z = 0.012;
        b.velocity.z = -12.0;
        add_block(world, &b, NULL);
        add_floor(world, NAN);
        for (int s = 0; s < 15; ++s) {
            run_steps(world, 60);
            sherd_energy e = sherd_world_energy(world);
            cr_expect(lt(dbl, fabs(e.balance_error), 5e-3), "restitution %g", restitution[k % 3]);
        }
        cr_expect(lt(i64, 20, sherd_world_bonds(world).broken_count));
        sherd_world_destroy(world);
    }
}
