// The face of a cut near an element: its normal, its distance, and whether this is within the cut's
// edge.
#include "geometry/shape/shape_kind.h"
#include "weakness/cut_pattern.h"

#include <math.h>

static double past_edge(const cut_pattern *p, sherd_vec2 at)
{
    if (p->cut == SHERD_CUT_PLANE) return 0.0;
    double past = p->cut == SHERD_CUT_DISC ? hypot(at.x, at.y) - p->radius
                                           : sherd_polygon_distance(&p->polygon, at, NULL);
    return fmax(past, 0.0);
}

// Points on the surface are on the side of the normal, as for bonds.
static sherd_cut_face face_at(double height, sherd_vec3 normal)
{
    return (sherd_cut_face){.distance = fabs(height),
                            .normal = vec3_scale(height < 0.0 ? 1.0 : -1.0, normal)};
}

static bool plane_face(const cut_pattern *p, sherd_vec3 x, double reach, sherd_cut_face *face)
{
    double height = vec3_dot(vec3_sub(x, p->point), p->normal);
    if (!(fabs(height) < reach)) return false;
    *face = face_at(height, p->normal);
    face->beyond = past_edge(p, sherd_cut_in_plane(p, x));
    return face->beyond < reach;
}

static bool shape_face(const sherd_shape *shape, sherd_vec3 x, double reach, sherd_cut_face *face)
{
    sherd_vec3 normal = {0.0, 0.0, 0.0};
    double height = sherd_shape_distance_and_normal(shape, x, &normal);
    if (!(fabs(height) < reach)) return false;
    *face = face_at(height, normal);
    return vec3_dot(normal, normal) > 0.5;
}

// Uses the plane of the nearest triangle. If the nearest point is on its edge, x may be beyond the
// edge of the sheet, or at a fold: which of them follows from the bonds that are cut.
static bool sheet_face(const cut_pattern *p, sherd_vec3 x, double reach, sherd_cut_face *face)
{
    const double rounding = 1e-6; // relative to the reach
    sherd_nearest_point at = sherd_mesh_tree_nearest(&p->tree, x);
    if (at.triangle < 0 || !(at.squared < reach * reach)) return false;
    const sherd_vec3 *c = p->sheet.corners[at.triangle];
    sherd_vec3 normal = vec3_normalize(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    double height = vec3_dot(at.from, normal);
    double past = sqrt(fmax(at.squared - height * height, 0.0));
    *face = face_at(height, normal);
    face->beyond = past > rounding * reach ? past : 0.0;
    return vec3_dot(normal, normal) > 0.5;
}

bool sherd_cut_face_near(const sherd_weakness *base, sherd_vec3 x, double reach,
                         sherd_cut_face *face)
{
    const cut_pattern *p = (const cut_pattern *)base;
    switch (p->cut) {
    case SHERD_CUT_SHAPE:
        return shape_face(p->shape, x, reach, face);
    case SHERD_CUT_SHEET:
        return sheet_face(p, x, reach, face);
    case SHERD_CUT_PLANE:
    case SHERD_CUT_DISC:
    case SHERD_CUT_POLYGON:
        break;
    }
    return plane_face(p, x, reach, face);
}
