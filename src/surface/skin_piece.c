#include "surface/skin_piece.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"
#include "surface/skin.h"

typedef struct skin_job {
    piece *p;
    const skin_source *source;
} skin_job;

static void skin_vertices(void *context, size_t begin, size_t end)
{
    const skin_job *job = context;
    const skin_source *s = job->source;
    for (size_t v = begin; v < end; ++v) {
        int32_t *bones = job->p->bones + SKIN_BONES * v;
        float *weights = job->p->weights + SKIN_BONES * v;
        if (s->count == 1)
            sherd_skin_to_one(s->first, bones, weights);
        else
            sherd_skin_vertex(s->partition, s->label, mesh_vertex(job->p->mesh, (int32_t)v),
                              s->first, bones, weights);
        for (int k = 0; k < SKIN_BONES; ++k)
            bones[k] += s->offset;
    }
}

bool sherd_skin_piece(piece *p, const skin_source *source, const sherd_parallel *parallel)
{
    size_t n = (size_t)p->mesh->vertex_count;
    if (p->bones == NULL) p->bones = sherd_alloc(SKIN_BONES * n, sizeof *p->bones);
    if (p->weights == NULL) p->weights = sherd_alloc(SKIN_BONES * n, sizeof *p->weights);
    if (p->bones == NULL || p->weights == NULL) return false;
    skin_job job = {p, source};
    sherd_parallel_for(parallel, n, 512, skin_vertices, &job);
    return true;
}
