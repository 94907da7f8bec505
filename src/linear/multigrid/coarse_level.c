#include "linear/multigrid/coarse_level.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "linear/linear_system.h"

#include <string.h>

enum { CHUNK = 256 };

// ---------------------------------------------------------------- members

static void list_children(sherd_coarse_level *level, const int32_t *cluster)
{
    for (size_t k = 0; k < level->fine_count; ++k)
        if (cluster[k] >= 0) ++level->child_start[cluster[k] + 1];
    for (int32_t c = 0; c < level->count; ++c)
        level->child_start[c + 1] += level->child_start[c];
    for (size_t k = 0; k < level->fine_count; ++k)
        if (cluster[k] >= 0) level->child[level->child_start[cluster[k]]++] = (int32_t)k;
    memmove(level->child_start + 1, level->child_start,
            (size_t)level->count * sizeof *level->child_start);
    level->child_start[0] = 0;
}

// ---------------------------------------------------------------- rows

// The distinct neighbours of every cluster are collected in an array with room for all entries of
// its members, then compacted.
typedef struct row_search {
    sherd_coarse_level *level;
    const sherd_graph *finer;
    const int32_t *cluster;
    const int64_t *found_start; // by cluster: start in `found`
    int32_t *found;
} row_search;

static void find_row(const row_search *s, int32_t row)
{
    sherd_coarse_level *level = s->level;
    int32_t *found = s->found + s->found_start[row];
    int32_t count = 0;
    for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
        int32_t child = level->child[c];
        for (int64_t e = s->finer->start[child]; e < s->finer->start[child + 1]; ++e) {
            int32_t to = s->cluster[s->finer->neighbour[e]];
            level->target[e] = -1;
            if (to == row) continue;
            int32_t k = 0;
            while (k < count && found[k] != to)
                ++k;
            if (k == count) found[count++] = to;
            level->target[e] = k;
        }
    }
    level->row_start[row + 1] = count;
}

static void find_rows(void *context, size_t begin, size_t end)
{
    for (size_t row = begin; row < end; ++row)
        find_row(context, (int32_t)row);
}

// Entries are counted relative to the row's start until here.
static void compact_rows(void *context, size_t begin, size_t end)
{
    const row_search *s = context;
    sherd_coarse_level *level = s->level;
    for (size_t row = begin; row < end; ++row) {
        int64_t first = level->row_start[row];
        memcpy(level->neighbour + first, s->found + s->found_start[row],
               (size_t)(level->row_start[row + 1] - first) * sizeof *level->neighbour);
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = s->finer->start[child]; e < s->finer->start[child + 1]; ++e)
                if (level->target[e] >= 0) level->target[e] += first;
        }
    }
}

static void sum_up(int64_t *start, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
        start[k + 1] += start[k];
}

static sherd_status build_rows(sherd_coarse_level *level, const sherd_graph *finer,
                               const int32_t *cluster, const sherd_parallel *parallel,
                               sherd_error *error)
{
    int64_t entries = finer->start[finer->count];
    int64_t *found_start = sherd_alloc((size_t)level->count + 1, sizeof *found_start);
    int32_t *found = sherd_alloc((size_t)entries, sizeof *found);
    level->target_count = entries;
    level->target = sherd_alloc((size_t)entries, sizeof *level->target);
    bool fits = found_start != NULL && found != NULL && level->target != NULL;
    if (fits) {
        for (int32_t k = 0; k < finer->count; ++k)
            if (cluster[k] >= 0)
                found_start[cluster[k] + 1] += finer->start[k + 1] - finer->start[k];
        sum_up(found_start, level->count);
        row_search s = {level, finer, cluster, found_start, found};
        sherd_parallel_for(parallel, (size_t)level->count, CHUNK, find_rows, &s);
        sum_up(level->row_start, level->count);
        level->neighbour =
            sherd_alloc((size_t)level->row_start[level->count], sizeof *level->neighbour);
        level->links = sherd_alloc((size_t)level->row_start[level->count], sizeof *level->links);
        fits = level->neighbour != NULL && level->links != NULL;
        if (fits) sherd_parallel_for(parallel, (size_t)level->count, CHUNK, compact_rows, &s);
    }
    sherd_free(found_start);
    sherd_free(found);
    return fits ? SHERD_OK : sherd_fail_memory(error, "rows of clusters");
}

