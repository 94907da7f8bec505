// First impacts, told beforehand: when, how fast, with what stress, and about how many pieces come of it.
#include "scene/scene_impact.h"
#include "scene_stage.h"

#define CLAY                                                                                       \
    "solver: {method: explicit}\nmaterials:\n  clay: {density: 2000, youngs_modulus: 50 MPa, "     \
    "poissons_ratio: 0.2, tensile_strength: 0.1 MPa, shear_strength: 0.15 MPa}\n"
#define CUBE(name, place, velocity)                                                                \
    "  - {name: " name ", shape: {box: [20 mm, 20 mm, 20 mm]}, position: " place                   \
    ", velocity: " velocity ",\n     packing: {hcp: {radius: 1 mm}}, material: clay}\n"
#define FLOOR "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
#define AIRLESS "gravity: [0, 0, 0]\n"

enum { MOST = 4 };

static int impacts_of(const char *text, sherd_scene_impact list[MOST])
{
    stage s = set(text, 1);
    int count = sherd_scene_impacts(s.scene, &s.build, list, MOST);
    strike(&s);
    return count;
}

// rho c of clay [Pa s/m].
static double impedance(void)
{
    return sqrt(2000.0 * 50e6);
}

// Elements end up to 0.3 radii below faces; the fall of 10 cm is 0.3 % longer then.
Test(impacts, of_a_fall_is_known_beforehand)
{
    sherd_scene_impact i[MOST];
    int count = impacts_of(
        CLAY "bodies:\n" CUBE("a", "[0, 0, 110 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR, i);
    double speed = sqrt(2.0 * 9.81 * 0.1);
    cr_assert(eq(int, count, 1));
    bool on_floor = i[0].other_is_obstacle && i[0].other == 0 && i[0].body == 0;
    cr_expect(on_floor);
    cr_expect(epsilon_eq(dbl, i[0].speed, speed, 0.01 * speed));
    cr_expect(epsilon_eq(dbl, i[0].time, speed / 9.81, 0.01));
    cr_expect(epsilon_eq(dbl, i[0].stress, impedance() * i[0].speed, 1e-6 * i[0].stress));
    cr_expect(eq(dbl, i[0].strength, 0.1e6));
}

// Each has half of the stress that a rigid wall would give it; a wall that comes gives what coming to it gives.
Test(impacts, of_bodies_and_of_what_moves)
{
    sherd_scene_impact i[MOST];
    int count = impacts_of(CLAY AIRLESS "bodies:\n" CUBE("a", "[0, 0, 0]", "[0, 0, 3]")
                               CUBE("b", "[0, 0, 50 mm]", "[0, 0, -1]"),
                           i);
    cr_assert(eq(int, count, 2));
    for (int k = 0; k < 2; ++k) {
        bool each_other = !i[k].other_is_obstacle && i[k].other == 1 - k;
        cr_expect(each_other);
        cr_expect(epsilon_eq(dbl, i[k].speed, 4.0, 0.02));
        cr_expect(epsilon_eq(dbl, i[k].stress, 0.5 * impedance() * i[k].speed, 1.0));
    }
    count = impacts_of(
        CLAY AIRLESS
        "bodies:\n" CUBE("a", "[0, 0, 0]", "[0, 0, 0]") "obstacles:\n  - {name: ram, box: [30 mm, "
                                                        "30 mm, 10 mm], position: [0, 0, -40 mm],\n"
                                                        "     motion: {velocity: [0, 0, 2]}}\n",
        i);
    cr_assert(eq(int, count, 1));
    cr_expect(epsilon_eq(dbl, i[0].speed, 2.0, 0.01));
    // What rests on the floor does not fall, and what is held does not move.
    cr_expect(
        eq(int, 0,
           impacts_of(CLAY "bodies:\n" CUBE("a", "[0, 0, 10 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR,
                      i)));
    cr_expect(eq(int, 0,
                 impacts_of(CLAY "bodies:\n" CUBE(
                                "a", "[0, 0, 90 mm]",
                                "[0, 0, 0]") "obstacles:\n" FLOOR
                                             "drivers:\n  - {name: hand, body: a, hold: true}\n",
                            i)));
    // What passes meets nothing.
    cr_expect(eq(int, 0,
                 impacts_of(CLAY AIRLESS "bodies:\n" CUBE("a", "[0, 0, 0]", "[0, 0, 3]")
                                CUBE("b", "[60 mm, 0, 50 mm]", "[0, 0, -1]"),
                            i)));
}

// A flight ends at the first thing in its way: what lies on a body does not fall through it, what falls on one meets it
// and not the floor, however softly; and what falls in one piece with another meets the floor with it.
Test(impacts, of_flights_end_at_bodies_in_between)
{
    sherd_scene_impact i[MOST];
    cr_expect(eq(int, 0,
                 impacts_of(CLAY "bodies:\n" CUBE("a", "[0, 0, 10 mm]", "[0, 0, 0]")
                                CUBE("b", "[0, 0, 30 mm]", "[0, 0, 0]")
                                    CUBE("c", "[0, 0, 50 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR,
                            i)));
    // Half a millimetre between elements: too little to tell of.
    cr_expect(eq(int, 0,
                 impacts_of(CLAY "bodies:\n" CUBE("a", "[0, 0, 10 mm]", "[0, 0, 0]")
                                CUBE("b", "[0, 0, 30.2 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR,
                            i)));
    int count = impacts_of(CLAY "bodies:\n" CUBE("a", "[0, 0, 10 mm]", "[0, 0, 0]")
                               CUBE("b", "[0, 0, 130 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR,
                           i);
    cr_assert(eq(int, count, 2));
    for (int k = 0; k < 2; ++k) {
        bool each_other = !i[k].other_is_obstacle && i[k].body == k && i[k].other == 1 - k;
        cr_expect(each_other);
        cr_expect(epsilon_eq(dbl, i[k].speed, sqrt(2.0 * 9.81 * 0.1), 0.02));
    }
    count = impacts_of(CLAY "bodies:\n" CUBE("a", "[0, 0, 110 mm]", "[0, 0, 0]")
                           CUBE("b", "[0, 0, 130 mm]", "[0, 0, 0]") "obstacles:\n" FLOOR,
                       i);
    cr_assert(lt(int, 0, count));
    bool on_floor = i[0].other_is_obstacle && i[0].body == 0;
    cr_expect(on_floor);
}

static sherd_element_index pieces_of(const stage *s, sherd_element_index first,
                                     sherd_element_index count)
{
    sherd_element_index n = sherd_world_elements(s->world).count, pieces = 0;
    int32_t *component = malloc((size_t)n * sizeof *component);
    sherd_world_components(s->world, component);
    for (sherd_element_index e = first; e < first + count; ++e)
        pieces += component[e] == e;
    free(component);
    return pieces;
}

// A ball that strikes a pane between the elements that are looked at beforehand. Few of the pane's elements feel it, and
// it breaks into a number of pieces that is told to the nearest of 5, 50 and 500, or the next.
Test(impacts, of_small_balls_break_panes_where_they_strike)
{
    static const double speed[] = {-8.0, -24.0};
    for (int k = 0; k < 2; ++k) {
        sherd_scene_impact i[MOST];
        char text[2048];
        snprintf(
            text, sizeof text,
            CLAY AIRLESS
            "bodies:\n  - {name: pane, shape: {box: [100 mm, 80 mm, 4 mm]}, packing: {layers: "
            "{radius: 1 mm, count: 2}}, material: clay}\nobstacles:\n  - {name: ball, sphere: 5 "
            "mm, position: [17 mm, 11 mm, 7.5 mm], free: {density: 7800, velocity: [0, 0, "
            "%.9g]}}\n",
            speed[k]);
        cr_assert(eq(int, impacts_of(text, i), 1));
        cr_expect(epsilon_eq(dbl, i[0].speed, -speed[k], 0.02 * -speed[k]));
        cr_expect(epsilon_eq(dbl, i[0].time, 0.5e-3 / -speed[k], 0.1e-3 / -speed[k]));
        // A disc as wide as the ball and a diameter on: 15 mm around its middle, but the rim, whose distance is that of
        // the sphere.
        double disc = 3.14159 * 15.0 * 15.0 / (100.0 * 80.0);
        cr_expect(lt(dbl, i[0].struck, disc * i[0].elements));
        cr_expect(lt(dbl, 0.6 * disc * i[0].elements, i[0].struck));
        stage s = set(text, 1);
        go(&s, 3e-3);
        double factor = pieces_of(&s, 0, i[0].elements) / i[0].pieces;
        cr_expect(factor > 0.1 && factor < 10.0, "%g for %g", factor * i[0].pieces, i[0].pieces);
        strike(&s);
    }
}

// By so many pieces that the estimate is wrong by less than a factor of three, as documented: cubes of clay.
Test(impacts, make_about_as_many_pieces_as_told)
{
    static const double wanted[] = {50.0, 250.0};
    for (int k = 0; k < 2; ++k) {
        sherd_scene_impact i[MOST];
        char text[2048];
        const char *format = CLAY AIRLESS
            "bodies:\n  - {name: a, shape: {sphere: 12 mm}, position: [0, 0, 12.1 mm],"
            " velocity: [0, 0, %.9g],\n     packing: {random: {radius: 0.8 mm, seed: 1}}, "
            "material: clay}\nobstacles:\n" FLOOR;
        snprintf(text, sizeof text, format, -1.0);
        cr_assert(eq(int, impacts_of(text, i), 1));
        double ratio = sherd_scene_impact_ratio(&i[0], wanted[k]);
        snprintf(text, sizeof text, format, -ratio * i[0].strength / impedance());
        cr_assert(eq(int, impacts_of(text, i), 1));
        cr_expect(epsilon_eq(dbl, i[0].pieces, wanted[k], 0.05 * wanted[k]));
        stage s = set(text, 1);
        go(&s, 2e-3);
        sherd_element_index pieces = pieces_of(&s, 0, i[0].elements);
        bool near = pieces > wanted[k] / 3.0 && pieces < 3.0 * wanted[k];
        cr_expect(near, "%d for %g", (int)pieces, wanted[k]);
        strike(&s);
    }
}
