// Bodies of material points in worlds: obstacles, energies, drivers, the same bits for all threads and after resuming.
#include "sanitized.h"
#include "scene_stage.h"

#include <stdlib.h>

#define JELLY                                                                                      \
    "materials:\n  jelly: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, "          \
    "model: neo_hookean, friction: 0.3}\n"
#define BLOCK(more)                                                                                \
    "bodies:\n  - {name: block, shape: {box: [10 cm, 10 cm, 10 cm]}, material: jelly,\n"           \
    "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 5 cm]" more "}\n"
#define FLOOR "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"

static double lowest_of(const stage *s)
{
    sherd_element_view view = sherd_world_elements(s->world);
    double lowest = INFINITY;
    for (int k = 0; k < view.count; ++k)
        lowest = fmin(lowest, view.z[k]);
    return lowest;
}

// What is dropped comes to rest, and weighs what it does.
Test(point_bodies, a_block_rests_on_a_floor)
{
    stage s = set(JELLY BLOCK(", velocity: [0, 0, -0.5]") FLOOR, 2);
    double worst = worst_balance(&s, 0.7, 10);
    sherd_world_reset_probes(s.world);
    go(&s, 1.4);
    sherd_probe_reading floor = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]);
    double weight = 9.81; // of a litre of water
    cr_assert(lt(dbl, fabs(floor.force.z + weight), 0.01 * weight), "%g", floor.force.z);
    cr_assert(lt(dbl, fabs(floor.force.x), 0.001 * weight));
    // Of order dt^2: 1.4 % while it lies compressed and swings, a fourth of that in half the steps.
    cr_assert(lt(dbl, worst, 0.02), "%g", worst);
    sherd_energy e = sherd_world_energy(s.world);
    cr_assert(lt(dbl, e.kinetic, 1e-3 * 0.5 * 0.25), "%g", e.kinetic); // of that of impact
    double lowest = lowest_of(&s);
    cr_assert(lt(dbl, fabs(lowest - 0.5 * 0.0125), 0.15 * 0.025), "%g", lowest); // of a cell
    strike(&s);
}

// From a time on, when it has settled.
static double slide(double angle, double start, double time, double *way)
{
    char text[2048];
    snprintf(text, sizeof text, JELLY BLOCK("") FLOOR "gravity: [%.9g, 0, %.9g]\n",
             9.81 * sin(angle), -9.81 * cos(angle));
    stage s = set(text, 2);
    go(&s, start);
    double before = sherd_world_momentum(s.world).x, from = sherd_world_elements(s.world).x[0];
    go(&s, start + time);
    double gained = sherd_world_momentum(s.world).x - before; // of 1 kg
    *way = sherd_world_elements(s.world).x[0] - from;
    strike(&s);
    return gained / time;
}

Test(point_bodies, a_block_slides_down_a_slope_as_coulomb_has_it)
{
    double way, angle = 0.5, mu = 0.3;
    double a = slide(angle, 0.3, 0.3, &way), right = 9.81 * (sin(angle) - mu * cos(angle));
    cr_assert(lt(dbl, fabs(a - right), 0.02 * right), "%g, not %g", a, right);
    slide(atan(0.98 * mu), 1.2, 0.4, &way); // it bounces, then brakes with 2 % of friction
    cr_assert(lt(dbl, fabs(way), 1e-3 * 0.1), "%g", way); // of its size
}

// ---------------------------------------------------------------- stiffness

#define PRESS                                                                                      \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials:\n  stone: {density: 2000, youngs_modulus: 20 MPa, poissons_ratio: 0.2, "           \
    "model: corotated, friction: %g}\nbodies:\n"
#define PRESSED                                                                                    \
    "  - {name: at%d, shape: {box: [6 cm, 6 cm, 6 cm]}, material: stone,\n"                        \
    "     packing: {points: {spacing: 1 cm}}, position: [0, 0, %d cm]}\n"

// Force on a floor at z = low [cm] under a block of three cells, as a share of E A / L times the way that a plate presses it.
static double press_block(double friction, int low)
{
    const double way = 3e-3;
    char text[2048];
    snprintf(text, sizeof text,
             PRESS PRESSED
             "obstacles:\n"
             "  - {name: floor, plane: {point: [0, 0, %d cm], normal: [0, 0, 1]}}\n"
             "  - {name: press, box: [12 cm, 12 cm, 4 cm], position: [0, 0, %d cm],\n"
             "     motion: {table: [{time: 0}, {time: 60 ms, translation: [0, 0, -3 mm]}]}}\n",
             friction, low, low + 3, low, low + 8);
    stage s = set(text, 2);
    double worst = worst_balance(&s, 0.07, 7);
    sherd_world_reset_probes(s.world);
    go(&s, 0.09);
    double force = -sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.z;
    cr_assert(lt(dbl, worst, 0.01), "%g", worst); // of order dt
    strike(&s);
    return force / (20e6 * 0.06 * way);
}

