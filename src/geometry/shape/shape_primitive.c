// Box, sphere, cylinder, capsule and torus: closed-form distances.
#include "geometry/shape/shape_kind.h"

#include "base/cpu.h"
#include "base/error.h"
#include "geometry/slab_distance.h"
#include "geometry/tessellate/surface_build.h"
#include "math/vec3.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

// ---- box: centred, edges along the axes

typedef struct box {
    sherd_shape base;
    sherd_vec3 half; // half edge lengths [m]
} box;

static const box *as_box(const sherd_shape *shape)
{
    return (const box *)shape;
}

// Normal at a point inside: towards the nearest face. q = |p| - half, all components <= 0.
static sherd_vec3 box_inner_normal(sherd_vec3 p, sherd_vec3 q)
{
    if (q.x >= q.y && q.x >= q.z) return vec3(copysign(1.0, p.x), 0.0, 0.0);
    if (q.y >= q.z) return vec3(0.0, copysign(1.0, p.y), 0.0);
    return vec3(0.0, 0.0, copysign(1.0, p.z));
}

static double box_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    sherd_vec3 h = as_box(shape)->half;
    sherd_vec3 q = vec3(fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z);
    sherd_vec3 outer = vec3(sherd_larger(q.x, 0.0), sherd_larger(q.y, 0.0), sherd_larger(q.z, 0.0));
    double outside = vec3_length(outer);
    if (outside > 0.0) {
        if (normal != NULL)
            *normal = vec3_scale(1.0 / outside, vec3(copysign(outer.x, p.x), copysign(outer.y, p.y),
                                                     copysign(outer.z, p.z)));
        return outside;
    }
    if (normal != NULL) *normal = box_inner_normal(p, q);
    return sherd_larger(q.x, sherd_larger(q.y, q.z));
}

// Outside, where any positive number will do, the distance from the farthest of the faces' planes.
SHERD_WIDE(static, void, box_row,
           (const sherd_shape *shape, const double *x, double y, double z, size_t count,
            double *distance),
           (shape, x, y, z, count, distance))
{
    sherd_vec3 h = as_box(shape)->half;
    double qyz = sherd_larger(fabs(y) - h.y, fabs(z) - h.z);
    for (size_t k = 0; k < count; ++k) {
        double qx = fabs(x[k]) - h.x;
        distance[k] = qx > qyz ? qx : qyz;
    }
}

// From inside all six faces.
static void box_near(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list)
{
    if (view->side != SHERD_SIDE_INSIDE) {
        sherd_near_nearest(shape, view, list);
        return;
    }
    const sherd_vec3 p = view->point, h = as_box(shape)->half;
    const sherd_near_point faces[] = {{h.x + p.x, {1.0, 0.0, 0.0}}, {h.x - p.x, {-1.0, 0.0, 0.0}},
                                      {h.y + p.y, {0.0, 1.0, 0.0}}, {h.y - p.y, {0.0, -1.0, 0.0}},
                                      {h.z + p.z, {0.0, 0.0, 1.0}}, {h.z - p.z, {0.0, 0.0, -1.0}}};
    for (int k = 0; k < 6; ++k)
        sherd_near_add_seen(view, faces[k], list);
}

static double box_support(const sherd_shape *shape, sherd_vec3 d)
{
    sherd_vec3 h = as_box(shape)->half;
    return fabs(d.x) * h.x + fabs(d.y) * h.y + fabs(d.z) * h.z;
}

static double box_volume(const sherd_shape *shape)
{
    sherd_vec3 h = as_box(shape)->half;
    return 8.0 * h.x * h.y * h.z;
}

static sherd_mesh *box_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    sherd_vec3 h = as_box(shape)->half;
    const sherd_vec2 outline[4] = {{-h.x, -h.y}, {h.x, -h.y}, {h.x, h.y}, {-h.x, h.y}};
    sherd_polygon polygon;
    if (sherd_polygon_init(&polygon, outline, 4, "box", error) != SHERD_OK) return NULL;
    sherd_mesh *mesh = sherd_surface_prism(&polygon, h.z, edge_length, error);
    sherd_polygon_release(&polygon);
    return mesh;
}

static bool box_same(const sherd_shape *a, const sherd_shape *b)
{
    return memcmp(&as_box(a)->half, &as_box(b)->half, sizeof as_box(a)->half) == 0;
}

static const sherd_shape_kind BOX = {.name = "box",
                                     .distance = box_distance,
                                     .row = box_row,
                                     .near = box_near,
                                     .support = box_support,
                                     .volume = box_volume,
                                     .same = box_same,
                                     .surface = box_surface};

