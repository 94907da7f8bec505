// Shapes made from a plane polygon: revolved about z, or extruded along z, possibly with holes.
#include "geometry/shape/shape_kind.h"

#include "base/error.h"
#include "geometry/polygon.h"
#include "geometry/slab_distance.h"
#include "geometry/tessellate/surface_build.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;

typedef struct profile_shape {
    sherd_shape base;
    sherd_polygon polygon; // (r, z) of a revolution, (x, y) of an extrusion
    double half_height;    // extrusions only [m]
} profile_shape;

static const profile_shape *as_profile(const sherd_shape *shape)
{
    return (const profile_shape *)shape;
}

static bool profile_same(const sherd_shape *a, const sherd_shape *b)
{
    return as_profile(a)->half_height == as_profile(b)->half_height &&
           sherd_polygon_same(&as_profile(a)->polygon, &as_profile(b)->polygon);
}

static void profile_release(sherd_shape *shape)
{
    sherd_polygon_release(&((profile_shape *)shape)->polygon);
}

// ---- revolution

// The nearest point of a surface of revolution lies in the query point's own half plane, so the
// distance is the profile's. Edges on the axis sweep no surface and are left out.
static double revolve_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    double rho = sqrt(p.x * p.x + p.y * p.y);
    sherd_vec2 in_plane;
    double distance = sherd_polygon_distance(&as_profile(shape)->polygon, (sherd_vec2){rho, p.z},
                                             normal != NULL ? &in_plane : NULL);
    if (normal == NULL) return distance;
    sherd_vec3 radial = rho > 0.0 ? vec3(p.x / rho, p.y / rho, 0.0) : vec3(1.0, 0.0, 0.0);
    *normal = vec3_add_scaled(vec3(0.0, 0.0, in_plane.y), in_plane.x, radial);
    return distance;
}

// Contact points of the profile, rotated into the half plane of the query point or the opposite
// one.
typedef struct profile_search {
    sherd_vec3 outward; // of the half plane, unit
    bool opposite;
    sherd_near_list *list;
} profile_search;

static void add_point(sherd_near_list *list, sherd_vec3 from)
{
    double distance = vec3_length(from);
    sherd_near_add(list, (sherd_near_point){distance, vec3_scale(1.0 / distance, from)});
}

static void add_turned(void *context, const sherd_polygon_near_point *minimum)
{
    const profile_search *search = context;
    if (search->opposite && !(minimum->at.x > 0.0))
        return; // at a pole: in the half plane of the query point, too
    add_point(search->list,
              vec3_add_scaled(vec3(0.0, 0.0, minimum->from.y), minimum->from.x, search->outward));
}

// Around the axis the distance has one minimum, in the query point's half plane, and a maximum in
// the opposite one. A ball that touches there, too, sits in a funnel or a ring, on a whole circle:
// pushed at both points it is in equilibrium on the axis, and forces are continuous when it crosses
// the axis.
static void revolve_near(const sherd_shape *shape, const sherd_near_view *view,
                         sherd_near_list *list)
{
    sherd_vec3 p = view->point;
    double rho = sqrt(p.x * p.x + p.y * p.y), side = view->side == SHERD_SIDE_INSIDE ? -1.0 : 1.0;
    sherd_vec3 radial = rho > 0.0 ? vec3(p.x / rho, p.y / rho, 0.0) : vec3(1.0, 0.0, 0.0);
    const sherd_polygon *polygon = &as_profile(shape)->polygon;
    profile_search here = {radial, false, list}, opposite = {vec3_scale(-1.0, radial), true, list};
    sherd_polygon_near(polygon, (sherd_vec2){rho, p.z}, view->reach, side, add_turned, &here);
    sherd_polygon_near(polygon, (sherd_vec2){-rho, p.z}, view->reach, side, add_turned, &opposite);
}

