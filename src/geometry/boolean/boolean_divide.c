// Divides a triangle along the segments in which others cut it: faces of the plane graph that these make with
// its edges, each as a loop and its holes, cut into triangles by their ears. Which loops there are follows from
// the vertices alone, whatever rounding does to positions.
#include "geometry/boolean/boolean_parts.h"

#include "base/memory.h"

// A directed side, its face on the left. Sides of segments come in pairs, 2 k and 2 k + 1, after the boundary's.
typedef struct graph_side {
    int32_t from, to; // nodes
    int32_t other;    // triangle that cuts here; -1: an edge of this one
    int32_t next;     // side of the same face
    bool walked;
} graph_side;

typedef struct graph_node {
    int32_t vertex;
    double x, y;          // in the triangle's plane, counter-clockwise as it is
    int32_t boundary_out; // side; -1: not on the boundary
    int32_t segment_out[2];
    int segments;
} graph_node;

typedef struct graph_loop {
    int32_t first, count; // in order
    double area;          // twice; < 0: a hole
    double above;         // of the cutting triangles, lengths together; < 0: inside the other mesh
    bool outer;
} graph_loop;

typedef struct plane_graph {
    boolean_work *w;
    int32_t triangle;
    sherd_vec3 origin, e1, e2, normal;
    graph_node *nodes;
    graph_side *sides;
    graph_loop *loops;
    int32_t *order;   // nodes of loops, one after the other
    int32_t *polygon; // of one face, with its holes
    int32_t node_count, side_count, loop_count, boundary_count, order_count, polygon_count;
} plane_graph;

static int32_t add_node(plane_graph *g, int32_t vertex)
{
    sherd_vec3 d = vec3_sub(g->w->vertex[vertex], g->origin);
    g->nodes[g->node_count] =
        (graph_node){vertex, vec3_dot(d, g->e1), vec3_dot(d, g->e2), -1, {-1, -1}, 0};
    return g->node_count++;
}

static int32_t node_of(plane_graph *g, int32_t vertex)
{
    for (int32_t k = 0; k < g->node_count; ++k)
        if (g->nodes[k].vertex == vertex) return k;
    return add_node(g, vertex);
}

static void add_side(plane_graph *g, int32_t from, int32_t to, int32_t other)
{
    graph_node *node = &g->nodes[from];
    if (other < 0)
        node->boundary_out = g->side_count;
    else if (node->segments < 2)
        node->segment_out[node->segments] = g->side_count;
    if (other >= 0) ++node->segments;
    g->sides[g->side_count++] = (graph_side){from, to, other, -1, false};
}

// The triangle's edges, divided where they pierce others.
static void add_boundary(plane_graph *g)
{
    const int32_t *c = g->w->triangle + 3 * (size_t)g->triangle;
    for (int k = 0; k < 3; ++k) {
        int32_t u = c[k], v = c[(k + 1) % 3];
        size_t count;
        const int32_t *on = sherd_boolean_on_edge(g->w, u, v, &count);
        add_node(g, u);
        for (size_t i = 0; i < count; ++i)
            add_node(g, g->w->given_vertices + (u < v ? on[i] : on[count - 1 - i]));
    }
    g->boundary_count = g->node_count;
    for (int32_t k = 0; k < g->boundary_count; ++k)
        add_side(g, k, (k + 1) % g->boundary_count, -1);
}

// Corners have no segments, points of edges one, those within two: so the next side needs no angles.
static bool link_sides(plane_graph *g)
{
    int32_t corners = 0;
    for (int32_t k = 0; k < g->node_count; ++k) {
        bool boundary = g->nodes[k].boundary_out >= 0, corner = g->nodes[k].segments == 0;
        if (corner) ++corners;
        if (!corner && g->nodes[k].segments != (boundary ? 1 : 2)) return false;
    }
    if (corners != 3) return false;
    for (int32_t s = 0; s < g->side_count; ++s) {
        graph_side *side = &g->sides[s];
        const graph_node *at = &g->nodes[side->to];
        if (at->segments == 0 || (at->segments == 1 && side->other >= 0)) {
            side->next = at->boundary_out;
        } else if (at->segments == 1) {
            side->next = at->segment_out[0];
        } else {
            int32_t twin = g->boundary_count + ((s - g->boundary_count) ^ 1);
            side->next = at->segment_out[at->segment_out[0] == twin ? 1 : 0];
        }
    }
    return true;
}

static double cross_of(const plane_graph *g, int32_t a, int32_t b, int32_t c)
{
    const graph_node *p = &g->nodes[a], *q = &g->nodes[b], *r = &g->nodes[c];
    return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
}

static void walk_loop(plane_graph *g, int32_t start)
{
    graph_loop loop = {.first = g->order_count};
    for (int32_t s = start; !g->sides[s].walked; s = g->sides[s].next) {
        graph_side *side = &g->sides[s];
        const graph_node *from = &g->nodes[side->from], *to = &g->nodes[side->to];
        side->walked = true;
        g->order[g->order_count++] = side->from;
        loop.area += from->x * to->y - from->y * to->x;
        if (side->other < 0) {
            loop.outer = true;
            continue;
        }
        sherd_vec3 way = vec3_sub(g->w->vertex[to->vertex], g->w->vertex[from->vertex]);
        loop.above += vec3_dot(vec3_cross(g->normal, way), boolean_normal(g->w, side->other));
    }
    loop.count = g->order_count - loop.first;
    loop.outer |= loop.area > 0.0;
    g->loops[g->loop_count++] = loop;
}

