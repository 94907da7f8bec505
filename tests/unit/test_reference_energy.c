// The reference energy's derivatives: against finite differences, fast code, and what they must satisfy.
#include "base/random.h"
#include "math/quat.h"
#include "math/symmetric_eigen.h"
#include "models/bonded/hessian/nullspace.h"
#include "models/bonded/hessian/symmetric.h"
#include "models/bonded/kernels/bond_kernel.h"
#include "models/bonded/storage/bond_pass.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { N = SHERD_REF_PAIR, M = SHERD_REF_PAIR_MOTION, TRIALS = 100 };

// Two ends side by side: p_i, q_i, p_j, q_j.
typedef struct pair {
    sherd_ref_bond bond;
    double x[N];
} pair;

static double uniform(uint64_t *counter, double size)
{
    return size * (2.0 * sherd_random_uniform(7, 1, (*counter)++) - 1.0);
}

static sherd_vec3 random_vector(uint64_t *counter, double size)
{
    double x = uniform(counter, size), y = uniform(counter, size), z = uniform(counter, size);
    return vec3(x, y, z);
}

static void set_end(double *x, sherd_vec3 p, sherd_quat q)
{
    const double values[SHERD_REF_END] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    memcpy(x, values, sizeof values);
}

// Lengths in units of the bond, moduli about 1, so that one finite step fits all 14 numbers. Strains and
// angles are of about `size`, after a large common rotation.
static pair random_pair(uint64_t *counter, double size)
{
    sherd_vec3 d0 = vec3_normalize(vec3(0.3, -0.7, 0.5));
    pair p = {.bond = {.i = 0,
                       .j = 1,
                       .d0 = d0,
                       .l0 = 1.0,
                       .stretch = 1.3,
                       .shear = 0.6,
                       .bend = 0.4,
                       .twist = 0.25}};
    sherd_quat common = quat_from_rotation_vector(random_vector(counter, 2.0));
    sherd_vec3 shift = random_vector(counter, 1.0);
    for (int k = 0; k < 2; ++k) {
        sherd_vec3 rest = vec3_add(vec3_scale((double)k, d0), random_vector(counter, size));
        sherd_quat q = quat_from_rotation_vector(random_vector(counter, size));
        set_end(p.x + k * SHERD_REF_END, vec3_add(quat_rotate(common, rest), shift),
                quat_multiply(common, q));
    }
    return p;
}

static double energy(const pair *p)
{
    return sherd_ref_bond_energy(&p->bond, p->x, p->x + SHERD_REF_END);
}

static void gradient(const pair *p, double g[N])
{
    sherd_ref_bond_gradient(&p->bond, p->x, p->x + SHERD_REF_END, g);
}

static void hessian(const pair *p, sherd_ref_hessian kind, double h[N][N])
{
    sherd_ref_bond_hessian(&p->bond, p->x, p->x + SHERD_REF_END, kind, h);
}

static void restricted_gradient(const pair *p, double out[M])
{
    double g[N];
    gradient(p, g);
    for (int k = 0; k < 2; ++k)
        sherd_ref_restrict_gradient(p->x + k * SHERD_REF_END, g + k * SHERD_REF_END,
                                    out + k * SHERD_REF_MOTION);
}

static void restricted_hessian(const pair *p, sherd_ref_hessian kind, double out[M][M])
{
    double g[N], h[N][N];
    gradient(p, g);
    hessian(p, kind, h);
    sherd_ref_restrict_hessian(p->x, p->x + SHERD_REF_END, kind == SHERD_REF_FULL ? g : NULL, h,
                               out);
}

// Moves both ends by h times a motion, rotations along geodesics.
static pair moved(const pair *p, const double motion[M], double h)
{
    pair out = *p;
    for (int k = 0; k < 2; ++k) {
        double *x = out.x + k * SHERD_REF_END;
        const double *m = motion + k * SHERD_REF_MOTION;
        sherd_vec3 dp = vec3(h * m[0], h * m[1], h * m[2]);
        sherd_vec3 turn = vec3(h * m[3], h * m[4], h * m[5]);
        set_end(x, vec3_add(vec3(x[0], x[1], x[2]), dp),
                quat_multiply(quat_from_rotation_vector(turn), quat(x[3], x[4], x[5], x[6])));
    }
    return out;
}

