// [MPMG]'s own contact and glue in scenes (docs/papers/mpmg.md): contact pair by pair, at all nodes that bodies share, and glue
// that breaks by the force at nodes.
#include "sanitized.h"
#include "scene_stage.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- contact pair by pair

// Two blocks in cells of 5 cm, the upper one three times as dense, 13 cm above: it falls on the other without gravity.
#define BLOCKS(contact, friction, velocity)                                                        \
    "gravity: [0, 0, 0]\nmaterials:\n"                                                             \
    "  light: {density: 500, youngs_modulus: 200 kPa, poissons_ratio: 0.2, model: corotated, "     \
    "friction: " friction "}\n"                                                                    \
    "  heavy: {density: 1500, youngs_modulus: 200 kPa, poissons_ratio: 0.2, model: corotated, "    \
    "friction: " friction "}\n"                                                                    \
    "bodies:\n"                                                                                    \
    "  - {name: lower, shape: {box: [80 cm, 20 cm, 20 cm]}, packing: {points: {spacing: 2.5 "      \
    "cm}}, "                                                                                       \
    "material: light}\n"                                                                           \
    "  - {name: upper, shape: {box: [40 cm, 20 cm, 20 cm]}, packing: {points: {spacing: 2.5 "      \
    "cm}}, "                                                                                       \
    "material: heavy, position: [-10 cm, 0, 33 cm], velocity: " velocity "}\n"                     \
    "solver: {transfer: flip, point_contact: " contact "}\n"

typedef struct meeting {
    double gap;              // least distance of the faces' points, less a spacing [cells]
    sherd_vec3 lower;        // momentum of the lower body at the end [kg m/s]
    double lost, dissipated; // fraction of kinetic energy; by friction [J]
} meeting;

static meeting meet(const char *text, double end)
{
    stage s = set(text, 2);
    meeting out = {.gap = INFINITY};
    sherd_vec3 before = sherd_world_momentum(s.world);
    double start = sherd_world_energy(s.world).kinetic;
    for (int k = 1; k <= 40; ++k) {
        go(&s, end * k / 40);
        sherd_element_view e = sherd_world_elements(s.world);
        double low = INFINITY, high = -INFINITY;
        for (sherd_element_index n = 0; n < e.count; ++n) {
            if (sherd_world_element(s.world, n).body == 0)
                high = fmax(high, e.z[n]);
            else
                low = fmin(low, e.z[n]);
        }
        out.gap = fmin(out.gap, (low - high - 0.025) / 0.05);
    }
    sherd_element_view e = sherd_world_elements(s.world);
    for (sherd_element_index n = 0; n < e.count; ++n) {
        sherd_element_info info = sherd_world_element(s.world, n);
        if (info.body != 0) continue;
        out.lower.x += info.mass * e.vx[n], out.lower.z += info.mass * e.vz[n];
    }
    sherd_vec3 after = sherd_world_momentum(s.world);
    double change =
        fmax(fabs(after.x - before.x), fmax(fabs(after.y - before.y), fabs(after.z - before.z)));
    cr_assert(lt(dbl, change, 1e-12 * fabs(before.z)), "%g", change); // sums of 2500 points
    sherd_energy energy = sherd_world_energy(s.world);
    out.lost = 1.0 - (energy.kinetic + energy.elastic) / start;
    out.dissipated = energy.dissipated_friction;
    cr_assert(lt(dbl, fabs(energy.balance_error), 0.02), "%g", energy.balance_error);
    strike(&s);
    return out;
}

// Momentum stays. Pair by pair they turn where their grids meet, 2 h before surfaces do, which contact of surfaces waits for. Neither gains energy.
Test(point_modes, blocks_turn_where_their_grids_meet)
{
    meeting paper = meet(BLOCKS("pairwise", "0", "[0, 0, -0.2]"), 1.2),
            own = meet(BLOCKS("surfaces", "0", "[0, 0, -0.2]"), 1.2);
    cr_log_info("gaps %g %g, lost %g %g", paper.gap, own.gap, paper.lost, own.lost);
    cr_assert(paper.gap > 1.9 && paper.gap < 2.0, "%g", paper.gap);
    cr_assert(lt(dbl, fabs(own.gap), 0.3), "%g", own.gap); // spring and strain
    cr_assert(paper.lost > 0.0 && paper.lost < 1.0);
}

