#include "packing/shell/shell_target.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/shape/shape_kind.h"

#include <stdlib.h>

// Walls thicker than this many distances of elements are solids.
static const double THICKEST = 3.0;
// At a rim the normal runs along the wall: farther than this many times its thickness.
static const double RIM = 2.5;
// Parts of a combined shape are reduced to triangles on its surface, with this tolerance over a
// triangle's size.
static const double ON_SURFACE = 0.1;
// Triangles, and points of the border, as shares of the distance of elements.
static const double TRIANGLE_SIZE = 0.5, BORDER_STEP = 0.2;

sherd_vec3 sherd_shell_target_normal(const sherd_shell_target *target, int32_t triangle)
{
    return vec3_normalize(mesh_area_vector(target->mesh, triangle));
}

// From inside, how far along `direction` the surface is; INFINITY beyond `limit`.
static double way_out(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 direction, double limit)
{
    double least = 1e-5 * limit, way = 0.0;
    while (way < limit) {
        double inside = -sherd_shape_distance(shape, vec3_add_scaled(p, way, direction));
        if (inside < least) return way + fmax(inside, 0.0);
        way += inside;
    }
    return INFINITY;
}

// Thickness behind a point of the surface with outward normal n; -1 when there is nothing behind it.
static double wall_behind(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 n, double limit)
{
    double start = 1e-4 * limit;
    double out = sherd_shape_distance(shape, p); // a chord's middle is a little off the surface
    sherd_vec3 in = vec3_add_scaled(p, -out - start, n);
    if (sherd_shape_distance(shape, in) > -0.5 * start) return -1.0;
    return start + way_out(shape, in, vec3_scale(-1.0, n), limit);
}

double sherd_shell_centre(const sherd_shape *shape, sherd_vec3 normal, double limit, sherd_vec3 *p)
{
    double up = way_out(shape, *p, normal, limit);
    double down = way_out(shape, *p, vec3_scale(-1.0, normal), limit);
    if (!isfinite(up + down)) return up + down;
    *p = vec3_add_scaled(*p, 0.5 * (up - down), normal);
    return up + down;
}

// ---------------------------------------------------------------- walls

typedef struct face {
    double wall, area;
} face;

static int compare_faces(const void *a, const void *b)
{
    double x = ((const face *)a)->wall, y = ((const face *)b)->wall;
    return (x > y) - (x < y);
}

// The median by area: in a thin sheet half the triangles may be on its rim.
static double median_wall(const sherd_mesh *mesh, const double *wall, face *faces)
{
    double total = 0.0, sum = 0.0;
    int32_t count = mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        // Triangles off the surface have no weight.
        double area = wall[t] < 0.0 ? 0.0 : vec3_length(mesh_area_vector(mesh, t));
        faces[t] = (face){wall[t], area};
        total += faces[t].area;
    }
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    int32_t middle = 0;
    for (; middle + 1 < count && sum + faces[middle].area < 0.5 * total; ++middle)
        sum += faces[middle].area;
    return faces[middle].wall;
}

static sherd_vec3 unit_normal(const sherd_mesh *mesh, int32_t t)
{
    return vec3_normalize(mesh_area_vector(mesh, t));
}

// -1 for triangles that are not on the surface.
static void measure_walls(const sherd_shape *shape, const sherd_mesh *mesh, double limit,
                          double size, double *wall)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 c = vec3_add(mesh_corner(mesh, t, 0),
                                vec3_add(mesh_corner(mesh, t, 1), mesh_corner(mesh, t, 2)));
        c = vec3_scale(1.0 / 3.0, c);
        bool on = fabs(sherd_shape_distance(shape, c)) < ON_SURFACE * size;
        wall[t] = on ? wall_behind(shape, c, unit_normal(mesh, t), limit) : -1.0;
    }
}

// Moves a point onto the wall's edge, and finds the direction away from it: triangles end only near
// the edge.
static sherd_shell_border refine(const sherd_shape *shape, sherd_vec3 p, sherd_vec3 outward,
                                 sherd_vec3 normal, double spacing)
{
    double inside = -sherd_shape_distance(shape, p);
    // Outside, the distance is that of the edge.
    double way = inside > 0.0 ? way_out(shape, p, outward, 2.0 * spacing) : inside;
    if (!isfinite(way)) return (sherd_shell_border){p, outward};
    sherd_vec3 edge = vec3_add_scaled(p, way, outward);
    sherd_vec3 away = sherd_shape_normal(shape, edge);
    away = vec3_add_scaled(away, -vec3_dot(away, normal), normal);
    // At a corner of the edge's section the gradient may point across the wall.
    return (sherd_shell_border){edge, vec3_length(away) > 0.3 ? vec3_normalize(away) : outward};
}

double sherd_shell_target_elements(const sherd_shell_target *target, double spacing)
{
    double cell = 0.5 * sqrt(3.0) * spacing * spacing;
    return floor(target->area / cell + 0.5);
}

static sherd_status check_count(const sherd_shell_target *target, double spacing, int64_t most,
                                sherd_error *error)
{
    double wanted = sherd_shell_target_elements(target, spacing);
    if (wanted <= (double)most && wanted <= INT32_MAX / 2) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius",
                      "use a larger radius, or raise max_elements; a mesh may lack its scale",
                      "%.0f elements would be needed, the limit is %lld", wanted, (long long)most);
}

