#include "models/bonded/softening/softening_pass.h"

#include "base/cpu.h"
#include "math/vec3.h"
#include "models/bonded/softening/softening_kernel.h"

#include <math.h>

enum { ELEMENTS = 256 }; // elements that one task adds loads to

typedef struct job {
    const sherd_softening_work *work;
    sherd_softening_function *kernel;
    const sherd_softening_list *list;
    sherd_elements *elements;
} job;

static void run_chunk(void *context, size_t begin, size_t end)
{
    const job *j = context;
    j->kernel(j->work, (int32_t)begin, (int32_t)end, &j->list->sums[begin / SHERD_SOFTENING_CHUNK]);
}

static void add_up(double sum[6], double sign, sherd_vec3 force, sherd_vec3 torque)
{
    sum[0] += sign * force.x, sum[1] += sign * force.y, sum[2] += sign * force.z;
    sum[3] += torque.x, sum[4] += torque.y, sum[5] += torque.z;
}

// The sum of each element is rounded once.
static void add_loads(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_softening_ends *ends = &j->list->ends;
    for (size_t k = begin; k < end; ++k) {
        double sum[6] = {0.0};
        for (int32_t at = ends->first[k]; at < ends->first[k + 1]; ++at) {
            const sherd_softening_result *r = &j->list->results[ends->end[at] / 2];
            bool upper = ends->end[at] % 2 != 0;
            add_up(sum, upper ? 1.0 : -1.0, r->force_j, upper ? r->torque_j : r->torque_i);
        }
        sherd_element_add_loads(j->elements, ends->element[k], sum);
    }
}

static sherd_softening_sum sum_up(const sherd_softening_list *list)
{
    sherd_softening_sum sum = {0};
    for (int32_t c = 0; c < (list->count + SHERD_SOFTENING_CHUNK - 1) / SHERD_SOFTENING_CHUNK;
         ++c) {
        const sherd_softening_sum *chunk = &list->sums[c];
        sum.energy += chunk->energy;
        sum.damping_power += chunk->damping_power;
        sum.stress_ratio = fmax(sum.stress_ratio, chunk->stress_ratio);
    }
    return sum;
}

// Bonds are computed in parallel; then elements get their loads in parallel, each in the order of
// the list.
sherd_softening_sum sherd_softening_evaluate(const sherd_bond_blocks *blocks,
                                             const sherd_bonds *bonds, sherd_elements *elements,
                                             const sherd_parallel *parallel)
{
    const sherd_softening_list *list = &blocks->softening;
    const sherd_softening_work work = {.elements = elements,
                                       .criteria = blocks->criteria,
                                       .bonds = list->bonds,
                                       .results = list->results,
                                       .opening = bonds->opening};
    job j = {&work, SHERD_KERNEL_AT(sherd_cpu_level(), sherd_softening), list, elements};
    sherd_parallel_for(parallel, (size_t)list->count, SHERD_SOFTENING_CHUNK, run_chunk, &j);
    sherd_parallel_for(parallel, (size_t)list->ends.count, ELEMENTS, add_loads, &j);
    return sum_up(list);
}
