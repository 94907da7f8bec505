// The Cosserat rod: against [RBDEM]'s own formulas, frames and all, and against differences of its strains.
#include "linear/eigenvalue.h"
#include "linear/linear_matrix.h"
#include "models/bonded/network.h"
#include "models/bonded/tangent/tangent_state.h"
#include "unit/solver_rig.h"

// ---------------------------------------------------------------- [RBDEM] (13)-(29), as corrected

typedef struct strains {
    sherd_vec3 gamma, omega; // Gamma, Omega [-], [1/m], in the bond's frame
    sherd_quat frame;        // of that, q_ij q_ij^0
} strains;

static sherd_vec3 imaginary(sherd_quat a, sherd_quat b)
{
    sherd_quat p = quat_multiply(quat_conjugate(a), b);
    return vec3(p.x, p.y, p.z);
}

// (19), (21), (23), the latter turned into the bond's own frame, too.
static strains strains_of(const sherd_bond_constants *constants, const sherd_elements *e, int i,
                          int j)
{
    sherd_quat q_i = sherd_element_orientation(e, i), q_j = sherd_element_orientation(e, j);
    if (quat_dot(q_i, q_j) < 0.0) q_j = quat(-q_j.x, -q_j.y, -q_j.z, -q_j.w);
    sherd_quat middle =
        quat_normalize(quat(q_i.x + q_j.x, q_i.y + q_j.y, q_i.z + q_j.z, q_i.w + q_j.w));
    sherd_quat change = quat(q_j.x - q_i.x, q_j.y - q_i.y, q_j.z - q_i.z, q_j.w - q_i.w);
    sherd_quat frame = quat_between(vec3(0, 0, 1), constants->d0);
    strains s = {.frame = quat_multiply(middle, frame)};
    sherd_vec3 b = vec3_sub(sherd_element_position(e, j), sherd_element_position(e, i));
    s.gamma = vec3_scale(1.0 / constants->l0, quat_rotate(quat_conjugate(s.frame), b));
    s.gamma.z -= 1.0;
    s.omega = vec3_scale(2.0 / constants->l0,
                         quat_rotate(quat_conjugate(frame), imaginary(middle, change)));
    return s;
}

// C_Gamma and C_Omega of (17), diagonals.
typedef struct stiffnesses {
    sherd_vec3 gamma, omega;
} stiffnesses;

static stiffnesses stiffnesses_of(const sherd_bond_constants *constants)
{
    double S = M_PI * constants->r0 * constants->r0, A = 5.0 / 6.0 * S;
    double second = 0.25 * S * constants->r0 * constants->r0;
    return (stiffnesses){
        vec3(constants->G * A, constants->G * A, constants->E * S),
        vec3(constants->E * second, constants->E * second, 2.0 * constants->G * second)};
}

