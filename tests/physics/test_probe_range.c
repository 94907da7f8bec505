// Least and largest loads that probes read: those of steps, however rarely they are read, whatever steps the world takes.
#include "scene_stage.h"

// A bar is pulled slowly while it rings, and a block falls on a floor.
#define BAR                                                                                        \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "materials:\n  soft: {density: 1000, youngs_modulus: 2 MPa, poissons_ratio: 0.2, "             \
    "unbreakable: true}\n"                                                                         \
    "bodies:\n"                                                                                    \
    "  - {name: bar, shape: {box: [10 cm, 2 cm, 2 cm], position: [0, 0, 30 cm]},\n"                \
    "     packing: {hcp: {radius: 4 mm}}, material: soft}\n"                                       \
    "  - {name: block, shape: {box: [3 cm, 3 cm, 3 cm], position: [0, 0, 1.6 cm]},\n"              \
    "     packing: {hcp: {radius: 4 mm}}, material: soft, velocity: [0, 0, -1]}\n"                 \
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"                \
    "drivers:\n"                                                                                   \
    "  - {name: held, region: {box: [3 cm, 4 cm, 4 cm], position: [-5 cm, 0, 30 cm]}, hold: "      \
    "true}\n"                                                                                      \
    "  - {name: pulled, region: {box: [3 cm, 4 cm, 4 cm], position: [5 cm, 0, 30 cm]},\n"          \
    "     motion: {velocity: [5 cm/s, 0, 0]}}\n"
#define POINTS                                                                                     \
    "materials:\n  gum: {density: 1000, youngs_modulus: 0.2 MPa, poissons_ratio: 0.3, "            \
    "model: neo_hookean}\n"                                                                        \
    "bodies:\n  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm], position: [0, 0, 3 cm]},\n"        \
    "     material: gum, packing: {points: {spacing: 1 cm}}}\n"                                    \
    "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"                \
    "drivers:\n  - {name: held, region: {box: [4 cm, 8 cm, 8 cm], position: [-8 cm, 0, 3 cm]},\n"  \
    "     motion: {velocity: [0, 0, 5 cm/s]}}\n"

enum { MAX_PROBES = 3 };
typedef struct readings {
    int count;
    sherd_probe_reading list[MAX_PROBES];
} readings;

static readings read_all(const stage *s)
{
    readings r = {0};
    for (int k = 0; k < s->scene->driver_count; ++k)
        r.list[r.count++] = sherd_world_probe_driver(s->world, s->build.driver_ids[k]);
    r.list[r.count++] = sherd_world_probe_obstacle(s->world, s->build.obstacle_ids[0]);
    return r;
}

