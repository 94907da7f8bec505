// A product visits the bonds of every element, in their order, from both ends. Per bond that is a
// hundred operations on numbers of its partner, so the bonds of an element are computed together, as
// many as fit in vectors; their sums are added one after the other.
#include "models/bonded/network.h"

#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_classes.h"

enum {
    TOGETHER = 8, // bonds
    ROWS_A_CHUNK = 512,
};

// Stiffnesses of a bond over its length: along and across it, about and across it [N/m], [N m].
typedef struct stiffness {
    double stretch, shear, twist, bend;
} stiffness;

typedef struct network_product {
    sherd_network network;
    double *root;     // square roots of mass and inertia of each element              (n x 2)
    double *scaled;   // M^(-1/2) x                                                    (n x 6)
    stiffness *stiff; // of each class of bonds if all have one, otherwise of each bond
    bool by_class;
    const double *x; // of the present product
    double *y;
} network_product;

// ---------------------------------------------------------------- preparation

static stiffness stiffness_from(double c, const sherd_bond_constants *rest)
{
    double area = 3.14159265358979323846 * rest->r0 * rest->r0;
    double section = area / rest->l0, r0 = rest->r0;
    // Section over length, with the weight 1 + c beta of a damped bond [m].
    double per_length = c > 0.0 ? (1.0 + c * rest->beta) * section : section;
    const sherd_bond_moduli *m = &rest->moduli;
    return (stiffness){per_length * m->stretch, per_length * m->shear,
                       0.5 * per_length * r0 * r0 * m->twist,
                       0.25 * per_length * r0 * r0 * m->bend};
}

typedef struct stiffness_job {
    network_product *product;
    double c;
} stiffness_job;

// Damping constants only if needed, as they take time to compute.
static void find_stiffness(void *context, size_t begin, size_t end)
{
    const stiffness_job *job = context;
    const sherd_network *net = &job->product->network;
    for (size_t k = begin; k < end; ++k) {
        sherd_bond_constants rest =
            job->c > 0.0 ? sherd_bond_constants_of(net->bonds, net->elements, (int64_t)k)
                         : sherd_bond_stiffness_of(net->bonds, net->elements, (int64_t)k);
        job->product->stiff[k] = stiffness_from(job->c, &rest);
    }
}

static void find_roots(void *context, size_t begin, size_t end)
{
    const network_product *p = context;
    const sherd_elements *e = p->network.elements;
    for (size_t k = begin; k < end; ++k) {
        p->root[2 * k] = sqrt(sherd_element_mass(e, (sherd_element_index)k));
        p->root[2 * k + 1] = sqrt(sherd_element_inertia(e, (sherd_element_index)k));
    }
}

static bool all_have_classes(const sherd_bonds *bonds)
{
    for (int64_t k = 0; k < bonds->count; ++k)
        if (bonds->class_index[k] >= SHERD_BOND_OWN) return false;
    return true;
}

// ---------------------------------------------------------------- a product

static void scale(void *context, size_t begin, size_t end)
{
    const network_product *p = context;
    for (size_t k = begin; k < end; ++k) {
        double of_mass = 1.0 / p->root[2 * k], of_inertia = 1.0 / p->root[2 * k + 1];
        for (size_t c = 6 * k; c < 6 * k + 3; ++c) {
            p->scaled[c] = of_mass * p->x[c];
            p->scaled[c + 3] = of_inertia * p->x[c + 3];
        }
    }
}

// Bonds of one element: b from their end i to j, motion of the partners, stiffnesses; then the force
// and torque on the element.
typedef struct bond_batch {
    double sign[TOGETHER]; // 1 if the element is the end j, otherwise -1
    double partner[3][TOGETHER], motion[6][TOGETHER];
    double stretch[TOGETHER], shear[TOGETHER], twist[TOGETHER], bend[TOGETHER];
    double force[3][TOGETHER], torque[3][TOGETHER];
} bond_batch;

// Gathers up to TOGETHER intact bonds from slot *next on; returns their number.
static inline __attribute__((always_inline)) int
gather(const network_product *p, sherd_element_index at, uint32_t *next, bond_batch *batch)
{
    const sherd_network *net = &p->network;
    const sherd_elements *e = net->elements;
    uint32_t end = net->adjacency->start[at + 1];
    int count = 0;
    for (; *next < end && count < TOGETHER; ++*next) {
        int64_t bond = net->adjacency->bond[*next];
        if (net->bonds->broken[bond]) continue;
        sherd_element_index partner = sherd_bond_partner(net->bonds, bond, at);
        const stiffness *stiff = &p->stiff[p->by_class ? net->bonds->class_index[bond] : bond];
        batch->sign[count] = net->bonds->j[bond] == at ? 1.0 : -1.0;
        batch->partner[0][count] = e->px[partner];
        batch->partner[1][count] = e->py[partner];
        batch->partner[2][count] = e->pz[partner];
        for (size_t c = 0; c < 6; ++c)
            batch->motion[c][count] = p->scaled[6 * (size_t)partner + c];
        batch->stretch[count] = stiff->stretch, batch->shear[count] = stiff->shear;
        batch->twist[count] = stiff->twist, batch->bend[count] = stiff->bend;
        ++count;
    }
    return count;
}