// Returns whether a profile has a reflex vertex, or a surface faces the axis.
static bool revolve_is_concave(const sherd_polygon *polygon)
{
    static const double STRAIGHT = 1e-9; // sine of an angle that counts as zero
    bool concave = sherd_polygon_is_concave(polygon);
    for (int k = 0; k < polygon->count; ++k)
        concave |= polygon->is_surface[k] && polygon->normal[k].x < -STRAIGHT;
    return concave;
}

static double revolve_support(const sherd_shape *shape, sherd_vec3 d)
{
    const sherd_polygon *p = &as_profile(shape)->polygon;
    double rho = sqrt(d.x * d.x + d.y * d.y), best = -INFINITY;
    for (int k = 0; k < p->count; ++k)
        best = fmax(best, rho * p->vertex[k].x + d.z * p->vertex[k].y);
    return best;
}

// V = pi * closed integral of r^2 dz, counter-clockwise in (r, z); r is linear along an edge.
static double revolve_volume(const sherd_shape *shape)
{
    const sherd_polygon *p = &as_profile(shape)->polygon;
    double sum = 0.0;
    for (int k = 0; k < p->count; ++k) {
        sherd_vec2 a = p->vertex[k], b = p->vertex[k + 1 < p->count ? k + 1 : 0];
        sum += (a.x * a.x + a.x * b.x + b.x * b.x) * (b.y - a.y);
    }
    return PI / 3.0 * sum;
}

static sherd_mesh *revolve_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    const sherd_polygon *p = &as_profile(shape)->polygon;
    return sherd_surface_lathe(p->vertex, p->count, edge_length, error);
}

static const sherd_shape_kind REVOLVE = {.name = "revolve",
                                         .distance = revolve_distance,
                                         .near = revolve_near,
                                         .support = revolve_support,
                                         .volume = revolve_volume,
                                         .surface = revolve_surface,
                                         .same = profile_same,
                                         .release = profile_release};

static bool check_radii(const sherd_vec2 *profile, int count, sherd_error *error)
{
    for (int k = 0; profile != NULL && k < count; ++k) {
        if (!(profile[k].x < 0.0)) continue;
        sherd_fail(error, SHERD_ERROR_INPUT, "sherd_shape_revolve",
                   "the first number of a profile's vertex is its distance from the axis",
                   "radii must be >= 0, vertex %d is (%g, %g)", k, profile[k].x, profile[k].y);
        return false;
    }
    return true;
}

sherd_shape *sherd_shape_revolve(const sherd_vec2 *profile, int count, sherd_error *error)
{
    if (!check_radii(profile, count, error)) return NULL;
    profile_shape *shape = sherd_shape_allocate(sizeof *shape, &REVOLVE, error);
    if (shape == NULL) return NULL;
    sherd_polygon *polygon = &shape->polygon;
    if (sherd_polygon_init(polygon, profile, count, "sherd_shape_revolve", error) != SHERD_OK) {
        sherd_shape_destroy(&shape->base);
        return NULL;
    }
    for (int k = 0; k < polygon->count; ++k) {
        double next_radius = polygon->vertex[k + 1 < polygon->count ? k + 1 : 0].x;
        polygon->is_surface[k] = polygon->vertex[k].x > 0.0 || next_radius > 0.0;
    }
    shape->base.concave = revolve_is_concave(polygon);
    return sherd_shape_finish(&shape->base);
}

// ---- extrusion

static double extrude_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const profile_shape *extrusion = as_profile(shape);
    sherd_vec2 in_plane = {0.0, 0.0};
    double across = sherd_polygon_distance(&extrusion->polygon, (sherd_vec2){p.x, p.y},
                                           normal != NULL ? &in_plane : NULL);
    return slab_distance(across, vec3(in_plane.x, in_plane.y, 0.0), p.z, extrusion->half_height,
                         normal);
}

// Contact points of the outline, `up` above or below it.
typedef struct wall_search {
    double up; // [m]
    sherd_near_list *list;
} wall_search;

