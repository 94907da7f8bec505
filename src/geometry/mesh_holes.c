#include "geometry/mesh_holes.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"

#include <string.h>

enum { AMBIGUOUS = -2 };

typedef struct hole_filler {
    sherd_mesh *mesh;
    int32_t *next; // vertex after each vertex along the hole's border; -1 = none
    uint8_t *seen; // (vertices)
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
static void link_borders(const sherd_mesh *mesh, const sherd_mesh_edges *edges, int32_t *next)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        next[v] = -1;
    for (int32_t h = 0; h < 3 * mesh->triangle_count; ++h) {
        if (edges->twin[h] != SHERD_EDGE_BOUNDARY || is_lone_triangle(edges, h)) continue;
        int32_t from = mesh_edge_to(mesh, h);
        next[from] = next[from] == -1 ? mesh_edge_from(mesh, h) : AMBIGUOUS;
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

static void fill_loop(hole_filler *f, int32_t v, int length)
{
    sherd_mesh *mesh = f->mesh;
    sherd_vec3 middle = {0.0, 0.0, 0.0};
    int32_t at = v;
    for (int k = 0; k < length; ++k, at = f->next[at]) {
        middle = vec3_add_scaled(middle, 1.0 / length, mesh_vertex(mesh, at));
        f->seen[at] = 1;
    }
    if (length == 3) {
        mesh_set_triangle(mesh, mesh->triangle_count++, v, f->next[v], f->next[f->next[v]]);
        return;
    }
    int32_t hub = mesh->vertex_count++;
    mesh_set_vertex(mesh, hub, middle);
    for (int k = 0; k < length; ++k, at = f->next[at])
        mesh_set_triangle(mesh, mesh->triangle_count++, at, f->next[at], hub);
}

// Room for one vertex and `most` triangles per hole.
static bool make_room(sherd_mesh *mesh, int64_t border_edges)
{
    size_t vertices = (size_t)mesh->vertex_count + (size_t)border_edges / 3 + 1;
    size_t triangles = (size_t)mesh->triangle_count + (size_t)border_edges + 1;
    double *v = sherd_alloc(3 * vertices, sizeof *v);
    int32_t *t = sherd_alloc(3 * triangles, sizeof *t);
    if (v == NULL || t == NULL) {
        sherd_free(v);
        sherd_free(t);
        return false;
    }
    memcpy(v, mesh->vertices, 3 * (size_t)mesh->vertex_count * sizeof *v);
    memcpy(t, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *t);
    sherd_free(mesh->vertices);
    sherd_free(mesh->triangles);
    mesh->vertices = v;
    mesh->triangles = t;
    return true;
}

int32_t sherd_mesh_fill_holes(sherd_mesh *mesh, const sherd_mesh_edges *edges, int most_edges)
{
    if (edges->boundary_edges == 0) return 0;
    int32_t vertices = mesh->vertex_count, filled = -1;
    hole_filler f = {.mesh = mesh,
                     .next = sherd_alloc((size_t)vertices, sizeof *f.next),
                     .seen = sherd_alloc((size_t)vertices, 1)};
    if (f.next != NULL && f.seen != NULL && make_room(mesh, edges->boundary_edges)) {
        link_borders(mesh, edges, f.next);
        filled = 0;
        for (int32_t v = 0; v < vertices; ++v) {
            int length = f.next[v] >= 0 && !f.seen[v] ? loop_length(&f, v, most_edges) : 0;
            if (length < 3) continue;
            fill_loop(&f, v, length);
            ++filled;
        }
    }
    sherd_free(f.next);
    sherd_free(f.seen);
    return filled;
}