static double size_of(int trial)
{
    const double sizes[] = {1e-3, 0.02, 0.15, 0.5}; // both branches of the angle's series
    return sizes[trial % 4];
}

static double largest(int n, const double *a)
{
    double value = 0.0;
    for (int k = 0; k < n; ++k)
        value = fmax(value, fabs(a[k]));
    return value;
}

// Fourth-order differences with steps h = 1e-3: truncation h^4 = 1e-12 times fifth derivatives, which
// reach 1e2 where theta is large; rounding 1e-16 / h.
static const double STEP = 1e-3, TOLERANCE = 2e-9;

Test(bond_energy, gradient_is_the_slope_of_the_energy_in_four_dimensions)
{
    uint64_t counter = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair p = random_pair(&counter, size_of(trial));
        if (trial % 3 == 0) // V is defined off the sphere, too
            for (int k = 3; k < SHERD_REF_END; ++k)
                p.x[k] *= 1.2;
        double g[N], difference[4];
        gradient(&p, g);
        for (int a = 0; a < N; ++a) {
            for (int s = 0; s < 4; ++s) {
                const double shift[] = {-2.0, -1.0, 1.0, 2.0};
                pair q = p;
                q.x[a] += shift[s] * STEP;
                difference[s] = energy(&q);
            }
            double slope =
                (8.0 * (difference[2] - difference[1]) - (difference[3] - difference[0])) /
                (12.0 * STEP);
            cr_assert(epsilon_eq(dbl, g[a], slope, TOLERANCE));
        }
    }
}

Test(bond_energy, hessian_is_the_slope_of_the_gradient_in_four_dimensions)
{
    uint64_t counter = 1000;
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair p = random_pair(&counter, size_of(trial));
        if (trial % 3 == 0)
            for (int k = 10; k < N; ++k)
                p.x[k] *= 0.9;
        double h[N][N], g[4][N];
        hessian(&p, SHERD_REF_FULL, h);
        for (int a = 0; a < N; ++a) {
            for (int s = 0; s < 4; ++s) {
                const double shift[] = {-2.0, -1.0, 1.0, 2.0};
                pair q = p;
                q.x[a] += shift[s] * STEP;
                gradient(&q, g[s]);
            }
            for (int b = 0; b < N; ++b) {
                double slope = (8.0 * (g[2][b] - g[1][b]) - (g[3][b] - g[0][b])) / (12.0 * STEP);
                cr_assert(epsilon_eq(dbl, h[b][a], slope, 10.0 * TOLERANCE));
                cr_assert(epsilon_eq(dbl, h[b][a], h[a][b], 1e-13));
            }
        }
    }
}

// q and -q are the same rotation: nothing physical may change.
Test(bond_energy, does_not_see_the_sign_of_a_quaternion)
{
    uint64_t counter = 2000;
    pair p = random_pair(&counter, 0.3), flipped = p;
    for (int k = 10; k < N; ++k)
        flipped.x[k] = -p.x[k];
    cr_assert(eq(dbl, energy(&p), energy(&flipped)));
    double a[M], b[M], ha[M][M], hb[M][M];
    restricted_gradient(&p, a);
    restricted_gradient(&flipped, b);
    restricted_hessian(&p, SHERD_REF_FULL, ha);
    restricted_hessian(&flipped, SHERD_REF_FULL, hb);
    for (int r = 0; r < M; ++r) {
        cr_assert(eq(dbl, a[r], b[r]));
        for (int c = 0; c < M; ++c)
            cr_assert(eq(dbl, ha[r][c], hb[r][c]));
    }
}

