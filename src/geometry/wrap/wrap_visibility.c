#include "geometry/wrap/wrap_visibility.h"

#include "geometry/mesh/mesh_access.h"

#include <math.h>

// Tests that all lines of a triangle may do without being counted, and the work per test beyond
// that.
enum { FREE_VISITS = 8 * WRAP_VISIBILITY_LINES, VISIT_WORK = 8 };

typedef struct line {
    const sherd_mesh *mesh;
    int32_t own; // the triangle from which it starts
    sherd_vec3 origin, direction;
    double near; // nearer triangles are ignored [m]
    int64_t visits;
    bool met;
} line;

// Stops at the first hit. Moeller and Trumbore 1997, edges included.
static bool is_passed(void *context, int32_t t)
{
    line *l = context;
    ++l->visits;
    if (t == l->own) return true;
    sherd_vec3 a = mesh_corner(l->mesh, t, 0);
    sherd_vec3 ab = vec3_sub(mesh_corner(l->mesh, t, 1), a);
    sherd_vec3 ac = vec3_sub(mesh_corner(l->mesh, t, 2), a);
    sherd_vec3 across = vec3_cross(l->direction, ac), from = vec3_sub(l->origin, a);
    sherd_vec3 up = vec3_cross(from, ab);
    double determinant = vec3_dot(ab, across);
    if (determinant == 0.0) return true;
    double u = vec3_dot(from, across) / determinant;
    double v = vec3_dot(l->direction, up) / determinant;
    double distance = vec3_dot(ac, up) / determinant;
    const double margin = 1e-9;
    l->met = u >= -margin && v >= -margin && u + v <= 1.0 + margin && distance > l->near;
    return !l->met;
}

// Uniform over a hemisphere about z: a spiral with equal steps in height.
static sherd_vec3 direction_of(int k)
{
    const double golden = 2.39996322972865332; // angle [rad]
    double z = (k + 0.5) / WRAP_VISIBILITY_LINES, r = sqrt(1.0 - z * z);
    return vec3(r * cos(golden * k), r * sin(golden * k), z);
}

int sherd_wrap_free_lines(const sherd_mesh *mesh, const sherd_bvh *tree, int32_t triangle, int side,
                          double near, sherd_mesh_work *work)
{
    sherd_vec3 a = mesh_corner(mesh, triangle, 0), b = mesh_corner(mesh, triangle, 1);
    sherd_vec3 c = mesh_corner(mesh, triangle, 2);
    sherd_vec3 n = vec3_scale(side, vec3_normalize(mesh_area_vector(mesh, triangle)));
    sherd_vec3 x = vec3_normalize(vec3_cross(n, fabs(n.x) < 0.7 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
    sherd_vec3 y = vec3_cross(n, x);
    line l = {.mesh = mesh, .own = triangle, .near = near};
    // Not exactly the centroid: in models made of equal parts centroids are aligned.
    l.origin = vec3_add(vec3_scale(0.371, a), vec3_add(vec3_scale(0.307, b), vec3_scale(0.322, c)));
    int free = 0;
    for (int k = 0; k < WRAP_VISIBILITY_LINES; ++k) {
        sherd_vec3 d = direction_of(k);
        l.direction = vec3_add_scaled(vec3_add_scaled(vec3_scale(d.x, x), d.y, y), d.z, n);
        l.met = false;
        sherd_bvh_ray(tree, l.origin, l.direction, is_passed, &l);
        free += !l.met;
    }
    if (l.visits > FREE_VISITS) mesh_work_spend(work, VISIT_WORK * (l.visits - FREE_VISITS));
    return free;
}
