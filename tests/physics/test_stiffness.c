// Stiffness of one hexagonal layer and the speed of waves in it, against docs/theory/physics.md 5.
#include "physics/block.h"

// Touching equal spheres, one layer of thickness 2 r: the affine estimate of the plane lattice. A
// bond has kn = E pi r / 2 and, across, ks = G S / l0 = (G/E) kn; per area of the layer
//   C11 = sqrt3/4 kn (3 + ks/kn),  C12 = sqrt3/4 (kn - ks),   divided by the thickness 2 r.
static double plane_modulus(double E, double G)
{
    double kn = 0.5 * M_PI * E, ks = 0.5 * M_PI * G; // times r
    double c11 = sqrt(3.0) / 4.0 * (3.0 * kn + ks) / 2.0, c12 = sqrt(3.0) / 4.0 * (kn - ks) / 2.0;
    return c11 - c12 * c12 / c11; // free sides
}

Test(stiffness, affine_estimate_gives_the_known_ratio)
{
    // docs/theory/physics.md 5: 1.12 at G/E = 0.4.
    cr_assert(epsilon_eq(dbl, plane_modulus(1.0, 0.4), 1.12, 0.005));
    // [RBDEM] Table 3: G/E = 0.33, without and with a correction of shear of 5/6.
    cr_assert(epsilon_eq(dbl, plane_modulus(1.0, 0.33), 1.0866, 1e-4));
    cr_assert(epsilon_eq(dbl, plane_modulus(1.0, 5.0 / 6.0 * 0.33), 1.0592, 1e-4));
}

static block strip(double length, double height)
{
    block b = block_default();
    b.packing = SHERD_PACKING_HEX_LAYERS;
    b.layers = 1;
    b.size = (sherd_vec3){length, height, 0.002};
    b.material.youngs_modulus = 1e7;
    b.material.shear_modulus = 4e6;
    return b;
}

// Rectangle of cells that the elements stand for.
static void extent(const sherd_world *world, double *length, double *height)
{
    sherd_element_view e = sherd_world_elements(world);
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (int k = 0; k < e.count; ++k) {
        x0 = fmin(x0, e.x[k]), x1 = fmax(x1, e.x[k]);
        y0 = fmin(y0, e.y[k]), y1 = fmax(y1, e.y[k]);
    }
    *length = x1 - x0;
    *height = y1 - y0 + sqrt(3.0) * sherd_world_element(world, 0).radius; // rows are sqrt3 r apart
}

static sherd_driver_id grip(sherd_world *world, double from, double to, sherd_vec3 velocity)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){to - from, 1.0, 1.0}, &error);
    d.region.shape = box;
    d.region.pose.position.x = 0.5 * (from + to);
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity = velocity;
    sherd_driver_id id = sherd_world_add_driver(world, &d, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

// Pulled slowly: force over strain against the plane lattice's modulus times the section. 5 %: grips
// hold the sides, and the rim rows lack bonds.
Test(stiffness, axial_pull_of_one_layer)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    block b = strip(0.08, 0.02);
    b.material.bond_damping = 0.3;
    add_block(world, &b, NULL);
    double length, height;
    extent(world, &length, &height);
    double r = sherd_world_element(world, 0).radius;
    grip(world, -0.05, -0.0375, (sherd_vec3){0, 0, 0});
    const double speed = 0.02; // far below the wave speed of 50 m/s
    sherd_driver_id pull = grip(world, 0.0375, 0.05, (sherd_vec3){speed, 0, 0});
    double free_length = length - 2.0 * (0.5 * length - 0.0375) + 2.0 * r;
    double dt = default_step(world);
    run_steps(world, (int64_t)(0.02 / dt));
    sherd_world_reset_probes(world);
    run_steps(world, 500);
    sherd_probe_reading reading = sherd_world_probe_driver(world, pull);
    double strain = speed * (sherd_world_time(world) - 250.0 * dt) / free_length;
    double modulus = -reading.force.x / (height * 2.0 * r * strain);
    double expected = plane_modulus(b.material.youngs_modulus, b.material.shear_modulus);
    cr_assert(epsilon_eq(dbl, modulus, expected, 0.05 * expected));
    sherd_world_destroy(world);
}

