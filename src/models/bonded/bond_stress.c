#include "models/bonded/bond_stress.h"

#include <math.h>

// All threads analyse one batch of bonds; then the batch is visited in order by one thread.
enum { BATCH = 8192, CHUNK = 512 };

typedef struct batch {
    const sherd_bonded *bonded;
    int64_t first;
    double ratio[BATCH]; // 0 for broken bonds
} batch;

static void analyse(void *context, size_t begin, size_t end)
{
    batch *b = context;
    const sherd_bonds *bonds = b->bonded->bonds;
    const sherd_elements *e = b->bonded->elements;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = b->first + (int64_t)k;
        b->ratio[k] = 0.0;
        if (bonds->broken[bond]) continue;
        b->ratio[k] =
            fmax(sherd_bond_analyse(bonds, e, bond).stress_ratio,
                 sherd_element_criterion_ratio(&b->bonded->blocks->criterion, bonds, e, bond));
    }
}

// Analyses the batch of bonds that begins at b->first and returns its size.
static int64_t analyse_batch(batch *b)
{
    int64_t remaining = b->bonded->bonds->count - b->first,
            size = remaining < BATCH ? remaining : BATCH;
    sherd_parallel_for(&b->bonded->parallel, (size_t)size, CHUNK, analyse, b);
    return size;
}

static void find_element_stresses(const sherd_bonded *b)
{
    sherd_element_criterion_evaluate(&b->blocks->criterion, b->bonds, b->elements, b->adjacency,
                                     &b->parallel, 0.0);
}

double sherd_bonded_largest_stress_ratio(const sherd_bonded *bonded)
{
    find_element_stresses(bonded);
    batch b = {.bonded = bonded};
    double largest = 0.0;
    for (int64_t size; b.first < bonded->bonds->count; b.first += size) {
        size = analyse_batch(&b);
        for (int64_t k = 0; k < size; ++k)
            largest = fmax(largest, b.ratio[k]);
    }
    return largest;
}

void sherd_bonded_find_stress_ratios(const sherd_bonded *bonded, float *ratio)
{
    const sherd_bonds *bonds = bonded->bonds;
    for (sherd_element_index k = 0; k < bonded->elements->count; ++k)
        ratio[k] = 0.0f;
    find_element_stresses(bonded);
    batch b = {.bonded = bonded};
    for (int64_t size; b.first < bonds->count; b.first += size) {
        size = analyse_batch(&b);
        for (int64_t k = 0; k < size; ++k) {
            float *i = &ratio[bonds->i[b.first + k]], *j = &ratio[bonds->j[b.first + k]];
            *i = fmaxf(*i, (float)b.ratio[k]);
            *j = fmaxf(*j, (float)b.ratio[k]);
        }
    }
}
