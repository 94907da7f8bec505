// A rigid ball pressed slowly on a block whose elements break by their largest principal stress: radius of contact, and
// where and at which pressure it breaks, against Hertz's contact and Huber's field below it.
#include "physics/methods.h"

static const double RADIUS = 1e-3, BALL = 0.04, TOP = 0.012; // [m]
static const double MODULUS = 1e9, RATIO = 0.4;              // of bonds: E [Pa], G/E
static const double STRENGTH = 13e6, SPEED = 0.1;            // [Pa], [m/s]

// The solid that such bonds make, twelve to an element in the directions of an isotropic solid:
// C11 = 12 pi/(4 sqrt2) 2 (1/5 + 2/15 G/E) E, C12 = 12 pi/(4 sqrt2) 2 (1 - G/E)/15 E.
static double poissons_ratio(void)
{
    return (1.0 - RATIO) / (4.0 + RATIO);
}

static double youngs_modulus(void)
{
    double density = 12.0 * M_PI / (4.0 * sqrt(2.0)), nu = poissons_ratio();
    double c11 = density * (0.2 + 2.0 / 15.0 * RATIO) * MODULUS;
    return c11 * (1.0 - 2.0 * nu * nu / (1.0 - nu));
}

// Hertz: a^3 = 3 F R (1 - nu^2) / (4 E).
static double contact_radius(double force)
{
    double nu = poissons_ratio();
    return cbrt(0.75 * force * BALL * (1.0 - nu * nu) / youngs_modulus());
}

// ---------------------------------------------------------------- Huber's field

// The largest principal stress over the mean pressure, at distance r from the axis and depth z, both over the contact's
// radius: Huber 1904, as in Fischer-Cripps, Introduction to Contact Mechanics (2007), 5.4. On the surface it is
// (1 - 2 nu)/2 at r = 1 and falls as 1/r^2.
static double huber_at(double r, double z)
{
    double nu = poissons_ratio(), q = r * r + z * z - 1.0;
    double u = 0.5 * (q + sqrt(q * q + 4.0 * z * z)), root = sqrt(u), k = z / root;
    double arc = root * atan2(1.0, root);
    double surface = (1.0 - 2.0 * nu) / 3.0 * (1.0 - k * k * k) / (r * r);
    double along = k * k * k * u / (u * u + z * z);
    double radial =
        1.5 * (surface + along + k * (u * (1.0 - nu) / (1.0 + u) + (1.0 + nu) * arc - 2.0));
    double normal = -1.5 * along;
    double shear = -1.5 * r * z * z / (u * u + z * z) * root / (1.0 + u);
    double hoop = -1.5 * (surface + k * (2.0 * nu + u * (1.0 - nu) / (1.0 + u) - (1.0 + nu) * arc));
    return fmax(0.5 * (radial + normal) + hypot(0.5 * (radial - normal), shear), hoop);
}

static double huber_largest(double z)
{
    double most = 0.0;
    for (double r = 0.9; r < 3.0; r += 0.01)
        most = fmax(most, huber_at(r, z));
    return most;
}

Test(hertz, the_formula_is_hertz_on_the_surface)
{
    double edge = 0.5 * (1.0 - 2.0 * poissons_ratio());
    // It falls by the root of the depth below the edge.
    cr_assert(epsilon_eq(dbl, huber_at(1.0, 1e-8), edge, 1e-3 * edge));
    cr_assert(epsilon_eq(dbl, huber_at(2.0, 1e-8), 0.25 * edge, 1e-6 * edge));
}

// ---------------------------------------------------------------- the block

typedef struct indenter {
    sherd_world *world;
    sherd_obstacle_id ball;
    sherd_shape *shape;
} indenter;