// A blow at one end travels as a longitudinal wave with c = sqrt(E_macro / rho), rho being the mass
// of the elements over the volume of their cells. First arrival of half the height; 5 % because the
// front of a dispersive lattice is a few elements wide.
Test(stiffness, longitudinal_wave_speed)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    block b = strip(0.3, 0.012);
    b.material.bond_damping = 0.0;
    add_block(world, &b, NULL);
    sherd_error error;
    const double v0 = 0.01;
    grip(world, -0.2, -0.148, (sherd_vec3){v0, 0, 0}); // starts at once and keeps pushing
    double dt = 0.5 * sherd_world_stable_time_step(world, &error);
    sherd_world_set_time_step(world, dt, &error);
    sherd_element_view e = sherd_world_elements(world);
    double times[2] = {0.0, 0.0};
    const double stations[2] = {-0.05, 0.08};
    for (int step = 0; step < 200000 && times[1] == 0.0; ++step) {
        run_steps(world, 1);
        e = sherd_world_elements(world);
        for (int s = 0; s < 2; ++s) {
            double v = 0.0, n = 0.0;
            for (int k = 0; k < e.count && times[s] == 0.0; ++k)
                if (fabs(sherd_world_element(world, k).rest.x - stations[s]) < 0.002)
                    v += e.vx[k], n += 1.0;
            if (times[s] == 0.0 && n > 0.0 && v / n > 0.5 * v0) times[s] = sherd_world_time(world);
        }
    }
    double r = sherd_world_element(world, 0).radius;
    double rho =
        b.material.density * 4.0 / 3.0 * M_PI * r * r * r / (2.0 * sqrt(3.0) * r * r * 2.0 * r);
    double c = sqrt(plane_modulus(b.material.youngs_modulus, b.material.shear_modulus) / rho);
    double measured = (stations[1] - stations[0]) / (times[1] - times[0]);
    cr_assert(epsilon_eq(dbl, measured, c, 0.05 * c));
    sherd_world_destroy(world);
}

// A cantilever under an end load: Timoshenko's deflection with the lattice's modulus and its shear
// modulus G_plane = sqrt3/4 (kn + ks)/2... per thickness. 5 % as for the axial pull.
Test(stiffness, cantilever_of_one_layer)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    block b = strip(0.12, 0.016);
    b.material.bond_damping = 0.3;
    add_block(world, &b, NULL);
    double length, height;
    extent(world, &length, &height);
    double r = sherd_world_element(world, 0).radius;
    grip(world, -0.1, -0.055, (sherd_vec3){0, 0, 0});
    sherd_error error;
    sherd_driver_def end = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.01, 1.0, 1.0}, &error);
    end.region.shape = box;
    end.region.pose.position.x = 0.06;
    end.drive = SHERD_DRIVE_FORCE;
    const double load = 2e-4;
    const double ramp_times[] = {0.0, 0.1}, ramp[] = {0.0, 1.0};
    end.force = (sherd_vec3){0.0, load, 0.0};
    end.force_key_count = 2, end.force_times = ramp_times, end.force_factors = ramp;
    sherd_driver_id tip = sherd_world_add_driver(world, &end, &error);
    cr_assert(tip.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    double dt = default_step(world);
    run_steps(world, (int64_t)(0.2 / dt));
    double sum = 0.0;
    for (int k = 0; k < 40; ++k) { // over what is left of the vibration
        run_steps(world, (int64_t)(0.1 / dt / 40));
        sum += sherd_world_probe_driver(world, tip).displacement.y / 40.0;
    }
    // The load acts at the mean position of its region, a = distance from the clamped end.
    double E = plane_modulus(b.material.youngs_modulus, b.material.shear_modulus);
    double kn = 0.5 * M_PI * b.material.youngs_modulus, ks = 0.5 * M_PI * b.material.shear_modulus;
    double shear = sqrt(3.0) / 4.0 * (kn + ks) / 2.0;
    double thickness = 2.0 * r, a = 0.5 * (0.055 + 0.5 * length) + 0.055;
    double section = thickness * height * height * height / 12.0;
    double expected = load * a * a * a / (3.0 * E * section) +
                      load * a / (5.0 / 6.0 * shear * thickness * height);
    cr_assert(epsilon_eq(dbl, sum, expected, 0.05 * expected));
    sherd_world_destroy(world);
}
