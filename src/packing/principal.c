#include "packing/principal.h"

#include "math/vec3.h"

// One Jacobi rotation that zeroes c[p][q]; `axes` holds eigenvectors as columns.
static void jacobi_rotate(double c[3][3], double axes[3][3], int p, int q)
{
    if (c[p][q] == 0.0) return;
    double theta = 0.5 * (c[q][q] - c[p][p]) / c[p][q];
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double cosine = 1.0 / sqrt(t * t + 1.0), sine = t * cosine;
    for (int k = 0; k < 3; ++k) {
        double a = c[k][p], b = c[k][q];
        c[k][p] = cosine * a - sine * b;
        c[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = c[p][k], b = c[q][k];
        c[p][k] = cosine * a - sine * b;
        c[q][k] = sine * a + cosine * b;
        a = axes[k][p], b = axes[k][q];
        axes[k][p] = cosine * a - sine * b;
        axes[k][q] = sine * a + cosine * b;
    }
}

void sherd_principal_axes(double c[3][3], sherd_vec3 axis[3])
{
    double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    // Products of inertia below 0.5 % of the trace are within what sampling can tell.
    double trace = c[0][0] + c[1][1] + c[2][2];
    double off = fmax(fabs(c[0][1]), fmax(fabs(c[0][2]), fabs(c[1][2])));
    if (off > 0.005 * trace) {
        for (int sweep = 0; sweep < 12; ++sweep) { // quadratic convergence: 6 would do
            jacobi_rotate(c, e, 0, 1);
            jacobi_rotate(c, e, 0, 2);
            jacobi_rotate(c, e, 1, 2);
        }
    }
    for (int k = 0; k < 3; ++k)
        axis[k] = vec3(e[0][k], e[1][k], e[2][k]);
}
