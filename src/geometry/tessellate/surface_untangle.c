// Moves vertices to their targets; those on one crease in their order along it. Then moves vertices
// of triangles that intersect others or are inverted back step by step, until none is left. With
// all vertices moved back there are none, so the iteration ends. After the first round only
// triangles that were bad, or that have a corner that moved back, can intersect others.
#include "geometry/tessellate/surface_sharpen.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"

#include <string.h>

// Triangles smaller than this fraction of the squared edge length count as inverted.
static const double MIN_AREA = 1e-7;

// After this many rounds all vertices move back.
enum { MAX_ROUNDS = 160 };

// A small step back often suffices: fractions of the way back after each number of steps.
enum { STEPS = 4 };
static const double BACK_FRACTION[STEPS + 1] = {0.0, 0.125, 0.25, 0.5, 1.0};

typedef struct untangling {
    sherd_mesh *mesh;
    sherd_sharp_point *point;
    double size;
    uint8_t *back;       // number of steps back, by vertex
    uint8_t *moved;      // by vertex: moved in this round
    uint8_t *queued;     // by triangle: may intersect others
    atomic_uchar *bad;   // triangles
    sherd_bounds *boxes; // of triangles
    sherd_bvh tree;      // over boxes of triangles' current and initial positions
} untangling;

// The normal of a part of the surface on which all three corners lie.
static bool common_normal(const untangling *s, const int32_t *v, sherd_vec3 *normal)
{
    const surface_feature *f = &s->point[v[0]].feature;
    for (int i = 0; i < f->count; ++i) {
        surface_feature part = {1, {f->normal[i]}};
        if (!surface_features_in_common(&part, &s->point[v[1]].feature) ||
            !surface_features_in_common(&part, &s->point[v[2]].feature))
            continue;
        *normal = f->normal[i];
        return true;
    }
    return false;
}

static double displacement(const untangling *s, int32_t v)
{
    return (1.0 - BACK_FRACTION[s->back[v]]) *
           vec3_distance(s->point[v].safe, s->point[v].position);
}

static bool is_inverted(const untangling *s, int32_t t)
{
    sherd_vec3 area = mesh_area_vector(s->mesh, t), normal;
    return vec3_length(area) < MIN_AREA * s->size * s->size ||
           (common_normal(s, s->mesh->triangles + 3 * (size_t)t, &normal) &&
            vec3_dot(area, normal) < 0.0);
}

// Returns whether the displacement of its corners inverted a triangle or made its area vanish.
static void mark_inverted(untangling *s)
{
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
        if (!(displacement(s, v[0]) + displacement(s, v[1]) + displacement(s, v[2]) > 0.0))
            continue;
        if (is_inverted(s, t)) s->bad[t] = 1;
    }
}

static void step_back(untangling *s, int32_t v)
{
    const sherd_sharp_point *p = &s->point[v];
    double fraction = BACK_FRACTION[++s->back[v]];
    s->moved[v] = 1;
    mesh_set_vertex(s->mesh, v,
                    fraction < 1.0
                        ? vec3_add_scaled(p->position, fraction, vec3_sub(p->safe, p->position))
                        : p->safe);
}

// ---------------------------------------------------------------- order

enum { ORDER_ROUNDS = 4 }; // more than two in a row are rarely out of order

static bool lie_on_one_crease(const surface_feature *a, const surface_feature *b)
{
    if (a->count != 2 || b->count != 2) return false;
    for (int k = 0; k < 2; ++k)
        if (!surface_features_in_common(&(surface_feature){1, {a->normal[k]}}, b)) return false;
    return true;
}

static void exchange(untangling *s, int32_t a, int32_t b)
{
    sherd_sharp_point *p = &s->point[a], *q = &s->point[b], was = *p;
    p->position = q->position, p->feature = q->feature;
    q->position = was.position, q->feature = was.feature;
    mesh_set_vertex(s->mesh, a, p->position);
    mesh_set_vertex(s->mesh, b, q->position);
}

