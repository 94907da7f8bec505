// Bodies of elements and free rigid bodies beside bodies of material points: momentum, weight, friction, energy, breaking,
// the same bits for all threads and after resuming.
#include "sanitized.h"
#include "scene_stage.h"

#include <stdlib.h>

// Mean velocity along z of some of the elements, and along x.
static sherd_vec3 mean_velocity(const stage *s, int first, int end)
{
    sherd_element_view e = sherd_world_elements(s->world);
    sherd_vec3 sum = {0};
    for (int k = first; k < end; ++k)
        sum.x += e.vx[k] / (end - first), sum.y += e.vy[k] / (end - first),
            sum.z += e.vz[k] / (end - first);
    return sum;
}

#define MATERIALS                                                                                  \
    "materials:\n"                                                                                 \
    "  jelly: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, model: neo_hookean,\n" \
    "    friction: 0.3}\n"                                                                         \
    "  wood: {density: 1000, youngs_modulus: 100 kPa, unbreakable: true, friction: 0.3}\n"         \
    "  sand: {density: 1500, youngs_modulus: 1 MPa, model: sand, friction_angle: 35 deg,\n"        \
    "    friction: 0.5}\n"

// ---------------------------------------------------------------- momentum

static const char *const MEETING =
    MATERIALS "bodies:\n"
              "  - {name: a, shape: {sphere: 5 cm}, packing: {cubic: {radius: 1 cm}},\n"
              "     material: wood, velocity: [1, 0, 0]}\n"
              "  - {name: b, shape: {box: [10 cm, 8 cm, 6 cm]}, material: jelly,\n"
              "     packing: {points: {spacing: 1.25 cm}}, position: [14 cm, 2 cm, 1 cm],\n"
              "     rotation: [20 deg, 0, 30 deg]}\n"
              "gravity: [0, 0, 0]\n";

Test(point_elements, momentum_is_kept)
{
    stage s = set(MEETING, 2);
    sherd_vec3 before = sherd_world_momentum(s.world),
               turning = sherd_world_angular_momentum(s.world);
    double worst = worst_balance(&s, 0.1, 8);
    sherd_vec3 after = sherd_world_momentum(s.world),
               turned = sherd_world_angular_momentum(s.world);
    double scale = before.x, left = mean_velocity(&s, 0, 50).x;
    cr_assert(lt(dbl, left, 0.7), "%g", left); // they met
    double off = fabs(after.x - before.x) + fabs(after.y) + fabs(after.z);
    cr_assert(lt(dbl, off, 1e-12 * scale), "%g", off / scale);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    // About the origin: transfers of FLIP lose some of what is within a cell, as much between two bodies of points:
    // 0.0095 of the momentum times a metre, which goes with what contact gives in all.
    double twist =
        fabs(turned.x - turning.x) + fabs(turned.y - turning.y) + fabs(turned.z - turning.z);
    cr_assert(lt(dbl, twist, 0.012 * scale), "%g", twist / scale);
    strike(&s);
}

// ---------------------------------------------------------------- rebound

// Two equal blocks, one of elements and one of points, meet at 0.5 m/s. Velocity of either after it.
static void meet(bool elements_move, double *points, double *elements)
{
    char text[2048];
    snprintf(text, sizeof text,
             MATERIALS "bodies:\n"
                       "  - {name: a, shape: {box: [10 cm, 10 cm, 20 cm]}, material: wood,\n"
                       "     packing: {cubic: {radius: 1.25 cm}}, velocity: [0, 0, %g]}\n"
                       "  - {name: b, shape: {box: [10 cm, 10 cm, 20 cm]}, material: jelly,\n"
                       "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 20.2 cm],\n"
                       "     velocity: [0, 0, %g]}\n"
                       "gravity: [0, 0, 0]\n",
             elements_move ? 0.5 : 0.0, elements_move ? 0.0 : -0.5);
    stage s = set(text, 2);
    int count = sherd_world_elements(s.world).count;
    go(&s, 0.2);
    *elements = mean_velocity(&s, 0, 128).z, *points = mean_velocity(&s, 128, count).z;
    strike(&s);
}

Test(point_elements, blocks_rebound_whichever_of_them_moves)
{
    double points[2], elements[2];
    meet(true, &points[0], &elements[0]);
    meet(false, &points[1], &elements[1]);
    double one = (points[0] - elements[0]) / 0.5, other = (points[1] - elements[1]) / 0.5;
    cr_assert(lt(dbl, fabs(one - other), 0.1), "%g and %g", one, other);
    // A share of the momentum turns lattices of elements, which are no wider than a cell, into vibrations.
    cr_assert(lt(dbl, 0.5, one), "%g", one); // 0.45 before contact foresaw what bonds do in a step
    cr_assert(lt(dbl, one, 1.0), "%g", one);
}

// ---------------------------------------------------------------- weight

#define BED                                                                                        \
    "  - {name: bed, shape: {box: [20 cm, 20 cm, 5 cm]}, position: [0, 0, 2.5 cm],\n"              \
    "     packing: {points: {spacing: 1.25 cm}}, material: sand}\n"
#define BIN                                                                                        \
    "obstacles:\n"                                                                                 \
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"                            \
    "  - {name: west, friction: 0, plane: {point: [-10 cm, 0, 0], normal: [1, 0, 0]}}\n"           \
    "  - {name: east, friction: 0, plane: {point: [10 cm, 0, 0], normal: [-1, 0, 0]}}\n"           \
    "  - {name: south, friction: 0, plane: {point: [0, -10 cm, 0], normal: [0, 1, 0]}}\n"          \
    "  - {name: north, friction: 0, plane: {point: [0, 10 cm, 0], normal: [0, -1, 0]}}\n"

