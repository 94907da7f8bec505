// The exact Hessian as an operator of linear solvers: against differences of the gradient, and projected.
#include "models/bonded/hessian/bond_hessians.h"

#include "linear/linear_matrix.h"
#include "linear/linear_solver.h"
#include "models/bonded/hessian/nullspace.h"
#include "models/bonded/hessian/symmetric.h"
#include "solver_rig.h"

static const rig_def SMALL = {.nx = 12,
                              .ny = 4,
                              .nz = 3,
                              .radius = 1e-3,
                              .youngs_modulus = 1e9,
                              .precision = SHERD_PRECISION_MIXED};

// Of which more than one part: 2048 elements each.
static const rig_def PARTS = {.nx = 20,
                              .ny = 13,
                              .nz = 10,
                              .radius = 1e-3,
                              .youngs_modulus = 1e9,
                              .precision = SHERD_PRECISION_MIXED};

static sherd_bond_hessian_parts parts_of(rig *r, bool projected)
{
    return (sherd_bond_hessian_parts){
        {&r->elements, &r->bonds, &r->blocks, &r->adjacency}, projected, NULL};
}

// -loads of all bonds over motions, six columns, in double precision.
static void gradient_of(const rig *r, double *g)
{
    size_t stride = rig_stride(r);
    memset(g, 0, 6 * stride * sizeof *g);
    for (int64_t b = 0; b < r->bonds.count; ++b) {
        if (r->bonds.broken[b]) continue;
        sherd_ref_bond bond = sherd_ref_bond_of(&r->bonds, &r->elements, b);
        const sherd_element_index ends[2] = {bond.i, bond.j};
        double x[2][SHERD_REF_END], all[SHERD_REF_PAIR], out[SHERD_REF_MOTION];
        for (int a = 0; a < 2; ++a) {
            sherd_vec3 p = sherd_element_position(&r->elements, ends[a]);
            sherd_quat q = sherd_element_orientation(&r->elements, ends[a]);
            const double values[SHERD_REF_END] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
            memcpy(x[a], values, sizeof values);
        }
        sherd_ref_bond_gradient(&bond, x[0], x[1], all);
        for (int a = 0; a < 2; ++a) {
            sherd_ref_restrict_gradient(x[a], all + a * SHERD_REF_END, out);
            for (size_t c = 0; c < 6; ++c)
                g[c * stride + (size_t)ends[a]] += out[c];
        }
    }
}

static void move(rig *r, const double *x, double share)
{
    size_t stride = rig_stride(r);
    for (int k = 0; k < r->elements.count; ++k) {
        const double *d = x + k;
        sherd_vec3 by = vec3(share * d[0], share * d[stride], share * d[2 * stride]);
        sherd_vec3 turn = vec3(share * d[3 * stride], share * d[4 * stride], share * d[5 * stride]);
        rig_place(r, k, vec3_add(sherd_element_position(&r->elements, k), by),
                  quat_normalize(quat_multiply(quat_from_rotation_vector(turn),
                                               sherd_element_orientation(&r->elements, k))));
    }
}

static double dot(const double *a, const double *b, size_t size)
{
    double sum = 0.0;
    for (size_t k = 0; k < size; ++k)
        sum += a[k] * b[k];
    return sum;
}

// A x of the prepared state.
static void product_of(rig *r, bool projected, const double *x, double *y)
{
    sherd_error error;
    size_t size = 6 * rig_stride(r);
    sherd_bond_hessians *h = sherd_bond_hessians_create(&error);
    sherd_linear_system system = r->system;
    sherd_bond_hessian_parts parts = parts_of(r, projected);
    sherd_bond_hessians_fill(h, &parts, &system);
    sherd_linear_matrix matrix = {0};
    cr_assert(sherd_linear_matrix_prepare(&matrix, &system, &error) == SHERD_OK, "%s", error.what);
    float *in = sherd_alloc(size, sizeof *in), *out = sherd_alloc(size, sizeof *out);
    for (size_t k = 0; k < size; ++k)
        in[k] = (float)x[k];
    sherd_linear_matrix_apply(&matrix, in, out);
    for (size_t k = 0; k < size; ++k)
        y[k] = (double)out[k];
    sherd_linear_matrix_free(&matrix);
    sherd_bond_hessians_destroy(h);
    sherd_free(in), sherd_free(out);
}

// d2f along geodesics, x.A y of two motions, is the symmetric part of the gradient's derivative: geodesics
// that are left-multiplied do not commute, and the difference cancels with x and y exchanged. Single
// precision of a dozen bonds at a node leaves 1e-6 of x.A x; the differences err by h^2 = 1e-8.
Test(bond_hessians, products_are_second_derivatives_along_geodesics)
{
    const double h = 1e-4;
    for (int variant = 0; variant < 3; ++variant) {
        rig r;
        rig_make(&r, variant == 2 ? &PARTS : &SMALL);
        rig_deform(&r, 0.05);
        if (variant == 1) rig_break(&r, 0.2);
        size_t size = 6 * rig_stride(&r);
        double *x = sherd_alloc(size, sizeof *x), *y = sherd_alloc(size, sizeof *y);
        double *more = sherd_alloc(size, sizeof *more), *less = sherd_alloc(size, sizeof *less);
        rig_random_motion(&r, x);
        product_of(&r, false, x, y);
        double got = dot(x, y, size);
        move(&r, x, h);
        gradient_of(&r, more);
        move(&r, x, -2.0 * h);
        gradient_of(&r, less);
        double expected = (dot(x, more, size) - dot(x, less, size)) / (2.0 * h);
        cr_assert(epsilon_eq(dbl, got, expected, 3e-6 * fabs(expected)), "variant %d", variant);
        sherd_free(x), sherd_free(y), sherd_free(more), sherd_free(less);
        rig_free(&r);
    }
}

