#include "models/bonded/hessian/symmetric.h"

#include "math/symmetric_eigen.h"

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
