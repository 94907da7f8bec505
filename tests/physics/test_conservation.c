// Momentum, angular momentum and energy of whole bodies.
#include "stepping/explicit/verlet_energy_offset.h"
#include "world/energy.h"
#include "world/world.h"

#include "physics/block.h"

static double length(sherd_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static sherd_vec3 difference(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// A tumbling block that spins itself to pieces: forces are internal, so both momenta stay. Each of
// the 2000 steps adds rounding of about 1e-16 per element and bond at random; 1e-12 is generous. In
// mixed precision what a bond gives one end and takes from the other is the same number, and sums of
// them are rounded to 7e-12 at random; but torques balance the moments of forces to 6e-8 only.
static void check_momenta(sherd_precision precision, double angular_tolerance)
{
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0, 0, 0};
    def.threads = 2;
    def.precision = precision;
    sherd_world *world = sherd_world_create(&def, NULL);
    block b = block_default();
    b.size = (sherd_vec3){0.04, 0.012, 0.012};
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    b.material.tensile_strength = 5e4;
    b.material.shear_strength = 5e4;
    b.material.weibull_modulus = 5;
    b.velocity = (sherd_vec3){1.0, 2.0, -0.5};
    b.angular_velocity =
        (sherd_vec3){30.0, 420.0, 350.0}; // tears it apart: rho (w L/2)^2 / 2 > strength
    add_block(world, &b, NULL);
    sherd_vec3 p = sherd_world_momentum(world), h = sherd_world_angular_momentum(world);
    run_steps(world, 2000);
    cr_assert(sherd_world_bonds(world).broken_count > 10, "%lld broken",
              (long long)sherd_world_bonds(world).broken_count);
    cr_assert(length(difference(sherd_world_momentum(world), p)) < 1e-12 * length(p));
    cr_assert(length(difference(sherd_world_angular_momentum(world), h)) <
              angular_tolerance * length(h));
    sherd_world_destroy(world);
}

Test(conservation, momenta_of_a_tumbling_breaking_body)
{
    check_momenta(SHERD_PRECISION_DOUBLE, 1e-12);
    check_momenta(SHERD_PRECISION_MIXED, 6e-8);
}

static void add_grip(sherd_world *world, double end, double speed)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.004, 0.02, 0.02}, &error);
    d.region.shape = box;
    d.region.pose.position.x = end * 0.02;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = end * speed;
    cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
}

// A bar with much damping is pulled until it breaks. Damping takes as much as fracture, most of it around what breaks
// and within some steps: its last force acts for half a step, what it leaves behind has another load in the second half
// kick than in the first, and rings as fast as anything can.
Test(conservation, damping_is_booked_where_bonds_break)
{
    sherd_error error;
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 2);
    block b = block_default();
    b.size = (sherd_vec3){0.044, 0.012, 0.012};
    b.material.youngs_modulus = 5e7;
    b.material.shear_modulus = 2e7;
    b.material.tensile_strength = b.material.shear_strength = 1e6;
    b.material.bond_damping = 0.2;
    add_block(world, &b, NULL);
    add_grip(world, -1.0, 0.5);
    add_grip(world, 1.0, 0.5);
    cr_assert(eq(int, sherd_world_advance(world, 4e-3, &error), SHERD_OK), "%s", error.what);
    cr_assert(sherd_world_bonds(world).broken_count > 100);
    sherd_energy e = sherd_world_energy(world);
    cr_assert(e.dissipated_bonds > 0.3 * e.dissipated_fracture);
    // All that is not exact is how few bonds are asked how much of their damping is too much: within 1 % of it.
    cr_assert(lt(dbl, fabs(e.balance_error), 0.0015));
    sherd_world_destroy(world);
}

// The account over a violent run: everything that enters, is stored and is lost adds up.
Test(conservation, energy_balance_of_a_drop_that_breaks)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, -9.81}, 2);
    block b = block_default();
    b.size = (sherd_vec3){0.06, 0.06, 0.005};
    b.material.youngs_modulus = 1e8;
    b.material.shear_modulus = 4e7;
    b.material.tensile_strength = 5e5;
    b.material.shear_strength = 6e5;
    b.material.weibull_modulus = 10;
    b.pose.position.z = 0.02;
    b.pose.rotation = (sherd_quat){sin(0.15), 0.0, 0.0, cos(0.15)};
    b.velocity.z = -4.0;
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    for (int k = 0; k < 20; ++k) {
        run_steps(world, 200);
        // 1 % as the issue asks.
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    }
    cr_assert(sherd_world_bonds(world).broken_count > 100);
    sherd_energy e = sherd_world_energy(world);
    cr_assert(e.dissipated_fracture > 0.0 && e.dissipated_bonds > 0.0 &&
              e.dissipated_contact > 0.0);
    sherd_world_destroy(world);
}

