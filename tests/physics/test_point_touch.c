// Solids of points that meet each other give back what they take, slide as Coulomb has it, and keep what they turn with: contact
// by springs at samples of their surfaces (models/mpm/touch). `sherd bench transfers` has more of it.
#include "physics/scene_stage.h"
#include "sanitized.h"

// A body's mean velocity and place.
typedef struct motion {
    double v[3], x[3];
} motion;

static motion motion_of(const stage *s, int body)
{
    sherd_body_info info = sherd_world_body(s->world, body);
    sherd_element_view at = sherd_world_elements(s->world);
    motion m = {{0.0}, {0.0}};
    for (sherd_element_index k = info.first; k < info.first + info.count; ++k) {
        const double x[3] = {at.x[k], at.y[k], at.z[k]}, v[3] = {at.vx[k], at.vy[k], at.vz[k]};
        for (int i = 0; i < 3; ++i)
            m.v[i] += v[i] / info.count, m.x[i] += x[i] / info.count;
    }
    return m;
}

// ---------------------------------------------------------------- balls

#define BALLS                                                                                      \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials:\n"                                                                                 \
    "  m: {density: 1000, youngs_modulus: 200 kPa, poissons_ratio: 0.3, model: neo_hookean, "      \
    "friction: %g}\n"                                                                              \
    "bodies:\n"                                                                                    \
    "- {name: a, shape: {sphere: 0.05}, packing: {points: {spacing: 0.01}}, material: m,\n"        \
    "   position: [-0.055, 0, 0], velocity: [0.5, 0, 0]}\n"                                        \
    "- {name: b, shape: {sphere: 0.05}, packing: {points: {spacing: 0.01}}, material: m,\n"        \
    "   position: [0.055, %g, 0], velocity: [-0.5, 0, 0]}\n"                                       \
    "solver: {safety: %g}\n"

static double rebound(double safety)
{
    char text[2048];
    snprintf(text, sizeof text, BALLS, 0.0, 0.0, safety);
    stage s = set(text, 1);
    go(&s, 0.12);
    double speed = motion_of(&s, 1).v[0];
    sherd_energy e = sherd_world_energy(s.world);
    cr_assert(lt(dbl, fabs(e.dissipated_contact), 1e-3 * 0.13)); // [J], of 1.05 kg at 0.5 m/s
    strike(&s);
    return speed / 0.5;
}

// 0.84 of the speed at which they met, where nodes left 0.55, and 12 % less of that in a tenth of the step. Waves that the
// grid does not see have the rest.
Test(point_touch, balls_rebound_whatever_the_step)
{
    double usual = rebound(0.85), half = rebound(0.425);
    cr_assert(all(lt(dbl, 0.82, usual), lt(dbl, usual, 0.95)), "%g", usual);
    cr_assert(lt(dbl, fabs(half / usual - 1.0), 0.03), "%g", half);
}

// Half a radius off each other: friction turns both, and the sum of orbit and spin stays.
Test(point_touch, oblique_balls_keep_angular_momentum)
{
    char text[2048];
    snprintf(text, sizeof text, BALLS, 0.5, 0.025, 0.85);
    stage s = set(text, 1);
    double before = sherd_world_angular_momentum(s.world).z;
    go(&s, 0.12);
    sherd_vec3 momentum = sherd_world_momentum(s.world);
    double after = sherd_world_angular_momentum(s.world).z;
    cr_assert(lt(dbl, fabs(momentum.x) + fabs(momentum.y) + fabs(momentum.z), 1e-12));
    cr_assert(lt(dbl, fabs(after / before - 1.0), 1e-3), "%g", after / before); // of order dt
    cr_assert(lt(dbl, 0.05, fabs(motion_of(&s, 0).v[1]))); // they pushed each other aside
    strike(&s);
}

// ---------------------------------------------------------------- blocks

#define SLAB                                                                                       \
    "gravity: [%.17g, 0, %.17g]\n"                                                                 \
    "materials:\n"                                                                                 \
    "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: neo_hookean, "      \
    "friction: %g}\n"                                                                              \
    "bodies:\n"                                                                                    \
    "- {name: b, shape: {box: [0.08, 0.08, 0.08]}, packing: {points: {spacing: 0.01}},\n"          \
    "   material: m, position: [0, 0, 0.04], rotation: [0, 0, %g deg]}\n"                          \
    "- {name: slab, shape: {box: [0.5, 0.16, 0.06]}, packing: {points: {spacing: 0.01}},\n"        \
    "   material: m, position: [0.15, 0, -0.03]}\n"                                                \
    "obstacles:\n"                                                                                 \
    "- {name: floor, plane: {point: [0, 0, -0.06], normal: [0, 0, 1]}, sticky: true}\n"

// Acceleration down 25 degrees, from 0.1 s on.
static double slide(double friction, double turned)
{
    char text[2048];
    const double slope = 25.0 * M_PI / 180.0, g = 9.81, time = SANITIZED ? 0.1 : 0.2;
    snprintf(text, sizeof text, SLAB, g * sin(slope), -g * cos(slope), friction, turned);
    stage s = set(text, 1);
    go(&s, 0.1);
    double begun = motion_of(&s, 0).v[0];
    go(&s, 0.1 + time);
    double a = (motion_of(&s, 0).v[0] - begun) / time;
    strike(&s);
    return a / (g * (sin(slope) - friction * cos(slope)));
}

// Front edges plough no more: 0.58 to 0.76 at nodes. The block swings a little on what it has just been laid.
Test(point_touch, blocks_slide_on_blocks_as_coulomb_has_it)
{
    cr_assert(epsilon_eq(dbl, slide(0.3, 0.0), 1.0, 0.03));
    cr_assert(epsilon_eq(dbl, slide(0.3, 30.0), 1.0, 0.03));
    cr_assert(epsilon_eq(dbl, slide(0.0, 0.0), 1.0, 0.01));
}

// ---------------------------------------------------------------- edges

// A block that has slid half over an edge stays on it: what lies beyond the edge is borne by nothing, and nothing is pushed
// aside.
Test(point_touch, a_block_half_over_an_edge_lies_still)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n"
             "  m: {density: 1000, youngs_modulus: 500 kPa, poissons_ratio: 0.3, model: "
             "neo_hookean, friction: 0.5}\n"
             "bodies:\n"
             "- {name: b, shape: {box: [0.08, 0.08, 0.04]}, packing: {points: {spacing: 0.01}},\n"
             "   material: m, position: [0.077, 0, 0.02]}\n"
             "- {name: slab, shape: {box: [0.16, 0.12, 0.06]}, packing: {points: {spacing: "
             "0.01}},\n   material: m, position: [0.01, 0, -0.03]}\n"
             "obstacles:\n"
             "- {name: floor, plane: {point: [0, 0, -0.06], normal: [0, 0, 1]}, sticky: true}\n");
    stage s = set(text, 1);
    go(&s, SANITIZED ? 0.1 : 0.3);
    // It rocks for a while as it is laid down, by less than a hundredth of its size.
    motion m = motion_of(&s, 0);
    cr_assert(lt(dbl, fabs(m.x[0] - 0.077), 8e-4), "%g", m.x[0]);
    cr_assert(lt(dbl, fabs(m.x[2] - 0.02), 8e-4), "%g", m.x[2]);
    strike(&s);
}