// ---------------------------------------------------------------- slices

static int32_t row_length(const sherd_coarse_level *level, size_t row)
{
    if (row >= (size_t)level->joined) return 0;
    return (int32_t)(level->row_start[row + 1] - level->row_start[row]);
}

static void compact_slices(sherd_coarse_level *level)
{
    for (size_t s = 0; s < level->stride / SHERD_COARSE_LANES; ++s) {
        int32_t longest = 0;
        for (size_t row = s * SHERD_COARSE_LANES; row < (s + 1) * SHERD_COARSE_LANES; ++row)
            if (row_length(level, row) > longest) longest = row_length(level, row);
        level->slice_start[s + 1] = level->slice_start[s] + longest;
    }
}

static void fill_columns(void *context, size_t begin, size_t end)
{
    sherd_coarse_level *level = context;
    for (size_t s = begin; s < end; ++s)
        for (int32_t slot = level->slice_start[s]; slot < level->slice_start[s + 1]; ++slot)
            for (size_t lane = 0; lane < SHERD_COARSE_LANES; ++lane) {
                size_t row = s * SHERD_COARSE_LANES + lane;
                int32_t k = slot - level->slice_start[s];
                level->column[(size_t)slot * SHERD_COARSE_LANES + lane] =
                    k < row_length(level, row) ? level->neighbour[level->row_start[row] + k]
                                               : (int32_t)row;
            }
}

static sherd_status build_slices(sherd_coarse_level *level, const sherd_parallel *parallel,
                                 sherd_error *error)
{
    size_t slices = level->stride / SHERD_COARSE_LANES;
    level->slice_start = sherd_alloc(slices + 1, sizeof *level->slice_start);
    if (level->slice_start == NULL) return sherd_fail_memory(error, "slices of clusters");
    compact_slices(level);
    size_t places = (size_t)level->slice_start[slices] * SHERD_COARSE_LANES;
    level->column = sherd_alloc(places, sizeof *level->column);
    level->values = sherd_alloc(places, SHERD_COARSE_NUMBERS * sizeof *level->values);
    if (level->column == NULL || level->values == NULL)
        return sherd_fail_memory(error, "slices of clusters");
    sherd_parallel_for(parallel, slices, CHUNK / SHERD_COARSE_LANES, fill_columns, level);
    return SHERD_OK;
}

// ---------------------------------------------------------------- level

static bool allocate(sherd_coarse_level *level)
{
    size_t count = (size_t)level->count, stride = level->stride;
    double *numbers = sherd_alloc(4 * stride, sizeof *numbers);
    for (int c = 0; c < 3; ++c)
        level->centre[c] = numbers != NULL ? numbers + (size_t)c * stride : NULL;
    level->mass = numbers != NULL ? numbers + 3 * stride : NULL;
    level->child_start = sherd_alloc(count + 2, sizeof *level->child_start);
    level->child = sherd_alloc(level->fine_count, sizeof *level->child);
    level->row_start = sherd_alloc(count + 1, sizeof *level->row_start);
    level->parent = sherd_alloc(level->fine_stride, sizeof *level->parent);
    level->offset = sherd_alloc(3 * level->fine_stride, sizeof *level->offset);
    level->ground = sherd_alloc(SHERD_SPRING_NUMBERS * stride, sizeof *level->ground);
    level->smoother = sherd_alloc(SHERD_SPRING_NUMBERS * stride, sizeof *level->smoother);
    level->exact_ground = sherd_alloc(SHERD_SPRING_NUMBERS * stride, sizeof *level->exact_ground);
    level->contact_start = sherd_alloc(stride + 1, sizeof *level->contact_start);
    level->vectors = sherd_alloc((size_t)SHERD_COARSE_VECTORS * 6 * stride, sizeof *level->vectors);
    level->energy = sherd_alloc(stride, sizeof *level->energy);
    level->rows = sherd_alloc(SHERD_COARSE_ROW * stride, sizeof *level->rows);
    return numbers != NULL && level->child_start != NULL && level->child != NULL &&
           level->row_start != NULL && level->parent != NULL && level->offset != NULL &&
           level->ground != NULL && level->exact_ground != NULL && level->smoother != NULL &&
           level->contact_start != NULL && level->vectors != NULL && level->energy != NULL &&
           level->rows != NULL;
}

