#include "surface/cut.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "surface/facet.h"

#include <stdlib.h>
#include <string.h>

// --- Dividing a triangle ---------------------------------------------------------------------------

enum { OUTER, INNER };

// Segments of one triangle: consecutive numbers, or consecutive places in a list of numbers.
typedef struct triangle_run {
    int32_t triangle, first, count;
} triangle_run;

typedef struct face_list {
    size_t room;
    int32_t count;
    cut_face *faces;
    cut_result result;
} face_list;

typedef struct divide_job {
    const cut *k;
    int kind; // OUTER or INNER triangles
    const triangle_run *runs;
    face_list *lists; // by chunk
} divide_job;

enum { CHUNK = 32 };

// Scratch of one chunk.
typedef struct divider {
    const divide_job *job;
    facet f;
    const triangle_run *run;
    int32_t point_count; // distinct points of the run
    size_t point_room;
    int32_t *point; // ascending
    size_t value_room;
    int32_t *value; // by triangle of the facet
} divider;

static const crossing *segment_of(const divider *d, int32_t k)
{
    const crossings *x = &d->job->k->x;
    int32_t at = d->run->first + k;
    return &x->segments[d->job->kind == OUTER ? x->by_outer[at] : at];
}

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool list_points(divider *d)
{
    size_t n = 2 * (size_t)d->run->count;
    if (!sherd_grow((void **)&d->point, &d->point_room, n, sizeof *d->point)) return false;
    for (int32_t k = 0; k < d->run->count; ++k)
        for (int e = 0; e < 2; ++e)
            d->point[2 * k + e] = segment_of(d, k)->point[e];
    qsort(d->point, n, sizeof *d->point, compare_numbers);
    d->point_count = 0;
    for (size_t k = 0; k < n; ++k)
        if (k == 0 || d->point[k] != d->point[k - 1]) d->point[d->point_count++] = d->point[k];
    return true;
}

static int32_t facet_number(const divider *d, int32_t point)
{
    const int32_t *at =
        bsearch(&point, d->point, (size_t)d->point_count, sizeof *d->point, compare_numbers);
    return 3 + (int32_t)(at - d->point);
}

static const int32_t *corners_of(const divider *d)
{
    const cut *k = d->job->k;
    size_t t = (size_t)d->run->triangle;
    return d->job->kind == OUTER ? k->o->triangle + 3 * t : k->c.triangle[t].corner;
}

static cut_result begin_facet(divider *d)
{
    const sherd_vec3 *p = d->job->kind == OUTER ? d->job->k->o->position : d->job->k->c.position;
    const int32_t *c = corners_of(d);
    sherd_vec3 u = vec3_sub(p[c[1]], p[c[0]]), v = vec3_sub(p[c[2]], p[c[0]]);
    double length = vec3_length(u);
    sherd_vec3 along = vec3_scale(length > 0.0 ? 1.0 / length : 0.0, u);
    double x[3] = {0.0, length, vec3_dot(v, along)};
    double y[3] = {0.0, 0.0, vec3_length(vec3_cross(along, v))};
    return sherd_facet_begin(&d->f, x, y) == FACET_OK ? CUT_OK : CUT_MEMORY;
}

static facet_result add_point(divider *d, const crossing_point *p, int side)
{
    bool on_side = p->of_crack == (d->job->kind == INNER);
    if (!on_side) return sherd_facet_add_inside(&d->f, p->weight[1], p->weight[2]);
    const int32_t *c = corners_of(d);
    int64_t along = sherd_facet_share(p->along);
    if (c[side] > c[(side + 1) % 3]) along = sherd_facet_share(1.0) - along;
    return sherd_facet_add_on_side(&d->f, side, along);
}

static facet_result add_points(divider *d)
{
    facet_result result = FACET_OK;
    for (int32_t k = 0; k < d->point_count && result == FACET_OK; ++k) {
        int side = 0;
        for (int32_t s = 0; s < d->run->count; ++s)
            for (int e = 0; e < 2; ++e)
                if (segment_of(d, s)->point[e] == d->point[k]) side = segment_of(d, s)->side[e];
        result = add_point(d, &d->job->k->x.points[d->point[k]], side);
    }
    for (int32_t s = 0; s < d->run->count && result == FACET_OK; ++s) {
        const crossing *x = segment_of(d, s);
        result = sherd_facet_constrain(&d->f, facet_number(d, x->point[0]),
                                       facet_number(d, x->point[1]), s);
    }
    return result;
}

// What the segment along a side of a part tells about it.
static int32_t value_beside(const divider *d, const facet_triangle *t, int side)
{
    const crossing *x = segment_of(d, t->segment[side]);
    bool left = t->corner[side] == facet_number(d, x->point[0]);
    bool front = left == x->left_is_front;
    if (d->job->kind == INNER) return front ? CUT_INSIDE : CUT_OUTSIDE;
    const crack_triangle *c = &d->job->k->c.triangle[x->crack];
    return front ? c->front : c->back;
}

