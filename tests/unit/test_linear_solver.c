// Linear solvers against a dense factorisation in double precision.
#include "linear/jacobi.h"
#include "linear/linear_solver.h"
#include "linear/pcg.h"

#include "dense_solve.h"
#include "solver_rig.h"

static const rig_def SMALL = {.nx = 5,
                              .ny = 3,
                              .nz = 3,
                              .radius = 1e-3,
                              .youngs_modulus = 1e9,
                              .precision = SHERD_PRECISION_MIXED};

static const sherd_linear_method METHODS[] = {SHERD_LINEAR_MULTIGRID, SHERD_LINEAR_JACOBI};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

// Broken bonds, springs, free bodies, held freedoms; a step of about 10 stable ones.
static void make_everything(rig *r, const rig_def *def)
{
    rig_make(r, def);
    rig_deform(r, 0.01);
    rig_break(r, 0.2);
    rig_add_contacts(r);
    rig_hold(r);
    r->system.inertia = 0.02 * rig_stiffness(r) / r->elements.mass[0];
}

// Loads of a few stiffnesses times a radius.
static double *random_loads(rig *r)
{
    size_t stride = rig_stride(r);
    double *b = sherd_alloc(6 * stride, sizeof *b);
    rig_random_motion(r, b);
    for (size_t k = 0; k < 6 * stride; ++k)
        b[k] *= rig_stiffness(r) * (k < 3 * stride ? 1.0 : r->radius * r->radius);
    return b;
}

// ---------------------------------------------------------------- dense reference

static void multiply(const void *r, const double *x, double *y)
{
    rig_multiply(r, x, y);
}

static double *solve_densely(const rig *r, const double *b)
{
    size_t stride = rig_stride(r), nodes = sherd_node_count(&r->system), count = 0;
    size_t *place = sherd_alloc(6 * nodes, sizeof *place);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < nodes; ++k)
            if (!rig_is_held(r, c, k)) place[count++] = c * stride + k;
    double *x = dense_solve(multiply, r, 6 * stride, place, count, b);
    sherd_free(place);
    return x;
}

// ---------------------------------------------------------------- solving

static double *solve(const rig *r, sherd_linear_method method, const double *b, double tolerance,
                     sherd_linear_report *report)
{
    sherd_error error;
    sherd_linear_solver *solver = sherd_linear_solver_create(method, &error);
    cr_assert(solver != NULL, "%s", error.what);
    cr_assert(sherd_linear_solver_prepare(solver, &r->system, &error) == SHERD_OK, "%s",
              error.what);
    double *x = sherd_alloc(6 * rig_stride(r), sizeof *x);
    for (size_t k = 0; k < 6 * rig_stride(r); ++k)
        x[k] = NAN;
    sherd_linear_goal goal = {.tolerance = tolerance, .max_iterations = 5000};
    cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, report, &error) == SHERD_OK, "%s",
              error.what);
    cr_assert(lt(sz, (size_t)0, sherd_linear_solver_bytes(solver)));
    sherd_linear_solver_destroy(solver);
    return x;
}

// Rotations count as displacements at a radius.
static double norm(const rig *r, const double *x)
{
    size_t stride = rig_stride(r);
    double sum = 0.0;
    for (size_t k = 0; k < 6 * stride; ++k)
        sum += x[k] * x[k] * (k < 3 * stride ? 1.0 : r->radius * r->radius);
    return sqrt(sum);
}

// |b - A x| / |b|, torques counting as forces at a radius.
static double residual(const rig *r, const double *b, const double *x)
{
    size_t stride = rig_stride(r), size = 6 * stride;
    double *y = sherd_alloc(size, sizeof *y);
    rig_multiply(r, x, y);
    double sum = 0.0, all = 0.0;
    for (size_t k = 0; k < size; ++k) {
        double unit = k < 3 * stride ? 1.0 : 1.0 / (r->radius * r->radius);
        sum += unit * (b[k] - y[k]) * (b[k] - y[k]);
        all += unit * b[k] * b[k];
    }
    sherd_free(y);
    return sqrt(sum / all);
}

// The body is small and its step 10 stable ones: conditions of some 100 turn the tolerance of 1e-6 and
// roundings of the matrix of some 1e-6 into errors of the solution below 1e-4.
Test(linear_solver, solution_is_that_of_a_dense_factorisation)
{
    rig r;
    make_everything(&r, &SMALL);
    size_t size = 6 * rig_stride(&r);
    double *b = random_loads(&r), *expected = solve_densely(&r, b);
    double *off = sherd_alloc(size, sizeof *off);
    for (int m = 0; m < METHOD_COUNT; ++m) {
        sherd_linear_report report;
        double *x = solve(&r, METHODS[m], b, 1e-6, &report);
        cr_assert(report.converged);
        cr_assert(le(dbl, report.reduction, 1e-6));
        for (size_t k = 0; k < size; ++k)
            off[k] = expected[k] - x[k];
        cr_assert(lt(dbl, norm(&r, off), 1e-4 * norm(&r, x)));
        for (size_t c = 0; c < 6; ++c)
            for (int k = 0; k < r.elements.count; ++k)
                if (rig_is_held(&r, c, (size_t)k))
                    cr_assert(eq(dbl, x[c * rig_stride(&r) + (size_t)k], 0.0));
        sherd_free(x);
    }
    sherd_free(b), sherd_free(expected), sherd_free(off);
    rig_free(&r);
}

