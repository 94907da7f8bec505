#include "geometry/exact/facet.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <math.h>

__extension__ typedef __int128 wide;

static const int64_t SIDE = INT64_C(1) << 50;

int64_t sherd_facet_fraction(double fraction)
{
    return llround(fmin(fmax(fraction, 0.0), 1.0) * (double)SIDE);
}

static int orientation(const facet *f, int32_t a, int32_t b, int32_t c)
{
    const facet_point *p = &f->points[a], *q = &f->points[b], *r = &f->points[c];
    wide area = (wide)(q->u - p->u) * (r->v - p->v) - (wide)(q->v - p->v) * (r->u - p->u);
    return (area > 0) - (area < 0);
}

facet_result sherd_facet_begin(facet *f, const double x[3], const double y[3])
{
    if (!sherd_grow((void **)&f->points, &f->point_capacity, 3, sizeof *f->points) ||
        !sherd_grow((void **)&f->triangles, &f->triangle_capacity, 1, sizeof *f->triangles))
        return FACET_MEMORY;
    f->point_count = 3;
    f->triangle_count = 1;
    for (int k = 0; k < 3; ++k)
        f->points[k] = (facet_point){k == 1 ? SIDE : 0, k == 2 ? SIDE : 0, x[k], y[k]};
    f->triangles[0] = (facet_triangle){{0, 1, 2}, {-1, -1, -1}, {-1, -1, -1}};
    return FACET_OK;
}

void sherd_facet_release(facet *f)
{
    sherd_free(f->points);
    sherd_free(f->triangles);
    sherd_free(f->list);
    *f = (facet){0};
}

// --- Points ----------------------------------------------------------------------------------------

// Returns the side of t from a to b, or -1.
static int side_of(const facet_triangle *t, int32_t a, int32_t b)
{
    for (int k = 0; k < 3; ++k)
        if (t->corner[k] == a && t->corner[(k + 1) % 3] == b) return k;
    return -1;
}

// Sets t as the neighbour of the triangle beyond side k of t.
static void update_neighbour(facet *f, int32_t t, int k)
{
    const facet_triangle *self = &f->triangles[t];
    if (self->next[k] < 0) return;
    facet_triangle *other = &f->triangles[self->next[k]];
    int side = side_of(other, self->corner[(k + 1) % 3], self->corner[k]);
    other->next[side] = t;
}

static void split_in_three(facet *f, int32_t t, int32_t p)
{
    facet_triangle old = f->triangles[t];
    int32_t fresh = f->triangle_count;
    f->triangle_count += 2;
    int32_t part[3] = {t, fresh, fresh + 1};
    for (int k = 0; k < 3; ++k)
        f->triangles[part[k]] =
            (facet_triangle){{old.corner[k], old.corner[(k + 1) % 3], p},
                             {old.next[k], part[(k + 1) % 3], part[(k + 2) % 3]},
                             {old.segment[k], -1, -1}};
    for (int k = 0; k < 3; ++k)
        update_neighbour(f, part[k], 0);
}

// Splits t at p: the half beyond p becomes a new triangle, t retains the half before it. Returns
// the new one.
static int32_t split_half(facet *f, int32_t t, int side, int32_t p)
{
    facet_triangle old = f->triangles[t];
    int32_t fresh = f->triangle_count++, a = old.corner[side], b = old.corner[(side + 1) % 3],
            c = old.corner[(side + 2) % 3];
    f->triangles[t] = (facet_triangle){{a, p, c},
                                       {old.next[side], fresh, old.next[(side + 2) % 3]},
                                       {old.segment[side], -1, old.segment[(side + 2) % 3]}};
    f->triangles[fresh] = (facet_triangle){{p, b, c},
                                           {old.next[side], old.next[(side + 1) % 3], t},
                                           {old.segment[side], old.segment[(side + 1) % 3], -1}};
    update_neighbour(f, fresh, 1);
    return fresh;
}