// Two edges of a triangle may intersect a crease in the wrong order, by a small distance: the part
// of the triangle between them would be inverted.
static void restore_order(untangling *s)
{
    for (int round = 0; round < ORDER_ROUNDS; ++round)
        for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
            const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
            for (int k = 0; k < 3; ++k) {
                int32_t a = v[k], b = v[(k + 1) % 3];
                if (!lie_on_one_crease(&s->point[a].feature, &s->point[b].feature) ||
                    !is_inverted(s, t))
                    continue;
                exchange(s, a, b);
                if (is_inverted(s, t)) exchange(s, a, b);
            }
        }
}

// ---------------------------------------------------------------- moving back

// Moves back by a step the corner of each bad triangle that is farthest from its initial position;
// returns false if there was none.
static bool send_back(untangling *s)
{
    bool any = false;
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        s->queued[t] = s->bad[t];
        if (!s->bad[t]) continue;
        s->bad[t] = 0;
        int32_t farthest = -1;
        for (int k = 0; k < 3; ++k) {
            int32_t v = s->mesh->triangles[3 * (size_t)t + (size_t)k];
            if (farthest < 0 || displacement(s, v) > displacement(s, farthest)) farthest = v;
        }
        if (!(displacement(s, farthest) > 0.0)) continue;
        if (!s->moved[farthest]) step_back(s, farthest);
        any = true;
    }
    return any;
}

// Marks the triangles of vertices that just moved back for testing, too.
static void queue_around(untangling *s)
{
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
        if (!s->moved[v[0]] && !s->moved[v[1]] && !s->moved[v[2]]) continue;
        s->queued[t] = 1;
        s->boxes[t] = mesh_triangle_bounds(s->mesh, t);
    }
    memset(s->moved, 0, (size_t)s->mesh->vertex_count);
}

static void untangle(untangling *s)
{
    const sherd_cut_search search = {s->mesh, &s->tree, s->boxes, s->queued, s->bad};
    for (int round = 0; round < MAX_ROUNDS; ++round) {
        sherd_mesh_mark_intersections(&search);
        mark_inverted(s);
        if (!send_back(s)) return;
        queue_around(s);
    }
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        mesh_set_vertex(s->mesh, v, s->point[v].safe);
}

static bool prepare(untangling *s)
{
    size_t vertices = (size_t)s->mesh->vertex_count, triangles = (size_t)s->mesh->triangle_count;
    s->back = sherd_alloc(vertices, 1);
    s->moved = sherd_alloc(vertices, 1);
    s->queued = sherd_alloc(triangles, 1);
    s->bad = sherd_alloc(triangles, sizeof *s->bad);
    s->boxes = sherd_alloc(triangles, sizeof *s->boxes);
    if (s->back == NULL || s->moved == NULL || s->queued == NULL || s->bad == NULL ||
        s->boxes == NULL)
        return false;
    for (size_t v = 0; v < vertices; ++v)
        mesh_set_vertex(s->mesh, (int32_t)v, s->point[v].position);
    restore_order(s);
    for (size_t t = 0; t < triangles; ++t) {
        s->boxes[t] = mesh_triangle_bounds(s->mesh, (int32_t)t);
        for (size_t k = 0; k < 3; ++k)
            bounds_add(&s->boxes[t], s->point[s->mesh->triangles[3 * t + k]].safe);
    }
    if (!sherd_bvh_init(&s->tree, s->boxes, (int32_t)triangles)) return false;
    for (size_t t = 0; t < triangles; ++t) {
        s->boxes[t] = mesh_triangle_bounds(s->mesh, (int32_t)t);
        s->queued[t] = 1;
    }
    return true;
}

bool sherd_surface_untangle(sherd_mesh *mesh, sherd_sharp_point *point, double size)
{
    untangling s = {.mesh = mesh, .point = point, .size = size};
    bool ready = prepare(&s);
    if (ready) untangle(&s);
    sherd_bvh_release(&s.tree);
    sherd_free(s.back);
    sherd_free(s.moved);
    sherd_free(s.queued);
    sherd_free(s.bad);
    sherd_free(s.boxes);
    return ready;
}
