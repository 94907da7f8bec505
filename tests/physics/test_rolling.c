// Rolling friction of elements: balls on slopes and floors against closed forms.
#include "physics/methods.h"

static const double G = 9.81, RADIUS = 0.01, SPEED = 0.2;

typedef struct roller {
    double friction, rolling, slope; // the angle [rad]
    double speed;                    // down the slope, without slip
    double part;                     // explicit: of the default step; 0: all of it
} roller;

// A ball on a floor that gravity makes a slope. It sinks in by its weight over the stiffness of the contact, so that
// nothing bounces.
static sherd_world *roll(const roller *r, stepping by, double modulus)
{
    sherd_world_def def = def_of(by, (sherd_vec3){G * sin(r->slope), 0.0, -G * cos(r->slope)});
    sherd_world *world = create(&def);
    sherd_error error;
    sherd_material_def m = sherd_material_def_default();
    m.friction = r->friction, m.rolling_friction = r->rolling;
    m.youngs_modulus = modulus, m.shear_modulus = 0.4 * modulus;
    double mass = m.density * 4.0 / 3.0 * M_PI * RADIUS * RADIUS * RADIUS;
    double x = 0.0, radius = RADIUS;
    double z = RADIUS;
    sherd_body_def body = sherd_body_def_default();
    body.count = 1;
    body.x = body.y = &x, body.z = &z, body.radius = &radius;
    // About the origin, where the ball touches the floor.
    body.angular_velocity.y = r->speed / RADIUS;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    add_floor(world, NAN);
    if (by.method == SHERD_METHOD_EXPLICIT && r->part > 0.0) {
        double dt = r->part * default_step(world);
        cr_assert(sherd_world_set_time_step(world, dt, &error) == SHERD_OK, "%s", error.what);
    }
    (void)mass;
    return world;
}

static double way_of(const roller *r, stepping by, double modulus, double time)
{
    sherd_world *world = roll(r, by, modulus);
    advance(world, time);
    sherd_energy e = sherd_world_energy(world);
    double x = sherd_world_elements(world).x[0];
    fprintf(stderr, "   balance %g slid %g\n", e.balance_error, e.dissipated_friction);
    sherd_world_destroy(world);
    return x;
}

static const stepping ALL[] = {{SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO},
                               {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO},
                               {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}};

Test(rolling, probe)
{
    roller f2 = {.friction = 0.6, .rolling = 0.0, .slope = atan(0.18)};
    way_of(&f2, ALL[0], 1e7, 0.5);
    for (int k = 0; k < 3; ++k) {
        roller rest = {.friction = 0.6, .rolling = 0.2, .slope = atan(0.18)};
        double free_way = 0.5 * G * sin(rest.slope) / 1.4 * 0.25;
        double x = way_of(&rest, ALL[k], 1e7, 0.5);
        fprintf(stderr, "method %d rests: %g of %g\n", k, x, free_way);
        rest.slope = atan(0.3);
        double a = G * (sin(rest.slope) - 0.2 * cos(rest.slope)) / 1.4;
        x = way_of(&rest, ALL[k], 1e7, 0.5);
        fprintf(stderr, "method %d rolls: %g of %g\n", k, x, 0.125 * a);
        roller flat = {.friction = 0.6, .rolling = 0.1, .speed = SPEED};
        double way = 1.4 * SPEED * SPEED / (2.0 * 0.1 * G);
        for (int p = 0; p < 1; ++p) {
            flat.part = p == 0 ? 0.0 : p == 1 ? 0.5 : 0.1;
            x = way_of(&flat, ALL[k], 1e7, 0.6);
            fprintf(stderr, "method %d stops: %.9g of %g\n", k, x, way);
        }
    }
}