sherd_shape *sherd_shape_box(sherd_vec3 size, sherd_error *error)
{
    const char *where = "sherd_shape_box";
    if (!sherd_shape_check_length(size.x, where, "size.x", error) ||
        !sherd_shape_check_length(size.y, where, "size.y", error) ||
        !sherd_shape_check_length(size.z, where, "size.z", error))
        return NULL;
    box *shape = sherd_shape_allocate(sizeof *shape, &BOX, error);
    if (shape == NULL) return NULL;
    shape->half = vec3_scale(0.5, size);
    return sherd_shape_finish(&shape->base);
}

// ---- round shapes: all points at distance `radius` from a core (point, segment, circle), or a disc
// swept along z

typedef struct round_shape {
    sherd_shape base;
    double radius; // of the sphere, cylinder, capsule, or the torus's tube [m]
    double core;   // half the cylinder's height or capsule's length; the torus's major radius [m]
} round_shape;

static const round_shape *as_round(const sherd_shape *shape)
{
    return (const round_shape *)shape;
}

// Distance to the surface `radius` away from a core whose nearest point lies at p - offset.
// `fallback` is the unit normal for points on the core.
static double offset_distance(sherd_vec3 offset, double radius, sherd_vec3 fallback,
                              sherd_vec3 *normal)
{
    double length = vec3_length(offset);
    if (normal != NULL) *normal = length > 0.0 ? vec3_scale(1.0 / length, offset) : fallback;
    return length - radius;
}

// Away from the axis; +x on it.
static sherd_vec3 radial_of(sherd_vec3 p)
{
    double rho = sqrt(p.x * p.x + p.y * p.y);
    return rho > 0.0 ? vec3(p.x / rho, p.y / rho, 0.0) : vec3(1.0, 0.0, 0.0);
}

// Viewed from inside a round shape: the nearest wall, and the opposite one, which is the farthest,
// but whose edge may be near where a face cuts it.
static void add_round(sherd_vec3 offset, double radius, sherd_vec3 fallback, sherd_near_list *list)
{
    sherd_vec3 outward;
    double distance = offset_distance(offset, radius, fallback, &outward);
    if (!(distance < 0.0)) return;
    sherd_near_add(list, (sherd_near_point){-distance, vec3_scale(-1.0, outward)});
    sherd_near_add(list, (sherd_near_point){2.0 * radius + distance, outward});
}

static double sphere_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    return offset_distance(p, as_round(shape)->radius, vec3(0.0, 0.0, 1.0), normal);
}

static void sphere_near(const sherd_shape *shape, const sherd_near_view *view,
                        sherd_near_list *list)
{
    if (view->side == SHERD_SIDE_INSIDE)
        add_round(view->point, as_round(shape)->radius, vec3(0.0, 0.0, 1.0), list);
    else
        sherd_near_nearest(shape, view, list);
}

static double sphere_support(const sherd_shape *shape, sherd_vec3 d)
{
    return as_round(shape)->radius * vec3_length(d);
}

static double sphere_volume(const sherd_shape *shape)
{
    double r = as_round(shape)->radius;
    return 4.0 / 3.0 * PI * r * r * r;
}

static double capsule_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const round_shape *capsule = as_round(shape);
    double z = sherd_smaller(sherd_larger(p.z, -capsule->core), capsule->core);
    return offset_distance(vec3(p.x, p.y, p.z - z), capsule->radius, vec3(1.0, 0.0, 0.0), normal);
}

static void capsule_near(const sherd_shape *shape, const sherd_near_view *view,
                         sherd_near_list *list)
{
    const round_shape *capsule = as_round(shape);
    sherd_vec3 p = view->point;
    double z = sherd_smaller(sherd_larger(p.z, -capsule->core), capsule->core);
    if (view->side == SHERD_SIDE_INSIDE)
        add_round(vec3(p.x, p.y, p.z - z), capsule->radius, vec3(1.0, 0.0, 0.0), list);
    else
        sherd_near_nearest(shape, view, list);
}

static double capsule_support(const sherd_shape *shape, sherd_vec3 d)
{
    return as_round(shape)->radius * vec3_length(d) + as_round(shape)->core * fabs(d.z);
}

static double capsule_volume(const sherd_shape *shape)
{
    double r = as_round(shape)->radius, length = 2.0 * as_round(shape)->core;
    return PI * r * r * length + sphere_volume(shape);
}

