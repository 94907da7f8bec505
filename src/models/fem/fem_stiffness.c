#include "models/fem/fem_stiffness.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/fem/fem_math.h"

#include <math.h>
#include <string.h>

typedef struct product {
    const sherd_fem *fem;
    double c;
    double (*rotation)[9]; // by tetrahedron
    double (*force)[3];    // by corner
    double *root;          // 1 over the square root of a node's mass
    const double *x;
    double *y;
} product;

static void release(void *context)
{
    product *p = context;
    if (p == NULL) return;
    sherd_free(p->rotation), sherd_free(p->force), sherd_free(p->root);
    sherd_free(p);
}

// R P R^T-turned differences: forces on corners by displacements x.
static void multiply_tetra(const product *p, int32_t t)
{
    const sherd_fem *fem = p->fem;
    const double *R = p->rotation[t];
    double G[9] = {0.0}, H[9], S[9]; // R^T du/dX, its symmetric part's stress
    for (int c = 0; c < 4; ++c) {
        int32_t node = fem->corner[4 * t + c];
        sherd_vec3 g = sherd_fem_area(fem, t, c);
        const double grad[3] = {g.x / fem->volume[t], g.y / fem->volume[t], g.z / fem->volume[t]};
        for (int k = 0; k < 9; ++k)
            G[k] += p->root[node] * p->x[6 * (size_t)node + (size_t)(k / 3)] * grad[k % 3];
    }
    mat3_transposed_multiply(R, G, H);
    double scale = 1.0 + p->c * fem->relaxation[t];
    double pressure = scale * fem->lambda[t] * (H[0] + H[4] + H[8]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            S[3 * i + j] =
                scale * fem->mu[t] * (H[3 * i + j] + H[3 * j + i]) + (i == j ? pressure : 0.0);
    for (int c = 0; c < 4; ++c) {
        sherd_vec3 f = mat3_apply(R, mat3_apply(S, sherd_fem_area(fem, t, c)));
        double *to = p->force[4 * t + c];
        to[0] = f.x, to[1] = f.y, to[2] = f.z;
    }
}

static void multiply_range(void *context, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; ++t)
        multiply_tetra(context, (int32_t)t);
}

static void gather_range(void *context, size_t begin, size_t end)
{
    const product *p = context;
    const sherd_fem *fem = p->fem;
    for (int32_t k = fem->start[begin]; k < fem->start[end]; ++k) {
        int32_t at = fem->around[k], node = fem->corner[at];
        for (int a = 0; a < 3; ++a)
            p->y[6 * (size_t)node + (size_t)a] += p->root[node] * p->force[at][a];
    }
}

static void multiply(const void *context, const double *x, double *y)
{
    product p = *(const product *)context;
    p.x = x, p.y = y;
    memset(y, 0, 6 * (size_t)p.fem->nodes.count * sizeof *y);
    sherd_parallel_for(&p.fem->parallel, (size_t)p.fem->tetra_count, 256, multiply_range, &p);
    sherd_parallel_for(&p.fem->parallel, (size_t)p.fem->vertex_count, 256, gather_range, &p);
}

sherd_status sherd_fem_prepare_stiffness(const sherd_fem *fem, double c,
                                         sherd_prepared_operator *operator, sherd_error * error)
{
    product *p = sherd_alloc(1, sizeof *p);
    if (p == NULL) return sherd_fail_memory(error, "stiffness of tetrahedra");
    *p = (product){.fem = fem, .c = c};
    p->rotation = sherd_alloc((size_t)fem->tetra_count, sizeof *p->rotation);
    p->force = sherd_alloc(4 * (size_t)fem->tetra_count, sizeof *p->force);
    p->root = sherd_alloc((size_t)fem->nodes.count, sizeof *p->root);
    if (p->rotation == NULL || p->force == NULL || p->root == NULL) {
        release(p);
        return sherd_fail_memory(error, "stiffness of tetrahedra");
    }
    for (int32_t t = 0; t < fem->tetra_count; ++t) {
        sherd_fem_state s = sherd_fem_state_of(fem, t);
        memcpy(p->rotation[t], s.R, sizeof s.R);
    }
    for (int32_t k = 0; k < fem->nodes.count; ++k)
        p->root[k] = 1.0 / sqrt(fem->nodes.mass[k]);
    *operator=(sherd_prepared_operator){multiply, p, release};
    return SHERD_OK;
}