static void add_wall(void *context, const sherd_polygon_near_point *minimum)
{
    const wall_search *search = context;
    add_point(search->list, vec3(minimum->from.x, minimum->from.y, search->up));
}

// Walls, or their rims if the point is above or below them; and the end faces. Viewed from inside,
// walls continue there.
static void extrude_near(const sherd_shape *shape, const sherd_near_view *view,
                         sherd_near_list *list)
{
    const profile_shape *extrusion = as_profile(shape);
    sherd_vec3 p = view->point;
    sherd_vec2 q = {p.x, p.y};
    bool inside = view->side == SHERD_SIDE_INSIDE;
    double half = extrusion->half_height, over = fabs(p.z) - half, reach = view->reach;
    wall_search walls = {inside ? 0.0 : copysign(fmax(over, 0.0), p.z), list};
    sherd_polygon_near(&extrusion->polygon, q, reach, inside ? -1.0 : 1.0, add_wall, &walls);
    bool ends = inside ? over < 0.0 : over > 0.0;
    if (!ends || !(sherd_polygon_distance(&extrusion->polygon, q, NULL) < 0.0)) return;
    for (int k = 0; k < 2; ++k) {
        double outward = k == 0 ? 1.0 : -1.0, distance = outward * p.z - half;
        if (inside) distance = -distance, outward = -outward;
        if (distance > 0.0 && distance < reach)
            sherd_near_add(list, (sherd_near_point){distance, vec3(0.0, 0.0, outward)});
    }
}

static double extrude_support(const sherd_shape *shape, sherd_vec3 d)
{
    const sherd_polygon *p = &as_profile(shape)->polygon;
    double best = -INFINITY;
    for (int k = 0; k < p->count; ++k)
        best = fmax(best, d.x * p->vertex[k].x + d.y * p->vertex[k].y);
    return best + as_profile(shape)->half_height * fabs(d.z);
}

static double extrude_volume(const sherd_shape *shape)
{
    const profile_shape *extrusion = as_profile(shape);
    return sherd_polygon_area(&extrusion->polygon) * 2.0 * extrusion->half_height;
}

static sherd_mesh *extrude_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    const profile_shape *extrusion = as_profile(shape);
    return sherd_surface_prism(&extrusion->polygon, extrusion->half_height, edge_length, error);
}

static const sherd_shape_kind EXTRUDE = {.name = "extrude",
                                         .distance = extrude_distance,
                                         .near = extrude_near,
                                         .support = extrude_support,
                                         .volume = extrude_volume,
                                         .surface = extrude_surface,
                                         .same = profile_same,
                                         .release = profile_release};

// Call after the polygon was created successfully.
static sherd_shape *finish_extrusion(profile_shape *shape, double height, sherd_status status)
{
    if (status != SHERD_OK) {
        sherd_shape_destroy(&shape->base);
        return NULL;
    }
    shape->half_height = 0.5 * height;
    shape->base.concave = sherd_polygon_is_concave(&shape->polygon);
    return sherd_shape_finish(&shape->base);
}

sherd_shape *sherd_shape_extrude(const sherd_vec2 *outline, int count, double height,
                                 sherd_error *error)
{
    const char *where = "sherd_shape_extrude";
    if (!sherd_shape_check_length(height, where, "height", error)) return NULL;
    profile_shape *shape = sherd_shape_allocate(sizeof *shape, &EXTRUDE, error);
    if (shape == NULL) return NULL;
    return finish_extrusion(shape, height,
                            sherd_polygon_init(&shape->polygon, outline, count, where, error));
}

sherd_shape *sherd_shape_extrude_outlines(const sherd_vec2 *vertices, const int32_t *end, int count,
                                          double height, const char *where, sherd_error *error)
{
    profile_shape *shape = sherd_shape_allocate(sizeof *shape, &EXTRUDE, error);
    if (shape == NULL) return NULL;
    return finish_extrusion(
        shape, height,
        sherd_polygon_init_outlines(&shape->polygon, vertices, end, count, where, error));
}
