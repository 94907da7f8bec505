#include "surface/methods/crack/node_densities.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

typedef double row_of_nodes __attribute__((vector_size(NODES_ALONG * sizeof(double))));
typedef int64_t row_mask __attribute__((vector_size(NODES_ALONG * sizeof(int64_t))));

typedef struct node_block {
    row_of_nodes x;
    double y[NODES_ALONG], z[NODES_ALONG];
} node_block;

// Adds an element's kernel to one fragment's densities.
SHERD_WIDE(static, void, add_bell,
           (const node_block *b, sherd_vec3 at, double inverse, double weight, double psi[NODES]),
           (b, at, inverse, weight, psi))
{
    row_of_nodes x = b->x - at.x;
    row_of_nodes along = x * x * inverse;
    for (int k = 0; k < NODES_ALONG; ++k) {
        double z = (b->z[k] - at.z) * (b->z[k] - at.z) * inverse;
        for (int j = 0; z < 1.0 && j < NODES_ALONG; ++j) {
            double across = (b->y[j] - at.y) * (b->y[j] - at.y) * inverse + z;
            if (across >= 1.0) continue;
            row_of_nodes sum, u = 1.0 - (along + across);
            row_of_nodes square = u * u;
            row_of_nodes kernel = weight * square * square;
            double *to = psi + (k * NODES_ALONG + j) * NODES_ALONG;
            memcpy(&sum, to, sizeof sum);
            sum += (row_of_nodes)((row_mask)kernel & (u > 0.0));
            memcpy(to, &sum, sizeof sum);
        }
    }
}

int sherd_node_densities_slot(node_densities *d, sherd_fragment_id label)
{
    for (int k = 0; k < d->count; ++k)
        if (d->label[k] == label) return k;
    size_t count = (size_t)d->count + 1;
    if (!sherd_grow((void **)&d->label, &d->label_capacity, count, sizeof *d->label) ||
        !sherd_grow((void **)&d->psi, &d->psi_capacity, count, sizeof *d->psi))
        return -1;
    d->label[d->count] = label;
    memset(d->psi[d->count], 0, sizeof d->psi[0]);
    return d->count++;
}

void sherd_node_densities_release(node_densities *d)
{
    sherd_free(d->label);
    sherd_free(d->psi);
    *d = (node_densities){0};
}

bool sherd_node_densities_find(node_densities *d, const partition *p, sherd_vec3 origin,
                               double cell, const int32_t first[3])
{
    node_block b;
    for (int k = 0; k < NODES_ALONG; ++k) {
        b.x[k] = origin.x + cell * (first[0] + k);
        b.y[k] = origin.y + cell * (first[1] + k);
        b.z[k] = origin.z + cell * (first[2] + k);
    }
    sherd_vec3 low = vec3(b.x[0], b.y[0], b.z[0]);
    sherd_vec3 high = vec3(b.x[NODES_ALONG - 1], b.y[NODES_ALONG - 1], b.z[NODES_ALONG - 1]);
    d->count = 0;
    int32_t begin, end;
    int slot = -1;
    sherd_bin_rows rows = sherd_point_bins_rows(&p->elements, low, high, p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t e = begin; e < end; ++e) {
            sherd_vec3 x = p->elements.point[e];
            sherd_vec3 gap = vec3_sub(x, vec3_max(low, vec3_min(high, x)));
            if (vec3_dot(gap, gap) * p->inverse_reach2[e] >= 1.0) continue;
            if (p->chips.used && p->chips.is_chip[e]) continue;
            if (slot < 0 || d->label[slot] != p->label[e])
                slot = sherd_node_densities_slot(d, p->label[e]);
            if (slot < 0) return false;
            add_bell(&b, x, p->inverse_reach2[e], p->weight[e], d->psi[slot]);
        }
    return true;
}
