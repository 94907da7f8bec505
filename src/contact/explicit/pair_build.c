#include "contact/explicit/pair_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"

#include <string.h>

enum { FEW = 64 }; // pairs that are inserted into a block one by one

// A pair packed into a number, by which pairs are sorted.
typedef uint64_t pair_key;

static inline pair_key key_of(sherd_pair pair)
{
    return (uint64_t)(uint32_t)pair.i << 32 | (uint32_t)pair.j;
}

static inline sherd_element_index lower_of(pair_key key)
{
    return (sherd_element_index)(key >> 32);
}

static inline sherd_element_index upper_of(pair_key key)
{
    return (sherd_element_index)(key & UINT32_MAX);
}

// Scratch of one thread. The set of member elements is a bit set over all elements; `used` marks
// its nonzero words.
typedef struct sherd_pair_builder {
    pair_key *keys; // new pairs of the block, sorted
    size_t key_count, key_capacity;
    pair_key *others; // pairs to add or to keep
    size_t other_count, other_capacity;
    int32_t *slot; // of each new pair
    size_t slot_capacity;
    sherd_contact_history *history; // histories by slot
    uint8_t *touches;
    size_t history_capacity, touches_capacity;
    int32_t next[SHERD_PAIR_BLOCK + 1];
    uint64_t *bits, *used; // all zero between uses (words), (words / 64 + 1)
    int32_t *rank;         // number of members before each word (words)
    size_t word_count;
} builder;

typedef struct build_job {
    sherd_pair_list *list;
    const sherd_pair_search *search;
    const sherd_pair_source *source;
    // Pairs to add or to restore, sorted:
    const sherd_pair *pairs;
    size_t pair_count;
    const uint8_t *state;
    const sherd_contact_history *history;
    const size_t *history_start; // of each block
} build_job;

// ---------------------------------------------------------------- scratch

void sherd_pair_builders_free(sherd_pair_list *list)
{
    for (int t = 0; t < list->builder_count; ++t) {
        builder *b = &list->builders[t];
        void *arrays[] = {b->keys,    b->others, b->slot, b->history,
                          b->touches, b->bits,   b->used, b->rank};
        for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
            sherd_free(arrays[a]);
    }
    sherd_free(list->builders);
    list->builders = NULL;
    list->builder_count = 0;
}

size_t sherd_pair_builders_bytes(const sherd_pair_list *list)
{
    size_t bytes = 0;
    for (int t = 0; t < list->builder_count; ++t) {
        const builder *b = &list->builders[t];
        bytes += sizeof *b + (b->key_capacity + b->other_capacity) * sizeof(pair_key) +
                 b->slot_capacity * sizeof(int32_t) + b->touches_capacity +
                 b->history_capacity * sizeof(sherd_contact_history) +
                 b->word_count * (sizeof *b->bits + sizeof *b->rank) + b->word_count / 8;
    }
    return bytes;
}

static bool make_builders(build_job *job)
{
    sherd_pair_list *list = job->list;
    if (list->builders != NULL) return true;
    size_t words = ((size_t)job->source->element_count + 63) / 64;
    int threads = sherd_parallel_threads(job->source->parallel);
    list->builders = sherd_alloc((size_t)threads, sizeof *list->builders);
    if (list->builders == NULL) return false;
    list->builder_count = threads;
    for (int t = 0; t < threads; ++t) {
        builder *b = &list->builders[t];
        b->word_count = words;
        b->bits = sherd_alloc(words, sizeof *b->bits);
        b->used = sherd_alloc(words / 64 + 1, sizeof *b->used);
        b->rank = sherd_alloc(words, sizeof *b->rank);
        if (b->bits == NULL || b->used == NULL || b->rank == NULL) return false;
    }
    return true;
}