// Of a block of three cells, whatever its friction and wherever faces lie in their cells: 0.86.
Test(point_bodies, a_block_between_obstacles_is_as_stiff_as_its_material)
{
    static const double FRICTION[3] = {0.0, 0.01, 0.6};
    for (int k = 0; k < 3; ++k) {
        double at_nodes = press_block(FRICTION[k], 0), between = press_block(FRICTION[k], 1);
        cr_assert(all(lt(dbl, 0.84, at_nodes), lt(dbl, at_nodes, 1.0)), "%g with %g", at_nodes,
                  FRICTION[k]);
        cr_assert(lt(dbl, fabs(between - at_nodes), 0.01), "%g with %g", between, FRICTION[k]);
    }
}

Test(point_bodies, two_blocks_on_each_other_have_no_dead_zone)
{
    char text[2048];
    snprintf(text, sizeof text,
             PRESS PRESSED PRESSED
             "obstacles:\n"
             "  - {name: floor, sticky: true, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
             "  - {name: press, sticky: true, box: [12 cm, 12 cm, 4 cm], position: [0, 0, 14 cm],\n"
             "     motion: {table: [{time: 0}, {time: 20 ms, translation: [0, 0, -1 mm]}]}}\n",
             0.6, 3, 3, 9, 9);
    stage s = set(text, 2);
    go(&s, 0.04);
    sherd_world_reset_probes(s.world);
    go(&s, 0.06);
    double force = -sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.z,
           share = force / (20e6 * 0.03 * 1e-3);
    cr_assert(lt(dbl, 0.75, share), "%g", share); // 0.81
    cr_assert(lt(dbl, share, 1.0), "%g", share);
    strike(&s);
}

// ---------------------------------------------------------------- walls

// Falls at 2 m/s on a plate of 2 mm, a twelfth of a cell, and is at rest or on its way up again.
static double fall_on_plate(const char *material, double height)
{
    char text[2048];
    snprintf(text, sizeof text,
             JELLY "  sand: {density: 1500, youngs_modulus: 1 MPa, model: sand, "
                   "friction_angle: 35 deg}\n"
                   "  water: {density: 1000, bulk_modulus: 100 kPa, model: fluid}\n"
                   "  oil: {density: 1000, bulk_modulus: 100 kPa, model: fluid, friction: 0.3}\n"
                   "bodies:\n  - {name: lump, shape: {box: [8 cm, 8 cm, 8 cm]}, material: %s,\n"
                   "     packing: {points: {spacing: 1.25 cm}}, velocity: [0, 0, -2], position: "
                   "[0, 0, %g]}\n"
                   "obstacles:\n  - {name: plate, box: [60 cm, 60 cm, 2 mm], position: [0, 0, "
                   "%g]}\n",
             material, height + 0.043, height);
    stage s = set(text, 2);
    go(&s, 0.15);
    double lowest = lowest_of(&s);
    strike(&s);
    return lowest - (height + 0.001); // above its upper face
}

// Wherever in a cell the plate lies. Grains sink into any floor by a part of a cell.
Test(point_bodies, a_thin_plate_stops_solids_and_sand)
{
    static const double HEIGHTS[] = {0.003, 0.008, 0.018};
    for (int k = 0; k < 3; ++k) {
        double jelly = fall_on_plate("jelly", HEIGHTS[k]), sand = fall_on_plate("sand", HEIGHTS[k]);
        cr_assert(lt(dbl, 0.0, jelly), "%g at %g", jelly, HEIGHTS[k]);
        cr_assert(lt(dbl, -0.5 * 0.025, sand), "%g at %g", sand, HEIGHTS[k]);
    }
}

// At 0.3 and 0.4 of a cell above a node all of it fell through: the node next above, 0.6 of a cell and more away, did not
// know the plate, and water sank to the node below; with a friction it went on doing so.
Test(point_bodies, a_thin_plate_stops_water)
{
    static const double HEIGHTS[] = {0.0, 0.005, 0.0075, 0.01, 0.0125, 0.02};
    for (int k = 0; k < 12; k += SANITIZED ? 5 : 1) {
        double height = HEIGHTS[k / 2], water = fall_on_plate(k % 2 ? "oil" : "water", height);
        cr_assert(lt(dbl, 0.0, water), "%g at %g", water, height);
        // Nor does it float; nodes a cell above a puddle of two layers of points see it 0.3 of a cell too deep.
        cr_assert(lt(dbl, water, 0.6 * 0.025), "%g at %g", water, height);
    }
}

