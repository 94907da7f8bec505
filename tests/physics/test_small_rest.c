// Small bodies that rest, stand on each other or slide to rest, by the default method at rates of films: no run ends
// early, nothing creeps, nothing is thrown. Steps are up to 1e5 stability limits long there, so that the inertia of a
// body that slides is a share of 1e-9 and less of what its bonds and contacts resist with.
#include "physics/methods.h"

#define GRAVITY 9.81

static const stepping CHOSEN = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

typedef struct solid {
    double youngs_modulus, density, strength, friction;
} solid;

// About: concrete, glass, brick, ice, a generic solid, wood.
static const solid SOLIDS[] = {{33e9, 2400, 2.9e6, 0.6}, {70e9, 2500, 45e6, 0.4},
                               {10e9, 1800, 2e6, 0.6},   {9.3e9, 917, 1.4e6, 0.05},
                               {1e9, 2600, 10e6, 0.4},   {5e8, 450, 3e6, 0.4}};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof SOLIDS[0] };

static block box_of(const solid *s, double side, double height)
{
    block b = block_default();
    b.size = (sherd_vec3){side, side, height};
    b.material.youngs_modulus = s->youngs_modulus;
    b.material.shear_modulus = 0.4 * s->youngs_modulus;
    b.material.density = s->density;
    b.material.tensile_strength = s->strength;
    b.material.shear_strength = 1.5 * s->strength;
    b.material.friction = s->friction;
    b.pose.position.z = 0.5 * height;
    return b;
}

static sherd_world *world_of(int threads)
{
    sherd_world_def def = def_of(CHOSEN, (sherd_vec3){0, 0, -GRAVITY});
    def.threads = threads;
    def.sleep = true;
    return create(&def);
}

static sherd_vec3 mean_position(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    sherd_vec3 sum = {0};
    for (int k = 0; k < e.count; ++k)
        sum.x += e.x[k] / e.count, sum.y += e.y[k] / e.count, sum.z += e.z[k] / e.count;
    return sum;
}

// Below the lowest element, which lies within its block's face.
static double gap_below(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double lowest = INFINITY;
    for (int k = 0; k < e.count; ++k)
        lowest = fmin(lowest, e.z[k] - sherd_world_element(world, k).radius);
    return fmax(lowest, 0.0);
}

static double fastest(const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double most = 0.0;
    for (int k = 0; k < e.count; ++k)
        most = fmax(most, hypot(hypot(e.vx[k], e.vy[k]), e.vz[k]));
    return most;
}

static void run(sherd_world *world, double rate, int frames)
{
    for (int f = 1; f <= frames; ++f)
        advance(world, f / rate);
}

// In what a block settles by at most, radii of 1 mm: its springs' own sag is a thousandth of that.
static const double SETTLED = 2e-6; // [m]

static void check_rest(const solid *s, int stacked, double rate, int frames)
{
    sherd_world *world = world_of(1);
    block low = box_of(s, 0.012, 0.006), high = box_of(s, 0.007, 0.007);
    high.pose.position.z += 0.006;
    add_block(world, &low, NULL);
    if (stacked) add_block(world, &high, NULL);
    add_floor(world, NAN);
    sherd_vec3 start = mean_position(world);
    start.z -= gap_below(world);
    run(world, rate, frames);
    sherd_vec3 end = mean_position(world);
    double creep = hypot(end.x - start.x, end.y - start.y);
    // A block that stands a gap above another falls by it.
    double most = stacked ? 0.5e-3 : SETTLED;
    // Landing from a tenth of a radius on elements that are not below its centre pushes it aside: 2e-5 m measured.
    double aside = stacked ? most : 5e-5;
    cr_assert(le(dbl, fabs(end.z - start.z), most), "E %g, %g Hz: %g m", s->youngs_modulus, rate,
              end.z - start.z);
    cr_assert(le(dbl, creep, aside), "E %g, %g Hz: %g m", s->youngs_modulus, rate, creep);
    // Slower than what falls by a thousandth of a radius.
    cr_assert(le(dbl, fastest(world), sqrt(2.0 * GRAVITY * 1e-6)), "E %g, %g Hz", s->youngs_modulus,
              rate);
    sherd_world_destroy(world);
}

Test(small_rest, a_block_rests_at_every_rate)
{
    for (int m = 0; m < SOLID_COUNT; ++m) {
        check_rest(&SOLIDS[m], 0, 1.0, 2);
        check_rest(&SOLIDS[m], 0, 24.0, 6);
        check_rest(&SOLIDS[m], 0, 480.0, 12);
    }
}

Test(small_rest, a_block_rests_on_another)
{
    for (int m = 0; m < SOLID_COUNT; ++m)
        check_rest(&SOLIDS[m], 1, 60.0, 8);
}

static double slide(const solid *s, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -GRAVITY});
    def.sleep = true;
    sherd_world *world = create(&def);
    block b = box_of(s, 0.010, 0.006);
    b.velocity.x = 0.2;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    double start = mean_position(world).x;
    run(world, 240.0, 24);
    double way = mean_position(world).x - start;
    sherd_world_destroy(world);
    return way;
}

// As far as with explicit steps, but for half a step of Euler's at the start's speed: the block falls by a tenth of a radius first, so that v^2 / (2 mu g) is not exact.
Test(small_rest, a_block_slides_as_far_as_with_explicit_steps)
{
    for (int m = 4; m < SOLID_COUNT; ++m) {
        double right = slide(&SOLIDS[m], EXPLICIT), way = slide(&SOLIDS[m], CHOSEN);
        cr_assert(epsilon_eq(dbl, way, right, 0.2 / 240.0 / 2.0), "E %g: %g, %g",
                  SOLIDS[m].youngs_modulus, way, right);
    }
}
