#include "geometry/mesh_holes.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"

#include <string.h>

enum { AMBIGUOUS = -2 };

typedef struct hole_filler {
    sherd_mesh *mesh;
    int32_t *next;   // vertex after each vertex along the hole's border; -1 = none
    int32_t *corner; // a corner that lies at each vertex of a border           (vertices)
    uint8_t *seen;   // (vertices)
} hole_filler;

// The border of a lone triangle is no hole: closing it would lay a second triangle onto the first.
static bool is_lone_triangle(const sherd_mesh_edges *edges, int32_t half_edge)
{
    int32_t first = half_edge - half_edge % 3;
    return edges->twin[first] == SHERD_EDGE_BOUNDARY &&
           edges->twin[first + 1] == SHERD_EDGE_BOUNDARY &&
           edges->twin[first + 2] == SHERD_EDGE_BOUNDARY;
}

// The border runs against the direction of the triangles' half-edges.
static void link_borders(const sherd_mesh *mesh, const sherd_mesh_edges *edges, hole_filler *f)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        f->next[v] = -1;
    for (int32_t h = 0; h < 3 * mesh->triangle_count; ++h) {
        if (edges->twin[h] != SHERD_EDGE_BOUNDARY || is_lone_triangle(edges, h)) continue;
        int32_t from = mesh_edge_to(mesh, h), to = mesh_edge_from(mesh, h);
        f->next[from] = f->next[from] == -1 ? to : AMBIGUOUS;
        f->corner[to] = h; // half-edges count as the corners they leave
    }
}

// Length of the loop through v, or 0 when it is longer than `most` or not a simple loop.
static int loop_length(const hole_filler *f, int32_t v, int most)
{
    int length = 0;
    int32_t at = v;
    do {
        at = f->next[at];
        if (at < 0 || ++length > most) return 0;
    } while (at != v);
    return length;
}

static void copy_uv(const float *from, float to[2])
{
    to[0] = from[0], to[1] = from[1];
}

// A triangle between two or three vertices of the border and perhaps the hub, whose own texture
// coordinates are given.
static void add_triangle(hole_filler *f, int32_t a, int32_t b, int32_t c, const float *hub_uv)
{
    sherd_mesh *mesh = f->mesh;
    int32_t t = mesh->triangle_count++;
    mesh_set_triangle(mesh, t, a, b, c);
    if (mesh->uv == NULL) return;
    float *uv = mesh->uv + 6 * (size_t)t;
    copy_uv(mesh->uv + 2 * (size_t)f->corner[a], uv);
    copy_uv(mesh->uv + 2 * (size_t)f->corner[b], uv + 2);
    copy_uv(hub_uv != NULL ? hub_uv : mesh->uv + 2 * (size_t)f->corner[c], uv + 4);
}

// The hub of a hole has the mean of what the border has.
typedef struct hub {
    sherd_vec3 position;
    float uv[2], color[3];
} hub;

static hub middle_of_loop(const hole_filler *f, int32_t v, int length)
{
    const sherd_mesh *mesh = f->mesh;
    hub h = {.position = {0.0, 0.0, 0.0}};
    float share = 1.0f / (float)length;
    int32_t at = v;
    for (int k = 0; k < length; ++k, at = f->next[at]) {
        h.position = vec3_add_scaled(h.position, 1.0 / length, mesh_vertex(mesh, at));
        for (size_t c = 0; mesh->uv != NULL && c < 2; ++c)
            h.uv[c] += share * mesh->uv[2 * (size_t)f->corner[at] + c];
        for (size_t c = 0; mesh->color != NULL && c < 3; ++c)
            h.color[c] += share * mesh->color[3 * (size_t)at + c];
    }
    return h;
}

static void fill_loop(hole_filler *f, int32_t v, int length)
{
    sherd_mesh *mesh = f->mesh;
    int32_t at = v;
    for (int k = 0; k < length; ++k, at = f->next[at])
        f->seen[at] = 1;
    if (length == 3) {
        add_triangle(f, v, f->next[v], f->next[f->next[v]], NULL);
        return;
    }
    hub h = middle_of_loop(f, v, length);
    int32_t number = mesh->vertex_count++;
    mesh_set_vertex(mesh, number, h.position);
    for (size_t c = 0; mesh->color != NULL && c < 3; ++c)
        mesh->color[3 * (size_t)number + c] = h.color[c];
    for (int k = 0; k < length; ++k, at = f->next[at])
        add_triangle(f, at, f->next[at], number, h.uv);
}

// Moves the first `used` items to a longer array; an array that is missing stays missing. False when
// memory is short.
static bool lengthen(void **array, size_t used, size_t wanted, size_t item_size)
{
    if (*array == NULL) return true;
    void *longer = sherd_alloc(wanted, item_size);
    if (longer == NULL) return false;
    memcpy(longer, *array, used * item_size);
    sherd_free(*array);
    *array = longer;
    return true;
}

// Room for one vertex and `most` triangles per hole.
static bool make_room(sherd_mesh *mesh, int64_t border_edges)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    size_t vertices = n + (size_t)border_edges / 3 + 1, triangles = m + (size_t)border_edges + 1;
    return lengthen((void **)&mesh->vertices, n, vertices, 3 * sizeof *mesh->vertices) &&
           lengthen((void **)&mesh->triangles, m, triangles, 3 * sizeof *mesh->triangles) &&
           lengthen((void **)&mesh->uv, m, triangles, 6 * sizeof *mesh->uv) &&
           lengthen((void **)&mesh->color, n, vertices, 3 * sizeof *mesh->color);
}

int32_t sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges, int most_edges)
{
    if (edges->boundary_edges == 0) return 0;
    int32_t vertices = mesh->vertex_count, filled = -1;
    hole_filler f = {.mesh = mesh,
                     .next = sherd_alloc((size_t)vertices, sizeof *f.next),
                     .corner = sherd_alloc((size_t)vertices, sizeof *f.corner),
                     .seen = sherd_alloc((size_t)vertices, 1)};
    if (f.next != NULL && f.corner != NULL && f.seen != NULL &&
        make_room(mesh, edges->boundary_edges)) {
        link_borders(mesh, edges, &f);
        filled = 0;
        for (int32_t v = 0; v < vertices; ++v) {
            int length = f.next[v] >= 0 && !f.seen[v] ? loop_length(&f, v, most_edges) : 0;
            if (length < 3) continue;
            fill_loop(&f, v, length);
            ++filled;
        }
    }
    sherd_free(f.next);
    sherd_free(f.corner);
    sherd_free(f.seen);
    return filled;
}
