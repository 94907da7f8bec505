// Restores sharp edges and corners of a shape, which cutting a lattice blunts.
//
//   1  corners     boundary triangles whose vertices lie on three surfaces: the nearest vertex moves
//                  to the corner, or the triangle is split there
//   2  creases     of edges from one surface to another the nearer end moves onto the crease, shortest
//                  moves first
//   3  splits      edges that still cross are split at the crease, with all tetrahedra around
#include "geometry/tetra/tetra_shaping.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/shape/shape_kind.h"

#include <math.h>
#include <string.h>

static const double MIN_QUALITY = 0.12; // of tetrahedra that a move onto a crease leaves

// ---------------------------------------------------------------- moves

static bool move_onto(tetra_shaping *s, int32_t v, sherd_vec3 x, const tetra_feature *at)
{
    if (sherd_tetra_star_quality(s, v, x) < MIN_QUALITY) return false;
    tetra_set_vertex(s->mesh, v, x);
    s->feature[v] = *at;
    return true;
}

// Vertices of the k-th boundary face; false for inner ones.
static bool boundary_face(const tetra_shaping *s, size_t f, int32_t v[3])
{
    if (s->topology.neighbor[f] >= 0) return false;
    for (int j = 0; j < 3; ++j)
        v[j] = s->mesh->tetras[f / 4 * 4 + (size_t)sherd_tetra_face[f % 4][j]];
    return true;
}

static bool lacks_corner(const tetra_shaping *s, const int32_t v[3])
{
    const tetra_feature *f[3] = {&s->feature[v[0]], &s->feature[v[1]], &s->feature[v[2]]};
    return !surface_features_in_common(f[0], f[1]) && !surface_features_in_common(f[1], f[2]) &&
           !surface_features_in_common(f[2], f[0]);
}

static bool corner_of_face(const tetra_shaping *s, const int32_t v[3], sherd_move_request *w)
{
    sherd_vec3 p[3] = {tetra_vertex(s->mesh, v[0]), tetra_vertex(s->mesh, v[1]),
                       tetra_vertex(s->mesh, v[2])};
    return lacks_corner(s, v) && sherd_find_corner(s->shape, s->size, p, &w->at, &w->to);
}

// Returns whether a vertex is there already. There are few corners.
static bool has_corner(const tetra_shaping *s, sherd_vec3 x)
{
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        if (s->feature[v].count == 3 && vec3_distance(tetra_vertex(s->mesh, v), x) < 0.05 * s->size)
            return true;
    return false;
}

// Vertices within this fraction of an edge length of a corner or crease move there.
static const double REACH = 0.45;

static bool move_to_corners(tetra_shaping *s)
{
    sherd_move_request_list list = {0};
    for (size_t f = 0; f < 4 * (size_t)s->mesh->tetra_count; ++f) {
        int32_t v[3];
        sherd_move_request w = {.other = -1};
        if (!boundary_face(s, f, v) || !corner_of_face(s, v, &w)) continue;
        for (int j = 0; j < 3; ++j) {
            w.vertex = v[j];
            double d = vec3_distance(w.to, tetra_vertex(s->mesh, v[j]));
            if (d < REACH * s->size) sherd_move_request_add(&list, &w, d);
        }
    }
    bool ok = sherd_move_requests_sort(&list);
    for (size_t k = 0; ok && k < list.count; ++k) {
        const sherd_move_request *w = &list.requests[list.order[k].value];
        if (s->feature[w->vertex].count < 3 && !has_corner(s, w->to))
            move_onto(s, w->vertex, w->to, &w->at);
    }
    sherd_move_requests_release(&list);
    return ok;
}

// Returns whether the edge from v to w crosses a crease on which neither end lies.
static bool crosses(const tetra_shaping *s, int32_t v, int32_t w)
{
    return !surface_features_in_common(&s->feature[v], &s->feature[w]);
}

