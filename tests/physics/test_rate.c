// Bonds that take time to break.                                              laws/breakage/overstress.h
#include "material/material.h"
#include "world/energy.h"
#include "world/world.h"

#include "physics/driven_pair.h"
#include "physics/methods.h"
#include "sanitized.h"

static const stepping IMPLICIT = {SHERD_METHOD_IMPLICIT, 20.0, SHERD_SCHEME_AUTO},
                      AUTO = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

static const double W0 = 2e6 / 1e9 * 2e-3, SECTION = M_PI * 1e-6, TIME = 1e-4;

static sherd_material_def slow(double exponent)
{
    sherd_material_def m = sherd_material_def_default();
    m.density = 2000.0;
    m.youngs_modulus = 1e9;
    m.shear_modulus = 4e8;
    m.tensile_strength = 2e6;
    m.shear_strength = 2e6;
    m.rate_time = TIME;
    m.rate_exponent = exponent;
    return m;
}

// ---------------------------------------------------------------- one bond, whose ends are driven

// Stress over strength at which a bond breaks whose stress over strength grows by `rate` [1/s].
static double closed_form(double exponent, double rate)
{
    return 1.0 + pow((exponent + 1.0) * TIME * rate, 1.0 / (exponent + 1.0));
}

// Damage at a ratio x reached at that rate.
static double damage_at(double x, double exponent, double rate)
{
    return pow(x - 1.0, exponent + 1.0) / ((exponent + 1.0) * TIME * rate);
}

static sherd_world *pulled_pair(const sherd_material_def *m, sherd_method method, double rate)
{
    const double time = 100.0 / rate;
    const sherd_motion_key keys[2] = {{.time = 0.0},
                                      {.time = time, .translation = {time * rate * W0, 0.0, 0.0}}};
    return driven_pair(m, method, keys, 2);
}

static bool is_broken(const sherd_world *world)
{
    return sherd_world_bonds(world).broken_count > 0;
}

// Time of the first state without the bond: explicit steps of `share` of the usual, at most a hundredth of what breaking
// takes.
static double explicit_break(double exponent, double rate, double share, double *dt)
{
    sherd_error error;
    sherd_material_def m = slow(exponent);
    m.bond_damping = 0.0;
    sherd_world *world = pulled_pair(&m, SHERD_METHOD_EXPLICIT, rate);
    *dt = share * fmin(default_step(world), 0.01 * closed_form(exponent, rate) / rate);
    cr_assert(eq(int, sherd_world_set_time_step(world, *dt, &error), SHERD_OK));
    int64_t steps = 0;
    for (; !is_broken(world) && steps < 2000000; ++steps)
        run_steps(world, 1);
    sherd_energy e = sherd_world_energy(world);
    // What it took is what it stored: 1/2 E S l0 (x sigma_c / E)^2 of a bond that is linear.
    double x = rate * (double)steps * *dt, stored = 0.5 * 2e6 * SECTION * W0 * x * x;
    cr_assert(epsilon_eq(dbl, e.dissipated_fracture, stored, 1e-6 * stored), "%g %g",
              e.dissipated_fracture, stored);
    // Trapezoids do the work of a linear spring exactly; it is driven with 2 per mille of its length, at most, which
    // rounds in single precision.
    cr_assert(lt(dbl, fabs(e.balance_error), 1e-5), "%g", e.balance_error);
    sherd_world_destroy(world);
    return (double)steps * *dt;
}

// The ratio at which it breaks follows the closed form over four decades of the rate, for any exponent, within the step
// in which it does: trapezoids of the last few overstresses are off by a share of n dt / (12 (t - t_1)) of that.
Test(rate, strength_grows_with_the_rate_as_in_the_closed_form)
{
    static const double RATES[] = {1e2, 1e3, 1e4, 1e5, 1e6}, EXPONENTS[] = {1.0, 2.0, 3.5};
    for (int n = 0; n < 3; ++n)
        for (int k = 0; k < 5; ++k) {
            double expected = closed_form(EXPONENTS[n], RATES[k]), dt;
            double x = RATES[k] * explicit_break(EXPONENTS[n], RATES[k], 1.0, &dt);
            double step = RATES[k] * dt;
            cr_assert(lt(dbl, expected - 0.1 * step, x), "n %g, rate %g: %g for %g", EXPONENTS[n],
                      RATES[k], x, expected);
            cr_assert(lt(dbl, x, expected + 1.1 * step), "n %g, rate %g: %g for %g, step %g",
                      EXPONENTS[n], RATES[k], x, expected, step);
            cr_assert(lt(dbl, step, 0.05 * (expected - 1.0)));
        }
}

