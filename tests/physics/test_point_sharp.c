// Edges and corners of obstacles and of free bodies bear solids of points where they are, not where samples of these lie; and
// what is round rolls (models/mpm/touch).
#include "physics/scene_stage.h"
#include "sanitized.h"

static const double GRAVITY = 9.81;

// ---------------------------------------------------------------- tipping

// Of the mean places of points that began beside either end of a brick [rad].
static double slope_of(const stage *s, const int8_t *end)
{
    sherd_element_view at = sherd_world_elements(s->world);
    sherd_body_info info = sherd_world_body(s->world, 0);
    double x[2] = {0.0}, z[2] = {0.0};
    int count[2] = {0, 0};
    for (sherd_element_index k = 0; k < info.count; ++k) {
        if (end[k] < 0) continue;
        x[end[k]] += at.x[info.first + k], z[end[k]] += at.z[info.first + k], ++count[end[k]];
    }
    return atan2(z[0] / count[0] - z[1] / count[1], x[1] / count[1] - x[0] / count[0]);
}

// Of a rigid brick with its centre `out` beyond the edge and `arm` above it, after a time, with an inertia of k2 m.
static double rigid_angle(double out, double arm, double k2, double time)
{
    enum { STEPS = 2000 };
    double dt = time / STEPS, angle = 0.0, rate = 0.0;
    for (int n = 0; n < STEPS; ++n) {
        double middle = angle + 0.5 * dt * rate;
        rate +=
            dt * GRAVITY * (out * cos(middle) + arm * sin(middle)) / (k2 + out * out + arm * arm);
        angle = middle + 0.5 * dt * rate;
    }
    return angle;
}

// After 0.15 s over a rigid one's.
static double tip(double out)
{
    char text[2048];
    const double length = 0.2, height = 0.06, time = 0.15;
    snprintf(text, sizeof text,
             "materials:\n"
             "  m: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.3, model: corotated, "
             "friction: 1}\n"
             "bodies:\n"
             "- {name: b, shape: {box: [%g, 0.06, %g]}, packing: {points: {spacing: 0.01}},\n"
             "   material: m, position: [%g, 0, %g]}\n"
             "obstacles:\n"
             "- {name: table, box: [0.4, 0.3, 0.1], position: [-0.2, 0, -0.05], friction: 1}\n",
             length, height, out, 0.5 * height);
    stage s = set(text, 1);
    sherd_body_info info = sherd_world_body(s.world, 0);
    sherd_element_view at = sherd_world_elements(s.world);
    int8_t end[2048];
    cr_assert(lt(int, info.count, 2048));
    for (sherd_element_index k = 0; k < info.count; ++k) {
        double x = at.x[info.first + k] - out;
        end[k] = x < -0.25 * length ? 0 : x > 0.25 * length ? 1 : -1;
    }
    go(&s, time);
    double angle = slope_of(&s, end);
    strike(&s);
    return angle / rigid_angle(out, 0.5 * height, (length * length + height * height) / 12.0, time);
}

// 1.05 and 1.08 where samples of the brick alone bore it. Gradients add 2/3 h^2 to an inertia of 50 cm^2.
Test(point_sharp, a_brick_tips_over_the_edge_of_a_table)
{
    double near = tip(0.0225);
    cr_assert(epsilon_eq(dbl, near, 1.0, 0.045), "%g", near);
    if (SANITIZED) return;
    double far = tip(0.035);
    cr_assert(epsilon_eq(dbl, far, 1.0, 0.045), "%g", far);
}

// ---------------------------------------------------------------- knives