Test(point_elements, a_block_on_sand_weighs_what_it_does)
{
    if (SANITIZED) return; // the stone below falls on sand, too
    stage s =
        set(MATERIALS "bodies:\n" BED
                      "  - {name: block, shape: {box: [8 cm, 8 cm, 8 cm]}, material: wood,\n"
                      "     packing: {cubic: {radius: 1 cm}}, position: [0, 0, 9.1 cm]}\n" BIN,
            2);
    double worst = worst_balance(&s, 0.25, 5);
    sherd_element_view e = sherd_world_elements(s.world);
    double before = e.z[e.count - 1];
    sherd_world_reset_probes(s.world);
    go(&s, 0.6);
    sherd_probe_reading floor = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]);
    double balls = 64 * 4.0 / 3.0 * M_PI * 1e-6;
    double weight = 9.81 * (1500 * 0.2 * 0.2 * 0.05 + 1000 * balls);
    cr_assert(lt(dbl, fabs(floor.force.z + weight), 0.01 * weight), "%g, not %g", floor.force.z,
              weight);
    double sunk = before - sherd_world_elements(s.world).z[e.count - 1];
    cr_assert(lt(dbl, fabs(sunk), 0.05 * 0.025), "%g", sunk); // of a cell: it does not creep
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);             // of first order in the step
    strike(&s);
}

// How far a block sinks within 0.3 s, from 0.3 s on, that lies on jelly [m]. A heavy one swings for longer, with 11 Hz: both
// heights are means over one period.
static double sinking(const char *stiffness, double density, double safety)
{
    char text[2048];
    snprintf(text, sizeof text,
             MATERIALS "  block: {density: %g, youngs_modulus: %s, unbreakable: true}\n"
                       "bodies:\n"
                       "  - {name: bed, shape: {box: [20 cm, 20 cm, 5 cm]}, material: jelly,\n"
                       "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 2.5 cm]}\n"
                       "  - {name: block, shape: {box: [8 cm, 8 cm, 8 cm]}, material: block,\n"
                       "     packing: {cubic: {radius: 1 cm}}, position: [0, 0, 9.1 cm]}\n"
                       "obstacles:\n"
                       "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                       "solver: {safety: %g}\n",
             density, stiffness, safety);
    stage s = set(text, 2);
    double height[2] = {0.0, 0.0};
    enum { LOOKS = 12 };
    for (int k = 0; k < 2 * LOOKS; ++k) {
        go(&s, 0.3 + 0.3 * (k / LOOKS) + 0.09 * (k % LOOKS) / LOOKS);
        sherd_element_view e = sherd_world_elements(s.world);
        for (int n = e.count - 64; n < e.count; ++n)
            height[k / LOOKS] += e.z[n] / (64 * LOOKS);
    }
    strike(&s);
    return height[0] - height[1];
}

// Where contact at nodes did not foresee weight, blocks sank by 0.7 to 1.7 mm in that time, until surfaces overlapped.
Test(point_elements, blocks_do_not_sink_into_what_they_lie_on)
{
    const double most[4] = {sinking("20 MPa", 1000, 0.85),
                            SANITIZED ? 0.0 : sinking("100 kPa", 50, 0.85),
                            SANITIZED ? 0.0 : sinking("100 kPa", 8000, 0.85),
                            SANITIZED ? 0.0 : sinking("100 kPa", 1000, 0.4)};
    for (int k = 0; k < 4; ++k) {
        cr_assert(lt(dbl, fabs(most[k]), 0.2e-3), "%d: %g", k, most[k]);
    }
}

// ---------------------------------------------------------------- stress

#define STONE_AND_BED                                                                              \
    "materials:\n"                                                                                 \
    "  jelly: {density: 1600, youngs_modulus: 2 MPa, poissons_ratio: 0.3, model: neo_hookean}\n"   \
    "  sand: {density: 1600, youngs_modulus: 2 MPa, poissons_ratio: 0.3, model: sand,\n"           \
    "    friction_angle: 32 deg, friction: 0.5}\n"                                                 \
    "  stone: {density: 2300, youngs_modulus: 20 MPa, tensile_strength: %s,\n"                     \
    "    shear_strength: %s, friction: 0.6}\n"                                                     \
    "solver: {safety: %g}\n"                                                                       \
    "obstacles:\n"                                                                                 \
    "  - {name: floor, plane: {point: [0, 0, -48 mm], normal: [0, 0, 1]}}\n"                       \
    "bodies:\n"                                                                                    \
    "  - {name: bed, shape: {box: [96 mm, 96 mm, 48 mm]}, packing: {points: {spacing: 8 mm}},\n"   \
    "     material: %s, position: [0, 0, -24 mm]}\n"

static double mean_stress_ratio(const stage *s)
{
    int64_t count = sherd_world_bonds(s->world).count;
    sherd_bond_load *loads = malloc((size_t)count * sizeof *loads);
    sherd_world_bond_loads(s->world, loads);
    double sum = 0.0;
    for (int64_t k = 0; k < count; ++k)
        sum += loads[k].stress_ratio / (double)count;
    free(loads);
    return sum;
}

// Of a block that lies on jelly, at the end of some steps.
static double stress_at_rest(double safety)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        STONE_AND_BED
        "  - {name: stone, shape: {box: [40 mm, 32 mm, 32 mm]}, packing: {hcp: {radius: 2.5 mm}},\n"
        "     material: stone, position: [0, 0, 16.1 mm]}\n"
        "gravity: [0, 0, -40]\n",
        "25 MPa", "30 MPa", safety, "jelly");
    stage s = set(text, 2);
    double sum = 0.0;
    go(&s, 0.02);
    for (int k = 1; k <= 4; ++k)
        go(&s, 0.02 + 0.001 * k), sum += mean_stress_ratio(&s) / 4.0;
    strike(&s);
    return sum;
}

// Given at the ends of steps of the grid, impulses made it 3.7 times as much in long steps.
Test(point_elements, weight_gives_stress_whatever_the_step)
{
    if (SANITIZED) return;
    double usual = stress_at_rest(0.85), shorter = stress_at_rest(0.4);
    cr_assert(lt(dbl, fabs(usual - shorter), 0.3 * shorter), "%g and %g", usual, shorter);
}

// Ends the scene. Bonds that broke in it.
static int strike_counting(stage *s)
{
    sherd_bond_view bonds = sherd_world_bonds(s->world);
    int broken = 0;
    for (int k = 0; k < (int)bonds.count; ++k)
        broken += bonds.broken[k] != 0;
    strike(s);
    return broken;
}