// Parts next to segments know their value; others have that of their neighbours.
static cut_result find_values(divider *d)
{
    int32_t n = d->f.triangle_count;
    if (!sherd_grow((void **)&d->value, &d->value_room, (size_t)n, sizeof *d->value))
        return CUT_MEMORY;
    memset(d->value, 0, (size_t)n * sizeof *d->value);
    for (int32_t t = 0; t < n; ++t)
        for (int k = 0; k < 3; ++k) {
            if (d->f.triangles[t].segment[k] < 0) continue;
            int32_t value = value_beside(d, &d->f.triangles[t], k);
            if (d->value[t] != CUT_UNKNOWN && d->value[t] != value) return CUT_INCONSISTENT;
            d->value[t] = value;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t t = 0; t < n; ++t)
            for (int k = 0; k < 3 && d->value[t] != CUT_UNKNOWN; ++k) {
                int32_t next = d->f.triangles[t].next[k];
                if (next < 0 || d->f.triangles[t].segment[k] >= 0) continue;
                if (d->value[next] == CUT_UNKNOWN) {
                    d->value[next] = d->value[t];
                    changed = true;
                } else if (d->value[next] != d->value[t]) {
                    return CUT_INCONSISTENT;
                }
            }
    }
    return CUT_OK;
}

static int32_t vertex_number(const divider *d, int32_t at)
{
    const cut *k = d->job->k;
    if (at >= 3) return k->o->vertex_count + d->point[at - 3];
    int32_t corner = corners_of(d)[at];
    return d->job->kind == OUTER ? corner : k->o->vertex_count + k->x.point_count + corner;
}

static cut_result store_faces(divider *d, face_list *l)
{
    int32_t n = d->f.triangle_count;
    if (!sherd_grow((void **)&l->faces, &l->room, (size_t)(l->count + n), sizeof *l->faces))
        return CUT_MEMORY;
    for (int32_t t = 0; t < n; ++t) {
        const int32_t *c = d->f.triangles[t].corner;
        l->faces[l->count++] =
            (cut_face){{vertex_number(d, c[0]), vertex_number(d, c[1]), vertex_number(d, c[2])},
                       d->run->triangle,
                       d->value[t]};
    }
    return CUT_OK;
}

static cut_result divide_triangle(divider *d, face_list *l)
{
    if (!list_points(d)) return CUT_MEMORY;
    cut_result result = begin_facet(d);
    if (result != CUT_OK) return result;
    facet_result added = add_points(d);
    if (added != FACET_OK) return added == FACET_MEMORY ? CUT_MEMORY : CUT_DEGENERATE;
    sherd_facet_improve(&d->f);
    result = find_values(d);
    return result == CUT_OK ? store_faces(d, l) : result;
}

static void divide_triangles(void *context, size_t begin, size_t end)
{
    const divide_job *job = context;
    divider d = {.job = job};
    face_list *l = &job->lists[begin / CHUNK];
    for (size_t k = begin; k < end && l->result == CUT_OK; ++k) {
        d.run = &job->runs[k];
        l->result = divide_triangle(&d, l);
    }
    sherd_facet_release(&d.f);
    sherd_free(d.point);
    sherd_free(d.value);
}

// --- All divided triangles -------------------------------------------------------------------------

// Divided triangles of one surface.
typedef struct divided {
    int32_t run_count, count;
    triangle_run *runs;
    cut_face *faces;
} divided;

static void release_divided(divided *d)
{
    sherd_free(d->runs);
    sherd_free(d->faces);
}

static bool list_runs(const crossings *x, int kind, divided *d)
{
    d->runs = sherd_alloc((size_t)x->count, sizeof *d->runs);
    for (int32_t k = 0; d->runs != NULL && k < x->count; ++k) {
        const crossing *s = &x->segments[kind == OUTER ? x->by_outer[k] : k];
        int32_t triangle = kind == OUTER ? s->outer : s->crack;
        if (d->run_count == 0 || d->runs[d->run_count - 1].triangle != triangle)
            d->runs[d->run_count++] = (triangle_run){triangle, k, 0};
        d->runs[d->run_count - 1].count++;
    }
    return d->runs != NULL;
}

static cut_result join_lists(const face_list *lists, size_t chunks, divided *d)
{
    size_t total = 0;
    cut_result worst = CUT_OK;
    for (size_t k = 0; k < chunks; ++k) {
        if (worst == CUT_OK) worst = lists[k].result;
        total += (size_t)lists[k].count;
    }
    if (worst != CUT_OK) return worst;
    d->faces = sherd_alloc(total, sizeof *d->faces);
    if (d->faces == NULL) return CUT_MEMORY;
    for (size_t k = 0; k < chunks; ++k) {
        if (lists[k].count > 0)
            memcpy(d->faces + d->count, lists[k].faces, (size_t)lists[k].count * sizeof *d->faces);
        d->count += lists[k].count;
    }
    return CUT_OK;
}