Test(rate, time_steps_do_not_matter)
{
    double expected = closed_form(2.0, 1e4) / 1e4;
    for (double share = 1.0; share > 0.1; share *= 0.5) {
        double dt, time = explicit_break(2.0, 1e4, share, &dt);
        cr_assert(lt(dbl, expected - 0.1 * dt, time));
        cr_assert(lt(dbl, time, expected + 1.1 * dt));
    }
}

// Implicit steps integrate a stress that grows in proportion to time exactly, however long they are, across the strength
// too; explicit ones by trapezoids.
Test(rate, damage_is_the_integral)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_IMPLICIT, SHERD_METHOD_EXPLICIT};
    const double rate = 1e4, x = closed_form(2.0, rate) - 0.05, expected = damage_at(x, 2.0, rate);
    for (int k = 0; k < 2; ++k)
        for (int stops = 1; stops <= 9; stops += 4) {
            sherd_error error;
            sherd_material_def m = slow(2.0);
            sherd_world *world = pulled_pair(&m, METHODS[k], rate);
            double frame = x / rate / stops, dt = frame / ceil(frame / default_step(world));
            if (METHODS[k] == SHERD_METHOD_EXPLICIT)
                cr_assert(eq(int, sherd_world_set_time_step(world, dt, &error), SHERD_OK));
            for (int s = 1; s <= stops; ++s)
                cr_assert(
                    eq(int, sherd_world_advance(world, x / rate * s / stops, &error), SHERD_OK));
            double damage = world->system.bonds.damage[0];
            // Explicit: a whole last step where half of it counts, 1/2 dt (x - 1)^2 / t_c.
            double half = 0.5 * dt * (x - 1.0) * (x - 1.0) / TIME;
            if (METHODS[k] == SHERD_METHOD_EXPLICIT) damage -= half;
            // Positions of implicit steps are those of drivers to rounding. Trapezoids: dt^2 / 12 f' / t_c of D, 2e-6.
            double tolerance = METHODS[k] == SHERD_METHOD_EXPLICIT ? 0.02 * half : 1e-9;
            cr_assert(epsilon_eq(dbl, damage, expected, tolerance), "%d %d: %.9g for %.9g", k,
                      stops, damage, expected);
            cr_assert(is_broken(world) == false);
            sherd_world_destroy(world);
        }
}

// With implicit and automatic steps it breaks at the same time, at the end of the step in which its damage is 1.
Test(rate, other_methods_break_at_the_same_time)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_IMPLICIT, SHERD_METHOD_AUTO};
    for (int k = 0; k < 2; ++k)
        for (double rate = 1e3; rate < 2e5; rate *= 10.0) {
            sherd_error error;
            sherd_material_def m = slow(2.0);
            sherd_world *world = pulled_pair(&m, METHODS[k], rate);
            double expected = closed_form(2.0, rate) / rate, frame = 0.005 * expected, t = 0.0;
            for (int s = 1; !is_broken(world) && s < 1000; ++s) {
                t = s * frame;
                cr_assert(eq(int, sherd_world_advance(world, t, &error), SHERD_OK), "%s",
                          error.what);
            }
            // Explicit steps of `auto` break a whole step late at most.
            cr_assert(lt(dbl, expected - 1e-3 * frame, t));
            cr_assert(lt(dbl, t, expected + frame + default_step(world)));
            cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 1e-3));
            sherd_world_destroy(world);
        }
}

// Over its strength for a while, relieved, and loaded again: damage stays, and the second time it takes what is left. At
// twice the strength damage grows by 1 in t_c, whatever n; ramps from the strength to there and back add 1 / (n + 1)
// of their time.
Test(rate, damage_neither_heals_nor_grows_below_the_strength)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT};
    const double ramp = 0.1 * TIME, held = 0.5 * TIME;
    const sherd_motion_key keys[] = {
        {.time = 0.0},
        {.time = 2.0 * ramp, .translation = {2.0 * W0, 0.0, 0.0}},
        {.time = 2.0 * ramp + held, .translation = {2.0 * W0, 0.0, 0.0}},
        {.time = 4.0 * ramp + held, .translation = {0.0, 0.0, 0.0}},
        {.time = 4.0 * ramp + 2.0 * held, .translation = {0.9 * W0, 0.0, 0.0}},
        {.time = 5.1 * ramp + 2.0 * held, .translation = {2.0 * W0, 0.0, 0.0}},
        {.time = 50.0 * held, .translation = {2.0 * W0, 0.0, 0.0}}};
    const double first = 0.5 + 2.0 * 0.1 / 3.0, // that the pulse adds
        last = 0.1 / 3.0;                       // and the second ramp
    const double ends = 5.1 * ramp + 2.0 * held + TIME * (1.0 - first - last);
    for (int k = 0; k < 2; ++k) {
        sherd_error error;
        sherd_material_def m = slow(2.0);
        m.bond_damping = 0.0;
        sherd_world *world = driven_pair(&m, METHODS[k], keys, sizeof keys / sizeof keys[0]);
        double frame = ramp / 20.0, t = 0.0;
        for (int s = 1; !is_broken(world) && s < 2000; ++s) {
            t = s * frame;
            cr_assert(eq(int, sherd_world_advance(world, t, &error), SHERD_OK));
            // Corners of the path are within steps: each is off by up to half of one. Here twice two of them.
            if (s == 20 * 4 + 100 || s == 20 * 4 + 200)
                cr_assert(epsilon_eq(dbl, world->system.bonds.damage[0], first,
                                     2.0 * default_step(world) / TIME));
        }
        cr_assert(lt(dbl, fabs(t - ends), 3.0 * default_step(world) + frame), "%d: %g for %g", k, t,
                  ends);
        sherd_world_destroy(world);
    }
}

