// Ear clipping. Bridges, edges used in both directions, first join holes to the outline around
// them, so that one ring of corners surrounds each part (Eberly, "Triangulation by ear clipping").
#include "geometry/polygon.h"

#include "base/memory.h"

#include <math.h>

// Corners of one part, linked in a ring. A vertex at the end of a bridge has two corners.
typedef struct ring {
    const sherd_polygon *polygon;
    int count;
    int32_t *vertex, *before, *after;
} ring;

static double cross(sherd_vec2 o, sherd_vec2 a, sherd_vec2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static sherd_vec2 at(const ring *r, int corner)
{
    return r->polygon->vertex[r->vertex[corner]];
}

static int add_corner(ring *r, int32_t vertex)
{
    r->vertex[r->count] = vertex;
    return r->count++;
}

static void link_corners(ring *r, int from, int to)
{
    r->after[from] = to;
    r->before[to] = from;
}

// Adds the outline from vertex `first` on. Returns its first corner; the last one is linked to it.
static int add_outline(ring *r, int32_t first)
{
    int begin = add_corner(r, first);
    for (int32_t k = r->polygon->after[first]; k != first; k = r->polygon->after[k]) {
        int corner = add_corner(r, k);
        link_corners(r, corner - 1, corner);
    }
    link_corners(r, r->count - 1, begin);
    return begin;
}

// ---------------------------------------------------------------- bridges

static bool crosses(sherd_vec2 a, sherd_vec2 b, sherd_vec2 c, sherd_vec2 d)
{
    return (cross(c, d, a) > 0.0) != (cross(c, d, b) > 0.0) &&
           (cross(a, b, c) > 0.0) != (cross(a, b, d) > 0.0);
}

// Returns whether the segment from a corner to q begins inside, between the corner's two edges.
static bool begins_inside(const ring *r, int corner, sherd_vec2 q)
{
    sherd_vec2 a = at(r, r->before[corner]), b = at(r, corner), c = at(r, r->after[corner]);
    bool left_of_first = cross(a, b, q) > 0.0, left_of_second = cross(b, c, q) > 0.0;
    return cross(a, b, c) > 0.0 ? left_of_first && left_of_second : left_of_first || left_of_second;
}

// Returns whether no edge lies between the vertex m and a corner.
static bool sees(const ring *r, int corner, int32_t m)
{
    const sherd_polygon *p = r->polygon;
    int32_t v = r->vertex[corner];
    for (int32_t k = 0; k < p->count; ++k) {
        int32_t end = p->after[k];
        if (k == v || end == v || k == m || end == m) continue;
        if (crosses(p->vertex[m], p->vertex[v], p->vertex[k], p->vertex[end])) return false;
    }
    for (int32_t k = 0; k < r->count; ++k) { // bridges
        int32_t a = r->vertex[k], b = r->vertex[r->after[k]];
        if (b == p->after[a] || a == v || b == v) continue;
        if (crosses(p->vertex[m], p->vertex[v], p->vertex[a], p->vertex[b])) return false;
    }
    return true;
}

// Returns the nearest corner visible from a hole's vertex m, or -1.
static int bridge_to(const ring *r, int32_t m)
{
    sherd_vec2 q = r->polygon->vertex[m];
    double nearest = INFINITY;
    int best = -1;
    for (int k = 0; k < r->count; ++k) {
        double distance = hypot(at(r, k).x - q.x, at(r, k).y - q.y);
        if (distance < nearest && begins_inside(r, k, q) && sees(r, k, m))
            nearest = distance, best = k;
    }
    return best;
}

// Inserts a bridge from a corner to the hole's vertex m, around the hole and back.
static void join_hole(ring *r, int32_t m)
{
    int corner = bridge_to(r, m);
    if (corner < 0) return; // the outlines cross; the hole is filled
    int behind = r->after[corner], first = add_outline(r, m), last = r->before[first];
    int again = add_corner(r, m), back = add_corner(r, r->vertex[corner]);
    link_corners(r, corner, first);
    link_corners(r, last, again);
    link_corners(r, again, back);
    link_corners(r, back, behind);
}

// ---------------------------------------------------------------- ears

// Returns whether `tip` is an ear: convex, with no other vertex in its triangle.
static bool is_ear(const ring *r, int before, int tip, int behind)
{
    sherd_vec2 a = at(r, before), b = at(r, tip), c = at(r, behind);
    if (cross(a, b, c) <= 0.0) return false;
    for (int k = r->after[behind]; k != before; k = r->after[k]) {
        int32_t v = r->vertex[k];
        if (v == r->vertex[before] || v == r->vertex[tip] || v == r->vertex[behind]) continue;
        sherd_vec2 q = at(r, k);
        if (cross(a, b, q) >= 0.0 && cross(b, c, q) >= 0.0 && cross(c, a, q) >= 0.0) return false;
    }
    return true;
}

// Returns behind the triangles.
static int32_t *clip_ears(ring *r, int32_t *triangles)
{
    int before = r->before[0], remaining = r->count, misses = 0;
    while (remaining > 2) {
        int tip = r->after[before], behind = r->after[tip];
        // After a round without ears (collinear points, rounding) any corner that is not reflex is
        // cut, and as a last resort any corner: the triangles still cover the polygon once in
        // total.
        bool cut = is_ear(r, before, tip, behind) ||
                   (misses > remaining && cross(at(r, before), at(r, tip), at(r, behind)) >= 0.0) ||
                   misses > 2 * remaining;
        if (cut) {
            *triangles++ = r->vertex[before];
            *triangles++ = r->vertex[tip];
            *triangles++ = r->vertex[behind];
            link_corners(r, before, behind);
            --remaining;
            misses = 0;
        } else {
            before = tip;
            ++misses;
        }
    }
    return triangles;
}

// ---------------------------------------------------------------- parts

typedef struct outline {
    int32_t first, rightmost; // vertices
    double area;              // < 0: a hole [m^2]
    int around;               // of a hole: the smallest outline around it, -1: none
} outline;

static void measure_outlines(const sherd_polygon *p, outline *outlines)
{
    int32_t first = 0;
    for (int i = 0; i < p->outline_count; ++i) {
        outline o = {first, first, 0.0, -1};
        int32_t k = first;
        do {
            o.area += 0.5 * cross(p->vertex[first], p->vertex[k], p->vertex[p->after[k]]);
            if (p->vertex[k].x > p->vertex[o.rightmost].x) o.rightmost = k;
            k = p->after[k];
        } while (k != first);
        outlines[i] = o;
        first = p->before[first] + 1;
    }
}

static bool is_within(const sherd_polygon *p, int32_t start, sherd_vec2 q)
{
    bool inside = false;
    int32_t k = start;
    do {
        sherd_vec2 a = p->vertex[k], b = p->vertex[p->after[k]];
        if ((a.y > q.y) != (b.y > q.y))
            inside ^= b.y > a.y ? cross(a, b, q) > 0.0 : cross(a, b, q) < 0.0;
        k = p->after[k];
    } while (k != start);
    return inside;
}

static void find_surroundings(const sherd_polygon *p, outline *outlines)
{
    for (int h = 0; h < p->outline_count; ++h) {
        for (int i = 0; outlines[h].area < 0.0 && i < p->outline_count; ++i) {
            int best = outlines[h].around;
            if (outlines[i].area < 0.0 || (best >= 0 && outlines[i].area > outlines[best].area))
                continue;
            if (is_within(p, outlines[i].rightmost, p->vertex[outlines[h].rightmost]))
                outlines[h].around = i;
        }
    }
}

// The hole within outline i that reaches farthest right and is not joined yet, or -1.
static int next_hole(const sherd_polygon *p, const outline *outlines, int i)
{
    int best = -1;
    for (int h = 0; h < p->outline_count; ++h) {
        if (outlines[h].area >= 0.0 || outlines[h].around != i) continue;
        if (best < 0 || p->vertex[outlines[h].rightmost].x > p->vertex[outlines[best].rightmost].x)
            best = h;
    }
    return best;
}

int sherd_polygon_triangulate(const sherd_polygon *p, int32_t *triangles)
{
    int capacity = p->count + 2 * p->outline_count;
    ring r = {.polygon = p};
    r.vertex = sherd_alloc((size_t)capacity, sizeof *r.vertex);
    r.before = sherd_alloc((size_t)capacity, sizeof *r.before);
    r.after = sherd_alloc((size_t)capacity, sizeof *r.after);
    outline *outlines = sherd_alloc((size_t)p->outline_count, sizeof *outlines);
    bool good = r.vertex != NULL && r.before != NULL && r.after != NULL && outlines != NULL;
    int32_t *end = triangles;
    if (good) measure_outlines(p, outlines), find_surroundings(p, outlines);
    for (int i = 0; good && i < p->outline_count; ++i) {
        if (outlines[i].area < 0.0) continue;
        r.count = 0;
        add_outline(&r, outlines[i].first);
        for (int h = next_hole(p, outlines, i); h >= 0; h = next_hole(p, outlines, i)) {
            join_hole(&r, outlines[h].rightmost);
            outlines[h].around = -1;
        }
        end = clip_ears(&r, end);
    }
    sherd_free(r.vertex);
    sherd_free(r.before);
    sherd_free(r.after);
    sherd_free(outlines);
    return good ? (int)((end - triangles) / 3) : -1;
}