static void set_parents(sherd_coarse_level *level, const int32_t *cluster)
{
    for (size_t k = 0; k < level->fine_stride; ++k)
        level->parent[k] =
            k < level->fine_count && cluster[k] >= 0 ? cluster[k] : (int32_t)level->stride - 1;
}

sherd_status sherd_coarse_level_build(sherd_coarse_level *level, const sherd_graph *finer,
                                      size_t fine_stride, const int32_t *cluster,
                                      const sherd_clusters *clusters,
                                      const sherd_parallel *parallel, sherd_error *error)
{
    *level = (sherd_coarse_level){.count = clusters->count,
                                  .joined = clusters->joined,
                                  .lasting = clusters->several,
                                  .stride = sherd_node_stride((size_t)clusters->count),
                                  .fine_count = (size_t)finer->count,
                                  .fine_stride = fine_stride};
    if (!allocate(level)) return sherd_fail_memory(error, "a level of clusters");
    list_children(level, cluster);
    SHERD_ASSERT(sherd_rows_follow(level->child_start, (size_t)level->count,
                                   level->child_start[level->count]) &&
                     (size_t)level->child_start[level->count] <= level->fine_count,
                 "no node has two clusters");
    SHERD_ASSERT(sherd_rows_ascend(level->child_start, (size_t)level->count, level->child),
                 "members of a cluster are sorted");
    set_parents(level, cluster);
    sherd_status status = build_rows(level, finer, cluster, parallel, error);
    if (status != SHERD_OK) return status;
    SHERD_ASSERT(sherd_long_rows_follow(level->row_start, (size_t)level->count) &&
                     sherd_indices_below(level->neighbour, (size_t)level->row_start[level->count],
                                         level->count),
                 "neighbours are clusters that there are");
    SHERD_ASSERT(sherd_rows_are_distinct(level->row_start, (size_t)level->count, level->neighbour),
                 "a neighbour is listed once");
    return build_slices(level, parallel, error);
}

void sherd_coarse_level_free(sherd_coarse_level *level)
{
    sherd_free(level->centre[0]);
    sherd_free(level->child_start);
    sherd_free(level->child);
    sherd_free(level->row_start);
    sherd_free(level->neighbour);
    sherd_free(level->target);
    sherd_free(level->links);
    sherd_free(level->parent);
    sherd_free(level->offset);
    sherd_free(level->slice_start);
    sherd_free(level->column);
    sherd_free(level->values);
    sherd_free(level->ground);
    sherd_free(level->exact_ground);
    sherd_free(level->smoother);
    sherd_free(level->contact_start);
    sherd_free(level->contacts);
    sherd_free(level->inverse);
    sherd_free(level->vectors);
    sherd_free(level->energy);
    sherd_free(level->rows);
    *level = (sherd_coarse_level){0};
}

size_t sherd_coarse_level_bytes(const sherd_coarse_level *l)
{
    if (l->slice_start == NULL) return 0;
    size_t count = (size_t)l->count, entries = (size_t)l->row_start[count];
    size_t places = (size_t)l->slice_start[l->stride / SHERD_COARSE_LANES] * SHERD_COARSE_LANES;
    size_t floats = 2 * SHERD_SPRING_NUMBERS + 6 * SHERD_COARSE_VECTORS + SHERD_COARSE_ROW;
    size_t by_node = (5 + SHERD_SPRING_NUMBERS) * sizeof(double) + floats * sizeof(float);
    return l->stride * by_node + l->fine_stride * (4 * sizeof(float)) +
           count * (sizeof *l->row_start + sizeof *l->child_start) +
           l->fine_count * sizeof *l->child + entries * (sizeof *l->neighbour + sizeof *l->links) +
           (size_t)l->target_count * sizeof *l->target +
           places * (sizeof *l->column + SHERD_COARSE_NUMBERS * sizeof *l->values) +
           l->contact_capacity * sizeof *l->contacts;
}
