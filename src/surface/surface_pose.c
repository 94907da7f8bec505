// Pieces of all bodies, and carrying their vertices to where elements are.
#include "surface/surface_inside.h"

#include "surface/piece/pose.h"
#include "surface/surface_pose.h"

// --- Access ----------------------------------------------------------------------------------------

int sherd_surface_piece_count(const sherd_surface *s)
{
    return s->first_piece[s->body_count];
}

static const piece *find_piece(const sherd_surface *s, int index)
{
    if (index >= s->first_piece[s->body_count]) return NULL;
    int low = 0, high = s->body_count; // the piece is one of bodies [low, high)
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(s->first_piece[middle] <= index ? &low : &high) = middle;
    }
    return &s->bodies[low].pieces.items[index - s->first_piece[low]];
}

sherd_surface_piece sherd_surface_get_piece(const sherd_surface *s, int index)
{
    const piece *p = index >= 0 ? find_piece(s, index) : NULL;
    if (p == NULL) return (sherd_surface_piece){0};
    return (sherd_surface_piece){.fragment = p->fragment,
                                 .version = p->version,
                                 .body = p->body,
                                 .element_count = p->element_count,
                                 .mesh = p->mesh,
                                 .bones = p->bones,
                                 .weights = p->weights};
}

// --- Posing ----------------------------------------------------------------------------------------

enum { POSE_CHUNK = 1024 };

typedef struct pose_job {
    const piece *p;
    pose_source source;
    double *vertices, *normals;
} pose_job;

static void pose_vertices(void *context, size_t begin, size_t end)
{
    const pose_job *job = context;
    sherd_pose_vertices(job->p, &job->source, begin, end, job->vertices, job->normals);
}

static pose_source source_of(const sherd_surface *s, const sherd_surface_pose *pose)
{
    return (pose_source){s->def.rest_x, s->def.rest_y, s->def.rest_z, pose};
}

void sherd_surface_pose_piece(const sherd_surface *s, int index, const sherd_surface_pose *pose,
                              double *vertices, double *normals)
{
    const piece *p = index >= 0 ? find_piece(s, index) : NULL;
    if (p == NULL) return;
    pose_job job = {p, source_of(s, pose), vertices, normals};
    sherd_parallel_for(&s->parallel, (size_t)p->mesh->vertex_count, POSE_CHUNK, pose_vertices,
                       &job);
}

typedef struct pose_all_job {
    const sherd_surface *s;
    pose_source source;
    double *const *vertices, *const *normals;
} pose_all_job;

// Larger ones are shared among all threads.
static bool is_small(const piece *p)
{
    return p->mesh->vertex_count <= 16 * POSE_CHUNK;
}

static void pose_small(void *context, size_t begin, size_t end)
{
    const pose_all_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        const piece *p = find_piece(job->s, (int)k);
        if (is_small(p))
            sherd_pose_vertices(p, &job->source, 0, (size_t)p->mesh->vertex_count, job->vertices[k],
                                job->normals != NULL ? job->normals[k] : NULL);
    }
}

void sherd_surface_pose_all(const sherd_surface *s, const sherd_surface_pose *pose,
                            double *const *vertices, double *const *normals)
{
    pose_all_job job = {s, source_of(s, pose), vertices, normals};
    int count = sherd_surface_piece_count(s);
    for (int k = 0; k < count; ++k)
        if (!is_small(find_piece(s, k)))
            sherd_surface_pose_piece(s, k, pose, vertices[k], normals != NULL ? normals[k] : NULL);
    sherd_parallel_for(&s->parallel, (size_t)count, 4, pose_small, &job);
}
