// Sharp edges and corners of a shape, which cutting a lattice leaves blunt.
//
//   1  corners     boundary triangles whose vertices lie on three surfaces: the nearest vertex moves
//                  to the corner, or the triangle is split there
//   2  creases     of edges from one surface to another the nearer end moves onto the crease, shortest
//                  moves first
//   3  splits      edges that still cross are split at the crease, with all tetrahedra around
#include "geometry/tetra_shaping.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/shape_kind.h"

#include <math.h>
#include <string.h>

static const double SAME_SURFACE = 0.866; // cos 30 degrees, as in tetra_feature.c
static const double LEAST_QUALITY = 0.12; // of tetrahedra that a move onto a crease leaves

static bool shares_surface(const tetra_feature *a, const tetra_feature *b)
{
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j)
            if (vec3_dot(a->normal[i], b->normal[j]) > SAME_SURFACE) return true;
    return false;
}

// ---------------------------------------------------------------- where surfaces meet

typedef struct plane {
    sherd_vec3 point, normal;
} plane;

// The point on two planes nearest to x.
static bool meet_two(const plane p[2], sherd_vec3 *x)
{
    sherd_vec3 a = p[0].normal, b = p[1].normal;
    double c = vec3_dot(a, b), det = 1.0 - c * c;
    if (det < 0.05) return false; // less than 13 degrees
    double da = vec3_dot(a, vec3_sub(p[0].point, *x)), db = vec3_dot(b, vec3_sub(p[1].point, *x));
    *x = vec3_add_scaled(*x, (da - c * db) / det, a);
    *x = vec3_add_scaled(*x, (db - c * da) / det, b);
    return true;
}

static bool meet_three(const plane p[3], sherd_vec3 *x)
{
    sherd_vec3 bc = vec3_cross(p[1].normal, p[2].normal), ca = vec3_cross(p[2].normal, p[0].normal),
               ab = vec3_cross(p[0].normal, p[1].normal);
    double det = vec3_dot(p[0].normal, bc);
    if (fabs(det) < 0.1) return false;
    sherd_vec3 sum = vec3_scale(vec3_dot(p[0].normal, p[0].point), bc);
    sum = vec3_add_scaled(sum, vec3_dot(p[1].normal, p[1].point), ca);
    sum = vec3_add_scaled(sum, vec3_dot(p[2].normal, p[2].point), ab);
    *x = vec3_scale(1.0 / det, sum);
    return true;
}

// Walks along the surface between a and b until the two ends of what is left are 2^-12 apart. False
// where the surface only bends.
static bool find_crease(const tetra_shaping *s, sherd_vec3 a, sherd_vec3 b, tetra_feature *at,
                        sherd_vec3 *x)
{
    plane end[2] = {{a, sherd_shape_normal(s->shape, a)}, {b, sherd_shape_normal(s->shape, b)}};
    sherd_tetra_surface_project(s->shape, s->size, &end[0].point, &end[0].normal);
    sherd_tetra_surface_project(s->shape, s->size, &end[1].point, &end[1].normal);
    for (int k = 0; k < 12; ++k) {
        plane middle = {vec3_scale(0.5, vec3_add(end[0].point, end[1].point)), vec3(0, 0, 0)};
        if (!sherd_tetra_surface_project(s->shape, s->size, &middle.point, &middle.normal))
            return false;
        double to_a = vec3_dot(middle.normal, end[0].normal);
        double to_b = vec3_dot(middle.normal, end[1].normal);
        end[to_a >= to_b ? 0 : 1] = middle;
    }
    *x = vec3_scale(0.5, vec3_add(end[0].point, end[1].point));
    if (vec3_dot(end[0].normal, end[1].normal) > SAME_SURFACE || !meet_two(end, x)) return false;
    *at = (tetra_feature){2, {end[0].normal, end[1].normal, vec3(0, 0, 0)}};
    return fabs(sherd_shape_distance(s->shape, *x)) < 1e-3 * s->size;
}

// Planes at the three points meet in a first guess; planes nearer to it, in the corner.
static bool find_corner(const tetra_shaping *s, const sherd_vec3 point[3], tetra_feature *at,
                        sherd_vec3 *x)
{
    plane p[3];
    *x = vec3_scale(1.0 / 3.0, vec3_add(point[0], vec3_add(point[1], point[2])));
    sherd_vec3 start = *x;
    double share = 1.0;
    for (int round = 0; round < 3; ++round, share *= 0.1) {
        for (int k = 0; k < 3; ++k) {
            p[k].point = vec3_add_scaled(*x, share, vec3_sub(point[k], *x));
            if (!sherd_tetra_surface_project(s->shape, s->size, &p[k].point, &p[k].normal))
                return false;
            for (int j = 0; j < k; ++j)
                if (vec3_dot(p[j].normal, p[k].normal) > SAME_SURFACE) return false;
        }
        if (!meet_three(p, x) || vec3_distance(*x, start) > 1.5 * s->size) return false;
    }
    *at = (tetra_feature){3, {p[0].normal, p[1].normal, p[2].normal}};
    return fabs(sherd_shape_distance(s->shape, *x)) < 1e-3 * s->size;
}

