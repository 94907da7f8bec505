// solver.mass_scaling: forces of slow loads as without it, in steps that are longer by its root.
#include "scene_stage.h"

#define SOLVER "solver: {method: %s, mass_scaling: %g}\n"
// Loose beads in a box, pressed by a ram.
static const char BEADS[] = SOLVER
    "materials:\n  glass: {density: 2500, youngs_modulus: 0.5 GPa, unbreakable: true, friction: "
    "0.3}\n"
    "bodies:\n"
    "  - {name: beads, shape: {box: [16 mm, 16 mm, 16 mm], position: [0, 0, 8.1 mm]}, loose: "
    "true,\n"
    "     packing: {cubic: {radius: 2.5 mm, jitter: 0.02}}, material: glass}\n"
    "obstacles:\n"
    "  - {name: ram, box: [15 mm, 15 mm, 10 mm], position: [0, 0, 21.2 mm],\n"
    "     motion: {velocity: [0, 0, -3 mm/s]}}\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    "  - {name: left, plane: {point: [-8 mm, 0, 0], normal: [1, 0, 0]}}\n"
    "  - {name: right, plane: {point: [8 mm, 0, 0], normal: [-1, 0, 0]}}\n"
    "  - {name: front, plane: {point: [0, -8 mm, 0], normal: [0, 1, 0]}}\n"
    "  - {name: back, plane: {point: [0, 8 mm, 0], normal: [0, -1, 0]}}\n";
// A bonded bar, held at one end and pulled at the other by a force that grows.
static const char BAR[] = SOLVER
    "gravity: [0, 0, 0]\n"
    "materials:\n  steel: {density: 8000, youngs_modulus: 2 GPa, unbreakable: true}\n"
    "bodies:\n"
    "  - {name: bar, shape: {box: [60 mm, 12 mm, 12 mm]}, packing: {hcp: {radius: 2 mm}}, "
    "material: steel}\n"
    "drivers:\n"
    "  - {name: held, region: {box: [6 mm, 20 mm, 20 mm], position: [-30 mm, 0, 0]}, hold: true}\n"
    "  - {name: pulled, region: {box: [6 mm, 20 mm, 20 mm], position: [30 mm, 0, 0]},\n"
    "     force: {total: [0, 0, -20 N], table: [[0 s, 0], [0.05 s, 1]]}}\n";
enum { MAX_LOOKS = 40 };

typedef struct curve {
    double value[MAX_LOOKS]; // [N], or [m]
    double largest;
    double error; // of forces, as a share of the largest: what a run with mass scaling tells
    double limit; // [s]
} curve;

static stage scaled(const char *text, const char *method, double scaling)
{
    char all[4096];
    cr_assert(lt(int, snprintf(all, sizeof all, text, method, scaling), (int)sizeof all));
    return set(all, 1);
}

static curve follow(const char *text, const char *method, double scaling, double until)
{
    stage s = scaled(text, method, scaling);
    curve c = {0};
    double kinetic = 0.0, work = 0.0;
    sherd_error error;
    c.limit = sherd_world_stable_time_step(s.world, &error);
    for (int k = 0; k < MAX_LOOKS; ++k) {
        sherd_world_reset_probes(s.world);
        go(&s, until * (k + 1) / MAX_LOOKS);
        c.value[k] = s.scene->driver_count > 0
                         ? sherd_world_probe_driver(s.world, s.build.driver_ids[1]).displacement.z
                         : sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.z;
        c.largest = fmax(c.largest, fabs(c.value[k]));
        sherd_energy e = sherd_world_energy(s.world);
        kinetic = fmax(kinetic, e.kinetic), work = fmax(work, e.work - e.gravity);
    }
    c.error = sqrt(kinetic / work);
    strike(&s);
    return c;
}

static double worst_difference(const curve *a, const curve *b)
{
    double worst = 0.0;
    for (int k = 0; k < MAX_LOOKS; ++k)
        worst = fmax(worst, fabs(a->value[k] - b->value[k]));
    return worst / a->largest;
}

// Forces differ by about what the run says; beads come to lie a little otherwise besides, which takes 0.3 % of the largest.
Test(mass_scaling, pressed_beads_push_as_they_do_without_it)
{
    curve plain = follow(BEADS, "explicit", 1.0, 0.1);
    for (double scaling = 100.0; scaling <= 1e4; scaling *= 100.0) {
        curve c = follow(BEADS, "explicit", scaling, 0.1);
        cr_assert(lt(dbl, worst_difference(&plain, &c), 2.0 * c.error + 0.003));
        cr_assert(epsilon_eq(dbl, c.limit, sqrt(scaling) * plain.limit, 1e-9 * c.limit));
    }
}

