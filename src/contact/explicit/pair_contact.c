#include "contact/explicit/pair_contact.h"

#include "base/cpu.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// ---------------------------------------------------------------- scratch

static void free_scratch(sherd_pair_scratch *s)
{
    void *arrays[] = {s->x,       s->y,    s->z,        s->radius, s->asleep, s->row_of, s->local,
                      s->element, s->rows, s->material, s->active, s->end_i,  s->end_j,  s->slot};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
    *s = (sherd_pair_scratch){0};
}

static bool make_scratch(sherd_pair_scratch *s, size_t members, size_t pairs)
{
    free_scratch(s);
    double **columns[] = {&s->x, &s->y, &s->z, &s->radius};
    int32_t **numbers[] = {&s->row_of, &s->local, &s->element};
    int32_t **lists[] = {&s->active, &s->end_i, &s->end_j, &s->slot};
    bool fits = true;
    for (int a = 0; a < 4; ++a) {
        fits &= (*columns[a] = sherd_alloc(members, sizeof(double))) != NULL;
        fits &= (*lists[a] = sherd_alloc(pairs, sizeof(int32_t))) != NULL;
    }
    for (int a = 0; a < 3; ++a)
        fits &= (*numbers[a] = sherd_alloc(members, sizeof(int32_t))) != NULL;
    s->rows = sherd_alloc(members * SHERD_PAIR_ROW, sizeof(double));
    s->material = sherd_alloc(members, sizeof *s->material);
    s->asleep = sherd_alloc(members, sizeof *s->asleep);
    if (!fits || s->rows == NULL || s->material == NULL || s->asleep == NULL) return false;
    s->member_capacity = members;
    s->pair_capacity = pairs;
    return true;
}

sherd_status sherd_pair_workspace_prepare(sherd_pair_workspace *workspace,
                                          const sherd_pair_list *list,
                                          const sherd_parallel *parallel, sherd_error *error)
{
    if (workspace->scratch == NULL) {
        size_t threads = (size_t)sherd_parallel_threads(parallel);
        workspace->scratch = sherd_alloc(threads, sizeof *workspace->scratch);
        if (workspace->scratch == NULL) return sherd_fail_memory(error, "contacts");
        workspace->count = (int)threads;
    }
    size_t members = 0, pairs = 0;
    for (int32_t b = 0; b < list->block_count; ++b) {
        const sherd_pair_block *block = &list->blocks[b];
        if (block->failed) return sherd_fail_memory(error, "contacts"); // in the last pass
        members = (size_t)block->member_count > members ? (size_t)block->member_count : members;
        pairs = (size_t)block->pair_count > pairs ? (size_t)block->pair_count : pairs;
    }
    if (pairs == 0) return SHERD_OK;
    for (int t = 0; t < workspace->count; ++t) {
        sherd_pair_scratch *s = &workspace->scratch[t];
        if (s->member_capacity >= members + SHERD_PAIR_PADDING &&
            s->pair_capacity >= pairs + SHERD_PAIR_PADDING)
            continue;
        if (!make_scratch(s, members + members / 8 + SHERD_PAIR_PADDING,
                          pairs + pairs / 8 + SHERD_PAIR_PADDING))
            return sherd_fail_memory(error, "contacts");
    }
    return SHERD_OK;
}

void sherd_pair_workspace_free(sherd_pair_workspace *workspace)
{
    for (int t = 0; t < workspace->count; ++t)
        free_scratch(&workspace->scratch[t]);
    sherd_free(workspace->scratch);
    *workspace = (sherd_pair_workspace){0};
}

size_t sherd_pair_workspace_bytes(const sherd_pair_workspace *workspace)
{
    const size_t member =
        (4 + SHERD_PAIR_ROW) * sizeof(double) + 3 * sizeof(int32_t) + sizeof(uint16_t) + 1;
    size_t bytes = (size_t)workspace->count * sizeof *workspace->scratch;
    for (int t = 0; t < workspace->count; ++t)
        bytes += workspace->scratch[t].member_capacity * member +
                 workspace->scratch[t].pair_capacity * 4 * sizeof(int32_t);
    return bytes;
}

// ---------------------------------------------------------------- force pass

typedef struct pass {
    const sherd_pair_job *job;
    sherd_pair_kernel kernel;
} pass;

static sherd_pair_kernel widest_kernel(void)
{
    sherd_simd level = sherd_cpu_level();
    return (sherd_pair_kernel){SHERD_KERNEL_AT(level, sherd_pair_find),
                               SHERD_KERNEL_AT(level, sherd_pair_evaluate)};
}