// A time that is next to nothing is none.
Test(rate, a_short_time_is_the_limit_without)
{
    double time[2];
    for (int k = 0; k < 2; ++k) {
        sherd_material_def m = slow(2.0);
        m.rate_time = k == 0 ? 0.0 : 1e-20;
        sherd_world *world = pulled_pair(&m, SHERD_METHOD_EXPLICIT, 1e3);
        while (!is_broken(world))
            run_steps(world, 1);
        time[k] = sherd_world_time(world);
        bool counts = world->system.bonds.damage != NULL;
        cr_assert(counts == (k == 1));
        sherd_world_destroy(world);
    }
    cr_assert(time[0] == time[1]);
}

// ---------------------------------------------------------------- bodies

static const double FRAME = 2e-4; // [s]

static sherd_material_def scattered(void)
{
    sherd_material_def m = slow(2.0);
    m.weibull_modulus = 12.0;
    m.bond_damping = 0.2;
    return m;
}

// A bar that is pulled apart at both ends [m/s].
static void add_torn_bar(sherd_world *world, double y, double velocity)
{
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.012, 0.012};
    b.material = scattered();
    b.pose.position.y = y;
    add_block(world, &b, NULL);
    for (int end = -1; end <= 1 && velocity > 0.0; end += 2) {
        sherd_driver_def d = held();
        d.motion.velocity.x = end * velocity;
        drive(world, (sherd_vec3){end * 0.0155, y, 0.0}, (sherd_vec3){0.005, 0.02, 0.02}, d);
    }
}

static sherd_world *torn(stepping by, int threads)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, 0.0});
    def.threads = threads;
    sherd_world *world = create(&def);
    add_torn_bar(world, 0.0, 0.5);
    set_frame(world, by, FRAME);
    return world;
}

static double damage_of(const sherd_world *world)
{
    const sherd_bonds *bonds = &world->system.bonds;
    double sum = 0.0;
    for (int64_t k = 0; k < bonds->count; ++k)
        if (!bonds->broken[k]) sum += bonds->damage[k];
    return sum;
}

// Bond damping is sampled, and off by some per mille of it. Implicit steps of 20 T take most of what breaks sets free.
static void check_balance(const sherd_world *world, bool implicit)
{
    sherd_energy e = sherd_world_energy(world);
    cr_assert(lt(dbl, fabs(e.balance_error), 0.005));
    if (!implicit)
        cr_assert(lt(dbl, fabs(e.dissipated_integration), 0.02 * sherd_energy_largest(&e)));
}

static void check_threads(stepping by, double until)
{
    uint64_t hash[3];
    const int threads[3] = {1, 4, 2}, runs = SANITIZED ? 2 : 3;
    for (int k = 0; k < runs; ++k) {
        sherd_world *world = torn(by, threads[k]);
        advance(world, until);
        hash[k] = sherd_world_state_hash(world);
        check_balance(world, by.method == SHERD_METHOD_IMPLICIT);
        cr_assert(lt(dbl, 1.0, damage_of(world)));
        cr_assert(lt(int, 10, (int)sherd_world_bonds(world).broken_count));
        sherd_world_destroy(world);
    }
    cr_assert(hash[0] == hash[1] && hash[0] == hash[runs - 1]);
}

Test(rate, results_do_not_depend_on_threads)
{
    check_threads(EXPLICIT, 1e-3);
    check_threads(IMPLICIT, 1e-3);
    check_threads(AUTO, 1e-3);
}

