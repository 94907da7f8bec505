// Bodies that break: three-point bending by all methods, and the spin of what has broken.
#include "physics/methods.h"

static const stepping CHOSEN = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO},
                      SWITCHING = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

// ---------------------------------------------------------------- three-point bending

#define FRAME 5e-3

typedef struct curve {
    double force[60];
    int frames;  // until it broke
    double work; // of the punch until the last frame before that [J]
    int64_t steps;
} curve;

static sherd_obstacle_id add_roller(sherd_world *world, const sherd_shape *shape, double x,
                                    double y, double speed)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.shape = shape;
    def.pose.position = (sherd_vec3){x, y, 0.0};
    def.kind = speed != 0.0 ? SHERD_OBSTACLE_DRIVEN : SHERD_OBSTACLE_FIXED;
    def.motion.velocity.y = speed;
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    return id;
}

// scenes/bending-2d.yaml with elements half as large again: some 300 of them.
static curve bend(stepping by)
{
    curve out = {0};
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block b = block_default();
    b.packing = SHERD_PACKING_HEX_LAYERS, b.layers = 1;
    b.radius = 1.5e-3, b.size = (sherd_vec3){0.108, 0.0211, 0.003};
    b.material.density = 2700.0;
    b.material.youngs_modulus = 1e7, b.material.shear_modulus = 4e6;
    b.material.tensile_strength = 1.25e6, b.material.shear_strength = 1.25e7;
    b.material.bond_damping = 0.1;
    b.material.friction = 0.5;
    add_block(world, &b, NULL);
    double top = -INFINITY;
    sherd_element_view e = sherd_world_elements(world);
    for (int k = 0; k < e.count; ++k)
        top = fmax(top, e.y[k] + b.radius);
    sherd_error error;
    sherd_shape *roller = sherd_shape_cylinder(0.01, 0.012, &error);
    add_roller(world, roller, -0.042, -top - 0.01, 0.0);
    add_roller(world, roller, 0.042, -top - 0.01, 0.0);
    sherd_obstacle_id punch = add_roller(world, roller, 0.0, top + 0.01, -0.035);
    set_frame(world, by, FRAME);
    while (out.frames < 60 && sherd_world_bonds(world).broken_count == 0) {
        advance(world, (out.frames + 1) * FRAME);
        out.force[out.frames++] = sherd_world_probe_obstacle(world, punch).force.y;
        sherd_world_reset_probes(world);
        if (sherd_world_bonds(world).broken_count == 0) out.work = sherd_world_energy(world).work;
    }
    out.steps = sherd_world_step_count(world);
    sherd_world_destroy(world);
    sherd_shape_destroy(roller);
    return out;
}

// Forces within 2 % of the largest, means over frames; fracture at the same frame or the next.
static void compare(const curve *a, const curve *b)
{
    double top = 0.0;
    for (int k = 0; k < a->frames; ++k)
        top = fmax(top, a->force[k]);
    int common = (a->frames < b->frames ? a->frames : b->frames) - 1;
    for (int k = 0; k < common; ++k)
        cr_expect(epsilon_eq(dbl, b->force[k], a->force[k], 0.02 * top), "frame %d", k);
    cr_expect(abs(a->frames - b->frames) <= 1, "broke in frames %d and %d", a->frames, b->frames);
    if (a->frames == b->frames) cr_expect(epsilon_eq(dbl, b->work, a->work, 0.02 * a->work));
}

Test(implicit_fracture, three_point_bending_as_by_explicit_steps)
{
    curve a = bend(EXPLICIT), b = bend(CHOSEN), c = bend(SWITCHING);
    cr_assert(a.frames > 10 && a.frames < 60); // it bent for long, and broke
    compare(&a, &b);
    compare(&a, &c);
    cr_expect(lt(i64, 4 * b.steps, a.steps));
}

// ---------------------------------------------------------------- spin

static double size_of(sherd_vec3 a)
{
    return distance(a, (sherd_vec3){0, 0, 0});
}

static block spinner(void)
{
    block b = block_default();
    b.size = (sherd_vec3){0.2, 0.04, 0.04};
    b.radius = 0.01;
    b.material.density = 1000.0;
    b.material.youngs_modulus = 1e6, b.material.shear_modulus = 4e5;
    b.material.bond_damping = 0.0;
    b.velocity = (sherd_vec3){0.5, -1.0, 2.0};
    b.angular_velocity = (sherd_vec3){4.0, -3.0, 60.0};
    return b;
}