// How far the deepest point of water that falls into a tank and sloshes for 1.5 s gets beyond its inner faces, which turn by
// an angle about y and lie somewhere in their cells [cells].
static double deepest_in_tank(double thickness, double friction, double shift, double angle)
{
    const double h = 0.02, t = thickness * h, c = cos(angle), s = sin(angle);
    const struct {
        double size[3], at[3]; // before it is turned and shifted
    } slabs[5] = {{{0.16 + 2 * t, 0.08 + 2 * t, t}, {0, 0, -0.5 * t}},
                  {{t, 0.08 + 2 * t, 0.3}, {-0.08 - 0.5 * t, 0, 0.15}},
                  {{t, 0.08 + 2 * t, 0.3}, {0.08 + 0.5 * t, 0, 0.15}},
                  {{0.16, t, 0.3}, {0, -0.04 - 0.5 * t, 0.15}},
                  {{0.16, t, 0.3}, {0, 0.04 + 0.5 * t, 0.15}}};
    char text[4096];
    int length = snprintf(
        text, sizeof text,
        "materials:\n  water: {density: 1000, bulk_modulus: 100 kPa, model: fluid, friction: %g}\n"
        "bodies:\n  - {name: w, shape: {box: [9 cm, 7.6 cm, 7.6 cm]}, material: water,\n"
        "     packing: {points: {spacing: 1 cm}}, position: [%.9g, %.9g, %.9g],\n"
        "     rotation: [0, %.9g rad, 0], velocity: [0, 0, -0.5]}\n"
        "obstacles:\n",
        friction, shift + c * -0.03 + s * 0.04, shift, shift + s * 0.03 + c * 0.04, angle);
    for (int k = 0; k < 5; ++k)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     "  - {name: o%d, box: [%.9g, %.9g, %.9g], position: [%.9g, %.9g, %.9g],\n"
                     "     rotation: [0, %.9g rad, 0]}\n",
                     k, slabs[k].size[0], slabs[k].size[1], slabs[k].size[2],
                     shift + c * slabs[k].at[0] + s * slabs[k].at[2], shift + slabs[k].at[1],
                     shift - s * slabs[k].at[0] + c * slabs[k].at[2], angle);
    stage tank = set(text, 2);
    go(&tank, 1.5);
    sherd_element_view e = sherd_world_elements(tank.world);
    double deepest = -INFINITY;
    for (int k = 0; k < e.count; ++k) {
        double x = e.x[k] - shift, y = e.y[k] - shift, z = e.z[k] - shift;
        double along = c * x - s * z, up = s * x + c * z;
        deepest = fmax(deepest, fmax(-up, fmax(fabs(along) - 0.08, fabs(y) - 0.04)));
    }
    strike(&tank);
    return deepest / h;
}

// It crept 0.8 to 1.1 cells into slanting walls two cells thick within 1 s, and came out at their far side within 4 s.
Test(point_bodies, water_stays_in_a_tank)
{
    if (SANITIZED) return;
    static const double THICKNESS[] = {2.0, 1.0, 0.1}, FRICTION[] = {0.0, 0.3};
    static const double SHIFT[] = {0.0, 0.008, 0.011}, ANGLE[] = {0.0, 0.35, 0.6};
    for (int k = 0; k < 9; ++k) { // each wall at each place, with and without friction
        int place = k % 3, wall = k / 3;
        double deepest =
            deepest_in_tank(THICKNESS[wall], FRICTION[k % 2], SHIFT[place], ANGLE[place]);
        cr_assert(lt(dbl, deepest, 0.25), "%g: walls of %g, place %d", deepest, THICKNESS[wall],
                  place);
    }
}

// A pool of 20 cm square, 10 cm deep, in cells of 2 cm: force on one of its walls over that of hydrostatic pressure.
static double lean_of_pool(double shift)
{
    const double side = 0.2, depth = 0.1;
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  water: {density: 1000, bulk_modulus: 100 kPa, model: fluid}\n"
             "bodies:\n  - {name: pool, shape: {box: [20 cm, 20 cm, 10 cm]}, material: water,\n"
             "     packing: {points: {spacing: 1 cm}}, position: [%g, 0, %g]}\n"
             "obstacles:\n"
             "  - {name: west, plane: {point: [%g, 0, 0], normal: [1, 0, 0]}}\n"
             "  - {name: east, plane: {point: [%g, 0, 0], normal: [-1, 0, 0]}}\n"
             "  - {name: south, plane: {point: [0, -10 cm, 0], normal: [0, 1, 0]}}\n"
             "  - {name: north, plane: {point: [0, 10 cm, 0], normal: [0, -1, 0]}}\n"
             "  - {name: floor, plane: {point: [0, 0, %g], normal: [0, 0, 1]}}\n",
             shift, 0.5 * depth + shift, shift - 0.5 * side, shift + 0.5 * side, shift);
    stage s = set(text, 2);
    go(&s, 0.8);
    sherd_world_reset_probes(s.world);
    go(&s, 1.2);
    double force = -sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.x;
    double floor = -sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[4]).force.z;
    double weight = 1000 * side * side * depth * 9.81;
    cr_assert(lt(dbl, fabs(floor - weight), 0.01 * weight), "%g, not %g", floor, weight);
    strike(&s);
    return force / (0.5 * weight * depth / side);
}

// With nodes at rest on both sides of the lowest cell its water bore no pressure: 0.62 and 0.68. The rest goes with the
// cell: 0.97 in cells of 1 cm.
Test(point_bodies, water_leans_on_walls)
{
    double on_nodes = lean_of_pool(0.0), between = lean_of_pool(0.007);
    cr_assert(all(lt(dbl, 0.85, on_nodes), lt(dbl, on_nodes, 1.05)), "%g", on_nodes);
    cr_assert(all(lt(dbl, 0.85, between), lt(dbl, between, 1.05)), "%g", between);
}

