// Bonds whose ends turn against each other by half a turn and more: energy stays a function of the state,
// and loads its gradient.
#include "base/random.h"
#include "math/quat.h"
#include "models/bonded/storage/bond_pass.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const double LENGTH = 2e-3;  // of the bond  [m]
static const double MOMENT = 1e-12; // of inertia of each end [kg m^2]

typedef struct pair {
    sherd_elements elements;
    sherd_bonds bonds;
    sherd_material_def material;
} pair;

static void set_pose(sherd_elements *e, int k, sherd_vec3 p, sherd_quat q)
{
    e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
    e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
}

// Two equal elements along x, at rest; their bond never breaks.
static void make_pair(pair *p, sherd_bond_law law)
{
    sherd_error error;
    *p = (pair){.material = sherd_material_def_default()};
    p->material.law = law;
    p->material.breakage = SHERD_BREAKAGE_NONE;
    p->material.youngs_modulus = 3e7;
    p->material.shear_modulus = 1.1e7;
    p->material.bond_damping = 0.0;
    cr_assert(sherd_elements_resize(&p->elements, 2, &error) == SHERD_OK);
    sherd_elements *e = &p->elements;
    for (int k = 0; k < 2; ++k) {
        e->rx[k] = (k - 0.5) * LENGTH;
        e->radius[k] = 0.5 * LENGTH;
        e->mass[k] = MOMENT / (0.4 * e->radius[k] * e->radius[k]);
        set_pose(e, k, vec3(e->rx[k], 0, 0), SHERD_QUAT_IDENTITY);
    }
    cr_assert(sherd_bonds_add(&p->bonds, e, &p->material, 0, 1, 0, &error) == SHERD_OK);
}

static void free_pair(pair *p)
{
    sherd_elements_free(&p->elements);
    sherd_bonds_free(&p->bonds);
}

static sherd_vec3 random_vector(uint64_t *counter, double size)
{
    double x[3];
    for (int c = 0; c < 3; ++c)
        x[c] = size * (2.0 * sherd_random_uniform(17, 5, (*counter)++) - 1.0);
    return vec3(x[0], x[1], x[2]);
}

// Ends turned against each other by `angle` about `axis`, half of it each, j at `p_ij` from i.
static void fold(pair *p, sherd_vec3 axis, double angle, sherd_vec3 p_ij)
{
    sherd_vec3 half = vec3_scale(0.5 * angle, axis);
    set_pose(&p->elements, 0, vec3(0, 0, 0), quat_from_rotation_vector(vec3_scale(-1.0, half)));
    set_pose(&p->elements, 1, p_ij, quat_from_rotation_vector(half));
}

static double energy_of(const pair *p)
{
    return sherd_bond_analyse(&p->bonds, &p->elements, 0).energy;
}

static double energy_after(pair *p, int k, sherd_vec3 dp, sherd_vec3 dtheta)
{
    sherd_elements *e = &p->elements;
    sherd_vec3 position = sherd_element_position(e, k);
    sherd_quat q = sherd_element_orientation(e, k);
    set_pose(e, k, vec3_add(position, dp), quat_multiply(quat_from_rotation_vector(dtheta), q));
    double energy = energy_of(p);
    set_pose(e, k, position, q);
    return energy;
}

// Fourth-order central difference of the energy.
static double slope(pair *p, int k, sherd_vec3 dp, sherd_vec3 dtheta)
{
    double difference[2];
    for (int m = 1; m <= 2; ++m)
        difference[m - 1] = energy_after(p, k, vec3_scale(m, dp), vec3_scale(m, dtheta)) -
                            energy_after(p, k, vec3_scale(-m, dp), vec3_scale(-m, dtheta));
    return (8.0 * difference[0] - difference[1]) / 12.0;
}

