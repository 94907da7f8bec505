// Bodies of material points that obstacles squeeze to less than two cells of the grid.
#include "scene_stage.h"

static const double SIDE = 0.08, GAP = 0.2e-3, SPEED = 0.25;               // [m], [m], [m/s]
static const double SHEAR = 0.2e6 / 2.6, LAME = 0.2e6 * 0.3 / (1.3 * 0.4); // [Pa]

// Of the block when it is `height` and `width` times as high and wide as it was [J].
static double stored(double height, double width)
{
    double volume = log(height * width * width), squares = height * height + 2 * width * width;
    double density = 0.5 * SHEAR * (squares - 3) - SHEAR * volume + 0.5 * LAME * volume * volume;
    return SIDE * SIDE * SIDE * density;
}

// Without friction.
static double least_stored(double height)
{
    double least = INFINITY;
    for (int k = 0; k < 400; ++k)
        least = fmin(least, stored(height, 1 + 0.005 * k));
    return least;
}

// A plate comes down on a block of four cells, its bottom's middle at `bottom` [cm],
// `tilted` about y [deg].
static stage squeeze(double friction, double tilted, double bottom)
{
    char text[2048];
    snprintf(text, sizeof text,
             "materials:\n  soft: {density: 1000, youngs_modulus: 0.2 MPa, poissons_ratio: 0.3,\n"
             "     model: neo_hookean, friction: %g}\n"
             "bodies:\n  - {name: block, shape: {box: [8 cm, 8 cm, 8 cm]}, material: soft,\n"
             "     packing: {points: {spacing: 1 cm}}, position: [0, 0, 4 cm]}\n"
             "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
             "  - {name: plate, box: [30 cm, 30 cm, 2 cm], position: [0, 0, %g cm],\n"
             "     rotation: [0, %g deg, 0], motion: {velocity: [0, 0, -0.25]}}\n",
             friction, bottom + 1, tilted);
    return set(text, 2);
}

// Nodes that knew both the plate and the floor got impulses that grew with each sweep: work rose from 16 to 700 J.
static void follow(double friction)
{
    stage s = squeeze(friction, 0, 8.02);
    for (int k = 1; k <= 6; ++k) {
        go(&s, 0.04 * k);
        double height = 1 - (0.04 * k * SPEED - GAP) / SIDE;
        double work = sherd_world_energy(s.world).work, most = stored(height, 1);
        // Were it stuck to both it could at most store what uniform compression does, as energy is least at rest; the
        // plate moves at 1/36 of the speed of sound, and cells are coarse: half more is for waves and losses.
        cr_assert(lt(dbl, work, 1.5 * most), "%g of %g J, height %g", work, most, height);
        // Without friction it stores the least that its height allows; bodies may lie in walls by a quarter of a cell, 5 mm.
        double least = least_stored(fmin(1, height + 2 * 5e-3 / SIDE));
        cr_assert(lt(dbl, least, work), "%g of %g J, height %g", work, least, height);
    }
    strike(&s);
}

Test(point_squeeze, a_block_thinner_than_two_cells_bears_what_its_stress_gives)
{
    follow(0);
    follow(0.3);
}

// Walls that are opposite but for a small angle.
Test(point_squeeze, nor_does_work_grow_under_a_tilted_plate)
{
    stage s = squeeze(0.3, 3, 8.23);
    go(&s, 0.2);
    // As above, were it everywhere as low as the plate's lowest place over the block, 2.1 mm below its middle.
    double work = sherd_world_energy(s.world).work;
    double most = 1.5 * stored(1 - (0.2 * SPEED - GAP) / SIDE, 1);
    cr_assert(lt(dbl, work, most), "%g of %g J", work, most);
    strike(&s);
}
