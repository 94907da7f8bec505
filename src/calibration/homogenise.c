#include "calibration/homogenise.h"

#include "base/assertion.h"
#include "laws/law_tables.h"
#include "math/vec3.h"
#include "packing/principal_axes.h"

#include <sherd/world_view.h>

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

// Also adds the contribution to the energy's matrix, without the factor 1/V: 0 for a bond of zero
// length.
static double weight_of(const sherd_packing *packing, int32_t i, int32_t j, const double *section,
                        sherd_bond_radius radius, sherd_vec3 *n)
{
    sherd_vec3 d = vec3(packing->x[j] - packing->x[i], packing->y[j] - packing->y[i],
                        packing->z[j] - packing->z[i]);
    double l = vec3_length(d);
    double r = sherd_bond_radius_between(radius, packing->radius[i], packing->radius[j]);
    if (!(l > 0.0)) return 0.0;
    *n = vec3_scale(1.0 / l, d);
    return l * (section != NULL ? *section : 3.14159265358979323846 * r * r);
}

void sherd_affine_of(const sherd_bar *bar, const sherd_world *world, sherd_bond_radius radius,
                     sherd_affine *affine)
{
    *affine = (sherd_affine){0};
    const sherd_packing *packing = bar->packing;
    sherd_bond_view bonds = sherd_world_bonds(world);
    double volume = bar->size[0] * bar->size[1] * bar->size[2];
    bool listed = packing->bond_i != NULL;
    int64_t count = listed ? packing->bond_count : bonds.count;
    for (int64_t k = 0; k < count; ++k) {
        const double *section = packing->bond_section != NULL ? &packing->bond_section[k] : NULL;
        sherd_vec3 n = {0};
        double weight = weight_of(packing, listed ? packing->bond_i[k] : bonds.i[k],
                                  listed ? packing->bond_j[k] : bonds.j[k], section, radius, &n);
        add_bond(affine, n, weight / volume);
    }
}

// ---------------------------------------------------------------- moduli

sherd_affine_bonds sherd_affine_bonds_of(const sherd_material_def *material, double g)
{
    sherd_bond_moduli m = sherd_bond_law_functions_of(material->law)->moduli(material, 1.0, g);
    return (sherd_affine_bonds){m.shear / m.stretch, material->bond_radius};
}