// The lower body, light and at rest, ends with m_l m_u (1 + e) / (m_l + m_u) v, e between 0 and 1; what slides all the time
// gives mu times that along the face, [MPMG] (11).
Test(point_modes, what_slides_rubs_with_coulombs_share)
{
    const double mass[2] = {500.0 * 0.8 * 0.2 * 0.2, 1500.0 * 0.4 * 0.2 * 0.2},
                 reduced = mass[0] * mass[1] / (mass[0] + mass[1]);
    meeting paper = meet(BLOCKS("pairwise", "0.2", "[0.8, 0, -0.8]"), 0.3);
    double e = -paper.lower.z / (0.8 * reduced) - 1.0, ratio = -paper.lower.x / paper.lower.z;
    cr_log_info("e %g, ratio %g", e, ratio);
    cr_assert(e > 0.0 && e < 1.0, "%g", e);
    // More by what the normals lean at the front edge of the face, where mass ends, and less behind: 0.221 of a face of eight
    // cells, 0.234 of four.
    cr_assert(epsilon_eq(dbl, ratio, 0.2, 0.03), "%g", ratio);
    cr_assert(lt(dbl, 0.0, paper.dissipated));
}

// ---------------------------------------------------------------- glue by force

// A bar of 4 cm in cells of 1 cm, glued across its middle, whose ends are driven apart at 2 cm/s, or together.
#define BAR(glue, left, right)                                                                     \
    "gravity: [0, 0, 0]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1 MPa, "            \
    "poissons_ratio: 0.0, model: neo_hookean}\nbodies:\n"                                          \
    "  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm]}, material: rubber, "                        \
    "packing: {points: {spacing: 5 mm}},\n     fracture: {pieces: {cut: {plane: {point: "          \
    "[2 mm, 0, 0], normal: [1, 0, 0]}}}, glue: " glue "}}\n"                                       \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-7 cm, 0, 0]}, "     \
    "motion: {velocity: [" left ", 0, 0]}}\n"                                                      \
    "  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [7 cm, 0, 0]}, "     \
    "motion: {velocity: [" right ", 0, 0]}}\n"                                                     \
    "solver: {transfer: flip}\n"

typedef struct pull {
    double stress; // mean at the ends when glue broke first [Pa]; NAN: it held
    sherd_body_glue glue;
} pull;

static pull pull_bar(const char *text, double until)
{
    enum { LOOKS = 60 };
    stage s = set(text, 2);
    pull out = {.stress = NAN};
    for (int k = 1; k <= LOOKS && isnan(out.stress); ++k) {
        sherd_world_reset_probes(s.world);
        go(&s, until * k / LOOKS);
        out.glue = sherd_world_body_glue(s.world, 0);
        sherd_vec3 force = sherd_world_probe_driver(s.world, s.build.driver_ids[1]).force;
        if (out.glue.broken > 0) out.stress = fabs(force.x) / (0.04 * 0.04);
    }
    strike(&s);
    return out;
}

