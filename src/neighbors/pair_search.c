#include "neighbors/pair_search.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"
#include "neighbors/near_kernel.h"

#include <string.h>

enum { FEW_CHUNK = 16 };

// Scratch to sort the pairs of a block by destination block.
struct sherd_pair_sorter {
    int32_t *place; // by block: next index; zero between uses (block_count)
    sherd_pair *pairs;
    size_t capacity;
    int32_t *near; // items found near an element
    size_t near_capacity;
    sherd_element_index *bonded; // its partners by intact bonds
    size_t bonded_count, bonded_capacity;
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
    const sherd_points *points;
    const sherd_bond_adjacency *bonds;
    const double *margin;
    sherd_near_function *near;
} search_job;

static void push_pair(sherd_pair_found *out, sherd_element_index a, sherd_element_index b)
{
    if (!sherd_grow((void **)&out->pairs, &out->capacity, out->count + 1, sizeof *out->pairs)) {
        out->failed = true;
        return;
    }
    out->pairs[out->count++] = a < b ? (sherd_pair){a, b} : (sherd_pair){b, a};
}

// An element has about as many neighbours as bonds, so each bond is checked individually.
static bool list_bonded(const search_job *job, sherd_element_index k, sherd_pair_sorter *sorter)
{
    const sherd_bond_adjacency *bonds = job->bonds;
    sorter->bonded_count = 0;
    if (bonds == NULL) return true;
    uint32_t begin = bonds->start[k], end = bonds->start[k + 1];
    if (!sherd_grow((void **)&sorter->bonded, &sorter->bonded_capacity, end - begin,
                    sizeof *sorter->bonded))
        return false;
    for (uint32_t s = begin; s < end; ++s) {
        uint32_t bond = bonds->bond[s];
        if (bonds->broken[bond]) continue;
        sherd_element_index i = bonds->i[bond];
        sorter->bonded[sorter->bonded_count++] = i != k ? i : bonds->j[bond];
    }
    return true;
}

static bool is_bonded_with(const sherd_pair_sorter *sorter, sherd_element_index other)
{
    for (size_t b = 0; b < sorter->bonded_count; ++b)
        if (sorter->bonded[b] == other) return true;
    return false;
}

// Search for partners of one element on one level. On its own level it finds those of lower rank; a
// coarser element never searches finer levels.
typedef struct seeker {
    const search_job *job;
    const sherd_grid_level *level;
    sherd_near_query query;
    sherd_element_index k;
    sherd_pair_sorter *sorter;
    sherd_pair_found *out;
} seeker;

static void search_items(const seeker *s, uint32_t begin, uint32_t end)
{
    const search_job *job = s->job;
    if (begin == end) return;
    if (!sherd_grow((void **)&s->sorter->near, &s->sorter->near_capacity,
                    end - begin + SHERD_GRID_PADDING, sizeof *s->sorter->near)) {
        s->out->failed = true;
        return;
    }
    int32_t count = job->near(s->level, &s->query, begin, end, s->sorter->near);
    for (int32_t c = 0; c < count; ++c) {
        sherd_element_index other = s->level->element[s->sorter->near[c]];
        if (sherd_point_is_held(job->points, s->k) && sherd_point_is_held(job->points, other))
            continue; // neither responds to forces
        if (is_bonded_with(s->sorter, other)) continue;
        push_pair(s->out, s->k, other);
    }
}

// Cells first .. first + count - 1 of a periodic row: at most two ranges.
static void search_row(const seeker *s, uint32_t row, int64_t first, int64_t count)
{
    const uint32_t *start = s->level->start + row;
    int64_t size = s->level->mask[0] + 1, begin = first & s->level->mask[0];
    int64_t end = begin + count < size ? begin + count : size;
    search_items(s, start[begin], start[end]);
    if (begin + count > size) search_items(s, start[0], start[begin + count - size]);
}

