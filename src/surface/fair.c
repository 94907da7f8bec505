#include "surface/fair.h"

#include "base/memory.h"
#include "math/vec3.h"

enum { ITERATIONS = 4 };
static const double RELAXATION = 0.7; // share of the way to the neighbours' mean per iteration

// Neighbours each vertex averages with, in rows.
typedef struct neighbours {
    int32_t *start;  // (vertices + 1)
    int32_t *vertex; // (start[vertices])
} neighbours;

typedef struct mesh_edge {
    int32_t u, v;
    sherd_fragment_id other[2]; // beyond its two triangles
    int triangles;
} mesh_edge;

static void release_neighbours(neighbours *n)
{
    sherd_free(n->start);
    sherd_free(n->vertex);
}

// All edges of a shell, each once. NULL when memory is short.
static mesh_edge *list_edges(const shell *s, int32_t *count)
{
    key_map seen = {0};
    mesh_edge *edges = sherd_alloc(3 * (size_t)s->triangle_count, sizeof *edges);
    for (int32_t t = 0; edges != NULL && t < s->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t u = s->triangles[t].corner[k], v = s->triangles[t].corner[(k + 1) % 3];
            uint64_t low = (uint64_t)(u < v ? u : v), high = (uint64_t)(u < v ? v : u);
            int32_t e = sherd_key_map_insert(&seen, high << 31 | low);
            if (e < 0) {
                sherd_free(edges);
                edges = NULL;
                break;
            }
            edges[e].u = (int32_t)low;
            edges[e].v = (int32_t)high;
            if (edges[e].triangles < 2)
                edges[e].other[edges[e].triangles++] = s->triangles[t].other;
        }
    *count = (int32_t)seen.count;
    sherd_key_map_release(&seen);
    return edges;
}

// Whether u may average with v: v must lie on everything u lies on; and a vertex of a line where
// three owners meet follows edges of that line only.
static bool follows(const shell_vertex *u, const shell_vertex *v, const mesh_edge *e)
{
    for (int k = 0; k < u->owner_count; ++k)
        if (!sherd_vertex_has_owner(v, u->owners[k])) return false;
    return u->owner_count == 2 || e->other[0] != e->other[1];
}

static bool find_neighbours(const shell *s, neighbours *n)
{
    int32_t count;
    mesh_edge *edges = list_edges(s, &count);
    n->start = sherd_alloc((size_t)s->vertex_count + 2, sizeof *n->start);
    n->vertex = sherd_alloc(2 * (size_t)(edges != NULL ? count : 0), sizeof *n->vertex);
    bool ok = edges != NULL && n->start != NULL && n->vertex != NULL;
    for (int pass = 0; ok && pass < 2; ++pass) {
        for (int32_t e = 0; e < count; ++e) {
            int32_t end[2] = {edges[e].u, edges[e].v};
            for (int k = 0; k < 2; ++k) {
                int32_t u = end[k], v = end[1 - k];
                if (!follows(&s->vertices[u], &s->vertices[v], &edges[e])) continue;
                if (pass == 0)
                    n->start[u + 2]++;
                else
                    n->vertex[n->start[u + 1]++] = v;
            }
        }
        for (int32_t k = 2; pass == 0 && k <= s->vertex_count + 1; ++k)
            n->start[k] += n->start[k - 1];
    }
    sherd_free(edges);
    return ok;
}

typedef struct fair_job {
    shell *s;
    const placing *p;
    const neighbours *n;
    sherd_vec3 *previous; // positions before this iteration
    uint8_t *crease;
    int passes; // of placing
} fair_job;

static void place_all(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k)
        sherd_place_vertex(job->p, &job->s->vertices[k], job->passes);
}

static void relax_all(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        int32_t first = job->n->start[k], last = job->n->start[k + 1];
        if (last == first) continue;
        sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
        for (int32_t j = first; j < last; ++j)
            sum = vec3_add(sum, job->previous[job->n->vertex[j]]);
        sherd_vec3 mean = vec3_scale(1.0 / (last - first), sum), x = job->previous[k];
        job->s->vertices[k].position = vec3_add_scaled(x, RELAXATION, vec3_sub(mean, x));
        sherd_place_vertex(job->p, &job->s->vertices[k], job->passes);
    }
}

static void sharpen_all(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k)
        job->crease[k] = sherd_place_on_crease(job->p, &job->s->vertices[k]);
}

bool sherd_shell_fair(shell *s, const placing *p, uint8_t *crease, const sherd_parallel *parallel)
{
    neighbours n = {0};
    size_t count = (size_t)s->vertex_count;
    fair_job job = {s, p, &n, sherd_alloc(count, sizeof(sherd_vec3)), crease, 1};
    bool ok = find_neighbours(s, &n) && job.previous != NULL;
    if (ok) {
        sherd_parallel_for(parallel, count, 256, place_all, &job);
        for (int k = 0; k < ITERATIONS; ++k) {
            for (size_t v = 0; v < count; ++v)
                job.previous[v] = s->vertices[v].position;
            job.passes = k + 1 < ITERATIONS ? 1 : 2;
            sherd_parallel_for(parallel, count, 256, relax_all, &job);
        }
        sherd_parallel_for(parallel, count, 256, sharpen_all, &job);
    }
    sherd_free(job.previous);
    release_neighbours(&n);
    return ok;
}