// `along` times the part of v along n, `across` times the part across it.
static inline __attribute__((always_inline)) sherd_vec3 split(double along, double across,
                                                              sherd_vec3 n, sherd_vec3 v)
{
    return vec3_add_scaled(vec3_scale(across, v), (along - across) * vec3_dot(v, n), n);
}

static inline __attribute__((always_inline)) void find_loads(sherd_vec3 position, sherd_vec3 dp_at,
                                                             sherd_vec3 dq_at, bond_batch *batch)
{
    for (int k = 0; k < TOGETHER; ++k) {
        double sign = batch->sign[k];
        sherd_vec3 partner = {batch->partner[0][k], batch->partner[1][k], batch->partner[2][k]};
        sherd_vec3 dp_partner = {batch->motion[0][k], batch->motion[1][k], batch->motion[2][k]};
        sherd_vec3 dq_partner = {batch->motion[3][k], batch->motion[4][k], batch->motion[5][k]};
        sherd_vec3 b = vec3_scale(sign, vec3_sub(position, partner));
        double length = vec3_length(b);
        // Without a branch for a length of 0, which would keep the loop from becoming vectors.
        sherd_vec3 n = vec3_scale(1.0 / (length + (double)(length == 0.0)), b);
        sherd_vec3 mean = vec3_scale(0.5, vec3_add(dq_at, dq_partner));
        sherd_vec3 strain =
            vec3_sub(vec3_scale(sign, vec3_sub(dp_at, dp_partner)), vec3_cross(mean, b));
        sherd_vec3 g = split(batch->stretch[k], batch->shear[k], n, strain);
        sherd_vec3 turn = vec3_sub(dq_at, dq_partner); // already signed for this end
        sherd_vec3 h = split(batch->twist[k], batch->bend[k], n, turn);
        sherd_vec3 torque = vec3_add_scaled(h, -0.5, vec3_cross(b, g));
        batch->force[0][k] = sign * g.x, batch->force[1][k] = sign * g.y;
        batch->force[2][k] = sign * g.z;
        batch->torque[0][k] = torque.x, batch->torque[1][k] = torque.y;
        batch->torque[2][k] = torque.z;
    }
}

SHERD_WIDE(static, void, product_rows, (void *context, size_t begin, size_t end),
           (context, begin, end))
{
    const network_product *p = context;
    const sherd_elements *e = p->network.elements;
    bond_batch batch = {0}; // what is not filled does not count
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 position = {e->px[k], e->py[k], e->pz[k]};
        const double *own = p->scaled + 6 * k;
        sherd_vec3 dp_at = {own[0], own[1], own[2]}, dq_at = {own[3], own[4], own[5]};
        double sum[6] = {0};
        uint32_t next = p->network.adjacency->start[k];
        for (int count = 1; count > 0;) {
            count = gather(p, (sherd_element_index)k, &next, &batch);
            if (count > 0) find_loads(position, dp_at, dq_at, &batch);
            for (int n = 0; n < count; ++n)
                for (int c = 0; c < 3; ++c) {
                    sum[c] += batch.force[c][n];
                    sum[c + 3] += batch.torque[c][n];
                }
        }
        for (size_t c = 0; c < 6; ++c)
            p->y[6 * k + c] = sum[c] / p->root[2 * k + c / 3];
    }
}

static void apply(const void *context, const double *x, double *y)
{
    network_product p = *(const network_product *)context;
    size_t count = (size_t)p.network.elements->count;
    p.x = x;
    p.y = y;
    sherd_parallel_for(&p.network.parallel, count, ROWS_A_CHUNK, scale, &p);
    sherd_parallel_for(&p.network.parallel, count, ROWS_A_CHUNK, product_rows, &p);
}

static void release(void *context)
{
    network_product *p = context;
    sherd_free(p->root);
    sherd_free(p->scaled);
    sherd_free(p->stiff);
    sherd_free(p);
}

sherd_status sherd_network_prepare(const sherd_network *network, double c,
                                   sherd_prepared_operator *product, sherd_error *error)
{
    enum { BONDS_A_CHUNK = 4096 };
    const sherd_bonds *bonds = network->bonds;
    size_t n = (size_t)network->elements->count;
    network_product *p = sherd_alloc(1, sizeof *p);
    if (p == NULL) return sherd_fail_memory(error, "stiffness");
    *p = (network_product){.network = *network, .by_class = all_have_classes(bonds)};
    p->root = sherd_alloc(2 * n, sizeof *p->root);
    p->scaled = sherd_alloc(6 * n, sizeof *p->scaled);
    p->stiff =
        sherd_alloc((size_t)(p->by_class ? bonds->class_count : bonds->count), sizeof *p->stiff);
    if (p->root == NULL || p->scaled == NULL || p->stiff == NULL) {
        release(p);
        return sherd_fail_memory(error, "stiffness");
    }
    sherd_parallel_for(&network->parallel, n, ROWS_A_CHUNK, find_roots, p);
    for (int k = 0; p->by_class && k < bonds->class_count; ++k)
        p->stiff[k] = stiffness_from(c, &bonds->classes[k].rest);
    if (!p->by_class)
        sherd_parallel_for(&network->parallel, (size_t)bonds->count, BONDS_A_CHUNK, find_stiffness,
                           &(stiffness_job){p, c});
    *product = (sherd_prepared_operator){apply, p, release};
    return SHERD_OK;
}
