// Products with the stiffness of a network, in batches of bonds, against its formula bond by bond.
#include "models/bonded/network.h"

#include "math/vec3.h"
#include "solver_rig.h"

static sherd_vec3 part_of(const double *x, sherd_element_index k, size_t first, double root)
{
    const double *of = x + 6 * (size_t)k + first;
    return vec3_scale(1.0 / root, vec3(of[0], of[1], of[2]));
}

static sherd_vec3 split(double along, double across, sherd_vec3 n, sherd_vec3 v)
{
    return vec3_add_scaled(vec3_scale(across, v), (along - across) * vec3_dot(v, n), n);
}

// Adds the force and torque of a bond on its end `at`.
static void add_bond(const rig *r, int64_t bond, sherd_element_index at, double c, const double *x,
                     sherd_vec3 *force, sherd_vec3 *torque)
{
    const sherd_elements *e = &r->elements;
    sherd_bond_constants constants = sherd_bond_constants_of(&r->bonds, e, bond);
    sherd_element_index to = sherd_bond_partner(&r->bonds, bond, at);
    double sign = r->bonds.j[bond] == at ? 1.0 : -1.0, r0 = constants.r0;
    double section = M_PI * r0 * r0 / constants.l0,
           s = c > 0.0 ? (1.0 + c * constants.beta) * section : section;
    double m[2] = {sqrt(sherd_element_mass(e, at)), sqrt(sherd_element_mass(e, to))};
    double inertia[2] = {sqrt(sherd_element_inertia(e, at)), sqrt(sherd_element_inertia(e, to))};
    sherd_vec3 b =
        vec3_scale(sign, vec3_sub(sherd_element_position(e, at), sherd_element_position(e, to)));
    sherd_vec3 n = vec3_normalize(b);
    sherd_vec3 dp = vec3_sub(part_of(x, at, 0, m[0]), part_of(x, to, 0, m[1]));
    sherd_vec3 dq_at = part_of(x, at, 3, inertia[0]), dq_to = part_of(x, to, 3, inertia[1]);
    sherd_vec3 mean = vec3_scale(0.5, vec3_add(dq_at, dq_to));
    sherd_vec3 strain = vec3_sub(vec3_scale(sign, dp), vec3_cross(mean, b));
    const sherd_bond_moduli *k = &constants.moduli;
    sherd_vec3 g = split(s * k->stretch, s * k->shear, n, strain);
    sherd_vec3 h = split(0.5 * s * r0 * r0 * k->twist, 0.25 * s * r0 * r0 * k->bend, n,
                         vec3_sub(dq_at, dq_to));
    *force = vec3_add_scaled(*force, sign, g);
    *torque = vec3_add(*torque, vec3_add_scaled(h, -0.5, vec3_cross(b, g)));
}

static void multiply(const rig *r, double c, const double *x, double *y)
{
    for (sherd_element_index k = 0; k < r->elements.count; ++k) {
        sherd_vec3 force = {0}, torque = {0};
        for (uint32_t s = r->adjacency.start[k]; s < r->adjacency.start[k + 1]; ++s)
            if (!r->bonds.broken[r->adjacency.bond[s]])
                add_bond(r, r->adjacency.bond[s], k, c, x, &force, &torque);
        double root_m = sqrt(sherd_element_mass(&r->elements, k)),
               root_I = sqrt(sherd_element_inertia(&r->elements, k));
        const double row[6] = {force.x / root_m,  force.y / root_m,  force.z / root_m,
                               torque.x / root_I, torque.y / root_I, torque.z / root_I};
        memcpy(y + 6 * (size_t)k, row, sizeof row);
    }
}

// Same bits for every number of threads, whose rows meet at other bonds each time.
static void check_products(const rig *r, double c)
{
    size_t n = 6 * (size_t)r->elements.count;
    double *x = sherd_alloc(n, sizeof *x), *y = sherd_alloc(n, sizeof *y),
           *expected = sherd_alloc(n, sizeof *expected);
    for (size_t k = 0; k < n; ++k)
        x[k] = sherd_random_uniform(3, 1, k) - 0.5;
    multiply(r, c, x, expected);
    const int threads[] = {1, 2, 3, 8};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; ++t) {
        sherd_network network = {&r->elements, &r->bonds, &r->adjacency, {threads[t]}};
        sherd_prepared_operator product;
        cr_assert(sherd_network_prepare(&network, c, &product, NULL) == SHERD_OK);
        for (int again = 0; again < 2; ++again) {
            memset(y, 1, n * sizeof *y);
            product.apply(product.context, x, y);
            cr_assert(memcmp(y, expected, n * sizeof *y) == 0, "%d threads", threads[t]);
        }
        product.release(product.context);
    }
    sherd_free(x), sherd_free(y), sherd_free(expected);
}

Test(network, products_are_those_of_the_formula)
{
    const rig_def defs[] = {
        {7, 6, 5, .radius = 1e-3, .youngs_modulus = 1e8, .precision = SHERD_PRECISION_MIXED},
        {7, 6, 5, .radius = 1e-3, .youngs_modulus = 1e8, .precision = SHERD_PRECISION_MIXED,
         .bond_damping = 0.1},
        {5, 5, 4, .jitter = 0.1, .radius = 1e-3, .youngs_modulus = 1e8, .own = 0.4,
         .precision = SHERD_PRECISION_MIXED, .bond_damping = 0.1},
    };
    for (size_t d = 0; d < sizeof defs / sizeof defs[0]; ++d) {
        rig r;
        rig_make(&r, &defs[d]);
        rig_break(&r, 0.2);
        for (int k = 0; k < r.elements.count; ++k) // strained
            rig_place(&r, k,
                      vec3_add(sherd_element_rest(&r.elements, k), rig_vector(&r, 0.05 * r.radius)),
                      SHERD_QUAT_IDENTITY);
        check_products(&r, 0.0);
        check_products(&r, 2e4);
        rig_free(&r);
    }
}