// A node's relative force is 0.97 to 1.38 sigma h^2 (tests/physics/test_mpm_glue.c), so that a threshold of 1 N in cells of
// 1 cm breaks at 7.2 to 10.3 kPa; waves from the ends and the time between looks are worth a tenth of that.
Test(point_modes, glue_breaks_at_its_force_in_tension_alone)
{
    pull apart = pull_bar(BAR("{criterion: force, threshold: 1 N}", "-2 cm/s", "2 cm/s"), 48e-3),
         half = pull_bar(BAR("{criterion: force, threshold: 0.5 N}", "-2 cm/s", "2 cm/s"), 48e-3),
         pressed = pull_bar(BAR("{criterion: force, threshold: 1 N}", "2 cm/s", "-2 cm/s"), 48e-3);
    cr_log_info("%g %g Pa", apart.stress, half.stress);
    cr_assert(apart.stress > 0.9 * 7.2e3 && apart.stress < 1.1 * 10.3e3, "%g", apart.stress);
    cr_assert(epsilon_eq(dbl, half.stress, 0.5 * apart.stress, 0.15 * apart.stress), "%g",
              half.stress);
    cr_assert(isnan(pressed.stress));
    cr_assert(lt(i64, 0, pressed.glue.count));
}

// ---------------------------------------------------------------- bits

#define BREAKING                                                                                   \
    "materials:\n  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "             \
    "model: neo_hookean, friction: 0.3}\nbodies:\n"                                                \
    "  - {name: block, shape: {box: [10 cm, 8 cm, 10 cm]}, material: clay,\n"                      \
    "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 8 cm],\n"                        \
    "     rotation: [0, 20 deg, 0], velocity: [0, 0, -4],\n"                                       \
    "     fracture: {pieces: {voronoi: {size: 5 cm, seed: 3}}, "                                   \
    "glue: {criterion: force, threshold: 20 N, scatter: 0.3}}}\n"                                  \
    "  - {name: other, shape: {box: [10 cm, 8 cm, 10 cm]}, material: clay,\n"                      \
    "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 20.5 cm], velocity: [0, 0, "     \
    "-4],\n"                                                                                       \
    "     fracture: {pieces: {voronoi: {size: 5 cm, seed: 4}}, "                                   \
    "glue: {tensile_strength: 8 kPa, shear_strength: 12 kPa}}}\n"                                  \
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"                \
    "solver: {transfer: flip, point_contact: pairwise, safety: 0.4}\n"

// Beside a body whose glue breaks by stress.
Test(point_modes, breaking_goes_on_bit_for_bit)
{
    const double end = 0.03;
    const int stops[3] = {1, 37, 90}, threads[3] = {1, 3, 8};
    stage s = set(BREAKING, 2);
    go(&s, end);
    for (int k = 0; k < 2; ++k) {
        sherd_body_glue glue = sherd_world_body_glue(s.world, k);
        cr_assert(0 < glue.broken && glue.broken < glue.count, "%d: %lld of %lld", k,
                  (long long)glue.broken, (long long)glue.count);
    }
    check_resumed(BREAKING, end, stops, SANITIZED ? 1 : 3);
    for (int k = 0; k < (SANITIZED ? 1 : 3); ++k) {
        stage other = set(BREAKING, threads[k]);
        go_on_as(&s, &other, end);
    }
    strike(&s);
}

// A checkpoint is not one of the same scene with another contact or criterion.
Test(point_modes, fingerprints_follow_the_keys)
{
    static const char *const TEXTS[4] = {
        BLOCKS("pairwise", "0", "[0, 0, -0.2]"), BLOCKS("surfaces", "0", "[0, 0, -0.2]"),
        BAR("{criterion: force, threshold: 1 N}", "-2 cm/s", "2 cm/s"),
        BAR("{criterion: force, threshold: 2 N}", "-2 cm/s", "2 cm/s")};
    uint64_t digest[4];
    for (int k = 0; k < 4; ++k) {
        sherd_diagnostics d = {0};
        sherd_scene *scene = parse(TEXTS[k], &d);
        cr_assert(scene != NULL, "%s: %s", d.errors[0].where, d.errors[0].what);
        digest[k] = scene->digest;
        sherd_scene_destroy(scene);
        sherd_diagnostics_free(&d);
    }
    cr_assert(digest[0] != digest[1] && digest[2] != digest[3]);
}

// ---------------------------------------------------------------- errors