// A block on two knives, at any place below its cubes.
static void lie_on_knives(double apart)
{
    char text[2048];
    const double weight = 0.12 * 0.06 * 0.06 * 1000.0 * GRAVITY;
    snprintf(
        text, sizeof text,
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: "
        "neo_hookean, friction: 0.5}\n"
        "bodies:\n"
        "- {name: b, shape: {box: [0.12, 0.06, 0.06]}, packing: {points: {spacing: 0.01}},\n"
        "   material: m, position: [0, 0, 0.03]}\n"
        "obstacles:\n"
        "- {name: a, extrude: {outline: [[-0.01, -0.05], [0.01, -0.05], [0, 0]], height: 0.2},\n"
        "   rotation: [90 deg, 0, 0], position: [%g, 0, 0]}\n"
        "- {name: c, extrude: {outline: [[-0.01, -0.05], [0.01, -0.05], [0, 0]], height: 0.2},\n"
        "   rotation: [90 deg, 0, 0], position: [%g, 0, 0]}\n",
        -apart, apart);
    stage s = set(text, 1);
    go(&s, 0.1);
    sherd_world_reset_probes(s.world);
    go(&s, 0.2);
    double force = -sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.z;
    sherd_body_info info = sherd_world_body(s.world, 0);
    sherd_element_view at = sherd_world_elements(s.world);
    double low = INFINITY;
    for (sherd_element_index k = info.first; k < info.first + info.count; ++k)
        low = fmin(low, at.z[k]);
    // It swings by a few per cent of its weight, and is pressed in by less than a twentieth of a point's cube.
    cr_assert(epsilon_eq(dbl, force, 0.5 * weight, 0.05 * weight), "%g", force / weight);
    cr_assert(lt(dbl, fabs(low - 0.005), 5e-4), "%g", low);
    strike(&s);
}

Test(point_sharp, a_block_lies_on_knives)
{
    lie_on_knives(0.04);
    if (SANITIZED) return;
    lie_on_knives(0.042);
    lie_on_knives(0.045);
}

// ---------------------------------------------------------------- corners

// A free box falls on a block with a corner first; returns how deep it went in [m].
static double fall_on(double aside, double *back)
{
    char text[2048];
    const double half = 0.02, speed = 0.3;
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "materials:\n"
             "  m: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: "
             "neo_hookean, friction: 0.5}\n"
             "bodies:\n"
             "- {name: b, shape: {box: [0.1, 0.1, 0.04]}, packing: {points: {spacing: 0.01}},\n"
             "   material: m, position: [0, 0, -0.02]}\n"
             "obstacles:\n"
             "- {name: floor, plane: {point: [0, 0, -0.04], normal: [0, 0, 1]}, sticky: true}\n"
             "- {name: box, box: [%g, %g, %g], rotation: [45 deg, 35.264 deg, 0],\n"
             "   position: [%g, %g, %.17g], free: {density: 2000, velocity: [0, 0, %g]}}\n",
             2.0 * half, 2.0 * half, 2.0 * half, aside, aside, sqrt(3.0) * half + 0.001, -speed);
    stage s = set(text, 1);
    double lowest = INFINITY, height = 0.0, before = 0.0;
    for (int k = 1; k <= 40; ++k) {
        go(&s, 1e-3 * k);
        sherd_pose pose = sherd_world_obstacle_pose(s.world, 1);
        before = height, height = pose.position.z;
        lowest = fmin(lowest, height);
    }
    *back = (height - before) / 1e-3 / speed;
    strike(&s);
    return sqrt(3.0) * half - lowest;
}

// 9.2 and 7.2 mm, and no rebound, where samples of the block alone met the box; 1.6 and 1.3 now.
Test(point_sharp, a_corner_does_not_go_in_between_samples)
{
    double back[2], deep[2] = {fall_on(0.0, &back[0]), fall_on(0.005, &back[1])};
    for (int k = 0; k < 2; ++k) {
        cr_assert(lt(dbl, deep[k], 2.5e-3), "%g", deep[k]);
        cr_assert(lt(dbl, 0.7, back[k]), "%g", back[k]);
    }
}

// ---------------------------------------------------------------- accounts and bits