// Momentum that gravity along a floor gives to a cube of water, as a share of what it would give without friction.
static double slide_water(const char *friction)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  water: {density: 1000, bulk_modulus: 100 kPa, model: fluid%s}\n"
             "bodies:\n  - {name: drop, shape: {box: [8 cm, 8 cm, 4 cm]}, material: water,\n"
             "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 2 cm]}\n" FLOOR
             "gravity: [2, 0, -10]\n",
             friction);
    stage s = set(text, 2);
    double mass = 1000 * 0.08 * 0.08 * 0.04;
    go(&s, 0.1);
    double share = sherd_world_momentum(s.world).x / (mass * 2 * 0.1);
    strike(&s);
    return share;
}

Test(point_bodies, walls_hold_up_no_fluid_unless_the_scene_says_so)
{
    double share = slide_water(""), held = slide_water(", friction: 0.3");
    // Velocities are those in the middle of steps, whose length of 1 ms at most changes: half a step of 100.
    cr_assert(lt(dbl, fabs(share - 1.0), 0.005), "%g", share);
    // It is two cells deep and has no viscosity: the floor holds what is in the lower one.
    cr_assert(lt(dbl, held, 0.75), "%g", held);
    cr_assert(isnan(sherd_material_def_default().friction));
}

static const char *const MEETING =
    JELLY "bodies:\n"
          "  - {name: a, shape: {sphere: 5 cm}, packing: {points: {spacing: 1.25 cm}},\n"
          "     material: jelly, velocity: [1, 0, 0]}\n"
          "  - {name: b, shape: {box: [10 cm, 8 cm, 6 cm]}, material: jelly,\n"
          "     packing: {points: {spacing: 1.25 cm}}, position: [14 cm, 2 cm, 1 cm],\n"
          "     rotation: [20 deg, 0, 30 deg]}\n"
          "gravity: [0, 0, 0]\n";

// Along x, of the first so many points [m/s].
static double mean_speed(const stage *s, sherd_element_index count)
{
    sherd_element_view view = sherd_world_elements(s->world);
    double sum = 0.0;
    for (sherd_element_index k = 0; k < count; ++k)
        sum += view.vx[k];
    return sum / count;
}

Test(point_bodies, bodies_that_meet_keep_momentum)
{
    stage s = set(MEETING, 2);
    sherd_vec3 before = sherd_world_momentum(s.world);
    double worst = worst_balance(&s, 0.1, 8);
    sherd_vec3 after = sherd_world_momentum(s.world);
    sherd_energy e = sherd_world_energy(s.world);
    double scale = before.x;
    cr_assert(lt(dbl, fabs(after.x - before.x) + fabs(after.y) + fabs(after.z), 1e-12 * scale));
    cr_assert(lt(dbl, mean_speed(&s, s.build.packings[0]->count), 0.8)); // they met
    cr_assert(lt(dbl, fabs(e.dissipated_contact),
                 1e-3 * 0.5 * scale)); // and springs gave back what they took
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    strike(&s);
}

