// Grains whose minimum is sought while all else stays: what their contacts do against the whole and against
// differences, friction's parabolas, and that a jammed grain comes to its minimum.
#include "base/random.h"
#include "contact/implicit/contact_trial.h"
#include "stepping/implicit/grain_elimination.h"
#include "stepping/implicit/inertia.h"
#include "unit/contact_rig.h"

enum { GRAINS = 6 };
static const double RADIUS = 0.01;
static const double DT = 8e-3; // 100 T: inertia is a thousandth of what a contact resists with

// Grain 0 among others that it overlaps or nearly touches, over a floor; nothing is bonded or at rest.
typedef struct pocket {
    rig rig;
    sherd_contact_trial *trial;
    sherd_scheme_target target;
    uint32_t no_bonds[GRAINS + 1];
    uint64_t seed, drawn; // random numbers
} pocket;

static double uniform(pocket *s, double low, double high)
{
    return low + (high - low) * sherd_random_uniform(s->seed, 0, s->drawn++);
}

static sherd_vec3 anywhere(pocket *s, double size)
{
    return vec3(uniform(s, -size, size), uniform(s, -size, size), uniform(s, -size, size));
}

static sherd_contact_potential evaluate(pocket *s)
{
    sherd_elements *e = &s->rig.e;
    double *loads[] = {e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    for (int a = 0; a < 6; ++a)
        memset(loads[a], 0, (size_t)e->count * sizeof(double));
    sherd_contact_potential p;
    cr_assert(
        eq(int, sherd_contact_trial_evaluate(s->trial, &e->points, true, &p, NULL), SHERD_OK));
    return p;
}

// Drawn by its free motion 2 mm towards `way`, and turned.
static void aim(pocket *s, sherd_vec3 way)
{
    sherd_elements *e = &s->rig.e;
    s->target.gamma = 1.0 / DT;
    sherd_quat turned = quat_from_rotation_vector(anywhere(s, 0.5));
    for (int k = 0; k < e->count; ++k) {
        sherd_vec3 p = vec3_add_scaled(sherd_element_position(e, k), 2e-3, way);
        s->target.free_p[0][k] = p.x, s->target.free_p[1][k] = p.y, s->target.free_p[2][k] = p.z;
        s->target.free_q[0][k] = turned.x, s->target.free_q[1][k] = turned.y;
        s->target.free_q[2][k] = turned.z, s->target.free_q[3][k] = turned.w;
    }
}

static void start(pocket *s, uint64_t seed)
{
    *s = (pocket){.rig = rig_make(GRAINS, &RIG_MATERIAL, 1e-3, 1), .seed = seed};
    rig *r = &s->rig;
    sherd_obstacle_def floor = rig_floor();
    floor.pose.position = vec3(0.0, 0.0, -1.02 * RADIUS);
    rig_add(r, &floor);
    for (int k = 0; k < GRAINS; ++k) // apart first: nothing is at rest
        rig_put(r, k, vec3(k, 0.0, 1.0), vec3(0.0, 0.0, 0.0), RADIUS);
    rig_forces(r, NULL, 0.0);
    rig_put(r, 0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), RADIUS);
    for (int k = 1; k < GRAINS; ++k) {
        sherd_vec3 n = vec3_normalize(anywhere(s, 1.0));
        n.z = fabs(n.z);
        rig_put(r, k, vec3_scale(RADIUS * uniform(s, 1.97, 2.05), n), vec3(0.0, 0.0, 0.0), RADIUS);
    }
    cr_assert(sherd_scheme_target_init(&s->target, GRAINS));
    s->trial = sherd_contact_trial_create(r->contacts, NULL);
    cr_assert(s->trial != NULL);
    const sherd_bond_adjacency none = {s->no_bonds, NULL, NULL, NULL, NULL};
    cr_assert(eq(
        int, sherd_contact_trial_begin(s->trial, &r->e.points, &none, 0.0, DT, RADIUS, 0.0, NULL),
        SHERD_OK));
    aim(s, vec3_normalize(anywhere(s, 1.0)));
    // Slides, with what presses to cap friction.
    sherd_element_set_pose(&r->e, 0, anywhere(s, 2e-5),
                           quat_from_rotation_vector(anywhere(s, 0.05)));
    evaluate(s);
    sherd_contact_trial_update_friction_caps(s->trial, 1.0);
}

static void finish(pocket *s)
{
    sherd_contact_trial_destroy(s->trial);
    sherd_scheme_target_free(&s->target);
    rig_free(&s->rig);
}

