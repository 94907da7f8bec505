// Bonds that cross a surface: a plane, a disc or polygon in it, the surface of a shape, or a
// triangulated sheet. The side of an element is decided once for all its bonds, so cuts have no
// gaps.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "weakness/cut_pattern.h"

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

static sherd_status sheet_init(cut_pattern *p, const sherd_weakness_def *def, sherd_error *error)
{
    sherd_status status = sherd_mesh_check_arrays(def->mesh, "mesh", error);
    if (status != SHERD_OK) return status;
    if (def->mesh->triangle_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "mesh", "export faces, not points",
                          "has no triangles");
    if (sherd_cut_sheet_init(&p->sheet, def->mesh) && sherd_mesh_tree_init(&p->tree, def->mesh))
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
                   : p->cut == SHERD_CUT_SHEET ? sherd_cut_sheet_is_crossed(&p->sheet, i, j)
                                               : crosses_plane(p, i, j);
    return crosses ? 1.0 : 0.0;
}

static void cut_release(sherd_weakness *base)
{
    cut_pattern *p = (cut_pattern *)base;
    sherd_polygon_release(&p->polygon);
    sherd_cut_sheet_release(&p->sheet);
    sherd_mesh_tree_release(&p->tree);
}

const sherd_pattern_kind sherd_pattern_cut = {.size = sizeof(cut_pattern),
                                              .init = cut_init,
                                              .amount = cut_amount,
                                              .face = sherd_cut_face_near,
                                              .release = cut_release};