static bool make_blocks(sherd_pair_list *list, sherd_element_index element_count)
{
    if (list->blocks != NULL) return true;
    int32_t count = (element_count + SHERD_PAIR_BLOCK - 1) / SHERD_PAIR_BLOCK;
    if (list->stages.reached == NULL && !sherd_stages_create(&list->stages, (size_t)count))
        return false;
    if (!sherd_pair_routing_resize(&list->halos, count)) return false;
    list->blocks = sherd_alloc((size_t)count, sizeof *list->blocks);
    if (list->blocks == NULL) return false;
    list->block_count = count;
    return true;
}

// ---------------------------------------------------------------- new pairs of a block

static pair_key old_key(const sherd_pair_block *block, int32_t row, int32_t at)
{
    return key_of((sherd_pair){block->member[row], block->member[block->partner[at]]});
}

static bool push_other(builder *b, pair_key key)
{
    if (!sherd_grow((void **)&b->others, &b->other_capacity, b->other_count + 1, sizeof *b->others))
        return false;
    b->others[b->other_count++] = key;
    return true;
}

// Pairs among elements that were left out of the search stay.
static bool find_kept(const build_job *job, const sherd_pair_block *block, builder *b)
{
    const double *margin = job->source->margin;
    b->other_count = 0;
    for (int32_t row = 0; row < block->own_count; ++row) {
        if (margin[block->member[row]] != INFINITY) continue;
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at)
            if (margin[block->member[block->partner[at]]] == INFINITY &&
                !push_other(b, old_key(block, row, at)))
                return false;
    }
    return true;
}

// Sorted sequences of pairs that go into a block.
typedef struct pair_run {
    const sherd_pair *pairs;
    size_t count;
} pair_run;

static pair_run incoming_run(const build_job *job, const sherd_pair_route *route)
{
    return (pair_run){job->search->found[route->from].pairs + route->begin,
                      (size_t)(route->end - route->begin)};
}

static pair_run own_run(const build_job *job, int32_t number)
{
    const sherd_pair_found *found = &job->search->found[number];
    if (found->count == found->own) return (pair_run){NULL, 0}; // the array may be NULL
    return (pair_run){found->pairs + found->own, found->count - found->own};
}

static void count_run(builder *b, pair_run run, sherd_element_index first)
{
    for (size_t c = 0; c < run.count; ++c)
        ++b->next[run.pairs[c].i - first];
}

static void scatter_run(builder *b, pair_run run, sherd_element_index first)
{
    for (size_t c = 0; c < run.count; ++c)
        b->keys[b->next[run.pairs[c].i - first]++] = key_of(run.pairs[c]);
}

// Insertion sort for few pairs.
static void sort_few(pair_key *keys, int32_t count)
{
    for (int32_t a = 1; a < count; ++a) {
        pair_key moving = keys[a];
        int32_t c = a;
        for (; c > 0 && keys[c - 1] > moving; --c)
            keys[c] = keys[c - 1];
        keys[c] = moving;
    }
}

// Sorts all pairs that were found for a block or stay listed: counting sort by i, then each row by
// j.
static bool collect(const build_job *job, int32_t number, builder *b)
{
    sherd_element_index first = number * SHERD_PAIR_BLOCK;
    const sherd_pair_routing *routing = &job->search->routing;
    const sherd_pair_route *in = routing->in + routing->in_start[number];
    int32_t in_count = routing->in_start[number + 1] - routing->in_start[number];
    if (!find_kept(job, &job->list->blocks[number], b)) return false;
    memset(b->next, 0, sizeof b->next);
    count_run(b, own_run(job, number), first);
    for (int32_t r = 0; r < in_count; ++r)
        count_run(b, incoming_run(job, &in[r]), first);
    for (size_t c = 0; c < b->other_count; ++c)
        ++b->next[lower_of(b->others[c]) - first];
    int32_t sum = 0;
    for (int32_t k = 0; k <= SHERD_PAIR_BLOCK; ++k) {
        int32_t count = b->next[k];
        b->next[k] = sum;
        sum += count;
    }
    b->key_count = (size_t)sum;
    if (!sherd_grow((void **)&b->keys, &b->key_capacity, b->key_count, sizeof *b->keys))
        return false;
    scatter_run(b, own_run(job, number), first);
    for (int32_t r = 0; r < in_count; ++r)
        scatter_run(b, incoming_run(job, &in[r]), first);
    for (size_t c = 0; c < b->other_count; ++c)
        b->keys[b->next[lower_of(b->others[c]) - first]++] = b->others[c];
    for (int32_t k = 0; k < SHERD_PAIR_BLOCK; ++k) {
        int32_t begin = k > 0 ? b->next[k - 1] : 0;
        sort_few(b->keys + begin, b->next[k] - begin);
    }
    return true;
}

