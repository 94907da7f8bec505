// Intersections of the triangles of two meshes, by exact signs on one lattice (triangle_pair.h), so
// that segments join into closed lines.
#include "geometry/boolean/boolean_parts.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/exact/triangle_pair.h"
#include "geometry/mesh/mesh_access.h"
#include "math/bounds.h"
#include "math/vec3.h"

#include <stdlib.h>

static size_t slot_of(const boolean_work *w, int32_t low, int32_t high, int32_t triangle)
{
    uint64_t h = (uint64_t)(uint32_t)low * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)(uint32_t)high) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 29) ^ (uint64_t)(uint32_t)triangle) * 0x94d049bb133111ebu;
    size_t k = (size_t)(h >> 20) & (w->slot_count - 1);
    for (; w->slots[k] != 0; k = (k + 1) & (w->slot_count - 1)) {
        const boolean_point *p = &w->points[w->slots[k] - 1];
        if (p->low == low && p->high == high && p->triangle == triangle) break;
    }
    return k;
}

static bool double_slots(boolean_work *w)
{
    size_t count = w->slot_count > 0 ? 2 * w->slot_count : 1024;
    int32_t *slots = sherd_alloc(count, sizeof *slots);
    if (slots == NULL) return false;
    sherd_free(w->slots);
    w->slots = slots, w->slot_count = count;
    for (size_t k = 0; k < w->point_count; ++k) {
        const boolean_point *p = &w->points[k];
        w->slots[slot_of(w, p->low, p->high, p->triangle)] = (int32_t)k + 1;
    }
    return true;
}

// Returns the vertex of a point and creates it on first use; -1 when out of memory.
static int32_t point_vertex(boolean_work *w, boolean_point point, double along)
{
    if (2 * w->point_count >= w->slot_count && !double_slots(w)) return -1;
    size_t slot = slot_of(w, point.low, point.high, point.triangle);
    if (w->slots[slot] != 0) return w->given_vertices + w->slots[slot] - 1;
    if (!sherd_grow((void **)&w->points, &w->point_capacity, w->point_count + 1, sizeof point) ||
        !sherd_grow((void **)&w->vertex, &w->vertex_capacity, w->vertex_count + 1,
                    sizeof *w->vertex))
        return -1;
    sherd_vec3 low = w->vertex[point.low], edge = vec3_sub(w->vertex[point.high], low);
    w->points[w->point_count] = point;
    w->slots[slot] = (int32_t)++w->point_count;
    w->vertex[w->vertex_count] = vec3_add_scaled(low, along, edge);
    return (int32_t)w->vertex_count++;
}

static int32_t vertex_of(boolean_work *w, const triangle_pair *p, const pair_end *e)
{
    const int32_t *c = w->triangle + 3 * (size_t)p->number[e->of];
    int32_t u = c[e->side], v = c[(e->side + 1) % 3];
    boolean_point point = {u < v ? u : v, u < v ? v : u, p->number[1 - e->of]};
    return point_vertex(w, point, e->along);
}

// The segment in one triangle of the pair.
static bool add_segment(boolean_work *w, const triangle_pair *p, int of, const pair_end end[2],
                        const int32_t vertex[2])
{
    // On a, the region in front of b is outside of b; on b, the region behind a is inside a.
    bool out_is_left = sherd_triangle_pair_front_is_left(p, &end[0]) == (of == 0);
    boolean_segment s = {p->number[of],
                         p->number[1 - of],
                         {.left = out_is_left ? BOOLEAN_OUTSIDE : BOOLEAN_INSIDE,
                          .right = out_is_left ? BOOLEAN_INSIDE : BOOLEAN_OUTSIDE}};
    for (int e = 0; e < 2; ++e)
        s.line.end[e] = (divide_end){vertex[e],
                                     end[e].of == of ? end[e].side : -1,
                                     end[e].along,
                                     {end[e].weight[0], end[e].weight[1], end[e].weight[2]}};
    if (!sherd_grow((void **)&w->segments, &w->segment_capacity, w->segment_count + 1, sizeof s))
        return false;
    w->segments[w->segment_count++] = s;
    return true;
}

static void load_triangle(const boolean_work *w, triangle_pair *p, int of, int32_t t)
{
    p->number[of] = t;
    for (int k = 0; k < 3; ++k) {
        int32_t v = w->triangle[3 * (size_t)t + (size_t)k];
        p->corner[of][k] = (uint64_t)v;
        p->at[of][k] = &w->exact[v];
    }
}

typedef struct cut_search {
    boolean_work *w;
    triangle_pair pair; // of a, of b
} cut_search;

static bool cut_pair(void *context, int32_t item)
{
    cut_search *search = context;
    boolean_work *w = search->w;
    triangle_pair *p = &search->pair;
    pair_end end[2];
    load_triangle(w, p, 1, w->first_b + item);
    pair_result result = sherd_triangle_pair_cross(p, end);
    w->contradictory = result == PAIR_DEGENERATE;
    if (result != PAIR_CROSSES) return result == PAIR_APART;
    const int32_t vertex[2] = {vertex_of(w, p, &end[0]), vertex_of(w, p, &end[1])};
    w->out_of_memory = vertex[0] < 0 || vertex[1] < 0 || !add_segment(w, p, 0, end, vertex) ||
                       !add_segment(w, p, 1, end, vertex);
    return !w->out_of_memory;
}

static int compare_segments(const void *a, const void *b)
{
    const boolean_segment *p = a, *q = b;
    if (p->triangle != q->triangle) return p->triangle < q->triangle ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

static bool round_vertices(boolean_work *w)
{
    w->exact = sherd_alloc((size_t)w->given_vertices, sizeof *w->exact);
    if (w->exact == NULL) return false;
    sherd_bounds box = sherd_mesh_bounds(w->a), of_b = sherd_mesh_bounds(w->b);
    bounds_join(&box, &of_b);
    exact_lattice lattice = sherd_exact_lattice(box);
    w->step = 1.0 / lattice.steps;
    for (int32_t v = 0; v < w->given_vertices; ++v)
        w->exact[v] = sherd_exact_round(&lattice, w->vertex[v]);
    return true;
}

bool sherd_boolean_cut(boolean_work *w)
{
    int32_t count_b = w->b->triangle_count;
    sherd_bounds *boxes = sherd_alloc((size_t)count_b, sizeof *boxes);
    sherd_bvh bvh = {0};
    for (int32_t t = 0; boxes != NULL && t < count_b; ++t)
        boxes[t] = mesh_triangle_bounds(w->b, t);
    w->out_of_memory = boxes == NULL || !sherd_bvh_init(&bvh, boxes, count_b) || !round_vertices(w);
    cut_search search = {.w = w};
    for (int32_t t = 0; t < w->first_b && !w->out_of_memory && !w->contradictory; ++t) {
        load_triangle(w, &search.pair, 0, t);
        sherd_bounds box = mesh_triangle_bounds(w->a, t);
        // Distance by which both may have been moved.
        sherd_vec3 margin = vec3(w->step, w->step, w->step);
        box.low = vec3_sub(box.low, margin), box.high = vec3_add(box.high, margin);
        sherd_bvh_overlaps(&bvh, box, cut_pair, &search);
    }
    sherd_bvh_release(&bvh);
    sherd_free(boxes);
    if (w->out_of_memory || w->contradictory) return false;
    if (w->segment_count > 0)
        qsort(w->segments, w->segment_count, sizeof *w->segments, compare_segments);
    return true;
}
