#include "models/bonded/network.h"

#include "math/vec3.h"

typedef struct network_product {
    const sherd_network *network;
    double c; // factor of the damping matrix [1/s]
    const double *x;
    double *y;
} network_product;

static sherd_vec3 load3(const double *x)
{
    return vec3(x[0], x[1], x[2]);
}

// `along` times the part of v along n, `across` times the part across it.
static sherd_vec3 split(double along, double across, sherd_vec3 n, sherd_vec3 v)
{
    return vec3_add_scaled(vec3_scale(across, v), (along - across) * vec3_dot(v, n), n);
}

// Section over length, with the weight 1 + c beta of a damped bond [m].
static double weighted_section(const network_product *p, const sherd_bond_constants *constants)
{
    double area = 3.14159265358979323846 * constants->r0 * constants->r0;
    double section = area / constants->l0;
    return p->c > 0.0 ? (1.0 + p->c * constants->beta) * section : section;
}

// The constants of a bond; damping constants only if needed, as they take time to compute.
static sherd_bond_constants constants_of(const network_product *p, int64_t bond)
{
    const sherd_network *net = p->network;
    return p->c > 0.0 ? sherd_bond_constants_of(net->bonds, net->elements, bond)
                      : sherd_bond_stiffness_of(net->bonds, net->elements, bond);
}

// Adds the contribution of the bond to (K + c C) x at its end `at`; `sign` is +1 if `at` is the end
// j.
static void add_bond(const network_product *p, int64_t bond, sherd_element_index at,
                     sherd_element_index partner, double root_m[2], double root_I[2],
                     sherd_vec3 *force, sherd_vec3 *torque)
{
    const sherd_bonds *bonds = p->network->bonds;
    const sherd_elements *e = p->network->elements;
    double sign = bonds->j[bond] == at ? 1.0 : -1.0;
    sherd_vec3 b = vec3_scale(
        sign, vec3_sub(sherd_element_position(e, at), sherd_element_position(e, partner)));
    sherd_vec3 n = vec3_normalize(b);
    sherd_bond_constants constants = constants_of(p, bond);
    double r0 = constants.r0, per_length = weighted_section(p, &constants);
    const sherd_bond_moduli *m = &constants.moduli;

    sherd_vec3 dp_at = vec3_scale(1.0 / root_m[0], load3(p->x + 6 * (size_t)at));
    sherd_vec3 dp_partner = vec3_scale(1.0 / root_m[1], load3(p->x + 6 * (size_t)partner));
    sherd_vec3 dq_at = vec3_scale(1.0 / root_I[0], load3(p->x + 6 * (size_t)at + 3));
    sherd_vec3 dq_partner = vec3_scale(1.0 / root_I[1], load3(p->x + 6 * (size_t)partner + 3));

    sherd_vec3 mean = vec3_scale(0.5, vec3_add(dq_at, dq_partner));
    sherd_vec3 strain =
        vec3_sub(vec3_scale(sign, vec3_sub(dp_at, dp_partner)), vec3_cross(mean, b));
    sherd_vec3 g = split(per_length * m->stretch, per_length * m->shear, n, strain);
    sherd_vec3 rotation = vec3_sub(dq_at, dq_partner); // already signed for this end
    sherd_vec3 h = split(0.5 * per_length * r0 * r0 * m->twist,
                         0.25 * per_length * r0 * r0 * m->bend, n, rotation);
    *force = vec3_add_scaled(*force, sign, g);
    *torque = vec3_add(*torque, vec3_add_scaled(h, -0.5, vec3_cross(b, g)));
}

static void product_rows(void *context, size_t begin, size_t end)
{
    const network_product *p = context;
    const sherd_network *net = p->network;
    const sherd_elements *e = net->elements;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index at = (sherd_element_index)k;
        double root_m[2] = {sqrt(sherd_element_mass(e, at))},
               root_I[2] = {sqrt(sherd_element_inertia(e, at))};
        sherd_vec3 force = {0}, torque = {0};
        for (uint32_t s = net->adjacency->start[k]; s < net->adjacency->start[k + 1]; ++s) {
            int64_t bond = net->adjacency->bond[s];
            sherd_element_index partner = sherd_bond_partner(net->bonds, bond, at);
            if (net->bonds->broken[bond]) continue;
            root_m[1] = sqrt(sherd_element_mass(e, partner));
            root_I[1] = sqrt(sherd_element_inertia(e, partner));
            add_bond(p, bond, at, partner, root_m, root_I, &force, &torque);
        }
        double *y = p->y + 6 * k;
        y[0] = force.x / root_m[0], y[1] = force.y / root_m[0], y[2] = force.z / root_m[0];
        y[3] = torque.x / root_I[0], y[4] = torque.y / root_I[0], y[5] = torque.z / root_I[0];
    }
}

void sherd_network_apply_scaled(const sherd_network *network, double c, const double *x, double *y)
{
    network_product product = {network, c, x, y};
    sherd_parallel_for(&network->parallel, (size_t)network->elements->count, 512, product_rows,
                       &product);
}
