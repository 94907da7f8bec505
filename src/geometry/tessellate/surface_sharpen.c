#include "geometry/tessellate/surface_sharpen.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/shape/shape_kind.h"

#include <string.h>

// Vertices within this fraction of the edge length of a crease or corner move there.
static const double CREASE_REACH = 0.35, CORNER_REACH = 0.9;

// Maximum distance of the grid's vertices from the surface, as a fraction of the edge length.
static const double FARTHEST = 0.1;

typedef struct sharpening {
    const sherd_shape *shape;
    double size; // [m]
    sherd_mesh *mesh;
    sherd_mesh_edges edges; // of the mesh
    size_t point_count, point_capacity;
    sherd_sharp_point *point; // the mesh's vertices and those added
    uint8_t *ambiguous;       // of the mesh's vertices
    size_t corner_count, corner_capacity;
    int32_t *corner; // points that are corners
    size_t triangle_count, triangle_capacity;
    int32_t (*triangle)[3]; // of the result
    bool failed;            // memory is short
} sharpening;

// ---------------------------------------------------------------- positions

static void project_points(void *context, size_t begin, size_t end)
{
    sharpening *s = context;
    for (size_t v = begin; v < end; ++v) {
        sherd_sharp_point *p = &s->point[v];
        sherd_vec3 normal;
        p->safe = p->position = mesh_vertex(s->mesh, (int32_t)v);
        bool found = sherd_project_to_surface(s->shape, s->size, &p->position, &normal);
        if (!found || vec3_distance(p->position, p->safe) > FARTHEST * s->size) {
            p->position = p->safe;
            normal = sherd_shape_normal(s->shape, p->safe);
        }
        p->feature = (surface_feature){1, {normal}};
    }
}

static int32_t add_point(sharpening *s, sherd_vec3 safe, sherd_vec3 position,
                         const surface_feature *feature)
{
    if (s->failed ||
        !sherd_grow((void **)&s->point, &s->point_capacity, s->point_count + 1, sizeof *s->point)) {
        s->failed = true;
        return 0;
    }
    s->point[s->point_count] = (sherd_sharp_point){safe, position, *feature};
    return (int32_t)s->point_count++;
}

// A vertex that happens to lie on a crease has either of the normals there: if neighbours have
// another one, it is examined closely.
static void find_features(void *context, size_t begin, size_t end)
{
    sharpening *s = context;
    for (size_t v = begin; v < end; ++v) {
        if (!s->ambiguous[v]) continue;
        surface_feature f = sherd_surface_feature_at(s->shape, s->size, s->point[v].position);
        if (f.count > 0) s->point[v].feature = f;
    }
}

static bool examine_ambiguous(sharpening *s)
{
    const sherd_parallel parallel = {0};
    s->ambiguous = sherd_alloc(s->point_count, 1);
    if (s->ambiguous == NULL) return false;
    for (int32_t h = 0; h < 3 * s->mesh->triangle_count; ++h) {
        int32_t a = mesh_edge_from(s->mesh, h), b = mesh_edge_to(s->mesh, h);
        if (!surface_features_in_common(&s->point[a].feature, &s->point[b].feature))
            s->ambiguous[a] = s->ambiguous[b] = 1;
    }
    sherd_parallel_for(&parallel, s->point_count, 64, find_features, s);
    return true;
}

static bool start(sharpening *s)
{
    const sherd_parallel parallel = {0};
    size_t n = (size_t)s->mesh->vertex_count;
    if (!sherd_grow((void **)&s->point, &s->point_capacity, n, sizeof *s->point) ||
        !sherd_mesh_edges_init(&s->edges, s->mesh))
        return false;
    s->point_count = n;
    sherd_parallel_for(&parallel, n, 256, project_points, s);
    return examine_ambiguous(s);
}

// ---------------------------------------------------------------- corners

