#include "surface/piece/skin_piece.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "surface/piece/skin.h"

enum { CHUNK = 512 };

typedef struct skin_job {
    piece *p;
    const skin_source *source;
    uint8_t *failed; // by chunk: memory was short
} skin_job;

static void skin_vertices(void *context, size_t begin, size_t end)
{
    const skin_job *job = context;
    const skin_source *s = job->source;
    skin_search search = {.partition = s->partition, .label = s->label};
    bool ok = true;
    for (size_t v = begin; ok && v < end; ++v) {
        int32_t *bones = job->p->bones + SKIN_BONES * v;
        float *weights = job->p->weights + SKIN_BONES * v;
        if (s->count == 1)
            sherd_skin_to_one(s->first, bones, weights);
        else
            ok = sherd_skin_vertex(&search, mesh_vertex(job->p->mesh, (int32_t)v), s->first, bones,
                                   weights);
        for (int k = 0; k < SKIN_BONES; ++k)
            bones[k] += s->offset;
    }
    job->failed[begin / CHUNK] = !ok;
    sherd_skin_search_release(&search);
}

bool sherd_skin_piece(piece *p, const skin_source *source, const sherd_parallel *parallel)
{
    size_t n = (size_t)p->mesh->vertex_count, chunks = n / CHUNK + 1;
    if (p->bones == NULL) p->bones = sherd_alloc(SKIN_BONES * n, sizeof *p->bones);
    if (p->weights == NULL) p->weights = sherd_alloc(SKIN_BONES * n, sizeof *p->weights);
    skin_job job = {p, source, sherd_alloc(chunks, 1)};
    bool ok = p->bones != NULL && p->weights != NULL && job.failed != NULL;
    if (ok) sherd_parallel_for(parallel, n, CHUNK, skin_vertices, &job);
    for (size_t k = 0; ok && k < chunks; ++k)
        ok = !job.failed[k];
    sherd_free(job.failed);
    return ok;
}
