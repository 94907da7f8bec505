// A prism whose outline is the zero line of a distance in the plane: marching triangles on a square grid,
// walls along the line, grid triangles and what the line cuts off them as both ends. Closed, with
// sharp rims, and never through itself, whatever the outline's holes.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/tessellate/surface_build.h"
#include "math/vec3.h"

enum { MOST_CELLS = 400, LEAST_CELLS = 8 }; // along the longer side

// Crossings keep this share of a grid edge from its ends, so that no triangle vanishes.
static const double LEAST_SHARE = 0.05;

typedef struct contour {
    const sherd_shape *shape;
    sherd_contour_distance *distance;
    sherd_vec2 low;
    double h, half_height;
    int64_t nx, ny; // corners
    double *value;
    int32_t
        *vertex; // lower vertex at the corner, and on the edges right, up and both; -1 = none yet
    sherd_mesh_growth *growth;
} contour;

static sherd_vec2 corner_at(const contour *c, int64_t k)
{
    return (sherd_vec2){c->low.x + c->h * (double)(k % c->nx),
                        c->low.y + c->h * (double)(k / c->nx)};
}

// Both ends of the prism: the upper vertex follows the lower one.
static int32_t put_vertex(const contour *c, sherd_vec2 p)
{
    int32_t v = sherd_growth_vertex(c->growth, p.x, p.y, -c->half_height);
    sherd_growth_vertex(c->growth, p.x, p.y, c->half_height);
    return v;
}

static int32_t corner_vertex(const contour *c, int64_t k)
{
    int32_t *slot = &c->vertex[4 * k];
    if (*slot < 0) *slot = put_vertex(c, corner_at(c, k));
    return *slot;
}

// On the edge from corner a to b, which is right of, above, or right above it: by false position.
static int32_t edge_vertex(const contour *c, int64_t a, int64_t b)
{
    if (b < a) {
        int64_t swap = a;
        a = b, b = swap;
    }
    int32_t *slot = &c->vertex[4 * a + (b == a + 1 ? 1 : b == a + c->nx ? 2 : 3)];
    if (*slot >= 0) return *slot;
    sherd_vec2 p = corner_at(c, a), q = corner_at(c, b);
    double low = 0.0, high = 1.0, f_low = c->value[a], f_high = c->value[b], t = 0.5;
    for (int n = 0; n < 6; ++n) {
        t = low + (high - low) * f_low / (f_low - f_high);
        sherd_vec2 at = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        double f = c->distance(c->shape, at);
        if ((f < 0.0) == (f_low < 0.0))
            low = t, f_low = f;
        else
            high = t, f_high = f;
        if (f == 0.0 || f_low == f_high) break;
    }
    t = fmin(fmax(t, LEAST_SHARE), 1.0 - LEAST_SHARE);
    *slot = put_vertex(c, (sherd_vec2){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    return *slot;
}

// Lower and upper end of a counter-clockwise triangle.
static void put_ends(const contour *c, int32_t x, int32_t y, int32_t z)
{
    sherd_growth_triangle(c->growth, x, z, y, NULL);
    sherd_growth_triangle(c->growth, x + 1, y + 1, z + 1, NULL);
}

// Along the outline, the inside on the left.
static void put_wall(const contour *c, int32_t from, int32_t to)
{
    sherd_growth_triangle(c->growth, from, to, to + 1, NULL);
    sherd_growth_triangle(c->growth, from, to + 1, from + 1, NULL);
}

// The part of a counter-clockwise grid triangle that is inside.
static void march(const contour *c, const int64_t k[3])
{
    int inside = 0, odd = 0; // `odd`: the corner that differs from the two others
    for (int n = 0; n < 3; ++n)
        inside += c->value[k[n]] < 0.0;
    if (inside == 0) return;
    if (inside == 3) {
        put_ends(c, corner_vertex(c, k[0]), corner_vertex(c, k[1]), corner_vertex(c, k[2]));
        return;
    }
    for (int n = 0; n < 3; ++n)
        if ((c->value[k[n]] < 0.0) == (inside == 1)) odd = n;
    int64_t a = k[odd], b = k[(odd + 1) % 3], d = k[(odd + 2) % 3];
    int32_t ab = edge_vertex(c, a, b), ad = edge_vertex(c, a, d);
    if (inside == 1) {
        put_ends(c, corner_vertex(c, a), ab, ad);
        put_wall(c, ab, ad);
    } else {
        int32_t vb = corner_vertex(c, b), vd = corner_vertex(c, d);
        put_ends(c, ab, vb, vd);
        put_ends(c, ab, vd, ad);
        put_wall(c, ad, ab);
    }
}

static bool sample(contour *c)
{
    size_t corners = (size_t)(c->nx * c->ny);
    c->value = sherd_alloc(corners, sizeof *c->value);
    c->vertex = sherd_alloc(4 * corners, sizeof *c->vertex);
    if (c->value == NULL || c->vertex == NULL) return false;
    for (size_t k = 0; k < corners; ++k) {
        c->value[k] = c->distance(c->shape, corner_at(c, (int64_t)k));
        for (int n = 0; n < 4; ++n)
            c->vertex[4 * k + (size_t)n] = -1;
    }
    return true;
}

sherd_mesh *sherd_surface_contour(const sherd_shape *shape, sherd_contour_distance *distance,
                                  double half_height, double edge_length, sherd_error *error)
{
    sherd_bounds b = shape->bounds;
    double x = b.high.x - b.low.x, y = b.high.y - b.low.y, longest = fmax(x, y);
    double cells = fmin(fmax(longest / edge_length, LEAST_CELLS), MOST_CELLS);
    sherd_mesh_growth growth = {0};
    contour c = {.shape = shape,
                 .distance = distance,
                 .h = longest / cells,
                 .half_height = half_height,
                 .growth = &growth};
    c.low = (sherd_vec2){b.low.x - 0.73 * c.h, b.low.y - 0.73 * c.h};
    c.nx = (int64_t)(x / c.h) + 4, c.ny = (int64_t)(y / c.h) + 4;
    if (!sample(&c)) growth.failed = true;
    for (int64_t j = 0; j + 1 < c.ny && !growth.failed; ++j)
        for (int64_t i = 0; i + 1 < c.nx; ++i) {
            int64_t at = j * c.nx + i;
            march(&c, (int64_t[]){at, at + 1, at + c.nx + 1});
            march(&c, (int64_t[]){at, at + c.nx + 1, at + c.nx});
        }
    sherd_free(c.value);
    sherd_free(c.vertex);
    return sherd_growth_take(&growth, error);
}