// Projected, no motion costs less than the exact matrix says, and none less than nothing. The exact one
// does in a body that is compressed: turning its elements with their bonds.
Test(bond_hessians, projection_only_adds_and_leaves_nothing_negative)
{
    rig r;
    rig_make(&r, &SMALL);
    size_t stride = rig_stride(&r), size = 6 * stride;
    for (int k = 0; k < r.elements.count; ++k)
        r.elements.px[k] *= 0.97, r.elements.py[k] *= 0.97, r.elements.pz[k] *= 0.97;
    double *x = sherd_alloc(size, sizeof *x), *y = sherd_alloc(size, sizeof *y);
    for (int k = 0; k < r.elements.count; ++k) { // about z
        x[(size_t)k] = -r.elements.py[k];
        x[stride + (size_t)k] = r.elements.px[k];
        x[5 * stride + (size_t)k] = 1.0;
    }
    product_of(&r, false, x, y);
    double exact = dot(x, y, size);
    cr_assert(lt(dbl, exact, 0.0));
    product_of(&r, true, x, y);
    cr_assert(lt(dbl, exact, dot(x, y, size)));
    for (int trial = 0; trial < 20; ++trial) {
        rig_random_motion(&r, x);
        product_of(&r, false, x, y);
        exact = dot(x, y, size);
        product_of(&r, true, x, y);
        double projected = dot(x, y, size);
        // Rounding of single precision.
        cr_assert(ge(dbl, projected, exact - 1e-6 * fabs(exact)));
        cr_assert(lt(dbl, 0.0, projected));
    }
    sherd_free(x), sherd_free(y);
    rig_free(&r);
}

// Eight matrices of all signs and sizes at once as one by one, to the roundings of some sweeps.
Test(bond_hessians, eight_matrices_are_projected_like_one)
{
    enum { N = SHERD_SYMMETRIC_SIZE, LANES = SHERD_SYMMETRIC_LANES };
    sherd_symmetric_lanes lanes;
    double one[LANES][N * N];
    uint64_t counter = 0;
    for (int l = 0; l < LANES; ++l)
        for (int r = 0; r < N; ++r)
            for (int c = 0; c <= r; ++c) {
                double value = pow(10.0, l - 4) * (sherd_random_uniform(5, 1, counter++) - 0.5);
                if (l == 0) value = r == c ? (double)(r - 4) : 0.0; // diagonal already
                one[l][r * N + c] = one[l][c * N + r] = lanes[r][c][l] = value;
            }
    sherd_symmetric_project_lanes(lanes);
    for (int l = 0; l < LANES; ++l) {
        sherd_symmetric_project(N, one[l]);
        for (int r = 0; r < N; ++r)
            for (int c = 0; c <= r; ++c)
                cr_assert(epsilon_eq(dbl, lanes[r][c][l], one[l][r * N + c],
                                     1e-12 * pow(10.0, l == 0 ? 1 : l - 4)));
    }
}

// Multigrid whose coarse levels are Gauss-Newton's, and the blocks alone: the same solution to the tolerance
// asked for, which counts in the norm of the preconditioned residual, about that of A: a factor of ten.
Test(bond_hessians, both_solvers_solve_with_it)
{
    rig r;
    rig_make(&r, &PARTS);
    rig_deform(&r, 0.01);
    r.system.inertia = 1e-3 * rig_stiffness(&r) / r.elements.mass[0];
    r.system.damping = 1e4;
    size_t size = 6 * rig_stride(&r);
    double *x = sherd_alloc(size, sizeof *x), *b = sherd_alloc(size, sizeof *b);
    double *wanted = sherd_alloc(size, sizeof *wanted);
    double *residual = sherd_alloc(size, sizeof *residual);
    rig_random_motion(&r, wanted);
    product_of(&r, true, wanted, b);
    for (int method = SHERD_LINEAR_MULTIGRID; method <= SHERD_LINEAR_JACOBI; ++method) {
        sherd_error error;
        sherd_bond_hessians *h = sherd_bond_hessians_create(&error);
        sherd_linear_system system = r.system;
        sherd_bond_hessian_parts parts = parts_of(&r, true);
        sherd_bond_hessians_fill(h, &parts, &system);
        sherd_linear_solver *solver =
            sherd_linear_solver_create((sherd_linear_method)method, &error);
        cr_assert(sherd_linear_solver_prepare(solver, &system, &error) == SHERD_OK);
        sherd_linear_goal goal = {1e-4, 2000, 0.0};
        sherd_linear_report report;
        cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, &report, &error) == SHERD_OK);
        cr_assert(report.converged, "method %d", method);
        cr_assert(not(report.by_node), "method %d", method);
        for (size_t k = 0; k < size; ++k)
            x[k] -= wanted[k];
        product_of(&r, true, x, residual);
        double error2 = dot(x, residual, size) / dot(wanted, b, size);
        cr_assert(lt(dbl, sqrt(error2), 1e-3), "method %d: %g", method, sqrt(error2));
        sherd_linear_solver_destroy(solver);
        sherd_bond_hessians_destroy(h);
    }
    sherd_free(x), sherd_free(b), sherd_free(wanted), sherd_free(residual);
    rig_free(&r);
}
