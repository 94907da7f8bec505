// What bonds bear, for those who look.
#include "world/world.h"

#include <math.h>

// Bonds are judged by all threads, a batch at a time, and told one after the other.
enum { BATCH = 8192, CHUNK = 512 };

typedef double bond_value(const sherd_bond_analysis *analysis);

typedef struct batch {
    const sherd_system *system;
    bond_value *value;
    int64_t first;
    double of[BATCH]; // 0 of broken bonds
} batch;

static double ratio_of(const sherd_bond_analysis *a)
{
    return a->stress_ratio;
}

static double normal_of(const sherd_bond_analysis *a)
{
    return a->normal_stress;
}

static void judge(void *context, size_t begin, size_t end)
{
    batch *b = context;
    const sherd_bonds *bonds = &b->system->bonds;
    for (size_t k = begin; k < end; ++k) {
        int64_t bond = b->first + (int64_t)k;
        b->of[k] = 0.0;
        if (bonds->broken[bond]) continue;
        sherd_bond_analysis a = sherd_bond_analyse(bonds, &b->system->elements, bond);
        b->of[k] = b->value(&a);
    }
}

// The size of the batch that begins with b->first.
static int64_t judge_batch(batch *b)
{
    int64_t left = b->system->bonds.count - b->first, size = left < BATCH ? left : BATCH;
    sherd_parallel_for(&b->system->parallel, (size_t)size, CHUNK, judge, b);
    return size;
}

static void largest_of_elements(const sherd_world *world, bond_value *value, float *largest)
{
    const sherd_system *s = &world->system;
    for (sherd_element_index k = 0; k < s->elements.count; ++k)
        largest[k] = 0.0f;
    batch b = {.system = s, .value = value};
    for (int64_t size; b.first < s->bonds.count; b.first += size) {
        size = judge_batch(&b);
        for (int64_t k = 0; k < size; ++k) {
            float *i = &largest[s->bonds.i[b.first + k]], *j = &largest[s->bonds.j[b.first + k]];
            *i = fmaxf(*i, (float)b.of[k]);
            *j = fmaxf(*j, (float)b.of[k]);
        }
    }
}

double sherd_world_largest_stress_ratio(const sherd_world *world)
{
    batch b = {.system = &world->system, .value = ratio_of};
    double largest = 0.0;
    for (int64_t size; b.first < world->system.bonds.count; b.first += size) {
        size = judge_batch(&b);
        for (int64_t k = 0; k < size; ++k)
            largest = fmax(largest, b.of[k]);
    }
    return largest;
}

void sherd_world_stress_ratio(const sherd_world *world, float *stress_ratio)
{
    largest_of_elements(world, ratio_of, stress_ratio);
}

void sherd_world_stress(const sherd_world *world, float *stress)
{
    largest_of_elements(world, normal_of, stress);
}