// Along a geodesic x(s), d/ds f = grad f(x(s)).motion with the motion's own constant numbers, and its
// slope at s = 0 is motion.H motion. All motions together determine a symmetric H.
Test(nullspace, hessian_is_the_second_derivative_along_geodesics)
{
    uint64_t counter = 3000;
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair p = random_pair(&counter, size_of(trial));
        double h[M][M], motion[M], slopes[4], curvature = 0.0;
        restricted_hessian(&p, SHERD_REF_FULL, h);
        for (int k = 0; k < M; ++k)
            motion[k] = uniform(&counter, 1.0);
        for (int s = 0; s < 4; ++s) {
            const double shift[] = {-2.0, -1.0, 1.0, 2.0};
            pair q = moved(&p, motion, shift[s] * STEP);
            double g[M];
            restricted_gradient(&q, g);
            slopes[s] = 0.0;
            for (int k = 0; k < M; ++k)
                slopes[s] += g[k] * motion[k];
        }
        for (int r = 0; r < M; ++r)
            for (int c = 0; c < M; ++c) {
                curvature += motion[r] * h[r][c] * motion[c];
                cr_assert(epsilon_eq(dbl, h[r][c], h[c][r], 1e-13));
            }
        double difference =
            (8.0 * (slopes[2] - slopes[1]) - (slopes[3] - slopes[0])) / (12.0 * STEP);
        cr_assert(epsilon_eq(dbl, curvature, difference, 100.0 * TOLERANCE));
    }
}

// (48), (49)
Test(nullspace, operators_satisfy_their_identities)
{
    uint64_t counter = 4000;
    for (int trial = 0; trial < 20; ++trial) {
        double q[4], g[2][3][4];
        for (int k = 0; k < 4; ++k)
            q[k] = uniform(&counter, 1.0);
        sherd_ref_left_nullspace(q, g[0]);
        sherd_ref_right_nullspace(q, g[1]);
        double q2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        for (int side = 0; side < 2; ++side)
            for (int r = 0; r < 3; ++r) {
                double along = 0.0;
                for (int k = 0; k < 4; ++k)
                    along += g[side][r][k] * q[k];
                cr_assert(epsilon_eq(dbl, along, 0.0, 1e-15));
                for (int c = 0; c < 3; ++c) {
                    double product = 0.0;
                    for (int k = 0; k < 4; ++k)
                        product += g[side][r][k] * g[side][c][k];
                    cr_assert(epsilon_eq(dbl, product, r == c ? q2 : 0.0, 1e-15));
                }
            }
    }
}

static double smallest_eigenvalue(const double *matrix, int n)
{
    double a[N * N], v[N * N], values[N], least = INFINITY;
    memcpy(a, matrix, sizeof(double) * (size_t)(n * n));
    sherd_symmetric_eigen(n, a, values, v);
    for (int k = 0; k < n; ++k)
        least = fmin(least, values[k]);
    return least;
}

// A = V diag(values) V' with V orthogonal, to rounding of 14 x 14 products.
Test(symmetric, eigenvectors_rebuild_the_matrix)
{
    uint64_t counter = 5000;
    double a[N * N], work[N * N], v[N * N], values[N];
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            a[r * N + c] = a[c * N + r] = uniform(&counter, 1.0);
    memcpy(work, a, sizeof a);
    sherd_symmetric_eigen(N, work, values, v);
    for (int r = 0; r < N; ++r)
        for (int c = 0; c < N; ++c) {
            double rebuilt = 0.0, product = 0.0;
            for (int k = 0; k < N; ++k) {
                rebuilt += v[r * N + k] * values[k] * v[c * N + k];
                product += v[k * N + r] * v[k * N + c];
            }
            cr_assert(epsilon_eq(dbl, rebuilt, a[r * N + c], 1e-13));
            cr_assert(epsilon_eq(dbl, product, r == c, 1e-13));
        }
}

Test(nullspace, projection_leaves_nothing_negative_and_only_adds)
{
    uint64_t counter = 6000;
    int indefinite = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair p = random_pair(&counter, size_of(trial));
        double full[M][M], projected[M][M], difference[M][M];
        restricted_hessian(&p, SHERD_REF_FULL, full);
        memcpy(projected, full, sizeof full);
        sherd_ref_project_hessian(p.bond.l0, projected);
        indefinite += smallest_eigenvalue(&full[0][0], M) < -1e-10;
        for (int r = 0; r < M; ++r)
            for (int c = 0; c < M; ++c)
                difference[r][c] = projected[r][c] - full[r][c];
        // Rounding of eigenvalues of order 1.
        cr_assert(smallest_eigenvalue(&projected[0][0], M) > -1e-13);
        cr_assert(smallest_eigenvalue(&difference[0][0], M) > -1e-13);
    }
    cr_assert(indefinite > TRIALS / 4, "the test must meet indefinite matrices");
}

