#include "render/texture/lookup.h"

#include "math/vec3.h"

typedef struct corners {
    sherd_vec3 a, b, c;
} corners;

static corners corners_of(const tracer_geometry *g, unsigned primitive, const double *points)
{
    const int32_t *corner = g->triangles + 3 * (size_t)primitive;
    const double *a = points + 3 * (size_t)corner[0], *b = points + 3 * (size_t)corner[1];
    const double *c = points + 3 * (size_t)corner[2];
    return (corners){vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]), vec3(c[0], c[1], c[2])};
}

// Unit normal of a triangle; 0 if the triangle has no area.
static sherd_vec3 normal_of(const corners *t)
{
    sherd_vec3 n = vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a));
    return vec3_length(n) > 0.0 ? vec3_normalize(n) : vec3(0.0, 0.0, 0.0);
}

static texture_place place_on(const tracer_geometry *g, const texture_corner *at)
{
    corners rest = corners_of(g, at->primitive, g->rest);
    double u = (double)at->u, v = (double)at->v, w = 1.0 - u - v;
    texture_place place = {.normal = normal_of(&rest), .inner = at->inner};
    place.rest =
        vec3_add(vec3_add(vec3_scale(w, rest.a), vec3_scale(u, rest.b)), vec3_scale(v, rest.c));
    if (g->uv == NULL) return place;
    const float *uv = g->uv + 6 * (size_t)at->primitive;
    place.has_uv = true;
    place.u = (1.0f - at->u - at->v) * uv[0] + at->u * uv[2] + at->v * uv[4];
    place.v = (1.0f - at->u - at->v) * uv[1] + at->u * uv[3] + at->v * uv[5];
    return place;
}

// Axes of a triangle: along its first edge, perpendicular to it in the plane, and normal to the
// plane.
typedef struct axes {
    sherd_vec3 x, y, z;
} axes;

static axes axes_of(const corners *t)
{
    sherd_vec3 z = normal_of(t), edge = vec3_sub(t->b, t->a);
    sherd_vec3 x = vec3_length(edge) > 0.0 ? vec3_normalize(edge) : vec3(0.0, 0.0, 0.0);
    return (axes){x, vec3_cross(z, x), z};
}

static sherd_vec3 rest_of(const tracer_geometry *g, unsigned primitive, sherd_vec3 point)
{
    corners now = corners_of(g, primitive, g->vertices), rest = corners_of(g, primitive, g->rest);
    axes from = axes_of(&now), to = axes_of(&rest);
    sherd_vec3 d = vec3_sub(point, now.a);
    sherd_vec3 along =
        vec3_add(vec3_scale(vec3_dot(d, from.x), to.x), vec3_scale(vec3_dot(d, from.y), to.y));
    return vec3_add(rest.a, vec3_add(along, vec3_scale(vec3_dot(d, from.z), to.z)));
}

static void apply(const tracer_geometry *g, unsigned primitive, const texture_place *place,
                  coat_surface *surface)
{
    const tracer_face *face = tracer_face_of(g, primitive, place->inner);
    const texture_map *map = &face->texture;
    if (g->colors == NULL && !texture_is_plain(map)) sherd_texture_apply(map, place, surface);
    coat_set_metal(surface, face->metal);
}

void sherd_texture_finish(const tracer_geometry *g, const texture_corner *at, bool detailed,
                          coat_surface *surface)
{
    const tracer_face *face = tracer_face_of(g, at->primitive, at->inner);
    const texture_map *map = &face->texture;
    bool plain = texture_is_plain(map) || !g->is_mesh || g->colors != NULL;
    if (!plain && detailed) {
        texture_place place = place_on(g, at);
        apply(g, at->primitive, &place, surface);
        return;
    }
    if (!plain) sherd_texture_apply_mean(map, surface);
    if (face->metal > 0.0f) coat_set_metal(surface, face->metal);
}

void sherd_texture_finish_inside(const tracer_geometry *g, const texture_corner *at,
                                 sherd_vec3 point, coat_surface *surface)
{
    if (!g->is_mesh) {
        sherd_texture_finish(g, at, false, surface);
        return;
    }
    texture_place place = place_on(g, at);
    place.rest = rest_of(g, at->primitive, point);
    place.has_uv = false;
    apply(g, at->primitive, &place, surface);
}
