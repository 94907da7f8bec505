// Surfaces swept by polygons: lathes and prisms.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/surface_build.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;

enum { FEWEST_SECTORS = 24, MOST_SECTORS = 512, MOST_SPLITS = 256 };

static int sectors_for(double radius, double edge_length)
{
    double n = ceil(2.0 * PI * radius / edge_length);
    return n < FEWEST_SECTORS ? FEWEST_SECTORS : n > MOST_SECTORS ? MOST_SECTORS : (int)n;
}

// First vertex of a ring; a ring on the axis is a single vertex.
static int32_t add_ring(sherd_mesh_growth *g, sherd_vec2 p, int sectors)
{
    if (!(p.x > 0.0)) return sherd_growth_vertex(g, 0.0, 0.0, p.y);
    int32_t first = (int32_t)g->vertex_count;
    for (int s = 0; s < sectors; ++s) {
        double angle = 2.0 * PI * s / sectors;
        sherd_growth_vertex(g, p.x * cos(angle), p.x * sin(angle), p.y);
    }
    return first;
}

// The band between two rings. With a counter-clockwise (r, z) profile the solid lies to the left, so
// going up the outside, triangles turn outwards.
static void add_band(sherd_mesh_growth *g, int32_t a, bool a_point, int32_t b, bool b_point,
                     int sectors)
{
    if (a_point && b_point) return;
    for (int s = 0; s < sectors; ++s) {
        int next = (s + 1) % sectors;
        int32_t a0 = a_point ? a : a + s, a1 = a_point ? a : a + next;
        int32_t b0 = b_point ? b : b + s, b1 = b_point ? b : b + next;
        sherd_growth_triangle(g, a0, a1, b1);
        sherd_growth_triangle(g, a0, b1, b0);
    }
}

sherd_mesh *sherd_surface_lathe(const sherd_vec2 *profile, int count, double edge_length,
                                sherd_error *error)
{
    double radius = 0.0;
    for (int k = 0; k < count; ++k)
        radius = fmax(radius, profile[k].x);
    int sectors = sectors_for(radius, edge_length);
    sherd_mesh_growth g = {0};
    int32_t first = add_ring(&g, profile[0], sectors), last = first;
    for (int k = 0; k < count; ++k) {
        sherd_vec2 a = profile[k], b = profile[k + 1 < count ? k + 1 : 0];
        double length = hypot(b.x - a.x, b.y - a.y);
        int splits = (int)fmin(fmax(1.0, ceil(length / edge_length)), MOST_SPLITS);
        if (!(a.x > 0.0) && !(b.x > 0.0)) splits = 1; // along the axis: no surface
        for (int s = 1; s <= splits; ++s) {
            double f = (double)s / splits, f_old = (double)(s - 1) / splits;
            sherd_vec2 p = {a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
            bool closes = k + 1 == count && s == splits;
            int32_t ring = closes ? first : add_ring(&g, s == splits ? b : p, sectors);
            bool old_point = !(a.x + f_old * (b.x - a.x) > 0.0);
            add_band(&g, last, old_point, ring, !((s == splits ? b.x : p.x) > 0.0), sectors);
            last = ring;
        }
    }
    return sherd_growth_take(&g, INFINITY, error);
}

sherd_mesh *sherd_surface_prism(const sherd_vec2 *outline, int count, double half_height,
                                double edge_length, sherd_error *error)
{
    int32_t *caps = sherd_alloc((size_t)(count - 2) * 3, sizeof *caps);
    if (caps == NULL || !sherd_polygon_triangulate(outline, count, caps)) {
        sherd_free(caps);
        sherd_fail_memory(error, "a surface mesh");
        return NULL;
    }
    sherd_mesh_growth g = {0};
    for (int level = 0; level < 2; ++level)
        for (int k = 0; k < count; ++k)
            sherd_growth_vertex(&g, outline[k].x, outline[k].y, level ? half_height : -half_height);
    for (int t = 0; t < count - 2; ++t) {
        const int32_t *c = caps + 3 * t;
        sherd_growth_triangle(&g, c[0], c[2], c[1]);
        sherd_growth_triangle(&g, count + c[0], count + c[1], count + c[2]);
    }
    for (int k = 0; k < count; ++k) {
        int32_t next = k + 1 < count ? k + 1 : 0;
        sherd_growth_triangle(&g, k, next, count + next);
        sherd_growth_triangle(&g, k, count + next, count + k);
    }
    sherd_free(caps);
    return sherd_growth_take(&g, edge_length, error);
}