static const char *const PLAY =
    "materials:\n"
    "  jelly: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, model: corotated}\n"
    "  sand: {density: 1600, youngs_modulus: 300 kPa, model: sand, friction_angle: 35 deg}\n"
    "bodies:\n"
    "  - {name: a, shape: {box: [10 cm, 10 cm, 5 cm]}, packing: {points: {spacing: 1.25 cm}},\n"
    "     material: jelly, position: [0, 0, 3 cm]}\n"
    "  - {name: b, shape: {box: [6 cm, 6 cm, 6 cm]}, packing: {points: {spacing: 1.25 cm}},\n"
    "     material: sand, position: [1 cm, 0, 9 cm], velocity: [0, 0, -1]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "  - {name: plough, sphere: 4 cm, position: [-12 cm, 0, 4 cm],\n"
    "     motion: {table: [{time: 0 s}, {time: 1 s, translation: [1, 0, 0]}]}}\n";

static uint64_t play(int threads, double *balance)
{
    stage s = set(PLAY, threads);
    *balance = worst_balance(&s, 0.06, 3);
    uint64_t hash = sherd_world_state_hash(s.world);
    strike(&s);
    return hash;
}

Test(point_bodies, the_same_bits_for_all_threads)
{
    double balance;
    uint64_t one = play(1, &balance);
    cr_assert(lt(dbl, balance, 0.01), "%g", balance);
    static const int THREADS[] = {2, 3, 8};
    for (int k = 0; k < 3; ++k)
        cr_assert(eq(u64, play(THREADS[k], &balance), one));
}

Test(point_bodies, a_resumed_world_goes_on_bit_for_bit)
{
    static const int STOP = 37;
    check_resumed(PLAY, 0.06, &STOP, 1);
}

// Pulled by its ends: the stress of a bar held by its ends, and the work that goes into it.
Test(point_bodies, a_driver_stretches_a_bar)
{
    stage s = set("materials:\n  bar: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0,\n"
                  "    model: hencky}\n"
                  "bodies:\n  - {name: bar, shape: {box: [40 cm, 5 cm, 5 cm]}, material: bar,\n"
                  "     packing: {points: {spacing: 1.25 cm}}}\n"
                  "drivers:\n"
                  "  - {name: left, body: bar, region: {box: [5 cm, 1, 1], position: [-20 cm, 0, "
                  "0]}, motion: {table: [{time: 0 s}, {time: 1 s}]}}\n"
                  "  - {name: right, body: bar, region: {box: [5 cm, 1, 1], position: [20 cm, 0, "
                  "0]},\n"
                  "     motion: {table: [{time: 0 s}, {time: 0.2 s, translation: [8 mm, 0, 0]}]}}\n"
                  "gravity: [0, 0, 0]\n",
                  2);
    double worst = worst_balance(&s, 0.3, 6);
    sherd_world_reset_probes(s.world);
    go(&s, 0.4);
    sherd_probe_reading right = sherd_world_probe_driver(s.world, s.build.driver_ids[1]);
    // Between the held ends are 35 cm; half a cell of either follows in part.
    double strain = 0.008 / 0.35, force = 1e6 * log(1.0 + strain) * 0.05 * 0.05 / (1.0 + strain);
    cr_assert(lt(dbl, fabs(-right.force.x - force), 0.1 * force), "%g, not %g", right.force.x,
              force);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    strike(&s);
}

// Without a table the drive begins at full speed: what that takes is the driver's work, counted once.
static sherd_energy energy_of_jerk(const char *transfer, double *worst)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  bar: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.2,\n"
             "    model: corotated}\n"
             "bodies:\n  - {name: bar, shape: {box: [15 cm, 4 cm, 4 cm]}, material: bar,\n"
             "     packing: {points: {spacing: 1 cm}}}\n"
             "drivers:\n"
             "  - {name: left, body: bar, region: {box: [3 cm, 1, 1], position: [-7 cm, 0, 0]},\n"
             "     hold: true}\n"
             "  - {name: right, body: bar, region: {box: [3 cm, 1, 1], position: [7 cm, 0, 0]},\n"
             "     motion: {velocity: [0.2, 0, 0]}}\n"
             "gravity: [0, 0, 0]\nsolver: {transfer: %s}\n",
             transfer);
    stage s = set(text, 1);
    *worst = worst_balance(&s, 0.03, 6);
    sherd_energy energy = sherd_world_energy(s.world);
    strike(&s);
    return energy;
}

Test(point_bodies, a_driver_begins_at_full_speed)
{
    double worst = 0.0;
    sherd_energy flip = energy_of_jerk("flip", &worst);
    cr_assert(lt(dbl, worst, 0.01), "%g",
              worst); // first and second step: 6 % of what is there by 5 ms
    // With APIC transfers take, and little where all is slow.
    sherd_energy apic = energy_of_jerk("apic", &worst);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    cr_assert(lt(dbl, 0.0, apic.dissipated_integration), "%g", apic.dissipated_integration);
    cr_assert(lt(dbl, apic.dissipated_integration, 0.05 * apic.work), "%g of %g",
              apic.dissipated_integration, apic.work);
    cr_assert(lt(dbl, fabs(apic.elastic - flip.elastic), 0.02 * flip.elastic));
}

// A block is pressed by 1 cm/s for 0.35 s, the energy looked at as runs do. By then `stored` is what it holds, of the
// press's work.
static sherd_status press(const char *solver, double *stored, sherd_error *error)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  stone: {density: 2000, youngs_modulus: 20 MPa, poissons_ratio: 0.2,\n"
             "    model: corotated, friction: 0.6}\n"
             "bodies:\n  - {name: block, shape: {box: [6 cm, 6 cm, 6 cm]}, material: stone,\n"
             "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 3 cm]}\n" FLOOR
             "  - {name: press, box: [12 cm, 12 cm, 4 cm], position: [0, 0, 8 cm],\n"
             "     motion: {velocity: [0, 0, -10 mm/s]}}\n"
             "gravity: [0, 0, 0]\nsolver: {%s}\n",
             solver);
    stage s = set(text, 1);
    sherd_status status = SHERD_OK;
    for (int k = 1; k <= 7 && status == SHERD_OK; ++k) {
        status = sherd_world_advance(s.world, 0.05 * k, error);
        if (status == SHERD_OK) status = sherd_world_check(s.world, error);
    }
    sherd_energy e = sherd_world_energy(s.world);
    *stored = e.elastic / e.work;
    strike(&s);
    return status;
}

