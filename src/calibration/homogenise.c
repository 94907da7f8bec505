#include "calibration/homogenise.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

// eps n of the unit strains in Voigt's order.
static void strain_along(sherd_vec3 n, sherd_vec3 out[6])
{
    out[0] = vec3(n.x, 0.0, 0.0);
    out[1] = vec3(0.0, n.y, 0.0);
    out[2] = vec3(0.0, 0.0, n.z);
    out[3] = vec3(0.0, 0.5 * n.z, 0.5 * n.y);
    out[4] = vec3(0.5 * n.z, 0.0, 0.5 * n.x);
    out[5] = vec3(0.5 * n.y, 0.5 * n.x, 0.0);
}

static void add_bond(sherd_affine *affine, sherd_vec3 n, double weight)
{
    sherd_vec3 moved[6];
    strain_along(n, moved);
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b) {
            double along = vec3_dot(n, moved[a]) * vec3_dot(n, moved[b]);
            affine->along[a][b] += weight * along;
            affine->across[a][b] += weight * (vec3_dot(moved[a], moved[b]) - along);
        }
}

void sherd_affine_of(const sherd_bar *bar, const sherd_world *world, sherd_affine *affine)
{
    *affine = (sherd_affine){0};
    const sherd_packing *packing = bar->packing;
    sherd_bond_view bonds = sherd_world_bonds(world);
    double volume = bar->size[0] * bar->size[1] * bar->size[2];
    bool listed = packing->bond_i != NULL;
    int64_t count = listed ? packing->bond_count : bonds.count;
    for (int64_t k = 0; k < count; ++k) {
        int32_t i = listed ? packing->bond_i[k] : bonds.i[k];
        int32_t j = listed ? packing->bond_j[k] : bonds.j[k];
        sherd_vec3 d = vec3(packing->x[j] - packing->x[i], packing->y[j] - packing->y[i],
                            packing->z[j] - packing->z[i]);
        double l = vec3_length(d), r = 0.5 * (packing->radius[i] + packing->radius[j]);
        double section = packing->bond_section != NULL ? packing->bond_section[k]
                                                       : 3.14159265358979323846 * r * r;
        if (l > 0.0) add_bond(affine, vec3_scale(1.0 / l, d), section * l / volume);
    }
}

// Solves c x = (unit load on row `axis`) by elimination; c is symmetric and positive semi-definite.
static void solve(double c[6][6], int axis, double x[6])
{
    double b[6] = {0}, scale = 0.0;
    b[axis] = 1.0;
    for (int k = 0; k < 6; ++k)
        scale = fmax(scale, c[k][k]);
    for (int k = 0; k < 6; ++k) {
        if (c[k][k] <= 1e-9 * scale) continue; // nothing resists
        for (int row = k + 1; row < 6; ++row) {
            double factor = c[row][k] / c[k][k];
            for (int column = k; column < 6; ++column)
                c[row][column] -= factor * c[k][column];
            b[row] -= factor * b[k];
        }
    }
    for (int k = 5; k >= 0; --k) {
        x[k] = 0.0;
        if (c[k][k] <= 1e-9 * scale) continue;
        double rest = b[k];
        for (int column = k + 1; column < 6; ++column)
            rest -= c[k][column] * x[column];
        x[k] = rest / c[k][k];
    }
}

sherd_affine_moduli sherd_affine_moduli_along(const sherd_affine *affine, double g, int axis)
{
    double c[6][6], strain[6], sides = 0.0;
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
            c[a][b] = affine->along[a][b] + g * affine->across[a][b];
    bool resists[3];
    for (int k = 0; k < 3; ++k)
        resists[k] = c[k][k] > 1e-9 * c[axis][axis];
    solve(c, axis, strain);
    double contraction = 0.0;
    for (int k = 0; k < 3; ++k) {
        if (k == axis || !resists[k]) continue;
        contraction -= strain[k] / strain[axis];
        sides += 1.0;
    }
    return (sherd_affine_moduli){1.0 / strain[axis], sides > 0.0 ? contraction / sides : 0.0};
}