// What is left out is proportional to strains, so both agree at rest.
Test(bond_energy, gauss_newton_is_the_hessian_at_rest_and_never_indefinite)
{
    uint64_t counter = 7000;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double size = trial < TRIALS / 2 ? 0.0 : size_of(trial);
        pair p = random_pair(&counter, size);
        double full[M][M], gauss[M][M];
        restricted_hessian(&p, SHERD_REF_FULL, full);
        restricted_hessian(&p, SHERD_REF_GAUSS_NEWTON, gauss);
        cr_assert(smallest_eigenvalue(&gauss[0][0], M) > -1e-13);
        for (int r = 0; size == 0.0 && r < M; ++r)
            for (int c = 0; c < M; ++c)
                cr_assert(epsilon_eq(dbl, full[r][c], gauss[r][c], 1e-13));
    }
}

// Turning and shifting the pair as one changes no strain: J motion = 0 in every state.
Test(bond_energy, rigid_motions_are_in_the_null_space)
{
    uint64_t counter = 8000;
    for (int trial = 0; trial < TRIALS; ++trial) {
        pair p = random_pair(&counter, size_of(trial));
        double gauss[M][M], g[M], power = 0.0;
        restricted_hessian(&p, SHERD_REF_GAUSS_NEWTON, gauss);
        restricted_gradient(&p, g);
        sherd_vec3 shift = random_vector(&counter, 1.0), turn = random_vector(&counter, 1.0);
        double motion[M];
        for (int k = 0; k < 2; ++k) {
            const double *x = p.x + k * SHERD_REF_END;
            sherd_vec3 u = vec3_add(shift, vec3_cross(turn, vec3(x[0], x[1], x[2])));
            const double values[] = {u.x, u.y, u.z, turn.x, turn.y, turn.z};
            memcpy(motion + k * SHERD_REF_MOTION, values, sizeof values);
        }
        for (int r = 0; r < M; ++r) {
            double load = 0.0;
            for (int c = 0; c < M; ++c)
                load += gauss[r][c] * motion[c];
            cr_assert(epsilon_eq(dbl, load, 0.0, 1e-13));
            power += g[r] * motion[r];
        }
        cr_assert(epsilon_eq(dbl, power, 0.0, 1e-13));
    }
}

// Why projecting every bond by itself costs convergence (docs/notebook/optimizers.md): turning a bond as one moves
// its ends along straight lines, which lengthens it in second order, so a force N along it gives a
// curvature N l per squared angle. Over a body in equilibrium these cancel, tension against compression;
// projected, compression's are gone.
Test(nullspace, projection_resists_turning_bonds_in_compression)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const double strain = 0.01 * sign, angle[3] = {0.0, 0.0, 1.0};
        pair p = {.bond = {.i = 0,
                           .j = 1,
                           .d0 = {1.0, 0.0, 0.0},
                           .l0 = 1.0,
                           .stretch = 1.3,
                           .shear = 0.6,
                           .bend = 0.4,
                           .twist = 0.25}};
        double l = 1.0 + strain, motion[M] = {0.0}, full[M][M], projected[M][M], curvature[2] = {0};
        set_end(p.x, vec3(0, 0, 0), SHERD_QUAT_IDENTITY);
        set_end(p.x + SHERD_REF_END, vec3(l, 0, 0), SHERD_QUAT_IDENTITY);
        motion[SHERD_REF_MOTION + 1] = l; // angle x (l, 0, 0)
        memcpy(motion + 3, angle, sizeof angle);
        memcpy(motion + SHERD_REF_MOTION + 3, angle, sizeof angle);
        restricted_hessian(&p, SHERD_REF_FULL, full);
        memcpy(projected, full, sizeof full);
        sherd_ref_project_hessian(p.bond.l0, projected);
        for (int r = 0; r < M; ++r)
            for (int c = 0; c < M; ++c) {
                curvature[0] += motion[r] * full[r][c] * motion[c];
                curvature[1] += motion[r] * projected[r][c] * motion[c];
            }
        double expected = 1.3 * strain * l;
        cr_assert(epsilon_eq(dbl, curvature[0], expected, 1e-14));
        if (sign > 0) cr_assert(epsilon_eq(dbl, curvature[1], expected, 1e-14));
        if (sign < 0) cr_assert(curvature[1] > -1e-14);
    }
}