static sherd_vec3 times(sherd_vec3 a, sherd_vec3 b)
{
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// ---------------------------------------------------------------- one bond

// Pairs of touching elements, far from each other, each bent, twisted, sheared and stretched in its own way.
static void make_pairs(rig *r, double size)
{
    rig_make(r, &(rig_def){4, 4, 4, .jitter = 0.1, .radius = 1e-3, .youngs_modulus = 1e8,
                           .precision = SHERD_PRECISION_MIXED, .law = SHERD_BOND_LAW_ROD,
                           .breakage = SHERD_BREAKAGE_ROD, .strength = 1e6});
    rig_deform(r, size);
}

// Of more than a third of a turn it fades.
static bool is_folded(const sherd_elements *e, int i, int j)
{
    return fabs(quat_dot(sherd_element_orientation(e, i), sherd_element_orientation(e, j))) < 0.5;
}

// Two ways of writing the same, a few dozen roundings of numbers up to the energy's own size or, in strains of 0.02,
// fifty times that of the strains, squared: 1e-16 * 50^2.
Test(rod, energy_is_that_of_the_paper)
{
    const double sizes[] = {0.02, 0.3, 1.0};
    for (int s = 0; s < 3; ++s) {
        rig r;
        make_pairs(&r, sizes[s]);
        int checked = 0;
        for (int64_t k = 0; k < r.bonds.count; ++k) {
            int i = r.bonds.i[k], j = r.bonds.j[k];
            if (is_folded(&r.elements, i, j)) continue;
            sherd_bond_constants constants = sherd_bond_constants_of(&r.bonds, &r.elements, k);
            strains e = strains_of(&constants, &r.elements, i, j);
            stiffnesses c = stiffnesses_of(&constants);
            double energy = 0.5 * constants.l0 *
                            (vec3_dot(e.gamma, times(c.gamma, e.gamma)) +
                             vec3_dot(e.omega, times(c.omega, e.omega))); // (18), (22)
            double got = sherd_bond_analyse(&r.bonds, &r.elements, k).energy;
            cr_assert(epsilon_eq(dbl, got, energy, 1e-12 * energy));
            ++checked;
        }
        cr_assert(lt(int, r.bonds.count / 4, checked));
        rig_free(&r);
    }
}

// (24) with S instead of kappa S, (25), (29); the torques of both ends are the same.
Test(rod, stresses_are_those_of_the_paper)
{
    rig r;
    make_pairs(&r, 0.2);
    for (int64_t k = 0; k < r.bonds.count; ++k) {
        sherd_bond_constants constants = sherd_bond_constants_of(&r.bonds, &r.elements, k);
        strains e = strains_of(&constants, &r.elements, r.bonds.i[k], r.bonds.j[k]);
        stiffnesses c = stiffnesses_of(&constants);
        sherd_vec3 f = times(c.gamma, e.gamma), m = times(c.omega, e.omega);
        double S = M_PI * constants.r0 * constants.r0, over = 4.0 / (S * constants.r0); // r0 / I
        double sigma = f.z / S + hypot(m.x, m.y) * over;
        double tau = 4.0 / 3.0 * hypot(f.x, f.y) / S + fabs(m.z) * 0.5 * over;
        sherd_bond_analysis a = sherd_bond_analyse(&r.bonds, &r.elements, k);
        cr_assert(epsilon_eq(dbl, a.normal_stress, sigma, 1e-11 * constants.E));
        cr_assert(epsilon_eq(dbl, a.shear_stress, tau, 1e-11 * constants.E));
        double ratio = fmax(sigma / constants.sigma_c, tau / constants.tau_c);
        cr_assert(epsilon_eq(dbl, a.stress_ratio, ratio,
                             1e-10 * fmax(ratio, constants.E / constants.tau_c)));
    }
    rig_free(&r);
}

// ---------------------------------------------------------------- stiffness

static void move_along(rig *r, const double *x, double step)
{
    for (int k = 0; k < r->elements.count; ++k) {
        rig_node n = rig_load(x, rig_stride(r), (size_t)k);
        sherd_vec3 p = vec3_add_scaled(sherd_element_position(&r->elements, k), step, n.p);
        sherd_quat turn = quat_from_rotation_vector(vec3_scale(step, n.q));
        rig_place(r, k, p, quat_multiply(turn, sherd_element_orientation(&r->elements, k)));
    }
}

// With the loads of bonds one by one, in double precision.
static void add_up_loads(rig *r, double sign, double *y)
{
    size_t stride = rig_stride(r);
    for (int64_t k = 0; k < r->bonds.count; ++k) {
        sherd_bond_analysis a = sherd_bond_analyse(&r->bonds, &r->elements, k);
        sherd_vec3 on_i = vec3_scale(-1.0, a.force_j);
        rig_add(y, stride, (size_t)r->bonds.i[k], sign, (rig_node){on_i, a.torque_i});
        rig_add(y, stride, (size_t)r->bonds.j[k], sign, (rig_node){a.force_j, a.torque_j});
    }
}

// H x with H the energy's second derivative over displacements and rotation vectors: that of loads, and where an
// element is not in equilibrium its torque T adds x cross T / 2, as left increments do not commute.
static void add_hessian_product(rig *r, const double *x, double step, double *y)
{
    move_along(r, x, step);
    add_up_loads(r, -0.5 / step, y);
    move_along(r, x, -2.0 * step);
    add_up_loads(r, 0.5 / step, y);
    move_along(r, x, step);
    size_t stride = rig_stride(r);
    double *now = sherd_alloc(6 * stride, sizeof *now);
    add_up_loads(r, 1.0, now);
    for (size_t k = 0; k < (size_t)r->elements.count; ++k) {
        sherd_vec3 turn = rig_load(x, stride, k).q, torque = rig_load(now, stride, k).q;
        rig_add(y, stride, k, 0.5, (rig_node){.q = vec3_cross(turn, torque)});
    }
    sherd_free(now);
}

// The energy's second derivative without what is proportional to strains, K = l0 J'C J of all bonds, with J by
// differences of the paper's strains: to 1e-10 with a step of 1e-5.
static void add_gauss_newton(rig *r, int64_t bond, const double *x, double *y)
{
    const double step = 1e-5;
    sherd_bond_constants constants = sherd_bond_constants_of(&r->bonds, &r->elements, bond);
    stiffnesses c = stiffnesses_of(&constants);
    const int end[2] = {r->bonds.i[bond], r->bonds.j[bond]};
    size_t stride = rig_stride(r);
    double *unit = sherd_alloc(6 * stride, sizeof *unit);
    sherd_vec3 gamma[12], omega[12], along_gamma = {0}, along_omega = {0};
    for (int n = 0; n < 12; ++n) {
        size_t at = (size_t)(n % 6) * stride + (size_t)end[n / 6];
        double size = n % 6 < 3 ? r->radius : 1.0;
        unit[at] = size;
        move_along(r, unit, step);
        strains ahead = strains_of(&constants, &r->elements, end[0], end[1]);
        move_along(r, unit, -2.0 * step);
        strains behind = strains_of(&constants, &r->elements, end[0], end[1]);
        move_along(r, unit, step);
        unit[at] = 0.0;
        gamma[n] = vec3_scale(0.5 / (step * size), vec3_sub(ahead.gamma, behind.gamma));
        omega[n] = vec3_scale(0.5 / (step * size), vec3_sub(ahead.omega, behind.omega));
        along_gamma = vec3_add_scaled(along_gamma, x[at], gamma[n]);
        along_omega = vec3_add_scaled(along_omega, x[at], omega[n]);
    }
    for (int n = 0; n < 12; ++n)
        y[(size_t)(n % 6) * stride + (size_t)end[n / 6]] +=
            constants.l0 * (vec3_dot(gamma[n], times(c.gamma, along_gamma)) +
                            vec3_dot(omega[n], times(c.omega, along_omega)));
    sherd_free(unit);
}

static double most_of(const double *y, size_t size)
{
    double most = 0.0;
    for (size_t k = 0; k < size; ++k)
        most = fmax(most, fabs(y[k]));
    return most;
}

// By the kernel of each instruction set that there is, in single precision: twelve bonds of an element with some
// forty roundings each, of positions relative to a block's middle ten radii away: 2e-5.
static void check_product(rig *r, const double *x, const double *expected)
{
    sherd_error error;
    size_t stride = rig_stride(r), size = 6 * stride;
    float *in = sherd_alloc(size, sizeof *in), *out = sherd_alloc(size, sizeof *out);
    for (size_t k = 0; k < size; ++k)
        in[k] = (float)x[k];
    double force = most_of(expected, 3 * stride),
           torque = most_of(expected + 3 * stride, 3 * stride);
    sherd_linear_matrix matrix = {0};
    cr_assert(eq(int, sherd_linear_matrix_prepare(&matrix, &r->system, &error), SHERD_OK));
    for (int kind = SHERD_SIMD_BASELINE; kind <= (int)sherd_cpu_level(); ++kind) {
        sherd_tangent_use(r->tangent, (sherd_simd)kind);
        sherd_linear_matrix_apply(&matrix, in, out);
        for (size_t k = 0; k < size; ++k)
            cr_assert(epsilon_eq(dbl, (double)out[k], expected[k],
                                 2e-5 * (k < 3 * stride ? force : torque)));
    }
    sherd_linear_matrix_free(&matrix);
    sherd_free(in), sherd_free(out);
}

// In packets, row groups and single bonds, with strains and angles of up to 0.5.
Test(rod, tangent_is_gauss_newton_s)
{
    const double sizes[] = {0.02, 0.5};
    for (int s = 0; s < 2; ++s)
        for (int jittered = 0; jittered < 2; ++jittered) {
            rig r;
            rig_make(&r, &(rig_def){20, 3, 3, .jitter = 0.1 * jittered, .radius = 1e-3,
                                    .youngs_modulus = 1e8, .precision = SHERD_PRECISION_MIXED,
                                    .law = SHERD_BOND_LAW_ROD});
            rig_deform(&r, sizes[s]);
            size_t size = 6 * rig_stride(&r);
            double *x = sherd_alloc(size, sizeof *x), *y = sherd_alloc(size, sizeof *y);
            rig_random_motion(&r, x);
            for (int64_t k = 0; k < r.bonds.count; ++k)
                add_gauss_newton(&r, k, x, y);
            check_product(&r, x, y);
            sherd_free(x), sherd_free(y);
            rig_free(&r);
        }
}

// Of displacements alone Gamma is linear: nothing is left out, tension included.
Test(rod, tangent_is_exact_over_displacements)
{
    rig r;
    rig_make(&r, &(rig_def){8, 3, 3, .radius = 1e-3, .youngs_modulus = 1e8,
                            .precision = SHERD_PRECISION_MIXED, .law = SHERD_BOND_LAW_ROD});
    rig_deform(&r, 0.3);
    size_t stride = rig_stride(&r), size = 6 * stride;
    double *x = sherd_alloc(size, sizeof *x), *y = sherd_alloc(size, sizeof *y);
    rig_random_motion(&r, x);
    memset(x + 3 * stride, 0, 3 * stride * sizeof *x);
    for (int64_t k = 0; k < r.bonds.count; ++k)
        add_gauss_newton(&r, k, x, y);
    double most = most_of(y, 3 * stride);
    for (size_t k = 0; k < 3 * stride; ++k)
        y[k] = -y[k];
    add_hessian_product(&r, x, 1e-5, y);
    cr_assert(lt(dbl, most_of(y, 3 * stride), 1e-9 * most)); // differences of a linear function
    sherd_free(x), sherd_free(y);
    rig_free(&r);
}

typedef struct lanczos {
    rig *r;
    double step;
} lanczos;

static double root_of_inertia(const rig *r, size_t k, size_t c)
{
    const sherd_elements *e = &r->elements;
    return sqrt(c < 3 ? e->mass[k] : sherd_element_inertia(e, (int)k));
}

// Of mass-scaled motions, six numbers an element.
static void apply_hessian(const void *context, const double *x, double *y)
{
    const lanczos *l = context;
    rig *r = l->r;
    size_t stride = rig_stride(r), count = (size_t)r->elements.count;
    double *motion = sherd_alloc(6 * stride, sizeof *motion),
           *loads = sherd_alloc(6 * stride, sizeof *loads), most = 0.0;
    cr_assert(motion != NULL && loads != NULL);
    for (size_t k = 0; k < count; ++k)
        for (size_t c = 0; c < 6; ++c) {
            double v = x[6 * k + c] / root_of_inertia(r, k, c);
            motion[c * stride + k] = v;
            most = fmax(most, fabs(v) / (c < 3 ? r->radius : 1.0));
        }
    add_hessian_product(r, motion, l->step / most, loads);
    for (size_t k = 0; k < count; ++k)
        for (size_t c = 0; c < 6; ++c)
            y[6 * k + c] = loads[c * stride + k] / root_of_inertia(r, k, c);
    sherd_free(motion), sherd_free(loads);
}

static double largest(sherd_operator *apply, const void *context, const rig *r)
{
    sherd_error error;
    sherd_eigenvalue e;
    cr_assert(eq(int,
                 sherd_largest_eigenvalue(apply, context, 6 * (size_t)r->elements.count, 1e-3, 200,
                                          &(sherd_parallel){1}, &e, &error),
                 SHERD_OK));
    return e.estimate;
}

// A homogeneous deformation of the rest state: stretched by 1 + x, 1 + y and sheared by z.
static void strain_rig(rig *r, sherd_vec3 strain)
{
    for (int k = 0; k < r->elements.count; ++k) {
        sherd_vec3 x = sherd_element_rest(&r->elements, k);
        sherd_vec3 p = vec3((1.0 + strain.x) * x.x + strain.z * x.y, (1.0 + strain.y) * x.y, x.z);
        rig_place(r, k, p, SHERD_QUAT_IDENTITY);
    }
}

// Steps are limited by the stiffness at rest. The energy's own second derivative grows beyond it where bonds are
// squashed, and where they are sheared: by less than what the usual 0.85 of the limit leaves, 1 / 0.85^2 = 1.38.
Test(rod, no_state_is_much_stiffer_than_rest)
{
    const double shear[] = {0.4, 0.04}; // G / E
    const sherd_vec3 states[] = {{0.0, 0.0, 0.0},  {0.1, 0.1, 0.0},   {0.3, -0.1, 0.0},
                                 {-0.1, 0.0, 0.0}, {-0.2, -0.1, 0.0}, {0.0, 0.0, 0.3}};
    for (int g = 0; g < 2; ++g) {
        rig r;
        rig_make(&r, &(rig_def){4, 4, 3, .radius = 1e-3, .youngs_modulus = 1e8, .shear = shear[g],
                                .precision = SHERD_PRECISION_MIXED, .law = SHERD_BOND_LAW_ROD});
        sherd_network network = {&r.elements, &r.bonds, &r.adjacency, {1}};
        sherd_prepared_operator stiffness;
        cr_assert(sherd_network_prepare(&network, 0.0, &stiffness, NULL) == SHERD_OK);
        double constants = largest(stiffness.apply, stiffness.context, &r);
        stiffness.release(stiffness.context);
        for (size_t k = 0; k < sizeof states / sizeof states[0]; ++k) {
            strain_rig(&r, states[k]);
            double now = largest(apply_hessian, &(lanczos){&r, 1e-5}, &r);
            cr_assert(lt(dbl, now, 1.38 * constants), "G/E %g, strain %d: %g times", shear[g],
                      (int)k, now / constants);
            if (k == 0)
                cr_assert(epsilon_eq(dbl, now, constants, 2e-3 * constants)); // Lanczos' tolerance
        }
        rig_free(&r);
    }
}