static void expect(const char *text, const char *where, const char *what)
{
    sherd_diagnostics d = {0};
    sherd_scene *scene = parse(text, &d);
    bool found = false;
    for (int k = 0; k < d.count; ++k)
        found = found || (strstr(d.errors[k].where, where) != NULL &&
                          strstr(d.errors[k].what, what) != NULL);
    if (scene != NULL) { // it takes a world to see
        sherd_scene_build build = {0};
        sherd_error error = {0};
        sherd_world *world = sherd_scene_create_world(scene, 1, &build, &error);
        if (world != NULL) // points are made before the first step
            cr_assert(sherd_world_advance(world, 1e-3, &error) != SHERD_OK);
        found = strstr(error.where, where) != NULL && strstr(error.what, what) != NULL;
        cr_assert(found, "%s: %s", error.where, error.what);
        sherd_world_destroy(world);
        sherd_scene_build_free(&build), sherd_scene_destroy(scene);
    }
    cr_assert(found, "%s: %s", d.errors[0].where, d.errors[0].what);
    sherd_diagnostics_free(&d);
}

Test(point_modes, combinations_that_make_no_sense_are_refused)
{
    expect(BAR("{criterion: force}", "-2 cm/s", "2 cm/s"), "fracture.glue", "threshold");
    expect(BAR("{criterion: force, threshold: -1 N}", "-2 cm/s", "2 cm/s"), "glue.threshold",
           "must be");
    expect(BAR("{criterion: force, threshold: 1 kPa}", "-2 cm/s", "2 cm/s"), "glue.threshold",
           "force");
    expect(BAR("{criterion: weight, threshold: 1 N}", "-2 cm/s", "2 cm/s"), "glue.criterion",
           "stress, force");
    expect(BAR("{criterion: force, threshold: 1 N, tensile_strength: 1 kPa}", "-2 cm/s", "2 cm/s"),
           "glue.tensile_strength", "by stress");
    expect(
        BAR("{criterion: force, threshold: 1 N, fracture_energy: 10 J/m^2}", "-2 cm/s", "2 cm/s"),
        "glue.fracture_energy", "by stress");
    expect(BAR("{threshold: 1 N, tensile_strength: 1 kPa, shear_strength: 1 kPa}", "-2 cm/s",
               "2 cm/s"),
           "glue.threshold", "by force");
    const char *elements =
        "materials:\n  glass: {density: 1000, youngs_modulus: 1 MPa, shear_modulus: 0.4 MPa, "
        "tensile_strength: 1 kPa, shear_strength: 1 kPa}\n"
        "bodies:\n  - {name: b, shape: {box: [1, 1, 1]}, packing: {hcp: {radius: 10 cm}}, "
        "material: glass, fracture: {pieces: {voronoi: {size: 5 cm}}, glue: {criterion: force, "
        "threshold: 1 N}}}\n";
    expect(elements, "bodies.b.fracture", "material points");
    const char *mixed =
        "materials:\n  glass: {density: 1000, youngs_modulus: 1 MPa, shear_modulus: 0.4 MPa, "
        "tensile_strength: 1 kPa, shear_strength: 1 kPa}\n"
        "  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "bodies:\n  - {name: p, shape: {box: [1, 1, 1]}, packing: {points: {spacing: 10 cm}}, "
        "material: clay}\n  - {name: b, shape: {box: [1, 1, 1]}, packing: {hcp: {radius: 10 cm}}, "
        "material: glass, position: [0, 0, 2]}\nsolver: {point_contact: pairwise}\n";
    expect(mixed, "bodies.b", "pairwise");
    const char *ball =
        "materials:\n"
        "  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}\n"
        "bodies:\n  - {name: p, shape: {box: [1, 1, 1]}, packing: {points: {spacing: 10 cm}}, "
        "material: clay}\nobstacles:\n  - {name: ball, sphere: 20 cm, position: [0, 0, 1], "
        "free: {density: 1000}}\nsolver: {point_contact: pairwise}\n";
    expect(ball, "obstacles.ball", "pairwise");
}
