#include "bodies/thickness.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

// Sample points, evenly distributed over the surface. 4 % of it has 40 of them.
enum { SAMPLES = 1024 };
static const double THINNEST_SHARE = 0.02;

// Maximum number of steps through a wall (sphere tracing): each is as long as the distance to the
// surface, so that they double up to the middle and halve beyond.
enum { MOST_STEPS = 200 };
static const double LEAST_STEP = 1e-4; // of the spacing

typedef struct corners {
    sherd_vec3 a, ab, ac;
} corners;

static corners corners_of(const sherd_mesh *mesh, int32_t triangle)
{
    sherd_vec3 at[3];
    for (int c = 0; c < 3; ++c) {
        const double *v = &mesh->vertices[3 * (size_t)mesh->triangles[3 * (size_t)triangle + c]];
        at[c] = vec3(v[0], v[1], v[2]);
    }
    return (corners){at[0], vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0])};
}

static double area_of(const sherd_mesh *mesh, int32_t triangle)
{
    corners t = corners_of(mesh, triangle);
    return 0.5 * vec3_length(vec3_cross(t.ab, t.ac));
}

// The k-th sample point of a triangle, by multiples of the plastic number, the golden ratio of two dimensions.
static sherd_vec3 place_in(const sherd_mesh *mesh, int32_t triangle, int k)
{
    double u = fmod(k * 0.7548776662466927, 1.0), v = fmod(k * 0.5698402909980532, 1.0);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    corners t = corners_of(mesh, triangle);
    return vec3_add_scaled(vec3_add_scaled(t.a, u, t.ab), v, t.ac);
}

// Length of the straight line from a point on the surface inwards to the far side.
static double way_through(const sherd_shape *shape, sherd_vec3 from, sherd_vec3 normal,
                          double least)
{
    double way = least;
    for (int k = 0; k < MOST_STEPS; ++k) {
        double depth = -sherd_shape_distance(shape, vec3_add_scaled(from, -way, normal));
        if (depth <= 0.0) break;
        way += fmax(depth, least);
    }
    return way;
}

// Half the thickness at a point, or INFINITY if the point is not on the surface but inside a part.
static double half_at(const sherd_shape *shape, sherd_vec3 place, double spacing)
{
    const double near = 0.1; // sherd_shape_faces; of the spacing
    sherd_vec3 normal;
    double distance = sherd_shape_distance_and_normal(shape, place, &normal);
    if (fabs(distance) > near * spacing) return INFINITY;
    sherd_vec3 on = vec3_add_scaled(place, -distance, normal);
    return 0.5 * way_through(shape, on, normal, LEAST_STEP * spacing);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double thickness_of(const sherd_shape *shape, const sherd_mesh *faces, double spacing)
{
    double half[SAMPLES], area = 0.0, passed = 0.0;
    for (int32_t t = 0; t < faces->triangle_count; ++t)
        area += area_of(faces, t);
    int taken = 0, found = 0;
    for (int32_t t = 0; t < faces->triangle_count; ++t) {
        passed += area_of(faces, t);
        for (; taken < SAMPLES && (taken + 0.5) * area <= passed * SAMPLES; ++taken) {
            double here = half_at(shape, place_in(faces, t, taken), spacing);
            if (here < INFINITY) half[found++] = here;
        }
    }
    if (found == 0) return INFINITY;
    qsort(half, (size_t)found, sizeof *half, by_size);
    double outer = area * found / taken;
    return fmin(sherd_shape_volume(shape) / outer, half[(int)(THINNEST_SHARE * found)]);
}

sherd_status sherd_shape_thickness(const sherd_shape *shape, double spacing, double *thickness,
                                   sherd_error *error)
{
    sherd_mesh *faces = sherd_shape_faces(shape, spacing, error);
    if (faces == NULL) return error != NULL ? error->status : SHERD_ERROR_MEMORY;
    *thickness = thickness_of(shape, faces, spacing);
    sherd_mesh_destroy(faces);
    return SHERD_OK;
}