// A block rocks on the tips of three cones, some of which lie between its points. It lost 2 % of its energy, in steps of any
// length, where a tip that lies between two faces took the less deep one anew in each step.
Test(point_sharp, tips_between_points_keep_energy)
{
#define CONE "revolve: [[0, 0], [0.02, -0.05], [0, -0.05]]"
    stage s =
        set("materials:\n"
            "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: "
            "neo_hookean, friction: 0.5}\n"
            "bodies:\n"
            "- {name: b, shape: {box: [0.12, 0.12, 0.06]}, packing: {points: {spacing: 0.01}},\n"
            "   material: m, position: [0, 0, 0.03]}\n"
            "obstacles:\n"
            "- {name: a, " CONE ", position: [-0.042, 0.04, 0]}\n"
            "- {name: c, " CONE ", position: [0.04, 0.044, 0]}\n"
            "- {name: d, " CONE ", position: [0, -0.04, 0]}\n",
            1);
    double worst = worst_balance(&s, SANITIZED ? 0.06 : 0.2, 20);
    cr_assert(lt(dbl, worst, 2e-3), "%g", worst); // 0.5e-3 at usual steps, 0.1e-3 in a tenth
    strike(&s);
}

// A free box falls with a corner first on a block that lies on two knives, of which one goes up. Edges of obstacles and of free
// bodies give back what they take, are part of checkpoints, and do the same with any number of threads.
Test(point_sharp, edges_keep_accounts_and_bits)
{
#define KNIFE                                                                                      \
    "extrude: {outline: [[-0.01, -0.05], [0.01, -0.05], [0, 0]], height: 0.2}, "                   \
    "rotation: [90 deg, 0, 0]"
    const char *text =
        "materials:\n"
        "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: neo_hookean, "
        "friction: 0.5}\n"
        "bodies:\n"
        "- {name: b, shape: {box: [0.12, 0.06, 0.06]}, packing: {points: {spacing: 0.01}},\n"
        "   material: m, position: [0, 0, 0.03]}\n"
        "obstacles:\n"
        "- {name: a, " KNIFE ", position: [-0.042, 0, 0]}\n"
        "- {name: c, " KNIFE ", position: [0.04, 0, 0], motion: {velocity: [0, 0, 0.1]}}\n"
        "- {name: box, box: [0.04, 0.04, 0.04], rotation: [45 deg, 35.264 deg, 0],\n"
        "   position: [0.003, 0, 0.096], free: {density: 2000, velocity: [0, 0, -0.5]}}\n";
    const double half = 0.02, all = SANITIZED ? 0.03 : 0.06;
    stage looked = set(text, 1);
    double worst = worst_balance(&looked, all, 10);
    strike(&looked);
    cr_assert(lt(dbl, worst, 4e-3), "%g", worst); // 2.0e-3, and less in shorter steps
    stage one = set(text, 1), two = set(text, 3);
    go(&one, half), go(&two, half);
    stage resumed = restored(text, 2, &one);
    go(&one, all);
    go_on_as(&one, &two, all);
    go_on_as(&one, &resumed, all);
    strike(&one);
}

// ---------------------------------------------------------------- rolling

// Way of a ball of 20 MPa and six points' radius down 15 degrees over that of a rigid one.
static double roll(void)
{
    char text[2048];
    const double slope = 15.0 * M_PI / 180.0, time = 0.4;
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\n"
             "materials:\n"
             "  m: {density: 1000, youngs_modulus: 20 MPa, poissons_ratio: 0.3, model: "
             "neo_hookean, friction: 0.6}\n"
             "bodies:\n"
             "- {name: b, shape: {sphere: 0.06}, packing: {points: {spacing: 0.01}}, material: m,\n"
             "   position: [0, 0, 0.06]}\n"
             "obstacles:\n"
             "- {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n",
             GRAVITY * sin(slope), -GRAVITY * cos(slope));
    stage s = set(text, 1);
    go(&s, time);
    sherd_body_info info = sherd_world_body(s.world, 0);
    sherd_element_view at = sherd_world_elements(s.world);
    double x = 0.0;
    for (sherd_element_index k = info.first; k < info.first + info.count; ++k)
        x += at.x[k] / info.count;
    strike(&s);
    return x / (0.5 * 5.0 / 7.0 * GRAVITY * sin(slope) * time * time);
}

// A ball of points has the radius of gyration 2/5 r^2 + 2/3 h^2: 0.950 of the rigid ball's way. As a polygon with samples a
// cell apart it rolled by 0.87.
Test(point_sharp, a_stiff_ball_rolls_as_a_round_one)
{
    double way = roll();
    cr_assert(epsilon_eq(dbl, way, 0.95, 0.015), "%g", way);
}
