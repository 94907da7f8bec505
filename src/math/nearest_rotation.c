#include "math/nearest_rotation.h"

#include "math/symmetric_eigen.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void cofactors(double a[3][3], double out[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            out[i][k] = a[i1][k1] * a[i2][k2] - a[i1][k2] * a[i2][k1];
        }
}

static double squares_of(double a[3][3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            sum += a[i][k] * a[i][k];
    return sum;
}

// Rotation R of F = R U by Newton's iteration X <- (g X + X^-T / g) / 2, g^4 = |X^-T|^2 / |X|^2
// (Higham, Computing the polar decomposition, SIAM Journal on Scientific and Statistical Computing
// 7, 1986). False if F is singular, inverted or nearly so.
static bool take_rotation(double f[3][3], double x[3][3])
{
    enum { MAX_STEPS = 12 };
    // NEAR: change of the last iteration; convergence is quadratic
    static const double FLAT = 1e-3, NEAR = 1e-8;
    double squares = squares_of(f), scale = sqrt(squares / 3.0), change = 1.0;
    memcpy(x, f, 9 * sizeof(double));
    for (int step = 0; step < MAX_STEPS && change > NEAR; ++step) {
        double c[3][3];
        cofactors(x, c);
        double det = x[0][0] * c[0][0] + x[0][1] * c[0][1] + x[0][2] * c[0][2];
        if (!(det > (step == 0 ? FLAT * scale * scale * scale : FLAT))) return false;
        double g = sqrt(sqrt(squares_of(c) / squares) / det), own = 0.5 * g,
               other = 0.5 / (g * det);
        change = 0.0;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) {
                double next = own * x[i][k] + other * c[i][k], by = fabs(next - x[i][k]);
                change = by > change ? by : change; // faster than fmax
                x[i][k] = next;
            }
        squares = squares_of(x);
    }
    return change <= NEAR;
}

// Quaternion of a rotation matrix, with w >= 0; divides by its largest component, whose square is
// at least a quarter.
static sherd_quat quat_of(double r[3][3])
{
    double q[4], trace = r[0][0] + r[1][1] + r[2][2]; // x, y, z, w
    int most = 3;
    for (int k = 0; k < 3; ++k)
        if (r[k][k] > (most == 3 ? trace : r[most][most])) most = k;
    if (most == 3) {
        q[3] = 1.0 + trace;
        q[0] = r[2][1] - r[1][2], q[1] = r[0][2] - r[2][0], q[2] = r[1][0] - r[0][1];
    } else {
        int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
        q[i] = 1.0 + r[i][i] - r[j][j] - r[k][k];
        q[j] = r[j][i] + r[i][j], q[k] = r[k][i] + r[i][k], q[3] = r[k][j] - r[j][k];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]),
           share = (q[3] < 0.0 ? -1.0 : 1.0) / size;
    return (sherd_quat){share * q[0], share * q[1], share * q[2], share * q[3]};
}

// Rotation R that maximises tr(R^T F), for any F: eigenvector of the largest eigenvalue of Horn's
// matrix (Closed-form solution of absolute orientation using unit quaternions, Journal of the
// Optical Society of America A 4, 1987).
static sherd_quat rotation_of_any(double f[3][3])
{
    double xx = f[0][0], yy = f[1][1], zz = f[2][2];
    double n[16] = {xx + yy + zz,      f[2][1] - f[1][2], f[0][2] - f[2][0], f[1][0] - f[0][1],
                    f[2][1] - f[1][2], xx - yy - zz,      f[1][0] + f[0][1], f[0][2] + f[2][0],
                    f[0][2] - f[2][0], f[1][0] + f[0][1], yy - xx - zz,      f[2][1] + f[1][2],
                    f[1][0] - f[0][1], f[0][2] + f[2][0], f[2][1] + f[1][2], zz - xx - yy};
    double value[4], v[16];
    sherd_symmetric_eigen(4, n, value, v);
    int most = 0;
    for (int k = 1; k < 4; ++k)
        if (value[k] > value[most]) most = k;
    double sign = v[most] < 0.0 ? -1.0 : 1.0;
    return (sherd_quat){sign * v[4 + most], sign * v[8 + most], sign * v[12 + most],
                        sign * v[most]};
}

// Tries Newton's iteration first, which takes a tenth of the time.
sherd_quat sherd_nearest_rotation(double f[3][3])
{
    double r[3][3];
    return take_rotation(f, r) ? quat_of(r) : rotation_of_any(f);
}
