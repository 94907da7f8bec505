#include "math/symmetric_eigen.h"

#include "base/assertion.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Convergence is quadratic: matrices of this size take 5 to 8 sweeps.
enum { MAX_SWEEPS = 30 };

static double largest_entry(int n, const double *a)
{
    double largest = 0.0;
    for (int k = 0; k < n * n; ++k)
        largest = fmax(largest, fabs(a[k]));
    return largest;
}

// Columns p and q of a matrix: (x, y) <- (c x - s y, s x + c y).
static void rotate_columns(int n, double *a, int p, int q, double c, double s)
{
    for (int k = 0; k < n; ++k) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
}

static void rotate_rows(int n, double *a, int p, int q, double c, double s)
{
    for (int k = 0; k < n; ++k) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
}

// Rotates a_pq to 0, by the smaller of the two possible angles.
static void annihilate(int n, double *a, double *v, int p, int q)
{
    double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
    double t = copysign(1.0 / (fabs(theta) + sqrt(theta * theta + 1.0)), theta);
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    rotate_columns(n, a, p, q, c, s);
    rotate_rows(n, a, p, q, c, s);
    rotate_columns(n, v, p, q, c, s);
}

void sherd_symmetric_eigen(int n, double *a, double *values, double *v)
{
    SHERD_ASSERT(n > 0 && sherd_all_finite(a, (size_t)(n * n)), "a matrix is finite");
    memset(v, 0, sizeof(double) * (size_t)(n * n));
    for (int k = 0; k < n; ++k)
        v[k * n + k] = 1.0;
    const double negligible = 1e-17 * largest_entry(n, a);
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MAX_SWEEPS; ++sweep) {
        rotated = false;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                if (!(fabs(a[p * n + q]) > negligible)) continue;
                annihilate(n, a, v, p, q);
                rotated = true;
            }
    }
    for (int k = 0; k < n; ++k)
        values[k] = a[k * n + k];
}