static void check_resumed(sherd_world *straight, sherd_world *again, double half, double until)
{
    sherd_error error;
    advance(straight, half);
    cr_assert(lt(dbl, 0.5, damage_of(straight)));
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(straight, &state, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(again, state, size, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    cr_assert(damage_of(straight) == damage_of(again));
    advance(straight, until);
    advance(again, until);
    cr_assert(sherd_world_state_hash(straight) == sherd_world_state_hash(again));
    cr_assert(lt(int, 0, (int)sherd_world_bonds(straight).broken_count));
    sherd_world_destroy(straight);
    sherd_world_destroy(again);
}

Test(rate, resumed_runs_go_on_bit_for_bit)
{
    check_resumed(torn(EXPLICIT, 2), torn(EXPLICIT, 2), 0.6e-3, 1e-3);
    check_resumed(torn(IMPLICIT, 2), torn(IMPLICIT, 2), 0.6e-3, 1e-3);
    check_resumed(torn(AUTO, 2), torn(AUTO, 2), 0.6e-3, 1e-3);
}

// ---------------------------------------------------------------- regions

// One bar that is torn quickly, one slowly, far from each other, and one that nothing moves.
static sherd_world *three_bars(stepping by, bool regions, int threads)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, 0.0});
    def.threads = threads;
    def.regions = regions;
    def.sleep = regions;
    sherd_world *world = create(&def);
    add_torn_bar(world, 0.0, 0.5);
    add_torn_bar(world, 0.2, 0.1);
    add_torn_bar(world, 0.4, 0.0);
    set_frame(world, by, FRAME);
    return world;
}

// Before cracks run, which are chaotic, damage in regions is that of the whole.
Test(rate, regions_are_damaged_as_a_whole_is)
{
    sherd_world *whole = three_bars(EXPLICIT, false, 2), *divided = three_bars(AUTO, true, 2);
    double a = 0.0, b = 0.0;
    for (int k = 1; k <= 10; ++k) {
        advance(whole, k * FRAME);
        advance(divided, k * FRAME);
        if (k == 3) a = damage_of(whole), b = damage_of(divided);
    }
    sherd_element_index each = sherd_world_elements(divided).count / 3;
    cr_assert(sherd_world_region(divided, 0).number != sherd_world_region(divided, each).number);
    check_balance(whole, false);
    check_balance(divided, false);
    cr_log_info("damage %g and %g, %d and %d broken", a, b,
                (int)sherd_world_bonds(whole).broken_count,
                (int)sherd_world_bonds(divided).broken_count);
    cr_assert(lt(dbl, 1.0, a));
    cr_assert(epsilon_eq(dbl, b, a, 0.05 * a));
    cr_assert(lt(int, 100, (int)sherd_world_bonds(divided).broken_count));
    sherd_world_destroy(whole);
    sherd_world_destroy(divided);
}

Test(rate, regions_are_the_same_on_any_number_of_threads_and_resumed)
{
    uint64_t hash[3];
    const int threads[3] = {1, 4, 2}, runs = SANITIZED ? 2 : 3;
    for (int k = 0; k < runs; ++k) {
        sherd_world *world = three_bars(AUTO, true, threads[k]);
        advance(world, 8e-4);
        hash[k] = sherd_world_state_hash(world);
        sherd_world_destroy(world);
    }
    cr_assert(hash[0] == hash[1] && hash[0] == hash[runs - 1]);
    check_resumed(three_bars(AUTO, true, 2), three_bars(AUTO, true, 2), 0.6e-3, 1e-3);
}

// ---------------------------------------------------------------- definitions

static void check_refused(const sherd_material_def *m, const char *what, const char *hint)
{
    sherd_error error;
    cr_assert(eq(int, sherd_material_def_check(m, &error), SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, "material.rate_time"));
    cr_assert(eq(str, error.what, (char *)what));
    cr_assert(eq(str, (char *)error.hint, (char *)hint));
}

Test(rate, what_it_does_not_go_with_is_refused)
{
    sherd_material_def m = slow(2.0);
    m.fracture_energy = 10.0;
    check_refused(&m, "does not go with a fracture energy: bonds that soften part by their opening",
                  "remove one of them");
    m = slow(2.0);
    m.law = SHERD_BOND_LAW_ROD, m.yield_stress = 1e6;
    check_refused(&m, "does not go with yield_stress: bonds that yield break at once",
                  "remove one of them");
    m = slow(2.0);
    m.breakage = SHERD_BREAKAGE_PRINCIPAL;
    check_refused(&m,
                  "does not go with a criterion of elements, which break all their bonds at once",
                  "use breakage tensile, absolute or rod");
    m = slow(2.0);
    m.breakage = SHERD_BREAKAGE_NONE;
    check_refused(&m, "does not go with bonds that never break", "remove one of them");
    m = slow(2.0);
    m.tensile_strength = m.shear_strength = INFINITY;
    check_refused(&m, "needs a strength beyond which damage grows",
                  "give tensile_strength or shear_strength");
}
