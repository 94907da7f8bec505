// Bodies that can't meet for a while are stepped each by itself: what is hit goes by explicit steps, what is loaded
// slowly by few implicit ones, sleepers stay asleep; no contact is missed.                docs/theory/regions.md
#include "world/energy.h"
#include "world/world.h"

#include "stepping/regions/time_regions.h"

#include "methods.h"

#include <stdio.h>
#include <string.h>

static const double LENGTH = 0.04, ACROSS = 0.006; // of beams [m]
static const double APART = 0.1;                   // [m]

static block beam_of(double strength, double damping)
{
    block b = block_default();
    b.size = (sherd_vec3){LENGTH, ACROSS, ACROSS};
    b.material.youngs_modulus = 100e6;
    b.material.shear_modulus = 40e6;
    b.material.tensile_strength = b.material.shear_strength = strength;
    b.material.bond_damping = damping;
    return b;
}

typedef struct scenery {
    sherd_world *world;
    sherd_element_index hit, slow; // an element of each beam
    sherd_driver_id puller;
    double limit; // T [s]
} scenery;

static const stepping AUTO = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

typedef void add_more(sherd_world *world);

// A beam that a small block hits at 8 m/s, one held at one end that is pulled slowly at the other, and more.
static scenery hit_and_pulled(stepping by, bool regions, int threads, add_more *more)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, 0.0});
    def.regions = regions;
    def.threads = threads;
    def.sleep = true;
    scenery s = {.world = create(&def)};
    block brittle = beam_of(0.8e6, 0.05), tough = beam_of(INFINITY, 0.05), shot = tough;
    int count = add_block(s.world, &brittle, NULL);
    shot.size = (sherd_vec3){ACROSS, ACROSS, ACROSS};
    shot.pose.position.z = 0.009;
    shot.velocity.z = -8.0;
    s.slow = count + add_block(s.world, &shot, NULL);
    tough.pose.position.y = APART;
    add_block(s.world, &tough, NULL);
    sherd_vec3 half = {0.5 * ACROSS, 2.0 * ACROSS, 2.0 * ACROSS};
    drive(s.world, (sherd_vec3){-0.5 * LENGTH, APART, 0.0}, half, held());
    sherd_driver_def pull = held();
    pull.motion.velocity.x = 0.01;
    s.puller = drive(s.world, (sherd_vec3){0.5 * LENGTH, APART, 0.0}, half, pull);
    if (more != NULL) more(s.world);
    s.limit = limit_of(s.world);
    return s;
}

static void go(const scenery *s, double limits)
{
    advance(s->world, limits * s->limit);
}

// ---------------------------------------------------------------- one hit, one pulled

enum { FRAMES = 8 };

typedef struct pulled {
    double force[FRAMES]; // mean over a frame of what the puller needs [N]
    double broken;
    sherd_region_info hit, slow; // at the end
    sherd_energy energy;
    sherd_vec3 momentum;
} pulled;

static pulled pull(stepping by, bool regions)
{
    scenery s = hit_and_pulled(by, regions, 2, NULL);
    set_frame(s.world, by, 500.0 * s.limit);
    pulled out = {.broken = 0.0};
    for (int f = 0; f < FRAMES; ++f) {
        go(&s, 500.0 * (f + 1));
        out.force[f] = sherd_world_probe_driver(s.world, s.puller).force.x;
        sherd_world_reset_probes(s.world);
    }
    out.broken = (double)sherd_world_bonds(s.world).broken_count;
    out.hit = sherd_world_region(s.world, s.hit);
    out.slow = sherd_world_region(s.world, s.slow);
    out.energy = sherd_world_energy(s.world);
    out.momentum = sherd_world_momentum(s.world);
    sherd_world_destroy(s.world);
    return out;
}