// ---------------------------------------------------------------- fast code

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };

// A jittered block of bonded elements, turned as a whole, with strains and angles of about `size`.
static void make_block(sherd_elements *e, sherd_bonds *bonds, double size)
{
    sherd_error error;
    uint64_t counter = 9000;
    *e = (sherd_elements){0};
    *bonds = (sherd_bonds){0};
    cr_assert(sherd_elements_resize(e, COUNT, &error) == SHERD_OK);
    for (int k = 0; k < COUNT; ++k) {
        e->radius[k] = 0.5e-3;
        e->mass[k] = 1e-6;
        sherd_vec3 rest =
            vec3_add(vec3(1e-3 * (k % SIDE), 1e-3 * (k / SIDE % SIDE), 1e-3 * (k / SIDE / SIDE)),
                     random_vector(&counter, 2e-5));
        e->rx[k] = rest.x, e->ry[k] = rest.y, e->rz[k] = rest.z;
    }
    sherd_material_def material = sherd_material_def_default();
    material.grain_stiffening = 0.5; // E and G differ from bond to bond
    material.bond_damping = 0.0;
    cr_assert(sherd_bonds_add_near(bonds, e, &material, 0, COUNT, 0.2, &(sherd_parallel){1},
                                   &error) == SHERD_OK);
    sherd_quat common = quat_from_rotation_vector(vec3(0.4, -1.1, 0.7));
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 x =
            vec3_add(vec3(e->rx[k], e->ry[k], e->rz[k]), random_vector(&counter, 1e-3 * size));
        sherd_vec3 p = quat_rotate(common, x);
        sherd_quat turn = quat_from_rotation_vector(random_vector(&counter, size));
        sherd_quat q = quat_multiply(common, turn);
        e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
        e->qx[k] = q.x, e->qy[k] = q.y, e->qz[k] = q.z, e->qw[k] = q.w;
    }
}

static void element_end(const sherd_elements *e, sherd_element_index k, double x[SHERD_REF_END])
{
    set_end(x, sherd_element_position(e, k), sherd_element_orientation(e, k));
}

// Both in double precision and of strains of 0.05: rounding is 1e-15 of the largest load; 1e-9 is what
// the method asks for.
Test(bond_energy, fast_bond_loads_are_its_gradient)
{
    sherd_elements e;
    sherd_bonds bonds;
    sherd_bond_blocks blocks = {0};
    sherd_error error;
    make_block(&e, &bonds, 0.05);
    cr_assert(sherd_bonds_arrange(&bonds, &e, SHERD_PRECISION_DOUBLE, &(sherd_parallel){1}, &blocks,
                                  &error) == SHERD_OK);
    sherd_bonds_apply(&bonds, &blocks, &e, &(sherd_parallel){1}, NULL, NULL);
    static double sum[COUNT][SHERD_REF_MOTION];
    double energy_sum = 0.0;
    for (int64_t b = 0; b < bonds.count; ++b) {
        sherd_ref_bond bond = sherd_ref_bond_of(&bonds, &e, b);
        pair p = {.bond = bond};
        double g[M];
        element_end(&e, bond.i, p.x);
        element_end(&e, bond.j, p.x + SHERD_REF_END);
        restricted_gradient(&p, g);
        energy_sum += energy(&p);
        for (int k = 0; k < SHERD_REF_MOTION; ++k) {
            sum[bond.i][k] -= g[k];
            sum[bond.j][k] -= g[SHERD_REF_MOTION + k];
        }
    }
    cr_assert(epsilon_eq(dbl, sherd_bonds_energy(&bonds, &e, &(sherd_parallel){1}), energy_sum,
                         1e-12 * energy_sum));
    const double *loads[SHERD_REF_MOTION] = {e.fx, e.fy, e.fz, e.tx, e.ty, e.tz};
    for (int c = 0; c < SHERD_REF_MOTION; ++c) {
        double scale = largest(COUNT, loads[c]);
        for (int k = 0; k < COUNT; ++k)
            cr_assert(epsilon_eq(dbl, loads[c][k], sum[k][c], 1e-9 * scale));
    }
    sherd_bond_blocks_free(&blocks);
    sherd_bonds_free(&bonds);
    sherd_elements_free(&e);
}
