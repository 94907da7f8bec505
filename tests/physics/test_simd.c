// What instruction sets promise of each other: avx2 and avx512 the same bits, the baseline the same physics.
#include "physics/methods.h"
#include "simd_levels.h"

#include <sherd/calibrate.h>

#include <string.h>

enum { FRAMES = 4 };

static void use(const char *level)
{
    sherd_error error;
    cr_assert(eq(int, sherd_simd_choose(level, &error), SHERD_OK), "%s", error.what);
}

// What needs both levels is left out, aloud, where there is only one.
static bool has_both(void)
{
    return use_level_if_there("avx512");
}

// Two slabs of which one is to hit the floor and the other the first, breaking; onto both falls a free ball. With jitter all bonds differ and are loose, otherwise most are in packets.
static sherd_world *falling_slabs(sherd_world_def def, double jitter, const sherd_shape *sphere)
{
    sherd_error error;
    sherd_world *world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){0.03, 0.03, 0.005};
    b.jitter = jitter;
    b.material.youngs_modulus = 1e8;
    b.material.shear_modulus = 4e7;
    b.material.tensile_strength = 4e5;
    b.material.shear_strength = 5e5;
    b.material.weibull_modulus = 8;
    b.pose.position.z = 0.0085;
    b.pose.rotation = (sherd_quat){sin(0.12), 0.0, 0.0, cos(0.12)};
    b.velocity.z = -5.0;
    add_block(world, &b, NULL);
    b.pose.position = (sherd_vec3){0.0, 0.0, 0.02};
    add_block(world, &b, NULL);
    add_floor(world, NAN);
    if (def.scheme == SHERD_SCHEME_BDF2) return world; // has no free bodies
    sherd_obstacle_def ball = sherd_obstacle_def_default();
    ball.kind = SHERD_OBSTACLE_FREE;
    ball.shape = sphere;
    ball.density = 2000.0;
    ball.pose.position = (sherd_vec3){0.0, 0.0, 0.034};
    ball.velocity.z = -8.0;
    cr_assert(sherd_world_add_obstacle(world, &ball, &error).index1 != 0, "%s", error.what);
    return world;
}

typedef struct record {
    uint64_t hash[FRAMES];
    sherd_energy energy[FRAMES];
    int64_t broken;
    sherd_solver_counts counts;
} record;

static record run_slabs(const char *level, stepping by, double jitter, double frame)
{
    use(level);
    sherd_world_def def = def_of(by, (sherd_vec3){0, 0, -9.81});
    def.sleep = true;
    sherd_error error;
    sherd_shape *sphere = sherd_shape_sphere(0.008, &error);
    sherd_world *world = falling_slabs(def, jitter, sphere);
    set_frame(world, by, frame);
    record r;
    for (int k = 0; k < FRAMES; ++k) {
        advance(world, (k + 1) * frame);
        r.hash[k] = sherd_world_state_hash(world);
        r.energy[k] = sherd_world_energy(world);
    }
    r.broken = sherd_world_bonds(world).broken_count;
    r.counts = sherd_world_solver_counts(world);
    sherd_world_destroy(world);
    sherd_shape_destroy(sphere);
    return r;
}

static record check_same(stepping by, double jitter, double frame)
{
    record a = run_slabs("avx2", by, jitter, frame), b = run_slabs("avx512", by, jitter, frame);
    for (int k = 0; k < FRAMES; ++k) {
        cr_assert(eq(u64, a.hash[k], b.hash[k]), "frame %d", k + 1);
        cr_assert(memcmp(&a.energy[k], &b.energy[k], sizeof a.energy[k]) == 0, "frame %d", k + 1);
    }
    cr_assert(a.broken > 50, "%lld broken", (long long)a.broken);
    return a;
}

Test(simd, explicit_steps_are_the_same_with_avx2_and_avx512)
{
    if (!has_both()) return;
    check_same(EXPLICIT, 0.0, 4e-4);
    check_same(EXPLICIT, 1e-3, 4e-4);
}

Test(simd, implicit_steps_are_the_same_with_avx2_and_avx512)
{
    if (!has_both()) return;
    stepping bdf2 = {SHERD_METHOD_IMPLICIT, 20.0, SHERD_SCHEME_BDF2};
    // Until it breaks in earnest: then steps take seconds.
    record packets = check_same(bdf2, 0.0, 2e-4), loose = check_same(euler(20.0), 1e-3, 2e-4);
    cr_assert(packets.counts.linear_iterations > 0 && loose.counts.linear_iterations > 0);
}

Test(simd, auto_is_the_same_with_avx2_and_avx512)
{
    if (!has_both()) return;
    stepping chosen = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};
    check_same(chosen, 0.0, 4e-4);
    check_same(chosen, 1e-3, 4e-4);
}

// ---------------------------------------------------------------- a bar that is pulled: most of it implicit

