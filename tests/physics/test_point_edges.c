// Bodies of material points on edges of obstacles: they meet the faces on which they lie, and no others.
#include "scene_stage.h"

typedef struct blow {
    double spacing, friction, safety; // [cm]
    double beyond, up;                // of the edge, from a node's row of the grid [cm]
    bool driven;                      // the box comes to the block
} blow;

// A block of 1.4 kg and a box that reaches under half of it meet at 0.5 m/s.
static stage meet(const blow *b)
{
    char text[2048];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nsolver: {method: explicit, safety: %g}\n"
             "materials:\n  clay: {density: 1800, youngs_modulus: 20 MPa, poissons_ratio: 0.2,\n"
             "     model: neo_hookean, friction: %g}\n"
             "bodies:\n  - {name: block, shape: {box: [12 cm, 8 cm, 8 cm]}, material: clay,\n"
             "     packing: {points: {spacing: %g cm}}, position: [0, 0, %g cm],\n"
             "     velocity: [0, 0, %g]}\n"
             "obstacles:\n  - {name: step, box: [20 cm, 60 cm, 30 cm],\n"
             "     position: [%g cm, 0, %g cm], motion: {velocity: [0, 0, %g]}}\n",
             b->safety, b->friction, b->spacing, b->up + 4.1, b->driven ? 0.0 : -0.5,
             b->beyond - 10.0, b->up - 15.0, b->driven ? 0.5 : 0.0);
    return set(text, 2);
}

static double stored(const stage *s)
{
    sherd_energy e = sherd_world_energy(s->world);
    return e.kinetic + e.elastic - e.work;
}

// It was pushed aside by 0.2 to 0.5 of the impulse that stops it, and took up to half as much energy again from nowhere:
// nodes beside and inside the box took its side for what the block above them lies on.
static void strike_edge(const blow *b)
{
    stage s = meet(b);
    double before = stored(&s), rise = sherd_world_momentum(s.world).z;
    double scale = 0.5 * 1800 * 0.12 * 0.08 * 0.08 * 0.25, highest = 0.0, aside = 0.0;
    for (int k = 1; k <= 10; ++k) {
        go(&s, 2e-3 * k);
        highest = fmax(highest, stored(&s) - before);
        aside = fmax(aside, fabs(sherd_world_momentum(s.world).x));
    }
    rise = sherd_world_momentum(s.world).z - rise;
    char where[128];
    snprintf(where, sizeof where, "at %g, %g: cells of %g cm, friction %g, safety %g", b->beyond,
             b->up, 2 * b->spacing, b->friction, b->safety);
    // All of the block gets 0.69 kg m/s when it is stopped.
    cr_assert(lt(dbl, 0.6, rise), "%g %s", rise, where);
    // Explicit steps, of order dt.
    cr_assert(lt(dbl, highest, 0.01 * scale), "%g %s", highest / scale, where);
    // A level face without friction gives none; the block turns, and its lower edges may reach the side later.
    if (!(b->friction > 0.0)) cr_assert(lt(dbl, aside, 0.02 * rise), "%g %s", aside / rise, where);
    strike(&s);
}

Test(point_edges, a_block_on_an_edge_is_not_pushed_aside)
{
    static const double PLACE[4][2] = {{0, 0}, {0.5, 0}, {1, 0.7}, {0, 1}};
    for (int k = 0; k < 8; ++k)
        strike_edge(&(blow){1, k % 2 ? 0.5 : 0, 0.85, PLACE[k / 2][0], PLACE[k / 2][1], false});
}

Test(point_edges, nor_in_other_cells_and_shorter_steps)
{
    strike_edge(&(blow){2, 0, 0.85, 0, 0, false});
    strike_edge(&(blow){0.8, 0, 0.85, 0.3, 0, false});
    strike_edge(&(blow){1, 0, 0.2, 0, 0, false});
    strike_edge(&(blow){1, 0.5, 0.2, 1, 0.7, false});
}

Test(point_edges, nor_by_an_edge_that_comes_to_it)
{
    strike_edge(&(blow){1, 0, 0.85, 0, 0, true});
    strike_edge(&(blow){1, 0.5, 0.85, 0.4, 0, true});
}
