#include "surface/methods/march/mesh_fairing.h"

#include "base/memory.h"
#include "math/vec3.h"

enum {
    ITERATIONS = 4,
    LONGEST_FAN = 64, // triangles at a vertex: 24 tetrahedra at most, two triangles each
};
static const double RELAXATION =
    0.7; // fraction of the displacement to the neighbours' mean per iteration
// Cosine of 12 degrees: if all neighbours' normals are closer, no crease of 30 degrees lies between
// them.
static const double FLAT_COSINE = 0.978;

// Neighbours with which each vertex averages: rows of one entry per triangle of its first piece at
// the vertex, of which the first `count` are used. Every piece would give the same neighbours.
typedef struct neighbours {
    int32_t *start;  // (vertices + 2)
    int32_t *vertex; // first triangles, then the neighbours  (3 triangles)
    int32_t *count;  // (vertices)
} neighbours;

static void release_neighbours(neighbours *n)
{
    sherd_free(n->start);
    sherd_free(n->vertex);
    sherd_free(n->count);
}

typedef struct fair_job {
    shell *s;
    const placing *p;
    neighbours *n;
    sherd_vec3 *previous; // positions before this iteration
    uint8_t *crease;
    bool last; // iteration
} fair_job;

// Returns the first piece that contains the vertex.
static int32_t first_piece(const shell_vertex *v)
{
    int k = 0;
    while (v->piece[k] < 0)
        ++k;
    return v->piece[k];
}

static bool list_triangles(const shell *s, neighbours *n)
{
    size_t vertices = (size_t)s->vertex_count, corners = 3 * (size_t)s->triangle_count;
    n->start = sherd_alloc(vertices + 2, sizeof *n->start);
    n->vertex = sherd_alloc(corners, sizeof *n->vertex);
    n->count = sherd_alloc(vertices, sizeof *n->count);
    if (n->start == NULL || n->vertex == NULL || n->count == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t c = 0; c < corners; ++c) {
            const shell_triangle *t = &s->triangles[c / 3];
            int32_t v = t->corner[c % 3];
            if (t->piece != first_piece(&s->vertices[v])) continue;
            if (pass == 0)
                n->start[v + 2]++;
            else
                n->vertex[n->start[v + 1]++] = (int32_t)(c / 3);
        }
        for (size_t k = 2; pass == 0 && k <= vertices; ++k)
            n->start[k + 1] += n->start[k];
    }
    return true;
}

static int corner_of(const shell_triangle *t, int32_t v)
{
    return t->corner[0] == v ? 0 : t->corner[1] == v ? 1 : 2;
}

// Returns whether v has all of u's owners.
static bool covers(const shell_vertex *v, const shell_vertex *u)
{
    for (int k = 0; k < u->owner_count; ++k)
        if (!sherd_vertex_has_owner(v, u->owners[k])) return false;
    return true;
}

// Returns the next vertex around u after v: the corner of u's fan triangle in which v precedes u.
static sherd_fragment_id other_before(const shell *s, const int32_t *fan, int32_t count, int32_t u,
                                      int32_t v)
{
    for (int32_t j = 0; j < count; ++j) {
        const shell_triangle *t = &s->triangles[fan[j]];
        if (t->corner[(corner_of(t, u) + 2) % 3] == v) return t->other;
    }
    return 0;
}

// Summing in the grid's order makes sums independent of which piece lists the neighbours.
static void sort_ascending(int32_t *row, int32_t count)
{
    for (int32_t k = 1; k < count; ++k) {
        int32_t item = row[k], j = k;
        for (; j > 0 && row[j - 1] > item; --j)
            row[j] = row[j - 1];
        row[j] = item;
    }
}