static sherd_contact_single evaluate_grain(pocket *s)
{
    sherd_contact_single single;
    const sherd_element_index list[] = {0};
    cr_assert(
        eq(int, sherd_contact_trial_gather(s->trial, &s->rig.e.points, list, 1, NULL), SHERD_OK));
    cr_assert(eq(int,
                 sherd_contact_trial_single(s->trial, &s->rig.e.points, list, 0, &single, NULL),
                 SHERD_OK));
    return single;
}

static double energy_of_grain(pocket *s)
{
    return evaluate_grain(s).energy + sherd_inertia_of(&s->target, &s->rig.e, 0).energy;
}

static void move_grain(pocket *s, sherd_vec3 shift, sherd_vec3 turn)
{
    sherd_elements *e = &s->rig.e;
    sherd_quat q = quat_multiply(quat_from_rotation_vector(turn), sherd_element_orientation(e, 0));
    sherd_element_set_pose(e, 0, vec3_add(sherd_element_position(e, 0), shift), quat_normalize(q));
}

Test(grain_elimination, single_contacts_are_those_of_the_whole)
{
    for (uint64_t seed = 0; seed < 20; ++seed) {
        pocket s;
        start(&s, seed);
        const sherd_elements *e = &s.rig.e;
        evaluate(&s);
        sherd_vec3 force = sherd_element_force(e, 0), torque = sherd_element_torque(e, 0);
        sherd_contact_single single = evaluate_grain(&s);
        double size = 1e-12 * vec3_length(force); // sums in another order
        cr_assert(lt(dbl, vec3_distance(single.force, force), size));
        cr_assert(lt(dbl, vec3_distance(single.torque, torque), RADIUS * size));
        finish(&s);
    }
}

// Central differences: h^2 of what bends within a radius, and friction's kinks are not met by chance.
Test(grain_elimination, single_loads_are_the_gradient)
{
    for (uint64_t seed = 0; seed < 20; ++seed) {
        pocket s;
        start(&s, seed);
        sherd_contact_single single = evaluate_grain(&s);
        double scale = vec3_length(single.force);
        for (int a = 0; a < 6; ++a) {
            double h = a < 3 ? 1e-9 : 1e-7, d[6] = {0.0};
            d[a] = h;
            sherd_vec3 shift = vec3(d[0], d[1], d[2]), turn = vec3(d[3], d[4], d[5]);
            move_grain(&s, shift, turn);
            double up = evaluate_grain(&s).energy;
            move_grain(&s, vec3_scale(-2.0, shift), vec3_scale(-2.0, turn));
            double down = evaluate_grain(&s).energy;
            move_grain(&s, shift, turn);
            const double loads[] = {single.force.x,  single.force.y,  single.force.z,
                                    single.torque.x, single.torque.y, single.torque.z};
            cr_assert(epsilon_eq(dbl, loads[a], (down - up) / (2.0 * h),
                                 1e-4 * scale * (a < 3 ? 1.0 : RADIUS)),
                      "seed %d freedom %d", (int)seed, a);
        }
        finish(&s);
    }
}

// What a grain's matrix says lies above friction's energy: a step to the parabola's minimum never goes up.
Test(grain_elimination, friction_lies_below_its_parabola)
{
    pocket s;
    start(&s, 3);
    for (int k = 1; k < GRAINS; ++k) // only the floor is near
        sherd_element_set_pose(&s.rig.e, (size_t)k, vec3(k, 0.0, 1.0),
                               sherd_element_orientation(&s.rig.e, k));
    sherd_vec3 down = vec3(0.0, 0.0, -0.021 * RADIUS);
    sherd_element_set_pose(&s.rig.e, 0, down, sherd_element_orientation(&s.rig.e, 0));
    evaluate(&s);
    sherd_contact_trial_update_friction_caps(s.trial, 1.0);
    move_grain(&s, vec3(3e-5, 1e-5, 0.0), vec3(0.0, 0.0, 0.0));
    cr_assert(eq(i64, evaluate(&s).sliding, 1));
    sherd_contact_single at = evaluate_grain(&s);
    for (int k = 0; k < 200; ++k) {
        sherd_vec3 d = anywhere(&s, k % 2 == 0 ? 1e-4 : 1e-6);
        d.z = 0.0;
        move_grain(&s, d, vec3(0.0, 0.0, 0.0));
        double energy = evaluate_grain(&s).energy;
        move_grain(&s, vec3_scale(-1.0, d), vec3(0.0, 0.0, 0.0));
        double x[] = {d.x, d.y}, parabola = at.energy - vec3_dot(at.force, d);
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
                parabola += 0.5 * x[a] * at.stiffness[a][b] * x[b];
        // Springs are single precision.
        cr_assert(lt(dbl, energy, parabola + 1e-6 * fabs(at.energy)));
    }
    // And touches it: with no stiffness along the slip it would be lower somewhere.
    cr_assert(
        lt(dbl, 0.0,
           at.stiffness[0][0] * at.stiffness[1][1] - at.stiffness[0][1] * at.stiffness[0][1]));
    finish(&s);
}