// Copies the slots of pairs that stay; slots of removed pairs become free.
static bool carry_slots(builder *b, sherd_pair_block *block)
{
    if (!sherd_grow((void **)&b->slot, &b->slot_capacity, b->key_count, sizeof *b->slot))
        return false;
    size_t c = 0;
    block->sums = (sherd_contact_sums){.touching = 0};
    for (int32_t row = 0; row < block->own_count; ++row) {
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at) {
            int32_t slot = block->slot[at];
            if (slot < 0) continue;
            pair_key key = old_key(block, row, at);
            while (c < b->key_count && b->keys[c] < key)
                b->slot[c++] = -1;
            if (c < b->key_count && b->keys[c] == key) {
                b->slot[c++] = slot;
                block->sums.touching += block->touches[slot] != SHERD_TOUCH_NONE;
                continue;
            }
            block->history[slot] = (sherd_contact_history){.rest_overlap = 0.0};
            sherd_pair_block_release_slot(block, slot);
        }
    }
    while (c < b->key_count)
        b->slot[c++] = -1;
    return true;
}

// ---------------------------------------------------------------- members

// Bit count that needs no special instruction.
static inline int32_t count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static inline void note_member(builder *b, sherd_element_index k)
{
    b->bits[k / 64] |= UINT64_C(1) << (k % 64);
    b->used[k / 4096] |= UINT64_C(1) << (k / 64 % 64);
}

static inline int32_t local_number(const builder *b, sherd_element_index k)
{
    uint64_t below = b->bits[k / 64] & ((UINT64_C(1) << (k % 64)) - 1);
    return b->rank[k / 64] + count_bits(below);
}

// Assigns ranks to the words from the one of element `first` to that of `last`. Returns the number
// of members.
static int32_t rank_members(builder *b, sherd_element_index first, sherd_element_index last)
{
    int32_t count = 0;
    for (int32_t group = first / 4096; group <= last / 4096; ++group)
        for (uint64_t words = b->used[group]; words != 0; words &= words - 1) {
            int32_t word = group * 64 + __builtin_ctzll(words);
            b->rank[word] = count;
            count += count_bits(b->bits[word]);
        }
    return count;
}

// Lists the members and clears the set. Returns how many are below `end`.
static int32_t list_members(builder *b, sherd_element_index first, sherd_element_index last,
                            int64_t end, sherd_element_index *member)
{
    int32_t count = 0, own = 0;
    for (int32_t group = first / 4096; group <= last / 4096; ++group) {
        for (uint64_t words = b->used[group]; words != 0; words &= words - 1) {
            int32_t word = group * 64 + __builtin_ctzll(words);
            for (uint64_t bits = b->bits[word]; bits != 0; bits &= bits - 1)
                member[count++] = word * 64 + __builtin_ctzll(bits);
            if (word * 64 < end) own = count;
            b->bits[word] = 0;
        }
        b->used[group] = 0;
    }
    return own;
}

// Cuts one allocation into the block's lists, with padding for vector reads past their ends, and
// spare room for added pairs.
static bool reserve_numbers(sherd_pair_block *block, size_t members, size_t rows, size_t count)
{
    size_t pairs = count + count / 8 + SHERD_PAIR_PADDING;
    size_t needed = members + rows + 1 + 2 * pairs + 4 * SHERD_PAIR_PADDING;
    if (needed > block->number_capacity) {
        sherd_free(block->numbers);
        block->number_capacity = 0;
        block->numbers = sherd_alloc(needed + needed / 8, sizeof *block->numbers);
        if (block->numbers == NULL) return false;
        block->number_capacity = needed + needed / 8;
    }
    block->member = block->numbers;
    block->start = block->member + members + SHERD_PAIR_PADDING;
    block->partner = block->start + rows + 1 + SHERD_PAIR_PADDING;
    block->slot = block->partner + pairs + SHERD_PAIR_PADDING;
    block->pair_capacity = (int32_t)pairs;
    return true;
}