static void search_level(const search_job *job, int l, sherd_element_index k,
                         sherd_pair_sorter *sorter, sherd_pair_found *out)
{
    const sherd_points *e = job->points;
    const sherd_cell_grid *grid = &job->search->grid;
    const sherd_grid_level *level = &grid->levels[l];
    if (level->count == 0) return;
    bool same_level = grid->level_of[k] == l;
    double margin = job->margin[k], reach = sherd_point_radius(e, k) + margin;
    double lower = fmin(level->max_margin, grid_lower_margin(grid, margin));
    double far = reach + level->max_radius + (same_level ? lower : level->max_margin);
    double p[3] = {e->px[k], e->py[k], e->pz[k]};
    seeker s = {job, level, {p[0], p[1], p[2], reach, INFINITY}, k, sorter, out};
    if (same_level) s.query.rank = grid_rank(grid, margin, k);
    int64_t low[3], count[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = grid_coordinate(level, p[a] - far);
        count[a] = grid_coordinate(level, p[a] + far) - low[a] + 1;
        if (count[a] > level->mask[a] + 1) count[a] = level->mask[a] + 1; // at most once around
    }
    for (int64_t z = low[2]; z < low[2] + count[2]; ++z)
        for (int64_t y = low[1]; y < low[1] + count[1]; ++y)
            search_row(&s, grid_cell(level, 0, y, z), low[0], count[0]);
}

// Groups the pairs found by block `from` by the block of their lower end.
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
    SHERD_ASSERT((size_t)sum == found->count && found->own <= found->count,
                 "the lower end of a pair is not in a later block than its finder");
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
    sherd_pair_sorter *sorter = &search->sorters[sherd_parallel_worker()];
    out->count = 0;
    out->failed = false;
    sherd_pair_routing_clear(&search->routing, block);
    for (size_t k = begin; k < end; ++k) {
        if (search->grid.level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        if (!list_bonded(job, (sherd_element_index)k, sorter)) out->failed = true;
        for (int l = search->grid.level_of[k]; l >= 0; --l)
            search_level(job, l, (sherd_element_index)k, sorter, out);
    }
    if (!sort_found(search, block, sorter)) out->failed = true;
}

// Elements that moved are in no cell.
static void search_moved(const search_job *job, sherd_element_index k, sherd_pair_sorter *sorter,
                         sherd_pair_found *out)
{
    const sherd_points *e = job->points;
    const sherd_cell_grid *grid = &job->search->grid;
    double reach = sherd_point_radius(e, k) + job->margin[k];
    seeker s = {job, &grid->moved, {e->px[k], e->py[k], e->pz[k], reach, INFINITY}, k, sorter, out};
    uint32_t own = grid->cell_of[k];
    search_items(&s, 0, own);
    search_items(&s, own + 1, grid->moved.count);
}

typedef struct few_job {
    search_job search;
    const sherd_element_index *few;
    size_t chunk;
} few_job;

