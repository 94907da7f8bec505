// A rope that is pulled over a drum bears exp(mu theta) times the load at its other end, whatever it is made of.
#include "scene_stage.h"

enum { ARC = 21, MAX_TEXT = 6000 };
static const double DRUM = 0.010, ROPE = 0.0005; // radii [m]
static const double LOAD = 0.1;                  // [N]

typedef struct rope {
    const char *method; // and its step
    double friction, damping, fibers, restitution;
} rope;

// Up one side, half around the drum, whose axis is y, and down the other side.
static int put_path(char *text, size_t size)
{
    double around = DRUM + ROPE;
    int at = snprintf(text, size, "[%g, 0, -0.01]", around);
    for (int k = 0; k <= ARC; ++k) {
        double angle = M_PI * k / ARC;
        at += snprintf(text + at, size - (size_t)at, ", [%.7f, 0, %.7f]", around * cos(angle),
                       around * sin(angle));
    }
    return at + snprintf(text + at, size - (size_t)at, ", [%g, 0, -0.005]", -around);
}

static stage rope_over_drum(const rope *r)
{
    char path[MAX_TEXT / 2], text[MAX_TEXT];
    put_path(path, sizeof path);
    snprintf(
        text, sizeof text,
        "materials:\n  m: {density: 1000, youngs_modulus: 200 MPa, unbreakable: true, "
        "bond_damping: %g, friction: %g, restitution: %g}\n"
        "bodies:\n  - {name: b, material: m, yarn: {rope: {radius: 0.5 mm, strands: 1, "
        "spacing: 0.6, fiber_share: %g, path: [%s]}}}\n"
        "obstacles:\n  - {name: drum, cylinder: {radius: 10 mm, height: 20 mm}, "
        "rotation: [90 deg, 0, 0], friction: %g}\n"
        "drivers:\n"
        "  - {name: pull, region: {box: [2 mm, 2 mm, 1.3 mm], position: [-10.5 mm, 0, -5 mm]}, "
        "motion: {table: [{time: 0}, {time: 10 ms}, {time: 60 ms, translation: [0, 0, -5 "
        "mm]}]}}\n"
        "  - {name: load, region: {box: [2 mm, 2 mm, 1.3 mm], position: [10.5 mm, 0, -10 mm]}, "
        "force: {total: [0, 0, -0.1], table: [[0, 0], [10 ms, 1]]}}\n"
        "solver: {method: %s}\n",
        r->damping, r->friction, r->restitution, r->fibers, path, r->friction, r->method);
    return set(text, 1);
}

// Mean pull of the last part of the way, over the load.
static double ratio_of(const rope *r)
{
    stage s = rope_over_drum(r);
    go(&s, 0.035);
    sherd_world_reset_probes(s.world);
    go(&s, 0.045);
    double pull = sherd_world_probe_driver(s.world, s.build.driver_ids[0]).force.z;
    double balance = sherd_world_energy(s.world).balance_error;
    cr_assert(lt(dbl, fabs(balance), 2e-3), "%g", balance);
    strike(&s);
    return pull / LOAD;
}

// Friction acts at the surface of beads and turns them: what they bear by shear lets them press less, so that
// R T' = mu (T - Q), Q = r f. Within 3 %: the rope lies on the drum as a polygon, and its ends hardly bend.
static void check(rope r)
{
    double around = DRUM + ROPE, expected = exp(r.friction * M_PI * around / (around + ROPE));
    double found = ratio_of(&r);
    cr_log_info("%s, mu %g, damping %g, fibres %g: %g of %g", r.method, r.friction, r.damping,
                r.fibers, found, expected);
    cr_assert(epsilon_eq(dbl, found, expected, 0.03 * expected), "%s, mu %g, damping %g, fibres %g",
              r.method, r.friction, r.damping, r.fibers);
}

// Sliding by a friction that goes with the force of the moment, beads would rock, leave the drum and stick: 0.5 to
// 0.8 of that.
Test(ropes, bear_what_coulomb_says_however_little_they_are_damped)
{
    check((rope){"explicit", 0.4, 0.5, 0.05, 0.2});
    check((rope){"explicit", 0.4, 0.05, 0.05, 0.2});
    check((rope){"explicit, time_step: 0.4 us", 0.2, 0.02, 0.05, 0.9});
    check((rope){"explicit", 0.4, 0.1, 0.03, 0.5});
}

Test(ropes, bear_it_with_every_method)
{
    check((rope){"auto", 0.4, 0.5, 0.05, 0.2});
    check((rope){"implicit", 0.4, 0.5, 0.05, 0.2});
}