// Spun so fast that it tears in the middle: rho w^2 (l/2)^2 / 2 = 18 kPa where strength is some 10. Nothing
// acts from outside.
static void check_torn(stepping by, bool tears, double open)
{
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block b = spinner();
    b.material.tensile_strength = b.material.shear_strength = 1e4;
    add_block(world, &b, NULL);
    sherd_vec3 p = sherd_world_momentum(world), l = sherd_world_angular_momentum(world);
    advance(world, 0.05);
    cr_assert(eq(int, sherd_world_bonds(world).broken_count > 0, tears), "%g T", by.limits);
    // Rounding; and for angular momentum what friction of fragments that touch is stopped at, by default: 1e-6
    // of it would be seen as a loss.
    cr_expect(lt(dbl, distance(sherd_world_momentum(world), p), 1e-9 * size_of(p)), "%g T",
              by.limits);
    cr_expect(lt(dbl, distance(sherd_world_angular_momentum(world), l), open * size_of(l)), "%g T",
              by.limits);
    sherd_world_destroy(world);
}

Test(implicit_fracture, what_tears_by_its_spin_keeps_it)
{
    const double rounding = 1e-7;
    const stepping bdf2 = {SHERD_METHOD_IMPLICIT, 17.0, SHERD_SCHEME_BDF2},
                   longer = {SHERD_METHOD_IMPLICIT, 86.0, SHERD_SCHEME_BDF2};
    check_torn(euler(17.0), true, rounding); // 0.3 rad a step
    // Fragments push each other apart: two-step formulas have r x P of each right to second order only. It is
    // 2e-6 here, and errors of first order would be 1e-3.
    check_torn(bdf2, true, 1e-5);
    // 1.5 rad a step: what pulls outwards is lost in single steps, nothing tears.
    check_torn(euler(86.0), false, rounding);
    check_torn(longer, true, rounding);
    check_torn(CHOSEN, true, rounding);
    check_torn(SWITCHING, true, rounding);
}

// Spin of the elements [first, end) about their own centre.
static sherd_vec3 spin_of(const sherd_world *world, int first, int end)
{
    sherd_element_view e = sherd_world_elements(world);
    double c[3] = {0}, v[3] = {0}, mass = 0.0;
    for (int k = first; k < end; ++k) {
        double m = sherd_world_element(world, k).mass;
        c[0] += m * e.x[k], c[1] += m * e.y[k], c[2] += m * e.z[k], mass += m;
        v[0] += m * e.vx[k], v[1] += m * e.vy[k], v[2] += m * e.vz[k];
    }
    sherd_vec3 l = {0};
    for (int k = first; k < end; ++k) {
        sherd_element_info g = sherd_world_element(world, k);
        double x = e.x[k] - c[0] / mass, y = e.y[k] - c[1] / mass, z = e.z[k] - c[2] / mass,
               vx = e.vx[k] - v[0] / mass, vy = e.vy[k] - v[1] / mass, vz = e.vz[k] - v[2] / mass,
               i = 0.4 * g.mass * g.radius * g.radius;
        l.x += g.mass * (y * vz - z * vy) + i * e.wx[k];
        l.y += g.mass * (z * vx - x * vz) + i * e.wy[k];
        l.z += g.mass * (x * vy - y * vx) + i * e.wz[k];
    }
    return l;
}

// Two blocks that are one body but not bonded fly apart: each keeps its own spin.
static void check_pair(stepping by)
{
    enum { SIDE = 3, EACH = SIDE * SIDE * SIDE, N = 2 * EACH };
    double x[N], y[N], z[N], radius[N];
    sherd_error error;
    for (int k = 0; k < N; ++k) {
        int m = k % EACH;
        x[k] = 0.02 * (m % SIDE) + (k < EACH ? -0.1 : 0.1), radius[k] = 0.01;
        y[k] = 0.02 * (m / SIDE % SIDE), z[k] = 0.02 * (m / SIDE / SIDE);
    }
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block b = spinner();
    sherd_body_def body = sherd_body_def_default();
    body.count = N;
    body.x = x, body.y = y, body.z = z, body.radius = radius;
    body.velocity = b.velocity;
    body.angular_velocity = (sherd_vec3){5.0, 20.0, 50.0};
    body.material = sherd_world_add_material(world, &b.material, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_vec3 first = spin_of(world, 0, EACH), second = spin_of(world, EACH, N);
    advance(world, 0.1); // 5 rad
    // Torques of bonds cancel as far as their single-precision rest directions are of length 1: 1e-8.
    cr_expect(lt(dbl, distance(spin_of(world, 0, EACH), first), 1e-8 * size_of(first)), "%g T",
              by.limits);
    cr_expect(lt(dbl, distance(spin_of(world, EACH, N), second), 1e-8 * size_of(second)), "%g T",
              by.limits);
    sherd_world_destroy(world);
}

Test(implicit_fracture, fragments_keep_their_own_spin)
{
    check_pair(euler(100.0));
    check_pair((stepping){SHERD_METHOD_IMPLICIT, 100.0, SHERD_SCHEME_BDF2});
    check_pair(CHOSEN);
    check_pair(SWITCHING);
}