static void search_some(void *context, size_t begin, size_t end)
{
    const few_job *job = context;
    sherd_pair_search *search = job->search.search;
    sherd_pair_found *out = &search->found[begin / job->chunk];
    sherd_pair_sorter *sorter = &search->sorters[sherd_parallel_worker()];
    out->count = 0;
    out->failed = false;
    for (size_t c = begin; c < end; ++c) {
        sherd_element_index k = job->few[c];
        if (!list_bonded(&job->search, k, sorter)) out->failed = true;
        for (int l = 0; l < search->grid.level_count; ++l)
            search_level(&job->search, l, k, sorter, out);
        search_moved(&job->search, k, sorter, out);
    }
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

sherd_status sherd_pair_search_run(sherd_pair_search *search, const sherd_points *points,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_parallel *parallel, sherd_error *error)
{
    SHERD_ASSERT(search->sorters == NULL ||
                     search->block_count * (int64_t)SHERD_PAIR_BLOCK >= points->count,
                 "a search keeps the number of its elements");
    size_t count = (size_t)points->count;
    if (!resize(search, count, parallel)) return sherd_fail_memory(error, "contact search");
    search->grid_current = false;
    sherd_status status =
        sherd_cell_grid_build(&search->grid, points, margin, skin, parallel, error);
    if (status != SHERD_OK) return status;
    search->grid_current = true;
    sherd_near_function *near = SHERD_KERNEL_AT(sherd_cpu_level(), sherd_near);
    search_job job = {search, points, bonds, margin, near};
    sherd_parallel_for(parallel, count, SHERD_PAIR_BLOCK, search_block, &job);
    bool fits = sherd_pair_routing_collect(&search->routing);
    for (int32_t b = 0; b < search->block_count; ++b)
        fits &= !search->found[b].failed;
    return fits ? SHERD_OK : sherd_fail_memory(error, "contact pairs");
}

static bool move_all(sherd_pair_search *search, const sherd_points *listed, const double *margin,
                     const sherd_element_index *few, size_t count)
{
    for (size_t c = 0; c < count; ++c)
        if (!sherd_cell_grid_move(&search->grid, listed, margin[few[c]], few[c])) return false;
    return true;
}

// Moves the few elements in the grid; builds it first if it is outdated or has no room for them.
static sherd_status move_few(sherd_pair_search *search, const sherd_points *listed,
                             const double *margin, double skin, const sherd_element_index *few,
                             size_t count, const sherd_parallel *parallel, sherd_error *error)
{
    if (search->grid_current && move_all(search, listed, margin, few, count)) return SHERD_OK;
    search->grid_current = false;
    sherd_status status =
        sherd_cell_grid_build(&search->grid, listed, margin, skin, parallel, error);
    if (status == SHERD_OK) search->grid_current = move_all(search, listed, margin, few, count);
    return status;
}

static bool join_found(sherd_pair_search *search, size_t chunks)
{
    size_t count = 0;
    sherd_pair_found *few = &search->few;
    for (size_t c = 0; c < chunks; ++c) {
        if (search->found[c].failed) return false;
        count += search->found[c].count;
    }
    if (!sherd_grow((void **)&few->pairs, &few->capacity, count, sizeof *few->pairs)) return false;
    few->count = 0;
    for (size_t c = 0; c < chunks; ++c) {
        const sherd_pair_found *found = &search->found[c];
        if (found->count > 0)
            memcpy(few->pairs + few->count, found->pairs, found->count * sizeof *few->pairs);
        few->count += found->count;
    }
    return true;
}

sherd_status sherd_pair_search_few(sherd_pair_search *search, const sherd_points *listed,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_element_index *few, size_t count,
                                   const sherd_parallel *parallel, sherd_error *error)
{
    SHERD_ASSERT(count <= SHERD_GRID_MAX_MOVED && sherd_indices_below(few, count, listed->count),
                 "indices of the few elements are valid");
    if (!resize(search, (size_t)listed->count, parallel))
        return sherd_fail_memory(error, "contact search");
    sherd_status status = move_few(search, listed, margin, skin, few, count, parallel, error);
    if (status != SHERD_OK) return status;
    size_t chunk = FEW_CHUNK + count / (size_t)search->block_count;
    sherd_near_function *near = SHERD_KERNEL_AT(sherd_cpu_level(), sherd_near);
    few_job job = {{search, listed, bonds, margin, near}, few, chunk};
    sherd_parallel_for(parallel, count, chunk, search_some, &job);
    return join_found(search, (count + chunk - 1) / chunk)
               ? SHERD_OK
               : sherd_fail_memory(error, "contact pairs");
}

void sherd_pair_search_free(sherd_pair_search *search)
{
    sherd_free(search->few.pairs);
    sherd_cell_grid_free(&search->grid);
    for (int32_t b = 0; b < search->block_count; ++b)
        sherd_free(search->found[b].pairs);
    for (int t = 0; t < search->sorter_count; ++t) {
        sherd_free(search->sorters[t].place);
        sherd_free(search->sorters[t].pairs);
        sherd_free(search->sorters[t].near);
        sherd_free(search->sorters[t].bonded);
    }
    sherd_free(search->found);
    sherd_free(search->sorters);
    sherd_pair_routing_free(&search->routing);
    *search = (sherd_pair_search){0};
}

size_t sherd_pair_search_bytes(const sherd_pair_search *search)
{
    size_t bytes = sherd_cell_grid_bytes(&search->grid) +
                   sherd_pair_routing_bytes(&search->routing) +
                   search->few.capacity * sizeof(sherd_pair);
    for (int32_t b = 0; b < search->block_count; ++b)
        bytes += sizeof *search->found + search->found[b].capacity * sizeof(sherd_pair);
    for (int t = 0; t < search->sorter_count; ++t)
        bytes += (size_t)search->block_count * sizeof(int32_t) +
                 search->sorters[t].capacity * sizeof(sherd_pair) +
                 search->sorters[t].near_capacity * sizeof(int32_t) +
                 search->sorters[t].bonded_capacity * sizeof(sherd_element_index);
    return bytes;
}