static void pad(int32_t *numbers, int32_t count, int32_t with)
{
    for (int k = 0; k < SHERD_PAIR_PADDING; ++k)
        numbers[count + k] = with;
}

static bool list_halo(sherd_pair_list *list, int32_t number)
{
    sherd_pair_block *block = &list->blocks[number];
    size_t halo = (size_t)(block->member_count - block->own_count);
    if (halo > block->halo_capacity) {
        sherd_free(block->halo_load);
        sherd_free(block->halo_touching);
        block->halo_capacity = 0;
        block->halo_load = sherd_alloc((halo + halo / 8) * SHERD_PAIR_LOAD, sizeof(double));
        block->halo_touching = sherd_alloc(halo + halo / 8, sizeof *block->halo_touching);
        if (block->halo_load == NULL || block->halo_touching == NULL) return false;
        block->halo_capacity = halo + halo / 8;
    }
    sherd_pair_routing_clear(&list->halos, number);
    for (int32_t m = block->own_count, first; m < block->member_count;) {
        int32_t to = sherd_pair_block_of(block->member[m]);
        for (first = m; m < block->member_count && sherd_pair_block_of(block->member[m]) == to;)
            ++m;
        if (!sherd_pair_routing_add(
                &list->halos,
                (sherd_pair_route){number, to, first - block->own_count, m - block->own_count}))
            return false;
    }
    return true;
}

static void clear_block(sherd_pair_list *list, int32_t number)
{
    sherd_pair_block *block = &list->blocks[number];
    block->pair_count = block->own_count = block->member_count = 0;
    block->loaded = false;
    sherd_pair_routing_clear(&list->halos, number);
}

// Replaces the pairs of the block by b->keys.
static bool adopt(sherd_pair_list *list, int32_t number, builder *b)
{
    sherd_pair_block *block = &list->blocks[number];
    if (!carry_slots(b, block)) return false;
    clear_block(list, number);
    if (b->key_count == 0) return true;
    if (b->key_count > INT32_MAX / 4) return false;
    sherd_element_index first = lower_of(b->keys[0]), last = first;
    for (size_t c = 0; c < b->key_count; ++c) {
        sherd_element_index j = upper_of(b->keys[c]);
        note_member(b, lower_of(b->keys[c]));
        note_member(b, j);
        last = j > last ? j : last;
    }
    int32_t members = rank_members(b, first, last), pairs = (int32_t)b->key_count, row = 0;
    int32_t rows = members < SHERD_PAIR_BLOCK ? members : SHERD_PAIR_BLOCK; // at most
    if (!reserve_numbers(block, (size_t)members, (size_t)rows, b->key_count)) return false;
    for (int32_t c = 0; c < pairs; ++c) {
        for (int32_t i = local_number(b, lower_of(b->keys[c])); row <= i; ++row)
            block->start[row] = c;
        block->partner[c] = local_number(b, upper_of(b->keys[c]));
        block->slot[c] = b->slot[c];
    }
    int64_t end = ((int64_t)number + 1) * SHERD_PAIR_BLOCK;
    block->own_count = list_members(b, first, last, end, block->member);
    for (; row <= block->own_count; ++row)
        block->start[row] = pairs;
    block->member_count = members;
    block->pair_count = pairs;
    pad(block->member, members, block->member[0]); // never consecutive with the last member
    pad(block->partner, pairs, 0);
    pad(block->slot, pairs, -1);
    return list_halo(list, number);
}

// ---------------------------------------------------------------- rest overlap