// Bonds that break let go of what unstable steps gave them, and integration is booked with it. That must not pass for
// an account that closes: a plate dropped at 0.4 m/s, in steps a sixth and three times longer than the limit.
Test(conservation, energy_from_unstable_steps_is_an_error)
{
    const double share[] = {0.85, 1.17, 3.0};
    for (int k = 0; k < 3; ++k) {
        sherd_error error;
        sherd_world *world = world_with((sherd_vec3){0, 0, -9.81}, 1);
        block b = block_default();
        b.size = (sherd_vec3){0.03, 0.03, 0.005};
        b.material.youngs_modulus = 1e9;
        b.material.shear_modulus = 4e8;
        b.material.tensile_strength = b.material.shear_strength = 1e6;
        b.velocity = (sherd_vec3){0.4, 0.0, -0.4};
        add_block(world, &b, NULL);
        double limit = sherd_world_stable_time_step(world, &error);
        cr_assert(sherd_world_set_time_step(world, share[k] * limit, &error) == SHERD_OK);
        sherd_status status = SHERD_OK;
        for (int span = 0; span < 40 && status == SHERD_OK; ++span) {
            status = sherd_world_step(world, 50, &error);
            if (status == SHERD_OK) status = sherd_world_check(world, &error);
        }
        cr_assert(eq(int, status, share[k] < 1.0 ? SHERD_OK : SHERD_ERROR_UNSTABLE), "%g limits",
                  share[k]);
        sherd_world_destroy(world);
    }
}

static sherd_world *moving_block(void)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    block b = block_default();
    b.size = (sherd_vec3){0.006, 0.006, 0.006};
    b.velocity.x = 1.0;
    add_block(world, &b, NULL);
    run_steps(world, 10);
    return world;
}

// Energy that came from nowhere, went nowhere, or that something gave which only takes. Less of it is let pass.
Test(conservation, what_does_not_add_up_is_refused)
{
    sherd_error error;
    sherd_world *world = moving_block();
    cr_assert(eq(int, sherd_world_check(world, &error), SHERD_OK), "%s", error.what);
    const double start = world->start_energy, off[] = {0.04, -0.04, 0.06, -0.06};
    for (int k = 0; k < 4; ++k) {
        world->start_energy = (1.0 - off[k]) * start;
        sherd_status status = sherd_world_check(world, &error);
        cr_assert(eq(int, status, k < 2 ? SHERD_OK : SHERD_ERROR_UNSTABLE), "%g", off[k]);
        const char *says = off[k] > 0.0 ? "came from nowhere" : "went nowhere";
        cr_assert(k < 2 || strstr(error.what, says) != NULL, "%s", error.what);
    }
    world->start_energy = start;
    double *accounts[] = {&world->system.accounts.dissipated_bonds,
                          &world->system.accounts.dissipated_fracture};
    for (int k = 0; k < 2; ++k) {
        *accounts[k] -= 0.009 * start;
        cr_assert(eq(int, sherd_world_check(world, &error), SHERD_OK), "%s", error.what);
        *accounts[k] -= 0.003 * start;
        cr_assert(eq(int, sherd_world_check(world, &error), SHERD_ERROR_UNSTABLE));
        cr_assert(strstr(error.what, "instead of taking") != NULL, "%s", error.what);
        *accounts[k] += 0.012 * start;
    }
    // What integration gives is signed.
    world->system.accounts.integration -= 0.04 * start;
    cr_assert(eq(int, sherd_world_check(world, &error), SHERD_OK), "%s", error.what);
    sherd_world_destroy(world);
}