// Pairs to evaluate need a slot for their history.
static bool give_slots(sherd_pair_block *block, const sherd_pair_scratch *s, int32_t count)
{
    int32_t without = 0;
    for (int32_t a = 0; a < count; ++a) {
        s->slot[a] = block->slot[s->active[a]];
        without += s->slot[a] < 0;
    }
    if (!sherd_pair_block_reserve(block, without)) return false;
    for (int32_t a = 0; a < count && without > 0; ++a) {
        if (s->slot[a] >= 0) continue;
        s->slot[a] = block->slot[s->active[a]] = sherd_pair_block_allocate_slot(block);
        --without;
    }
    return true;
}

static void repeat_last(const sherd_pair_scratch *s, int32_t count)
{
    for (int32_t a = count; a < count + SHERD_PAIR_PADDING; ++a) {
        s->active[a] = s->active[count - 1];
        s->end_i[a] = s->end_i[count - 1];
        s->end_j[a] = s->end_j[count - 1];
        s->slot[a] = s->slot[count - 1];
    }
}

// Elements that no pair of their own block touches are not counted there.
static void clear_counts(const sherd_pair_job *job, size_t block)
{
    size_t first = block * SHERD_PAIR_BLOCK, remaining = (size_t)job->points->count - first;
    memset(job->law.counts.now + first, 0,
           remaining < SHERD_PAIR_BLOCK ? remaining : SHERD_PAIR_BLOCK);
}

static void evaluate_block(const pass *p, size_t b)
{
    const sherd_pair_job *job = p->job;
    clear_counts(job, b);
    sherd_pair_block *block = &job->list->blocks[b];
    sherd_pair_scratch *scratch = &job->scratch[sherd_parallel_worker()];
    int32_t count = 0;
    if (block->pair_count > 0) count = p->kernel.find(&job->law, block, job->points, scratch);
    if (!give_slots(block, scratch, count)) block->failed = true, count = 0;
    block->loaded = count > 0;
    if (!block->loaded) {
        block->sums = (sherd_contact_sums){.touching = 0};
        return;
    }
    repeat_last(scratch, count);
    p->kernel.evaluate(&job->law, block, job->points, scratch, count);
}

// Adds what other blocks computed for elements of this one.
static void add_halo(const sherd_pair_job *job, const sherd_pair_block *from,
                     const sherd_pair_route *route)
{
    sherd_points *e = job->points;
    for (int32_t h = route->begin; h < route->end; ++h) {
        sherd_element_index k = from->member[from->own_count + h];
        sherd_contact_count_add(&job->law.counts.now[k], from->halo_touching[h]);
        if (e->asleep[k]) continue; // it does not move, and its support gets the load
        const double *load = from->halo_load + SHERD_PAIR_LOAD * (size_t)h;
        sherd_point_add_loads(e, k, load);
    }
}

static void collect_block(const pass *p, size_t b)
{
    const sherd_pair_list *list = p->job->list;
    sherd_stages_await(&list->stages, b, SHERD_PAIR_EVALUATED);
    for (int32_t r = list->halos.in_start[b]; r < list->halos.in_start[b + 1]; ++r) {
        const sherd_pair_route *route = &list->halos.in[r];
        sherd_stages_await(&list->stages, (size_t)route->from, SHERD_PAIR_EVALUATED);
        if (list->blocks[route->from].loaded) add_halo(p->job, &list->blocks[route->from], route);
    }
}

static void run_turn(void *context, size_t block, int turn)
{
    const pass *p = context;
    if (turn == 1) {
        collect_block(p, block);
        return;
    }
    evaluate_block(p, block);
    sherd_stages_reach(&p->job->list->stages, block, SHERD_PAIR_EVALUATED);
}

sherd_contact_sums sherd_pair_apply(const sherd_pair_job *job)
{
    sherd_pair_list *list = job->list;
    size_t blocks = (size_t)list->block_count;
    pass p = {job, job->kernel != NULL ? *job->kernel : widest_kernel()};
    sherd_stages_begin(&list->stages);
    sherd_parallel_turns(job->parallel, blocks, 2, run_turn, &p);
    sherd_contact_sums total = {.touching = 0};
    for (size_t b = 0; b < blocks; ++b)
        contact_sums_add(&total, &list->blocks[b].sums);
    return total;
}
