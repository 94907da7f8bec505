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

typedef struct ring {
    int32_t first; // vertex
    bool point;    // on the axis
    double along;  // the profile [m]
} ring;

// The band between two rings. With a counter-clockwise (r, z) profile the solid lies to the left, so
// going up the outside, triangles turn outwards. `girth` [m] is what one turn counts as in textures.
static void add_band(sherd_mesh_growth *g, ring a, ring b, int sectors, double girth)
{
    if (a.point && b.point) return;
    float va = (float)a.along, vb = (float)b.along;
    for (int s = 0; s < sectors; ++s) {
        int next = (s + 1) % sectors;
        int32_t a0 = a.point ? a.first : a.first + s, a1 = a.point ? a.first : a.first + next;
        int32_t b0 = b.point ? b.first : b.first + s, b1 = b.point ? b.first : b.first + next;
        float u0 = (float)(girth * s / sectors), u1 = (float)(girth * (s + 1) / sectors);
        sherd_growth_triangle(g, a0, a1, b1, (const float[6]){u0, va, u1, va, u1, vb});
        sherd_growth_triangle(g, a0, b1, b0, (const float[6]){u0, va, u1, vb, u0, vb});
    }
}

// Rings along one edge of the profile, behind `last`; `closing`, where not NULL, is the last of them.
static ring add_edge(sherd_mesh_growth *g, sherd_vec2 a, sherd_vec2 b, ring last,
                     const ring *closing, int sectors, double girth, double edge_length)
{
    double length = hypot(b.x - a.x, b.y - a.y), start = last.along;
    int splits = (int)fmin(fmax(1.0, ceil(length / edge_length)), MOST_SPLITS);
    if (!(a.x > 0.0) && !(b.x > 0.0)) splits = 1; // along the axis: no surface
    for (int s = 1; s <= splits; ++s) {
        double f = (double)s / splits;
        sherd_vec2 p = {a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
        if (s == splits) p = b;
        ring next = {.point = !(p.x > 0.0), .along = start + f * length};
        next.first = closing != NULL && s == splits ? closing->first : add_ring(g, p, sectors);
        add_band(g, last, next, sectors, girth);
        last = next;
    }
    return last;
}

sherd_mesh *sherd_surface_lathe(const sherd_vec2 *profile, int count, double edge_length,
                                sherd_error *error)
{
    double radius = 0.0;
    for (int k = 0; k < count; ++k)
        radius = fmax(radius, profile[k].x);
    int sectors = sectors_for(radius, edge_length);
    sherd_mesh_growth g = {.has_uv = true};
    ring first = {add_ring(&g, profile[0], sectors), !(profile[0].x > 0.0), 0.0}, last = first;
    for (int k = 0; k < count; ++k) {
        bool closes = k + 1 == count;
        last = add_edge(&g, profile[k], profile[closes ? 0 : k + 1], last, closes ? &first : NULL,
                        sectors, 2.0 * PI * radius, edge_length);
    }
    return sherd_growth_take(&g, INFINITY, error);
}

static void add_caps(sherd_mesh_growth *g, const sherd_vec2 *outline, int count,
                     const int32_t *caps)
{
    for (int t = 0; t < count - 2; ++t) {
        const int32_t *c = caps + 3 * t;
        float u[3], v[3];
        for (int k = 0; k < 3; ++k)
            u[k] = (float)outline[c[k]].x, v[k] = (float)outline[c[k]].y;
        sherd_growth_triangle(g, c[0], c[2], c[1],
                              (const float[6]){-u[0], v[0], -u[2], v[2], -u[1], v[1]});
        sherd_growth_triangle(g, count + c[0], count + c[1], count + c[2],
                              (const float[6]){u[0], v[0], u[1], v[1], u[2], v[2]});
    }
}

static void add_sides(sherd_mesh_growth *g, const sherd_vec2 *outline, int count,
                      double half_height)
{
    double along = 0.0; // the outline [m]
    float low = (float)-half_height, high = (float)half_height;
    for (int k = 0; k < count; ++k) {
        int32_t next = k + 1 < count ? k + 1 : 0;
        sherd_vec2 a = outline[k], b = outline[next];
        float u0 = (float)along, u1 = (float)(along + hypot(b.x - a.x, b.y - a.y));
        sherd_growth_triangle(g, k, next, count + next,
                              (const float[6]){u0, low, u1, low, u1, high});
        sherd_growth_triangle(g, k, count + next, count + k,
                              (const float[6]){u0, low, u1, high, u0, high});
        along += hypot(b.x - a.x, b.y - a.y);
    }
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
    sherd_mesh_growth g = {.has_uv = true};
    for (int level = 0; level < 2; ++level)
        for (int k = 0; k < count; ++k)
            sherd_growth_vertex(&g, outline[k].x, outline[k].y, level ? half_height : -half_height);
    add_caps(&g, outline, count, caps);
    add_sides(&g, outline, count, half_height);
    sherd_free(caps);
    return sherd_growth_take(&g, edge_length, error);
}
