// What bond damping takes after an impact is booked in full: powers then fall by orders of magnitude.
#include "scene_stage.h"

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