static void settle(pocket *s, sherd_grain_elimination *grains)
{
    cr_assert(
        eq(int, sherd_grains_minimise(grains, &s->target, s->trial, &s->rig.e, NULL), SHERD_OK));
}

// Nothing near it is lower, nothing else has moved, and it is the same once more.
Test(grain_elimination, a_jammed_grain_comes_to_its_minimum)
{
    for (uint64_t seed = 0; seed < 30; ++seed) {
        pocket s;
        start(&s, seed);
        sherd_elements *e = &s.rig.e;
        sherd_vec3 others[GRAINS];
        for (int k = 1; k < GRAINS; ++k)
            others[k] = sherd_element_position(e, k);
        double before = energy_of_grain(&s);
        sherd_grain_elimination grains = {.count = 1, .enough = 1e-8};
        settle(&s, &grains);
        double energy = energy_of_grain(&s);
        cr_assert(le(dbl, grains.remaining, grains.enough));
        cr_assert(lt(dbl, energy, before));
        for (int k = 0; k < 400; ++k) {
            double size = pow(10.0, uniform(&s, -8.0, -4.0));
            sherd_vec3 shift = anywhere(&s, size), turn = anywhere(&s, size / RADIUS);
            move_grain(&s, shift, turn);
            // A decrement of 1e-8 leaves 1e-16 J; energies of some 1e-3 J are known to 1e-18 or so.
            cr_assert(lt(dbl, energy - 1e-15, energy_of_grain(&s)), "seed %d", (int)seed);
            sherd_elements *g = &s.rig.e;
            sherd_quat back = quat_multiply(quat_from_rotation_vector(vec3_scale(-1.0, turn)),
                                            sherd_element_orientation(g, 0));
            sherd_element_set_pose(g, 0, vec3_sub(sherd_element_position(g, 0), shift), back);
        }
        for (int k = 1; k < GRAINS; ++k)
            cr_assert(eq(dbl, vec3_distance(others[k], sherd_element_position(e, k)), 0.0));
        finish(&s);
    }
}

Test(grain_elimination, only_what_nothing_holds_and_holds_up_is_taken)
{
    pocket s;
    start(&s, 1);
    enum { STRIDE = 16 };
    double gradient[6 * STRIDE] = {0.0}, step[6 * STRIDE] = {0.0}, slope = 0.0;
    const double shares[GRAINS] = {0.02, 0.5, 0.3, 0.02, 0.1, 0.06};
    for (int k = 0; k < GRAINS; ++k) {
        gradient[STRIDE + k] = shares[k], step[STRIDE + k] = -1.0;
        slope -= shares[k];
    }
    s.rig.e.held[2] = 1;
    sherd_grain_elimination grains = {0};
    cr_assert(sherd_grains_eliminate(&grains, s.trial, &s.rig.e, gradient, step, STRIDE, slope));
    cr_assert(eq(int, grains.count, 3));
    const sherd_element_index expected[] = {1, 4, 5};
    for (int k = 0; k < 3; ++k)
        cr_assert(eq(int, grains.element[k], expected[k]));
    cr_assert(
        not(sherd_grains_eliminate(&grains, s.trial, &s.rig.e, gradient, step, STRIDE, slope)));
    sherd_grains_clear_step(&grains, step, STRIDE);
    for (int k = 0; k < GRAINS; ++k)
        cr_assert(eq(dbl, step[STRIDE + k], k == 1 || k == 4 || k == 5 ? 0.0 : -1.0));
    // Five of six are loose and not held; then half of them are.
    cr_assert(not(sherd_grains_are_few(s.trial, &s.rig.e)));
    for (int k = 0; k < GRAINS / 2; ++k)
        s.rig.e.held[k] = 1;
    cr_assert(sherd_grains_are_few(s.trial, &s.rig.e));
    memset(s.rig.e.held, 0, GRAINS * sizeof *s.rig.e.held);
    finish(&s);
}
