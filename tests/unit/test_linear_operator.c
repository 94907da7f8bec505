// Linear solvers know a model by its interface alone: one without bonds, against a dense factorisation.
#include "linear/linear_matrix.h"
#include "linear/linear_solver.h"

#include "dense_solve.h"
#include "lattice_rig.h"

#include <criterion/new/assert.h>

static const sherd_linear_operator *const OPERATORS[] = {&WHOLE, &BY_PARTS};
static const sherd_linear_method METHODS[] = {SHERD_LINEAR_MULTIGRID, SHERD_LINEAR_JACOBI};

// Displacements of a spacing and rotations of a radian, or loads to match.
static double *random_vector(const lattice *l, bool loads)
{
    uint64_t counter = 1000000;
    size_t stride = stride_of(l);
    double *b = sherd_alloc(6 * stride, sizeof *b);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k <= POINTS; ++k) {
            double size = (c < 3) == loads ? 1.0 : SPACING;
            if (!is_held(l, c, k)) b[c * stride + k] = size * uniform(&counter);
        }
    return b;
}

static double *solve_densely(const lattice *l, const double *b)
{
    size_t stride = stride_of(l), count = 0;
    size_t *place = sherd_alloc(6 * (POINTS + 1), sizeof *place);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k <= POINTS; ++k)
            if (!is_held(l, c, k)) place[count++] = c * stride + k;
    double *x = dense_solve(multiply_by_definition, l, 6 * stride, place, count, b);
    sherd_free(place);
    return x;
}

// Rotations count as displacements at a spacing.
static double norm(const lattice *l, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < 6 * stride_of(l); ++k)
        sum += x[k] * x[k] * (k < 3 * stride_of(l) ? 1.0 : SPACING * SPACING);
    return sqrt(sum);
}

static double distance(const lattice *l, const float *a, const double *b)
{
    size_t size = 6 * stride_of(l);
    double *off = sherd_alloc(size, sizeof *off);
    for (size_t k = 0; k < size; ++k)
        off[k] = (double)a[k] - b[k];
    // Loads count the other way round than motions.
    for (size_t k = size / 2; k < size; ++k)
        off[k] /= SPACING * SPACING;
    double length = norm(l, off);
    sherd_free(off);
    return length;
}

// x = z + beta x_before and y = A x to the roundings of single precision, EPS / 2 each of sums of a dozen; x . y is a
// sum of positive energies.
Test(linear_operator, products_are_those_of_the_definition)
{
    static const double EPS = 1.2e-7;
    for (int o = 0; o < 2; ++o) {
        lattice *l = make(OPERATORS[o], 0.02);
        set_cut(l, 5, 1);
        size_t size = 6 * stride_of(l);
        double *move = random_vector(l, false), *y = sherd_alloc(size, sizeof *y);
        float *z = sherd_alloc(size, sizeof *z), *before = sherd_alloc(size, sizeof *before);
        float *x = sherd_alloc(size, sizeof *x), *got = sherd_alloc(size, sizeof *got);
        for (size_t k = 0; k < size; ++k)
            z[k] = (float)move[k], before[k] = -0.5F * z[k];
        sherd_error error;
        sherd_linear_matrix matrix = {0};
        cr_assert(sherd_linear_matrix_prepare(&matrix, &l->system, &error) == SHERD_OK);
        sherd_linear_product product = {
            .x = before, .z = z, .beta = 1.0F, .turned = x, .y = got, .with_energy = true};
        sherd_linear_matrix_multiply(&matrix, &product);
        double energy = 0.0;
        for (size_t k = 0; k < size; ++k) {
            cr_assert(eq(flt, x[k], 0.5F * z[k]));
            move[k] = (double)x[k];
        }
        multiply_by_definition(l, move, y);
        for (size_t k = 0; k < size; ++k)
            energy += move[k] * y[k];
        float *none = sherd_alloc(size, sizeof *none);
        cr_assert(lt(dbl, distance(l, got, y), 10.0 * EPS * distance(l, none, y)));
        cr_assert(epsilon_eq(dbl, product.energy, energy, 20.0 * EPS * energy));
        sherd_linear_matrix_free(&matrix);
        sherd_free(move), sherd_free(y), sherd_free(z), sherd_free(before), sherd_free(x);
        sherd_free(got), sherd_free(none), sherd_free(l);
    }
}

