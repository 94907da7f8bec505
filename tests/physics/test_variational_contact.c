// Contacts in mid-point and left-point steps, [VBDEM] (22) and (24): forces where these schemes find them, what a
// collision keeps, and the order of its errors. Elements are alone, so that collisions have closed forms.
#include "physics/methods.h"

static const double RADIUS = 0.005, DENSITY = 1000.0; // [m], [kg/m^3]

static double mass_of_ball(void)
{
    return DENSITY * 4.0 / 3.0 * M_PI * RADIUS * RADIUS * RADIUS;
}

static sherd_world_def def_with(sherd_scheme scheme, double dt)
{
    stepping by = {SHERD_METHOD_IMPLICIT, 0.0, scheme};
    if (scheme == SHERD_SCHEME_AUTO) by.method = SHERD_METHOD_EXPLICIT;
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, 0.0});
    def.time_step = dt;
    def.accuracy = 1e-6; // of the minimisations
    def.precision = SHERD_PRECISION_DOUBLE;
    return def;
}

static sherd_material_id add_material(sherd_world *world, double friction, double restitution)
{
    sherd_error error;
    sherd_material_def m = sherd_material_def_default();
    m.density = DENSITY;
    m.youngs_modulus = 1e6, m.shear_modulus = 4e5;
    m.friction = friction, m.restitution = restitution;
    return sherd_world_add_material(world, &m, &error);
}

static void add_ball(sherd_world *world, sherd_material_id material, sherd_vec3 at, sherd_vec3 v)
{
    sherd_error error;
    sherd_body_def body = sherd_body_def_default();
    body.count = 1;
    body.x = &at.x, body.y = &at.y, body.z = &at.z, body.radius = &RADIUS;
    body.material = material;
    body.velocity = v;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
}

// ---------------------------------------------------------------- two bodies

// k of equal elements, and the time that a collision of two lasts.       [BDEM21] (22)
static double stiffness(void)
{
    return 0.5 * 1e6 * M_PI * RADIUS;
}

static double collision(void)
{
    return M_PI / sqrt(2.0 * stiffness() / mass_of_ball());
}

typedef struct outcome {
    double left, right;      // velocities after the collision [m/s]
    double at;               // place of the right one [m]
    double momentum, energy; // energy: kinetic and stored, over that at the start
} outcome;

// One at rest, one that comes at 1 m/s from a gap: until twice the time of a collision after they met.
static outcome collide(sherd_scheme scheme, double dt, double gap)
{
    sherd_world_def def = def_with(scheme, dt);
    sherd_world *world = create(&def);
    sherd_material_id material = add_material(world, 0.0, 1.0);
    add_ball(world, material, (sherd_vec3){-RADIUS - gap, 0.0, 0.0}, (sherd_vec3){1.0, 0.0, 0.0});
    add_ball(world, material, (sherd_vec3){RADIUS, 0.0, 0.0}, (sherd_vec3){0.0, 0.0, 0.0});
    advance(world, dt * round(3.0 * collision() / dt));
    sherd_element_view e = sherd_world_elements(world);
    sherd_energy energy = sherd_world_energy(world);
    outcome o = {e.vx[0], e.vx[1], e.x[1], sherd_world_momentum(world).x,
                 (energy.kinetic + energy.contact) / (0.5 * mass_of_ball())};
    sherd_world_destroy(world);
    return o;
}

// At the end equal bodies have exchanged their velocities: the struck one has moved uniformly since the middle of the
// collision.
static double place_after(double dt, double gap)
{
    return RADIUS + dt * round(3.0 * collision() / dt) - gap - 0.5 * collision();
}

typedef struct worst {
    double velocity, place, energy;
} worst;

// Over phases of a step at which surfaces meet.
static worst worst_of(sherd_scheme scheme, int steps_a_collision)
{
    enum { PHASES = 8 };
    worst all = {0.0, 0.0, 0.0};
    double dt = collision() / steps_a_collision;
    for (int k = 0; k < PHASES; ++k) {
        double gap = (3.0 + (k + 0.5) / PHASES) * dt;
        outcome o = collide(scheme, dt, gap);
        cr_assert(lt(dbl, fabs(o.momentum / mass_of_ball() - 1.0), 1e-9), "momentum");
        all.velocity = fmax(all.velocity, fabs(o.right - 1.0) + fabs(o.left));
        all.energy = fmax(all.energy, fabs(o.energy - 1.0));
        all.place = fmax(all.place, fabs(o.at - place_after(dt, gap)));
    }
    return all;
}