// Bonds broken of a brittle stone that falls on sand with 2.5 m/s.
static int broken_by_sand(double safety)
{
    char text[2048];
    snprintf(text, sizeof text,
             STONE_AND_BED
             "  - {name: stone, shape: {union: [{sphere: 16 mm}, {box: [36 mm, 14 mm, 14 mm],\n"
             "     rotation: [0, 20 deg, 0]}]}, packing: {random: {radius: 2.4 mm, seed: 2}},\n"
             "     material: stone, position: [0, 0, 19 mm], velocity: [0.3, 0, -2.5]}\n",
             "25 kPa", "30 kPa", safety, "sand");
    stage s = set(text, 2);
    go(&s, 0.008);
    return strike_counting(&s);
}

// With one round of contact a step, and steps as long as elsewhere, stones sank into the sand: 0 and 41 bonds broke.
Test(point_elements, what_sand_breaks_does_not_depend_on_the_step)
{
    int usual = broken_by_sand(0.85), shorter = SANITIZED ? usual : broken_by_sand(0.4);
    cr_assert(lt(int, 500, shorter), "%d", shorter);
    cr_assert(lt(dbl, fabs((double)usual - shorter), 0.1 * shorter), "%d and %d", usual, shorter);
}

// Bonds broken, of 93, of a ball of chalk that is shot into sand with 12 m/s, half the speed of its waves.
static int broken_by_shot(double safety)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  sand: {density: 1600, youngs_modulus: 1 MPa, poissons_ratio: 0.2,\n"
             "    model: sand, friction_angle: 33 deg, friction: 0.6}\n"
             "  chalk: {density: 2200, youngs_modulus: 200 MPa, tensile_strength: 0.3 MPa,\n"
             "    shear_strength: 0.4 MPa}\n"
             "bodies:\n  - {name: bed, shape: {box: [8 cm, 8 cm, 3 cm]}, material: sand,\n"
             "     packing: {points: {spacing: 4 mm}}, position: [0, 0, 1.5 cm]}\n"
             "  - {name: shot, shape: {sphere: 1.6 cm}, packing: {hcp: {radius: 4 mm}},\n"
             "     material: chalk, position: [0, 0, 4.9 cm], velocity: [0, 0, -12]}\n"
             "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
             "solver: {safety: %g}\n",
             safety);
    stage s = set(text, 2);
    go(&s, 0.003);
    return strike_counting(&s);
}

// With steps no shorter than a tenth of the usual, 13 bonds broke by default.
Test(point_elements, what_a_fast_shot_breaks_does_not_depend_on_the_step)
{
    int usual = broken_by_shot(0.85), shorter = SANITIZED ? usual : broken_by_shot(0.425);
    cr_assert(lt(int, 85, usual), "%d", usual); // nine in ten
    cr_assert(lt(int, abs(usual - shorter), 9), "%d and %d", usual, shorter);
}

// ---------------------------------------------------------------- friction

// A block of elements on a slab that sticks to the floor. Acceleration from a time on.
static double slide(double angle, double start, double time)
{
    char text[2048];
    snprintf(text, sizeof text,
             MATERIALS "  slab: {density: 1000, youngs_modulus: 1 MPa, model: neo_hookean,\n"
                       "    friction: 0.3}\n"
                       "bodies:\n"
                       "  - {name: block, shape: {box: [10 cm, 10 cm, 5 cm]}, material: wood,\n"
                       "     packing: {cubic: {radius: 1.25 cm}}, position: [0, 0, 7.5 cm]}\n"
                       "  - {name: slab, shape: {box: [30 cm, 15 cm, 5 cm]}, material: slab,\n"
                       "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 2.5 cm]}\n"
                       "obstacles:\n  - {name: floor, sticky: true, plane: {point: [0, 0, 0],\n"
                       "     normal: [0, 0, 1]}}\n"
                       "gravity: [%.9g, 0, %.9g]\n",
             9.81 * sin(angle), -9.81 * cos(angle));
    stage s = set(text, 2);
    go(&s, start);
    double before = mean_velocity(&s, 0, 32).x;
    go(&s, start + time);
    double gained = mean_velocity(&s, 0, 32).x - before;
    strike(&s);
    return gained / time;
}

Test(point_elements, a_block_slides_on_points_as_coulomb_has_it)
{
    double angle = 0.5, a = slide(angle, 0.05, 0.15),
           right = 9.81 * (sin(angle) - 0.3 * cos(angle));
    cr_assert(lt(dbl, fabs(a - right), 0.03 * right), "%g, not %g", a, right);
    a = slide(0.5 * atan(0.3), 0.2, 0.1);
    cr_assert(lt(dbl, fabs(a), 0.02 * 9.81), "%g", a); // it stays
}

// ---------------------------------------------------------------- free bodies

Test(point_elements, a_free_ball_comes_to_rest_on_sand)
{
    if (SANITIZED) return; // the fast one below hits sand, too
    stage s = set(MATERIALS "bodies:\n" BED BIN
                            "  - {name: ball, sphere: 4 cm, position: [0, 0, 9.5 cm],\n"
                            "     free: {density: 2000, velocity: [0, 0, -1]}, friction: 0.5}\n",
                  2);
    double worst = worst_balance(&s, 0.3, 5), mass = 2000 * 4.0 / 3.0 * M_PI * 64e-6;
    sherd_world_reset_probes(s.world);
    double before = sherd_world_obstacle_pose(s.world, 5).position.z;
    go(&s, 0.6);
    sherd_pose ball = sherd_world_obstacle_pose(s.world, 5);
    sherd_probe_reading floor = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]);
    double weight = 9.81 * (1500 * 0.2 * 0.2 * 0.05 + mass);
    cr_assert(lt(dbl, fabs(floor.force.z + weight), 0.01 * weight), "%g, not %g", floor.force.z,
              weight);
    // What the impact has left of an overlap goes within some hundred steps.
    cr_assert(lt(dbl, fabs(before - ball.position.z), 0.05 * 0.025), "%g",
              before - ball.position.z);
    // In a dent of its own, above the floor.
    cr_assert(lt(dbl, 0.055, ball.position.z), "%g", ball.position.z);
    cr_assert(lt(dbl, ball.position.z, 0.089), "%g", ball.position.z);
    cr_assert(lt(dbl, worst, 0.005), "%g", worst); // of first order in the step
    strike(&s);
}

