#include "surface/methods/cut/cut_build.h"

#include "base/memory.h"
#include "surface/piece/skin_piece.h"

// A coincidental degeneracy vanishes after another perturbation; repeated failures are no
// coincidence.
enum { ATTEMPTS = 3, PIECE_CHUNK = 1, MANY_PIECES = 2000, PIECES_CHUNK = 32, LARGE_PIECE = 20000 };

typedef struct build_job {
    cut_build *b;
    cut_parts parts;
    piece **former;  // previous version of each piece, NULL: none
    uint8_t *wanted; // to be built
    uint8_t *fresh;  // of those: needs attributes and skinning weights
    cut_piece_result *results;
} build_job;

static cut_piece_result make_ball(const cut_build *b, size_t n)
{
    bool ok =
        sherd_piece_ball(&b->pieces[n], b->p, &b->decoration->texture, b->first[n], b->offset);
    return ok ? CUT_PIECE_OK : CUT_PIECE_MEMORY;
}

static void make_meshes(void *context, size_t begin, size_t end)
{
    build_job *job = context;
    cut_piece_scratch scratch = {0};
    for (size_t n = begin; n < end; ++n) {
        if (!job->wanted[n]) continue;
        job->results[n] = sherd_cut_piece_mesh(&job->b->pieces[n], job->b->k, &job->parts,
                                               (int32_t)n, &job->b->slits, &scratch);
        // Treats elements that lie outside their body, and the fragments that they broke off from.
        if (job->results[n] == CUT_PIECE_EMPTY) job->results[n] = make_ball(job->b, n);
    }
    sherd_cut_piece_scratch_release(&scratch);
}

static void drop_meshes(cut_build *b)
{
    for (int32_t n = 0; n < b->piece_count; ++n) {
        piece *p = &b->pieces[n];
        piece empty = {.fragment = p->fragment, .body = p->body, .element_count = p->element_count};
        sherd_piece_release(p);
        *p = empty;
    }
}

static cut_result judge(const build_job *job)
{
    cut_result result = CUT_OK;
    for (int32_t n = 0; n < job->b->piece_count; ++n) {
        if (job->results[n] == CUT_PIECE_MEMORY) return CUT_MEMORY;
        if (job->results[n] != CUT_PIECE_OK) result = CUT_INCONSISTENT;
    }
    return result;
}

// Moves pieces without changes to the new list. A rebuilt mesh that equals the previous one retains
// its version, and its bones too unless its elements changed.
static void reuse_former(build_job *job)
{
    cut_build *b = job->b;
    for (int32_t n = 0; n < b->piece_count; ++n) {
        piece *old = job->former[n], *now = &b->pieces[n];
        job->fresh[n] = job->wanted[n];
        if (old == NULL) continue;
        bool same = !job->wanted[n] || now->fingerprint == old->fingerprint;
        if (same) now->version = old->version;
        if (!same || b->stale[n] || old->followed != 0) continue;
        sherd_element_index count = now->element_count;
        sherd_piece_release(now);
        *now = *old;
        now->element_count = count;
        *old = (piece){0};
        job->fresh[n] = 0;
    }
}

// Computes attributes and skinning weights.
static bool finish_piece(build_job *job, size_t n, const sherd_parallel *parallel)
{
    cut_build *b = job->b;
    piece *p = &b->pieces[n];
    if (p->bones != NULL) return true; // a small ball, which has both (skin_piece.h)
    const skin_source source = {b->p, p->fragment, p->element_count, b->first[n], b->offset};
    return sherd_piece_attributes_add(p->mesh, b->decoration) &&
           (b->rigid || sherd_skin_piece(p, &source, parallel));
}

static bool is_large(const build_job *job, size_t n)
{
    return job->b->pieces[n].mesh->vertex_count > LARGE_PIECE;
}

static void skin_small(void *context, size_t begin, size_t end)
{
    build_job *job = context;
    sherd_parallel serial = {1};
    for (size_t n = begin; n < end; ++n)
        if (job->fresh[n] && !is_large(job, n) && !finish_piece(job, n, &serial))
            job->results[n] = CUT_PIECE_MEMORY;
}

static cut_result finish(build_job *job, const sherd_parallel *parallel)
{
    size_t n = (size_t)job->b->piece_count;
    reuse_former(job);
    for (size_t k = 0; k < n; ++k)
        if (job->fresh[k] && is_large(job, k) && !finish_piece(job, k, parallel)) return CUT_MEMORY;
    sherd_parallel_for(parallel, n, PIECE_CHUNK, skin_small, job);
    return judge(job);
}

// Finds pieces that have faces in the changed parts, or whose elements changed.
static void choose_wanted(build_job *job, const key_map *touched)
{
    const cut_build *b = job->b;
    for (int32_t n = 0; n < b->piece_count; ++n) {
        const piece *old = job->former[n];
        job->wanted[n] = old == NULL || old->followed != 0 || b->stale[n] ||
                         sherd_key_map_find(touched, (uint64_t)b->pieces[n].fragment) >= 0;
    }
}

// A few large pieces occupy all threads; many small ones share memory.
static size_t mesh_chunk(const cut_build *b)
{
    return b->piece_count < MANY_PIECES ? PIECE_CHUNK : PIECES_CHUNK;
}

static cut_result attempt(build_job *job, uint64_t salt, const sherd_parallel *parallel)
{
    cut_build *b = job->b;
    key_map touched = {0};
    if (b->o->salt != salt) sherd_outline_shake(b->o, salt);
    cut_result result = sherd_cut_update(b->k, b->p, b->stale_block, &touched, parallel);
    if (result == CUT_OK) choose_wanted(job, &touched);
    if (result == CUT_OK &&
        !sherd_cut_list_parts(b->k, b->number, job->wanted, b->piece_count, &job->parts))
        result = CUT_MEMORY;
    if (result == CUT_OK) {
        sherd_parallel_for(parallel, (size_t)b->piece_count, mesh_chunk(b), make_meshes, job);
        result = judge(job);
        if (result != CUT_OK) drop_meshes(b);
    }
    sherd_cut_parts_release(&job->parts);
    sherd_key_map_release(&touched);
    return result;
}

static bool begin(build_job *job)
{
    cut_build *b = job->b;
    size_t n = (size_t)b->piece_count;
    job->results = sherd_alloc(n, sizeof *job->results);
    job->wanted = sherd_alloc(n, 1);
    job->fresh = sherd_alloc(n, 1);
    job->former = sherd_alloc(n, sizeof *job->former);
    if (job->results == NULL || job->wanted == NULL || job->fresh == NULL || job->former == NULL)
        return false;
    for (int32_t k = 0; k < b->former_count; ++k) {
        int32_t now = sherd_key_map_find(b->number, (uint64_t)b->former[k].fragment);
        if (now >= 0) job->former[now] = &b->former[k];
    }
    return true;
}

cut_result sherd_cut_build(cut_build *b, const sherd_parallel *parallel)
{
    build_job job = {.b = b};
    cut_result result = begin(&job) ? CUT_INCONSISTENT : CUT_MEMORY;
    for (uint64_t salt = 0; salt < ATTEMPTS && result != CUT_OK && result != CUT_MEMORY; ++salt)
        result = attempt(&job, salt, parallel);
    if (result == CUT_OK) result = finish(&job, parallel);
    sherd_free(job.results);
    sherd_free(job.wanted);
    sherd_free(job.fresh);
    sherd_free(job.former);
    return result == CUT_DEGENERATE ? CUT_INCONSISTENT : result;
}
