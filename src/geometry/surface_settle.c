// Vertices go to their places; then those of triangles that cut another or are turned over go back,
// until none is left. With all of them back there is none: the way ends.
#include "geometry/surface_sharpen.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"
#include "geometry/self_intersection.h"

// Triangles smaller than this share of the square of the edges' length count as turned over.
static const double LEAST_AREA = 1e-7;

// After so many rounds everything goes back.
enum { MOST_ROUNDS = 40 };

typedef struct settling {
    sherd_mesh *mesh;
    const sherd_sharp_point *point;
    double size;
    uint8_t *back; // of vertices
    uint8_t *bad;  // of triangles
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
        if (!s->bad[t]) continue;
        s->bad[t] = 0;
        int32_t farthest = -1;
        for (int k = 0; k < 3; ++k) {
            int32_t v = s->mesh->triangles[3 * (size_t)t + (size_t)k];
            if (farthest < 0 || displacement(s, v) > displacement(s, farthest)) farthest = v;
        }
        if (!(displacement(s, farthest) > 0.0)) continue;
        s->back[farthest] = 1;
        mesh_set_vertex(s->mesh, farthest, s->point[farthest].safe);
        any = true;
    }
    return any;
}

// Marks the triangles that cut others. False when memory is short.
static bool mark_cut(settling *s)
{
    sherd_mesh_tree tree;
    bool built = sherd_mesh_tree_init(&tree, s->mesh);
    if (built) sherd_mesh_mark_intersections(s->mesh, &tree, s->bad);
    sherd_mesh_tree_release(&tree);
    return built;
}

static bool settle(settling *s)
{
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        if (!mark_cut(s)) return false;
        mark_turned(s);
        if (!send_back(s)) return true;
    }
    for (int32_t v = 0; v < s->mesh->vertex_count; ++v)
        mesh_set_vertex(s->mesh, v, s->point[v].safe);
    return true;
}

bool sherd_surface_settle(sherd_mesh *mesh, const sherd_sharp_point *point, double size)
{
    settling s = {mesh, point, size, sherd_alloc((size_t)mesh->vertex_count, 1),
                  sherd_alloc((size_t)mesh->triangle_count, 1)};
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh_set_vertex(mesh, v, point[v].place);
    bool done = s.back != NULL && s.bad != NULL && settle(&s);
    sherd_free(s.back);
    sherd_free(s.bad);
    return done;
}