// By default: steps are shorter while surfaces close fast.
Test(point_elements, a_fast_ball_does_not_stop_the_run)
{
    stage s = set(MATERIALS "bodies:\n" BED BIN
                            "  - {name: ball, sphere: 4 cm, position: [0, 0, 9.5 cm],\n"
                            "     free: {density: 2000, velocity: [0, 0, -10]}, friction: 0.5}\n",
                  2);
    double worst = worst_balance(&s, 0.01, 10);
    cr_assert(lt(dbl, worst, 0.005), "%g", worst); // of first order in the step; runs stop at 0.05
    cr_assert(lt(dbl, sherd_world_energy(s.world).kinetic, 2.0)); // of 26.8 J
    strike(&s);
}

// Half inside a block from the start: springs begin where things touch, so that nothing is thrown out.
static double kinetic_of_parting(double safety)
{
    char text[2048];
    snprintf(text, sizeof text,
             MATERIALS
             "bodies:\n  - {name: block, shape: {box: [8 cm, 8 cm, 6 cm]}, material: jelly,\n"
             "     packing: {points: {spacing: 1 cm}}}\n"
             "obstacles:\n  - {name: ball, sphere: 2 cm, position: [0, 0, 3 cm],\n"
             "     free: {density: 1000}}\n"
             "gravity: [0, 0, 0]\nsolver: {safety: %g}\n",
             safety);
    stage s = set(text, 1);
    go(&s, 0.01);
    double kinetic = sherd_world_energy(s.world).kinetic;
    strike(&s);
    return kinetic;
}

Test(point_elements, what_overlaps_is_not_thrown_out)
{
    cr_assert(lt(dbl, kinetic_of_parting(0.85), 1e-12));
    cr_assert(lt(dbl, kinetic_of_parting(0.17), 1e-12));
}

Test(point_elements, a_free_box_keeps_momentum)
{
    stage s =
        set(MATERIALS "bodies:\n"
                      "  - {name: b, shape: {box: [10 cm, 8 cm, 6 cm]}, material: jelly,\n"
                      "     packing: {points: {spacing: 1.25 cm}}, rotation: [20 deg, 0, 30 "
                      "deg]}\n"
                      "obstacles:\n"
                      "  - {name: box, box: [6 cm, 6 cm, 6 cm], position: [-13 cm, 1 cm, 0],\n"
                      "     free: {density: 500, velocity: [1, 0, 0]}}\n"
                      "gravity: [0, 0, 0]\n",
            2);
    double before = 500 * 0.06 * 0.06 * 0.06, worst = 0.0;
    for (int k = 1; k <= 8; ++k) { // while they touch, too
        go(&s, 0.1 * k / 8);
        sherd_vec3 now = sherd_world_momentum(s.world);
        double off = fabs(now.x - before) + fabs(now.y) + fabs(now.z);
        cr_assert(lt(dbl, off, 1e-12 * before), "%g", off / before);
        worst = fmax(worst, fabs(sherd_world_energy(s.world).balance_error));
    }
    cr_assert(lt(dbl, 1e-3, mean_velocity(&s, 0, 100).x));
    // Its probe has what points did to it: all of its change of momentum, which is theirs.
    sherd_probe_reading box = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]);
    int count = (int)sherd_world_elements(s.world).count;
    double gained = 1000 * 0.1 * 0.08 * 0.06 * mean_velocity(&s, 0, count).x;
    cr_assert(lt(dbl, fabs(box.force.x * 0.1 + gained), 1e-9 * before), "%g, not %g",
              box.force.x * 0.1, -gained);
    // 0.0103 in steps of a twelfth of the contact, of second order.
    cr_assert(lt(dbl, worst, 0.015), "%g", worst);
    strike(&s);
}

// ---------------------------------------------------------------- masses

// Feathers on lead, and lead on feathers: nothing explodes, momentum is kept.
static void meet_masses(double elements, double points)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n"
             "  jelly: {density: %g, youngs_modulus: 100 kPa, model: neo_hookean}\n"
             "  wood: {density: %g, youngs_modulus: 100 kPa, unbreakable: true}\n"
             "bodies:\n"
             "  - {name: a, shape: {box: [6 cm, 6 cm, 2.5 cm]}, material: wood,\n"
             "     packing: {cubic: {radius: 0.6 cm}}, velocity: [0, 0, 0.5]}\n"
             "  - {name: b, shape: {box: [10 cm, 10 cm, 10 cm]}, material: jelly,\n"
             "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 6.5 cm]}\n"
             "gravity: [0, 0, 0]\n",
             points, elements);
    stage s = set(text, 2);
    sherd_vec3 before = sherd_world_momentum(s.world);
    double start = sherd_world_energy(s.world).kinetic, worst = worst_balance(&s, 0.05, 5);
    sherd_vec3 after = sherd_world_momentum(s.world);
    cr_assert(lt(dbl, fabs(after.z - before.z), 1e-11 * before.z));
    cr_assert(lt(dbl, sherd_world_energy(s.world).kinetic, 1.001 * start));
    cr_assert(lt(dbl, worst, 0.02), "%g", worst);
    strike(&s);
}

Test(point_elements, masses_may_differ_by_a_thousand)
{
    meet_masses(30000, 100);
    meet_masses(100, 30000);
}

// ---------------------------------------------------------------- one shape, three ways

enum { THROWN_LOOKS = 20 };

// A ball of 5 cm comes down on a block of points, from 4 mm above it, with 1 m/s.
static stage thrown(const char *form, double density)
{
    char text[2048];
    bool free_body = strcmp(form, "free") == 0;
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, 0]\n"
        "materials:\n"
        "  p: {density: %g, youngs_modulus: 2 MPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "  e: {density: %g, youngs_modulus: 2 MPa, unbreakable: true}\n"
        "  s: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "bodies:\n"
        "- {name: block, shape: {box: [20 cm, 20 cm, 10 cm]}, material: s,\n"
        "   packing: {points: {spacing: 1 cm}}, position: [0, 0, -5 cm]}\n"
        "%s- {name: ball, %s, position: [0, 0, 5.4 cm]}\n",
        density, density, free_body ? "obstacles:\n" : "",
        free_body ? "sphere: 5 cm, free: {density: 1000, velocity: [0, 0, -1]}" : form);
    return set(text, 2);
}