// All around, in folds about any axis and with bonds stretched and sheared a lot. Left out are folds in
// which a difference would reach over the points where a third derivative jumps (a third and half of a
// turn) and shear angles near 180 degrees, where the energy has its top. Steps of 1e-3 radians: errors
// of h^4 = 1e-12 times fifth derivatives, which grow with the fourth power of 1 / (180 degrees - shear
// angle) < 5.
static void check_gradient(sherd_bond_law law)
{
    uint64_t counter = 0;
    int checked = 0;
    pair p;
    make_pair(&p, law);
    double stiffness = p.material.youngs_modulus * LENGTH * LENGTH;
    for (int trial = 0; trial < 400; ++trial) {
        sherd_vec3 axis = vec3_normalize(random_vector(&counter, 1.0));
        double angle = 2.0 * M_PI * (trial + 0.5) / 400.0;
        sherd_vec3 p_ij = vec3_add(vec3(LENGTH, 0, 0), random_vector(&counter, 0.7 * LENGTH));
        fold(&p, axis, angle, p_ij);
        sherd_bond_analysis a = sherd_bond_analyse(&p.bonds, &p.elements, 0);
        double near = fmin(fabs(cos(0.5 * angle)), fabs(fabs(cos(0.5 * angle)) - 0.5));
        double sign = cos(0.5 * angle) < 0.0 ? -1.0 : 1.0;
        // d, from the middle of both orientations: about the axis by nothing, or half a turn
        double cosine = vec3_dot(vec3_normalize(p_ij), vec3(1, 0, 0));
        if (sign < 0.0)
            cosine = vec3_dot(vec3_normalize(p_ij),
                              vec3_sub(vec3_scale(2.0 * axis.x, axis), vec3(1, 0, 0)));
        if (near < 0.004 || cosine < cos(M_PI - 0.2)) continue;
        ++checked;
        double h = 1e-3, h_p = h * LENGTH;
        for (int n = 0; n < 3; ++n) {
            sherd_vec3 u = vec3(n == 0, n == 1, n == 2), none = vec3(0, 0, 0);
            double f_j = -slope(&p, 1, vec3_scale(h_p, u), none) / h_p;
            double t_i = -slope(&p, 0, none, vec3_scale(h, u)) / h;
            double t_j = -slope(&p, 1, none, vec3_scale(h, u)) / h;
            cr_assert(epsilon_eq(dbl, vec3_dot(a.force_j, u), f_j, 1e-8 * stiffness));
            cr_assert(epsilon_eq(dbl, vec3_dot(a.torque_i, u), t_i, 1e-8 * stiffness * LENGTH));
            cr_assert(epsilon_eq(dbl, vec3_dot(a.torque_j, u), t_j, 1e-8 * stiffness * LENGTH));
        }
    }
    cr_assert(checked > 300, "%d checked", checked);
    free_pair(&p);
}

Test(bond_fold, loads_are_the_gradient_of_the_energy)
{
    check_gradient(SHERD_BOND_LAW_QUATERNION);
    check_gradient(SHERD_BOND_LAW_ROD);
}

// On both sides of half a turn the energy is the same, whatever the axis and the strain: to the
// 2e-6 radians between them times slopes of some E S l0. A jump would be of pi^2 / 2 G S l0.
Test(bond_fold, energy_does_not_jump_at_half_a_turn)
{
    uint64_t counter = 0;
    for (int law = 0; law < SHERD_BOND_LAW_COUNT; ++law) {
        pair p;
        make_pair(&p, (sherd_bond_law)law);
        double most = p.material.youngs_modulus * LENGTH * LENGTH * LENGTH;
        for (int trial = 0; trial < 100; ++trial) {
            sherd_vec3 axis = vec3_normalize(random_vector(&counter, 1.0));
            sherd_vec3 p_ij = vec3_add(vec3(LENGTH, 0, 0), random_vector(&counter, 0.7 * LENGTH));
            double energy[2];
            for (int side = 0; side < 2; ++side) {
                fold(&p, axis, M_PI + (side == 0 ? -1e-6 : 1e-6), p_ij);
                energy[side] = energy_of(&p);
            }
            cr_assert(epsilon_eq(dbl, energy[0], energy[1], 1e-5 * most));
        }
        free_pair(&p);
    }
}

// ---------------------------------------------------------------- kernels

typedef struct swing {
    double start, worst, most_elastic;
    double least_w; // cosine of half the largest turn
} swing;

static double kinetic(const sherd_elements *e)
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
        sum += 0.5 * e->mass[k] * vec3_dot(v, v) + 0.5 * MOMENT * vec3_dot(w, w);
    }
    return sum;
}

