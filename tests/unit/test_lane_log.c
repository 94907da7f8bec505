// Logarithms and exponentials of lanes against those of the C library in long double, eigenvalues of 3 x 3 matrices.
#define SHERD_LANES 1
#include "base/random.h"
#include "math/lane_eigen.h"
#include "math/lane_log.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <float.h>

enum { SAMPLES = 200000 };

// Within half a unit in the last place of what doubles allow for the argument, and one more for the last sum.
Test(lane_log, is_the_logarithm_of_every_size)
{
    double worst = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        double x = exp2(sherd_random_uniform(1, 0, (uint64_t)k) * 2044.0 - 1021.0);
        if (k % 2 == 1) x = 1.0 + 1e-3 * (sherd_random_uniform(2, 0, (uint64_t)k) - 0.5);
        long double right = logl((long double)x);
        worst = fmax(worst, (double)(fabsl(lane_log(x) - right) / fabsl(right)) / DBL_EPSILON);
    }
    cr_assert(lt(dbl, worst, LANE_ERROR_LOG), "%g", worst);
    cr_assert(eq(dbl, lane_log(1.0), 0.0));
}

Test(lane_log, exponential_is_right_over_its_range)
{
    double worst = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        double x =
            1400.0 * (sherd_random_uniform(3, 0, (uint64_t)k) - 0.5) * (k % 2 == 0 ? 1.0 : 1e-3);
        long double right = expl((long double)x);
        worst = fmax(worst, (double)(fabsl(lane_exp(x) - right) / right) / DBL_EPSILON);
    }
    cr_assert(lt(dbl, worst, LANE_ERROR_EXP), "%g", worst);
    cr_assert(eq(dbl, lane_exp(0.0), 1.0));
    cr_assert(eq(dbl, lane_exp(1e6), lane_exp(700.0)));
}

static double entry(const lane_symmetric *m, int i, int j)
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    return m->a[place[i][j]];
}

// |A v - lambda v| and |V^T V - I|, relative to the largest entry: a few roundings of each of some 12 rotations.
static void check_eigen(const lane_symmetric *m)
{
    lane_eigen e = lane_eigen_of(m);
    double largest = 0.0, residual = 0.0, askew = 0.0;
    for (int n = 0; n < 6; ++n)
        largest = fmax(largest, fabs(m->a[n]));
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            double sum = -e.value[k] * e.axis[i][k], dot = i == k ? -1.0 : 0.0;
            for (int j = 0; j < 3; ++j)
                sum += entry(m, i, j) * e.axis[j][k], dot += e.axis[j][i] * e.axis[j][k];
            residual = fmax(residual, fabs(sum)), askew = fmax(askew, fabs(dot));
        }
    cr_assert(lt(dbl, residual, 12 * DBL_EPSILON * largest + DBL_MIN), "%g of %g", residual,
              largest);
    cr_assert(lt(dbl, askew, 12 * DBL_EPSILON));
    lane_symmetric again = lane_eigen_compose(&e, e.value);
    for (int n = 0; n < 6; ++n)
        cr_assert(lt(dbl, fabs(again.a[n] - m->a[n]), 24 * DBL_EPSILON * largest + DBL_MIN));
}

Test(lane_log, eigenvectors_of_any_symmetric_matrix)
{
    for (int k = 0; k < 20000; ++k) {
        lane_symmetric m;
        double scale = pow(10.0, sherd_random_uniform(4, 0, (uint64_t)k) * 12.0 -
                                     12.0); // of what departs from the identity
        for (int n = 0; n < 6; ++n)
            m.a[n] = (n < 3 ? 1.0 : 0.0) +
                     scale * (sherd_random_uniform(5, 0, (uint64_t)(6 * k + n)) - 0.5);
        check_eigen(&m);
    }
    check_eigen(&(lane_symmetric){{2.0, 2.0, 2.0, 0.0, 0.0, 0.0}});
    check_eigen(&(lane_symmetric){{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}});
    check_eigen(&(lane_symmetric){{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}});
    check_eigen(&(lane_symmetric){{1e-300, 1e300, 0.0, 0.0, 1.0, 0.0}});
}