// ---------------------------------------------------------------- moves

static bool move_onto(tetra_shaping *s, int32_t v, sherd_vec3 x, const tetra_feature *at)
{
    if (sherd_tetra_star_quality(s, v, x) < LEAST_QUALITY) return false;
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

// A wish to move one vertex, or to split.
typedef struct wish {
    int32_t vertex, other; // `other`: the edge's other end
    sherd_vec3 to;
    tetra_feature at;
} wish;

typedef struct wish_list {
    size_t count, capacity, pair_capacity;
    wish *wishes;
    sherd_sort_pair *order; // by distance
    bool short_of_memory;
} wish_list;

static void add_wish(wish_list *list, const wish *w, double distance)
{
    size_t n = list->count + 1;
    if (list->short_of_memory ||
        !sherd_grow((void **)&list->wishes, &list->capacity, n, sizeof *list->wishes) ||
        !sherd_grow((void **)&list->order, &list->pair_capacity, n, sizeof *list->order)) {
        list->short_of_memory = true;
        return;
    }
    uint64_t key; // the order of doubles >= 0 is that of their bits
    memcpy(&key, &distance, sizeof key);
    list->order[list->count] = (sherd_sort_pair){key, (uint32_t)list->count};
    list->wishes[list->count++] = *w;
}

static bool sort_wishes(wish_list *list)
{
    return !list->short_of_memory &&
           (list->count == 0 || sherd_sort_pairs(list->order, list->count));
}

static void free_wishes(wish_list *list)
{
    sherd_free(list->wishes);
    sherd_free(list->order);
}

static bool lacks_corner(const tetra_shaping *s, const int32_t v[3])
{
    const tetra_feature *f[3] = {&s->feature[v[0]], &s->feature[v[1]], &s->feature[v[2]]};
    return !shares_surface(f[0], f[1]) && !shares_surface(f[1], f[2]) &&
           !shares_surface(f[2], f[0]);
}

static bool corner_of_face(const tetra_shaping *s, const int32_t v[3], wish *w)
{
    sherd_vec3 p[3] = {tetra_vertex(s->mesh, v[0]), tetra_vertex(s->mesh, v[1]),
                       tetra_vertex(s->mesh, v[2])};
    return lacks_corner(s, v) && find_corner(s, p, &w->at, &w->to);
}

// Is a vertex there already? Corners are few.
static bool has_corner(const tetra_shaping *s, sherd_vec3 x)
{
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        if (s->feature[v].count == 3 && vec3_distance(tetra_vertex(s->mesh, v), x) < 0.05 * s->size)
            return true;
    return false;
}

// Vertices within this share of an edge length of a corner or crease move there.
static const double REACH = 0.45;

static bool move_to_corners(tetra_shaping *s)
{
    wish_list list = {0};
    for (size_t f = 0; f < 4 * (size_t)s->mesh->tetra_count; ++f) {
        int32_t v[3];
        wish w = {.other = -1};
        if (!boundary_face(s, f, v) || !corner_of_face(s, v, &w)) continue;
        for (int j = 0; j < 3; ++j) {
            w.vertex = v[j];
            double d = vec3_distance(w.to, tetra_vertex(s->mesh, v[j]));
            if (d < REACH * s->size) add_wish(&list, &w, d);
        }
    }
    bool ok = sort_wishes(&list);
    for (size_t k = 0; ok && k < list.count; ++k) {
        const wish *w = &list.wishes[list.order[k].value];
        if (s->feature[w->vertex].count < 3 && !has_corner(s, w->to))
            move_onto(s, w->vertex, w->to, &w->at);
    }
    free_wishes(&list);
    return ok;
}

// Does the edge from v to w cross a crease that neither lies on?
static bool crosses(const tetra_shaping *s, int32_t v, int32_t w)
{
    return !shares_surface(&s->feature[v], &s->feature[w]);
}

static bool move_to_creases(tetra_shaping *s)
{
    wish_list list = {0};
    for (size_t f = 0; f < 4 * (size_t)s->mesh->tetra_count; ++f) {
        int32_t v[3];
        if (!boundary_face(s, f, v)) continue;
        for (int j = 0; j < 3; ++j) {
            int32_t a = v[j], b = v[(j + 1) % 3];
            wish w;
            if (a > b || !crosses(s, a, b) ||
                !find_crease(s, tetra_vertex(s->mesh, a), tetra_vertex(s->mesh, b), &w.at, &w.to))
                continue;
            for (int end = 0; end < 2; ++end) {
                w.vertex = end == 0 ? a : b;
                w.other = end == 0 ? b : a;
                double d = vec3_distance(w.to, tetra_vertex(s->mesh, w.vertex));
                if (s->feature[w.vertex].count == 1 && d < REACH * s->size) add_wish(&list, &w, d);
            }
        }
    }
    bool ok = sort_wishes(&list);
    for (size_t k = 0; ok && k < list.count; ++k) {
        const wish *w = &list.wishes[list.order[k].value];
        if (s->feature[w->vertex].count == 1 && crosses(s, w->vertex, w->other))
            move_onto(s, w->vertex, w->to, &w->at);
    }
    free_wishes(&list);
    return ok;
}

// ---------------------------------------------------------------- splits

// Room for more vertices and tetrahedra.
static bool grow_mesh(tetra_shaping *s, size_t vertices, size_t tetras)
{
    sherd_tetra_mesh *m = s->mesh;
    size_t n = (size_t)m->vertex_count, t = (size_t)m->tetra_count;
    if (s->vertex_room == 0) s->vertex_room = 3 * n, s->feature_room = n, s->tetra_room = 4 * t;
    return sherd_grow((void **)&m->vertices, &s->vertex_room, 3 * (n + vertices),
                      sizeof *m->vertices) &&
           sherd_grow((void **)&s->feature, &s->feature_room, n + vertices, sizeof *s->feature) &&
           sherd_grow((void **)&m->tetras, &s->tetra_room, 4 * (t + tetras), sizeof *m->tetras);
}

static int32_t add_vertex(tetra_shaping *s, sherd_vec3 x, const tetra_feature *at)
{
    int32_t v = s->mesh->vertex_count++;
    tetra_set_vertex(s->mesh, v, x);
    s->feature[v] = *at;
    return v;
}

// A copy of tetrahedron t with the new vertex in place of `instead`.
static void add_copy(tetra_shaping *s, int32_t t, int32_t instead, int32_t vertex)
{
    int32_t *to = s->mesh->tetras + 4 * (size_t)s->mesh->tetra_count++;
    const int32_t *from = tetra_corners(s->mesh, t);
    for (int k = 0; k < 4; ++k)
        to[k] = from[k] == instead ? vertex : from[k];
}

// Of tetrahedron t with x in place of corner vertex `instead`.
static double quality_with(const tetra_shaping *s, int32_t t, int32_t instead, sherd_vec3 x)
{
    const int32_t *c = tetra_corners(s->mesh, t);
    sherd_vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = c[k] == instead ? x : tetra_vertex(s->mesh, c[k]);
    return sherd_tetra_shape_quality(p);
}

// Splits the k-th face's tetrahedron in three around the corner.
static bool split_face(tetra_shaping *s, size_t f, const int32_t v[3], const wish *w)
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
        wish w;
        splits += boundary_face(s, f, v) && corner_of_face(s, v, &w);
    }
    if (!grow_mesh(s, splits, 2 * splits)) return sherd_fail_memory(error, "a tetrahedral mesh");
    int32_t last = -1; // a tetrahedron with two such faces: once only
    bool any = false;
    for (size_t f = 0; f < faces; ++f) {
        int32_t v[3];
        wish w;
        if ((int32_t)(f / 4) == last || !boundary_face(s, f, v) || !corner_of_face(s, v, &w))
            continue;
        if (has_corner(s, w.to) || !split_face(s, f, v, &w)) continue;
        last = (int32_t)(f / 4);
        any = true;
    }
    return any ? renew_topology(s, error) : SHERD_OK;
}