// Inside an interface a vertex averages with all vertices around it: the next corner of each
// triangle of its fan. A vertex of a line between three owners averages only along the line's
// edges, whose two triangles have different owners behind them.
static void find_neighbours(void *context, size_t begin, size_t end)
{
    const fair_job *job = context;
    const shell *s = job->s;
    for (size_t u = begin; u < end; ++u) {
        int32_t *row = job->n->vertex + job->n->start[u], kept = 0, line[LONGEST_FAN];
        int32_t count = job->n->start[u + 1] - job->n->start[u];
        const shell_vertex *vertex = &s->vertices[u];
        for (int32_t j = 0; j < count; ++j) {
            const shell_triangle *t = &s->triangles[row[j]];
            int32_t v = t->corner[(corner_of(t, (int32_t)u) + 1) % 3];
            if (vertex->owner_count == 2)
                row[kept++] = v;
            else if (kept < LONGEST_FAN && covers(&s->vertices[v], vertex) &&
                     other_before(s, row, count, (int32_t)u, v) != t->other)
                line[kept++] = v;
        }
        for (int32_t j = 0; vertex->owner_count > 2 && j < kept; ++j)
            row[j] = line[j];
        sort_ascending(row, kept);
        job->n->count[u] = kept;
    }
}

static crack_model *crack_of(const shell *s, const shell_vertex *v)
{
    return v->crack < 0 ? NULL : &s->cracks[v->crack];
}

static void move_all_to_surface(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k)
        sherd_vertex_move_to_surface(job->p, &job->s->vertices[k],
                                     crack_of(job->s, &job->s->vertices[k]), 1);
}

static void relax_all(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        const int32_t *row = job->n->vertex + job->n->start[k];
        int32_t count = job->n->count[k];
        if (count == 0) continue;
        sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
        for (int32_t j = 0; j < count; ++j)
            sum = vec3_add(sum, job->previous[row[j]]);
        sherd_vec3 mean = vec3_scale(1.0 / count, sum), x = job->previous[k];
        shell_vertex *v = &job->s->vertices[k];
        v->position = vec3_add_scaled(x, RELAXATION, vec3_sub(mean, x));
        if (job->last)
            sherd_vertex_move_to_surface(job->p, v, crack_of(job->s, v), 2);
        else
            sherd_vertex_move_first_order(job->p, v, crack_of(job->s, v));
    }
}

// The normals of neighbouring vertices show that a flat neighbourhood has no crease.
static bool is_flat(const fair_job *job, size_t k)
{
    const shell_vertex *v = &job->s->vertices[k];
    const int32_t *row = job->n->vertex + job->n->start[k];
    bool flat = v->owner_count == 2;
    for (int32_t j = 0; flat && j < job->n->count[k]; ++j)
        flat = vec3_dot(v->normal, job->s->vertices[row[j]].normal) > FLAT_COSINE;
    return flat;
}

static void sharpen_all(void *context, size_t begin, size_t end)
{
    fair_job *job = context;
    for (size_t k = begin; k < end; ++k)
        job->crease[k] =
            !is_flat(job, k) && sherd_vertex_move_to_crease(job->p, &job->s->vertices[k]);
}

bool sherd_mesh_fairing_apply(shell *s, const placing *p, uint8_t *crease,
                              const sherd_parallel *parallel)
{
    neighbours n = {0};
    size_t count = (size_t)s->vertex_count;
    fair_job job = {s, p, &n, sherd_alloc(count, sizeof(sherd_vec3)), crease, false};
    bool ok = list_triangles(s, &n) && job.previous != NULL;
    if (ok) {
        sherd_parallel_for(parallel, count, 256, find_neighbours, &job);
        sherd_parallel_for(parallel, count, 256, move_all_to_surface, &job);
        for (int k = 0; k < ITERATIONS; ++k) {
            for (size_t v = 0; v < count; ++v)
                job.previous[v] = s->vertices[v].position;
            job.last = k + 1 == ITERATIONS;
            sherd_parallel_for(parallel, count, 256, relax_all, &job);
        }
        sherd_parallel_for(parallel, count, 256, sharpen_all, &job);
    }
    sherd_free(job.previous);
    release_neighbours(&n);
    return ok;
}