// Solves c x = (unit load on row `axis`) by elimination; c is symmetric and positive semi-definite.
static void solve(double c[6][6], int axis, double x[6])
{
    double b[6] = {0}, scale = 0.0;
    b[axis] = 1.0;
    for (int k = 0; k < 6; ++k)
        scale = fmax(scale, c[k][k]);
    for (int k = 0; k < 6; ++k) {
        if (c[k][k] <= 1e-9 * scale) continue; // no stiffness
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
    SHERD_ASSERT(axis >= 0 && axis < 3 && g >= 0.0, "a bar lies along an axis");
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

// ---------------------------------------------------------------- packings

// Axes along which a packing is homogenised; the first is the loaded one.
typedef struct frame {
    sherd_vec3 axis[3];
} frame;

static frame rest_frame(int first)
{
    const sherd_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    return (frame){{axis[first], axis[(first + 1) % 3], axis[(first + 2) % 3]}};
}

static sherd_vec3 into(const frame *f, sherd_vec3 a)
{
    return vec3(vec3_dot(f->axis[0], a), vec3_dot(f->axis[1], a), vec3_dot(f->axis[2], a));
}

static sherd_vec3 centre_of(const sherd_packing *packing, int32_t k)
{
    return vec3(packing->x[k], packing->y[k], packing->z[k]);
}

static double height_of(const sherd_packing *packing, sherd_vec3 axis, int32_t k)
{
    return vec3_dot(axis, centre_of(packing, k));
}

typedef struct extent {
    double low, high; // of elements' centres [m]
} extent;

static extent extent_along(const sherd_packing *packing, sherd_vec3 axis)
{
    extent e = {INFINITY, -INFINITY};
    for (int32_t k = 0; k < packing->count; ++k) {
        double x = height_of(packing, axis, k);
        e.low = fmin(e.low, x), e.high = fmax(e.high, x);
    }
    return e;
}

// Volume of solid that element k represents.
static double volume_of(const sherd_packing *packing, int32_t k)
{
    double r = packing->radius[k];
    if (packing->volume != NULL) return packing->volume[k];
    return 4.0 / 3.0 * 3.14159265358979323846 * r * r * r / packing->solid_fraction;
}

// Stiffness along the frame's first axis, of the elements and bonds whose midpoints are within a
// slab across it.
static double slab_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds,
                             const frame *f, extent slab)
{
    sherd_affine affine = {0};
    double volume = 0.0;
    for (int32_t k = 0; k < packing->count; ++k) {
        double x = height_of(packing, f->axis[0], k);
        if (x >= slab.low && x <= slab.high) volume += volume_of(packing, k);
    }
    for (int64_t k = 0; k < packing->bond_count; ++k) {
        int32_t i = packing->bond_i[k], j = packing->bond_j[k];
        double middle =
            0.5 * (height_of(packing, f->axis[0], i) + height_of(packing, f->axis[0], j));
        sherd_vec3 n = {0};
        if (!(middle >= slab.low && middle <= slab.high)) continue;
        const double *section = packing->bond_section != NULL ? &packing->bond_section[k] : NULL;
        double weight = weight_of(packing, i, j, section, bonds->radius, &n);
        add_bond(&affine, into(f, n), weight / volume);
    }
    return sherd_affine_moduli_along(&affine, bonds->g, 0).youngs_modulus;
}

static double stiffness_along(const sherd_packing *packing, const sherd_affine_bonds *bonds,
                              const frame *f)
{
    extent all = extent_along(packing, f->axis[0]);
    double quarter = 0.25 * (all.high - all.low);
    double middle =
        slab_stiffness(packing, bonds, f, (extent){all.low + quarter, all.high - quarter});
    // A shape may be empty in its middle.
    return middle > 0.0 && isfinite(middle) ? middle : slab_stiffness(packing, bonds, f, all);
}

double sherd_packing_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds,
                               int axis)
{
    SHERD_ASSERT(axis >= 0 && axis < 3, "a bar lies along an axis");
    frame f = rest_frame(axis);
    return packing->bond_i == NULL ? packing->solid_fraction : stiffness_along(packing, bonds, &f);
}

void sherd_body_axes(const sherd_packing *packing, sherd_vec3 axis[3])
{
    double c[3][3] = {{0}};
    sherd_vec3 mean = {0};
    double volume = 0.0;
    for (int32_t k = 0; k < packing->count; ++k) {
        volume += volume_of(packing, k);
        mean = vec3_add_scaled(mean, volume_of(packing, k), centre_of(packing, k));
    }
    mean = vec3_scale(1.0 / volume, mean);
    for (int32_t k = 0; k < packing->count; ++k) {
        sherd_vec3 p = vec3_sub(centre_of(packing, k), mean);
        const double x[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                c[a][b] += volume_of(packing, k) * x[a] * x[b];
    }
    sherd_principal_axes(c, axis);
}

double sherd_body_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds)
{
    if (packing->bond_i == NULL) return packing->solid_fraction;
    double sum = 0.0, weights = 0.0, longest = 0.0, length[3];
    sherd_vec3 axis[3];
    sherd_body_axes(packing, axis);
    for (int k = 0; k < 3; ++k) {
        extent e = extent_along(packing, axis[k]);
        length[k] = e.high - e.low;
        longest = fmax(longest, length[k]);
    }
    if (!(longest > 0.0)) return packing->solid_fraction;
    for (int k = 0; k < 3; ++k) {
        double share = length[k] / longest, weight = share * share * share * share;
        if (weight < 1e-3) continue; // a thin sheet may have no bonds across
        frame f = {{axis[k], axis[(k + 1) % 3], axis[(k + 2) % 3]}};
        sum += weight * stiffness_along(packing, bonds, &f);
        weights += weight;
    }
    return sum / weights;
}