static void kick(sherd_elements *e, double dt)
{
    for (int k = 0; k < 2; ++k) {
        sherd_vec3 f = sherd_element_force(e, k), t = sherd_element_torque(e, k);
        double a = dt / e->mass[k], b = dt / MOMENT;
        e->vx[k] += a * f.x, e->vy[k] += a * f.y, e->vz[k] += a * f.z;
        e->wx[k] += b * t.x, e->wy[k] += b * t.y, e->wz[k] += b * t.z;
    }
}

static void drift(sherd_elements *e, double dt)
{
    for (int k = 0; k < 2; ++k)
        set_pose(e, k,
                 vec3_add_scaled(sherd_element_position(e, k), dt, sherd_element_velocity(e, k)),
                 quat_multiply(quat_from_rotation_vector(vec3_scale(dt, sherd_element_spin(e, k))),
                               sherd_element_orientation(e, k)));
}

static void watch(const pair *p, swing *s)
{
    const sherd_elements *e = &p->elements;
    double elastic = energy_of(p), total = elastic + kinetic(e);
    if (s->start == 0.0) s->start = total;
    s->worst = fmax(s->worst, fabs(total - s->start));
    s->most_elastic = fmax(s->most_elastic, elastic);
    double w =
        e->qx[0] * e->qx[1] + e->qy[0] * e->qy[1] + e->qz[0] * e->qz[1] + e->qw[0] * e->qw[1];
    s->least_w = fmin(s->least_w, fabs(w));
}

// Both ends spin against each other, about an axis across the bond, faster than bending can stop.
static swing swing_around(sherd_bond_law law, sherd_precision precision, double dt, int steps)
{
    sherd_error error;
    sherd_parallel parallel = {1};
    sherd_bond_blocks blocks;
    pair p;
    make_pair(&p, law);
    sherd_elements *e = &p.elements;
    // Bending stores at most 2 E I / l0, I = pi r^4 / 4, that of a rod half more.
    double bending = 2.0 * p.material.youngs_modulus * M_PI * pow(0.5 * LENGTH, 4) / 4.0 / LENGTH;
    if (law == SHERD_BOND_LAW_ROD) bending *= 1.5;
    e->wy[0] = sqrt(1.2 * bending / MOMENT), e->wy[1] = -e->wy[0];
    e->wz[1] = 0.2 * e->wy[0];
    cr_assert(sherd_bonds_arrange(&p.bonds, e, precision, &parallel, &blocks, &error) == SHERD_OK);
    swing s = {.least_w = 1.0};
    for (int n = 0; n < steps; ++n) {
        sherd_bonds_apply(&p.bonds, &blocks, e, &parallel, NULL, NULL);
        if (n > 0) kick(e, 0.5 * dt);
        watch(&p, &s);
        kick(e, 0.5 * dt);
        drift(e, dt);
    }
    sherd_bond_blocks_free(&blocks);
    free_pair(&p);
    return s;
}

// Through half a turn and on, many times: energy stays what it was within the steps' error, which a
// quarter of the step makes sixteen times smaller. The jump would give half of it in a single step.
Test(bond_fold, a_bond_swung_around_keeps_its_energy)
{
    const sherd_precision precisions[] = {SHERD_PRECISION_DOUBLE, SHERD_PRECISION_MIXED};
    // sqrt(I / (G S l0)): the time in which shear turns an end by about a radian
    const double longest = 0.05 * sqrt(MOMENT / (1.1e7 * M_PI * 0.25 * LENGTH * LENGTH * LENGTH));
    double dt = longest;
    const sherd_bond_law laws[] = {SHERD_BOND_LAW_QUATERNION, SHERD_BOND_LAW_ROD};
    for (int k = 0; k < 4; ++k) {
        if (laws[k / 2] == SHERD_BOND_LAW_ROD) dt = sqrt(1.0 / 1.5) * longest; // they swing faster
        swing coarse = swing_around(laws[k / 2], precisions[k % 2], dt, 4000);
        swing fine = swing_around(laws[k / 2], precisions[k % 2], dt / 4.0, 16000);
        cr_assert(coarse.least_w < 0.02 && fine.least_w < 0.02);
        cr_assert(coarse.worst < 0.012 * coarse.start, "%g of %g", coarse.worst, coarse.start);
        cr_assert(fine.worst < 0.001 * fine.start, "%g of %g", fine.worst, fine.start);
    }
}