// The spring begins within a step: an error of v dt in overlap for one step, k v dt^2 / m in velocity, of which those at
// both ends of the collision nearly cancel. Otherwise the mid-point rule keeps quadratic energies, and left-point's
// steps are those of velocity Verlet, half a step apart. Of second order 16 is expected as steps are quartered, with
// 12 left for phases that differ; 21 is seen of places, 66 of energies, 1.4e-5 and 7e-6 of which remain.
Test(variational_contact, a_collision_keeps_momentum_and_energy_to_the_order_of_the_scheme)
{
    const sherd_scheme schemes[] = {SHERD_SCHEME_MIDPOINT, SHERD_SCHEME_LEFT_POINT};
    for (int s = 0; s < 2; ++s) {
        worst coarse = worst_of(schemes[s], 16), fine = worst_of(schemes[s], 64);
        cr_assert(lt(dbl, 12.0 * fine.energy, coarse.energy), "%g, %g", coarse.energy, fine.energy);
        cr_assert(lt(dbl, 12.0 * fine.place, coarse.place), "%g, %g", coarse.place, fine.place);
        cr_assert(lt(dbl, fine.energy, 5e-5), "%g", fine.energy);
    }
}

// ---------------------------------------------------------------- friction and restitution

typedef struct glance {
    sherd_vec3 v[2], w[2];
} glance;

static glance glance_by(sherd_scheme scheme, double dt, double restitution)
{
    sherd_world_def def = def_with(scheme, dt);
    sherd_world *world = create(&def);
    sherd_material_id material = add_material(world, 0.05, restitution);
    add_ball(world, material, (sherd_vec3){-1.5 * RADIUS, -RADIUS, 0.0},
             (sherd_vec3){1.0, 0.0, 0.0});
    add_ball(world, material, (sherd_vec3){0.5 * RADIUS, 0.0, 0.0}, (sherd_vec3){0.0, 0.0, 0.0});
    advance(world, dt * round(6.0 * collision() / dt));
    sherd_element_view e = sherd_world_elements(world);
    glance g;
    for (int k = 0; k < 2; ++k) {
        g.v[k] = (sherd_vec3){e.vx[k], e.vy[k], e.vz[k]};
        g.w[k] = (sherd_vec3){RADIUS * e.wx[k], RADIUS * e.wy[k], RADIUS * e.wz[k]};
    }
    sherd_world_destroy(world);
    return g;
}

static double apart(const glance *a, const glance *b)
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        double d[6] = {a->v[k].x - b->v[k].x, a->v[k].y - b->v[k].y, a->v[k].z - b->v[k].z,
                       a->w[k].x - b->w[k].x, a->w[k].y - b->w[k].y, a->w[k].z - b->w[k].z};
        for (int c = 0; c < 6; ++c)
            sum += d[c] * d[c];
    }
    return sqrt(sum);
}