static double size(sherd_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// Implicit steps close their balance, whatever they do: what is bounded is what they book as theirs, and how far
// energies and momentum are from those of a whole that takes explicit steps alone.
static void check_accounts(const pulled *divided, const pulled *whole)
{
    const sherd_energy *a = &divided->energy, *b = &whole->energy;
    double scale = sherd_energy_largest(b);
    const double off = 2e-3 * scale; // a fifth of what implicit steps may err by; 3e-4 is seen
    cr_assert(epsilon_eq(dbl, a->kinetic, b->kinetic, off));
    cr_assert(epsilon_eq(dbl, a->elastic, b->elastic, off));
    cr_assert(epsilon_eq(dbl, a->work, b->work, off));
    cr_assert(epsilon_eq(dbl, a->dissipated_bonds, b->dissipated_bonds, off));
    cr_assert(lt(dbl, fabs(a->dissipated_integration - b->dissipated_integration), off));
    cr_assert(lt(dbl, distance(divided->momentum, whole->momentum), 1e-3 * size(whole->momentum)));
}

Test(regions, what_is_pulled_slowly_takes_few_steps_while_another_breaks)
{
    pulled explicitly = pull(EXPLICIT, false), chosen = pull(AUTO, true);
    cr_log_info(
        "hit: %lld explicit, %lld implicit; pulled: %lld, %lld",
        (long long)chosen.hit.counts.explicit_steps, (long long)chosen.hit.counts.implicit_steps,
        (long long)chosen.slow.counts.explicit_steps, (long long)chosen.slow.counts.implicit_steps);
    cr_assert(lt(int, 1, chosen.hit.count));
    cr_assert(ne(int, chosen.hit.number, chosen.slow.number));
    // Some explicit ones for samples, whenever regions are made.
    cr_assert(
        lt(int, 8 * (int)chosen.slow.counts.explicit_steps, (int)chosen.hit.counts.explicit_steps));
    // Two a frame and those that it takes to get there.
    cr_assert(lt(int, (int)chosen.slow.counts.implicit_steps, 5 * FRAMES));
    cr_assert(lt(int, 0, (int)chosen.slow.counts.implicit_steps));
    // The error of an implicit run is 1 % by default.
    for (int f = 0; f < FRAMES; ++f)
        cr_assert(epsilon_eq(dbl, chosen.force[f], explicitly.force[f],
                             0.01 * fabs(explicitly.force[f])));
    // One crack, which a rounding error may lead around an element.
    cr_assert(lt(dbl, 0.0, explicitly.broken));
    cr_assert(epsilon_eq(dbl, chosen.broken, explicitly.broken, 0.2 * explicitly.broken));
    check_accounts(&chosen, &explicitly);
}

// ---------------------------------------------------------------- sleepers

typedef struct bounced {
    sherd_world *world;
    sherd_element_index beam, ball, count; // first elements
    double limit;
} bounced;

// A soft blow: a block bounces off one whose foot is held, and comes to rest in itself as it flies away. Somewhere
// else is what could break, for the sake of which blows are met by explicit steps.
static bounced bounce(void)
{
    sherd_world_def def = def_of(AUTO, (sherd_vec3){0.0, 0.0, 0.0});
    def.sleep = true;
    bounced b = {.world = create(&def)};
    block stop = beam_of(0.8e6, 0.05), weak = beam_of(0.8e6, 0.1);
    stop.material.breakage = SHERD_BREAKAGE_NONE;
    stop.size = (sherd_vec3){0.012, 0.012, 0.012};
    block shot =
        stop; // larger: while the two are near, the majority that sleeps decides for explicit steps
    shot.size = (sherd_vec3){0.014, 0.014, 0.014};
    shot.material.bond_damping = 0.5;
    shot.pose.position.z = 0.014;
    shot.velocity.z = -3.0;
    b.ball = add_block(b.world, &stop, NULL);
    b.count = b.ball + add_block(b.world, &shot, NULL);
    weak.size = (sherd_vec3){0.004, 0.004, 0.004};
    weak.pose.position.y = 1.0;
    add_block(b.world, &weak, NULL);
    sherd_vec3 foot = {0.0, 0.0, -0.006}, size = {0.1, 0.1, 0.005};
    drive(b.world, foot, size, held());
    b.limit = limit_of(b.world);
    return b;
}

static sherd_vec3 place_of(const sherd_world *world, sherd_element_index k)
{
    sherd_element_view e = sherd_world_elements(world);
    return (sherd_vec3){e.x[k], e.y[k], e.z[k]};
}

Test(regions, sleepers_sleep_on_while_another_body_goes_implicitly)
{
    bounced b = bounce();
    int frame = 0;
    sherd_region_info stop, ball;
    do { // until the one that was hit rings little enough
        cr_assert(lt(int, frame, 60), "it never came to that");
        advance(b.world, 200.0 * ++frame * b.limit);
        stop = sherd_world_region(b.world, 0), ball = sherd_world_region(b.world, b.ball);
    } while (!(stop.implicit && ball.number != stop.number && ball.asleep > 0));
    int64_t steps = stop.counts.implicit_steps;
    sherd_vec3 p = place_of(b.world, b.ball);
    double apart = distance(p, place_of(b.world, b.count - 1));
    for (int k = 1; k <= 10; ++k) {
        advance(b.world, 200.0 * (frame + k) * b.limit);
        cr_assert(eq(int, sherd_world_asleep_count(b.world), b.count - b.ball));
    }
    stop = sherd_world_region(b.world, 0);
    cr_log_info("%d frames, then %lld implicit steps", frame,
                (long long)(stop.counts.implicit_steps - steps));
    cr_assert(lt(int, (int)steps, (int)stop.counts.implicit_steps));
    // It flew on, as one rigid body: distances stay to rounding.
    cr_assert(lt(dbl, p.z + 1e-3, place_of(b.world, b.ball).z));
    cr_assert(epsilon_eq(dbl, distance(place_of(b.world, b.ball), place_of(b.world, b.count - 1)),
                         apart, 1e-12));
    sherd_world_destroy(b.world);
}

// A sleeper that tumbles may come to be much faster than its elements are, as the bound of its speed says: near another
// region it may then be none itself. The world was divided and united for ever.
Test(regions, sleepers_that_may_become_fast_are_no_regions_near_others)
{
    bounced b = bounce();
    sherd_region_info stop, ball;
    int frame = 0;
    do {
        cr_assert(lt(int, frame, 60), "it never fell asleep");
        advance(b.world, 200.0 * ++frame * b.limit);
        stop = sherd_world_region(b.world, 0), ball = sherd_world_region(b.world, b.ball);
    } while (!(ball.number != stop.number && ball.asleep > 0));
    int found = 0;
    for (int r = 0; r < b.world->system.regions->count; ++r) {
        sherd_sleepers *sleepers = &b.world->system.regions->list[r].system.sleep.sleepers;
        for (int32_t s = 0; s < sleepers->count; ++s, ++found)
            sleepers->list[s].rim_speed =
                0.1 / (150.0 * b.limit); // farther than the other in a span
    }
    cr_assert(lt(int, 0, found));
    advance(b.world, 200.0 * (frame + 5) * b.limit);
    cr_assert(epsilon_eq(dbl, sherd_world_time(b.world), 200.0 * (frame + 5) * b.limit, 1e-9));
    sherd_world_destroy(b.world);
}

// ---------------------------------------------------------------- meeting

static const double FLYER = 0.008; // size [m]

static sherd_element_index last_of(const sherd_world *world)
{
    return sherd_world_elements(world).count - 1;
}

// Another block flies at the pulled beam, at first far from everything.
static void add_flyer(sherd_world *world)
{
    block b = beam_of(INFINITY, 0.05);
    b.size = (sherd_vec3){FLYER, FLYER, FLYER};
    b.pose.position = (sherd_vec3){0.0, APART, 0.06};
    b.velocity.z = -8.0;
    add_block(world, &b, NULL);
}

// It stands still beside the pulled beam, and is then driven against it.
static void add_ram(sherd_world *world)
{
    block b = beam_of(INFINITY, 0.05);
    b.size = (sherd_vec3){FLYER, FLYER, FLYER};
    b.pose.position = (sherd_vec3){0.0, APART, 0.017};
    add_block(world, &b, NULL);
    const sherd_motion_key keys[] = {{.time = 0.0},
                                     {.time = 4e-3},
                                     {.time = 6e-3, .translation = {0.0, 0.0, -0.012}},
                                     {.time = 1.0, .translation = {0.0, 0.0, -0.012}}};
    sherd_driver_def def = held();
    def.motion.keys = keys;
    def.motion.key_count = 4;
    drive(world, b.pose.position, (sherd_vec3){0.01, 0.01, 0.01}, def);
}

typedef struct met {
    double time;     // of the first contact, to one interval [T]
    double way;      // of the beam's middle a while later [m]
    bool were_apart; // in two regions at the beginning
    bool together;   // in one when they met
} met;

// `interval` is that of the checks, and how long a span can be [T].
static met let_meet(stepping by, add_more *more, double interval)
{
    scenery s = hit_and_pulled(by, true, 2, more);
    set_frame(s.world, by, interval * s.limit);
    sherd_element_index flyer = last_of(s.world), middle = s.slow + (flyer - s.slow) / 4;
    met out = {.time = 1000.0}; // the shot has hit by then
    go(&s, out.time);
    sherd_region_info a = sherd_world_region(s.world, s.slow),
                      b = sherd_world_region(s.world, flyer);
    out.were_apart = a.number != b.number;
    sherd_vec3 start = place_of(s.world, middle);
    while (out.time < 5000.0 && distance(start, place_of(s.world, middle)) < 1e-4)
        go(&s, out.time += interval);
    a = sherd_world_region(s.world, s.slow), b = sherd_world_region(s.world, flyer);
    out.together = a.number == b.number;
    go(&s, out.time + 500.0);
    out.way = distance(start, place_of(s.world, middle));
    sherd_world_destroy(s.world);
    return out;
}

static void check_meeting(add_more *more, double interval)
{
    met explicitly = let_meet(EXPLICIT, more, interval), chosen = let_meet(AUTO, more, interval);
    cr_log_info("at %g T, %g m; explicit %g T, %g m", chosen.time, chosen.way, explicitly.time,
                explicitly.way);
    cr_assert(chosen.were_apart);
    cr_assert(chosen.together);
    cr_assert(lt(dbl, explicitly.time, 5000.0), "they never met");
    // One interval earlier or later. A blow that comes one late would be off by the way until then, a third.
    cr_assert(le(dbl, fabs(chosen.time - explicitly.time), interval));
    cr_assert(epsilon_eq(dbl, chosen.way, explicitly.way, 0.05 * explicitly.way));
}

Test(regions, two_that_approach_are_one_before_they_meet)
{
    check_meeting(add_flyer, 20.0);
}

// The speed from which a span was planned says nothing of what a driver does in it.
Test(regions, a_span_in_which_one_suddenly_moves_is_undone)
{
    check_meeting(add_ram, 500.0);
}

// ---------------------------------------------------------------- instability

static const double JERK = 4e-3; // when it happens [s]

// A block, the last body, of which one half is torn away faster than any step can follow.
static void add_jerked(sherd_world *world)
{
    block b = beam_of(INFINITY, 0.05);
    b.size = (sherd_vec3){0.02, ACROSS, ACROSS};
    b.pose.position = (sherd_vec3){0.0, 2.0 * APART, 0.0};
    add_block(world, &b, NULL);
    const sherd_motion_key keys[] = {{.time = 0.0},
                                     {.time = JERK},
                                     {.time = JERK + 1e-6, .translation = {100.0, 0.0, 0.0}},
                                     {.time = 1.0, .translation = {100.0, 0.0, 0.0}}};
    sherd_driver_def def = held();
    def.motion.keys = keys;
    def.motion.key_count = 4;
    drive(world, (sherd_vec3){0.006, 2.0 * APART, 0.0}, (sherd_vec3){0.01, 0.01, 0.01}, def);
}

// Messages have elements' numbers in the world, not in a region.
Test(regions, messages_of_a_region_have_the_numbers_of_the_world)
{
    scenery s = hit_and_pulled(AUTO, true, 2, add_jerked);
    int bodies = sherd_world_body_count(s.world);
    sherd_body_info jerked = sherd_world_body(s.world, bodies - 1);
    advance(s.world, 0.9 * JERK);
    sherd_region_info region = sherd_world_region(s.world, jerked.first);
    cr_assert(lt(int, 1, region.count));
    sherd_error error;
    sherd_status status = sherd_world_advance(s.world, 2.0 * JERK, &error);
    int element = -1;
    cr_assert(eq(int, status, SHERD_ERROR_UNSTABLE));
    cr_assert(eq(int, sscanf(error.where, "element %d", &element), 1), "%s", error.where);
    cr_assert(ge(int, element, jerked.first), "%s: %s", error.where, error.what);
    sherd_world_destroy(s.world);
}

// ---------------------------------------------------------------- loads and momentum

// A block that lies on the floor and one that falls on it, far away: what the floor has felt altogether is what
// their momentum and their weight say.
Test(regions, probes_of_a_floor_see_all_regions)
{
    sherd_world_def def = def_of(AUTO, (sherd_vec3){0.0, 0.0, -9.81});
    def.sleep = true;
    sherd_world *world = create(&def);
    block lying = beam_of(0.8e6, 0.1), falling = lying;
    lying.pose.position.z = 0.5 * ACROSS;
    falling.pose.position = (sherd_vec3){0.0, APART, 0.012};
    falling.pose.rotation = (sherd_quat){0.0, sin(0.1), 0.0, cos(0.1)};
    falling.velocity.z = -3.0;
    add_block(world, &lying, NULL);
    add_block(world, &falling, NULL);
    add_floor(world, 0.3);
    double limit = limit_of(world), mass = 0.0, impulse = 0.0, frame = 250.0 * limit;
    for (sherd_element_index k = 0; k <= last_of(world); ++k)
        mass += sherd_world_element(world, k).mass;
    double start = sherd_world_momentum(world).z;
    int divided = 0;
    for (int f = 1; f <= 16; ++f) {
        sherd_world_reset_probes(world);
        advance(world, f * frame);
        impulse -= frame * sherd_world_probe_obstacle(world, (sherd_obstacle_id){1, 1}).force.z;
        divided += sherd_world_region(world, 0).count > 1;
    }
    double expected = sherd_world_momentum(world).z - start + mass * 9.81 * 16.0 * frame;
    cr_log_info("%g N s of %g, divided in %d frames", impulse, expected, divided);
    cr_assert(lt(int, 8, divided));
    // Loads are those at the ends of steps: the blow is a sum over explicit ones, right to their number.
    cr_assert(epsilon_eq(dbl, impulse, expected, 0.01 * expected));
    cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    sherd_world_destroy(world);
}

// A free rigid ball hits a beam while another beam and a block go their ways: nothing acts from outside.
Test(regions, momentum_is_kept_to_rounding)
{
    sherd_error error;
    sherd_world_def def = def_of(AUTO, (sherd_vec3){0.0, 0.0, 0.0});
    def.sleep = true;
    sherd_world *world = create(&def);
    block beam = beam_of(0.5e6, 0.2);
    add_block(world, &beam, NULL);
    beam.pose.position.y = APART;
    beam.velocity = (sherd_vec3){0.3, 0.0, 0.2};
    beam.angular_velocity = (sherd_vec3){2.0, 20.0, 1.0};
    add_block(world, &beam, NULL);
    sherd_shape *ball = sherd_shape_sphere(0.004, &error);
    sherd_obstacle_def shot = sherd_obstacle_def_default();
    shot.kind = SHERD_OBSTACLE_FREE;
    shot.shape = ball;
    shot.density = 2000.0;
    shot.pose.position = (sherd_vec3){0.005, 0.0, 0.01};
    shot.velocity = (sherd_vec3){0.0, 0.0, -10.0};
    cr_assert(sherd_world_add_obstacle(world, &shot, &error).index1 != 0, "%s", error.what);
    double limit = limit_of(world);
    sherd_vec3 p = sherd_world_momentum(world);
    int divided = 0;
    for (int f = 1; f <= 10; ++f) {
        advance(world, 200.0 * f * limit);
        divided += sherd_world_region(world, 0).count > 1;
    }
    sherd_vec3 q = sherd_world_momentum(world);
    cr_assert(lt(int, 5, divided));
    cr_assert(lt(int, 0, (int)sherd_world_bonds(world).broken_count));
    // Rounding of sums over 210 elements and 3000 steps.
    cr_assert(lt(dbl, distance(p, q), 1e-11 * sqrt(p.x * p.x + p.y * p.y + p.z * p.z)));
    cr_assert(lt(dbl, fabs(sherd_world_energy(world).balance_error), 0.01));
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

// ---------------------------------------------------------------- the same bits

static void check_same(const scenery *a, const scenery *b)
{
    cr_assert(eq(u64, sherd_world_state_hash(a->world), sherd_world_state_hash(b->world)));
    sherd_energy x = sherd_world_energy(a->world), y = sherd_world_energy(b->world);
    cr_assert(memcmp(&x, &y, sizeof x) == 0);
}

static sherd_world *copy_of(const scenery *s, add_more *more)
{
    sherd_error error;
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(s->world, &state, &size, &error), SHERD_OK), "%s",
              error.what);
    scenery copy = hit_and_pulled(AUTO, true, 3, more);
    cr_assert(eq(int, sherd_world_restore(copy.world, state, size, &error), SHERD_OK), "%s: %s",
              error.where, error.what);
    sherd_world_free_state(state);
    return copy.world;
}