// Its velocity upwards over time, by what the block has not of the momentum of both.
static void throw_ball(const char *form, double density, double speed[THROWN_LOOKS])
{
    const double block = 1000 * 0.2 * 0.2 * 0.1;
    stage s = thrown(form, density);
    go(&s, 0.001); // it does not touch yet
    double mass = -sherd_world_momentum(s.world).z;
    for (int k = 0; k < THROWN_LOOKS; ++k) {
        go(&s, 0.1 * (k + 1) / THROWN_LOOKS);
        speed[k] = -1.0 - block * mean_velocity(&s, 0, 4000).z / mass;
    }
    strike(&s);
}

static double apart(const double a[THROWN_LOOKS], const double b[THROWN_LOOKS])
{
    double most = 0.0;
    for (int k = 0; k < THROWN_LOOKS; ++k)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

// Of points, rigid, and of elements, which weigh less than their shape: within what a surface of spheres differs from a ball's.
Test(point_elements, balls_of_all_kinds_bounce_alike)
{
    const char *const points = "shape: {sphere: 5 cm}, packing: {points: {spacing: 1 cm}}, "
                               "material: p, velocity: [0, 0, -1]",
                      *const elements = "shape: {sphere: 5 cm}, packing: {random: {radius: 4 mm}}, "
                                        "material: e, velocity: [0, 0, -1]";
    double speed[3][THROWN_LOOKS], mass = 4.0 / 3.0 * M_PI * 1000 * pow(0.05, 3.0);
    stage light = thrown(elements, 1000);
    double density = -1000 * mass / sherd_world_momentum(light.world).z;
    strike(&light);
    throw_ball(points, 1000, speed[0]), throw_ball("free", 1000, speed[1]);
    throw_ball(elements, density, speed[2]);
    cr_assert(lt(dbl, 0.3, speed[0][THROWN_LOOKS - 1])); // it comes back
    cr_assert(lt(dbl, apart(speed[0], speed[1]), 0.05), "%g", apart(speed[0], speed[1]));
    cr_assert(lt(dbl, apart(speed[0], speed[2]), 0.05), "%g", apart(speed[0], speed[2]));
}

// ---------------------------------------------------------------- breaking

// A plate of elements, held at its ends, breaks when a body of points hits it fast and holds when it comes slowly.
static int64_t hit_plate(double speed)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "materials:\n"
        "  jelly: {density: 1000, youngs_modulus: 1 MPa, model: neo_hookean}\n"
        "  glass: {density: 2000, youngs_modulus: 20 MPa, tensile_strength: 100 kPa,\n"
        "    shear_strength: 100 kPa}\n"
        "bodies:\n"
        "  - {name: plate, shape: {box: [20 cm, 8 cm, 2 cm]}, material: glass,\n"
        "     packing: {cubic: {radius: 0.5 cm}}}\n"
        "  - {name: drop, shape: {sphere: 3 cm}, material: jelly, position: [0, 0, 4.2 cm],\n"
        "     packing: {points: {spacing: 0.75 cm}}, velocity: [0, 0, %g]}\n"
        "drivers:\n"
        "  - {name: left, body: plate, region: {box: [2 cm, 1, 1], position: [-10 cm, 0, 0]},\n"
        "     motion: {table: [{time: 0 s}, {time: 1 s}]}}\n"
        "  - {name: right, body: plate, region: {box: [2 cm, 1, 1], position: [10 cm, 0, 0]},\n"
        "     motion: {table: [{time: 0 s}, {time: 1 s}]}}\n"
        "gravity: [0, 0, 0]\n",
        -speed);
    stage s = set(text, 2);
    double worst = worst_balance(&s, 0.02, 4);
    int64_t broken = sherd_world_broken_count(s.world);
    cr_assert(lt(dbl, worst, 0.02), "%g", worst);
    strike(&s);
    return broken;
}

Test(point_elements, points_break_a_plate)
{
    cr_assert(eq(i64, hit_plate(0.1), 0));
    int64_t broken = hit_plate(6.0);
    cr_assert(lt(i64, 30, broken), "%lld", (long long)broken);
}

// ---------------------------------------------------------------- denting

// Depth of the deepest point of the top layer of a block of points below the mean of that layer's rim.
static double dent_of(const stage *s)
{
    sherd_element_view e = sherd_world_elements(s->world);
    const double top = 0.039 - 0.006,
                 edge = 0.06 - 0.006; // of the outermost points, more than half
    double deepest = INFINITY, rim = 0.0;
    int count = 0;
    for (int k = 0; k < e.count; ++k) {
        sherd_element_info info = sherd_world_element(s->world, k);
        if (info.body != 1 || info.rest.z < top) continue;
        deepest = fmin(deepest, e.z[k]);
        if (fmax(fabs(info.rest.x), fabs(info.rest.y)) > edge) rim += e.z[k], ++count;
    }
    return rim / count - deepest;
}

