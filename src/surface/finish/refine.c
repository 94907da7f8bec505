#include "surface/finish/refine.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "surface/finish/rough_lattice.h"
#include "surface/partition/key_map.h"

#include <string.h>

// A vertex nearer to a plane than this lies on it [cells]: far above rounding, far below any bump.
static const double ON_PLANE = 1e-9;

// A growing mesh.
typedef struct growing {
    sherd_mesh *mesh;
    double *vertices, *normals;
    size_t vertex_count, vertex_capacity, normal_capacity;
    int32_t *triangles;
    float *uv;
    uint8_t *kind;
    size_t triangle_count, triangle_capacity, uv_capacity, kind_capacity;
    bool failed;
} growing;

typedef struct corner {
    int32_t vertex;
    float uv[2];
} corner;

static sherd_vec3 position(const growing *g, int32_t v)
{
    const double *p = g->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

static void add_triangle(growing *g, corner a, corner b, corner c, uint8_t kind)
{
    size_t n = g->triangle_count;
    if (g->failed ||
        !sherd_grow((void **)&g->triangles, &g->triangle_capacity, n + 1,
                    3 * sizeof *g->triangles) ||
        !sherd_grow((void **)&g->uv, &g->uv_capacity, n + 1, 6 * sizeof *g->uv) ||
        !sherd_grow((void **)&g->kind, &g->kind_capacity, n + 1, sizeof *g->kind)) {
        g->failed = true;
        return;
    }
    const corner *all[3] = {&a, &b, &c};
    for (size_t k = 0; k < 3; ++k) {
        g->triangles[3 * n + k] = all[k]->vertex;
        memcpy(g->uv + 6 * n + 2 * k, all[k]->uv, sizeof all[k]->uv);
    }
    g->kind[n] = kind;
    g->triangle_count = n + 1;
}

// --- Edges -----------------------------------------------------------------------------------------

typedef struct edge {
    bool inner;      // an inner face uses it
    int32_t middle;  // index of the new vertex, -1: the edge is not split
    int32_t from;    // the end from which `fraction` is measured
    double fraction; // position of the new vertex along the edge, 0 to 1
} edge;

typedef struct edges {
    key_map number; // maps a pair of vertices to the edge's index
    edge *edges;
    int32_t *of; // half-edges (triangles x 3)
} edges;

static void release_edges(edges *e)
{
    sherd_key_map_release(&e->number);
    sherd_free(e->edges);
    sherd_free(e->of);
    *e = (edges){0};
}

static bool list_edges(const growing *g, edges *e)
{
    size_t n = 3 * g->triangle_count;
    *e = (edges){.edges = sherd_alloc(n, sizeof *e->edges), .of = sherd_alloc(n, sizeof *e->of)};
    if (e->edges == NULL || e->of == NULL) return false;
    for (size_t h = 0; h < n; ++h) {
        uint64_t a = (uint64_t)g->triangles[h],
                 b = (uint64_t)g->triangles[h % 3 == 2 ? h - 2 : h + 1];
        int32_t k = sherd_key_map_insert(&e->number, a < b ? a << 32 | b : b << 32 | a);
        if (k < 0) return false;
        e->of[h] = k;
        e->edges[k].middle = -1;
        e->edges[k].inner |= g->kind[h / 3] == SHERD_FACE_INNER;
    }
    return true;
}

static bool is_before(sherd_vec3 a, sherd_vec3 b)
{
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Returns the lattice plane between two levels that is nearest to their middle; NAN if there is
// none.
static double plane_between(double a, double b)
{
    double low = fmin(a, b) + ON_PLANE, high = fmax(a, b) - ON_PLANE;
    double plane = floor(0.5 * (a + b));
    if (plane <= low) plane += 1.0;
    return plane > low && plane < high ? plane : NAN;
}

static sherd_vec3 normal(const growing *g, int32_t v)
{
    const double *n = g->normals + 3 * (size_t)v;
    return vec3(n[0], n[1], n[2]);
}

static sherd_vec3 between(sherd_vec3 a, sherd_vec3 b, double fraction)
{
    return vec3_add_scaled(vec3_scale(1.0 - fraction, a), fraction, b);
}

static void put(double *to, sherd_vec3 v)
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static int32_t add_vertex(growing *g, int32_t a, int32_t b, double fraction)
{
    size_t n = g->vertex_count;
    sherd_vec3 p = between(position(g, a), position(g, b), fraction);
    sherd_vec3 up = vec3_normalize(between(normal(g, a), normal(g, b), fraction));
    if (!sherd_grow((void **)&g->vertices, &g->vertex_capacity, n + 1, 3 * sizeof *g->vertices) ||
        !sherd_grow((void **)&g->normals, &g->normal_capacity, n + 1, 3 * sizeof *g->normals)) {
        g->failed = true;
        return -1;
    }
    put(g->vertices + 3 * n, p);
    put(g->normals + 3 * n, vec3_length(up) > 0.0 ? up : normal(g, a));
    return (int32_t)g->vertex_count++;
}

// Returns the number of edges that were split.
static size_t cut_edges(growing *g, const edges *e, double cell, int family)
{
    size_t count = 0;
    for (size_t h = 0; h < 3 * g->triangle_count && !g->failed; ++h) {
        edge *side = &e->edges[e->of[h]];
        int32_t a = g->triangles[h], b = g->triangles[h % 3 == 2 ? h - 2 : h + 1];
        if (!side->inner || side->middle >= 0) continue;
        if (is_before(position(g, b), position(g, a))) {
            int32_t swap = a;
            a = b, b = swap;
        }
        double from = rough_lattice_level(cell, family, position(g, a)),
               to = rough_lattice_level(cell, family, position(g, b));
        double plane = plane_between(from, to);
        if (isnan(plane)) continue;
        side->from = a;
        side->fraction = (plane - from) / (to - from);
        side->middle = add_vertex(g, a, b, side->fraction);
        ++count;
    }
    return count;
}

// --- Triangles -------------------------------------------------------------------------------------

static corner corner_of(const growing *g, size_t t, size_t k)
{
    const float *uv = g->uv + 6 * t + 2 * k;
    return (corner){g->triangles[3 * t + k], {uv[0], uv[1]}};
}

static corner middle_of(const edge *side, corner a, corner b)
{
    float to = (float)(side->from == a.vertex ? side->fraction : 1.0 - side->fraction);
    return (corner){side->middle,
                    {a.uv[0] + to * (b.uv[0] - a.uv[0]), a.uv[1] + to * (b.uv[1] - a.uv[1])}};
}

// Edge p-q is not split; m lies between q and r, n between r and p. Chooses the shorter diagonal of
// p, q, m, n. From the other side of a crack p, q and m, n are exchanged, which gives the same
// result.
static void cut_twice(growing *g, corner p, corner q, corner r, corner m, corner n, uint8_t kind)
{
    sherd_vec3 x = position(g, p.vertex), y = position(g, q.vertex);
    double from_p = vec3_distance(x, position(g, m.vertex));
    double from_q = vec3_distance(y, position(g, n.vertex));
    add_triangle(g, m, r, n, kind);
    if (from_p < from_q || (from_p == from_q && is_before(x, y))) {
        add_triangle(g, p, q, m, kind);
        add_triangle(g, p, m, n, kind);
    } else {
        add_triangle(g, p, q, n, kind);
        add_triangle(g, q, m, n, kind);
    }
}

static void cut_triangle(growing *g, const growing *from, const edges *e, size_t t)
{
    corner c[3], m[3];
    // Number of split edges; `first` is one of them, or the only unsplit edge if two are split.
    int cuts = 0, first = 0;
    uint8_t kind = from->kind[t];
    for (size_t k = 0; k < 3; ++k)
        c[k] = corner_of(from, t, k);
    for (int k = 0; k < 3; ++k) {
        const edge *side = &e->edges[e->of[3 * t + (size_t)k]];
        m[k] = middle_of(side, c[k], c[(k + 1) % 3]);
        cuts += side->middle >= 0;
    }
    while (cuts == 1 && m[first].vertex < 0)
        ++first;
    while (cuts == 2 && m[first].vertex >= 0)
        ++first;
    int next = (first + 1) % 3, last = (first + 2) % 3;
    if (cuts == 0) {
        add_triangle(g, c[0], c[1], c[2], kind);
    } else if (cuts == 1) {
        add_triangle(g, c[first], m[first], c[last], kind);
        add_triangle(g, m[first], c[next], c[last], kind);
    } else if (cuts == 2) {
        cut_twice(g, c[first], c[next], c[last], m[next], m[last], kind);
    } else {
        add_triangle(g, m[0], m[1], m[2], kind);
        for (int k = 0; k < 3; ++k)
            add_triangle(g, c[k], m[k], m[(k + 2) % 3], kind);
    }
}

// --- Passes ----------------------------------------------------------------------------------------

static bool start(growing *g, sherd_mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    *g = (growing){.mesh = mesh};
    if (!sherd_grow((void **)&g->vertices, &g->vertex_capacity, n, 3 * sizeof *g->vertices) ||
        !sherd_grow((void **)&g->normals, &g->normal_capacity, n, 3 * sizeof *g->normals) ||
        !sherd_grow((void **)&g->triangles, &g->triangle_capacity, m, 3 * sizeof *g->triangles) ||
        !sherd_grow((void **)&g->uv, &g->uv_capacity, m, 6 * sizeof *g->uv) ||
        !sherd_grow((void **)&g->kind, &g->kind_capacity, m, sizeof *g->kind))
        return false;
    memcpy(g->vertices, mesh->vertices, 3 * n * sizeof *g->vertices);
    memcpy(g->normals, mesh->normals, 3 * n * sizeof *g->normals);
    memcpy(g->triangles, mesh->triangles, 3 * m * sizeof *g->triangles);
    memcpy(g->kind, mesh->face_kind, m);
    if (mesh->uv != NULL) memcpy(g->uv, mesh->uv, 6 * m * sizeof *g->uv);
    g->vertex_count = n;
    g->triangle_count = m;
    return true;
}

static void release_triangles(growing *g)
{
    sherd_free(g->triangles);
    sherd_free(g->uv);
    sherd_free(g->kind);
    g->triangles = NULL;
    g->uv = NULL;
    g->kind = NULL;
}

// Performs one pass: splits each edge that crosses planes of the family at one of them. Returns
// whether any edge was split.
static bool pass(growing *g, double cell, int family)
{
    edges e;
    size_t cuts = 0;
    if (!list_edges(g, &e))
        g->failed = true;
    else
        cuts = cut_edges(g, &e, cell, family);
    if (cuts > 0 && !g->failed) {
        growing from = *g;
        g->triangles = NULL;
        g->uv = NULL;
        g->kind = NULL;
        g->triangle_count = g->triangle_capacity = g->uv_capacity = g->kind_capacity = 0;
        for (size_t t = 0; t < from.triangle_count; ++t)
            cut_triangle(g, &from, &e, t);
        release_triangles(&from);
    }
    release_edges(&e);
    return cuts > 0 && !g->failed;
}

// Moves the grown arrays into the mesh.
static void finish(growing *g)
{
    sherd_mesh *mesh = g->mesh;
    sherd_free(mesh->normals);
    sherd_free(mesh->vertices);
    sherd_free(mesh->triangles);
    sherd_free(mesh->face_kind);
    bool textured = mesh->uv != NULL;
    sherd_free(mesh->uv);
    mesh->normals = g->normals;
    mesh->vertices = g->vertices;
    mesh->triangles = g->triangles;
    mesh->face_kind = g->kind;
    mesh->uv = textured ? g->uv : NULL;
    if (textured) g->uv = NULL;
    g->vertices = NULL;
    g->normals = NULL;
    g->triangles = NULL;
    g->kind = NULL;
    mesh->vertex_count = (int32_t)g->vertex_count;
    mesh->triangle_count = (int32_t)g->triangle_count;
}

bool sherd_refine_inner(sherd_mesh *mesh, double cell)
{
    SHERD_ASSERT(cell > 0.0, "cells have a size");
    growing g;
    bool ok = start(&g, mesh);
    // Cutting along a family creates no edge that crosses a plane of an earlier family.
    for (int family = 0; ok && family < ROUGH_FAMILIES; ++family)
        for (int k = 0; k < REFINE_PASSES && pass(&g, cell, family); ++k) {
        }
    ok = ok && !g.failed && g.vertex_count <= INT32_MAX / 3 && g.triangle_count <= INT32_MAX / 3;
    if (ok) finish(&g);
    release_triangles(&g);
    sherd_free(g.vertices);
    sherd_free(g.normals);
    return ok;
}