static void split_side(facet *f, int32_t t, int side, int32_t p)
{
    int32_t n = f->triangles[t].next[side];
    int32_t a = f->triangles[t].corner[side], b = f->triangles[t].corner[(side + 1) % 3];
    int32_t beyond = split_half(f, t, side, p);
    if (n < 0) return;
    int32_t other = split_half(f, n, side_of(&f->triangles[n], b, a), p);
    // n is adjacent to the half beyond p, `other` to the half before it.
    f->triangles[t].next[0] = other, f->triangles[other].next[0] = t;
    f->triangles[beyond].next[0] = n, f->triangles[n].next[0] = beyond;
}

static facet_result insert(facet *f, facet_point point)
{
    if (!sherd_grow((void **)&f->points, &f->point_capacity, (size_t)f->point_count + 1,
                    sizeof *f->points) ||
        !sherd_grow((void **)&f->triangles, &f->triangle_capacity, (size_t)f->triangle_count + 2,
                    sizeof *f->triangles))
        return FACET_MEMORY;
    int32_t p = f->point_count++;
    f->points[p] = point;
    for (int32_t t = f->triangle_count - 1; t >= 0; --t) {
        const int32_t *c = f->triangles[t].corner;
        int on = -1, zeros = 0;
        bool outside = false;
        for (int k = 0; k < 3 && !outside; ++k) {
            int s = orientation(f, c[k], c[(k + 1) % 3], p);
            outside = s < 0;
            if (s != 0) continue;
            on = k;
            ++zeros;
        }
        if (outside) continue;
        if (zeros > 1) return FACET_DEGENERATE; // on a corner
        if (zeros == 1)
            split_side(f, t, on, p);
        else
            split_in_three(f, t, p);
        return FACET_OK;
    }
    return FACET_DEGENERATE;
}

static facet_point insert_point(const facet *f, int64_t u, int64_t v)
{
    double s = (double)u / (double)SIDE, t = (double)v / (double)SIDE;
    const facet_point *c = f->points;
    return (facet_point){u, v, (1.0 - s - t) * c[0].x + s * c[1].x + t * c[2].x,
                         (1.0 - s - t) * c[0].y + s * c[1].y + t * c[2].y};
}

facet_result sherd_facet_add_inside(facet *f, double weight_1, double weight_2)
{
    int64_t u = sherd_facet_fraction(weight_1), v = sherd_facet_fraction(weight_2);
    if (u <= 0 || v <= 0 || u + v >= SIDE) return FACET_DEGENERATE;
    return insert(f, insert_point(f, u, v));
}

facet_result sherd_facet_add_on_side(facet *f, int side, int64_t along)
{
    if (along <= 0 || along >= SIDE) return FACET_DEGENERATE;
    if (side == 0) return insert(f, insert_point(f, along, 0));
    if (side == 1) return insert(f, insert_point(f, SIDE - along, along));
    return insert(f, insert_point(f, 0, SIDE - along));
}

// --- Segments --------------------------------------------------------------------------------------

// Returns a triangle with a side from a to b, or -1.
static int32_t find_side(const facet *f, int32_t a, int32_t b, int *side)
{
    for (int32_t t = 0; t < f->triangle_count; ++t) {
        *side = side_of(&f->triangles[t], a, b);
        if (*side >= 0) return t;
    }
    return -1;
}

