// What bond damping takes after an impact is booked in full: powers then fall by orders of magnitude. Under slow loads it costs
// little to know.
#include "world/world.h"

#include "scene_stage.h" // after what has parameters of its type's name

// A plate of glass that rings for long after each impact. Samples of the ratio by which damping is booked are a twentieth
// of the total apart. The first after an impact still has a third of its ratio in it, 7 % where 0.5 % is right, the next
// ones less and less: some 0.15 % of the stored energy in two impacts. Weighed by their powers samples of impacts outlast
// ten others: 0.9 %.
Test(impact_accounts, of_damping_close_after_impacts)
{
    static const char PLATE[] =
        "materials:\n  m: {like: glass}\n"
        "bodies:\n  - {name: plate, shape: {box: [40 mm, 30 mm, 6 mm]}, material: m, "
        "packing: {hcp: {radius: 2 mm}},\n     position: [0, 0, 24 mm], rotation: [10 "
        "deg, 25 deg, 0], velocity: [0.1, 0, -0.5]}\n"
        "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, "
        "friction: 0.5}\n";
    stage s = set(PLATE, 1);
    double worst = worst_balance(&s, 1.0 / 12.0, 2);
    cr_expect(lt(dbl, worst, 0.004), "%g", worst);
    strike(&s);
}

// A sample of all bonds costs as much as two steps. Of the first 3000 steps of a slow load more than a thousand were sampled,
// as each takes more than a thousandth of the little that damping has taken so far. 5 % of what steps cost is one in 40.
Test(impact_accounts, slow_loads_are_sampled_seldom)
{
    static const char BAR[] =
        "gravity: [0, 0, 0]\n"
        "solver: {method: explicit}\n"
        "materials:\n  steel: {density: 8000, youngs_modulus: 2 GPa, unbreakable: true}\n"
        "bodies:\n"
        "  - {name: bar, shape: {box: [60 mm, 12 mm, 12 mm]}, packing: {hcp: {radius: 2 mm}}, "
        "material: steel}\n"
        "drivers:\n"
        "  - {name: held, region: {box: [6 mm, 20 mm, 20 mm], position: [-30 mm, 0, 0]}, hold: "
        "true}\n"
        "  - {name: pulled, region: {box: [6 mm, 20 mm, 20 mm], position: [30 mm, 0, 0]},\n"
        "     force: {total: [0, 0, -20 N], table: [[0 s, 0], [0.05 s, 1]]}}\n";
    enum { STEPS = 3000 };
    stage s = set(BAR, 1);
    sherd_error error;
    int samples = 0;
    for (int k = 0; k < STEPS; ++k) {
        cr_assert(sherd_world_step(s.world, 1, &error) == SHERD_OK, "%s", error.what);
        samples += s.world->system.accounts.damping.steps == 0;
    }
    cr_expect(le(int, samples, STEPS / 40));
    // Closes as it did with a sample in every other step: 4e-8.
    cr_expect(lt(dbl, fabs(sherd_world_energy(s.world).balance_error), 1e-6));
    strike(&s);
}