// True residuals, in double precision, are a few times the tolerance: the stopping test measures them
// with the preconditioner, and the product has its roundings, some 1e-6.
Test(linear_solver, residuals_reach_one_in_a_million_over_many_orders)
{
    const double moduli[] = {1e5, 1e9, 1e11}, radii[] = {1e-4, 1e-2, 1.0};
    for (int variant = 0; variant < 9 * METHOD_COUNT; ++variant) {
        rig_def def = SMALL;
        def.youngs_modulus = moduli[variant % 3];
        def.radius = radii[variant / 3 % 3];
        rig r;
        make_everything(&r, &def);
        double *b = random_loads(&r);
        sherd_linear_report report;
        double *x = solve(&r, METHODS[variant / 9], b, 1e-6, &report);
        cr_assert(report.converged);
        cr_assert(lt(dbl, residual(&r, b, x), 1e-5));
        sherd_free(b), sherd_free(x);
        rig_free(&r);
    }
}

Test(linear_solver, results_do_not_depend_on_the_number_of_threads)
{
    rig_def def = SMALL;
    def.nx = 24, def.ny = 16, def.nz = 14;
    for (int m = 0; m < METHOD_COUNT; ++m) {
        rig r;
        make_everything(&r, &def);
        double *b = random_loads(&r), *first = NULL;
        for (int threads = 1; threads <= 4; ++threads) {
            r.system.parallel.threads = threads;
            sherd_linear_report report;
            double *x = solve(&r, METHODS[m], b, 1e-4, &report);
            if (first == NULL) {
                first = x;
                continue;
            }
            cr_assert(eq(int, memcmp(first, x, 6 * rig_stride(&r) * sizeof *x), 0));
            sherd_free(x);
        }
        sherd_free(b), sherd_free(first);
        rig_free(&r);
    }
}

// The first iterations of conjugate gradients are steps downhill: a solver that is cut short has still
// made the energy x.A x / 2 - b.x smaller than it was.
Test(linear_solver, running_out_of_iterations_is_no_error)
{
    rig r;
    make_everything(&r, &SMALL);
    double *b = random_loads(&r), *x = sherd_alloc(6 * rig_stride(&r), sizeof *x);
    double *y = sherd_alloc(6 * rig_stride(&r), sizeof *y);
    for (int m = 0; m < METHOD_COUNT; ++m) {
        sherd_error error;
        sherd_linear_solver *solver = sherd_linear_solver_create(METHODS[m], &error);
        cr_assert(sherd_linear_solver_prepare(solver, &r.system, &error) == SHERD_OK);
        sherd_linear_goal goal = {.tolerance = 1e-12, .max_iterations = 2};
        sherd_linear_report report;
        cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, &report, &error) == SHERD_OK);
        cr_assert(not(report.converged));
        cr_assert(le(int, report.iterations, 2));
        rig_multiply(&r, x, y);
        double energy = 0.0;
        for (size_t k = 0; k < 6 * rig_stride(&r); ++k)
            energy += x[k] * (0.5 * y[k] - b[k]);
        cr_assert(lt(dbl, energy, 0.0));
        sherd_linear_solver_destroy(solver);
    }
    sherd_free(b), sherd_free(x), sherd_free(y);
    rig_free(&r);
}

// ---------------------------------------------------------------- conjugate gradients

// Block-Jacobi, a share `wobble` of it different from call to call and node to node.
typedef struct wobbly {
    const float *inverse;
    size_t stride;
    int calls;
    double wobble;
} wobbly;

static void precondition(void *context, const float *r, float *z)
{
    wobbly *w = context;
    sherd_block_jacobi_apply_range(w->inverse, w->stride, r, z, 0, w->stride);
    ++w->calls;
    for (size_t k = 0; k < 6 * w->stride; ++k)
        z[k] *= (float)(1.0 + w->wobble * sin(2.0 * w->calls + 3.0 * (double)(k % w->stride)));
}