static bool add_border(sherd_shell_target *target, const sherd_shape *shape, sherd_vec3 a,
                       sherd_vec3 b, sherd_vec3 normal, double spacing)
{
    sherd_vec3 way = vec3_sub(b, a);
    sherd_vec3 outward = vec3_normalize(vec3_cross(way, normal));
    double wanted = ceil(vec3_length(way) / (BORDER_STEP * spacing));
    int pieces = (int)fmin(wanted, INT32_MAX); // no machine has memory for more
    if (!sherd_grow((void **)&target->border, &target->border_capacity,
                    target->border_count + (size_t)pieces, sizeof *target->border))
        return false;
    for (int k = 0; k < pieces; ++k)
        target->border[target->border_count++] =
            refine(shape, vec3_add_scaled(a, (k + 0.5) / pieces, way), outward, normal, spacing);
    return true;
}

static sherd_vec3 moved_corner(const sherd_mesh *mesh, int32_t t, int k, double wall)
{
    return vec3_add_scaled(mesh_corner(mesh, t, k), -0.5 * wall, unit_normal(mesh, t));
}

// On the surface and not on a rim.
static bool is_face(double wall, double most)
{
    return wall >= 0.0 && wall <= most;
}

static bool add_borders(sherd_shell_target *target, const sherd_shape *shape,
                        const sherd_mesh *mesh, const double *wall, double most, double spacing)
{
    sherd_mesh_edges edges;
    bool good = sherd_mesh_edges_init(&edges, mesh);
    for (int32_t h = 0; h < 3 * mesh->triangle_count && good; ++h) {
        int32_t t = h / 3, twin = edges.twin[h];
        if (!is_face(wall[t], most) || (twin >= 0 && is_face(wall[twin / 3], most))) continue;
        good =
            add_border(target, shape, moved_corner(mesh, t, h % 3, wall[t]),
                       moved_corner(mesh, t, (h + 1) % 3, wall[t]), unit_normal(mesh, t), spacing);
    }
    sherd_mesh_edges_release(&edges);
    return good;
}

// The triangles that are not on a rim, moved to the middle surface.
static bool move_faces(sherd_shell_target *target, const sherd_mesh *mesh, const double *wall,
                       double most)
{
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        count += is_face(wall[t], most);
    target->mesh = sherd_mesh_create(3 * count, count, NULL);
    target->area_before = sherd_alloc((size_t)count + 1, sizeof *target->area_before);
    if (target->mesh == NULL || target->area_before == NULL) return false;
    int32_t at = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (!is_face(wall[t], most)) continue;
        for (int k = 0; k < 3; ++k)
            mesh_set_vertex(target->mesh, 3 * at + k, moved_corner(mesh, t, k, wall[t]));
        mesh_set_triangle(target->mesh, at, 3 * at, 3 * at + 1, 3 * at + 2);
        double area = 0.5 * vec3_length(mesh_area_vector(target->mesh, at));
        target->area_before[at + 1] = target->area_before[at] + area;
        ++at;
    }
    target->area = 0.5 * target->area_before[count];
    return sherd_mesh_tree_init(&target->tree, target->mesh);
}

static sherd_status fill(sherd_shell_target *target, const sherd_shape *shape,
                         const sherd_mesh *mesh, double spacing, int64_t most, double *wall,
                         sherd_error *error)
{
    double limit = THICKEST * spacing;
    face *faces = sherd_alloc((size_t)mesh->triangle_count, sizeof *faces);
    if (faces == NULL) return sherd_fail_memory(error, "shell");
    measure_walls(shape, mesh, limit, TRIANGLE_SIZE * spacing, wall);
    target->thickness = median_wall(mesh, wall, faces);
    sherd_free(faces);
    if (!(target->thickness < limit))
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.shell",
                          "a shell packing follows the middle of a thin wall: make one by a "
                          "`difference`, or choose another packing for a solid",
                          "most of the shape is thicker than %g m, three distances of elements",
                          limit);
    double thickest = fmin(RIM * target->thickness, limit);
    if (!move_faces(target, mesh, wall, thickest)) return sherd_fail_memory(error, "shell");
    sherd_status status = check_count(target, spacing, most, error);
    if (status == SHERD_OK && !add_borders(target, shape, mesh, wall, thickest, spacing))
        status = sherd_fail_memory(error, "shell");
    return status;
}

sherd_status sherd_shell_target_init(sherd_shell_target *target, const sherd_shape *shape,
                                     double spacing, int64_t most, sherd_error *error)
{
    *target = (sherd_shell_target){0};
    sherd_mesh *mesh = sherd_shape_faces(shape, TRIANGLE_SIZE * spacing, error);
    if (mesh == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    double *wall = sherd_alloc((size_t)mesh->triangle_count, sizeof *wall);
    sherd_status status = wall != NULL ? fill(target, shape, mesh, spacing, most, wall, error)
                                       : sherd_fail_memory(error, "shell");
    sherd_free(wall);
    sherd_mesh_destroy(mesh);
    return status;
}

void sherd_shell_target_free(sherd_shell_target *target)
{
    sherd_mesh_tree_release(&target->tree);
    sherd_mesh_destroy(target->mesh);
    sherd_free(target->area_before);
    sherd_free(target->border);
    *target = (sherd_shell_target){0};
}