static indenter press(void)
{
    sherd_error error;
    stepping by = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO};
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, 0});
    def.paper_fracture = true; // what is over its strength breaks, no cascade of what follows
    indenter i = {.world = create(&def), .shape = sherd_shape_sphere(BALL, &error)};
    block b = block_default();
    b.size = (sherd_vec3){0.044, 0.044, 2.0 * TOP};
    b.radius = RADIUS;
    b.material.density = 2500.0;
    b.material.youngs_modulus = MODULUS, b.material.shear_modulus = RATIO * MODULUS;
    b.material.breakage = SHERD_BREAKAGE_PRINCIPAL;
    b.material.tensile_strength = STRENGTH;
    add_block(i.world, &b, NULL);
    drive(i.world, (sherd_vec3){0, 0, -TOP}, (sherd_vec3){1, 1, 4.0 * RADIUS}, held());
    sherd_obstacle_def ball = sherd_obstacle_def_default();
    ball.kind = SHERD_OBSTACLE_DRIVEN;
    ball.shape = i.shape;
    ball.pose.position.z = TOP + BALL;
    ball.motion.velocity.z = -SPEED;
    ball.friction = 0.0;
    i.ball = sherd_world_add_obstacle(i.world, &ball, &error);
    cr_assert(i.ball.index1 != 0, "%s", error.what);
    return i;
}

// From the axis to the farthest element that the ball presses on.
static double touching_radius(const sherd_world *world, double time)
{
    sherd_element_view e = sherd_world_elements(world);
    double far = 0.0, centre = TOP + BALL - SPEED * time;
    for (int k = 0; k < e.count; ++k) {
        double r = hypot(e.x[k], e.y[k]), gap = hypot(r, e.z[k] - centre) - BALL;
        if (gap < sherd_world_element(world, k).radius) far = fmax(far, r);
    }
    return far;
}

// Advances until something breaks; returns the force then [N]. Large steps first, then such that the contact's radius,
// the root of time, grows by 2 % in one. Before anything breaks it is Hertz's to within a row of elements.
static double until_first_break(indenter *i)
{
    const double large = 3e-3, small = 0.5e-3;
    double time = 0.0;
    for (int f = 1; f <= 24; ++f) {
        time += f <= 4 ? large : small;
        sherd_world_reset_probes(i->world);
        advance(i->world, time);
        double force = fabs(sherd_world_probe_obstacle(i->world, i->ball).force.z);
        if (sherd_world_break_count(i->world) > 0) return force;
        double touching = touching_radius(i->world, time), a = contact_radius(force);
        // A probe reads the mean over the step: that of a large one is behind.
        if (f > 4) cr_assert(lt(dbl, fabs(touching - a), RADIUS), "%g of %g m", touching, a);
    }
    cr_assert(false, "nothing broke");
    return 0.0;
}

// Hertz's field is tensile in a skin only: a tenth of the contact's radius deep, at the centres of the first layer here,
// a quarter of what it is on the surface. A layer of elements has no finer depth than half a radius to a radius. So it
// breaks at a pressure between those at which the field has the strength there, 2.5 to 5 times 2 sigma_c/(1 - 2 nu),
// and where the field is largest there: at 1.2 to 1.5 a, in a ring outside the contact.
Test(hertz, breaks_beside_the_contact)
{
    indenter i = press();
    double force = until_first_break(&i), a = contact_radius(force);
    double pressure = force / (M_PI * a * a);
    sherd_break first[256];
    int64_t count = sherd_world_break_count(i.world);
    cr_assert(lt(i64, count, 256));
    sherd_world_breaks(i.world, first);
    cr_assert(lt(dbl, STRENGTH / huber_largest(0.5 * RADIUS / a), pressure));
    cr_assert(lt(dbl, pressure, STRENGTH / huber_largest(RADIUS / a)));
    for (int k = 0; k < count; ++k) {
        double r = hypot(first[k].place.x, first[k].place.y);
        cr_assert(lt(dbl, a, r));
        cr_assert(lt(dbl, r, 1.5 * a + RADIUS));
        cr_assert(lt(dbl, TOP - 4.0 * RADIUS, first[k].place.z));
    }
    sherd_world_destroy(i.world);
    sherd_shape_destroy(i.shape);
}
