// Vertices go to their places; then those of triangles that cut another or are turned over go back,
// until none is left. With all of them back there is none: the way ends. After the first round only
// triangles that were bad, or that have a corner that went back, can cut others.
#include "geometry/tessellate/surface_sharpen.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"

// Triangles smaller than this share of the square of the edges' length count as turned over.
static const double LEAST_AREA = 1e-7;

// After so many rounds everything goes back.
enum { MOST_ROUNDS = 40 };

enum { AT_PLACE, BACK_NOW, BACK_BEFORE };

typedef struct settling {
    sherd_mesh *mesh;
    const sherd_sharp_point *point;
    double size;
    uint8_t *back;       // vertices: AT_PLACE, ...
    uint8_t *asked;      // triangles: may cut others
    atomic_uchar *bad;   // triangles
    sherd_bounds *boxes; // of triangles
    sherd_bvh tree;      // over boxes of triangles and where they go back to
} settling;

// The normal of a part of the surface that all three corners lie on.
static bool common_normal(const settling *s, const int32_t *v, sherd_vec3 *normal)
{
    const surface_feature *f = &s->point[v[0]].feature;
    for (int i = 0; i < f->count; ++i) {
        surface_feature part = {1, {f->normal[i]}};
        if (!surface_features_share(&part, &s->point[v[1]].feature) ||
            !surface_features_share(&part, &s->point[v[2]].feature))
            continue;
        *normal = f->normal[i];
        return true;
    }
    return false;
}

static double displacement(const settling *s, int32_t v)
{
    return s->back[v] ? 0.0 : vec3_distance(s->point[v].safe, s->point[v].place);
}

// Turned over, or without an area, by what its corners were moved.
static void mark_turned(settling *s)
{
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
        sherd_vec3 area = mesh_area_vector(s->mesh, t), normal;
        if (!(displacement(s, v[0]) + displacement(s, v[1]) + displacement(s, v[2]) > 0.0))
            continue;
        if (vec3_length(area) < LEAST_AREA * s->size * s->size ||
            (common_normal(s, v, &normal) && vec3_dot(area, normal) < 0.0))
            s->bad[t] = 1;
    }
}

// Sends back the corner of each bad triangle that is farthest from where it was; false when there was
// none to send.
static bool send_back(settling *s)
{
    bool any = false;
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        s->asked[t] = s->bad[t];
        if (!s->bad[t]) continue;
        s->bad[t] = 0;
        int32_t farthest = -1;
        for (int k = 0; k < 3; ++k) {
            int32_t v = s->mesh->triangles[3 * (size_t)t + (size_t)k];
            if (farthest < 0 || displacement(s, v) > displacement(s, farthest)) farthest = v;
        }
        if (!(displacement(s, farthest) > 0.0)) continue;
        s->back[farthest] = BACK_NOW;
        mesh_set_vertex(s->mesh, farthest, s->point[farthest].safe);
        any = true;
    }
    return any;
}

// Asks for the triangles of vertices that just went back, too.
static void ask_around(settling *s)
{
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        const int32_t *v = s->mesh->triangles + 3 * (size_t)t;
        if (s->back[v[0]] != BACK_NOW && s->back[v[1]] != BACK_NOW && s->back[v[2]] != BACK_NOW)
            continue;
        s->asked[t] = 1;
        s->boxes[t] = mesh_triangle_bounds(s->mesh, t);
    }
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        if (s->back[v] == BACK_NOW) s->back[v] = BACK_BEFORE;
}

static void settle(settling *s)
{
    const sherd_cut_search search = {s->mesh, &s->tree, s->boxes, s->asked, s->bad};
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        sherd_mesh_mark_intersections(&search);
        mark_turned(s);
        if (!send_back(s)) return;
        ask_around(s);
    }
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        mesh_set_vertex(s->mesh, v, s->point[v].safe);
}

static bool prepare(settling *s)
{
    size_t vertices = (size_t)s->mesh->vertex_count, triangles = (size_t)s->mesh->triangle_count;
    s->back = sherd_alloc(vertices, 1);
    s->asked = sherd_alloc(triangles, 1);
    s->bad = sherd_alloc(triangles, sizeof *s->bad);
    s->boxes = sherd_alloc(triangles, sizeof *s->boxes);
    if (s->back == NULL || s->asked == NULL || s->bad == NULL || s->boxes == NULL) return false;
    for (size_t v = 0; v < vertices; ++v)
        mesh_set_vertex(s->mesh, (int32_t)v, s->point[v].place);
    for (size_t t = 0; t < triangles; ++t) {
        s->boxes[t] = mesh_triangle_bounds(s->mesh, (int32_t)t);
        for (size_t k = 0; k < 3; ++k)
            bounds_add(&s->boxes[t], s->point[s->mesh->triangles[3 * t + k]].safe);
    }
    if (!sherd_bvh_init(&s->tree, s->boxes, (int32_t)triangles)) return false;
    for (size_t t = 0; t < triangles; ++t) {
        s->boxes[t] = mesh_triangle_bounds(s->mesh, (int32_t)t);
        s->asked[t] = 1;
    }
    return true;
}

bool sherd_surface_settle(sherd_mesh *mesh, const sherd_sharp_point *point, double size)
{
    settling s = {.mesh = mesh, .point = point, .size = size};
    bool ready = prepare(&s);
    if (ready) settle(&s);
    sherd_bvh_release(&s.tree);
    sherd_free(s.back);
    sherd_free(s.asked);
    sherd_free(s.bad);
    sherd_free(s.boxes);
    return ready;
}
