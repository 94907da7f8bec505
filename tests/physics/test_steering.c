// Motions that are given between steps: as those that are given beforehand, whatever the method, the number of threads,
// regions and sleep; saved, restored and taken back.
#include "block.h"

#include <string.h>

static const double LOOK = 0.25e-3; // between calls [s]
enum { LOOKS = 12 };
static const double RADIUS = 1e-3, SIDE = 0.012;

typedef struct rig {
    sherd_world *world;
    sherd_obstacle_id ball;
    sherd_driver_id end;
    sherd_shape *sphere, *box;
} rig;

// What the course asks for at a time: a half cosine, and a turn.
static sherd_motion_key wanted(double time, double depth)
{
    double share = 0.5 * (1.0 - cos(3.0 * time / (LOOKS * LOOK)));
    return (sherd_motion_key){time, {0.0, 0.0, -depth * share}, {0.0, 0.0, 0.5 * share}};
}

static void fill_table(sherd_motion_key keys[LOOKS + 1], double depth)
{
    for (int k = 0; k <= LOOKS; ++k)
        keys[k] = wanted(k * LOOK, depth);
}

static const double BALL_DEPTH = 1.5e-3, END_DEPTH = 0.2e-3; // [m]

static sherd_material_def brittle(void)
{
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = 1e8, m.shear_modulus = 4e7;
    m.tensile_strength = 1.5e6, m.shear_strength = 2e6;
    m.weibull_modulus = 8.0;
    return m;
}

// A block that is held at an end, which turns and sinks, a ball that comes down on it, and far away a block at rest.
// Of a ball with a whole table both are prescribed from the start.
static rig make_with(sherd_method method, int threads, const sherd_motion_key *ball_keys, int count)
{
    sherd_error error;
    rig r = {0};
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0.0, 0.0, 0.0};
    def.threads = threads;
    def.method = method;
    r.world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = (sherd_vec3){2.0 * SIDE, SIDE, SIDE}, b.radius = RADIUS, b.material = brittle();
    sherd_body_id body;
    add_block(r.world, &b, &body);
    b.pose.position.x = 0.5;
    add_block(r.world, &b, NULL);
    bool table = count > LOOKS; // then the end follows one, too
    sherd_motion_key end[LOOKS + 1];
    fill_table(end, END_DEPTH);
    r.sphere = sherd_shape_sphere(4e-3, &error);
    r.box = sherd_shape_box((sherd_vec3){4e-3, 2.0 * SIDE, 2.0 * SIDE}, &error);
    sherd_obstacle_def o = sherd_obstacle_def_default();
    o.kind = SHERD_OBSTACLE_DRIVEN, o.shape = r.sphere;
    o.pose.position = (sherd_vec3){4e-3, 0.0, 0.5 * SIDE + 4.2e-3};
    o.motion.pivot = o.pose.position;
    o.motion.keys = ball_keys, o.motion.key_count = count;
    r.ball = sherd_world_add_obstacle(r.world, &o, &error);
    sherd_driver_def d = sherd_driver_def_default();
    d.drive = SHERD_DRIVE_MOTION;
    d.region.body = body, d.region.shape = r.box, d.region.pose.position.x = -SIDE;
    if (table) d.motion.keys = end, d.motion.key_count = LOOKS + 1;
    r.end = sherd_world_add_driver(r.world, &d, &error);
    cr_assert(r.ball.index1 != 0 && r.end.index1 != 0, "%s", error.what);
    return r;
}

static rig make(sherd_method method, int threads, bool table)
{
    sherd_motion_key ball[LOOKS + 1];
    fill_table(ball, BALL_DEPTH);
    return make_with(method, threads, ball, table ? LOOKS + 1 : 0);
}

static void drop(rig *r)
{
    sherd_world_destroy(r->world);
    sherd_shape_destroy(r->sphere);
    sherd_shape_destroy(r->box);
}

static void advance(rig *r, int from, int to, bool steered)
{
    sherd_error error;
    for (int k = from; k < to; ++k) {
        sherd_motion_key ball = wanted((k + 1) * LOOK, BALL_DEPTH),
                         end = wanted((k + 1) * LOOK, END_DEPTH);
        if (steered) {
            cr_assert(sherd_world_move_obstacle(r->world, r->ball, &ball, &error) == SHERD_OK, "%s",
                      error.what);
            cr_assert(sherd_world_move_driver(r->world, r->end, &end, &error) == SHERD_OK);
        }
        sherd_status status = sherd_world_advance(r->world, (k + 1) * LOOK, &error);
        cr_assert(status == SHERD_OK, "%s: %s", error.where, error.what);
    }
}

// An explicit step that fits into the time between calls: both courses are then made of the same steps.
static void fix_step(rig *r)
{
    sherd_error error;
    double limit = 0.8 * sherd_world_stable_time_step(r->world, &error);
    cr_assert(sherd_world_set_time_step(r->world, LOOK / ceil(LOOK / limit), &error) == SHERD_OK);
}