// A ball of bonded elements and a block that yields, both free. All of its energy would make a dent of the volume
// pi d^2 (R - d / 3) against a pressure of 3 tau_y (Tabor 1951, The Hardness of Metals); contact and vibrations, whose share
// is larger for elements than for points, leave 0.35 of it to the dent here, on cells of 0.3 R.
Test(point_elements, a_ball_of_elements_dents_a_block_of_points)
{
    const double radius = 0.04, yield = 2e3, speed = 2.7;
    stage s =
        set("materials:\n"
            "  clay: {density: 1500, youngs_modulus: 500 kPa, poissons_ratio: 0.3,\n"
            "    model: hencky, yield_stress: 2 kPa, friction: 0.3}\n"
            "  iron: {density: 4000, youngs_modulus: 5 MPa, unbreakable: true, friction: 0.3}\n"
            "bodies:\n"
            "  - {name: ball, shape: {sphere: 4 cm}, material: iron, position: [0, 0, 4.5 cm],\n"
            "     packing: {cubic: {radius: 0.8 cm}}, velocity: [0, 0, -2.7]}\n"
            "  - {name: block, shape: {box: [12 cm, 12 cm, 7.8 cm]}, material: clay,\n"
            "     packing: {points: {spacing: 6 mm}}, position: [0, 0, -3.9 cm]}\n"
            "gravity: [0, 0, 0]\n",
            2);
    sherd_vec3 before = sherd_world_momentum(s.world);
    double ball = -before.z / speed, block = 1500 * 0.12 * 0.12 * 0.078;
    double energy = 0.5 * ball * block / (ball + block) * speed * speed;
    double worst = worst_balance(&s, 0.04, 4);
    sherd_vec3 after = sherd_world_momentum(s.world);
    double off = fabs(after.x) + fabs(after.y) + fabs(after.z - before.z);
    cr_assert(lt(dbl, off, 1e-12 * -before.z), "%g", off / before.z);
    cr_assert(lt(dbl, worst, 0.015), "%g", worst); // 0.0099, of second order in the step
    double dent = dent_of(&s), most = sqrt(energy / (3 * yield * M_PI * radius));
    for (int k = 0; k < 20; ++k) // d^2 (R - d / 3) = E / (3 pi tau_y)
        most = sqrt(energy / (3 * yield * M_PI * (radius - most / 3)));
    cr_assert(lt(dbl, dent, most), "%g of %g", dent, most);
    cr_assert(lt(dbl, 0.4 * most, dent), "%g of %g", dent, most); // 0.47
    // What plastic work there was went into the dent, at a pressure of 3 tau_y and somewhat more on so few cells.
    double volume = M_PI * dent * dent * (radius - dent / 3);
    double pressure = sherd_world_energy(s.world).dissipated_plastic / volume;
    cr_assert(all(lt(dbl, 2.5 * yield, pressure), lt(dbl, pressure, 5 * yield)), "%g", pressure);
    strike(&s);
}

// ---------------------------------------------------------------- glue

// A wall of points between sticky posts, cut into pieces that glue holds, is hit by a ball of elements that do not part.
static sherd_body_glue hit_wall(double speed)
{
    char text[4096];
    snprintf(text, sizeof text,
             "materials:\n"
             "  stone: {density: 1800, youngs_modulus: 10 MPa, model: corotated, friction: 0.6}\n"
             "  iron: {density: 4000, youngs_modulus: 10 MPa, unbreakable: true, friction: 0.4}\n"
             "bodies:\n"
             "  - {name: ball, shape: {sphere: 3 cm}, material: iron, position: [0, 5.5 cm, 0],\n"
             "     packing: {cubic: {radius: 0.6 cm}}, velocity: [0, %g, 0]}\n"
             "  - name: wall\n"
             "    shape: {box: [24 cm, 4 cm, 12 cm]}\n"
             "    material: stone\n"
             "    packing: {points: {spacing: 1 cm}}\n"
             "    fracture:\n"
             "      pieces:\n"
             "        - {cut: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
             "        - {cut: {plane: {point: [-4 cm, 0, 0], normal: [1, 0, 0]}}}\n"
             "        - {cut: {plane: {point: [4 cm, 0, 0], normal: [1, 0, 0]}}}\n"
             "      glue: {tensile_strength: 25 kPa, shear_strength: 35 kPa, scatter: 0.2}\n"
             "obstacles:\n"
             "  - {name: left, box: [4 cm, 8 cm, 14 cm], position: [-14 cm, 0, 0], sticky: true}\n"
             "  - {name: right, box: [4 cm, 8 cm, 14 cm], position: [14 cm, 0, 0], sticky: true}\n"
             "gravity: [0, 0, 0]\n",
             -speed);
    stage s = set(text, 2);
    double worst = worst_balance(&s, 0.02, 5);
    sherd_body_glue glue = sherd_world_body_glue(s.world, 1);
    cr_assert(lt(dbl, worst, 0.015), "%g", worst); // 0.0105
    cr_assert(eq(int, glue.pieces, 6));
    cr_assert(eq(i64, sherd_world_broken_count(s.world), glue.broken));
    strike(&s);
    return glue;
}

// Between 0.7 m/s, which bends the wall, and 8 m/s: that pushes the two middle pieces out, whose glue breaks.
Test(point_elements, a_ball_of_elements_breaks_glue_between_points)
{
    cr_assert(eq(i64, hit_wall(0.7).broken, 0));
    sherd_body_glue hit = hit_wall(8.0);
    cr_assert(lt(i64, hit.count / 4, hit.broken), "%lld", (long long)hit.broken);
    cr_assert(lt(i64, hit.broken, hit.count), "%lld", (long long)hit.broken);
}

// ---------------------------------------------------------------- the same bits

static const char *const PLAY =
    MATERIALS "  chalk: {density: 2000, youngs_modulus: 20 MPa, tensile_strength: 5 kPa,\n"
              "    shear_strength: 5 kPa}\n"
              "bodies:\n"
              "  - {name: bed, shape: {box: [12 cm, 12 cm, 4 cm]}, position: [0, 0, 2 cm],\n"
              "     packing: {points: {spacing: 1 cm}}, material: sand}\n"
              "  - {name: brick, shape: {box: [8 cm, 4 cm, 4 cm]}, material: chalk,\n"
              "     packing: {hcp: {radius: 0.7 cm}}, position: [1 cm, 0, 7 cm],\n"
              "     rotation: [0, 20 deg, 0], velocity: [0, 0, -3]}\n"
              "  - {name: lump, shape: {sphere: 2 cm}, material: jelly, velocity: [0, 0, -3],\n"
              "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 12 cm]}\n"
              "obstacles:\n"
              "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
              "  - {name: plough, sphere: 3 cm, position: [-9 cm, 0, 4 cm],\n"
              "     motion: {table: [{time: 0 s}, {time: 1 s, translation: [1, 0, 0]}]}}\n"
              "  - {name: die, box: [3 cm, 3 cm, 3 cm], position: [-3 cm, 3 cm, 7 cm],\n"
              "     free: {density: 1000, velocity: [0, 0, -1]}}\n";