static bool is_around(const plane_graph *g, const graph_loop *loop, int32_t node)
{
    bool inside = false;
    double x = g->nodes[node].x, y = g->nodes[node].y;
    for (int32_t k = 0; k < loop->count; ++k) {
        int32_t a = g->order[loop->first + k], b = g->order[loop->first + (k + 1) % loop->count];
        if (a == node) return false; // the same line, seen from its other side
        const graph_node *p = &g->nodes[a], *q = &g->nodes[b];
        if ((p->y > y) == (q->y > y)) continue;
        if (x < p->x + (y - p->y) / (q->y - p->y) * (q->x - p->x)) inside = !inside;
    }
    return inside;
}

// The smallest loop around a hole; -1: none.
static int32_t face_around(const plane_graph *g, const graph_loop *hole)
{
    int32_t best = -1;
    for (int32_t k = 0; k < g->loop_count; ++k)
        if (g->loops[k].outer && (best < 0 || g->loops[k].area < g->loops[best].area) &&
            is_around(g, &g->loops[k], g->order[hole->first]))
            best = k;
    return best;
}

// ---------------------------------------------------------------- holes

static bool cross_each_other(const plane_graph *g, int32_t a, int32_t b, int32_t p, int32_t q)
{
    if (a == p || a == q || b == p || b == q) return false;
    return (cross_of(g, a, b, p) > 0.0) != (cross_of(g, a, b, q) > 0.0) &&
           (cross_of(g, p, q, a) > 0.0) != (cross_of(g, p, q, b) > 0.0);
}

static bool is_clear_of(const plane_graph *g, int32_t a, int32_t b, const int32_t *ring,
                        int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
        if (cross_each_other(g, a, b, ring[k], ring[(k + 1) % count])) return false;
    return true;
}

// Neither through the polygon, nor through any hole that is in it or will be.
static bool is_visible(const plane_graph *g, int32_t a, int32_t b)
{
    if (!is_clear_of(g, a, b, g->polygon, g->polygon_count)) return false;
    for (int32_t k = 0; k < g->loop_count; ++k) {
        const graph_loop *loop = &g->loops[k];
        if (!loop->outer && !is_clear_of(g, a, b, g->order + loop->first, loop->count))
            return false;
    }
    return true;
}

// Joins a hole to the polygon by its shortest bridge.
static bool join_hole(plane_graph *g, const graph_loop *hole)
{
    double best = INFINITY;
    int32_t at = -1, start = -1;
    for (int32_t i = 0; i < g->polygon_count; ++i)
        for (int32_t j = 0; j < hole->count; ++j) {
            int32_t a = g->polygon[i], b = g->order[hole->first + j];
            double d = hypot(g->nodes[a].x - g->nodes[b].x, g->nodes[a].y - g->nodes[b].y);
            if (d < best && is_visible(g, a, b)) best = d, at = i, start = j;
        }
    if (at < 0) return false;
    int32_t grown = hole->count + 2;
    for (int32_t k = g->polygon_count - 1; k > at; --k)
        g->polygon[k + grown] = g->polygon[k];
    for (int32_t k = 0; k <= hole->count; ++k)
        g->polygon[at + 1 + k] = g->order[hole->first + (start + k) % hole->count];
    g->polygon[at + grown] = g->polygon[at];
    g->polygon_count += grown;
    return true;
}

// ---------------------------------------------------------------- ears

static double squared_side(const plane_graph *g, int32_t a, int32_t b)
{
    double x = g->nodes[a].x - g->nodes[b].x, y = g->nodes[a].y - g->nodes[b].y;
    return x * x + y * y;
}

// Twice the area over the longest side squared: how far from a needle it is. < 0: turned round.
static double shape_of_ear(const plane_graph *g, int32_t a, int32_t b, int32_t c)
{
    double longest =
        fmax(squared_side(g, a, b), fmax(squared_side(g, b, c), squared_side(g, c, a)));
    return longest > 0.0 ? cross_of(g, a, b, c) / longest : 0.0;
}

static bool is_empty_ear(const plane_graph *g, int32_t a, int32_t b, int32_t c)
{
    for (int32_t k = 0; k < g->polygon_count; ++k) {
        int32_t p = g->polygon[k];
        if (p == a || p == b || p == c) continue;
        if (cross_of(g, a, b, p) >= 0.0 && cross_of(g, b, c, p) >= 0.0 &&
            cross_of(g, c, a, p) >= 0.0)
            return false;
    }
    return true;
}

