// A product goes through the bonds in their order, which is that of each element's sum: loads of
// many are computed together, in vectors, then added to both ends one after the other. Threads have
// rows of their own; bonds between two threads' rows are computed by both.
#include "models/bonded/network.h"

#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_classes.h"

#include <string.h>

enum {
    BATCH = 64, // bonds
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
    struct row_range *range; // of each thread                               (ranges)
    size_t ranges;
    const double *x; // of the present product
    double *y;
} network_product;

// ---------------------------------------------------------------- preparation

static stiffness stiffness_from(double c, const sherd_bond_constants *constants)
{
    double area = 3.14159265358979323846 * constants->r0 * constants->r0;
    double section = area / constants->l0, r0 = constants->r0;
    // Section over length, with the weight 1 + c beta of a damped bond [m].
    double per_length = c > 0.0 ? (1.0 + c * constants->beta) * section : section;
    const sherd_bond_moduli *m = &constants->moduli;
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
        sherd_bond_constants constants =
            job->c > 0.0 ? sherd_bond_constants_of(net->bonds, net->elements, (int64_t)k)
                         : sherd_bond_stiffness_of(net->bonds, net->elements, (int64_t)k);
        job->product->stiff[k] = stiffness_from(job->c, &constants);
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

// Intact bonds: b, from the end i to j, what the ends' motions differ by, and stiffnesses; then the
// force and torque on the end j, and the torque on i. The force on i is the opposite.
typedef struct bond_batch {
    sherd_element_index i[BATCH], j[BATCH];
    double b[3][BATCH], slip[3][BATCH], mean[3][BATCH], rotation[3][BATCH];
    double stretch[BATCH], shear[BATCH], twist[BATCH], bend[BATCH];
    double force[3][BATCH], torque_i[3][BATCH], torque_j[3][BATCH];
} bond_batch;

// Rows [begin, end) and the bonds of these.
typedef struct row_range {
    sherd_element_index begin, end;
    int64_t first_bond, end_bond;
} row_range;

static bool is_in(const row_range *rows, sherd_element_index k)
{
    return k >= rows->begin && k < rows->end;
}

static inline __attribute__((always_inline)) void
gather_bond(const network_product *p, int64_t bond, int k, bond_batch *batch)
{
    const sherd_bonds *bonds = p->network.bonds;
    const sherd_elements *e = p->network.elements;
    const stiffness *stiff = &p->stiff[p->by_class ? bonds->class_index[bond] : bond];
    sherd_element_index i = bonds->i[bond], j = bonds->j[bond];
    const double *of_i = p->scaled + 6 * (size_t)i, *of_j = p->scaled + 6 * (size_t)j;
    batch->i[k] = i, batch->j[k] = j;
    batch->b[0][k] = e->px[j] - e->px[i];
    batch->b[1][k] = e->py[j] - e->py[i];
    batch->b[2][k] = e->pz[j] - e->pz[i];
    for (int c = 0; c < 3; ++c) {
        batch->slip[c][k] = of_j[c] - of_i[c];
        batch->mean[c][k] = 0.5 * (of_j[c + 3] + of_i[c + 3]);
        batch->rotation[c][k] = of_j[c + 3] - of_i[c + 3];
    }
    batch->stretch[k] = stiff->stretch, batch->shear[k] = stiff->shear;
    batch->twist[k] = stiff->twist, batch->bend[k] = stiff->bend;
}

// Gathers intact bonds of the rows from *next on; returns their number.
static inline __attribute__((always_inline)) int
gather(const network_product *p, const row_range *rows, int64_t *next, bond_batch *batch)
{
    const sherd_bonds *bonds = p->network.bonds;
    int count = 0;
    for (; *next < rows->end_bond && count < BATCH; ++*next) {
        if (bonds->broken[*next] || !(is_in(rows, bonds->i[*next]) || is_in(rows, bonds->j[*next])))
            continue;
        gather_bond(p, *next, count++, batch);
    }
    return count;
}

// `along` times the part of v along n, `across` times the part across it.
static inline __attribute__((always_inline)) sherd_vec3 split(double along, double across,
                                                              sherd_vec3 n, sherd_vec3 v)
{
    return vec3_add_scaled(vec3_scale(across, v), (along - across) * vec3_dot(v, n), n);
}

static inline __attribute__((always_inline)) void find_loads(int count, bond_batch *batch)
{
    for (int k = 0; k < count; ++k) {
        sherd_vec3 b = {batch->b[0][k], batch->b[1][k], batch->b[2][k]};
        sherd_vec3 slip = {batch->slip[0][k], batch->slip[1][k], batch->slip[2][k]};
        sherd_vec3 mean = {batch->mean[0][k], batch->mean[1][k], batch->mean[2][k]};
        sherd_vec3 rotation = {batch->rotation[0][k], batch->rotation[1][k], batch->rotation[2][k]};
        double length = vec3_length(b);
        // Without a branch for a length of 0, which would keep the loop from becoming vectors.
        sherd_vec3 n = vec3_scale(1.0 / (length + (double)(length == 0.0)), b);
        sherd_vec3 strain = vec3_sub(slip, vec3_cross(mean, b));
        sherd_vec3 g = split(batch->stretch[k], batch->shear[k], n, strain);
        sherd_vec3 h = split(batch->twist[k], batch->bend[k], n, rotation);
        sherd_vec3 arm = vec3_cross(b, g);
        sherd_vec3 on_j = vec3_add_scaled(h, -0.5, arm);
        sherd_vec3 on_i = vec3_add_scaled(vec3_scale(-1.0, h), -0.5, arm);
        batch->force[0][k] = g.x, batch->force[1][k] = g.y, batch->force[2][k] = g.z;
        batch->torque_j[0][k] = on_j.x, batch->torque_j[1][k] = on_j.y;
        batch->torque_j[2][k] = on_j.z;
        batch->torque_i[0][k] = on_i.x, batch->torque_i[1][k] = on_i.y;
        batch->torque_i[2][k] = on_i.z;
    }
}

// Adds the loads of the batch to the rows, in the order of bonds. Bonds of one end i mostly follow
// each other, and its sums stay in registers meanwhile.
static inline __attribute__((always_inline)) void
add_loads(const network_product *p, const row_range *rows, int count, const bond_batch *batch)
{
    for (int k = 0; k < count;) {
        sherd_element_index i = batch->i[k];
        double unused[6] = {0}, *y = is_in(rows, i) ? p->y + 6 * (size_t)i : unused;
        sherd_vec3 force = {y[0], y[1], y[2]}, torque = {y[3], y[4], y[5]};
        for (; k < count && batch->i[k] == i; ++k) {
            sherd_vec3 g = {batch->force[0][k], batch->force[1][k], batch->force[2][k]};
            force = vec3_sub(force, g);
            torque.x += batch->torque_i[0][k], torque.y += batch->torque_i[1][k];
            torque.z += batch->torque_i[2][k];
            if (!is_in(rows, batch->j[k])) continue;
            double *y_j = p->y + 6 * (size_t)batch->j[k];
            y_j[0] += g.x, y_j[1] += g.y, y_j[2] += g.z;
            y_j[3] += batch->torque_j[0][k], y_j[4] += batch->torque_j[1][k];
            y_j[5] += batch->torque_j[2][k];
        }
        y[0] = force.x, y[1] = force.y, y[2] = force.z;
        y[3] = torque.x, y[4] = torque.y, y[5] = torque.z;
    }
}

SHERD_WIDE(static, void, multiply_rows, (const network_product *p, const row_range *rows),
           (p, rows))
{
    bond_batch batch;
    int64_t next = rows->first_bond;
    for (int count = BATCH; count == BATCH;) {
        count = gather(p, rows, &next, &batch);
        find_loads(count, &batch);
        add_loads(p, rows, count, &batch);
    }
}

static void product_rows(void *context, size_t begin, size_t end)
{
    const network_product *p = context;
    for (size_t k = begin; k < end; ++k) {
        const row_range *rows = &p->range[k];
        size_t first = 6 * (size_t)rows->begin, last = 6 * (size_t)rows->end;
        memset(p->y + first, 0, (last - first) * sizeof *p->y);
        multiply_rows(p, rows);
        for (size_t n = (size_t)rows->begin; n < (size_t)rows->end; ++n)
            for (size_t c = 0; c < 3; ++c) {
                p->y[6 * n + c] /= p->root[2 * n];
                p->y[6 * n + c + 3] /= p->root[2 * n + 1];
            }
    }
}

static void apply(const void *context, const double *x, double *y)
{
    network_product p = *(const network_product *)context;
    size_t count = (size_t)p.network.elements->count;
    p.x = x;
    p.y = y;
    sherd_parallel_for(&p.network.parallel, count, ROWS_A_CHUNK, scale, &p);
    sherd_parallel_for(&p.network.parallel, p.ranges, 1, product_rows, &p);
}

static void release(void *context)
{
    network_product *p = context;
    sherd_free(p->root);
    sherd_free(p->scaled);
    sherd_free(p->stiff);
    sherd_free(p->range);
    sherd_free(p);
}

// Equal numbers of rows for all threads, and the bonds of each.
static bool make_ranges(network_product *p)
{
    const sherd_adjacency *adjacency = p->network.adjacency;
    sherd_element_index n = p->network.elements->count;
    size_t threads = (size_t)sherd_parallel_threads(&p->network.parallel);
    p->ranges = threads < (size_t)n ? threads : (size_t)n;
    p->range = sherd_alloc(p->ranges, sizeof *p->range);
    for (size_t r = 0; r < p->ranges && p->range != NULL; ++r) {
        row_range *rows = &p->range[r];
        *rows = (row_range){.begin = (sherd_element_index)((size_t)n * r / p->ranges),
                            .end = (sherd_element_index)((size_t)n * (r + 1) / p->ranges),
                            .first_bond = p->network.bonds->count};
        for (sherd_element_index k = rows->begin; k < rows->end; ++k) {
            uint32_t first = adjacency->start[k], end = adjacency->start[k + 1];
            if (first == end) continue; // bonds of an element ascend
            int64_t low = adjacency->bond[first], high = (int64_t)adjacency->bond[end - 1] + 1;
            rows->first_bond = low < rows->first_bond ? low : rows->first_bond;
            rows->end_bond = high > rows->end_bond ? high : rows->end_bond;
        }
    }
    return p->range != NULL;
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
    if (p->root == NULL || p->scaled == NULL || p->stiff == NULL || !make_ranges(p)) {
        release(p);
        return sherd_fail_memory(error, "stiffness");
    }
    sherd_parallel_for(&network->parallel, n, ROWS_A_CHUNK, find_roots, p);
    for (int k = 0; p->by_class && k < bonds->class_count; ++k)
        p->stiff[k] = stiffness_from(c, &bonds->classes[k].constants);
    if (!p->by_class)
        sherd_parallel_for(&network->parallel, (size_t)bonds->count, BONDS_A_CHUNK, find_stiffness,
                           &(stiffness_job){p, c});
    *product = (sherd_prepared_operator){apply, p, release};
    return SHERD_OK;
}
