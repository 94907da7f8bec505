#include "surface/methods/cut/crack_opening.h"

#include "base/assertion.h"
#include "base/forest.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <string.h>

// Sums over the triangles at a vertex.
typedef struct vertex_sides {
    sherd_vec3 crack; // of a crack's area vectors
    double area;      // of their lengths
    sherd_vec3 outer; // of the outer surface's area vectors
} vertex_sides;

// At a crack's tip its sides share a vertex and their area vectors cancel: it does not move.
static const double MIN_AGREEMENT = 0.1;

// Sides move into the solid; on the rim, they move within the outer surface.
static sherd_vec3 direction_of(const vertex_sides *s)
{
    if (!(vec3_length(s->crack) > MIN_AGREEMENT * s->area)) return vec3(0.0, 0.0, 0.0);
    sherd_vec3 direction = vec3_normalize(s->crack), up = vec3_normalize(s->outer);
    return vec3_scale(-1.0, vec3_add_scaled(direction, -vec3_dot(direction, up), up));
}

static vertex_sides *find_sides(const sherd_mesh *mesh, const uint8_t *slit)
{
    vertex_sides *sides = sherd_alloc((size_t)mesh->vertex_count, sizeof *sides);
    if (sides == NULL) return NULL;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 area = mesh_area_vector(mesh, t);
        for (int k = 0; k < 3; ++k) {
            vertex_sides *s = &sides[mesh->triangles[3 * (size_t)t + (size_t)k]];
            if (slit[t]) {
                s->crack = vec3_add(s->crack, area);
                s->area += vec3_length(area);
            } else if (mesh->face_kind[t] == SHERD_FACE_OUTER) {
                s->outer = vec3_add(s->outer, area);
            }
        }
    }
    return sides;
}

// --- Parts that are too thin
// -----------------------------------------------------------------------

// The lowest vertex of each connected part.
static void find_roots(const sherd_mesh *mesh, int32_t *root)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        root[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (size_t k = 1; k < 3; ++k)
            sherd_join_roots(root, mesh->triangles[3 * (size_t)t],
                             mesh->triangles[3 * (size_t)t + k]);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        root[v] = sherd_find_root(root, v);
}

// Six times the volume of each part, by its root, about that vertex.
static void add_volumes(const sherd_mesh *mesh, const int32_t *root, double *volume)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        int32_t part = root[mesh->triangles[3 * (size_t)t]];
        sherd_vec3 at = mesh_vertex(mesh, part), a = vec3_sub(mesh_corner(mesh, t, 0), at),
                   b = vec3_sub(mesh_corner(mesh, t, 1), at),
                   c = vec3_sub(mesh_corner(mesh, t, 2), at);
        volume[part] += vec3_dot(a, vec3_cross(b, c));
    }
}

typedef struct part_scratch {
    int32_t *root;          // by vertex
    double *before, *after; // volumes before and after, by root
    double *vertices;       // previous positions
} part_scratch;

static bool make_room(part_scratch *r, const sherd_mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count;
    *r = (part_scratch){.root = sherd_alloc(n, sizeof *r->root),
                        .before = sherd_alloc(n, sizeof *r->before),
                        .after = sherd_alloc(n, sizeof *r->after),
                        .vertices = sherd_alloc(3 * n, sizeof *r->vertices)};
    return r->root != NULL && r->before != NULL && r->after != NULL && r->vertices != NULL;
}

static void release_scratch(part_scratch *r)
{
    sherd_free(r->root);
    sherd_free(r->before);
    sherd_free(r->after);
    sherd_free(r->vertices);
}

// The walls of a cavity have a negative volume.
static void restore_thin_parts(sherd_mesh *mesh, part_scratch *r)
{
    static const double MIN_VOLUME_FRACTION = 0.5;
    add_volumes(mesh, r->root, r->after);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        int32_t part = r->root[v];
        if (r->before[part] <= 0.0 || r->after[part] >= MIN_VOLUME_FRACTION * r->before[part])
            continue;
        memcpy(mesh->vertices + 3 * (size_t)v, r->vertices + 3 * (size_t)v,
               3 * sizeof *r->vertices);
    }
}

// ---------------------------------------------------------------------------------------------------

static void move(sherd_mesh *mesh, const vertex_sides *sides, double half_gap)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh_set_vertex(mesh, v,
                        vec3_add_scaled(mesh_vertex(mesh, v), half_gap, direction_of(&sides[v])));
}

bool sherd_cut_move_apart(sherd_mesh *mesh, const uint8_t *slit, double half_gap)
{
    SHERD_ASSERT(half_gap >= 0.0, "a gap is a length");
    if (half_gap == 0.0) return true;
    vertex_sides *sides = find_sides(mesh, slit);
    part_scratch capacity;
    bool ok = make_room(&capacity, mesh) && sides != NULL;
    if (ok) {
        find_roots(mesh, capacity.root);
        add_volumes(mesh, capacity.root, capacity.before);
        memcpy(capacity.vertices, mesh->vertices,
               3 * (size_t)mesh->vertex_count * sizeof *capacity.vertices);
        move(mesh, sides, half_gap);
        restore_thin_parts(mesh, &capacity);
    }
    release_scratch(&capacity);
    sherd_free(sides);
    return ok;
}