// All of it on jelly, which is touched by springs.
static const char *const BOUNCE =
    MATERIALS "  chalk: {density: 2000, youngs_modulus: 20 MPa, tensile_strength: 5 kPa,\n"
              "    shear_strength: 5 kPa}\n"
              "bodies:\n"
              "  - {name: bed, shape: {box: [12 cm, 12 cm, 4 cm]}, position: [0, 0, 2 cm],\n"
              "     packing: {points: {spacing: 1 cm}}, material: jelly}\n"
              "  - {name: brick, shape: {box: [8 cm, 4 cm, 4 cm]}, material: chalk,\n"
              "     packing: {hcp: {radius: 0.7 cm}}, position: [1 cm, 0, 7 cm],\n"
              "     rotation: [0, 20 deg, 0], velocity: [0, 0, -3]}\n"
              "obstacles:\n"
              "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
              "  - {name: die, box: [3 cm, 3 cm, 3 cm], position: [-3.5 cm, 3.5 cm, 5.6 cm],\n"
              "     free: {density: 1000, velocity: [0, 0, -1]}}\n";

static uint64_t play(const char *scene, int threads, double *balance)
{
    stage s = set(scene, threads);
    *balance = worst_balance(&s, 0.04, 2);
    uint64_t hash = sherd_world_state_hash(s.world);
    cr_assert(lt(i64, 0, sherd_world_broken_count(s.world)));
    strike(&s);
    return hash;
}

Test(point_elements, the_same_bits_for_all_threads)
{
    double balance;
    uint64_t one = play(PLAY, 1, &balance), bounced = play(BOUNCE, 1, &balance);
    cr_assert(lt(dbl, balance, 0.03), "%g", balance);
    static const int THREADS[] = {3, 2, 8};
    for (int k = 0; k < (SANITIZED ? 1 : 3); ++k) {
        cr_assert(eq(u64, play(PLAY, THREADS[k], &balance), one));
        cr_assert(eq(u64, play(BOUNCE, THREADS[k], &balance), bounced));
    }
}

Test(point_elements, a_resumed_world_goes_on_bit_for_bit)
{
    static const int STOPS[] = {37, 1, 90}, SOON[] = {19, 1, 11};
    check_resumed(PLAY, 0.04, STOPS, SANITIZED ? 1 : 3);
    check_resumed(BOUNCE, 0.04, SOON, SANITIZED ? 1 : 3);
}

// ---------------------------------------------------------------- near points, and far from them

// A stiff block comes to one of points, from far enough to be by itself, meets an edge of it, and flies on.
static const char *const VISIT =
    "materials:\n"
    "  rubber: {density: 8000, youngs_modulus: 8 MPa, model: neo_hookean}\n"
    "  stone: {density: 1000, youngs_modulus: 1 GPa, unbreakable: true}\n"
    "bodies:\n"
    "  - {name: a, shape: {box: [10 cm, 10 cm, 10 cm]}, packing: {cubic: {radius: 1.25 cm}},\n"
    "     material: stone, velocity: [3, 0, 0], position: [-60 cm, 9 cm, 0]}\n"
    "  - {name: b, shape: {box: [12.5 cm, 10 cm, 10 cm]}, material: rubber,\n"
    "     packing: {points: {spacing: 1.25 cm}}}\n"
    "gravity: [0, 0, 0]\n";
static const double VISIT_TIME = 0.9; // [s]

// What is near points is in the first region.
static bool is_near(const stage *s, int element)
{
    return sherd_world_region(s->world, element).number == 0;
}

Test(point_elements, a_block_changes_sides_as_it_comes_and_leaves)
{
    stage s = set(VISIT, 2);
    go(&s, 0.05);
    sherd_vec3 before = sherd_world_momentum(s.world);
    double energy = sherd_world_energy(s.world).kinetic, worst = 0.0, off = 0.0;
    int changes = 0;
    cr_assert(not(is_near(&s, 0)));
    cr_assert(eq(int, sherd_world_asleep_count(s.world), 64)); // as in free flight without points
    for (int k = 1; k <= 30; ++k) {
        bool was = is_near(&s, 0);
        go(&s, fmax(0.05, VISIT_TIME * k / 30));
        changes += was != is_near(&s, 0);
        sherd_vec3 now = sherd_world_momentum(s.world);
        sherd_energy e = sherd_world_energy(s.world);
        off = fmax(off, fabs(now.x - before.x) + fabs(now.y) + fabs(now.z));
        worst = fmax(worst, fabs(e.balance_error));
        cr_assert(lt(dbl, e.kinetic + e.elastic, 1.001 * energy));
    }
    cr_assert(lt(dbl, mean_velocity(&s, 0, 64).x, 1.5)); // they met
    cr_assert(not(is_near(&s, 0)));
    cr_assert(eq(int, changes, 2));
    cr_assert(lt(dbl, off, 1e-12 * before.x), "%g", off / before.x);
    cr_assert(lt(dbl, worst, 0.015), "%g", worst); // 0.0105
    strike(&s);
}

// Advances by spans and steps until it is near or far, from which time on it is saved.
static void go_until(stage *s, bool near)
{
    sherd_error error;
    while (is_near(s, 0) != near && sherd_world_time(s->world) < VISIT_TIME)
        cr_assert(sherd_world_advance_towards(s->world, VISIT_TIME, 1, &error) == SHERD_OK);
    cr_assert(lt(dbl, sherd_world_time(s->world), VISIT_TIME));
}

Test(point_elements, who_is_near_is_saved)
{
    stage whole = set(VISIT, 3), begun = set(VISIT, 2);
    go(&whole, VISIT_TIME);
    static const bool NEAR[] = {false, true, false};
    for (int k = 0; k < (SANITIZED ? 2 : 3); ++k) {
        go_until(&begun, NEAR[k]);
        if (SANITIZED && k == 0) continue;
        stage resumed = restored(VISIT, 1, &begun);
        cr_assert(eq(int, is_near(&resumed, 0), NEAR[k]));
        go_on_as(&whole, &resumed, VISIT_TIME);
    }
    strike(&whole), strike(&begun);
}

