// Bonds that cross a surface: a plane, a disc or polygon in it, the surface of a shape, or a
// triangulated sheet. The side of an element is decided once for all its bonds, so cuts have no
// gaps.
#include "weakness/cut_pattern.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/shape_kind.h"
#include "math/bounds.h"
#include "math/vec3.h"

#include <math.h>

// ---------------------------------------------------------------- planes

static sherd_status set_frame(cut_pattern *p, sherd_vec3 point, sherd_vec3 normal,
                              sherd_error *error)
{
    sherd_status status = sherd_pattern_check_vector("point", point, error);
    if (status == SHERD_OK) status = sherd_pattern_check_vector("normal", normal, error);
    if (status != SHERD_OK) return status;
    double length = vec3_length(normal);
    if (!(length > 0.0) || !isfinite(length))
        return sherd_fail(error, SHERD_ERROR_INPUT, "normal", "for example [0, 0, 1]",
                          "has no direction");
    p->point = point;
    p->normal = vec3_scale(1.0 / length, normal);
    p->u = vec3_perpendicular(p->normal);
    p->v = vec3_cross(p->normal, p->u);
    return SHERD_OK;
}

// Components are twice the projected areas (Newell's method).
static sherd_vec3 area_vector(const sherd_weakness_def *def)
{
    sherd_vec3 sum = {0};
    for (int k = 0; k < def->point_count; ++k) {
        sherd_vec3 a = vec3_sub(def->points[k], def->points[0]),
                   b = vec3_sub(def->points[(k + 1) % def->point_count], def->points[0]);
        sum = vec3_add(sum, vec3_cross(a, b));
    }
    return sum;
}

static sherd_status check_flat(const cut_pattern *p, const sherd_weakness_def *def,
                               sherd_error *error)
{
    const double flat = 1e-3; // relative to its extent: corners may be typed by hand
    double extent = 0.0;
    for (int k = 0; k < def->point_count; ++k)
        extent = fmax(extent, vec3_distance(def->points[k], def->points[0]));
    for (int k = 0; k < def->point_count; ++k) {
        double off = vec3_dot(vec3_sub(def->points[k], p->point), p->normal);
        if (fabs(off) > flat * extent)
            return sherd_fail(error, SHERD_ERROR_INPUT, "points", "make several cuts of it",
                              "the polygon is not flat: corner %d is %g m off its plane", k + 1,
                              fabs(off));
    }
    return SHERD_OK;
}

static sherd_status polygon_init(cut_pattern *p, const sherd_weakness_def *def, sherd_error *error)
{
    if (def->point_count < 3 || def->points == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "points", NULL,
                          "a polygon needs at least 3 corners, got %d", def->point_count);
    for (int k = 0; k < def->point_count; ++k)
        if (sherd_pattern_check_vector("points", def->points[k], error) != SHERD_OK)
            return SHERD_ERROR_INPUT;
    sherd_vec3 normal = area_vector(def), middle = {0};
    if (!(vec3_length(normal) > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "points", NULL, "the polygon has no area");
    for (int k = 0; k < def->point_count; ++k)
        middle = vec3_add_scaled(middle, 1.0 / def->point_count, def->points[k]);
    sherd_status status = set_frame(p, middle, normal, error);
    if (status == SHERD_OK) status = check_flat(p, def, error);
    if (status != SHERD_OK) return status;
    sherd_vec2 *flat = sherd_alloc((size_t)def->point_count, sizeof *flat);
    if (flat == NULL) return sherd_fail_memory(error, "a polygon");
    for (int k = 0; k < def->point_count; ++k)
        flat[k] = sherd_cut_in_plane(p, def->points[k]);
    status = sherd_polygon_init(&p->polygon, flat, def->point_count, "points", error);
    sherd_free(flat);
    return status;
}

static bool within(const cut_pattern *p, sherd_vec2 at)
{
    if (p->cut == SHERD_CUT_DISC) return at.x * at.x + at.y * at.y <= p->radius * p->radius;
    return p->cut == SHERD_CUT_PLANE || sherd_polygon_distance(&p->polygon, at, NULL) <= 0.0;
}

static bool crosses_plane(const cut_pattern *p, sherd_vec3 i, sherd_vec3 j)
{
    double a = vec3_dot(vec3_sub(i, p->point), p->normal),
           b = vec3_dot(vec3_sub(j, p->point), p->normal);
    if ((a < 0.0) == (b < 0.0)) return false;
    sherd_vec3 at = vec3_add_scaled(i, a / (a - b), vec3_sub(j, i));
    return within(p, sherd_cut_in_plane(p, at));
}

// ---------------------------------------------------------------- shapes

// For ends outside at distances a and b from the surface: sphere tracing along the bond. Shapes may
// underestimate the distance but not overestimate it. After too many steps the bond touches the
// surface.
static bool passes_through(const sherd_shape *shape, sherd_vec3 i, sherd_vec3 j, double a, double b)
{
    const double touching = 1e-6; // relative to the bond's length
    const int max_steps = 1000;
    double length = vec3_distance(i, j), at = a;
    for (int step = 0; step < max_steps; ++step) {
        if (!(at < length - b)) return false;
        double free = sherd_shape_distance(shape, vec3_add_scaled(i, at / length, vec3_sub(j, i)));
        if (free <= touching * length) return true;
        at += free;
    }
    return true;
}

static bool crosses_shape(const sherd_shape *shape, sherd_vec3 i, sherd_vec3 j)
{
    double a = sherd_shape_distance(shape, i), b = sherd_shape_distance(shape, j);
    if ((a < 0.0) != (b < 0.0)) return true;
    return a >= 0.0 && passes_through(shape, i, j, a, b);
}

// ---------------------------------------------------------------- sheets

// ---------------------------------------------------------------- sheets

// The mesh is copied; its arrays must be valid. Returns false if memory runs short; release it in
// any case.
static bool cut_sheet_init(sherd_cut_sheet *sheet, const sherd_mesh *mesh)
{
    size_t count = (size_t)mesh->triangle_count;
    sherd_bounds *boxes = sherd_alloc(count, sizeof *boxes);
    sheet->corners = sherd_alloc(count, sizeof *sheet->corners);
    bool ok = boxes != NULL && sheet->corners != NULL;
    for (size_t t = 0; t < count && ok; ++t) {
        boxes[t] = bounds_empty();
        for (int k = 0; k < 3; ++k) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (size_t)k];
            sheet->corners[t][k] = vec3(p[0], p[1], p[2]);
            bounds_add(&boxes[t], sheet->corners[t][k]);
        }
    }
    ok = ok && sherd_bvh_init(&sheet->bvh, boxes, mesh->triangle_count);
    sherd_free(boxes);
    return ok;
}

