// Where the triangles of two meshes cut each other. Every sign is found once for a vertex and a plane, or for
// two edges, and means the same to all triangles that share them; so segments join into closed lines.
#include "geometry/boolean/boolean_parts.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh/mesh_access.h"

#include <stdlib.h>

// Six times the volume of a tetrahedron.
static double volume_of(sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, sherd_vec3 d)
{
    return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

static double above(const boolean_work *w, int32_t triangle, int32_t v)
{
    const int32_t *c = w->triangle + 3 * (size_t)triangle;
    return volume_of(w->vertex[c[0]], w->vertex[c[1]], w->vertex[c[2]], w->vertex[v]);
}

// On which side the line from low to high passes an edge from p to q.
static bool passes(const boolean_work *w, int32_t low, int32_t high, int32_t p, int32_t q)
{
    int32_t first = p < q ? p : q, second = p < q ? q : p;
    bool side = volume_of(w->vertex[low], w->vertex[high], w->vertex[first], w->vertex[second]) > 0;
    return side == (p < q);
}

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

// The vertex of a point, made where it is asked for first; -1 when memory is short.
static int32_t point_vertex(boolean_work *w, boolean_point point)
{
    if (2 * w->point_count >= w->slot_count && !double_slots(w)) return -1;
    size_t slot = slot_of(w, point.low, point.high, point.triangle);
    if (w->slots[slot] != 0) return w->given_vertices + w->slots[slot] - 1;
    if (!sherd_grow((void **)&w->points, &w->point_capacity, w->point_count + 1, sizeof point) ||
        !sherd_grow((void **)&w->vertex, &w->vertex_capacity, w->vertex_count + 1,
                    sizeof *w->vertex))
        return -1;
    sherd_vec3 low = w->vertex[point.low], way = vec3_sub(w->vertex[point.high], low);
    w->points[w->point_count] = point;
    w->slots[slot] = (int32_t)++w->point_count;
    w->vertex[w->vertex_count] = vec3_add_scaled(low, point.t, way);
    return (int32_t)w->vertex_count++;
}

// Appends the vertex where edge `k` of one triangle pierces another, if it does.
static bool pierce(boolean_work *w, int32_t edge_of, int k, int32_t triangle, int32_t *found,
                   int *count)
{
    const int32_t *c = w->triangle + 3 * (size_t)edge_of, *d = w->triangle + 3 * (size_t)triangle;
    int32_t u = c[k], v = c[(k + 1) % 3], low = u < v ? u : v, high = u < v ? v : u;
    double s_low = above(w, triangle, low), s_high = above(w, triangle, high);
    if ((s_low > 0.0) == (s_high > 0.0)) return true;
    bool side = passes(w, low, high, d[0], d[1]);
    if (side != passes(w, low, high, d[1], d[2]) || side != passes(w, low, high, d[2], d[0]))
        return true;
    int32_t vertex =
        point_vertex(w, (boolean_point){low, high, triangle, s_low / (s_low - s_high)});
    found[(*count)++] = vertex;
    return vertex >= 0;
}

static bool add_segment(boolean_work *w, int32_t triangle, int32_t other, const int32_t ends[2])
{
    if (!sherd_grow((void **)&w->segments, &w->segment_capacity, w->segment_count + 1,
                    sizeof *w->segments))
        return false;
    w->segments[w->segment_count++] = (boolean_segment){triangle, other, ends[0], ends[1]};
    return true;
}

typedef struct cut_search {
    boolean_work *w;
    int32_t triangle; // of a
} cut_search;

static bool cut_pair(void *context, int32_t item)
{
    const cut_search *search = context;
    boolean_work *w = search->w;
    int32_t ta = search->triangle, tb = w->first_b + item, ends[6];
    int count = 0;
    for (int k = 0; k < 3; ++k)
        if (!pierce(w, ta, k, tb, ends, &count) || !pierce(w, tb, k, ta, ends, &count))
            w->out_of_memory = true;
    if (w->out_of_memory) return false;
    if (count == 0) return true;
    w->contradictory = count != 2; // two closed meshes in general position leave no other number
    if (w->contradictory) return false;
    w->out_of_memory = !add_segment(w, ta, tb, ends) || !add_segment(w, tb, ta, ends);
    return !w->out_of_memory;
}

static int compare_segments(const void *a, const void *b)
{
    const boolean_segment *p = a, *q = b;
    if (p->triangle != q->triangle) return p->triangle < q->triangle ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

static int compare_points(const void *a, const void *b)
{
    const boolean_point *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

// by_edge, through points that carry their own places in `triangle`.
static bool order_points(boolean_work *w)
{
    boolean_point *sorted = sherd_alloc(w->point_count, sizeof *sorted);
    w->by_edge = sherd_alloc(w->point_count, sizeof *w->by_edge);
    if (sorted == NULL || w->by_edge == NULL) {
        sherd_free(sorted);
        return false;
    }
    for (size_t k = 0; k < w->point_count; ++k) {
        sorted[k] = w->points[k];
        sorted[k].triangle = (int32_t)k;
    }
    qsort(sorted, w->point_count, sizeof *sorted, compare_points);
    for (size_t k = 0; k < w->point_count; ++k)
        w->by_edge[k] = sorted[k].triangle;
    sherd_free(sorted);
    return true;
}

const int32_t *sherd_boolean_on_edge(const boolean_work *w, int32_t u, int32_t v, size_t *count)
{
    int32_t low = u < v ? u : v, high = u < v ? v : u;
    size_t begin = 0, end = w->point_count;
    while (begin < end) {
        size_t middle = (begin + end) / 2;
        const boolean_point *p = &w->points[w->by_edge[middle]];
        if (p->low < low || (p->low == low && p->high < high))
            begin = middle + 1;
        else
            end = middle;
    }
    for (end = begin; end < w->point_count; ++end) {
        const boolean_point *p = &w->points[w->by_edge[end]];
        if (p->low != low || p->high != high) break;
    }
    *count = end - begin;
    return end > begin ? w->by_edge + begin : NULL;
}

bool sherd_boolean_cut(boolean_work *w)
{
    int32_t count_b = w->b->triangle_count;
    sherd_bounds *boxes = sherd_alloc((size_t)count_b, sizeof *boxes);
    sherd_bvh bvh = {0};
    for (int32_t t = 0; boxes != NULL && t < count_b; ++t)
        boxes[t] = mesh_triangle_bounds(w->b, t);
    w->out_of_memory = boxes == NULL || !sherd_bvh_init(&bvh, boxes, count_b);
    for (int32_t t = 0; t < w->first_b && !w->out_of_memory && !w->contradictory; ++t) {
        cut_search search = {w, t};
        sherd_bvh_overlaps(&bvh, mesh_triangle_bounds(w->a, t), cut_pair, &search);
    }
    sherd_bvh_release(&bvh);
    sherd_free(boxes);
    if (w->out_of_memory || w->contradictory) return false;
    if (w->segment_count > 0)
        qsort(w->segments, w->segment_count, sizeof *w->segments, compare_segments);
    w->out_of_memory = !order_points(w);
    return !w->out_of_memory;
}