// Sand; a clamped beam and a cube, both stiff and far from it. They share the floor, and nothing else.
static stage clamp_beam(bool sand, bool beam)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s%s",
             MATERIALS "  steel: {density: 5000, youngs_modulus: 5 GPa, unbreakable: true,\n"
                       "    bond_damping: 0.5}\n"
                       "bodies:\n",
             sand ? "  - {name: bed, shape: {box: [12 cm, 12 cm, 4 cm]}, position: [0, 0, 2 cm],\n"
                    "     packing: {points: {spacing: 1 cm}}, material: sand}\n"
                  : "",
             beam ? "  - {name: beam, shape: {box: [24 cm, 4 cm, 4 cm]}, material: steel,\n"
                    "     packing: {cubic: {radius: 1 cm}}, position: [1, 0, 20 cm]}\n"
                    "  - {name: cube, shape: {box: [8 cm, 8 cm, 8 cm]}, material: steel,\n"
                    "     packing: {cubic: {radius: 1 cm}}, position: [-1, 0, 4 cm]}\n"
                  : "",
             "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n",
             beam ? "drivers:\n"
                    "  - {name: clamp, body: beam, region: {box: [4 cm, 1, 1],\n"
                    "     position: [88 cm, 0, 20 cm]},\n"
                    "     motion: {table: [{time: 0 s}, {time: 1 s}]}}\n"
                  : "");
    return set(text, 2);
}

// Probes over the second half.
static double settle(const stage *s)
{
    double worst = worst_balance(s, 0.1, 2);
    sherd_world_reset_probes(s->world);
    return fmax(worst, worst_balance(s, 0.2, 2));
}

Test(point_elements, a_beam_far_from_sand_steps_implicitly)
{
    stage both = clamp_beam(true, true), beam = clamp_beam(false, true),
          sand = clamp_beam(true, false);
    double worst = settle(&both);
    settle(&beam), settle(&sand);
    sherd_element_view a = sherd_world_elements(both.world), b = sherd_world_elements(beam.world),
                       c = sherd_world_elements(sand.world);
    for (int k = 0; k < c.count; ++k) // as if nothing else were there
        cr_assert(a.x[k] == c.x[k] && a.z[k] == c.z[k] && a.vz[k] == c.vz[k], "%d", k);
    sherd_region_info with = sherd_world_region(both.world, c.count),
                      alone = sherd_world_region(beam.world, 0);
    cr_assert(lt(i64, 100, with.counts.implicit_steps));
    cr_assert(
        lt(dbl, (double)with.counts.implicit_steps, 1.5 * (double)alone.counts.implicit_steps));
    const int end = 11; // the free one
    double sag = 0.19 - b.z[end], off = fabs(a.z[c.count + end] - b.z[end]);
    cr_assert(lt(dbl, off, 0.02 * sag), "%g of %g", off,
              sag); // errors of two implicit runs, 1 % each
    sherd_vec3 floors[3] = {
        sherd_world_probe_obstacle(both.world, both.build.obstacle_ids[0]).force,
        sherd_world_probe_obstacle(beam.world, beam.build.obstacle_ids[0]).force,
        sherd_world_probe_obstacle(sand.world, sand.build.obstacle_ids[0]).force};
    double clamp = sherd_world_probe_driver(both.world, both.build.driver_ids[0]).force.z,
           other = sherd_world_probe_driver(beam.world, beam.build.driver_ids[0]).force.z;
    // What points and regions push with is one probe's. Blocks on floors rattle: 1e-5 seen.
    double sum = floors[1].z + floors[2].z;
    cr_assert(lt(dbl, fabs(floors[0].z - sum), 1e-3 * fabs(sum)), "%g, not %g", floors[0].z, sum);
    cr_assert(lt(dbl, fabs(clamp - other), 1e-3 * fabs(other)), "%g, not %g", clamp, other);
    cr_assert(lt(dbl, worst, 0.02), "%g", worst); // sand that settles alone: 0.0127
    strike(&both), strike(&beam), strike(&sand);
}

// Points that a driver makes fast from one moment to the next come to a stiff block.
static stage push_points(const char *solver)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "materials:\n"
        "  rubber: {density: 1000, youngs_modulus: 1 MPa, model: neo_hookean}\n"
        "  stone: {density: 1000, youngs_modulus: 1 GPa, unbreakable: true}\n"
        "bodies:\n"
        "  - {name: a, shape: {box: [5 cm, 5 cm, 5 cm]}, packing: {cubic: {radius: 1.25 cm}},\n"
        "     material: stone, position: [60 cm, 0, 0]}\n"
        "  - {name: b, shape: {box: [10 cm, 7.5 cm, 7.5 cm]}, material: rubber,\n"
        "     packing: {points: {spacing: 1.25 cm}}}\n"
        "drivers:\n"
        "  - {name: push, body: b, region: {box: [2.5 cm, 1, 1], position: [-5 cm, 0, 0]},\n"
        "     motion: {table: [{time: 0 s}, {time: 0.02 s},\n"
        "       {time: 0.22 s, translation: [60 cm, 0, 0]}]}}\n"
        "gravity: [0, 0, 0]\n%s",
        solver);
    return set(text, 2);
}

Test(point_elements, points_that_start_suddenly_meet_what_was_far)
{
    stage regions = push_points(""), all = push_points("solver: {regions: false}\n");
    go(&regions, 0.01);
    cr_assert(not(is_near(&regions, 0)));
    double worst = worst_balance(&regions, 0.22, 1), whole = worst_balance(&all, 0.22, 1);
    double v = mean_velocity(&regions, 0, 8).x, w = mean_velocity(&all, 0, 8).x;
    cr_assert(is_near(&regions, 0));
    cr_assert(lt(dbl, 2.0, v));                                    // hit
    cr_assert(lt(dbl, fabs(v - w), 0.02 * w), "%g, not %g", v, w); // lengths of steps
    cr_assert(lt(dbl, worst, whole + 0.005), "%g, not %g", worst, whole);
    strike(&regions), strike(&all);
}
