// geometry/delaunay: triangles cover the polygon once, and no circle around one has another vertex in it.
#include "geometry/mesh/delaunay.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

static double area_of(const sherd_delaunay *d, size_t t)
{
    sherd_vec2 a = d->vertex[d->corner[3 * t]], b = d->vertex[d->corner[3 * t + 1]],
               c = d->vertex[d->corner[3 * t + 2]];
    return 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

static void check_twins(const sherd_delaunay *d)
{
    for (int32_t h = 0; h < 3 * (int32_t)d->triangle_count; ++h) {
        int32_t g = d->twin[h];
        if (g < 0) continue;
        cr_assert(eq(i32, d->twin[g], h));
        cr_assert(eq(i32, d->corner[g], d->corner[h % 3 == 2 ? h - 2 : h + 1]));
    }
}

// Counter-clockwise all, and as large together as the polygon.
static void check_cover(const sherd_delaunay *d, double area)
{
    double sum = 0.0;
    for (size_t t = 0; t < d->triangle_count; ++t) {
        cr_assert(area_of(d, t) > 0.0);
        sum += area_of(d, t);
    }
    cr_assert(epsilon_eq(dbl, sum, area, 1e-12 * area));
    check_twins(d);
}

// The plane is sheared where circles are drawn.
static sherd_vec2 sheared(const sherd_delaunay *d, int32_t v)
{
    return (sherd_vec2){d->vertex[v].x + SHERD_DELAUNAY_SHEAR * d->vertex[v].y, d->vertex[v].y};
}

// How deep the vertex opposite an edge is within the circle around the triangle before it, in radii.
static double depth_in_circle(const sherd_delaunay *d, int32_t h)
{
    const int32_t *corner = d->corner + h / 3 * 3;
    sherd_vec2 a = sheared(d, corner[0]), b = sheared(d, corner[1]), c = sheared(d, corner[2]);
    int32_t g = d->twin[h];
    sherd_vec2 q = sheared(d, d->corner[g % 3 == 0 ? g + 2 : g - 1]);
    double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    double bb = bx * bx + by * by, cc = cx * cx + cy * cy, twice = 2.0 * (bx * cy - by * cx);
    double x = (cy * bb - by * cc) / twice, y = (bx * cc - cx * bb) / twice;
    return 1.0 - hypot(q.x - a.x - x, q.y - a.y - y) / hypot(x, y);
}

static void check_circles(const sherd_delaunay *d)
{
    for (int32_t h = 0; h < 3 * (int32_t)d->triangle_count; ++h)
        if (d->twin[h] >= 0) cr_assert(lt(dbl, depth_in_circle(d, h), 1e-9));
}

// Numbers in 0 .. 1 without a pattern.
static double scattered(int k, int seed)
{
    double x = sin(12.9898 * k + 78.233 * seed) * 43758.5453;
    return x - floor(x);
}

Test(delaunay, vertices_anywhere_in_a_polygon)
{
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    sherd_delaunay d;
    sherd_polygon polygon;
    cr_assert(eq(int, sherd_polygon_init(&polygon, ell, 6, "ell", NULL), SHERD_OK));
    cr_assert(sherd_delaunay_init(&d, &polygon));
    sherd_polygon_release(&polygon);
    check_cover(&d, 3.0);
    for (int i = 3; i > 0; --i)
        for (int k = 0; k < 6; ++k) {
            sherd_vec2 a = ell[k], b = ell[(k + 1) % 6];
            sherd_delaunay_split(
                &d, k, (sherd_vec2){a.x + 0.25 * i * (b.x - a.x), a.y + 0.25 * i * (b.y - a.y)});
        }
    sherd_delaunay_flip_all(&d);
    for (int k = 0; k < 300; ++k) { // now in one leg, now in the other: the corner is in the way
        double along = 0.01 + 0.98 * scattered(k, 0), across = 0.01 + 0.98 * scattered(k, 1);
        sherd_delaunay_insert(&d, (int32_t)d.triangle_count - 1,
                              k % 2 ? (sherd_vec2){1.0 + along, across}
                                    : (sherd_vec2){across, 1.0 + along});
    }
    cr_assert(not(d.failed));
    // A polygon of n vertices with m inside has n - 2 + 2 m triangles.
    cr_assert(eq(sz, d.triangle_count, 24 - 2 + 2 * 300));
    check_cover(&d, 3.0);
    check_circles(&d);
    sherd_delaunay_release(&d);
}

// All vertices of a grid on circles with three others, and on edges: one diagonal, everywhere.
Test(delaunay, a_grid_is_divided_one_way)
{
    enum { N = 8 };
    const sherd_vec2 square[] = {{0, 0}, {N, 0}, {N, N}, {0, N}};
    sherd_delaunay d;
    sherd_polygon polygon;
    cr_assert(eq(int, sherd_polygon_init(&polygon, square, 4, "square", NULL), SHERD_OK));
    cr_assert(sherd_delaunay_init(&d, &polygon));
    sherd_polygon_release(&polygon);
    for (int k = 0; k < 4; ++k)
        for (int i = N - 1; i > 0; --i) {
            sherd_vec2 a = square[k], b = square[(k + 1) % 4];
            sherd_delaunay_split(
                &d, k, (sherd_vec2){a.x + i * (b.x - a.x) / N, a.y + i * (b.y - a.y) / N});
        }
    sherd_delaunay_flip_all(&d);
    for (int j = 1; j < N; ++j)
        for (int i = 1; i < N; ++i)
            sherd_delaunay_insert(&d, 0, (sherd_vec2){i, j});
    cr_assert(eq(sz, d.triangle_count, 2 * N * N));
    for (int32_t h = 0; h < 3 * (int32_t)d.triangle_count; ++h) {
        sherd_vec2 a = d.vertex[d.corner[h]], b = d.vertex[d.corner[h % 3 == 2 ? h - 2 : h + 1]];
        double x = b.x - a.x, y = b.y - a.y;
        cr_assert(le(dbl, fmax(fabs(x), fabs(y)), 1.0));
        cr_assert(le(dbl, x * y, 0.0));
    }
    sherd_delaunay_release(&d);
}
