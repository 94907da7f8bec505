#include "models/bonded/hessian/nullspace.h"

#include "models/bonded/hessian/symmetric.h"

#include <math.h>
#include <string.h>

static void nullspace(const double q[4], double side, double g[3][4])
{
    for (int r = 0; r < 3; ++r) {
        int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        g[r][r] = q[3];
        g[r][r1] = -side * q[r2];
        g[r][r2] = side * q[r1];
        g[r][3] = -q[r];
    }
}

void sherd_ref_left_nullspace(const double q[4], double g[3][4])
{
    nullspace(q, -1.0, g);
}

void sherd_ref_right_nullspace(const double q[4], double g[3][4])
{
    nullspace(q, 1.0, g);
}

void sherd_ref_restrict_gradient(const double *x, const double *g, double *out)
{
    double right[3][4];
    sherd_ref_right_nullspace(x + 3, right);
    for (int k = 0; k < 3; ++k) {
        out[k] = g[k];
        out[3 + k] = 0.0;
        for (int m = 0; m < 4; ++m)
            out[3 + k] += 0.5 * right[k][m] * g[3 + m];
    }
}

// d(p, q)/d(dp, dtheta), transposed: 6 x 7.
static void motion_rows(const double *x, double rows[SHERD_REF_MOTION][SHERD_REF_END])
{
    double right[3][4];
    sherd_ref_right_nullspace(x + 3, right);
    memset(rows, 0, sizeof(double) * SHERD_REF_MOTION * SHERD_REF_END);
    for (int k = 0; k < 3; ++k) {
        rows[k][k] = 1.0;
        for (int m = 0; m < 4; ++m)
            rows[3 + k][3 + m] = 0.5 * right[k][m];
    }
}

// out = R_a h R_b' of the 7 x 7 block (a, b).
static void restrict_block(double rows_a[SHERD_REF_MOTION][SHERD_REF_END],
                           double rows_b[SHERD_REF_MOTION][SHERD_REF_END], int a, int b,
                           const double h[SHERD_REF_PAIR][SHERD_REF_PAIR],
                           double out[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION])
{
    double half[SHERD_REF_MOTION][SHERD_REF_END];
    for (int r = 0; r < SHERD_REF_MOTION; ++r)
        for (int c = 0; c < SHERD_REF_END; ++c) {
            half[r][c] = 0.0;
            for (int k = 0; k < SHERD_REF_END; ++k)
                half[r][c] += rows_a[r][k] * h[a * SHERD_REF_END + k][b * SHERD_REF_END + c];
        }
    for (int r = 0; r < SHERD_REF_MOTION; ++r)
        for (int c = 0; c < SHERD_REF_MOTION; ++c) {
            double sum = 0.0;
            for (int k = 0; k < SHERD_REF_END; ++k)
                sum += half[r][k] * rows_b[c][k];
            out[a * SHERD_REF_MOTION + r][b * SHERD_REF_MOTION + c] = sum;
        }
}

void sherd_ref_restrict_hessian(const double *x_i, const double *x_j, const double *gradient,
                                const double hessian[SHERD_REF_PAIR][SHERD_REF_PAIR],
                                double out[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION])
{
    const double *x[2] = {x_i, x_j};
    double rows[2][SHERD_REF_MOTION][SHERD_REF_END];
    for (int a = 0; a < 2; ++a)
        motion_rows(x[a], rows[a]);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            restrict_block(rows[a], rows[b], a, b, hessian, out);
    if (gradient == NULL) return;
    for (int a = 0; a < 2; ++a) {
        double radial = 0.0; // q.grad f
        for (int k = 3; k < SHERD_REF_END; ++k)
            radial += x[a][k] * gradient[a * SHERD_REF_END + k];
        for (int k = 3; k < SHERD_REF_MOTION; ++k)
            out[a * SHERD_REF_MOTION + k][a * SHERD_REF_MOTION + k] -= 0.25 * radial;
    }
}

// ---------------------------------------------------------------- projection

enum { PAIR = SHERD_REF_PAIR_MOTION, SHARED = SHERD_REF_SHARED };

// Row r of 12 has one entry of nine.
static int shared_place(int r, double length, double *entry)
{
    int end = r / SHERD_REF_MOTION, c = r % SHERD_REF_MOTION;
    *entry = c >= 3 ? 0.5 : (end == 0 ? -1.0 : 1.0) / (length * sqrt(2.0));
    return c >= 3 ? 3 * end + c : c;
}

void sherd_ref_to_shared(double length, double hessian[PAIR][PAIR], double h[SHARED][SHARED])
{
    double entry[PAIR];
    int place[PAIR];
    for (int r = 0; r < PAIR; ++r)
        place[r] = shared_place(r, length, &entry[r]);
    // The end j: what it has of p_j - p_i is all there is.
    for (int r = 3; r < PAIR; ++r)
        for (int c = 3; c < PAIR; ++c) {
            double unit_r = r >= 6 && r < 9 ? sqrt(2.0) * length : 2.0,
                   unit_c = c >= 6 && c < 9 ? sqrt(2.0) * length : 2.0;
            h[place[r]][place[c]] = hessian[r][c] * unit_r * unit_c;
        }
}

void sherd_ref_from_shared(double length, double h[SHARED][SHARED], double hessian[PAIR][PAIR])
{
    double entry[PAIR];
    int place[PAIR];
    for (int r = 0; r < PAIR; ++r)
        place[r] = shared_place(r, length, &entry[r]);
    for (int r = 0; r < PAIR; ++r)
        for (int c = 0; c < PAIR; ++c)
            hessian[r][c] = entry[r] * entry[c] * h[place[r]][place[c]];
}

void sherd_ref_project_hessian(double length, double hessian[PAIR][PAIR])
{
    double h[SHARED][SHARED];
    sherd_ref_to_shared(length, hessian, h);
    sherd_symmetric_project(SHARED, &h[0][0]);
    sherd_ref_from_shared(length, h, hessian);
}