// What is pressed has contact take and transfers give, a quarter of the press's work each by 0.3 s, together nothing: runs
// were stopped for that.
Test(point_bodies, a_press_does_not_stop_the_run)
{
    const char *const solvers[] = {"safety: 0.85", "transfer: apic"};
    for (int k = 0; k < 2; ++k) {
        sherd_error error;
        double stored;
        sherd_status status = press(solvers[k], &stored, &error);
        cr_assert(eq(int, (int)status, SHERD_OK), "%s: %s", solvers[k], error.what);
        // 0.83 are stored: contact takes a sixth while the press goes on through its nodes (docs/notebook/material-points.md), friction 1 %.
        cr_assert(lt(dbl, 0.78, stored), "%s: %g", solvers[k], stored);
        cr_assert(lt(dbl, stored, 1.0), "%s: %g", solvers[k], stored);
    }
}

Test(point_bodies, too_long_steps_stop_the_run)
{
    sherd_error error;
    double stored;
    const char *const solvers[] = {"time_step: 0.25 ms, transfer: flip", "time_step: 0.3 ms",
                                   "time_step: 0.3 ms, transfer: apic"};
    for (int k = 0; k < 3; ++k) { // 2.2 and 2.6 times the limit: with gradients 2.2 is borne
        sherd_status status = press(solvers[k], &stored, &error);
        cr_assert(eq(int, (int)status, SHERD_ERROR_UNSTABLE), "%s", solvers[k]);
    }
}

// The largest error of the balance of a cube that hits a floor and flows.
static double worst_of_crush(const char *material)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  stuff: {%s}\n"
             "bodies:\n  - {name: block, shape: {box: [12 cm, 12 cm, 12 cm]}, material: stuff,\n"
             "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 6.1 cm],\n"
             "     velocity: [0, 0, -3]}\n" FLOOR,
             material);
    stage s = set(text, 2);
    double start = sherd_world_energy(s.world).kinetic, worst = worst_balance(&s, 0.05, 5);
    double flowed = sherd_world_energy(s.world).dissipated_plastic;
    cr_assert(lt(dbl, 0.4 * start, flowed), "%g of %g: %s", flowed, start, material);
    strike(&s);
    return worst;
}

// What flows within a step does so under the mean of the stresses at both of its ends. With that at its end alone more than
// 5 % of the energy of snow came from nowhere, which stops a run, and 3 % of that of sand was missing.
Test(point_bodies, what_is_crushed_takes_what_it_had)
{
    double snow = worst_of_crush("density: 400, youngs_modulus: 140 kPa, poissons_ratio: 0.2, "
                                 "model: snow, friction: 0.5"),
           sand = worst_of_crush("density: 1500, youngs_modulus: 1 MPa, model: sand, "
                                 "friction_angle: 35 deg, friction: 0.5");
    cr_assert(lt(dbl, snow, 0.01), "%g", snow); // of order dt
    cr_assert(lt(dbl, sand, 0.01), "%g", sand); // likewise
}

// The share of the spin that FLIP leaves to a body of six cells.
static double spin_left(const char *safety)
{
    char text[1024];
    snprintf(text, sizeof text,
             JELLY "bodies:\n  - {name: block, shape: {cylinder: {radius: 3 cm, height: 4 cm}},\n"
                   "     material: jelly, packing: {points: {spacing: 5 mm}},\n"
                   "     angular_velocity: [0, 0, 30]}\n"
                   "gravity: [0, 0, 0]\nsolver: {transfer: flip, safety: %s}\n",
             safety);
    stage s = set(text, 1);
    double before = sherd_world_angular_momentum(s.world).z;
    go(&s, 0.05);
    double after = sherd_world_angular_momentum(s.world).z;
    strike(&s);
    return after / before;
}

// PIC's share damps by time: when it went by steps, a tenth of the step left no spin at all.
Test(point_bodies, short_steps_damp_no_more)
{
    double usual = spin_left("0.85"), less = spin_left("0.34"), tenth = spin_left("0.085");
    cr_assert(all(lt(dbl, 0.25, usual), lt(dbl, usual, 0.5)), "%g", usual);
    cr_assert(lt(dbl, fabs(less - usual), 0.04), "%g, not %g", less, usual); // of order dt
    cr_assert(lt(dbl, fabs(tenth - usual), 0.08), "%g, not %g", tenth, usual);
}

// With a share of FLIP the nodes' angular momentum is kept, of points half a per cent is lost in that time.
static void spin_with(const char *solver)
{
    char text[1024];
    snprintf(text, sizeof text,
             JELLY "bodies:\n  - {name: block, shape: {cylinder: {radius: 3 cm, height: 4 cm}},\n"
                   "     material: jelly, packing: {points: {spacing: 5 mm}},\n"
                   "     angular_velocity: [0, 0, 30]}\n"
                   "gravity: [0, 0, 0]\nsolver: {%s}\n",
             solver);
    stage s = set(text, 1);
    sherd_vec3 before = sherd_world_angular_momentum(s.world);
    go(&s, 0.02);
    sherd_vec3 after = sherd_world_angular_momentum(s.world);
    // Of points alone, and with what each has within its cell: 15 % of so small a body's.
    double least = 0.99 * before.z, most = 1.16 * before.z;
    cr_assert(lt(dbl, least, after.z), "%s: %g of %g", solver, after.z, before.z);
    cr_assert(lt(dbl, after.z, most), "%s: %g of %g", solver, after.z, before.z);
    strike(&s);
}