// Overlap of a pair at present, 0 if they do not overlap.
static double overlap_of(const sherd_points *e, sherd_element_index i, sherd_element_index j)
{
    double distance = vec3_distance(sherd_point_position(e, i), sherd_point_position(e, j));
    return fmax(0.0, sherd_point_radius(e, i) + sherd_point_radius(e, j) - distance);
}

static bool set_rest_overlap(sherd_pair_block *block, int32_t at, double overlap)
{
    if (block->slot[at] < 0) {
        if (overlap == 0.0) return true;
        if (!sherd_pair_block_reserve(block, 1)) return false;
        block->slot[at] = sherd_pair_block_allocate_slot(block);
    }
    block->history[block->slot[at]].rest_overlap = overlap;
    return true;
}

static bool set_all_rest_overlaps(sherd_pair_block *block, const sherd_points *e)
{
    for (int32_t row = 0; row < block->own_count; ++row)
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at)
            if (!set_rest_overlap(
                    block, at,
                    overlap_of(e, block->member[row], block->member[block->partner[at]])))
                return false;
    return true;
}

// ---------------------------------------------------------------- replacing all pairs

// Sorts histories into the order in which they are read.
static bool tidy_slots(builder *b, sherd_pair_block *block)
{
    size_t used = (size_t)(block->slot_count - block->free_count);
    if (block->slot_count == 0) return true;
    return sherd_grow((void **)&b->history, &b->history_capacity, used, sizeof *b->history) &&
           sherd_grow((void **)&b->touches, &b->touches_capacity, used, 1) &&
           sherd_pair_block_tidy(block, b->history, b->touches);
}

static void replace_block(void *context, size_t begin, size_t end)
{
    build_job *job = context;
    (void)end;
    int32_t number = (int32_t)begin;
    builder *b = &job->list->builders[sherd_parallel_worker()];
    sherd_pair_block *block = &job->list->blocks[number];
    bool fits =
        collect(job, number, b) && adopt(job->list, number, b) && tidy_slots(b, block) &&
        (!job->source->at_rest_overlap || set_all_rest_overlaps(block, job->source->points));
    block->failed |= !fits;
}

// Runs `body` for every block and exchanges the pairs that blocks found for each other.
static sherd_status run_blocks(build_job *job, sherd_chunk_function *body, sherd_error *error)
{
    sherd_pair_list *list = job->list;
    bool fits = make_blocks(list, job->source->element_count) && make_builders(job);
    if (fits) sherd_parallel_for(job->source->parallel, (size_t)list->block_count, 1, body, job);
    for (int32_t b = 0; b < list->block_count && fits; ++b)
        fits = !list->blocks[b].failed;
    fits = fits && sherd_pair_routing_collect(&list->halos);
    if (fits) return SHERD_OK;
    sherd_pair_builders_free(list); // they may be incomplete
    return sherd_fail_memory(error, "contact pairs");
}

sherd_status sherd_pair_list_replace(sherd_pair_list *list, const sherd_pair_search *search,
                                     const sherd_pair_source *source, sherd_error *error)
{
    build_job job = {.list = list, .search = search, .source = source};
    return run_blocks(&job, replace_block, error);
}

// ---------------------------------------------------------------- adding pairs