// Rounding alone differs: the present place is computed from the table before, not read from it.
Test(steering, a_course_given_key_by_key_is_the_one_given_beforehand)
{
    rig a = make(SHERD_METHOD_EXPLICIT, 1, false), b = make(SHERD_METHOD_EXPLICIT, 1, true);
    fix_step(&a), fix_step(&b);
    advance(&a, 0, 6, true), advance(&b, 0, 6, false);
    cr_assert(sherd_world_touching_count(a.world) > 0, "the ball does not press yet");
    sherd_element_view x = sherd_world_elements(a.world), y = sherd_world_elements(b.world);
    double off = 0.0, moved = 0.0;
    for (sherd_element_index k = 0; k < x.count; ++k) {
        off = fmax(off, fabs(x.x[k] - y.x[k]) + fabs(x.y[k] - y.y[k]) + fabs(x.z[k] - y.z[k]));
        moved = fmax(moved, fabs(x.z[k] - sherd_world_element(a.world, k).rest.z));
    }
    cr_assert(moved > 1e-5);
    // Vibrations of the contact amplify rounding; 1e-9 m is a millionth of a radius.
    cr_assert(off < 1e-9, "%g m", off);
    sherd_pose p = sherd_world_obstacle_pose(a.world, 0), q = sherd_world_obstacle_pose(b.world, 0);
    cr_assert(fabs(p.position.z - q.position.z) < 1e-15 &&
              fabs(p.rotation.z - q.rotation.z) < 1e-13);
    double w = sherd_world_energy(a.world).work, v = sherd_world_energy(b.world).work;
    cr_assert(w > 0.0 && fabs(w - v) < 1e-6 * w, "%g J, not %g J", w, v);
    drop(&a), drop(&b);
}

static uint64_t hash_of(sherd_method method, int threads, int looks)
{
    rig r = make(method, threads, false);
    advance(&r, 0, looks, true);
    uint64_t hash = sherd_world_state_hash(r.world);
    cr_assert(sherd_world_broken_count(r.world) > 0, "nothing broke");
    sherd_energy energy = sherd_world_energy(r.world);
    cr_assert(fabs(energy.balance_error) < 0.02, "%g", energy.balance_error);
    drop(&r);
    return hash;
}

Test(steering, the_number_of_threads_changes_nothing)
{
    uint64_t one = hash_of(SHERD_METHOD_AUTO, 1, LOOKS);
    cr_assert(eq(u64, hash_of(SHERD_METHOD_AUTO, 2, LOOKS), one));
    cr_assert(eq(u64, hash_of(SHERD_METHOD_AUTO, 3, LOOKS), one));
}

static void check_restored(sherd_method method, int at)
{
    sherd_error error;
    rig r = make(method, 2, false), other = make(method, 1, false);
    advance(&r, 0, at, true);
    // In the middle of a stretch, so that its rest is in the state.
    sherd_status status = sherd_world_advance_towards(r.world, (at + 1) * LOOK, 3, &error);
    cr_assert(status == SHERD_OK, "%s", error.what);
    sherd_motion_key next = wanted((at + 2) * LOOK, BALL_DEPTH);
    cr_assert(sherd_world_move_obstacle(r.world, r.ball, &next, &error) == SHERD_OK);
    void *state;
    size_t size;
    cr_assert(sherd_world_save(r.world, &state, &size, &error) == SHERD_OK);
    cr_assert(sherd_world_restore(other.world, state, size, &error) == SHERD_OK, "%s", error.what);
    sherd_motion_key a = sherd_world_obstacle_key(r.world, r.ball),
                     b = sherd_world_obstacle_key(other.world, other.ball);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    cr_assert(sherd_world_advance(r.world, (at + 2) * LOOK, &error) == SHERD_OK);
    cr_assert(sherd_world_advance(other.world, (at + 2) * LOOK, &error) == SHERD_OK);
    cr_assert(eq(u64, sherd_world_state_hash(other.world), sherd_world_state_hash(r.world)));
    // Damaged ones are refused.
    cr_assert(sherd_world_restore(other.world, state, size / 2, &error) != SHERD_OK);
    sherd_world_free_state(state);
    drop(&r), drop(&other);
}

Test(steering, a_restored_world_goes_on_bit_for_bit)
{
    check_restored(SHERD_METHOD_EXPLICIT, 3);
    check_restored(SHERD_METHOD_AUTO, 5);
}

Test(steering, a_state_from_before_takes_the_given_motions_back)
{
    sherd_error error;
    rig r = make(SHERD_METHOD_EXPLICIT, 1, true);
    fix_step(&r);
    advance(&r, 0, 1, false);
    void *state;
    size_t size;
    cr_assert(sherd_world_save(r.world, &state, &size, &error) == SHERD_OK);
    advance(&r, 1, 4, false);
    uint64_t wanted_hash = sherd_world_state_hash(r.world);
    sherd_motion_key away = {5.0 * LOOK, {0.0, 0.0, 2e-3}, {0.0, 0.0, 0.0}};
    cr_assert(sherd_world_move_obstacle(r.world, r.ball, &away, &error) == SHERD_OK);
    advance(&r, 4, 5, false);
    cr_assert(fabs(sherd_world_probe_obstacle(r.world, r.ball).displacement.z - 2e-3) < 1e-12);
    cr_assert(sherd_world_restore(r.world, state, size, &error) == SHERD_OK);
    advance(&r, 1, 4, false);
    cr_assert(eq(u64, sherd_world_state_hash(r.world), wanted_hash));
    sherd_world_free_state(state);
    drop(&r);
}