static cut_result divide(const cut *k, int kind, divided *d, const sherd_parallel *parallel)
{
    if (!list_runs(&k->x, kind, d)) return CUT_MEMORY;
    size_t chunks = ((size_t)d->run_count + CHUNK - 1) / CHUNK;
    divide_job job = {k, kind, d->runs, sherd_alloc(chunks, sizeof *job.lists)};
    if (job.lists == NULL) return CUT_MEMORY;
    sherd_parallel_for(parallel, (size_t)d->run_count, CHUNK, divide_triangles, &job);
    cut_result result = join_lists(job.lists, chunks, d);
    for (size_t c = 0; c < chunks; ++c)
        sherd_free(job.lists[c].faces);
    sherd_free(job.lists);
    return result;
}

// --- What crosses nothing --------------------------------------------------------------------------

// One surface's triangles and vertices, and what is known of them.
typedef struct surface_side {
    int32_t vertex_count, triangle_count, first; // `first`: of its vertices among all
    const int32_t *triangle;                     // corners, `stride` apart
    size_t stride;
    divided parts;
    uint8_t *is_divided; // (triangles)
    int32_t *root;       // forest of vertices that triangles join  (vertices)
    int32_t *value;      // (vertices)
} surface_side;

static void release_side(surface_side *s)
{
    release_divided(&s->parts);
    sherd_free(s->is_divided);
    sherd_free(s->root);
    sherd_free(s->value);
}

static int32_t root_of(surface_side *s, int32_t v)
{
    while (s->root[v] != v)
        v = s->root[v] = s->root[s->root[v]];
    return v;
}

static const int32_t *corners_at(const surface_side *s, int32_t t)
{
    return (const int32_t *)(const void *)((const char *)s->triangle + s->stride * (size_t)t);
}

static bool join_vertices(surface_side *s)
{
    s->is_divided = sherd_alloc((size_t)s->triangle_count, 1);
    s->root = sherd_alloc((size_t)s->vertex_count, sizeof *s->root);
    s->value = sherd_alloc((size_t)s->vertex_count, sizeof *s->value);
    if (s->is_divided == NULL || s->root == NULL || s->value == NULL) return false;
    for (int32_t k = 0; k < s->parts.run_count; ++k)
        s->is_divided[s->parts.runs[k].triangle] = 1;
    for (int32_t v = 0; v < s->vertex_count; ++v)
        s->root[v] = v;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        if (s->is_divided[t]) continue;
        const int32_t *c = corners_at(s, t);
        for (int k = 1; k < 3; ++k) {
            int32_t a = root_of(s, c[0]), b = root_of(s, c[k]);
            s->root[a < b ? b : a] = a < b ? a : b;
        }
    }
    return true;
}

// Divided triangles tell their vertices, and these all that are joined to them.
static cut_result spread_values(surface_side *s)
{
    for (int32_t k = 0; k < s->parts.count; ++k) {
        const cut_face *face = &s->parts.faces[k];
        for (int c = 0; c < 3; ++c) {
            int32_t v = face->corner[c] - s->first;
            if (v < 0 || v >= s->vertex_count) continue; // a crossing point
            int32_t root = root_of(s, v);
            if (s->value[root] != CUT_UNKNOWN && s->value[root] != face->value)
                return CUT_INCONSISTENT;
            s->value[root] = face->value;
        }
    }
    return CUT_OK;
}

// Components of the outline that no crack meets: the owner of most of their first vertices.
static void ask_owners(surface_side *s, const outline *o, const partition *p)
{
    enum { ASKED = 31 };
    for (int32_t r = 0; r < s->vertex_count; ++r) {
        if (s->root[r] != r || s->value[r] != CUT_UNKNOWN) continue;
        sherd_fragment_id label[PARTITION_STRONGEST];
        double log[PARTITION_STRONGEST];
        int32_t best = 0, votes = 0, asked = 0;
        for (int32_t v = r; v < s->vertex_count && asked < ASKED; ++v) {
            if (root_of(s, v) != r) continue;
            ++asked;
            if (sherd_partition_strongest(p, o->position[v], label, log) == 0)
                label[0] = sherd_partition_nearest(p, o->position[v]);
            // Boyer and Moore's majority vote.
            if (votes == 0) best = label[0];
            votes += label[0] == best ? 1 : -1;
        }
        s->value[r] = best;
    }
}

