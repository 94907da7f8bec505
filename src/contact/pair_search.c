#include "contact/pair_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

enum { SEARCH_CHUNK = 512 };

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

static void push_pair(sherd_pair_buffer *out, sherd_element_index a, sherd_element_index b)
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
                         sherd_pair_buffer *out)
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
                       sherd_pair_buffer *out)
{
    int64_t size = level->mask[0] + 1, begin = first & level->mask[0];
    int64_t end = begin + count < size ? begin + count : size;
    search_items(job, level, level->start[row + begin], level->start[row + end], k, same_level,
                 out);
    if (begin + count > size)
        search_items(job, level, level->start[row], level->start[row + begin + count - size], k,
                     same_level, out);
}

static void search_level(const search_job *job, int l, sherd_element_index k,
                         sherd_pair_buffer *out)
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

static inline bool comes_after(sherd_pair a, sherd_pair b)
{
    return a.i > b.i || (a.i == b.i && a.j > b.j);
}

// Few pairs, most of them in order.
static void sort_few(sherd_pair *pairs, size_t count)
{
    for (size_t a = 1; a < count; ++a) {
        sherd_pair moving = pairs[a];
        size_t b = a;
        for (; b > 0 && comes_after(pairs[b - 1], moving); --b)
            pairs[b] = pairs[b - 1];
        pairs[b] = moving;
    }
}

static void search_chunk(void *context, size_t begin, size_t end)
{
    search_job *job = context;
    sherd_pair_buffer *out = &job->search->chunks[begin / SEARCH_CHUNK];
    out->count = 0;
    out->failed = false;
    for (size_t k = begin; k < end; ++k) {
        if (job->search->grid.level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        size_t before = out->count;
        for (int l = job->search->grid.level_of[k]; l >= 0; --l)
            search_level(job, l, (sherd_element_index)k, out);
        sort_few(out->pairs + before, out->count - before);
    }
}

// Pairs met from a finer element or one with a larger margin come out of order: sort by (i, j).
static bool sort_pairs(sherd_pair_buffer *found)
{
    size_t sorted_so_far = 1;
    while (sorted_so_far < found->count &&
           !comes_after(found->pairs[sorted_so_far - 1], found->pairs[sorted_so_far]))
        ++sorted_so_far;
    if (sorted_so_far >= found->count) return true;
    sherd_sort_pair *keys = sherd_alloc(found->count, sizeof *keys);
    if (keys == NULL) return false;
    for (size_t c = 0; c < found->count; ++c)
        keys[c].key = (uint64_t)found->pairs[c].i << 32 | (uint32_t)found->pairs[c].j;
    bool sorted = sherd_sort_pairs(keys, found->count);
    for (size_t c = 0; sorted && c < found->count; ++c)
        found->pairs[c] = (sherd_pair){(sherd_element_index)(keys[c].key >> 32),
                                       (sherd_element_index)(keys[c].key & UINT32_MAX)};
    sherd_free(keys);
    return sorted;
}

static bool join_chunks(sherd_pair_search *search, size_t chunks)
{
    size_t total = search->kept.count;
    for (size_t c = 0; c < chunks; ++c) {
        if (search->chunks[c].failed) return false;
        total += search->chunks[c].count;
    }
    sherd_pair_buffer *found = &search->found;
    if (!sherd_grow((void **)&found->pairs, &found->capacity, total, sizeof *found->pairs))
        return false;
    found->count = 0;
    for (size_t c = 0; c < chunks; ++c) {
        const sherd_pair_buffer *chunk = &search->chunks[c];
        if (chunk->count == 0) continue;
        memcpy(found->pairs + found->count, chunk->pairs, chunk->count * sizeof *chunk->pairs);
        found->count += chunk->count;
    }
    if (search->kept.count > 0)
        memcpy(found->pairs + found->count, search->kept.pairs,
               search->kept.count * sizeof *found->pairs);
    found->count += search->kept.count;
    return sort_pairs(found);
}

sherd_status sherd_pair_search_run(sherd_pair_search *search, const sherd_elements *elements,
                                   const sherd_bond_adjacency *bonds, const double *margin,
                                   double skin, const sherd_parallel *parallel, sherd_error *error)
{
    size_t count = (size_t)elements->count;
    sherd_status status =
        sherd_cell_grid_build(&search->grid, elements, margin, skin, parallel, error);
    if (status != SHERD_OK) return status;
    size_t chunks = (count + SEARCH_CHUNK - 1) / SEARCH_CHUNK;
    if (!sherd_grow((void **)&search->chunks, &search->chunk_count, chunks, sizeof *search->chunks))
        return sherd_fail_memory(error, "contact search");
    search_job job = {search, elements, bonds, margin};
    sherd_parallel_for(parallel, count, SEARCH_CHUNK, search_chunk, &job);
    if (!join_chunks(search, chunks)) return sherd_fail_memory(error, "contact pairs");
    return SHERD_OK;
}

void sherd_pair_search_free(sherd_pair_search *search)
{
    sherd_cell_grid_free(&search->grid);
    for (size_t c = 0; c < search->chunk_count; ++c)
        sherd_free(search->chunks[c].pairs);
    sherd_free(search->chunks);
    sherd_free(search->found.pairs);
    sherd_free(search->kept.pairs);
    *search = (sherd_pair_search){0};
}

size_t sherd_pair_search_bytes(const sherd_pair_search *search)
{
    size_t bytes = sherd_cell_grid_bytes(&search->grid) +
                   (search->found.capacity + search->kept.capacity) * sizeof(sherd_pair) +
                   search->chunk_count * sizeof *search->chunks;
    for (size_t c = 0; c < search->chunk_count; ++c)
        bytes += search->chunks[c].capacity * sizeof(sherd_pair);
    return bytes;
}