static sherd_vec3 lower(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static sherd_vec3 higher(sherd_vec3 a, sherd_vec3 b)
{
    return (sherd_vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

// Extremes of means over single steps.
static readings extremes_of_steps(const char *text, double until, int64_t *steps)
{
    stage s = set(text, 1);
    readings most = {0};
    sherd_error error;
    while (sherd_world_time(s.world) < until * (1.0 - 1e-12)) {
        cr_assert(sherd_world_advance_towards(s.world, until, 1, &error) == SHERD_OK);
        readings now = read_all(&s);
        sherd_world_reset_probes(s.world);
        for (int k = 0; k < now.count; ++k) {
            sherd_probe_reading *m = &most.list[k], *n = &now.list[k];
            bool first = most.count == 0;
            m->force_least = first ? n->force : lower(m->force_least, n->force);
            m->force_largest = first ? n->force : higher(m->force_largest, n->force);
            m->torque_least = first ? n->torque : lower(m->torque_least, n->torque);
            m->torque_largest = first ? n->torque : higher(m->torque_largest, n->torque);
        }
        most.count = now.count;
    }
    *steps = sherd_world_step_count(s.world);
    strike(&s);
    return most;
}

static readings read_once(const char *text, double until)
{
    stage s = set(text, 1);
    go(&s, until);
    readings r = read_all(&s);
    strike(&s);
    return r;
}

static double largest_part(sherd_vec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static void expect_same(sherd_vec3 a, sherd_vec3 b, double scale, double tolerance)
{
    sherd_vec3 off = {a.x - b.x, a.y - b.y, a.z - b.z};
    cr_expect(le(dbl, largest_part(off), tolerance * scale), "(%g %g %g) for (%g %g %g)", a.x, a.y,
              a.z, b.x, b.y, b.z);
}

static double scale_of(const sherd_probe_reading *r)
{
    return fmax(largest_part(r->force_least), largest_part(r->force_largest));
}

// Loads of steps are differences of sums over all steps since the probes were reset: some thousand roundings.
static const double ROUNDING = 1e-12;

static void check_steps(const char *text, double until)
{
    int64_t steps;
    readings a = extremes_of_steps(text, until, &steps), b = read_once(text, until);
    cr_assert(lt(i64, 50, steps));
    for (int k = 0; k < a.count; ++k) {
        double force = scale_of(&a.list[k]);
        cr_assert(lt(dbl, 0.0, force));
        // The mean over all steps says less.
        cr_expect(lt(dbl, 1.2 * largest_part(b.list[k].force), force), "%d", k);
        expect_same(b.list[k].force_least, a.list[k].force_least, force, ROUNDING);
        expect_same(b.list[k].force_largest, a.list[k].force_largest, force, ROUNDING);
        double torque =
            fmax(largest_part(a.list[k].torque_least), largest_part(a.list[k].torque_largest));
        expect_same(b.list[k].torque_least, a.list[k].torque_least, torque, ROUNDING);
        expect_same(b.list[k].torque_largest, a.list[k].torque_largest, torque, ROUNDING);
    }
}

Test(probe_range, of_explicit_steps_is_that_of_all_steps)
{
    check_steps(BAR "solver: {method: explicit}\n", 0.02);
}

Test(probe_range, of_steps_of_a_grid_is_that_of_all_steps)
{
    check_steps(POINTS, 0.1);
}

// By implicit steps, and by regions, each with steps of its own: the bar is one, the block another. Held against explicit
// steps: the pull grows steadily, so that its end is its peak, in steps of ten explicit ones within a percent. The block's
// layers strike the floor one after the other, each in less than a step of that length: implicit steps smooth this peak.
static void check_method(const char *solver, double pull, double impact)
{
    char text[4096];
    snprintf(text, sizeof text, "%ssolver: {%s}\n", BAR, solver);
    readings a = read_once(BAR "solver: {method: explicit}\n", 0.02), b = read_once(text, 0.02);
    double force[2] = {a.list[1].force_least.x, b.list[1].force_least.x};
    cr_expect(epsilon_eq(dbl, force[1], force[0], pull * fabs(force[0])), "%s", solver);
    double push[2] = {a.list[2].force_least.z, b.list[2].force_least.z};
    cr_expect(epsilon_eq(dbl, push[1], push[0], impact * fabs(push[0])), "%s", solver);
    for (int k = 0; k < b.count; ++k) { // means lie between
        const sherd_probe_reading *r = &b.list[k];
        expect_same(lower(r->force, r->force_least), r->force_least, scale_of(r), ROUNDING);
        expect_same(higher(r->force, r->force_largest), r->force_largest, scale_of(r), ROUNDING);
    }
}

Test(probe_range, is_known_to_implicit_steps_and_to_regions)
{
    check_method("method: implicit, time_step: 10 T", 0.02, 1.0);
    check_method("method: auto", 0.02, 0.1);
}

// Of a bar that is only pulled, in ten implicit steps: the largest load is that of the end, not a step's mean.
Test(probe_range, of_long_steps_has_the_load_at_their_ends)
{
    stage s = set(BAR "solver: {method: implicit, time_step: 2 ms, accuracy: 0.1}\n", 1);
    sherd_probe_reading r = {0};
    double former = 0.0;
    for (int k = 1; k <= 10; ++k) {
        go(&s, 2e-3 * k);
        r = read_all(&s).list[1];
        sherd_world_reset_probes(s.world);
        if (k < 10) former = r.force.x;
    }
    cr_expect(lt(dbl, r.force_least.x, r.force.x - 0.3 * (former - r.force.x)), "%g of %g after %g",
              r.force_least.x, r.force.x, former);
    strike(&s);
}

// In the middle of what the probes will read.
static void check_resuming(const char *text, double until)
{
    stage whole = set(text, 2), begun = set(text, 1);
    go(&whole, 0.5 * until), go(&begun, 0.5 * until);
    stage resumed = restored(text, 1, &begun);
    strike(&begun);
    go(&whole, until), go(&resumed, until);
    readings a = read_all(&whole), b = read_all(&resumed);
    cr_expect(eq(int, memcmp(&a, &b, sizeof a), 0));
    strike(&whole), strike(&resumed);
}

Test(probe_range, is_kept_by_checkpoints)
{
    check_resuming(BAR "solver: {method: explicit}\n", 0.01);
    check_resuming(BAR "solver: {method: auto}\n", 0.01);
    check_resuming(BAR "solver: {method: implicit, time_step: 10 T}\n", 0.01);
    check_resuming(POINTS, 0.05);
}