static uint64_t late_hash(sherd_method method, bool steered)
{
    sherd_error error;
    const sherd_motion_key keys[] = {{0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
                                     {2.0 * LOOK, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
                                     {6.0 * LOOK, {0.0, 0.0, -1.6e-3}, {0.0, 0.0, 0.0}}};
    rig r = make_with(method, 1, keys, steered ? 0 : 3);
    advance(&r, 0, 2, false);
    if (steered)
        cr_assert(sherd_world_move_obstacle(r.world, r.ball, &keys[2], &error) == SHERD_OK);
    advance(&r, 2, 8, false);
    cr_assert(sherd_world_probe_obstacle(r.world, r.ball).force.z > 1.0);
    uint64_t hash = sherd_world_state_hash(r.world);
    drop(&r);
    return hash;
}

// From rest, where the place before is exact, bit for bit: also of implicit steps, which have images of obstacles, and of
// regions, which have copies.
Test(steering, a_ball_that_is_called_down_late_comes_as_one_by_a_table)
{
    static const sherd_method METHODS[] = {SHERD_METHOD_EXPLICIT, SHERD_METHOD_IMPLICIT,
                                           SHERD_METHOD_AUTO};
    for (int m = 0; m < 3; ++m)
        cr_assert(eq(u64, late_hash(METHODS[m], true), late_hash(METHODS[m], false)), "method %d",
                  m);
}

// A ball that is called down wakes what sleeps below it, and stays at the end of its way.
Test(steering, a_late_move_wakes_what_sleeps)
{
    sherd_error error;
    rig r = make(SHERD_METHOD_AUTO, 1, false);
    advance(&r, 0, LOOKS, false);
    sherd_element_index asleep = sherd_world_asleep_count(r.world);
    cr_assert(asleep > 0, "the far block is not asleep");
    sherd_motion_key down = {(LOOKS + 4) * LOOK, {0.0, 0.0, -1.6e-3}, {0.0, 0.0, 0.0}};
    cr_assert(sherd_world_move_obstacle(r.world, r.ball, &down, &error) == SHERD_OK);
    advance(&r, LOOKS, LOOKS + 8, false);
    sherd_probe_reading reading = sherd_world_probe_obstacle(r.world, r.ball);
    cr_assert(fabs(reading.displacement.z + 1.6e-3) < 1e-12);
    cr_assert(reading.force.z > 1.0, "%g N", reading.force.z);
    // With the far one steered at, out of its rest.
    sherd_motion_key far = {(LOOKS + 12) * LOOK, {0.497, 0.0, -1.6e-3}, {0.0, 0.0, 0.0}};
    cr_assert(sherd_world_move_obstacle(r.world, r.ball, &far, &error) == SHERD_OK);
    sherd_status status = sherd_world_advance(r.world, (LOOKS + 13) * LOOK, &error);
    cr_assert(status == SHERD_OK, "%s", error.what);
    cr_assert(sherd_world_touching_count(r.world) > 0, "it passes the far block unnoticed");
    drop(&r);
}

Test(steering, what_can_not_be_moved_is_told)
{
    sherd_error error;
    rig r = make(SHERD_METHOD_EXPLICIT, 1, false), still = make(SHERD_METHOD_EXPLICIT, 1, false);
    sherd_motion_key to = {1e-3, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    sherd_driver_id none = {0}, beyond = {9, 1};
    sherd_obstacle_id missing = {7, 1};
    cr_assert(sherd_world_move_driver(r.world, none, &to, &error) == SHERD_ERROR_INPUT);
    cr_assert(sherd_world_move_driver(r.world, beyond, &to, &error) == SHERD_ERROR_INPUT);
    cr_assert(sherd_world_move_obstacle(r.world, missing, &to, &error) == SHERD_ERROR_INPUT);
    to.time = 0.0;
    cr_assert(sherd_world_move_driver(r.world, r.end, &to, &error) == SHERD_ERROR_INPUT);
    cr_assert(strstr(error.what, "must be after now") != NULL, "%s", error.what);
    to.time = NAN;
    cr_assert(sherd_world_move_driver(r.world, r.end, &to, &error) == SHERD_ERROR_INPUT);
    to.time = 1e-3, to.translation.x = INFINITY;
    cr_assert(sherd_world_move_obstacle(r.world, r.ball, &to, &error) == SHERD_ERROR_INPUT);
    // Nothing of that has left a trace.
    advance(&r, 0, 1, false), advance(&still, 0, 1, false);
    cr_assert(eq(u64, sherd_world_state_hash(r.world), sherd_world_state_hash(still.world)));
    drop(&r), drop(&still);
}