// Flips the edge between two triangles to the other diagonal of their quadrilateral. Returns false
// if that is not convex.
static bool flip(facet *f, int32_t t, int side)
{
    int32_t n = f->triangles[t].next[side];
    facet_triangle p = f->triangles[t], q = f->triangles[n];
    int j = side_of(&q, p.corner[(side + 1) % 3], p.corner[side]);
    int32_t a = p.corner[side], b = p.corner[(side + 1) % 3], c = p.corner[(side + 2) % 3],
            d = q.corner[(j + 2) % 3];
    if (orientation(f, a, d, c) <= 0 || orientation(f, d, b, c) <= 0) return false;
    // p = (a, b, c), q = (b, a, d)  ->  (a, d, c), (d, b, c)
    facet_triangle first = {{a, d, c},
                            {q.next[(j + 1) % 3], n, p.next[(side + 2) % 3]},
                            {q.segment[(j + 1) % 3], -1, p.segment[(side + 2) % 3]}};
    facet_triangle second = {{d, b, c},
                             {q.next[(j + 2) % 3], p.next[(side + 1) % 3], t},
                             {q.segment[(j + 2) % 3], p.segment[(side + 1) % 3], -1}};
    f->triangles[t] = first;
    f->triangles[n] = second;
    for (int k = 0; k < 3; ++k) {
        update_neighbour(f, t, k);
        update_neighbour(f, n, k);
    }
    return true;
}

// Returns the triangle at `from` through whose far side the segment leaves, or -1 if a point is on
// the segment.
static int32_t first_crossed(const facet *f, int32_t from, int32_t to, int *side)
{
    for (int32_t t = 0; t < f->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t *c = f->triangles[t].corner;
            if (c[k] != from) continue;
            if (orientation(f, from, to, c[(k + 1) % 3]) < 0 &&
                orientation(f, from, to, c[(k + 2) % 3]) > 0) {
                *side = (k + 1) % 3;
                return t;
            }
        }
    return -1;
}

// Lists edges that cross a segment, as pairs (right, left) viewed along it. Returns their number,
// or -1.
static int32_t list_crossed(facet *f, int32_t from, int32_t to, facet_result *result)
{
    int side;
    int32_t t = first_crossed(f, from, to, &side), count = 0;
    *result = FACET_DEGENERATE;
    while (t >= 0) {
        const facet_triangle *at = &f->triangles[t];
        int32_t a = at->corner[side], b = at->corner[(side + 1) % 3], n = at->next[side];
        if (at->segment[side] >= 0 || n < 0) return -1;
        if (!sherd_grow((void **)&f->list, &f->list_capacity, 2 * (size_t)(count + 1),
                        sizeof *f->list)) {
            *result = FACET_MEMORY;
            return -1;
        }
        f->list[2 * count] = a;
        f->list[2 * count++ + 1] = b;
        int j = side_of(&f->triangles[n], b, a);
        int32_t c = f->triangles[n].corner[(j + 2) % 3];
        if (c == to) return count;
        int s = orientation(f, from, to, c);
        if (s == 0) return -1;
        side = s < 0 ? (j + 2) % 3 : (j + 1) % 3; // left through c-b, right through a-c
        t = n;
    }
    return -1;
}

// Sloan 1993: flips crossing edges until none is left; edges that cannot be flipped yet are queued
// again.
static bool clear_crossed(facet *f, int32_t from, int32_t to, int32_t count)
{
    int64_t steps = 16 + 4 * (int64_t)count * count;
    for (int32_t k = 0; count > 0; k = k + 1 < count ? k + 1 : 0) {
        if (steps-- == 0) return false;
        if (k >= count) k = 0;
        int side;
        int32_t t = find_side(f, f->list[2 * k], f->list[2 * k + 1], &side);
        if (t < 0) t = find_side(f, f->list[2 * k + 1], f->list[2 * k], &side);
        if (t < 0 || !flip(f, t, side)) continue;
        int32_t c = f->triangles[t].corner[2], d = f->triangles[t].corner[1];
        bool crosses = c != from && c != to && d != from && d != to &&
                       orientation(f, from, to, c) * orientation(f, from, to, d) < 0;
        f->list[2 * k] = crosses ? c : f->list[2 * count - 2];
        f->list[2 * k + 1] = crosses ? d : f->list[2 * count - 1];
        count -= !crosses;
    }
    return true;
}