// What spins freely goes on with APIC: angular momentum is kept from the first step on.
Test(point_bodies, what_spins_goes_on)
{
    spin_with("transfer: apic"), spin_with("transfer: affine");
}

// Orientations are found when someone looks: as far as the body has turned, whoever looked before, and without a change of state.
Test(point_bodies, orientations_follow_whoever_looks)
{
    static const char *const SPIN =
        JELLY "bodies:\n  - {name: block, shape: {cylinder: {radius: 3 cm, height: 4 cm}},\n"
              "     material: jelly, packing: {points: {spacing: 1 cm}},\n"
              "     angular_velocity: [0, 0, 30]}\n"
              "gravity: [0, 0, 0]\nsolver: {transfer: apic, flip: 0.95}\n";
    const double until = 0.02;
    stage seen = set(SPIN, 1), unseen = set(SPIN, 1);
    sherd_error error;
    while (sherd_world_time(seen.world) < until) { // stops after some steps leave these as they are
        cr_assert(sherd_world_advance_towards(seen.world, until, 3, &error) == SHERD_OK);
        sherd_world_elements(seen.world);
    }
    go(&unseen, until);
    cr_assert(eq(u64, sherd_world_state_hash(seen.world), sherd_world_state_hash(unseen.world)));
    stage again = restored(SPIN, 1, &unseen);
    sherd_element_view a = sherd_world_elements(seen.world), b = sherd_world_elements(unseen.world),
                       c = sherd_world_elements(again.world);
    double cosine = 0.0;
    for (int k = 0; k < a.count; ++k) {
        cr_assert(all(eq(dbl, a.qz[k], b.qz[k]), eq(dbl, a.qw[k], b.qw[k])));
        cr_assert(all(eq(dbl, a.qz[k], c.qz[k]), eq(dbl, a.qw[k], c.qw[k])));
        cosine += a.qw[k] / a.count;
    }
    double right = cos(0.5 * 30.0 * until);
    cr_assert(lt(dbl, fabs(cosine - right), 0.01), "%g, not %g", cosine, right); // 1 where unturned
    strike(&seen), strike(&unseen), strike(&again);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAX_GRAINS = 8192 };

// Within what distance of the axis 98 % of all points are, and all [m].
static void fronts_of(const stage *s, double out[2])
{
    static double front[MAX_GRAINS];
    sherd_element_view view = sherd_world_elements(s->world);
    int count = (int)view.count < MAX_GRAINS ? (int)view.count : MAX_GRAINS;
    for (int k = 0; k < count; ++k)
        front[k] = hypot(view.x[k], view.y[k]);
    qsort(front, (size_t)count, sizeof *front, by_size);
    out[0] = front[(int)(0.98 * count)], out[1] = front[count - 1];
}

// A cylinder as high as its radius r runs out by 1.24 r (Lube, Huppert, Sparks, Hallworth, Journal of Fluid Mechanics 508,
// 2004), here 98 % of its points, give or take a fifth on a grid of a fifth of r, wherever the floor lies in its cell: nodes
// that held the sand above the floor made it 0.74 and 1.03. Sand rests on the floor, where it crept 0.2 of a cell into it.
static void run_out(double floor)
{
    double front[2], later[2];
    char text[1024];
    snprintf(
        text, sizeof text,
        "materials:\n  sand: {density: 1600, youngs_modulus: 100 kPa, poissons_ratio: 0.2,\n"
        "    model: sand, friction_angle: 30 deg, friction: 0.5}\n"
        "bodies:\n  - {name: heap, shape: {cylinder: {radius: 5 cm, height: 5 cm}},\n"
        "     packing: {points: {spacing: 5 mm}}, material: sand, position: [0, 0, %g]}\n"
        "obstacles:\n  - {name: floor, friction: 0.5, plane: {point: [0, 0, %g], normal: [0, 0, "
        "1]}}\n",
        floor + 0.025, floor);
    stage s = set(text, 2);
    double worst = worst_balance(&s, 0.5, 5), lowest = lowest_of(&s) - floor;
    fronts_of(&s, front);
    double way = front[0] / 0.05 - 1.0;
    cr_assert(lt(dbl, fabs(way - 1.24), 0.2 * 1.24), "%g at %g", way, floor);
    cr_assert(lt(dbl, -0.14 * 0.01, lowest), "%g at %g", lowest, floor);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst); // of order dt
    // Then it rests. Lone grains swelled, lifted off the floor and drifted outwards for ever: by 1 mm and 15 mm in this time.
    go(&s, 0.7);
    fronts_of(&s, later);
    cr_log_info("98 %% within %g, then %g; all within %g, then %g", front[0], later[0], front[1],
                later[1]);
    cr_assert(lt(dbl, later[0] - front[0], 0.01 * 0.05), "%g at %g", later[0] - front[0], floor);
    cr_assert(lt(dbl, later[1] - front[1], 0.04 * 0.05), "%g at %g", later[1] - front[1], floor);
    strike(&s);
}