// The first of the job's pairs whose lower end is at least `k`.
static size_t first_from(const build_job *job, int64_t k)
{
    size_t low = 0, high = job->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (job->pairs[middle].i < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static pair_run run_of_block(const build_job *job, int32_t number)
{
    int64_t first = (int64_t)number * SHERD_PAIR_BLOCK;
    size_t begin = first_from(job, first), end = first_from(job, first + SHERD_PAIR_BLOCK);
    return (pair_run){job->pairs + begin, end - begin};
}

// Merges the block's pairs with those of the sequence, without duplicates.
static bool merge(const sherd_pair_block *block, pair_run run, builder *b)
{
    size_t max_count = (size_t)block->pair_count + run.count, c = 0;
    if (!sherd_grow((void **)&b->keys, &b->key_capacity, max_count, sizeof *b->keys)) return false;
    b->key_count = 0;
    for (int32_t row = 0; row < block->own_count; ++row) {
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at) {
            pair_key key = old_key(block, row, at);
            for (; c < run.count && key_of(run.pairs[c]) < key; ++c)
                b->keys[b->key_count++] = key_of(run.pairs[c]);
            c += c < run.count && key_of(run.pairs[c]) == key;
            b->keys[b->key_count++] = key;
        }
    }
    for (; c < run.count; ++c)
        b->keys[b->key_count++] = key_of(run.pairs[c]);
    return true;
}

// Sets rest overlaps of a sequence of pairs that are all in the block.
static bool set_run_rest_overlaps(sherd_pair_block *block, pair_run run, const sherd_points *e)
{
    size_t c = 0;
    for (int32_t row = 0; row < block->own_count && c < run.count; ++row) {
        for (int32_t at = block->start[row]; at < block->start[row + 1] && c < run.count; ++at) {
            if (old_key(block, row, at) != key_of(run.pairs[c])) continue;
            double overlap = overlap_of(e, run.pairs[c].i, run.pairs[c].j);
            if (!set_rest_overlap(block, at, overlap)) return false;
            ++c;
        }
    }
    return true;
}

// Local index of an element among members begin .. end - 1, or -1.
static int32_t find_member(const sherd_pair_block *block, int32_t begin, int32_t end,
                           sherd_element_index k)
{
    while (begin < end) {
        int32_t middle = begin + (end - begin) / 2;
        if (block->member[middle] == k) return middle;
        if (block->member[middle] < k)
            begin = middle + 1;
        else
            end = middle;
    }
    return -1;
}

static void make_gap(int32_t *numbers, int32_t at, int32_t count)
{
    memmove(numbers + at + 1, numbers + at, (size_t)(count - at) * sizeof *numbers);
}

// Inserts one pair in sorted order if there is room and both ends are members. Returns its index,
// or -1.
static int32_t insert(sherd_pair_block *block, sherd_pair pair)
{
    int32_t i = find_member(block, 0, block->own_count, pair.i);
    int32_t j = find_member(block, 0, block->member_count, pair.j);
    if (i < 0 || j < 0) return -1;
    int32_t at = block->start[i];
    while (at < block->start[i + 1] && block->partner[at] < j)
        ++at;
    if (at < block->start[i + 1] && block->partner[at] == j) return at;
    if (block->pair_count == block->pair_capacity) return -1;
    // Values behind the last pair are padding and may be read.
    make_gap(block->partner, at, block->pair_count + SHERD_PAIR_PADDING - 1);
    make_gap(block->slot, at, block->pair_count + SHERD_PAIR_PADDING - 1);
    block->partner[at] = j;
    block->slot[at] = -1;
    ++block->pair_count;
    for (int32_t row = i + 1; row <= block->own_count; ++row)
        ++block->start[row];
    return at;
}

// Inserts a few pairs in place. True if all could be inserted.
static bool insert_few(sherd_pair_block *block, pair_run run, const sherd_pair_source *source)
{
    if (run.count > FEW || block->pair_count == 0) return false;
    for (size_t c = 0; c < run.count; ++c) {
        int32_t at = insert(block, run.pairs[c]);
        if (at < 0) return false;
        if (!source->at_rest_overlap) continue;
        double overlap = overlap_of(source->points, run.pairs[c].i, run.pairs[c].j);
        if (!set_rest_overlap(block, at, overlap)) return false;
    }
    return true;
}

static void add_to_block(void *context, size_t begin, size_t end)
{
    build_job *job = context;
    (void)end;
    int32_t number = (int32_t)begin;
    pair_run run = run_of_block(job, number);
    if (run.count == 0) return;
    sherd_pair_block *block = &job->list->blocks[number];
    if (insert_few(block, run, job->source)) return;
    builder *b = &job->list->builders[sherd_parallel_worker()];
    bool fits = merge(block, run, b);
    if (fits && b->key_count > (size_t)block->pair_count) fits = adopt(job->list, number, b);
    if (fits && job->source->at_rest_overlap)
        fits = set_run_rest_overlaps(block, run, job->source->points);
    block->failed |= !fits;
}

// Without duplicates.
static bool sort_pairs(sherd_pair *pairs, size_t *count)
{
    sherd_sort_pair *keys = sherd_alloc(*count, sizeof *keys);
    if (keys == NULL) return false;
    for (size_t c = 0; c < *count; ++c)
        keys[c].key = key_of(pairs[c]);
    bool sorted = sherd_sort_pairs(keys, *count);
    size_t kept = 0;
    for (size_t c = 0; sorted && c < *count; ++c)
        if (c == 0 || keys[c].key != keys[c - 1].key)
            pairs[kept++] = (sherd_pair){lower_of(keys[c].key), upper_of(keys[c].key)};
    *count = kept;
    sherd_free(keys);
    return sorted;
}

sherd_status sherd_pair_list_add(sherd_pair_list *list, sherd_pair *pairs, size_t count,
                                 const sherd_pair_source *source, sherd_error *error)
{
    if (!sort_pairs(pairs, &count)) return sherd_fail_memory(error, "contact pairs");
    build_job job = {.list = list, .source = source, .pairs = pairs, .pair_count = count};
    return run_blocks(&job, add_to_block, error);
}

// ---------------------------------------------------------------- restoring

static bool restore_slots(const build_job *job, sherd_pair_block *block, pair_run run)
{
    const uint8_t *state = job->state + (run.pairs - job->pairs);
    const sherd_contact_history *history =
        job->history + job->history_start[block - job->list->blocks];
    for (size_t c = 0; c < run.count; ++c) {
        if (state[c] == 0) continue;
        if (!sherd_pair_block_reserve(block, 1)) return false;
        int32_t slot = sherd_pair_block_allocate_slot(block);
        block->slot[c] = slot;
        block->history[slot] = *history++;
        block->touches[slot] = (uint8_t)sherd_touch_of_state(state[c]);
        block->sums.touching += block->touches[slot] != SHERD_TOUCH_NONE;
    }
    return true;
}

static void restore_block(void *context, size_t begin, size_t end)
{
    build_job *job = context;
    (void)end;
    int32_t number = (int32_t)begin;
    pair_run run = run_of_block(job, number);
    sherd_pair_block *block = &job->list->blocks[number];
    builder *b = &job->list->builders[sherd_parallel_worker()];
    bool fits = sherd_grow((void **)&b->keys, &b->key_capacity, run.count, sizeof *b->keys);
    b->key_count = 0;
    for (size_t c = 0; c < run.count && fits; ++c)
        b->keys[b->key_count++] = key_of(run.pairs[c]);
    // First removes all pairs and their histories.
    size_t count = b->key_count;
    b->key_count = 0;
    fits = fits && adopt(job->list, number, b);
    b->key_count = count;
    fits = fits && adopt(job->list, number, b) && restore_slots(job, block, run);
    block->failed |= !fits;
}

sherd_status sherd_pair_list_restore(sherd_pair_list *list, const sherd_pair *pairs,
                                     const uint8_t *state, const sherd_contact_history *history,
                                     size_t count, const sherd_pair_source *source,
                                     sherd_error *error)
{
    if (!make_blocks(list, source->element_count)) return sherd_fail_memory(error, "contact pairs");
    size_t starts = (size_t)list->block_count + 1;
    if (!sherd_grow((void **)&list->starts, &list->start_capacity, starts, sizeof *list->starts))
        return sherd_fail_memory(error, "contact pairs");
    size_t *start = list->starts;
    memset(start, 0, starts * sizeof *start);
    for (size_t c = 0; c < count; ++c)
        start[sherd_pair_block_of(pairs[c].i) + 1] += state[c] != 0;
    for (int32_t b = 0; b < list->block_count; ++b)
        start[b + 1] += start[b];
    build_job job = {.list = list,
                     .source = source,
                     .pairs = pairs,
                     .pair_count = count,
                     .state = state,
                     .history = history,
                     .history_start = start};
    return run_blocks(&job, restore_block, error);
}
