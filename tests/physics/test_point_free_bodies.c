// Free rigid bodies that meet other obstacles in worlds whose bodies are all of material points.
#include "sanitized.h"
#include "scene_stage.h"

// Far from all obstacles but the floor.
#define POINTS(stiffness)                                                                          \
    "materials:\n"                                                                                 \
    "  stuff: {density: 1200, youngs_modulus: " stiffness ", poissons_ratio: 0.3,\n"               \
    "    model: neo_hookean}\n"                                                                    \
    "bodies:\n"                                                                                    \
    "  - {name: block, shape: {box: [6 cm, 6 cm, 6 cm]}, packing: {points: {spacing: 1 cm}},\n"    \
    "     material: stuff, position: [30 cm, 0, 3 cm]}\n"                                          \
    "obstacles:\n"
#define FLOOR "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"

static sherd_vec3 place(const stage *s, int obstacle)
{
    return sherd_world_obstacle_pose(s->world, obstacle).position;
}

// ---------------------------------------------------------------- floor

Test(point_free_bodies, a_ball_rests_on_the_floor)
{
    stage s =
        set(POINTS("400 kPa") FLOOR "  - {name: ball, sphere: 2 cm, position: [0, 0, 2.1 cm],\n"
                                    "     free: {density: 2500}}\n",
            2);
    double worst = worst_balance(&s, 0.5, 10);
    double weight = 2500 * 4.0 / 3.0 * M_PI * 8e-6 * 9.81, before = place(&s, 1).z;
    sherd_world_reset_probes(s.world);
    go(&s, 0.8);
    double load = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[1]).force.z;
    cr_assert(lt(dbl, fabs(load - weight), 0.01 * weight), "%g, not %g", load, weight);
    cr_assert(lt(dbl, 0.018, before), "%g", before); // a tenth of its radius: the block is soft
    cr_assert(lt(dbl, before, 0.02), "%g", before);
    cr_assert(lt(dbl, fabs(place(&s, 1).z - before), 2e-5), "%g", place(&s, 1).z - before);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    strike(&s);
}

