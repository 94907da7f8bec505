// Closed pre-cracks slide: their faces are as flat as they were drawn, however elements are packed.
#include "physics/methods.h"

#include <sherd/motion.h>

#include <string.h>

enum { CUT_NONE = 0, CUT_PLANE };

// Half the edges of the block along x and z [m].
static const double HALF_X = 0.008, HALF_Z = 0.005;
static const double YOUNG = 1e8, WAY = 0.1; // [Pa], speed of the slide [m/s]

typedef struct sheared {
    stepping by;
    sherd_packing_kind packing;
    double friction, press; // speed with which the halves are pressed together [m/s]
    sherd_quat pose;
    int threads;
    bool whole;
} sheared;

typedef struct pulled {
    sherd_world *world;
    sherd_driver_id upper;
    sherd_weakness *cut;
    sherd_quat pose;
} pulled;

static sherd_vec3 rotated(sherd_quat q, sherd_vec3 v)
{
    sherd_vec3 u = {q.x, q.y, q.z};
    sherd_vec3 t = {2.0 * (u.y * v.z - u.z * v.y), 2.0 * (u.z * v.x - u.x * v.z),
                    2.0 * (u.x * v.y - u.y * v.x)};
    return (sherd_vec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                        v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                        v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

static sherd_driver_id grip(sherd_world *world, const sheared *s, double side, sherd_vec3 velocity)
{
    sherd_error error;
    sherd_driver_def def = held();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.05, 0.05, 0.003}, &error);
    def.region.shape = box;
    def.region.pose =
        (sherd_pose){rotated(s->pose, (sherd_vec3){0.0, 0.0, side * HALF_Z}), s->pose};
    def.motion.velocity = rotated(s->pose, velocity);
    sherd_driver_id id = sherd_world_add_driver(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

// A block cut through at z = 0, whose upper half slides along x.
static pulled pull(const sheared *s)
{
    sherd_error error;
    pulled p = {.pose = s->pose};
    sherd_weakness_def cut = sherd_weakness_def_default();
    cut.kind = SHERD_WEAKNESS_CUT;
    cut.cut = SHERD_CUT_PLANE;
    cut.strength = 0.0;
    cut.normal = (sherd_vec3){0.0, 0.0, 1.0};
    p.cut = sherd_weakness_create(&cut, &error);
    cr_assert(p.cut != NULL, "%s", error.what);
    sherd_weakness_list list = {1, &p.cut};
    sherd_world_def def = def_of(s->by, (sherd_vec3){0.0, 0.0, 0.0});
    def.threads = s->threads;
    p.world = create(&def);
    block b = block_default();
    b.size = (sherd_vec3){2.0 * HALF_X, 0.008, 2.0 * HALF_Z};
    b.packing = s->packing;
    b.material.youngs_modulus = YOUNG;
    b.material.shear_modulus = 0.4 * YOUNG;
    b.material.tensile_strength = b.material.shear_strength = INFINITY;
    b.material.friction = s->friction;
    b.material.bond_damping = 0.2;
    b.pose.rotation = s->pose;
    b.weakness = s->whole ? NULL : &list;
    add_block(p.world, &b, NULL);
    grip(p.world, s, -1.0, (sherd_vec3){0.0, 0.0, 0.0});
    p.upper = grip(p.world, s, 1.0, (sherd_vec3){WAY, 0.0, -s->press});
    set_frame(p.world, s->by, 1e-4); // which all times are multiples of
    return p;
}

static void release(pulled *p)
{
    sherd_world_destroy(p->world);
    sherd_weakness_destroy(p->cut);
}

// Mean force on the upper grip until `until`, along the axes of the block [N].
static sherd_vec3 force_until(pulled *p, double until)
{
    sherd_world_reset_probes(p->world);
    advance(p->world, until);
    sherd_quat back = {-p->pose.x, -p->pose.y, -p->pose.z, p->pose.w};
    return rotated(back, sherd_world_probe_driver(p->world, p->upper).force);
}

static const sherd_quat UPRIGHT = {0.0, 0.0, 0.0, 1.0};

static sheared sliding(stepping by, sherd_packing_kind packing)
{
    return (sheared){by, packing, 0.0, 0.0, UPRIGHT, 2, false};
}

static const stepping AUTO = {SHERD_METHOD_AUTO, 0.0, SHERD_SCHEME_AUTO};

// Shear of the block without a cut at a slide of 0.2 mm [N].
static double shear_of_whole(sheared s)
{
    s.whole = true;
    pulled p = pull(&s);
    force_until(&p, 1.9e-3);
    double force = fabs(force_until(&p, 2.1e-3).x);
    release(&p);
    return force;
}

// Neither shear nor a force across, at slides from a tenth of a diameter to more than one. 2 % of what the whole block
// has against a slide of 0.2 mm; what is left is the halves' swing from the start.
static void check_slides_freely(sheared s)
{
    double whole = shear_of_whole(s);
    pulled p = pull(&s);
    force_until(&p, 1.9e-3);
    for (double t = 2.1e-3; t < 23e-3; t += 7e-3) {
        sherd_vec3 f = force_until(&p, t);
        cr_assert(lt(dbl, fabs(f.x), 0.02 * whole), "%g ms", 1e3 * t);
        cr_assert(lt(dbl, fabs(f.z), 0.02 * whole), "%g ms", 1e3 * t);
    }
    release(&p);
}

Test(crack_sliding, frictionless_cuts_bear_no_shear)
{
    check_slides_freely(sliding(EXPLICIT, SHERD_PACKING_HCP));
    check_slides_freely(sliding(AUTO, SHERD_PACKING_HCP));
    check_slides_freely(sliding(euler(400.0), SHERD_PACKING_HCP));
    check_slides_freely(sliding(AUTO, SHERD_PACKING_RANDOM));
}

// The plane of the cut turns with the body.
Test(crack_sliding, bodies_may_lie_in_any_way)
{
    sheared s = sliding(AUTO, SHERD_PACKING_HCP);
    s.pose = (sherd_quat){0.48, -0.36, 0.64, 0.48};
    check_slides_freely(s);
}

// T = mu N while the halves are pressed together more and more, within 5 %, and energy is what work made.
static void check_coulomb(sheared s)
{
    s.friction = 0.4;
    s.press = 0.003;
    pulled p = pull(&s);
    force_until(&p, 6e-3);
    for (double t = 8e-3; t < 23e-3; t += 5e-3) {
        sherd_vec3 f = force_until(&p, t);
        cr_assert(lt(dbl, 5.0, f.z));
        cr_assert(epsilon_eq(dbl, -f.x, 0.4 * f.z, 0.05 * 0.4 * f.z), "%g ms", 1e3 * t);
        cr_assert(lt(dbl, fabs(f.y), 0.02 * f.z), "%g ms", 1e3 * t);
    }
    // Of the largest energy: work, which friction takes.
    cr_assert(lt(dbl, fabs(sherd_world_energy(p.world).balance_error), 2e-3));
    release(&p);
}

Test(crack_sliding, friction_is_coulombs)
{
    check_coulomb(sliding(EXPLICIT, SHERD_PACKING_HCP));
    check_coulomb(sliding(AUTO, SHERD_PACKING_HCP));
    check_coulomb(sliding(euler(400.0), SHERD_PACKING_RANDOM));
}

// Pressed across, a closed cut is about as stiff as the solid: one layer of contacts for one of bonds. Between 0.85 of
// the whole block's force and 1.1.
Test(crack_sliding, closed_cuts_bear_pressure)
{
    const sherd_packing_kind packings[] = {SHERD_PACKING_HCP, SHERD_PACKING_RANDOM};
    for (int k = 0; k < 2; ++k) {
        sheared s = sliding(AUTO, packings[k]);
        double force[2];
        for (int whole = 0; whole < 2; ++whole) {
            s.whole = whole;
            s.press = 0.01;
            pulled p = pull(&s);
            force_until(&p, 2e-3);
            force[whole] = force_until(&p, 3e-3).z;
            release(&p);
        }
        cr_assert(force[0] > 0.85 * force[1] && force[0] < 1.1 * force[1], "packing %d: %g of %g N",
                  k, force[0], force[1]);
    }
}

static uint64_t hash_after_slide(stepping by, int threads)
{
    sheared s = sliding(by, SHERD_PACKING_RANDOM);
    s.friction = 0.4, s.press = 0.003, s.threads = threads;
    pulled p = pull(&s);
    advance(p.world, 8e-3);
    uint64_t hash = sherd_world_state_hash(p.world);
    release(&p);
    return hash;
}

Test(crack_sliding, threads_do_not_matter)
{
    const stepping by[] = {EXPLICIT, AUTO};
    for (int k = 0; k < 2; ++k) {
        uint64_t one = hash_after_slide(by[k], 1);
        cr_assert(eq(u64, hash_after_slide(by[k], 2), one));
        cr_assert(eq(u64, hash_after_slide(by[k], 5), one));
    }
}

Test(crack_sliding, goes_on_from_a_saved_state)
{
    const stepping by[] = {EXPLICIT, AUTO, euler(400.0)};
    for (int k = 0; k < 3; ++k) {
        sherd_error error;
        sheared s = sliding(by[k], SHERD_PACKING_HCP);
        s.friction = 0.4, s.press = 0.003;
        pulled straight = pull(&s), again = pull(&s);
        advance(straight.world, 7e-3);
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_save(straight.world, &state, &size, &error), SHERD_OK));
        cr_assert(eq(int, sherd_world_restore(again.world, state, size, &error), SHERD_OK), "%s",
                  error.what);
        sherd_world_free_state(state);
        advance(straight.world, 11e-3);
        advance(again.world, 11e-3);
        cr_assert(
            eq(u64, sherd_world_state_hash(again.world), sherd_world_state_hash(straight.world)));
        sherd_energy a = sherd_world_energy(straight.world), b = sherd_world_energy(again.world);
        cr_assert(memcmp(&a, &b, sizeof a) == 0);
        release(&straight);
        release(&again);
    }
}