// An oblique collision that slides tends to that of explicit steps of a thousandth: of 1 m/s, 1 % is left at 64
// steps in a collision, and at most half of what is left at 16. (Where it sticks, explicit friction has a dashpot that
// no implicit step has.) Left-point contacts have no dashpots, as [VBDEM] has none.
Test(variational_contact, short_steps_agree_with_explicit_ones)
{
    const struct {
        sherd_scheme scheme;
        double restitution;
    } cases[] = {
        {SHERD_SCHEME_MIDPOINT, 1.0}, {SHERD_SCHEME_MIDPOINT, 0.5}, {SHERD_SCHEME_LEFT_POINT, 1.0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        double restitution = cases[c].restitution;
        glance exact = glance_by(SHERD_SCHEME_AUTO, collision() / 1000.0, restitution);
        glance coarse = glance_by(cases[c].scheme, collision() / 16.0, restitution);
        glance fine = glance_by(cases[c].scheme, collision() / 64.0, restitution);
        double off = apart(&coarse, &exact), less = apart(&fine, &exact);
        cr_assert(lt(dbl, less, 0.01), "case %zu: %g at 16, %g at 64", c, off, less);
        cr_assert(lt(dbl, 2.0 * less, off), "case %zu: %g at 16, %g at 64", c, off, less);
    }
}

// ---------------------------------------------------------------- obstacles

// Of an element on a face, which is as stiff as its mirror image: twice k, its own mass.
static double half_period(void)
{
    return M_PI / sqrt(2.0 * stiffness() / mass_of_ball());
}

// A plate that moves at 1 m/s strikes an element at rest: it leaves at 2 m/s, with 2 m v^2 from the plate's drive and
// a mean force on the plate that has its momentum. The errors are those of the onset, as above.
Test(variational_contact, a_driven_plate_gives_what_it_should)
{
    const sherd_scheme schemes[] = {SHERD_SCHEME_MIDPOINT, SHERD_SCHEME_LEFT_POINT};
    for (int s = 0; s < 2; ++s) {
        sherd_error error;
        double dt = collision() / 64.0, until = dt * 256.0, m = mass_of_ball();
        sherd_world_def def = def_with(schemes[s], dt);
        sherd_world *world = create(&def);
        sherd_material_id material = add_material(world, 0.0, 1.0);
        add_ball(world, material, (sherd_vec3){0.0, 0.0, RADIUS + 5.3 * dt},
                 (sherd_vec3){0.0, 0.0, 0.0});
        sherd_obstacle_def plate = sherd_obstacle_def_default();
        plate.is_plane = true;
        plate.kind = SHERD_OBSTACLE_DRIVEN;
        plate.motion.velocity.z = 1.0;
        sherd_obstacle_id id = sherd_world_add_obstacle(world, &plate, &error);
        advance(world, until);
        sherd_element_view e = sherd_world_elements(world);
        sherd_energy energy = sherd_world_energy(world);
        cr_assert(lt(dbl, fabs(energy.balance_error), 1e-9), "accounts");
        double force = sherd_world_probe_obstacle(world, id).force.z;
        cr_assert(lt(dbl, fabs(e.vz[0] - 2.0), 0.01), "%g", e.vz[0]);
        // from rest to 2 m/s in the middle of the collision
        double place = RADIUS + 5.3 * dt + 2.0 * (until - 5.3 * dt - 0.5 * half_period());
        cr_assert(lt(dbl, fabs(e.z[0] - place), 2e-3 * collision()), "%g", e.z[0] - place);
        double plate_at = sherd_world_obstacle_pose(world, 0).position.z;
        cr_assert(epsilon_eq(dbl, plate_at, until, 1e-12));
        cr_assert(lt(dbl, fabs(energy.work / (2.0 * m) - 1.0), 0.01), "%g",
                  energy.work / (2.0 * m));
        cr_assert(lt(dbl, fabs(force * until / (-m * e.vz[0]) - 1.0), 1e-6), "%g",
                  force * until / m);
        sherd_world_destroy(world);
    }
}

// ---------------------------------------------------------------- what they are refused with

static void expect_refusal(sherd_world_def def, const char *what)
{
    sherd_error error;
    sherd_world *world = create(&def);
    add_ball(world, add_material(world, 0.3, 0.5), (sherd_vec3){0}, (sherd_vec3){0});
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.01, 0.01, 0.01}, &error);
    sherd_obstacle_def brick = sherd_obstacle_def_default();
    brick.kind = SHERD_OBSTACLE_FREE;
    brick.name = "brick";
    brick.shape = box;
    brick.density = 1000.0;
    brick.pose.position.z = 1.0;
    if (def.contact_barrier == 0.0) sherd_world_add_obstacle(world, &brick, &error);
    cr_assert(eq(int, sherd_world_advance(world, 1e-3, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "scheme"));
    cr_assert(eq(str, error.what, (char *)what));
    sherd_shape_destroy(box);
    sherd_world_destroy(world);
}

Test(variational_contact, refuses_free_bodies_and_walls)
{
    sherd_world_def def = def_with(SHERD_SCHEME_MIDPOINT, 1e-4);
    expect_refusal(def,
                   "mid-point and left-point steps have no free rigid bodies, as 'brick' is one");
    def.scheme = SHERD_SCHEME_LEFT_POINT;
    def.contact_barrier = 0.1;
    expect_refusal(def, "mid-point and left-point steps pass through barriers of contacts");
}