static double torus_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const round_shape *torus = as_round(shape);
    double rho = sqrt(p.x * p.x + p.y * p.y);
    // On the axis every point of the core circle is nearest: take the one on +x.
    sherd_vec3 radial = rho > 0.0 ? vec3(p.x / rho, p.y / rho, 0.0) : vec3(1.0, 0.0, 0.0);
    sherd_vec3 offset = vec3_add_scaled(vec3(0.0, 0.0, p.z), rho - torus->core, radial);
    return offset_distance(offset, torus->radius, radial, normal);
}

// In its hole a ball may touch a circle: see revolve_near.
static void torus_near(const sherd_shape *shape, const sherd_near_view *view, sherd_near_list *list)
{
    const round_shape *torus = as_round(shape);
    sherd_vec3 radial = radial_of(view->point);
    double rho = vec3_dot(radial, view->point), out = rho + torus->core;
    if (view->side == SHERD_SIDE_INSIDE) {
        add_round(vec3_add_scaled(vec3(0.0, 0.0, view->point.z), rho - torus->core, radial),
                  torus->radius, radial, list);
        return;
    }
    sherd_near_nearest(shape, view, list);
    sherd_near_point opposite;
    sherd_vec3 offset = vec3_add_scaled(vec3(0.0, 0.0, view->point.z), out, radial);
    opposite.distance = offset_distance(offset, torus->radius, radial, &opposite.normal);
    sherd_near_add_seen(view, opposite, list);
}

static double torus_support(const sherd_shape *shape, sherd_vec3 d)
{
    const round_shape *torus = as_round(shape);
    return torus->core * sqrt(d.x * d.x + d.y * d.y) + torus->radius * vec3_length(d);
}

static double torus_volume(const sherd_shape *shape)
{
    double r = as_round(shape)->radius;
    return 2.0 * PI * as_round(shape)->core * PI * r * r;
}

static double cylinder_distance(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 *normal)
{
    const round_shape *cylinder = as_round(shape);
    double rho = sqrt(p.x * p.x + p.y * p.y);
    sherd_vec3 radial = rho > 0.0 ? vec3(p.x / rho, p.y / rho, 0.0) : vec3(1.0, 0.0, 0.0);
    return slab_distance(rho - cylinder->radius, radial, p.z, cylinder->core, normal);
}

// From inside: both ends and, as for a circle (see revolve_near), the wall on two sides.
static void cylinder_near(const sherd_shape *shape, const sherd_near_view *view,
                          sherd_near_list *list)
{
    if (view->side != SHERD_SIDE_INSIDE) {
        sherd_near_nearest(shape, view, list);
        return;
    }
    const double half = as_round(shape)->core, radius = as_round(shape)->radius, z = view->point.z;
    sherd_vec3 radial = radial_of(view->point);
    double rho = vec3_dot(radial, view->point);
    if (!(rho < radius)) return;
    const sherd_near_point contacts[] = {{radius - rho, vec3_scale(-1.0, radial)},
                                         {radius + rho, radial},
                                         {half - z, {0.0, 0.0, -1.0}},
                                         {half + z, {0.0, 0.0, 1.0}}};
    for (int k = 0; k < 4; ++k)
        if (contacts[k].distance > 0.0) sherd_near_add(list, contacts[k]);
}

static double cylinder_support(const sherd_shape *shape, sherd_vec3 d)
{
    const round_shape *cylinder = as_round(shape);
    return cylinder->radius * sqrt(d.x * d.x + d.y * d.y) + cylinder->core * fabs(d.z);
}

static double cylinder_volume(const sherd_shape *shape)
{
    double r = as_round(shape)->radius;
    return PI * r * r * 2.0 * as_round(shape)->core;
}

// ---- surfaces: all of them are surfaces of revolution

enum { MAX_ARC = 256 };

// Points of a circle about (r, z) from angle `from` to `to`, both included; returns their number.
static int arc(sherd_vec2 *points, double r, double z, double radius, double from, double to,
               int steps)
{
    for (int k = 0; k <= steps; ++k) {
        double angle = from + (to - from) * k / steps;
        points[k] = (sherd_vec2){fmax(r + radius * cos(angle), 0.0), z + radius * sin(angle)};
    }
    return steps + 1;
}

static int arc_steps(double length, double edge_length)
{
    return (int)fmin(fmax(ceil(length / edge_length), 8.0), MAX_ARC / 2 - 2);
}

// Poles exactly on the axis: cos(pi / 2) is not quite 0.
static void close_poles(sherd_vec2 *points, int count)
{
    points[0].x = points[count - 1].x = 0.0;
}

