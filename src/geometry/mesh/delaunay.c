#include "geometry/mesh/delaunay.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>

// Areas and circle determinants count as zero below this fraction of the points' distances squared
// and to the fourth power, a thousand roundings.
static const double NOISE = 1e-12;

static int32_t after(int32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

static double cross(sherd_vec2 o, sherd_vec2 a, sherd_vec2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static sherd_vec2 origin(const sherd_delaunay *d, int32_t h)
{
    return d->vertex[d->corner[h]];
}

static void link_edges(sherd_delaunay *d, int32_t h, int32_t twin)
{
    d->twin[h] = twin;
    if (twin >= 0) d->twin[twin] = h;
}

static int32_t add_vertex(sherd_delaunay *d, sherd_vec2 at)
{
    if (d->failed || !sherd_grow((void **)&d->vertex, &d->vertex_capacity, d->vertex_count + 1,
                                 sizeof *d->vertex)) {
        d->failed = true;
        return 0;
    }
    d->vertex[d->vertex_count] = at;
    return (int32_t)d->vertex_count++;
}

// Returns the first half-edge of a new triangle; all its edges are border edges.
static int32_t add_triangle(sherd_delaunay *d, int32_t a, int32_t b, int32_t c)
{
    size_t n = 3 * d->triangle_count;
    if (d->failed ||
        !sherd_grow((void **)&d->corner, &d->corner_capacity, n + 3, sizeof *d->corner) ||
        !sherd_grow((void **)&d->twin, &d->twin_capacity, n + 3, sizeof *d->twin)) {
        d->failed = true;
        return 0;
    }
    d->corner[n] = a, d->corner[n + 1] = b, d->corner[n + 2] = c;
    d->twin[n] = d->twin[n + 1] = d->twin[n + 2] = -1;
    ++d->triangle_count;
    return (int32_t)n;
}

// ---- the polygon

static bool link_all(sherd_delaunay *d)
{
    size_t n = 3 * d->triangle_count;
    sherd_sort_pair *edges = sherd_alloc(n, sizeof *edges);
    if (edges == NULL) return false;
    for (size_t h = 0; h < n; ++h) {
        uint64_t a = (uint64_t)d->corner[h], b = (uint64_t)d->corner[after((int32_t)h)];
        edges[h] = (sherd_sort_pair){a < b ? a << 32 | b : b << 32 | a, (uint32_t)h};
    }
    bool sorted = sherd_sort_pairs(edges, n);
    for (size_t k = 1; sorted && k < n; ++k)
        if (edges[k].key == edges[k - 1].key)
            link_edges(d, (int32_t)edges[k].value, (int32_t)edges[k - 1].value);
    sherd_free(edges);
    return sorted;
}

bool sherd_delaunay_init(sherd_delaunay *d, const sherd_polygon *polygon)
{
    *d = (sherd_delaunay){0};
    size_t max_count = (size_t)(polygon->count + 2 * polygon->outline_count);
    int32_t *corner = sherd_alloc(3 * max_count, sizeof *corner);
    d->border = sherd_alloc((size_t)polygon->count, sizeof *d->border);
    int triangles = corner != NULL ? sherd_polygon_triangulate(polygon, corner) : -1;
    d->failed = d->border == NULL || triangles < 0;
    for (int k = 0; k < polygon->count; ++k)
        add_vertex(d, polygon->vertex[k]);
    for (int t = 0; t < triangles && !d->failed; ++t)
        add_triangle(d, corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]);
    sherd_free(corner);
    d->failed = d->failed || !link_all(d);
    for (size_t h = 0; h < 3 * d->triangle_count && !d->failed; ++h)
        if (d->twin[h] < 0) d->border[d->corner[h]] = (int32_t)h;
    return !d->failed;
}

void sherd_delaunay_release(sherd_delaunay *d)
{
    sherd_free(d->vertex);
    sherd_free(d->corner);
    sherd_free(d->twin);
    sherd_free(d->border);
    sherd_free(d->wait);
    *d = (sherd_delaunay){0};
}

// Splits (a, b, c) into (a, m, c) and (m, b, c).
void sherd_delaunay_split(sherd_delaunay *d, int32_t k, sherd_vec2 at)
{
    SHERD_ASSERT(k >= 0, "the edge is one of the border");
    if (d->failed) return;
    int32_t second = after(d->border[k]), b = d->corner[second], m = add_vertex(d, at);
    int32_t t = add_triangle(d, m, b, d->corner[after(second)]);
    if (d->failed) return;
    link_edges(d, t + 1, d->twin[second]);
    link_edges(d, t + 2, second);
    d->corner[second] = m;
    if (d->twin[t + 1] < 0) d->border[b] = t + 1;
}

// ---- flips

static void wait_for(sherd_delaunay *d, int32_t h)
{
    if (d->failed ||
        !sherd_grow((void **)&d->wait, &d->waiting_capacity, d->waiting + 1, sizeof *d->wait))
        d->failed = true;
    else
        d->wait[d->waiting++] = h;
}

// x, y and the sum of their squares, relative to q, sheared.
typedef struct lifted {
    double x, y, z;
} lifted;

static lifted lift(sherd_vec2 p, sherd_vec2 q)
{
    double y = p.y - q.y, x = p.x - q.x + SHERD_DELAUNAY_SHEAR * y;
    return (lifted){x, y, x * x + y * y};
}

// Returns whether q lies within the circumcircle of the counter-clockwise triangle (a, b, c).
static bool in_circle(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c, sherd_vec2 q)
{
    lifted u = lift(a, q), v = lift(b, q), w = lift(c, q);
    double volume = u.z * (v.x * w.y - v.y * w.x) + v.z * (w.x * u.y - w.y * u.x) +
                    w.z * (u.x * v.y - u.y * v.x);
    double max_count = fmax(u.z, fmax(v.z, w.z));
    return volume > NOISE * max_count * max_count;
}

static bool turns_left(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c)
{
    double x = c.x - a.x, y = c.y - a.y;
    return cross(a, b, c) > NOISE * (x * x + y * y);
}

// In the quadrilateral (a, d, b, c), replaces diagonal a-b by c-d.
static bool should_flip(const sherd_delaunay *d, int32_t h)
{
    int32_t g = d->twin[h];
    if (g < 0) return false;
    sherd_vec2 a = origin(d, h), b = origin(d, g), c = origin(d, after(after(h))),
               o = origin(d, after(after(g)));
    return in_circle(a, b, c, o) && turns_left(a, o, c) && turns_left(b, c, o);
}

static void flip(sherd_delaunay *d, int32_t h)
{
    int32_t g = d->twin[h], h1 = after(h), h2 = after(h1), g1 = after(g), g2 = after(g1);
    int32_t outside_h = d->twin[h1], outside_g = d->twin[g1];
    d->corner[h1] = d->corner[g2];
    d->corner[g1] = d->corner[h2];
    link_edges(d, h, outside_g);
    link_edges(d, g, outside_h);
    link_edges(d, h1, g1);
    wait_for(d, h);
    wait_for(d, h2);
    wait_for(d, g);
    wait_for(d, g2);
}

static void flip_waiting(sherd_delaunay *d)
{
    while (d->waiting > 0 && !d->failed) {
        int32_t h = d->wait[--d->waiting];
        if (should_flip(d, h)) flip(d, h);
    }
}

void sherd_delaunay_flip_all(sherd_delaunay *d)
{
    for (size_t h = 3 * d->triangle_count; h-- > 0;)
        wait_for(d, (int32_t)h);
    flip_waiting(d);
}

// ---- inner vertices

// Returns the edge of a triangle that p is farthest beyond, -1: p is inside.
static int32_t exit_edge(const sherd_delaunay *d, int32_t t, sherd_vec2 p)
{
    int32_t out = -1;
    double smallest = 0.0;
    for (int32_t h = 3 * t; h < 3 * t + 3; ++h) {
        double area = cross(origin(d, h), origin(d, after(h)), p);
        if (area < smallest) smallest = area, out = h;
    }
    return out;
}

// Returns the triangle that contains p, or, if rounding leaves none, the one that p is least
// outside of.
static int32_t search_all(const sherd_delaunay *d, sherd_vec2 p)
{
    int32_t best = 0;
    double smallest = -INFINITY;
    for (int32_t t = 0; t < (int32_t)d->triangle_count; ++t) {
        int32_t out = exit_edge(d, t, p);
        if (out < 0) return t;
        double area = cross(origin(d, out), origin(d, after(out)), p);
        if (area > smallest) smallest = area, best = t;
    }
    return best;
}

// Walks straight towards p; searches all triangles if the border is in the way.
static int32_t find_triangle(const sherd_delaunay *d, int32_t near, sherd_vec2 p)
{
    int32_t t = near;
    for (size_t steps = 0; steps <= d->triangle_count; ++steps) {
        int32_t out = exit_edge(d, t, p);
        if (out < 0) return t;
        if (d->twin[out] < 0) break;
        t = d->twin[out] / 3;
    }
    return search_all(d, p);
}

int32_t sherd_delaunay_insert(sherd_delaunay *d, int32_t near, sherd_vec2 at)
{
    if (d->failed) return 0;
    int32_t t = find_triangle(d, near, at), h = 3 * t, p = add_vertex(d, at);
    int32_t a = d->corner[h], b = d->corner[h + 1], c = d->corner[h + 2];
    int32_t u = add_triangle(d, b, c, p), w = add_triangle(d, c, a, p);
    if (d->failed) return 0;
    d->corner[h + 2] = p;
    link_edges(d, u, d->twin[h + 1]);
    link_edges(d, w, d->twin[h + 2]);
    link_edges(d, h + 1, u + 2);
    link_edges(d, u + 1, w + 2);
    link_edges(d, w + 1, h + 2);
    wait_for(d, h);
    wait_for(d, u);
    wait_for(d, w);
    flip_waiting(d);
    return t;
}
