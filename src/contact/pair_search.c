#include "contact/pair_search.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// Sorts what a block found by the blocks that it is for.
struct sherd_pair_sorter {
    int32_t *place; // by block; zero between uses (block_count)
    sherd_pair *pairs;
    size_t capacity;
};

bool sherd_pair_is_bonded(const sherd_bond_adjacency *bonds, sherd_element_index i,
                          sherd_element_index j)
{
    if (bonds == NULL) return false;
    for (uint32_t s = bonds->start[i]; s < bonds->start[i + 1]; ++s) {
        uint32_t bond = bonds->bond[s];
        if ((bonds->i[bond] == j || bonds->j[bond] == j) && !bonds->broken[bond]) return true;
    }
    return false;
}

typedef struct search_job {
    sherd_pair_search *search;
    const sherd_elements *elements;
    const sherd_bond_adjacency *bonds;
    const double *margin;
} search_job;

static void push_pair(sherd_pair_found *out, sherd_element_index a, sherd_element_index b)
{
    if (!sherd_grow((void **)&out->pairs, &out->capacity, out->count + 1, sizeof *out->pairs)) {
        out->failed = true;
        return;
    }
    out->pairs[out->count++] = a < b ? (sherd_pair){a, b} : (sherd_pair){b, a};
}

// Partners of element k among consecutive items. On its own level each pair is met from the side
// with the larger margin, or from the lower index; a coarser element never looks back.
static void search_items(const search_job *job, const sherd_grid_level *level, uint32_t begin,
                         uint32_t end, sherd_element_index k, bool same_level,
                         sherd_pair_found *out)
{
    const sherd_elements *e = job->elements;
    double x = e->px[k], y = e->py[k], z = e->pz[k], margin = job->margin[k];
    double reach = e->radius[k] + margin;
    for (uint32_t s = begin; s < end; ++s) {
        const sherd_grid_item *item = &level->items[s];
        double dx = item->x - x, dy = item->y - y, dz = item->z - z, far = reach + item->reach;
        if (dx * dx + dy * dy + dz * dz > far * far) continue;
        bool mine = item->margin < margin || (item->margin == margin && item->index > k);
        if (same_level && !mine) continue;
        if (e->held[k] && e->held[item->index]) continue; // neither can answer a force
        if (sherd_pair_is_bonded(job->bonds, k, item->index)) continue;
        push_pair(out, k, item->index);
    }
}

// Cells first .. first + count - 1 of a row of a torus: two runs at most.
static void search_row(const search_job *job, const sherd_grid_level *level, uint32_t row,
                       int64_t first, int64_t count, sherd_element_index k, bool same_level,
                       sherd_pair_found *out)
{
    int64_t size = level->mask[0] + 1, begin = first & level->mask[0];
    int64_t end = begin + count < size ? begin + count : size;
    search_items(job, level, level->start[row + begin], level->start[row + end], k, same_level,
                 out);
    if (begin + count > size)
        search_items(job, level, level->start[row], level->start[row + begin + count - size], k,
                     same_level, out);
}

static void search_level(const search_job *job, int l, sherd_element_index k, sherd_pair_found *out)
{
    const sherd_elements *e = job->elements;
    const sherd_grid_level *level = &job->search->grid.levels[l];
    if (level->count == 0) return;
    bool same_level = job->search->grid.level_of[k] == l;
    // Partners that k must find on its own level have no larger margin.
    double far = e->radius[k] + level->max_radius + job->margin[k] +
                 (same_level ? job->margin[k] : level->max_margin);
    double p[3] = {e->px[k], e->py[k], e->pz[k]};
    int64_t low[3], count[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = grid_coordinate(level, p[a] - far);
        count[a] = grid_coordinate(level, p[a] + far) - low[a] + 1;
        if (count[a] > level->mask[a] + 1) count[a] = level->mask[a] + 1; // once around
    }
    for (int64_t z = low[2]; z < low[2] + count[2]; ++z)
        for (int64_t y = low[1]; y < low[1] + count[1]; ++y)
            search_row(job, level, grid_cell(level, 0, y, z), low[0], count[0], k, same_level, out);
}