static bool has_corner(const sharpening *s, sherd_vec3 x)
{
    for (size_t k = 0; k < s->corner_count; ++k)
        if (vec3_distance(s->point[s->corner[k]].position, x) < 0.05 * s->size) return true;
    return false;
}

static void note_corner(sharpening *s, int32_t v)
{
    if (s->failed || !sherd_grow((void **)&s->corner, &s->corner_capacity, s->corner_count + 1,
                                 sizeof *s->corner))
        s->failed = true;
    else
        s->corner[s->corner_count++] = v;
}

// Lists the parts of the surface on which three vertices lie, up to four.
static int parts_of(const sharpening *s, const int32_t v[3], sherd_vec3 part[4])
{
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const surface_feature *f = &s->point[v[k]].feature;
        for (int i = 0; i < f->count; ++i) {
            bool known = false;
            for (int j = 0; j < count; ++j)
                known = known || vec3_dot(part[j], f->normal[i]) > SAME_SURFACE;
            if (!known && count < 4) part[count++] = f->normal[i];
        }
    }
    return count;
}

static bool lies_on(const surface_feature *f, sherd_vec3 part)
{
    for (int i = 0; i < f->count; ++i)
        if (vec3_dot(f->normal[i], part) > SAME_SURFACE) return true;
    return false;
}

// A point between three vertices on a part: the mean of those on it, shifted inwards a little.
static sherd_vec3 point_on(const sharpening *s, const int32_t v[3], sherd_vec3 part)
{
    sherd_vec3 sum = vec3(0, 0, 0), middle = vec3(0, 0, 0);
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        const sherd_sharp_point *p = &s->point[v[k]];
        middle = vec3_add_scaled(middle, 1.0 / 3.0, p->position);
        if (!lies_on(&p->feature, part)) continue;
        sum = vec3_add(sum, p->position);
        ++count;
    }
    return vec3_add(vec3_scale(0.9 / count, sum), vec3_scale(0.1, middle));
}

static bool have_common_part(const sharpening *s, const int32_t v[3])
{
    const surface_feature *f = &s->point[v[0]].feature;
    for (int i = 0; i < f->count; ++i)
        if (lies_on(&s->point[v[1]].feature, f->normal[i]) &&
            lies_on(&s->point[v[2]].feature, f->normal[i]))
            return true;
    return false;
}

// The corner between three vertices that have no common part of the surface.
static bool find_corner(const sharpening *s, const int32_t v[3], sherd_move_request *w)
{
    sherd_vec3 part[4], probe[3];
    if (have_common_part(s, v) || parts_of(s, v, part) != 3) return false;
    for (int k = 0; k < 3; ++k)
        probe[k] = point_on(s, v, part[k]);
    return sherd_find_corner(s->shape, s->size, probe, &w->at, &w->to) && !has_corner(s, w->to);
}

static void move_to_corners(sharpening *s)
{
    sherd_move_request_list list = {0};
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
        sherd_move_request w = {.other = -1};
        if (!find_corner(s, v, &w)) continue;
        for (int k = 0; k < 3; ++k) {
            w.vertex = v[k];
            double d = vec3_distance(w.to, s->point[v[k]].position);
            if (d < CORNER_REACH * s->size) sherd_move_request_add(&list, &w, d);
        }
    }
    if (!sherd_move_requests_sort(&list)) s->failed = true;
    for (size_t k = 0; !s->failed && k < list.count; ++k) {
        const sherd_move_request *w = &list.requests[list.order[k].value];
        sherd_sharp_point *p = &s->point[w->vertex];
        if (p->feature.count == 3 || has_corner(s, w->to)) continue;
        p->position = w->to;
        p->feature = w->at;
        note_corner(s, w->vertex);
    }
    sherd_move_requests_release(&list);
}

// ---------------------------------------------------------------- creases

// If a surface bends strongly within an edge, the ends may lie on one crease without being
// recognised.
static bool is_at_crease(const sherd_sharp_point *p, sherd_vec3 x, double size)
{
    return p->feature.count > 1 && vec3_distance(p->position, x) < 0.05 * size;
}