static double *solve(sherd_linear_solver *solver, const lattice *l, const double *b,
                     double tolerance, sherd_linear_report *report)
{
    sherd_error error;
    double *x = sherd_alloc(6 * stride_of(l), sizeof *x);
    sherd_linear_goal goal = {.tolerance = tolerance, .max_iterations = 5000};
    cr_assert(sherd_linear_solver_prepare(solver, &l->system, &error) == SHERD_OK, "%s",
              error.what);
    cr_assert(sherd_linear_solver_solve(solver, b, x, &goal, report, &error) == SHERD_OK, "%s",
              error.what);
    cr_assert(report->converged);
    return x;
}

// As in test_linear_solver.c: conditions of some 100 turn the tolerance of 1e-6 and roundings of the matrix of some
// 1e-6 into errors of the solution below 1e-4.
static void check_solution(sherd_linear_solver *solver, const lattice *l, const double *b,
                           const double *expected)
{
    sherd_linear_report report;
    double *x = solve(solver, l, b, 1e-6, &report), length = norm(l, expected);
    size_t size = 6 * stride_of(l);
    double *off = sherd_alloc(size, sizeof *off);
    for (size_t k = 0; k < size; ++k)
        off[k] = expected[k] - x[k];
    cr_assert(lt(dbl, norm(l, off), 1e-4 * length), "%g", norm(l, off) / length);
    for (size_t c = 0; c < 6; ++c)
        for (size_t k = 0; k < POINTS; ++k)
            if (is_held(l, c, k)) cr_assert(eq(dbl, x[c * stride_of(l) + k], 0.0));
    sherd_free(x), sherd_free(off);
}

// The lattice is whole, in two pieces, and whole again. Its definition, which is what is factorised, knows no operator.
Test(linear_operator, solution_is_that_of_a_dense_factorisation)
{
    double *expected[2] = {NULL};
    for (int which = 0; which < 4; ++which) {
        lattice *l = make(OPERATORS[which / 2], 0.02);
        sherd_error error;
        sherd_linear_solver *solver = sherd_linear_solver_create(METHODS[which % 2], &error);
        cr_assert(solver != NULL);
        double *b = random_vector(l, true);
        for (int turn = 0; turn < 3; ++turn) {
            int cut = turn == 1;
            if (turn > 0) set_cut(l, 5, (uint8_t)cut);
            if (expected[cut] == NULL) expected[cut] = solve_densely(l, b);
            check_solution(solver, l, b, expected[cut]);
        }
        sherd_linear_solver_destroy(solver);
        sherd_free(b), sherd_free(l);
    }
    sherd_free(expected[0]), sherd_free(expected[1]);
}

// Springs of edges make coarse levels that are as good as with bonds: 12 iterations were measured, 100 with the diagonal
// blocks alone.
Test(linear_operator, clusters_are_of_use_to_any_model)
{
    int iterations[2][2];
    for (int which = 0; which < 4; ++which) {
        lattice *l = make(OPERATORS[which / 2], 1e-4);
        memset(l->held, 0, sizeof l->held);
        sherd_error error;
        sherd_linear_solver *solver = sherd_linear_solver_create(METHODS[which % 2], &error);
        sherd_linear_report report;
        double *b = random_vector(l, true), *x = solve(solver, l, b, 1e-4, &report);
        iterations[which / 2][which % 2] = report.iterations;
        sherd_linear_solver_destroy(solver);
        sherd_free(b), sherd_free(x), sherd_free(l);
    }
    for (int o = 0; o < 2; ++o)
        cr_assert(lt(int, 3 * iterations[o][0], iterations[o][1]));
}