// Components of the crack that meet no outer surface.
static void ask_insides(surface_side *s, const outline *o, const crack *c)
{
    for (int32_t r = 0; r < s->vertex_count; ++r)
        if (s->root[r] == r && s->value[r] == CUT_UNKNOWN)
            s->value[r] =
                sherd_shape_distance(o->solid, c->position[r]) < 0.0 ? CUT_INSIDE : CUT_OUTSIDE;
}

// All faces: parts of divided triangles and whole others, of one value only unless `only` is 0.
static cut_face *collect_faces(surface_side *s, int32_t only, int32_t *count)
{
    size_t room = (size_t)s->parts.count + (size_t)s->triangle_count;
    cut_face *faces = sherd_alloc(room, sizeof *faces);
    *count = 0;
    for (int32_t k = 0; faces != NULL && k < s->parts.count; ++k)
        if (only == 0 || s->parts.faces[k].value == only) faces[(*count)++] = s->parts.faces[k];
    for (int32_t t = 0; faces != NULL && t < s->triangle_count; ++t) {
        if (s->is_divided[t]) continue;
        const int32_t *c = corners_at(s, t);
        int32_t value = s->value[root_of(s, c[0])];
        if (only == 0 || value == only)
            faces[(*count)++] =
                (cut_face){{c[0] + s->first, c[1] + s->first, c[2] + s->first}, t, value};
    }
    return faces;
}

static cut_result classify(surface_side *s, int kind, const cut *k, const partition *p,
                           const sherd_parallel *parallel)
{
    cut_result result = divide(k, kind, &s->parts, parallel);
    if (result == CUT_OK && !join_vertices(s)) result = CUT_MEMORY;
    if (result == CUT_OK) result = spread_values(s);
    if (result != CUT_OK) return result;
    if (kind == OUTER)
        ask_owners(s, k->o, p);
    else
        ask_insides(s, k->o, &k->c);
    return CUT_OK;
}

static cut_result make_faces(cut *k, const partition *p, const sherd_parallel *parallel)
{
    const outline *o = k->o;
    surface_side outer = {.vertex_count = o->vertex_count,
                          .triangle_count = o->triangle_count,
                          .triangle = o->triangle,
                          .stride = 3 * sizeof *o->triangle};
    surface_side inner = {.vertex_count = k->c.vertex_count,
                          .triangle_count = k->c.triangle_count,
                          .first = o->vertex_count + k->x.point_count,
                          .triangle = k->c.triangle->corner,
                          .stride = sizeof *k->c.triangle};
    cut_result result = classify(&outer, OUTER, k, p, parallel);
    if (result == CUT_OK) result = classify(&inner, INNER, k, p, parallel);
    if (result == CUT_OK) {
        k->outer = collect_faces(&outer, 0, &k->outer_count);
        k->inner = collect_faces(&inner, CUT_INSIDE, &k->inner_count);
        if (k->outer == NULL || k->inner == NULL) result = CUT_MEMORY;
    }
    release_side(&outer);
    release_side(&inner);
    return result;
}

cut_result sherd_cut_make(cut *k, const outline *o, const crack_grid *g, const partition *p,
                          uint64_t salt, const sherd_parallel *parallel)
{
    *k = (cut){.o = o};
    if (!sherd_crack_gather(&k->c, g, &o->lattice, salt, parallel)) return CUT_MEMORY;
    switch (sherd_crossings_find(&k->x, o, &k->c, parallel)) {
    case CROSSING_MEMORY:
        return CUT_MEMORY;
    case CROSSING_DEGENERATE:
        return CUT_DEGENERATE;
    case CROSSING_OK:
        break;
    }
    return make_faces(k, p, parallel);
}

void sherd_cut_release(cut *k)
{
    sherd_crack_release(&k->c);
    sherd_crossings_release(&k->x);
    sherd_free(k->outer);
    sherd_free(k->inner);
    *k = (cut){0};
}

void sherd_cut_weights(const cut *k, const cut_face *face, int corner, double weight[3])
{
    const int32_t *c = k->o->triangle + 3 * (size_t)face->parent;
    int32_t v = face->corner[corner];
    memset(weight, 0, 3 * sizeof *weight);
    if (v < k->o->vertex_count) {
        for (int j = 0; j < 3; ++j)
            weight[j] = c[j] == v;
        return;
    }
    const crossing_point *p = &k->x.points[v - k->o->vertex_count];
    if (p->of_crack) {
        memcpy(weight, p->weight, 3 * sizeof *weight);
        return;
    }
    for (int j = 0; j < 3; ++j)
        if (k->o->edge[3 * (size_t)face->parent + (size_t)j] == p->edge) {
            bool upwards = c[j] < c[(j + 1) % 3];
            weight[j] = upwards ? 1.0 - p->along : p->along;
            weight[(j + 1) % 3] = 1.0 - weight[j];
        }
}