Test(regions, threads_and_resuming_change_nothing)
{
    scenery one = hit_and_pulled(AUTO, true, 1, add_flyer);
    int divided = 0;
    for (int f = 1; f <= 5; ++f) {
        scenery other = one;
        if (f == 1)
            other = hit_and_pulled(AUTO, true, 2, add_flyer);
        else
            other.world = copy_of(&one, add_flyer);
        go(&one, 600.0 * f);
        go(&other, 600.0 * f);
        check_same(&one, &other);
        divided += sherd_world_region(one.world, 0).count > 1;
        sherd_world_destroy(other.world);
    }
    cr_assert(lt(int, 2, divided));
    sherd_world_destroy(one.world);
}

Test(regions, damaged_checkpoints_are_refused)
{
    sherd_error error;
    void *state;
    size_t size;
    scenery s = hit_and_pulled(AUTO, true, 2, NULL);
    go(&s, 1000.0);
    cr_assert(lt(int, 1, sherd_world_region(s.world, 0).count));
    cr_assert(eq(int, sherd_world_save(s.world, &state, &size, &error), SHERD_OK));
    scenery other = hit_and_pulled(AUTO, true, 2, NULL);
    for (int part = 1; part < 64; ++part) {
        size_t some = size * (size_t)part / 64;
        cr_assert(ne(int, sherd_world_restore(other.world, state, some, &error), SHERD_OK));
    }
    cr_assert(eq(int, sherd_world_restore(other.world, state, size, &error), SHERD_OK));
    go(&s, 1200.0);
    go(&other, 1200.0);
    check_same(&s, &other);
    sherd_world_free_state(state);
    sherd_world_destroy(s.world);
    sherd_world_destroy(other.world);
}
