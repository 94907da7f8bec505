#include "surface/methods/solid/solid_follow.h"

#include "base/memory.h"
#include "surface/partition/key_map.h"
#include "surface/piece/skin_piece.h"

enum { LARGE_PIECE = 20000 }; // vertices; larger pieces are divided among threads

typedef struct follow_job {
    solid_body *b;
    piece_array *pieces;
    const sherd_fragment_view *now;
    int32_t *element; // one element of each piece, in the body, -1: none
    uint8_t *failed;  // (pieces)
} follow_job;

static bool find_elements(follow_job *job, const sherd_fragment_id *own)
{
    const solid_body *b = job->b;
    key_map number = {0};
    bool ok = true;
    for (int32_t k = 0; ok && k < job->pieces->count; ++k) {
        job->element[k] = -1;
        ok = sherd_key_map_insert(&number, (uint64_t)job->pieces->items[k].fragment) == k;
    }
    for (sherd_element_index e = b->count - 1; ok && e >= 0; --e) {
        int32_t k = sherd_key_map_find(&number, (uint64_t)own[e]);
        if (k >= 0) job->element[k] = e;
    }
    sherd_key_map_release(&number);
    return ok;
}

// Fragments only split, so a fragment with the same id and size is unchanged.
static bool follow_piece(const follow_job *job, size_t k, const sherd_parallel *parallel)
{
    solid_body *b = job->b;
    piece *p = &job->pieces->items[k];
    if (job->element[k] < 0) return true;
    sherd_element_index e = b->first + job->element[k];
    const sherd_fragment *f = &job->now->fragments[job->now->element_slot[e]];
    if (f->id == p->followed && f->count == p->followed_count) return true;
    p->followed = f->id;
    p->followed_count = f->count;
    const skin_source source = {&b->partition, f->id, f->count, job->element[k], b->first};
    return sherd_skin_piece(p, &source, parallel);
}

static bool is_large(const follow_job *job, size_t k)
{
    return job->pieces->items[k].mesh->vertex_count > LARGE_PIECE;
}

static void follow_small(void *context, size_t begin, size_t end)
{
    const follow_job *job = context;
    sherd_parallel serial = {1};
    for (size_t k = begin; k < end; ++k)
        if (!is_large(job, k) && !follow_piece(job, k, &serial)) job->failed[k] = 1;
}

bool sherd_solid_follow(solid_body *b, piece_array *pieces, const sherd_fragment_id *own,
                        const sherd_fragment_view *now, const sherd_parallel *parallel)
{
    size_t n = (size_t)pieces->count;
    follow_job job = {b, pieces, now, sherd_alloc(n, sizeof *job.element), sherd_alloc(n, 1)};
    bool ok = job.element != NULL && job.failed != NULL && find_elements(&job, own);
    if (ok) sherd_partition_relabel(&b->partition, now->element_fragment + b->first);
    for (size_t k = 0; ok && k < n; ++k)
        if (is_large(&job, k)) ok = follow_piece(&job, k, parallel);
    if (ok) sherd_parallel_for(parallel, n, 4, follow_small, &job);
    for (size_t k = 0; ok && k < n; ++k)
        ok = !job.failed[k];
    sherd_free(job.element);
    sherd_free(job.failed);
    return ok;
}
