#include "geometry/tessellate/surface_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

int32_t sherd_growth_vertex(sherd_mesh_growth *g, double x, double y, double z)
{
    if (g->failed || !sherd_grow((void **)&g->vertices, &g->vertex_capacity, g->vertex_count + 1,
                                 3 * sizeof *g->vertices)) {
        g->failed = true;
        return 0;
    }
    double *to = g->vertices + 3 * g->vertex_count;
    to[0] = x, to[1] = y, to[2] = z;
    return (int32_t)g->vertex_count++;
}

void sherd_growth_triangle(sherd_mesh_growth *g, int32_t a, int32_t b, int32_t c, const float uv[6])
{
    if (a == b || b == c || c == a) return;
    if (g->failed ||
        !sherd_grow((void **)&g->triangles, &g->triangle_capacity, g->triangle_count + 1,
                    3 * sizeof *g->triangles) ||
        (g->has_uv &&
         !sherd_grow((void **)&g->uv, &g->uv_capacity, g->triangle_count + 1, 6 * sizeof *g->uv))) {
        g->failed = true;
        return;
    }
    if (g->has_uv) memcpy(g->uv + 6 * g->triangle_count, uv, 6 * sizeof *uv);
    int32_t *to = g->triangles + 3 * g->triangle_count++;
    to[0] = a, to[1] = b, to[2] = c;
}

static bool move_uv(const sherd_mesh_growth *g, sherd_mesh *mesh)
{
    if (!g->has_uv) return true;
    mesh->uv = sherd_alloc(6 * g->triangle_count, sizeof *mesh->uv);
    if (mesh->uv == NULL) return false;
    if (g->triangle_count > 0) memcpy(mesh->uv, g->uv, 6 * g->triangle_count * sizeof *mesh->uv);
    return true;
}

sherd_mesh *sherd_growth_finish(sherd_mesh_growth *g, sherd_error *error)
{
    sherd_mesh *mesh = NULL;
    if (!g->failed)
        mesh = sherd_mesh_create((int32_t)g->vertex_count, (int32_t)g->triangle_count, error);
    else
        sherd_fail_memory(error, "a surface mesh");
    if (mesh != NULL) {
        if (g->vertex_count > 0)
            memcpy(mesh->vertices, g->vertices, 3 * g->vertex_count * sizeof *g->vertices);
        if (g->triangle_count > 0)
            memcpy(mesh->triangles, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
        if (!move_uv(g, mesh)) {
            sherd_mesh_destroy(mesh);
            mesh = NULL;
            sherd_fail_memory(error, "a surface mesh");
        }
    }
    sherd_free(g->uv);
    sherd_free(g->vertices);
    sherd_free(g->triangles);
    *g = (sherd_mesh_growth){0};
    return mesh;
}

// ---------------------------------------------------------------- lathes

// Surfaces that polygons sweep about an axis.

static const double PI = 3.14159265358979323846;

enum { FEWEST_SECTORS = 24, MAX_SECTORS = 512, MAX_SPLITS = 256 };

static int sectors_for(double radius, double edge_length)
{
    double n = ceil(2.0 * PI * radius / edge_length);
    return n < FEWEST_SECTORS ? FEWEST_SECTORS : n > MAX_SECTORS ? MAX_SECTORS : (int)n;
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

// Appends the band between two rings. With a counter-clockwise (r, z) profile the solid lies to the
// left, so upwards on the outside triangles face outwards. `girth` [m] is the texture length of one
// turn.
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

// Appends rings along one edge of the profile, after `last`; `closing`, if not NULL, is the last of
// them.
static ring add_edge(sherd_mesh_growth *g, sherd_vec2 a, sherd_vec2 b, ring last,
                     const ring *closing, int sectors, double girth, double edge_length)
{
    double length = hypot(b.x - a.x, b.y - a.y), start = last.along;
    int splits = (int)fmin(fmax(1.0, ceil(length / edge_length)), MAX_SPLITS);
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
    return sherd_growth_finish(&g, error);
}