// Groups what block `from` found by the block of the lower end.
static bool sort_found(sherd_pair_search *search, int32_t from, sherd_pair_sorter *sorter)
{
    sherd_pair_found *found = &search->found[from];
    if (!sherd_grow((void **)&sorter->pairs, &sorter->capacity, found->count, sizeof(sherd_pair)))
        return false;
    int32_t *place = sorter->place, least = from, sum = 0;
    for (size_t c = 0; c < found->count; ++c) {
        int32_t to = found->pairs[c].i / SHERD_PAIR_BLOCK;
        ++place[to];
        least = to < least ? to : least;
    }
    bool fits = true;
    for (int32_t to = least; to <= from; ++to) {
        int32_t count = place[to];
        if (to < from && count > 0)
            fits &= sherd_pair_routing_add(&search->routing,
                                           (sherd_pair_route){from, to, sum, sum + count});
        if (to == from) found->own = (size_t)sum;
        place[to] = sum;
        sum += count;
    }
    for (size_t c = 0; c < found->count; ++c)
        sorter->pairs[place[found->pairs[c].i / SHERD_PAIR_BLOCK]++] = found->pairs[c];
    memset(place + least, 0, (size_t)(from - least + 1) * sizeof *place);
    if (found->count > 0) memcpy(found->pairs, sorter->pairs, found->count * sizeof(sherd_pair));
    return fits;
}

static void search_block(void *context, size_t begin, size_t end)
{
    search_job *job = context;
    sherd_pair_search *search = job->search;
    int32_t block = (int32_t)(begin / SHERD_PAIR_BLOCK);
    sherd_pair_found *out = &search->found[block];
    out->count = 0;
    out->failed = false;
    sherd_pair_routing_clear(&search->routing, block);
    for (size_t k = begin; k < end; ++k) {
        if (search->grid.level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        for (int l = search->grid.level_of[k]; l >= 0; --l)
            search_level(job, l, (sherd_element_index)k, out);
    }
    if (!sort_found(search, block, &search->sorters[sherd_parallel_worker()])) out->failed = true;
}

static bool resize(sherd_pair_search *search, size_t element_count, const sherd_parallel *parallel)
{
    if (search->sorters != NULL) return true;
    size_t blocks = (element_count + SHERD_PAIR_BLOCK - 1) / SHERD_PAIR_BLOCK;
    size_t threads = (size_t)sherd_parallel_threads(parallel);
    search->found = sherd_alloc(blocks, sizeof *search->found);
    search->sorters = sherd_alloc(threads, sizeof *search->sorters);
    bool fits = search->found != NULL && search->sorters != NULL &&
                sherd_pair_routing_resize(&search->routing, (int32_t)blocks);
    if (search->found != NULL) search->block_count = (int32_t)blocks;
    if (search->sorters != NULL) search->sorter_count = (int)threads;
    for (size_t t = 0; t < threads && fits; ++t) {
        search->sorters[t].place = sherd_alloc(blocks, sizeof(int32_t));
        fits = search->sorters[t].place != NULL;
    }
    if (!fits) sherd_pair_search_free(search);
    return fits;
}

sherd_status sherd_pair_search_run(sherd_pair_search *search, const sherd_elements *elements,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_parallel *parallel, sherd_error *error)
{
    size_t count = (size_t)elements->count;
    if (!resize(search, count, parallel)) return sherd_fail_memory(error, "contact search");
    sherd_status status =
        sherd_cell_grid_build(&search->grid, elements, margin, skin, parallel, error);
    if (status != SHERD_OK) return status;
    search_job job = {search, elements, bonds, margin};
    sherd_parallel_for(parallel, count, SHERD_PAIR_BLOCK, search_block, &job);
    bool fits = sherd_pair_routing_collect(&search->routing);
    for (int32_t b = 0; b < search->block_count; ++b)
        fits &= !search->found[b].failed;
    return fits ? SHERD_OK : sherd_fail_memory(error, "contact pairs");
}

void sherd_pair_search_free(sherd_pair_search *search)
{
    sherd_cell_grid_free(&search->grid);
    for (int32_t b = 0; b < search->block_count; ++b)
        sherd_free(search->found[b].pairs);
    for (int t = 0; t < search->sorter_count; ++t) {
        sherd_free(search->sorters[t].place);
        sherd_free(search->sorters[t].pairs);
    }
    sherd_free(search->found);
    sherd_free(search->sorters);
    sherd_pair_routing_free(&search->routing);
    *search = (sherd_pair_search){0};
}

size_t sherd_pair_search_bytes(const sherd_pair_search *search)
{
    size_t bytes =
        sherd_cell_grid_bytes(&search->grid) + sherd_pair_routing_bytes(&search->routing);
    for (int32_t b = 0; b < search->block_count; ++b)
        bytes += sizeof *search->found + search->found[b].capacity * sizeof(sherd_pair);
    for (int t = 0; t < search->sorter_count; ++t)
        bytes += (size_t)search->block_count * sizeof(int32_t) +
                 search->sorters[t].capacity * sizeof(sherd_pair);
    return bytes;
}