static bool move_to_creases(tetra_shaping *s)
{
    sherd_move_request_list list = {0};
    for (size_t f = 0; f < 4 * (size_t)s->mesh->tetra_count; ++f) {
        int32_t v[3];
        if (!boundary_face(s, f, v)) continue;
        for (int j = 0; j < 3; ++j) {
            int32_t a = v[j], b = v[(j + 1) % 3];
            sherd_move_request w;
            if (a > b || !crosses(s, a, b) ||
                !sherd_find_crease(s->shape, s->size, tetra_vertex(s->mesh, a),
                                   tetra_vertex(s->mesh, b), &w.at, &w.to))
                continue;
            for (int end = 0; end < 2; ++end) {
                w.vertex = end == 0 ? a : b;
                w.other = end == 0 ? b : a;
                double d = vec3_distance(w.to, tetra_vertex(s->mesh, w.vertex));
                if (s->feature[w.vertex].count == 1 && d < REACH * s->size)
                    sherd_move_request_add(&list, &w, d);
            }
        }
    }
    bool ok = sherd_move_requests_sort(&list);
    for (size_t k = 0; ok && k < list.count; ++k) {
        const sherd_move_request *w = &list.requests[list.order[k].value];
        if (s->feature[w->vertex].count == 1 && crosses(s, w->vertex, w->other))
            move_onto(s, w->vertex, w->to, &w->at);
    }
    sherd_move_requests_release(&list);
    return ok;
}

// ---------------------------------------------------------------- splits

// Allocates room for more vertices and tetrahedra.
static bool grow_mesh(tetra_shaping *s, size_t vertices, size_t tetras)
{
    sherd_tetra_mesh *m = s->mesh;
    size_t n = (size_t)m->vertex_count, t = (size_t)m->tetra_count;
    if (s->vertex_capacity == 0)
        s->vertex_capacity = 3 * n, s->feature_capacity = n, s->tetra_capacity = 4 * t;
    return sherd_grow((void **)&m->vertices, &s->vertex_capacity, 3 * (n + vertices),
                      sizeof *m->vertices) &&
           sherd_grow((void **)&s->feature, &s->feature_capacity, n + vertices,
                      sizeof *s->feature) &&
           sherd_grow((void **)&m->tetras, &s->tetra_capacity, 4 * (t + tetras), sizeof *m->tetras);
}

static int32_t add_vertex(tetra_shaping *s, sherd_vec3 x, const tetra_feature *at)
{
    int32_t v = s->mesh->vertex_count++;
    tetra_set_vertex(s->mesh, v, x);
    s->feature[v] = *at;
    return v;
}

// Appends a copy of tetrahedron t in which the new vertex replaces `instead`.
static void add_copy(tetra_shaping *s, int32_t t, int32_t instead, int32_t vertex)
{
    int32_t *to = s->mesh->tetras + 4 * (size_t)s->mesh->tetra_count++;
    const int32_t *from = tetra_corners(s->mesh, t);
    for (int k = 0; k < 4; ++k)
        to[k] = from[k] == instead ? vertex : from[k];
}

// Quality of tetrahedron t if x replaces corner vertex `instead`.
static double quality_with(const tetra_shaping *s, int32_t t, int32_t instead, sherd_vec3 x)
{
    const int32_t *c = tetra_corners(s->mesh, t);
    sherd_vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = c[k] == instead ? x : tetra_vertex(s->mesh, c[k]);
    return sherd_tetra_shape_quality(p);
}

// Splits the tetrahedron of face k into three around the corner.
static bool split_face(tetra_shaping *s, size_t f, const int32_t v[3], const sherd_move_request *w)
{
    int32_t t = (int32_t)(f / 4);
    for (int j = 0; j < 3; ++j)
        if (quality_with(s, t, v[j], w->to) < 0.02) return false;
    int32_t corner = add_vertex(s, w->to, &w->at);
    add_copy(s, t, v[0], corner);
    add_copy(s, t, v[1], corner);
    s->mesh->tetras[4 * (size_t)t + (size_t)tetra_corner_of(s->mesh, t, v[2])] = corner;
    return true;
}

static sherd_status renew_topology(tetra_shaping *s, sherd_error *error)
{
    sherd_tetra_topology_release(&s->topology);
    return sherd_tetra_topology_build(s->mesh, "tetrahedral mesh", &s->parallel, &s->topology,
                                      error);
}