static bool mark_edge(facet *f, int32_t from, int32_t to, int32_t segment)
{
    int side;
    int32_t t = find_side(f, from, to, &side), n = -1;
    if (t >= 0) f->triangles[t].segment[side] = segment;
    n = find_side(f, to, from, &side);
    if (n >= 0) f->triangles[n].segment[side] = segment;
    return t >= 0 && n >= 0;
}

facet_result sherd_facet_constrain(facet *f, int32_t from, int32_t to, int32_t segment)
{
    SHERD_ASSERT(from != to && from >= 0 && from < f->point_count && to >= 0 && to < f->point_count,
                 "a segment joins two points");
    int side;
    if (find_side(f, from, to, &side) < 0) {
        facet_result result;
        int32_t count = list_crossed(f, from, to, &result);
        if (count < 0) return result;
        if (!clear_crossed(f, from, to, count)) return FACET_DEGENERATE;
    }
    return mark_edge(f, from, to, segment) ? FACET_OK : FACET_DEGENERATE;
}

// --- Shapes ----------------------------------------------------------------------------------------

// Returns whether d lies inside the circumcircle of a, b, c by more than rounding.
static bool in_circle(const facet *f, int32_t a, int32_t b, int32_t c, int32_t d)
{
    const facet_point *p = f->points, *o = &p[d];
    double ax = p[a].x - o->x, ay = p[a].y - o->y, bx = p[b].x - o->x, by = p[b].y - o->y;
    double cx = p[c].x - o->x, cy = p[c].y - o->y;
    double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    double det = aa * (bx * cy - by * cx) + bb * (cx * ay - cy * ax) + cc * (ax * by - ay * bx);
    double size = aa * (fabs(bx * cy) + fabs(by * cx)) + bb * (fabs(cx * ay) + fabs(cy * ax)) +
                  cc * (fabs(ax * by) + fabs(ay * bx));
    return det > 1e-9 * size;
}

// Twice the area over the squared longest side.
static double shape_of(const facet *f, int32_t a, int32_t b, int32_t c)
{
    const facet_point *p = &f->points[a], *q = &f->points[b], *r = &f->points[c];
    double qx = q->x - p->x, qy = q->y - p->y, rx = r->x - p->x, ry = r->y - p->y;
    double sx = rx - qx, sy = ry - qy;
    double longest = fmax(qx * qx + qy * qy, fmax(rx * rx + ry * ry, sx * sx + sy * sy));
    return longest > 0.0 ? (qx * ry - qy * rx) / longest : 0.0;
}

// Points on a line, intersections with other planes: their circumcircles are dominated by rounding.
static bool straightens(const facet *f, int32_t a, int32_t b, int32_t c, int32_t d)
{
    static const double FLAT = 1e-7; // twice the rounding of a circumcircle's sums
    double now = fmin(shape_of(f, a, b, c), shape_of(f, b, a, d));
    return now < FLAT && fmin(shape_of(f, a, d, c), shape_of(f, d, b, c)) > 2.0 * fmax(now, 0.0);
}

void sherd_facet_improve(facet *f)
{
    enum { MAX_PASSES = 20 };
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; ++pass) {
        changed = false;
        for (int32_t t = 0; t < f->triangle_count; ++t)
            for (int k = 0; k < 3; ++k) {
                const facet_triangle *at = &f->triangles[t];
                const int32_t *c = at->corner;
                int32_t n = at->next[k];
                if (n < t || at->segment[k] >= 0) continue; // once per edge
                int j = side_of(&f->triangles[n], c[(k + 1) % 3], c[k]);
                int32_t d = f->triangles[n].corner[(j + 2) % 3];
                if (in_circle(f, c[0], c[1], c[2], d) ||
                    straightens(f, c[k], c[(k + 1) % 3], c[(k + 2) % 3], d))
                    changed |= flip(f, t, k);
            }
    }
}