// Rebound over impact speed of a ball that meets a wall at 1 m/s, without gravity.
static double rebound(double restitution)
{
    char text[2048];
    snprintf(text, sizeof text,
             POINTS("20 MPa") "  - {name: wall, restitution: %g,\n"
                              "     plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                              "  - {name: ball, sphere: 2 cm, position: [0, 0, 2.2 cm],\n"
                              "     restitution: %g, free: {density: 2500, velocity: [0, 0, -1]}}\n"
                              "gravity: [0, 0, 0]\n",
             restitution, restitution);
    stage s = set(text, 2);
    double worst = worst_balance(&s, 0.02, 5), before = place(&s, 1).z;
    go(&s, 0.03);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    double speed = (place(&s, 1).z - before) / 0.01;
    strike(&s);
    return speed;
}

Test(point_free_bodies, a_ball_rebounds_with_the_restitution_given)
{
    static const double RESTITUTIONS[] = {0.3, 0.6, 0.9, 1.0};
    for (int k = 0; k < 4; ++k) {
        double e = rebound(RESTITUTIONS[k]);
        // Points of a ball come in one after the other: within 0.1 as single grains are met (docs/reference/scene-materials.md).
        cr_assert(lt(dbl, fabs(e - RESTITUTIONS[k]), 0.1), "%g, not %g", e, RESTITUTIONS[k]);
    }
}

// A ball of 2.5 cells that falls 20 mm onto a soft block comes back to 11.0 mm, to 12.5 mm in half the cells, and to 2.6 mm in
// twice as large ones (docs/notebook/material-points.md).
Test(point_free_bodies, a_ball_of_some_cells_comes_back_from_a_soft_block)
{
    if (SANITIZED) return;
    stage s = set("materials:\n  soft: {density: 1000, youngs_modulus: 100 kPa, poissons_ratio: "
                  "0.3, model: neo_hookean}\nbodies:\n"
                  "  - {name: block, shape: {box: [12 cm, 12 cm, 6 cm]}, material: soft, packing: "
                  "{points: {spacing: 5 mm}}, position: [0, 0, 3 cm]}\nobstacles:\n" FLOOR
                  "  - {name: ball, sphere: 2.5 cm, position: [0, 0, 10.5 cm], free: {density: "
                  "1000}}\n",
                  2);
    double low = INFINITY, high = -INFINITY;
    for (int k = 1; k <= 32; ++k) {
        go(&s, 0.005 * k);
        double z = place(&s, 1).z;
        if (z < low) low = high = z;
        high = fmax(high, z);
        cr_assert(lt(dbl, fabs(sherd_world_energy(s.world).balance_error), 0.01));
    }
    cr_assert(all(lt(dbl, 0.080, low), lt(dbl, low, 0.082)), "%g", low);
    cr_assert(all(lt(dbl, 0.0950, high), lt(dbl, high, 0.0975)), "%g", high);
    strike(&s);
}

// What is light beside its surface takes shorter steps than points, or softer contact.
Test(point_free_bodies, steps_of_light_bodies_are_stable)
{
    static const double DENSITY[] = {1.0, 30.0, 20000.0};
    for (int k = 0; k < (SANITIZED ? 1 : 3); ++k) {
        char text[2048];
        snprintf(text, sizeof text,
                 POINTS("400 kPa") FLOOR
                 "  - {name: die, box: [1 cm, 1 cm, 1 cm], position: [0, 0, 1 cm],\n"
                 "     rotation: [20 deg, 10 deg, 0], restitution: 0.5, free: {density: %g}}\n"
                 "  - {name: other, sphere: 1 cm, position: [0, 0, 3 cm], restitution: 0.5,\n"
                 "     free: {density: %g}}\n",
                 DENSITY[k], DENSITY[k]);
        stage s = set(text, 2);
        double worst = worst_balance(&s, 0.4, 8), top = fmax(place(&s, 1).z, place(&s, 2).z);
        cr_assert(lt(dbl, top, 0.031), "%g: %g", DENSITY[k], top); // nothing was thrown up
        cr_assert(lt(dbl, 0.0, place(&s, 1).z), "%g", DENSITY[k]);
        cr_assert(lt(dbl, worst, 0.01), "%g: %g", DENSITY[k], worst);
        strike(&s);
    }
}

// ---------------------------------------------------------------- two of them

static const char *const TWO =
    POINTS("400 kPa") "  - {name: other, sphere: 2 cm, free: {density: 2500}}\n"
                      "  - {name: ball, sphere: 2 cm, position: [0.5 cm, 0, 4.2 cm],\n"
                      "     free: {density: 2500, velocity: [0, 0, -1]}}\n"
                      "gravity: [0, 0, 0]\n";

Test(point_free_bodies, two_balls_keep_momentum)
{
    stage s = set(TWO, 2);
    go(&s, 0.001); // before they meet
    sherd_vec3 before = sherd_world_momentum(s.world),
               turning = sherd_world_angular_momentum(s.world);
    double worst = worst_balance(&s, 0.1, 10), scale = fabs(before.z);
    sherd_vec3 after = sherd_world_momentum(s.world),
               turned = sherd_world_angular_momentum(s.world);
    double off = fabs(after.x) + fabs(after.y) + fabs(after.z - before.z);
    double twist =
        fabs(turned.x - turning.x) + fabs(turned.y - turning.y) + fabs(turned.z - turning.z);
    cr_assert(lt(dbl, off, 1e-12 * scale), "%g", off / scale);
    cr_assert(lt(dbl, twist, 1e-11 * scale), "%g", twist / scale); // arms of up to 0.3 m
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    cr_assert(lt(dbl, 1e-3, sherd_world_energy(s.world).dissipated_contact));
    cr_assert(lt(dbl, 0.039, place(&s, 1).z - place(&s, 0).z)); // neither went through the other
    cr_assert(lt(dbl, place(&s, 0).z, -0.02));                  // and the one gave way
    strike(&s);
}

// ---------------------------------------------------------------- points beside

// On a heap of points, beside the floor; two more meet beside it.
static const char *const HEAP =
    POINTS("400 kPa") FLOOR "  - {name: on, sphere: 2 cm, position: [30 cm, 0, 8.1 cm],\n"
                            "     free: {density: 800}}\n"
                            "  - {name: beside, sphere: 2 cm, position: [34.5 cm, 0, 2.1 cm],\n"
                            "     free: {density: 2500, velocity: [-0.5, 0, 0]}}\n"
                            "  - {name: far, sphere: 2 cm, position: [0, 0, 2.1 cm],\n"
                            "     free: {density: 2500, velocity: [0.5, 0, -1]}}\n";

static stage heap(int threads, double until)
{
    stage s = set(HEAP, threads);
    go(&s, until);
    return s;
}

Test(point_free_bodies, points_and_floor_carry_bodies)
{
    stage s = set(HEAP, 2);
    double worst = worst_balance(&s, 0.3, 6);
    cr_assert(lt(dbl, 0.07, place(&s, 1).z), "%g", place(&s, 1).z);
    cr_assert(lt(dbl, 0.018, place(&s, 2).z), "%g", place(&s, 2).z);
    cr_assert(lt(dbl, 0.018, place(&s, 3).z), "%g", place(&s, 3).z);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst);
    strike(&s);
}

Test(point_free_bodies, the_same_bits_for_all_threads)
{
    stage one = heap(1, 0.03), three = heap(3, 0.03);
    cr_assert(eq(u64, sherd_world_state_hash(one.world), sherd_world_state_hash(three.world)));
    strike(&one), strike(&three);
}

Test(point_free_bodies, a_resumed_world_goes_on_bit_for_bit)
{
    static const int STOPS[] = {1, 40};
    check_resumed(HEAP, 0.03, STOPS, 2);
}