// A push that is over leaves next to nothing; what is off then is a share of what there was.
Test(conservation, a_balance_is_of_the_most_that_there_was)
{
    sherd_error error;
    sherd_world *world = moving_block();
    cr_assert(eq(int, sherd_world_check(world, &error), SHERD_OK));
    double most = *world->largest_energy;
    cr_assert(lt(dbl, 0.99 * world->start_energy, most));
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(world, &state, &size, &error), SHERD_OK));
    *world->largest_energy = 0.0;
    cr_assert(eq(int, sherd_world_restore(world, state, size, &error), SHERD_OK));
    cr_assert(eq(dbl, *world->largest_energy, most));
    *world->largest_energy = 10.0 * most;
    world->start_energy *= 0.9;
    cr_assert(eq(int, sherd_world_check(world, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    sherd_world_destroy(world);
}

// How high a body is must not count in what a balance is judged by. It falls freely from 1000 m: -m g of the way is
// gravity's energy, and no more than the fall's is any store. Positions are rounded to 1e-13 m.
Test(conservation, gravity_is_relative_to_the_start)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, -9.81}, 1);
    block b = block_default();
    b.size = (sherd_vec3){0.006, 0.006, 0.006};
    b.pose.position.z = 1000.0;
    add_block(world, &b, NULL);
    cr_assert(eq(dbl, sherd_world_energy(world).gravity, 0.0));
    run_steps(world, 1000);
    sherd_energy e = sherd_world_energy(world);
    double fall = 0.5 * 9.81 * pow(sherd_world_time(world), 2.0);
    double mass = -sherd_world_momentum(world).z / (9.81 * sherd_world_time(world));
    cr_assert(fall > 1e-7);
    cr_assert(lt(dbl, fabs(e.gravity + mass * 9.81 * fall), 1e-4 * e.kinetic));
    cr_assert(lt(dbl, sherd_energy_largest(&e), 1.001 * e.kinetic));
    sherd_world_destroy(world);
}

// Far from the origin places have fewer digits, and a body at rest without gravity no other energy
// than what rounding gives it: 1e-15 J here, which once was taken for an explosion after 115 steps.
Test(conservation, rounding_far_from_the_origin_is_no_energy)
{
    for (double far = 3.0; far < 1e5; far *= 100.0) {
        sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
        block b = block_default();
        b.pose.position.x = far;
        add_block(world, &b, NULL);
        sherd_error error = {0};
        for (int k = 0; k < 20; ++k) {
            run_steps(world, 100);
            cr_assert(sherd_world_check(world, &error) == SHERD_OK, "%g m: %s", far, error.what);
        }
        sherd_world_destroy(world);
    }
}

// Velocity Verlet is symplectic: without damping the energy of a vibrating, spinning body oscillates
// by (w dt)^2 but does not drift. 1e5 steps, below 1e-4 as the issue asks.
Test(conservation, energy_does_not_drift)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    block b = block_default();
    b.size = (sherd_vec3){0.012, 0.006, 0.006};
    b.material.bond_damping = 0.0;
    b.angular_velocity =
        (sherd_vec3){300.0, 200.0, 900.0}; // sets it vibrating: it starts unstretched
    add_block(world, &b, NULL);
    run_steps(world, 1000);
    double early = 0.0, late = 0.0;
    for (int k = 0; k < 10; ++k) { // means over oscillations
        run_steps(world, 37);
        sherd_energy e = sherd_world_energy(world);
        early += (e.kinetic + e.elastic) / 10.0;
    }
    run_steps(world, 100000);
    for (int k = 0; k < 10; ++k) {
        run_steps(world, 37);
        sherd_energy e = sherd_world_energy(world);
        late += (e.kinetic + e.elastic) / 10.0;
    }
    cr_assert(epsilon_eq(dbl, late, early, 1e-4 * early));
    sherd_world_destroy(world);
}

// What half kicks make of a body's energy goes with the square of the step, which gets shorter and shorter here. A row that
// hangs from its end swings with the period of few steps. Nothing else is left but rounding and strains of second order:
// 5e-8 of the energy; with the step itself in place of its square 5e-3.
Test(conservation, other_steps_give_no_energy)
{
    sherd_error error;
    sherd_world *world = world_with((sherd_vec3){-9.81, 0, 0}, 1);
    block b = block_default();
    b.size = (sherd_vec3){0.004, 0.002, 0.002};
    b.material.bond_damping = 0.0;
    add_block(world, &b, NULL);
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.002, 1.0, 1.0}, &error);
    d.region.shape = box;
    d.region.pose.position.x = 0.001;
    d.drive = SHERD_DRIVE_MOTION;
    cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
    double dt = 0.85 * sherd_world_stable_time_step(world, NULL);
    for (int k = 0; k < 20; ++k, dt *= 0.9) {
        sherd_system_change_step(&world->system, dt);
        run_steps(world, 1);
        cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 1e-6));
    }
    sherd_world_destroy(world);
    sherd_shape_destroy(box);
}
