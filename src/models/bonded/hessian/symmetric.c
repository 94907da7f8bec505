#include "models/bonded/hessian/symmetric.h"

#include "base/cpu.h"
#include "math/symmetric_eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void sherd_symmetric_project(int n, double *a)
{
    double work[SHERD_SYMMETRIC_LARGEST * SHERD_SYMMETRIC_LARGEST];
    double v[SHERD_SYMMETRIC_LARGEST * SHERD_SYMMETRIC_LARGEST];
    double values[SHERD_SYMMETRIC_LARGEST];
    memcpy(work, a, sizeof(double) * (size_t)(n * n));
    sherd_symmetric_eigen(n, work, values, v);
    for (int k = 0; k < n; ++k) {
        if (!(values[k] < 0.0)) continue;
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < n; ++c)
                a[r * n + c] -= values[k] * v[r * n + k] * v[c * n + k];
    }
}

// ---------------------------------------------------------------- eight at once

enum { N = SHERD_SYMMETRIC_SIZE, LANES = SHERD_SYMMETRIC_LANES, MAX_SWEEPS = 12 };
typedef sherd_symmetric_lanes lanes;

static inline double *entry(lanes a, int r, int c)
{
    return r >= c ? a[r][c] : a[c][r];
}

// (x, y) <- (c x - s y, s x + c y)
static inline void rotate(double *restrict x, double *restrict y, const double *c, const double *s)
{
    for (int l = 0; l < LANES; ++l) {
        double was = x[l];
        x[l] = c[l] * was - s[l] * y[l];
        y[l] = s[l] * was + c[l] * y[l];
    }
}

// Jacobi's rotation that makes a_pq 0; rows of v are eigenvectors.
static inline void annihilate(lanes a, lanes v, int p, int q)
{
    double cosine[LANES], sine[LANES], *pq = a[q][p];
    for (int l = 0; l < LANES; ++l) {
        double d = a[q][q][l] - a[p][p][l], two = 2.0 * pq[l];
        double t = two / (d + copysign(sqrt(d * d + two * two) + 1e-300, d));
        cosine[l] = 1.0 / sqrt(t * t + 1.0);
        sine[l] = t * cosine[l];
        a[p][p][l] -= t * pq[l];
        a[q][q][l] += t * pq[l];
        pq[l] = 0.0;
    }
    for (int k = 0; k < N; ++k)
        if (k != p && k != q) rotate(entry(a, k, p), entry(a, k, q), cosine, sine);
    for (int k = 0; k < N; ++k)
        rotate(v[p][k], v[q][k], cosine, sine);
}

// True if all of the lanes are diagonal but for rounding.
static inline bool is_diagonal(lanes a)
{
    double off[LANES] = {0.0}, whole[LANES] = {0.0};
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= r; ++c)
            for (int l = 0; l < LANES; ++l) {
                double square = a[r][c][l] * a[r][c][l];
                whole[l] += square;
                off[l] += c < r ? square : 0.0;
            }
    bool done = true;
    for (int l = 0; l < LANES; ++l)
        done = done && off[l] <= 1e-24 * whole[l];
    return done;
}

SHERD_WIDE(static, void, project, (lanes a, lanes work, lanes v), (a, work, v))
{
    for (int sweep = 0; sweep < MAX_SWEEPS && !is_diagonal(work); ++sweep)
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q)
                annihilate(work, v, p, q);
    for (int k = 0; k < N; ++k)
        for (int r = 0; r < N; ++r)
            for (int c = 0; c <= r; ++c)
                for (int l = 0; l < LANES; ++l)
                    a[r][c][l] -= fmin(work[k][k][l], 0.0) * v[k][r][l] * v[k][c][l];
}

void sherd_symmetric_project_lanes(lanes a)
{
    lanes work, v = {{{0.0}}};
    memcpy(work, a, sizeof work);
    for (int k = 0; k < N; ++k)
        for (int l = 0; l < LANES; ++l)
            v[k][k][l] = 1.0;
    project(a, work, v);
}