Test(point_bodies, a_column_of_sand_runs_out)
{
    run_out(0.0);
    if (!SANITIZED) run_out(0.005);
}

static sherd_vec3 mean_place(const stage *s)
{
    sherd_element_view view = sherd_world_elements(s->world);
    sherd_vec3 sum = {0.0, 0.0, 0.0};
    for (sherd_element_index k = 0; k < view.count; ++k)
        sum.x += view.x[k], sum.y += view.y[k], sum.z += view.z[k];
    double count = (double)view.count;
    return (sherd_vec3){sum.x / count, sum.y / count, sum.z / count};
}

// In a box that leans by 16 degrees, less than the 26.6 at which it would flow without walls. While walls left some approach
// in each step it slid on by 2.5 mm/s, and sank.
Test(point_bodies, a_bed_of_sand_rests)
{
    const char *text =
        "materials:\n  sand: {density: 1600, youngs_modulus: 1 MPa, model: sand,\n"
        "    friction_angle: 30 deg}\n"
        "bodies:\n  - {name: bed, shape: {box: [30 cm, 4 cm, 8 cm]}, material: sand,\n"
        "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 4 cm]}\n"
        "obstacles:\n  - {name: floor, sticky: true, plane: {point: [0, 0, 0], normal: [0, 0, "
        "1]}}\n"
        "  - {name: a, friction: 0, plane: {point: [0, 2 cm, 0], normal: [0, -1, 0]}}\n"
        "  - {name: b, friction: 0, plane: {point: [0, -2 cm, 0], normal: [0, 1, 0]}}\n"
        "  - {name: c, friction: 0, plane: {point: [15 cm, 0, 0], normal: [-1, 0, 0]}}\n"
        "  - {name: d, friction: 0, plane: {point: [-15 cm, 0, 0], normal: [1, 0, 0]}}\n"
        "gravity: [2.704, 0, -9.43]\n";
    stage s = set(text, 2);
    go(&s, 0.3);
    sherd_vec3 before = mean_place(&s);
    go(&s, 0.5);
    sherd_vec3 after = mean_place(&s);
    cr_assert(lt(dbl, fabs(after.x - before.x), 0.01 * 0.02), "%g", after.x - before.x);
    cr_assert(lt(dbl, fabs(after.z - before.z), 0.01 * 0.02), "%g", after.z - before.z);
    strike(&s);
}

// Sand at rest in an open tank of five boxes for a while: grains moved by 2 to 5 mm/s for ever, the bed crept by 0.1 mm/s into
// the tank, and grains of a shaken lattice came out below the floor after 10 s.
static void rest_in_tank(double jitter, double least)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  sand: {density: 1600, youngs_modulus: 1 MPa, model: sand,\n"
             "    friction_angle: 35 deg}\n"
             "bodies:\n  - {name: bed, shape: {box: [10 cm, 10 cm, 5 cm]}, material: sand,\n"
             "     packing: {points: {spacing: 1.25 cm, jitter: %g}}, position: [0, 0, 2.5 cm]}\n"
             "obstacles:\n  - {name: floor, box: [14 cm, 14 cm, 2 cm], position: [0, 0, -1 cm]}\n"
             "  - {name: a, box: [2 cm, 10 cm, 10 cm], position: [-6 cm, 0, 5 cm]}\n"
             "  - {name: b, box: [2 cm, 10 cm, 10 cm], position: [6 cm, 0, 5 cm]}\n"
             "  - {name: c, box: [14 cm, 2 cm, 10 cm], position: [0, -6 cm, 5 cm]}\n"
             "  - {name: d, box: [14 cm, 2 cm, 10 cm], position: [0, 6 cm, 5 cm]}\n",
             jitter);
    stage s = set(text, 2);
    const double span = 1.5;
    go(&s, 1.0);
    double before = mean_place(&s).z, low = lowest_of(&s);
    go(&s, 1.0 + span);
    double creep = (mean_place(&s).z - before) / span;
    // half of what it was; the shaken lattice is still settling by 0.03 mm/s
    cr_assert(lt(dbl, fabs(creep), 0.06e-3), "%g", creep);
    cr_assert(lt(dbl, fabs(lowest_of(&s) - low), 0.02 * 0.0125), "%g", lowest_of(&s) - low);
    cr_assert(lt(dbl, least, lowest_of(&s)), "%g", lowest_of(&s));
    // 0.1 to 0.2 mm/s; 1.2 before. 0.8 kg
    double speed = sqrt(2.0 * sherd_world_energy(s.world).kinetic / 0.8);
    cr_assert(lt(dbl, speed, 0.4e-3), "%g", speed);
    strike(&s);
}

Test(point_bodies, sand_rests_in_a_tank)
{
    rest_in_tank(0.0, 0.4 * 0.0125);
    rest_in_tank(0.3, 0.15 * 0.0125);
}
