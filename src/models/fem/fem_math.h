// 3 x 3 matrices by rows, for the parts of finite elements that are no kernel.
#pragma once

#include "math/symmetric_eigen.h"
#include "math/vec3.h"

#include <string.h>

static inline void mat3_multiply(const double *a, const double *b, double *c) // c = a b
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void mat3_transposed_multiply(const double *a, const double *b,
                                            double *c) // c = a^T b
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

// Cofactors: the inverse transposed times the determinant.
static inline void mat3_cofactors(const double *m, double *c)
{
    c[0] = m[4] * m[8] - m[5] * m[7], c[1] = m[5] * m[6] - m[3] * m[8],
    c[2] = m[3] * m[7] - m[4] * m[6];
    c[3] = m[2] * m[7] - m[1] * m[8], c[4] = m[0] * m[8] - m[2] * m[6],
    c[5] = m[1] * m[6] - m[0] * m[7];
    c[6] = m[1] * m[5] - m[2] * m[4], c[7] = m[2] * m[3] - m[0] * m[5],
    c[8] = m[0] * m[4] - m[1] * m[3];
}

static inline double mat3_determinant(const double *m)
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static inline sherd_vec3 mat3_apply(const double *m, sherd_vec3 v)
{
    return vec3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

// The rotation R of F = R S by the eigenvectors of F^T F, also where F is flat or inside out: the
// smallest stretch is then negative [Irving 2004]. Slower than Newton's iteration, less exact.
void sherd_fem_rotation(const double *F, double *R);