static void cut_sheet_release(sherd_cut_sheet *sheet)
{
    sherd_bvh_release(&sheet->bvh);
    sherd_free(sheet->corners);
    *sheet = (sherd_cut_sheet){0};
}

typedef struct crossing {
    const sherd_cut_sheet *sheet;
    sherd_vec3 from, to;
    bool found;
} crossing;

static bool comes_before(sherd_vec3 a, sherd_vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// The side on which the segment passes the edge from a to b: exactly opposite for b to a, so that
// adjacent triangles agree.
static double side_of(const crossing *c, sherd_vec3 a, sherd_vec3 b)
{
    if (comes_before(b, a)) return -side_of(c, b, a);
    return vec3_dot(vec3_cross(vec3_sub(a, c->from), vec3_sub(b, c->from)),
                    vec3_sub(c->to, c->from));
}

static bool crosses(const crossing *c, const sherd_vec3 corner[3])
{
    sherd_vec3 normal = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    bool below = vec3_dot(normal, vec3_sub(c->from, corner[0])) < 0.0,
         behind = vec3_dot(normal, vec3_sub(c->to, corner[0])) < 0.0;
    if (below == behind) return false;
    double u = side_of(c, corner[0], corner[1]), v = side_of(c, corner[1], corner[2]),
           w = side_of(c, corner[2], corner[0]);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

static bool look_at(void *context, int32_t triangle)
{
    crossing *c = context;
    c->found = crosses(c, c->sheet->corners[triangle]);
    return !c->found;
}

// Edges belong to all of their triangles, so that no segment passes between two of them.
static bool cut_sheet_is_crossed(const sherd_cut_sheet *sheet, sherd_vec3 from, sherd_vec3 to)
{
    crossing c = {sheet, from, to, false};
    sherd_bounds way = bounds_empty();
    bounds_add(&way, from), bounds_add(&way, to);
    sherd_bvh_overlaps(&sheet->bvh, way, look_at, &c);
    return c.found;
}

static sherd_status sheet_init(cut_pattern *p, const sherd_weakness_def *def, sherd_error *error)
{
    sherd_status status = sherd_mesh_check_arrays(def->mesh, "mesh", error);
    if (status != SHERD_OK) return status;
    if (def->mesh->triangle_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "mesh", "export faces, not points",
                          "has no triangles");
    if (cut_sheet_init(&p->sheet, def->mesh) && sherd_mesh_tree_init(&p->tree, def->mesh))
        return SHERD_OK;
    return sherd_fail_memory(error, "a sheet that cuts");
}

// ---------------------------------------------------------------- any

static sherd_status cut_init(sherd_weakness *base, const sherd_weakness_def *def,
                             sherd_error *error)
{
    cut_pattern *p = (cut_pattern *)base;
    p->cut = def->cut;
    p->radius = def->radius;
    p->shape = def->shape;
    switch (def->cut) {
    case SHERD_CUT_DISC:
        if (sherd_pattern_check_length("radius", def->radius, error) != SHERD_OK)
            return SHERD_ERROR_INPUT;
        return set_frame(p, def->point, def->normal, error);
    case SHERD_CUT_PLANE:
        return set_frame(p, def->point, def->normal, error);
    case SHERD_CUT_POLYGON:
        return polygon_init(p, def, error);
    case SHERD_CUT_SHAPE:
        if (def->shape != NULL) return SHERD_OK;
        return sherd_fail(error, SHERD_ERROR_INPUT, "shape", NULL, "is missing");
    case SHERD_CUT_SHEET:
        return sheet_init(p, def, error);
    }
    return sherd_fail(error, SHERD_ERROR_INPUT, "cut", "SHERD_CUT_PLANE, ...", "is none, got %d",
                      (int)def->cut);
}

static double cut_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const cut_pattern *p = (const cut_pattern *)base;
    bool crosses = p->cut == SHERD_CUT_SHAPE   ? crosses_shape(p->shape, i, j)
                   : p->cut == SHERD_CUT_SHEET ? cut_sheet_is_crossed(&p->sheet, i, j)
                                               : crosses_plane(p, i, j);
    return crosses ? 1.0 : 0.0;
}

static void cut_release(sherd_weakness *base)
{
    cut_pattern *p = (cut_pattern *)base;
    sherd_polygon_release(&p->polygon);
    cut_sheet_release(&p->sheet);
    sherd_mesh_tree_release(&p->tree);
}

const sherd_pattern_kind sherd_pattern_cut = {.size = sizeof(cut_pattern),
                                              .init = cut_init,
                                              .amount = cut_amount,
                                              .face = sherd_cut_face_near,
                                              .release = cut_release};

// ---------------------------------------------------------------- faces

// The face of a cut near an element: its normal, its distance, and whether this is within the cut's
// edge.

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