// Finds the crease that a half-edge crosses without an end on it; each edge counts once.
static bool crosses_crease(const sharpening *s, int32_t half_edge, sherd_move_request *w)
{
    if (s->edges.twin[half_edge] < half_edge) return false;
    w->vertex = mesh_edge_from(s->mesh, half_edge);
    w->other = mesh_edge_to(s->mesh, half_edge);
    const sherd_sharp_point *a = &s->point[w->vertex], *b = &s->point[w->other];
    return !surface_features_in_common(&a->feature, &b->feature) &&
           sherd_find_crease(s->shape, s->size, a->position, b->position, &w->at, &w->to) &&
           !is_at_crease(a, w->to, s->size) && !is_at_crease(b, w->to, s->size) &&
           !has_corner(s, w->to);
}

static void move_to_creases(sharpening *s)
{
    sherd_move_request_list list = {0};
    for (int32_t h = 0; h < 3 * s->mesh->triangle_count; ++h) {
        sherd_move_request w;
        if (!crosses_crease(s, h, &w)) continue;
        const int32_t end[2] = {w.vertex, w.other};
        double length = vec3_distance(s->point[end[0]].position, s->point[end[1]].position);
        for (int k = 0; k < 2; ++k) {
            w.vertex = end[k];
            w.other = end[1 - k];
            double d = vec3_distance(w.to, s->point[end[k]].position);
            if (s->point[end[k]].feature.count == 1 && d < CREASE_REACH * fmin(length, s->size))
                sherd_move_request_add(&list, &w, d);
        }
    }
    if (!sherd_move_requests_sort(&list)) s->failed = true;
    for (size_t k = 0; !s->failed && k < list.count; ++k) {
        const sherd_move_request *w = &list.requests[list.order[k].value];
        sherd_sharp_point *p = &s->point[w->vertex];
        if (p->feature.count != 1 ||
            surface_features_in_common(&p->feature, &s->point[w->other].feature))
            continue;
        p->position = w->to;
        p->feature = w->at;
    }
    sherd_move_requests_release(&list);
}

// ---------------------------------------------------------------- splits

// Adds points on the creases that edges still cross; split[h] for half-edge h, -1: none.
static void split_edges(sharpening *s, int32_t *split)
{
    for (int32_t h = 0; h < 3 * s->mesh->triangle_count; ++h)
        split[h] = -1;
    for (int32_t h = 0; h < 3 * s->mesh->triangle_count && !s->failed; ++h) {
        sherd_move_request w;
        if (!crosses_crease(s, h, &w)) continue;
        const sherd_sharp_point *a = &s->point[w.vertex], *b = &s->point[w.other];
        sherd_vec3 along = vec3_sub(b->position, a->position);
        double f = vec3_dot(along, vec3_sub(w.to, a->position)) / vec3_dot(along, along);
        f = f > 0.05 ? fmin(f, 0.95) : 0.05;
        sherd_vec3 safe = vec3_add_scaled(a->safe, f, vec3_sub(b->safe, a->safe));
        split[h] = add_point(s, safe, w.to, &w.at);
        if (s->edges.twin[h] >= 0) split[s->edges.twin[h]] = split[h];
    }
}

static void add_triangle(sharpening *s, int32_t a, int32_t b, int32_t c)
{
    if (s->failed || !sherd_grow((void **)&s->triangle, &s->triangle_capacity,
                                 s->triangle_count + 1, sizeof *s->triangle)) {
        s->failed = true;
        return;
    }
    int32_t *to = s->triangle[s->triangle_count++];
    to[0] = a, to[1] = b, to[2] = c;
}

