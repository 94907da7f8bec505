// For each triangle a bounding volume hierarchy gives the nearby triangles. Triangles are processed
// in batches, and a batch's counts are added in order, so that stopping early does not depend on
// the speed of threads.
#include "geometry/mesh/self_intersection.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_work.h"
#include "geometry/mesh/triangle_overlap.h"

enum { CHUNK = 128, CHUNKS_PER_BATCH = 256, BATCH = CHUNK * CHUNKS_PER_BATCH };

// Work for a pair with overlapping boxes, of which a well-shaped mesh has about 20 a triangle.
enum { PAIR_WORK = 4 };

typedef struct search {
    const sherd_mesh *mesh;
    const sherd_mesh_tree *tree;
    const sherd_bounds *boxes;
    int32_t limit;
    size_t batch_begin;
    sherd_mesh_work work;
    sherd_self_intersections chunks[CHUNKS_PER_BATCH];
} search;

typedef struct query {
    search *search;
    int32_t triangle;
    int64_t work;
    sherd_self_intersections *found;
} query;

static bool boxes_meet(const sherd_bounds *a, const sherd_bounds *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static bool test_pair(void *context, int32_t other)
{
    query *q = context;
    const search *s = q->search;
    // Each pair is tested for its lower index only.
    if (other <= q->triangle || !boxes_meet(&s->boxes[q->triangle], &s->boxes[other])) return true;
    q->work += PAIR_WORK;
    sherd_vec3 at;
    if (!sherd_triangles_overlap(s->mesh, q->triangle, other, &at)) return true;
    if (q->found->count++ == 0) q->found->position = at;
    return q->found->count < s->limit;
}

static void search_chunk(void *context, size_t begin, size_t end)
{
    search *s = context;
    sherd_self_intersections *found = &s->chunks[begin / CHUNK];
    *found = (sherd_self_intersections){0};
    for (size_t k = begin; k < end && found->count < s->limit; ++k) {
        int32_t t = s->tree->bvh.order[s->batch_begin + k]; // neighbours in space share the cache
        query q = {s, t, 0, found};
        const sherd_vec3 corner[3] = {mesh_corner(s->mesh, t, 0), mesh_corner(s->mesh, t, 1),
                                      mesh_corner(s->mesh, t, 2)};
        sherd_mesh_tree_meets(s->tree, corner, test_pair, &q);
        mesh_work_spend(&s->work, q.work);
        found->exhausted = !mesh_work_remains(&s->work);
        if (found->exhausted) return;
    }
}

// Adds a batch's results to *found; returns false if the search is over.
static bool search_batch(search *s, size_t count, sherd_self_intersections *found)
{
    const sherd_parallel parallel = {0};
    sherd_parallel_for(&parallel, count, CHUNK, search_chunk, s);
    for (size_t c = 0; c < (count + CHUNK - 1) / CHUNK; ++c)
        if (s->chunks[c].exhausted) {
            // The results of an exhausted batch depend on the threads; the pairs of earlier batches
            // do not.
            found->exhausted = found->count == 0;
            return false;
        }
    for (size_t c = 0; c < (count + CHUNK - 1) / CHUNK; ++c) {
        if (found->count == 0) found->position = s->chunks[c].position;
        found->count += s->chunks[c].count;
        if (found->count < s->limit) continue;
        found->count = s->limit;
        return false;
    }
    return true;
}

static bool search_all(search *s, sherd_self_intersections *found)
{
    size_t n = (size_t)s->mesh->triangle_count;
    sherd_bounds *boxes = sherd_alloc(n, sizeof *boxes);
    if (boxes == NULL) return false;
    for (size_t t = 0; t < n; ++t)
        boxes[t] = mesh_triangle_bounds(s->mesh, (int32_t)t);
    s->boxes = boxes;
    bool more = true;
    for (size_t begin = 0; begin < n && more; begin += BATCH) {
        s->batch_begin = begin;
        more = search_batch(s, begin + BATCH < n ? BATCH : n - begin, found);
    }
    sherd_free(boxes);
    return true;
}

bool sherd_mesh_self_intersections(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                                   int32_t limit, sherd_self_intersections *found)
{
    *found = (sherd_self_intersections){0};
    search *s = sherd_alloc(1, sizeof *s);
    if (s == NULL) return false;
    s->mesh = mesh;
    s->tree = tree;
    s->limit = limit;
    s->work.limit = mesh_work_limit(mesh->triangle_count);
    bool done = search_all(s, found);
    sherd_free(s);
    return done;
}

// ---- marks

typedef struct mark_query {
    const sherd_cut_search *search;
    int32_t triangle;
} mark_query;

// A pair of two requested triangles is tested for its lower index only.
static bool mark_pair(void *context, int32_t other)
{
    const mark_query *q = context;
    const sherd_cut_search *s = q->search;
    int32_t t = q->triangle;
    if (other == t || (other < t && s->requested[other]) ||
        !boxes_meet(&s->boxes[t], &s->boxes[other]))
        return true;
    sherd_vec3 at;
    if (!sherd_triangles_overlap(s->mesh, t < other ? t : other, t < other ? other : t, &at))
        return true;
    atomic_store_explicit(&s->cut[t], 1, memory_order_relaxed);
    atomic_store_explicit(&s->cut[other], 1, memory_order_relaxed);
    return true;
}

static void mark_chunk(void *context, size_t begin, size_t end)
{
    const sherd_cut_search *s = context;
    for (size_t k = begin; k < end; ++k) {
        mark_query q = {s, s->tree->order[k]};
        if (s->requested[q.triangle])
            sherd_bvh_overlaps(s->tree, s->boxes[q.triangle], mark_pair, &q);
    }
}

void sherd_mesh_mark_intersections(const sherd_cut_search *requested)
{
    const sherd_parallel parallel = {0};
    sherd_cut_search s = *requested;
    sherd_parallel_for(&parallel, (size_t)s.mesh->triangle_count, CHUNK, mark_chunk, &s);
}