static sherd_status split_at_corners(tetra_shaping *s, sherd_error *error)
{
    size_t faces = 4 * (size_t)s->mesh->tetra_count, splits = 0;
    for (size_t f = 0; f < faces; ++f) {
        int32_t v[3];
        sherd_move_request w;
        splits += boundary_face(s, f, v) && corner_of_face(s, v, &w);
    }
    if (!grow_mesh(s, splits, 2 * splits)) return sherd_fail_memory(error, "a tetrahedral mesh");
    int32_t last = -1; // a tetrahedron with two of these faces is split only once
    bool any = false;
    for (size_t f = 0; f < faces; ++f) {
        int32_t v[3];
        sherd_move_request w;
        if ((int32_t)(f / 4) == last || !boundary_face(s, f, v) || !corner_of_face(s, v, &w))
            continue;
        if (has_corner(s, w.to) || !split_face(s, f, v, &w)) continue;
        last = (int32_t)(f / 4);
        any = true;
    }
    return any ? renew_topology(s, error) : SHERD_OK;
}

// Counts the tetrahedra around an edge, and finds the worst quality after a split at x.
static int32_t examine_edge(const tetra_shaping *s, int32_t a, int32_t b, sherd_vec3 x,
                            const uint8_t *used, double *quality)
{
    int32_t count = 0;
    *quality = 1.0;
    for (int32_t k = s->topology.start[a]; k < s->topology.start[a + 1]; ++k) {
        int32_t t = s->topology.around[k];
        if (used[t]) return 0; // b may have been one of its corners before
        if (tetra_corner_of(s->mesh, t, b) < 0) continue;
        ++count;
        *quality = fmin(*quality, fmin(quality_with(s, t, a, x), quality_with(s, t, b, x)));
    }
    return count;
}

static void split_edge(tetra_shaping *s, const sherd_move_request *w, uint8_t *used)
{
    int32_t a = w->vertex, b = w->other, m = add_vertex(s, w->to, &w->at);
    for (int32_t k = s->topology.start[a]; k < s->topology.start[a + 1]; ++k) {
        int32_t t = s->topology.around[k], at = tetra_corner_of(s->mesh, t, b);
        if (at < 0) continue;
        used[t] = 1;
        add_copy(s, t, a, m);
        s->mesh->tetras[4 * (size_t)t + (size_t)at] = m;
    }
}

// Selects edges to split that share no tetrahedra, in the order of faces. Returns false when out of
// memory.
static bool split_some_edges(tetra_shaping *s, bool *any)
{
    size_t faces = 4 * (size_t)s->mesh->tetra_count;
    uint8_t *used = sherd_alloc((size_t)s->mesh->tetra_count, 1);
    bool ok = used != NULL;
    *any = false;
    for (size_t f = 0; ok && f < faces; ++f) {
        int32_t v[3];
        if (used[f / 4] || !boundary_face(s, f, v)) continue;
        for (int j = 0; ok && j < 3; ++j) {
            sherd_move_request w = {.vertex = v[j], .other = v[(j + 1) % 3]};
            if (w.vertex > w.other || used[f / 4] || !crosses(s, w.vertex, w.other) ||
                !sherd_find_crease(s->shape, s->size, tetra_vertex(s->mesh, w.vertex),
                                   tetra_vertex(s->mesh, w.other), &w.at, &w.to))
                continue;
            double quality;
            int32_t count = examine_edge(s, w.vertex, w.other, w.to, used, &quality);
            if (count == 0 || quality < 0.02) continue;
            ok = grow_mesh(s, 1, (size_t)count);
            if (ok) split_edge(s, &w, used);
            *any = true;
        }
    }
    sherd_free(used);
    return ok;
}

sherd_status sherd_tetra_creases_fit(tetra_shaping *s, sherd_error *error)
{
    enum { ROUNDS = 24 }; // edges of one vertex are split in successive rounds
    if (!move_to_corners(s) || !move_to_creases(s))
        return sherd_fail_memory(error, "a tetrahedral mesh's creases");
    sherd_status status = split_at_corners(s, error);
    for (int round = 0; status == SHERD_OK && round < ROUNDS; ++round) {
        bool any;
        if (!split_some_edges(s, &any)) return sherd_fail_memory(error, "a tetrahedral mesh");
        if (!any) break;
        status = renew_topology(s, error);
    }
    return status;
}