// The best ear, or, where rounding has left none, the corner that is least turned round.
static int32_t best_ear(plane_graph *g)
{
    int32_t best = -1, fallback = 0, n = g->polygon_count;
    double quality = 0.0, least = -INFINITY;
    for (int32_t k = 0; k < n; ++k) {
        int32_t a = g->polygon[(k + n - 1) % n], b = g->polygon[k], c = g->polygon[(k + 1) % n];
        double shape = shape_of_ear(g, a, b, c);
        if (shape > quality && is_empty_ear(g, a, b, c)) quality = shape, best = k;
        if (shape > least && a != c) least = shape, fallback = k;
    }
    if (best < 0) g->w->folded = true;
    return best >= 0 ? best : fallback;
}

static bool clip_ears(plane_graph *g)
{
    while (g->polygon_count >= 3) {
        int32_t n = g->polygon_count, k = best_ear(g);
        int32_t a = g->polygon[(k + n - 1) % n], b = g->polygon[k], c = g->polygon[(k + 1) % n];
        if (a != b && b != c && c != a &&
            !sherd_boolean_keep(g->w, g->triangle, g->nodes[a].vertex, g->nodes[b].vertex,
                                g->nodes[c].vertex))
            return false;
        for (int32_t i = k; i + 1 < n; ++i)
            g->polygon[i] = g->polygon[i + 1];
        --g->polygon_count;
    }
    return true;
}

// ---------------------------------------------------------------- faces

static bool keep_face(plane_graph *g, int32_t face, const int32_t *around)
{
    const graph_loop *loop = &g->loops[face];
    double above = loop->above;
    for (int32_t k = 0; k < g->loop_count; ++k)
        if (around[k] == face) above += g->loops[k].above;
    if (!boolean_stays(g->w, g->triangle, above < 0.0)) return true;
    g->polygon_count = loop->count;
    for (int32_t k = 0; k < loop->count; ++k)
        g->polygon[k] = g->order[loop->first + k];
    for (int32_t k = 0; k < g->loop_count; ++k)
        if (around[k] == face && !join_hole(g, &g->loops[k])) {
            g->w->contradictory = true;
            return false;
        }
    if (clip_ears(g)) return true;
    g->w->out_of_memory = true;
    return false;
}

static bool keep_faces(plane_graph *g)
{
    int32_t *around = sherd_alloc((size_t)g->loop_count, sizeof *around);
    bool kept = around != NULL;
    if (!kept) g->w->out_of_memory = true;
    for (int32_t k = 0; k < g->loop_count && kept; ++k) {
        around[k] = g->loops[k].outer ? -1 : face_around(g, &g->loops[k]);
        if (g->loops[k].outer || around[k] >= 0) continue;
        g->w->contradictory = true;
        kept = false;
    }
    for (int32_t k = 0; k < g->loop_count && kept; ++k)
        if (g->loops[k].outer) kept = keep_face(g, k, around);
    sherd_free(around);
    return kept;
}

static bool allocate(plane_graph *g, size_t segments)
{
    const int32_t *c = g->w->triangle + 3 * (size_t)g->triangle;
    size_t nodes = 3 + 2 * segments, on_edge;
    for (int k = 0; k < 3; ++k) {
        sherd_boolean_on_edge(g->w, c[k], c[(k + 1) % 3], &on_edge);
        nodes += on_edge;
    }
    size_t sides = nodes + 2 * segments;
    g->nodes = sherd_alloc(nodes, sizeof *g->nodes);
    g->sides = sherd_alloc(sides, sizeof *g->sides);
    g->loops = sherd_alloc(sides, sizeof *g->loops);
    g->order = sherd_alloc(sides, sizeof *g->order);
    g->polygon = sherd_alloc(3 * sides, sizeof *g->polygon);
    return g->nodes != NULL && g->sides != NULL && g->loops != NULL && g->order != NULL &&
           g->polygon != NULL;
}

static void set_plane(plane_graph *g)
{
    const int32_t *c = g->w->triangle + 3 * (size_t)g->triangle;
    g->normal = boolean_normal(g->w, g->triangle);
    g->origin = g->w->vertex[c[0]];
    g->e1 = vec3_normalize(vec3_sub(g->w->vertex[c[1]], g->origin));
    g->e2 = vec3_cross(g->normal, g->e1);
}

bool sherd_boolean_divide(boolean_work *w, int32_t triangle, const boolean_segment *segments,
                          size_t segment_count)
{
    plane_graph g = {.w = w, .triangle = triangle};
    bool done = false;
    if (allocate(&g, segment_count)) {
        set_plane(&g);
        add_boundary(&g);
        for (size_t k = 0; k < segment_count; ++k) {
            int32_t from = node_of(&g, segments[k].from), to = node_of(&g, segments[k].to);
            add_side(&g, from, to, segments[k].other);
            add_side(&g, to, from, segments[k].other);
        }
        w->contradictory = !link_sides(&g);
        for (int32_t s = 0; s < g.side_count && !w->contradictory; ++s)
            if (!g.sides[s].walked) walk_loop(&g, s);
        done = !w->contradictory && keep_faces(&g);
    } else {
        w->out_of_memory = true;
    }
    sherd_free(g.nodes);
    sherd_free(g.sides);
    sherd_free(g.loops);
    sherd_free(g.order);
    sherd_free(g.polygon);
    return done;
}