static sherd_mesh *capsule_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    double r = as_round(shape)->radius, half = as_round(shape)->core;
    int steps = arc_steps(0.5 * PI * r, edge_length);
    sherd_vec2 points[MAX_ARC];
    int count = arc(points, 0.0, -half, r, -0.5 * PI, 0.0, steps);
    if (!(half > 0.0)) --count; // a sphere: the equator comes once
    count += arc(points + count, 0.0, half, r, 0.0, 0.5 * PI, steps);
    close_poles(points, count);
    return sherd_surface_lathe(points, count, edge_length, error);
}

static sherd_mesh *cylinder_surface(const sherd_shape *shape, double edge_length,
                                    sherd_error *error)
{
    double r = as_round(shape)->radius, half = as_round(shape)->core;
    const sherd_vec2 points[4] = {{0.0, -half}, {r, -half}, {r, half}, {0.0, half}};
    return sherd_surface_lathe(points, 4, edge_length, error);
}

static sherd_mesh *torus_surface(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    double r = as_round(shape)->radius, major = as_round(shape)->core;
    sherd_vec2 points[MAX_ARC];
    int count = arc(points, major, 0.0, r, 0.0, 2.0 * PI, arc_steps(2.0 * PI * r, edge_length));
    return sherd_surface_lathe(points, count - 1, edge_length, error);
}

// Neither length is negative or zero with a sign.
static bool round_same(const sherd_shape *a, const sherd_shape *b)
{
    return as_round(a)->radius == as_round(b)->radius && as_round(a)->core == as_round(b)->core;
}

static const sherd_shape_kind SPHERE = {.name = "sphere",
                                        .distance = sphere_distance,
                                        .near = sphere_near,
                                        .support = sphere_support,
                                        .volume = sphere_volume,
                                        .same = round_same,
                                        .surface = capsule_surface};
static const sherd_shape_kind CYLINDER = {.name = "cylinder",
                                          .distance = cylinder_distance,
                                          .near = cylinder_near,
                                          .support = cylinder_support,
                                          .volume = cylinder_volume,
                                          .same = round_same,
                                          .surface = cylinder_surface};
static const sherd_shape_kind CAPSULE = {.name = "capsule",
                                         .distance = capsule_distance,
                                         .near = capsule_near,
                                         .support = capsule_support,
                                         .volume = capsule_volume,
                                         .same = round_same,
                                         .surface = capsule_surface};
static const sherd_shape_kind TORUS = {.name = "torus",
                                       .distance = torus_distance,
                                       .near = torus_near,
                                       .support = torus_support,
                                       .volume = torus_volume,
                                       .same = round_same,
                                       .surface = torus_surface};

static sherd_shape *round_create(const sherd_shape_kind *kind, double radius, double core,
                                 sherd_error *error)
{
    round_shape *shape = sherd_shape_allocate(sizeof *shape, kind, error);
    if (shape == NULL) return NULL;
    shape->radius = radius;
    shape->core = core;
    return sherd_shape_finish(&shape->base);
}

sherd_shape *sherd_shape_sphere(double radius, sherd_error *error)
{
    if (!sherd_shape_check_length(radius, "sherd_shape_sphere", "radius", error)) return NULL;
    return round_create(&SPHERE, radius, 0.0, error);
}

sherd_shape *sherd_shape_cylinder(double radius, double height, sherd_error *error)
{
    if (!sherd_shape_check_length(radius, "sherd_shape_cylinder", "radius", error) ||
        !sherd_shape_check_length(height, "sherd_shape_cylinder", "height", error))
        return NULL;
    return round_create(&CYLINDER, radius, 0.5 * height, error);
}

sherd_shape *sherd_shape_capsule(double radius, double length, sherd_error *error)
{
    if (!sherd_shape_check_length(radius, "sherd_shape_capsule", "radius", error) ||
        !sherd_shape_check_length(length, "sherd_shape_capsule", "length", error))
        return NULL;
    return round_create(&CAPSULE, radius, 0.5 * length, error);
}

sherd_shape *sherd_shape_torus(double major_radius, double minor_radius, sherd_error *error)
{
    if (!sherd_shape_check_length(major_radius, "sherd_shape_torus", "major_radius", error) ||
        !sherd_shape_check_length(minor_radius, "sherd_shape_torus", "minor_radius", error))
        return NULL;
    if (minor_radius >= major_radius) {
        sherd_fail(error, SHERD_ERROR_INPUT, "sherd_shape_torus",
                   "the major radius runs from the centre to the middle of the tube",
                   "minor_radius %g must be less than major_radius %g, or the tube meets itself",
                   minor_radius, major_radius);
        return NULL;
    }
    sherd_shape *torus = round_create(&TORUS, minor_radius, major_radius, error);
    if (torus != NULL) torus->concave = true;
    return torus;
}