Test(mass_scaling, bent_bars_bend_as_they_do_without_it)
{
    static const char *const METHODS[] = {"explicit", "implicit", "auto"};
    curve plain = follow(BAR, "explicit", 1.0, 0.05);
    for (int m = 0; m < 3; ++m) {
        curve c = follow(BAR, METHODS[m], 9.0, 0.05);
        cr_assert(lt(dbl, worst_difference(&plain, &c), 2.0 * (c.error + plain.error)));
    }
}

// Beads so stiff that what an implicit step leaves of its load would press them into each other fall, slowly, in a box, and
// touch here and there. Before their mass was weighed against their contacts' stiffness, explicit steps after implicit ones
// gave 9.7 % of the energy. Half a per cent of what the account of onset has is told at a run's end; explicit steps
// alone have 0.01 %.
Test(mass_scaling, stiff_loose_beads_are_not_thrown_apart)
{
    static const char FALLING[] = SOLVER
        "materials:\n  glass: {density: 2500, youngs_modulus: 70 GPa, unbreakable: true, friction: "
        "0.3}\n"
        "bodies:\n"
        "  - {name: beads, shape: {box: [26 mm, 26 mm, 40 mm]}, loose: true, material: glass,\n"
        "     packing: {cubic: {radius: 2.5 mm, jitter: 0.02}}, position: [0, 0, 20.2 mm]}\n"
        "obstacles:\n"
        "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "  - {name: left, plane: {point: [-13 mm, 0, 0], normal: [1, 0, 0]}}\n"
        "  - {name: right, plane: {point: [13 mm, 0, 0], normal: [-1, 0, 0]}}\n"
        "  - {name: front, plane: {point: [0, -13 mm, 0], normal: [0, 1, 0]}}\n"
        "  - {name: back, plane: {point: [0, 13 mm, 0], normal: [0, -1, 0]}}\n";
    stage s = scaled(FALLING, "auto", 100.0);
    for (int k = 1; k <= 14; ++k) {
        go(&s, 0.01 * k);
        sherd_energy e = sherd_world_energy(s.world);
        double most = fmax(fabs(e.gravity), e.kinetic);
        cr_assert(lt(dbl, fabs(e.dissipated_onset), 0.005 * most), "%d0 ms", k);
        cr_assert(lt(dbl, fabs(e.balance_error), 0.005));
    }
    cr_assert(lt(i64, (int64_t)0, sherd_world_solver_counts(s.world).implicit_steps));
    strike(&s);
}

// A bead at rest weighs what it weighs, and a free body too; the masses that a world reports are those without scaling.
Test(mass_scaling, weights_and_reported_masses_are_those_without_it)
{
    static const char RESTS[] = SOLVER
        "materials:\n  glass: {density: 2500, youngs_modulus: 1 MPa, unbreakable: true, "
        "restitution: 0.1}\n"
        "bodies:\n  - {name: bead, shape: {sphere: 5 mm, position: [0, 0, 5 mm]}, loose: true, "
        "packing: {cubic: {radius: 5 mm}}, material: glass}\n"
        "obstacles:\n"
        "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "  - {name: block, box: [2 cm, 2 cm, 1 cm], position: [5 cm, 0, 5 mm], free: "
        "{density: 1000}}\n";
    stage s = scaled(RESTS, "auto", 2000.0), plain = scaled(RESTS, "explicit", 1.0);
    go(&s, 1.0);
    double mass = sherd_world_element(s.world, 0).mass,
           bead = sherd_world_element(plain.world, 0).mass;
    cr_assert(epsilon_eq(dbl, mass, bead, 1e-12 * bead));
    sherd_world_reset_probes(s.world);
    go(&s, 1.5);
    double weight = 9.81 * (bead + 1000.0 * 2e-2 * 2e-2 * 1e-2);
    double force = sherd_world_probe_obstacle(s.world, s.build.obstacle_ids[0]).force.z;
    // What still bounces would show.
    cr_assert(epsilon_eq(dbl, -force, weight, 0.01 * weight));
    strike(&s), strike(&plain);
}

Test(mass_scaling, material_points_are_refused)
{
    static const char POINTS[] =
        "solver: {mass_scaling: 10}\n"
        "materials:\n  gum: {density: 1000, youngs_modulus: 0.2 MPa, model: neo_hookean}\n"
        "bodies:\n  - {name: bar, shape: {box: [4 cm, 4 cm, 4 cm]}, material: gum, packing: "
        "{points: {spacing: 1 cm}}}\n";
    sherd_diagnostics diagnostics = {0};
    sherd_error error = {0};
    sherd_scene_build build;
    sherd_scene *scene = parse(POINTS, &diagnostics);
    cr_assert(scene != NULL);
    cr_assert(sherd_scene_create_world(scene, 1, &build, &error) == NULL);
    cr_assert(strstr(error.hint, "mass_scaling") != NULL, "%s", error.hint);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
    sherd_diagnostics_free(&diagnostics);
}