static sherd_world *pulled_bar(stepping by, double duration)
{
    sherd_world *world = world_by(by, (sherd_vec3){0, 0, 0});
    block b = block_default();
    b.size = (sherd_vec3){0.08, 0.014, 0.014}; // several blocks of elements
    b.material.tensile_strength = INFINITY;
    b.material.shear_strength = INFINITY;
    add_block(world, &b, NULL);
    drive_slab(world, -0.05, -0.038, held());
    sherd_driver_def pull = held();
    const sherd_motion_key keys[2] = {{.time = 0.0},
                                      {.time = duration, .translation = {3e-4, 0.0, 2e-4}}};
    pull.motion.key_count = 2;
    pull.motion.keys = keys;
    drive_slab(world, 0.038, 0.05, pull);
    return world;
}

static record run_bar(const char *level, stepping by, double frame, sherd_vec3 *where)
{
    use(level);
    sherd_world *world = pulled_bar(by, FRAMES * frame);
    set_frame(world, by, frame);
    record r = {0};
    for (int k = 0; k < FRAMES; ++k) {
        advance(world, (k + 1) * frame);
        r.hash[k] = sherd_world_state_hash(world);
    }
    r.counts = sherd_world_solver_counts(world);
    sherd_element_view e = sherd_world_elements(world);
    sherd_element_index middle = e.count / 2;
    *where = (sherd_vec3){e.x[middle], e.y[middle], e.z[middle]};
    sherd_world_destroy(world);
    return r;
}

// Slow enough for auto to take implicit steps.
static const struct {
    stepping by;
    double frame; // [s]
} WAYS[] = {{{SHERD_METHOD_EXPLICIT, 0.0, SHERD_SCHEME_AUTO}, 2e-4},
            {{SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO}, 3e-3},
            {{SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO}, 3e-3}};

// With avx2 and avx512 bit for bit, with the baseline about: nothing here breaks or touches, so roundings stay what they
// are: mixed precision has strains to 1e-7 of the bar's turns, of 1e-2 rad at most, which over its length of 0.08 m are
// 1e-10 m. Implicit steps are chosen by their errors, which are 1 % of the way of 3e-4 m at most.
Test(simd, a_pulled_bar_is_the_same)
{
    bool both = has_both();
    for (int m = 0; m < 3; ++m) {
        sherd_vec3 best, plain, other;
        record a = run_bar("auto", WAYS[m].by, WAYS[m].frame, &best);
        cr_assert(eq(int, a.counts.implicit_steps > 0, m > 0));
        run_bar("baseline", WAYS[m].by, WAYS[m].frame, &plain);
        double apart = distance(best, plain);
        cr_assert(lt(dbl, apart, m == 0 ? 1e-9 : 3e-6), "method %d: %g m", m, apart);
        if (!both) continue;
        record b = run_bar("avx2", WAYS[m].by, WAYS[m].frame, &other);
        for (int k = 0; k < FRAMES; ++k)
            cr_assert(eq(u64, a.hash[k], b.hash[k]), "method %d, frame %d", m, k + 1);
    }
}

// ---------------------------------------------------------------- what runs are made from

static void check_packing(const char *const *levels, int count, sherd_packing_def def)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(0.01, &error);
    sherd_packing *first = NULL;
    for (int k = 0; k < count; ++k) {
        use(levels[k]);
        sherd_packing *p = sherd_packing_create(ball, &def, &error);
        cr_assert(p != NULL, "%s", error.what);
        if (k == 0) {
            first = p;
            continue;
        }
        cr_assert(eq(int, p->count, first->count));
        size_t bytes = (size_t)p->count * sizeof *p->x;
        cr_assert(memcmp(p->x, first->x, bytes) == 0 && memcmp(p->y, first->y, bytes) == 0 &&
                      memcmp(p->z, first->z, bytes) == 0,
                  "%s and %s", levels[0], levels[k]);
        cr_assert(memcmp(p->radius, first->radius, bytes) == 0);
        sherd_packing_destroy(p);
    }
    sherd_packing_destroy(first);
    sherd_shape_destroy(ball);
}

// Their loops fuse no multiply-adds, with whatever vectors.
Test(simd, packings_are_the_same_with_all)
{
    const char *levels[] = {"baseline", "avx2", "avx512"};
    int count = use_level_if_there("avx512") ? 3 : use_level_if_there("avx2") ? 2 : 1;
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = 1e-3;
    check_packing(levels, count, def); // follows the surface
    def.kind = SHERD_PACKING_RANDOM;
    def.size_low = 0.8, def.size_high = 1.2;
    check_packing(levels, count, def);
}

static sherd_calibration calibrate(const char *level)
{
    use(level);
    sherd_error error;
    sherd_calibration_def def = sherd_calibration_def_default();
    def.packing.kind = SHERD_PACKING_HCP;
    def.youngs_modulus = 1e9;
    def.poissons_ratio = 0.2;
    def.tensile_strength = 1e6;
    def.bar_width = 8.0; // coarse, to save time
    def.cache_folder = "";
    sherd_calibration result;
    memset(&result, 0, sizeof result);
    cr_assert(eq(int, sherd_calibrate(&def, &result, &error), SHERD_OK), "%s: %s", error.where,
              error.what);
    return result;
}

Test(simd, calibration_is_the_same_with_avx2_and_avx512)
{
    if (!has_both()) return;
    sherd_calibration a = calibrate("avx2"), b = calibrate("avx512");
    a.seconds = b.seconds = 0.0;
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    cr_assert(a.full.tensile_strength > 0.0);
}