// Appends a triangle of the result, divided if it surrounds a corner.
static void emit(sharpening *s, int32_t a, int32_t b, int32_t c)
{
    const int32_t v[3] = {a, b, c};
    sherd_move_request w;
    if (s->failed || !find_corner(s, v, &w)) {
        add_triangle(s, a, b, c);
        return;
    }
    sherd_vec3 sum = vec3_add(s->point[a].safe, vec3_add(s->point[b].safe, s->point[c].safe));
    int32_t m = add_point(s, vec3_scale(1.0 / 3.0, sum), w.to, &w.at);
    note_corner(s, m);
    add_triangle(s, a, b, m);
    add_triangle(s, b, c, m);
    add_triangle(s, c, a, m);
}

// Splits along the shorter diagonal.
static void emit_quadrangle(sharpening *s, int32_t a, int32_t b, int32_t c, int32_t d)
{
    if (s->failed) return;
    double ac = vec3_distance(s->point[a].position, s->point[c].position);
    double bd = vec3_distance(s->point[b].position, s->point[d].position);
    if (ac <= bd) {
        emit(s, a, b, c);
        emit(s, a, c, d);
    } else {
        emit(s, a, b, d);
        emit(s, b, c, d);
    }
}

// Corners v and the points m on the edges after them, -1: none.
static void divide(sharpening *s, const int32_t v[3], const int32_t m[3])
{
    int splits = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0), k = 0;
    if (splits == 0) {
        emit(s, v[0], v[1], v[2]);
    } else if (splits == 3) {
        for (k = 0; k < 3; ++k)
            emit(s, v[k], m[k], m[(k + 2) % 3]);
        emit(s, m[0], m[1], m[2]);
    } else if (splits == 1) {
        while (m[k] < 0)
            ++k;
        emit(s, v[k], m[k], v[(k + 2) % 3]);
        emit(s, m[k], v[(k + 1) % 3], v[(k + 2) % 3]);
    } else {
        while (m[(k + 2) % 3] >= 0)
            ++k; // edges k and k + 1 are split, the last isn't
        emit(s, m[k], v[(k + 1) % 3], m[(k + 1) % 3]);
        emit_quadrangle(s, v[k], m[k], m[(k + 1) % 3], v[(k + 2) % 3]);
    }
}

static void split_triangles(sharpening *s)
{
    int32_t *split = sherd_alloc(3 * (size_t)s->mesh->triangle_count, sizeof *split);
    s->failed = s->failed || split == NULL;
    if (!s->failed) split_edges(s, split);
    for (size_t t = 0; t < (size_t)s->mesh->triangle_count && !s->failed; ++t)
        divide(s, s->mesh->triangles + 3 * t, split + 3 * t);
    sherd_free(split);
}

// ---------------------------------------------------------------- the whole mesh

static sherd_mesh *move_result(sharpening *s, sherd_error *error)
{
    sherd_mesh *mesh = NULL;
    if (!s->failed)
        mesh = sherd_mesh_create((int32_t)s->point_count, (int32_t)s->triangle_count, error);
    if (mesh != NULL) {
        memcpy(mesh->triangles, s->triangle, s->triangle_count * sizeof *s->triangle);
        s->failed = !sherd_surface_untangle(mesh, s->point, s->size);
    }
    if (!s->failed) return mesh;
    sherd_mesh_destroy(mesh);
    sherd_fail_memory(error, "a surface mesh");
    return NULL;
}

sherd_mesh *sherd_surface_sharpen(sherd_mesh *mesh, const sherd_shape *shape, double size,
                                  sherd_error *error)
{
    if (mesh->triangle_count == 0) return mesh;
    sharpening s = {.shape = shape, .size = size, .mesh = mesh};
    s.failed = !start(&s);
    if (!s.failed) {
        move_to_corners(&s);
        move_to_creases(&s);
        split_triangles(&s);
    }
    sherd_mesh *sharp = move_result(&s, error);
    sherd_mesh_destroy(mesh);
    sherd_mesh_edges_release(&s.edges);
    sherd_free(s.point);
    sherd_free(s.corner);
    sherd_free(s.ambiguous);
    sherd_free(s.triangle);
    return sharp;
}