static int iterations_with(rig *r, const double *b, double wobble)
{
    sherd_error error;
    size_t stride = rig_stride(r), nodes = sherd_node_count(&r->system);
    sherd_linear_matrix matrix = {0};
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r->system, &error) == SHERD_OK);
    float *inverse = sherd_alloc(SHERD_NODE_BLOCK * stride, sizeof *inverse);
    sherd_linear_matrix_diagonal(&matrix, inverse);
    cr_assert(sherd_block_jacobi_invert(inverse, nodes, stride, &r->system.parallel, &error) ==
              SHERD_OK);
    sherd_pcg pcg = {0};
    cr_assert(sherd_pcg_resize(&pcg, 6 * stride, &error) == SHERD_OK);
    wobbly w = {inverse, stride, 0, wobble};
    double *x = sherd_alloc(6 * stride, sizeof *x);
    sherd_linear_goal goal = {.tolerance = 1e-6, .max_iterations = 2000};
    sherd_linear_report report;
    cr_assert(sherd_pcg_solve(&pcg, &matrix, precondition, &w, b, x, &goal, &report, &error) ==
              SHERD_OK);
    cr_assert(report.converged);
    cr_assert(lt(dbl, residual(r, b, x), 1e-5));
    sherd_free(inverse), sherd_free(x);
    sherd_pcg_free(&pcg);
    sherd_linear_matrix_free(&matrix);
    return report.iterations;
}

// With Fletcher and Reeves's factor a preconditioner that changes by a few per cent would cost conjugacy.
// Here it may cost half as many iterations again.
Test(linear_solver, a_preconditioner_may_vary_a_little)
{
    rig r;
    make_everything(&r, &SMALL);
    double *b = random_loads(&r);
    int steady = iterations_with(&r, b, 0.0), wobbling = iterations_with(&r, b, 0.05);
    cr_assert(le(int, wobbling, steady + steady / 2));
    sherd_free(b);
    rig_free(&r);
}

// As where rounding leaves a cycle of multigrid nothing positive, at any iteration: such a solve ends at once, as one that
// another preconditioner may do. It went on for ever, as iterations without a step were not counted.
static void turn_negative(void *context, const float *r, float *z)
{
    wobbly *w = context;
    for (size_t k = 0; k < 6 * w->stride; ++k)
        z[k] = (w->calls > 1 ? -1.0F : 1.0F) * r[k];
    ++w->calls;
}

Test(linear_solver, preconditioners_that_turn_out_negative_are_an_error)
{
    rig r;
    make_everything(&r, &SMALL);
    sherd_error error;
    size_t stride = rig_stride(&r);
    double *b = random_loads(&r), *x = sherd_alloc(6 * stride, sizeof *x);
    sherd_linear_matrix matrix = {0};
    cr_assert(sherd_linear_matrix_prepare(&matrix, &r.system, &error) == SHERD_OK);
    sherd_pcg pcg = {0};
    cr_assert(sherd_pcg_resize(&pcg, 6 * stride, &error) == SHERD_OK);
    wobbly w = {.stride = stride};
    sherd_linear_goal goal = {.tolerance = 1e-6, .max_iterations = 2000};
    sherd_linear_report report;
    cr_assert(sherd_pcg_solve(&pcg, &matrix, turn_negative, &w, b, x, &goal, &report, &error) ==
              SHERD_ERROR_UNSTABLE);
    cr_assert(eq(int, w.calls, 3));
    sherd_free(b), sherd_free(x);
    sherd_pcg_free(&pcg);
    sherd_linear_matrix_free(&matrix);
    rig_free(&r);
}

Test(linear_solver, no_load_gives_no_motion)
{
    rig r;
    make_everything(&r, &SMALL);
    double *b = sherd_alloc(6 * rig_stride(&r), sizeof *b);
    for (int m = 0; m < METHOD_COUNT; ++m) {
        sherd_linear_report report;
        double *x = solve(&r, METHODS[m], b, 1e-6, &report);
        cr_assert(report.converged);
        for (size_t k = 0; k < 6 * rig_stride(&r); ++k)
            cr_assert(eq(dbl, x[k], 0.0));
        sherd_free(x);
    }
    sherd_free(b);
    rig_free(&r);
}

Test(linear_solver, what_can_not_be_solved_is_an_error)
{
    rig r;
    make_everything(&r, &SMALL);
    double *b = random_loads(&r), *x = sherd_alloc(6 * rig_stride(&r), sizeof *x);
    sherd_error error;
    sherd_linear_report report;
    sherd_linear_goal goal = {.tolerance = 1e-3, .max_iterations = 100};
    cr_assert(sherd_linear_solver_create((sherd_linear_method)99, &error) == NULL);
    for (int m = 0; m < METHOD_COUNT; ++m) {
        sherd_linear_solver *solver = sherd_linear_solver_create(METHODS[m], &error);
        cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, &report, &error) ==
                  SHERD_ERROR_INPUT);
        cr_assert(sherd_linear_solver_prepare(solver, &r.system, &error) == SHERD_OK);
        b[5] = NAN;
        cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, &report, &error) ==
                  SHERD_ERROR_UNSTABLE);
        b[5] = 0.0;
        goal.tolerance = 0.0;
        cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, &report, &error) ==
                  SHERD_ERROR_INPUT);
        goal.tolerance = 1e-3;
        sherd_linear_solver_destroy(solver);
    }
    sherd_free(b), sherd_free(x);
    rig_free(&r);
}
