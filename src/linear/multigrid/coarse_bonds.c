#include "base/error.h"
#include "base/memory.h"
#include "linear/multigrid/coarse_first.h"

#include <string.h>

enum { CHUNK = 128 };

typedef struct listing {
    sherd_coarse_bonds *bonds;
    const sherd_coarse_level *level;
    const sherd_bond_graph *graph;
    const sherd_linear_system *system;
} listing;

// An entry whose neighbour comes later has the bonds; the other one copies its spring.
static bool has_bonds(const sherd_coarse_level *level, int32_t row, int64_t entry)
{
    return entry >= 0 && level->neighbour[entry] > row;
}

static int64_t find_mate(const sherd_coarse_level *level, int32_t row, int32_t neighbour)
{
    for (int64_t e = level->row_start[neighbour]; e < level->row_start[neighbour + 1]; ++e)
        if (level->neighbour[e] == row) return e;
    return -1; // never: neighbours are mutual
}

static bool to_held(const listing *l, int64_t bond, int32_t from)
{
    return !l->system->bonds->broken[bond] &&
           l->graph->held[sherd_bond_partner(l->system->bonds, bond, from)];
}

static int64_t count_ground(const listing *l, int32_t row)
{
    const sherd_adjacency *adjacency = l->system->adjacency;
    int64_t count = 0;
    for (int32_t c = l->level->child_start[row]; c < l->level->child_start[row + 1]; ++c) {
        int32_t child = l->level->child[c];
        if (child >= l->system->elements->count) continue;
        for (uint32_t s = adjacency->start[child]; s < adjacency->start[child + 1]; ++s)
            count += to_held(l, adjacency->bond[s], child);
    }
    return count;
}

static void count_bonds(void *context, size_t begin, size_t end)
{
    const listing *l = context;
    const sherd_coarse_level *level = l->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = l->graph->start[child]; e < l->graph->start[child + 1]; ++e)
                if (has_bonds(level, row, level->target[e]))
                    ++l->bonds->start[level->target[e] + 1];
        }
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e)
            l->bonds->mate[e] = find_mate(level, row, level->neighbour[e]);
        l->bonds->ground[row + 1] = l->graph->any_held ? count_ground(l, row) : 0;
    }
}

static void list_ground(const listing *l, int32_t row)
{
    const sherd_adjacency *adjacency = l->system->adjacency;
    int64_t at = l->bonds->ground[row];
    for (int32_t c = l->level->child_start[row]; c < l->level->child_start[row + 1]; ++c) {
        int32_t child = l->level->child[c];
        if (child >= l->system->elements->count) continue;
        for (uint32_t s = adjacency->start[child]; s < adjacency->start[child + 1]; ++s)
            if (to_held(l, adjacency->bond[s], child)) l->bonds->bond[at++] = adjacency->bond[s];
    }
}

// Moves starts on while filling; they are moved back after.
static void list_bonds(void *context, size_t begin, size_t end)
{
    const listing *l = context;
    const sherd_coarse_level *level = l->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = l->graph->start[child]; e < l->graph->start[child + 1]; ++e) {
                int64_t entry = level->target[e];
                if (has_bonds(level, row, entry))
                    l->bonds->bond[l->bonds->start[entry]++] = l->graph->bond[e];
            }
        }
        if (l->graph->any_held) list_ground(l, row);
    }
}

static void sum_up(int64_t *start, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        start[k + 1] += start[k];
}

sherd_status sherd_coarse_bonds_build(sherd_coarse_bonds *bonds, const sherd_coarse_level *level,
                                      const sherd_bond_graph *graph,
                                      const sherd_linear_system *system, sherd_error *error)
{
    int64_t entries = level->row_start[level->count];
    size_t rows = (size_t)level->count;
    *bonds = (sherd_coarse_bonds){.start = sherd_alloc((size_t)entries + 1, sizeof *bonds->start),
                                  .mate = sherd_alloc((size_t)entries, sizeof *bonds->mate),
                                  .ground = sherd_alloc(rows + 1, sizeof *bonds->ground),
                                  .any_held = graph->any_held};
    if (bonds->start == NULL || bonds->mate == NULL || bonds->ground == NULL)
        return sherd_fail_memory(error, "bonds between clusters");
    listing l = {bonds, level, graph, system};
    sherd_parallel_for(&system->parallel, rows, CHUNK, count_bonds, &l);
    sum_up(bonds->start, entries);
    bonds->ground[0] = bonds->start[entries];
    sum_up(bonds->ground, (int64_t)rows);
    bonds->count = bonds->ground[rows];
    bonds->bond = sherd_alloc((size_t)bonds->count, sizeof *bonds->bond);
    if (bonds->bond == NULL) return sherd_fail_memory(error, "bonds between clusters");
    sherd_parallel_for(&system->parallel, rows, CHUNK, list_bonds, &l);
    memmove(bonds->start + 1, bonds->start, (size_t)entries * sizeof *bonds->start);
    bonds->start[0] = 0;
    return SHERD_OK;
}

void sherd_coarse_bonds_free(sherd_coarse_bonds *bonds)
{
    sherd_free(bonds->start);
    sherd_free(bonds->bond);
    sherd_free(bonds->ground);
    sherd_free(bonds->mate);
    *bonds = (sherd_coarse_bonds){0};
}

size_t sherd_coarse_bonds_bytes(const sherd_coarse_bonds *bonds, const sherd_coarse_level *level)
{
    if (bonds->start == NULL) return 0;
    size_t entries = (size_t)level->row_start[level->count];
    return (2 * entries + (size_t)level->count + 2) * sizeof *bonds->start +
           (size_t)bonds->count * sizeof *bonds->bond;
}