// Tetrahedra around an edge: how many, and the worst quality of what a split at x leaves.
static int32_t look_around_edge(const tetra_shaping *s, int32_t a, int32_t b, sherd_vec3 x,
                                const uint8_t *used, double *quality)
{
    int32_t count = 0;
    *quality = 1.0;
    for (int32_t k = s->topology.start[a]; k < s->topology.start[a + 1]; ++k) {
        int32_t t = s->topology.around[k];
        if (used[t]) return 0; // may have had b as a corner before
        if (tetra_corner_of(s->mesh, t, b) < 0) continue;
        ++count;
        *quality = fmin(*quality, fmin(quality_with(s, t, a, x), quality_with(s, t, b, x)));
    }
    return count;
}

static void split_edge(tetra_shaping *s, const wish *w, uint8_t *used)
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

// Edges to split that share no tetrahedra, in the order of faces. False: memory is short.
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
            wish w = {.vertex = v[j], .other = v[(j + 1) % 3]};
            if (w.vertex > w.other || used[f / 4] || !crosses(s, w.vertex, w.other) ||
                !find_crease(s, tetra_vertex(s->mesh, w.vertex), tetra_vertex(s->mesh, w.other),
                             &w.at, &w.to))
                continue;
            double quality;
            int32_t count = look_around_edge(s, w.vertex, w.other, w.to, used, &quality);
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
    enum { ROUNDS = 24 }; // edges of one vertex are split one after the other
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
